/* sign/plain_words.h: words that never belong to a name, whatever the document is about: dates,
 * and randomly generated words. Words are lower-case (text/tokens.h). */
#ifndef TWX_SIGN_PLAIN_WORDS_H
#define TWX_SIGN_PLAIN_WORDS_H

#include <stdbool.h>

#include "base/slice.h"

/* Is a word in a list that is sorted by bytes and has no empty word? */
bool twx_in_sorted(twx_slice word, const char *const *words, size_t n);
bool twx_is_number(twx_slice word);
bool twx_has_digit_and_letter(twx_slice word);
/* Is the word like a session id or a digest? Such words change while the rest of a page stays the
 * same. */
bool twx_looks_like_id(twx_slice word);
/* The names of months and weekdays, long and short; English, German, French, Spanish, Italian,
 * Dutch. */
bool twx_is_calendar_word(twx_slice word);

#endif
