#include "url/url_host.h"

#include <arpa/inet.h>
#include <idn2.h>
#include <string.h>

#include "base/utf8.h"
#include "url/url_parse.h"

/* Nothing longer can become a host: 255 bytes of A-labels stand for fewer than 255 code points of
 * at most 4 bytes, each at most 3 bytes percent-encoded. Bounds the work for a hostile megabyte.
 * */
enum { RAW_MAX = TWX_URL_HOST_MAX * 4 * 3 };

static const twx_slice BAD = {NULL, 0};

static bool is_ipv6(twx_slice s) {
    char text[INET6_ADDRSTRLEN];
    struct in6_addr address;
    if (s.n >= sizeof text || (s.n && memchr(s.p, '\0', s.n))) return false;
    if (s.n) memcpy(text, s.p, s.n);
    text[s.n] = '\0';
    return inet_pton(AF_INET6, text, &address) == 1;
}

static void lower(char *p, size_t n) {
    for (size_t i = 0; i < n; i++) p[i] = twx_lower(p[i]);
}

/* Decodes percent-encoding into out[0..raw.n]; false when a sign is broken. */
static bool decode(twx_slice raw, char *out, size_t *ret_n, bool *ret_ascii) {
    size_t n = 0;
    bool ascii = true;
    for (size_t i = 0; i < raw.n; i++) {
        unsigned char c = (unsigned char)raw.p[i];
        if (c == '%') {
            if (raw.n - i < 3) return false;
            int high = twx_hex_value((unsigned char)raw.p[i + 1]);
            int low = twx_hex_value((unsigned char)raw.p[i + 2]);
            if (high < 0 || low < 0) return false;
            c = (unsigned char)(high << 4 | low);
            i += 2;
        }
        ascii = ascii && c < 0x80;
        out[n++] = (char)c;
    }
    *ret_n = n;
    *ret_ascii = ascii;
    return true;
}

/* U-labels to A-labels. name is NUL-terminated, its length n without the NUL. */
static twx_rc to_ascii(twx_ctx *cx, twx_arena *scratch, twx_slice name, twx_slice *ret_host) {
    uint8_t *ascii = NULL;
    *ret_host = BAD;
    if (memchr(name.p, '\0', name.n) || !twx_utf8_valid(name)) return TWX_OK;
    int rc = idn2_lookup_u8((const uint8_t *)name.p, &ascii, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL);
    if (rc == IDN2_MALLOC) return twx_fail(cx, TWX_E_NOMEM, "out of memory in libidn2");
    if (rc != IDN2_OK) return TWX_OK;
    twx_rc copied = twx_arena_copy(cx, scratch, twx_slice_of((const char *)ascii), ret_host);
    idn2_free(ascii);
    return copied;
}

/* [R1] [R2] [R4] the checks that come last; drops the dot at the end. */
static twx_slice checked(twx_slice host) {
    if (host.n && host.p[host.n - 1] == '.') host.n--;
    if (host.n == 0 || host.n > TWX_URL_HOST_MAX) return BAD;
    char before = '.';
    for (size_t i = 0; i < host.n; i++) {
        if (!twx_url_may_stand(host.p[i], TWX_URL_IN_HOST)) return BAD;
        if (host.p[i] == '.' && before == '.') return BAD;
        before = host.p[i];
    }
    return before == '.' ? BAD : host;
}

twx_rc twx_url_host(twx_ctx *cx, twx_arena *scratch, twx_slice raw, twx_slice *ret_host) {
    bool literal = raw.n && raw.p[0] == '[';
    bool ascii = true;
    size_t n = raw.n;
    if (raw.n == 0) {
        *ret_host = TWX_SLICE_LIT("");
        return TWX_OK;
    }
    if (raw.n > RAW_MAX ||
        (literal && (raw.p[raw.n - 1] != ']' || !is_ipv6(twx_slice_sub(raw, 1, raw.n - 1))))) {
        *ret_host = BAD;
        return TWX_OK;
    }
    char *name = twx_arena_alloc(cx, scratch, raw.n + 1, 1);
    if (!name) return TWX_E_NOMEM;
    if (literal) {
        memcpy(name, raw.p, raw.n);
    } else if (!decode(raw, name, &n, &ascii)) {
        *ret_host = BAD;
        return TWX_OK;
    }
    name[n] = '\0';
    lower(name, n);
    twx_slice host = {name, n};
    if (!ascii) {
        twx_rc rc = to_ascii(cx, scratch, host, &host);
        if (rc != TWX_OK) return rc;
    }
    *ret_host = literal ? host : checked(host);
    return TWX_OK;
}

bool twx_url_host_is_address(twx_slice host) {
    char text[INET_ADDRSTRLEN];
    struct in_addr address;
    if (host.n && host.p[0] == '[') return true;
    if (host.n == 0 || host.n >= sizeof text || memchr(host.p, '\0', host.n)) return false;
    memcpy(text, host.p, host.n);
    text[host.n] = '\0';
    return inet_pton(AF_INET, text, &address) == 1;
}
