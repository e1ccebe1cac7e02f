#include "run/internal.h"

/* ==== content_sample */

enum { TEXTS_LEAST = 2 /* fewer are not significant */, HTTP_OK = 200 };

static bool is_filled(const twx_value *v) {
    return v->type == TWX_INT || v->type == TWX_REAL || twx_bytes_of(v).n > 0;
}

static bool is_ok(const twx_value *v) {
    int64_t status = v->i;
    if (v->type == TWX_NULL) return true;
    if (v->type == TWX_REAL) return v->r >= HTTP_OK && v->r < HTTP_OK + 1;
    if (v->type != TWX_INT && !twx_http_status(twx_bytes_of(v), &status)) return false;
    return status == HTTP_OK;
}

static twx_rc look_at_row(void *arg, const twx_source_row *row, bool *ret_enough) {
    twx_content_sample *sample = arg;
    (void)ret_enough;
    sample->rows++;
    for (size_t i = 0; i < TWX_COLUMNS; i++) sample->filled[i] += is_filled(&row->value[i]);
    twx_slice text = twx_bytes_of(&row->value[TWX_COL_TEXT]);
    twx_content content = twx_looks_like(text);
    sample->text[content]++;
    if (content == TWX_CONTENT_HEX) sample->hex_digits = text.n;
    sample->url_absolute += twx_looks_like(twx_bytes_of(&row->value[TWX_COL_URL])) ==
                            TWX_CONTENT_URL;
    sample->status_ok += is_ok(&row->value[TWX_COL_HTTP_STATUS]);
    return TWX_OK;
}

twx_rc twx_content_sample_read(twx_opened *o, twx_content_sample *ret_sample) {
    twx_source_cursor cursor = {0};
    const twx_source_batch batch = {.want = TWX_WANT_WHOLE,
                                    .limit = TWX_LOOK_ROWS,
                                    .fn = look_at_row,
                                    .arg = ret_sample,
                                    .sample = true};
    *ret_sample = (twx_content_sample){0};
    twx_rc rc = twx_source_read(o->source, &cursor, &batch);
    twx_source_cursor_done(&cursor);
    if (rc == TWX_E_LIMIT) twx_ctx_clear(twx_source_ctx(o->source));
    return rc == TWX_DONE || rc == TWX_E_LIMIT ? TWX_OK : rc;
}

static const struct {
    twx_content content;
    const char *warning;
} OF_TEXT[] = {
    {TWX_CONTENT_HTML, "text looks like HTML: map html_text() of it"},
    {TWX_CONTENT_JSON, "text looks like JSON: map the path in it that is the text"},
    {TWX_CONTENT_PACKED,
     "text looks like packed bytes: map inflate() of it, or html_text(inflate()) of a page"},
    {TWX_CONTENT_BINARY, "text looks like binary data"},
    {TWX_CONTENT_URL, "text looks like URLs"},
};

twx_rc twx_content_warnings(const twx_content_sample *sample, const twx_mapping *m,
                            twx_content_warning_fn *fn, void *arg) {
    const uint64_t texts = sample->filled[TWX_COL_TEXT];
    char digits[96];
    twx_rc rc = TWX_OK;
    if (sample->rows < TEXTS_LEAST) return TWX_OK;
    if (texts == 0) rc = fn(arg, "text is empty in every row that was looked at");
    for (size_t i = 0; rc == TWX_OK && texts >= TEXTS_LEAST && i < TWX_COUNTOF(OF_TEXT); i++)
        if (sample->text[OF_TEXT[i].content] * 2 > texts) rc = fn(arg, OF_TEXT[i].warning);
    snprintf(digits, sizeof digits,
             "text is %" PRIu64 " hex digits: a digest or the name of a file, not a text",
             sample->hex_digits);
    if (rc == TWX_OK && texts >= TEXTS_LEAST && sample->text[TWX_CONTENT_HEX] * 2 > texts)
        rc = fn(arg, digits);
    if (rc == TWX_OK && sample->url_absolute == 0)
        rc = fn(arg, "url is never an absolute http or https URL");
    if (rc == TWX_OK && m->map[TWX_COL_HTTP_STATUS] && sample->status_ok == 0)
        rc = fn(arg, "status is never 200: no document would take part");
    return rc;
}

