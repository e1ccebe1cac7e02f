/* page/document_types.h: the content types that are documents (setting import.types).
 * [R1] A list of html, xhtml, plain, markdown, or MIME types ("text/csv"; a star at the end matches
 * anything), separated by white space, commas or bars.
 * [R2] A response without a type, or with a meaningless one (unknown/unknown, application/unknown,
 * or a wildcard), is a document if its body begins like HTML, as in browsers (WHATWG MIME Sniffing,
 * section 7). */
#ifndef TWX_PAGE_DOCUMENT_TYPES_H
#define TWX_PAGE_DOCUMENT_TYPES_H

#include "base/ctx.h"
#include "base/slice.h"

#define TWX_DOCUMENT_TYPES "html xhtml plain markdown"

typedef enum twx_document_type { TWX_TYPE_OTHER, TWX_TYPE_HTML, TWX_TYPE_PLAIN } twx_document_type;

/* Errors TWX_E_CONFIG, naming the invalid word. */
TWX_CHECK twx_rc twx_document_types_check(twx_ctx *cx, const char *types);
/* types: a list that has been checked. type: as the server sent it; absent: none. body: at least
 * its beginning. */
twx_document_type twx_document_type_of(const char *types, twx_slice type, twx_slice body);
/* Whether the text begins with an HTML tag, comment or doctype. */
bool twx_looks_like_html(twx_slice text);
/* "text/html" of "text/html; charset=utf-8" and "text/html,text/html". */
twx_slice twx_media_type(twx_slice content_type);

#endif
