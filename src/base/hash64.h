/* base/hash64.h: fast hashes for internal keys (XXH3 of libxxhash, whose output has been fixed
 * since 0.8.0). They are stored in Twindex's own tables, so a change of algorithm bumps the
 * versions that sign/detectors.h lists. Not for keys that an attacker could forge: signatures use
 * SHA-256 and MD5. */
#ifndef TWX_BASE_HASH64_H
#define TWX_BASE_HASH64_H

#include <stdint.h>

#include "base/slice.h"

typedef struct twx_hash128 {
    uint64_t lo, hi;
} twx_hash128;

uint64_t twx_hash64(twx_slice s, uint64_t seed);
twx_hash128 twx_hash_wide(twx_slice s, uint64_t seed);
/* One key from two. The order matters; mix(a, b) == mix(c, d) only by chance. */
uint64_t twx_mix64(uint64_t a, uint64_t b);

/* Fixed byte order, for stored numbers. */
uint64_t twx_load_be64(const void *p);
void twx_store_be64(void *p, uint64_t v);
uint64_t twx_load_le64(const void *p);
void twx_store_le64(void *p, uint64_t v);
uint32_t twx_load_le32(const void *p);
void twx_store_le32(void *p, uint32_t v);

#endif
