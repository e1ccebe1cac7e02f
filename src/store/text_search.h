/* store/text_search.h: queries to the text index, ranked by compiled rules (search/rule_sql.h), and
 * the flags that such rules read.
 * [R1] A query is bound as a value, so only FTS5's own parser interprets it; its errors are
 * TWX_E_DATA with FTS5's message alone. [R2] The words of a query are stemmed in the languages of
 * the index once twx_text_index_look() has read them.
 * Memory: arguments of a callback are borrowed for the call. */
#ifndef TWX_STORE_TEXT_SEARCH_H
#define TWX_STORE_TEXT_SEARCH_H

#include "base/slice.h"
#include "base/value.h"
#include "store/db.h"

enum {
    TWX_QUERY_BYTES = 2000,
    TWX_EXPRESSION_BYTES = 1 << 16,
    TWX_SEARCH_PARTS = 128,
    TWX_TEXT_COLUMNS = 2,
    TWX_TEXT_WEIGHTS = 3
};

/* Replaces *out by the expression of FTS5 for a query in the language for people
 * (text/plain_query.h), or for one that is such an expression (raw). Errors TWX_E_DATA: the query
 * is too long. */
TWX_CHECK twx_rc twx_text_query(twx_db *db, twx_slice query, bool raw, twx_buf *out);
/* Its phrases, for twx_text_statistics_add() (store/text_scores.h); not for raw queries. */
TWX_CHECK twx_rc twx_text_phrases(twx_db *db, twx_slice query, twx_buf *out);

/* The weights of a text score: those of the columns title and text for bm25, and the bonus of
 * whole_title() (store/text_functions.h). The defaults were chosen by measurement
 * (docs/detectors.md, "A search for a title"). */
const char *twx_text_weight_name(size_t i);
double twx_text_weight_default(size_t i);

/* Expressions over a row f of document_flags. */
typedef struct twx_ranking {
    const char *filter;
    const char *const *parts;
    size_t n_parts; /* at most TWX_SEARCH_PARTS */
    double weight[TWX_TEXT_WEIGHTS];
} twx_ranking;

typedef struct twx_search {
    twx_slice query; /* an expression of FTS5 */
    char generation; /* the published generation of flags */
    bool direct;     /* document numbers are the ids */
    const twx_ranking *ranking;
    uint64_t limit;
} twx_search;

typedef struct twx_hit {
    int64_t doc;
    bool has_cluster;
    int64_t cluster; /* number of its representative */
    bool takes_part;
    double score, text_score;
    const double *parts;
} twx_hit;

typedef twx_rc twx_hit_fn(void *arg, const twx_hit *hit);
/* Hits, best first; of those of equal score, representatives come first, then lower ids. Errors
 * TWX_E_DATA: "fts5: ...", the error in the query. */
TWX_CHECK twx_rc twx_text_search(twx_db *db, const twx_search *search, twx_hit_fn *fn, void *arg);

/* The same, hit by hit. Memory: embedded struct; hit.parts is valid until the next call. */
typedef struct twx_hit_cursor {
    twx_db *db;
    struct sqlite3_stmt *stmt;
    bool there; /* hit is one; false after the last */
    twx_hit hit;
    size_t n_parts;
    double parts[TWX_SEARCH_PARTS];
} twx_hit_cursor;

/* Moves to the first hit. The cursor must not move afterwards. */
TWX_CHECK twx_rc twx_hit_cursor_open(twx_db *db, const twx_search *search,
                                     twx_hit_cursor *ret_cursor);
TWX_CHECK twx_rc twx_hit_cursor_next(twx_hit_cursor *c);
void twx_hit_cursor_close(twx_hit_cursor *c);

/* Calls fn for each document that a filter leaves out. */
typedef twx_rc twx_hidden_fn(void *arg, int64_t doc, bool takes_part);
TWX_CHECK twx_rc twx_search_hidden(twx_db *db, const twx_search *search, twx_hidden_fn *fn,
                                   void *arg);

/* A statement for display: all documents in the order of rules, without a query. */
TWX_CHECK twx_rc twx_search_statement(twx_ctx *cx, const char *filter, const char *score,
                                      twx_buf *out);

/* Finds where a query matches a text. Memory: owned handle, which holds one document at a time. */
typedef struct twx_snippets twx_snippets;

TWX_CHECK twx_rc twx_snippets_open(twx_ctx *cx, twx_snippets **ret_snippets);
void twx_snippets_close(twx_snippets *s);

enum { TWX_MARK_BEGIN = '\x02', TWX_MARK_END = '\x03' };

/* *ret_title and *ret_snippet have TWX_MARK_* around the matches and are valid until the next call.
 * TWX_DONE: the query does not match the document (any more). */
typedef struct twx_snippet_of {
    twx_slice query; /* an expression of FTS5 */
    unsigned language;
    twx_slice title, text;
} twx_snippet_of;
TWX_CHECK twx_rc twx_snippets_make(twx_snippets *s, const twx_snippet_of *of, twx_slice *ret_title,
                                   twx_slice *ret_snippet);

#endif
