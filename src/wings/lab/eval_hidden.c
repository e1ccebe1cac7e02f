#include "lab/lab.h"

/* ==== changed_words */

#define TWX_EVAL_BAG_MARGIN 0.35

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
    return (unsigned char)c < 0x80 && !twx_is_alpha((unsigned char)c) &&
           !twx_is_digit((unsigned char)c);
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
    const twx_job *job;
    twx_opened *o;
    const twx_eval_finding *how;
    twx_changed_words changed;
    twx_buf texts[2], urls; /* of the hidden document and its representative */
} word_measuring;

static twx_rc add_url(void *arg, const twx_source_row *row, bool *ret_wait) {
    word_measuring *f = arg;
    (void)ret_wait;
    return twx_excerpt(f->job->cx, twx_bytes_of(&row->value[TWX_COL_URL]), CHANGED_URL_SHOWN,
                       &f->urls);
}

/* With -v: the first words that are substituted, and the URLs. */
static twx_rc name_change(word_measuring *f, const uint32_t documents[2]) {
    const twx_slice words[] = {f->changed.a, f->changed.b};
    twx_rc rc = TWX_OK;
    twx_buf_clear(&f->urls);
    for (int i = 0; rc == TWX_OK && i < 2; i++) {
        rc = twx_buf_add_text(f->job->cx, &f->urls, i ? "' where the representative has '" : "'");
        if (rc == TWX_OK) rc = twx_excerpt(f->job->cx, words[i], WORDS_SHOWN, &f->urls);
    }
    for (int i = 0; rc == TWX_OK && i < 2; i++) {
        rc = twx_buf_add_text(f->job->cx, &f->urls, i ? " " : "': ");
        if (rc == TWX_OK)
            rc = twx_eval_document_fetch(f->job, f->o, f->how->documents, documents[i], add_url, f);
    }
    if (rc == TWX_OK)
        twx_job_message(f->job, TWINDEX_DETAIL, "substitutes %s", twx_buf_slice(&f->urls).p);
    return rc;
}

typedef struct change_counts {
    uint64_t compared, any, things, substitutions, one_way;
} change_counts;

/* How two texts differ, as a number; the substitutions of words begin at bit 3. 0: one of them has
 * changed. */
enum { COMPARED = 1, HAS_ANY = 2, IS_ONE_WAY = 4, SUBSTITUTIONS_AT = 3 };

static twx_rc compare_words(word_measuring *f, const uint32_t documents[2], uint64_t *ret_change) {
    const twx_changed_words *changed = &f->changed;
    twx_rc rc = TWX_OK;
    for (int i = 0; rc == TWX_OK && i < 2; i++) {
        const uint32_t text = twx_finding_text(f->how, documents[i]);
        twx_buf_clear(&f->texts[i]);
        rc = twx_eval_text_fetch(f->job, f->o, f->how->texts, text, &f->texts[i]);
    }
    if (rc == TWX_OK)
        rc = changed_words_of(f->job->cx, twx_buf_slice(&f->texts[0]), twx_buf_slice(&f->texts[1]),
                              &f->changed);
    if (rc != TWX_OK) return rc == TWX_DONE ? TWX_OK : rc; /* it has changed */
    const bool one_way = !changed->words && changed->a_more && !changed->b_more;
    *ret_change = COMPARED | (changed->words || changed->numbers ? HAS_ANY : 0) |
                  (one_way ? IS_ONE_WAY : 0) | changed->words << SUBSTITUTIONS_AT;
    return changed->words ? name_change(f, documents) : TWX_OK;
}

static twx_rc count_change(word_measuring *f, const uint32_t *rep, uint32_t document,
                           twx_map64 *known, change_counts *c) {
    const uint32_t documents[] = {document, rep[document]};
    const uint32_t a = twx_finding_text(f->how, document),
                   b = twx_finding_text(f->how, rep[document]);
    uint64_t change = 0;
    if (a == TWX_EVAL_NO_TEXT || b == TWX_EVAL_NO_TEXT) return TWX_OK;
    if (!twx_map64_get(known, (uint64_t)a << 32 | b, &change)) {
        twx_rc rc = compare_words(f, documents, &change);
        if (rc == TWX_OK) rc = twx_map64_put(f->job->cx, known, (uint64_t)a << 32 | b, change);
        if (rc != TWX_OK) return rc;
    }
    c->compared += change & COMPARED;
    c->any += (change & HAS_ANY) != 0;
    c->things += change >> SUBSTITUTIONS_AT > 0;
    c->substitutions += change >> SUBSTITUTIONS_AT;
    c->one_way += (change & IS_ONE_WAY) != 0;
    return TWX_OK;
}

