/* evaluate/eval_pairs.h: the pairs that detectors find, or an even sample of them when they are
 * many.
 *
 * Each text has a place, 64 bits of its digest. A pair is in the sample of k halvings when the sum
 * of its places, modulo 2^64, is below 2^(64-k): every pair has the same chance 2^-k, samples of
 * all detectors are samples of the same pairs, and one of more halvings is a part of one of fewer.
 * So nothing has to be drawn again when it turns out that there are too many: the sample is halved.
 * The partners of a text within a run of equal keys are an interval in order of place: a run of n
 * texts costs n log n steps and one for each sampled pair, not n^2.
 * [R1] The sample depends on the texts and the pairs alone: not on numbering, order of runs or
 * order of detectors.
 * [R2] Memory is bounded by the limit, whatever the runs hold. */
#ifndef TWX_EVALUATE_EVAL_PAIRS_H
#define TWX_EVALUATE_EVAL_PAIRS_H

#include "base/vec.h"

enum {
    TWX_EVAL_PAIRS_MAX = 1 << 20, /* pairs kept, of one detector and of all together */
    TWX_EVAL_DETECTORS_MAX = 32,  /* bits of twx_eval_pair.found */
    TWX_EVAL_HALVINGS_MAX = 63
};
#define TWX_EVAL_CANDIDATES_MAX \
    ((double)(1 << 27)) /* sampled candidates of one detector that are looked at */

/* A pair as a number: the smaller text above, the larger below. */
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
double twx_eval_chance(unsigned halvings); /* of a pair to be in the sample: 2^-halvings */
/* The fewest halvings that leave so many candidates, expected, within TWX_EVAL_CANDIDATES_MAX. */
unsigned twx_eval_halvings_for(double candidates);

/* Are two candidates a pair? */
typedef bool twx_eval_is_pair_fn(void *arg, uint32_t a, uint32_t b);

/* Collects the pairs of one detector. Memory: embedded struct, owned arrays; place is borrowed. */
typedef struct twx_eval_collector {
    twx_ctx *cx;
    const uint64_t *place;        /* by text */
    twx_eval_is_pair_fn *is_pair; /* NULL: all candidates are */
    void *arg;
    unsigned halvings;
    size_t limit; /* pairs kept */
    /* the first `settled` are pairs, in order, none twice; then candidates */
    TWX_VEC(uint64_t) pairs;
    size_t settled;
    TWX_VEC(uint64_t) scratch;
    TWX_VEC(struct twx_eval_spot) spots; /* the run at hand in order of place */
} twx_eval_collector;

struct twx_eval_spot {
    uint64_t place;
    uint32_t text;
};

/* The first three and the last two members of a collector are set by the caller; all else is zero.
 */
void twx_eval_collector_done(twx_eval_collector *c);
/* A twx_run_fn (group/grouper.h); arg is the collector. */
twx_rc twx_eval_collect_run(void *arg, uint32_t *members, size_t n);
/* Ends collecting: c->pairs are the sampled pairs in order. */
TWX_CHECK twx_rc twx_eval_collect_end(twx_eval_collector *c);

/* The pairs of all detectors. */
typedef struct twx_eval_pair {
    uint64_t pair;
    uint32_t found; /* bit d: detector d has it */
    int32_t truth;  /* TWX_EVAL_... */
} twx_eval_pair;

enum { TWX_EVAL_UNKNOWN = -1, TWX_EVAL_FALSE = 0, TWX_EVAL_TRUE = 1 };

/* Memory: embedded struct, owned; place is borrowed. */
typedef struct twx_eval_pool {
    twx_ctx *cx;
    const uint64_t *place;
    size_t limit;
    unsigned halvings;
    TWX_VEC(twx_eval_pair) at; /* in order of pair */
} twx_eval_pool;

void twx_eval_pool_done(twx_eval_pool *pool);
/* Takes in the pairs of detector d, collected with as many halvings as the pool has or more. */
TWX_CHECK twx_rc twx_eval_pool_add(twx_eval_pool *pool, const twx_eval_collector *c, unsigned d);

#endif
