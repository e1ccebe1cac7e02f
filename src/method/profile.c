/* The text profile: the digest of the frequent words with their rounded counts (docs/signatures.md,
 * "profile").
 *
 * A page of 50 MB has millions of words, nearly all of which occur once. They are counted in a
 * table that refers to the words in the page itself, and only those that remain after rounding are
 * sorted. */
#include "method/profile.h"

#include <stdlib.h>

#include "base/hash64.h"
#include "method/detectors.h"
#include "text/char_class.h"

enum { MILLION = 1000000, COUNT_DIGITS = 10 };
enum { MD5, SHA256 }; /* values of fuzzy.digest */

/* bytes: an upper bound of their profile. */
typedef struct kept_words {
    twx_word *at;
    size_t n, bytes;
} kept_words;

static uint32_t setting(const twx_params *params, size_t i) {
    return twx_method_value(params, &TWX_DETECTOR_PROFILE, i);
}

uint32_t twx_profile_quant(uint32_t largest_count, uint32_t rate_ppm) {
    uint64_t quant = ((uint64_t)largest_count * rate_ppm + MILLION / 2) / MILLION;
    if (quant > UINT32_MAX) quant = UINT32_MAX;
    if (quant >= 2) return (uint32_t)quant;
    return largest_count > 1 ? 2 : 1;
}

/* Larger count first, then UTF-16 order. */
static int by_count_and_text(const void *a, const void *b) {
    const twx_word *x = a, *y = b;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    return twx_word_cmp(x, y);
}

/* The words that remain, with their rounded counts. */
static twx_rc keep_words(twx_ctx *cx, twx_arena *scratch, const twx_word_counts *counts,
                         uint32_t quant, kept_words *ret_kept) {
    twx_word word;
    kept_words kept = {0};
    for (size_t at = 0; twx_word_counts_next(counts, quant, &at, &word);) kept.n++;
    kept.at = twx_arena_alloc(cx, scratch, kept.n, sizeof *kept.at);
    if (!kept.at) return TWX_E_NOMEM;
    kept.n = 0;
    for (size_t at = 0; twx_word_counts_next(counts, quant, &at, &word);) {
        word.count = word.count / quant * quant;
        kept.at[kept.n++] = word;
        kept.bytes += twx_word_length(&word) + 1 + COUNT_DIGITS + 1;
    }
    *ret_kept = kept;
    return TWX_OK;
}

static char *put_count(char *out, uint32_t count) {
    char digits[COUNT_DIGITS];
    size_t n = 0;
    do digits[n++] = (char)('0' + count % 10);
    while (count /= 10);
    while (n > 0) *out++ = digits[--n];
    return out;
}

twx_rc twx_profile_text(twx_ctx *cx, twx_workspace *w, const twx_params *params, twx_slice text,
                        twx_slice *ret_profile) {
    const twx_word_counts *counts = NULL;
    twx_arena *scratch = twx_workspace_scratch(w);
    kept_words kept;
    twx_rc rc = twx_workspace_count(cx, w, text, setting(params, TWX_PROFILE_MIN_TOKEN_LEN),
                                    &counts);
    if (rc != TWX_OK) return rc;
    uint32_t quant = twx_profile_quant(counts->most, setting(params, TWX_PROFILE_QUANT_RATE));
    rc = keep_words(cx, scratch, counts, quant, &kept);
    if (rc != TWX_OK) return rc;
    if (kept.n > 1) qsort(kept.at, kept.n, sizeof *kept.at, by_count_and_text);
    char *profile = twx_arena_alloc(cx, scratch, kept.bytes, 1), *out = profile;
    if (!profile) return TWX_E_NOMEM;
    for (size_t i = 0; i < kept.n; i++) {
        if (i > 0) *out++ = '\n';
        out = twx_word_put(&kept.at[i], out);
        *out++ = ' ';
        out = put_count(out, kept.at[i].count);
    }
    *ret_profile = (twx_slice){profile, (size_t)(out - profile)};
    return TWX_OK;
}

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    unsigned char digest[TWX_SHA256_BYTES];
    twx_slice profile = {NULL, 0};
    twx_rc rc = TWX_OK;
    if (doc->text.n == 0) return TWX_OK;
    if (doc->text.n <= TWX_WORD_COUNTS_TEXT_MAX)
        rc = twx_profile_text(cx, w, params, doc->text, &profile);
    if (rc != TWX_OK) return rc;
    if (profile.n == 0)
        rc = twx_text_sha256(cx, w, doc->text, digest);
    else
        rc = setting(params, TWX_PROFILE_DIGEST) == MD5 ? twx_md5(cx, w, profile, digest)
                                                        : twx_sha256(cx, w, profile, digest);
    return rc == TWX_OK ? twx_signature_add_digest(cx, digest, ret_signature) : rc;
}

static uint64_t fingerprint(const twx_params *params) {
    const uint64_t shape = twx_mix64(setting(params, TWX_PROFILE_MIN_TOKEN_LEN),
                                     setting(params, TWX_PROFILE_QUANT_RATE));
    return twx_mix64(shape, twx_mix64(setting(params, TWX_PROFILE_DIGEST), TWX_CHAR_CLASS_VERSION));
}

static const twx_method_setting SETTINGS[] = {
    [TWX_PROFILE_MIN_TOKEN_LEN] =
        {.shown = {"fuzzy.min_token_len", "2", "0..1000",
                   "Tokens of at most this many UTF-16 units are left out of the text profile."},
         .kind = TWX_METHOD_COUNT},
    [TWX_PROFILE_QUANT_RATE] =
        {.shown = {"fuzzy.quant_rate", "0.01", "0..1",
                   "Counts of the text profile are rounded down to this share of the largest."},
         .kind = TWX_METHOD_SHARE},
    [TWX_PROFILE_DIGEST] =
        {.shown = {"fuzzy.digest", "md5", "md5|sha256",
                   "Digest of the text profile; use sha256 where MD5 is not available."},
         .kind = TWX_METHOD_CHOICE},
};

const twx_detector TWX_DETECTOR_PROFILE = {
    .name = "profile",
    .summary = "texts whose frequent words occur about equally often",
    .source = "Apache Nutch, TextProfileSignature; YaCy, fuzzy_signature_l",
    .id = 4,
    .version = 1,
    .basis = TWX_BASIS_TEXT,
    .translations_separate = true,
    .settings = SETTINGS,
    .n_settings = TWX_COUNTOF(SETTINGS),
    .fingerprint = fingerprint,
    .sign = sign,
};
