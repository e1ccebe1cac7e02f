#include "page/style_escape.h"

#include "base/utf8.h"

size_t twx_css_unescape(twx_slice s, size_t *at, char ret_bytes[4]) {
    char *to = ret_bytes;
    to[0] = s.p[(*at)++];
    if (to[0] != '\\' || *at == s.n) return 1;
    uint32_t code = 0;
    size_t digits = 0;
    for (int digit;
         digits < 6 && *at < s.n && (digit = twx_hex_value((unsigned char)s.p[*at])) >= 0;
         digits++, ++*at)
        code = code * 16 + (uint32_t)digit;
    if (digits == 0) {
        to[0] = s.p[(*at)++];
        return 1;
    }
    if (*at < s.n && twx_is_space((unsigned char)s.p[*at])) ++*at;
    const bool scalar = code != 0 && code <= 0x10FFFF && !(code >= 0xD800 && code <= 0xDFFF);
    return twx_utf8_put(scalar ? code : TWX_REPLACEMENT, to);
}
