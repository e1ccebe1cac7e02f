#include "run/foreign.h"

#include <stdlib.h>

/* ---- numbers ------------------------------------------------------------- */

/* The id of a document of a member; its bytes are borrowed until twx_signatures_release(). */
static twx_rc id_of(const twx_member *m, int64_t doc, twx_value *ret_id) {
    *ret_id = (twx_value){.type = TWX_INT, .i = doc};
    return twx_source_is_direct(m->o.source) ? TWX_OK
                                             : twx_document_id(m->o.signatures, doc, ret_id);
}

static int by_number(const void *a, const void *b) {
    const twx_elsewhere *x = a, *y = b;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static int by_index(const void *a, const void *b) {
    const twx_elsewhere *x = a, *y = b;
    return (x->index > y->index) - (x->index < y->index);
}

/* Documents that collide get lower numbers, in order of index. */
static twx_rc make_distinct(twx_ctx *cx, twx_judgement *j) {
    twx_elsewhere *at = j->elsewhere.at;
    const size_t n = j->elsewhere.n;
    if (n < 2) return TWX_OK;
    qsort(at, n, sizeof *at, by_number);
    for (size_t i = n - 1; i-- > 0;) {
        if (at[i].number < at[i + 1].number) continue;
        if (at[i + 1].number <= INT64_MIN + 1)
            return twx_fail(cx, TWX_E_INTERNAL, "no number is left for a document");
        at[i].number = at[i + 1].number - 1;
    }
    qsort(at, n, sizeof *at, by_index);
    return TWX_OK;
}

twx_rc twx_foreign_find(const twx_members *members, twx_judgement *j) {
    twx_ctx *cx = members->job->cx;
    if (members->at.n == 1) return TWX_OK;
    twx_rc rc = twx_find_elsewhere(cx, j);
    for (size_t k = 0; rc == TWX_OK && k < j->elsewhere.n; k++) {
        const twx_doc_row *entry = &j->docs.at.at[j->elsewhere.at[k].index];
        const twx_member *home = members->at.at[entry->member];
        twx_value id;
        rc = id_of(home, entry->doc, &id);
        if (rc == TWX_OK) j->elsewhere.at[k].number = twx_remote_number(home->shard, &id);
        if (rc == TWX_OK && k % 4096 == 0) rc = twx_cancelled(cx);
        twx_signatures_release(home->o.signatures);
    }
    if (rc == TWX_DONE)
        rc = twx_fail(cx, TWX_E_BUSY, "ids of documents were removed while they were judged");
    return rc == TWX_OK ? make_distinct(cx, j) : rc;
}

/* ---- rows ---------------------------------------------------------------- */

void twx_foreign_init(const twx_members *members, const twx_judgement *j, const twx_member *of,
                      twx_foreign *ret_foreign) {
    *ret_foreign = (twx_foreign){.members = members, .j = j, .of = of};
    twx_arena_init(&ret_foreign->bytes, 1 << 16);
}

void twx_foreign_done(twx_foreign *f) {
    TWX_VEC_DONE(&f->used);
    twx_arena_done(&f->bytes);
}

static twx_rc rewind_rows(void *arg) {
    twx_foreign *f = arg;
    const twx_judgement *j = f->j;
    twx_ctx *cx = f->members->job->cx;
    f->at = f->used.n = 0;
    if (j->elsewhere.n == 0) return TWX_OK;
    uint8_t *used = twx_calloc(cx, j->elsewhere.n, 1);
    twx_rc rc = used ? TWX_OK : TWX_E_NOMEM;
    for (size_t at = 0; rc == TWX_OK && at < f->of->judged.n; at++)
        twx_mark_elsewhere(j, twx_judged_index(&f->of->judged, at), used);
    for (size_t k = 0; rc == TWX_OK && k < j->elsewhere.n; k++)
        if (used[k] && !TWX_VEC_PUSH(cx, &f->used, j->elsewhere.at[k])) rc = TWX_E_NOMEM;
    twx_free(used);
    if (rc == TWX_OK && f->used.n > 1) qsort(f->used.at, f->used.n, sizeof *f->used.at, by_number);
    return rc;
}

/* The normal URL of a document, if it is kept completely. */
static twx_rc add_url(twx_foreign *f, const twx_member *home, const twx_doc_row *entry,
                      twx_remote *row) {
    twx_stored stored;
    twx_rc rc = twx_signatures_get(home->o.signatures, entry->doc, &stored);
    if (rc == TWX_DONE) return TWX_OK; /* deleted since */
    if (rc != TWX_OK) return rc;
    const twx_slice url = twx_facts_url(stored.facts);
    if (url.n == entry->url_length)
        rc = twx_arena_copy(f->members->job->cx, &f->bytes, url, &row->url);
    return rc;
}

static twx_rc next_row(void *arg, twx_remote *ret_row) {
    twx_foreign *f = arg;
    if (f->at == f->used.n) return TWX_DONE;
    const twx_elsewhere *e = &f->used.at[f->at++];
    const twx_doc_row *entry = &f->j->docs.at.at[e->index];
    const twx_member *home = f->members->at.at[entry->member];
    twx_remote row = {.doc = e->number, .shard = home->shard};
    twx_arena_reset(&f->bytes);
    twx_rc rc = id_of(home, entry->doc, &row.id);
    if (rc == TWX_DONE)
        rc = twx_fail(f->members->job->cx, TWX_E_BUSY,
                      "%s: the id of a document was removed while it was judged", home->job.store);
    if (rc == TWX_OK)
        rc = twx_arena_copy(f->members->job->cx, &f->bytes, row.id.bytes, &row.id.bytes);
    if (rc == TWX_OK) rc = add_url(f, home, entry, &row);
    twx_signatures_release(home->o.signatures);
    if (rc == TWX_OK) *ret_row = row;
    return rc;
}

twx_remote_rows twx_foreign_rows(twx_foreign *f) {
    return (twx_remote_rows){f, rewind_rows, next_row};
}

twx_rc twx_foreign_is_published(twx_foreign *f, bool *ret_published) {
    twx_remote_changes changes;
    twx_remote_change change;
    const twx_remote_rows rows = twx_foreign_rows(f);
    twx_db *db = twx_member_published_db(f->of);
    *ret_published = false;
    if (!db || !f->of->state.generation) return TWX_OK;
    twx_rc rc = twx_remote_changes_init(&rows, db, f->of->state.generation, &changes);
    if (rc != TWX_OK) return rc;
    rc = twx_remote_changes_next(&changes, &change);
    twx_remote_changes_done(&changes);
    *ret_published = rc == TWX_DONE;
    return rc == TWX_DONE ? TWX_OK : rc;
}
