#include "lab/lab.h"

#define TWX_EVAL_BAG_MARGIN 0.35
/* Of the product of two lengths: comparing takes about a second. */
#define STEPS_MAX ((double)(UINT64_C(1) << 36))

/* ==== finding */

TWX_ORDER_2(by_lot, twx_eval_lot, lot, item)

void twx_eval_lots_keep(twx_eval_lots *lots, uint64_t most) {
    if (lots->n) qsort(lots->at, lots->n, sizeof *lots->at, by_lot);
    if (most && lots->n > most) lots->n = (size_t)most;
}

uint64_t twx_finding_lot(const twx_eval_finding *how, uint64_t measure, uint32_t document) {
    return twx_mix64(twx_mix64(how->seed, measure), how->documents->docs.at.at[document].url_key);
}

uint32_t twx_finding_text(const twx_eval_finding *how, uint32_t document) {
    return how->documents->at.at[document].text;
}

uint64_t twx_finding_title(const twx_eval_finding *how, uint32_t document) {
    return how->documents->at.at[document].title;
}

twx_measure twx_finding_share(uint64_t found, uint64_t sampled, uint64_t all) {
    if (sampled == 0) return (twx_measure){0};
    const double share = (double)found / (double)sampled;
    return sampled == all ? (twx_measure){true, share, share, share}
                          : twx_wilson(share, (double)sampled);
}

bool twx_finding_is_hidden(const uint32_t *rep, uint32_t document) {
    return rep[document] != TWX_NO_DOCUMENT && rep[document] != document;
}

uint32_t twx_finding_shown(const uint32_t *rep, uint32_t document) {
    return rep[document] == TWX_NO_DOCUMENT ? document : rep[document];
}

void twx_finding_visible(const twx_eval_finding *how, const uint32_t *rep, uint8_t *ret_visible) {
    memset(ret_visible, 0, how->texts->at.n);
    for (uint32_t i = 0; i < how->documents->at.n; i++) {
        const uint32_t text = twx_finding_text(how, i);
        if (text != TWX_EVAL_NO_TEXT && !twx_finding_is_hidden(rep, i)) ret_visible[text] = 1;
    }
}

typedef struct url_taking {
    twx_ctx *cx;
    twx_buf *out;
    size_t most;
} url_taking;

static twx_rc take_url(void *arg, const twx_source_row *row, bool *ret_wait) {
    const url_taking *t = arg;
    (void)ret_wait;
    return twx_excerpt(t->cx, twx_bytes_of(&row->value[TWX_COL_URL]), t->most, t->out);
}

/* Appends the URL of a document, at most so many bytes of it. */
static twx_rc add_url(const twx_eval_finding *how, uint32_t document, size_t most, twx_buf *out) {
    url_taking taking = {how->job->cx, out, most};
    const size_t before = out->n;
    const twx_rc rc = twx_eval_document_fetch(how->documents, document, take_url, &taking);
    return rc == TWX_OK && out->n == before ? twx_buf_add_text(how->job->cx, out, "(gone)") : rc;
}

twx_rc twx_text_comparer_open(const twx_eval_finding *how, twx_text_comparer *c) {
    *c = (twx_text_comparer){.how = how};
    for (int i = 0; i < 2; i++) twx_buf_init(&c->texts[i], SIZE_MAX / 4);
    return twx_similarity_open(how->job->cx, &c->similarity);
}

void twx_text_comparer_done(twx_text_comparer *c) {
    twx_similarity_close(c->similarity);
    for (int i = 0; i < 2; i++) twx_buf_done(&c->texts[i]);
}

bool twx_lengths_reach(const twx_eval_texts *t, uint32_t a, uint32_t b, uint32_t ppm) {
    const double x = (double)t->at.at[a].bytes, y = (double)t->at.at[b].bytes;
    return 2e6 * (x < y ? x : y) / (x + y) >= (double)ppm;
}

