#include "run/internal.h"

#include <time.h>
#include <unistd.h>

/* ==== job */

void twx_job_progress(const twx_job *job, const char *stage, const char *unit, uint64_t done,
                      uint64_t total) {
    const twindex_progress progress = {.stage = stage, .unit = unit, .done = done, .total = total};
    if (job->progress) job->progress(job->progress_arg, &progress);
}

void twx_job_message(const twx_job *job, twindex_level level, const char *fmt, ...) {
    char text[TWX_MESSAGE_MAX];
    if (!job->message) return;
    TWX_PRINT_ARGUMENTS(text, fmt);
    twx_one_line(text);
    job->message(job->message_arg, level, text);
}

double twx_job_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int64_t twx_job_now(void) {
    return (int64_t)time(NULL);
}

size_t twx_job_threads(const twx_settings *settings) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return settings->run_jobs ? settings->run_jobs : processors > 0 ? (size_t)processors : 1;
}

/* The lowest limit of the control group (version 2) of the process and of the groups that contain
 * it; UINT64_MAX: none has a limit. */
static uint64_t group_limit(void) {
    static const char OWN[] = "0::/";
    char line[4096] = "", value[32], path[sizeof line + 64];
    uint64_t lowest = UINT64_MAX, limit = 0;
    FILE *f = fopen("/proc/self/cgroup", "re");
    while (f && fgets(line, sizeof line, f) && strncmp(line, OWN, sizeof OWN - 1) != 0) continue;
    if (f) (void)!fclose(f);
    char *const group = line + sizeof OWN - 2;
    for (char *end = group + strcspn(group, "\n"); end; end = strrchr(group, '/')) {
        *end = '\0';
        snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.max", group);
        f = fopen(path, "re");
        if (f && fgets(value, sizeof value, f) && /* "max" is no number */
            twx_read_count(twx_slice_trim(twx_slice_of(value)), &limit) && limit < lowest)
            lowest = limit;
        if (f) (void)!fclose(f);
    }
    return lowest;
}

size_t twx_default_memory(uint64_t machine, uint64_t group) {
    const uint64_t mib = 1 << 20, share = (group < machine ? group : machine) / 8;
    return (size_t)(share < 256 * mib ? 256 * mib : share > 4096 * mib ? 4096 * mib : share);
}

size_t twx_job_memory(const twx_settings *settings) {
    if (settings->run_memory) return (size_t)settings->run_memory;
    const uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    return twx_default_memory(machine, group_limit());
}

char *twx_job_title(const twx_job *job) {
    const size_t more = job->n_stores ? job->n_stores - 1 : 0;
    if (!more) return twx_strdup(job->cx, job->store);
    return twx_sprintf(job->cx, "%s and %zu more %s", job->store, more,
                       twx_plural(more, "store", "stores"));
}

/* ==== document_reader */

/* A scan reads batches: one statement, some hundred rows. Two things can go wrong with a row.
 *   It is longer than the row limit. SQLite then fails the statement without saying which row it
 *   was, so the rows from there on are listed by key alone and fetched one by one.
 *   It vanishes or changes between two statements. Rows that are listed first (those too long, and
 *   those that select() chooses by few columns) are given as they are when they are fetched. */

enum { LISTED_ROWS = 2000, KEY_BYTES = 1 << 28 };

twx_slice twx_bytes_of(const twx_value *v) {
    return v->type == TWX_TEXT || v->type == TWX_BLOB ? v->bytes : (twx_slice){NULL, 0};
}

twx_document twx_document_of(const twx_value *columns, const twx_url *url) {
    return (twx_document){.url = url,
                          .text = twx_bytes_of(&columns[TWX_COL_TEXT]),
                          .main = twx_bytes_of(&columns[TWX_COL_MAIN]),
                          .title = twx_bytes_of(&columns[TWX_COL_TITLE]),
                          .headings = twx_bytes_of(&columns[TWX_COL_HEADINGS]),
                          .names = twx_bytes_of(&columns[TWX_COL_NAMES]),
                          .description = twx_bytes_of(&columns[TWX_COL_DESCRIPTION])};
}

