/* text/internal.h: what the files of this room share with each other and with its tests; other
 * rooms include text/text.h. Parts: letters. */
#ifndef TWX_TEXT_INTERNAL_H
#define TWX_TEXT_INTERNAL_H

#include "text/text.h"

/* letters (terms.c): the characters of a text index: which form words, which are indexed in pairs,
 * and how accents are folded.
 * [R1] A word is a run of letters, digits and marks (general categories L, N and M) that begins
 * with a letter or digit. Joiners, soft hyphens, variation selectors and the tatweel inside it are
 * ignored.
 * [R2] Chinese characters, kana, bopomofo and hangul are not parts of words.
 * [R3] Folding removes case, the accents of Latin, Greek and Cyrillic and the points of Hebrew and
 * Arabic; marks of other scripts distinguish words and stay.
 * Source: the Unicode Character Database as libunistring has it (UAX #44, #15).
 * Memory: none. Any thread may call these; nothing can fail. */

#endif
