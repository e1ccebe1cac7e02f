/* The six words of largest weight by residual idf (method/top_words.h): one key, no payload.
 *
 *     (0.5 + 0.5 tf / tf_max) * (-ln(df / N) + ln(1 - exp(-cf / N)))
 *
 * The second factor compares the number of documents with a word to the number expected if its
 * occurrences were distributed at random (Poisson): names and terms cluster, words of every topic
 * do not. tf_max: occurrences of the text's most frequent word; df, cf: documents and occurrences
 * of the word in the collection of N documents. */
#include "base/fixed_log.h"
#include "method/detectors.h"
#include "method/top_words.h"
#include "method/word_basis.h"

__extension__ typedef __int128 wide;

/* 32 fraction bits; the product is rounded down. */
int64_t twx_tfridf_weight(const twx_bag *bag, const twx_lexicon *lexicon,
                          const twx_bag_word *word) {
    const uint64_t n = twx_lexicon_documents(lexicon);
    const twx_word_stats stats = twx_lexicon_find(lexicon, word);
    const uint64_t df = stats.df < n ? stats.df : n,
                   expected = twx_fixed_one_minus_exp(stats.cf, n);
    const wide residual = (wide)twx_fixed_ln(n, df) +
                          twx_fixed_ln(expected ? expected : 1, UINT64_C(1) << 63);
    const wide scaled = residual * ((uint64_t)bag->tf_max + word->tf), by = (wide)2 * bag->tf_max;
    return (int64_t)((scaled - (scaled < 0 ? by - 1 : 0)) / by);
}

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    const twx_weighing weighing = {twx_tfridf_weight, twx_lexicon_of(params)};
    return weighing.lexicon ? twx_top_words_sign(cx, w, &weighing, doc->text, ret_signature)
                            : TWX_OK;
}

const twx_detector TWX_DETECTOR_TFRIDF = {
    .name = "tfridf",
    .summary = "texts with the same six words of largest weight by residual idf",
    .source = "Zelenkov and Segalovich 2007, A3 (4.4)",
    .id = 9,
    .version = 1,
    .basis = TWX_BASIS_TEXT,
    .translations_separate = true,
    .near = true,
    .needs = TWX_NEED_LEXICON,
    .fingerprint = twx_words_fingerprint,
    .sign = sign,
};
