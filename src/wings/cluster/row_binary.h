/* cluster/row_binary.h: values of ClickHouse's format RowBinary.
 * Memory: strings that are read are borrowed from the answer. */
#ifndef TWX_CLUSTER_ROW_BINARY_H
#define TWX_CLUSTER_ROW_BINARY_H

#include "base/buf.h"

/* UInt8 to UInt64 and Int8 to Int64, of `bytes` bytes. Errors TWX_E_NOMEM, TWX_E_LIMIT */
TWX_CHECK twx_rc twx_row_add_number(twx_ctx *cx, twx_buf *out, uint64_t v, size_t bytes);
/* The length of a String or an Array. */
TWX_CHECK twx_rc twx_row_add_length(twx_ctx *cx, twx_buf *out, size_t length);
TWX_CHECK twx_rc twx_row_add_string(twx_ctx *cx, twx_buf *out, twx_slice s);

/* An answer while it is read. After a value that is not complete, `broken` is set and all values
 * are 0 and empty. */
typedef struct twx_row_reader {
    twx_slice rest;
    bool broken;
} twx_row_reader;

uint64_t twx_row_number(twx_row_reader *r, size_t bytes);
twx_slice twx_row_string(twx_row_reader *r);
/* Of an Array, before its values. */
uint64_t twx_row_length(twx_row_reader *r);

#endif
