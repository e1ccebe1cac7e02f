/* lab/methods/six_words.h: the key of the six heaviest words of a text, shared by the detectors tf,
 * tfidf, tfridf and opt_freq, which differ in the weight.
 * Source: Zelenkov and Segalovich 2007, sections 4.2-4.4 and 4.11. */
#ifndef TWX_LAB_METHODS_SIX_WORDS_H
#define TWX_LAB_METHODS_SIX_WORDS_H

#include "lab/methods/lexicon.h"

enum {
    TWX_SIX_WORDS = 6,
    TWX_WEIGHT_BITS = 32 /* fraction bits of a fractional weight */
};

/* The weight of a word in a document. lexicon: NULL where a method needs none. Integers, so that
 * all machines compute the same. */
typedef int64_t twx_word_weight(const twx_bag *bag, const twx_lexicon *lexicon,
                                const twx_bag_word *word);

typedef struct twx_weighing {
    twx_word_weight *weight;
    const twx_lexicon *lexicon; /* borrowed */
} twx_weighing;

/* Adds one key (twx_key_of_parts) unless the text has no words that count; a text with fewer than
 * six words has one, too.
 * [R1] Of words of equal weight the first in byte order is taken. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_six_words_sign(twx_ctx *cx, twx_workspace *w, const twx_weighing *weighing,
                                    twx_slice text, twx_signature *ret_signature);

/* The weights of the rows; six_words.c explains each. */
twx_word_weight twx_tf_weight, twx_tfidf_weight, twx_tfridf_weight, twx_opt_freq_weight;

#endif