twx_rc twx_texts_compare(twx_text_comparer *c, uint32_t a, uint32_t b, int32_t least_ppm,
                         int32_t *ret_ppm) {
    const twx_eval_texts *t = c->how->texts;
    const uint32_t texts[] = {a, b};
    twx_ctx *cx = c->how->job->cx;
    twx_rc rc = TWX_OK;
    *ret_ppm = a == b ? 1000000 : -1;
    if (a == b) return TWX_OK;
    if ((double)t->at.at[a].bytes * (double)t->at.at[b].bytes > STEPS_MAX) {
        c->too_long++;
        return TWX_DONE;
    }
    for (int i = 0; rc == TWX_OK && i < 2; i++) {
        twx_buf_clear(&c->texts[i]);
        rc = twx_eval_text_fetch(t, texts[i], &c->texts[i]);
    }
    if (rc == TWX_OK)
        rc = twx_similarity_of(cx, c->similarity, twx_buf_slice(&c->texts[0]),
                               twx_buf_slice(&c->texts[1]), least_ppm, ret_ppm);
    return rc == TWX_OK ? twx_cancelled(cx) : rc;
}

/* ==== changed_words */

typedef struct twx_changed_words {
    twx_text_diff diff;
    uint64_t words, numbers; /* substitutions */
    bool a_more, b_more;     /* one text has words in a place where the other has none */
    twx_slice a, b;          /* the first substitution of words, borrowed from the texts */
} twx_changed_words;

enum {
    CHANGED_MAX = 6,
    WORDS_MAX = 64,
    CALENDAR_BYTES = 32,
    CHANGED_URL_SHOWN = 300,
    WORDS_SHOWN = 60
};

static bool is_punctuation(char c) {
    return (unsigned char)c < 0x80 && !twx_is_alphanumeric((unsigned char)c);
}

/* The next word of *rest; empty: there are no more. */
static twx_slice next_word(twx_slice *rest) {
    size_t at = 0;
    while (at < rest->n && is_punctuation(rest->p[at])) at++;
    size_t to = at;
    while (to < rest->n && !twx_is_space((unsigned char)rest->p[to])) to++;
    *rest = twx_slice_sub(*rest, at, rest->n);
    twx_slice word = {rest->p, to - at};
    *rest = twx_slice_sub(*rest, word.n, rest->n);
    while (word.n && is_punctuation(word.p[word.n - 1])) word.n--;
    return word;
}

static bool is_of_machines(twx_slice word) {
    char lower[CALENDAR_BYTES];
    if (word.n > sizeof lower) return true; /* no word that people read */
    bool has_digit = false;
    for (size_t i = 0; i < word.n; i++) {
        lower[i] = twx_lower(word.p[i]);
        has_digit |= twx_is_digit((unsigned char)word.p[i]);
    }
    return has_digit || twx_is_calendar_word((twx_slice){lower, word.n});
}

/* The first words of a passage. */
typedef struct word_list {
    twx_slice at[WORDS_MAX];
    size_t n;
    bool of_machines; /* all of them */
} word_list;

static void list_words(twx_slice passage, word_list *list) {
    list->n = 0;
    for (twx_slice word; list->n < WORDS_MAX && (word = next_word(&passage)).n;)
        list->at[list->n++] = word;
}

/* Drops the words that both have at their beginnings and ends: the passages differ there in
 * punctuation. */
static void drop_common(word_list *a, word_list *b) {
    size_t head = 0;
    if (a->n == WORDS_MAX || b->n == WORDS_MAX) return;
    while (a->n && b->n && twx_slice_eq(a->at[a->n - 1], b->at[b->n - 1])) a->n--, b->n--;
    while (head < a->n && head < b->n && twx_slice_eq(a->at[head], b->at[head])) head++;
    a->n -= head;
    b->n -= head;
    memmove(a->at, a->at + head, a->n * sizeof *a->at);
    memmove(b->at, b->at + head, b->n * sizeof *b->at);
}

static twx_slice spanned(const word_list *list) {
    const twx_slice first = list->at[0], last = list->at[list->n - 1];
    return (twx_slice){first.p, (size_t)(last.p + last.n - first.p)};
}

