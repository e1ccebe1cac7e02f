/* lab/eval_pairs.h: the pairs that detectors find, or a uniform sample of them if there are
 * many.
 *
 * Each text has a place, 64 bits of its digest. A pair is in the sample of k halvings if the sum of
 * its two places, modulo 2^64, is below 2^(64-k). So every pair has the same probability 2^-k, the
 * samples of all detectors are samples of the same pairs, and a sample of more halvings is a subset
 * of one of fewer. When there turn out to be too many pairs, the sample is halved and nothing needs
 * to be drawn again. The partners of a text within a run of equal keys are an interval in order of
 * place: a run of n texts costs n log n steps plus one per sampled pair, not n^2.
 * [R1] The sample depends only on the texts and the pairs, not on numbering, the order of runs or
 * the order of detectors.
 * [R2] Memory is bounded by the limit, whatever the runs contain. */
#ifndef TWX_LAB_EVAL_PAIRS_H
#define TWX_LAB_EVAL_PAIRS_H

#include "base/vec.h"

enum {
    TWX_EVAL_PAIRS_MAX = 1 << 20, /* pairs kept of one detector, and of all together */
    TWX_EVAL_DETECTORS_MAX = 32,  /* bits of twx_eval_pair.found */
    TWX_EVAL_HALVINGS_MAX = 63
};
#define TWX_EVAL_CANDIDATES_MAX \
    ((double)(1 << 27)) /* sampled candidates of one detector that are examined */

/* A pair as one number: the smaller text in the upper half, the larger one in the lower half. */
static inline uint64_t twx_eval_pair_of(uint32_t a, uint32_t b) {
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}
static inline uint32_t twx_eval_pair_a(uint64_t pair) {
    return (uint32_t)(pair >> 32);
}
static inline uint32_t twx_eval_pair_b(uint64_t pair) {
    return (uint32_t)pair;
}

bool twx_eval_in_sample(uint64_t place_a, uint64_t place_b, unsigned halvings);
double twx_eval_chance(unsigned halvings); /* probability of a pair to be sampled: 2^-halvings */
/* The smallest number of halvings for which the expected number of sampled candidates is within
 * TWX_EVAL_CANDIDATES_MAX. */
unsigned twx_eval_halvings_for(double candidates);

/* Are the two candidates a pair? */
typedef bool twx_eval_is_pair_fn(void *arg, uint32_t a, uint32_t b);

/* Collects the pairs of one detector. Memory: embedded struct with owned arrays; place is
 * borrowed. */
typedef struct twx_eval_collector {
    twx_ctx *cx;
    const uint64_t *place;        /* by text */
    twx_eval_is_pair_fn *is_pair; /* NULL: every candidate is a pair */
    void *arg;
    unsigned halvings;
    size_t limit; /* maximum number of pairs kept */
    /* the first `settled` are pairs, sorted and distinct; the others are candidates */
    TWX_VEC(uint64_t) pairs;
    size_t settled;
    TWX_VEC(uint64_t) scratch;
    TWX_VEC(struct twx_eval_spot) spots; /* the current run, ordered by place */
} twx_eval_collector;

struct twx_eval_spot {
    uint64_t place;
    uint32_t text;
};

/* The caller sets the first three and the last two members of a collector; the others are zero. */
void twx_eval_collector_done(twx_eval_collector *c);
/* A twx_run_fn (group/grouper.h); arg is the collector. */
twx_rc twx_eval_collect_run(void *arg, uint32_t *members, size_t n);
/* Ends collecting: c->pairs are the sampled pairs, sorted. */
TWX_CHECK twx_rc twx_eval_collect_end(twx_eval_collector *c);

/* The pairs of all detectors. */
typedef struct twx_eval_pair {
    uint64_t pair;
    uint32_t found; /* bit d: detector d finds it */
    int32_t truth;  /* TWX_EVAL_... */
} twx_eval_pair;

enum { TWX_EVAL_UNKNOWN = -1, TWX_EVAL_FALSE = 0, TWX_EVAL_TRUE = 1 };

/* Memory: embedded struct, owned; place is borrowed. */
typedef struct twx_eval_pool {
    twx_ctx *cx;
    const uint64_t *place;
    size_t limit;
    unsigned halvings;
    TWX_VEC(twx_eval_pair) at; /* sorted by pair */
} twx_eval_pool;

void twx_eval_pool_done(twx_eval_pool *pool);
/* Adds the pairs of detector d, collected with at least as many halvings as the pool has. */
TWX_CHECK twx_rc twx_eval_pool_add(twx_eval_pool *pool, const twx_eval_collector *c, unsigned d);

#endif
