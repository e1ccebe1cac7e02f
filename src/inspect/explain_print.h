/* inspect/explain_print.h: documents as they are listed, and the lines of an explanation. */
#ifndef TWX_INSPECT_EXPLAIN_PRINT_H
#define TWX_INSPECT_EXPLAIN_PRINT_H

#include "base/arena.h"
#include "base/vec.h"
#include "run/out.h"

/* A document as results name it: its id, its URL and its store.
 * Memory: the bytes are borrowed; twx_listed_document_copy() copies them into an arena. */
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

/* Why documents have the flags they have, for explain.
 * Memory: embedded struct; twx_explanation_init(), _done(). */

/* A flag, relation or pin, and its value with the reason. */
typedef struct twx_explained_line {
    twx_slice key, text;
} twx_explained_line;

typedef struct twx_explained {
    twx_listed_document document;
    twx_value url; /* as stored, of any type */
    TWX_VEC(twx_explained_line) lines;
} twx_explained;

typedef struct twx_explanation {
    twx_arena arena;
    TWX_VEC(twx_explained) documents;
} twx_explanation;

void twx_explanation_init(twx_explanation *e);
void twx_explanation_done(twx_explanation *e);
/* Adds a document; the lines that follow are about it. store: absent if there is no other. */
TWX_CHECK twx_rc twx_explanation_begin(twx_ctx *cx, twx_explanation *e, const twx_value *id,
                                       const twx_value *url, twx_slice store);
TWX_CHECK twx_rc twx_explanation_add(twx_ctx *cx, twx_explanation *e, const char *key,
                                     const char *text);
TWX_CHECK twx_rc twx_explanation_write(const twx_out *out, const twx_explanation *e);

#endif