static void count_place(twx_slice in_a, twx_slice in_b, twx_changed_words *c) {
    word_list words[2];
    list_words(in_a, &words[0]);
    list_words(in_b, &words[1]);
    drop_common(&words[0], &words[1]);
    for (int i = 0; i < 2; i++) {
        words[i].of_machines = true;
        for (size_t k = 0; k < words[i].n; k++)
            words[i].of_machines &= is_of_machines(words[i].at[k]);
    }
    const word_list *a = &words[0], *b = &words[1];
    if (a->n && b->n && a->n <= CHANGED_MAX && b->n <= CHANGED_MAX) {
        if (a->of_machines && b->of_machines) {
            c->numbers++;
        } else if (c->words++ == 0) {
            c->a = spanned(a);
            c->b = spanned(b);
        }
        return;
    }
    c->a_more |= !a->of_machines;
    c->b_more |= !b->of_machines;
}

static twx_rc changed_words_of(twx_ctx *cx, twx_slice a, twx_slice b, twx_changed_words *c) {
    twx_text_diff_done(&c->diff);
    const twx_rc rc = twx_text_diff_of(cx, a, b, &c->diff);
    c->words = c->numbers = 0;
    c->a_more = c->b_more = false;
    c->a = c->b = (twx_slice){NULL, 0};
    for (size_t i = 0; rc == TWX_OK && i < c->diff.at.n; i++) {
        const twx_passage *p = &c->diff.at.at[i];
        const bool both = p->kind == TWX_PASSAGE_ONLY_A && i + 1 < c->diff.at.n &&
                          p[1].kind == TWX_PASSAGE_ONLY_B;
        if (p->kind == TWX_PASSAGE_BOTH) continue;
        count_place(p->a, both ? p[1].b : p->b, c);
        i += both;
    }
    return rc;
}

/* ---- hidden documents ----------------------------------------------------------- */

typedef struct word_measuring {
    const twx_eval_finding *how;
    twx_map64 *known; /* two texts -> how they differ */
    twx_changed_words changed;
    twx_buf texts[2], shown; /* of the hidden document and its representative */
    uint64_t compared, any, things, substitutions, one_way;
} word_measuring;

/* With -v: the first words that are substituted, and the URLs. */
static twx_rc name_change(word_measuring *m, const uint32_t documents[2]) {
    const twx_slice words[] = {m->changed.a, m->changed.b};
    twx_ctx *cx = m->how->job->cx;
    twx_rc rc = TWX_OK;
    twx_buf_clear(&m->shown);
    for (int i = 0; rc == TWX_OK && i < 2; i++) {
        rc = twx_buf_add_text(cx, &m->shown, i ? "' where the representative has '" : "'");
        if (rc == TWX_OK) rc = twx_excerpt(cx, words[i], WORDS_SHOWN, &m->shown);
    }
    for (int i = 0; rc == TWX_OK && i < 2; i++) {
        rc = twx_buf_add_text(cx, &m->shown, i ? " " : "': ");
        if (rc == TWX_OK) rc = add_url(m->how, documents[i], CHANGED_URL_SHOWN, &m->shown);
    }
    if (rc == TWX_OK)
        twx_job_message(m->how->job, TWINDEX_DETAIL, "substitutes %s", twx_buf_slice(&m->shown).p);
    return rc;
}

/* How two texts differ, as a number; the substitutions of words begin at bit 3. 0: one of them has
 * changed. */
enum { COMPARED = 1, HAS_ANY = 2, IS_ONE_WAY = 4, SUBSTITUTIONS_AT = 3 };

