/* sign/alignment.h: estimates the similarity of two texts from a few hundred bytes of each.
 *
 * Near-duplicates are defined by 2 * LCS / (a + b) on characters (Perl's String::Similarity); LCS
 * is the length of a longest common subsequence. Here the LCS is computed on a sample of words.
 * Each word is represented by a byte of its hash. Of a long text only the words whose hash ends in
 * `level` zero bits are kept, so that the same words are kept of any two texts, in their order. Two
 * texts sampled at different levels are compared at the coarser one. Letters (ASCII letters and
 * digits, and all characters beyond ASCII) and the other characters (white space, punctuation,
 * markup), in 15 classes, are counted.
 *
 * Let a be the characters of both texts, l the letters of the text that has fewer of them, n its
 * kept words, k <= l the smaller count of ASCII letters plus that of letters beyond ASCII, o the
 * other characters of the text that has fewer of them, and m <= o the sum over the classes of the
 * smaller count.
 *   r = 2 (k + m) / a                               upper bound from the counts
 *   x = 2 (o - m) / a                               other characters that the counts exclude
 *   d = 2 (l (1 - LCS / n) - (l - k)) / a           words that are not aligned, at least 0
 * The estimate is r - 2 x - .65 d - 1.2 min(d, .22)^2. Two different words share letters, so a
 * small d costs less than d; where much differs, more is out of order. Words of another script
 * share none: they are not in k, and are not counted twice.
 * For a sample, n is random: it is averaged with n' l / l', the number that the other text's words
 * predict; and the sketch provides a second estimate. Let c be the share of its pairs of
 * neighbouring words that the text with fewer letters has in common with the other. A changed word
 * breaks at most two pairs, so with b = (1 - c) / 2 the share 1 - LCS / n is replaced by max(1 -
 * LCS / n, b) + b / 10; and the estimate is lowered by x / 2 and .3 (1 - r). A document that is
 * hidden because an estimate was too high is lost, so the weights are conservative. They were
 * fitted on 40 000 pairs of three crawls and three labelled sets (docs/detectors.md).
 *
 * Candidates come from the sketch of the text's pairs of neighbouring words (pair_sketch.h), by
 * bands whose number and length depend on the number of documents (group/bands.h, which says how
 * many pairs are found). Texts at the threshold share .4 to .7 of their pairs. Short texts at the
 * threshold share fewer, down to .32, because a changed word breaks two of few pairs: texts of at
 * most 100 words have more bands, and payloads without the sketch, which is made of their words.
 * Payload: characters of the text u32 | its letters u32 | level u8 | letters beyond ASCII, in
 * 255ths of the letters u8 | the classes, in 255ths of the other characters 15 | a byte for each
 * word kept, at most 256 | the sketch 128, or, of at most 100 words, bits 8 and 9 of the hash of
 * each word, four words a byte, low bits first. Little-endian.
 * [R1] Symmetric.
 * [R2] 1000000 for equal payloads. */
#ifndef TWX_SIGN_ALIGNMENT_H
#define TWX_SIGN_ALIGNMENT_H

#include <stddef.h>

#include "base/slice.h"
#include "group/bands.h"

enum {
    TWX_ALIGNMENT_WORDS = 256,
    TWX_ALIGNMENT_CLASSES = 15,
    TWX_ALIGNMENT_BYTES = 9 + 1 + TWX_ALIGNMENT_CLASSES + TWX_ALIGNMENT_WORDS + TWX_SKETCH_BYTES
};

/* A text as its words' hashes and its numbers of characters.
 * Shape  words[0..n), n >= 1; wide: the letters beyond ASCII; others: the characters that are not
 * letters, by class */
typedef struct twx_worded {
    const uint64_t *words;
    size_t n, letters, wide;
    uint64_t others[TWX_ALIGNMENT_CLASSES];
} twx_worded;

/* Writes the payload and returns its length. `pairs` has room for n hashes and is overwritten. */
size_t twx_alignment_of(const twx_worded *text, uint64_t *pairs,
                        unsigned char ret_payload[TWX_ALIGNMENT_BYTES]);
/* The estimate in millionths; -1: less than least_ppm, or a payload of another format. */
int32_t twx_alignment_similarity(twx_slice a, twx_slice b, uint32_t least_ppm);

enum { TWX_ALIGNMENT_SUMMARY = 64 };
/* Fills TWX_ALIGNMENT_SUMMARY bytes, one cache line, from a payload. */
void twx_alignment_summarize(twx_slice payload, unsigned char *ret_summary);
/* Whether the estimate of two payloads may reach least_ppm, by their summaries: an upper bound.
 * [R3] true if twx_alignment_similarity() is not -1. */
bool twx_alignment_may_reach(const unsigned char *a, const unsigned char *b, uint32_t least_ppm);

#endif
