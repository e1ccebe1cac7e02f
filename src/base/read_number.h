/* base/read_number.h: numbers as people write them in settings. Each function reads the whole
 * text; false: it is not such a number, or too large, and *ret_number is unchanged. */
#ifndef TWX_BASE_READ_NUMBER_H
#define TWX_BASE_READ_NUMBER_H

#include <stdint.h>

#include "base/slice.h"

typedef bool twx_read_fn(twx_slice s, uint64_t *ret_number);

bool twx_read_count(twx_slice s, uint64_t *ret_number);
/* "0.01" -> 10 000 millionths, exactly; digits after the sixth have to be 0. */
bool twx_read_share(twx_slice s, uint64_t *ret_number);
/* "64M" -> bytes; K, M and G are powers of 1024. */
bool twx_read_size(twx_slice s, uint64_t *ret_number);
/* A number within "low..high", all three read by `read`. */
bool twx_read_within(twx_read_fn *read, const char *range, const char *value, uint64_t *ret_number);

#endif
