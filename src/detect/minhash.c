/* The row `minhash`: payload is the sketch (minhash.h), the one stored key is its hash; 128 bytes a text. */
#include "detect/minhash.h"

#include "base/hash64.h"
#include "detect/collection.h"
#include "detect/detector.h"

enum { BINS = TWX_MINHASH_BYTES, BIN_SHIFT = 57, MILLION = 1000000 };
enum { PROBES = 9, ROUNDS = 64 }; /* a hash has bits for 9 probes of 7 bits */

/* No shingle is larger, so it may stand for "empty": a text whose only shingle in the last bin has this very hash is
 * taken for one without it, which is wrong once in 2^64 shingles and the same on every machine. */
static const uint64_t EMPTY = UINT64_MAX;
static const uint64_t PROBE_SEED = UINT64_C(0x6D696E6861736831);

/* What an empty bin takes: that of the first full bin among random ones, which are the same for every text. When a text
 * of few shingles is missed by all of them, that of the next full bin. */
static uint64_t borrowed(const uint64_t smallest[BINS], size_t bin) {
    for (uint64_t round = 0; round < ROUNDS; round++) {
        uint64_t probes = twx_mix64(bin, PROBE_SEED + round);
        for (int i = 0; i < PROBES; i++, probes /= BINS)
            if (smallest[probes % BINS] != EMPTY) return smallest[probes % BINS];
    }
    size_t steps = 0;
    while (steps < BINS && smallest[bin] == EMPTY) bin = (bin + 1) % BINS, steps++;
    return smallest[bin];
}

void twx_minhash_of(const uint64_t *shingles, size_t n, unsigned char ret_sketch[TWX_MINHASH_BYTES]) {
    uint64_t smallest[BINS];
    for (size_t bin = 0; bin < BINS; bin++) smallest[bin] = EMPTY;
    for (size_t i = 0; i < n; i++) {
        uint64_t *least = &smallest[shingles[i] >> BIN_SHIFT];
        if (shingles[i] < *least) *least = shingles[i];
    }
    for (size_t bin = 0; bin < BINS; bin++) {
        const uint64_t value = smallest[bin] != EMPTY ? smallest[bin] : borrowed(smallest, bin);
        ret_sketch[bin] = (unsigned char)twx_mix64(value, bin);
    }
}

twx_rc twx_minhash_shingles(twx_ctx *cx, twx_arena *scratch, twx_slice text, twx_shingles *ret_shingles) {
    const twx_shingling how = {.words = TWX_MINHASH_WORDS, .within_lines = true};
    return twx_shingles_of(cx, scratch, &how, text, ret_shingles);
}

/* Moves the shingles that are no chrome to the front and returns how many; when there are none, all stay in place. */
static size_t without_chrome(const twx_chrome *chrome, uint64_t *at, size_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (!twx_chrome_has(chrome, at[i])) at[kept++] = at[i];
    return kept;
}

twx_rc twx_minhash_text(twx_ctx *cx, twx_arena *scratch, const twx_chrome *chrome, twx_slice text,
                        unsigned char ret_sketch[TWX_MINHASH_BYTES]) {
    twx_shingles shingles;
    twx_rc rc = twx_minhash_shingles(cx, scratch, text, &shingles);
    if (rc != TWX_OK) return rc;
    if (shingles.n == 0) return TWX_DONE;
    const size_t kept = chrome ? without_chrome(chrome, shingles.at, shingles.n) : 0;
    twx_minhash_of(shingles.at, kept ? kept : shingles.n, ret_sketch);
    return TWX_OK;
}

/* Millionths from the number of equal bytes. */
static int32_t estimate(size_t equal) {
    return equal == 0 ? 0 : (int32_t)((2 * equal - 1) * MILLION / (2 * BINS - 1));
}

int32_t twx_minhash_estimate(twx_slice a, twx_slice b) {
    size_t equal = 0;
    if (a.n != TWX_MINHASH_BYTES || b.n != TWX_MINHASH_BYTES) return -1;
    for (size_t i = 0; i < TWX_MINHASH_BYTES; i++) equal += a.p[i] == b.p[i];
    return estimate(equal);
}

size_t twx_minhash_bands(uint32_t threshold_ppm) {
    size_t equal = 1; /* none is no pair: there would be no band to find it by */
    while (equal < BINS && (uint32_t)estimate(equal) < threshold_ppm) equal++;
    return BINS - equal + 1;
}

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    const twx_collection *known = params->minhash_chrome ? params->collection : NULL;
    twx_arena *scratch = twx_workspace_scratch(w);
    unsigned char *sketch = twx_arena_alloc(cx, scratch, TWX_MINHASH_BYTES, 1);
    if (!sketch) return TWX_E_NOMEM;
    twx_rc rc = twx_minhash_text(cx, scratch, known ? known->chrome : NULL, doc->text, sketch);
    if (rc != TWX_OK) return rc == TWX_DONE ? TWX_OK : rc;
    ret_signature->payload = (twx_slice){(const char *)sketch, TWX_MINHASH_BYTES};
    const twx_hash128 hash = twx_hash_wide(ret_signature->payload, 0);
    return twx_signature_add(cx, (twx_key){hash.lo, hash.hi}, ret_signature);
}

static size_t candidates(const twx_params *params, const twx_signed *from, twx_key *ret_keys) {
    const size_t bands = twx_minhash_bands(params->minhash_threshold_ppm);
    if (from->payload.n != TWX_MINHASH_BYTES) { /* not ours: nothing verifies with it */
        ret_keys[0] = from->first;
        return 1;
    }
    for (size_t i = 0; i < bands; i++) {
        const twx_slice band = twx_slice_sub(from->payload, i * BINS / bands, (i + 1) * BINS / bands);
        ret_keys[i] = (twx_key){twx_hash64(band, i), 0};
    }
    return bands;
}

static int32_t verify(const twx_params *params, twx_slice a, twx_slice b) {
    const int32_t similarity = twx_minhash_estimate(a, b);
    return similarity >= (int64_t)params->minhash_threshold_ppm ? similarity : -1;
}

static uint64_t fingerprint(const twx_params *params) {
    return params->minhash_chrome;
}

const twx_detector TWX_DETECTOR_MINHASH = {
    .name = "minhash",
    .summary = "texts that share most of their 4-word shingles, the site's chrome left out",
    .source = "Broder 1997; Li, Owen, Zhang 2012; Shrivastava 2017; Li and Konig 2010",
    .id = 22,
    .version = 1,
    .basis = TWX_BASIS_TEXT,
    .translations_apart = true,
    .near = true,
    .needs = TWX_NEED_CHROME,
    .fingerprint = fingerprint,
    .sign = sign,
    .candidates = candidates,
    .verify = verify,
};
