/* store/guess_columns.h: private to store/: which columns of a sampled table are URL and text, and
 * what its rows are: documents, versions of documents, or parts of their texts. */
#ifndef TWX_STORE_GUESS_COLUMNS_H
#define TWX_STORE_GUESS_COLUMNS_H

#include "store/table_sample.h"

enum { TWX_NO_COLUMN = -1 };

/* A table (borrowed), and the places of its columns that matter. */
typedef struct twx_candidate {
    const twx_sampled_table *t;
    int url, text, host, path; /* TWX_NO_COLUMN: it has no such column */
} twx_candidate;

twx_candidate twx_candidate_of(const twx_sampled_table *t);
const twx_sampled_column *twx_candidate_column(const twx_candidate *c, int place);
bool twx_has_url(const twx_candidate *c); /* or a host and a path */
/* Is the name one of the usual ones of a TWX_COL_*? */
bool twx_is_usual(size_t column, const twx_sampled_column *c);
bool twx_is_packed_html(const twx_sampled_column *c);

typedef struct twx_repeats {
    bool repeated; /* the value is in several rows */
    int position;  /* then, the column that numbers them as parts of a text; TWX_NO_COLUMN: none */
} twx_repeats;

/* value: an expression over the table. */
TWX_CHECK twx_rc twx_look_for_repeats(twx_db *db, const twx_sampled_table *t, const char *value,
                                      twx_repeats *ret);
/* The date by which the latest row is found, and the key of a row; NULL: there is none. Borrowed.
 * */
const char *twx_date_column(const twx_sampled_table *t);
const char *twx_row_key(const twx_sampled_table *t);

#endif
