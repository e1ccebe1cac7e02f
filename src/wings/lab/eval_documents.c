#include "lab/lab.h"

/* ==== eval_documents */

enum { TITLE_SEED = 7, ID_SEED = 8 };

typedef struct reading {
    const twx_job *job;
    const twx_url_options *url_options;
    twx_eval_documents *made;
    twx_tokens tokens;
    twx_arena scratch; /* for one row */
} reading;

/* Titles that differ only in case, white space and punctuation have the same hash. */
static twx_rc hash_title(reading *r, twx_slice title, uint64_t *ret_hash) {
    twx_token token;
    uint64_t hash = 0;
    twx_tokens_start(&r->tokens, title);
    twx_rc rc;
    while ((rc = twx_tokens_next(r->job->cx, &r->tokens, &token)) == TWX_OK)
        hash = twx_mix64(hash, twx_hash64(token.text, TITLE_SEED));
    if (rc == TWX_DONE) *ret_hash = hash;
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc take_row(void *arg, const twx_source_row *row) {
    reading *r = arg;
    twx_ctx *cx = r->job->cx;
    twx_eval_documents *d = r->made;
    twx_eval_document document = {.scan_key = row->scan_key, .text = TWX_EVAL_NO_TEXT};
    twx_facts facts;
    twx_url url;
    unsigned oddities = 0;
    twx_arena_reset(&r->scratch);
    if (d->at.n >= TWX_NO_DOCUMENT)
        return twx_fail(cx, TWX_E_LIMIT, "%s has more than 4 billion documents", r->job->store);
    twx_rc rc = twx_facts_of(cx, &r->scratch, r->url_options, row->value, &url, &facts, &oddities);
    if (rc == TWX_OK) rc = hash_title(r, twx_bytes_of(&row->value[TWX_COL_TITLE]), &document.title);
    if (rc == TWX_OK)
        rc = twx_arena_copy(cx, &d->keys, row->scan_key.bytes, &document.scan_key.bytes);
    if (rc == TWX_OK)
        rc = twx_map64_put(cx, &d->by_id, twx_value_hash(&row->value[TWX_COL_ID], ID_SEED),
                           d->at.n);
    if (rc == TWX_OK) rc = twx_doc_table_add(cx, &d->docs, (int64_t)d->at.n, 0, &facts);
    return rc == TWX_OK && !TWX_VEC_PUSH(cx, &d->at, document) ? TWX_E_NOMEM : rc;
}

twx_rc twx_eval_documents_read(const twx_job *job, twx_opened *o,
                               const twx_url_options *url_options,
                               twx_eval_documents *ret_documents) {
    twx_eval_documents made = {.job = job, .o = o};
    reading r = {.job = job, .url_options = url_options, .made = &made};
    made.docs.sections = job->settings->hosts;
    twx_arena_init(&r.scratch, 1 << 16);
    twx_tokens_init(&r.tokens);
    twx_rc rc = twx_scan_documents(job, o, "find who takes part", take_row, &r);
    twx_tokens_done(&r.tokens);
    twx_arena_done(&r.scratch);
    twx_preference preference;
    if (rc == TWX_OK) rc = twx_preference_of(job->cx, job->settings, &preference);
    /* twins are not looked for: a form counts as if the better one were there */
    for (size_t i = 0; rc == TWX_OK && i < made.docs.at.n; i++)
        twx_doc_row_set_form(&made.docs.at.at[i],
                             twx_form_of(made.docs.at.at[i].bits, &preference));
    if (rc == TWX_OK) rc = twx_total_order(job->cx, &made.docs, &preference, &made.rank);
    if (rc == TWX_OK)
        rc = twx_links_resolve(job->cx, &made.docs, &preference,
                               job->settings->canonical_collapse_min, &made.links);
    for (uint32_t i = 0; rc == TWX_OK && i < made.at.n; i++)
        made.taking_part += twx_eval_takes_part(&made, i);
    TWX_HAND_OVER(rc, ret_documents, made, twx_eval_documents_done(&made));
    return rc;
}

void twx_eval_documents_done(twx_eval_documents *d) {
    if (!d) return;
    TWX_VEC_DONE(&d->at);
    twx_doc_table_done(&d->docs);
    twx_free(d->rank);
    twx_links_done(&d->links);
    twx_map64_done(&d->by_id);
    twx_arena_done(&d->keys);
    *d = (twx_eval_documents){0};
}

bool twx_eval_takes_part(const twx_eval_documents *d, uint32_t document) {
    return d->links.eligibility[document] == TWX_ELIGIBLE;
}

uint32_t twx_eval_document_of(const twx_eval_documents *d, const twx_value *id) {
    return (uint32_t)twx_map64_value(&d->by_id, twx_value_hash(id, ID_SEED), TWX_NO_DOCUMENT);
}

static bool same_key(const twx_value *a, const twx_value *b) {
    return a->type == b->type &&
           (a->type == TWX_INT ? a->i == b->i : twx_value_hash(a, 0) == twx_value_hash(b, 0));
}

/* Unless the store has changed, the rows come in the same order. */
uint32_t twx_eval_document_again(const twx_eval_documents *d, const twx_source_row *row,
                                 uint32_t *next) {
    if (*next < d->at.n && same_key(&d->at.at[*next].scan_key, &row->scan_key)) return (*next)++;
    const uint32_t found = twx_eval_document_of(d, &row->value[TWX_COL_ID]);
    if (found == TWX_NO_DOCUMENT || found < *next) return TWX_NO_DOCUMENT;
    *next = found + 1;
    return found;
}

twx_rc twx_eval_document_numbered(twx_opened *o, const twx_eval_documents *d, int64_t doc,
                                  uint32_t *ret_document) {
    twx_value id;
    const twx_rc rc = twx_id_of(o, doc, &id);
    *ret_document = rc == TWX_OK ? twx_eval_document_of(d, &id) : TWX_NO_DOCUMENT;
    twx_signatures_release(o->signatures);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_eval_document_fetch(const twx_eval_documents *d, uint32_t document,
                               twx_document_reader_take_fn *take, void *arg) {
    /* the command shows its own progress */
    const twx_job quiet = {.cx = d->job->cx, .settings = d->job->settings, .store = d->job->store};
    twx_document_reader r = {.job = &quiet,
                             .source = d->o->source,
                             .take = take,
                             .too_long = "it is left out",
                             .arg = arg};
    return twx_document_reader_fetch(&r, &d->at.at[document].scan_key, 1);
}

/* ==== eval_texts */

enum { CONTENT_SEED = 1 };

typedef struct text_reading {
    const twx_job *job; /* that of the documents */
    twx_workspace *workspace;
    twx_map64 known; /* first 64 bits of a digest -> text */
    const twx_eval_reading *how;
    uint32_t next; /* document of the next row */
    twx_eval_texts *texts;
} text_reading;

/* The index of a text. Different digests may have equal first 64 bits: they are distinguished by
 * the next 64 bits, and the later one gets another key. */
static twx_rc number_text(text_reading *r, uint32_t document, twx_slice text,
                          uint32_t *ret_number) {
    unsigned char digest[TWX_SHA256_BYTES];
    uint64_t found = 0;
    twx_ctx *cx = r->job->cx;
    twx_eval_texts *t = r->texts;
    twx_rc rc = twx_sha256(cx, r->workspace, text, digest);
    if (rc != TWX_OK) return rc;
    uint64_t key = twx_load_be64(digest), place = twx_load_be64(digest + 8);
    while (twx_map64_get(&r->known, key, &found) && t->at.at[found].place != place) key++;
    rc = twx_map64_add(cx, &r->known, key, t->at.n, &found);
    if (rc == TWX_OK && found >= TWX_EVAL_NO_TEXT)
        rc = twx_fail(cx, TWX_E_LIMIT, "%s has more than 4 billion different texts", r->job->store);
    if (rc == TWX_OK && found == t->at.n) {
        const twx_eval_text made = {.document = document,
                                    .place = place,
                                    .content = twx_hash64(text, CONTENT_SEED),
                                    .bytes = text.n};
        t->bytes += text.n;
        if (!TWX_VEC_PUSH(cx, &t->at, made) || !TWX_VEC_PUSH(cx, &t->changed, 0)) rc = TWX_E_NOMEM;
    }
    if (rc == TWX_OK) *ret_number = (uint32_t)found;
    return rc;
}

static twx_rc take_document(void *arg, const twx_source_row *row) {
    text_reading *r = arg;
    twx_eval_documents *d = r->how->documents;
    const uint32_t index = twx_eval_document_again(d, row, &r->next);
    uint32_t number = TWX_EVAL_NO_TEXT;
    twx_slice text = twx_bytes_of(&row->value[TWX_COL_TEXT]);
    if (index == TWX_NO_DOCUMENT) return TWX_OK;
    bool takes_part = twx_eval_takes_part(d, index);
    r->texts->documents++;
    twx_rc rc = text.n && takes_part ? number_text(r, index, text, &number) : TWX_OK;
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

twx_rc twx_eval_texts_read(const twx_eval_reading *how, twx_eval_texts *ret_texts) {
    const twx_job *job = how->documents->job;
    twx_eval_texts texts = {.of = how->documents};
    const twx_params params = twx_params_default();
    text_reading r = {.job = job, .how = how, .texts = &texts};
    twx_map64_init(&r.known, 0); /* keys are digests, so collisions cannot be crafted */
    twx_rc rc = twx_workspace_open(job->cx, &params, &r.workspace);
    if (rc == TWX_OK)
        rc = twx_scan_documents(job, how->documents->o, "find the different texts", take_document,
                                &r);
    twx_workspace_close(r.workspace);
    twx_map64_done(&r.known);
    TWX_HAND_OVER(rc, ret_texts, texts, twx_eval_texts_done(&texts));
    return rc;
}

void twx_eval_texts_done(twx_eval_texts *t) {
    if (!t) return;
    TWX_VEC_DONE(&t->at);
    TWX_VEC_DONE(&t->changed);
}

bool twx_eval_text_changed(const twx_eval_texts *t, uint32_t i) {
    return i < t->changed.n && t->changed.at[i];
}

uint64_t twx_eval_texts_changed(const twx_eval_texts *t) {
    uint64_t n = 0;
    for (size_t i = 0; i < t->changed.n; i++) n += t->changed.at[i];
    return n;
}

double twx_eval_pairs_within(const twx_eval_texts *t, uint32_t i) {
    double n = t->at.at[i].documents;
    return n * (n - 1) / 2;
}

static bool is_unchanged(const twx_eval_text *text, const twx_source_row *row) {
    twx_slice bytes = twx_bytes_of(&row->value[TWX_COL_TEXT]);
    return bytes.n == text->bytes && twx_hash64(bytes, CONTENT_SEED) == text->content;
}

typedef struct again {
    const twx_eval_texts *texts;
    uint32_t document; /* of the next row */
    uint32_t text;     /* the text whose first document comes next */
    twx_eval_text_fn *fn;
    void *arg;
} again;

/* The rows of the texts between the last one that was met and text i are gone. */
static void skip_to(again *a, uint32_t i) {
    while (a->text < i) a->texts->changed.at[a->text++] = 1;
}

static twx_rc take_again(void *arg, const twx_source_row *row) {
    again *a = arg;
    const twx_eval_texts *t = a->texts;
    const uint32_t document = twx_eval_document_again(t->of, row, &a->document);
    if (document == TWX_NO_DOCUMENT) return TWX_OK;
    const uint32_t i = t->of->at.at[document].text;
    if (i == TWX_EVAL_NO_TEXT || t->at.at[i].document != document) return TWX_OK;
    skip_to(a, i);
    a->text++;
    if (!is_unchanged(&t->at.at[i], row)) t->changed.at[i] = 1;
    return t->changed.at[i] ? TWX_OK : a->fn(a->arg, i, row);
}

twx_rc twx_eval_texts_each(const twx_eval_texts *t, twx_eval_text_fn *fn, void *arg) {
    again a = {.texts = t, .fn = fn, .arg = arg};
    twx_rc rc = twx_scan_documents(t->of->job, t->of->o, "sign", take_again, &a);
    if (rc == TWX_OK) skip_to(&a, (uint32_t)t->at.n);
    return rc;
}

typedef struct fetching {
    twx_ctx *cx;
    const twx_eval_text *text;
    twx_buf *out;
    bool found; /* and unchanged */
} fetching;

static twx_rc take_text(void *arg, const twx_source_row *row, bool *ret_wait) {
    fetching *f = arg;
    (void)ret_wait;
    f->found = is_unchanged(f->text, row);
    return f->found ? twx_buf_add_slice(f->cx, f->out, twx_bytes_of(&row->value[TWX_COL_TEXT]))
                    : TWX_OK;
}

twx_rc twx_eval_text_fetch(const twx_eval_texts *t, uint32_t i, twx_buf *out) {
    fetching f = {.cx = t->of->job->cx, .text = &t->at.at[i], .out = out};
    if (t->changed.at[i]) return TWX_DONE;
    twx_rc rc = twx_eval_document_fetch(t->of, f.text->document, take_text, &f);
    t->changed.at[i] = rc == TWX_OK && !f.found;
    return rc == TWX_OK && !f.found ? TWX_DONE : rc;
}
