/* inspect/listed_document.h: a document as results name it: its id, its URL and its store.
 * Memory: the bytes are borrowed; twx_listed_document_copy() copies them into an arena. */
#ifndef TWX_INSPECT_LISTED_DOCUMENT_H
#define TWX_INSPECT_LISTED_DOCUMENT_H

#include "base/arena.h"
#include "run/out.h"

typedef struct twx_listed_document {
    twx_value id;
    twx_slice url;   /* absent: it has none */
    twx_slice store; /* among several; absent: there is no other */
} twx_listed_document;

TWX_CHECK twx_rc twx_listed_document_copy(twx_ctx *cx, twx_arena *arena, const twx_value *id,
                                          twx_slice url, twx_listed_document *ret_document);
/* Writes "42  https://example.org/", the URL as it is stored, and " in STORE". */
TWX_CHECK twx_rc twx_listed_document_write(const twx_out *out, const twx_listed_document *d);
/* The same with the URL made safe for a terminal and cut off (excerpt.h). */
TWX_CHECK twx_rc twx_listed_document_excerpt(const twx_out *out, const twx_listed_document *d);
/* {"id": ..., "url": ..., "store": ...}; new reference, NULL: out of memory */
json_t *twx_listed_document_json(const twx_listed_document *d);

#endif
