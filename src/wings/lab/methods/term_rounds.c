#include "lab/methods/term_rounds.h"

#include "base/alloc.h"

enum { BITS_WANTED = 10 };

const uint32_t TWX_TERM_THRESHOLDS[TWX_TERM_LEVELS] = {500,   707,   1000,  1414,  2000,  2828,
                                                       4000,  5657,  8000,  11314, 16000, 22627,
                                                       32000, 45255, 64000, 90510};

static twx_rc index_sample(twx_ctx *cx, const twx_term_sample *samples, size_t n_samples,
                           twx_term_choice *c) {
    size_t n = 0;
    c->documents = n_samples;
    for (size_t i = 0; i < n_samples; i++) n += samples[i].n;
    c->postings = twx_calloc(cx, n, sizeof *c->postings);
    c->scratch = twx_calloc(cx, n, sizeof *c->scratch);
    c->bits = twx_calloc(cx, c->documents, sizeof *c->bits);
    if (!c->postings || !c->scratch || !c->bits) return TWX_E_NOMEM;
    for (size_t i = 0; i < n_samples; i++) {
        const twx_term_sample *s = &samples[i];
        for (size_t k = 0; k < s->n; k++)
            c->postings[c->n++] = (twx_entry){.key = s->at[k].word,
                                              .check = (uint64_t)i << 32 | s->at[k].ppm};
    }
    twx_sort_entries(c->postings, c->scratch, c->n);
    c->missing = c->documents * BITS_WANTED;
    return TWX_OK;
}

static size_t lower_bound(const twx_term_choice *c, uint64_t word) {
    size_t low = 0, high = c->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (c->postings[middle].key < word)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void find_postings(twx_term_choice *c) {
    for (size_t i = 0; i < c->all.n; i++) {
        twx_term_candidate *w = &c->all.at[i];
        size_t from = lower_bound(c, w->word), to = from;
        while (to < c->n && c->postings[to].key == w->word) to++;
        w->from = (uint32_t)from;
        w->n = (uint32_t)(to - from);
    }
}

/* Is the bit of posting p set at this level, and of which document? */
static bool stands(const twx_entry *p, unsigned level, size_t *ret_document) {
    *ret_document = (size_t)(p->check >> 32);
    return (uint32_t)p->check >= TWX_TERM_THRESHOLDS[level];
}

/* How many documents would get a bit they need. */
static uint64_t gain_of(const twx_term_choice *c, const twx_term_candidate *w, unsigned level) {
    uint64_t gain = 0;
    for (size_t i = w->from, document; i < (size_t)w->from + w->n; i++)
        gain += stands(&c->postings[i], level, &document) && c->bits[document] < BITS_WANTED;
    return gain;
}

static bool needed(const twx_term_choice *c, const twx_term_candidate *w) {
    for (size_t i = w->from, document; i < (size_t)w->from + w->n; i++)
        if (stands(&c->postings[i], w->taken - 1u, &document) && c->bits[document] <= BITS_WANTED)
            return true;
    return false;
}

static void take(twx_term_choice *c, twx_term_candidate *w, unsigned level) {
    c->missing -= gain_of(c, w, level);
    for (size_t i = w->from, document; i < (size_t)w->from + w->n; i++)
        if (stands(&c->postings[i], level, &document)) c->bits[document]++;
    w->taken = (uint8_t)(level + 1);
    c->taken++;
}

static void drop(twx_term_choice *c, twx_term_candidate *w) {
    for (size_t i = w->from, document; i < (size_t)w->from + w->n; i++)
        if (stands(&c->postings[i], w->taken - 1u, &document)) c->bits[document]--;
    w->taken = 0;
    w->dropped = true;
    c->taken--;
}

/* Coverage: a word must give its share of the missing bits; otherwise the words would be used up
 * before every document has enough. */
static void cover(twx_term_choice *c, unsigned round) {
    for (size_t i = 0; i < c->all.n && c->missing > 0 && c->taken < TWX_TERM_WORDS_MAX; i++) {
        twx_term_candidate *w = &c->all.at[i];
        if (w->taken || w->dropped || w->level[round] == TWX_TERM_NO_LEVEL) continue;
        uint64_t gain = gain_of(c, w, w->level[round]);
        if (gain > 0 && gain * (TWX_TERM_WORDS_MAX - c->taken) >= c->missing)
            take(c, w, w->level[round]);
    }
}

/* Precision: drops unnecessary words, the worst ones first. */
static void prune(twx_term_choice *c) {
    for (size_t i = c->all.n; i-- > 0;) {
        twx_term_candidate *w = &c->all.at[i];
        if (w->taken && !needed(c, w)) drop(c, w);
    }
}

twx_rc twx_term_choose(twx_ctx *cx, const twx_term_sample *samples, size_t n, twx_term_choice *c) {
    twx_rc rc = index_sample(cx, samples, n, c);
    if (rc != TWX_OK) return rc;
    find_postings(c);
    for (unsigned round = 0; round < TWX_TERM_ROUNDS && c->missing > 0; round++) {
        cover(c, round);
        prune(c);
    }
    return TWX_OK;
}

void twx_term_choice_done(twx_term_choice *c) {
    TWX_VEC_DONE(&c->all);
    twx_free(c->postings);
    twx_free(c->scratch);
    twx_free(c->bits);
}
