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

/* The statements, so that callers need no SQL. */
/* in: ?1 detector. out: representative, documents, document; largest groups first */
const char *twx_display_groups(void);
/* in: ?1 detector, ?2 representative, ?3 limit. out: document */
const char *twx_display_members(void);
/* out: detector, groups, copies, largest */
const char *twx_display_totals(void);
/* out: documents, clusters */
const char *twx_display_sizes(void);
/* out: percent, documents */
const char *twx_display_similarities(void);
/* in: ?1 limit. out: representative, documents; of the largest clusters */
const char *twx_display_largest(void);
/* in: ?1 representative of a cluster. out: a member with another text */
const char *twx_display_differing(void);
/* in: ?1 limit. out: documents, first, last; of the titles that most documents have */
const char *twx_display_titles(void);
/* in: ?1 limit. out: run, started_at, ended_at, state, generation, version, summary, message */
const char *twx_display_runs(void);

#endif
