/* detect/record.h: the signatures of one document as bytes, for twindex_signature.keys.
 * Layout: entries one behind the other, detector ids ascending; an entry is
 *     id u8 | number of keys u16 | bytes of payload u32 | keys: key u64, check u64 each | payload
 * all little-endian. A detector without key and payload has no entry; no signatures at all are no
 * bytes. A change of the layout bumps TWX_RECORD_VERSION.
 * [R1] Unpacking what was packed gives it back. [R2] Bytes may come from anybody: what is not whole
 * entries with ascending ids is TWX_E_CORRUPT, and no byte behind the end is read. */
#ifndef TWX_DETECT_RECORD_H
#define TWX_DETECT_RECORD_H

#include "base/buf.h"
#include "detect/detector.h"

enum { TWX_RECORD_VERSION = 1, TWX_RECORD_KEYS_MAX = UINT16_MAX };

/* One detector's entry. Memory: borrowed from the record. */
typedef struct twx_record_entry {
    uint8_t id;
    uint16_t n_keys;
    const char *keys; /* packed: twx_record_key() */
    twx_slice payload;
    twx_slice whole; /* the entry's bytes */
} twx_record_entry;

/* Puts an entry behind those in `record`, whose ids are smaller. Errors TWX_E_NOMEM, TWX_E_LIMIT
 * (more than TWX_RECORD_KEYS_MAX keys, a payload of 4 GiB and more, the buffer's max) */
TWX_CHECK twx_rc twx_record_add(twx_ctx *cx, uint8_t id, const twx_signature *signature,
                                twx_buf *record);
/* Reads the entry at *rest and moves *rest behind it. Zero *ret_entry before the first; TWX_DONE
 * behind the last. Errors TWX_E_CORRUPT
 *     twx_record_entry e = {0};
 *     while ((rc = twx_record_next(cx, &rest, &e)) == TWX_OK) ... */
TWX_CHECK twx_rc twx_record_next(twx_ctx *cx, twx_slice *rest, twx_record_entry *ret_entry);
/* The entry of one detector. TWX_DONE: none. Errors TWX_E_CORRUPT */
TWX_CHECK twx_rc twx_record_find(twx_ctx *cx, twx_slice record, uint8_t id,
                                 twx_record_entry *ret_entry);
twx_key twx_record_key(const twx_record_entry *entry, size_t i); /* i < n_keys */

#endif
