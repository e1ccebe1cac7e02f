/* The first byte names the coding. Laws: never more than the cap comes out; what does not unpack
 * leaks nothing; the same bytes under a larger cap begin with the same output. */
#include "exact_copy.h"
#include "page/page.h"

static twx_unpacked unpacked(twx_slice packed, twx_coding coding, size_t cap, twx_buf *out) {
    twx_ctx cx = {0};
    twx_unpacked how = TWX_UNPACK_NONE;
    twx_buf_init(out, cap);
    if (twx_unpack(&cx, packed, coding, out, &how) != TWX_OK) abort();
    if (out->n > cap || (how == TWX_UNPACK_NONE && out->n > 0)) abort();
    return how;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    twx_buf small, large;
    const twx_coding coding = size ? (twx_coding)(data[0] % (TWX_CODING_ZSTD + 1)) : TWX_CODING_ANY;
    const twx_slice packed = size ? exact_copy(data + 1, size - 1) : exact_copy(NULL, 0);
    const twx_unpacked first = unpacked(packed, coding, 100, &small);
    const twx_unpacked second = unpacked(packed, coding, 1 << 20, &large);
    /* ANY may take another coding when the first turns out to be damaged; zstd drops the block in
     * which it sees a damage */
    if (coding != TWX_CODING_ANY && coding != TWX_CODING_ZSTD) {
        if (first == TWX_UNPACKED && (second != TWX_UNPACKED || large.n != small.n)) abort();
        if (first == TWX_UNPACK_TOO_LONG && (large.n <= 100 || small.n != 100)) abort();
        if (small.n && memcmp(small.p, large.p, small.n) != 0) abort();
    }
    twx_buf_done(&small);
    twx_buf_done(&large);
    return exact_end();
}
