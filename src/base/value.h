/* base/value.h: a value as the database returns it. (The ids of a foreign store can have any type.)
 * Memory: bytes are borrowed; the function that returns a value documents how long they stay
 * valid. */
#ifndef TWX_BASE_VALUE_H
#define TWX_BASE_VALUE_H

#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"

typedef enum twx_type { TWX_NULL, TWX_INT, TWX_REAL, TWX_TEXT, TWX_BLOB } twx_type;

typedef struct twx_value {
    twx_type type;
    int64_t i;
    double r;
    twx_slice bytes; /* of text and blob */
} twx_value;

/* Hash of type and content; equal values have equal hashes on every machine. */
uint64_t twx_value_hash(const twx_value *v, uint64_t seed);
/* The order of SQLite: NULL, then numbers by value, then text, then blobs, both by bytes. <0: a
 * comes before b. An integer and a real number of one value are equal. */
int twx_value_compare(const twx_value *a, const twx_value *b);
/* Formatted as an SQL literal: 42, 1.5, 'text', x'00ff', NULL; at most 200 bytes of text or
 * blob. */
TWX_CHECK twx_rc twx_value_print(twx_ctx *cx, twx_buf *out, const twx_value *v);

#endif
