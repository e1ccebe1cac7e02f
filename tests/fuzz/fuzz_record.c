/* The bytes are a record. Laws: reading ends, with TWX_DONE or TWX_E_CORRUPT; what is read lies
 * within the bytes; and what was read whole and is packed again gives the same bytes. */

#include "sign/sign.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void law(bool holds) {
    if (!holds) abort();
}

static void pack_again(twx_ctx *cx, const twx_record_entry *e, twx_buf *out) {
    twx_signature s = {.payload = e->payload};
    for (size_t i = 0; i < e->n_keys; i++)
        law(twx_signature_add(cx, twx_record_key(e, i), &s) == TWX_OK);
    law(twx_record_add(cx, e->id, &s, out) == TWX_OK);
    TWX_VEC_DONE(&s.keys);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *bytes = malloc(size ? size : 1); /* no slack: a byte read too far is seen */
    twx_ctx cx = {0};
    twx_buf again = {.max = SIZE_MAX};
    twx_record_entry e = {0}, found;
    twx_rc rc;
    law(bytes != NULL);
    memcpy(bytes, data, size);
    const twx_slice record = {bytes, size};
    for (twx_slice rest = record; (rc = twx_record_next(&cx, &rest, &e)) == TWX_OK;) {
        law(e.whole.p >= bytes && e.whole.n > 0 && e.whole.p + e.whole.n == rest.p &&
            rest.p + rest.n == bytes + size);
        pack_again(&cx, &e, &again);
        law(twx_record_find(&cx, record, e.id, &found) == TWX_OK && found.whole.p == e.whole.p);
    }
    law(rc == TWX_DONE || rc == TWX_E_CORRUPT);
    law(again.n <= size && (again.n == 0 || memcmp(again.p, bytes, again.n) == 0));
    law(rc != TWX_DONE || again.n == size);
    twx_buf_done(&again);
    free(bytes);
    return 0;
}
