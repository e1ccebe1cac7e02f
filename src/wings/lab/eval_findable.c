#include "lab/lab.h"

#include "search/search.h"

enum { LOT_SEED = 21, WORD_SEED = 22, HITS_KEPT = 4000, ALIKE_PPM = 900000, TITLE_PARTNERS = 32 };
enum { TWX_FINDABLE_TOP = 10 };

/* The hits of one title, best first. */
typedef TWX_VEC(uint32_t) kept_hits; /* documents */

/* The search for titles. */
typedef struct title_search {
    bool works; /* there is a text index, and there has been a run */
    char generation;
    twx_ranking_rules rules;
    twx_tokens tokens;
    twx_buf query;
    TWX_VEC(kept_hits) kept;
    twx_map64 kept_at; /* hash of a title -> index in `kept` */
} title_search;

struct twx_eval_finder {
    twx_ctx *cx;
    const twx_eval_finding *how;
    twx_title_words words;
    twx_buf title, headings; /* of the current hidden document */
    title_search search;
    twx_text_comparer comparer;
    twx_known_pairs known;
    uint8_t *visible; /* by text, for the current method */
    unsigned fetched; /* of the hidden document and its representative */
    /* what was measured before; all methods need the same pairs */
    twx_map64 lost;        /* hidden document and representative -> what is lost */
    twx_map64 substitutes; /* of twx_changed_texts_measure() */
    twx_map64 alike;       /* two texts -> 1 if their similarity is at least .9, else 0 */
};

static twx_rc open_index(const twx_eval_finder *f, title_search *s) {
    const twx_opened *o = f->how->documents->o;
    twx_state state = {0};
    twx_text_index_state index = TWX_TEXT_NONE;
    if (!o->writer || !o->generations) return TWX_OK;
    twx_rc rc = twx_text_index_look(o->writer, &index);
    if (rc == TWX_OK && index == TWX_TEXT_OTHER) rc = twx_text_index_require(o->writer);
    if (rc == TWX_OK) rc = twx_state_read(o->generations, &state);
    s->generation = state.generation;
    s->works = index == TWX_TEXT_READY && state.generation != 0;
    return rc == TWX_OK && s->works ? twx_ranking_rules_load(f->cx, NULL, &s->rules) : rc;
}

twx_rc twx_eval_finder_open(const twx_eval_finding *how, twx_eval_finder **ret_finder) {
    twx_eval_finder *f = twx_calloc(how->job->cx, 1, sizeof *f);
    if (!f) return TWX_E_NOMEM;
    f->cx = how->job->cx;
    f->how = how;
    twx_title_words_init(&f->words);
    twx_tokens_init(&f->search.tokens);
    twx_buf_init(&f->search.query, SIZE_MAX / 4);
    twx_buf_init(&f->title, SIZE_MAX / 4);
    twx_buf_init(&f->headings, SIZE_MAX / 4);
    twx_rc rc = twx_text_comparer_open(how, &f->comparer);
    if (rc == TWX_OK) rc = open_index(f, &f->search);
    if (rc == TWX_OK && how->known) rc = twx_known_copies_read(how, &f->known);
    if (rc == TWX_OK) f->visible = twx_calloc(f->cx, how->texts->at.n + 1, 1);
    if (rc == TWX_OK && !f->visible) rc = TWX_E_NOMEM;
    TWX_HAND_OVER(rc, ret_finder, f, twx_eval_finder_close(f));
    return rc;
}

void twx_eval_finder_close(twx_eval_finder *f) {
    if (!f) return;
    twx_title_words_done(&f->words);
    twx_buf_done(&f->title);
    twx_buf_done(&f->headings);
    twx_ranking_rules_done(&f->search.rules);
    twx_tokens_done(&f->search.tokens);
    twx_buf_done(&f->search.query);
    for (size_t i = 0; i < f->search.kept.n; i++) TWX_VEC_DONE(&f->search.kept.at[i]);
    TWX_VEC_DONE(&f->search.kept);
    twx_map64_done(&f->search.kept_at);
    twx_text_comparer_done(&f->comparer);
    TWX_VEC_DONE(&f->known);
    twx_map64_done(&f->lost);
    twx_map64_done(&f->substitutes);
    twx_map64_done(&f->alike);
    twx_free(f->visible);
    twx_free(f);
}

