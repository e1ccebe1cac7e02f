#include "sign/shingle_sketch.h"

#include "text/shingling.h"

enum {
    S = TWX_SHINGLE_SKETCH_MAX,
    BYTES = TWX_SHINGLE_SKETCH_BYTES,
    DROPPED_BITS = 64 - 8 * BYTES
};
enum { MILLION = 1000000 };

/* Most texts have far more shingles than a sketch holds, and sorting all would take longer than
 * computing them. So the ones below a bound are sorted first, about FIRST if hashes are random;
 * when too many of them are repeats, those below GROWTH times the bound. */
enum { FIRST = 3 * S, GROWTH = 8 };

/* Moves the shingles up to the bound to the front. */
static size_t part(uint64_t *at, size_t n, uint64_t bound) {
    size_t low = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t item = at[i];
        if (item > bound) continue;
        at[i] = at[low];
        at[low++] = item;
    }
    return low;
}

/* Appends the fingerprints of sorted shingles until the sketch is full. */
static void put(const twx_shingles *sorted, char *sketch, size_t *n) {
    uint64_t last = *n ? twx_shingle_sketch_at((twx_slice){sketch, *n * BYTES}, *n - 1)
                       : UINT64_MAX;
    for (size_t i = 0; i < sorted->n && *n < S; i++) {
        const uint64_t print = sorted->at[i] >> DROPPED_BITS;
        if (print == last) continue;
        for (int b = 0; b < BYTES; b++)
            sketch[*n * BYTES + (size_t)b] = (char)(print >> 8 * (BYTES - 1 - b));
        ++*n;
        last = print;
    }
}

twx_rc twx_shingle_sketch_of(twx_ctx *cx, twx_arena *scratch, twx_slice text,
                             twx_slice *ret_sketch) {
    const twx_shingling how = {.words = TWX_SHINGLE_SKETCH_WORDS};
    twx_shingles rest;
    size_t n = 0;
    twx_rc rc = twx_shingles_of(cx, scratch, &how, text, &rest);
    if (rc != TWX_OK) return rc;
    char *sketch = twx_arena_alloc(cx, scratch, S, BYTES);
    if (!sketch) return TWX_E_NOMEM;
    uint64_t bound = rest.n > 2 * FIRST ? UINT64_MAX / rest.n * FIRST : UINT64_MAX;
    while (n < S && rest.n > 0) {
        twx_shingles low = {.at = rest.at, .n = part(rest.at, rest.n, bound)};
        rest.at += low.n;
        rest.n -= low.n;
        rc = twx_shingles_unique(cx, scratch, &low);
        if (rc != TWX_OK) return rc;
        put(&low, sketch, &n);
        bound = bound > UINT64_MAX / GROWTH ? UINT64_MAX : bound * GROWTH;
    }
    *ret_sketch = (twx_slice){sketch, n * BYTES};
    return TWX_OK;
}

size_t twx_shingle_sketch_size(twx_slice sketch) {
    return sketch.n / BYTES;
}

uint64_t twx_shingle_sketch_at(twx_slice sketch, size_t i) {
    uint64_t print = 0;
    for (size_t b = 0; b < BYTES; b++) print = print << 8 | (unsigned char)sketch.p[i * BYTES + b];
    return print;
}

static bool is_sketch(twx_slice s) {
    return s.n > 0 && s.n % BYTES == 0 && s.n <= (size_t)S * BYTES;
}

static int32_t share(size_t part_n, size_t whole_n) {
    return whole_n == 0 ? -1 : (int32_t)(part_n * MILLION / whole_n);
}

bool twx_shingle_sketch_compare(twx_slice a, twx_slice b, twx_resemblance *ret_resemblance) {
    if (!is_sketch(a) || !is_sketch(b)) return false;
    const size_t in_a = twx_shingle_sketch_size(a), in_b = twx_shingle_sketch_size(b);
    const bool whole = in_a < S && in_b < S; /* [R3] */
    size_t i = 0, j = 0, both = 0;
    while ((i < in_a || j < in_b) && (whole || i + j - both < S)) {
        const uint64_t x = i < in_a ? twx_shingle_sketch_at(a, i) : UINT64_MAX;
        const uint64_t y = j < in_b ? twx_shingle_sketch_at(b, j) : UINT64_MAX;
        both += x == y;
        i += x <= y;
        j += y <= x;
    }
    *ret_resemblance = (twx_resemblance){share(both, i + j - both), share(both, i), share(both, j)};
    return true;
}
