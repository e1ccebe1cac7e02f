#include "lab/lab.h"

/* ==== term_rounds */

enum {
    LEVELS = 16, /* thresholds a word may have */
    ROUNDS = 5,
    NO_LEVEL = LEVELS,
    WORDS_MAX = 4096,
    BITS_WANTED = 10
};

/* Half octaves from 1/2000 on, in millionths of tf / dl. A word below the lowest is noise in a
 * long text. */
static const uint32_t THRESHOLDS[LEVELS] = {500,  707,   1000,  1414,  2000,  2828,  4000,  5657,
                                            8000, 11314, 16000, 22627, 32000, 45255, 64000, 90510};

/* level[r]: the threshold for round r; NO_LEVEL: none is good enough. */
typedef struct candidate {
    uint64_t word;
    uint32_t quality, safe; /* of its best threshold */
    uint32_t from, n;       /* postings in the sample */
    uint8_t level[ROUNDS];
    uint8_t taken; /* level + 1; 0: not taken */
    bool dropped;  /* it turned out to be unnecessary */
} candidate;

typedef TWX_VEC(candidate) candidates;

typedef struct sample_word {
    uint64_t word;
    uint32_t ppm;
} sample_word;

/* The words of a document of the sample. */
typedef struct term_sample {
    uint64_t hash; /* of the bag */
    sample_word *at;
    size_t n;
} term_sample;

/* The postings of the candidates in the sample, sorted by word: key is the word, check is document
 * << 32 | millionths. */
typedef struct term_choice {
    candidates all; /* best words first */
    twx_entry *postings, *scratch;
    size_t n;
    uint16_t *bits; /* of each document of the sample */
    size_t documents;
    uint64_t missing; /* bits that documents still need */
    size_t taken;
} term_choice;

static twx_rc index_sample(twx_ctx *cx, const term_sample *samples, size_t n_samples,
                           term_choice *c) {
    size_t n = 0;
    c->documents = n_samples;
    for (size_t i = 0; i < n_samples; i++) n += samples[i].n;
    c->postings = twx_calloc(cx, n, sizeof *c->postings);
    c->scratch = twx_calloc(cx, n, sizeof *c->scratch);
    c->bits = twx_calloc(cx, c->documents, sizeof *c->bits);
    if (!c->postings || !c->scratch || !c->bits) return TWX_E_NOMEM;
    for (size_t i = 0; i < n_samples; i++) {
        const term_sample *s = &samples[i];
        for (size_t k = 0; k < s->n; k++)
            c->postings[c->n++] = (twx_entry){.key = s->at[k].word,
                                              .check = (uint64_t)i << 32 | s->at[k].ppm};
    }
    twx_sort_entries(c->postings, c->scratch, c->n);
    c->missing = c->documents * BITS_WANTED;
    return TWX_OK;
}

/* Is the bit of posting p set at this level, and of which document? */
static bool stands(const twx_entry *p, unsigned level, size_t *ret_document) {
    *ret_document = (size_t)(p->check >> 32);
    return (uint32_t)p->check >= THRESHOLDS[level];
}

/* How many documents would get a bit they need. */
static uint64_t gain_of(const term_choice *c, const candidate *w, unsigned level) {
    uint64_t gain = 0;
    for (size_t i = w->from, document; i < (size_t)w->from + w->n; i++)
        gain += stands(&c->postings[i], level, &document) && c->bits[document] < BITS_WANTED;
    return gain;
}

static bool needed(const term_choice *c, const candidate *w) {
    for (size_t i = w->from, document; i < (size_t)w->from + w->n; i++)
        if (stands(&c->postings[i], w->taken - 1u, &document) && c->bits[document] <= BITS_WANTED)
            return true;
    return false;
}

/* Coverage: a word must give its share of the missing bits; otherwise the words would be used up
 * before every document has enough. */
