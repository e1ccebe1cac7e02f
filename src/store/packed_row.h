/* store/packed_row.h: facts and keys of a document (judge/facts.h, sign/record.h) in the bytes
 * that twindex_signature stores. What the keys of usual documents have in common takes no bytes:
 * heads of entries, bytes that are 0. Other bytes are stored as they are, so any facts and keys can
 * be packed. docs/signatures.md has the layout.
 * [R1] Unpacking returns what was packed.
 * [R2] Any bytes can be unpacked: no byte after the end is read, and what is not complete is
 * TWX_E_CORRUPT. */
#ifndef TWX_STORE_PACKED_ROW_H
#define TWX_STORE_PACKED_ROW_H

#include "base/buf.h"

/* Of the layout; part of the fingerprint of signing, so another one signs all documents again. */
enum { TWX_PACKED_ROW_VERSION = 1 };

/* Appends the packed row to `out`. Errors TWX_E_NOMEM, TWX_E_LIMIT (the buffer's max) */
TWX_CHECK twx_rc twx_row_pack(twx_ctx *cx, twx_slice facts, twx_slice keys, twx_buf *out);
/* room: cleared, and then holds what is returned. Errors TWX_E_CORRUPT [R2] */
TWX_CHECK twx_rc twx_row_unpack(twx_ctx *cx, twx_slice packed, twx_buf *room, twx_slice *ret_facts,
                                twx_slice *ret_keys);

#endif
