#include "run/internal.h"

twx_rc twx_published_state(const twx_job *job, twx_opened *o, twx_state *ret_state) {
    twx_rc rc = twx_state_read(o->generations, ret_state);
    if (rc == TWX_OK && !ret_state->generation)
        rc = twx_fail(job->cx, TWX_E_DATA,
                      "%s: no run has published flags yet: run 'twindex run' first",
                      twx_own_path(job));
    return rc;
}

static twx_rc read_state(twx_store_set *s, twx_set_store *m) {
    const twx_rc rc = twx_published_state(&m->job, &m->o, &m->state);
    return rc == TWX_OK ? twx_store_place_read(m->o.writer, &s->names, &m->place) : rc;
}

static int64_t run_of(const twx_set_store *m) {
    return m->place.run[m->state.generation == 'b'];
}

/* [R1] */
static twx_rc check_one_run(const twx_store_set *s) {
    const twx_set_store *first = &s->at[0];
    for (size_t i = 0; s->n > 1 && i < s->n; i++) {
        const twx_set_store *m = &s->at[i];
        if (run_of(m) == 0)
            return twx_fail(s->job->cx, TWX_E_DATA,
                            "%s has the flags of a run of this store alone: 'twindex run' with all "
                            "of the stores first",
                            m->job.store);
        if (run_of(m) != run_of(first))
            return twx_fail(s->job->cx, TWX_E_DATA,
                            "%s and %s have the flags of different runs: 'twindex run' with all of "
                            "the stores first; try again if one is at work; after an undo, undo "
                            "each of them",
                            first->job.store, m->job.store);
    }
    return TWX_OK;
}

TWX_ORDER(by_shard, twx_set_store, twx_slice_cmp(a->place.shard, b->place.shard))

/* [R2] A copy of a store, and a store that is named twice, have one name. */
static twx_rc order_stores(twx_store_set *s) {
    if (s->n == 1) return TWX_OK;
    qsort(s->at, s->n, sizeof *s->at, by_shard);
    for (size_t i = 0; i < s->n; i++) {
        s->at[i].shard = s->at[i].place.shard;
        if (i > 0 && twx_slice_eq(s->at[i].shard, s->at[i - 1].shard))
            return twx_fail(s->job->cx, TWX_E_USAGE,
                            "%s and %s are both the store " TWX_SLICE_FMT
                            " of the collection, or one is a copy: name each store once",
                            s->at[i - 1].job.store, s->at[i].job.store,
                            TWX_SLICE_ARG(s->at[i].shard));
    }
    return TWX_OK;
}

twx_rc twx_store_set_open(const twx_job *job, unsigned needs, twx_store_set *ret_set) {
    const size_t n = job->n_stores ? job->n_stores : 1;
    twx_store_set *s = ret_set;
    *s = (twx_store_set){.job = job};
    if (n > UINT16_MAX) return twx_fail(job->cx, TWX_E_LIMIT, "more than %d stores", UINT16_MAX);
    if (n > 1 && twx_is_separate(job))
        return twx_fail(job->cx, TWX_E_USAGE,
                        "--flags %s: one file cannot hold the flags of several stores",
                        twx_own_path(job));
    s->at = twx_calloc(job->cx, n, sizeof *s->at);
    twx_rc rc = s->at ? TWX_OK : TWX_E_NOMEM;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        s->at[i].job = *job;
        s->at[i].job.store = n > 1 ? job->stores[i] : job->store;
        s->at[i].job.n_stores = 0;
        s->n = i + 1;
        rc = twx_open_store(&s->at[i].job, needs | TWX_NEED_RESULTS, &s->at[i].o);
        if (rc == TWX_OK) rc = read_state(s, &s->at[i]);
    }
    if (rc == TWX_OK) rc = check_one_run(s);
    return rc == TWX_OK ? order_stores(s) : rc;
}

void twx_store_set_done(twx_store_set *s) {
    if (!s) return;
    for (size_t i = 0; i < s->n; i++) twx_opened_done(&s->at[i].o);
    twx_free(s->at);
    twx_arena_done(&s->names);
    twx_map64_done(&s->known);
    TWX_VEC_DONE(&s->resolved);
    *s = (twx_store_set){0};
}

