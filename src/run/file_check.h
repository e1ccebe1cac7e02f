/* run/file_check.h: checks a file before Twindex writes to it.
 *
 * In a damaged file, a page that belongs to a table can also be in the list of free pages. SQLite
 * would use it for the next row that is written and so overwrite rows of the user. */
#ifndef TWX_RUN_FILE_CHECK_H
#define TWX_RUN_FILE_CHECK_H

#include "run/job.h"
#include "store/db.h"

/* Runs SQLite's quick_check, unless the setting run.check is `no`. Errors TWX_E_CORRUPT. */
TWX_CHECK twx_rc twx_file_check(const twx_job *job, twx_db *db);

#endif
