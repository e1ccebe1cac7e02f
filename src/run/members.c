#include "run/members.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"

/* ---- list and lock ------------------------------------------------------- */

static int by_path(const void *a, const void *b) {
    const twx_member *x = *(twx_member *const *)a, *y = *(twx_member *const *)b;
    return strcmp(x->path, y->path);
}

static twx_rc add_member(twx_members *all, const char *store) {
    twx_ctx *cx = all->job->cx;
    twx_member *m = twx_calloc(cx, 1, sizeof *m);
    if (!m) return TWX_E_NOMEM;
    m->job = *all->job;
    m->job.store = store;
    m->options = all->options;
    twx_arena_init(&m->names, 0);
    if (!TWX_VEC_PUSH(cx, &all->at, m)) {
        twx_free(m);
        return TWX_E_NOMEM;
    }
    m->path = twx_db_resolve(cx, store);
    if (m->path || cx->rc != TWX_E_NOSTORE) return m->path ? TWX_OK : cx->rc;
    twx_ctx_clear(cx); /* locking it reports that it is missing */
    m->path = twx_strdup(cx, store);
    return m->path ? TWX_OK : TWX_E_NOMEM;
}

typedef struct named_file {
    dev_t device;
    ino_t inode;
    size_t at; /* the member */
} named_file;

static int by_file(const void *a, const void *b) {
    const named_file *x = a, *y = b;
    if (x->device != y->device) return x->device < y->device ? -1 : 1;
    if (x->inode != y->inode) return x->inode < y->inode ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* [R2] Files that do not exist are left to the open. */
static twx_rc check_distinct(const twx_members *all) {
    const size_t members = all->at.n;
    size_t n = 0, second = members, first = 0; /* the first member whose file was named before */
    struct stat st;
    named_file *files = twx_calloc(all->job->cx, members ? members : 1, sizeof *files);
    if (!files) return TWX_E_NOMEM;
    for (size_t i = 0; i < members; i++)
        if (stat(all->at.at[i]->path, &st) == 0)
            files[n++] = (named_file){.device = st.st_dev, .inode = st.st_ino, .at = i};
    qsort(files, n, sizeof *files, by_file);
    for (size_t i = 1; i < n; i++)
        if (files[i].device == files[i - 1].device && files[i].inode == files[i - 1].inode &&
            files[i].at < second) {
            first = files[i - 1].at;
            second = files[i].at;
        }
    twx_free(files);
    return second == members
               ? TWX_OK
               : twx_fail(all->job->cx, TWX_E_USAGE,
                          "%s and %s are the same file: name each store once",
                          all->at.at[first]->job.store, all->at.at[second]->job.store);
}

static twx_rc check_possible(const twx_members *all) {
    twx_ctx *cx = all->job->cx;
    if (all->at.n > UINT16_MAX) return twx_fail(cx, TWX_E_LIMIT, "more than %d stores", UINT16_MAX);
    if (all->at.n > 1 && twx_is_separate(all->job))
        return twx_fail(cx, TWX_E_USAGE,
                        "--flags %s: one file cannot hold the flags of several stores",
                        twx_own_path(all->job));
    if (all->at.n > 1 && all->options->rules)
        return twx_fail(cx, TWX_E_USAGE,
                        "--rules: a dry run tries rules on one store; name only one");
    return check_distinct(all);
}

static twx_rc lock_member(twx_member *m) {
    struct stat st;
    if (stat(m->path, &st) != 0)
        return twx_fail(m->job.cx, TWX_E_NOSTORE, "%s: no such store", m->job.store);
    return m->options->dry_run ? TWX_OK : twx_lock_take(m->job.cx, twx_own_path(&m->job), &m->lock);
}

/* ---- leaving out --------------------------------------------------------- */

/* Whether an error can be that of one store alone. */
static bool is_of_store(twx_rc rc) {
    switch (rc) {
    case TWX_E_DATA:
    case TWX_E_CONFIG:
    case TWX_E_LIMIT:
    case TWX_E_CORRUPT:
    case TWX_E_NOSTORE:
    case TWX_E_CREATE:
    case TWX_E_IO:
    case TWX_E_FULL:
    case TWX_E_BUSY:
    case TWX_E_SUPERSEDED: return true;
    default: return false;
    }
}

twx_rc twx_members_leave_out(twx_members *all, size_t i, twx_rc rc) {
    twx_ctx *cx = all->job->cx;
    if (rc == TWX_OK || !all->options->skip_broken || i >= all->at.n || all->at.n == 1 ||
        !is_of_store(rc))
        return rc;
    twx_member *m = all->at.at[i];
    twx_job_message(all->job, TWINDEX_WARNING, "%s is left out: %s", m->job.store, cx->message);
    const twx_rc noted = twx_summary_left_out(cx, all->summary, m->job.store, cx->message);
    twx_ctx_clear(cx);
    twx_member_close(m, rc);
    twx_free(m);
    memmove(&all->at.at[i], &all->at.at[i + 1], (all->at.n - i - 1) * sizeof *all->at.at);
    all->at.n--;
    return noted;
}

/* Calls fn for each member. */
static twx_rc each(twx_members *all, twx_rc (*fn)(twx_member *m, twx_summary *summary)) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < all->at.n;) {
        const size_t n = all->at.n;
        rc = twx_members_leave_out(all, i, fn(all->at.at[i], all->summary));
        i += all->at.n == n;
    }
    return rc;
}