static twx_rc compare_words(word_measuring *m, const uint32_t documents[2], uint64_t *ret_change) {
    const twx_changed_words *changed = &m->changed;
    twx_rc rc = TWX_OK;
    for (int i = 0; rc == TWX_OK && i < 2; i++) {
        twx_buf_clear(&m->texts[i]);
        rc = twx_eval_text_fetch(m->how->texts, twx_finding_text(m->how, documents[i]),
                                 &m->texts[i]);
    }
    if (rc == TWX_OK)
        rc = changed_words_of(m->how->job->cx, twx_buf_slice(&m->texts[0]),
                              twx_buf_slice(&m->texts[1]), &m->changed);
    if (rc != TWX_OK) return rc == TWX_DONE ? TWX_OK : rc; /* it has changed */
    const bool one_way = !changed->words && changed->a_more && !changed->b_more;
    *ret_change = COMPARED | (changed->words || changed->numbers ? HAS_ANY : 0) |
                  (one_way ? IS_ONE_WAY : 0) | changed->words << SUBSTITUTIONS_AT;
    return changed->words ? name_change(m, documents) : TWX_OK;
}

static twx_rc count_change(word_measuring *m, uint32_t document, uint32_t rep) {
    const uint32_t documents[] = {document, rep};
    const uint32_t a = twx_finding_text(m->how, document), b = twx_finding_text(m->how, rep);
    const uint64_t key = (uint64_t)a << 32 | b;
    uint64_t change = 0;
    if (a == TWX_EVAL_NO_TEXT || b == TWX_EVAL_NO_TEXT) return TWX_OK;
    if (!twx_map64_get(m->known, key, &change)) {
        twx_rc rc = compare_words(m, documents, &change);
        if (rc == TWX_OK) rc = twx_map64_put(m->how->job->cx, m->known, key, change);
        if (rc != TWX_OK) return rc;
    }
    m->compared += change & COMPARED;
    m->any += (change & HAS_ANY) != 0;
    m->things += change >> SUBSTITUTIONS_AT > 0;
    m->substitutions += change >> SUBSTITUTIONS_AT;
    m->one_way += (change & IS_ONE_WAY) != 0;
    return TWX_OK;
}

twx_rc twx_changed_texts_measure(const twx_eval_finding *how, const uint32_t *rep,
                                 twx_eval_lots *lots, twx_map64 *known, twx_findable *result) {
    const twx_buf room = {.max = SIZE_MAX / 4};
    word_measuring m = {.how = how, .known = known, .texts = {room, room}, .shown = room};
    const uint64_t all = lots->n;
    twx_rc rc = TWX_OK;
    twx_eval_lots_keep(lots, how->sample);
    for (size_t i = 0; rc == TWX_OK && i < lots->n; i++) {
        rc = count_change(&m, lots->at[i].item, rep[lots->at[i].item]);
        if (rc == TWX_OK) rc = twx_cancelled(how->job->cx);
        twx_job_progress(how->job, "compare words of hidden documents", "documents", i + 1,
                         lots->n);
    }
    result->compared = m.compared;
    result->substitutions = m.substitutions;
    result->substitutes = twx_finding_share(m.any, m.compared, all);
    result->things = twx_finding_share(m.things, m.compared, all);
    result->one_way = twx_finding_share(m.one_way, m.compared, all);
    twx_text_diff_done(&m.changed.diff);
    for (int i = 0; i < 2; i++) twx_buf_done(&m.texts[i]);
    twx_buf_done(&m.shown);
    return rc;
}

/* ==== eval_hidden */

enum { LOT_SEED = 11, LONG_SEED = 12, AUDIT_SEED = 13, URL_SHOWN = 500 };

typedef struct bag_word {
    uint64_t hash;
    uint32_t sampled; /* index of the drawn text */
    uint32_t weight;
} bag_word;

typedef struct candidate {
    uint32_t text;
    double bag; /* bag similarity */
} candidate;

/* A visible text that was drawn. */
typedef struct drawn_text {
    uint32_t text;
    uint64_t weight;               /* of its bag */
    TWX_VEC(candidate) candidates; /* the first TWX_EVAL_ALIKE_MAX are sorted if is_sorted */
    bool is_sorted;
} drawn_text;

typedef struct audit_pair {
    uint64_t lot;
    uint32_t sampled, text;
} audit_pair;

