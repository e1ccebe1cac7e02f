#include "base/hash64.h"

#include <string.h>
#include <xxhash.h>

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
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap64(v) : v;
}

void twx_store_be64(void *p, uint64_t v) {
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) v = __builtin_bswap64(v);
    memcpy(p, &v, sizeof v);
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
