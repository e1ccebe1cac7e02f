/* The key is made of the two heaviest sentences of a text. Sentences are those of
 * lab/methods/best_sentences.c; a word of sign/bag.c has the weight of the detector tfidf,
 * twx_tfidf_weight(), for each occurrence in the sentence. Key: twx_key_of_parts() of the two, or
 * of the only one. One key, no payload. So a long sentence of common words, the legal notice of a
 * site, is lighter than one of words that distinguish texts. The weights depend on the collection:
 * when it changes, all texts are signed again. */
#include "lab/lab.h"

enum {
    SENTENCES = 2,
    CHARACTERS_MIN = 4 /* characters of a word of a bag, each at least one byte */
};

/* hash of a word -> its weight, an int64_t. */
typedef struct word_weights {
    twx_map64 of;
    int64_t largest;
} word_weights;

static twx_rc weigh(twx_ctx *cx, void *arg, const twx_token *word, int64_t *ret_weight) {
    const word_weights *weights = arg;
    uint64_t weight;
    (void)cx;
    if (word->units < CHARACTERS_MIN) return TWX_DONE;
    if (!twx_map64_get(&weights->of, twx_bag_hash(word->text), &weight)) return TWX_DONE;
    *ret_weight = (int64_t)weight;
    return TWX_OK;
}

static twx_rc weigh_words(twx_ctx *cx, const twx_lexicon *lexicon, const twx_bag *bag,
                          word_weights *weights) {
    weights->largest = INT64_MIN;
    for (size_t i = 0; i < bag->n; i++) {
        const int64_t weight = twx_tfidf_weight(bag, lexicon, &bag->at[i]);
        twx_rc rc = twx_map64_put(cx, &weights->of, bag->at[i].hash, (uint64_t)weight);
        if (rc != TWX_OK) return rc;
        if (weight > weights->largest) weights->largest = weight;
    }
    return TWX_OK;
}

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    const twx_lexicon *lexicon = twx_lexicon_of(params);
    word_weights weights;
    twx_bag bag;
    if (!lexicon) return TWX_OK;
    twx_rc rc = twx_bag_of(cx, w, doc->text, &bag);
    if (rc != TWX_OK || bag.n == 0) return rc;
    twx_map64_init(&weights.of,
                   twx_workspace_words(w)->seed); /* the seed affects only the order of the table */
    rc = weigh_words(cx, lexicon, &bag, &weights);
    const twx_sentence_rule heaviest = {.keep = SENTENCES,
                                        .word_bytes = CHARACTERS_MIN,
                                        .word_weight = weights.largest,
                                        .weigh = weigh,
                                        .arg = &weights};
    if (rc == TWX_OK) rc = twx_best_sentences_sign(cx, w, &heaviest, doc->text, ret_signature);
    twx_map64_done(&weights.of);
    return rc;
}

static uint64_t fingerprint(const twx_params *params) {
    return twx_mix64(twx_best_sentences_fingerprint(params), twx_words_fingerprint(params));
}

const twx_detector TWX_DETECTOR_HEAVY_SENTENCE = {
    .name = "heavy_sentence",
    .summary = "texts that share the two sentences of largest tf-idf weight",
    .source = "Zelenkov and Segalovich 2007, 4.6 (A5)",
    .id = 11,
    .version = 1,
    TWX_TEXT_ROW,
    TWX_LEXICON_ROW,
    .fingerprint = fingerprint,
    .sign = sign,
};
