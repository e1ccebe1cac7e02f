#include "judge/internal.h"

/* ==== texts */

twx_rc twx_near_init(twx_ctx *cx, twx_near *near, size_t documents) {
    twx_map64_init(&near->nodes, 0);
    if (twx_pieces_init(cx, &near->payloads, near->memory / 4) != TWX_OK) return TWX_E_NOMEM;
    const twx_rc rc = near->copies ? twx_names_init(cx, &near->names, near->memory / 4) : TWX_OK;
    if (rc != TWX_OK) return rc;
    if (near->kept) twx_kept_take_texts(near);
    near->node = twx_malloc(cx, (documents + 1) * sizeof *near->node);
    if (!near->node) return TWX_E_NOMEM;
    for (size_t i = 0; i < documents; i++) near->node[i] = TWX_NO_DOCUMENT;
    return near->texts ? twx_pieces_init(cx, &near->pages, near->memory / 8) : TWX_OK;
}

twx_rc twx_near_add(twx_ctx *cx, twx_near *near, uint32_t document, const twx_near_text *text,
                    bool *ret_is_new) {
    uint64_t node = near->payloads.n;
    twx_rc rc = twx_map64_add(cx, &near->nodes, text->text, node, &node);
    const bool is_new = rc == TWX_OK && node == near->payloads.n;
    if (is_new && ((near->scoped && !TWX_VEC_PUSH(cx, &near->scopes, text->scope)) ||
                   !TWX_VEC_PUSH(cx, &near->compared_nodes, text->is_compared)))
        rc = TWX_E_NOMEM;
    if (rc == TWX_OK && is_new) rc = twx_pieces_add(cx, &near->payloads, text->payload);
    if (rc != TWX_OK) return rc;
    near->node[document] = (uint32_t)node;
    *ret_is_new = is_new;
    return rc;
}

void twx_near_loaded(twx_near *near) {
    if (!near->kept) twx_map64_done(&near->nodes);
}

/* ==== candidates */

typedef struct finder {
    twx_ctx *cx;
    const twx_near *near;
    uint32_t *rank; /* by node */
    twx_near_candidates *c;
    twx_sketches *sketches;
    twx_grouper *forms;
} finder;

/* By the parameters that refuse fewer pairs: those for equal names. */
static bool may_pair(const void *arg, const unsigned char *a, const unsigned char *b) {
    const twx_near *near = arg;
    return near->detector->may_verify(near->options->named ? near->options->named : near->params, a,
                                      b);
}

static void summarize(const void *arg, uint32_t node, twx_summary_line *ret_summary) {
    const twx_near *near = arg;
    char room[TWX_PIECE_MAX];
    near->detector->summarize(twx_pieces_get(&near->payloads, node, room), ret_summary->at);
}

enum { SUMMARIES_AT_ONCE = 4096 };

static twx_rc make_summaries(twx_ctx *cx, void *arg, size_t thread, size_t part) {
    const finder *f = arg;
    const size_t from = part * SUMMARIES_AT_ONCE;
    (void)cx, (void)thread;
    for (size_t k = from; k < f->near->payloads.n && k < from + SUMMARIES_AT_ONCE; k++)
        summarize(f->near, (uint32_t)k, &f->c->lines[k]);
    return TWX_OK;
}

/* Summaries that do not fit into memory are made whenever they are wanted. */
static twx_rc make_sieve(finder *f) {
    const twx_near *near = f->near;
    if (!near->detector || !near->detector->summarize) return TWX_OK;
    f->c->sieve = (twx_sieve){.summarize = summarize,
                              .may_pair = may_pair,
                              .arg = near,
                              .most = near->options->candidates < TWX_SIEVED_MAX
                                          ? near->options->candidates
                                          : TWX_SIEVED_MAX};
    if (near->payloads.n > near->memory / 4 / TWX_SUMMARY_BYTES) return TWX_OK;
    f->c->summaries = twx_malloc(f->cx, (near->payloads.n + 1) * TWX_SUMMARY_BYTES);
    if (!f->c->summaries) return TWX_E_NOMEM;
    const size_t off = (uintptr_t)f->c->summaries % TWX_SUMMARY_BYTES;
    f->c->lines = (twx_summary_line *)(f->c->summaries + (off ? TWX_SUMMARY_BYTES - off : 0));
    f->c->sieve.summary = f->c->lines;
    return twx_parallel(f->cx, near->options->threads,
                        (near->payloads.n + SUMMARIES_AT_ONCE - 1) / SUMMARIES_AT_ONCE,
                        make_summaries, f);
}

