#include "inspect/find_mirrors.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "judge/eligible.h"
#include "judge/facts.h"
#include "judge/mirror_intake.h"
#include "run/lock.h"
#include "run/store_set.h"
#include "store/flags_cursor.h"
#include "store/host_mirrors.h"

enum { NAME_WIDTH_MAX = 60 };

void twx_mirror_list_init(twx_mirror_list *list) {
    *list = (twx_mirror_list){0};
    twx_arena_init(&list->names, 0);
}

void twx_mirror_list_done(twx_mirror_list *list) {
    twx_mirrors_done(&list->found);
    TWX_VEC_DONE(&list->hosts);
    twx_arena_done(&list->names);
}

static json_t *mirror_json(const twx_mirror_list *list, const twx_mirror *m) {
    return json_pack("{s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:f}", "host",
                     twx_json_slice(list->hosts.at[m->host]), "mirror_of",
                     twx_json_slice(list->hosts.at[m->mirror_of]), "level",
                     twx_mirror_level_name(m->level), "shared", twx_json_count(m->shared),
                     "documents", twx_json_count(m->documents), "mirror_of_shared",
                     twx_json_count(m->of_shared), "mirror_of_documents",
                     twx_json_count(m->of_documents), "ratio", (double)m->ratio_ppm / 1e6);
}

static json_t *list_json(const twx_mirror_list *list) {
    json_t *mirrors = json_array(), *left_out = json_object();
    for (size_t i = 0; i < list->found.rows.n; i++)
        json_array_append_new(mirrors, mirror_json(list, &list->found.rows.at[i]));
    for (int l = 0; l < TWX_MIRROR_LEVELS; l++)
        json_object_set_new(left_out, twx_mirror_level_name((twx_mirror_level)l),
                            json_pack("{s:o, s:o}", "groups",
                                      twx_json_count(list->found.wide_groups[l]), "documents",
                                      twx_json_count(list->found.wide_documents[l])));
    return json_pack("{s:o, s:f, s:o, s:o, s:o, s:o, s:b, s:o}", "store",
                     twx_json_text(list->store), "ratio", (double)list->ratio_ppm / 1e6,
                     "min_documents", twx_json_count(list->min_documents), "hosts",
                     twx_json_count(list->found.hosts), "small_hosts",
                     twx_json_count(list->found.small_hosts), "wide_groups", left_out, "kept",
                     (int)list->kept, "mirrors", mirrors);
}

static twx_rc write_table(const twx_out *out, const twx_mirror_list *list) {
    int width = (int)sizeof "host" - 1;
    for (size_t i = 0; i < list->found.rows.n; i++) {
        const size_t n = list->hosts.at[list->found.rows.at[i].host].n;
        if (n > (size_t)width) width = n < NAME_WIDTH_MAX ? (int)n : NAME_WIDTH_MAX;
    }
    if (list->found.rows.n == 0) return TWX_OK;
    twx_rc rc = twx_out_text(out, "  %-5s  %6s %10s %10s  %-*s  mirror of\n", "level", "ratio",
                             "shared", "documents", width, "host");
    for (size_t i = 0; rc == TWX_OK && i < list->found.rows.n; i++) {
        const twx_mirror *m = &list->found.rows.at[i];
        rc = twx_out_text(
            out, "  %-5s  %2" PRIu32 ".%03" PRIu32 " %10" PRIu64 " %10" PRIu64 "  %-*s  %s\n",
            twx_mirror_level_name(m->level), m->ratio_ppm / 1000000, m->ratio_ppm / 1000 % 1000,
            m->shared, m->documents, width, list->hosts.at[m->host].p,
            list->hosts.at[m->mirror_of].p);
    }
    return rc;
}

static twx_rc write_text(const twx_out *out, const twx_mirror_list *list) {
    const twx_mirrors *m = &list->found;
    twx_rc rc = write_table(out, list);
    if (rc == TWX_OK)
        rc = twx_out_text(
            out, "%zu of %" PRIu32 " hosts with %" PRIu32 " documents or more mirror another\n",
            m->rows.n, m->hosts, list->min_documents);
    for (int l = 0; rc == TWX_OK && l < TWX_MIRROR_LEVELS; l++)
        if (m->wide_groups[l])
            rc = twx_out_text(out,
                              "%s groups on more than %d hosts, left out: %" PRIu64
                              ", with %" PRIu64 " documents\n",
                              twx_mirror_level_name((twx_mirror_level)l), TWX_MIRROR_GROUP_HOSTS,
                              m->wide_groups[l], m->wide_documents[l]);
    return rc;
}

twx_rc twx_mirror_list_write(const twx_out *out, const twx_mirror_list *list) {
    return twx_out_is_json(out) ? twx_out_json(out, list_json(list)) : write_text(out, list);
}

/* ---- find mirrors ------------------------------------------------------ */

enum { PROGRESS_EVERY = 4096 };

