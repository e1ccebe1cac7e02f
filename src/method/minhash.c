/* The detector `minhash`: the payload is the sketch (minhash.h), 128 bytes a text; the only
 * stored key is the hash of the sketch. */
#include "method/minhash.h"

#include <string.h>

#include "base/hash64.h"
#include "corpus/collection.h"
#include "method/detectors.h"

enum { BINS = TWX_MINHASH_BYTES, BIN_SHIFT = 57, ROUNDS = 128, FEW = 1024, MILLION = 1000000 };

/* Marks an empty bin. A shingle whose hash is this very number is lost, which happens once in 2^64
 * shingles and equally on every machine. */
static const uint64_t EMPTY = UINT64_MAX;

/* The hash of a shingle in another round: value number `round` of SplitMix64 seeded with the
 * shingle (Steele, Lea, Flood, OOPSLA 2014). */
static uint64_t rehash(uint64_t shingle, uint64_t round) {
    uint64_t h = shingle + round * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ h >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    h = (h ^ h >> 27) * UINT64_C(0x94D049BB133111EB);
    return h ^ h >> 31;
}

/* The first round: each shingle is its own hash. True: no bin is empty. */
static bool first_round(const uint64_t *shingles, size_t n, uint64_t least[BINS]) {
    size_t empty = 0;
    for (size_t bin = 0; bin < BINS; bin++) least[bin] = EMPTY;
    for (size_t i = 0; i < n; i++) {
        uint64_t *bin = &least[shingles[i] >> BIN_SHIFT];
        if (shingles[i] < *bin) *bin = shingles[i];
    }
    for (size_t bin = 0; bin < BINS; bin++) empty += least[bin] == EMPTY;
    return empty == 0;
}

/* A further round: each empty bin takes the smallest new hash that falls into it. True: no bin is
 * empty. */
static bool next_round(const uint64_t *shingles, size_t n, uint64_t round, uint64_t least[BINS]) {
    uint64_t fresh[BINS];
    size_t empty = 0;
    for (size_t bin = 0; bin < BINS; bin++) fresh[bin] = EMPTY;
    for (size_t i = 0; i < n; i++) {
        const uint64_t hash = rehash(shingles[i], round);
        if (hash < fresh[hash >> BIN_SHIFT]) fresh[hash >> BIN_SHIFT] = hash;
    }
    for (size_t bin = 0; bin < BINS; bin++) {
        if (least[bin] == EMPTY) least[bin] = fresh[bin];
        empty += least[bin] == EMPTY;
    }
    return empty == 0;
}

/* All rounds but the first. A bin that is still empty, in a text of few shingles, takes the
 * smallest hash of all shingles in a round of its own. */
static void fill(const uint64_t *shingles, size_t n, uint64_t least[BINS]) {
    for (uint64_t round = 1; round < ROUNDS; round++)
        if (next_round(shingles, n, round, least)) return;
    for (size_t bin = 0; bin < BINS; bin++) {
        if (least[bin] != EMPTY) continue;
        for (size_t i = 0; i < n; i++) {
            const uint64_t hash = rehash(shingles[i], ROUNDS + bin);
            if (hash < least[bin]) least[bin] = hash;
        }
    }
}

static void put_bytes(const uint64_t least[BINS], unsigned char ret_sketch[TWX_MINHASH_BYTES]) {
    for (size_t bin = 0; bin < BINS; bin++) ret_sketch[bin] = (unsigned char)least[bin];
}

void twx_minhash_of(const uint64_t *shingles, size_t n,
                    unsigned char ret_sketch[TWX_MINHASH_BYTES]) {
    uint64_t least[BINS];
    if (!first_round(shingles, n, least)) fill(shingles, n, least);
    put_bytes(least, ret_sketch);
}

/* Moves the shingles that are not boilerplate to the front and returns their number. If all are
 * boilerplate, returns 0 and leaves the array as it is. */
static size_t without_boilerplate(const twx_boilerplate *boilerplate, uint64_t *at, size_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (!twx_boilerplate_has(boilerplate, at[i])) at[kept++] = at[i];
    return kept;
}

twx_rc twx_minhash_text(twx_ctx *cx, twx_arena *scratch, const twx_boilerplate *boilerplate,
                        twx_slice text, unsigned char ret_sketch[TWX_MINHASH_BYTES]) {
    uint64_t least[BINS];
    twx_shingles shingles;
    twx_rc rc = twx_page_shingles(cx, scratch, text, &shingles);
    if (rc != TWX_OK) return rc;
    if (shingles.n == 0) return TWX_DONE;
    const size_t kept = boilerplate ? without_boilerplate(boilerplate, shingles.at, shingles.n) : 0;
    if (kept > 0) shingles.n = kept;
    if (!first_round(shingles.at, shingles.n, least)) {
        /* Many shingles but empty bins: the text repeats itself. Each shingle is needed once. */
        if (shingles.n > FEW) rc = twx_shingles_unique(cx, scratch, &shingles);
        if (rc != TWX_OK) return rc;
        fill(shingles.at, shingles.n, least);
    }
    put_bytes(least, ret_sketch);
    return TWX_OK;
}

