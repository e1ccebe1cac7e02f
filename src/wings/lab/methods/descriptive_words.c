/* Descriptive words: the signature is the set of selected words of the collection
 * (term_selection) that are frequent in the text.
 *
 * Bit f of a vector is 1 where word f of the selection makes up at least its threshold of the
 * text's words: tf / dl, in millionths rounded down. The key is the hash of the vector, 1 bit a
 * word, lowest bit of the first byte first. A text with fewer than BITS_MIN bits has no key,
 * because so few words do not characterise it. */

#include "lab/lab.h"

enum { BITS_MIN = 3, MILLION = 1000000 };

static const uint64_t VECTOR_SEED = 0x62697473; /* "bits" */

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    const twx_term_selection *term_selection = params->collection
                                                   ? params->collection->term_selection
                                                   : NULL;
    twx_bag bag;
    if (!term_selection || term_selection->n < BITS_MIN || doc->text.n == 0) return TWX_OK;
    twx_rc rc = twx_bag_of(cx, w, doc->text, &bag);
    if (rc != TWX_OK || bag.n < BITS_MIN) return rc;
    const size_t bytes = (term_selection->n + 7) / 8;
    unsigned char *vector = twx_arena_alloc(cx, twx_workspace_scratch(w), bytes, 1);
    if (!vector) return TWX_E_NOMEM;
    memset(vector, 0, bytes);
    size_t bits = 0;
    for (size_t i = 0; i < bag.n; i++) {
        uint32_t feature = 0, threshold = 0;
        if (!twx_term_selection_find(term_selection, bag.at[i].hash, &feature, &threshold) ||
            (uint64_t)bag.at[i].tf * MILLION / bag.length < threshold)
            continue;
        vector[feature / 8] |= (unsigned char)(1u << feature % 8);
        bits++;
    }
    if (bits < BITS_MIN) return TWX_OK;
    const twx_hash128 hash = twx_hash_wide((twx_slice){(const char *)vector, bytes}, VECTOR_SEED);
    return twx_signature_add(cx, (twx_key){hash.hi, hash.lo}, ret_signature);
}

const twx_detector TWX_DETECTOR_DESCRIPTIVE_WORDS = {
    .name = "descriptive_words",
    .summary = "texts in which the same words, of those that distinguish the collection's texts, "
               "are frequent",
    .source = "Ilyinsky, Kuzmin, Melkov, Segalovich, WWW 2002; Zelenkov and Segalovich 2007, 4.10",
    .id = 16,
    .version = 1,
    TWX_TEXT_ROW,
    .needs = TWX_NEED_TERM_SELECTION,
    .collecting = &TWX_COLLECTING,
    .sign = sign,
};
