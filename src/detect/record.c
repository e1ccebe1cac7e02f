#include "detect/record.h"

#include "base/damaged_row.h"
#include "base/hash64.h"

enum { HEAD = 1 + 2 + 4, KEY = 8 + 8 };

twx_rc twx_record_add(twx_ctx *cx, uint8_t id, const twx_signature *signature, twx_buf *record) {
    const size_t n = signature->keys.n, payload = signature->payload.n;
    if (n == 0 && payload == 0) return TWX_OK;
    if (n > TWX_RECORD_KEYS_MAX || payload > UINT32_MAX)
        return twx_fail(cx, TWX_E_LIMIT, "a signature of %zu keys and %zu bytes is too large", n,
                        payload);
    twx_rc rc = twx_buf_reserve(cx, record, HEAD + n * KEY + payload);
    if (rc != TWX_OK) return rc;
    unsigned char bytes[KEY] = {id, (unsigned char)(n & 0xFF), (unsigned char)(n >> 8)};
    twx_store_le32(bytes + 3, (uint32_t)payload);
    rc = twx_buf_add(cx, record, bytes, HEAD);
    for (size_t i = 0; i < n && rc == TWX_OK; i++) {
        twx_store_le64(bytes, signature->keys.at[i].key);
        twx_store_le64(bytes + 8, signature->keys.at[i].check);
        rc = twx_buf_add(cx, record, bytes, KEY);
    }
    return rc == TWX_OK ? twx_buf_add_slice(cx, record, signature->payload) : rc;
}

twx_rc twx_record_next(twx_ctx *cx, twx_slice *rest, twx_record_entry *ret_entry) {
    if (rest->n == 0) return TWX_DONE;
    const unsigned char *p = (const unsigned char *)rest->p;
    if (rest->n < HEAD) return twx_fail(cx, TWX_E_CORRUPT, TWX_DAMAGED_ROW "keys is cut short");
    const uint16_t n_keys = (uint16_t)(p[1] | p[2] << 8);
    const uint32_t payload = twx_load_le32(p + 3);
    const size_t keys = (size_t)n_keys * KEY;
    if (rest->n - HEAD < keys || rest->n - HEAD - keys < payload)
        return twx_fail(cx, TWX_E_CORRUPT, TWX_DAMAGED_ROW "keys is cut short");
    if (ret_entry->whole.n > 0 && p[0] <= ret_entry->id)
        return twx_fail(cx, TWX_E_CORRUPT, TWX_DAMAGED_ROW "keys has detector %u after %u", p[0],
                        ret_entry->id);
    if (n_keys == 0 && payload == 0)
        return twx_fail(cx, TWX_E_CORRUPT, TWX_DAMAGED_ROW "keys has an empty entry");
    const size_t bytes = HEAD + keys + payload;
    *ret_entry = (twx_record_entry){
        .id = p[0],
        .n_keys = n_keys,
        .keys = rest->p + HEAD,
        .payload = {payload ? rest->p + HEAD + keys : NULL, payload},
        .whole = {rest->p, bytes},
    };
    *rest = (twx_slice){rest->p + bytes, rest->n - bytes};
    return TWX_OK;
}

twx_rc twx_record_find(twx_ctx *cx, twx_slice record, uint8_t id, twx_record_entry *ret_entry) {
    twx_record_entry entry = {0};
    twx_rc rc;
    while ((rc = twx_record_next(cx, &record, &entry)) == TWX_OK) {
        if (entry.id != id) continue;
        *ret_entry = entry;
        break;
    }
    return rc;
}

twx_key twx_record_key(const twx_record_entry *entry, size_t i) {
    const char *p = entry->keys + i * KEY;
    return (twx_key){twx_load_le64(p), twx_load_le64(p + 8)};
}