twx_rc twx_store_set_pin(twx_store_set *s) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < s->n; i++) {
        rc = twx_db_pin(s->at[i].o.writer);
        if (rc == TWX_OK) rc = read_state(s, &s->at[i]);
    }
    return rc == TWX_OK ? check_one_run(s) : rc;
}

twx_rc twx_store_set_kept(const twx_store_set *s) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < s->n; i++)
        rc = twx_result_kept(&s->at[i].job, &s->at[i].o, &s->at[i].state);
    return rc;
}

bool twx_store_set_has_earlier(const twx_store_set *s) {
    for (size_t i = 0; i < s->n; i++)
        if (!s->at[i].state.run[0] || !s->at[i].state.run[1]) return false;
    return s->n > 0;
}

typedef struct missing {
    const twx_store_set *set;
    uint32_t store;
    twx_missing_fn *fn;
    void *arg;
    bool enough;
} missing;

static twx_rc take_shard(void *arg, const twx_value *columns) {
    missing *x = arg;
    if (twx_store_set_find(x->set, columns[0].bytes, TWX_SET_OUTSIDE) != TWX_SET_OUTSIDE)
        return TWX_OK;
    const twx_rc rc = x->fn(x->arg, x->store, columns[0].bytes, columns[1].i);
    x->enough = rc == TWX_DONE;
    return rc;
}

twx_rc twx_store_set_missing(const twx_store_set *s, twx_missing_fn *fn, void *arg) {
    missing x = {.set = s, .fn = fn, .arg = arg};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && s->n > 1 && !x.enough && i < s->n; i++) {
        const twx_set_store *m = &s->at[i];
        x.store = (uint32_t)i;
        const twx_value generation = {.type = TWX_TEXT,
                                      .bytes = m->state.generation == 'a' ? TWX_SLICE_LIT("a")
                                                                          : TWX_SLICE_LIT("b")};
        const twx_display_query question = {
            .sql = twx_display_shards, .values = &generation, .n_values = 1};
        rc = twx_display(m->o.writer, &question, take_shard, &x);
    }
    return rc;
}

static twx_rc warn(void *arg, uint32_t store, twx_slice shard, int64_t documents) {
    const twx_store_set *s = arg;
    (void)documents;
    twx_job_message(s->job, TWINDEX_WARNING,
                    "%s has duplicates of documents in %.*s, which is not named: its documents are "
                    "not counted",
                    s->at[store].job.store, (int)shard.n, shard.p);
    return TWX_DONE;
}

/* One of them is enough. */
twx_rc twx_store_set_warn(const twx_store_set *s) {
    return twx_store_set_missing(s, warn, (void *)(uintptr_t)s);
}

twx_rc twx_set_signatures_each(const twx_set_store *m, twx_stored_fn *fn, void *arg) {
    return twx_name_damaged(m->job.cx, &m->job,
                            twx_signatures_each(m->o.signatures, true, fn, arg));
}

uint32_t twx_store_set_find(const twx_store_set *s, twx_slice shard, uint32_t own) {
    if (!shard.p) return own;
    for (size_t i = 0; i < s->n; i++)
        if (s->at[i].shard.p && twx_slice_eq(s->at[i].shard, shard)) return (uint32_t)i;
    return TWX_SET_OUTSIDE;
}

