/* lab/title_words.h: tests whether another document contains the words of a title. A *word* is
 * a word of text/tokens.h: a longest run of letters and digits, lower-cased. A *number* is a word
 * of ASCII digits.
 * Memory: embedded struct. */
#ifndef TWX_LAB_TITLE_WORDS_H
#define TWX_LAB_TITLE_WORDS_H

#include "base/map64.h"
#include "text/tokens.h"

typedef struct twx_title_words {
    twx_tokens tokens;
    twx_map64 words; /* hashes of the words of the other document */
} twx_title_words;

typedef struct twx_lost_words {
    bool any, word; /* the document lacks a word of the title; it lacks one that is not a number */
} twx_lost_words;

void twx_title_words_init(twx_title_words *w);
void twx_title_words_done(twx_title_words *w);
/* Removes the words of the document. */
void twx_title_words_clear(twx_title_words *w);
/* Adds the words of a part of the document. */
TWX_CHECK twx_rc twx_title_words_add(twx_ctx *cx, twx_title_words *w, twx_slice part);
TWX_CHECK twx_rc twx_title_words_lost(twx_ctx *cx, twx_title_words *w, twx_slice title,
                                      twx_lost_words *ret_lost);

#endif
