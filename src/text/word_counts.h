/* text/word_counts.h: counts how often each word of a text occurs.
 * [R1] The counts depend on the text and min_units alone. The seed protects against crafted
 * collisions and cannot affect a result, because the tables have no defined order.
 *
 * A word of up to 8 bytes, which covers most, is its own key. The key of a longer word is a 64-bit
 * hash; the word itself is in the text, or in `copies` when it has capitals or is not ASCII. Both
 * kinds have a table of their own with open addressing, which is reused from text to text.
 * Memory: embedded struct. At most 3 slots of 16 bytes for each distinct word (4.5 while growing),
 * 4 bytes in `used`, and 8 bytes more for a long one. Before the next text, memory beyond
 * TWX_WORD_COUNTS_KEEP slots of a table and 1 MiB of copies is released. */
#ifndef TWX_TEXT_WORD_COUNTS_H
#define TWX_TEXT_WORD_COUNTS_H

#include "base/vec.h"
#include "text/tokens.h"

enum {
    TWX_WORD_COUNTS_KEEP = 1 << 16,
    TWX_WORD_COUNTS_TEXT_MAX = 1 << 30, /* bytes */
    TWX_WORD_SHORT = 8                  /* bytes of a word that is its own key */
};

typedef struct twx_word_slot {
    uint64_t key;   /* short: the word, first byte lowest, padded with zeros; long: its hash */
    uint32_t count; /* 0: a free slot */
    uint32_t more;  /* the top bit: it occurred without a capital; the others, if the word is long:
                     * its index in `longs` */
} twx_word_slot;

typedef struct twx_word_table {
    twx_word_slot *slots;
    size_t mask; /* slots in use - 1 */
    size_t room; /* slots allocated */
    /* slots with a word: most slots are free, and a loop over all of them would spend its time on
     * mispredicted branches */
    TWX_VEC(uint32_t) used;
} twx_word_table;

typedef struct twx_long_word {
    uint32_t at;     /* offset in the text or in copies */
    uint32_t length; /* bytes; the top bit: the word is in copies */
} twx_long_word;

typedef struct twx_word_counts {
    twx_tokens tokens;
    twx_slice text;
    twx_word_table table[2]; /* of short words; of long ones */
    TWX_VEC(twx_long_word) longs;
    twx_buf copies;
    uint32_t most; /* the largest count */
    uint64_t seed;
} twx_word_counts;

/* Shape  head: the first 8 bytes, big endian, padded with zeros. No word holds NUL, so heads
 * compare as the words do, and a short word equals its head.
 * Memory long_text is borrowed from the counts. */
typedef struct twx_word {
    uint64_t head;
    /* absent: a short word */
    twx_slice long_text;
    uint32_t count;
    bool capital; /* every occurrence begins with a capital letter */
} twx_word;

void twx_word_counts_init(twx_word_counts *c, uint64_t seed);
void twx_word_counts_done(twx_word_counts *c);
/* Counts the words of a text that have more than min_units UTF-16 code units. The text is borrowed
 * until the next call. Errors TWX_E_NOMEM, TWX_E_LIMIT (text > TWX_WORD_COUNTS_TEXT_MAX). */
TWX_CHECK twx_rc twx_word_counts_of(twx_ctx *cx, twx_word_counts *c, twx_slice text,
                                    size_t min_units);
/* The number of words with at least min_count occurrences. */
size_t twx_word_counts_distinct(const twx_word_counts *c, uint32_t min_count);
/* The next word with at least min_count occurrences, in no particular order; *at is 0 for the first
 * call. false: there are no more. */
bool twx_word_counts_next(const twx_word_counts *c, uint32_t min_count, size_t *at,
                          twx_word *ret_word);
size_t twx_word_length(const twx_word *word); /* bytes */
/* Writes the word to out; returns the end of it. A short word also overwrites what follows it, up
 * to out[TWX_WORD_SHORT). */
char *twx_word_put(const twx_word *word, char *out);
/* Compares by bytes, which is also the order of their UTF-16 code units: <0, 0, >0. */
int twx_word_cmp(const twx_word *a, const twx_word *b);

#endif