twx_rc twx_changed_texts_measure(const twx_job *job, twx_opened *o, const twx_eval_finding *how,
                                 const uint32_t *rep, twx_eval_lots *lots, twx_map64 *known,
                                 twx_findable *result) {
    word_measuring m = {.job = job, .o = o, .how = how, .urls = {.max = SIZE_MAX / 4}};
    change_counts c = {0};
    const uint64_t all = lots->n;
    twx_rc rc = TWX_OK;
    for (int i = 0; i < 2; i++) twx_buf_init(&m.texts[i], SIZE_MAX / 4);
    twx_eval_lots_keep(lots, how->sample);
    for (size_t i = 0; rc == TWX_OK && i < lots->n; i++) {
        rc = count_change(&m, rep, lots->at[i].item, known, &c);
        if (rc == TWX_OK) rc = twx_cancelled(job->cx);
        twx_job_progress(job, "compare words of hidden documents", "documents", i + 1, lots->n);
    }
    result->compared = c.compared;
    result->substitutions = c.substitutions;
    result->substitutes = twx_finding_share(c.any, c.compared, all);
    result->things = twx_finding_share(c.things, c.compared, all);
    result->one_way = twx_finding_share(c.one_way, c.compared, all);
    twx_text_diff_done(&m.changed.diff);
    for (int i = 0; i < 2; i++) twx_buf_done(&m.texts[i]);
    twx_buf_done(&m.urls);
    return rc;
}

/* ==== eval_hidden */

enum { LOT_SEED = 11, LONG_SEED = 12, AUDIT_SEED = 13, URL_SHOWN = 500 };
#define STEPS_MAX ((double)(UINT64_C(1) << 36)) /* product of two lengths: about a second */

/* ---- samples ------------------------------------------------------------- */

TWX_ORDER_2(by_lot, twx_eval_lot, lot, item)

void twx_eval_lots_keep(twx_eval_lots *lots, uint64_t most) {
    if (lots->n) qsort(lots->at, lots->n, sizeof *lots->at, by_lot);
    if (most && lots->n > most) lots->n = (size_t)most;
}

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
    TWX_VEC(candidate) candidates; /* a heap, smallest bag similarity first */
} drawn_text;

typedef struct audit_pair {
    uint64_t lot;
    uint32_t sampled, text;
} audit_pair;

