/* method/top_words.h: the key of the six words of a text that weigh most: what the detectors tf,
 * tfidf, tfridf and opt_freq share; they differ in the weight.
 * Source: Zelenkov and Segalovich 2007, sections 4.2-4.4 and 4.11. */
#ifndef TWX_METHOD_TOP_WORDS_H
#define TWX_METHOD_TOP_WORDS_H

#include "corpus/lexicon.h"

enum {
    TWX_TOP_WORDS = 6,
    TWX_WEIGHT_BITS = 32 /* behind the point, where a weight is a fraction */
};

/* A word's weight in a document. lexicon: NULL where a method needs none. Integers, so that any
 * machine gives the same. */
typedef int64_t twx_word_weight(const twx_bag *bag, const twx_lexicon *lexicon,
                                const twx_bag_word *word);

typedef struct twx_weighing {
    twx_word_weight *weight;
    const twx_lexicon *lexicon; /* borrowed */
} twx_weighing;

/* Puts one key (twx_key_of_parts) unless the text has no words that count; texts with fewer than
 * six words have one too.
 * [R1] Of words of equal weight the alphabetically first (order of bytes) is taken. Errors
 * TWX_E_NOMEM */
TWX_CHECK twx_rc twx_top_words_sign(twx_ctx *cx, twx_workspace *w, const twx_weighing *weighing,
                                    twx_slice text, twx_signature *ret_signature);

/* The weights of the rows; each is explained in the file of its name. */
twx_word_weight twx_tf_weight, twx_tfidf_weight, twx_tfridf_weight, twx_opt_freq_weight;

#endif
