#include "run/obstacles.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/map64.h"
#include "base/plural.h"
#include "base/print.h"
#include "run/document_reader.h"
#include "run/lock.h"
#include "store/migrate.h"

enum {
    ROW_BYTES = 160,
    WAL_SHARE = 3, /* a row is written to the WAL and to the file, and pages are split */
    SIGNATURE_BYTES = 1024
};

typedef struct looking {
    const twx_job *job;
    twx_obstacle_fn *fn;
    void *arg;
} looking;

static twx_rc found(const looking *l, const char *fmt, ...) TWX_PRINTF(2, 3);

static twx_rc found(const looking *l, const char *fmt, ...) {
    char text[TWX_MESSAGE_MAX];
    va_list args;
    va_start(args, fmt);
    twx_vprint(text, sizeof text, fmt, args);
    va_end(args);
    return l->fn(l->arg, text);
}

/* Turns an error with which a run would fail into an obstacle. */
static twx_rc as_obstacle(const looking *l, twx_rc rc) {
    twx_ctx *cx = l->job->cx;
    if (rc == TWX_OK || rc == TWX_E_NOMEM || rc == TWX_E_INTERRUPTED || rc == TWX_E_TERMINATED)
        return rc;
    char text[TWX_MESSAGE_MAX];
    snprintf(text, sizeof text, "%s", cx->message);
    twx_ctx_clear(cx);
    return l->fn(l->arg, text);
}

/* ---- space -------------------------------------------------------------- */

/* The directory of an absolute path; owned by the caller. */
static char *folder_of(twx_ctx *cx, const char *path) {
    const char *slash = strrchr(path, '/');
    return twx_strndup(cx, path, slash == path ? 1 : (size_t)(slash - path));
}

twx_rc twx_check_space(const twx_job *job, uint64_t documents, uint64_t more) {
    struct statvfs fs;
    const uint64_t need = documents * ROW_BYTES * WAL_SHARE + more;
    char *path = twx_db_resolve(job->cx, twx_own_path(job));
    char *folder = path ? folder_of(job->cx, path) : NULL;
    if (!folder) {
        twx_free(path);
        return job->cx->rc;
    }
    const bool known = statvfs(folder, &fs) == 0;
    twx_free(folder);
    twx_free(path);
    if (!known || (uint64_t)fs.f_bavail * fs.f_frsize >= need) return TWX_OK;
    return twx_fail(job->cx, TWX_E_FULL,
                    "%s: the flags of %" PRIu64 " %s about %" PRIu64
                    " MiB of free space, but only %" PRIu64 " are available",
                    twx_own_path(job), documents,
                    twx_plural(documents, "document need", "documents need"), need >> 20,
                    ((uint64_t)fs.f_bavail * fs.f_frsize) >> 20);
}

/* ---- files -------------------------------------------------------------- */

static bool may(const char *path, int mode) {
    return faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0;
}

static twx_rc look_at_folder(const looking *l, const char *folder) {
    struct stat st;
    if (may(folder, W_OK | X_OK)) return TWX_OK;
    const int error = errno;
    if (stat(folder, &st) != 0) return found(l, "folder %s: %s", folder, strerror(errno));
    return found(l,
                 "folder %s is not writable for user %ld (%s, it belongs to user %ld): a run "
                 "creates its lock file there, and SQLite its journal or -wal and -shm",
                 folder, (long)geteuid(), strerror(error), (long)st.st_uid);
}

static twx_rc look_at_file(const looking *l, const char *path) {
    struct stat st;
    /* opening the store reports the error; --flags creates its file */
    if (stat(path, &st) != 0) return TWX_OK;
    if (!may(path, R_OK))
        return found(l, "%s cannot be read by user %ld: %s", path, (long)geteuid(),
                     strerror(errno));
    if (may(path, W_OK)) return TWX_OK;
    return found(l,
                 "%s is not writable for user %ld (%s, it belongs to user %ld): run as that user, "
                 "or use --flags FILE",
                 path, (long)geteuid(), strerror(errno), (long)st.st_uid);
}

twx_rc twx_file_obstacles(const twx_job *job, twx_obstacle_fn *fn, void *arg) {
    const looking l = {job, fn, arg};
    char *path = twx_db_resolve(job->cx, twx_own_path(job));
    char *folder = path ? folder_of(job->cx, path) : NULL;
    twx_rc rc = folder ? TWX_OK : as_obstacle(&l, job->cx->rc);
    if (rc == TWX_OK && folder) rc = look_at_file(&l, path);
    if (rc == TWX_OK && folder) rc = look_at_folder(&l, folder);
    if (rc == TWX_OK && folder) rc = as_obstacle(&l, twx_lock_try(job->cx, twx_own_path(job)));
    twx_free(path);
    twx_free(folder);
    return rc;
}

