#include "base/sip_hash.h"

#include "base/hash64.h"

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
