/* page/text_parts.h: parts of a text, such as its content area, as a list of places: "12-340
 * 400-900" are the bytes from 12 to before 340 and those from 400 to before 900. An import stores
 * this list (documents.main_parts) and not a second copy of the text.
 * [R1] A list is valid for a text if its parts are not empty, ascend without touching, begin and
 * end between characters, and lie within the text. */
#ifndef TWX_PAGE_TEXT_PARTS_H
#define TWX_PAGE_TEXT_PARTS_H

#include "base/buf.h"

enum { TWX_TEXT_PARTS_MAX = 256, TWX_TEXT_PARTS_BYTES = 1 << 13 };

TWX_CHECK twx_rc twx_text_part_add(twx_ctx *cx, size_t begin, size_t end, twx_buf *parts);
/* Takes the next part off the list. false: none is left, or the list is not valid for a text of n
 * bytes; *ret_end is the end of the previous part, 0 at first. */
bool twx_text_part_next(twx_slice *parts, size_t n, size_t *ret_begin, size_t *ret_end);
/* Appends the parts of a text, one a line. TWX_DONE: the list is not valid for the text, or the
 * parts do not fit; out is then unchanged. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_text_parts(twx_ctx *cx, twx_slice text, twx_slice parts, twx_buf *out);

#endif
