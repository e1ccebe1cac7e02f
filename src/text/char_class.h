/* text/char_class.h: which characters form words, and their lower case, by the rules that Java 17
 * (Unicode 13) applies to UTF-16 code units.
 * [R1] Letters and digits: Character.isLetterOrDigit(char).
 * [R2] Lower case, one unit for one unit: Character.toLowerCase(char).
 * [R3] Surrogates, and so all code points from U+10000, are neither letters nor digits.
 * Source: share/tables/char_class.tsv.
 * Memory: none. Any thread may call these; nothing can fail. */
#ifndef TWX_TEXT_CHAR_CLASS_H
#define TWX_TEXT_CHAR_CLASS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

enum {
    TWX_CHAR_CLASS_VERSION = 13
}; /* of Unicode; part of the fingerprint that makes stored profiles stale */

/* What a byte of UTF-8 means to a scanner of words: a set of bits. 0: it separates words. */
enum {
    TWX_BYTE_WORD = 1,  /* ASCII letter or digit */
    TWX_BYTE_UPPER = 2, /* A-Z, besides TWX_BYTE_WORD */
    TWX_BYTE_WIDE = 4   /* >= 0x80: decode it */
};
extern const unsigned char TWX_BYTE_CLASS[256];

bool twx_is_letter_or_digit(uint32_t code_point);
uint32_t twx_to_lower(uint32_t code_point); /* the code point itself when it has no lower case */

/* How often each byte occurs in a text. */
void twx_count_bytes(twx_slice text, uint64_t counts[0x100]);

#endif
