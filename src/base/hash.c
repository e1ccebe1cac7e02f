#include "base/base.h"

#include <xxhash.h>

/* ==== hash64 */

static const void *bytes_of(twx_slice s) {
    return s.n ? (const void *)s.p : (const void *)"";
}

uint64_t twx_hash64(twx_slice s, uint64_t seed) {
    return XXH3_64bits_withSeed(bytes_of(s), s.n, seed);
}

twx_hash128 twx_hash_wide(twx_slice s, uint64_t seed) {
    XXH128_hash_t h = XXH3_128bits_withSeed(bytes_of(s), s.n, seed);
    return (twx_hash128){.lo = h.low64, .hi = h.high64};
}

uint64_t twx_mix64(uint64_t a, uint64_t b) {
    unsigned char pair[16];
    twx_store_le64(pair, a);
    twx_store_le64(pair + 8, b);
    return XXH3_64bits(pair, sizeof pair);
}

uint64_t twx_load_be64(const void *p) {
    return __builtin_bswap64(twx_load_le64(p));
}

void twx_store_be64(void *p, uint64_t v) {
    twx_store_le64(p, __builtin_bswap64(v));
}

uint64_t twx_load_le64(const void *p) {
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? v : __builtin_bswap64(v);
}

void twx_store_le64(void *p, uint64_t v) {
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) v = __builtin_bswap64(v);
    memcpy(p, &v, sizeof v);
}

uint32_t twx_load_le32(const void *p) {
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? v : __builtin_bswap32(v);
}

void twx_store_le32(void *p, uint32_t v) {
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) v = __builtin_bswap32(v);
    memcpy(p, &v, sizeof v);
}

/* ==== map64 */

void twx_map64_init(twx_map64 *m, uint64_t seed) {
    *m = (twx_map64){.seed = seed};
}

void twx_map64_done(twx_map64 *m) {
    if (!m) return;
    twx_free(m->slots);
    *m = (twx_map64){0};
}

/* Multiply and fold: two multiplications by odd constants, with the seed mixed in, spread keys that
 * differ in only a few bits. */
static size_t home(const twx_map64 *m, uint64_t key) {
    uint64_t h = (key ^ m->seed) * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ (h >> 32)) * UINT64_C(0xD6E8FEB86659FD93);
    return (size_t)(h ^ (h >> 32)) & m->mask;
}

static twx_map64_slot *slot_of(const twx_map64 *m, uint64_t key) {
    size_t i = home(m, key);
    while (m->slots[i].key != 0 && m->slots[i].key != key) i = (i + 1) & m->mask;
    return &m->slots[i];
}

static twx_rc grow(twx_ctx *cx, twx_map64 *m) {
    twx_map64 bigger = *m;
    size_t count = m->slots ? (m->mask + 1) * 2 : 64;
    if (m->bytes_most && m->slots && count > m->bytes_most / sizeof *m->slots) return TWX_DONE;
    bigger.slots = twx_calloc(cx, count, sizeof *bigger.slots);
    if (!bigger.slots) return TWX_E_NOMEM;
    bigger.mask = count - 1;
    for (size_t i = 0; m->slots && i <= m->mask; i++)
        if (m->slots[i].key != 0) *slot_of(&bigger, m->slots[i].key) = m->slots[i];
    twx_free(m->slots);
    *m = bigger;
    return TWX_OK;
}

twx_rc twx_map64_place(twx_ctx *cx, twx_map64 *m, uint64_t key, uint64_t value, uint64_t **ret_at,
                       bool *ret_fresh) {
    twx_map64_slot *slot = key && m->slots ? slot_of(m, key) : NULL;
    uint64_t *at = key ? slot ? &slot->value : NULL : &m->zero_value;
    const bool fresh = key ? !slot || slot->key == 0 : !m->has_zero;
    if (key && fresh && (!m->slots || m->n >= (m->mask + 1) / 4 * 3)) {
        const twx_rc rc = grow(cx, m);
        if (rc != TWX_OK && rc != TWX_DONE) return rc;
        slot = rc == TWX_OK ? slot_of(m, key) : NULL;
        at = slot ? &slot->value : NULL;
    }
    if (fresh && at) {
        *at = value;
        if (slot) slot->key = key;
        m->has_zero |= key == 0;
        m->n++;
    }
    if (ret_at) *ret_at = at;
    if (ret_fresh) *ret_fresh = fresh;
    return TWX_OK;
}