typedef struct measuring {
    const twx_job *job;
    twx_opened *o;
    const twx_eval_hiding *how;
    twx_similarity *similarity;
    twx_buf left, right;
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

/* ---- comparing two texts ------------------------------------------------- */

/* *ret_ppm is -1 if the similarity is below least_ppm. TWX_DONE, and -1: the texts cannot be
 * compared, because they are too long or one has changed. */
static twx_rc compare(measuring *m, uint32_t a, uint32_t b, int32_t least_ppm, int32_t *ret_ppm) {
    const twx_eval_texts *t = m->how->texts;
    *ret_ppm = -1;
    if (a == b) {
        *ret_ppm = 1000000;
        return TWX_OK;
    }
    if ((double)t->at.at[a].bytes * (double)t->at.at[b].bytes > STEPS_MAX) {
        m->made.too_long++;
        return TWX_DONE;
    }
    twx_buf_clear(&m->left);
    twx_buf_clear(&m->right);
    twx_rc rc = twx_eval_text_fetch(m->job, m->o, t, a, &m->left);
    if (rc == TWX_OK) rc = twx_eval_text_fetch(m->job, m->o, t, b, &m->right);
    if (rc == TWX_OK)
        rc = twx_similarity_of(m->job->cx, m->similarity, twx_buf_slice(&m->left),
                               twx_buf_slice(&m->right), least_ppm, ret_ppm);
    return rc == TWX_OK ? twx_cancelled(m->job->cx) : rc;
}

/* ---- hidden wrongly ------------------------------------------------------ */

static uint32_t text_of(const measuring *m, uint32_t document) {
    return m->how->documents->at.at[document].text;
}

static twx_rc list_hidden(measuring *m) {
    const twx_eval_documents *d = m->how->documents;
    m->lots.n = 0;
    for (uint32_t i = 0; i < d->at.n; i++) {
        const uint32_t rep = m->how->rep[i];
        if (rep == TWX_NO_DOCUMENT || rep == i || !twx_eval_takes_part(d, i)) continue;
        if (text_of(m, rep) == text_of(m, i) || text_of(m, i) == TWX_EVAL_NO_TEXT ||
            text_of(m, rep) == TWX_EVAL_NO_TEXT)
            continue;
        const uint64_t lot = twx_mix64(twx_mix64(m->how->seed, LOT_SEED), d->docs.at.at[i].url_key);
        if (!TWX_VEC_PUSH(m->job->cx, &m->lots, (twx_eval_lot){lot, i})) return TWX_E_NOMEM;
    }
    m->made.hidden = m->lots.n;
    twx_eval_lots_keep(&m->lots, m->how->sample);
    return TWX_OK;
}

static twx_rc take_url(void *arg, const twx_source_row *row, bool *ret_wait) {
    measuring *m = arg;
    (void)ret_wait;
    return twx_excerpt(m->job->cx, twx_bytes_of(&row->value[TWX_COL_URL]), URL_SHOWN, &m->left);
}

/* With -v: reports the URLs of two documents that count against the method. */
static twx_rc name_pair(measuring *m, const char *what, uint32_t a, uint32_t b, int32_t ppm) {
    const uint32_t documents[2] = {a, b};
    twx_rc rc = TWX_OK;
    twx_buf_clear(&m->left);
    for (size_t i = 0; rc == TWX_OK && i < 2; i++) {
        const size_t before = m->left.n;
        if (i > 0) rc = twx_buf_add_char(m->job->cx, &m->left, ' ');
        if (rc == TWX_OK)
            rc = twx_eval_document_fetch(m->job, m->o, m->how->documents, documents[i], take_url,
                                         m);
        if (rc == TWX_OK && m->left.n == before + i)
            rc = twx_buf_add_text(m->job->cx, &m->left, "(gone)");
    }
    if (rc == TWX_OK)
        twx_job_message(m->job, TWINDEX_DETAIL, "%s, similarity %.4f: %s", what, ppm / 1e6,
                        twx_buf_slice(&m->left).p);
    return rc;
}

static twx_rc measure_hidden(measuring *m) {
    const int32_t threshold = (int32_t)m->how->threshold_ppm;
    uint64_t below = 0, far_below = 0;
    twx_rc rc = list_hidden(m);
    for (size_t i = 0; rc == TWX_OK && i < m->lots.n; i++) {
        const uint32_t document = m->lots.at[i].item;
        int32_t ppm = -1;
        rc = compare(m, text_of(m, document), text_of(m, m->how->rep[document]), 0, &ppm);
        if (rc == TWX_DONE) {
            rc = TWX_OK;
            continue;
        }
        m->made.hidden_sampled++;
        below += ppm < threshold;
        far_below += ppm < threshold - TWX_EVAL_FAR_PPM;
        if (rc == TWX_OK && ppm < threshold) {
            rc = name_pair(m, "hidden wrongly", document, m->how->rep[document], ppm);
        }
        twx_job_progress(m->job, "compare hidden documents", "documents", i + 1, m->lots.n);
    }
    const uint64_t all = m->made.hidden == m->lots.n ? m->made.hidden_sampled : UINT64_MAX;
    m->made.below = twx_finding_share(below, m->made.hidden_sampled, all);
    m->made.far_below = twx_finding_share(far_below, m->made.hidden_sampled, all);
    return rc;
}

/* ---- left visible: candidates -------------------------------------------- */

/* A text is visible if at least one of its documents is not hidden. */
static twx_rc find_visible(measuring *m) {
    const twx_eval_documents *d = m->how->documents;
    m->visible = twx_calloc(m->job->cx, m->how->texts->at.n + 1, 1);
    if (!m->visible) return TWX_E_NOMEM;
    for (uint32_t i = 0; i < d->at.n; i++) {
        const bool hidden = m->how->rep[i] != TWX_NO_DOCUMENT && m->how->rep[i] != i;
        if (text_of(m, i) != TWX_EVAL_NO_TEXT && !hidden) m->visible[text_of(m, i)] = 1;
    }
    return TWX_OK;
}

/* Sums up the current text: its words, and the weight of its bag. */
static void sum_bag(const measuring *m, uint64_t *ret_words, uint64_t *ret_weight) {
    twx_word word;
    *ret_words = *ret_weight = 0;
    for (size_t at = 0; twx_word_counts_next(&m->counts, 1, &at, &word);) {
        *ret_words += word.count;
        *ret_weight += weight_of(&word);
    }
}

static twx_rc add_bag(measuring *m, uint32_t text, uint64_t weight) {
    twx_ctx *cx = m->job->cx;
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
    twx_rc rc = twx_word_counts_of(m->job->cx, &m->counts, twx_bytes_of(&row->value[TWX_COL_TEXT]),
                                   0);
    if (rc != TWX_OK) return rc;
    sum_bag(m, &words, &weight);
    if (words < m->job->settings->near_min_words) {
        m->visible[i] = 0;
        return TWX_OK;
    }
    const uint64_t lot = twx_mix64(twx_mix64(m->how->seed, LOT_SEED),
                                   m->how->texts->at.at[i].place);
    return TWX_VEC_PUSH(m->job->cx, &m->lots, (twx_eval_lot){lot, i}) ? TWX_OK : TWX_E_NOMEM;
}

TWX_ORDER_2(by_hash, bag_word, hash, sampled)

static twx_rc draw_texts(measuring *m) {
    twx_ctx *cx = m->job->cx;
    uint64_t words = 0, weight = 0, at = 0;
    twx_eval_lots_keep(&m->lots, m->how->sample);
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < m->lots.n; i++) {
        twx_buf_clear(&m->left);
        rc = twx_eval_text_fetch(m->job, m->o, m->how->texts, m->lots.at[i].item, &m->left);
        if (rc == TWX_DONE) { /* the text has changed */
            rc = TWX_OK;
            continue;
        }
        if (rc == TWX_OK) rc = twx_word_counts_of(cx, &m->counts, twx_buf_slice(&m->left), 0);
        if (rc == TWX_OK) sum_bag(m, &words, &weight);
        if (rc == TWX_OK) rc = add_bag(m, m->lots.at[i].item, weight);
    }
    if (m->bags.n) qsort(m->bags.at, m->bags.n, sizeof *m->bags.at, by_hash);
    for (size_t k = 0; rc == TWX_OK && k < m->bags.n; k++)
        if (k == 0 || m->bags.at[k].hash != m->bags.at[k - 1].hash)
            rc = twx_map64_add(cx, &m->bag_at, m->bags.at[k].hash, k, &at);
    if (rc == TWX_OK && !TWX_VEC_RESERVE(cx, &m->common, m->drawn.n + 1)) rc = TWX_E_NOMEM;
    return rc;
}