static void cover(term_choice *c, unsigned round) {
    for (size_t i = 0; i < c->all.n && c->missing > 0 && c->taken < WORDS_MAX; i++) {
        candidate *w = &c->all.at[i];
        if (w->taken || w->dropped || w->level[round] == NO_LEVEL) continue;
        uint64_t gain = gain_of(c, w, w->level[round]);
        if (gain == 0 || gain * (WORDS_MAX - c->taken) < c->missing) continue;
        c->missing -= gain;
        for (size_t k = w->from, document; k < (size_t)w->from + w->n; k++)
            if (stands(&c->postings[k], w->level[round], &document)) c->bits[document]++;
        w->taken = (uint8_t)(w->level[round] + 1);
        c->taken++;
    }
}

/* Precision: drops unnecessary words, the worst ones first. */
static void prune(term_choice *c) {
    for (size_t i = c->all.n; i-- > 0;) {
        candidate *w = &c->all.at[i];
        if (!w->taken || needed(c, w)) continue;
        for (size_t k = w->from, document; k < (size_t)w->from + w->n; k++)
            if (stands(&c->postings[k], w->taken - 1u, &document)) c->bits[document]--;
        w->taken = 0;
        w->dropped = true;
        c->taken--;
    }
}

static twx_rc term_choose(twx_ctx *cx, const term_sample *samples, size_t n, term_choice *c) {
    twx_rc rc = index_sample(cx, samples, n, c);
    if (rc != TWX_OK) return rc;
    for (size_t i = 0; i < c->all.n; i++) {
        candidate *w = &c->all.at[i];
        size_t from = 0, to = c->n;
        TWX_BISECT(from, to, c->postings[middle].key < w->word);
        while (to < c->n && c->postings[to].key == w->word) to++;
        w->from = (uint32_t)from;
        w->n = (uint32_t)(to - from);
    }
    for (unsigned round = 0; round < ROUNDS && c->missing > 0; round++) {
        cover(c, round);
        prune(c);
    }
    return TWX_OK;
}

/* ==== term_selection */

/* Descriptive words: which words distinguish documents, and at which share of a text (Ilyinsky,
 * Kuzmin, Melkov, Segalovich 2002; the measures of coverage and precision are our own).
 *
 * The bit of a word in a document is 1 where tf / dl reaches the word's threshold. A good threshold
 * has few documents near it: one occurrence more or less should not flip the bit. So for each word
 * and each of several thresholds two numbers of documents are counted: those *safely* above it,
 * with one occurrence less, and those *possibly* above it, with one more. safely / possibly is the
 * quality of a threshold; computing it does not read the texts again.
 *
 * Then words are chosen in rounds (term_rounds). A round takes words with a threshold of at least
 * its quality, best words first, as long as they give bits to documents that have fewer than they
 * need (coverage), and drops those whose documents all have more than that (precision). Each round
 * accepts less quality than the one before. Coverage is measured on a sample: the documents with
 * the smallest hashes, so that the order of adding does not matter.
 *
 * Counting is sorting: each posting is an entry, equal entries are added up when the buffer is
 * full, and what does not fit goes to temporary files. The sample and the candidate words take up
 * to 18 MiB whatever the memory limit is, so that the limit does not affect the result. */

enum {
    CODES = 2 * LEVELS,
    MILLION = 1000000,
    CANDIDATES_MAX = 4 * WORDS_MAX,
    SAMPLE_MAX = 2048,  /* documents */
    SAMPLE_WORDS = 128, /* the most frequent ones of a document */
    BYTES_MIN = 1 << 20
};

/* The minimum quality of each round, in millionths. */
static const uint32_t QUALITIES[ROUNDS] = {950000, 900000, 800000, 650000, 500000};

/* The sort key of a posting is the word's hash with its low bits replaced by a code: the level, or
 * LEVELS + the level for "possibly". So all entries of a word are adjacent, and equal
 * ones, too. */
#define WORD_OF(key) ((key) & ~(uint64_t)(CODES - 1))

