/* base/http_status.h: an HTTP status as programs write it: "200", "200 OK", "200.0", "HTTP/1.1 200
 * OK", "ok". */
#ifndef TWX_BASE_HTTP_STATUS_H
#define TWX_BASE_HTTP_STATUS_H

#include <stdint.h>

#include "base/slice.h"

/* false: it is none of these, and *ret_status is unchanged. */
bool twx_http_status(twx_slice text, int64_t *ret_status);

#endif