twx_rc twx_document_number(const twx_opened *o, const twx_value *id, int64_t *ret_doc) {
    if (twx_source_is_direct(o->source)) {
        *ret_doc = id->i;
        return TWX_OK;
    }
    if (!o->lookup) return TWX_DONE;
    twx_rc rc = twx_document_find(o->lookup, id, ret_doc);
    /* after a commit by another connection, an open read would block our next transaction */
    twx_signatures_release(o->lookup);
    return rc;
}

static twx_rc prepare(twx_document_reader *r) {
    twx_rc rc = r->prepare ? r->prepare(r->arg) : TWX_OK;
    r->refused = rc != TWX_OK;
    return rc;
}

static twx_rc give(void *arg, const twx_source_row *row, bool *ret_enough) {
    twx_document_reader *r = arg;
    twx_rc rc = r->take(r->arg, row, ret_enough);
    r->refused = rc != TWX_OK;
    return rc;
}

static twx_rc count_and_give(void *arg, const twx_source_row *row, bool *ret_enough) {
    twx_document_reader *r = arg;
    r->read++;
    return give(arg, row, ret_enough);
}

static twx_rc choose(twx_document_reader *r, const twx_source_row *row, bool *ret_wanted) {
    *ret_wanted = true;
    r->read++;
    twx_rc rc = r->select ? r->select(r->arg, row, ret_wanted) : TWX_OK;
    r->refused = rc != TWX_OK;
    return rc;
}

static twx_rc choose_and_give(void *arg, const twx_source_row *row, bool *ret_enough) {
    bool wanted = true;
    twx_rc rc = choose(arg, row, &wanted);
    return rc == TWX_OK && wanted ? give(arg, row, ret_enough) : rc;
}

static twx_rc warn_too_long(twx_document_reader *r, const twx_value *scan_key) {
    twx_buf key = {.max = KEY_BYTES};
    twx_ctx_clear(r->job->cx);
    twx_rc rc = twx_value_print(r->job->cx, &key, scan_key);
    if (rc == TWX_OK)
        twx_job_message(r->job, TWINDEX_WARNING,
                        "%s: the row with key %s is longer than run.row_bytes: %s", r->job->store,
                        key.p, r->too_long);
    twx_buf_done(&key);
    r->left_out++;
    return rc;
}

/* Reads one row by its key. TWX_DONE: it is gone. */
static twx_rc fetch(twx_document_reader *r, const twx_value *scan_key, twx_source_fn *fn) {
    twx_rc rc = prepare(r);
    if (rc != TWX_OK) return rc;
    rc = twx_source_fetch(r->source, scan_key, fn, r);
    return rc == TWX_E_LIMIT && !r->refused ? warn_too_long(r, scan_key) : rc;
}

typedef struct key_list {
    twx_document_reader *r;
    bool all; /* every row, without asking select() */
    TWX_VEC(twx_value) keys;
    twx_arena bytes;
} key_list;

static twx_rc list_key(void *arg, const twx_source_row *row, bool *ret_enough) {
    key_list *list = arg;
    twx_ctx *cx = list->r->job->cx;
    twx_value key = row->scan_key;
    bool wanted = true;
    (void)ret_enough;
    twx_rc rc = list->all ? TWX_OK : choose(list->r, row, &wanted);
    if (rc != TWX_OK || !wanted) return rc;
    rc = twx_arena_copy(cx, &list->bytes, row->scan_key.bytes, &key.bytes);
    return rc == TWX_OK && !TWX_VEC_PUSH(cx, &list->keys, key) ? TWX_E_NOMEM : rc;
}

/* Lists the keys of the next rows, and then fetches the rows: all of them, which select() sees
 * complete, or those that it chooses by few columns. */
