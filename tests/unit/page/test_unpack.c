/* unpack: packed bytes, found by content, cut, damaged and too long. */
#include "support.h"

#include <zlib.h>
#include <zstd.h>

#include "page/page.h"

static const char TEXT[] = "the tide rises, the tide falls; the tide rises, the tide falls";

typedef struct packed {
    const char *name;
    unsigned char p[400];
    size_t n;
} packed;

static void deflate_as(packed *to, const char *name, int window_bits) {
    z_stream z = {.next_in = (Bytef *)(uintptr_t)TEXT, .avail_in = sizeof TEXT - 1};
    to->name = name;
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_out = to->p;
    z.avail_out = sizeof to->p;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    to->n = sizeof to->p - z.avail_out;
    deflateEnd(&z);
}

/* What Node.js (zlib.brotliCompressSync) makes of TEXT. */
static const unsigned char BROTLI[] = {
    0x1b, 0x3d, 0x00, 0xf8, 0x1d, 0x09, 0x36, 0x4e, 0x74, 0x6f, 0x24, 0x86, 0xd7, 0x68,
    0x69, 0x72, 0x74, 0x12, 0x84, 0x6c, 0x2e, 0xcb, 0x76, 0x58, 0xda, 0x81, 0x41, 0x88,
    0x79, 0x48, 0x0e, 0xf0, 0xc2, 0x2f, 0x3b, 0x6c, 0xe4, 0x0e, 0x47, 0x2e, 0x01};

static void unpacks(const packed *from, twx_coding coding, size_t cut, size_t cap,
                    twx_unpacked how) {
    twx_ctx cx = {0};
    twx_buf out = {.max = cap};
    twx_unpacked got = TWX_UNPACK_NONE;
    unsigned char *exact = malloc(from->n - cut); /* no slack: a sanitizer sees an over-read */
    memcpy(exact, from->p, from->n - cut);
    assert_ok(twx_unpack(&cx, (twx_slice){(char *)exact, from->n - cut}, coding, &out, &got));
    if (got != how)
        fail_msg("%s, %zu bytes cut, cap %zu: outcome %d, wanted %d", from->name, cut, cap, got,
                 how);
    assert_true(out.n <= cap);
    if (how == TWX_UNPACK_NONE) assert_int_equal(out.n, 0);
    if (how == TWX_UNPACKED) assert_string_equal(out.p, TEXT);
    if (out.n) assert_memory_equal(out.p, TEXT, out.n < sizeof TEXT - 1 ? out.n : sizeof TEXT - 1);
    twx_buf_done(&out);
    free(exact);
}

TEST(r1_codings_are_found_by_content) {
    packed gzip, zlib, raw, zstd = {.name = "zstd"},
                            brotli = {.name = "brotli", .n = sizeof BROTLI};
    deflate_as(&gzip, "gzip", 15 + 16);
    deflate_as(&zlib, "zlib", 15);
    deflate_as(&raw, "raw deflate", -15);
    zstd.n = ZSTD_compress(zstd.p, sizeof zstd.p, TEXT, sizeof TEXT - 1, 3);
    memcpy(brotli.p, BROTLI, sizeof BROTLI);
    const packed *all[] = {&gzip, &zlib, &zstd, &brotli};
    for (size_t i = 0; i < TWX_COUNTOF(all); i++) {
        unpacks(all[i], TWX_CODING_ANY, 0, sizeof TEXT - 1, TWX_UNPACKED);
        unpacks(all[i], TWX_CODING_ANY, 0, sizeof TEXT - 2, TWX_UNPACK_TOO_LONG);
    }
    unpacks(&gzip, TWX_CODING_ANY, 9, 1000, TWX_UNPACK_DAMAGED);
    unpacks(&zlib, TWX_CODING_ANY, 9, 1000, TWX_UNPACK_NONE); /* may be anything */
    unpacks(&zlib, TWX_CODING_DEFLATE, 9, 1000, TWX_UNPACK_DAMAGED);
    unpacks(&raw, TWX_CODING_DEFLATE, 0, 1000, TWX_UNPACKED);
    unpacks(&brotli, TWX_CODING_BROTLI, 0, 1000, TWX_UNPACKED);
    packed plain = {.name = "plain", .n = 40};
    memcpy(plain.p, TEXT, plain.n);
    unpacks(&plain, TWX_CODING_ANY, 0, 1000, TWX_UNPACK_NONE);
    unpacks(&plain, TWX_CODING_GZIP, 0, 1000, TWX_UNPACK_NONE);
    static const unsigned char OTHERS[][2] = {
        {0x79, 0x9c}, {0x88, 0x1c}, {0x78, 0x9d}, {0x78, 0xbb}};
    for (size_t i = 0; i < TWX_COUNTOF(OTHERS); i++) { /* no headers of zlib */
        packed other = zlib;
        memcpy(other.p, OTHERS[i], 2);
        unpacks(&other, TWX_CODING_ANY, 0, 1000, TWX_UNPACK_NONE);
    }
    packed two = gzip;
    memcpy(two.p + gzip.n, gzip.p, gzip.n);
    two.n += gzip.n;
    unpacks(&two, TWX_CODING_GZIP, gzip.n, 1000, TWX_UNPACKED);
    unpacks(&two, TWX_CODING_GZIP, 0, sizeof TEXT, TWX_UNPACK_TOO_LONG);
}

/* Hundreds of megabytes in few bytes end at the cap. */
TEST(r2_a_bomb_ends_at_the_cap) {
    twx_ctx cx = {0};
    twx_buf out = {.max = 1 << 20};
    twx_unpacked how = TWX_UNPACK_NONE;
    size_t n = 64 << 20;
    uLongf packed_n = compressBound(n);
    unsigned char *zeros = calloc(1, n), *bomb = malloc(packed_n);
    assert_int_equal(compress(bomb, &packed_n, zeros, n), Z_OK);
    assert_ok(twx_unpack(&cx, (twx_slice){(char *)bomb, packed_n}, TWX_CODING_ANY, &out, &how));
    assert_int_equal(how, TWX_UNPACK_TOO_LONG);
    assert_int_equal(out.n, 1 << 20);
    assert_true(out.cap <= 2 << 20);
    twx_buf_done(&out);
    free(zeros);
    free(bomb);
}

TEST(codings_have_names) {
    twx_coding coding = TWX_CODING_ANY;
    assert_true(twx_coding_of(TWX_SLICE_LIT("X-GZIP"), &coding));
    assert_int_equal(coding, TWX_CODING_GZIP);
    assert_true(twx_coding_of(TWX_SLICE_LIT("zstd"), &coding));
    assert_int_equal(coding, TWX_CODING_ZSTD);
    assert_false(twx_coding_of(TWX_SLICE_LIT("compress"), &coding));
}
