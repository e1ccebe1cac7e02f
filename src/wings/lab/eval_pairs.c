#include "lab/lab.h"

/* ==== eval_pairs */

#define TWX_EVAL_CANDIDATES_MAX \
    ((double)(1 << 27)) /* sampled candidates of one detector that are examined */

/* "String::Similarity of the texts >= 80 %": Zelenkov and Segalovich 2007, section 5 */
enum { TWX_EVAL_SIMILAR_PPM = 800000 };

enum { CANDIDATES_ROOM = 1 << 21, LOOK_EVERY = 1 << 12, TWX_EVAL_HALVINGS_MAX = 63 };

struct twx_eval_spot {
    uint64_t place;
    uint32_t text;
};

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

/* ---- collecting --------------------------------------------------------- */

/* Sorts at[0..n) and removes repeats; *ret_n: how many remain. */
static twx_rc sort_unique(twx_ctx *cx, uint64_t *at, size_t n, size_t *ret_n) {
    twx_arena scratch = {0};
    twx_shingles numbers = {.at = at, .n = n};
    const twx_rc rc = twx_shingles_unique(cx, &scratch, &numbers);
    memmove(at, numbers.at, numbers.n * sizeof *at);
    *ret_n = numbers.n;
    twx_arena_done(&scratch);
    return rc;
}

void twx_eval_collector_done(twx_eval_collector *c) {
    if (!c) return;
    TWX_VEC_DONE(&c->pairs);
    TWX_VEC_DONE(&c->spots);
}