typedef struct measuring {
    const twx_eval_finding *how;
    const uint32_t *rep; /* by document */
    uint32_t threshold_ppm;
    twx_text_comparer comparer;
    twx_buf shown;
    twx_word_counts counts;
    uint8_t *visible; /* by text */
    TWX_VEC(drawn_text) drawn;
    TWX_VEC(bag_word) bags;   /* of all drawn texts, by hash */
    twx_map64 bag_at;         /* hash -> its first index in bags */
    TWX_VEC(uint64_t) common; /* by drawn text: weight in common with the current text */
    TWX_VEC(audit_pair) audit;
    twx_eval_lots lots;
    twx_hiding made;
} measuring;

static uint64_t weight_of(const twx_word *word) {
    return (uint64_t)word->count * (twx_word_length(word) + 1);
}

static uint64_t hash_of(const twx_word *word) {
    return word->long_text.p ? twx_hash64(word->long_text, LONG_SEED)
                             : twx_mix64(word->head, LONG_SEED);
}

/* ---- hidden wrongly ------------------------------------------------------ */

static twx_rc list_hidden(measuring *m) {
    const twx_eval_documents *d = m->how->documents;
    m->lots.n = 0;
    for (uint32_t i = 0; i < d->at.n; i++) {
        if (!twx_finding_is_hidden(m->rep, i) || !twx_eval_takes_part(d, i)) continue;
        const uint32_t a = twx_finding_text(m->how, i), b = twx_finding_text(m->how, m->rep[i]);
        if (a == b || a == TWX_EVAL_NO_TEXT || b == TWX_EVAL_NO_TEXT) continue;
        const twx_eval_lot lot = {twx_finding_lot(m->how, LOT_SEED, i), i};
        if (!TWX_VEC_PUSH(m->how->job->cx, &m->lots, lot)) return TWX_E_NOMEM;
    }
    m->made.hidden = m->lots.n;
    twx_eval_lots_keep(&m->lots, m->how->sample);
    return TWX_OK;
}

/* With -v: reports the URLs of two documents that count against the method. */
static twx_rc name_pair(measuring *m, const char *what, uint32_t a, uint32_t b, int32_t ppm) {
    twx_buf_clear(&m->shown);
    twx_rc rc = add_url(m->how, a, URL_SHOWN, &m->shown);
    if (rc == TWX_OK) rc = twx_buf_add_char(m->how->job->cx, &m->shown, ' ');
    if (rc == TWX_OK) rc = add_url(m->how, b, URL_SHOWN, &m->shown);
    if (rc == TWX_OK)
        twx_job_message(m->how->job, TWINDEX_DETAIL, "%s, similarity %.4f: %s", what, ppm / 1e6,
                        twx_buf_slice(&m->shown).p);
    return rc;
}

static twx_rc measure_hidden(measuring *m) {
    const int32_t threshold = (int32_t)m->threshold_ppm;
    uint64_t below = 0, far_below = 0;
    twx_rc rc = list_hidden(m);
    for (size_t i = 0; rc == TWX_OK && i < m->lots.n; i++) {
        const uint32_t document = m->lots.at[i].item;
        int32_t ppm = -1;
        rc = twx_texts_compare(&m->comparer, twx_finding_text(m->how, document),
                               twx_finding_text(m->how, m->rep[document]), 0, &ppm);
        if (rc == TWX_DONE) {
            rc = TWX_OK;
            continue;
        }
        m->made.hidden_sampled++;
        below += ppm < threshold;
        far_below += ppm < threshold - TWX_EVAL_FAR_PPM;
        if (rc == TWX_OK && ppm < threshold)
            rc = name_pair(m, "hidden wrongly", document, m->rep[document], ppm);
        twx_job_progress(m->how->job, "compare hidden documents", "documents", i + 1, m->lots.n);
    }
    const uint64_t all = m->made.hidden == m->lots.n ? m->made.hidden_sampled : UINT64_MAX;
    m->made.below = twx_finding_share(below, m->made.hidden_sampled, all);
    m->made.far_below = twx_finding_share(far_below, m->made.hidden_sampled, all);
    return rc;
}

/* ---- left visible: candidates -------------------------------------------- */

