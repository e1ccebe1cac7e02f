/* The bytes are a record. Laws: it is read or refused as corrupt; what is read lies in the bytes
 * or the struct; and its signatures, packed again, give a record that is read as the same and is
 * packed as the same bytes. */
#include "exact_copy.h"

#include "sign/internal.h"

static twx_ctx cx;

static void pack_again(const twx_record *r, twx_buf *ret_bytes) {
    twx_buf entries = {.max = SIZE_MAX / 2};
    for (size_t i = 0; i < r->n; i++) {
        twx_signature s = {.payload = r->at[i].payload};
        for (size_t k = 0; k < r->at[i].n_keys; k++)
            law(twx_signature_add(&cx, twx_record_key(&r->at[i], k), &s) == TWX_OK);
        law(twx_entry_add(&cx, r->at[i].id, &s, &entries) == TWX_OK);
        TWX_VEC_DONE(&s.keys);
    }
    *ret_bytes = (twx_buf){.max = SIZE_MAX / 2};
    law(twx_record_pack(&cx, twx_buf_slice(&entries), ret_bytes) == TWX_OK);
    twx_buf_done(&entries);
}

static void check(twx_slice bytes) {
    twx_record r, back;
    twx_buf again, third;
    const twx_rc rc = twx_record_read(&cx, bytes, &r);
    law(rc == TWX_OK || (rc == TWX_E_CORRUPT && cx.message[0]));
    twx_ctx_clear(&cx);
    if (rc != TWX_OK) return;
    for (size_t i = 0; i < r.n; i++) {
        law(i == 0 || r.at[i - 1].id < r.at[i].id);
        law(twx_record_find(&r, r.at[i].id) == &r.at[i]);
        law(lies_in(r.at[i].payload, bytes) ||
            lies_in(r.at[i].payload, (twx_slice){r.payloads, sizeof r.payloads}));
    }
    pack_again(&r, &again);
    law(again.n <= bytes.n && twx_record_read(&cx, twx_buf_slice(&again), &back) == TWX_OK);
    law(back.n == r.n);
    for (size_t i = 0; i < r.n; i++)
        law(back.at[i].id == r.at[i].id && back.at[i].n_keys == r.at[i].n_keys &&
            twx_slice_eq(back.at[i].payload, r.at[i].payload));
    pack_again(&back, &third);
    law(twx_slice_eq(twx_buf_slice(&again), twx_buf_slice(&third)));
    twx_buf_done(&again);
    twx_buf_done(&third);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const twx_slice bytes = exact_copy(data, size);
    check(bytes);
    return exact_end();
}