twx_rc twx_map64_add(twx_ctx *cx, twx_map64 *m, uint64_t key, uint64_t value, uint64_t *ret_value) {
    uint64_t *at = NULL;
    const twx_rc rc = twx_map64_place(cx, m, key, value, &at, NULL);
    if (rc == TWX_OK) *ret_value = *at;
    return rc;
}

twx_rc twx_map64_put(twx_ctx *cx, twx_map64 *m, uint64_t key, uint64_t value) {
    uint64_t *at = NULL;
    const twx_rc rc = twx_map64_place(cx, m, key, value, &at, NULL);
    if (rc == TWX_OK) *at = value;
    return rc;
}

const uint64_t *twx_map64_at(const twx_map64 *m, uint64_t key) {
    if (key == 0) return m->has_zero ? &m->zero_value : NULL;
    const twx_map64_slot *s = m->slots ? slot_of(m, key) : NULL;
    return s && s->key ? &s->value : NULL;
}

bool twx_map64_get(const twx_map64 *m, uint64_t key, uint64_t *ret_value) {
    const uint64_t *at = twx_map64_at(m, key);
    if (at) *ret_value = *at;
    return at != NULL;
}

uint64_t twx_map64_value(const twx_map64 *m, uint64_t key, uint64_t otherwise) {
    const uint64_t *at = twx_map64_at(m, key);
    return at ? *at : otherwise;
}

TWX_ORDER(by_key, twx_map64_slot,
          ((int64_t)a->key > (int64_t)b->key) - ((int64_t)a->key < (int64_t)b->key))

twx_rc twx_map64_list(twx_ctx *cx, const twx_map64 *m, twx_map64_slot **ret_slots) {
    size_t n = 0;
    *ret_slots = NULL;
    if (m->n == 0) return TWX_OK;
    twx_map64_slot *list = twx_calloc(cx, m->n, sizeof *list);
    if (!list) return TWX_E_NOMEM;
    if (m->has_zero) list[n++] = (twx_map64_slot){0, m->zero_value};
    for (size_t i = 0; m->slots && i <= m->mask; i++)
        if (m->slots[i].key) list[n++] = m->slots[i];
    qsort(list, n, sizeof *list, by_key);
    *ret_slots = list;
    return TWX_OK;
}

/* ==== sip_hash */

static uint64_t turn(uint64_t v, unsigned bits) {
    return v << bits | v >> (64 - bits);
}

/* SipRound, section 2.2. */
static void rounds(uint64_t v[4], int n) {
    for (int i = 0; i < n; i++) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = turn(v[1], 13) ^ v[0];
        v[3] = turn(v[3], 16) ^ v[2];
        v[0] = turn(v[0], 32) + v[3];
        v[2] += v[1];
        v[1] = turn(v[1], 17) ^ v[2];
        v[3] = turn(v[3], 21) ^ v[0];
        v[2] = turn(v[2], 32);
    }
}

static void compress(uint64_t v[4], uint64_t word) {
    v[3] ^= word;
    rounds(v, 2);
    v[0] ^= word;
}

uint64_t twx_sip_hash(twx_slice s, uint64_t key_low, uint64_t key_high) {
    uint64_t v[4] = {
        UINT64_C(0x736f6d6570736575) ^ key_low, UINT64_C(0x646f72616e646f6d) ^ key_high,
        UINT64_C(0x6c7967656e657261) ^ key_low, UINT64_C(0x7465646279746573) ^ key_high};
    size_t at = 0;
    for (; s.n - at >= 8; at += 8) compress(v, twx_load_le64(s.p + at));
    uint64_t last = (uint64_t)s.n << 56;
    for (unsigned i = 0; at + i < s.n; i++) last |= (uint64_t)(unsigned char)s.p[at + i] << 8 * i;
    compress(v, last);
    v[2] ^= 0xFF;
    rounds(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
