/* sign/bag.h: the content words of a text with their counts: runs of letters and digits,
 * lower-cased, of four or more characters, without stop words (Zelenkov and Segalovich 2007,
 * section 4). Most methods of that study start from them.
 * Memory: in the workspace's scratch. */
#ifndef TWX_SIGN_BAG_H
#define TWX_SIGN_BAG_H

#include "sign/detector_row.h"

typedef struct twx_bag_word {
    twx_slice text;
    uint64_t hash; /* twx_bag_hash(text): its key in the lexicon */
    uint32_t tf;   /* occurrences */
} twx_bag_word;

/* Shape  at[0..n) in byte order of the words, without repeats */
typedef struct twx_bag {
    twx_bag_word *at;
    size_t n;
    uint32_t tf_max;
    uint64_t length; /* dl: sum of tf */
} twx_bag;

uint64_t twx_bag_hash(twx_slice word);
/* Does a lower-cased word count? It must have at least four characters and not be a stop word. */
bool twx_bag_takes(twx_slice word);
/* [R1] Depends on the text alone. A text longer than TWX_WORD_COUNTS_TEXT_MAX gives an empty bag.
 * Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_bag_of(twx_ctx *cx, twx_workspace *w, twx_slice text, twx_bag *ret_bag);
/* The key of a list of strings: they are sorted, joined by one space, and hashed: CRC32 (zlib) in
 * the upper half, a seeded hash in the lower half and in check. parts[0..n) is reordered. Errors
 * TWX_E_NOMEM */
TWX_CHECK twx_rc twx_key_of_parts(twx_ctx *cx, twx_workspace *w, twx_slice *parts, size_t n,
                                  twx_key *ret_key);

#endif