/* ==== losses */

typedef struct reading {
    twx_ctx *cx;
    twx_losses *losses;
} reading;

static twx_rc take_count(void *arg, const twx_site_count *count) {
    reading *r = arg;
    twx_site_before row = {{twx_strndup(r->cx, count->site.p, count->site.n), count->site.n},
                           count->documents};
    if (row.name.p && TWX_VEC_PUSH(r->cx, &r->losses->before, row)) return TWX_OK;
    twx_free((char *)(uintptr_t)row.name.p);
    return TWX_E_NOMEM;
}

twx_rc twx_losses_read(twx_ctx *cx, twx_generations *g, char generation, twx_losses *losses) {
    reading r = {cx, losses};
    return generation ? twx_generation_sites(g, generation, take_count, &r) : TWX_OK;
}

twx_rc twx_losses_add(twx_ctx *cx, twx_losses *losses, const twx_losses *other) {
    reading r = {cx, losses};
    twx_map64 by_name = {0};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < losses->before.n; i++)
        rc = twx_map64_put(cx, &by_name, twx_hash64(losses->before.at[i].name, 0), i);
    for (size_t i = 0; rc == TWX_OK && i < other->before.n; i++) {
        const twx_site_before *theirs = &other->before.at[i];
        uint64_t at = 0;
        if (twx_map64_get(&by_name, twx_hash64(theirs->name, 0), &at))
            losses->before.at[at].documents += theirs->documents;
        else
            rc = take_count(&r, &(twx_site_count){theirs->name, theirs->documents});
    }
    twx_map64_done(&by_name);
    return rc;
}

static twx_rc push_counts(twx_ctx *cx, const twx_doc_set *j, const twx_sites *sites,
                          const uint64_t *counts, uint32_t min_documents, twx_losses *losses) {
    twx_site_count whole = {TWX_WHOLE_STORE, 0};
    for (size_t k = 0; k < sites->at.n; k++) {
        const twx_site *site = &sites->at.at[k];
        whole.documents += counts[k];
        if (site->documents < min_documents || counts[k] == 0) continue;
        const twx_site_count row = {twx_site_name(j, site), counts[k]};
        if (!TWX_VEC_PUSH(cx, &losses->now, row)) return TWX_E_NOMEM;
    }
    return TWX_VEC_PUSH(cx, &losses->now, whole) ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_losses_count(twx_ctx *cx, const twx_judged *judged, uint32_t min_documents,
                        twx_losses *losses) {
    const twx_doc_set *j = judged->j;
    twx_sites sites = {0};
    uint64_t *counts = NULL;
    losses->now.n = 0;
    twx_rc rc = twx_sites_make(cx, j, &sites);
    if (rc == TWX_OK) counts = twx_calloc(cx, sites.at.n + 1, sizeof *counts);
    if (rc == TWX_OK && !counts) rc = TWX_E_NOMEM;
    for (size_t at = 0; rc == TWX_OK && at < judged->n; at++) {
        const uint32_t i = twx_judged_index(judged, at);
        if (j->links.eligibility[i] == TWX_ELIGIBLE) counts[sites.of_host[j->docs.at.at[i].host]]++;
    }
    if (rc == TWX_OK) rc = push_counts(cx, j, &sites, counts, min_documents, losses);
    twx_free(counts);
    twx_sites_done(&sites);
    return rc;
}

void twx_losses_done(twx_losses *losses) {
    for (size_t i = 0; i < losses->before.n; i++)
        twx_free((char *)(uintptr_t)losses->before.at[i].name.p);
    TWX_VEC_DONE(&losses->before);
    TWX_VEC_DONE(&losses->now);
}