typedef struct node_sketch {
    char room[TWX_PIECE_MAX];
    unsigned char made[TWX_SKETCH_BYTES];
    bool is_short;
} node_sketch;

/* NULL: it has none, or does not take part; a sketch that is kept may be needed later. */
static const unsigned char *sketch_of(const finder *f, size_t node, node_sketch *s) {
    const twx_near *near = f->near;
    s->is_short = false;
    if (near->kept ? !near->compared_nodes.at[node] : f->rank[node] == TWX_LEADERS_OUT) return NULL;
    return near->detector->sketch(twx_pieces_get(&near->payloads, node, s->room), s->made,
                                  &s->is_short);
}

/* The sketches of a block are made by one thread: those of short texts take most of the time. */
static twx_rc make_sketches(twx_ctx *cx, void *arg, size_t thread, size_t block) {
    finder *f = arg;
    node_sketch s;
    const size_t from = block * TWX_SKETCH_ROWS;
    (void)cx, (void)thread;
    for (size_t k = from; k < f->near->payloads.n && k < from + TWX_SKETCH_ROWS; k++) {
        const unsigned char *sketch = sketch_of(f, k, &s);
        twx_sketches_set(f->sketches, k, sketch, s.is_short);
    }
    return TWX_OK;
}

static twx_rc collect_sketches(finder *f) {
    const size_t blocks = (f->near->payloads.n + TWX_SKETCH_ROWS - 1) / TWX_SKETCH_ROWS;
    const size_t had = f->sketches->n;
    node_sketch s;
    f->sketches->limit = f->near->memory / 4;
    twx_rc rc = had ? TWX_DONE : twx_sketches_reserve(f->cx, f->sketches, f->near->payloads.n);
    const bool one_by_one = rc == TWX_DONE;
    if (rc == TWX_OK) rc = twx_parallel(f->cx, f->near->options->threads, blocks, make_sketches, f);
    if (one_by_one) rc = TWX_OK;
    for (size_t k = had; one_by_one && rc == TWX_OK && k < f->near->payloads.n; k++) {
        const unsigned char *sketch = sketch_of(f, k, &s);
        rc = twx_sketches_add(f->cx, f->sketches, sketch, s.is_short);
    }
    return rc == TWX_OK ? twx_pieces_error(f->cx, &f->near->payloads) : rc;
}

/* The kept runs without members that do not take part: the sieve may leave less of them. */
static twx_rc take_kept_runs(finder *f) {
    const twx_kept_runs *kept = &f->near->kept->runs;
    const twx_sieve *sieve = f->c->sieve.may_pair ? &f->c->sieve : NULL;
    TWX_VEC(uint32_t) members = {0};
    twx_map64 known = {0}; /* of those that have lost a member */
    twx_rc rc = TWX_OK;
    for (size_t r = 0; rc == TWX_OK && r < kept->runs.ends.n; r++) {
        const uint64_t from = twx_runs_start(&kept->runs, r);
        const size_t all = (size_t)(kept->runs.ends.at[r] - from);
        size_t n = 0, same = 0;
        if (kept->bands.at[r] == 0) continue;
        if (!TWX_VEC_RESERVE(f->cx, &members, all)) rc = TWX_E_NOMEM;
        for (size_t k = 0; rc == TWX_OK && k < all; k++) {
            const uint32_t node = kept->runs.members.at[from + k];
            if (f->rank[node] != TWX_LEADERS_OUT) members.at[n++] = node;
        }
        if (rc == TWX_OK && n == all) rc = twx_runs_add(f->cx, &f->c->runs, members.at, n);
        if (rc != TWX_OK || n == all) continue;
        n = n < 2 ? 0 : twx_sieve_run(sieve, members.at, n);
        if (n >= 2 && !(twx_runs_find(&kept->runs, &kept->known, members.at, n, &same) &&
                        kept->bands.at[same]))
            rc = twx_runs_add_once(f->cx, &f->c->runs, &known, members.at, n, NULL);
    }
    TWX_VEC_DONE(&members);
    twx_map64_done(&known);
    return rc;
}

