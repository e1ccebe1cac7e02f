/* text/text_diff.h: where two texts differ: passages that both have, that only a has, that only b
 * has, in the order of the texts. Sentences (sentences.h, the default ends) are matched first, then
 * words within sentences that differ: what lies between ASCII white space, cut behind punctuation
 * marks; a character from U+2E80 on is a word, since Chinese and Japanese part none by blanks.
 * [R1] The `a` of all passages, one behind the other, are the text a; the same holds for b. [R2] In
 * a passage that both have, the words are the same, byte for byte; white space between words is not
 * compared. [R3] No two neighbours are of one kind, and what only a has stands before what only b
 * has in its place. [R4] The longest match is not promised: sentences (words) that occur once in
 * either text are matched first, as patience diff does (Cohen), and what lies between by Myers'
 * O(ND), 1986.
 * [R5] Texts that differ too much to be matched within the limits below give a coarse answer: a
 * part of each that need not differ everywhere stands as one passage, and `coarse` is set.
 * Time: linear, and 2^28 comparisons at most; memory: at most about 100 bytes a sentence and word,
 * 8 MiB, and the passages. */
#ifndef TWX_TEXT_TEXT_DIFF_H
#define TWX_TEXT_TEXT_DIFF_H

#include "base/slice.h"
#include "base/vec.h"

enum {
    TWX_TEXT_DIFF_EDITS = 2048,    /* sentences or words dropped and added between two anchors */
    TWX_TEXT_DIFF_PIECES = 1 << 20 /* sentences of a text, or words of a part of it that differs */
};

typedef enum twx_passage_kind {
    TWX_PASSAGE_BOTH,
    TWX_PASSAGE_ONLY_A,
    TWX_PASSAGE_ONLY_B
} twx_passage_kind;

/* Shape  a is empty, with a place, when only b has it, and the other way round. Memory: borrowed
 * from the texts. */
typedef struct twx_passage {
    twx_passage_kind kind;
    twx_slice a, b;
} twx_passage;

typedef struct twx_text_diff {
    TWX_VEC(twx_passage) at;
    bool coarse;
} twx_text_diff;

/* ret_diff is filled anew; twx_text_diff_done() in the end. Errors TWX_E_NOMEM, cancelled ones */
TWX_CHECK twx_rc twx_text_diff_of(twx_ctx *cx, twx_slice a, twx_slice b, twx_text_diff *ret_diff);
void twx_text_diff_done(twx_text_diff *p);

#endif
