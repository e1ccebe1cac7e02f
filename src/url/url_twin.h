/* url/url_twin.h: the keys under which a URL meets its twins (docs/internals.md, "URL twins").
 * A twin key is text; callers hash it. Only http and https URLs have twins: for others the key is absent.
 * Memory borrowed from the arena. Errors TWX_E_NOMEM. */
#ifndef TWX_URL_URL_TWIN_H
#define TWX_URL_URL_TWIN_H

#include "url/url_norm.h"

bool twx_url_is_https(const twx_url *url);
bool twx_url_is_web(const twx_url *url); /* http or https */
bool twx_url_is_www(const twx_url *url); /* host starts with "www." and goes on behind it with a name that has a dot or is not empty */
/* The normal URL without its scheme and colon: "//host/path?query". */
TWX_CHECK twx_rc twx_url_scheme_twin(twx_ctx *cx, twx_arena *scratch, const twx_url *url, twx_slice *ret_key);
/* The normal URL with one leading "www." taken off its host; an IP address is left alone. */
TWX_CHECK twx_rc twx_url_www_twin(twx_ctx *cx, twx_arena *scratch, const twx_url *url, twx_slice *ret_key);

#endif
