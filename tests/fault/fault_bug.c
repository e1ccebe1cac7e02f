#include "fault_bug.h"

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static fault_bug planted;
static void *volatile lost;

void fault_plant(fault_bug bug) {
    planted = bug;
    fault_judge_anew();
}

void fault_bug_after(int *result, char *message) {
    if (*result == TWINDEX_OK || *result == TWINDEX_DOUBT) return;
    if (planted == FAULT_BUG_SUCCESS) *result = TWINDEX_OK;
    if (planted == FAULT_BUG_LEAK) lost = malloc(100);
    if (planted == FAULT_BUG_FILE) (void)!open("/dev/null", O_RDONLY);
    if (planted == FAULT_BUG_CRASH) raise(SIGSEGV);
    if (planted == FAULT_BUG_SILENT) message[0] = '\0';
}

void fault_bug_disk(fault_log *log) {
    log->ignores_sync = planted == FAULT_BUG_SYNC;
    log->ignores_folder = planted == FAULT_BUG_FOLDER;
}

typedef int on_row(void *arg, int n, char **values, char **names);
int __real_sqlite3_exec(sqlite3 *db, const char *sql, on_row *fn, void *arg, char **ret_error);
int __wrap_sqlite3_exec(sqlite3 *db, const char *sql, on_row *fn, void *arg, char **ret_error);

int __wrap_sqlite3_exec(sqlite3 *db, const char *sql, on_row *fn, void *arg, char **ret_error) {
    const bool begin = strcmp(sql, "BEGIN IMMEDIATE") == 0, commit = strcmp(sql, "COMMIT") == 0;
    if (planted == FAULT_BUG_PIECES && (begin || commit)) return SQLITE_OK;
    const int rc = __real_sqlite3_exec(db, sql, fn, arg, ret_error);
    if (planted != FAULT_BUG_COMMIT || !commit || rc == SQLITE_OK) return rc;
    if (!sqlite3_get_autocommit(db)) __real_sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return SQLITE_OK;
}
