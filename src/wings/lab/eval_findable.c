#include "lab/eval_findable.h"

#include <string.h>

#include "base/alloc.h"
#include "lab/title_search.h"
#include "lab/title_words.h"
#include "lab/visible_copies.h"

struct twx_eval_finder {
    const twx_job *job;
    twx_opened *o;
    const twx_eval_finding *how;
    twx_title_words words;
    twx_buf title, headings; /* of the current hidden document */
    twx_title_search *search;
    twx_visible_copies *copies;
    twx_known_pairs known;
    uint8_t *visible; /* by text, for the current method */
    unsigned fetched; /* of the hidden document and its representative */
};

twx_rc twx_eval_finder_open(const twx_job *job, twx_opened *o, const twx_eval_finding *how,
                            twx_eval_finder **ret_finder) {
    twx_eval_finder *f = twx_calloc(job->cx, 1, sizeof *f);
    if (!f) return TWX_E_NOMEM;
    f->job = job;
    f->o = o;
    f->how = how;
    twx_title_words_init(&f->words);
    twx_buf_init(&f->title, SIZE_MAX / 4);
    twx_buf_init(&f->headings, SIZE_MAX / 4);
    twx_rc rc = twx_title_search_open(job, o, how, &f->search);
    if (rc == TWX_OK) rc = twx_visible_copies_open(job, o, how, &f->copies);
    if (rc == TWX_OK && how->known) rc = twx_known_copies_read(job, o, how, &f->known);
    if (rc == TWX_OK) f->visible = twx_calloc(job->cx, how->texts->at.n + 1, 1);
    if (rc == TWX_OK && !f->visible) rc = TWX_E_NOMEM;
    if (rc == TWX_OK)
        *ret_finder = f;
    else
        twx_eval_finder_close(f);
    return rc;
}

void twx_eval_finder_close(twx_eval_finder *f) {
    if (!f) return;
    twx_title_words_done(&f->words);
    twx_buf_done(&f->title);
    twx_buf_done(&f->headings);
    twx_title_search_close(f->search);
    twx_visible_copies_close(f->copies);
    TWX_VEC_DONE(&f->known);
    twx_free(f->visible);
    twx_free(f);
}

bool twx_eval_finder_searches(const twx_eval_finder *f) {
    return twx_title_search_works(f->search);
}

uint64_t twx_eval_finder_known(const twx_eval_finder *f) {
    return f->known.n;
}

/* ---- a hidden document ---- */

static twx_rc take_name(void *arg, const twx_source_row *row, bool *ret_wait) {
    twx_eval_finder *f = arg;
    twx_ctx *cx = f->job->cx;
    (void)ret_wait;
    f->fetched++;
    twx_buf_clear(&f->title);
    twx_buf_clear(&f->headings);
    twx_rc rc = twx_buf_add_slice(cx, &f->title, twx_bytes_of(&row->value[TWX_COL_TITLE]));
    return rc == TWX_OK
               ? twx_buf_add_slice(cx, &f->headings, twx_bytes_of(&row->value[TWX_COL_HEADINGS]))
               : rc;
}

static twx_rc take_words(void *arg, const twx_source_row *row, bool *ret_wait) {
    twx_eval_finder *f = arg;
    static const twx_column PARTS[] = {TWX_COL_TITLE, TWX_COL_HEADINGS, TWX_COL_TEXT};
    twx_rc rc = TWX_OK;
    (void)ret_wait;
    f->fetched++;
    twx_title_words_clear(&f->words);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(PARTS); i++)
        rc = twx_title_words_add(f->job->cx, &f->words, twx_bytes_of(&row->value[PARTS[i]]));
    return rc;
}

typedef struct finding_counts {
    uint64_t lost, lost_words, with_headings, lost_headings, found, gone;
    uint64_t shared,
        shared_found;   /* of titles that more than TWX_FINDABLE_TOP visible texts have */
    twx_ratio by_title; /* each title has the weight 1 */
    twx_map64 titles;   /* title -> hidden documents that have it */
    double drawn;       /* share of the hidden documents in the sample */
} finding_counts;

static twx_rc count_search(twx_eval_finder *f, const uint32_t *rep, uint32_t document,
                           const twx_titled_texts *titled, finding_counts *c) {
    const uint64_t title = twx_finding_title(f->how, document);
    twx_title_hits hits;
    size_t from, to;
    twx_rc rc = twx_title_search_run(f->search, title, twx_buf_slice(&f->title), &hits);
    if (rc != TWX_OK) return rc;
    const bool found = twx_title_found(f->how, rep, document, &hits, TWX_FINDABLE_TOP);
    twx_titled_texts_of(titled, title, &from, &to);
    const bool shared = to - from > TWX_FINDABLE_TOP;
    uint64_t documents = 1;
    (void)twx_map64_get(&c->titles, title, &documents);
    twx_ratio_add(&c->by_title, (double)found / (double)documents, 1 / (double)documents, c->drawn);
    c->found += found;
    c->shared += shared;
    c->shared_found += shared && found;
    return TWX_OK;
}

