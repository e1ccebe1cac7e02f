/* The text profile: the digest of the words that occur often, with their rounded counts
 * (docs/signatures.md, "profile").
 *
 * A page of 50 MB has millions of words, nearly all of which occur once: they are counted in a table that finds them in
 * the page itself, and only those that are left after rounding are sorted. */
#include "detect/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash64.h"
#include "detect/detector.h"
#include "text/char_class.h"

enum { MILLION = 1000000, COUNT_DIGITS = 10 };

/* A word that is left. head: its first 8 bytes, big endian, zeros behind a shorter one. No word holds NUL, so comparing
 * heads is comparing bytes. */
typedef struct kept_word {
    uint64_t head;
    twx_slice text;
    uint32_t count; /* rounded down */
} kept_word;

uint32_t twx_profile_quant(uint32_t largest_count, uint32_t rate_ppm) {
    uint64_t quant = ((uint64_t)largest_count * rate_ppm + MILLION / 2) / MILLION;
    if (quant > UINT32_MAX) quant = UINT32_MAX;
    if (quant >= 2) return (uint32_t)quant;
    return largest_count > 1 ? 2 : 1;
}

/* Larger count first, then UTF-16 order: without surrogates that is the order of the bytes. */
static int by_count_and_text(const void *a, const void *b) {
    const kept_word *x = a, *y = b;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    if (x->head != y->head) return x->head < y->head ? -1 : 1;
    return twx_slice_cmp(x->text, y->text);
}

static uint64_t head_of(twx_slice text) {
    unsigned char head[8] = {0};
    memcpy(head, text.p, text.n < sizeof head ? text.n : sizeof head);
    return twx_load_be64(head);
}

/* ret_bytes: room the profile takes at most. */
static twx_rc keep_words(twx_ctx *cx, twx_arena *scratch, const twx_word_counts *counts, uint32_t quant,
                         kept_word **ret_kept, size_t *ret_n, size_t *ret_bytes) {
    twx_word word;
    size_t n = 0, bytes = 0;
    for (size_t at = 0; twx_word_counts_next(counts, quant, &at, &word);) n++;
    kept_word *kept = twx_arena_alloc(cx, scratch, n, sizeof *kept);
    if (!kept) return TWX_E_NOMEM;
    n = 0;
    for (size_t at = 0; twx_word_counts_next(counts, quant, &at, &word);) {
        kept[n++] = (kept_word){head_of(word.text), word.text, word.count / quant * quant};
        bytes += word.text.n + 1 + COUNT_DIGITS + 1;
    }
    *ret_kept = kept;
    *ret_n = n;
    *ret_bytes = bytes;
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
    twx_word_counts *counts = twx_workspace_words(w);
    twx_arena *scratch = twx_workspace_scratch(w);
    kept_word *kept = NULL;
    size_t n = 0, bytes = 0;
    twx_rc rc = twx_word_counts_of(cx, counts, text, params->fuzzy_min_token_len);
    if (rc != TWX_OK) return rc;
    uint32_t quant = twx_profile_quant(counts->most, params->fuzzy_quant_rate_ppm);
    rc = keep_words(cx, scratch, counts, quant, &kept, &n, &bytes);
    if (rc != TWX_OK) return rc;
    if (n > 1) qsort(kept, n, sizeof *kept, by_count_and_text);
    char *profile = twx_arena_alloc(cx, scratch, bytes, 1), *out = profile;
    if (!profile) return TWX_E_NOMEM;
    for (size_t i = 0; i < n; i++) {
        if (i > 0) *out++ = '\n';
        memcpy(out, kept[i].text.p, kept[i].text.n);
        out += kept[i].text.n;
        *out++ = ' ';
        out = put_count(out, kept[i].count);
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
    if (doc->text.n <= TWX_WORD_COUNTS_TEXT_MAX) rc = twx_profile_text(cx, w, params, doc->text, &profile);
    if (rc != TWX_OK) return rc;
    rc = profile.n > 0 ? twx_profile_digest(cx, w, profile, digest) : twx_text_sha256(cx, w, doc->text, digest);
    return rc == TWX_OK ? twx_signature_add_digest(cx, digest, ret_signature) : rc;
}

static uint64_t fingerprint(const twx_params *params) {
    uint64_t shape = twx_mix64(params->fuzzy_min_token_len, params->fuzzy_quant_rate_ppm);
    return twx_mix64(shape, twx_mix64((uint64_t)params->fuzzy_digest, TWX_CHAR_CLASS_VERSION));
}

const twx_detector TWX_DETECTOR_PROFILE = {
    .name = "profile",
    .summary = "texts whose frequent words occur about equally often",
    .source = "Apache Nutch, TextProfileSignature; YaCy, fuzzy_signature_l",
    .id = 4,
    .version = 1,
    .basis = TWX_BASIS_TEXT,
    .translations_apart = true,
    .fingerprint = fingerprint,
    .sign = sign,
};
