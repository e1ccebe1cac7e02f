/* The bytes are a packed row of twindex_signature, and facts and keys divided by the first byte.
 * Laws: a row is unpacked or refused as corrupt; what it unpacks to, and any facts and keys, come
 * back when they are packed and unpacked. */
#include "exact_copy.h"

#include "store/store.h"

static twx_ctx cx;

static void check_pair(twx_slice facts, twx_slice keys) {
    twx_buf packed = {.max = SIZE_MAX / 2}, room;
    twx_slice facts_back, keys_back;
    twx_buf_init(&room, SIZE_MAX / 2);
    law(twx_row_pack(&cx, facts, keys, &packed) == TWX_OK);
    const twx_slice copy = exact_copy((const uint8_t *)packed.p, packed.n);
    law(twx_row_unpack(&cx, copy, &room, &facts_back, &keys_back) == TWX_OK);
    law(twx_slice_eq(facts, facts_back) && twx_slice_eq(keys, keys_back));
    free((void *)(uintptr_t)copy.p);
    twx_buf_done(&packed);
    twx_buf_done(&room);
}

static void check_row(twx_slice row) {
    twx_buf room = {.max = SIZE_MAX / 2};
    twx_slice facts, keys;
    const twx_rc rc = twx_row_unpack(&cx, row, &room, &facts, &keys);
    law(rc == TWX_OK || (rc == TWX_E_CORRUPT && cx.message[0]));
    twx_ctx_clear(&cx);
    if (rc == TWX_OK) check_pair(facts, keys);
    twx_buf_done(&room);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const twx_slice row = exact_copy(data, size);
    check_row(row);
    if (size) {
        const size_t cut = (size - 1) * data[0] / 255;
        check_pair(twx_slice_sub(row, 1, 1 + cut), twx_slice_sub(row, 1 + cut, size));
    }
    free((void *)(uintptr_t)row.p);
    return 0;
}
