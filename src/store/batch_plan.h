/* store/batch_plan.h: finds out from the query plan of a statement that is repeated whether it
 * reads the store more than once.
 * [R1] A plan repeats work for each batch if it sorts, builds an automatic index, or materializes a
 * subquery or view: each batch then reads the rows of the store again, and a scan costs quadratic
 * time. Steps of a correlated subquery run once per row and do not count. */
#ifndef TWX_STORE_BATCH_PLAN_H
#define TWX_STORE_BATCH_PLAN_H

#include <sqlite3.h>

#include "store/db.h"

typedef struct twx_plan {
    bool repeats; /* [R1] */
    bool scans;   /* reads a table, not counting correlated subqueries, from its beginning */
} twx_plan;

TWX_CHECK twx_rc twx_plan_of(twx_db *db, sqlite3_stmt *stmt, twx_plan *ret_plan);

#endif
