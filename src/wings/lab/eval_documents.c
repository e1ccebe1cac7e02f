#include "lab/eval_documents.h"

#include "base/hash64.h"
#include "judge/forms.h"
#include "judge/judge.h"
#include "lab/eval_texts.h"
#include "run/row_facts.h"
#include "text/tokens.h"

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
    twx_rc rc = twx_tokens_next(r->job->cx, &r->tokens, &token);
    for (; rc == TWX_OK; rc = twx_tokens_next(r->job->cx, &r->tokens, &token))
        hash = twx_mix64(hash, twx_hash64(token.text, TITLE_SEED));
    if (rc == TWX_DONE) *ret_hash = hash;
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc take_row(void *arg, const twx_source_row *row) {
    reading *r = arg;
    twx_ctx *cx = r->job->cx;
    twx_eval_documents *d = r->made;
    twx_eval_document document = {.scan_key = row->scan_key, .text = TWX_EVAL_NO_TEXT};
    twx_doc_entry entry = {.doc = (int64_t)d->at.n};
    twx_url url;
    unsigned oddities = 0;
    twx_arena_reset(&r->scratch);
    if (d->at.n >= TWX_NO_DOCUMENT)
        return twx_fail(cx, TWX_E_LIMIT, "%s has more than 4 billion documents", r->job->store);
    twx_rc rc = twx_facts_of(cx, &r->scratch, r->url_options, row->value, &url, &entry.facts,
                             &oddities);
    if (rc == TWX_OK) rc = hash_title(r, twx_bytes_of(&row->value[TWX_COL_TITLE]), &document.title);
    if (rc == TWX_OK)
        rc = twx_arena_copy(cx, &d->keys, row->scan_key.bytes, &document.scan_key.bytes);
    if (rc == TWX_OK)
        rc = twx_map64_put(cx, &d->by_id, twx_value_hash(&row->value[TWX_COL_ID], ID_SEED),
                           d->at.n);
    if (rc == TWX_OK) rc = twx_doc_table_add(cx, &d->docs, &entry);
    return rc == TWX_OK && !TWX_VEC_PUSH(cx, &d->at, document) ? TWX_E_NOMEM : rc;
}

static twx_rc judge_documents(const twx_job *job, twx_eval_documents *d) {
    const twx_settings *s = job->settings;
    twx_preference preference;
    twx_rc rc = twx_preference_of(job->cx, s, &preference);
    /* twins are not looked for: a form counts as if the better one were there */
    for (size_t i = 0; rc == TWX_OK && i < d->docs.at.n; i++)
        twx_doc_set_form(&d->docs.at.at[i], twx_form_of(d->docs.at.at[i].bits, &preference));
    if (rc == TWX_OK) rc = twx_total_order(job->cx, &d->docs, &preference, &d->rank);
    if (rc == TWX_OK)
        rc = twx_links_resolve(job->cx, &d->docs, &preference, s->canonical_collapse_min,
                               &d->links);
    for (uint32_t i = 0; rc == TWX_OK && i < d->at.n; i++)
        d->taking_part += twx_eval_takes_part(d, i);
    return rc;
}

twx_rc twx_eval_documents_read(const twx_job *job, twx_opened *o,
                               const twx_url_options *url_options,
                               twx_eval_documents *ret_documents) {
    twx_eval_documents made = {0};
    reading r = {.job = job, .url_options = url_options, .made = &made};
    twx_doc_table_init(&made.docs);
    made.docs.sections = job->settings->hosts;
    twx_arena_init(&made.keys, 0);
    twx_map64_init(&made.by_id, 0);
    twx_arena_init(&r.scratch, 1 << 16);
    twx_tokens_init(&r.tokens);
    twx_rc rc = twx_scan_documents(job, o, "find who takes part", take_row, &r);
    twx_tokens_done(&r.tokens);
    twx_arena_done(&r.scratch);
    if (rc == TWX_OK) rc = judge_documents(job, &made);
    if (rc == TWX_OK)
        *ret_documents = made;
    else
        twx_eval_documents_done(&made);
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
    uint64_t found = TWX_NO_DOCUMENT;
    (void)twx_map64_get(&d->by_id, twx_value_hash(id, ID_SEED), &found);
    return (uint32_t)found;
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

twx_rc twx_eval_document_fetch(const twx_job *job, twx_opened *o, const twx_eval_documents *d,
                               uint32_t document, twx_document_reader_take_fn *take, void *arg) {
    const twx_job quiet = {.cx = job->cx, .settings = job->settings, .store = job->store};
    twx_document_reader r = {.job = &quiet, /* the command shows its own progress */
                             .source = o->source,
                             .take = take,
                             .too_long = "it is left out",
                             .arg = arg};
    return twx_document_reader_fetch(&r, &d->at.at[document].scan_key, 1);
}