static bool in_sample(const uint64_t *place, uint64_t pair, unsigned halvings) {
    return twx_eval_in_sample(place[twx_eval_pair_a(pair)], place[twx_eval_pair_b(pair)], halvings);
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
twx_rc twx_eval_settle(twx_eval_collector *c) {
    size_t n = c->pairs.n - c->settled;
    if (n == 0) return TWX_OK;
    uint64_t *fresh = c->pairs.at + c->settled;
    twx_rc rc = sort_unique(c->cx, fresh, n, &n);
    if (rc == TWX_OK) rc = keep_pairs(c, fresh, n, &n);
    if (rc == TWX_OK) rc = sort_unique(c->cx, c->pairs.at, c->settled + n, &c->settled);
    if (rc != TWX_OK) return rc;
    /* halves the sample until the settled pairs fit the limit */
    while (c->settled > c->limit && c->halvings < TWX_EVAL_HALVINGS_MAX) {
        size_t kept = 0;
        c->halvings++;
        for (size_t i = 0; i < c->settled; i++)
            if (in_sample(c->place, c->pairs.at[i], c->halvings))
                c->pairs.at[kept++] = c->pairs.at[i];
        c->settled = kept;
    }
    c->pairs.n = c->settled;
    return TWX_OK;
}

static twx_rc add_candidate(twx_eval_collector *c, uint32_t a, uint32_t b) {
    if (!TWX_VEC_PUSH(c->cx, &c->pairs, twx_eval_pair_of(a, b))) return TWX_E_NOMEM;
    return c->pairs.n - c->settled >= CANDIDATES_ROOM ? twx_eval_settle(c) : TWX_OK;
}

TWX_ORDER_2(by_place, struct twx_eval_spot, place, text)

/* The sampled partners of text a in a run are those whose places are among the 2^(64-halvings) from
 * -place(a) on, modulo 2^64. Each pair is seen from both sides and added from the text with the
 * smaller number. */
static twx_rc pair_with_partners(twx_eval_collector *c, const struct twx_eval_spot *a) {
    const size_t n = c->spots.n;
    size_t at = 0, high = n;
    twx_rc rc = TWX_OK;
    TWX_BISECT(at, high, c->spots.at[middle].place < 0 - a->place);
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

/* ---- all detectors ------------------------------------------------------ */

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

/* ==== eval_verify */

enum { CHUNK_PAIRS = 16, DRAW_ROUNDS = 40 };
#define STEPS_MAX ((double)(UINT64_C(1) << 38)) /* product of two lengths: some seconds */

/* ---- drawing ------------------------------------------------------------ */

double twx_eval_weight(const twx_eval_texts *t, uint64_t pair) {
    return (double)t->at.at[twx_eval_pair_a(pair)].documents *
           t->at.at[twx_eval_pair_b(pair)].documents;
}

double twx_eval_draw_chance(const twx_eval_draw *draw, double weight) {
    double chance = draw->by_documents * weight + draw->by_texts;
    return chance < 1 ? chance : 1;
}

/* Half of the expected sample is drawn in proportion to pairs of documents, half uniformly.
 * Probabilities are capped at 1; what that removes is distributed over the others, in rounds. */
twx_eval_draw twx_eval_draw_of(const twx_eval_texts *t, const twx_eval_pool *pool,
                               uint64_t sample) {
    twx_eval_draw draw = {0, 1};
    double weights = 0;
    if (sample == 0 || sample >= pool->at.n) return draw;
    for (size_t i = 0; i < pool->at.n; i++) weights += twx_eval_weight(t, pool->at.at[i].pair);
    draw = (twx_eval_draw){(double)sample / 2 / weights, (double)sample / 2 / (double)pool->at.n};
    for (int round = 0; round < DRAW_ROUNDS; round++) {
        double expected = 0;
        for (size_t i = 0; i < pool->at.n; i++)
            expected += twx_eval_draw_chance(&draw, twx_eval_weight(t, pool->at.at[i].pair));
        double factor = (double)sample / expected;
        if (factor < 1.001) break;
        draw.by_documents *= factor;
        draw.by_texts *= factor;
    }
    return draw;
}

/* A uniformly distributed number in [0, 1), constant for a given pair of texts. */
static double lot_of(const twx_eval_texts *t, uint64_t pair) {
    uint64_t a = t->at.at[twx_eval_pair_a(pair)].place, b = t->at.at[twx_eval_pair_b(pair)].place;
    return (double)(twx_mix64(a + b, a ^ b) >> 11) / (double)(UINT64_C(1) << 53);
}

/* ---- blocks of texts ---------------------------------------------------- */

typedef struct drawn {
    uint32_t block_a, block_b; /* blocks of its two texts */
    uint32_t at;               /* index in the pool */
} drawn;

typedef struct verifying {
    const twx_job *job; /* that of the texts */
    const twx_eval_texts *texts;
    twx_eval_pool *pool;
    TWX_VEC(drawn) drawn;
    TWX_VEC(uint32_t) block; /* of each text; while drawing: 1 if the text is needed */
    TWX_VEC(size_t) held_at; /* of each text: its index in held, if its holder is current */
    TWX_VEC(uint32_t) holder;
    twx_buf held;
    size_t from, to;                              /* the drawn pairs whose texts are held */
    twx_similarity *similarity[TWX_PARALLEL_MAX]; /* of each thread */
    atomic_size_t done;                           /* pairs */
    twx_eval_verified counts;
} verifying;

static twx_slice held_text(const verifying *v, uint32_t text) {
    return (twx_slice){v->held.p + v->held_at.at[text], v->texts->at.at[text].bytes};
}

static twx_rc draw_pairs(verifying *v, const twx_eval_draw *draw) {
    for (size_t i = 0; i < v->pool->at.n; i++) {
        twx_eval_pair *p = &v->pool->at.at[i];
        uint32_t a = twx_eval_pair_a(p->pair), b = twx_eval_pair_b(p->pair);
        if (lot_of(v->texts, p->pair) >=
            twx_eval_draw_chance(draw, twx_eval_weight(v->texts, p->pair)))
            continue;
        if ((double)v->texts->at.at[a].bytes * (double)v->texts->at.at[b].bytes > STEPS_MAX) {
            v->counts.too_long++;
            continue;
        }
        v->block.at[a] = v->block.at[b] = 1;
        if (!TWX_VEC_PUSH(v->job->cx, &v->drawn, (drawn){.at = (uint32_t)i})) return TWX_E_NOMEM;
    }
    v->counts.pairs = v->drawn.n;
    return TWX_OK;
}

TWX_ORDER_3(by_block, drawn, block_a, block_b, at)

/* Divides the needed texts into blocks, two of which fit into half of the memory, and sorts the
 * pairs by the blocks of their texts. */
static void part_into_blocks(verifying *v) {
    uint64_t bytes = 0, room = twx_job_memory(v->job->settings) / 4;
    uint32_t block = 0;
    for (size_t i = 0; i < v->texts->at.n; i++) {
        if (v->block.at[i] == 0) continue;
        if (bytes > 0 && bytes + v->texts->at.at[i].bytes > room) {
            block++;
            bytes = 0;
        }
        bytes += v->texts->at.at[i].bytes;
        v->block.at[i] = block;
    }
    for (size_t i = 0; i < v->drawn.n; i++) {
        uint64_t pair = v->pool->at.at[v->drawn.at[i].at].pair;
        v->drawn.at[i].block_a = v->block.at[twx_eval_pair_a(pair)];
        v->drawn.at[i].block_b = v->block.at[twx_eval_pair_b(pair)];
    }
    if (v->drawn.n) qsort(v->drawn.at, v->drawn.n, sizeof *v->drawn.at, by_block);
}

static twx_rc hold_text(verifying *v, uint32_t text, uint32_t holder) {
    if (v->holder.at[text] == holder) return TWX_OK;
    size_t at = v->held.n;
    twx_rc rc = twx_eval_text_fetch(v->texts, text, &v->held);
    v->holder.at[text] = holder;
    v->held_at.at[text] = at;
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* Pairs of a text that has changed have no truth. */
static bool has_changed(const verifying *v, uint64_t pair) {
    return twx_eval_text_changed(v->texts, twx_eval_pair_a(pair)) ||
           twx_eval_text_changed(v->texts, twx_eval_pair_b(pair));
}

/* ---- comparing ---------------------------------------------------------- */

/* A task of a thread: some of the pairs. */
static twx_rc compare_chunk(twx_ctx *cx, void *arg, size_t thread, size_t task) {
    verifying *v = arg;
    twx_similarity **similarity = &v->similarity[thread];
    const size_t from = v->from + task * CHUNK_PAIRS,
                 n = v->to - from < CHUNK_PAIRS ? v->to - from : CHUNK_PAIRS;
    twx_rc rc = *similarity ? TWX_OK : twx_similarity_open(cx, similarity);
    for (size_t i = from; rc == TWX_OK && i < from + n; i++) {
        twx_eval_pair *p = &v->pool->at.at[v->drawn.at[i].at];
        int32_t ppm = -1;
        rc = twx_cancelled(cx);
        if (rc != TWX_OK || has_changed(v, p->pair)) continue;
        rc = twx_similarity_of(cx, *similarity, held_text(v, twx_eval_pair_a(p->pair)),
                               held_text(v, twx_eval_pair_b(p->pair)), TWX_EVAL_SIMILAR_PPM, &ppm);
        p->truth = ppm >= TWX_EVAL_SIMILAR_PPM ? TWX_EVAL_TRUE : TWX_EVAL_FALSE;
    }
    const size_t done = atomic_fetch_add(&v->done, n) + n;
    if (thread == 0) /* the caller's */
        twx_job_progress(v->job, "verify", "pairs", done, v->drawn.n);
    return rc;
}

/* Compares the pairs drawn[from..to), whose texts are in two blocks. */
static twx_rc verify_block(verifying *v, size_t from, size_t to, uint32_t holder) {
    twx_rc rc = TWX_OK;
    twx_buf_clear(&v->held);
    for (size_t i = from; rc == TWX_OK && i < to; i++) {
        uint64_t pair = v->pool->at.at[v->drawn.at[i].at].pair;
        rc = hold_text(v, twx_eval_pair_a(pair), holder);
        if (rc == TWX_OK) rc = hold_text(v, twx_eval_pair_b(pair), holder);
    }
    v->from = from;
    v->to = to;
    return rc == TWX_OK
               ? twx_parallel(v->job->cx, twx_job_threads(v->job->settings),
                              (to - from + CHUNK_PAIRS - 1) / CHUNK_PAIRS, compare_chunk, v)
               : rc;
}

twx_rc twx_eval_verify(const twx_eval_texts *t, const twx_eval_draw *draw, twx_eval_pool *pool,
                       twx_eval_verified *ret_verified) {
    verifying v = {.job = t->of->job, .texts = t, .pool = pool, .held = {.max = SIZE_MAX / 2}};
    const size_t n = t->at.n;
    twx_rc rc = TWX_VEC_RESERVE(v.job->cx, &v.block, n) &&
                        TWX_VEC_RESERVE(v.job->cx, &v.held_at, n) &&
                        TWX_VEC_RESERVE(v.job->cx, &v.holder, n)
                    ? TWX_OK
                    : TWX_E_NOMEM;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) v.block.at[i] = v.holder.at[i] = 0;
    if (rc == TWX_OK) rc = draw_pairs(&v, draw);
    if (rc == TWX_OK) part_into_blocks(&v);
    uint32_t holder = 0;
    for (size_t from = 0, to; rc == TWX_OK && from < v.drawn.n; from = to) {
        const drawn *first = &v.drawn.at[from];
        for (to = from + 1; to < v.drawn.n; to++)
            if (v.drawn.at[to].block_a != first->block_a ||
                v.drawn.at[to].block_b != first->block_b)
                break;
        rc = verify_block(&v, from, to, ++holder);
    }
    for (size_t i = 0; i < TWX_PARALLEL_MAX; i++) twx_similarity_close(v.similarity[i]);
    for (size_t i = 0; i < v.drawn.n; i++)
        v.counts.pairs -= has_changed(&v, v.pool->at.at[v.drawn.at[i].at].pair);
    if (rc == TWX_OK) *ret_verified = v.counts;
    TWX_VEC_DONE(&v.drawn);
    TWX_VEC_DONE(&v.block);
    TWX_VEC_DONE(&v.held_at);
    TWX_VEC_DONE(&v.holder);
    twx_buf_done(&v.held);
    return rc;
}
