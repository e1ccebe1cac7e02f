/* One digest of the text's words of middle idf (lab/methods/imatch.c): one key, no payload. The
 * number and position of occurrences do not matter; one such word more or less changes the key
 * (lexrand relaxes this). */
#include "lab/lab.h"

/* A text with fewer words of the band has no key, because too many unrelated texts would share
 * it. */
enum { IMATCH_WORDS_MIN = 5 };

enum { ROOT = 5, ROOT_MIN = 2 };

__extension__ typedef unsigned __int128 uwide;

twx_df_band twx_middle_band(uint64_t documents) {
    uint64_t root = 0;
    for (uint64_t bit = 1 << 12; bit > 0; bit >>= 1) {
        uwide power = 1; /* of a number below 2^13, so that it fits */
        for (int i = 0; i < ROOT; i++) power *= root | bit;
        if (power <= documents) root |= bit;
    }
    if (root < ROOT_MIN) root = ROOT_MIN;
    return (twx_df_band){root, documents / root};
}

twx_rc twx_imatch_words(twx_ctx *cx, twx_workspace *w, const twx_lexicon *lexicon, twx_slice text,
                        twx_imatch *ret_words) {
    const twx_df_band band = twx_middle_band(lexicon->documents);
    twx_bag bag;
    size_t kept = 0, bytes = 0;
    twx_rc rc = twx_bag_of(cx, w, text, &bag);
    if (rc != TWX_OK) return rc;
    for (size_t i = 0; i < bag.n; i++) {
        const uint64_t df = twx_lexicon_find(lexicon, &bag.at[i]).df;
        if (df < band.df_min || df > band.df_max) continue;
        bag.at[kept++] = bag.at[i];
        bytes += bag.at[i].text.n + 1;
    }
    char *joined = twx_arena_alloc(cx, twx_workspace_scratch(w), bytes, 1);
    if (!joined) return TWX_E_NOMEM;
    *ret_words = (twx_imatch){bag.at, kept, joined};
    return TWX_OK;
}

/* The key is the first 16 bytes of the SHA-256 of the words joined by one space. (The original uses
 * SHA-1.) TWX_DONE: there are too few words. Errors TWX_E_INTERNAL (OpenSSL failed) */
static twx_rc imatch_key(twx_ctx *cx, twx_workspace *w, const twx_imatch *words, twx_key *ret_key) {
    unsigned char digest[TWX_SHA256_BYTES];
    char *out = words->joined;
    if (words->n < IMATCH_WORDS_MIN) return TWX_DONE;
    for (size_t i = 0; i < words->n; i++) {
        const twx_slice word = words->at[i].text;
        if (i > 0) *out++ = ' ';
        memcpy(out, word.p, word.n);
        out += word.n;
    }
    twx_rc rc = twx_sha256(cx, w, (twx_slice){words->joined, (size_t)(out - words->joined)},
                           digest);
    if (rc == TWX_OK)
        *ret_key = (twx_key){twx_load_be64(digest), twx_load_be64(digest + sizeof(uint64_t))};
    return rc;
}

/* lexrand: I-Match on the band of middle idf and on ten sublexicons, each without 19/64 (30 %) of
 * its words: up to eleven keys of 16 bytes, no payload. Two texts that differ in one word of the
 * band share the key of every sublexicon without it; the probability that none of ten excludes it
 * is 3 %.
 *
 * Bits of a word's hash decide which sublexicons exclude it, so they are the same in every run. The
 * number of the sublexicon is mixed into the key, so keys of different sublexicons are never
 * equal. */
enum { SUBLEXICONS = 10, FIELD_BITS = 6, LEFT_OUT = 19 /* of 2^FIELD_BITS */ };

static const uint64_t SEED = 0x6C657872616E64; /* "lexrand" */

static bool is_left_out(uint64_t word_hash, unsigned sublexicon) {
    return (twx_mix64(word_hash, SEED) >> (FIELD_BITS * sublexicon) & ((1u << FIELD_BITS) - 1)) <
           LEFT_OUT;
}

static twx_rc add_parts(twx_ctx *cx, twx_workspace *w, const twx_imatch *all,
                        twx_signature *signature) {
    twx_imatch part = {.joined = all->joined};
    twx_key key;
    part.at = twx_arena_alloc(cx, twx_workspace_scratch(w), all->n, sizeof *part.at);
    twx_rc rc = part.at ? TWX_OK : TWX_E_NOMEM;
    for (unsigned s = 0; s < SUBLEXICONS && rc == TWX_OK; s++) {
        part.n = 0;
        for (size_t i = 0; i < all->n; i++)
            if (!is_left_out(all->at[i].hash, s)) part.at[part.n++] = all->at[i];
        rc = imatch_key(cx, w, &part, &key);
        /* too few words are left: the next sublexicon may have more */
        if (rc == TWX_DONE) {
            rc = TWX_OK;
            continue;
        }
        if (rc != TWX_OK) break;
        key.key = twx_mix64(key.key, s);
        rc = twx_signature_add(cx, key, signature);
    }
    return rc;
}

/* Adds the key of the text's words, and with `parts` those of the sublexicons, unless there is no
 * lexicon or there are too few words. */
static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, twx_slice text,
                   bool parts, twx_signature *ret_signature) {
    const twx_lexicon *lexicon = twx_lexicon_of(params);
    twx_imatch words;
    twx_key key;
    if (!lexicon) return TWX_OK;
    twx_rc rc = twx_imatch_words(cx, w, lexicon, text, &words);
    if (rc == TWX_OK) rc = imatch_key(cx, w, &words, &key);
    if (rc == TWX_OK) rc = twx_signature_add(cx, key, ret_signature);
    if (rc == TWX_OK && parts) rc = add_parts(cx, w, &words, ret_signature);
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc sign_words(twx_ctx *cx, twx_workspace *w, const twx_params *params,
                         const twx_document *doc, twx_signature *ret_signature) {
    return sign(cx, w, params, doc->text, false, ret_signature);
}

static twx_rc sign_words_and_parts(twx_ctx *cx, twx_workspace *w, const twx_params *params,
                                   const twx_document *doc, twx_signature *ret_signature) {
    return sign(cx, w, params, doc->text, true, ret_signature);
}

#define COMMON_TO_ROWS \
    .version = 1, TWX_TEXT_ROW, TWX_LEXICON_ROW, .fingerprint = twx_words_fingerprint

const twx_detector TWX_DETECTOR_IMATCH = {
    .name = "imatch",
    .summary = "texts with the same words of middle rarity in the collection",
    .source = "Chowdhury, Frieder, Grossman, McCabe, TOIS 2002 (I-Match)",
    .id = 14,
    .sign = sign_words,
    COMMON_TO_ROWS,
};

const twx_detector TWX_DETECTOR_LEXRAND = {
    .name = "lexrand",
    .summary = "texts with the same words of middle rarity, or of one of ten random parts of them",
    .source = "Kolcz, Chowdhury, Alspector, KDD 2004; Zelenkov and Segalovich 2007, A7 (4.8)",
    .id = 13,
    .sign = sign_words_and_parts,
    COMMON_TO_ROWS,
};
