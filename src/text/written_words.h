/* text/written_words.h: the words of a text as a difference compares them (text/difference.h).
 * Words are runs of letters and digits in lower case; a character of a script without spaces
 * between words, a mathematical or currency sign, and a fraction or power are words of their own.
 * Other punctuation separates words.
 * [R1] Numbers are as written: "1,500" is the words "1," and "500", "-7" and ".5" are one each.
 * Dashes and apostrophes are one mark each, however they are typeset.
 * [R2] Case tells words apart inside a sentence ("US", "us"), not where it is typography: at the
 * beginning, in headings, in capitals. */
#ifndef TWX_TEXT_WRITTEN_WORDS_H
#define TWX_TEXT_WRITTEN_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

typedef struct twx_text_word {
    uint64_t hash;
    twx_slice text; /* borrowed */
    uint32_t unit;  /* number of its sentence */
    uint32_t mate;  /* place in the other text of the word aligned with it, plus 1; 0: none */
    bool is_number; /* digits, and marks as in a number, alone */
} twx_text_word;

/* Zeroed, with the text as rest. */
typedef struct twx_word_reader {
    twx_slice rest;
    bool after_letter;
} twx_word_reader;

/* Sets hash, text and is_number, and the others to 0; false: there are no more words. */
bool twx_written_word_next(twx_word_reader *reader, twx_text_word *ret_word);
/* The hash of the last (first) word of a text; 0: it has none. */
uint64_t twx_last_word(twx_slice text);
uint64_t twx_first_word(twx_slice text);

/* Does a mark connect the word with the next one? */
bool twx_written_words_join(const twx_text_word *word, const twx_text_word *next);
/* Parts mates of a[0..n) and b[0..m) that differ in case. [R2] */
void twx_written_words_unmatch(twx_text_word *a, size_t n, twx_text_word *b, size_t m);

#endif
