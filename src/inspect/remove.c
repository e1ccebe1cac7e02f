#include "inspect/internal.h"

#include <errno.h>
#include <unistd.h>

/* ==== digest */

twx_rc twx_digest_write(const twx_out *out, const twx_hash128 *digest) {
    char hex[TWX_DIGEST_TEXT_BYTES];
    twx_digest_text(digest, hex);
    return twx_out_is_json(out) ? twx_out_json(out, json_pack("{s:s}", "digest", hex))
                                : twx_out_text(out, "%s\n", hex);
}

twx_rc twx_digest_flags(const twx_job *job, const twx_out *out) {
    twx_hash128 sum = {0, 0};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < (job->n_stores ? job->n_stores : 1); i++) {
        const twx_job one = twx_job_of_store(job, i);
        twx_opened o = {0};
        twx_hash128 digest = {0, 0};
        rc = twx_open_store(&one, TWX_NEED_RESULTS, &o);
        if (rc == TWX_OK) rc = twx_flags_digest(o.writer, &digest);
        twx_opened_done(&o);
        sum.hi += digest.hi + __builtin_add_overflow(sum.lo, digest.lo, &sum.lo);
    }
    return rc == TWX_OK ? twx_digest_write(out, &sum) : rc;
}

/* ==== remove */

/* What `remove` took out of a store.
 * Bytes are in the arena. */
typedef struct twx_schema_object {
    twx_slice type, name;
} twx_schema_object;

typedef TWX_VEC(twx_schema_object) twx_schema_objects;

typedef struct removal {
    const twx_job *job;
    twx_arena arena;
    const char *path; /* the file: the store, or that of --flags */
    bool dry_run;
    bool file_removed; /* the file of --flags, which had nothing else */
    twx_schema_objects removed, referring;
} removal;

static twx_rc note_row(void *arg, const twx_removal_row *row) {
    removal *r = arg;
    twx_schema_object object = {{NULL, 0}, {NULL, 0}};
    twx_schema_objects *to = row->drop.p ? &r->removed : &r->referring;
    twx_rc rc = twx_arena_copy(r->job->cx, &r->arena, row->type, &object.type);
    if (rc == TWX_OK) rc = twx_arena_copy(r->job->cx, &r->arena, row->name, &object.name);
    return rc == TWX_OK && !TWX_VEC_PUSH(r->job->cx, to, object) ? TWX_E_NOMEM : rc;
}

#define O(...) TWX_FIELD(twx_schema_object, __VA_ARGS__)
static const twx_field OBJECT[] = {O("type", type), O("name", name)};
#define R(...)  TWX_FIELD(removal, __VA_ARGS__)
#define RR(...) TWX_FIELD_ROWS_OF(removal, __VA_ARGS__)
static const twx_field REMOVAL[] = {
    TWX_FIELDS(R("file", path), R("dry_run", dry_run), R("file_removed", file_removed),
               RR("removed", removed, OBJECT), RR("cannot_be_used", referring, OBJECT))};

static twx_rc write_objects(const twx_out *out, const twx_schema_objects *list) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < list->n; i++)
        rc = twx_out_text(out, "  %-8s" TWX_SLICE_FMT "\n", list->at[i].type.p,
                          TWX_SLICE_ARG(list->at[i].name));
    return rc;
}

static twx_rc write_removal(const twx_out *out, const removal *s) {
    if (twx_out_is_json(out)) return twx_out_json(out, twx_row_json(TWX_ROWS_AT(REMOVAL, s, 1)));
    if (s->removed.n == 0 && !s->file_removed)
        return twx_out_text(out, "%s: there is nothing of Twindex in it\n", s->path);
    twx_rc rc = twx_out_text(out, "%s: %zu %s%s\n", s->path, s->removed.n,
                             twx_plural(s->removed.n, "object", "objects"),
                             s->dry_run ? " would be removed:" : " removed:");
    if (rc == TWX_OK) rc = write_objects(out, &s->removed);
    if (rc == TWX_OK && s->file_removed) rc = twx_out_text(out, "and the file itself\n");
    if (rc == TWX_OK && s->referring.n)
        rc = twx_out_text(out, "these name what is removed, and fail if they read it: drop them\n");
    return rc == TWX_OK ? write_objects(out, &s->referring) : rc;
}

