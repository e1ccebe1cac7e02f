#include "url/url_twin.h"

#include <string.h>

#include "url/url_host.h"

enum { WWW = 4 }; /* bytes of "www." */

bool twx_url_is_https(const twx_url *url) {
    return twx_slice_eq(url->scheme, TWX_SLICE_LIT("https"));
}

bool twx_url_is_web(const twx_url *url) {
    return twx_url_is_https(url) || twx_slice_eq(url->scheme, TWX_SLICE_LIT("http"));
}

bool twx_url_is_www(const twx_url *url) {
    if (!twx_url_is_web(url) || !twx_slice_starts(url->host, TWX_SLICE_LIT("www."))) return false;
    twx_slice name = twx_slice_sub(url->host, WWW, url->host.n);
    return twx_slice_find(name, '.', 0) < name.n && !twx_url_host_is_address(name);
}

twx_rc twx_url_scheme_twin(twx_ctx *cx, twx_arena *scratch, const twx_url *url,
                           twx_slice *ret_key) {
    (void)cx, (void)scratch; /* unused: all key functions have one signature */
    *ret_key = twx_url_is_web(url) ? twx_slice_sub(url->whole, url->scheme.n + 1, url->whole.n)
                                   : (twx_slice){NULL, 0};
    return TWX_OK;
}

twx_rc twx_url_www_twin(twx_ctx *cx, twx_arena *scratch, const twx_url *url, twx_slice *ret_key) {
    if (!twx_url_is_www(url)) {
        *ret_key = twx_url_is_web(url) ? url->whole : (twx_slice){NULL, 0};
        return TWX_OK;
    }
    size_t n = url->whole.n - WWW, head = (size_t)(url->host.p - url->whole.p);
    char *p = twx_arena_alloc(cx, scratch, n, 1);
    if (!p) return TWX_E_NOMEM;
    memcpy(p, url->whole.p, head);
    memcpy(p + head, url->host.p + WWW, n - head);
    *ret_key = (twx_slice){p, n};
    return TWX_OK;
}
