/* url/url_host.h: the normal form of a host (RFC 3986 section 3.2.2 and 6.2.2.1, UTS 46).
 * [R1] Percent-encoding is decoded, as browsers do; non-ASCII names become A-labels (libidn2, UTS
 * 46 non-transitional), ASCII letters lower-case. What then holds a byte no host may hold is bad.
 * [R2] One dot at the end is dropped: "example.com." is the same name of the DNS. Other empty
 * labels are bad.
 * [R3] IP addresses have one spelling (url_address.h); zone ids and IPvFuture are bad.
 * [R4] More than TWX_URL_HOST_MAX bytes are bad. The empty host is its own normal form. */
#ifndef TWX_URL_URL_HOST_H
#define TWX_URL_URL_HOST_H

#include "base/arena.h"
#include "base/slice.h"

enum { TWX_URL_HOST_MAX = 255 }; /* RFC 3986: what the DNS can hold */

/* Shape  *ret_host absent: the host is bad
 * Memory borrowed from the arena. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_url_host(twx_ctx *cx, twx_arena *scratch, twx_slice raw, twx_slice *ret_host);

/* Host in normal form: an IPv6 literal, or four decimal numbers? */
bool twx_url_host_is_address(twx_slice host);

#endif
