/* tests/fuzz/exact_copy.h: the input in a block of its own without slack, so that a sanitizer sees
 * an over-read of one byte, and the laws that a target asserts. */
#ifndef TWINDEX_FUZZ_EXACT_COPY_H
#define TWINDEX_FUZZ_EXACT_COPY_H

#include <stdint.h>

#include "base/base.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void law(bool holds) {
    if (!holds) abort();
}

static char *exact_copies[64]; /* of the input */
static size_t exact_copies_n;

static inline twx_slice exact_copy(const uint8_t *data, size_t size) {
    char *p = malloc(size ? size : 1);
    if (!p || exact_copies_n == TWX_COUNTOF(exact_copies)) abort();
    if (size) memcpy(p, data, size);
    exact_copies[exact_copies_n++] = p;
    return (twx_slice){p, size};
}

/* At the end of a target: releases the copies. */
static inline int exact_end(void) {
    while (exact_copies_n) free(exact_copies[--exact_copies_n]);
    return 0;
}

static inline bool lies_in(twx_slice part, twx_slice whole) {
    return part.n == 0 || (part.p >= whole.p && part.p + part.n <= whole.p + whole.n);
}

/* What is before the first byte `end`, and what is after it. */
static inline void exact_parts(const uint8_t *data, size_t size, uint8_t end, twx_slice *ret_first,
                               twx_slice *ret_rest) {
    const uint8_t *at = size ? memchr(data, end, size) : NULL;
    const size_t n = at ? (size_t)(at - data) : size;
    *ret_first = exact_copy(data, n);
    *ret_rest = at ? exact_copy(at + 1, size - n - 1) : exact_copy(NULL, 0);
}

#endif
