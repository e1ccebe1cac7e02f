/* inspect/explanation.h: why documents have the flags they have, for explain.
 * Memory: embedded struct; twx_explanation_init(), _done(). */
#ifndef TWX_INSPECT_EXPLANATION_H
#define TWX_INSPECT_EXPLANATION_H

#include "base/vec.h"
#include "inspect/listed_document.h"

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