/* The heap keeps the TWX_EVAL_ALIKE_MAX candidates with the largest bag similarity; ties go to the
 * lower text. */
static bool is_less(const candidate *a, const candidate *b) {
    return a->bag != b->bag ? a->bag < b->bag : a->text > b->text;
}

static void sift_down(drawn_text *d, size_t i) {
    for (;;) {
        size_t least = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < d->candidates.n; child++)
            if (is_less(&d->candidates.at[child], &d->candidates.at[least])) least = child;
        if (least == i) return;
        const candidate moved = d->candidates.at[i];
        d->candidates.at[i] = d->candidates.at[least];
        d->candidates.at[least] = moved;
        i = least;
    }
}

static twx_rc add_candidate(measuring *m, drawn_text *d, candidate c) {
    if (d->candidates.n == TWX_EVAL_ALIKE_MAX) {
        m->made.capped++;
        if (!is_less(&d->candidates.at[0], &c)) return TWX_OK;
        d->candidates.at[0] = c;
        sift_down(d, 0);
        return TWX_OK;
    }
    if (!TWX_VEC_PUSH(m->job->cx, &d->candidates, c)) return TWX_E_NOMEM;
    for (size_t i = d->candidates.n - 1; i > 0; i = (i - 1) / 2) {
        candidate *child = &d->candidates.at[i], *parent = &d->candidates.at[(i - 1) / 2];
        if (!is_less(child, parent)) break;
        const candidate moved = *child;
        *child = *parent;
        *parent = moved;
    }
    return TWX_OK;
}

/* Can two texts of these lengths reach the threshold? The bound is exact if all characters take one
 * byte. Other texts have up to four times fewer characters than bytes, but in about the same ratio
 * for both texts. */
static bool lengths_reach(const measuring *m, uint32_t a, uint32_t b) {
    const double x = (double)m->how->texts->at.at[a].bytes,
                 y = (double)m->how->texts->at.at[b].bytes;
    return 2e6 * (x < y ? x : y) / (x + y) >= (double)m->how->threshold_ppm;
}

