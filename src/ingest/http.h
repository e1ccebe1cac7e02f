/* ingest/http.h: the HTTP response inside a WARC record: status, headers, body without its transfer
 * and content codings.
 * [R1] Takes what real archives hold: no status text, no head at all (then `status` is 200 and all
 * is body), several 1xx heads before the last, bare LF, chunked announced over a body that is not
 * chunked any more. [R2] gzip, deflate, br, zstd; an unknown coding or a broken body gives fault
 * and what could be unpacked. [R3] No more than max_body bytes are unpacked or joined.
 * Memory: body lives in `room` when it had to be unpacked, else in the response; slices are
 * borrowed from the two. */
#ifndef TWX_INGEST_HTTP_H
#define TWX_INGEST_HTTP_H

#include "base/buf.h"

typedef struct twx_http {
    int status;
    twx_slice content_type; /* "text/html", without parameters, as written; absent: none */
    twx_slice charset;      /* parameter of it; absent: none */
    twx_slice location;
    twx_buf
        /* X-Robots-Tag of all agents, joined by ", "; what is meant for one agent is left out.
         * Owned. */
        robots;
    twx_slice body;
    const char *fault; /* NULL: none; static text */
    bool too_long;     /* the body passes max_body; body is its beginning */
} twx_http;

/* room and ret_http->robots: initialised by the caller (twx_buf_init), cleared here. Errors
 * TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_http_parse(twx_ctx *cx, twx_slice response, size_t max_body, twx_buf *room,
                                twx_http *ret_http);

#endif
