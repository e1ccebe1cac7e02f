/* store/url_code.h: a URL in 5 bits a character instead of 8: a prefix code (Huffman) for each kind
 * of preceding character. The lengths of the codes are fixed, and written down in
 * docs/signatures.md: codes of one length follow each other in the order of the characters, shorter
 * ones first. Bits are taken from the highest one of a byte down; the last byte is filled with 0.
 * [R1] Decoding returns what was encoded.
 * [R2] Any bytes can be decoded: no byte after the end is read, and what encoding would not have
 * made is refused.
 * Memory: embedded struct without pointers, about 12 KiB; constant once it is made. */
#ifndef TWX_STORE_URL_CODE_H
#define TWX_STORE_URL_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

enum {
    TWX_URL_CODE_KINDS = 9, /* of the preceding character */
    TWX_URL_CODE_FIRST = 33,
    TWX_URL_CODE_CHARS = 94, /* from '!' to '~' */
    TWX_URL_CODE_MAX = 14,   /* bits of a code */
    TWX_URL_CODE_SHORT = 8   /* codes of so many bits are looked up */
};

typedef struct twx_url_code {
    uint8_t kind_of[256]; /* of a character as the preceding one */
    struct {
        uint16_t code[TWX_URL_CODE_CHARS];
        uint8_t bits[TWX_URL_CODE_CHARS];
        /* for decoding: bits << 8 | character of the code that begins so; 0: it is longer */
        uint16_t short_code[1 << TWX_URL_CODE_SHORT];
        uint16_t end[TWX_URL_CODE_MAX + 1];  /* the first code of this length that is none */
        uint16_t from[TWX_URL_CODE_MAX + 1]; /* add it to a code: its place in by_code */
        uint8_t by_code[TWX_URL_CODE_CHARS];
    } after[TWX_URL_CODE_KINDS];
} twx_url_code;

void twx_url_code_init(twx_url_code *ret_code);
/* false: the URL has a character without a code. */
bool twx_url_code_has(twx_slice url);
/* Writes the code of a URL whose characters all have one, at most 2 bytes a character, and returns
 * its bytes. */
size_t twx_url_encode(const twx_url_code *code, twx_slice url, unsigned char *ret_bytes);
/* Decodes n characters from the beginning of `bytes`; returns how many bytes they take; SIZE_MAX:
 * invalid [R2]. */
size_t twx_url_decode(const twx_url_code *code, twx_slice bytes, size_t n, char *ret_url);

#endif
