/* search/search_result.h: the hits of a query, ranked by one file of rules, or by two that are
 * compared, and the figures of the query.
 * Memory: embedded struct; twx_search_result_init(), _done(). Bytes are in the arena. */
#ifndef TWX_SEARCH_SEARCH_RESULT_H
#define TWX_SEARCH_SEARCH_RESULT_H

#include "base/arena.h"
#include "base/vec.h"
#include "search/search_figures.h"

/* What a rule adds to the score of a hit. */
typedef struct twx_search_part {
    twx_slice rule;
    double adds;
} twx_search_part;

/* A flag of a hit: a number, the id of a document, or a word. */
typedef struct twx_search_flag {
    const char *name;
    twx_value value;
    bool is_id;       /* value NULL: the document is gone */
    twx_slice store;  /* of the document, if it is another one than that of the hit */
    const char *word; /* NULL: value counts */
} twx_search_flag;

typedef struct twx_search_hit {
    twx_value id;                  /* NULL: it is gone */
    twx_slice store;               /* of several; absent: there is no other */
    twx_slice url, title, snippet; /* matches in brackets; safe on a terminal */
    double score, text_score;
    uint64_t rank[TWX_SEARCH_SIDES]; /* from 1; 0: no hit */
    bool duplicate; /* a hit of the same cluster is above it; not known in a comparison */
    bool has_flags;
    TWX_VEC(twx_search_part) parts;
    TWX_VEC(twx_search_flag) flags;
} twx_search_hit;

typedef struct twx_search_result {
    twx_arena arena;
    twx_search_figures figures;
    TWX_VEC(twx_search_hit) hits;
} twx_search_result;

void twx_search_result_init(twx_search_result *r);
void twx_search_result_done(twx_search_result *r);
/* The hits of one side; new reference, NULL: out of memory. */
json_t *twx_search_hits_json(const twx_search_result *r);
/* Writes the hits, or the moves if two files of rules are compared, and the figures. */
TWX_CHECK twx_rc twx_search_result_write(const twx_out *out, const twx_search_result *r);

#endif
