/* store/batch_plan.h: finds out from the query plan of a batch statement whether reading all
 * batches reads the store more than once.
 * [R1] A plan repeats work for each batch if it sorts, builds an automatic index, or materializes a
 * subquery or view: each batch then reads the rows of the store again, and a scan costs quadratic
 * time. Steps of a correlated subquery run once per row and do not count. */
#ifndef TWX_STORE_BATCH_PLAN_H
#define TWX_STORE_BATCH_PLAN_H

#include <sqlite3.h>

#include "store/db.h"

TWX_CHECK twx_rc twx_plan_repeats_work(twx_db *db, sqlite3_stmt *batch, bool *ret_repeats);

#endif