bool twx_eval_finder_searches(const twx_eval_finder *f) {
    return f->search.works;
}

uint64_t twx_eval_finder_known(const twx_eval_finder *f) {
    return f->known.n;
}

/* ==== title_search */

twx_rc twx_title_query(twx_ctx *cx, twx_tokens *tokens, twx_slice title, twx_buf *out) {
    twx_token token;
    twx_buf_clear(out);
    twx_tokens_start(tokens, title);
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && (rc = twx_tokens_next(cx, tokens, &token)) == TWX_OK) {
        if (out->n + token.text.n + 4 > TWX_QUERY_BYTES) return TWX_OK;
        rc = twx_buf_add_char(cx, out, '"');
        if (rc == TWX_OK) rc = twx_buf_add_slice(cx, out, token.text);
        if (rc == TWX_OK) rc = twx_buf_add_text(cx, out, "\" ");
    }
    return rc == TWX_DONE ? TWX_OK : rc;
}

typedef struct hit_taking {
    twx_ctx *cx;
    TWX_VEC(int64_t) docs;
} hit_taking;

static twx_rc take_hit(void *arg, const twx_hit *hit) {
    hit_taking *t = arg;
    return TWX_VEC_PUSH(t->cx, &t->docs, hit->doc) ? TWX_OK : TWX_E_NOMEM;
}

