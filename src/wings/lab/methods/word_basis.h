/* lab/methods/word_basis.h: the inputs of keys made of the words of a text: the words themselves
 * (sign/bag.h) and, for global detectors, the lexicon of the collection. */
#ifndef TWX_LAB_METHODS_WORD_BASIS_H
#define TWX_LAB_METHODS_WORD_BASIS_H

#include "lab/methods/lexicon.h"
#include "sign/detectors.h"

/* The lexicon of params->collection; NULL when there is none or it has no words: then there are no
 * keys. Borrowed. */
const twx_lexicon *twx_lexicon_of(const twx_params *params);
/* Fingerprint of the tables that affect bags: characters and stop words. twx_detector_fingerprint()
 * adds the collection. */
uint64_t twx_words_fingerprint(const twx_params *params);

#endif
