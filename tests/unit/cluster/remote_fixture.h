/* A list of documents of other shards, as servers send it. */
#ifndef TWINDEX_TEST_REMOTE_FIXTURE_H
#define TWINDEX_TEST_REMOTE_FIXTURE_H

#include "support.h"

#include "cluster/cluster.h"

/* Appends a row of remotes in sql/cluster/pull.sql. */
static inline void add_remote(twx_ctx *cx, twx_buf *rows, twx_uid uid, const twx_value *id,
                              const twx_preference *preference, uint32_t bits) {
    const twx_facts facts = {.bits = bits};
    unsigned char bytes[TWX_UID_BYTES];
    const twx_slice name = {(const char *)bytes, sizeof bytes};
    twx_buf rank = {.max = 1000};
    twx_uid_write(uid, bytes);
    assert_ok(twx_order_key_criteria(cx, &facts, preference, &(twx_order_values){0}, &rank));
    assert_ok(twx_order_key_id(cx, id, &rank));
    assert_ok(twx_buf_add_slice(cx, &rank, name));
    assert_ok(twx_row_add_string(cx, rows, name));
    assert_ok(twx_row_add_string(cx, rows, twx_buf_slice(&rank)));
    assert_ok(twx_row_add_number(cx, rows, twx_form_of(bits, preference), 1));
    twx_buf_done(&rank);
}

static inline twx_value id_of(int64_t i) {
    return (twx_value){.type = TWX_INT, .i = i};
}

#endif