static twx_rc list_and_fetch(twx_document_reader *r, twx_source_cursor *cursor, bool all) {
    key_list list = {.r = r, .all = all, .bytes = {.keep = 1 << 20}};
    const twx_source_batch batch = {.want = all ? TWX_WANT_KEYS : r->want,
                                    .limit = all ? TWX_READER_ROWS : LISTED_ROWS,
                                    .fn = list_key,
                                    .arg = &list};
    twx_rc more = twx_source_read(r->source, cursor, &batch);
    twx_rc rc = more == TWX_DONE ? TWX_OK : more;
    if (more == TWX_E_LIMIT && !r->refused) { /* the rows before the one that is too long */
        twx_ctx_clear(r->job->cx);
        rc = TWX_OK;
    }
    for (size_t i = 0; rc == TWX_OK && i < list.keys.n; i++) {
        rc = fetch(r, &list.keys.at[i], all ? choose_and_give : give);
        if (rc == TWX_DONE) rc = TWX_OK;
    }
    TWX_VEC_DONE(&list.keys);
    twx_arena_done(&list.bytes);
    return rc == TWX_OK ? more : rc;
}

static twx_rc read_next(twx_document_reader *r, twx_source_cursor *cursor) {
    const bool listed = r->select && r->want != TWX_WANT_WHOLE;
    const twx_source_batch batch = {.want = r->want,
                                    .limit = r->want == TWX_WANT_WHOLE ? TWX_READER_ROWS
                                                                       : LISTED_ROWS,
                                    .fn = choose_and_give,
                                    .arg = r};
    twx_rc rc = prepare(r);
    if (rc != TWX_OK) return rc;
    rc = listed ? list_and_fetch(r, cursor, false) : twx_source_read(r->source, cursor, &batch);
    if (rc != TWX_E_LIMIT || r->refused) return rc;
    twx_ctx_clear(r->job->cx);
    return list_and_fetch(r, cursor, true);
}

twx_rc twx_document_reader_scan(twx_document_reader *r) {
    twx_source_cursor cursor = {0};
    uint64_t total = 0;
    twx_rc rc = twx_source_estimate(r->source, &total);
    if (twx_source_is_copied(r->source)) twx_job_progress(r->job, "copy the rows", "", 0, 0);
    while (rc == TWX_OK) {
        rc = twx_cancelled(r->job->cx);
        if (rc == TWX_OK) rc = read_next(r, &cursor);
        twx_job_progress(r->job, r->stage, "documents", r->read, total > r->read ? total : 0);
    }
    twx_source_cursor_done(&cursor);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_document_reader_range(twx_document_reader *r, int64_t first, int64_t last) {
    twx_source_cursor cursor = {.bounded = true, .first = first, .last = last};
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK) {
        rc = twx_cancelled(r->job->cx);
        if (rc == TWX_OK) rc = list_and_fetch(r, &cursor, true);
    }
    twx_source_cursor_done(&cursor);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_document_reader_fetch(twx_document_reader *r, const twx_value *scan_keys, size_t n) {
    enum { POLL_ROWS = 256 };
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        rc = fetch(r, &scan_keys[i], count_and_give);
        if (rc == TWX_DONE) rc = r->gone ? r->gone(r->arg, &scan_keys[i]) : TWX_OK;
        if (rc == TWX_OK && i % POLL_ROWS == 0) {
            twx_job_progress(r->job, r->stage, "documents", r->read, r->total);
            rc = twx_cancelled(r->job->cx);
        }
    }
    return rc;
}

typedef struct short_form {
    twx_scan_documents_fn *fn;
    void *arg;
} short_form;

static twx_rc pass_row(void *arg, const twx_source_row *row, bool *ret_wait) {
    const short_form *form = arg;
    (void)ret_wait;
    return form->fn(form->arg, row);
}

twx_rc twx_scan_documents(const twx_job *job, twx_opened *o, const char *stage,
                          twx_scan_documents_fn *fn, void *arg) {
    short_form form = {fn, arg};
    twx_document_reader r = {.job = job,
                             .source = o->source,
                             .stage = stage,
                             .too_long = "the document is left out",
                             .want = TWX_WANT_WHOLE,
                             .take = pass_row,
                             .arg = &form};
    return twx_document_reader_scan(&r);
}
