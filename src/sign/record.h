/* sign/record.h: the packed signatures of one document, for twindex_signature.keys. Entries are
 * concatenated, detector ids ascending; an entry is
 *     id u8 | shape u8 | [number of keys u16] | [bytes of payload u8 or u32] | keys | payload
 * The low 4 bits of the shape are the number of keys; 15 means that the number follows. The upper
 * bits, TWX_SHAPE_..., say how many bytes the length of the payload has; that all checks are 0, so
 * that a key has 8 bytes instead of 16; and that the only key is the hash of the payload, so that
 * it is not stored. Numbers are little-endian. A detector without key and payload has no entry; a
 * document without signatures has an empty record. Stored records have no entries of URL twins
 * (judge/twin_keys.h). A change of the layout bumps TWX_RECORD_VERSION.
 * [R1] Unpacking a packed record gives the same signatures.
 * [R2] Bytes may come from anywhere: anything but whole entries with ascending ids, each in
 * its shortest form, is TWX_E_CORRUPT, and no byte after the end is read. */
#ifndef TWX_SIGN_RECORD_H
#define TWX_SIGN_RECORD_H

#include "base/buf.h"
#include "sign/detector_row.h"

enum { TWX_RECORD_VERSION = 3, TWX_RECORD_KEYS_MAX = UINT16_MAX };

enum {
    TWX_SHAPE_KEYS = 15,      /* mask */
    TWX_SHAPE_SHORT = 1 << 4, /* length of the payload: u8 */
    TWX_SHAPE_LONG = 1 << 5,  /* u32 */
    TWX_SHAPE_NARROW = 1 << 6,
    TWX_SHAPE_DERIVED = 1 << 7
};

/* One detector's entry. Memory: borrowed from the record. */
typedef struct twx_record_entry {
    uint8_t id;
    uint16_t n_keys;
    uint8_t shape;
    const char *keys; /* packed: twx_record_key() */
    twx_slice payload;
    twx_slice whole; /* the entry's bytes */
} twx_record_entry;

/* Appends an entry to `record`, whose ids must be smaller. Errors TWX_E_NOMEM, TWX_E_LIMIT (more
 * than TWX_RECORD_KEYS_MAX keys, a payload of 4 GiB or more, the buffer's max) */
TWX_CHECK twx_rc twx_record_add(twx_ctx *cx, uint8_t id, const twx_signature *signature,
                                twx_buf *record);
/* Reads the entry at *rest and advances *rest. *ret_entry is zeroed before the first call; TWX_DONE
 * after the last entry. Errors TWX_E_CORRUPT
 *     twx_record_entry e = {0};
 *     while ((rc = twx_record_next(cx, &rest, &e)) == TWX_OK) ... */
TWX_CHECK twx_rc twx_record_next(twx_ctx *cx, twx_slice *rest, twx_record_entry *ret_entry);
/* The entry of one detector. TWX_DONE: none. Errors TWX_E_CORRUPT */
TWX_CHECK twx_rc twx_record_find(twx_ctx *cx, twx_slice record, uint8_t id,
                                 twx_record_entry *ret_entry);
/* Errors none: an entry that twx_record_next() has returned is complete. */
twx_key twx_record_key(const twx_record_entry *entry, size_t i); /* i < n_keys */

#endif