/* *ret_whole: the file is one of --flags and has nothing else. */
static twx_rc empty_file(removal *r, bool *ret_whole) {
    const twx_settings *s = r->job->settings;
    const twx_db_options options = {.mode = r->dry_run ? TWX_DB_READER : TWX_DB_REMOVER,
                                    .busy_ms = s->run_busy_ms};
    bool foreign = false;
    twx_db *db = NULL;
    twx_rc rc = twx_db_open(r->job->cx, r->path, &options, &db);
    if (rc == TWX_OK) rc = twx_removal_list(db, note_row, r);
    if (rc == TWX_OK) rc = twx_has_foreign_tables(db, &foreign);
    *ret_whole = twx_is_separate(r->job) && !foreign;
    if (rc == TWX_OK && !r->dry_run && r->removed.n) {
        twx_job_progress(r->job, "remove", "objects", 0, r->removed.n);
        rc = twx_removal_apply(db);
    }
    twx_db_close(db);
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

twx_rc twx_remove(const twx_job *job, bool dry_run, const twx_out *out) {
    removal r = {.job = job, .path = twx_own_path(job), .dry_run = dry_run};
    twx_lock *lock = NULL;
    bool whole = false;
    if (access(r.path, F_OK) != 0)
        return twx_fail(job->cx, TWX_E_NOSTORE, "%s: %s", r.path, strerror(errno));
    twx_rc rc = dry_run ? twx_lock_try(job->cx, r.path)
                        : twx_lock_take(job, twx_own_path(job), &lock);
    if (rc != TWX_OK) return rc;
    rc = empty_file(&r, &whole);
    if (rc == TWX_OK && whole && !dry_run) {
        rc = remove_file(job);
        r.file_removed = rc == TWX_OK;
    }
    if (rc == TWX_OK && !dry_run)
        twx_lock_remove(lock);
    else
        twx_lock_release(lock, rc);
    if (rc == TWX_OK) rc = write_removal(out, &r);
    TWX_VEC_DONE(&r.removed);
    TWX_VEC_DONE(&r.referring);
    twx_arena_done(&r.arena);
    return rc;
}

twx_rc twx_undo(const twx_job *job, const twx_out *out) {
    twx_opened o = {0};
    twx_lock *lock = NULL;
    twx_state state;
    char generation = '\0';
    unsigned needs = TWX_NEED_RESULTS | (twx_is_separate(job) ? 0 : TWX_NEED_SOURCE);
    twx_rc rc = twx_lock_take(job, twx_own_path(job), &lock);
    if (rc == TWX_OK)
        rc = twx_open_store(job, needs, &o); /* creates nothing if there are no results */
    twx_opened_done(&o);
    if (rc == TWX_OK) rc = twx_open_store(job, needs | TWX_NEED_TABLES | TWX_NEED_SOUND, &o);
    if (rc == TWX_OK) rc = twx_state_read(o.generations, &state);
    if (rc == TWX_OK) {
        const twx_publication p = {.direct = state.id_kind[0] != 'm',
                                   .select = twx_joined_select(job, &o)};
        rc = twx_generation_undo(o.generations, &p, &generation);
    }
    twx_opened_done(&o);
    twx_lock_release(lock, rc);
    if (rc != TWX_OK) return rc;
    const int64_t run = state.run[generation == 'b'];
    if (twx_out_is_json(out))
        return twx_out_json(out, json_pack("{s:s%, s:I}", "generation", &generation, (size_t)1,
                                           "run", (json_int_t)run));
    return twx_out_text(out,
                        "the flags are those of run %" PRId64
                        " again (generation %c); the next run publishes new ones\n",
                        run, generation);
}

/* ==== add_pin */

typedef struct pinning {
    const twx_job *job;
    const twindex_pin *pin;
    twx_opened o;
    twx_params params;
    twx_url_rules *rules;
    twx_arena urls;
    twx_buf line, added, text;
} pinning;

/* "separate" takes two documents, the other kinds one; lines for editions are not made here. */
static twx_rc check_kind(const pinning *p) {
    static const char *const KINDS = "separate, prefer or keep";
    const twindex_pin *pin = p->pin;
    bool known = false;
    for (int k = 0; pin->kind && k < TWX_PIN_EDITION; k++)
        known = known || strcmp(pin->kind, twx_pin_kind_name((twx_pin_kind)k)) == 0;
    if (!known) return twx_fail(p->job->cx, TWX_E_USAGE, "the kind of a pin is %s", KINDS);
    const bool two = strcmp(pin->kind, twx_pin_kind_name(TWX_PIN_SEPARATE)) == 0;
    if (pin->a && !pin->b == !two) return TWX_OK;
    return twx_fail(p->job->cx, TWX_E_USAGE, "%s takes %s", pin->kind,
                    two ? "two documents" : "one document");
}

static twx_rc add_url(pinning *p, const char *url_or_id) {
    twx_ctx *cx = p->job->cx;
    twx_lookup document = {0};
    twx_url url;
    twx_rc rc = twx_lookup_find(p->job, &p->o, url_or_id, &document);
    if (rc == TWX_OK) rc = twx_url_normalize(cx, &p->urls, NULL, document.url, &url);
    if (rc == TWX_OK && url.fault != TWX_URL_OK)
        rc = twx_fail(cx, TWX_E_DATA, "the document '%.300s' cannot be pinned: its URL has %s",
                      url_or_id, twx_url_fault_text(url.fault));
    if (rc == TWX_OK) rc = twx_buf_add_char(cx, &p->line, ' ');
    if (rc == TWX_OK) rc = twx_buf_add_slice(cx, &p->line, url.whole);
    twx_lookup_done(&document);
    return rc;
}

static bool has_line(twx_slice text, twx_slice line) {
    while (text.n)
        if (twx_slice_eq(twx_slice_trim(twx_slice_next_line(&text)), line)) return true;
    return false;
}

static twx_rc add_line(pinning *p) {
    twx_ctx *cx = p->job->cx;
    const twx_slice text = {p->pin->text, p->pin->n}, line = twx_buf_slice(&p->line);
    twx_rc rc = TWX_OK;
    if (has_line(text, line)) return TWX_OK;
    if (text.n && text.p[text.n - 1] != '\n') rc = twx_buf_add_char(cx, &p->added, '\n');
    if (rc == TWX_OK) rc = twx_buf_add_slice(cx, &p->added, line);
    return rc == TWX_OK ? twx_buf_add_char(cx, &p->added, '\n') : rc;
}

/* The next run must be able to read the file. */
static twx_rc check_text(pinning *p) {
    const char *set = p->job->settings->verdict_pins, *path = set ? set : "pins";
    twx_pins *pins = NULL;
    if (p->pin->n + p->added.n > TWX_PINS_BYTES_MAX)
        return twx_fail(p->job->cx, TWX_E_CONFIG,
                        "%s would have more than %d bytes: remove lines that are not needed", path,
                        TWX_PINS_BYTES_MAX);
    twx_rc rc = twx_buf_add_slice(p->job->cx, &p->text, (twx_slice){p->pin->text, p->pin->n});
    if (rc == TWX_OK) rc = twx_buf_add_slice(p->job->cx, &p->text, twx_buf_slice(&p->added));
    if (rc == TWX_OK)
        rc = twx_pins_parse(p->job->cx, &p->params.url, path, twx_buf_slice(&p->text), &pins);
    twx_pins_close(pins);
    return rc;
}

twx_rc twx_add_pin(const twx_job *job, const twindex_pin *pin, const twx_out *out) {
    pinning p = {.job = job, .pin = pin, .line = {.max = TWX_PINS_BYTES_MAX}};
    twx_buf_init(&p.added, TWX_PINS_BYTES_MAX + 2);
    twx_buf_init(&p.text, TWX_PINS_BYTES_MAX);
    twx_rc rc = check_kind(&p);
    if (rc == TWX_OK) rc = twx_params_make(job, &p.params, &p.rules);
    if (rc == TWX_OK) rc = twx_open_store(job, TWX_NEED_SOURCE, &p.o);
    if (rc == TWX_OK) rc = twx_buf_add_text(job->cx, &p.line, pin->kind);
    if (rc == TWX_OK) rc = add_url(&p, pin->a);
    if (rc == TWX_OK && pin->b) rc = add_url(&p, pin->b);
    if (rc == TWX_OK) rc = add_line(&p);
    if (rc == TWX_OK) rc = check_text(&p);
    if (rc == TWX_OK)
        rc = twx_out_json(out,
                          json_pack("{s:o, s:o}", "line", twx_json_slice(twx_buf_slice(&p.line)),
                                    "added", twx_json_slice(twx_buf_slice(&p.added))));
    twx_url_rules_close(p.rules);
    twx_opened_done(&p.o);
    twx_arena_done(&p.urls);
    twx_buf_done(&p.line);
    twx_buf_done(&p.added);
    twx_buf_done(&p.text);
    return rc;
}