/* Counts the words of a text; sums them up, and the weight of its bag. */
static twx_rc sum_bag(measuring *m, twx_slice text, uint64_t *ret_words, uint64_t *ret_weight) {
    const twx_rc rc = twx_word_counts_of(m->how->job->cx, &m->counts, text, 0);
    twx_word word;
    if (rc != TWX_OK) return rc;
    *ret_words = *ret_weight = 0;
    for (size_t at = 0; twx_word_counts_next(&m->counts, 1, &at, &word);) {
        *ret_words += word.count;
        *ret_weight += weight_of(&word);
    }
    return TWX_OK;
}

static twx_rc add_bag(measuring *m, uint32_t text, uint64_t weight) {
    twx_ctx *cx = m->how->job->cx;
    const drawn_text made = {.text = text, .weight = weight};
    const uint32_t sampled = (uint32_t)m->drawn.n;
    twx_word word;
    if (!TWX_VEC_PUSH(cx, &m->drawn, made)) return TWX_E_NOMEM;
    for (size_t at = 0; twx_word_counts_next(&m->counts, 1, &at, &word);) {
        const uint64_t w = weight_of(&word);
        const bag_word entry = {hash_of(&word), sampled, w < UINT32_MAX ? (uint32_t)w : UINT32_MAX};
        if (!TWX_VEC_PUSH(cx, &m->bags, entry)) return TWX_E_NOMEM;
    }
    return TWX_OK;
}

/* First pass: collects the visible texts that have enough words. */
static twx_rc list_text(void *arg, uint32_t i, const twx_source_row *row) {
    measuring *m = arg;
    uint64_t words = 0, weight = 0;
    if (!m->visible[i]) return TWX_OK;
    const twx_rc rc = sum_bag(m, twx_bytes_of(&row->value[TWX_COL_TEXT]), &words, &weight);
    if (rc != TWX_OK) return rc;
    if (words < m->how->job->settings->near_min_words) {
        m->visible[i] = 0;
        return TWX_OK;
    }
    const uint64_t lot = twx_mix64(twx_mix64(m->how->seed, LOT_SEED),
                                   m->how->texts->at.at[i].place);
    return TWX_VEC_PUSH(m->how->job->cx, &m->lots, (twx_eval_lot){lot, i}) ? TWX_OK : TWX_E_NOMEM;
}

TWX_ORDER_2(by_hash, bag_word, hash, sampled)

static twx_rc draw_texts(measuring *m) {
    twx_ctx *cx = m->how->job->cx;
    uint64_t words = 0, weight = 0, at = 0;
    twx_eval_lots_keep(&m->lots, m->how->sample);
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < m->lots.n; i++) {
        twx_buf *text = &m->comparer.texts[0];
        twx_buf_clear(text);
        rc = twx_eval_text_fetch(m->how->texts, m->lots.at[i].item, text);
        if (rc == TWX_DONE) { /* the text has changed */
            rc = TWX_OK;
            continue;
        }
        if (rc == TWX_OK) rc = sum_bag(m, twx_buf_slice(text), &words, &weight);
        if (rc == TWX_OK) rc = add_bag(m, m->lots.at[i].item, weight);
    }
    if (m->bags.n) qsort(m->bags.at, m->bags.n, sizeof *m->bags.at, by_hash);
    for (size_t k = 0; rc == TWX_OK && k < m->bags.n; k++)
        if (k == 0 || m->bags.at[k].hash != m->bags.at[k - 1].hash)
            rc = twx_map64_add(cx, &m->bag_at, m->bags.at[k].hash, k, &at);
    if (rc == TWX_OK && !TWX_VEC_RESERVE(cx, &m->common, m->drawn.n + 1)) rc = TWX_E_NOMEM;
    return rc;
}

TWX_ORDER(by_bag, candidate, TWX_DOWN_THEN(bag, TWX_UP(text)))

/* Sorts the candidates, and drops those beyond TWX_EVAL_ALIKE_MAX. */
static void keep_best(measuring *m, drawn_text *d) {
    if (d->candidates.n) qsort(d->candidates.at, d->candidates.n, sizeof *d->candidates.at, by_bag);
    if (d->candidates.n <= TWX_EVAL_ALIKE_MAX) return;
    m->made.capped += d->candidates.n - TWX_EVAL_ALIKE_MAX;
    d->candidates.n = TWX_EVAL_ALIKE_MAX;
    d->is_sorted = true;
}

