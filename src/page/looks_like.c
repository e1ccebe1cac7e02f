#include "page/looks_like.h"

#include "base/alloc.h"

enum { LOOK_BYTES = 1 << 16, URL_MAX = 8192, HEX_LEAST = 16, HEX_MOST = 128, END_TAGS = 2 };

static bool is_url(twx_slice s) {
    if (s.n > URL_MAX || (!twx_slice_starts_nocase(s, TWX_SLICE_LIT("http://")) &&
                          !twx_slice_starts_nocase(s, TWX_SLICE_LIT("https://"))))
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (twx_is_space((unsigned char)s.p[i])) return false;
    return true;
}

static bool is_hex(twx_slice s) {
    if (s.n < HEX_LEAST || s.n > HEX_MOST) return false;
    for (size_t i = 0; i < s.n; i++)
        if (twx_hex_value((unsigned char)s.p[i]) < 0) return false;
    return true;
}

static bool is_packed(twx_slice s) {
    const unsigned char *p = (const unsigned char *)s.p;
    if (s.n < 6) return false;
    const bool gzip = p[0] == 0x1f && p[1] == 0x8b && p[2] == 8;
    const bool zstd = p[0] == 0x28 && p[1] == 0xb5 && p[2] == 0x2f && p[3] == 0xfd;
    /* RFC 1950: deflate with a window of 32 KiB, and a header that is a multiple of 31 */
    const bool zlib = p[0] == 0x78 && ((p[0] << 8) + p[1]) % 31 == 0 && (p[1] & 0x20) == 0;
    return gzip || zstd || (zlib && (p[1] == 0x01 || p[1] >= 0x80 || p[1] == 0x5e));
}

/* A letter after "</", as in "</p>". A text about HTML has only one or two of them. */
static bool is_html(twx_slice s) {
    size_t tags = 0;
    const bool first = s.p[0] == '<' && s.n > 1 &&
                       (twx_is_alpha((unsigned char)s.p[1]) || s.p[1] == '!');
    for (size_t i = 0; i + 2 < s.n; i++)
        tags += s.p[i] == '<' && s.p[i + 1] == '/' && twx_is_alpha((unsigned char)s.p[i + 2]);
    return (first && tags >= 1) || tags > END_TAGS + s.n / 1000;
}

twx_content twx_looks_like(twx_slice bytes) {
    twx_slice all = twx_slice_trim(bytes);
    if (all.n == 0) return TWX_CONTENT_EMPTY;
    if (is_packed(bytes)) return TWX_CONTENT_PACKED;
    twx_slice s = twx_slice_sub(all, 0, LOOK_BYTES);
    if (twx_slice_find(s, '\0', 0) < s.n) return TWX_CONTENT_BINARY;
    if (is_url(all)) return TWX_CONTENT_URL;
    if (is_hex(all)) return TWX_CONTENT_HEX;
    const char last = all.p[all.n - 1];
    if ((s.p[0] == '{' && last == '}') || (s.p[0] == '[' && last == ']')) return TWX_CONTENT_JSON;
    return is_html(s) ? TWX_CONTENT_HTML : TWX_CONTENT_PLAIN;
}

const char *twx_content_name(twx_content content) {
    static const char *const NAMES[TWX_CONTENTS] = {
        "nothing", "text", "a URL", "HTML", "JSON", "hex digits", "packed bytes", "binary"};
    return NAMES[content];
}