struct twx_term_selection_maker {
    twx_ctx *cx;
    twx_entries entries;
    uint64_t documents;
    TWX_VEC(term_sample) samples;
    uint64_t sample_below; /* documents with this hash or a larger one are not among the smallest */
    TWX_VEC(sample_word) words;
};

/* ---- counting ----------------------------------------------------------- */

/* The number of documents is stored as UINT32_MAX minus the number: summed entries then sort before
 * the fresh postings of the same key, so the run is already in order. */
static uint32_t documents_of(const twx_entry *e) {
    return UINT32_MAX - e->index;
}

static void add_documents(twx_entry *to, const twx_entry *from) {
    const uint32_t more = documents_of(from);
    to->index -= more < to->index ? more : to->index;
}

twx_rc twx_term_selection_maker_open(twx_ctx *cx, size_t max_bytes,
                                     twx_term_selection_maker **ret_maker) {
    twx_term_selection_maker *m = twx_calloc(cx, 1, sizeof *m);
    if (!m) return TWX_E_NOMEM;
    if (max_bytes < BYTES_MIN) max_bytes = BYTES_MIN;
    m->cx = cx;
    m->entries = (twx_entries){.limit = max_bytes / 2 / (2 * sizeof(twx_entry)),
                               .read_bytes = max_bytes / 2,
                               .combine = add_documents};
    m->sample_below = UINT64_MAX;
    *ret_maker = m;
    return TWX_OK;
}

void twx_term_selection_maker_close(twx_term_selection_maker *m) {
    if (!m) return;
    for (size_t i = 0; i < m->samples.n; i++) twx_free(m->samples.at[i].at);
    TWX_VEC_DONE(&m->samples);
    TWX_VEC_DONE(&m->words);
    twx_entries_done(&m->entries);
    twx_free(m);
}

static twx_rc add_posting(twx_term_selection_maker *m, uint64_t word, unsigned code) {
    return twx_entries_add(m->cx, &m->entries,
                           (twx_entry){.key = word | code, .index = UINT32_MAX - 1});
}

static uint32_t ppm_of(uint64_t tf, uint64_t length) {
    return (uint32_t)(tf * MILLION / length);
}

/* ppm >= THRESHOLDS[0] */
static unsigned level_of(uint32_t ppm) {
    unsigned level = 0;
    while (level + 1 < LEVELS && ppm >= THRESHOLDS[level + 1]) level++;
    return level;
}

/* ---- sample ------------------------------------------------------------- */

TWX_ORDER(by_frequency, sample_word, TWX_DOWN_THEN(ppm, TWX_UP(word)))

TWX_ORDER_1(by_hash, term_sample, hash)

/* Keeps the SAMPLE_MAX smallest hashes, without repeats. */
static void thin_out(twx_term_selection_maker *m) {
    size_t kept = 0;
    if (m->samples.n > 1) qsort(m->samples.at, m->samples.n, sizeof *m->samples.at, by_hash);
    for (size_t i = 0; i < m->samples.n; i++) {
        term_sample *s = &m->samples.at[i];
        bool repeats = kept > 0 && m->samples.at[kept - 1].hash == s->hash;
        if (repeats || kept == SAMPLE_MAX)
            twx_free(s->at);
        else
            m->samples.at[kept++] = *s;
    }
    m->samples.n = kept;
    if (kept == SAMPLE_MAX) m->sample_below = m->samples.at[kept - 1].hash;
}

