/* cluster/near_names.h: names of documents (judge/names.h) where the documents are on servers: what
 * is learned of all hosts, and whether one of two texts contains the names of the other.
 * [R1] Both are as in a run over one store with all documents. */
#ifndef TWX_CLUSTER_NEAR_NAMES_H
#define TWX_CLUSTER_NEAR_NAMES_H

#include "judge/names.h"

/* A name of a text, and the host where it has it. */
typedef struct twx_hosted_name {
    uint64_t host_key;
    twx_slice name; /* empty: none */
} twx_hosted_name;

/* What is learned, of one part of the hosts after another. Memory: embedded struct;
 * twx_near_learned_done(). */
typedef struct twx_near_learned {
    twx_name_rules rules; /* set by the caller */
    twx_map64 hosts;      /* key -> number */
    twx_map64 common, constant;
    /* Of the part that is being read */
    twx_names part;
    twx_doc_table docs;
} twx_near_learned;

void twx_near_learned_init(twx_near_learned *l, const twx_name_rules *rules);
void twx_near_learned_done(twx_near_learned *l);
/* Begins a part of at most `documents` documents; then each of them in order of ids, with the
 * repeated words of its text; then the end. A host is in one part. */
TWX_CHECK twx_rc twx_near_learned_begin(twx_ctx *cx, twx_near_learned *l, size_t documents);
TWX_CHECK twx_rc twx_near_learned_add(twx_ctx *cx, twx_near_learned *l, const twx_hosted_name *name,
                                      twx_slice repeated);
TWX_CHECK twx_rc twx_near_learned_end(twx_ctx *cx, twx_near_learned *l);

/* Texts with their names. Memory: embedded struct; twx_named_texts_done(). l is borrowed. */
typedef struct twx_named_texts {
    twx_names names;
    twx_doc_table docs;
    TWX_VEC(uint32_t) best; /* by text: its best document */
    TWX_VEC(uint32_t) from; /* by text: of names.docs */
    TWX_VEC(uint32_t) list;
    const twx_near_learned *learned;
} twx_named_texts;

TWX_CHECK twx_rc twx_named_texts_init(twx_ctx *cx, twx_named_texts *t, const twx_near_learned *l,
                                      size_t documents);
void twx_named_texts_done(twx_named_texts *t);
/* Adds a text and its best document's name. *ret_text: its number. */
TWX_CHECK twx_rc twx_named_texts_add(twx_ctx *cx, twx_named_texts *t, twx_slice repeated,
                                     const twx_hosted_name *best, uint32_t *ret_text);
/* Adds a name to the last text: each different one once, in the order of the documents. */
TWX_CHECK twx_rc twx_named_texts_add_name(twx_ctx *cx, twx_named_texts *t,
                                          const twx_hosted_name *name);
/* After the last text. */
TWX_CHECK twx_rc twx_named_texts_end(twx_ctx *cx, twx_named_texts *t);
/* What twx_named_texts_contain() needs of b. */
void twx_named_texts_demands(const twx_named_texts *t, uint32_t b, twx_demands *ret_demands);
/* Does a contain what distinguishes b from it? 0: no; 1: yes; 2: they have one name.
 * (twx_contains_fn) */
unsigned twx_named_texts_contain(const twx_named_texts *t, uint32_t a, uint32_t b,
                                 const twx_demands *of_b);

#endif
