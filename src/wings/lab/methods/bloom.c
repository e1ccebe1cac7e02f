/* Near-duplicates by a Bloom filter of their chunks (text/shingling.c): 2048 bits, one for each
 * distinct chunk; of more than 1024 chunks those with the smallest hashes. The key is a hash of the
 * payload.
 *
 * Payload: up to 16 smallest chunks, 8 bytes little-endian each (the candidates, see
 * chunks.c), then the filter's 256 bytes; 384 bytes for all but short texts. The bit of a
 * chunk is given by the top 11 bits of its entry times an odd number, so that a sample of small
 * hashes is spread over the filter as well.
 *
 * Similarity: filters of m bits with a and b ones share a b / m by chance. Of x common ones, x - a
 * b / m are beyond chance, out of at most max(a, b) - a b / m. */
#include "lab/lab.h"

enum {
    FILTER_BITS = 2048,
    INDEX_BITS = 11,
    WORD_BITS = 64,
    WORDS = FILTER_BITS / WORD_BITS,
    FILTER_BYTES = FILTER_BITS / 8,
    KEPT_MAX = 1024,
    CANDIDATES = 16,
    ENTRY_BYTES = 8,
    MILLION = 1000000
};
_Static_assert(1 << INDEX_BITS == FILTER_BITS, "an index reaches every bit");

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    twx_arena *scratch = twx_workspace_scratch(w);
    uint64_t filter[WORDS] = {0};
    twx_chunks chunks;
    (void)params;
    if (doc->text.n == 0) return TWX_OK;
    twx_rc rc = twx_chunks_of(cx, scratch, doc->text, KEPT_MAX, &chunks);
    if (rc != TWX_OK) return rc;
    const size_t listed = chunks.n < CANDIDATES ? chunks.n : CANDIDATES;
    char *payload = twx_arena_alloc(cx, scratch, listed * ENTRY_BYTES + FILTER_BYTES, 1),
         *out = payload;
    if (!payload) return TWX_E_NOMEM;
    for (size_t i = 0; i < listed; i++, out += ENTRY_BYTES) twx_store_le64(out, chunks.at[i]);
    for (size_t i = 0; i < chunks.n; i++) {
        const uint64_t bit = chunks.at[i] * UINT64_C(0x9E3779B97F4A7C15) >> (64 - INDEX_BITS);
        filter[bit / WORD_BITS] |= UINT64_C(1) << bit % WORD_BITS;
    }
    for (size_t i = 0; i < WORDS; i++, out += ENTRY_BYTES) twx_store_le64(out, filter[i]);
    ret_signature->payload = (twx_slice){payload, (size_t)(out - payload)};
    const twx_hash128 all = twx_hash_wide(ret_signature->payload, 0);
    return twx_signature_add(cx, (twx_key){all.hi, all.lo}, ret_signature);
}

static size_t candidates(const twx_params *params, const twx_signed *from, twx_key *ret_keys) {
    const size_t listed = from->payload.n > FILTER_BYTES
                              ? (from->payload.n - FILTER_BYTES) / ENTRY_BYTES
                              : 0;
    const size_t n = listed < CANDIDATES ? listed : CANDIDATES;
    (void)params;
    for (size_t i = 0; i < n; i++)
        ret_keys[i] = (twx_key){.key = twx_load_le64(from->payload.p + i * ENTRY_BYTES)};
    return n;
}

/* The share of the possible common ones that are common, beyond chance; scaled by m to use
 * integers. */
int32_t twx_bloom_resemblance(twx_slice a, twx_slice b) {
    uint64_t ones_a = 0, ones_b = 0, both = 0;
    if (a.n < FILTER_BYTES || b.n < FILTER_BYTES) return -1;
    for (size_t i = 0; i < FILTER_BYTES; i += ENTRY_BYTES) {
        const uint64_t x = twx_load_le64(a.p + a.n - FILTER_BYTES + i),
                       y = twx_load_le64(b.p + b.n - FILTER_BYTES + i);
        ones_a += (uint64_t)__builtin_popcountll(x);
        ones_b += (uint64_t)__builtin_popcountll(y);
        both += (uint64_t)__builtin_popcountll(x & y);
    }
    if (ones_a == 0 || ones_b == 0) return -1;
    const uint64_t most = ones_a > ones_b ? ones_a : ones_b, chance = ones_a * ones_b,
                   common = both * FILTER_BITS;
    if (common <= chance) return both == most ? MILLION : 0; /* equal: the filters are full */
    return (int32_t)((common - chance) * MILLION / (most * FILTER_BITS - chance));
}

static int32_t verify(const twx_params *params, twx_slice a, twx_slice b) {
    return twx_method_accept(params, &TWX_DETECTOR_BLOOM, 0, twx_bloom_resemblance(a, b));
}

static const twx_method_setting SETTINGS[] = {
    TWX_THRESHOLD("bloom.threshold", "0.8", "0..1",
                  "Least share of bits in common of two near-duplicates, by bloom."),
};

const twx_detector TWX_DETECTOR_BLOOM = {
    .name = "bloom",
    .summary = "texts whose chunks set nearly the same bits of a Bloom filter",
    .source = "Jain, Dahlin, Tewari 2005",
    .id = 27,
    .version = 1,
    TWX_NEAR_TEXT_ROW,
};
