/* page/unpack.h: decompresses gzip (with any number of members), zlib and raw deflate, brotli,
 * zstd.
 * [R1] The coding is given by the caller or, with TWX_CODING_ANY, detected from the content: gzip
 * and zstd by their magic numbers, zlib by its header and a stream that decodes. Brotli has no
 * magic number, so it is tried last and counts only if all bytes form one stream.
 * [R2] The output has at most out->max bytes; memory stays below twice that (plus 8 MiB for the
 * window of zstd).
 * Memory: `out` is initialised by the caller (twx_buf_init); the result is appended to it. */
#ifndef TWX_PAGE_UNPACK_H
#define TWX_PAGE_UNPACK_H

#include "base/buf.h"

typedef enum twx_coding {
    TWX_CODING_ANY,
    TWX_CODING_GZIP,
    TWX_CODING_DEFLATE, /* zlib, or raw deflate as some servers send it */
    TWX_CODING_BROTLI,
    TWX_CODING_ZSTD
} twx_coding;

typedef enum twx_unpacked {
    TWX_UNPACKED,
    TWX_UNPACK_NONE,    /* not compressed with (any) such coding; `out` is unchanged */
    TWX_UNPACK_DAMAGED, /* truncated or damaged: `out` has what was decompressed before */
    TWX_UNPACK_TOO_LONG /* larger than out->max: `out` has the beginning */
} twx_unpacked;

/* The coding of a Content-Encoding value: gzip, x-gzip, deflate, br or zstd, in any case. false:
 * another coding. */
bool twx_coding_of(twx_slice name, twx_coding *ret_coding);
/* packed is borrowed. Errors TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_unpack(twx_ctx *cx, twx_slice packed, twx_coding coding, twx_buf *out,
                            twx_unpacked *ret_how);

#endif