/* Millionths from the number of equal bytes. */
static int32_t estimate(size_t equal) {
    return equal == 0 ? 0 : (int32_t)((2 * equal - 1) * MILLION / (2 * BINS - 1));
}

/* Sixteen bytes in one step where the processor can; the compiler takes care of the others. */
typedef uint8_t lanes __attribute__((vector_size(16)));

size_t twx_minhash_equal(const unsigned char a[TWX_MINHASH_BYTES],
                         const unsigned char b[TWX_MINHASH_BYTES]) {
    lanes counts = {0};
    size_t equal = 0;
    for (size_t i = 0; i < TWX_MINHASH_BYTES; i += sizeof counts) {
        lanes x, y;
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        counts -= (lanes)(x == y); /* equal lanes are -1 */
    }
    for (size_t i = 0; i < sizeof counts; i++) equal += counts[i];
    return equal;
}

int32_t twx_minhash_estimate(twx_slice a, twx_slice b) {
    if (a.n != TWX_MINHASH_BYTES || b.n != TWX_MINHASH_BYTES) return -1;
    return estimate(twx_minhash_equal((const unsigned char *)a.p, (const unsigned char *)b.p));
}

size_t twx_minhash_bands(uint32_t threshold_ppm) {
    size_t equal = 1; /* a pair has one at least, otherwise no band could find it */
    while (equal < BINS && (uint32_t)estimate(equal) < threshold_ppm) equal++;
    return BINS - equal + 1;
}

/* its settings, in order */
enum { BOILERPLATE, THRESHOLD };

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    const twx_collection *known = twx_method_value(params, &TWX_DETECTOR_MINHASH, BOILERPLATE)
                                      ? params->collection
                                      : NULL;
    twx_arena *scratch = twx_workspace_scratch(w);
    unsigned char *sketch = twx_arena_alloc(cx, scratch, TWX_MINHASH_BYTES, 1);
    if (!sketch) return TWX_E_NOMEM;
    twx_rc rc = twx_minhash_text(cx, scratch, known ? known->boilerplate : NULL, doc->text, sketch);
    if (rc != TWX_OK) return rc == TWX_DONE ? TWX_OK : rc;
    ret_signature->payload = (twx_slice){(const char *)sketch, TWX_MINHASH_BYTES};
    const twx_hash128 hash = twx_hash_wide(ret_signature->payload, 0);
    return twx_signature_add(cx, (twx_key){hash.lo, hash.hi}, ret_signature);
}

static size_t candidates(const twx_params *params, const twx_signed *from, twx_key *ret_keys) {
    const size_t bands = twx_minhash_bands(
        twx_method_value(params, &TWX_DETECTOR_MINHASH, THRESHOLD));
    /* verify() refuses a payload of another format, so any key will do */
    if (from->payload.n != TWX_MINHASH_BYTES) {
        ret_keys[0] = from->first;
        return 1;
    }
    for (size_t i = 0; i < bands; i++) {
        const twx_slice band = twx_slice_sub(from->payload, i * BINS / bands,
                                             (i + 1) * BINS / bands);
        ret_keys[i] = (twx_key){twx_hash64(band, i), 0};
    }
    return bands;
}

static int32_t verify(const twx_params *params, twx_slice a, twx_slice b) {
    return twx_method_accept(params, &TWX_DETECTOR_MINHASH, THRESHOLD, twx_minhash_estimate(a, b));
}

static uint64_t fingerprint(const twx_params *params) {
    return twx_method_value(params, &TWX_DETECTOR_MINHASH, BOILERPLATE);
}

static const twx_method_setting SETTINGS[] = {
    {.shown = {"minhash.boilerplate", "yes", "yes|no",
               "Ignores the text that many pages of a site share (menus, footers), by minhash."},
     .kind = TWX_METHOD_SWITCH,
     .need = TWX_NEED_BOILERPLATE},
    TWX_THRESHOLD("minhash.threshold", "0.9", "0.5..1",
                  "Least estimated resemblance of two near-duplicates, by minhash."),
};

const twx_detector TWX_DETECTOR_MINHASH = {
    .name = "minhash",
    .summary = "texts that share most of their 4-word shingles, without the site's boilerplate",
    .source =
        "Broder 1997; Li, Owen, Zhang 2012; Dahlgaard, Knudsen, Thorup 2017; Li and Konig 2010",
    .id = 22,
    .version = 1,
    TWX_NEAR_TEXT_ROW,
    .needs = TWX_NEED_BOILERPLATE,
    .fingerprint = fingerprint,
};
