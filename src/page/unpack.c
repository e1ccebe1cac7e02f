#include "page/page.h"

#include <brotli/decode.h>
#include <limits.h>
#include <zlib.h>
#include <zstd.h>

enum {
    PIECE = 1 << 14,
    RAW_WINDOW = -15,
    ZLIB_WINDOW = 15,
    GZIP_WINDOW = 15 + 16,
    /* RFC 8878 recommends that decoders support 8 MiB, and browsers allow no more */
    ZSTD_WINDOW_LOG = 23
};

/* Where the next piece of output goes: PIECE bytes, or what remains below the limit; when nothing
 * does, a spare byte that reveals an excess. */
typedef struct piece {
    unsigned char *to;
    size_t n;
    unsigned char spare;
} piece;

static twx_rc piece_begin(twx_ctx *cx, twx_buf *out, piece *p) {
    const size_t left = out->max - out->n, room = left < PIECE ? left : PIECE;
    const twx_rc rc = twx_buf_reserve(cx, out, room);
    p->to = room ? (unsigned char *)out->p + out->n : &p->spare;
    p->n = room ? room : 1;
    return rc;
}

/* n bytes were written. true: that is too long */
static bool piece_end(twx_buf *out, const piece *p, size_t n) {
    if (p->to == &p->spare) return n > 0;
    out->n += n;
    out->p[out->n] = '\0';
    return false;
}

/* any: some bytes could be unpacked, or a part that is complete. */
static twx_unpacked how_of(bool too_long, bool complete, bool any) {
    return too_long   ? TWX_UNPACK_TOO_LONG
           : complete ? TWX_UNPACKED
           : any      ? TWX_UNPACK_DAMAGED
                      : TWX_UNPACK_NONE;
}

static twx_rc out_of_memory(twx_ctx *cx) {
    return twx_fail(cx, TWX_E_NOMEM, "out of memory for unpacking");
}

/* ---- gzip, zlib, deflate ------------------------------------------------ */

static twx_rc inflate_all(twx_ctx *cx, twx_slice packed, int window_bits, twx_buf *out,
                          twx_unpacked *ret_how) {
    z_stream z = {.next_in = (Bytef *)(uintptr_t)packed.p, .avail_in = (uInt)packed.n};
    size_t from = out->n;
    bool too_long = false;
    int status = inflateInit2(&z, window_bits);
    if (status != Z_OK) return out_of_memory(cx);
    twx_rc rc = TWX_OK;
    bool first = false; /* a complete member was decompressed */
    while (rc == TWX_OK && status == Z_OK && !too_long) {
        piece p;
        rc = piece_begin(cx, out, &p);
        if (rc != TWX_OK) break;
        z.next_out = p.to;
        z.avail_out = (uInt)p.n;
        status = inflate(&z, Z_NO_FLUSH);
        too_long = piece_end(out, &p, p.n - z.avail_out);
        if (status != Z_STREAM_END) continue;
        first = true;
        /* another gzip member follows */
        if (window_bits == GZIP_WINDOW && z.avail_in > 2 && z.next_in[0] == 0x1F &&
            z.next_in[1] == 0x8B && inflateReset(&z) == Z_OK)
            status = Z_OK;
    }
    inflateEnd(&z);
    *ret_how = how_of(too_long, status == Z_STREAM_END, first || out->n > from);
    return rc == TWX_OK && status == Z_MEM_ERROR ? out_of_memory(cx) : rc;
}

static twx_rc gunzip(twx_ctx *cx, twx_slice packed, twx_buf *out, twx_unpacked *ret_how) {
    return inflate_all(cx, packed, GZIP_WINDOW, out, ret_how);
}

static twx_rc unzlib(twx_ctx *cx, twx_slice packed, twx_buf *out, twx_unpacked *ret_how) {
    const unsigned method = packed.n > 1 ? (unsigned char)packed.p[0] : 0,
                   flags = packed.n > 1 ? (unsigned char)packed.p[1] : 0;
    *ret_how = TWX_UNPACK_NONE;
    if ((method & 15) != 8 || method >> 4 > 7 || (method << 8 | flags) % 31 != 0 || flags & 32)
        return TWX_OK; /* it has no header */
    return inflate_all(cx, packed, ZLIB_WINDOW, out, ret_how);
}

/* "deflate" means zlib in the standard, but some servers send raw deflate. */
static twx_rc undeflate(twx_ctx *cx, twx_slice packed, twx_buf *out, twx_unpacked *ret_how) {
    twx_rc rc = unzlib(cx, packed, out, ret_how);
    return rc == TWX_OK && *ret_how == TWX_UNPACK_NONE
               ? inflate_all(cx, packed, RAW_WINDOW, out, ret_how)
               : rc;
}

