/* judge/objections.h: private to judge/proof: which blocks of a difference object to a copy.
 * Words that are substituted do. A few words inside a sentence may turn it round, a clause adds to
 * it. A passage inside the text of one document is missing in the other; on another host it may be
 * a banner, if it is short or stands before or after all else. */
#ifndef TWX_JUDGE_OBJECTIONS_H
#define TWX_JUDGE_OBJECTIONS_H

#include "text/difference.h"

enum {
    TWX_INSIDE_WORDS = 3,
    TWX_INSIDE_CHARACTERS = 12, /* of scripts without spaces, where each is a word */
    TWX_PASSAGE_BYTES = 200,
    TWX_PASSAGE_ONE_HOST = 60 /* bytes, between words that both have */
};

static inline bool twx_block_objects(const twx_block *block, bool one_host) {
    const twx_slice words = block->words_a ? block->a : block->b;
    const uint32_t n = block->words_a + block->words_b;
    if (block->kind == TWX_BLOCK_SUBSTITUTED) return true;
    if (block->kind == TWX_BLOCK_ADDED)
        return block->is_between && one_host
                   ? words.n >= TWX_PASSAGE_ONE_HOST
                   : (block->is_between || one_host) && words.n >= TWX_PASSAGE_BYTES;
    const bool is_spaced = words.n < 3 * (size_t)n || twx_slice_find(words, ' ', 0) < words.n;
    return n <= (uint32_t)(is_spaced ? TWX_INSIDE_WORDS : TWX_INSIDE_CHARACTERS);
}

#endif
