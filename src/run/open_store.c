#include "run/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* ==== check_file */

twx_rc twx_check_file(const twx_job *job, twx_db *db) {
    twx_buf faults = {.max = 1 << 16}, skipped;
    if (job->settings->run_check == TWX_CHECKED_NEVER) return TWX_OK;
    twx_buf_init(&skipped, 1 << 16);
    twx_job_progress(job, "check the file", "", 0, 0);
    twx_rc rc = twx_db_quick_check(db, &faults, &skipped);
    for (size_t i = 0; i < faults.n; i++)
        if (faults.p[i] == '\n') faults.p[i] = ' ';
    if (rc == TWX_OK && faults.n)
        rc = twx_fail(job->cx, TWX_E_CORRUPT, "%s: the file is corrupt: %.300s", twx_db_path(db),
                      faults.p);
    if (rc == TWX_OK && skipped.n)
        twx_job_message(job, TWINDEX_NOTE, "%s: not checked: %.500s", twx_db_path(db), skipped.p);
    twx_buf_done(&faults);
    twx_buf_done(&skipped);
    return rc;
}

/* ==== check_mapping */

static twx_rc accept_mapping(const twx_job *job, const twx_mapping *m) {
    if (!m->chosen) return TWX_OK;
    const bool accepted = job->settings->store_accept_mapping;
    char text[TWX_MESSAGE_MAX];
    twx_print(text, sizeof text, "%s: %s", job->store, twx_buf_slice(&m->note).p);
    /* not by twx_job_message(), which makes one line */
    if (job->message)
        job->message(job->message_arg, m->doubtful && !accepted ? TWINDEX_WARNING : TWINDEX_NOTE,
                     text);
    if (!m->doubtful || accepted) return TWX_OK;
    return twx_fail(job->cx, TWX_E_CONFIG,
                    "%s: more than one mapping fits: use --accept-mapping, or name it in [store] "
                    "of a configuration file",
                    job->store);
}

static twx_rc warn_of_content(void *arg, const char *warning) {
    const twx_job *const *job = arg;
    twx_job_message(*job, TWINDEX_WARNING, "%s: %s", (*job)->store, warning);
    return TWX_OK;
}

/* A mapping of another program's store can be valid and still not be what the user intended. */
twx_rc twx_check_mapping(const twx_job *job, twx_opened *o) {
    twx_content_sample look;
    twx_rc rc = accept_mapping(job, &o->mapping);
    if (rc != TWX_OK || o->mapping.own) return rc;
    rc = twx_content_sample_read(o, &look);
    return rc == TWX_OK ? twx_content_warnings(&look, &o->mapping, warn_of_content, &job) : rc;
}

bool twx_is_check_due(const twx_job *job, const twx_lock *held, bool asked) {
    const twx_when_checked when = job->settings->run_check;
    if (when != TWX_CHECKED_AUTO) return when == TWX_CHECKED_ALWAYS;
    return asked || !held || twx_is_separate(job) || !twx_lock_is_checked(held);
}

/* ==== obstacles */

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

