#include "inspect/internal.h"

#include <dirent.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum {
    FREE_SHARE = 4,           /* a file of which this part is free pages is worth a VACUUM */
    LARGE_WAL = 64 << 20,     /* bytes */
    MEMORY_A_DOCUMENT = 1300, /* bytes, about: payloads have an eighth (docs/performance.md) */
    SMALL_PAGE = 4096,        /* SQLite's default */
    NAME_BYTES = 4096,
    OLD_SECONDS = 24 * 60 * 60 /* an older temporary file belongs to no program at work */
};

typedef struct examination {
    const twx_job *job;
    twx_findings *findings;
    char *path; /* of the file with the results, absolute; NULL: its folder is missing */
    twx_opened o;
    bool held; /* a run is at work */
} examination;

/* "12.3 MB" */
enum { SIZE_BYTES = 32 };
static const char *size_text(uint64_t bytes, char room[SIZE_BYTES]) {
    static const char *const UNITS[] = {"bytes", "KB", "MB", "GB", "TB"};
    double n = (double)bytes;
    size_t unit = 0;
    for (; n >= 1000 && unit + 1 < TWX_COUNTOF(UNITS); unit++) n /= 1000;
    twx_print(room, SIZE_BYTES, "%.*f %s", unit ? 1 : 0, n, UNITS[unit]);
    return room;
}

static twx_rc look_at_file(examination *x, const char *name, const char *path) {
    char size[SIZE_BYTES];
    struct stat st;
    if (stat(path, &st) != 0) return TWX_OK;
    return twx_findings_fact(x->findings, name, "%s, of user %ld, mode %03o",
                             size_text((uint64_t)st.st_size, size), (long)st.st_uid,
                             (unsigned)(st.st_mode & 0777));
}

static twx_rc look_at_space(examination *x, const char *name, const char *folder) {
    struct statvfs fs;
    char size[SIZE_BYTES];
    if (statvfs(folder, &fs) != 0) return TWX_OK;
    return twx_findings_fact(x->findings, name, "%s in %s",
                             size_text((uint64_t)fs.f_bavail * fs.f_frsize, size), folder);
}

static const char *temporary_folder(void) {
    const char *folder = getenv("TMPDIR");
    return folder && folder[0] ? folder : "/tmp";
}

static twx_rc look_at_files(examination *x) {
    char folder[NAME_BYTES];
    snprintf(folder, sizeof folder, "%s", x->path ? x->path : "");
    char *slash = strrchr(folder, '/');
    if (slash) slash[slash == folder] = '\0';
    twx_rc rc = look_at_file(x, "store file", x->job->store);
    if (rc == TWX_OK && twx_is_separate(x->job))
        rc = look_at_file(x, "file of flags", twx_own_path(x->job));
    if (rc == TWX_OK) rc = look_at_space(x, "free space", folder);
    return rc == TWX_OK ? look_at_space(x, "temporary files", temporary_folder()) : rc;
}

static twx_rc look_at_lock(examination *x) {
    twx_lock_state state;
    twx_rc rc = twx_lock_look(x->job->cx, twx_own_path(x->job), &state);
    if (rc != TWX_OK) { /* check has reported it */
        twx_ctx_clear(x->job->cx);
        return TWX_OK;
    }
    x->held = state.held;
    if (!state.exists) return twx_findings_fact(x->findings, "lock", "free; there is no lock file");
    if (state.held) return twx_findings_fact(x->findings, "lock", "held by %s", state.holder);
    if (state.checked_at == 0)
        return twx_findings_fact(x->findings, "lock", "free; the next run checks the file");
    return twx_findings_fact(x->findings, "lock", "free; the file was last checked at %s",
                             twx_second_text(state.checked_at, (char[TWX_TIME_BYTES]){0}));
}

