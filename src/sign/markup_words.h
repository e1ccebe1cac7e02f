/* sign/markup_words.h: the words of a text that are markup of reStructuredText: roles
 * (":func:`open`"), directives (".. versionadded:: 3.2") and fields (":synopsis: ..."). The source
 * of a page repeats them; the rendered page has none.
 * Memory: value without pointers. */
#ifndef TWX_SIGN_MARKUP_WORDS_H
#define TWX_SIGN_MARKUP_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

enum { TWX_MARKUP_WORDS_MAX = 32 };

typedef struct twx_markup_words {
    uint32_t at[TWX_MARKUP_WORDS_MAX]; /* twx_name_word() */
    size_t n;
} twx_markup_words;

/* Is there a role or a directive near the beginning of the text? */
bool twx_has_markup(twx_slice text);
/* The first TWX_MARKUP_WORDS_MAX words of the markup. */
void twx_markup_words_of(twx_slice text, twx_markup_words *ret_words);
bool twx_is_markup_word(const twx_markup_words *words, uint32_t word);

#endif
