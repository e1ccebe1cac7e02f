/* base/sip_hash.h: SipHash-2-4, for hashes that other programs compute as well (ClickHouse's
 * sipHash64() is this one with a key of zeros).
 * Source: Aumasson, Bernstein, SipHash: a fast short-input PRF, INDOCRYPT 2012. */
#ifndef TWX_BASE_SIP_HASH_H
#define TWX_BASE_SIP_HASH_H

#include <stdint.h>

#include "base/slice.h"

/* key: two little-endian halves of 8 bytes. */
uint64_t twx_sip_hash(twx_slice s, uint64_t key_low, uint64_t key_high);

#endif
