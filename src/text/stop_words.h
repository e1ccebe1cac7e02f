/* text/stop_words.h: stop words of English, German, French, Spanish, Italian and Portuguese: words
 * too common to characterise a text. Only words of four or more characters, because the callers
 * ignore shorter words.
 * [R1] The table is sorted, without repeats, and has no word of fewer than four characters.
 * Source: written for this project: articles, pronouns, prepositions, conjunctions, auxiliary
 * verbs, common adverbs.
 * Memory: none. Any thread may call these. */
#ifndef TWX_TEXT_STOP_WORDS_H
#define TWX_TEXT_STOP_WORDS_H

#include <stddef.h>

#include "base/slice.h"

/* Version of the list. Keys made of words depend on it, so a change of the list is a new
 * version. */
enum { TWX_STOP_WORDS_VERSION = 1 };

bool twx_is_stop_word(twx_slice word); /* lower-cased (text/tokens.h) */
/* The words in byte order, for tests and documentation; absent after the last. */
twx_slice twx_stop_word_at(size_t i);

#endif
