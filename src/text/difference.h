/* text/difference.h: the words in which two texts differ, as evidence for or against their being
 * copies of one page. Captures of one page differ by what stands around its text; pages of one form
 * that describe different things differ by words substituted inside it.
 *
 * Texts are compared in three levels: lines, the sentences of the lines that differ, the words of
 * the sentences that differ. Lines and sentences that both texts have are matched wherever they
 * stand, so a list in another order is no difference. Words are those of text/written_words.h.
 * At most four lines (or sentences) that stand in each other's places are different, not moved.
 * [R1] Equal texts have no blocks.
 * [R2] Exchanging the texts exchanges a and b of the blocks, and changes nothing else, except where
 * several longest alignments exist.
 * [R3] Time is linear in the texts, plus the square of the words in which two sentences differ, at
 * most TWX_DIFFERENCE_EDITS of them: beyond that all words between the first and the last
 * difference are one block. */
#ifndef TWX_TEXT_DIFFERENCE_H
#define TWX_TEXT_DIFFERENCE_H

#include <stdint.h>

#include "text/sentence_units.h"
#include "text/written_words.h"

enum { TWX_DIFFERENCE_EDITS = 128 };

typedef enum twx_block_kind {
    TWX_BLOCK_ADDED,      /* one text has whole sentences that the other has not */
    TWX_BLOCK_INSIDE,     /* one text has more words in a sentence of the other */
    TWX_BLOCK_SUBSTITUTED /* both have words, different ones, between the same neighbours */
} twx_block_kind;

/* Where a block stands, by hashes; 0: not known. */
typedef enum twx_block_place {
    TWX_PLACE_AROUND,   /* the last common word before the block and the first one after it */
    TWX_PLACE_AFTER,    /* the two words before it in its sentence */
    TWX_PLACE_BEFORE,   /* the two words after it in its sentence */
    TWX_PLACE_BEGINS_A, /* its own first two words in a, if they begin a sentence */
    TWX_PLACE_BEGINS_B,
    TWX_PLACES
} twx_block_place;

/* Shape  words_a or words_b is 0 unless the kind is TWX_BLOCK_SUBSTITUTED
 * Memory a and b, from the first to the last word of the block, are borrowed from the texts */
typedef struct twx_block {
    twx_block_kind kind;
    bool is_between; /* both texts have words before and after it */
    uint32_t words_a, words_b;
    twx_slice a, b;
    uint64_t place[TWX_PLACES];
} twx_block;

/* What may happen to a sentence that only one text has. */
typedef enum twx_unit_use {
    TWX_UNIT_COMPARED,
    TWX_UNIT_IGNORED,
    TWX_UNIT_ANNOUNCED /* left out, but what the other text has in its place is a substitution */
} twx_unit_use;

/* in_a: it is in the text a; before, unit, after: the forms of the sentence and of its neighbours
 * in the same passage that only this text has; 0: there is none. */
typedef twx_unit_use twx_unit_ignored_fn(const void *arg, bool in_a, uint64_t before, uint64_t unit,
                                         uint64_t after);

/* Is a block enough to know? Then the comparison ends with it. */
typedef bool twx_block_enough_fn(const void *arg, const twx_block *block);

/* How texts are compared; all functions get arg. */
typedef struct twx_difference_rules {
    twx_unit_ignored_fn *ignored; /* NULL: nothing is left out */
    twx_block_enough_fn *enough;  /* NULL: all blocks are listed */
    const void *arg;
} twx_difference_rules;

/* Memory: embedded struct, zeroed; its memory is reused by each comparison and released by
 * twx_difference_done(). */
typedef struct twx_difference {
    TWX_VEC(twx_block) at;
    /* Bytes of a and of b: of the words in blocks, and of the sentences that were left out */
    size_t differ[2], ignored[2];
    bool announced[2]; /* of the current passage, by side */
    size_t looked;     /* sentences of it that were looked at to leave others out */
    /* Scratch */
    twx_unit_list lines[2], sentences[2];
    struct {
        TWX_VEC(twx_text_word) at;
    } words[2], kept[2];
    twx_unit_matcher matcher;
    TWX_VEC(int32_t) reach;
} twx_difference;

/* Overwrites d->at. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_difference_of(twx_ctx *cx, twx_slice a, twx_slice b,
                                   const twx_difference_rules *rules, twx_difference *d);
void twx_difference_done(twx_difference *d);

#endif
