#include "lab/eval_pairs.h"

#include <stdlib.h>

enum { CANDIDATES_ROOM = 1 << 21, LOOK_EVERY = 1 << 12 };

bool twx_eval_in_sample(uint64_t place_a, uint64_t place_b, unsigned halvings) {
    return halvings == 0 || (place_a + place_b) >> (64 - halvings) == 0;
}

double twx_eval_chance(unsigned halvings) {
    return 1 / (double)(UINT64_C(1) << halvings);
}

unsigned twx_eval_halvings_for(double candidates) {
    unsigned halvings = 0;
    while (candidates * twx_eval_chance(halvings) > TWX_EVAL_CANDIDATES_MAX &&
           halvings < TWX_EVAL_HALVINGS_MAX)
        halvings++;
    return halvings;
}

/* ---- sorting ------------------------------------------------------------ */

enum { RADIX = 256, BYTES = 8 };

/* Sorts by one byte; returns false, without moving anything, if that byte is equal in all. */
static bool sort_by_byte(const uint64_t *from, uint64_t *to, size_t n, unsigned shift) {
    size_t next[RADIX] = {0}, sum = 0;
    for (size_t i = 0; i < n; i++) next[from[i] >> shift & (RADIX - 1)]++;
    if (next[from[0] >> shift & (RADIX - 1)] == n) return false;
    for (size_t d = 0; d < RADIX; d++) {
        size_t count = next[d];
        next[d] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++) to[next[from[i] >> shift & (RADIX - 1)]++] = from[i];
    return true;
}

/* Sorts at[0..n), n > 0, and removes repeats; returns how many remain. scratch has room for n. */
static size_t sort_unique(uint64_t *at, uint64_t *scratch, size_t n) {
    uint64_t *from = at, *to = scratch;
    for (unsigned shift = 0; shift < 8 * BYTES; shift += 8) {
        if (!sort_by_byte(from, to, n, shift)) continue;
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || from[i] != from[i - 1]) scratch[kept++] = from[i];
    memcpy(at, scratch, kept * sizeof *at);
    return kept;
}

/* ---- collecting --------------------------------------------------------- */

void twx_eval_collector_done(twx_eval_collector *c) {
    if (!c) return;
    TWX_VEC_DONE(&c->pairs);
    TWX_VEC_DONE(&c->scratch);
    TWX_VEC_DONE(&c->spots);
}

static bool in_sample(const uint64_t *place, uint64_t pair, unsigned halvings) {
    return twx_eval_in_sample(place[twx_eval_pair_a(pair)], place[twx_eval_pair_b(pair)], halvings);
}

/* Halves the sample until the settled pairs fit the limit. */
static void thin(twx_eval_collector *c) {
    while (c->settled > c->limit && c->halvings < TWX_EVAL_HALVINGS_MAX) {
        size_t kept = 0;
        c->halvings++;
        for (size_t i = 0; i < c->settled; i++)
            if (in_sample(c->place, c->pairs.at[i], c->halvings))
                c->pairs.at[kept++] = c->pairs.at[i];
        c->settled = kept;
    }
}

/* Keeps those of fresh[0..n), in order, that are pairs and not yet settled; *ret_kept: how many. */
static twx_rc keep_pairs(twx_eval_collector *c, uint64_t *fresh, size_t n, size_t *ret_kept) {
    size_t kept = 0, at = 0;
    for (size_t i = 0; i < n; i++) {
        if (i % LOOK_EVERY == 0) {
            twx_rc rc = twx_cancelled(c->cx);
            if (rc != TWX_OK) return rc;
        }
        while (at < c->settled && c->pairs.at[at] < fresh[i]) at++;
        if (at < c->settled && c->pairs.at[at] == fresh[i]) continue;
        if (!c->is_pair || c->is_pair(c->arg, twx_eval_pair_a(fresh[i]), twx_eval_pair_b(fresh[i])))
            fresh[kept++] = fresh[i];
    }
    *ret_kept = kept;
    return TWX_OK;
}

/* Verifies the candidates after the settled pairs and adds those that are pairs. */
static twx_rc settle(twx_eval_collector *c) {
    size_t n = c->pairs.n - c->settled;
    if (n == 0) return TWX_OK;
    if (!TWX_VEC_RESERVE(c->cx, &c->scratch, c->pairs.n)) return TWX_E_NOMEM;
    uint64_t *fresh = c->pairs.at + c->settled;
    n = sort_unique(fresh, c->scratch.at, n);
    twx_rc rc = keep_pairs(c, fresh, n, &n);
    if (rc != TWX_OK) return rc;
    c->settled += n;
    if (c->settled) c->settled = sort_unique(c->pairs.at, c->scratch.at, c->settled);
    thin(c);
    c->pairs.n = c->settled;
    return TWX_OK;
}

