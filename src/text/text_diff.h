/* text/text_diff.h: the differences of two texts, as a list of passages in the order of the texts:
 * in both, only in a, or only in b. Sentences (sentences.h, the default ends) are matched first,
 * then words within the sentences that differ. A word is a run of non-white-space, cut after
 * punctuation marks; from U+2E80 on each character is a word, because Chinese and Japanese put no
 * blanks between words.
 * [R1] The `a` of all passages, concatenated, are the text a; the same holds for b.
 * [R2] In a passage of both texts the words are equal byte for byte; white space between words is
 * not compared.
 * [R3] Neighbouring passages are of different kinds, and what is only in a precedes what is only in
 * b at the same place.
 * [R4] The longest match is not guaranteed. Sentences (words) that occur once in each text are
 * matched first, as in patience diff (Cohen), and the gaps between them by Myers' O(ND) algorithm,
 * 1986.
 * [R5] Texts that differ too much for the limits below get a coarse result: parts of both that may
 * have something in common become passages of one text only, and `coarse` is set.
 * Time is linear, plus at most 2^28 comparisons. Memory: at most about 100 bytes for each sentence
 * and word, 8 MiB, and the passages. */
#ifndef TWX_TEXT_TEXT_DIFF_H
#define TWX_TEXT_TEXT_DIFF_H

#include "base/slice.h"
#include "base/vec.h"

enum {
    TWX_TEXT_DIFF_EDITS = 2048,    /* sentences or words deleted and inserted between two anchors */
    TWX_TEXT_DIFF_PIECES = 1 << 20 /* sentences of a text, or words of a differing part of it */
};

typedef enum twx_passage_kind {
    TWX_PASSAGE_BOTH,
    TWX_PASSAGE_ONLY_A,
    TWX_PASSAGE_ONLY_B
} twx_passage_kind;

/* Shape  in a passage that is only in b, a is empty but still points to its place in the text; the
 * same holds for b in a passage that is only in a.
 * Memory borrowed from the texts. */
typedef struct twx_passage {
    twx_passage_kind kind;
    twx_slice a, b;
} twx_passage;

typedef struct twx_text_diff {
    TWX_VEC(twx_passage) at;
    bool coarse;
} twx_text_diff;

/* Overwrites ret_diff; the caller calls twx_text_diff_done() at the end. Errors TWX_E_NOMEM, those
 * of twx_cancelled() */
TWX_CHECK twx_rc twx_text_diff_of(twx_ctx *cx, twx_slice a, twx_slice b, twx_text_diff *ret_diff);
void twx_text_diff_done(twx_text_diff *p);

#endif
