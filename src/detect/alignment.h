/* detect/alignment.h: how much of two texts is the same words in the same order, from a few hundred bytes of each.
 *
 * The measure people (and Perl's String::Similarity) judge near copies by is the longest common subsequence. Here it is taken
 * of words: 2 * LCS / (words of both), on a sample. A text's words are hashed; of a long text only those words are kept
 * whose hash ends in `level` zero bits, so that the same words are kept of any two texts and their order stays; a byte of
 * the hash stands for the word. Two texts sampled at different levels are compared at the coarser one.
 * Against 2 * LCS / (a + b) >= 0.8 on characters, this measure at 0.76 has F .95 to .99 on the labelled sets
 * (docs/detectors.md, "alignment").
 * Candidates come from a sketch of the text's pairs of neighbouring words (fast_sketch.h), 42 bands of 3 bytes: of texts
 * that share .35 of their pairs 84 % are found, of .5 99.6 %; texts at the threshold share .4 to .7.
 * Payload: words u32 | level u8 | sketch 126 | a byte for each word kept, at most 256. Little-endian; 390 bytes at most.
 * [R1] Symmetric. [R2] 1000000 for equal payloads. */
#ifndef TWX_DETECT_ALIGNMENT_H
#define TWX_DETECT_ALIGNMENT_H

#include "base/slice.h"
#include "detect/fast_sketch.h"

enum { TWX_ALIGNMENT_WORDS = 256, TWX_ALIGNMENT_BYTES = 5 + TWX_FAST_SKETCH + TWX_ALIGNMENT_WORDS };

/* Writes the payload of a text whose words have the hashes words[0..n), n >= 1; returns its bytes. `pairs` has room for n
 * hashes and is overwritten. */
size_t twx_alignment_of(const uint64_t *words, size_t n, uint64_t *pairs, unsigned char ret_payload[TWX_ALIGNMENT_BYTES]);
/* The share of words in common order, millionths; -1: less than least_ppm, or no payload of ours. */
int32_t twx_alignment_similarity(twx_slice a, twx_slice b, uint32_t least_ppm);

#endif