/* The document of a store of the set that has this id. */
static twx_rc find_at_home(twx_store_set *s, const twx_remote *remote, twx_set_document *ret) {
    const uint32_t home = twx_store_set_find(s, remote->shard, TWX_SET_OUTSIDE);
    if (home == TWX_SET_OUTSIDE) return TWX_OK;
    twx_set_store *m = &s->at[home];
    const bool direct = m->state.id_kind[0] == 'd';
    int64_t doc = remote->id.i;
    twx_rc rc = TWX_OK;
    if (!direct) {
        rc = twx_document_find(m->o.signatures, &remote->id, &doc);
        twx_signatures_release(m->o.signatures);
    }
    if (rc == TWX_OK) *ret = (twx_set_document){doc, home};
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc resolve(twx_store_set *s, uint32_t store, int64_t doc, twx_set_document *ret) {
    twx_set_store *m = &s->at[store];
    twx_arena bytes = {0};
    twx_remote remote;
    *ret = (twx_set_document){doc, TWX_SET_OUTSIDE};
    twx_rc rc = twx_remote_get(m->o.writer, m->state.generation, doc, &bytes, &remote);
    if (rc == TWX_OK)
        rc = find_at_home(s, &remote, ret);
    else if (rc == TWX_DONE) /* an id of its own */
        ret->store = store, rc = TWX_OK;
    twx_arena_done(&bytes);
    return rc;
}

twx_rc twx_store_set_resolve(twx_store_set *s, uint32_t store, int64_t doc,
                             twx_set_document *ret_document) {
    *ret_document = (twx_set_document){doc, store};
    if (!twx_is_remote(doc)) return TWX_OK;
    twx_ctx *cx = s->job->cx;
    const uint64_t key = twx_mix64((uint64_t)doc, store);
    uint64_t at = 0;
    if (twx_map64_get(&s->known, key, &at)) {
        *ret_document = s->resolved.at[at];
        return TWX_OK;
    }
    twx_rc rc = resolve(s, store, doc, ret_document);
    if (rc == TWX_OK) rc = twx_map64_put(cx, &s->known, key, s->resolved.n);
    return rc == TWX_OK && !TWX_VEC_PUSH(cx, &s->resolved, *ret_document) ? TWX_E_NOMEM : rc;
}

uint64_t twx_store_set_key(const twx_store_set *s, twx_set_document document) {
    const uint64_t doc = (uint64_t)document.doc;
    return s->n == 1 ? doc : twx_mix64(doc, document.store);
}

twx_rc twx_store_set_add_document(twx_store_set *s, uint32_t store, int64_t doc, twx_buf *line,
                                  twx_mention *mention) {
    twx_set_document d;
    twx_rc rc = twx_store_set_resolve(s, store, doc, &d);
    if (rc != TWX_OK) return rc;
    if (d.store == TWX_SET_OUTSIDE || d.store == store)
        return twx_add_document(&s->at[store].o, doc, line, mention);
    rc = twx_add_document(&s->at[d.store].o, d.doc, line, mention);
    return rc == TWX_OK ? twx_buf_printf(s->job->cx, line, " in " TWX_SLICE_FMT,
                                         TWX_SLICE_ARG(s->at[d.store].shard))
                        : rc;
}

/* The rows of one store. */
typedef struct stream {
    twx_display_cursor cursor;
    const twx_value *row; /* NULL after the last one */
    twx_value values[8];
} stream;

static int compare(const int *order, const twx_value *a, const twx_value *b) {
    for (; *order; order++) {
        const int column = (*order < 0 ? -*order : *order) - 1;
        const int c = twx_value_compare(&a[column], &b[column]);
        if (c) return *order < 0 ? -c : c;
    }
    return 0;
}

static twx_rc begin(twx_set_store *m, const twx_set_query *query, stream *t) {
    twx_display_query q = query->display;
    if (q.n_values + query->named > TWX_COUNTOF(t->values))
        return twx_fail(m->job.cx, TWX_E_INTERNAL, "too many values of a statement");
    for (size_t i = 0; i < q.n_values; i++) t->values[i] = q.values[i];
    if (query->named)
        t->values[q.n_values++] = m->shard.p ? (twx_value){.type = TWX_TEXT, .bytes = m->shard}
                                             : (twx_value){.type = TWX_NULL};
    q.values = t->values;
    twx_rc rc = twx_display_open(m->o.writer, &q, &t->cursor);
    return rc == TWX_OK ? twx_display_next(&t->cursor, &t->row) : rc;
}

twx_rc twx_store_set_display(twx_store_set *s, const twx_set_query *query, twx_set_row_fn *fn,
                             void *arg) {
    stream *streams = twx_calloc(s->job->cx, s->n, sizeof *streams);
    twx_rc rc = streams ? TWX_OK : TWX_E_NOMEM;
    for (size_t i = 0; rc == TWX_OK && i < s->n; i++) rc = begin(&s->at[i], query, &streams[i]);
    while (rc == TWX_OK) {
        stream *first = NULL;
        for (stream *it = streams; it < streams + s->n; it++)
            if (it->row && (!first || compare(query->order, it->row, first->row) < 0)) first = it;
        if (!first) break;
        rc = fn(arg, (uint32_t)(first - streams), first->row);
        if (rc == TWX_OK) rc = twx_display_next(&first->cursor, &first->row);
    }
    for (size_t i = 0; streams && i < s->n; i++) twx_display_close(&streams[i].cursor);
    twx_free(streams);
    return rc == TWX_DONE ? TWX_OK : rc;
}