static twx_rc add_candidate(measuring *m, drawn_text *d, candidate c) {
    if (d->is_sorted && by_bag(&c, &d->candidates.at[TWX_EVAL_ALIKE_MAX - 1]) > 0) {
        m->made.capped++;
        return TWX_OK;
    }
    if (!TWX_VEC_PUSH(m->how->job->cx, &d->candidates, c)) return TWX_E_NOMEM;
    if (d->candidates.n == 2 * TWX_EVAL_ALIKE_MAX) keep_best(m, d);
    return TWX_OK;
}

static twx_rc weigh_pair(measuring *m, uint32_t sampled, uint32_t text, double bag) {
    drawn_text *d = &m->drawn.at[sampled];
    const double least = (double)m->threshold_ppm / 1e6 - TWX_EVAL_BAG_MARGIN;
    if (d->text == text || !twx_lengths_reach(m->how->texts, d->text, text, m->threshold_ppm))
        return TWX_OK;
    if (bag >= least) return add_candidate(m, d, (candidate){text, bag});
    const uint64_t lot = twx_mix64(twx_mix64(m->how->texts->at.at[d->text].place, AUDIT_SEED),
                                   m->how->texts->at.at[text].place);
    /* an audit of pairs far below the bound would find nothing: only those within half a margin of
     * it are audited */
    if (bag < least - TWX_EVAL_BAG_MARGIN / 2 || m->audit.n >= (1 << 22)) return TWX_OK;
    return TWX_VEC_PUSH(m->how->job->cx, &m->audit, (audit_pair){lot, sampled, text}) ? TWX_OK
                                                                                      : TWX_E_NOMEM;
}

/* Second pass: compares the bag of each visible text with the bags of all drawn texts. */
static twx_rc scan_text(void *arg, uint32_t i, const twx_source_row *row) {
    measuring *m = arg;
    uint64_t words = 0, weight = 0, at = 0;
    twx_word word;
    if (!m->visible[i]) return TWX_OK;
    twx_rc rc = sum_bag(m, twx_bytes_of(&row->value[TWX_COL_TEXT]), &words, &weight);
    if (rc != TWX_OK) return rc;
    for (size_t d = 0; d < m->drawn.n; d++) m->common.at[d] = 0;
    for (size_t next = 0; twx_word_counts_next(&m->counts, 1, &next, &word);) {
        const uint64_t hash = hash_of(&word), own = weight_of(&word);
        if (!twx_map64_get(&m->bag_at, hash, &at)) continue;
        for (size_t k = (size_t)at; k < m->bags.n && m->bags.at[k].hash == hash; k++)
            m->common.at[m->bags.at[k].sampled] += own < m->bags.at[k].weight
                                                       ? own
                                                       : m->bags.at[k].weight;
    }
    for (uint32_t d = 0; rc == TWX_OK && d < m->drawn.n; d++)
        rc = weigh_pair(m, d, i,
                        2 * (double)m->common.at[d] / (double)(weight + m->drawn.at[d].weight + 1));
    return rc;
}

/* ---- left visible: comparing --------------------------------------------- */

static twx_rc compare_drawn(measuring *m, drawn_text *d, int32_t *ret_best) {
    const int32_t threshold = (int32_t)m->threshold_ppm;
    twx_rc rc = TWX_OK;
    uint32_t nearest = d->text;
    *ret_best = -1;
    keep_best(m, d);
    for (size_t i = 0; rc == TWX_OK && i < d->candidates.n; i++) {
        int32_t ppm = -1;
        if (*ret_best >= threshold + TWX_EVAL_FAR_PPM) break;
        rc = twx_texts_compare(&m->comparer, d->text, d->candidates.at[i].text, threshold, &ppm);
        if (rc == TWX_DONE) rc = TWX_OK;
        m->made.compared++;
        if (ppm <= *ret_best) continue;
        *ret_best = ppm;
        nearest = d->candidates.at[i].text;
    }
    if (rc != TWX_OK || *ret_best < threshold + TWX_EVAL_FAR_PPM) return rc;
    const twx_eval_text *texts = m->how->texts->at.at;
    return name_pair(m, "left visible", texts[d->text].document, texts[nearest].document,
                     *ret_best);
}

