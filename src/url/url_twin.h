/* url/url_twin.h: keys of URL twins, URLs that differ in scheme or "www." alone (docs/internals.md,
 * "URL twins"). A twin key is text; callers hash it. Only http and https URLs have one: for others
 * the key is absent.
 * [R1] Scheme twins: "http://x" and "https://x" have the same key. Ports are part of the key: an
 * explicit port that is the default of the other scheme keeps two URLs separate.
 * [R2] WWW twins: "http://www.x" and "http://x" have the same key.
 * [R3] The four forms of a URL have the same key, also "http://x" and "https://www.x".
 * Memory borrowed from the arena or from url. Errors TWX_E_NOMEM. */
#ifndef TWX_URL_URL_TWIN_H
#define TWX_URL_URL_TWIN_H

#include "base/hash64.h"
#include "url/url_norm.h"

bool twx_url_is_https(const twx_url *url);
bool twx_url_is_web(const twx_url *url); /* http or https */
/* Is it a web URL whose host is "www." followed by a name that contains a dot ("www.com" is a name
 * of its own) and is not an IP address? */
bool twx_url_is_www(const twx_url *url);
/* The normal URL without its scheme and colon: "//host/path?query". */
TWX_CHECK twx_rc twx_url_scheme_twin(twx_ctx *cx, twx_arena *scratch, const twx_url *url,
                                     twx_slice *ret_key);
/* The normal URL, with one leading "www." removed from its host where twx_url_is_www(). */
TWX_CHECK twx_rc twx_url_www_twin(twx_ctx *cx, twx_arena *scratch, const twx_url *url,
                                  twx_slice *ret_key);

/* The normal URL without its scheme, colon and "www.": one key for the four forms of a URL. */
TWX_CHECK twx_rc twx_url_forms_twin(twx_ctx *cx, twx_arena *scratch, const twx_url *url,
                                    twx_slice *ret_key);

/* The same keys from the text of a normal URL. room: for normal.n bytes; the key may be in it. */
twx_slice twx_url_scheme_twin_of(twx_slice normal);
twx_slice twx_url_www_twin_of(twx_slice normal, char *room);
twx_slice twx_url_forms_twin_of(twx_slice normal, char *room);
/* The signature of a key: its high half is the key of the detector, its low half the check. */
twx_hash128 twx_url_twin_hash(twx_slice key);

#endif
