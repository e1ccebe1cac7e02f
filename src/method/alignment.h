/* method/alignment.h: how similar two texts are, estimated from a few hundred bytes of each.
 *
 * The measure near copies are judged by is 2 * LCS / (a + b) on characters (Perl's
  * String::Similarity), LCS being the length of
 * a longest common subsequence. Here the LCS is one of words, on a sample. A text's words are
  * hashed; of a long text only
 * those words are kept whose hash ends in `level` zero bits, so that the same words are kept of any
  * two texts and their
 * order stays; a byte of the hash stands for the word. Two texts sampled at different levels are
  * compared at the coarser one.
 * With u = 2 * LCS / (words of both), less a tenth of the rest when the words are a sample (bytes
  * match by chance), the characters
 * of words are taken to be aligned for 3/4 u + 1/4 r, r = 2 * shorter / both: where words are
  * replaced, some of their characters still
 * fall into line. The other characters (white space, punctuation, markup) are aligned as far as the
  * text that has fewer of them goes.
 * The share of aligned characters is s; the estimate is s - (1 - s) / 5, of a sample s - 3 (1 - s)
  * / 10: a document that is
 * hidden because an estimate was too high is lost, so it keeps to the cautious side. The weights
  * were fitted on 8 000 pairs of four sets (docs/detectors.md, "alignment").
 * Candidates come from a sketch of the text's pairs of neighbouring words (minhash.h), 42 bands of
  * 3 bytes: of texts that
 * share .35 of their pairs 84 % are found, of .5 99.6 %; texts at the threshold share .4 to .7.
 * Payload: characters of the text u32 | characters of its words u32 | level u8 | sketch 128 | a
  * byte for each word kept, at most 256. Little-endian.
 * [R1] Symmetric. [R2] 1000000 for equal payloads. */
#ifndef TWX_METHOD_ALIGNMENT_H
#define TWX_METHOD_ALIGNMENT_H

#include <stddef.h>

#include "base/slice.h"
#include "method/minhash.h"

enum {
    TWX_ALIGNMENT_WORDS = 256,
    TWX_ALIGNMENT_BYTES = 9 + TWX_MINHASH_BYTES + TWX_ALIGNMENT_WORDS
};

/* A text as its words' hashes. Shape  words[0..n), n >= 1; chars: characters of the text,
 * word_chars: of its words (UTF-16 units) */
typedef struct twx_worded {
    const uint64_t *words;
    size_t n, chars, word_chars;
} twx_worded;

/* Writes the payload, returns its bytes. `pairs` has room for n hashes and is overwritten. */
size_t twx_alignment_of(const twx_worded *text, uint64_t *pairs,
                        unsigned char ret_payload[TWX_ALIGNMENT_BYTES]);
/* The estimate in millionths; -1: less than least_ppm, or no payload of ours. */
int32_t twx_alignment_similarity(twx_slice a, twx_slice b, uint32_t least_ppm);

#endif
