#include "job/fill.h"

#include <inttypes.h>

#include "ingest/import.h"
#include "job/lock.h"
#include "job/open_store.h"
#include "store/documents.h"
#include "store/migrate.h"

twx_rc twx_fill_init(const twx_job *job) {
    twx_db *db = NULL;
    const twx_db_options options = {.mode = TWX_DB_OWNER, .create = true, .busy_ms = job->settings->run_busy_ms};
    twx_rc rc = twx_db_open(job->cx, job->store, &options, &db);
    if (rc == TWX_OK) rc = twx_make_documents(db);
    twx_db_close(db);
    return rc;
}
