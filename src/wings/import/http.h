/* import/http.h: the HTTP response inside a WARC record: status, headers, body without its transfer
 * and content codings.
 * [R1] Accepts what real archives contain: no status text, no head at all (then `status` is 200 and
 * everything is body), several 1xx heads before the final one, bare LF, a body that is declared
 * chunked but is not chunked any more. [R2] Decodes gzip, deflate, br and zstd; an unknown coding
 * or a broken body sets `fault` and gives what could be decoded. [R3] At most max_body bytes are
 * decoded or joined.
 * Memory: the body is in `room` if it had to be decoded, else in the response; slices are borrowed
 * from these two. */
#ifndef TWX_IMPORT_HTTP_H
#define TWX_IMPORT_HTTP_H

#include "base/buf.h"

typedef struct twx_http {
    int status;
    twx_slice content_type; /* "text/html", without parameters, as written; absent: none */
    twx_slice charset;      /* parameter of it; absent: none */
    twx_slice location;
    twx_buf
        /* X-Robots-Tag values for all agents, joined by ", "; values for a single agent are left
         * out. Owned. */
        robots;
    twx_slice body;
    const char *fault; /* NULL: none; static text */
    bool too_long;     /* the body exceeds max_body; `body` is its beginning */
} twx_http;

/* room and ret_http->robots: initialised by the caller (twx_buf_init), cleared here. Errors
 * TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_http_parse(twx_ctx *cx, twx_slice response, size_t max_body, twx_buf *room,
                                twx_http *ret_http);

#endif