static twx_rc lock_each(twx_member *m, twx_summary *summary) {
    (void)summary;
    return lock_member(m);
}

twx_rc twx_members_begin(const twx_job *job, const twindex_run_options *options,
                         twx_summary *summary, twx_members *members) {
    *members = (twx_members){.job = job, .options = options, .summary = summary};
    const char *const *stores = job->n_stores ? job->stores : &job->store;
    const size_t n = job->n_stores ? job->n_stores : 1;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) rc = add_member(members, stores[i]);
    if (rc == TWX_OK) rc = check_possible(members);
    if (rc != TWX_OK) return rc;
    if (members->at.n > 1) qsort(members->at.at, members->at.n, sizeof *members->at.at, by_path);
    return each(members, lock_each); /* [R1] */
}

/* ---- names --------------------------------------------------------------- */

/* The last n components of a path; the whole path if it has no more. */
static twx_slice end_of(const char *path, size_t n) {
    const char *from = path + strlen(path);
    while (from > path && (from[-1] != '/' || --n > 0)) from--;
    return twx_slice_of(from);
}

/* Whether another store has this name, or may take it as the last n components of its path; n 0:
 * only stored names count. */
static bool is_taken(const twx_members *all, const twx_member *m, twx_slice name, size_t n) {
    for (size_t i = 0; i < all->at.n; i++) {
        const twx_member *other = all->at.at[i];
        const bool named = other->place.shard.p != NULL;
        if (other == m || (!named && n == 0)) continue;
        if (twx_slice_eq(named ? other->place.shard : end_of(other->path, n), name)) return true;
    }
    return false;
}

/* [R3] */
static twx_rc name_member(const twx_members *all, twx_member *m) {
    m->shard = m->place.shard;
    bool found = m->shard.p && !is_taken(all, m, m->shard, 0);
    for (size_t n = 1; !m->place.shard.p && !found && m->shard.p != m->path; n++) {
        m->shard = end_of(m->path, n);
        found = !is_taken(all, m, m->shard, n);
    }
    if (found) return TWX_OK;
    return twx_fail(all->job->cx, TWX_E_DATA,
                    "%s: another store of this run has its name too (" TWX_SLICE_FMT
                    "): if it is a copy, name one of them only; otherwise change the column shard "
                    "of twindex_collection in one of them with sqlite3",
                    m->job.store, TWX_SLICE_ARG(m->shard));
}

static int by_name(const void *a, const void *b) {
    const twx_slice x = (*(twx_member *const *)a)->shard, y = (*(twx_member *const *)b)->shard;
    const int order = memcmp(x.p, y.p, x.n < y.n ? x.n : y.n);
    return order ? order : (x.n > y.n) - (x.n < y.n);
}

/* [R4] */
static twx_rc name_members(twx_members *all) {
    twx_rc rc = TWX_OK;
    if (all->at.n == 1) return TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < all->at.n; i++) rc = name_member(all, all->at.at[i]);
    if (rc == TWX_OK) qsort(all->at.at, all->at.n, sizeof *all->at.at, by_name);
    return rc;
}

/* Statistics are those of one store, so the result would depend on which store has a document. */
static twx_rc check_detectors(const twx_members *all) {
    if (all->at.n == 1 || !all->at.at[0]->sign.params.collection) return TWX_OK;
    return twx_fail(all->job->cx, TWX_E_CONFIG,
                    "near.detector = %s, with these settings, needs statistics of the whole "
                    "collection, which a run over several stores does not make: choose another "
                    "one ('twindex detectors')",
                    all->job->settings->near_detector);
}

twx_rc twx_members_open(twx_members *members) {
    twx_rc rc = each(members, twx_member_open);
    if (rc == TWX_OK) rc = check_detectors(members);
    return rc == TWX_OK ? name_members(members) : rc;
}

static twx_rc sign_each(twx_member *m, twx_summary *summary) {
    if (m->stored) return TWX_OK;
    const twx_rc rc = twx_member_compare(m, summary);
    return rc == TWX_OK ? twx_member_sign(m, NULL, summary) : rc;
}

twx_rc twx_members_sign(twx_members *members) {
    return each(members, sign_each);
}

void twx_members_done(twx_members *members, twx_rc rc) {
    for (size_t i = 0; i < members->at.n; i++) {
        twx_member_close(members->at.at[i], rc);
        twx_free(members->at.at[i]);
    }
    TWX_VEC_DONE(&members->at);
}