/* A text has at most 2000 words whose share reaches THRESHOLDS[0]. */
static twx_rc add_sample(twx_term_selection_maker *m, const twx_bag *bag) {
    term_sample s = {.hash = bag->n};
    for (size_t i = 0; i < bag->n; i++) s.hash = twx_mix64(s.hash, bag->at[i].hash + bag->at[i].tf);
    if (s.hash >= m->sample_below) return TWX_OK;
    m->words.n = 0;
    for (size_t i = 0; i < bag->n; i++) {
        sample_word w = {WORD_OF(bag->at[i].hash), ppm_of(bag->at[i].tf, bag->length)};
        if (w.ppm >= THRESHOLDS[0] && !TWX_VEC_PUSH(m->cx, &m->words, w)) return TWX_E_NOMEM;
    }
    if (m->words.n == 0) return TWX_OK;
    qsort(m->words.at, m->words.n, sizeof *m->words.at, by_frequency);
    s.n = m->words.n < SAMPLE_WORDS ? m->words.n : SAMPLE_WORDS;
    s.at = twx_calloc(m->cx, s.n, sizeof *s.at);
    if (!s.at) return TWX_E_NOMEM;
    memcpy(s.at, m->words.at, s.n * sizeof *s.at);
    if (!TWX_VEC_PUSH(m->cx, &m->samples, s)) {
        twx_free(s.at);
        return TWX_E_NOMEM;
    }
    if (m->samples.n == 2 * SAMPLE_MAX) thin_out(m);
    return TWX_OK;
}

twx_rc twx_term_selection_maker_add(twx_term_selection_maker *m, const twx_bag *bag) {
    twx_rc rc = TWX_OK;
    if (bag->n == 0 || bag->length == 0) return TWX_OK;
    m->documents++;
    for (size_t i = 0; rc == TWX_OK && i < bag->n; i++) {
        const twx_bag_word *w = &bag->at[i];
        uint64_t word = WORD_OF(w->hash);
        uint32_t least = ppm_of((uint64_t)w->tf - 1, bag->length),
                 most = ppm_of((uint64_t)w->tf + 1, bag->length);
        if (least >= THRESHOLDS[0]) rc = add_posting(m, word, level_of(least));
        if (rc == TWX_OK && most >= THRESHOLDS[0])
            rc = add_posting(m, word, LEVELS + level_of(most));
    }
    return rc == TWX_OK ? add_sample(m, bag) : rc;
}

/* ---- candidates --------------------------------------------------------- */

/* The counts of one word, and the requirements for a candidate. */
typedef struct gathering {
    candidates *out;
    uint64_t least_safe, most_possible;
    uint64_t word;
    uint64_t counts[CODES];
    bool any;
} gathering;

TWX_ORDER(by_quality, candidate, TWX_DOWN_THEN(quality, TWX_DOWN_THEN(safe, TWX_UP(word))))

static void keep_best(candidates *all) {
    if (all->n > 1) qsort(all->at, all->n, sizeof *all->at, by_quality);
    if (all->n > CANDIDATES_MAX) all->n = CANDIDATES_MAX;
}

/* Evaluates each threshold of a word; quality 0: unusable. */
typedef struct worth {
    uint64_t safe[LEVELS];
    uint32_t quality[LEVELS];
} worth;

static worth weigh(const gathering *g) {
    worth w = {0};
    uint64_t safe = 0, possible = 0;
    for (unsigned level = LEVELS; level-- > 0;) {
        w.safe[level] = safe += g->counts[level];
        possible += g->counts[LEVELS + level];
        if (safe >= g->least_safe && possible <= g->most_possible && possible > 0)
            w.quality[level] = (uint32_t)(safe * MILLION / possible);
    }
    return w;
}

/* The lowest threshold that is good enough covers most documents. Higher ones that are good enough
 * and cover nearly as many leave more room on both sides: the middle one is taken.
 * NO_LEVEL: none is good enough. */
static unsigned level_for(const worth *w, uint32_t quality) {
    unsigned lowest = 0;
    while (lowest < LEVELS && w->quality[lowest] < quality) lowest++;
    unsigned highest = lowest;
    while (highest + 1 < LEVELS && w->quality[highest + 1] >= quality &&
           w->safe[highest + 1] * 8 >= w->safe[lowest] * 7)
        highest++;
    return (lowest + highest) / 2;
}

