/* url/internal.h: what the files of this room share with each other and with its tests; other rooms
 * include url/url.h. */
#ifndef TWX_URL_INTERNAL_H
#define TWX_URL_INTERNAL_H

#include "url/url.h"

/* url_address (url_host.c): the normal form of hosts that are IP addresses (WHATWG URL, sections
 * 3.5 and 3.6).
 * [R1] A host whose last label is a number (decimal, octal with a leading 0, hexadecimal with 0x)
 * must be an IPv4 address of one to four such numbers. Its normal form is four decimal numbers:
 * "0x7f.1" becomes "127.0.0.1"; "1.2.3.256" is not a valid host.
 * [R2] An IPv6 address is written in lower-case hexadecimal, with the first of the longest runs of
 * two or more zero pieces as "::".
 * Any thread may call these. */

/* url_host.c: the normal form of a host (RFC 3986 section 3.2.2 and 6.2.2.1, UTS 46).
 * [R1] Percent-encoding is decoded, as in browsers; non-ASCII names become A-labels (libidn2, UTS
 * 46 non-transitional), ASCII letters become lower-case. A host that then holds a byte no host may
 * hold is invalid.
 * [R2] One trailing dot is dropped: "example.com." names the same host in the DNS. Other empty
 * labels are invalid.
 * [R3] IP addresses have one spelling (url_address); zone ids and IPvFuture are invalid.
 * [R4] A host of more than TWX_URL_HOST_MAX bytes is invalid. The empty host is its own normal
 * form.
 * Shape *ret_host absent: the host is invalid
 * Memory borrowed from the arena. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_url_host(twx_ctx *cx, twx_arena *scratch, twx_slice raw, twx_slice *ret_host);

/* host: in normal form. Is it an IPv6 literal or a dotted IPv4 address? */
bool twx_url_host_is_address(twx_slice host);

/* url_norm.c: is the name one of a list of share/tables, which ends with NULL? Its names are in
 * lower case; a '*' at the end matches anything. ASCII case is ignored. */
bool twx_url_is_listed(twx_slice name, const char *const *names);

#endif
