/* search/searching.h: private to search/: the state of a search and the functions that its parts
 * share. A side is a file of rules and the hits ranked by it: a plain search has one side, a
 * comparison has two. All hits are kept (32 bytes each), because a document at rank 3 of one side
 * may be at rank 3000 of the other. */
#ifndef TWX_SEARCH_SEARCHING_H
#define TWX_SEARCH_SEARCHING_H

#include "job/open_store.h"
#include "job/ranking.h"
#include "report/search_result.h"
#include "store/generations.h"
#include "store/text_search.h"

typedef struct twx_search_side {
    twx_ranking_rules rules;
    twx_hits hits;
    TWX_VEC(double) parts; /* of the hits that are shown, concatenated */
    TWX_VEC(double) text_scores;
    twx_map64 ranks; /* ranks of all hits */
} twx_search_side;

typedef struct twx_searching {
    const twx_job *job;
    const twindex_search_options *options;
    twx_opened o;
    twx_state state;
    twx_search_side sides[TWX_SEARCH_SIDES];
    size_t n_sides;
    size_t shown; /* maximum number of hits shown */
    twx_snippets *snippets;
    twx_slice query;    /* as the user typed it */
    twx_buf expression; /* of FTS5 */
} twx_searching;

/* index.c: the number (terms/stem_language.h) of the language of a document: its own, else that of
 * the settings. */
unsigned twx_text_language(const twx_job *job, const twx_source_row *row);

/* search_hits.c: lists the first hits; with two sides, those of B, then those of A that are not
 * among them. */
TWX_CHECK twx_rc twx_search_list_hits(twx_searching *s, twx_search_result *result);

#endif
