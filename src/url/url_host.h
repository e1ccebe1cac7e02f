/* url/url_host.h: the normal form of a host (RFC 3986 section 3.2.2 and 6.2.2.1, UTS 46).
 * [R1] Percent-encoding is decoded, as in browsers; non-ASCII names become A-labels (libidn2, UTS
 * 46 non-transitional), ASCII letters become lower-case. A host that then holds a byte no host may
 * hold is invalid.
 * [R2] One trailing dot is dropped: "example.com." names the same host in the DNS. Other empty
 * labels are invalid.
 * [R3] IP addresses have one spelling (url_address.h); zone ids and IPvFuture are invalid.
 * [R4] A host of more than TWX_URL_HOST_MAX bytes is invalid. The empty host is its own normal
 * form. */
#ifndef TWX_URL_URL_HOST_H
#define TWX_URL_URL_HOST_H

#include "base/arena.h"
#include "base/slice.h"

enum { TWX_URL_HOST_MAX = 255 }; /* RFC 3986: the longest name in the DNS */

/* Shape  *ret_host absent: the host is invalid
 * Memory borrowed from the arena. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_url_host(twx_ctx *cx, twx_arena *scratch, twx_slice raw, twx_slice *ret_host);

/* host: in normal form. Is it an IPv6 literal or a dotted IPv4 address? */
bool twx_url_host_is_address(twx_slice host);

#endif
