/* text/chunks.h: a text cut into chunks where its content says so: whoever inserts a few bytes
 * changes the chunks around them and no others, so two texts have the chunks of what they share in
 * common. A chunk ends behind the first place, TWX_CHUNK_MIN bytes after its start at the earliest,
 * where the hash of the last TWX_CHUNK_WINDOW bytes is 0 in its top 6 bits (one place in 64); when
 * none comes within TWX_CHUNK_MAX bytes, at the last place where it is 0 in its top 5; else after
 * TWX_CHUNK_MAX bytes. On average some 95 bytes: a line or two.
 * [R1] The chunks of a text are the text, in order and without gaps. [R2] Where a chunk ends
 * depends on nothing but the bytes from its start on. Linear, whatever the bytes are.
 * Source: Eshghi and Tang, HPL-2005-30 (TTTD: two thresholds, two divisors); Forman, Eshghi,
 * Chiocchetti, KDD 2005. */
#ifndef TWX_TEXT_CHUNKS_H
#define TWX_TEXT_CHUNKS_H

#include "base/arena.h"

enum { TWX_CHUNK_MIN = 32, TWX_CHUNK_MAX = 256, TWX_CHUNK_WINDOW = 16, TWX_CHUNK_LENGTH_BITS = 16 };

/* Bytes of the chunk at the start of the text, TWX_CHUNK_MIN..TWX_CHUNK_MAX; fewer when the text
 * ends; 0: it is empty. */
size_t twx_chunk_length(twx_slice text);

/* Shape  at[0..n) ascending, none twice: 48 bits of the chunk's hash above 16 of its length */
typedef struct twx_chunks {
    const uint64_t *at;
    size_t n;
    size_t all; /* distinct chunks of the text; n when none were left out */
} twx_chunks;

/* The distinct chunks of a text, of more than `most` those with the smallest hashes: a sample that
 * two texts draw alike.
 * Memory: in scratch, up to 16 bytes for each TWX_CHUNK_MIN bytes of text. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_chunks_of(twx_ctx *cx, twx_arena *scratch, twx_slice text, size_t most,
                               twx_chunks *ret_chunks);

#endif
