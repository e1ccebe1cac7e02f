#include "url/url_twin.h"

#include <string.h>

#include "url/url_host.h"
#include "url/url_parse.h"

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

static twx_slice scheme_twin(const twx_url *url) {
    return twx_url_is_web(url) ? twx_slice_sub(url->whole, url->scheme.n + 1, url->whole.n)
                               : (twx_slice){NULL, 0};
}

/* room: for url->whole.n - WWW bytes, if the URL has a www. */
static twx_slice www_twin(const twx_url *url, char *room) {
    if (!twx_url_is_web(url)) return (twx_slice){NULL, 0};
    if (!room || !twx_url_is_www(url)) return url->whole;
    const size_t n = url->whole.n - WWW, head = (size_t)(url->host.p - url->whole.p);
    memcpy(room, url->whole.p, head);
    memcpy(room + head, url->host.p + WWW, n - head);
    return (twx_slice){room, n};
}

twx_rc twx_url_scheme_twin(twx_ctx *cx, twx_arena *scratch, const twx_url *url,
                           twx_slice *ret_key) {
    (void)cx, (void)scratch; /* unused: all key functions have one signature */
    *ret_key = scheme_twin(url);
    return TWX_OK;
}

twx_rc twx_url_www_twin(twx_ctx *cx, twx_arena *scratch, const twx_url *url, twx_slice *ret_key) {
    char *room = NULL;
    if (twx_url_is_www(url)) {
        room = twx_arena_alloc(cx, scratch, url->whole.n - WWW, 1);
        if (!room) return TWX_E_NOMEM;
    }
    *ret_key = www_twin(url, room);
    return TWX_OK;
}

twx_rc twx_url_forms_twin(twx_ctx *cx, twx_arena *scratch, const twx_url *url, twx_slice *ret_key) {
    twx_slice key;
    const twx_rc rc = twx_url_www_twin(cx, scratch, url, &key);
    if (rc == TWX_OK) *ret_key = key.p ? twx_slice_sub(key, url->scheme.n + 1, key.n) : key;
    return rc;
}

static twx_url url_of(twx_slice normal) {
    twx_url_parts parts;
    twx_authority_parts authority;
    twx_url_split(normal, &parts);
    twx_url_split_authority(parts.authority, &authority);
    return (twx_url){.whole = normal, .scheme = parts.scheme, .host = authority.host};
}

twx_slice twx_url_scheme_twin_of(twx_slice normal) {
    const twx_url url = url_of(normal);
    return scheme_twin(&url);
}

twx_slice twx_url_www_twin_of(twx_slice normal, char *room) {
    const twx_url url = url_of(normal);
    return www_twin(&url, room);
}

twx_slice twx_url_forms_twin_of(twx_slice normal, char *room) {
    const twx_url url = url_of(normal);
    const twx_slice key = www_twin(&url, room);
    return key.p ? twx_slice_sub(key, url.scheme.n + 1, key.n) : key;
}

twx_hash128 twx_url_twin_hash(twx_slice key) {
    return twx_hash_wide(key, 0);
}
