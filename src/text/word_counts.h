/* text/word_counts.h: how often each word of a text occurs.
 * [R1] What is counted depends on the text and min_units alone; the seed, which keeps crafted words
 * from piling up in one place, never shows: there is no order.
 * Memory: embedded struct, reused from text to text. Words are found again in the text, only those
 * with capitals or beyond ASCII are copied. A slot has 16 bytes; there are at most 3 for each
 * distinct word (while growing 4.5). Before the next text all beyond TWX_WORD_COUNTS_KEEP slots and
 * a megabyte of copies is given back. */
#ifndef TWX_TEXT_WORD_COUNTS_H
#define TWX_TEXT_WORD_COUNTS_H

#include "text/tokens.h"

enum { TWX_WORD_COUNTS_KEEP = 1 << 16, TWX_WORD_COUNTS_TEXT_MAX = 1 << 30 };

typedef struct twx_word_slot {
    uint32_t hash;
    uint32_t at;     /* offset in the text or in copies */
    uint32_t length; /* bytes; the top bit: the word is in copies */
    uint32_t count;  /* 0: a free slot */
} twx_word_slot;

typedef struct twx_word_counts {
    twx_tokens tokens;
    twx_buf copies;
    twx_slice text;
    twx_word_slot *slots;
    size_t mask; /* slots in use - 1 */
    size_t room; /* slots allotted */
    size_t n;    /* distinct words */
    uint32_t most; /* the largest count */
    uint64_t seed;
} twx_word_counts;

typedef struct twx_word {
    twx_slice text; /* borrowed from the counts */
    uint32_t count;
} twx_word;

void twx_word_counts_init(twx_word_counts *c, uint64_t seed);
void twx_word_counts_done(twx_word_counts *c);
/* Counts the words of a text that have more than min_units UTF-16 code units. The text is borrowed
 * until the next call. Errors TWX_E_NOMEM, TWX_E_LIMIT (text > TWX_WORD_COUNTS_TEXT_MAX). */
TWX_CHECK twx_rc twx_word_counts_of(twx_ctx *cx, twx_word_counts *c, twx_slice text,
                                    size_t min_units);
/* The next word with at least min_count occurrences, from *at (0 to begin), in no order; false: no
 * more. */
bool twx_word_counts_next(const twx_word_counts *c, uint32_t min_count, size_t *at,
                          twx_word *ret_word);

#endif