static twx_rc count_document(twx_eval_finder *f, const uint32_t *rep, uint32_t document,
                             const twx_titled_texts *titled, finding_counts *c) {
    const twx_eval_documents *d = f->how->documents;
    twx_lost_words lost = {0}, of_headings = {0};
    f->fetched = 0;
    twx_rc rc = twx_eval_document_fetch(f->job, f->o, d, document, take_name, f);
    if (rc == TWX_OK) rc = twx_eval_document_fetch(f->job, f->o, d, rep[document], take_words, f);
    if (rc == TWX_OK && f->fetched < 2) { /* one of them was deleted meanwhile */
        c->gone++;
        return TWX_OK;
    }
    if (rc == TWX_OK)
        rc = twx_title_words_lost(f->job->cx, &f->words, twx_buf_slice(&f->title), &lost);
    if (rc == TWX_OK)
        rc = twx_title_words_lost(f->job->cx, &f->words, twx_buf_slice(&f->headings), &of_headings);
    c->lost += lost.any;
    c->lost_words += lost.word;
    c->with_headings += f->headings.n > 0;
    c->lost_headings += of_headings.any;
    if (rc == TWX_OK && twx_title_search_works(f->search))
        rc = count_search(f, rep, document, titled, c);
    return rc;
}

/* ---- all of them ---- */

static twx_rc list_hidden(twx_eval_finder *f, const uint32_t *rep, twx_eval_lots *lots,
                          uint64_t *ret_hidden) {
    const twx_eval_finding *how = f->how;
    const uint32_t n = (uint32_t)how->documents->at.n;
    twx_map64 seen;
    uint64_t first = 0;
    twx_rc rc = TWX_OK;
    twx_map64_init(&seen, 0);
    memset(f->visible, 0, how->texts->at.n);
    for (uint32_t i = 0; i < n; i++)
        if (twx_finding_text(how, i) != TWX_EVAL_NO_TEXT && !twx_finding_is_hidden(rep, i))
            f->visible[twx_finding_text(how, i)] = 1;
    *ret_hidden = 0;
    for (uint32_t i = 0; rc == TWX_OK && i < n; i++) {
        const uint32_t text = twx_finding_text(how, i);
        const uint64_t title = twx_finding_title(how, i);
        if (text == TWX_EVAL_NO_TEXT || !twx_finding_is_hidden(rep, i) || f->visible[text])
            continue;
        rc = twx_map64_add(f->job->cx, &seen, twx_mix64(text, title), i, &first);
        if (rc != TWX_OK || first != i) continue;
        ++*ret_hidden;
        if (title && !TWX_VEC_PUSH(f->job->cx, lots, (twx_eval_lot){twx_finding_lot(how, i), i}))
            rc = TWX_E_NOMEM;
    }
    twx_map64_done(&seen);
    return rc;
}

static twx_rc count_titles(twx_eval_finder *f, const twx_eval_lots *lots, twx_map64 *titles) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < lots->n; i++) {
        const uint64_t title = twx_finding_title(f->how, lots->at[i].item);
        uint64_t n = 0;
        (void)twx_map64_get(titles, title, &n);
        rc = twx_map64_put(f->job->cx, titles, title, n + 1);
    }
    return rc;
}

static twx_rc measure_hidden(twx_eval_finder *f, const uint32_t *rep,
                             const twx_titled_texts *titled, twx_findable *result) {
    twx_eval_lots lots = {0};
    finding_counts c = {0};
    twx_map64_init(&c.titles, 0);
    twx_rc rc = list_hidden(f, rep, &lots, &result->hidden);
    if (rc == TWX_OK) rc = count_titles(f, &lots, &c.titles);
    const uint64_t all = lots.n;
    twx_eval_lots_keep(&lots, f->how->sample);
    uint64_t n = lots.n;
    c.drawn = n ? (double)n / (double)all : 1;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        rc = count_document(f, rep, lots.at[i].item, titled, &c);
        if (rc == TWX_OK) rc = twx_cancelled(f->job->cx);
        twx_job_progress(f->job, "look for hidden documents", "documents", i + 1, n);
    }
    n -= c.gone;
    const uint64_t searched = twx_title_search_works(f->search) ? n : 0;
    result->sampled = n;
    result->lost = twx_finding_share(c.lost, n, all);
    result->lost_words = twx_finding_share(c.lost_words, n, all);
    if (c.with_headings) result->lost_headings = twx_finding_share(c.lost_headings, n, all);
    result->searched = searched;
    result->found = twx_finding_share(c.found, searched, all);
    if (searched) result->titles_found = twx_ratio_measure(&c.by_title);
    result->shared = c.shared;
    result->shared_titles = twx_finding_share(c.shared, searched, all);
    result->others_found = twx_finding_share(c.found - c.shared_found, searched - c.shared,
                                             searched == all ? searched - c.shared : UINT64_MAX);
    twx_map64_done(&c.titles);
    TWX_VEC_DONE(&lots);
    return rc;
}

twx_rc twx_eval_find(twx_eval_finder *f, const uint32_t *rep, twx_findable *result) {
    twx_titled_texts titled = {0};
    twx_rc rc = twx_titled_texts_list(f->job->cx, f->how, rep, &titled);
    if (rc == TWX_OK) rc = measure_hidden(f, rep, &titled, result);
    if (rc == TWX_OK) rc = twx_visible_copies_by_title(f->copies, &titled, result);
    if (rc == TWX_OK) rc = twx_visible_copies_known(f->copies, &f->known, rep, result);
    TWX_VEC_DONE(&titled);
    return rc;
}
