/* url/url_address.h: hosts that are IP addresses, in one spelling (WHATWG URL, sections 3.5 and
 * 3.6).
 * [R1] A host whose last label is a number (decimal, octal with a leading 0, hexadecimal with 0x)
 * is an IPv4 address of one to four such numbers, written as four decimal numbers, or it is bad:
 * "0x7f.1" is "127.0.0.1", "1.2.3.256" is no host.
 * [R2] An IPv6 address is written in lower-case hexadecimal, the first of the longest runs of
 * two or more zero pieces as "::". Any thread may call these; nothing can fail but the host. */
#ifndef TWX_URL_URL_ADDRESS_H
#define TWX_URL_URL_ADDRESS_H

#include "base/slice.h"

enum { TWX_URL_ADDRESS_MAX = 48 }; /* bytes of an address in brackets with its NUL */

typedef enum twx_url_address { TWX_URL_NAME, TWX_URL_ADDRESS, TWX_URL_BAD_ADDRESS } twx_url_address;

/* host: lower-case, without the dot at its end. room is written for TWX_URL_ADDRESS only. */
twx_url_address twx_url_ipv4(twx_slice host, char room[TWX_URL_ADDRESS_MAX]);
/* literal: with its brackets; room gets it with brackets. false: not an IPv6 address. */
bool twx_url_ipv6(twx_slice literal, char room[TWX_URL_ADDRESS_MAX]);

#endif
