/* detect/alignment.h: how similar two texts are, estimated from a few hundred bytes of each.
 *
 * The measure near copies are judged by is 2 * LCS / (a + b) on characters (Perl's String::Similarity), LCS being the length of
 * a longest common subsequence. Here the LCS is one of words, on a sample. A text's words are hashed; of a long text only
 * those words are kept whose hash ends in `level` zero bits, so that the same words are kept of any two texts and their
 * order stays; a byte of the hash stands for the word. Two texts sampled at different levels are compared at the coarser one.
 * With u = 2 * LCS / (words of both) and r = 2 * shorter / (a + b), the most that two texts of these lengths can reach, the
 * similarity is taken for 3/4 u + 1/4 r: where words are replaced, some of their characters still fall into line; where
 * words are missing, none do. On the labelled sets the estimate at 0.8 tells pairs of 0.8 and more from others with F .96
 * and better (docs/detectors.md, "alignment").
 * Candidates come from a sketch of the text's pairs of neighbouring words (minhash.h), 42 bands of 3 bytes: of texts that
 * share .35 of their pairs 84 % are found, of .5 99.6 %; texts at the threshold share .4 to .7.
 * Payload: bytes of the text u32 | level u8 | sketch 128 | a byte for each word kept, at most 256. Little-endian.
 * [R1] Symmetric. [R2] 1000000 for equal payloads. */
#ifndef TWX_DETECT_ALIGNMENT_H
#define TWX_DETECT_ALIGNMENT_H

#include <stddef.h>

#include "base/slice.h"
#include "detect/minhash.h"

enum { TWX_ALIGNMENT_WORDS = 256, TWX_ALIGNMENT_BYTES = 5 + TWX_MINHASH_BYTES + TWX_ALIGNMENT_WORDS };

/* A text as its words' hashes. Shape  words[0..n), n >= 1; bytes: its length */
typedef struct twx_worded {
    const uint64_t *words;
    size_t n, bytes;
} twx_worded;

/* Writes the payload, returns its bytes. `pairs` has room for n hashes and is overwritten. */
size_t twx_alignment_of(const twx_worded *text, uint64_t *pairs, unsigned char ret_payload[TWX_ALIGNMENT_BYTES]);
/* The estimate in millionths; -1: less than least_ppm, or no payload of ours. */
int32_t twx_alignment_similarity(twx_slice a, twx_slice b, uint32_t least_ppm);

#endif
