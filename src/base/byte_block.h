/* base/byte_block.h: classifies the bytes of a text in blocks of 64, without branches, as numbers
 * whose bit i is about byte i. With SSE2, which every x86-64 processor has, 16 bytes at a time;
 * otherwise (and with -DTWX_PORTABLE) 8 bytes at a time as one number.
 * [R1] Both ways give the same marks (tests/unit/base/test_byte_block.c).
 * Memory: none. Any thread may call these; nothing can fail. */
#ifndef TWX_BASE_BYTE_BLOCK_H
#define TWX_BASE_BYTE_BLOCK_H

#include "base/hash64.h"

#if defined(__SSE2__) && !defined(TWX_PORTABLE)
#define TWX_SSE2 1
#include <emmintrin.h>
#else
#define TWX_SSE2 0
#endif

enum { TWX_BYTE_BLOCK = 64 };

/* Bit i: byte i is an ASCII letter or digit; it is not ASCII. */
typedef struct twx_byte_marks {
    uint64_t words, wide;
} twx_byte_marks;

static inline uint64_t twx_each_byte(unsigned char byte) {
    return byte * UINT64_C(0x0101010101010101);
}

/* ASCII letters and digits in lower case: letters, unlike digits, have bit 6, and lower-case ones
 * bit 5. */
static inline uint64_t twx_lower_bytes(uint64_t bytes) {
    return bytes | (bytes & twx_each_byte(0x40)) >> 1;
}

/* The top bit of each byte in first..last, for bytes below 0x80. */
static inline uint64_t twx_bytes_within(uint64_t bytes, unsigned char first, unsigned char last) {
    return (bytes + twx_each_byte((unsigned char)(0x80 - first))) &
           ~(bytes + twx_each_byte((unsigned char)(0x7F - last)));
}

/* The top bits of eight bytes as eight bits: the multiplication moves bit 8 i to bit 56 + i. */
static inline uint64_t twx_gather_tops(uint64_t tops) {
    return (tops >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

static inline twx_byte_marks twx_mark_bytes_portable(const char *p) {
    enum { STEP = 8 };
    const uint64_t tops = twx_each_byte(0x80);
    twx_byte_marks m = {0, 0};
    for (unsigned i = 0; i < TWX_BYTE_BLOCK; i += STEP) {
        const uint64_t bytes = twx_load_le64(p + i), low = bytes & ~tops;
        const uint64_t words = twx_bytes_within(low | twx_each_byte(0x20), 'a', 'z') |
                               twx_bytes_within(low, '0', '9');
        m.words |= twx_gather_tops(words & ~bytes & tops) << i;
        m.wide |= twx_gather_tops(bytes & tops) << i;
    }
    return m;
}

/* The first byte that is not ASCII, or the end. */
static inline const char *twx_skip_ascii_portable(const char *p, const char *end) {
    for (; end - p >= 8; p += 8) {
        const uint64_t wide = twx_load_le64(p) & twx_each_byte(0x80);
        if (wide) return p + __builtin_ctzll(wide) / 8;
    }
    while (p < end && (unsigned char)*p < 0x80) p++;
    return p;
}

#if TWX_SSE2

/* The bytes in first..last; bytes beyond ASCII are negative numbers here. */
static inline __m128i twx_within16(__m128i bytes, char first, char last) {
    return _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8((char)(first - 1))),
                         _mm_cmplt_epi8(bytes, _mm_set1_epi8((char)(last + 1))));
}

static inline uint64_t twx_gather16(__m128i bytes) {
    return (uint64_t)(unsigned)_mm_movemask_epi8(bytes);
}

/* p[0..TWX_BYTE_BLOCK) is readable. */
static inline twx_byte_marks twx_mark_bytes(const char *p) {
    enum { STEP = sizeof(__m128i) };
    twx_byte_marks m = {0, 0};
    for (unsigned i = 0; i < TWX_BYTE_BLOCK; i += STEP) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        const __m128i lower = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
        m.words |=
            twx_gather16(_mm_or_si128(twx_within16(lower, 'a', 'z'), twx_within16(bytes, '0', '9')))
            << i;
        m.wide |= twx_gather16(bytes) << i;
    }
    return m;
}

static inline const char *twx_skip_ascii(const char *p, const char *end) {
    enum { STEP = sizeof(__m128i) };
    for (; end - p >= STEP; p += STEP) {
        const uint64_t wide = twx_gather16(_mm_loadu_si128((const __m128i *)(const void *)p));
        if (wide) return p + __builtin_ctzll(wide);
    }
    return twx_skip_ascii_portable(p, end);
}

#else

static inline twx_byte_marks twx_mark_bytes(const char *p) {
    return twx_mark_bytes_portable(p);
}

static inline const char *twx_skip_ascii(const char *p, const char *end) {
    return twx_skip_ascii_portable(p, end);
}

#endif

#endif
