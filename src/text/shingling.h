/* text/shingling.h: the hashes of all runs of k consecutive words of a text (Broder 1997).
 * Words are those of tokens.h.
 * [R1] The result depends on the text alone.
 * [R2] A text with fewer than k words has one shingle of all its words; a text without words has
 * none. Time is linear in the text.
 * Memory: hashes are in the arena, 8 bytes each. */
#ifndef TWX_TEXT_SHINGLING_H
#define TWX_TEXT_SHINGLING_H

#include "base/arena.h"
#include "text/tokens.h"

enum { TWX_SHINGLE_WORDS_MAX = 16 };

typedef struct twx_shingling {
    uint32_t words;    /* k, 1..TWX_SHINGLE_WORDS_MAX */
    bool within_lines; /* no shingle crosses a line feed; [R2] then applies to each line */
    bool keep_case;    /* ASCII capitals are kept; other letters are still lower-cased */
    /* the text is a ring, so there are as many shingles as words */
    bool wrap;
} twx_shingling;

/* Shape  at[0..n) in order of the text, repeats included */
typedef struct twx_shingles {
    uint64_t *at;
    size_t n;
    size_t words;      /* of the text */
    size_t word_chars; /* their length in UTF-16 code units */
} twx_shingles;

/* Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_shingles_of(twx_ctx *cx, twx_arena *scratch, const twx_shingling *how,
                                 twx_slice text, twx_shingles *ret_shingles);
/* The shingles of one word each, faster: what twx_shingles_of() gives for {.words = 1} and this
 * keep_case; its word_chars are not counted. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_word_shingles(twx_ctx *cx, twx_arena *scratch, bool keep_case, twx_slice text,
                                   twx_shingles *ret_shingles);
/* Sorts ascending and drops repeats (radix sort). */
TWX_CHECK twx_rc twx_shingles_unique(twx_ctx *cx, twx_arena *scratch, twx_shingles *shingles);

#endif
