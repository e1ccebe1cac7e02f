/* sign/alignment_payload.h: the payload of the row alignment (sign/alignment.h), read. */
#ifndef TWX_SIGN_ALIGNMENT_PAYLOAD_H
#define TWX_SIGN_ALIGNMENT_PAYLOAD_H

#include <stdbool.h>

#include "sign/alignment.h"

/* Places of its parts. */
enum {
    TWX_ALIGNMENT_CHARS_AT = 0,
    TWX_ALIGNMENT_LETTERS_AT = 4,
    TWX_ALIGNMENT_LEVEL_AT = 8,
    TWX_ALIGNMENT_WIDE_AT,
    TWX_ALIGNMENT_CLASSES_AT,
    TWX_ALIGNMENT_KEPT_AT = TWX_ALIGNMENT_CLASSES_AT + TWX_ALIGNMENT_CLASSES,
    TWX_ALIGNMENT_SHARE_MAX = 255 /* shares are stored in 255ths */
};

/* The words that a payload keeps, and the sketch that follows them; of a short text NULL: it is
 * made of the words. */
typedef struct twx_kept_part {
    size_t n;
    const unsigned char *words, *sketch;
} twx_kept_part;

/* False: the payload has another format. */
bool twx_alignment_read(twx_slice payload, twx_kept_part *ret_part);
/* The sketch of a payload, in it or in room. */
const unsigned char *twx_alignment_sketch(const twx_kept_part *part,
                                          unsigned char room[TWX_SKETCH_BYTES]);

#endif
