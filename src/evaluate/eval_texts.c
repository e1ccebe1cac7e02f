#include "evaluate/eval_texts.h"

#include "base/hash64.h"
#include "base/map64.h"
#include "detect/params.h"
#include "method/method_settings.h"

enum { CONTENT_SEED = 1 };

typedef struct reading {
    const twx_job *job;
    twx_workspace *workspace;
    twx_map64 known; /* first 64 bits of a digest -> text */
    const twx_eval_reading *how;
    twx_eval_texts *texts;
} reading;

static twx_rc add_text(reading *r, const twx_source_row *row, twx_slice text, uint64_t place) {
    twx_eval_texts *t = r->texts;
    twx_eval_text made = {.scan_key = row->scan_key,
                          .place = place,
                          .content = twx_hash64(text, CONTENT_SEED),
                          .bytes = text.n};
    twx_rc rc = twx_arena_copy(r->job->cx, &t->keys, row->scan_key.bytes, &made.scan_key.bytes);
    t->bytes += text.n;
    return rc == TWX_OK && !TWX_VEC_PUSH(r->job->cx, &t->at, made) ? TWX_E_NOMEM : rc;
}

/* The index of a text. Different digests may have equal first 64 bits: they are distinguished by
 * the next 64 bits, and the later one gets another key. */
static twx_rc number_text(reading *r, const twx_source_row *row, twx_slice text,
                          uint32_t *ret_number) {
    unsigned char digest[TWX_SHA256_BYTES];
    uint64_t found = 0;
    twx_rc rc = twx_sha256(r->job->cx, r->workspace, text, digest);
    if (rc != TWX_OK) return rc;
    uint64_t key = twx_load_be64(digest), place = twx_load_be64(digest + 8);
    while (twx_map64_get(&r->known, key, &found) && r->texts->at.at[found].place != place) key++;
    rc = twx_map64_add(r->job->cx, &r->known, key, r->texts->at.n, &found);
    if (rc == TWX_OK && found >= TWX_EVAL_NO_TEXT)
        rc = twx_fail(r->job->cx, TWX_E_LIMIT, "%s has more than 4 billion different texts",
                      r->job->store);
    if (rc == TWX_OK && found == r->texts->at.n) rc = add_text(r, row, text, place);
    if (rc == TWX_OK) *ret_number = (uint32_t)found;
    return rc;
}

static twx_rc fail_changed(const twx_job *job) {
    return twx_fail(
        job->cx, TWX_E_BUSY,
        "%s: documents changed while they were evaluated: try again, or evaluate a copy",
        job->store);
}

static bool same_key(const twx_value *a, const twx_value *b) {
    return a->type == b->type &&
           (a->type == TWX_INT ? a->i == b->i : twx_value_hash(a, 0) == twx_value_hash(b, 0));
}

static twx_rc take_document(void *arg, const twx_source_row *row) {
    reading *r = arg;
    twx_eval_documents *d = r->how->documents;
    uint32_t number = TWX_EVAL_NO_TEXT, index = (uint32_t)r->texts->documents;
    twx_slice text = twx_bytes_of(&row->value[TWX_COL_TEXT]);
    if (index >= d->at.n || !same_key(&d->at.at[index].scan_key, &row->scan_key))
        return fail_changed(r->job);
    bool takes_part = twx_eval_takes_part(d, index);
    r->texts->documents++;
    twx_rc rc = text.n && takes_part ? number_text(r, row, text, &number) : TWX_OK;
    if (rc != TWX_OK) return rc;
    d->at.at[index].text = number;
    if (!takes_part)
        r->texts->not_taking_part++;
    else if (number == TWX_EVAL_NO_TEXT)
        r->texts->without_text++;
    else
        r->texts->at.at[number].documents++;
    return r->how->fn ? r->how->fn(r->how->arg, twx_bytes_of(&row->value[TWX_COL_URL]), number)
                      : TWX_OK;
}

twx_rc twx_eval_texts_read(const twx_job *job, twx_opened *o, const twx_eval_reading *how,
                           twx_eval_texts *ret_texts) {
    twx_eval_texts texts = {0};
    const twx_params params = twx_params_default();
    reading r = {.job = job, .how = how, .texts = &texts};
    twx_arena_init(&texts.keys, 0);
    twx_map64_init(&r.known, 0); /* keys are digests, so collisions cannot be crafted */
    twx_rc rc = twx_workspace_open(job->cx, &params, &r.workspace);
    if (rc == TWX_OK)
        rc = twx_scan_documents(job, o, "find the different texts", take_document, &r);
    if (rc == TWX_OK && texts.documents != how->documents->at.n) rc = fail_changed(job);
    twx_workspace_close(r.workspace);
    twx_map64_done(&r.known);
    if (rc == TWX_OK)
        *ret_texts = texts;
    else
        twx_eval_texts_done(&texts);
    return rc;
}

void twx_eval_texts_done(twx_eval_texts *t) {
    if (!t) return;
    TWX_VEC_DONE(&t->at);
    twx_arena_done(&t->keys);
}

double twx_eval_pairs_within(const twx_eval_texts *t, uint32_t i) {
    double n = t->at.at[i].documents;
    return n * (n - 1) / 2;
}

/* ---- reading them again -------------------------------------------------- */

static bool is_unchanged(const twx_eval_text *text, const twx_source_row *row) {
    twx_slice bytes = twx_bytes_of(&row->value[TWX_COL_TEXT]);
    return bytes.n == text->bytes && twx_hash64(bytes, CONTENT_SEED) == text->content;
}

typedef struct again {
    const twx_job *job;
    const twx_eval_texts *texts;
    uint32_t next; /* the text whose first document comes next */
    twx_eval_text_fn *fn;
    void *arg;
} again;

static twx_rc take_again(void *arg, const twx_source_row *row) {
    again *a = arg;
    if (a->next == a->texts->at.n) return TWX_OK;
    const twx_eval_text *text = &a->texts->at.at[a->next];
    if (!same_key(&text->scan_key, &row->scan_key)) return TWX_OK;
    return is_unchanged(text, row) ? a->fn(a->arg, a->next++, row) : fail_changed(a->job);
}

twx_rc twx_eval_texts_each(const twx_job *job, twx_opened *o, const twx_eval_texts *t,
                           twx_eval_text_fn *fn, void *arg) {
    again a = {.job = job, .texts = t, .fn = fn, .arg = arg};
    twx_rc rc = twx_scan_documents(job, o, "sign", take_again, &a);
    return rc == TWX_OK && a.next != t->at.n ? fail_changed(job) : rc;
}

typedef struct fetching {
    const twx_job *job;
    const twx_eval_text *text;
    twx_buf *out;
} fetching;

static twx_rc take_text(void *arg, const twx_source_row *row, bool *ret_enough) {
    fetching *f = arg;
    *ret_enough = true;
    if (!is_unchanged(f->text, row)) return fail_changed(f->job);
    return twx_buf_add_slice(f->job->cx, f->out, twx_bytes_of(&row->value[TWX_COL_TEXT]));
}

twx_rc twx_eval_text_fetch(const twx_job *job, twx_opened *o, const twx_eval_texts *t, uint32_t i,
                           twx_buf *out) {
    fetching f = {.job = job, .text = &t->at.at[i], .out = out};
    twx_rc rc = twx_source_fetch(o->source, &f.text->scan_key, take_text, &f);
    return rc == TWX_DONE ? fail_changed(job) : rc;
}