/* Appends the index of a document of the store if it takes part. */
static twx_rc keep_hit(twx_eval_finder *f, int64_t doc, kept_hits *hits) {
    const twx_eval_documents *d = f->how->documents;
    uint32_t document;
    const twx_rc rc = twx_eval_document_numbered(d->o, d, doc, &document);
    if (rc != TWX_OK || document == TWX_NO_DOCUMENT || !twx_eval_takes_part(d, document)) return rc;
    return TWX_VEC_PUSH(f->cx, hits, document) ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc search(twx_eval_finder *f, kept_hits *hits) {
    const twx_opened *o = f->how->documents->o;
    hit_taking taking = {.cx = f->cx};
    const twx_search search = {.query = twx_buf_slice(&f->search.query),
                               .generation = f->search.generation,
                               .direct = twx_source_is_direct(o->source),
                               .ranking = &f->search.rules.ranking,
                               .limit = HITS_KEPT};
    twx_rc rc = twx_text_search(o->writer, &search, take_hit, &taking);
    for (size_t i = 0; rc == TWX_OK && i < taking.docs.n; i++)
        rc = keep_hit(f, taking.docs.at[i], hits);
    TWX_VEC_DONE(&taking.docs);
    return rc;
}

/* title: its hash; words: its text. */
static twx_rc search_title(twx_eval_finder *f, uint64_t title, twx_slice words,
                           twx_title_hits *ret_hits) {
    title_search *s = &f->search;
    uint64_t at = s->kept.n;
    if (!twx_map64_get(&s->kept_at, title, &at)) {
        kept_hits hits = {0};
        twx_rc rc = twx_title_query(f->cx, &s->tokens, words, &s->query);
        if (rc == TWX_OK) rc = search(f, &hits);
        if (rc == TWX_OK && !TWX_VEC_PUSH(f->cx, &s->kept, hits)) rc = TWX_E_NOMEM;
        if (rc != TWX_OK) {
            TWX_VEC_DONE(&hits);
            return rc;
        }
        rc = twx_map64_put(f->cx, &s->kept_at, title, at);
        if (rc != TWX_OK) return rc;
    }
    *ret_hits = (twx_title_hits){s->kept.at[at].at, s->kept.at[at].n};
    return TWX_OK;
}

bool twx_title_found(const twx_eval_finding *how, const uint32_t *rep, uint32_t document,
                     const twx_title_hits *hits, size_t top) {
    const uint32_t wanted = rep[document];
    for (size_t i = 0, shown = 0; i < hits->n && shown < top; i++) {
        const uint32_t hit = hits->documents[i], text = twx_finding_text(how, hit);
        if (twx_finding_is_hidden(rep, hit)) continue;
        shown++;
        if (hit == wanted) return true;
        if (text != TWX_EVAL_NO_TEXT &&
            (text == twx_finding_text(how, wanted) || text == twx_finding_text(how, document)))
            return true;
    }
    return false;
}

/* ==== eval_findable */

void twx_title_words_init(twx_title_words *w) {
    twx_tokens_init(&w->tokens);
    twx_map64_init(&w->words, 0);
}

void twx_title_words_done(twx_title_words *w) {
    twx_tokens_done(&w->tokens);
    twx_map64_done(&w->words);
}

void twx_title_words_clear(twx_title_words *w) {
    twx_map64_done(&w->words);
}

twx_rc twx_title_words_add(twx_ctx *cx, twx_title_words *w, twx_slice part) {
    twx_token token;
    twx_rc rc = TWX_OK;
    twx_tokens_start(&w->tokens, part);
    while (rc == TWX_OK && (rc = twx_tokens_next(cx, &w->tokens, &token)) == TWX_OK)
        rc = twx_map64_put(cx, &w->words, twx_hash64(token.text, WORD_SEED), 1);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_title_words_lost(twx_ctx *cx, twx_title_words *w, twx_slice title,
                            twx_lost_words *ret_lost) {
    twx_lost_words lost = {0};
    twx_token token;
    twx_rc rc;
    twx_tokens_start(&w->tokens, title);
    while ((rc = twx_tokens_next(cx, &w->tokens, &token)) == TWX_OK) {
        if (twx_map64_has(&w->words, twx_hash64(token.text, WORD_SEED))) continue;
        lost.any = true;
        lost.word |= !twx_is_number(token.text);
    }
    if (rc != TWX_DONE) return rc;
    *ret_lost = lost;
    return TWX_OK;
}

/* ---- titled texts ------------------------------------------------------ */

TWX_ORDER_3(by_title, twx_titled_text, title, lot, document)

twx_rc twx_titled_texts_list(twx_ctx *cx, const twx_eval_finding *how, const uint32_t *rep,
                             twx_titled_texts *ret_list) {
    twx_map64 seen = {0};
    uint64_t first = 0;
    twx_rc rc = TWX_OK;
    for (uint32_t i = 0; rc == TWX_OK && i < how->documents->at.n; i++) {
        const uint32_t text = twx_finding_text(how, i);
        const uint64_t title = twx_finding_title(how, i);
        if (text == TWX_EVAL_NO_TEXT || title == 0 || twx_finding_is_hidden(rep, i)) continue;
        rc = twx_map64_add(cx, &seen, twx_mix64(text, title), i, &first);
        if (rc == TWX_OK && first == i &&
            !TWX_VEC_PUSH(cx, ret_list,
                          (twx_titled_text){title, twx_finding_lot(how, LOT_SEED, i), i}))
            rc = TWX_E_NOMEM;
    }
    twx_map64_done(&seen);
    if (rc == TWX_OK && ret_list->n)
        qsort(ret_list->at, ret_list->n, sizeof *ret_list->at, by_title);
    return rc;
}

void twx_titled_texts_of(const twx_titled_texts *list, uint64_t title, size_t *ret_from,
                         size_t *ret_to) {
    size_t low = 0, high = list->n;
    TWX_BISECT(low, high, list->at[middle].title < title);
    *ret_from = *ret_to = low;
    while (*ret_to < list->n && list->at[*ret_to].title == title) ++*ret_to;
}

/* ---- visible copies ---------------------------------------------------- */

/* The copies that stay visible under a method. Same title: of the
 * visible texts that share their title with another visible text, how many have a similarity of at
 * least .9 to one of at most 32 others (ordered by lot)? Known copies (lab/eval_labels.c)
 * with a similarity of at least .9: how many are not in one group? */

/* Do two texts have a similarity of at least .9? False for texts that are too long to compare or
 * that have changed. */
static twx_rc compare(twx_eval_finder *f, uint32_t a, uint32_t b, bool *ret_alike) {
    const uint64_t key = twx_eval_pair_of(a, b);
    uint64_t known = 0;
    int32_t ppm = -1;
    twx_rc rc = TWX_OK;
    if (!twx_map64_get(&f->alike, key, &known)) {
        if (twx_lengths_reach(f->how->texts, a, b, ALIKE_PPM))
            rc = twx_texts_compare(&f->comparer, a, b, ALIKE_PPM, &ppm);
        if (rc == TWX_DONE) rc = TWX_OK;
        known = ppm >= ALIKE_PPM;
        if (rc == TWX_OK) rc = twx_map64_put(f->cx, &f->alike, key, known);
    }
    if (rc == TWX_OK) *ret_alike = known != 0;
    return rc;
}

/* Is another text with this title similar to that of at[i]? */
static twx_rc has_alike(twx_eval_finder *f, const twx_titled_texts *list, size_t i,
                        bool *ret_alike) {
    size_t from, to, n = 0;
    twx_rc rc = TWX_OK;
    *ret_alike = false;
    twx_titled_texts_of(list, list->at[i].title, &from, &to);
    for (size_t k = from; rc == TWX_OK && k < to && n < TITLE_PARTNERS && !*ret_alike; k++) {
        if (k == i) continue;
        n++;
        rc = compare(f, twx_finding_text(f->how, list->at[i].document),
                     twx_finding_text(f->how, list->at[k].document), ret_alike);
    }
    return rc;
}

/* titled: the titles that stay visible under the method. Sets titled_sampled and same_title. */
static twx_rc visible_copies_by_title(twx_eval_finder *f, const twx_titled_texts *titled,
                                      twx_findable *result) {
    twx_eval_lots lots = {0};
    uint64_t alike = 0;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < titled->n; i++) {
        const twx_titled_text *t = &titled->at[i];
        const bool shared = (i > 0 && t[-1].title == t->title) ||
                            (i + 1 < titled->n && t[1].title == t->title);
        if (shared && !TWX_VEC_PUSH(f->cx, &lots, (twx_eval_lot){t->lot, (uint32_t)i}))
            rc = TWX_E_NOMEM;
    }
    const uint64_t all = lots.n;
    twx_eval_lots_keep(&lots, f->how->sample);
    for (size_t i = 0; rc == TWX_OK && i < lots.n; i++) {
        bool found = false;
        rc = has_alike(f, titled, lots.at[i].item, &found);
        alike += found;
        if (rc == TWX_OK) rc = twx_cancelled(f->cx);
    }
    result->titled_sampled = lots.n;
    result->same_title = twx_finding_share(alike, lots.n, all);
    TWX_VEC_DONE(&lots);
    return rc;
}

/* Is the same text shown for both documents? */
static bool are_joined(const twx_eval_finding *how, const uint32_t *rep,
                       const twx_known_pair *pair) {
    const uint32_t a = twx_finding_shown(rep, pair->a), b = twx_finding_shown(rep, pair->b);
    return a == b || twx_finding_text(how, a) == twx_finding_text(how, b);
}

/* Sets known_sampled and known_visible. */
static twx_rc visible_copies_known(twx_eval_finder *f, const uint32_t *rep, twx_findable *result) {
    const twx_known_pairs *known = &f->known;
    twx_eval_lots lots = {0};
    uint64_t sampled = 0, visible = 0;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < known->n; i++) {
        const uint64_t lot = twx_mix64(twx_finding_lot(f->how, LOT_SEED, known->at[i].a),
                                       twx_finding_lot(f->how, LOT_SEED, known->at[i].b));
        if (!TWX_VEC_PUSH(f->cx, &lots, (twx_eval_lot){lot, (uint32_t)i})) rc = TWX_E_NOMEM;
    }
    twx_eval_lots_keep(&lots, f->how->sample);
    for (size_t i = 0; rc == TWX_OK && i < lots.n; i++) {
        const twx_known_pair *pair = &known->at[lots.at[i].item];
        bool alike = false;
        rc = compare(f, twx_finding_text(f->how, pair->a), twx_finding_text(f->how, pair->b),
                     &alike);
        if (rc != TWX_OK || !alike) continue;
        sampled++;
        visible += !are_joined(f->how, rep, pair);
        rc = twx_cancelled(f->cx);
    }
    result->known_sampled = sampled;
    result->known_visible = twx_finding_share(visible, sampled,
                                              lots.n == known->n ? sampled : UINT64_MAX);
    TWX_VEC_DONE(&lots);
    return rc;
}

