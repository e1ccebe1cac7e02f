/* text/char_class.h: which characters make up words, and their lower case, as Java 17 (Unicode 13)
 * sees UTF-16 code units.
 * [R1] Letters and digits: Character.isLetterOrDigit(char). [R2] Lower case, one unit for one unit:
 * Character.toLowerCase(char). [R3] Surrogates, and so all code points from U+10000, are neither.
 * Source: tables that scripts/gen-char-class wrote (char_class_data.h).
 * Memory: none. Any thread may call these. Nothing can fail. */
#ifndef TWX_TEXT_CHAR_CLASS_H
#define TWX_TEXT_CHAR_CLASS_H

#include <stdbool.h>
#include <stdint.h>

enum { TWX_CHAR_CLASS_VERSION = 13 }; /* of Unicode; part of what makes stored profiles stale */

/* What a byte of UTF-8 is to a scanner of words: bits. 0: it separates words. */
enum {
    TWX_BYTE_WORD = 1,  /* ASCII letter or digit */
    TWX_BYTE_UPPER = 2, /* A-Z, besides TWX_BYTE_WORD */
    TWX_BYTE_WIDE = 4   /* >= 0x80: decode it */
};
extern const unsigned char TWX_BYTE_CLASS[256];

bool twx_is_letter_or_digit(uint32_t code_point);
uint32_t twx_to_lower(uint32_t code_point); /* itself when it has no lower case */

#endif