static twx_rc TWX_PRINTF(2, 3) found(const looking *l, const char *fmt, ...) {
    char text[TWX_MESSAGE_MAX];
    TWX_PRINT_ARGUMENTS(text, fmt);
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
    id_check c = {.cx = l->job->cx, .first = {.max = 1 << 20}};
    twx_document_reader reader = {.job = l->job,
                                  .source = o->source,
                                  .stage = "check the ids",
                                  .too_long = "its id is not checked",
                                  .want = TWX_WANT_IDENTITY,
                                  .take = take_id,
                                  .arg = &c};
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

/* ==== open_store */

bool twx_is_separate(const twx_job *job) {
    return job->settings->flags_file && job->settings->flags_file[0];
}

const char *twx_joined_select(const twx_job *job, const twx_opened *o) {
    if (twx_is_separate(job) || !o->source) return NULL;
    const bool wanted = o->mapping.own || job->settings->store_joined_view;
    return wanted ? twx_source_select(o->source) : NULL;
}

const char *twx_own_path(const twx_job *job) {
    return twx_is_separate(job) ? job->settings->flags_file : job->store;
}

twx_rc twx_name_damaged(twx_ctx *cx, const twx_job *job, twx_rc rc) {
    char fault[TWX_MESSAGE_MAX];
    if (rc != TWX_E_CORRUPT ||
        !twx_slice_starts(twx_slice_of(cx->message), TWX_SLICE_LIT(TWX_DAMAGED_ROW)))
        return rc;
    snprintf(fault, sizeof fault, "%s", cx->message);
    twx_ctx_clear(cx);
    return twx_fail(cx, rc, "%.300s: %.500s: 'twindex run --full' writes it again",
                    twx_own_path(job), fault);
}

static twx_rc copy(twx_ctx *cx, const char *text, char **ret_copy) {
    *ret_copy = text && text[0] ? twx_strdup(cx, text) : NULL;
    return *ret_copy || !text || !text[0] ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_mapping_of(const twx_job *job, twx_mapping *m) {
    const twx_settings *s = job->settings;
    m->allow_view = s->store_allow_view;
    m->allow_rowid = s->store_allow_rowid;
    twx_rc rc = copy(job->cx, s->store_from, &m->from);
    if (rc == TWX_OK) rc = copy(job->cx, s->store_where, &m->where);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COLUMNS; i++)
        rc = copy(job->cx, s->store_map[i], &m->map[i]);
    return rc;
}

static twx_rc open_source(const twx_job *job, twx_opened *o) {
    twx_rc rc = twx_mapping_of(job, &o->mapping);
    if (rc == TWX_OK) rc = twx_mapping_detect(o->reader, &o->mapping);
    if (rc != TWX_OK) return rc;
    /* the content area costs time to make, and only near-duplicate methods read it */
    if (job->settings->near_text != TWX_SIGNED_MAIN && !twx_host_texts_of(job->settings).main) {
        twx_free(o->mapping.map[TWX_COL_MAIN]);
        o->mapping.map[TWX_COL_MAIN] = NULL;
    }
    return twx_source_open(o->reader, &o->mapping, &o->source);
}

/* Checks that the file of --flags is not the store under another name. */
static twx_rc check_separate(const twx_job *job) {
    struct stat store, flags;
    if (!twx_is_separate(job) || stat(job->store, &store) != 0 ||
        stat(twx_own_path(job), &flags) != 0)
        return TWX_OK;
    if (store.st_dev != flags.st_dev || store.st_ino != flags.st_ino) return TWX_OK;
    return twx_fail(job->cx, TWX_E_CONFIG,
                    "--flags %s is the store itself: name another file, or leave --flags out",
                    twx_own_path(job));
}

/* Refuses a file of --flags that has tables of its own: it is another store, whose flags would be
 * lost, or a database of another program. */
static twx_rc check_flags_file(const twx_job *job, twx_db *db) {
    bool foreign = false;
    if (!twx_is_separate(job)) return TWX_OK;
    twx_rc rc = twx_has_foreign_tables(db, &foreign);
    if (rc == TWX_OK && foreign)
        rc = twx_fail(job->cx, TWX_E_DATA,
                      "--flags %s has tables of its own, so it is another store or the database of "
                      "another program: nothing was changed; name a new file, or one that --flags "
                      "has made",
                      twx_own_path(job));
    return rc;
}

static twx_rc open_tables(const twx_job *job, unsigned needs, twx_opened *o) {
    int64_t version = 0;
    bool queue = false;
    twx_rc rc = o->trial ? TWX_OK : check_flags_file(job, o->writer);
    if (rc == TWX_OK) rc = twx_tables_check(o->writer);
    if (rc == TWX_OK && needs & (TWX_NEED_TABLES | TWX_NEED_TRIAL))
        rc = twx_migrate(o->writer, &TWX_SCHEMA);
    if (rc == TWX_OK) rc = twx_schema_check(o->writer, &TWX_SCHEMA, &version);
    if (rc == TWX_OK && version == 0 && needs & TWX_NEED_RESULTS)
        rc = twx_fail(job->cx, TWX_E_DATA,
                      "%s: no run has published flags yet: run 'twindex run' first",
                      twx_own_path(job));
    if (rc == TWX_OK) rc = twx_db_has(o->reader, "twindex_change", &queue);
    /* removing queue entries writes to the store, which a trial and --flags only read */
    if (queue) o->changes = o->trial || twx_is_separate(job) ? o->reader : o->writer;
    if (rc != TWX_OK || version == 0) return rc;
    rc = twx_signatures_open(o->writer, &o->signatures);
    if (rc == TWX_OK)
        rc = twx_signatures_open(o->trial || twx_is_separate(job) ? o->writer : o->reader,
                                 &o->lookup);
    if (rc == TWX_OK) rc = twx_generations_open(o->writer, &o->generations);
    const bool reads = !(needs & (TWX_NEED_TABLES | TWX_NEED_TRIAL));
    if (rc == TWX_OK && reads) rc = twx_generation_view(o->generations);
    return rc;
}

/* Names the scratch file of a dry run, in a folder of its own: where others may write, they could
 * make its journal before SQLite does. */
static twx_rc make_scratch(const twx_job *job, twx_opened *o) {
    const char *tmp = getenv("TMPDIR");
    o->scratch = twx_sprintf(job->cx, "%s/twindex-dry-run-XXXXXX/store", tmp ? tmp : "/tmp");
    if (!o->scratch) return TWX_E_NOMEM;
    char *end = strrchr(o->scratch, '/');
    *end = '\0';
    if (mkdtemp(o->scratch)) {
        *end = '/';
        return TWX_OK;
    }
    twx_rc rc = twx_fail(job->cx, TWX_E_CREATE, "scratch file %s: %s (set TMPDIR)", o->scratch,
                         strerror(errno));
    twx_free(o->scratch);
    o->scratch = NULL;
    return rc;
}

/* Copies the signatures of the store into the trial, so that it signs no more than a run would. */
static twx_rc seed_trial(const twx_job *job, const twx_db_options *reading, twx_opened *o) {
    twx_signatures *stored = NULL;
    twx_state state;
    int64_t version = 0;
    twx_rc rc = twx_is_separate(job) && access(twx_own_path(job), F_OK) != 0
                    ? TWX_DONE
                    : twx_db_open(job->cx, twx_own_path(job), reading, &o->published_db);
    if (rc == TWX_DONE) return TWX_OK;
    if (rc == TWX_OK) rc = check_flags_file(job, o->published_db);
    if (rc == TWX_OK) rc = twx_tables_check(o->published_db);
    if (rc == TWX_OK) rc = twx_schema_check(o->published_db, &TWX_SCHEMA, &version);
    if (rc != TWX_OK || version == 0) return rc;
    rc = twx_signatures_open(o->published_db, &stored);
    if (rc == TWX_OK) rc = twx_generations_open(o->published_db, &o->published);
    if (rc == TWX_OK) rc = twx_signatures_copy(stored, o->signatures);
    if (rc == TWX_OK) rc = twx_state_read(o->published, &state);
    if (rc == TWX_OK && state.has_fingerprint)
        rc = twx_state_signed(o->generations, &state.fingerprint);
    twx_signatures_close(stored);
    return rc;
}

static twx_db_options for_reading(const twx_settings *s) {
    return (twx_db_options){
        .mode = TWX_DB_READER, .busy_ms = s->run_busy_ms, .row_bytes = s->run_row_bytes};
}

twx_rc twx_open_source_again(twx_ctx *cx, const twx_job *job, const twx_opened *o, twx_db **ret_db,
                             twx_source **ret_source) {
    const twx_db_options reading = for_reading(job->settings);
    twx_db *db = NULL;
    twx_rc rc = twx_db_open(cx, job->store, &reading, &db);
    if (rc == TWX_OK) rc = twx_source_open(db, &o->mapping, ret_source);
    TWX_HAND_OVER(rc, ret_db, db, twx_db_close(db));
    return rc;
}

twx_rc twx_open_store(const twx_job *job, unsigned needs, twx_opened *ret_opened) {
    twx_opened o = {.trial = (needs & TWX_NEED_TRIAL) != 0};
    const twx_settings *s = job->settings;
    bool writes = (needs & (TWX_NEED_TABLES | TWX_NEED_TRIAL)) != 0;
    const twx_db_options reading = for_reading(s);
    const twx_db_options own = {.mode = writes ? TWX_DB_WRITER : TWX_DB_READER,
                                .create = writes && (twx_is_separate(job) || o.trial),
                                .busy_ms = s->run_busy_ms,
                                /* no other process writes to the scratch file of a dry run */
                                .pause_ms = o.trial ? 0 : s->run_pause_ms};
    twx_rc rc = check_separate(job);
    if (rc == TWX_OK) rc = twx_db_open(job->cx, job->store, &reading, &o.reader);
    if (rc == TWX_OK && needs & TWX_NEED_SOURCE) rc = open_source(job, &o);
    if (rc == TWX_OK && o.trial) rc = make_scratch(job, &o);
    if (rc == TWX_OK && needs & ~(unsigned)TWX_NEED_SOURCE)
        rc = twx_db_open(job->cx, o.trial ? o.scratch : twx_own_path(job), &own, &o.writer);
    if (rc == TWX_OK && needs & TWX_NEED_SOUND)
        rc = twx_check_file(job, twx_is_separate(job) ? o.writer : o.reader);
    if (rc == TWX_OK && o.writer) rc = open_tables(job, needs, &o);
    if (rc == TWX_OK && o.trial) rc = seed_trial(job, &reading, &o);
    TWX_HAND_OVER(rc, ret_opened, o, twx_opened_done(&o));
    return rc;
}

twx_rc twx_result_kept(const twx_job *job, const twx_opened *o, const twx_state *before) {
    const bool second = before->generation == 'b';
    twx_state now;
    if (!before->generation) return TWX_OK;
    twx_rc rc = twx_state_read(o->generations, &now);
    if (rc != TWX_OK || now.run[second] == before->run[second]) return rc;
    return twx_fail(job->cx, TWX_E_BUSY,
                    "%s: two runs published their results while these were read; try again",
                    twx_own_path(job));
}

static void remove_scratch(const char *path) {
    static const char *const TAILS[] = {"", "-wal", "-shm", "-journal"};
    char name[4096];
    for (size_t i = 0; i < TWX_COUNTOF(TAILS); i++)
        if (snprintf(name, sizeof name, "%s%s", path, TAILS[i]) < (int)sizeof name) unlink(name);
    if (snprintf(name, sizeof name, "%.*s", (int)(strrchr(path, '/') - path), path) <
        (int)sizeof name)
        rmdir(name);
}

void twx_opened_done(twx_opened *o) {
    if (!o) return;
    /* The writer is closed last: if no other process has the store open, SQLite then copies the WAL
     * into the file and removes it. If a reader is closed last, the WAL remains. */
    twx_generations_close(o->published);
    twx_db_close(o->published_db);
    twx_source_close(o->source);
    twx_mapping_done(&o->mapping);
    twx_signatures_close(o->lookup);
    twx_db_close(o->reader);
    twx_generations_close(o->generations);
    twx_signatures_close(o->signatures);
    twx_db_close(o->writer);
    if (o->scratch) remove_scratch(o->scratch);
    twx_free(o->scratch);
    *o = (twx_opened){0};
}

const char *twx_feed_name(twx_feed feed) {
    static const char *const NAMES[] = {"trigger", "column", "scan"};
    return NAMES[feed];
}

twx_rc twx_choose_feed(const twx_job *job, const twx_opened *o, twx_feed *ret_feed,
                       bool *ret_queued) {
    const char *wish = job->settings->store_feed ? job->settings->store_feed : "auto";
    const bool automatic = strcmp(wish, "auto") == 0;
    const bool trigger = o->mapping.own && !twx_is_separate(job),
               column = o->mapping.map[TWX_COL_CHANGED] != NULL,
               queued = trigger && (automatic || strcmp(wish, "trigger") == 0);
    if (strcmp(wish, "trigger") == 0 && !trigger)
        return twx_fail(
            job->cx, TWX_E_CONFIG,
            "store.feed = trigger needs twindex's own documents table and no --flags file");
    if (strcmp(wish, "column") == 0 && !column)
        return twx_fail(
            job->cx, TWX_E_CONFIG,
            "store.feed = column needs store.changed: a column that changes with the row");
    if (queued)
        *ret_feed = twx_source_beyond(o->source) ? TWX_FEED_SCAN : TWX_FEED_TRIGGER;
    else
        *ret_feed = column && (automatic || strcmp(wish, "column") == 0) ? TWX_FEED_COLUMN
                                                                         : TWX_FEED_SCAN;
    if (ret_queued) *ret_queued = queued;
    return TWX_OK;
}

twx_rc twx_init_store(const twx_job *job) {
    twx_db *db = NULL;
    bool adopted = false;
    const twx_db_options options = {
        .mode = TWX_DB_OWNER, .create = true, .busy_ms = job->settings->run_busy_ms};
    twx_rc rc = twx_db_open(job->cx, job->store, &options, &db);
    if (rc == TWX_OK) rc = twx_db_has(db, "documents", &adopted);
    if (rc == TWX_OK) rc = twx_make_documents(db);
    twx_db_close(db);
    if (rc == TWX_OK && adopted)
        twx_job_message(job, TWINDEX_NOTE,
                        "%s: its table documents is kept, and records changes again", job->store);
    return rc;
}

/* ==== content_sample */

enum { TEXTS_LEAST = 2 /* fewer are not significant */, HTTP_OK = 200 };

static bool is_ok(const twx_value *v) {
    int64_t status = v->i;
    if (v->type == TWX_NULL) return true;
    if (v->type == TWX_REAL) return v->r >= HTTP_OK && v->r < HTTP_OK + 1;
    if (v->type != TWX_INT && !twx_http_status(twx_bytes_of(v), &status)) return false;
    return status == HTTP_OK;
}

static twx_rc look_at_row(void *arg, const twx_source_row *row, bool *ret_enough) {
    twx_content_sample *sample = arg;
    (void)ret_enough;
    sample->rows++;
    for (size_t i = 0; i < TWX_COLUMNS; i++) {
        const twx_value *v = &row->value[i];
        sample->filled[i] += v->type == TWX_INT || v->type == TWX_REAL || twx_bytes_of(v).n > 0;
    }
    twx_slice text = twx_bytes_of(&row->value[TWX_COL_TEXT]);
    twx_content content = twx_looks_like(text);
    sample->text[content]++;
    if (content == TWX_CONTENT_HEX) sample->hex_digits = text.n;
    sample->url_absolute += twx_looks_like(twx_bytes_of(&row->value[TWX_COL_URL])) ==
                            TWX_CONTENT_URL;
    sample->status_ok += is_ok(&row->value[TWX_COL_HTTP_STATUS]);
    return TWX_OK;
}

twx_rc twx_content_sample_read(twx_opened *o, twx_content_sample *ret_sample) {
    twx_source_cursor cursor = {0};
    const twx_source_batch batch = {.want = TWX_WANT_WHOLE,
                                    .limit = TWX_LOOK_ROWS,
                                    .fn = look_at_row,
                                    .arg = ret_sample,
                                    .sample = true};
    *ret_sample = (twx_content_sample){0};
    twx_rc rc = twx_source_read(o->source, &cursor, &batch);
    twx_source_cursor_done(&cursor);
    if (rc == TWX_E_LIMIT) twx_ctx_clear(twx_source_ctx(o->source));
    return rc == TWX_DONE || rc == TWX_E_LIMIT ? TWX_OK : rc;
}

static const struct {
    twx_content content;
    const char *warning;
} OF_TEXT[] = {
    {TWX_CONTENT_HTML, "text looks like HTML: map html_text() of it"},
    {TWX_CONTENT_JSON, "text looks like JSON: map the path in it that is the text"},
    {TWX_CONTENT_PACKED,
     "text looks like packed bytes: map inflate() of it, or html_text(inflate()) of a page"},
    {TWX_CONTENT_BINARY, "text looks like binary data"},
    {TWX_CONTENT_URL, "text looks like URLs"},
};

twx_rc twx_content_warnings(const twx_content_sample *sample, const twx_mapping *m,
                            twx_content_warning_fn *fn, void *arg) {
    const uint64_t texts = sample->filled[TWX_COL_TEXT];
    char digits[96];
    twx_rc rc = TWX_OK;
    if (sample->rows < TEXTS_LEAST) return TWX_OK;
    if (texts == 0) rc = fn(arg, "text is empty in every row that was looked at");
    for (size_t i = 0; rc == TWX_OK && texts >= TEXTS_LEAST && i < TWX_COUNTOF(OF_TEXT); i++)
        if (sample->text[OF_TEXT[i].content] * 2 > texts) rc = fn(arg, OF_TEXT[i].warning);
    snprintf(digits, sizeof digits,
             "text is %" PRIu64 " hex digits: a digest or the name of a file, not a text",
             sample->hex_digits);
    if (rc == TWX_OK && texts >= TEXTS_LEAST && sample->text[TWX_CONTENT_HEX] * 2 > texts)
        rc = fn(arg, digits);
    if (rc == TWX_OK && sample->url_absolute == 0)
        rc = fn(arg, "url is never an absolute http or https URL");
    if (rc == TWX_OK && m->map[TWX_COL_HTTP_STATUS] && sample->status_ok == 0)
        rc = fn(arg, "status is never 200: no document would take part");
    return rc;
}
