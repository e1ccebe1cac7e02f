/* search/searching.h: private to search/: the state of a search and the functions that its parts
 * share. A side is a file of rules and the hits ranked by it: a plain search has one side, a
 * comparison has two. All hits are kept (32 bytes each), because a document at rank 3 of one side
 * may be at rank 3000 of the other.
 * The documents of several stores are ranked in one list. In hits and clusters a document has a
 * number: in one store its own, in several one that it gets when it is first met. */
#ifndef TWX_SEARCH_SEARCHING_H
#define TWX_SEARCH_SEARCHING_H

#include "run/store_set.h"
#include "search/judged.h"
#include "search/ranking.h"
#include "search/search_result.h"
#include "store/generations.h"
#include "store/text_scores.h"
#include "store/text_search.h"

typedef struct twx_search_side {
    twx_ranking_rules rules;
    twx_hits hits;
    TWX_VEC(double) parts; /* of the hits that are shown, concatenated */
    TWX_VEC(double) text_scores;
    twx_map64 ranks; /* ranks of all hits */
} twx_search_side;

/* What is shown of a document, safe to print on a terminal; matches are in brackets. */
typedef struct twx_shown_text {
    twx_slice url, title, snippet;
    bool has_flags;
    twx_flag_row flags;
} twx_shown_text;

struct twx_searching {
    const twx_job *job;
    const twindex_search_options *options;
    twx_store_set set;
    TWX_VEC(twx_set_document) numbered; /* by number; of several stores */
    twx_map64 number_of;                /* key of the document -> number */
    twx_text_statistics statistics;     /* of several stores, for the query */
    twx_search_side sides[TWX_SEARCH_SIDES];
    size_t n_sides;
    size_t shown; /* maximum number of hits shown */
    twx_snippets *snippets;
    /* of the hits of the query that have been listed: two sides mostly list the same documents */
    TWX_VEC(twx_shown_text) shown_texts;
    twx_map64 shown_of; /* doc -> index */
    twx_arena shown_arena;
    twx_judged_queries *judged;     /* NULL: there are no judgements */
    twx_rule_documents **documents; /* by store; NULL: the rules need none */
    twx_slice query;                /* as the user typed it */
    twx_buf expression;             /* of FTS5 */
    twx_buf phrases;
};

/* search.c. s: job, options and n_sides are set by the caller; twx_searching_done() at the end. */
void twx_searching_init(twx_searching *s);
void twx_searching_done(twx_searching *s);
/* Opens the store. Errors TWX_E_DATA, with what to do: no run yet, no text index. */
TWX_CHECK twx_rc twx_searching_open(twx_searching *s);
/* Ranks the hits of a query by the rules of each side. place: begins the message of an error in the
 * query, which is TWX_E_DATA. */
TWX_CHECK twx_rc twx_searching_run(twx_searching *s, twx_slice query, const char *place);
TWX_CHECK twx_rc twx_searching_figures(twx_searching *s, twx_search_figures *ret_figures);
/* After it is opened: reads the judgements, which twx_searching_figures() then uses. */
TWX_CHECK twx_rc twx_searching_judge(twx_searching *s, const char *judgements);

/* The number of a document that the flags of a member refer to, and the reverse. */
TWX_CHECK twx_rc twx_searching_number(twx_searching *s, uint32_t member, int64_t doc,
                                      int64_t *ret_number);
twx_set_document twx_searching_document(const twx_searching *s, int64_t number);
/* Errors TWX_E_BUSY: two runs have published results since */
TWX_CHECK twx_rc twx_searching_kept(const twx_searching *s);

/* index.c: the number (text/stem_language.h) of the language of a document: its own, else that of
 * the settings. */
unsigned twx_text_language(const twx_job *job, const twx_source_row *row);

/* search_hits.c: lists the first hits of one of the sides, with the parts of their scores. */
TWX_CHECK twx_rc twx_search_list_side(twx_searching *s, const twx_search_side *side,
                                      twx_search_result *result);
/* The same of the only side; with two sides, without parts: those of B, then those of A that are
 * not among them. */
TWX_CHECK twx_rc twx_search_list_hits(twx_searching *s, twx_search_result *result);

#endif
