/* store/batch_plan.h: what the plan of a statement that reads one batch says about reading them
 * all.
 * [R1] A plan repeats work for each batch when it sorts, makes an automatic index, or evaluates a
 * subquery or view as a whole: the rows of the store are then read anew for each batch, and the
 * cost of a scan grows with the square of the rows. Steps of a correlated subquery run once a row
 * and do not count. */
#ifndef TWX_STORE_BATCH_PLAN_H
#define TWX_STORE_BATCH_PLAN_H

#include <sqlite3.h>

#include "store/db.h"

TWX_CHECK twx_rc twx_plan_repeats_work(twx_db *db, sqlite3_stmt *batch, bool *ret_repeats);

#endif