static twx_rc add_candidate(twx_eval_collector *c, uint32_t a, uint32_t b) {
    if (!TWX_VEC_PUSH(c->cx, &c->pairs, twx_eval_pair_of(a, b))) return TWX_E_NOMEM;
    return c->pairs.n - c->settled >= CANDIDATES_ROOM ? settle(c) : TWX_OK;
}

static int by_place(const void *left, const void *right) {
    const struct twx_eval_spot *a = left, *b = right;
    if (a->place != b->place) return a->place < b->place ? -1 : 1;
    return (a->text > b->text) - (a->text < b->text);
}

/* The first of spots[0..n) whose place is at least `place`; n if there is none. */
static size_t find_spot(const struct twx_eval_spot *spots, size_t n, uint64_t place) {
    size_t low = 0;
    while (n > 0) {
        size_t half = n / 2;
        if (spots[low + half].place < place) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

/* The sampled partners of text a in a run are those whose places are among the 2^(64-halvings) from
 * -place(a) on, modulo 2^64. Each pair is seen from both sides and added from the text with the
 * smaller number. */
static twx_rc pair_with_partners(twx_eval_collector *c, const struct twx_eval_spot *a) {
    size_t n = c->spots.n, at = find_spot(c->spots.at, n, 0 - a->place);
    twx_rc rc = TWX_OK;
    for (size_t seen = 0; rc == TWX_OK && seen < n; seen++, at++) {
        if (at == n) at = 0;
        const struct twx_eval_spot *b = &c->spots.at[at];
        if (!twx_eval_in_sample(a->place, b->place, c->halvings)) break;
        if (a->text < b->text) rc = add_candidate(c, a->text, b->text);
    }
    return rc;
}

static twx_rc pair_sampled(twx_eval_collector *c, const uint32_t *members, size_t n) {
    c->spots.n = 0;
    for (size_t i = 0; i < n; i++)
        if (!TWX_VEC_PUSH(c->cx, &c->spots,
                          (struct twx_eval_spot){c->place[members[i]], members[i]}))
            return TWX_E_NOMEM;
    qsort(c->spots.at, n, sizeof *c->spots.at, by_place);
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) rc = pair_with_partners(c, &c->spots.at[i]);
    return rc;
}

/* The sample may be halved while a run is processed: later pairs are selected by the new rule,
 * earlier ones have been thinned. */
twx_rc twx_eval_collect_run(void *arg, uint32_t *members, size_t n) {
    twx_eval_collector *c = arg;
    twx_rc rc = twx_cancelled(c->cx);
    if (rc == TWX_OK && c->halvings > 0) return pair_sampled(c, members, n);
    for (size_t i = 0; rc == TWX_OK && i < n; i++)
        for (size_t j = i + 1; rc == TWX_OK && j < n; j++)
            if (twx_eval_in_sample(c->place[members[i]], c->place[members[j]], c->halvings))
                rc = add_candidate(c, members[i], members[j]);
    return rc;
}

twx_rc twx_eval_collect_end(twx_eval_collector *c) {
    return settle(c);
}

/* ---- all detectors ------------------------------------------------------ */

void twx_eval_pool_done(twx_eval_pool *pool) {
    if (pool) TWX_VEC_DONE(&pool->at);
}

static void thin_pool(twx_eval_pool *pool, unsigned halvings) {
    size_t kept = 0;
    for (size_t i = 0; i < pool->at.n; i++)
        if (in_sample(pool->place, pool->at.at[i].pair, halvings))
            pool->at.at[kept++] = pool->at.at[i];
    pool->at.n = kept;
    pool->halvings = halvings;
}

twx_rc twx_eval_pool_add(twx_eval_pool *pool, const twx_eval_collector *c, unsigned d) {
    if (c->halvings > pool->halvings) thin_pool(pool, c->halvings);
    size_t a = pool->at.n, b = c->pairs.n, to = a + b;
    if (!TWX_VEC_RESERVE(pool->cx, &pool->at, to)) return TWX_E_NOMEM;
    twx_eval_pair *at = pool->at.at;
    /* merged from the end, so that no element is overwritten before it is read */
    while (b > 0) {
        uint64_t pair = c->pairs.at[b - 1];
        if (a > 0 && at[a - 1].pair > pair) {
            at[--to] = at[--a];
        } else {
            uint32_t found = a > 0 && at[a - 1].pair == pair ? at[--a].found : 0;
            at[--to] = (twx_eval_pair){pair, found | UINT32_C(1) << d, TWX_EVAL_UNKNOWN};
            b--;
        }
    }
    /* pairs in both lists leave a gap between [0..a) and the merged part */
    size_t end = pool->at.n + c->pairs.n;
    if (a < to && end > to) memmove(at + a, at + to, (end - to) * sizeof *at);
    pool->at.n = a + (end - to);
    while (pool->at.n > pool->limit && pool->halvings < TWX_EVAL_HALVINGS_MAX)
        thin_pool(pool, pool->halvings + 1);
    return TWX_OK;
}
