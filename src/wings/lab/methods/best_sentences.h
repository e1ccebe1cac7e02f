/* lab/methods/best_sentences.h: the heaviest sentences of a text, for the detectors that compare
 * sentences. A sentence (text/sentences.h) is represented by its words (text/tokens.h),
 * lower-cased, joined by one space, so that case, white space and punctuation make no difference.
 * Its weight is the sum of the weights of its words (as much as int64_t holds).
 * [R1] Heavier sentences come first, sentences of equal weight in byte order.
 * [R2] A repeated sentence is listed once.
 * [R3] A sentence without a word that counts is ignored.
 * [R4] The result depends on the text and the rule alone. Time is linear in the text.
 * Memory: the result is in the workspace's scratch; at most keep + 1 sentences while it is
 * computed. */
#ifndef TWX_LAB_METHODS_BEST_SENTENCES_H
#define TWX_LAB_METHODS_BEST_SENTENCES_H

#include "sign/workspace.h"

enum { TWX_BEST_SENTENCES_MAX = 3 };

/* The weight of one word; called for each word in order. TWX_DONE: the word does not count. */
typedef twx_rc twx_weigh_word(twx_ctx *cx, void *arg, const twx_token *word, int64_t *ret_weight);

/* Shape  keep: 1..TWX_BEST_SENTENCES_MAX
 * word_bytes, word_weight: either 0, or every word that counts has at least word_bytes bytes and
 * weighs at most word_weight; sentences too short to be among the best are then skipped without
 * being read or counted */
typedef struct twx_sentence_rule {
    size_t keep;
    size_t word_bytes;
    int64_t word_weight;
    twx_weigh_word *weigh;
    void *arg;
} twx_sentence_rule;

/* Shape  text[0..n), best first; counted: sentences with words that count, repeats included */
typedef struct twx_best_sentences {
    twx_slice text[TWX_BEST_SENTENCES_MAX];
    size_t n;
    uint64_t counted;
} twx_best_sentences;

/* Errors TWX_E_NOMEM, TWX_E_CONFIG (invalid pattern), those of weigh */
TWX_CHECK twx_rc twx_best_sentences_of(twx_ctx *cx, twx_workspace *w, const twx_sentence_rule *rule,
                                       twx_slice text, twx_best_sentences *ret_best);
/* Fingerprint of what affects sentences and words: part of the fingerprint of a detector that uses
 * this. */
uint64_t twx_best_sentences_fingerprint(const twx_params *params);

#endif