/* The size of the write-ahead log; 0: there is none. */
static uint64_t wal_bytes(const char *path, char ret_name[NAME_BYTES]) {
    struct stat st;
    const int n = snprintf(ret_name, NAME_BYTES, "%s-wal", path);
    return n < NAME_BYTES && stat(ret_name, &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* A journal of a rollback needs no line: opening the store has used and removed it. */
static twx_rc look_at_wal(examination *x) {
    char name[NAME_BYTES], size[SIZE_BYTES];
    const uint64_t bytes = wal_bytes(x->path, name);
    if (bytes == 0) return TWX_OK;
    return twx_findings_fact(x->findings, "left",
                             "%s, %s: another program has the store open, or was killed; it is "
                             "merged when the last program closes the store",
                             name, size_text(bytes, size));
}

/* Scratch files of dry runs that were killed. */
static twx_rc look_at_scratch(examination *x) {
    static const char NAME[] = "twindex-dry-run-";
    const char *folder = temporary_folder();
    DIR *list = opendir(folder);
    twx_rc rc = TWX_OK;
    char name[NAME_BYTES];
    struct stat st;
    if (!list) return TWX_OK;
    for (const struct dirent *e = NULL; rc == TWX_OK && (e = readdir(list));) {
        if (strncmp(e->d_name, NAME, sizeof NAME - 1) != 0) continue;
        snprintf(name, sizeof name, "%s/%s", folder, e->d_name);
        if (lstat(name, &st) == 0 && twx_job_now() - (int64_t)st.st_mtime > OLD_SECONDS)
            rc = twx_findings_fact(x->findings, "left",
                                   "%s: of a dry run that was killed; remove it", name);
    }
    closedir(list);
    return rc;
}

static twx_rc look_at_versions(examination *x) {
    int64_t version = 0;
    twx_last_run last;
    twx_rc rc = twx_findings_fact(x->findings, "versions", "twindex %s, SQLite %s", TWINDEX_VERSION,
                                  twx_sqlite_version());
    if (rc != TWX_OK || !x->o.writer) return rc;
    rc = twx_schema_version(x->o.writer, &version);
    if (rc != TWX_OK || version == 0) return rc;
    rc = twx_findings_fact(x->findings, "schema", "version %" PRId64, version);
    if (rc == TWX_OK) rc = twx_last_run_read(x->o.writer, &last);
    if (rc == TWX_OK)
        return twx_findings_fact(x->findings, "last run", "%" PRId64 ", with twindex %s%s",
                                 last.run, last.version,
                                 !last.unended ? ""
                                 : x->held     ? "; at work"
                                               : "; it was killed, the next one continues it");
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* A run at work takes entries out of the queue after it has signed their documents, so what is
 * found beside one may be wrong. */
static twx_rc look_at_queue(examination *x) {
    twx_sign_plan plan = {0};
    twx_silent_changes silent = {0};
    twx_job quiet = *x->job; /* check has printed the messages */
    quiet.message = NULL;
    twx_rc rc = x->held ? TWX_DONE : twx_sign_plan_make(&quiet, &x->o, false, &plan);
    if (rc == TWX_OK) rc = twx_silent_changes_find(x->job, &x->o, &plan, &silent);
    twx_sign_plan_done(&plan);
    if (rc == TWX_E_NOMEM || rc == TWX_E_INTERRUPTED || rc == TWX_E_TERMINATED) return rc;
    char text[TWX_FINDING_BYTES];
    if (rc != TWX_OK) { /* check has reported what else there is */
        twx_print(text, sizeof text, "%.1500s: 'twindex run --full' writes it again",
                  x->job->cx->message);
        twx_ctx_clear(x->job->cx);
        return rc == TWX_E_CORRUPT ? twx_findings_problem(x->findings, text) : TWX_OK;
    }
    twx_print(text, sizeof text,
              "the change queue lacks %" PRIu64
              " %s that changed (%s), so their flags may be stale: 'twindex run --full' corrects "
              "them; docs/runs.md, \"Changes\", names what a queue cannot have",
              silent.n, twx_plural(silent.n, "document", "documents"), silent.first);
    return silent.n ? twx_findings_problem(x->findings, text) : TWX_OK;
}

static twx_rc advise_on_wal(examination *x) {
    char name[NAME_BYTES], size[SIZE_BYTES];
    const uint64_t bytes = wal_bytes(twx_db_path(x->o.reader), name);
    if (bytes <= LARGE_WAL) return TWX_OK;
    return twx_findings_fact(
        x->findings, NULL,
        "PRAGMA wal_checkpoint(TRUNCATE): the -wal file has %s; if that does not make it smaller, "
        "a program that never ends its transaction keeps it",
        size_text(bytes, size));
}

static twx_rc advise_on_file(examination *x) {
    twx_file_shape shape;
    bool wal = false;
    char size[SIZE_BYTES];
    twx_rc rc = twx_file_shape_read(x->o.reader, &shape);
    if (rc == TWX_OK) rc = twx_db_is_wal(x->o.reader, &wal);
    if (rc == TWX_OK && shape.page_bytes < SMALL_PAGE)
        rc = twx_findings_fact(x->findings, NULL,
                               "%sPRAGMA page_size=4096; VACUUM%s: pages of %" PRIu64
                               " bytes make long texts slow to read",
                               wal ? "PRAGMA journal_mode=DELETE; " : "",
                               wal ? "; PRAGMA journal_mode=WAL" : "", shape.page_bytes);
    if (rc == TWX_OK && !wal)
        rc = twx_findings_fact(
            x->findings, NULL,
            "PRAGMA journal_mode=WAL: other programs then read and write beside a run");
    /* VACUUM can number the rows of a table without INTEGER PRIMARY KEY anew */
    if (rc == TWX_OK && shape.free_pages * FREE_SHARE > shape.pages && !x->o.mapping.allow_rowid)
        rc = twx_findings_fact(x->findings, NULL, "VACUUM: %s of the file are free pages",
                               size_text(shape.free_pages * shape.page_bytes, size));
    return rc == TWX_OK && wal ? advise_on_wal(x) : rc;
}

static twx_rc advise_on_settings(examination *x) {
    const twx_settings *s = x->job->settings;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t documents = 0;
    twx_feed feed = TWX_FEED_TRIGGER;
    twx_rc rc = twx_choose_feed(x->job, &x->o, &feed, NULL);
    if (rc == TWX_OK) rc = twx_source_estimate(x->o.source, &documents);
    if (rc != TWX_OK) { /* check has reported it */
        twx_ctx_clear(x->job->cx);
        return TWX_OK;
    }
    if (feed == TWX_FEED_SCAN)
        rc = twx_findings_fact(
            x->findings, NULL,
            "store.changed: with a column that changes with the row, a run reads only "
            "the rows that changed");
    if (rc == TWX_OK && !twx_source_is_direct(x->o.source))
        rc = twx_findings_fact(
            x->findings, NULL,
            "store.id: if it is the table's INTEGER PRIMARY KEY, ids need no table of their own");
    if (rc == TWX_OK && s->run_jobs && (long)s->run_jobs < processors)
        rc = twx_findings_fact(
            x->findings, NULL,
            "run.jobs = 0: there are %ld processors, and only %u of them sign documents",
            processors, s->run_jobs);
    if (rc == TWX_OK && s->run_check == TWX_CHECKED_ALWAYS)
        rc = twx_findings_fact(x->findings, NULL,
                               "run.check = auto: now each run reads the whole file to check it");
    if (rc == TWX_OK && documents * MEMORY_A_DOCUMENT > twx_job_memory(s))
        rc = twx_findings_fact(x->findings, NULL,
                               "run.memory = %" PRIu64 "M: %" PRIu64
                               " documents do not fit into %" PRIu64
                               "M, so temporary files are used",
                               (documents * MEMORY_A_DOCUMENT >> 20) + 1, documents,
                               (uint64_t)twx_job_memory(s) >> 20);
    return rc;
}

static twx_rc examine(const twx_job *job, twx_findings *ret_findings) {
    examination x = {.job = job, .findings = ret_findings};
    twx_rc rc = twx_check(job, ret_findings);
    if (rc != TWX_OK) return rc;
    x.path = twx_db_resolve(job->cx, twx_own_path(job));
    if (!x.path && job->cx->rc != TWX_E_NOSTORE) return job->cx->rc;
    if (!x.path) twx_ctx_clear(job->cx); /* check has reported it */
    rc = look_at_lock(&x);
    if (rc == TWX_OK && x.path) rc = look_at_wal(&x);
    if (rc == TWX_OK) rc = look_at_scratch(&x);
    if (rc == TWX_OK) rc = look_at_files(&x);
    /* what cannot be opened is reported by check, and is no reason to end */
    if (twx_open_store(job, twx_needs_to_look(job), &x.o) != TWX_OK) twx_ctx_clear(job->cx);
    if (rc == TWX_OK) rc = look_at_versions(&x);
    if (rc == TWX_OK && x.o.source) rc = look_at_queue(&x);
    if (rc == TWX_OK && x.o.source) rc = advise_on_file(&x);
    if (rc == TWX_OK && x.o.source) rc = advise_on_settings(&x);
    twx_opened_done(&x.o);
    twx_free(x.path);
    return rc;
}

typedef struct missing {
    const twx_store_set *set;
    twx_findings *findings;
} missing;

static twx_rc take_missing(void *arg, uint32_t store, twx_slice shard, int64_t documents) {
    const missing *x = arg;
    char text[TWX_FINDING_BYTES];
    snprintf(text, sizeof text,
             "the flags of %.400s name %" PRId64
             " representatives in %.*s, which is not among these stores",
             x->set->at[store].job.store, documents, (int)(shard.n < 400 ? shard.n : 400), shard.p);
    return twx_findings_problem(x->findings, text);
}

/* Why they cannot be read as one collection is a problem, unless its cause is not in the stores. */
static twx_rc check_together(const twx_job *job, twx_findings *f) {
    twx_store_set set;
    f->store = "all of these stores";
    twx_rc rc = twx_store_set_open(job, 0, &set);
    if (rc == TWX_OK)
        rc = twx_findings_fact(f, "flags", "those of one run over all %zu stores", set.n);
    missing x = {&set, f};
    if (rc == TWX_OK) rc = twx_store_set_missing(&set, take_missing, &x);
    if (rc == TWX_E_DATA || rc == TWX_E_USAGE || rc == TWX_E_NOSTORE || rc == TWX_E_CORRUPT ||
        rc == TWX_E_CONFIG)
        rc = twx_findings_error(f);
    twx_store_set_done(&set);
    return rc;
}

twx_rc twx_check_stores(const twx_job *job, bool thorough, const twx_out *out) {
    uint64_t problems = 0;
    const size_t stores = job->n_stores > 1 ? job->n_stores : 1, n = stores + (stores > 1);
    twx_findings *all = twx_calloc(job->cx, n, sizeof *all);
    twx_rc rc = all ? TWX_OK : TWX_E_NOMEM;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        all[i].cx = job->cx;
        const twx_job one = twx_job_of_store(job, i < stores ? i : 0);
        rc = i == stores ? check_together(job, &all[i])
             : thorough  ? examine(&one, &all[i])
                         : twx_check(&one, &all[i]);
        problems += all[i].problems;
    }
    if (rc == TWX_OK) rc = twx_findings_write(out, all, n);
    for (size_t i = 0; all && i < n; i++) {
        TWX_VEC_DONE(&all[i].rows);
        twx_arena_done(&all[i].arena);
    }
    twx_free(all);
    return rc == TWX_OK && problems ? TWX_E_DOUBT : rc;
}
