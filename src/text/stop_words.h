/* text/stop_words.h: words so common in English, German, French, Spanish, Italian or Portuguese
 * that they say nothing about what a text is about. Only words of four or more characters: who asks
 * drops the shorter ones anyway.
 * [R1] The table is sorted, holds no word twice and none of fewer than four characters.
 * Source: written for this project: articles, pronouns, prepositions, conjunctions, auxiliary
 * verbs, common adverbs.
 * Memory: none. Any thread may call. */
#ifndef TWX_TEXT_STOP_WORDS_H
#define TWX_TEXT_STOP_WORDS_H

#include <stddef.h>

#include "base/slice.h"

/* Of the list: keys made of words depend on it, so a change of the list is a new version. */
enum { TWX_STOP_WORDS_VERSION = 1 };

bool twx_is_stop_word(twx_slice word); /* lower-cased (text/tokens.h) */
/* The list in order of its bytes, for tests and documentation; absent behind the last. */
twx_slice twx_stop_word_at(size_t i);

#endif
