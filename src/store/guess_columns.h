/* store/guess_columns.h: private to store/: finds the URL and text columns of a sampled table, and
 * whether its rows are documents, versions of documents, or parts of their texts. */
#ifndef TWX_STORE_GUESS_COLUMNS_H
#define TWX_STORE_GUESS_COLUMNS_H

#include "store/table_sample.h"

enum { TWX_NO_COLUMN = -1 };

/* A table (borrowed), and the indexes of the columns that matter. */
typedef struct twx_candidate {
    const twx_sampled_table *t;
    int url, text, host, path; /* TWX_NO_COLUMN: there is no such column */
} twx_candidate;

twx_candidate twx_candidate_of(const twx_sampled_table *t);
const twx_sampled_column *twx_candidate_column(const twx_candidate *c, int place);
bool twx_has_url(const twx_candidate *c); /* or a host and a path */
/* Whether the name is one of the usual names of a TWX_COL_*. */
bool twx_is_usual(size_t column, const twx_sampled_column *c);
bool twx_is_packed_html(const twx_sampled_column *c);

typedef struct twx_repeats {
    bool repeated; /* the value is in several rows */
    /* if repeated: the column that numbers the parts of a text; TWX_NO_COLUMN: none */
    int position;
} twx_repeats;

/* value: an expression over the table. */
TWX_CHECK twx_rc twx_look_for_repeats(twx_db *db, const twx_sampled_table *t, const char *value,
                                      twx_repeats *ret);
/* The date column that determines the latest row, and the key column; NULL if there is none.
 * Borrowed. */
const char *twx_date_column(const twx_sampled_table *t);
const char *twx_row_key(const twx_sampled_table *t);

#endif