/* ---- a hidden document ---- */

static twx_rc take_name(void *arg, const twx_source_row *row, bool *ret_wait) {
    twx_eval_finder *f = arg;
    (void)ret_wait;
    f->fetched++;
    twx_buf_clear(&f->title);
    twx_buf_clear(&f->headings);
    twx_rc rc = twx_buf_add_slice(f->cx, &f->title, twx_bytes_of(&row->value[TWX_COL_TITLE]));
    return rc == TWX_OK
               ? twx_buf_add_slice(f->cx, &f->headings, twx_bytes_of(&row->value[TWX_COL_HEADINGS]))
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
        rc = twx_title_words_add(f->cx, &f->words, twx_bytes_of(&row->value[PARTS[i]]));
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
    twx_rc rc = search_title(f, title, twx_buf_slice(&f->title), &hits);
    if (rc != TWX_OK) return rc;
    const bool found = twx_title_found(f->how, rep, document, &hits, TWX_FINDABLE_TOP);
    twx_titled_texts_of(titled, title, &from, &to);
    const bool shared = to - from > TWX_FINDABLE_TOP;
    const double documents = (double)twx_map64_value(&c->titles, title, 1);
    twx_ratio_add(&c->by_title, (double)found / documents, 1 / documents, c->drawn);
    c->found += found;
    c->shared += shared;
    c->shared_found += shared && found;
    return TWX_OK;
}