/* ---- contents of the store ---------------------------------------------- */

twx_rc twx_check_names(const twx_job *job, twx_db *db, const twx_state *state) {
    bool views = false;
    twx_rc rc = twx_names_check(db);
    if (rc == TWX_OK && !state->generation) rc = twx_db_has(db, "document_flags", &views);
    if (rc == TWX_OK && views)
        rc = twx_fail(job->cx, TWX_E_CORRUPT,
                      "%s: twindex_state.generation is NULL although flags are published: another "
                      "program has changed it. Set it to the generation that the view "
                      "document_flags reads ('a' or 'b'), or drop that view and run again",
                      twx_own_path(job));
    return rc;
}

typedef struct id_check {
    twx_ctx *cx;
    twx_map64 seen; /* maps the hash of an id to 1 */
    uint64_t documents, repeated, missing;
    twx_buf first; /* the first id that repeats */
} id_check;

static twx_rc take_id(void *arg, const twx_source_row *row, bool *ret_wait) {
    id_check *c = arg;
    const twx_value *id = &row->value[TWX_COL_ID];
    uint64_t count = ++c->documents;
    (void)ret_wait;
    if (id->type == TWX_NULL) {
        c->missing++;
        return TWX_OK;
    }
    twx_rc rc = twx_map64_add(c->cx, &c->seen, twx_value_hash(id, 0), count, &count);
    if (rc != TWX_OK || count == c->documents) return rc;
    return c->repeated++ == 0 ? twx_value_print(c->cx, &c->first, id) : TWX_OK;
}

static twx_rc look_at_ids(const looking *l, twx_opened *o, uint64_t *ret_documents) {
    id_check c = {.cx = l->job->cx};
    twx_document_reader reader = {.job = l->job,
                                  .source = o->source,
                                  .stage = "check the ids",
                                  .too_long = "its id is not checked",
                                  .want = TWX_WANT_IDENTITY,
                                  .take = take_id,
                                  .arg = &c};
    twx_map64_init(&c.seen, 0);
    twx_buf_init(&c.first, 1 << 20);
    twx_rc rc = as_obstacle(l, twx_document_reader_scan(&reader));
    if (rc == TWX_OK && c.repeated)
        rc = found(l,
                   "store.id does not tell documents apart: %" PRIu64
                   " %s an id of another row, the first is %s",
                   c.repeated, twx_plural(c.repeated, "row repeats", "rows repeat"), c.first.p);
    if (rc == TWX_OK && c.missing && c.missing == c.documents)
        rc = found(l, "store.id is NULL in all %" PRIu64 " rows: no document would get flags",
                   c.missing);
    *ret_documents = c.documents;
    twx_map64_done(&c.seen);
    twx_buf_done(&c.first);
    return rc;
}

twx_rc twx_store_obstacles(const twx_job *job, twx_opened *o, twx_obstacle_fn *fn, void *arg) {
    const looking l = {job, fn, arg};
    twx_state state = {0};
    uint64_t documents = 0, signed_now = 0;
    twx_rc rc = twx_source_check_room(o->source);
    if (rc != TWX_OK) return as_obstacle(&l, rc); /* nothing more can be read */
    if (twx_source_is_direct(o->source))          /* SQLite guarantees that these ids are unique */
        rc = as_obstacle(&l, twx_source_estimate(o->source, &documents));
    else
        rc = look_at_ids(&l, o, &documents);
    if (rc == TWX_OK && o->generations)
        rc = as_obstacle(&l, twx_state_read(o->generations, &state));
    if (rc == TWX_OK && o->signatures)
        rc = as_obstacle(&l, twx_signatures_count(o->signatures, &signed_now));
    if (rc == TWX_OK && o->writer) rc = as_obstacle(&l, twx_check_names(job, o->writer, &state));
    const uint64_t unsigned_yet = documents > signed_now ? documents - signed_now : 0;
    if (rc == TWX_OK)
        rc = as_obstacle(&l, twx_check_space(job, documents, unsigned_yet * SIGNATURE_BYTES * 2));
    return rc;
}
