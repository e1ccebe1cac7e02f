#include "run/pending.h"

#include <stdlib.h>

#include "judge/facts.h"
#include "sign/record.h"
#include "store/turn.h"

enum { BYTES_MAX = 1 << 30 };

void twx_pending_init(twx_pending *p) {
    *p = (twx_pending){0};
    twx_buf_init(&p->bytes, BYTES_MAX);
}

void twx_pending_done(twx_pending *p) {
    if (!p) return;
    TWX_VEC_DONE(&p->rows);
    TWX_VEC_DONE(&p->gone);
    twx_buf_done(&p->bytes);
}

static void clear(twx_pending *p) {
    p->rows.n = p->gone.n = 0;
    twx_buf_clear(&p->bytes);
}

static twx_rc add_bytes(twx_ctx *cx, twx_pending *p, twx_slice bytes, size_t *ret_at) {
    *ret_at = p->bytes.n;
    return twx_buf_add_slice(cx, &p->bytes, bytes);
}

twx_rc twx_pending_add(twx_ctx *cx, twx_pending *p, const twx_batch *b) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < b->rows.n; i++) {
        const twx_batch_row *from = &b->rows.at[i];
        twx_pending_row row = {.has_doc = from->has_doc,
                               .has_token = from->has_token,
                               .doc = from->doc,
                               .token = from->token,
                               .id = from->column[TWX_COL_ID],
                               .facts_n = from->facts_n,
                               .keys_n = from->keys_n};
        twx_slice made = twx_buf_slice(&b->made);
        if (!row.has_doc) rc = add_bytes(cx, p, row.id.bytes, &row.id_at);
        if (rc == TWX_OK)
            rc = add_bytes(cx, p,
                           twx_slice_sub(made, from->facts_at, from->facts_at + from->facts_n),
                           &row.facts_at);
        if (rc == TWX_OK)
            rc = add_bytes(cx, p, twx_slice_sub(made, from->keys_at, from->keys_at + from->keys_n),
                           &row.keys_at);
        if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &p->rows, row)) rc = TWX_E_NOMEM;
    }
    return rc;
}

/* a: as it is stored. */
static bool is_stored(const twx_stored *a, const twx_stored *b) {
    return a->has_token == b->has_token && (!a->has_token || a->token == b->token) &&
           a->fingerprint == b->fingerprint && twx_slice_eq(a->facts, b->facts) &&
           twx_slice_eq(a->keys, b->keys);
}

