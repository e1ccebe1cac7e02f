#include "url/url_host.h"

#include <arpa/inet.h>
#include <idn2.h>
#include <string.h>

#include "base/utf8.h"
#include "url/url_address.h"
#include "url/url_parse.h"

/* A longer text cannot become a host: a host has fewer than 255 characters of at most 4
 * bytes, and a percent-encoded byte takes 3. This bounds the work for a hostile
 * megabyte. */
enum { RAW_MAX = TWX_URL_HOST_MAX * 4 * 3 };

static const twx_slice BAD = {NULL, 0};

static void lower(char *p, size_t n) {
    for (size_t i = 0; i < n; i++) p[i] = twx_lower(p[i]);
}

/* Decodes percent-encoding into out[0..raw.n]; false when a percent sign is broken. */
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

/* U-labels to A-labels. name is NUL-terminated; name.n does not count the NUL. */
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

/* [R1] [R2] [R4] The final checks; drops a trailing dot. */
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

/* An IPv6 literal; an absent host when it is invalid. */
static twx_rc literal_host(twx_ctx *cx, twx_arena *scratch, twx_slice raw, twx_slice *ret_host) {
    char room[TWX_URL_ADDRESS_MAX];
    *ret_host = BAD;
    return twx_url_ipv6(raw, room) ? twx_arena_copy(cx, scratch, twx_slice_of(room), ret_host)
                                   : TWX_OK;
}

/* [R3] Replaces any spelling of an IPv4 address by the normal one. */
static twx_rc numeric_host(twx_ctx *cx, twx_arena *scratch, twx_slice host, twx_slice *ret_host) {
    char room[TWX_URL_ADDRESS_MAX];
    twx_url_address what = host.p ? twx_url_ipv4(host, room) : TWX_URL_BAD_ADDRESS;
    *ret_host = what == TWX_URL_NAME ? host : BAD;
    return what == TWX_URL_ADDRESS ? twx_arena_copy(cx, scratch, twx_slice_of(room), ret_host)
                                   : TWX_OK;
}

twx_rc twx_url_host(twx_ctx *cx, twx_arena *scratch, twx_slice raw, twx_slice *ret_host) {
    bool ascii = true;
    size_t n = raw.n;
    *ret_host = raw.n ? BAD : TWX_SLICE_LIT("");
    if (raw.n == 0 || raw.n > RAW_MAX) return TWX_OK;
    if (raw.p[0] == '[') return literal_host(cx, scratch, raw, ret_host);
    char *name = twx_arena_alloc(cx, scratch, raw.n + 1, 1);
    if (!name) return TWX_E_NOMEM;
    if (!decode(raw, name, &n, &ascii)) return TWX_OK;
    name[n] = '\0';
    lower(name, n);
    twx_slice host = {name, n};
    twx_rc rc = ascii ? TWX_OK : to_ascii(cx, scratch, host, &host);
    return rc == TWX_OK ? numeric_host(cx, scratch, checked(host), ret_host) : rc;
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
