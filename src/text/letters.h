/* text/letters.h: the characters of a text index: which form words, which are indexed in pairs,
 * and how accents are folded.
 * [R1] A word is a run of letters, digits and marks (general categories L, N and M) that begins
 * with a letter or digit. Joiners, soft hyphens, variation selectors and the tatweel inside it are
 * ignored.
 * [R2] Chinese characters, kana, bopomofo and hangul are not parts of words.
 * [R3] Folding removes case, the accents of Latin, Greek and Cyrillic and the points of Hebrew and
 * Arabic; marks of other scripts distinguish words and stay.
 * Source: the Unicode Character Database as libunistring has it (UAX #44, #15).
 * Memory: none. Any thread may call these; nothing can fail. */
#ifndef TWX_TEXT_LETTERS_H
#define TWX_TEXT_LETTERS_H

#include <stdint.h>

#include "base/slice.h"

typedef enum twx_letter_class {
    TWX_LETTER_NONE,    /* separates words */
    TWX_LETTER_WORD,    /* a letter or digit of a word */
    TWX_LETTER_MARK,    /* continues a word */
    TWX_LETTER_IGNORED, /* continues a word and is left out */
    TWX_LETTER_PAIRED   /* of a script without blanks between words: Chinese, Japanese, Korean */
} twx_letter_class;

twx_letter_class twx_letter_class_of(uint32_t cp);

/* A word of code points, lower-cased, precomposed, and without compatibility forms such as
 * full-width letters and ligatures. Code points beyond the limit are left out. */
enum { TWX_WORD_LETTERS = 128, TWX_WORD_BYTES = 4 * TWX_WORD_LETTERS };
typedef struct twx_word_letters {
    uint32_t at[TWX_WORD_LETTERS];
    size_t n;
} twx_word_letters;
/* cp: of the classes WORD and MARK */
void twx_word_add(twx_word_letters *word, uint32_t cp);
/* Writes the word as UTF-8; returns the number of bytes. */
size_t twx_word_bytes(const twx_word_letters *word, char out[TWX_WORD_BYTES]);
/* Folds a lower-cased word; bytes beyond TWX_WORD_BYTES are left out. Returns the number of
 * bytes. */
size_t twx_fold(twx_slice lower, char out[TWX_WORD_BYTES]);

/* Reads one PAIRED character with its marks, or the jamo of one syllable, at p (p < end), as one
 * precomposed code point. Returns the number of bytes read. */
size_t twx_paired_next(const char *p, const char *end, uint32_t *ret_cp);

#endif