TWX_ORDER_1(by_audit_lot, audit_pair, lot)

static twx_rc audit(measuring *m) {
    twx_rc rc = TWX_OK;
    if (m->audit.n) qsort(m->audit.at, m->audit.n, sizeof *m->audit.at, by_audit_lot);
    for (size_t i = 0; rc == TWX_OK && i < m->audit.n && m->made.audited < TWX_EVAL_AUDIT_MAX;
         i++) {
        int32_t ppm = -1;
        const audit_pair *pair = &m->audit.at[i];
        rc = twx_texts_compare(&m->comparer, m->drawn.at[pair->sampled].text, pair->text,
                               (int32_t)m->threshold_ppm, &ppm);
        if (rc == TWX_DONE) rc = TWX_OK;
        m->made.audited++;
        m->made.audited_alike += ppm >= 0;
    }
    return rc;
}

static twx_rc measure_visible(measuring *m) {
    const int32_t threshold = (int32_t)m->threshold_ppm;
    uint64_t alike = 0, very_alike = 0;
    m->lots.n = 0;
    m->visible = twx_calloc(m->how->job->cx, m->how->texts->at.n + 1, 1);
    if (!m->visible) return TWX_E_NOMEM;
    twx_finding_visible(m->how, m->rep, m->visible);
    twx_rc rc = twx_eval_texts_each(m->how->texts, list_text, m);
    m->made.visible = m->lots.n;
    if (rc == TWX_OK) rc = draw_texts(m);
    if (rc == TWX_OK) rc = twx_eval_texts_each(m->how->texts, scan_text, m);
    for (size_t i = 0; rc == TWX_OK && i < m->drawn.n; i++) {
        int32_t best = -1;
        rc = compare_drawn(m, &m->drawn.at[i], &best);
        alike += best >= threshold;
        very_alike += best >= threshold + TWX_EVAL_FAR_PPM;
        twx_job_progress(m->how->job, "compare visible documents", "texts", i + 1, m->drawn.n);
    }
    if (rc == TWX_OK) rc = audit(m);
    m->made.visible_sampled = m->drawn.n;
    m->made.alike = twx_finding_share(alike, m->drawn.n, m->made.visible);
    m->made.very_alike = twx_finding_share(very_alike, m->drawn.n, m->made.visible);
    return rc;
}

twx_rc twx_eval_hiding_measure(const twx_eval_finding *how, const uint32_t *rep,
                               uint32_t threshold_ppm, twx_hiding *ret_hiding) {
    measuring m = {
        .how = how, .rep = rep, .threshold_ppm = threshold_ppm, .shown = {.max = SIZE_MAX / 4}};
    twx_word_counts_init(&m.counts, 0);
    twx_rc rc = twx_text_comparer_open(how, &m.comparer);
    if (rc == TWX_OK) rc = measure_hidden(&m);
    if (rc == TWX_OK) rc = measure_visible(&m);
    m.made.measured = true;
    m.made.too_long = m.comparer.too_long;
    if (rc == TWX_OK) *ret_hiding = m.made;
    twx_text_comparer_done(&m.comparer);
    twx_buf_done(&m.shown);
    twx_word_counts_done(&m.counts);
    twx_free(m.visible);
    for (size_t i = 0; i < m.drawn.n; i++) TWX_VEC_DONE(&m.drawn.at[i].candidates);
    TWX_VEC_DONE(&m.drawn);
    TWX_VEC_DONE(&m.bags);
    twx_map64_done(&m.bag_at);
    TWX_VEC_DONE(&m.common);
    TWX_VEC_DONE(&m.audit);
    TWX_VEC_DONE(&m.lots);
    return rc;
}