/* Evaluates the word whose counts were gathered. */
static twx_rc judge_word(twx_ctx *cx, gathering *g) {
    candidate c = {.word = g->word};
    const worth w = weigh(g);
    for (unsigned level = 0; level < LEVELS; level++)
        if (w.quality[level] > c.quality) {
            c.quality = w.quality[level];
            c.safe = (uint32_t)w.safe[level];
        }
    if (c.quality < QUALITIES[ROUNDS - 1]) return TWX_OK;
    for (unsigned r = 0; r < ROUNDS; r++) c.level[r] = (uint8_t)level_for(&w, QUALITIES[r]);
    if (!TWX_VEC_PUSH(cx, g->out, c)) return TWX_E_NOMEM;
    if (g->out->n == 2 * CANDIDATES_MAX) keep_best(g->out);
    return TWX_OK;
}

/* Evaluates all words, from memory or from the temporary files. */
static twx_rc find_candidates(twx_term_selection_maker *m, candidates *ret_all) {
    gathering g = {.out = ret_all,
                   .least_safe = m->documents / WORDS_MAX > 2 ? m->documents / WORDS_MAX : 2,
                   .most_possible = m->documents / 4 + 8};
    twx_entry e;
    twx_rc rc = twx_entries_sort(m->cx, &m->entries);
    while (rc == TWX_OK && (rc = twx_entries_next(&m->entries, &e)) == TWX_OK) {
        if (g.any && g.word != WORD_OF(e.key)) {
            rc = judge_word(m->cx, &g);
            memset(g.counts, 0, sizeof g.counts);
        }
        g.any = true;
        g.word = WORD_OF(e.key);
        g.counts[e.key & (CODES - 1)] += documents_of(&e); /* the same key may come again */
    }
    if (rc == TWX_DONE) rc = TWX_OK;
    if (rc == TWX_OK && g.any) rc = judge_word(m->cx, &g);
    keep_best(ret_all);
    TWX_VEC_DONE(&m->entries.at);
    return rc;
}

/* ---- selection ----------------------------------------------------------- */

TWX_ORDER_1(by_word, candidate, word)

twx_rc twx_term_selection_make(twx_term_selection_maker *m, twx_term_selection **ret_selection) {
    term_choice c = {0};
    twx_rc rc = TWX_E_NOMEM;
    twx_term_selection *f = twx_calloc(m->cx, 1, sizeof *f);
    if (!f) return rc;
    rc = find_candidates(m, &c.all);
    thin_out(m);
    if (rc == TWX_OK) rc = term_choose(m->cx, m->samples.at, m->samples.n, &c);
    if (rc == TWX_OK) {
        f->fingerprint = LEVELS;
        if (c.all.n > 1) qsort(c.all.at, c.all.n, sizeof *c.all.at, by_word);
        for (size_t i = 0; rc == TWX_OK && i < c.all.n; i++) {
            const candidate *w = &c.all.at[i];
            if (!w->taken) continue;
            uint32_t threshold = THRESHOLDS[w->taken - 1];
            f->fingerprint = twx_mix64(twx_mix64(f->fingerprint, w->word), threshold);
            rc = twx_map64_put(m->cx, &f->of, w->word, (uint64_t)f->n++ << 32 | threshold);
        }
    }
    TWX_HAND_OVER(rc, ret_selection, f, twx_term_selection_close(f));
    TWX_VEC_DONE(&c.all);
    twx_free(c.postings);
    twx_free(c.scratch);
    twx_free(c.bits);
    return rc;
}

void twx_term_selection_close(twx_term_selection *f) {
    if (!f) return;
    twx_map64_done(&f->of);
    twx_free(f);
}

bool twx_term_selection_find(const twx_term_selection *f, uint64_t word_hash, uint32_t *ret_feature,
                             uint32_t *ret_threshold_ppm) {
    uint64_t value = 0;
    if (f->n == 0 || !twx_map64_get(&f->of, WORD_OF(word_hash), &value)) return false;
    *ret_feature = (uint32_t)(value >> 32);
    *ret_threshold_ppm = (uint32_t)value;
    return true;
}
