/* I-Match (imatch.c) on the band of middle idf and on ten sublexicons, each without 19/64 (30 %) of
 * its words: up to eleven keys of 16 bytes, no payload. Two texts that differ in one word of the
 * band share the key of every sublexicon without it; the probability that none of ten excludes it
 * is 3 %.
 *
 * Bits of a word's hash decide which sublexicons exclude it, so they are the same in every run. The
 * number of the sublexicon is mixed into the key, so keys of different sublexicons are never
 * equal. */
#include "lab/lab.h"

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
        rc = twx_imatch_key(cx, w, &part, &key);
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

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    return twx_imatch_sign(cx, w, params, doc->text, add_parts, ret_signature);
}

const twx_detector TWX_DETECTOR_LEXRAND = {
    .name = "lexrand",
    .summary = "texts with the same words of middle rarity, or of one of ten random parts of them",
    .source = "Kolcz, Chowdhury, Alspector, KDD 2004; Zelenkov and Segalovich 2007, A7 (4.8)",
    .id = 13,
    .version = 1,
    TWX_TEXT_ROW,
    TWX_LEXICON_ROW,
    .fingerprint = twx_words_fingerprint,
    .sign = sign,
};
