/* cluster/listed_rows.h: the documents of all nodes in one order (listed in sql/cluster/work.sql):
 * a merge of what the nodes send, some thousand rows at a time.
 * Memory: embedded struct; twx_listed_rows_close(). */
#ifndef TWX_CLUSTER_LISTED_ROWS_H
#define TWX_CLUSTER_LISTED_ROWS_H

#include "cluster/judging.h"
#include "cluster/row_binary.h"
#include "cluster/uid.h"

typedef enum twx_listed_order { TWX_LISTED_BY_ID, TWX_LISTED_BY_RANK } twx_listed_order;

/* facts and record: of TWX_LISTED_BY_ID; takes_part: of TWX_LISTED_BY_RANK. */
typedef struct twx_listed_row {
    twx_uid uid;
    bool takes_part;
    twx_slice facts, record;
} twx_listed_row;

typedef struct twx_listed_rows {
    twx_judging *j; /* borrowed */
    twx_listed_order order;
    struct twx_listed_node *nodes;
    size_t n;
    twx_buf after; /* an expression: the place of the row before */
} twx_listed_rows;

TWX_CHECK twx_rc twx_listed_rows_open(twx_judging *j, twx_listed_order order,
                                      twx_listed_rows *ret_rows);
/* TWX_DONE: there are no more. ret_row: borrowed until the next call. Errors TWX_E_DATA: an answer
 * is cut */
TWX_CHECK twx_rc twx_listed_rows_next(twx_listed_rows *rows, twx_listed_row *ret_row);
void twx_listed_rows_close(twx_listed_rows *rows);

#endif
