/* Log-shingles: a sample of the shingles whose size grows with the logarithm of the text's length;
 * the whole sample is the key. The 5-word shingles are taken with wrap-around from the end of the
 * text to its beginning, and those divisible by 2^k are kept. k is the largest number for which n /
 * 2^k, the expected number of kept shingles out of n, is at least the number of binary digits of n;
 * it is reduced until something is kept. So about 16 shingles of a thousand words are kept, and
 * about 31 of a million. Two texts have the same key if both use the same k and no shingle that
 * only one of them has is in a sample: for d such shingles, with probability (1 - 2^-k)^d. Record:
 * one key, no payload. */
#include "sign/sign.h"

static const twx_shingling SHINGLING = {.words = 5, .wrap = true};

enum { LEVELS = 64 };

/* The number of trailing zero bits: the largest k for which 2^k divides the shingle. */
static unsigned zeros_of(uint64_t shingle) {
    return shingle == 0 ? LEVELS - 1 : (unsigned)__builtin_ctzll(shingle);
}

static unsigned level_of(const twx_shingles *shingles) {
    size_t kept[LEVELS] = {0}, n = 0;
    unsigned level = 0, digits = 0;
    while (shingles->n >> digits != 0) digits++;
    while (shingles->n >> (level + 1) >= digits) level++;
    for (size_t i = 0; i < shingles->n; i++) kept[zeros_of(shingles->at[i])]++;
    for (unsigned k = level; k < LEVELS; k++) n += kept[k];
    while (n == 0) n = kept[--level]; /* some level has one, because there are shingles */
    return level;
}

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    (void)params;
    twx_arena *scratch = twx_workspace_scratch(w);
    twx_shingles sample = {0};
    twx_rc rc = twx_shingles_of(cx, scratch, &SHINGLING, doc->text, &sample);
    if (rc != TWX_OK || sample.n == 0) return rc;
    const unsigned level = level_of(&sample);
    const size_t n = sample.n;
    sample.n = 0;
    for (size_t i = 0; i < n; i++)
        if (zeros_of(sample.at[i]) >= level) sample.at[sample.n++] = sample.at[i];
    rc = twx_shingles_unique(cx, scratch, &sample);
    if (rc != TWX_OK) return rc;
    for (size_t i = 0; i < sample.n; i++) twx_store_le64(&sample.at[i], sample.at[i]);
    const twx_hash128 all = twx_hash_wide(
        (twx_slice){(const char *)sample.at, sample.n * sizeof *sample.at}, 0);
    return twx_signature_add(cx, (twx_key){all.lo, all.hi}, ret_signature);
}

const twx_detector TWX_DETECTOR_LOG_SHINGLES = {
    .name = "log_shingles",
    .summary = "texts with the same sample of shingles, of which longer texts have a few more",
    .source = "Zelenkov and Segalovich 2007, A8 (4.9)",
    .id = 15,
    .version = 1,
    TWX_TEXT_ROW,
    .sign = sign,
};
