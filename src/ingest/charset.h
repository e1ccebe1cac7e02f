/* ingest/charset.h: crawled bytes to UTF-8. [R1] What says the encoding, in order: byte order mark, HTTP charset, meta charset in the first
 * 1 024 bytes, valid UTF-8, else windows-1252. [R2] Labels as browsers take them (WHATWG Encoding, section 4.2, the common ones: latin1
 * and ascii mean windows-1252, ...); an unknown label counts as none. [R3] What cannot be converted becomes U+FFFD; the result is
 * valid UTF-8 without a byte order mark. Linear; at most max bytes of `out`. */
#ifndef TWX_INGEST_CHARSET_H
#define TWX_INGEST_CHARSET_H

#include "base/buf.h"

/* The charset parameter of the first <meta charset> or <meta http-equiv=content-type>; absent: none. Slice of html. */
twx_slice twx_meta_charset(twx_slice html);
/* http_charset, meta: absent when unknown. *ret_text: `bytes` itself when that is valid UTF-8 already, else the content of out. */
TWX_CHECK twx_rc twx_to_utf8(twx_ctx *cx, twx_slice bytes, twx_slice http_charset, twx_slice meta,
                             twx_buf *out, twx_slice *ret_text);

#endif
