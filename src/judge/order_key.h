/* judge/order_key.h: the place of a document in the total order (order.h) as bytes: of two
 * documents, the one whose bytes are smaller (by memcmp, then by length) comes first. So an engine
 * that knows nothing of the order elects representatives by the minimum of a column.
 * [R1] The bytes are in the order of twx_total_order(), with the order of ids that SQLite has:
 * numbers, then text, then blobs, both by their bytes.
 * [R2] No key is the beginning of another one, so what is appended decides between equal keys only.
 * [R3] All keys of one preference have a criterion at one place, in bytes that are not 0 for those
 * of which a cluster learns the values later: the form of the URL, which is first in a key, and the
 * origin.
 * Pins (`prefer`) have no place in it. */
#ifndef TWX_JUDGE_ORDER_KEY_H
#define TWX_JUDGE_ORDER_KEY_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/value.h"
#include "judge/order.h"

/* What the facts do not have; the version is 0 unless versions count. */
typedef struct twx_order_values {
    uint64_t version;
    uint8_t form, origin;
} twx_order_values;

/* id: not NULL. Appends the bytes. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_order_key(twx_ctx *cx, const twx_facts *facts,
                               const twx_preference *preference, const twx_order_values *values,
                               const twx_value *id, twx_buf *out);
/* Its two parts: what precedes the id, and the id, which alone has the order of ids. */
TWX_CHECK twx_rc twx_order_key_criteria(twx_ctx *cx, const twx_facts *facts,
                                        const twx_preference *preference,
                                        const twx_order_values *values, twx_buf *out);
TWX_CHECK twx_rc twx_order_key_id(twx_ctx *cx, const twx_value *id, twx_buf *out);
/* The place, from 1, of the criterion in a key [R3]; 0: the order does not have it. */
size_t twx_order_key_at(const twx_preference *preference, twx_criterion criterion);

/* Reads the id of the key at the beginning of *bytes, which was made with this preference, and
 * advances *bytes. A real number that is whole comes back as an integer; the bytes of the id are in
 * the arena. Bytes may come from anywhere. Errors TWX_E_DATA: they are no such key; TWX_E_NOMEM */
TWX_CHECK twx_rc twx_order_key_read(twx_ctx *cx, const twx_preference *preference, twx_arena *a,
                                    twx_slice *bytes, twx_value *ret_id);

#endif
