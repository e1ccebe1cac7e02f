#include "document_types_table.h"
#include "page/page.h"

/* ==== looks_like */

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
    return gzip || zstd || zlib;
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

/* ==== document_types */

static const struct {
    const char *word, *type;
    twx_document_type content;
} TYPES[] = {DOCUMENT_TYPE_ROWS};

static const char *const FIRST_TAGS[] = {FIRST_TAG_ROWS};

static bool is_word(twx_slice word) {
    for (size_t i = 0; i < TWX_COUNTOF(TYPES); i++)
        if (twx_slice_eq_nocase(word, twx_slice_of(TYPES[i].word))) return true;
    return false;
}

twx_rc twx_document_types_check(twx_ctx *cx, const char *types) {
    twx_slice list = twx_slice_of(types), word;
    bool any = false;
    for (; twx_slice_next_item(&list, ",|", &word); any = true)
        if (!is_word(word) && twx_slice_find(word, '/', 0) == word.n)
            return twx_fail(
                cx, TWX_E_CONFIG,
                "import.types: '" TWX_SLICE_FMT
                "' is neither html, xhtml, plain or markdown nor a content type such as text/csv",
                TWX_SLICE_ARG(word));
    return any ? TWX_OK
               : twx_fail(cx, TWX_E_CONFIG,
                          "import.types names no type: nothing would be imported");
}

static bool is_listed(const char *types, twx_slice type) {
    twx_slice list = twx_slice_of(types), word;
    while (twx_slice_next_item(&list, ",|", &word)) {
        for (size_t i = 0; i < TWX_COUNTOF(TYPES); i++)
            if (twx_slice_eq_nocase(word, twx_slice_of(TYPES[i].word)) &&
                twx_slice_eq_nocase(type, twx_slice_of(TYPES[i].type)))
                return true;
        const bool begins = word.n >= 2 && word.p[word.n - 1] == '*';
        if (begins ? twx_slice_starts_nocase(type, twx_slice_sub(word, 0, word.n - 1))
                   : twx_slice_eq_nocase(word, type))
            return true;
    }
    return false;
}

static bool says_nothing(twx_slice type) {
    return type.n == 0 || twx_slice_eq_nocase(type, TWX_SLICE_LIT("unknown/unknown")) ||
           twx_slice_eq_nocase(type, TWX_SLICE_LIT("application/unknown")) ||
           twx_slice_eq(type, TWX_SLICE_LIT("*/*"));
}

bool twx_looks_like_html(twx_slice text) {
    text = twx_slice_sub(text, 0, 1024);
    if (twx_slice_starts(text, (twx_slice){"\xEF\xBB\xBF", 3}))
        text = twx_slice_sub(text, 3, text.n);
    text = twx_slice_trim(text);
    if (text.n < 2 || text.p[0] != '<') return false;
    text = twx_slice_sub(text, 1, text.n);
    if (twx_slice_starts_nocase(text, TWX_SLICE_LIT("!doctype html"))) return true;
    for (size_t i = 0; i < TWX_COUNTOF(FIRST_TAGS); i++) {
        const twx_slice tag = twx_slice_of(FIRST_TAGS[i]);
        if (!twx_slice_starts_nocase(text, tag)) continue;
        if (tag.p[0] == '!' || text.n == tag.n) return true;
        char after = text.p[tag.n];
        if (after == '>' || after == '/' || twx_is_space((unsigned char)after)) return true;
    }
    return false;
}

twx_slice twx_media_type(twx_slice content_type) {
    size_t end = 0;
    while (end < content_type.n && content_type.p[end] != ';' && content_type.p[end] != ',') end++;
    return twx_slice_trim(twx_slice_sub(content_type, 0, end));
}

twx_document_type twx_document_type_of(const char *types, twx_slice type, twx_slice body) {
    type = twx_media_type(type);
    if (says_nothing(type)) {
        if (!twx_looks_like_html(body) || !is_listed(types, TWX_SLICE_LIT("text/html")))
            return TWX_TYPE_OTHER;
        return TWX_TYPE_HTML;
    }
    if (!is_listed(types, type)) return TWX_TYPE_OTHER;
    for (size_t i = 0; i < TWX_COUNTOF(TYPES); i++)
        if (twx_slice_eq_nocase(type, twx_slice_of(TYPES[i].type))) return TYPES[i].content;
    return TWX_TYPE_PLAIN;
}