/* What the representative lacks, as a number. */
enum { IS_GONE = 1, LOST = 2, LOST_WORD = 4, HAS_HEADINGS = 8, LOST_HEADING = 16 };

static twx_rc look_for_names(twx_eval_finder *f, uint32_t document, uint32_t rep,
                             uint64_t *ret_lost) {
    const twx_eval_documents *d = f->how->documents;
    twx_lost_words lost = {0}, of_headings = {0};
    f->fetched = 0;
    twx_rc rc = twx_eval_document_fetch(d, document, take_name, f);
    if (rc == TWX_OK) rc = twx_eval_document_fetch(d, rep, take_words, f);
    if (rc == TWX_OK) rc = twx_title_words_lost(f->cx, &f->words, twx_buf_slice(&f->title), &lost);
    if (rc == TWX_OK)
        rc = twx_title_words_lost(f->cx, &f->words, twx_buf_slice(&f->headings), &of_headings);
    *ret_lost = f->fetched < 2
                    ? IS_GONE /* one of them was deleted meanwhile */
                    : (lost.any ? LOST : 0) | (lost.word ? LOST_WORD : 0) |
                          (f->headings.n ? HAS_HEADINGS : 0) | (of_headings.any ? LOST_HEADING : 0);
    return rc;
}

/* titled: NULL: titles are not searched. */
static twx_rc count_document(twx_eval_finder *f, const uint32_t *rep, uint32_t document,
                             const twx_titled_texts *titled, finding_counts *c) {
    const uint64_t key = (uint64_t)document << 32 | rep[document];
    const bool search = titled && f->search.works;
    uint64_t lost = 0;
    if (search || !twx_map64_get(&f->lost, key, &lost)) {
        twx_rc rc = look_for_names(f, document, rep[document], &lost);
        if (rc == TWX_OK) rc = twx_map64_put(f->cx, &f->lost, key, lost);
        if (rc != TWX_OK) return rc;
    }
    c->gone += lost & IS_GONE;
    c->lost += (lost & LOST) != 0;
    c->lost_words += (lost & LOST_WORD) != 0;
    c->with_headings += (lost & HAS_HEADINGS) != 0;
    c->lost_headings += (lost & LOST_HEADING) != 0;
    return search && !(lost & IS_GONE) ? count_search(f, rep, document, titled, c) : TWX_OK;
}