typedef struct finding {
    const twx_job *job;
    twx_mirror_list *list;
    twx_store_set set;
    uint32_t member; /* whose documents are read */
    twx_mirror_intake in;
    uint64_t seen, total;
    twx_flags_cursor flags;
} finding;

/* ---- reading ------------------------------------------------------------ */

/* The key of the document's group. */
static twx_rc group_of(finding *f, const twx_flag_row *row, twx_flag_column rep, uint64_t *key,
                       const uint64_t **ret_key) {
    twx_set_document representative;
    *ret_key = NULL;
    if (!twx_flag_known(row, rep)) return TWX_OK;
    const twx_rc rc = twx_store_set_resolve(&f->set, f->member, row->v[rep], &representative);
    if (rc != TWX_OK) return rc;
    *key = twx_store_set_key(&f->set, representative);
    *ret_key = key;
    return TWX_OK;
}

static twx_rc add_document(finding *f, twx_slice host, const twx_flag_row *row) {
    twx_mirror_entry e = {
        .host = host, .survive = !twx_flag_known(row, TWX_FLAG_duplicate_of), .n = 1};
    uint64_t exact = 0, near = 0;
    twx_rc rc = group_of(f, row, TWX_FLAG_exact_rep, &exact, &e.exact);
    if (rc == TWX_OK) rc = group_of(f, row, TWX_FLAG_near_rep, &near, &e.near);
    return rc == TWX_OK ? twx_mirror_intake_add(f->job->cx, &f->in, &e) : rc;
}

static twx_rc take_document(void *arg, const twx_stored *stored) {
    finding *f = arg;
    twx_facts facts;
    const twx_flag_row *row = NULL;
    if (f->seen++ % PROGRESS_EVERY == 0)
        twx_job_progress(f->job, "read flags", "documents", f->seen - 1, f->total);
    twx_rc rc = f->seen % PROGRESS_EVERY == 0 ? twx_cancelled(f->job->cx) : TWX_OK;
    if (rc == TWX_OK) rc = twx_facts_unpack(f->job->cx, stored->facts, &facts);
    if (rc == TWX_OK) rc = twx_flags_cursor_of(&f->flags, stored->doc, &row);
    if (rc != TWX_OK || !row || row->v[TWX_FLAG_eligibility] != TWX_ELIGIBLE || facts.host.n == 0)
        return rc;
    return add_document(f, facts.host, row);
}

static twx_rc name_list(finding *f) {
    char *title = twx_job_title(f->job);
    twx_slice copy = {NULL, 0};
    if (!title) return TWX_E_NOMEM;
    const twx_rc rc = twx_arena_copy(f->job->cx, &f->list->names, twx_slice_of(title), &copy);
    if (rc == TWX_OK) f->list->store = copy.p;
    twx_free(title);
    return rc;
}

static twx_rc read_member(finding *f, uint32_t member) {
    const twx_set_member *m = &f->set.at[member];
    f->member = member;
    twx_rc rc = twx_flags_cursor_init(f->job->cx, m->o.generations, m->state.generation, &f->flags);
    if (rc == TWX_OK) rc = twx_signatures_each(m->o.signatures, true, take_document, f);
    twx_flags_cursor_done(&f->flags);
    return rc;
}

/* Everything is read in one transaction of each store: flags that are published meanwhile would not
 * match what was read before. */
static twx_rc read_documents(finding *f) {
    twx_rc rc = twx_store_set_open(f->job, 0, &f->set);
    if (rc == TWX_OK) rc = twx_store_set_warn(&f->set);
    if (rc == TWX_OK) rc = twx_store_set_pin(&f->set);
    for (size_t i = 0; rc == TWX_OK && i < f->set.n; i++) {
        uint64_t n = 0;
        rc = twx_signatures_count(f->set.at[i].o.signatures, &n);
        f->total += n;
    }
    for (uint32_t i = 0; rc == TWX_OK && i < f->set.n; i++) rc = read_member(f, i);
    if (rc == TWX_OK) rc = name_list(f);
    twx_store_set_done(&f->set);
    return rc;
}

static twx_rc find(finding *f) {
    const twx_settings *s = f->job->settings;
    twx_rc rc = twx_mirror_intake_find(f->job->cx, &f->in, s->mirrors_ratio_ppm,
                                       s->mirrors_min_documents, &f->list->found);
    if (rc == TWX_OK && f->list->found.rows.n == 0 && s->exact_scope != TWX_SCOPE_STORE &&
        s->near_scope != TWX_SCOPE_STORE)
        twx_job_message(f->job, TWINDEX_NOTE,
                        "exact.scope and near.scope confine groups to a host or a domain, so "
                        "mirrors beyond it cannot be found");
    return rc;
}

/* ---- keeping ------------------------------------------------------------ */

static int by_host(const void *a, const void *b) {
    const twx_host_mirror *x = a, *y = b;
    return twx_slice_cmp(x->host, y->host);
}

