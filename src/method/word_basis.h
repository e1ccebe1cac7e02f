/* method/word_basis.h: what keys made of the words of a text rest on: the words themselves
 * (detect/bag.h), and for global detectors the lexicon of the collection. */
#ifndef TWX_METHOD_WORD_BASIS_H
#define TWX_METHOD_WORD_BASIS_H

#include "corpus/lexicon.h"
#include "method/detectors.h"

/* The lexicon of params->collection; NULL when there is none or it knows no words: then there are
 * no keys. Borrowed. */
const twx_lexicon *twx_lexicon_of(const twx_params *params);
/* What shapes bags: the tables of characters and of stop words. twx_detector_fingerprint() adds the
 * collection. */
uint64_t twx_words_fingerprint(const twx_params *params);

#endif
