/* The detector `shingles`: the payload is the sketch (shingle_sketch), at most 1 000 bytes a
 * text; the one stored key is its hash.
 *
 * Candidate keys are made of the sketch as if it were the text: its fingerprints, hashed again, go
 * through one-permutation min-wise hashing (minhash), and the resulting 128 bytes are cut into
 * bands. Of two sketches with a resemblance of at least t, at least t s of their s smallest are in
 * both, so in the worst case, when the rest of one lies beyond all of the other, the sketches'
 * Jaccard is p = t / (2 - t). A band of r bytes is equal with probability p^r; each row has the
 * longest band for which one of the 128 / r bands is equal in more than 99 % of such pairs. Pairs
 * of texts of about equal length have p = t and are found with higher probability.
 *
 *     threshold from   .95     .90     .80     .70     .45     0
 *     p                .905    .818    .667    .538    .290    -
 *     r                8       6       4       3       2       1
 *     found            .9999   .9994   .9991   .9992   .9964   - */
#include "lab/lab.h"

static const struct {
    uint32_t threshold_ppm; /* and above, up to that of the previous row */
    size_t bytes;           /* of a band */
} BANDS[] = {{950000, 8}, {900000, 6}, {800000, 4}, {700000, 3}, {450000, 2}, {0, 1}};

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    twx_slice sketch;
    (void)params;
    twx_rc rc = twx_shingle_sketch_of(cx, twx_workspace_scratch(w), doc->text, &sketch);
    if (rc != TWX_OK || sketch.n == 0) return rc;
    return twx_signature_set_payload(cx, sketch, ret_signature);
}

static size_t candidates(const twx_params *params, const twx_signed *from, twx_key *ret_keys) {
    uint64_t prints[TWX_SHINGLE_SKETCH_MAX];
    unsigned char bytes[TWX_MINHASH_BYTES];
    size_t n = twx_shingle_sketch_size(from->payload), row = 0;
    if (n == 0 || n > TWX_SHINGLE_SKETCH_MAX) return 0;
    /* the sketch holds the smallest hashes: without hashing again they would fall into a few
     * bins */
    for (size_t i = 0; i < n; i++)
        prints[i] = twx_mix64(twx_shingle_sketch_at(from->payload, i), 0);
    twx_minhash_of(prints, n, bytes);
    const uint32_t threshold = twx_method_value(params, &TWX_DETECTOR_SHINGLES, 0);
    while (threshold < BANDS[row].threshold_ppm) row++;
    const size_t length = BANDS[row].bytes, bands = TWX_MINHASH_BYTES / length;
    for (size_t i = 0; i < bands; i++) {
        const twx_slice band = {(const char *)bytes + i * length, length};
        ret_keys[i] = (twx_key){twx_hash64(band, i), 0};
    }
    return bands;
}

static int32_t verify(const twx_params *params, twx_slice a, twx_slice b) {
    twx_resemblance found;
    if (!twx_shingle_sketch_compare(a, b, &found)) return -1;
    return twx_method_accept(params, &TWX_DETECTOR_SHINGLES, 0, found.resemblance);
}

static const twx_method_setting SETTINGS[] = {
    TWX_THRESHOLD("shingles.threshold", "0.8", "0..1",
                  "Least resemblance of two near-duplicates, by shingles."),
};

const twx_detector TWX_DETECTOR_SHINGLES = {
    .name = "shingles",
    .summary = "texts that share most of their 5-word shingles; also measures containment",
    .source = "Broder 1997, On the resemblance and containment of documents",
    .id = 23,
    .version = 1,
    TWX_NEAR_TEXT_ROW,
};