static twx_rc weigh_pair(measuring *m, uint32_t sampled, uint32_t text, double bag) {
    drawn_text *d = &m->drawn.at[sampled];
    const double least = (double)m->how->threshold_ppm / 1e6 - TWX_EVAL_BAG_MARGIN;
    if (d->text == text || !lengths_reach(m, d->text, text)) return TWX_OK;
    if (bag >= least) return add_candidate(m, d, (candidate){text, bag});
    const uint64_t lot = twx_mix64(twx_mix64(m->how->texts->at.at[d->text].place, AUDIT_SEED),
                                   m->how->texts->at.at[text].place);
    /* an audit of pairs far below the bound would find nothing: only those within half a margin of
     * it are audited */
    if (bag < least - TWX_EVAL_BAG_MARGIN / 2 || m->audit.n >= (1 << 22)) return TWX_OK;
    return TWX_VEC_PUSH(m->job->cx, &m->audit, (audit_pair){lot, sampled, text}) ? TWX_OK
                                                                                 : TWX_E_NOMEM;
}

/* Second pass: compares the bag of each visible text with the bags of all drawn texts. */
static twx_rc scan_text(void *arg, uint32_t i, const twx_source_row *row) {
    measuring *m = arg;
    uint64_t words = 0, weight = 0, at = 0;
    twx_word word;
    if (!m->visible[i]) return TWX_OK;
    twx_rc rc = twx_word_counts_of(m->job->cx, &m->counts, twx_bytes_of(&row->value[TWX_COL_TEXT]),
                                   0);
    if (rc != TWX_OK) return rc;
    sum_bag(m, &words, &weight);
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

static int by_bag(const void *left, const void *right) {
    return is_less(left, right) ? 1 : -1;
}

static twx_rc compare_drawn(measuring *m, drawn_text *d, int32_t *ret_best) {
    const int32_t threshold = (int32_t)m->how->threshold_ppm;
    twx_rc rc = TWX_OK;
    uint32_t nearest = d->text;
    *ret_best = -1;
    if (d->candidates.n) qsort(d->candidates.at, d->candidates.n, sizeof *d->candidates.at, by_bag);
    for (size_t i = 0; rc == TWX_OK && i < d->candidates.n; i++) {
        int32_t ppm = -1;
        if (*ret_best >= threshold + TWX_EVAL_FAR_PPM) break;
        rc = compare(m, d->text, d->candidates.at[i].text, threshold, &ppm);
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
        rc = compare(m, m->drawn.at[pair->sampled].text, pair->text, (int32_t)m->how->threshold_ppm,
                     &ppm);
        if (rc == TWX_DONE) rc = TWX_OK;
        m->made.audited++;
        m->made.audited_alike += ppm >= 0;
    }
    return rc;
}

static twx_rc measure_visible(measuring *m) {
    const int32_t threshold = (int32_t)m->how->threshold_ppm;
    uint64_t alike = 0, very_alike = 0;
    m->lots.n = 0;
    twx_rc rc = find_visible(m);
    if (rc == TWX_OK) rc = twx_eval_texts_each(m->job, m->o, m->how->texts, list_text, m);
    m->made.visible = m->lots.n;
    if (rc == TWX_OK) rc = draw_texts(m);
    if (rc == TWX_OK) rc = twx_eval_texts_each(m->job, m->o, m->how->texts, scan_text, m);
    for (size_t i = 0; rc == TWX_OK && i < m->drawn.n; i++) {
        int32_t best = -1;
        rc = compare_drawn(m, &m->drawn.at[i], &best);
        alike += best >= threshold;
        very_alike += best >= threshold + TWX_EVAL_FAR_PPM;
        twx_job_progress(m->job, "compare visible documents", "texts", i + 1, m->drawn.n);
    }
    if (rc == TWX_OK) rc = audit(m);
    m->made.visible_sampled = m->drawn.n;
    m->made.alike = twx_finding_share(alike, m->drawn.n, m->made.visible);
    m->made.very_alike = twx_finding_share(very_alike, m->drawn.n, m->made.visible);
    return rc;
}

/* ---- both ---------------------------------------------------------------- */

twx_rc twx_eval_hiding_measure(const twx_job *job, twx_opened *o, const twx_eval_hiding *how,
                               twx_hiding *ret_hiding) {
    measuring m = {.job = job, .o = o, .how = how, .left = {.max = SIZE_MAX / 4}};
    twx_buf_init(&m.right, SIZE_MAX / 4);
    twx_word_counts_init(&m.counts, 0);
    twx_rc rc = twx_similarity_open(job->cx, &m.similarity);
    if (rc == TWX_OK) rc = measure_hidden(&m);
    if (rc == TWX_OK) rc = measure_visible(&m);
    m.made.measured = true;
    if (rc == TWX_OK) *ret_hiding = m.made;
    twx_similarity_close(m.similarity);
    twx_buf_done(&m.left);
    twx_buf_done(&m.right);
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
