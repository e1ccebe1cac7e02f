/* store/guess_others.h: private to store/: writes the settings of a suggestion besides table, id,
 * URL and text: columns with the usual names, and what an HTML page says about itself.
 * Memory: everything is borrowed. */
#ifndef TWX_STORE_GUESS_OTHERS_H
#define TWX_STORE_GUESS_OTHERS_H

#include "store/guess_columns.h"

enum { TWX_SIDES = 3, TWX_SIDE_COLUMNS = 200 /* further columns of a table are not looked at */ };

/* A table of the FROM clause. */
typedef struct twx_guess_side {
    const twx_candidate *c;
    const char *alias; /* "", "t.", ... */
    bool used[TWX_SIDE_COLUMNS];
} twx_guess_side;

/* What the other columns are written from. */
typedef struct twx_others {
    twx_guess_side at[TWX_SIDES]; /* the first of two equally good columns counts */
    size_t n;
    const twx_candidate *text; /* the table of the text if its rows are read; NULL: they are not */
    const char *url;           /* expression for the URL of the page */
    const twx_sampled_column *page; /* of HTML, in the table of the text; NULL: none */
    const char *page_alias;
} twx_others;

/* alias: "", or that of the table with its dot. */
TWX_CHECK twx_rc twx_write_column(twx_ctx *cx, twx_buf *out, const twx_sampled_column *c,
                                  const char *alias);
/* Whether the values are pages of HTML, perhaps compressed. */
bool twx_is_page(const twx_sampled_column *c);
/* links: n columns by which the tables are joined; NULL: none. Lists the columns that no setting
 * reads. */
TWX_CHECK twx_rc twx_write_others(twx_ctx *cx, twx_buf *out, twx_others *o,
                                  const char *const *links, size_t n);

#endif
