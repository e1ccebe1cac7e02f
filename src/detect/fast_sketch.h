/* detect/fast_sketch.h: one byte for each of TWX_FAST_SKETCH places, by which the share of elements that two sets have in common
 * is estimated; sets of any two sizes can be compared.
 * Source: Dahlgaard, Knudsen, Thorup, "Fast Similarity Sketching", FOCS 2017, section 2: in round r every element falls into
 * one random place; a place keeps the smallest value of the first round that reached it. Large sets fill all places in the
 * first round, one hash an element; small ones go on for more rounds, so that two sets of twenty elements are compared as
 * finely as minhash with as many permutations would. From round TWX_FAST_SKETCH on, place r takes the smallest of all.
 * A byte of each value is kept (Li and Konig, WWW 2010): two bytes agree with J + (1 - J) / 256.
 * [R1] Order and repetition of elements never matter. */
#ifndef TWX_DETECT_FAST_SKETCH_H
#define TWX_DETECT_FAST_SKETCH_H

#include <stddef.h>
#include <stdint.h>

enum { TWX_FAST_SKETCH = 126 };

/* Shape  set[0..n), hashes, repeats allowed, n >= 1; ret_sketch is all the memory used */
void twx_fast_sketch_of(const uint64_t *set, size_t n, unsigned char ret_sketch[TWX_FAST_SKETCH]);
/* Places that agree, 0..TWX_FAST_SKETCH. */
uint32_t twx_fast_sketch_equal(const unsigned char *a, const unsigned char *b);

#endif
