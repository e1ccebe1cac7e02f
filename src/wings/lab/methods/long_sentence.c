/* The key is made of the two longest sentences of a text, so the text around them (menus, dates,
 * the rest of the page) does not matter. Sentences are those of lab/methods/best_sentences.c; their
 * length is the number of their words that sign/bag.c counts, so that articles do not make a
 * sentence long. Key: twx_key_of_parts() of the two, or of the only one. One key, no payload. A
 * text without a word that counts has no key. */
#include "lab/lab.h"

enum { SENTENCES = 2, WORD_BYTES = 4 /* a word that counts has four characters or more */ };

static twx_rc weigh(twx_ctx *cx, void *arg, const twx_token *word, int64_t *ret_weight) {
    (void)cx;
    (void)arg;
    if (!twx_bag_takes(word->text)) return TWX_DONE;
    *ret_weight = 1;
    return TWX_OK;
}

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    static const twx_sentence_rule LONGEST = {
        .keep = SENTENCES, .word_bytes = WORD_BYTES, .word_weight = 1, .weigh = weigh};
    (void)params;
    return twx_best_sentences_sign(cx, w, &LONGEST, doc->text, ret_signature);
}

static uint64_t fingerprint(const twx_params *params) {
    return twx_mix64(twx_best_sentences_fingerprint(params), TWX_STOP_WORDS_VERSION);
}

const twx_detector TWX_DETECTOR_LONG_SENTENCE = {
    .name = "long_sentence",
    .summary = "texts that share their two longest sentences",
    .source = "Zelenkov and Segalovich 2007, 4.5 (A4)",
    .id = 10,
    .version = 1,
    TWX_TEXT_ROW,
    .fingerprint = fingerprint,
    .sign = sign,
};
