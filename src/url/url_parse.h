/* url/url_parse.h: splits a URL into its parts (RFC 3986, appendix B) and defines which bytes may
 * appear in which part.
 * [R1] Splitting changes nothing: the parts with their delimiters, concatenated, are the text.
 * [R2] Every byte string splits; the code that interprets a part validates it.
 * Memory: parts are slices of the text; p == NULL where a part is absent. Any thread may call
 * these. */
#ifndef TWX_URL_URL_PARSE_H
#define TWX_URL_URL_PARSE_H

#include "base/slice.h"

/* scheme:// authority path ? query # fragment. The path is never absent, but may be empty. */
typedef struct twx_url_parts {
    twx_slice scheme, authority, path, query, fragment;
} twx_url_parts;

/* userinfo @ host : port. The host is never absent, but may be empty; an IPv6 literal keeps its
 * brackets. */
typedef struct twx_authority_parts {
    twx_slice userinfo, host, port;
} twx_authority_parts;

void twx_url_split(twx_slice text, twx_url_parts *ret_parts);
void twx_url_split_authority(twx_slice authority, twx_authority_parts *ret_parts);

/* Where a byte may appear unencoded; '%' and bytes >= 0x80 may appear nowhere. */
enum {
    TWX_URL_IN_SCHEME = 1 << 0,
    TWX_URL_IN_USERINFO = 1 << 1,
    TWX_URL_IN_HOST = 1 << 2,
    TWX_URL_IN_PATH = 1 << 3,
    TWX_URL_IN_QUERY = 1 << 4,
    TWX_URL_UNRESERVED = 1 << 5,  /* equivalent with and without percent-encoding */
    TWX_URL_IN_WEB_QUERY = 1 << 6 /* a query without "'": browsers send that as %27 */
};
extern const unsigned char TWX_URL_PLACES[256];

static inline bool twx_url_may_stand(char c, unsigned place) {
    return (TWX_URL_PLACES[(unsigned char)c] & place) != 0;
}

#endif
