#include "page/encoding_prescan.h"

#include <string.h>

#include "page/encoding.h"

typedef struct scan {
    const char *p, *end;
} scan;

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

static bool looks_at(const scan *s, twx_slice text) {
    return twx_slice_starts_nocase((twx_slice){s->p, (size_t)(s->end - s->p)}, text);
}

/* "Get an attribute". false: there are no more. Names and values are as in the page. */
static bool next_attribute(scan *s, twx_slice *ret_name, twx_slice *ret_value) {
    while (s->p < s->end && (is_space(*s->p) || *s->p == '/')) s->p++;
    if (s->p == s->end || *s->p == '>') return false;
    const char *name = s->p;
    while (s->p < s->end && !(*s->p == '=' && s->p > name) && !is_space(*s->p) && *s->p != '/' &&
           *s->p != '>')
        s->p++;
    *ret_name = (twx_slice){name, (size_t)(s->p - name)};
    *ret_value = (twx_slice){"", 0};
    while (s->p < s->end && is_space(*s->p)) s->p++;
    if (s->p == s->end || *s->p != '=') return true;
    s->p++;
    while (s->p < s->end && is_space(*s->p)) s->p++;
    if (s->p == s->end || *s->p == '>') return true;
    if (*s->p == '"' || *s->p == '\'') {
        const char quote = *s->p++, *value = s->p;
        while (s->p < s->end && *s->p != quote) s->p++;
        *ret_value = (twx_slice){value, (size_t)(s->p - value)};
        if (s->p < s->end) s->p++;
        return true;
    }
    const char *value = s->p;
    while (s->p < s->end && !is_space(*s->p) && *s->p != '>') s->p++;
    *ret_value = (twx_slice){value, (size_t)(s->p - value)};
    return true;
}

static size_t skip_space(twx_slice s, size_t at) {
    while (at < s.n && is_space(s.p[at])) at++;
    return at;
}

twx_slice twx_charset_in(twx_slice content) {
    for (size_t i = 0; i + 7 < content.n; i++) {
        if (!twx_slice_starts_nocase(twx_slice_sub(content, i, content.n),
                                     TWX_SLICE_LIT("charset")))
            continue;
        size_t at = skip_space(content, i + 7);
        if (at == content.n || content.p[at] != '=') continue;
        at = skip_space(content, at + 1);
        if (at == content.n) break;
        if (content.p[at] == '"' || content.p[at] == '\'') {
            const size_t close = twx_slice_find(content, content.p[at], at + 1);
            return close < content.n ? twx_slice_sub(content, at + 1, close) : (twx_slice){NULL, 0};
        }
        size_t end = at;
        while (end < content.n && !is_space(content.p[end]) && content.p[end] != ';') end++;
        return twx_slice_sub(content, at, end);
    }
    return (twx_slice){NULL, 0};
}

/* Reads the attributes of a meta element; absent: it names no known encoding. */
static twx_slice meta(scan *s) {
    twx_slice name, value, charset = {NULL, 0};
    bool pragma = false, need_pragma = false, has_charset = false, has_content = false,
         has_pragma = false;
    while (next_attribute(s, &name, &value)) {
        if (twx_slice_eq_nocase(name, TWX_SLICE_LIT("http-equiv")) && !has_pragma) {
            has_pragma = true;
            pragma = twx_slice_eq_nocase(value, TWX_SLICE_LIT("content-type"));
        } else if (twx_slice_eq_nocase(name, TWX_SLICE_LIT("content")) && !has_content) {
            has_content = true;
            const twx_slice inside = twx_charset_in(value);
            if (!charset.p && inside.p && twx_encoding_name(inside)) {
                charset = inside;
                need_pragma = true;
            }
        } else if (twx_slice_eq_nocase(name, TWX_SLICE_LIT("charset")) && !has_charset) {
            has_charset = true;
            charset = value;
            need_pragma = false;
        }
    }
    if (s->p == s->end) return (twx_slice){NULL, 0}; /* the tag extends beyond the bytes examined */
    if (!charset.p || (need_pragma && !pragma) || !twx_encoding_name(charset))
        return (twx_slice){NULL, 0};
    return charset;
}

static void skip_tag(scan *s) {
    twx_slice name, value;
    while (s->p < s->end && !is_space(*s->p) && *s->p != '>') s->p++;
    while (next_attribute(s, &name, &value)) continue;
}

static void skip_past(scan *s, twx_slice what) {
    while (s->p < s->end && !looks_at(s, what)) s->p++;
    s->p = (size_t)(s->end - s->p) < what.n ? s->end : s->p + what.n;
}

static bool is_letter_at(const scan *s, size_t i) {
    return (size_t)(s->end - s->p) > i && twx_is_alpha((unsigned char)s->p[i]);
}

twx_slice twx_prescan(twx_slice bytes) {
    scan s = {bytes.p, bytes.p + (bytes.n < TWX_PRESCAN_BYTES ? bytes.n : TWX_PRESCAN_BYTES)};
    if (bytes.n >= 6 && memcmp(bytes.p, "<\0?\0x\0", 6) == 0) return TWX_SLICE_LIT("utf-16le");
    if (bytes.n >= 6 && memcmp(bytes.p, "\0<\0?\0x", 6) == 0) return TWX_SLICE_LIT("utf-16be");
    while (s.p < s.end && (s.p = memchr(s.p, '<', (size_t)(s.end - s.p)))) {
        if (looks_at(&s, TWX_SLICE_LIT("<!--"))) {
            s.p += 2; /* the dashes may belong to "-->" */
            skip_past(&s, TWX_SLICE_LIT("-->"));
        } else if (looks_at(&s, TWX_SLICE_LIT("<meta")) && s.end - s.p > 5 &&
                   (is_space(s.p[5]) || s.p[5] == '/')) {
            s.p += 5;
            const twx_slice charset = meta(&s);
            if (charset.p) return charset;
        } else if (is_letter_at(&s, 1) ||
                   (s.end - s.p > 1 && s.p[1] == '/' && is_letter_at(&s, 2))) {
            s.p++;
            skip_tag(&s);
        } else if (s.end - s.p > 1 && strchr("!/?", s.p[1]) && s.p[1]) {
            skip_past(&s, TWX_SLICE_LIT(">"));
        } else {
            s.p++;
        }
    }
    return (twx_slice){NULL, 0};
}
