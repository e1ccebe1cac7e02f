/* The six words of largest tf-idf weight (method/top_words.h): one key, no payload.
 *
 *     tf / (2 (0.25 + 0.75 dl / dl_avg) + tf) * ln((N - df + 0.5) / (df + 0.5))
 *
 * tf: occurrences in the text; dl: its length in words; of the collection: dl_avg, the average
 * length; N, the number of documents; df, how many contain the word. The weight of a word that most
 * documents contain is negative. */
#include "base/fixed_log.h"
#include "method/detectors.h"
#include "method/top_words.h"
#include "method/word_basis.h"

__extension__ typedef __int128 wide;

/* With L = N dl_avg the first factor is 2 L tf / (L + 3 N dl + 2 L tf). The factors and the
 * product, rounded down, have 32 fraction bits. */
int64_t twx_tfidf_weight(const twx_bag *bag, const twx_lexicon *lexicon, const twx_bag_word *word) {
    const uint64_t n = twx_lexicon_documents(lexicon), length = twx_lexicon_length(lexicon);
    const uint64_t known = twx_lexicon_find(lexicon, word).df, df = known < n ? known : n;
    const wide share = (wide)2 * length * word->tf;
    const wide tf = (share << TWX_WEIGHT_BITS) / (length + (wide)3 * n * bag->length + share);
    return (int64_t)(tf * twx_fixed_ln(2 * (n - df) + 1, 2 * df + 1) >> TWX_WEIGHT_BITS);
}

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    const twx_weighing weighing = {twx_tfidf_weight, twx_lexicon_of(params)};
    return weighing.lexicon ? twx_top_words_sign(cx, w, &weighing, doc->text, ret_signature)
                            : TWX_OK;
}

const twx_detector TWX_DETECTOR_TFIDF = {
    .name = "tfidf",
    .summary = "texts with the same six words of largest tf-idf weight",
    .source = "Zelenkov and Segalovich 2007, A2 (4.3)",
    .id = 8,
    .version = 1,
    .basis = TWX_BASIS_TEXT,
    .translations_separate = true,
    .near = true,
    .needs = TWX_NEED_LEXICON,
    .fingerprint = twx_words_fingerprint,
    .sign = sign,
};
