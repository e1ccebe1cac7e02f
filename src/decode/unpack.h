/* decode/unpack.h: compressed bytes unpacked: gzip (also several members), zlib and raw deflate,
 * brotli, zstd.
 * [R1] The coding is that of the caller or, with TWX_CODING_ANY, found by content: gzip and zstd by
 * their magic numbers, zlib by its header and a stream that decodes; brotli has no mark, so it is
 * tried last and only counts when all bytes form one stream.
 * [R2] At most out->max bytes come out; memory stays below twice that (and 8 MiB for the window of
 * zstd).
 * Memory: `out` is initialised by the caller (twx_buf_init); the result is added after its content.
 */
#ifndef TWX_DECODE_UNPACK_H
#define TWX_DECODE_UNPACK_H

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
    TWX_UNPACK_NONE,    /* not packed with (any) such coding; `out` is as it was */
    TWX_UNPACK_DAMAGED, /* cut or damaged: what came out before is there */
    TWX_UNPACK_TOO_LONG /* would pass out->max: the beginning is there */
} twx_unpacked;

/* The coding of a Content-Encoding value: gzip, x-gzip, deflate, br, zstd in any case. false:
 * another one. */
bool twx_coding_of(twx_slice name, twx_coding *ret_coding);
/* packed is borrowed. Errors TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_unpack(twx_ctx *cx, twx_slice packed, twx_coding coding, twx_buf *out,
                            twx_unpacked *ret_how);

#endif
