/* url/url_address.h: the normal form of hosts that are IP addresses (WHATWG URL, sections 3.5 and
 * 3.6).
 * [R1] A host whose last label is a number (decimal, octal with a leading 0, hexadecimal with 0x)
 * must be an IPv4 address of one to four such numbers. Its normal form is four decimal numbers:
 * "0x7f.1" becomes "127.0.0.1"; "1.2.3.256" is not a valid host.
 * [R2] An IPv6 address is written in lower-case hexadecimal, with the first of the longest runs of
 * two or more zero pieces as "::".
 * Any thread may call these. */
#ifndef TWX_URL_URL_ADDRESS_H
#define TWX_URL_URL_ADDRESS_H

#include "base/slice.h"

enum { TWX_URL_ADDRESS_MAX = 48 }; /* bytes of an address in brackets with its NUL */

typedef enum twx_url_address { TWX_URL_NAME, TWX_URL_ADDRESS, TWX_URL_BAD_ADDRESS } twx_url_address;

/* host: lower-case, without a trailing dot. room is written for TWX_URL_ADDRESS only. */
twx_url_address twx_url_ipv4(twx_slice host, char room[TWX_URL_ADDRESS_MAX]);
/* literal and room include the brackets. false: not an IPv6 address. */
bool twx_url_ipv6(twx_slice literal, char room[TWX_URL_ADDRESS_MAX]);

#endif
