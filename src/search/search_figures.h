/* search/search_figures.h: how many hits a query has, and how many of the first ones are
 * duplicates; for one query, and as a table of many. */
#ifndef TWX_SEARCH_SEARCH_FIGURES_H
#define TWX_SEARCH_SEARCH_FIGURES_H

#include "search/hits.h"
#include "search/query_quality.h"

typedef struct twx_search_figures {
    twx_slice query;
    size_t n_sides;                      /* 2: a comparison */
    const char *rules[TWX_SEARCH_SIDES]; /* files; NULL: none */
    size_t hits[TWX_SEARCH_SIDES];
    double few[TWX_SEARCH_SIDES], many[TWX_SEARCH_SIDES]; /* shares of duplicates at the top */
    twx_moves moves;
    bool judged; /* there are relevance judgements of the query */
    twx_quality quality[TWX_SEARCH_SIDES];
} twx_search_figures;

/* Of one side. */
json_t *twx_search_side_json(const twx_search_figures *f, size_t i);
json_t *twx_search_figures_json(const twx_search_figures *f);
TWX_CHECK twx_rc twx_search_figures_write(const twx_out *out, const twx_search_figures *f);

/* ---- many queries -------------------------------------------------------- */

/* A row is written as soon as its query has been searched. Memory: twx_query_list_done(). */
typedef struct twx_query_list {
    const twx_out *out;
    size_t queries, with_hits, refused;
    twx_search_figures sums;   /* over the queries with hits */
    bool judged;               /* there are relevance judgements */
    twx_query_quality quality; /* of the judged queries */
    json_t *rows;
} twx_query_list;

/* list: out and judged are set by the caller. rules: the files of rules; NULL: none. */
TWX_CHECK twx_rc twx_query_list_begin(twx_query_list *list, const char *const *rules,
                                      size_t n_sides);
TWX_CHECK twx_rc twx_query_list_add(twx_query_list *list, const twx_search_figures *f);
/* Lists a query that could not be searched; no figure counts it. */
TWX_CHECK twx_rc twx_query_list_refuse(twx_query_list *list, twx_slice query, const char *reason);
/* Writes the totals. */
TWX_CHECK twx_rc twx_query_list_end(twx_query_list *list);
void twx_query_list_done(twx_query_list *list);

#endif
