#include "predict/learn_documents.h"

#include <stdlib.h>

#include "base/hash64.h"
#include "base/vec.h"
#include "judge/eligible.h"
#include "predict/model.h"
#include "run/detector_params.h"
#include "run/document_reader.h"
#include "run/row_facts.h"

enum { BATCH = 2000, SCRATCH_KEPT = 1 << 16 };

/* ---- content classes: of each document, in order of doc ----------------- */

typedef struct judged {
    int64_t doc;
    uint64_t content;
} judged;

typedef struct classes {
    const twx_job *job;
    TWX_VEC(judged) at;
    bool judged; /* the run looked for copies */
} classes;

/* A class is a document number, hashed so that it is never TWX_NO_CLASS. */
static uint64_t class_of(const twx_flag_row *row) {
    const bool copied = twx_flag_known(row, TWX_FLAG_copy_rep);
    return twx_mix64((uint64_t)(copied ? row->v[TWX_FLAG_copy_rep] : row->doc), 0) | 1;
}

static twx_rc take_flags(classes *c, const twx_flag_row *row) {
    judged j = {.doc = row->doc, .content = TWX_NO_CLASS};
    if (row->v[TWX_FLAG_eligibility] == TWX_ELIGIBLE && twx_flag_known(row, TWX_FLAG_copy_count)) {
        c->judged = true;
        if (twx_flag_known(row, TWX_FLAG_exact_sig)) j.content = class_of(row);
    }
    return TWX_VEC_PUSH(c->job->cx, &c->at, j) ? TWX_OK : TWX_E_NOMEM;
}

static int by_doc(const void *a, const void *b) {
    const judged *x = a, *y = b;
    return x->doc < y->doc ? -1 : x->doc > y->doc;
}

static const judged *find(const classes *c, int64_t doc) {
    const judged wanted = {.doc = doc};
    return c->at.n ? bsearch(&wanted, c->at.at, c->at.n, sizeof wanted, by_doc) : NULL;
}

static twx_rc classes_read(classes *c, twx_generations *g, char generation) {
    int64_t after = INT64_MIN;
    size_t n = BATCH;
    twx_flag_row *rows = twx_calloc(c->job->cx, BATCH, sizeof *rows);
    twx_rc rc = rows ? TWX_OK : TWX_E_NOMEM;
    while (rc == TWX_OK && n == BATCH) {
        rc = twx_cancelled(c->job->cx);
        if (rc == TWX_OK) rc = twx_flags_read(g, generation, after, rows, BATCH, &n);
        for (size_t i = 0; rc == TWX_OK && i < n; i++) rc = take_flags(c, &rows[i]);
        if (n) after = rows[n - 1].doc;
    }
    twx_free(rows);
    return rc;
}

/* ---- normal form -------------------------------------------------------- */

twx_rc twx_learn_normalizer_make(const twx_job *job, twx_learn_normalizer *ret_urls) {
    twx_params params;
    twx_url_rules *rules = NULL;
    twx_rc rc = twx_params_make(job, &params, &rules);
    if (rc != TWX_OK) return rc;
    *ret_urls = (twx_learn_normalizer){
        .options = params.url,
        .rules = rules,
        .fingerprint = twx_model_fingerprint(twx_mix64(
            twx_mix64(TWX_URL_NORM_VERSION, params.url.steps), twx_url_rules_fingerprint(rules)))};
    return TWX_OK;
}

void twx_learn_normalizer_done(twx_learn_normalizer *u) {
    if (!u) return;
    twx_url_rules_close(u->rules);
    *u = (twx_learn_normalizer){0};
}

/* ---- documents ---------------------------------------------------------- */

typedef struct reading {
    const twx_job *job;
    twx_opened *o;
    const twx_page_reading *how;
    classes classes;
    twx_arena scratch;
    twx_learn_counts counts;
} reading;

static twx_rc give(reading *r, const twx_source_row *row, const judged *j) {
    twx_url url;
    twx_facts facts;
    unsigned oddities = 0;
    twx_rc rc = twx_facts_of(r->job->cx, &r->scratch, &r->how->urls->options, row->value, &url,
                             &facts, &oddities);
    if (rc != TWX_OK) return rc;
    r->counts.unusable += url.fault != TWX_URL_OK;
    if (url.fault != TWX_URL_OK) return TWX_OK;
    r->counts.no_page += j->content == TWX_NO_CLASS;
    r->counts.contents += j->content != TWX_NO_CLASS;
    const twx_learn_document page = {.url = url.whole,
                                     .content = j->content,
                                     .fetched_at = facts.bits & TWX_FACT_DATED ? facts.fetched_at
                                                                               : INT64_MAX,
                                     .doc = j->doc};
    return r->how->fn(r->how->arg, &page);
}

static twx_rc take_row(void *arg, const twx_source_row *row, bool *ret_wait) {
    reading *r = arg;
    int64_t doc = 0;
    (void)ret_wait;
    r->counts.documents++;
    twx_rc rc = twx_document_number(r->o, &row->value[TWX_COL_ID], &doc);
    const judged *j = rc == TWX_OK ? find(&r->classes, doc) : NULL;
    if (rc != TWX_OK && rc != TWX_DONE) return rc;
    r->counts.unjudged += !j;
    if (!j) return TWX_OK;
    rc = give(r, row, j);
    twx_arena_reset(&r->scratch);
    return rc;
}

static twx_rc read_rows(reading *r) {
    twx_reader reader = {.job = r->job,
                         .source = r->o->source,
                         .stage = "read URLs",
                         .too_long = "nothing is learned from it",
                         .want = TWX_WANT_OUTSIDE,
                         .take = take_row,
                         .arg = r};
    return twx_reader_scan(&reader);
}

twx_rc twx_learn_documents_each(const twx_job *job, twx_opened *o, const twx_page_reading *how,
                                twx_learn_counts *ret_counts) {
    reading r = {.job = job, .o = o, .how = how, .classes = {.job = job}};
    twx_arena_init(&r.scratch, SCRATCH_KEPT);
    twx_rc rc = classes_read(&r.classes, o->generations, how->state.generation);
    if (rc == TWX_OK) rc = read_rows(&r);
    r.counts.judged = r.classes.judged;
    if (rc == TWX_OK) *ret_counts = r.counts;
    TWX_VEC_DONE(&r.classes.at);
    twx_arena_done(&r.scratch);
    return rc;
}