static twx_rc unbrotli(twx_ctx *cx, twx_slice packed, twx_buf *out, twx_unpacked *ret_how) {
    BrotliDecoderState *state = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    const uint8_t *from = (const uint8_t *)packed.p;
    size_t left = packed.n, start = out->n;
    bool too_long = false;
    if (!state) return out_of_memory(cx);
    twx_rc rc = TWX_OK;
    BrotliDecoderResult status = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
    while (rc == TWX_OK && status == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT && !too_long) {
        piece p;
        rc = piece_begin(cx, out, &p);
        if (rc != TWX_OK) break;
        uint8_t *to = p.to;
        size_t free_bytes = p.n;
        status = BrotliDecoderDecompressStream(state, &left, &from, &free_bytes, &to, NULL);
        too_long = piece_end(out, &p, p.n - free_bytes);
    }
    BrotliDecoderDestroyInstance(state);
    *ret_how = how_of(too_long, status == BROTLI_DECODER_RESULT_SUCCESS, out->n > start);
    /* trailing bytes */
    if (*ret_how == TWX_UNPACKED && left > 0) *ret_how = TWX_UNPACK_DAMAGED;
    return rc;
}

static twx_rc unzstd(twx_ctx *cx, twx_slice packed, twx_buf *out, twx_unpacked *ret_how) {
    ZSTD_DCtx *state = ZSTD_createDCtx();
    ZSTD_inBuffer in = {.src = packed.p, .size = packed.n};
    size_t start = out->n, status = 1;
    bool too_long = false, stuck = false; /* stuck: at the end of the last frame, or truncated */
    if (!state) return out_of_memory(cx);
    twx_rc rc = TWX_OK;
    status = ZSTD_DCtx_setParameter(state, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG);
    while (rc == TWX_OK && !ZSTD_isError(status) && !too_long && !stuck) {
        const size_t before = in.pos;
        piece p;
        rc = piece_begin(cx, out, &p);
        if (rc != TWX_OK) break;
        ZSTD_outBuffer to = {.dst = p.to, .size = p.n};
        status = ZSTD_decompressStream(state, &to, &in);
        too_long = piece_end(out, &p, ZSTD_isError(status) ? 0 : to.pos);
        stuck = (to.pos == 0 && in.pos == before) || (status == 0 && in.pos == in.size);
    }
    ZSTD_freeDCtx(state);
    *ret_how = how_of(too_long, status == 0 && in.pos == in.size, out->n > start);
    return rc;
}

typedef twx_rc unpack_fn(twx_ctx *cx, twx_slice packed, twx_buf *out, twx_unpacked *ret_how);

/* A coding without a magic number counts only if all of the bytes form one valid stream. */
static twx_rc try_unmarked(twx_ctx *cx, twx_slice packed, unpack_fn *fn, twx_buf *out,
                           twx_unpacked *ret_how) {
    size_t from = out->n;
    twx_rc rc = fn(cx, packed, out, ret_how);
    if (rc != TWX_OK || *ret_how == TWX_UNPACKED || *ret_how == TWX_UNPACK_TOO_LONG) return rc;
    out->n = from;
    if (out->p) out->p[from] = '\0';
    *ret_how = TWX_UNPACK_NONE;
    return rc;
}

static twx_rc unpack_any(twx_ctx *cx, twx_slice packed, twx_buf *out, twx_unpacked *ret_how) {
    if (twx_slice_starts(packed, TWX_SLICE_LIT("\x1F\x8B")))
        return gunzip(cx, packed, out, ret_how);
    if (twx_slice_starts(packed, TWX_SLICE_LIT("\x28\xB5\x2F\xFD")))
        return unzstd(cx, packed, out, ret_how);
    twx_rc rc = try_unmarked(cx, packed, unzlib, out, ret_how);
    if (rc != TWX_OK || *ret_how != TWX_UNPACK_NONE) return rc;
    return try_unmarked(cx, packed, unbrotli, out, ret_how);
}

bool twx_coding_of(twx_slice name, twx_coding *ret_coding) {
    static const struct {
        const char *name;
        twx_coding coding;
    } CODINGS[] = {{"gzip", TWX_CODING_GZIP},
                   {"x-gzip", TWX_CODING_GZIP},
                   {"deflate", TWX_CODING_DEFLATE},
                   {"br", TWX_CODING_BROTLI},
                   {"zstd", TWX_CODING_ZSTD}};
    for (size_t i = 0; i < TWX_COUNTOF(CODINGS); i++) {
        if (!twx_slice_eq_nocase(name, twx_slice_of(CODINGS[i].name))) continue;
        *ret_coding = CODINGS[i].coding;
        return true;
    }
    return false;
}

twx_rc twx_unpack(twx_ctx *cx, twx_slice packed, twx_coding coding, twx_buf *out,
                  twx_unpacked *ret_how) {
    static unpack_fn *const UNPACK[] = {[TWX_CODING_ANY] = unpack_any,
                                        [TWX_CODING_GZIP] = gunzip,
                                        [TWX_CODING_DEFLATE] = undeflate,
                                        [TWX_CODING_BROTLI] = unbrotli,
                                        [TWX_CODING_ZSTD] = unzstd};
    *ret_how = TWX_UNPACK_NONE;
    if (packed.n == 0) return TWX_OK;
    if (packed.n > UINT_MAX)
        return twx_fail(cx, TWX_E_LIMIT, "%zu bytes are too many to unpack", packed.n);
    return UNPACK[coding](cx, packed, out, ret_how);
}