static size_t n_stores(const twx_job *job) {
    return job->n_stores ? job->n_stores : 1;
}

/* The job of one of the stores. */
static twx_job job_of(const twx_job *all, size_t i) {
    twx_job job = *all;
    if (all->n_stores) job.store = all->stores[i];
    job.n_stores = 0;
    return job;
}

static twx_rc write_to(const twx_job *job, const twx_host_mirror *rows, size_t n) {
    twx_opened o = {0};
    bool written = false;
    twx_rc rc = twx_open_store(job, TWX_NEED_RESULTS | TWX_NEED_TABLES | TWX_NEED_SOUND, &o);
    if (rc == TWX_OK) rc = twx_host_mirrors_keep(o.writer, rows, n, &written);
    twx_opened_done(&o);
    return rc;
}

/* Each store gets the whole list: rules ask its own table. */
static twx_rc write_rows(finding *f) {
    const size_t n = f->list->found.rows.n;
    twx_host_mirror *rows = twx_calloc(f->job->cx, n + 1, sizeof *rows);
    twx_rc rc = rows ? TWX_OK : TWX_E_NOMEM;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        const twx_mirror *m = &f->list->found.rows.at[i];
        rows[i] = (twx_host_mirror){.host = f->list->hosts.at[m->host],
                                    .mirror_of = f->list->hosts.at[m->mirror_of],
                                    .level = twx_mirror_level_name(m->level),
                                    .shared = m->shared,
                                    .documents = m->documents,
                                    .ratio_ppm = m->ratio_ppm};
    }
    if (rc == TWX_OK && n) qsort(rows, n, sizeof *rows, by_host);
    for (size_t i = 0; rc == TWX_OK && i < n_stores(f->job); i++) {
        const twx_job job = job_of(f->job, i);
        rc = write_to(&job, rows, n);
    }
    twx_free(rows);
    return rc;
}

/* [R2] Does the error mean that the file cannot be written at present, or not by this process? */
static bool is_refusal(twx_rc rc) {
    return rc == TWX_E_BUSY || rc == TWX_E_CREATE || rc == TWX_E_IO || rc == TWX_E_FULL ||
           rc == TWX_E_NOSTORE;
}

/* Turns such an error into a warning. */
static twx_rc forgive(finding *f, twx_rc rc) {
    if (!is_refusal(rc)) return rc;
    twx_job_message(f->job, TWINDEX_WARNING,
                    "%s; the mirrors are not stored in twindex_host_mirror", f->job->cx->message);
    twx_ctx_clear(f->job->cx);
    return TWX_OK;
}

static void begin(finding *f) {
    f->list->store = f->job->store;
    f->list->ratio_ppm = f->job->settings->mirrors_ratio_ppm;
    f->list->min_documents = f->job->settings->mirrors_min_documents;
    twx_mirror_intake_init(&f->in, &f->list->names, &f->list->hosts);
}

static void done(finding *f) {
    twx_mirror_intake_done(&f->in);
    twx_store_set_done(&f->set);
}

twx_rc twx_see_mirrors(const twx_job *job, twx_mirror_list *ret_list) {
    finding f = {.job = job, .list = ret_list};
    begin(&f);
    twx_rc rc = read_documents(&f);
    if (rc == TWX_OK) rc = find(&f);
    done(&f);
    return rc;
}

/* The locks are taken first, so that the stored mirrors belong to the flags that are published
 * then. ret_locks: one for each store; after an error all are released. */
static twx_rc lock_all(const twx_job *all, twx_lock **ret_locks) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < n_stores(all); i++) {
        const twx_job job = job_of(all, i);
        rc = twx_lock_take(job.cx, twx_own_path(&job), &ret_locks[i]);
    }
    for (size_t i = 0; rc != TWX_OK && i < n_stores(all); i++) {
        twx_lock_release(ret_locks[i], rc);
        ret_locks[i] = NULL;
    }
    return rc;
}

twx_rc twx_find_mirrors(const twx_job *job, twx_mirror_list *ret_list) {
    finding f = {.job = job, .list = ret_list};
    twx_lock **locks = twx_calloc(job->cx, n_stores(job), sizeof *locks);
    if (!locks) return TWX_E_NOMEM;
    begin(&f);
    twx_rc rc = forgive(&f, lock_all(job, locks)), written = TWX_OK;
    if (rc == TWX_OK) rc = read_documents(&f);
    if (rc == TWX_OK) rc = find(&f);
    if (rc == TWX_OK && locks[0]) {
        written = write_rows(&f);
        ret_list->kept = written == TWX_OK;
        rc = forgive(&f, written);
    }
    for (size_t i = 0; i < n_stores(job); i++)
        twx_lock_release(locks[i], rc == TWX_OK ? written : rc);
    twx_free(locks);
    done(&f);
    return rc;
}
