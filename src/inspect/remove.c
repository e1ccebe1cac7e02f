#include "inspect/remove.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "run/lock.h"
#include "run/open_store.h"
#include "store/migrate.h"
#include "store/removal.h"

typedef struct removal {
    const twx_job *job;
    twx_db *db;
    twx_removal_summary *summary;
} removal;

static twx_rc note_row(void *arg, const twx_removal_row *row) {
    removal *r = arg;
    twx_removal_summary *s = r->summary;
    return twx_removal_summary_add(r->job->cx, s, row->drop.p ? &s->removed : &s->referring,
                                   row->type, row->name);
}

/* *ret_whole: the file is one of --flags and has nothing else. */
static twx_rc empty_file(removal *r, bool *ret_whole) {
    const twx_settings *s = r->job->settings;
    const twx_db_options options = {.mode = r->summary->dry_run ? TWX_DB_READER : TWX_DB_REMOVER,
                                    .busy_ms = s->run_busy_ms};
    bool foreign = false;
    twx_rc rc = twx_db_open(r->job->cx, twx_own_path(r->job), &options, &r->db);
    if (rc == TWX_OK) rc = twx_removal_list(r->db, note_row, r);
    if (rc == TWX_OK) rc = twx_has_foreign_tables(r->db, &foreign);
    *ret_whole = twx_is_separate(r->job) && !foreign;
    if (rc == TWX_OK && !r->summary->dry_run && r->summary->removed.n) {
        twx_job_progress(r->job, "remove", "objects", 0, r->summary->removed.n);
        rc = twx_removal_apply(r->db);
    }
    twx_db_close(r->db);
    return rc;
}

/* The tables are gone; closing the file has copied its WAL into it. */
static twx_rc remove_file(const twx_job *job) {
    static const char *const TAILS[] = {"", "-wal", "-shm", "-journal"};
    char name[4096];
    char *path = twx_db_resolve(job->cx, twx_own_path(job));
    twx_rc rc = path ? TWX_OK : job->cx->rc;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(TAILS); i++)
        if (snprintf(name, sizeof name, "%s%s", path, TAILS[i]) < (int)sizeof name &&
            unlink(name) != 0 && errno != ENOENT)
            rc = twx_fail(job->cx, TWX_E_IO, "cannot remove %s: %s", name, strerror(errno));
    twx_free(path);
    return rc;
}

twx_rc twx_remove(const twx_job *job, bool dry_run, twx_removal_summary *ret_summary) {
    removal r = {.job = job, .summary = ret_summary};
    twx_lock *lock = NULL;
    bool whole = false;
    ret_summary->path = twx_own_path(job);
    ret_summary->dry_run = dry_run;
    if (access(twx_own_path(job), F_OK) != 0)
        return twx_fail(job->cx, TWX_E_NOSTORE, "%s: %s", twx_own_path(job), strerror(errno));
    twx_rc rc = dry_run ? twx_lock_try(job->cx, twx_own_path(job))
                        : twx_lock_take(job->cx, twx_own_path(job), &lock);
    if (rc != TWX_OK) return rc;
    rc = empty_file(&r, &whole);
    if (rc == TWX_OK && whole && !dry_run) {
        rc = remove_file(job);
        ret_summary->file_removed = rc == TWX_OK;
    }
    if (rc == TWX_OK && !dry_run)
        twx_lock_remove(lock);
    else
        twx_lock_release(lock, rc);
    return rc;
}
