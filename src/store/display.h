/* store/display.h: queries for display: one statement of sql/query/display/ and its rows.
 * Memory: a row's values are borrowed for the callback. */
#ifndef TWX_STORE_DISPLAY_H
#define TWX_STORE_DISPLAY_H

#include "base/value.h"
#include "store/db.h"

/* Shape  columns[0..n). TWX_DONE ends the rows early without being an error. */
typedef twx_rc twx_display_fn(void *arg, const twx_value *columns, size_t n);

typedef struct twx_display_query {
    const char *sql;
    const twx_value *values; /* of ?1, ?2, ... */
    size_t n_values;
} twx_display_query;

TWX_CHECK twx_rc twx_display(twx_db *db, const twx_display_query *question, twx_display_fn *fn,
                             void *arg);

/* The same, row by row. Memory: embedded struct; a row is valid until the next call. */
enum { TWX_DISPLAY_COLUMNS = 16 };
typedef struct twx_display_cursor {
    twx_db *db;
    struct sqlite3_stmt *stmt;
    twx_value columns[TWX_DISPLAY_COLUMNS];
} twx_display_cursor;

TWX_CHECK twx_rc twx_display_open(twx_db *db, const twx_display_query *question,
                                  twx_display_cursor *ret_cursor);
/* *ret_columns: NULL after the last row. */
TWX_CHECK twx_rc twx_display_next(twx_display_cursor *c, const twx_value **ret_columns,
                                  size_t *ret_n);
void twx_display_close(twx_display_cursor *c);

/* The statements, so that callers need no SQL. */
/* in: ?1 detector, ?2 name of the store. out: representative, documents, document, store of the
 * representative; largest groups first */
const char *twx_display_groups(void);
extern const int twx_display_groups_order[]; /* as of run/store_set.h */
/* in: ?1 detector, ?2 representative, ?3 limit, ?4 its store, ?5 this store. out: document */
const char *twx_display_members(void);
/* out: detector, groups, copies, largest */
const char *twx_display_totals(void);
/* out: documents, clusters */
const char *twx_display_sizes(void);
/* out: percent, documents */
const char *twx_display_similarities(void);
/* in: ?1 limit. out: representative, documents; of the largest clusters */
const char *twx_display_largest(void);
/* in: ?1 representative of a cluster, ?2 its store, ?3 its signature, ?4 this store. out: a member
 * with another text */
const char *twx_display_differing(void);
/* in: ?1 id. out: the signature of its text */
const char *twx_display_signature(void);
/* in: ?1 least number. out: signature, documents, first, last; of titles, by signature */
const char *twx_display_titles(void);
/* in: ?1 generation. out: shard, documents; of a store that has been in a run with others */
const char *twx_display_shards(void);
/* in: ?1 limit. out: run, started_at, ended_at, state, generation, version, summary, message */
const char *twx_display_runs(void);

#endif