static twx_rc note(twx_ctx *cx, twx_docs *docs, int64_t doc) {
    return !docs || TWX_VEC_PUSH(cx, docs, doc) ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc write_row(twx_ctx *cx, twx_pending *p, const twx_pending_row *row,
                        const twx_pending_write *how, twx_sign_counts *counts) {
    twx_signatures *signatures = how->opened->signatures;
    twx_stored fresh = {.doc = row->doc,
                        .has_token = row->has_token,
                        .token = row->token,
                        .fingerprint = how->fingerprint,
                        .facts = {p->bytes.p + row->facts_at, row->facts_n},
                        .keys = {p->bytes.p + row->keys_at, row->keys_n}};
    twx_stored stored;
    twx_rc rc = TWX_OK;
    if (!row->has_doc) {
        twx_value id = row->id;
        id.bytes.p = p->bytes.p + row->id_at;
        rc = twx_document_make(signatures, &id, &fresh.doc);
        if (rc == TWX_OK) rc = note(cx, how->seen, fresh.doc);
    }
    if (rc != TWX_OK) return rc;
    rc = how->compare ? twx_signatures_get(signatures, fresh.doc, &stored) : TWX_DONE;
    if (rc == TWX_OK && is_stored(&stored, &fresh)) return TWX_OK;
    if (rc == TWX_E_CORRUPT) twx_ctx_clear(cx); /* it is replaced */
    if (rc != TWX_OK && rc != TWX_DONE && rc != TWX_E_CORRUPT) return rc;
    counts->written++;
    rc = note(cx, how->changed, fresh.doc);
    return rc == TWX_OK ? twx_signatures_put(signatures, &fresh) : rc;
}

/* One turn; *done rows and gone documents have been written before. */
static twx_rc write_turn(twx_ctx *cx, twx_pending *p, const twx_pending_write *how,
                         twx_sign_counts *counts, size_t *done) {
    twx_db *writer = how->opened->writer;
    twx_signatures *signatures = how->opened->signatures;
    const size_t n = p->rows.n;
    const uint64_t before = counts->written + counts->deleted;
    twx_rc rc = twx_turn_begin(writer);
    for (; rc == TWX_OK && *done < n && !twx_turn_is_over(writer); ++*done)
        rc = write_row(cx, p, &p->rows.at[*done], how, counts);
    for (; rc == TWX_OK && *done >= n && *done < n + p->gone.n && !twx_turn_is_over(writer);
         ++*done) {
        rc = twx_signatures_delete(signatures, p->gone.at[*done - n]);
        if (rc == TWX_OK) rc = note(cx, how->changed, p->gone.at[*done - n]);
        counts->deleted++;
    }
    twx_signatures_release(signatures);
    /* the published flags are no longer those of the signatures */
    if (rc == TWX_OK && counts->written + counts->deleted > before)
        rc = twx_state_set_judged(how->opened->generations, NULL);
    return twx_turn_end(writer, rc, *done < n + p->gone.n);
}

/* A damaged row is no change of a document: it is an error here, as where it is judged. */
static twx_rc check_sound(twx_ctx *cx, const twx_stored *stored) {
    twx_facts facts;
    twx_record_entry entry = {0};
    twx_slice rest = stored->keys;
    twx_rc rc = twx_facts_unpack(cx, stored->facts, &facts);
    while (rc == TWX_OK) rc = twx_record_next(cx, &rest, &entry);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* The same without writing. */
static twx_rc look_at_rows(twx_ctx *cx, const twx_pending *p, const twx_pending_write *how) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < p->rows.n; i++) {
        const twx_pending_row *row = &p->rows.at[i];
        const twx_slice facts = {p->bytes.p + row->facts_at, row->facts_n},
                        keys = {p->bytes.p + row->keys_at, row->keys_n};
        twx_stored stored;
        rc = twx_signatures_get(how->opened->signatures, row->doc, &stored);
        if (rc == TWX_OK && twx_slice_eq(stored.facts, facts) && twx_slice_eq(stored.keys, keys))
            continue;
        if (rc == TWX_OK) rc = check_sound(cx, &stored);
        if (rc == TWX_OK || rc == TWX_DONE) rc = note(cx, how->changed, row->doc);
    }
    twx_signatures_release(how->opened->signatures);
    for (size_t i = 0; rc == TWX_OK && i < p->gone.n; i++)
        rc = note(cx, how->changed, p->gone.at[i]);
    return rc;
}

/* By document; those without a number after all others, in the order in which they were added. */
static int in_order_of_documents(const void *a, const void *b) {
    const twx_pending_row *x = a, *y = b;
    if (x->has_doc != y->has_doc) return x->has_doc ? -1 : 1;
    if (x->has_doc && x->doc != y->doc) return x->doc < y->doc ? -1 : 1;
    return (x->facts_at > y->facts_at) - (x->facts_at < y->facts_at);
}

/* Workers finish their batches in any order. Rows that are added to a table in the order of its key
 * fill its pages. */
static void sort_rows(twx_pending *p) {
    size_t sorted = 1;
    while (sorted < p->rows.n &&
           in_order_of_documents(&p->rows.at[sorted - 1], &p->rows.at[sorted]) < 0)
        sorted++;
    if (sorted < p->rows.n) qsort(p->rows.at, p->rows.n, sizeof *p->rows.at, in_order_of_documents);
}

twx_rc twx_pending_flush(twx_ctx *cx, twx_pending *p, const twx_pending_write *how,
                         twx_sign_counts *counts) {
    sort_rows(p);
    twx_rc rc = how->look ? look_at_rows(cx, p, how) : TWX_OK;
    for (size_t done = 0; rc == TWX_OK && !how->look && done < p->rows.n + p->gone.n;) {
        rc = write_turn(cx, p, how, counts, &done);
        if (rc == TWX_OK) rc = twx_cancelled(cx);
    }
    clear(p);
    return rc;
}
