/* search/searching.h: private to search/: the state of a search and the functions that its parts
 * share. A side is a file of rules and the hits ranked by it: a plain search has one side, a
 * comparison has two. All hits are kept (32 bytes each), because a document at rank 3 of one side
 * may be at rank 3000 of the other. */
#ifndef TWX_SEARCH_SEARCHING_H
#define TWX_SEARCH_SEARCHING_H

#include "job/open_store.h"
#include "job/ranking.h"
#include "rank/hits.h"
#include "report/out.h"
#include "store/generations.h"
#include "store/text_search.h"

enum { TWX_SEARCH_SIDES = 2, TWX_SEARCH_TITLE_SHOWN = 100, TWX_SEARCH_LINE_BYTES = 1 << 16 };

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
    const twx_out *out;
    twx_opened o;
    twx_state state;
    twx_search_side sides[TWX_SEARCH_SIDES];
    size_t n_sides;
    size_t shown; /* maximum number of hits shown */
    twx_snippets *snippets;
    twx_slice query;
} twx_searching;

/* ---- search_figures.c ---- */

/* Figures for the current query. */
typedef struct twx_search_figures {
    twx_duplicates few[TWX_SEARCH_SIDES], many[TWX_SEARCH_SIDES];
    twx_moves moves;
} twx_search_figures;

TWX_CHECK twx_rc twx_search_figures_make(twx_searching *s, twx_search_figures *ret);
json_t *twx_search_figures_json(const twx_searching *s, const twx_search_figures *f);
TWX_CHECK twx_rc twx_search_write_figures(const twx_searching *s, const twx_search_figures *f);
TWX_CHECK twx_rc twx_search_out_of_json(const twx_searching *s);

/* Totals over many queries. */
typedef struct twx_search_totals {
    size_t queries, with_hits;
    double few[TWX_SEARCH_SIDES],
        many[TWX_SEARCH_SIDES]; /* sums of shares, over queries with hits */
    twx_moves moves;
    json_t *list;
} twx_search_totals;

void twx_search_totals_add(const twx_searching *s, const twx_search_figures *f,
                           twx_search_totals *t);
/* One row per query, and the heading. */
TWX_CHECK twx_rc twx_search_write_head(const twx_searching *s);
TWX_CHECK twx_rc twx_search_write_row(const twx_searching *s, const twx_search_figures *f);
TWX_CHECK twx_rc twx_search_write_totals(const twx_searching *s, const twx_search_totals *t);

/* ---- search_hits.c ---- */

/* list: receives the hits as JSON; NULL: they are written as text. */
TWX_CHECK twx_rc twx_search_write_hits(twx_searching *s, json_t *list);
/* The first hits of both sides: those of B, then those of A that are not among them. */
TWX_CHECK twx_rc twx_search_write_moves(twx_searching *s, json_t *list);

#endif
