/* The six words whose frequency in the collection is nearest to the optimum (method/top_words.h):
 * one key, no payload.
 *
 *     (0.5 + 0.5 tf / tf_max) * g,   idf = -ln(df / N),
 *     g = sqrt(idf / 11.5) for idf < 11.5, else 11.5 / idf
 *
 * Rare words distinguish documents, until they are so rare that they are typing errors: idf 11.5 is
 * one document in 100 000. tf_max: occurrences of the text's most frequent word; df: documents of
 * the collection of N that contain the word. */
#include "base/fixed_log.h"
#include "method/detectors.h"
#include "method/top_words.h"
#include "method/word_basis.h"

__extension__ typedef unsigned __int128 uwide;

/* The integer part of the square root, bit by bit from the top. */
static uint64_t root(uint64_t x) {
    uint64_t r = 0;
    for (uint64_t bit = UINT64_C(1) << 31; bit > 0; bit >>= 1)
        if ((r | bit) * (r | bit) <= x) r |= bit;
    return r;
}

/* g with 32 fraction bits; at most 1. */
static uint64_t fitness(uint64_t idf) {
    const uint64_t best = UINT64_C(23) << (TWX_WEIGHT_BITS - 1);
    if (idf < best) return root((uint64_t)(((uwide)idf << 2 * TWX_WEIGHT_BITS) / best));
    return (uint64_t)(((uwide)best << TWX_WEIGHT_BITS) / idf);
}

/* 32 fraction bits, rounded down. */
int64_t twx_opt_freq_weight(const twx_bag *bag, const twx_lexicon *lexicon,
                            const twx_bag_word *word) {
    const uint64_t n = twx_lexicon_documents(lexicon), known = twx_lexicon_find(lexicon, word).df;
    const uint64_t idf = (uint64_t)twx_fixed_ln(n, known < n ? known : n);
    return (int64_t)((uwide)fitness(idf) * ((uint64_t)bag->tf_max + word->tf) /
                     (2 * (uint64_t)bag->tf_max));
}

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    const twx_weighing weighing = {twx_opt_freq_weight, twx_lexicon_of(params)};
    return weighing.lexicon ? twx_top_words_sign(cx, w, &weighing, doc->text, ret_signature)
                            : TWX_OK;
}

const twx_detector TWX_DETECTOR_OPT_FREQ = {
    .name = "opt_freq",
    .summary = "texts with the same six words of the most distinctive frequency in the collection",
    .source = "Zelenkov and Segalovich 2007, A10 (4.11)",
    .id = 17,
    .version = 1,
    .basis = TWX_BASIS_TEXT,
    .translations_separate = true,
    .near = true,
    .needs = TWX_NEED_LEXICON,
    .fingerprint = twx_words_fingerprint,
    .sign = sign,
};
