/* The bytes are a record. Laws: reading ends, with TWX_DONE or TWX_E_CORRUPT; what is read lies
 * within the bytes; and what was read whole and is packed again gives the same bytes. */
#include "exact_copy.h"

#include "sign/sign.h"

static void pack_again(twx_ctx *cx, const twx_record_entry *e, twx_buf *out) {
    twx_signature s = {.payload = e->payload};
    for (size_t i = 0; i < e->n_keys; i++)
        law(twx_signature_add(cx, twx_record_key(e, i), &s) == TWX_OK);
    law(twx_record_add(cx, e->id, &s, out) == TWX_OK);
    TWX_VEC_DONE(&s.keys);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const twx_slice record = exact_copy(data, size);
    twx_ctx cx = {0};
    twx_buf again = {.max = SIZE_MAX};
    twx_record_entry e = {0}, found;
    twx_rc rc;
    for (twx_slice rest = record; (rc = twx_record_next(&cx, &rest, &e)) == TWX_OK;) {
        law(e.whole.p >= record.p && e.whole.n > 0 && e.whole.p + e.whole.n == rest.p &&
            rest.p + rest.n == record.p + size);
        pack_again(&cx, &e, &again);
        law(twx_record_find(&cx, record, e.id, &found) == TWX_OK && found.whole.p == e.whole.p);
    }
    law(rc == TWX_DONE || rc == TWX_E_CORRUPT);
    law(again.n <= size && (again.n == 0 || memcmp(again.p, record.p, again.n) == 0));
    law(rc != TWX_DONE || again.n == size);
    twx_buf_done(&again);
    free((void *)(uintptr_t)record.p);
    return 0;
}
