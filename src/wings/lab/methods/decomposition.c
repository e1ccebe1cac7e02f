/* Decomposition of the pair matrix: texts of about the same length that share most of their
 * shingles, estimated from a sample.
 *
 * The sample is the 256 smallest distinct hashes of 5-word shingles, cut to their upper 40 bits.
 * The resemblance R of two texts is estimated from their samples (Broder 1997): of the hashes up to
 * the end of the sample that ends first, the share that is in both samples.
 *
 * R becomes a similarity of texts as sqrt(2 R / (1 + R)). D = 2 R / (1 + R) is the share of common
 * shingles among those of both texts (Dice). When all changes are in one place, the share of common
 * words is the same; when each changed word stands alone, a word is unchanged with probability
 * D^(1/5). Human edits are in between: over a thousand pairs of terms of service and of licences
 * the square root is, for each twentieth of D from .4 to 1, within .03 of the mean of 2 LCS / (a +
 * b) on characters.
 *
 * Candidates have one of the min-hashes of their samples in common (supershingles). There are as
 * many min-hashes as are needed to miss no more than one pair in a thousand at the threshold, for
 * example 9 at .85. (The source keeps a list of documents for each shingle, which is equivalent to
 * making every shingle a key.) verify() also compares the lengths: the numbers of words may differ
 * by a factor of at most 1.15.
 *
 * Payload: words of the text u32 | 40 bits for each shingle of the sample, ascending; all
 * little-endian. At most 1284 bytes. */

#include "lab/lab.h"

enum {
    SAMPLE = 256,
    HEAD = 4, /* bytes: number of words */
    ITEM = 5, /* bytes of a shingle */
    DROPPED_BITS = 64 - 8 * ITEM,
    MILLION = 1000000,
    MISSES_PPM = 1000,  /* at most this many of the pairs at the threshold have no common key */
    KEYS_MAX = 64,      /* reached below a threshold of .43 */
    RATIO_PERCENT = 115 /* of the lengths */
};

static const twx_shingling SHINGLING = {.words = 5};

/* The smallest hashes, ascending, without repeats. Usually only the hashes below a limit are
 * sorted, about twice as many as are needed. All are sorted if too few remain below the limit
 * without repeats, or if too many are below it. */
static twx_rc take_smallest(twx_ctx *cx, twx_arena *scratch, twx_shingles *shingles) {
    const uint64_t limit = shingles->n > 2 * SAMPLE ? UINT64_MAX / shingles->n * (2 * SAMPLE)
                                                    : UINT64_MAX;
    twx_shingles few = {.n = 0};
    size_t below = 0;
    for (size_t i = 0; i < shingles->n; i++) below += shingles->at[i] < limit;
    if (below >= SAMPLE && below <= 4 * SAMPLE) {
        few.at = twx_arena_alloc(cx, scratch, below, sizeof *few.at);
        if (!few.at) return TWX_E_NOMEM;
        for (size_t i = 0; i < shingles->n; i++)
            if (shingles->at[i] < limit) few.at[few.n++] = shingles->at[i];
        twx_rc rc = twx_shingles_unique(cx, scratch, &few);
        if (rc != TWX_OK) return rc;
    }
    if (few.n < SAMPLE) {
        twx_rc rc = twx_shingles_unique(cx, scratch, shingles);
        if (rc != TWX_OK) return rc;
        few = *shingles;
    }
    shingles->at = few.at;
    shingles->n = few.n < SAMPLE ? few.n : SAMPLE;
    return TWX_OK;
}

static uint64_t item_at(const char *items, size_t i) {
    unsigned char bytes[8] = {0};
    memcpy(bytes, items + i * ITEM, ITEM);
    return twx_load_le64(bytes);
}

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    (void)params;
    twx_arena *scratch = twx_workspace_scratch(w);
    twx_shingles sample = {0};
    twx_rc rc = twx_shingles_of(cx, scratch, &SHINGLING, doc->text, &sample);
    if (rc != TWX_OK || sample.n == 0) return rc;
    const size_t words = sample.words;
    rc = take_smallest(cx, scratch, &sample);
    if (rc != TWX_OK) return rc;
    char *payload = twx_arena_alloc(cx, scratch, HEAD + sample.n * ITEM, 1);
    if (!payload) return TWX_E_NOMEM;
    unsigned char bytes[8];
    twx_store_le64(bytes, words < UINT32_MAX ? words : UINT32_MAX);
    memcpy(payload, bytes, HEAD);
    for (size_t i = 0; i < sample.n; i++) {
        twx_store_le64(bytes, sample.at[i] >> DROPPED_BITS);
        memcpy(payload + HEAD + i * ITEM, bytes, ITEM);
    }
    const twx_slice whole = {payload, HEAD + sample.n * ITEM};
    return twx_signature_set_payload(cx, whole, ret_signature);
}

