/* The six most frequent words (method/top_words.h): one key, no payload. */
#include "method/detectors.h"
#include "method/top_words.h"
#include "method/word_basis.h"

int64_t twx_tf_weight(const twx_bag *bag, const twx_lexicon *lexicon, const twx_bag_word *word) {
    (void)bag, (void)lexicon;
    return word->tf;
}

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    const twx_weighing weighing = {twx_tf_weight, NULL};
    (void)params;
    return twx_top_words_sign(cx, w, &weighing, doc->text, ret_signature);
}

const twx_detector TWX_DETECTOR_TF = {
    .name = "tf",
    .summary = "texts with the same six most frequent words",
    .source = "Zelenkov and Segalovich 2007, A1 (4.2)",
    .id = 7,
    .version = 1,
    .basis = TWX_BASIS_TEXT,
    .translations_separate = true,
    .near = true,
    .fingerprint = twx_words_fingerprint,
    .sign = sign,
};
