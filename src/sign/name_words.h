/* sign/name_words.h: the words of a document's own name, packed into at most 128 bytes.
 *
 * Near-duplicates with different names are siblings, not copies: one template that describes
 * different things. Whether the name of a document is contained in another document is decided on
 * these words (judge/names.h), so the payloads keep both the words that a name demands and the
 * words that a document offers. A word is its lower-cased letters and digits (text/tokens.h),
 * stored as 24 bits of its hash: two different words are equal by chance once in 16 million pairs.
 *
 * There are two payloads, because texts repeat across documents and titles do not:
 *   name      depends on title, headings, names and URL
 *             u8 title << 4 | has shown << 3 | versions, u8 headings << 4 | (url + has shown),
 *             u48 version, u24 tail, words, u24 shown if it is not 0
 *   repeated  depends on the text
 *             u8 repeated << 4 | proper, u8 lead << 4 | numbers, u8 quantity << 4 | codes, words
 * Numbers are big-endian. A word takes 3 bytes, in `lead`, `numbers` and `codes` 2; of a repeated
 * word these are 20 bits of the hash and 4 of its weight. Words, in this order:
 *   title     its words in order, repeats included, the versions among them last. Numbers joined by
 *             dots are one word. The last place before the versions stands for all words that do
 *             not fit.
 *   headings  words of the first level-1 headings that are not in the title, read like the title
 *   url       words of the last path segment that has any: three letters or more, no digits, no
 *             file extension, no generic word (index, print, ...)
 *   repeated  words that the text repeats, most frequent first, ties by hash; no stop words, no
 *             numbers, nothing that looks like a session id, no markup of reStructuredText. First
 *             the proper ones, at most TWX_NAME_PROPER_MAX: codes (letters and digits), at most
 *             TWX_NAME_REPEATED_CODES_MAX, then words that always have a capital or are of a
 *             script without capitals. Then others. The weight of the last word of a full list
 *             says which words of the text the list may lack.
 *   lead      short lines, one hash each (sign/name_lines.h), those nearest to the body first
 *   numbers   the first numbers that follow a word with a capital ("Article 17"), at the beginning
 *             of the text or in a short line, neither dates nor times; last, when quantity is 1,
 *             one word for all numbers with a unit ("350 MB")
 *   codes     words of a letter and more letters and digits ("i386") that are not among the
 *             repeated ones: those with the smallest hashes, ascending
 * The tail is the hash of the last path segment that is not an index page (of a URL whose query has
 * numbers only the very last one), and of the numbers of the query ("?id=17"): it distinguishes
 * documents with the same title.
 * Shown is the hash of the column `names`: alt texts and names in structured data. It is compared
 * as a whole, and distinguishes documents with the same text.
 * [R1] Payloads depend on their basis alone.
 * [R2] Any bytes can be unpacked: an invalid payload unpacks to no words. */
#ifndef TWX_SIGN_NAME_WORDS_H
#define TWX_SIGN_NAME_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

enum {
    TWX_NAME_TITLE_MAX = 10,
    TWX_NAME_HEADING_MAX = 5,
    TWX_NAME_URL_MAX = 3,
    TWX_NAME_VERSIONS_MAX = 3,
    TWX_NAME_REPEATED_MAX = 10,
    TWX_NAME_PROPER_MAX = 7,
    TWX_NAME_REPEATED_CODES_MAX = 4,
    TWX_NAME_LEAD_MAX = 12,
    TWX_NAME_NUMBERS_MAX = 4,
    TWX_NAME_CODES_MAX = 3,
    TWX_NAME_SHORTS_MAX = 13, /* lead, numbers and codes together: lead has what the others leave */
    TWX_NAME_BYTES = 11 + 3 * (TWX_NAME_TITLE_MAX + TWX_NAME_HEADING_MAX + TWX_NAME_URL_MAX + 1),
    TWX_REPEATED_BYTES = 3 + 3 * TWX_NAME_REPEATED_MAX + 2 * TWX_NAME_SHORTS_MAX
};
_Static_assert(TWX_NAME_BYTES + TWX_REPEATED_BYTES <= 128, "a name takes 128 bytes");

/* The part of a document that a word of a name comes from. */
typedef enum twx_name_part {
    TWX_NAME_TITLE,
    TWX_NAME_HEADING,
    TWX_NAME_URL,
    TWX_NAME_REPEATED,
    TWX_NAME_LEAD,
    TWX_NAME_NUMBER,
    TWX_NAME_CODE,
    TWX_NAME_PARTS
} twx_name_part;

const char *twx_name_part_text(twx_name_part part); /* "in its title" */

/* Shape  each part [0..n[part]): 24 bits of a word's hash; the low 20 of them in repeated, the low
 * 16 in lead, number and code.
 * weight: of the repeated words, twx_name_weight(); version: of the title, 0: none; versions: how
 * many of the title's words, the last ones, are versions; proper: how many of the repeated words,
 * the first ones, are proper; tail, shown: 24 bits, 0: none
 * Memory about 200 bytes, no pointers */
typedef struct twx_name_words {
    uint32_t title[TWX_NAME_TITLE_MAX];
    uint32_t heading[TWX_NAME_HEADING_MAX];
    uint32_t url[TWX_NAME_URL_MAX];
    uint32_t repeated[TWX_NAME_REPEATED_MAX];
    uint32_t lead[TWX_NAME_LEAD_MAX];
    uint32_t number[TWX_NAME_NUMBERS_MAX];
    uint32_t code[TWX_NAME_CODES_MAX];
    uint8_t weight[TWX_NAME_REPEATED_MAX];
    uint8_t n[TWX_NAME_PARTS];
    uint8_t versions, proper;
    bool has_quantity; /* the last number represents all numbers with a unit */
    uint32_t tail, shown;
    uint64_t version;
} twx_name_words;

/* The words of a part. */
const uint32_t *twx_name_words_of(const twx_name_words *w, twx_name_part part);

/* 24 bits of the hash of a lower-cased word. */
uint32_t twx_name_word(twx_slice lower);
/* The bits of a word that a part keeps. */
uint32_t twx_name_word_in(twx_name_part part, uint32_t word);
/* The rank of a word among the repeated ones, 0..15: codes before others, then by count. */
uint8_t twx_name_weight(bool is_code, uint32_t count);
/* May the text with the list of repeated words `w` repeat the word although it is not in the list?
 * True if the list for words of this kind is full and ends before the word's place. */
bool twx_name_may_repeat(const twx_name_words *w, bool proper, uint32_t word, uint8_t weight);
/* The same for codes. */
bool twx_name_may_have_code(const twx_name_words *w, uint32_t code);
/* Does `offered` of one part match `wanted` of another? They are compared by the bits that both
 * keep; a line matches lines only. */
bool twx_name_word_meets(twx_name_part wanted_part, uint32_t wanted, twx_name_part offered_part,
                         uint32_t offered);

/* Write a payload to out, which has room for TWX_NAME_BYTES or TWX_REPEATED_BYTES; return its
 * length. */
size_t twx_name_pack(const twx_name_words *w, unsigned char *out);
size_t twx_repeated_pack(const twx_name_words *w, unsigned char *out);
/* Set the parts that the payload holds and leave the others unchanged. [R2] */
void twx_name_unpack(twx_slice payload, twx_name_words *w);
void twx_repeated_unpack(twx_slice payload, twx_name_words *w);

#endif