/* An unpacked payload. */
typedef struct sample {
    uint64_t words;
    const char *items;
    size_t n;
} sample;

/* False: not in our format. */
static bool sample_of(twx_slice payload, sample *ret_sample) {
    if (payload.n < HEAD + ITEM || (payload.n - HEAD) % ITEM != 0 ||
        payload.n > HEAD + SAMPLE * ITEM)
        return false;
    *ret_sample = (sample){twx_load_le32(payload.p), payload.p + HEAD, (payload.n - HEAD) / ITEM};
    return true;
}

/* s = sqrt(2 R / (1 + R)) gives R = s^2 / (2 - s^2); n min-hashes all differ with probability (1 -
 * R)^n. */
static size_t keys_for(uint64_t threshold_ppm) {
    const uint64_t dice = threshold_ppm * threshold_ppm / MILLION;
    const uint64_t differ = dice < MILLION ? MILLION - dice * MILLION / (2 * MILLION - dice) : 0;
    uint64_t missed = MILLION;
    size_t n = 0;
    for (; n < KEYS_MAX && (n == 0 || missed > MISSES_PPM); n++) missed = missed * differ / MILLION;
    return n;
}

static size_t candidates(const twx_params *params, const twx_signed *from, twx_key *ret_keys) {
    const size_t n = keys_for(twx_method_value(params, &TWX_DETECTOR_DECOMPOSITION, 0));
    uint64_t items[SAMPLE], minima[KEYS_MAX];
    sample s;
    if (!sample_of(from->payload, &s)) return 0;
    for (size_t i = 0; i < s.n; i++) items[i] = item_at(s.items, i);
    twx_min_hashes(items, s.n, n, minima);
    for (size_t i = 0; i < n; i++) ret_keys[i] = (twx_key){twx_mix64(minima[i], i), 0};
    return n;
}

/* Whether the sample ends before item `at`. One that is not full holds all shingles of its text, so
 * it never ends. */
static bool ended(const sample *s, size_t at) {
    return s->n == SAMPLE && at == SAMPLE;
}

static int32_t similarity_of(const sample *a, const sample *b) {
    uint64_t common = 0, all = 0;
    for (size_t i = 0, j = 0; (i < a->n || j < b->n) && !ended(a, i) && !ended(b, j); all++) {
        const uint64_t x = i < a->n ? item_at(a->items, i) : UINT64_MAX;
        const uint64_t y = j < b->n ? item_at(b->items, j) : UINT64_MAX;
        common += x == y;
        i += x <= y;
        j += y <= x;
    }
    return (int32_t)twx_root(2 * common * MILLION * MILLION / (all + common));
}

static int32_t verify(const twx_params *params, twx_slice a, twx_slice b) {
    sample x, y;
    if (!sample_of(a, &x) || !sample_of(b, &y)) return -1;
    if (x.words * 100 > y.words * RATIO_PERCENT || y.words * 100 > x.words * RATIO_PERCENT)
        return -1;
    return twx_method_accept(params, &TWX_DETECTOR_DECOMPOSITION, 0, similarity_of(&x, &y));
}

static const twx_method_setting SETTINGS[] = {
    TWX_THRESHOLD("decomposition.threshold", "0.85", "0..1",
                  "Least similarity of two near-duplicates, by decomposition."),
};

const twx_detector TWX_DETECTOR_DECOMPOSITION = {
    .name = "decomposition",
    .summary = "texts of about the same length whose samples of shingles agree",
    .source = "Zelenkov and Segalovich 2007, A11 (6.1); Broder 1997",
    .id = 18,
    .version = 1,
    TWX_NEAR_TEXT_ROW,
};
