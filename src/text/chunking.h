/* text/chunking.h: content-defined chunking: chunk boundaries depend on the content, so an
 * insertion changes only the chunks around it and two texts have the chunks of their common parts
 * in common.
 * A chunk ends after the first place, at least TWX_CHUNK_MIN bytes after its start, where the hash
 * of the last TWX_CHUNK_WINDOW bytes has its top 6 bits 0 (one place in 64). When there is none
 * within TWX_CHUNK_MAX bytes, it ends at the last place where the top 5 bits are 0, otherwise after
 * TWX_CHUNK_MAX bytes. The average is about 95 bytes, a line or two.
 * [R1] The chunks of a text are the text, in order and without gaps.
 * [R2] The end of a chunk depends only on the bytes from its start on. Time is linear for any
 * input.
 * Source: Eshghi and Tang, HPL-2005-30 (TTTD: two thresholds, two divisors); Forman, Eshghi,
 * Chiocchetti, KDD 2005. */
#ifndef TWX_TEXT_CHUNKING_H
#define TWX_TEXT_CHUNKING_H

#include "base/arena.h"

enum { TWX_CHUNK_MIN = 32, TWX_CHUNK_MAX = 256, TWX_CHUNK_WINDOW = 16, TWX_CHUNK_LENGTH_BITS = 16 };

/* Length of the chunk at the start of the text, TWX_CHUNK_MIN..TWX_CHUNK_MAX bytes; less at the end
 * of the text; 0 for an empty text. */
size_t twx_chunk_length(twx_slice text);

/* Shape  at[0..n) ascending, without repeats: 48 bits of the chunk's hash above 16 bits of its
 * length */
typedef struct twx_chunks {
    const uint64_t *at;
    size_t n;
    size_t all; /* distinct chunks of the text; n unless some were left out */
} twx_chunks;

/* The distinct chunks of a text. Of more than `most` the ones with the smallest hashes are kept, so
 * that two texts sample the same chunks.
 * Memory: in scratch, up to 16 bytes for each TWX_CHUNK_MIN bytes of text. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_chunks_of(twx_ctx *cx, twx_arena *scratch, twx_slice text, size_t most,
                               twx_chunks *ret_chunks);

#endif