/* ---- all of them ---- */

static twx_rc list_hidden(twx_eval_finder *f, const uint32_t *rep, twx_eval_lots *lots) {
    const twx_eval_finding *how = f->how;
    const uint32_t n = (uint32_t)how->documents->at.n;
    twx_map64 seen = {0};
    uint64_t first = 0;
    twx_rc rc = TWX_OK;
    twx_finding_visible(how, rep, f->visible);
    for (uint32_t i = 0; rc == TWX_OK && i < n; i++) {
        const uint32_t text = twx_finding_text(how, i);
        const uint64_t title = twx_finding_title(how, i);
        if (text == TWX_EVAL_NO_TEXT || !twx_finding_is_hidden(rep, i) || f->visible[text])
            continue;
        rc = twx_map64_add(f->cx, &seen, twx_mix64(text, title), i, &first);
        if (rc != TWX_OK || first != i) continue;
        if (!TWX_VEC_PUSH(f->cx, lots, (twx_eval_lot){twx_finding_lot(how, LOT_SEED, i), i}))
            rc = TWX_E_NOMEM;
    }
    twx_map64_done(&seen);
    return rc;
}

static twx_rc count_titles(twx_eval_finder *f, const twx_eval_lots *lots, twx_map64 *titles) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < lots->n; i++) {
        const uint64_t title = twx_finding_title(f->how, lots->at[i].item);
        rc = twx_map64_put(f->cx, titles, title, twx_map64_value(titles, title, 0) + 1);
    }
    return rc;
}

static twx_rc measure_hidden(twx_eval_finder *f, const uint32_t *rep,
                             const twx_titled_texts *titled, twx_findable *result) {
    twx_eval_lots hidden = {0}, lots = {0}; /* those with a title */
    finding_counts c = {0};
    twx_rc rc = list_hidden(f, rep, &hidden);
    result->hidden = hidden.n;
    for (size_t i = 0; rc == TWX_OK && i < hidden.n; i++)
        if (twx_finding_title(f->how, hidden.at[i].item) &&
            !TWX_VEC_PUSH(f->cx, &lots, hidden.at[i]))
            rc = TWX_E_NOMEM;
    if (rc == TWX_OK) rc = twx_changed_texts_measure(f->how, rep, &hidden, &f->substitutes, result);
    if (rc == TWX_OK) rc = count_titles(f, &lots, &c.titles);
    const uint64_t all = lots.n;
    twx_eval_lots_keep(&lots, f->how->sample);
    uint64_t n = lots.n;
    c.drawn = n ? (double)n / (double)all : 1;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        rc = count_document(f, rep, lots.at[i].item, titled, &c);
        if (rc == TWX_OK) rc = twx_cancelled(f->cx);
        twx_job_progress(f->how->job, "look for hidden documents", "documents", i + 1, n);
    }
    n -= c.gone;
    const uint64_t searched = titled && f->search.works ? n : 0;
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
    TWX_VEC_DONE(&hidden);
    return rc;
}

twx_rc twx_eval_find(twx_eval_finder *f, const uint32_t *rep, bool only_hidden,
                     twx_findable *result) {
    twx_titled_texts titled = {0};
    if (only_hidden) return measure_hidden(f, rep, NULL, result);
    twx_rc rc = twx_titled_texts_list(f->cx, f->how, rep, &titled);
    if (rc == TWX_OK) rc = measure_hidden(f, rep, &titled, result);
    if (rc == TWX_OK) rc = visible_copies_by_title(f, &titled, result);
    if (rc == TWX_OK) rc = visible_copies_known(f, rep, result);
    TWX_VEC_DONE(&titled);
    return rc;
}
