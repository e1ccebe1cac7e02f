/* method/best_sentences.h: the sentences of a text that weigh most, for the detectors that look at
 * sentences. To them a sentence (text/sentences.h) is its words (text/tokens.h), lower-cased,
 * joined by one space, so that neither case nor white space nor punctuation tells two apart; it
 * weighs what its words weigh together (as much as int64_t holds).
 * [R1] Heavier ones come first, of equal weight those whose bytes come first. [R2] A sentence that
 * occurs again is listed once. [R3] A sentence without a word that counts is none. [R4] Depends on
 * the text and the rule alone. Linear in the text. Memory: the result lies in the workspace's
 * scratch; while it works, at most keep + 1 sentences. */
#ifndef TWX_METHOD_BEST_SENTENCES_H
#define TWX_METHOD_BEST_SENTENCES_H

#include "detect/workspace.h"

enum { TWX_BEST_SENTENCES_MAX = 3 };

/* What one word weighs; called for each word that is read, in order. TWX_DONE: it does not count.
 */
typedef twx_rc twx_weigh_word(twx_ctx *cx, void *arg, const twx_token *word, int64_t *ret_weight);

/* Shape  keep: 1..TWX_BEST_SENTENCES_MAX
 *        word_bytes, word_weight: 0, or every word that counts has at least so many bytes and
 *          weighs at most so much; then
 *        sentences that are too short to be among the best are neither read nor counted */
typedef struct twx_sentence_rule {
    size_t keep;
    size_t word_bytes;
    int64_t word_weight;
    twx_weigh_word *weigh;
    void *arg;
} twx_sentence_rule;

/* Shape  text[0..n), best first; counted: sentences with words that count, each as often as it
 * occurs */
typedef struct twx_best_sentences {
    twx_slice text[TWX_BEST_SENTENCES_MAX];
    size_t n;
    uint64_t counted;
} twx_best_sentences;

/* Errors TWX_E_NOMEM, TWX_E_CONFIG (bad pattern), those of weigh */
TWX_CHECK twx_rc twx_best_sentences_of(twx_ctx *cx, twx_workspace *w, const twx_sentence_rule *rule,
                                       twx_slice text, twx_best_sentences *ret_best);
/* Of what shapes sentences and words: part of the fingerprint of a detector that uses this. */
uint64_t twx_best_sentences_fingerprint(const twx_params *params);

#endif