/* Finds the nodes that share a band of their sketches. */
static twx_rc search_bands(finder *f) {
    const twx_near *near = f->near;
    if (!near->detector || !near->detector->sketch) return TWX_OK;
    /* they are ranked again before copies are found */
    for (size_t k = 0; k < near->payloads.n; k++)
        if (!near->compared_nodes.at[k]) f->rank[k] = TWX_LEADERS_OUT;
    const twx_band_search search = {.plan = twx_band_plan_for(near->documents),
                                    .sketches = f->sketches,
                                    .scope = near->scoped ? near->scopes.at : NULL,
                                    .sieve = f->c->sieve.may_pair ? &f->c->sieve : NULL,
                                    .threads = near->options->threads,
                                    .memory = near->memory - near->memory / 4};
    twx_rc rc = collect_sketches(f);
    if (rc == TWX_OK && !near->kept) return twx_band_search_runs(f->cx, &search, &f->c->runs);
    if (rc == TWX_OK) rc = twx_band_search_more(f->cx, &search, &near->kept->runs);
    return rc == TWX_OK ? take_kept_runs(f) : rc;
}

twx_rc twx_near_find_candidates(twx_ctx *cx, const twx_near *near, uint32_t *rank,
                                twx_near_candidates *c) {
    twx_sketches sketches = {0};
    finder f = {.cx = cx,
                .near = near,
                .rank = rank,
                .c = c,
                .sketches = near->kept ? &near->kept->sketches : &sketches};
    twx_rc rc = make_sieve(&f);
    if (rc == TWX_OK) rc = search_bands(&f);
    twx_sketches_done(&sketches);
    return rc;
}

/* ---- forms of pages ----------------------------------------------------- */

twx_near_page twx_near_page_of(const twx_near *near, uint32_t document) {
    char room[TWX_PIECE_MAX];
    twx_near_page page = {0};
    const twx_slice packed = twx_pieces_get(&near->pages, document, room);
    if (packed.n) memcpy(&page, packed.p, packed.n);
    return page;
}

twx_rc twx_near_read_pages(twx_ctx *cx, twx_near *near) {
    const size_t n = near->pages.n;
    near->form = twx_malloc(cx, n * sizeof *near->form);
    twx_rc rc = near->form ? twx_pieces_init(cx, &near->urls, SIZE_MAX) : TWX_E_NOMEM;
    for (uint32_t i = 0; rc == TWX_OK && i < n; i++) {
        const twx_near_page page = twx_near_page_of(near, i);
        const twx_slice names = twx_names_of_url_packed(&page.url);
        char packed[sizeof page];
        memcpy(packed, names.p, names.n);
        memcpy(packed + names.n, &page.described, sizeof page.described);
        near->form[i] = page.form;
        rc = twx_pieces_add(
            cx, &near->urls,
            (twx_slice){packed, names.n + (page.described ? sizeof page.described : 0)});
    }
    if (rc == TWX_OK) rc = twx_pieces_error(cx, &near->pages);
    if (rc == TWX_OK && !near->keeps_documents) twx_pieces_done(&near->pages);
    return rc;
}

static twx_rc keep_form(void *arg, uint32_t *members, size_t n) {
    const finder *f = arg;
    const twx_rc rc = twx_runs_add(f->cx, &f->c->forms, members, n);
    return rc == TWX_OK && !TWX_VEC_PUSH(f->cx, &f->c->form_keys, twx_grouper_key(f->forms))
               ? TWX_E_NOMEM
               : rc;
}

twx_rc twx_near_find_forms(twx_ctx *cx, const twx_near *near, const twx_proof *proof,
                           twx_near_candidates *c) {
    finder f = {.cx = cx, .c = c};
    twx_grouper *forms = NULL;
    twx_rc rc = twx_grouper_open(cx, near->memory / 4, NULL, &forms);
    for (size_t k = 0; rc == TWX_OK && k < proof->counted; k++) {
        const uint32_t i = proof->by_form[k];
        if (!near->form[i]) continue;
        const uint32_t node = near->node[i];
        const uint64_t scope = near->scoped ? near->scopes.at[node] : 0;
        rc = twx_grouper_add(forms, twx_mix64(near->form[i], scope), 0, node);
    }
    f.forms = forms;
    if (rc == TWX_OK) rc = twx_grouper_each(cx, forms, keep_form, &f);
    twx_grouper_close(forms);
    return rc;
}
