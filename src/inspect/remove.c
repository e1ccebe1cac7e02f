#include "inspect/remove.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/plural.h"
#include "run/lock.h"
#include "run/open_store.h"
#include "store/migrate.h"
#include "store/removal.h"

void twx_removal_summary_init(twx_removal_summary *s) {
    *s = (twx_removal_summary){0};
    twx_arena_init(&s->arena, 0);
}

void twx_removal_summary_done(twx_removal_summary *s) {
    TWX_VEC_DONE(&s->removed);
    TWX_VEC_DONE(&s->referring);
    twx_arena_done(&s->arena);
}

twx_rc twx_removal_summary_add(twx_ctx *cx, twx_removal_summary *s, twx_schema_objects *to,
                               twx_slice type, twx_slice name) {
    twx_schema_object object = {{NULL, 0}, {NULL, 0}};
    twx_rc rc = twx_arena_copy(cx, &s->arena, type, &object.type);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, &s->arena, name, &object.name);
    return rc == TWX_OK && !TWX_VEC_PUSH(cx, to, object) ? TWX_E_NOMEM : rc;
}

static json_t *objects_json(const twx_schema_objects *list) {
    json_t *all = json_array();
    for (size_t i = 0; i < list->n; i++)
        json_array_append_new(all, json_pack("{s:o, s:o}", "type", twx_json_slice(list->at[i].type),
                                             "name", twx_json_slice(list->at[i].name)));
    return all;
}

static twx_rc write_objects(const twx_out *out, const twx_schema_objects *list) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < list->n; i++)
        rc = twx_out_text(out, "  %-8s" TWX_SLICE_FMT "\n", list->at[i].type.p,
                          TWX_SLICE_ARG(list->at[i].name));
    return rc;
}

twx_rc twx_removal_summary_write(const twx_out *out, const twx_removal_summary *s) {
    if (twx_out_is_json(out))
        return twx_out_json(out,
                            json_pack("{s:o, s:b, s:b, s:o, s:o}", "file", twx_json_text(s->path),
                                      "dry_run", (int)s->dry_run, "file_removed",
                                      (int)s->file_removed, "removed", objects_json(&s->removed),
                                      "cannot_be_used", objects_json(&s->referring)));
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

/* ---- remove ------------------------------------------------------------ */

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

/* ---- undo -------------------------------------------------------------- */

twx_rc twx_undo(const twx_job *job, twx_restored *ret_restored) {
    twx_opened o = {0};
    twx_lock *lock = NULL;
    twx_state state;
    char generation = '\0';
    unsigned needs = TWX_NEED_RESULTS | (twx_is_separate(job) ? 0 : TWX_NEED_SOURCE);
    twx_rc rc = twx_lock_take(job->cx, twx_own_path(job), &lock);
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
    if (rc == TWX_OK) *ret_restored = (twx_restored){generation, state.run[generation == 'b']};
    twx_opened_done(&o);
    twx_lock_release(lock, rc);
    return rc;
}
