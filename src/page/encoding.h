/* page/encoding.h: the character encoding of crawled bytes, as the WHATWG Encoding and HTML
 * standards decide it.
 * [R1] In order: byte order mark, charset of the HTTP header, meta element in the first 1024 bytes
 * (HTML only), UTF-8 when the bytes are valid UTF-8, else windows-1252. An unknown label counts as
 * none.
 * [R2] All labels of the standard, and its decoders: the result equals that of a browser's
 * TextDecoder.
 * [R3] The result is valid UTF-8 without a byte order mark; what cannot be decoded becomes U+FFFD.
 * Linear time. */
#ifndef TWX_PAGE_ENCODING_H
#define TWX_PAGE_ENCODING_H

#include "base/buf.h"

typedef struct twx_decoded {
    /* UTF-8: the input itself if it is valid UTF-8, else the content of `room` */
    twx_slice text;
    const char *encoding; /* name in the standard: "UTF-8", "windows-1252", "Shift_JIS"; static */
    /* given by a byte order mark, the header or a meta element in the first 1024 bytes; otherwise a
     * guess */
    bool certain;
} twx_decoded;

/* charset: the label of the HTTP header or of the caller; absent: none. html: look for a meta
 * element. room: initialised by the caller, cleared here; four times the input length is always
 * enough. Errors TWX_E_NOMEM, TWX_E_LIMIT (room). */
TWX_CHECK twx_rc twx_decode(twx_ctx *cx, twx_slice bytes, twx_slice charset, bool html,
                            twx_buf *room, twx_decoded *ret);
/* The name of the encoding for a label; NULL: the standard does not define the label. */
const char *twx_encoding_name(twx_slice label);
/* The same for the label of a meta element, which cannot select UTF-16 (the element could not have
 * been read) or x-user-defined. */
const char *twx_meta_encoding(twx_slice label);

#endif
