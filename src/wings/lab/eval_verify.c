#include "lab/eval_verify.h"

#include <stdlib.h>

#include "base/hash64.h"
#include "run/workers.h"
#include "text/similarity.h"

enum { CHUNK_PAIRS = 16, CHUNKS_A_THREAD = 4, DRAW_ROUNDS = 40 };
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

typedef struct chunk {
    size_t from, to; /* indexes of drawn pairs */
} chunk;

typedef struct verifying {
    const twx_job *job;
    twx_opened *o;
    const twx_eval_texts *texts;
    twx_eval_pool *pool;
    TWX_VEC(drawn) drawn;
    TWX_VEC(uint32_t) block; /* of each text; while drawing: 1 if the text is needed */
    TWX_VEC(size_t) held_at; /* of each text: its index in held, if its holder is current */
    TWX_VEC(uint32_t) holder;
    twx_buf held;
    twx_workers *workers;
    TWX_VEC(chunk) chunks;
    TWX_VEC(chunk *) idle;
    size_t done;
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

static int by_block(const void *left, const void *right) {
    const drawn *a = left, *b = right;
    if (a->block_a != b->block_a) return a->block_a < b->block_a ? -1 : 1;
    if (a->block_b != b->block_b) return a->block_b < b->block_b ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

/* Divides the needed texts into blocks, two of which fit into half of the memory, and sorts the
 * pairs by the blocks of their texts. */
static void part_into_blocks(verifying *v) {
    uint64_t bytes = 0, room = v->job->settings->run_memory / 4;
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
    twx_rc rc = twx_eval_text_fetch(v->job, v->o, v->texts, text, &v->held);
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

typedef struct comparer {
    verifying *v;
    twx_similarity *similarity;
} comparer;

static void close_comparer(void *state) {
    comparer *c = state;
    if (c) twx_similarity_close(c->similarity);
    twx_free(c);
}

static twx_rc open_comparer(twx_ctx *cx, void *arg, void **ret_state) {
    comparer *c = twx_calloc(cx, 1, sizeof *c);
    if (!c) return TWX_E_NOMEM;
    c->v = arg;
    twx_rc rc = twx_similarity_open(cx, &c->similarity);
    if (rc == TWX_OK)
        *ret_state = c;
    else
        close_comparer(c);
    return rc;
}

static twx_rc compare_chunk(twx_ctx *cx, void *state, void *item) {
    comparer *c = state;
    const chunk *work = item;
    verifying *v = c->v;
    twx_rc rc = TWX_OK;
    for (size_t i = work->from; rc == TWX_OK && i < work->to; i++) {
        twx_eval_pair *p = &v->pool->at.at[v->drawn.at[i].at];
        int32_t ppm = -1;
        rc = twx_cancelled(cx);
        if (has_changed(v, p->pair)) continue;
        if (rc == TWX_OK)
            rc = twx_similarity_of(cx, c->similarity, held_text(v, twx_eval_pair_a(p->pair)),
                                   held_text(v, twx_eval_pair_b(p->pair)), TWX_EVAL_SIMILAR_PPM,
                                   &ppm);
        p->truth = ppm >= TWX_EVAL_SIMILAR_PPM ? TWX_EVAL_TRUE : TWX_EVAL_FALSE;
    }
    return rc;
}

/* Waits until a chunk is idle, or with `all` until all chunks are. */
static twx_rc await_chunks(verifying *v, bool all) {
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && v->idle.n < (all ? v->chunks.n : 1)) {
        void *item = NULL;
        rc = twx_workers_take(v->workers, true, &item);
        if (rc != TWX_OK || !item) return rc;
        chunk *back = item;
        v->done += back->to - back->from;
        v->idle.at[v->idle.n++] = back; /* has room for all chunks */
        twx_job_progress(v->job, "verify", "pairs", v->done, v->drawn.n);
    }
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
    while (rc == TWX_OK && from < to) {
        rc = await_chunks(v, false);
        if (rc != TWX_OK) break;
        chunk *next = v->idle.at[--v->idle.n];
        *next = (chunk){from, to - from < CHUNK_PAIRS ? to : from + CHUNK_PAIRS};
        from = next->to;
        rc = twx_workers_give(v->workers, next);
    }
    return rc == TWX_OK ? await_chunks(v, true) : rc;
}

static twx_rc verify_blocks(verifying *v) {
    twx_rc rc = TWX_OK;
    uint32_t holder = 0;
    for (size_t from = 0, to; rc == TWX_OK && from < v->drawn.n; from = to) {
        const drawn *first = &v->drawn.at[from];
        for (to = from + 1; to < v->drawn.n; to++)
            if (v->drawn.at[to].block_a != first->block_a ||
                v->drawn.at[to].block_b != first->block_b)
                break;
        rc = verify_block(v, from, to, ++holder);
    }
    return rc;
}

static twx_rc open_line(verifying *v) {
    twx_ctx *cx = v->job->cx;
    size_t threads = twx_job_threads(v->job->settings), chunks = threads * CHUNKS_A_THREAD,
           n = v->texts->at.n;
    const twx_work_kind kind = {
        .open = open_comparer, .work = compare_chunk, .close = close_comparer, .arg = v};
    if (!TWX_VEC_RESERVE(cx, &v->chunks, chunks) || !TWX_VEC_RESERVE(cx, &v->idle, chunks))
        return TWX_E_NOMEM;
    if (!TWX_VEC_RESERVE(cx, &v->block, n) || !TWX_VEC_RESERVE(cx, &v->held_at, n) ||
        !TWX_VEC_RESERVE(cx, &v->holder, n))
        return TWX_E_NOMEM;
    for (size_t i = 0; i < n; i++) v->block.at[i] = v->holder.at[i] = 0;
    for (v->chunks.n = 0; v->chunks.n < chunks; v->chunks.n++)
        v->idle.at[v->idle.n++] = &v->chunks.at[v->chunks.n];
    return twx_workers_open(cx, threads, chunks, &kind, &v->workers);
}

twx_rc twx_eval_verify(const twx_job *job, twx_opened *o, const twx_eval_texts *t,
                       const twx_eval_draw *draw, twx_eval_pool *pool,
                       twx_eval_verified *ret_verified) {
    verifying v = {.job = job, .o = o, .texts = t, .pool = pool};
    twx_buf_init(&v.held, SIZE_MAX / 2);
    twx_rc rc = open_line(&v);
    if (rc == TWX_OK) rc = draw_pairs(&v, draw);
    if (rc == TWX_OK) part_into_blocks(&v);
    if (rc == TWX_OK) rc = verify_blocks(&v);
    twx_workers_close(v.workers);
    for (size_t i = 0; i < v.drawn.n; i++)
        v.counts.pairs -= has_changed(&v, v.pool->at.at[v.drawn.at[i].at].pair);
    if (rc == TWX_OK) *ret_verified = v.counts;
    TWX_VEC_DONE(&v.drawn);
    TWX_VEC_DONE(&v.block);
    TWX_VEC_DONE(&v.held_at);
    TWX_VEC_DONE(&v.holder);
    TWX_VEC_DONE(&v.chunks);
    TWX_VEC_DONE(&v.idle);
    twx_buf_done(&v.held);
    return rc;
}
