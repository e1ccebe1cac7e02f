#include "run/open_store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "run/file_check.h"
#include "run/host_settings.h"
#include "store/migrate.h"

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

/* The content area costs time to make, and is not read unless near-duplicate methods get it. */
static void leave_out_main(const twx_settings *s, twx_mapping *m) {
    if (s->near_text == TWX_SIGNED_MAIN || twx_host_texts_of(s).main) return;
    twx_free(m->map[TWX_COL_MAIN]);
    m->map[TWX_COL_MAIN] = NULL;
}

static twx_rc open_source(const twx_job *job, twx_opened *o) {
    twx_rc rc = twx_mapping_of(job, &o->mapping);
    if (rc == TWX_OK) rc = twx_mapping_detect(o->reader, &o->mapping);
    if (rc != TWX_OK) return rc;
    leave_out_main(job->settings, &o->mapping);
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
    if (rc == TWX_OK && queue)
        rc = twx_changes_open(o->trial || twx_is_separate(job) ? o->reader : o->writer,
                              &o->changes);
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
    if (rc == TWX_OK)
        *ret_db = db;
    else
        twx_db_close(db);
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
                                /* nobody else writes to the scratch file of a dry run */
                                .pause_ms = o.trial ? 0 : s->run_pause_ms};
    twx_rc rc = check_separate(job);
    if (rc == TWX_OK) rc = twx_db_open(job->cx, job->store, &reading, &o.reader);
    if (rc == TWX_OK && needs & TWX_NEED_SOURCE) rc = open_source(job, &o);
    if (rc == TWX_OK && o.trial) rc = make_scratch(job, &o);
    if (rc == TWX_OK && needs & ~(unsigned)TWX_NEED_SOURCE)
        rc = twx_db_open(job->cx, o.trial ? o.scratch : twx_own_path(job), &own, &o.writer);
    if (rc == TWX_OK && needs & TWX_NEED_SOUND)
        rc = twx_file_check(job, twx_is_separate(job) ? o.writer : o.reader);
    if (rc == TWX_OK && o.writer) rc = open_tables(job, needs, &o);
    if (rc == TWX_OK && o.trial) rc = seed_trial(job, &reading, &o);
    if (rc == TWX_OK)
        *ret_opened = o;
    else
        twx_opened_done(&o);
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
    twx_changes_close(o->changes);
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
