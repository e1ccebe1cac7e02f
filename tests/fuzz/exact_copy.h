/* tests/fuzz/exact_copy.h: the input in a block of its own without slack, so that a sanitizer sees
 * an over-read of one byte. */
#ifndef TWINDEX_FUZZ_EXACT_COPY_H
#define TWINDEX_FUZZ_EXACT_COPY_H

#include <stdint.h>

#include "base/base.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline twx_slice exact_copy(const uint8_t *data, size_t size) {
    char *p = malloc(size ? size : 1);
    if (!p) abort();
    if (size) memcpy(p, data, size);
    return (twx_slice){p, size};
}

#endif
