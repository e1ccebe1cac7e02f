/* tests/support/packed_record.h: records as judging gets them, made and read. */
#ifndef PACKED_RECORD_H
#define PACKED_RECORD_H

#include "support.h"

#include "sign/internal.h"

/* A record of no entries. */
#define NO_ENTRIES TWX_SLICE_LIT("\0")

/* Appends an entry with one key without a check. */
static inline void add_entry_to(twx_buf *entries, uint8_t id, uint64_t key, const char *payload) {
    twx_ctx cx = {0};
    twx_signature s = {.payload = twx_slice_of(payload)};
    assert_int_equal(twx_signature_add(&cx, (twx_key){.key = key}, &s), TWX_OK);
    assert_int_equal(twx_entry_add(&cx, id, &s, entries), TWX_OK);
    TWX_VEC_DONE(&s.keys);
}

/* Makes a record of the entries, which it forgets. */
static inline void pack_record(twx_buf *entries, twx_buf *ret_record) {
    twx_ctx cx = {0};
    twx_buf_clear(ret_record);
    assert_int_equal(twx_record_pack(&cx, twx_buf_slice(entries), ret_record), TWX_OK);
    twx_buf_clear(entries);
}

/* The entry of a detector in a sound record; NULL: there is none. room: what is borrowed. */
static inline const twx_record_entry *entry_in(twx_record *room, const twx_buf *record,
                                               uint8_t id) {
    twx_ctx cx = {0};
    assert_int_equal(twx_record_read(&cx, twx_buf_slice(record), room), TWX_OK);
    return twx_record_find(room, id);
}

#endif
