#include "sign/record.h"

#include "base/damaged_row.h"
#include "base/hash64.h"

enum { HEAD_MAX = 1 + 1 + 2 + 4, NARROW_KEY = 8, KEY = 8 + 8 };

static twx_key key_of_payload(twx_slice payload) {
    const twx_hash128 hash = twx_hash_wide(payload, 0);
    return (twx_key){hash.lo, hash.hi};
}

static size_t key_bytes(unsigned shape) {
    return shape & TWX_SHAPE_DERIVED ? 0 : shape & TWX_SHAPE_NARROW ? NARROW_KEY : KEY;
}

static unsigned shape_of(const twx_signature *s) {
    const size_t n = s->keys.n;
    unsigned shape = n < TWX_SHAPE_KEYS ? (unsigned)n : TWX_SHAPE_KEYS;
    uint64_t checks = 0;
    if (s->payload.n) shape |= s->payload.n <= UINT8_MAX ? TWX_SHAPE_SHORT : TWX_SHAPE_LONG;
    if (n == 1 && s->payload.n) {
        const twx_key derived = key_of_payload(s->payload);
        if (derived.key == s->keys.at[0].key && derived.check == s->keys.at[0].check)
            return shape | TWX_SHAPE_DERIVED;
    }
    for (size_t i = 0; i < n; i++) checks |= s->keys.at[i].check;
    return n && !checks ? shape | TWX_SHAPE_NARROW : shape;
}

twx_rc twx_record_add(twx_ctx *cx, uint8_t id, const twx_signature *signature, twx_buf *record) {
    const size_t n = signature->keys.n, payload = signature->payload.n;
    if (n == 0 && payload == 0) return TWX_OK;
    if (n > TWX_RECORD_KEYS_MAX || payload > UINT32_MAX)
        return twx_fail(cx, TWX_E_LIMIT, "a signature of %zu keys and %zu bytes is too large", n,
                        payload);
    const unsigned shape = shape_of(signature);
    const size_t stored = key_bytes(shape);
    twx_rc rc = twx_buf_reserve(cx, record, HEAD_MAX + n * stored + payload);
    if (rc != TWX_OK) return rc;
    unsigned char bytes[KEY] = {id, (unsigned char)shape};
    size_t head = 2;
    if ((shape & TWX_SHAPE_KEYS) == TWX_SHAPE_KEYS) {
        bytes[head++] = (unsigned char)(n & 0xFF);
        bytes[head++] = (unsigned char)(n >> 8);
    }
    if (shape & TWX_SHAPE_SHORT) bytes[head++] = (unsigned char)payload;
    if (shape & TWX_SHAPE_LONG) {
        twx_store_le32(bytes + head, (uint32_t)payload);
        head += 4;
    }
    rc = twx_buf_add(cx, record, bytes, head);
    for (size_t i = 0; stored && i < n && rc == TWX_OK; i++) {
        twx_store_le64(bytes, signature->keys.at[i].key);
        twx_store_le64(bytes + 8, signature->keys.at[i].check);
        rc = twx_buf_add(cx, record, bytes, stored);
    }
    return rc == TWX_OK ? twx_buf_add_slice(cx, record, signature->payload) : rc;
}

/* ---- reading ------------------------------------------------------------ */

/* Little-endian; false: fewer bytes are left. */
static bool take(twx_slice *rest, size_t bytes, uint32_t *ret_number) {
    uint32_t number = 0;
    if (rest->n < bytes) return false;
    for (size_t i = 0; i < bytes; i++) number |= (uint32_t)(unsigned char)rest->p[i] << 8 * i;
    *rest = (twx_slice){rest->p + bytes, rest->n - bytes};
    *ret_number = number;
    return true;
}

/* Is it the form that twx_record_add() would have chosen? */
static bool is_shortest(const twx_record_entry *e) {
    const unsigned shape = e->shape;
    if ((shape & TWX_SHAPE_LONG) && e->payload.n <= UINT8_MAX) return false;
    if ((shape & TWX_SHAPE_SHORT) && e->payload.n == 0) return false;
    if ((shape & TWX_SHAPE_KEYS) == TWX_SHAPE_KEYS && e->n_keys < TWX_SHAPE_KEYS) return false;
    if (shape & TWX_SHAPE_DERIVED)
        return e->n_keys == 1 && e->payload.n && !(shape & TWX_SHAPE_NARROW);
    if (shape & TWX_SHAPE_NARROW) return e->n_keys > 0;
    uint64_t checks = e->n_keys == 0;
    for (size_t i = 0; !checks && i < e->n_keys; i++) checks |= twx_record_key(e, i).check;
    return checks != 0;
}

twx_rc twx_record_next(twx_ctx *cx, twx_slice *rest, twx_record_entry *ret_entry) {
    if (rest->n == 0) return TWX_DONE;
    twx_slice after = *rest;
    uint32_t id = 0, shape = 0, n_keys = 0, payload = 0;
    bool whole = take(&after, 1, &id) && take(&after, 1, &shape);
    n_keys = shape & TWX_SHAPE_KEYS;
    if (whole && n_keys == TWX_SHAPE_KEYS) whole = take(&after, 2, &n_keys);
    if (whole && shape & (TWX_SHAPE_SHORT | TWX_SHAPE_LONG))
        whole = (shape & TWX_SHAPE_SHORT) == 0
                    ? take(&after, 4, &payload)
                    : (shape & TWX_SHAPE_LONG) == 0 && take(&after, 1, &payload);
    const size_t keys = n_keys * key_bytes(shape);
    if (!whole || after.n < keys || after.n - keys < payload)
        return twx_fail(cx, TWX_E_CORRUPT, TWX_DAMAGED_ROW "keys ends within an entry");
    if (ret_entry->whole.n > 0 && id <= ret_entry->id)
        return twx_fail(cx, TWX_E_CORRUPT, TWX_DAMAGED_ROW "keys has detector %u after %u", id,
                        ret_entry->id);
    if (n_keys == 0 && payload == 0)
        return twx_fail(cx, TWX_E_CORRUPT, TWX_DAMAGED_ROW "keys has an empty entry");
    const char *end = after.p + keys + payload;
    const twx_record_entry entry = {
        .id = (uint8_t)id,
        .shape = (uint8_t)shape,
        .n_keys = (uint16_t)n_keys,
        .keys = after.p,
        .payload = {payload ? after.p + keys : NULL, payload},
        .whole = {rest->p, (size_t)(end - rest->p)},
    };
    if (!is_shortest(&entry))
        return twx_fail(cx, TWX_E_CORRUPT,
                        TWX_DAMAGED_ROW "keys has an entry that is not in its shortest form");
    *ret_entry = entry;
    *rest = (twx_slice){end, after.n - keys - payload};
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
    const char *p = entry->keys + i * key_bytes(entry->shape);
    if (entry->shape & TWX_SHAPE_DERIVED) return key_of_payload(entry->payload);
    return (twx_key){twx_load_le64(p), entry->shape & TWX_SHAPE_NARROW ? 0 : twx_load_le64(p + 8)};
}
