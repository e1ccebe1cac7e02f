/* cluster/pair_rows.h: rows of pairs of payloads, and rows of similarities, as ClickHouse writes
 * and reads them (docs/cluster.md, "Rows of verify"). A row is
 *     [number UInt64] a String, b String [equal_names UInt8]
 *     -> [number UInt64] similarity Int32
 * where brackets mark columns that the layout may leave out.
 * RowBinary: integers are little-endian; a String is its length in LEB128 and its bytes.
 * TabSeparated: columns end with a tab, rows with a line feed; \b \f \n \r \t \0 \' \\ stand for
 * the bytes that ClickHouse escapes.
 * [R1] A row that is not complete consumes nothing. [R2] Bytes may come from anywhere: nothing
 * after the end is read. */
#ifndef TWX_CLUSTER_PAIR_ROWS_H
#define TWX_CLUSTER_PAIR_ROWS_H

#include "base/buf.h"

/* Bytes of a row of pairs. The longest payload of a method has a few hundred bytes. */
enum { TWX_PAIR_ROW_MAX = 1 << 20 };

typedef struct twx_pair_layout {
    bool tabs; /* TabSeparated; else RowBinary */
    bool numbered, named;
} twx_pair_layout;

/* Memory: a and b are borrowed from the input or from the buffer of unescaped text. */
typedef struct twx_pair_row {
    uint64_t number; /* 0 unless numbered */
    twx_slice a, b;
    bool equal_names; /* false unless named */
} twx_pair_row;

/* Reads the first row of *bytes and advances it. unescaped: scratch, cleared by each call.
 * TWX_DONE: the row is not complete. Errors TWX_E_DATA: it is no such row, or longer than
 * TWX_PAIR_ROW_MAX; TWX_E_NOMEM */
TWX_CHECK twx_rc twx_pair_row_next(twx_ctx *cx, const twx_pair_layout *layout, twx_slice *bytes,
                                   twx_buf *unescaped, twx_pair_row *ret_row);
/* Appends the answer. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_pair_row_answer(twx_ctx *cx, const twx_pair_layout *layout, uint64_t number,
                                     int32_t similarity, twx_buf *out);

#endif
