#include "page/encoding.h"

#include <errno.h>
#include <iconv.h>
#include <string.h>

#include "base/utf8.h"

enum { META_BYTES = 1024, LABEL_BYTES = 64 };

static const char FFFD[] = "\xEF\xBF\xBD";

/* ---- labels ----------------------------------------------------------------------------------------- */

/* [R2] Labels that mean another encoding than they say. What is not listed goes to iconv by its own name. */
static const struct {
    const char *label, *encoding;
} LABELS[] = {
    {"utf8", "UTF-8"},
    {"unicode-1-1-utf-8", "UTF-8"},
    {"ascii", "CP1252"},
    {"us-ascii", "CP1252"},
    {"latin1", "CP1252"},
    {"latin-1", "CP1252"},
    {"l1", "CP1252"},
    {"iso-8859-1", "CP1252"},
    {"iso8859-1", "CP1252"},
    {"iso_8859-1", "CP1252"},
    {"iso88591", "CP1252"},
    {"windows-1252", "CP1252"},
    {"x-cp1252", "CP1252"},
    {"ansi_x3.4-1968", "CP1252"},
    {"iso-8859-9", "CP1254"},
    {"latin5", "CP1254"},
    {"iso-8859-11", "CP874"},
    {"tis-620", "CP874"},
    {"shift_jis", "CP932"},
    {"shift-jis", "CP932"},
    {"sjis", "CP932"},
    {"x-sjis", "CP932"},
    {"windows-31j", "CP932"},
    {"ms_kanji", "CP932"},
    {"euc-kr", "CP949"},
    {"ks_c_5601-1987", "CP949"},
    {"korean", "CP949"},
    {"gb2312", "GB18030"},
    {"gb_2312-80", "GB18030"},
    {"gbk", "GB18030"},
    {"x-gbk", "GB18030"},
    {"chinese", "GB18030"},
    {"big5", "BIG5-HKSCS"},
    {"big5-hkscs", "BIG5-HKSCS"},
    {"x-x-big5", "BIG5-HKSCS"},
    {"x-euc-jp", "EUC-JP"},
    {"utf-16", "UTF-16LE"},
    {"unicode", "UTF-16LE"},
    {"x-mac-roman", "MACINTOSH"},
};

/* The name iconv knows a label by; false: no label, or none that may be an encoding's name. */
static bool encoding_of(twx_slice label, char ret_name[LABEL_BYTES]) {
    label = twx_slice_trim(label);
    if (label.n == 0 || label.n >= LABEL_BYTES) return false;
    for (size_t i = 0; i < label.n; i++) {
        char c = twx_lower(label.p[i]);
        if (!twx_is_alpha((unsigned char)c) && !twx_is_digit((unsigned char)c) && c != '-' &&
            c != '_' && c != '.' && c != ':')
            return false;
        ret_name[i] = c;
    }
    ret_name[label.n] = '\0';
    for (size_t i = 0; i < TWX_COUNTOF(LABELS); i++) {
        if (strcmp(ret_name, LABELS[i].label) != 0) continue;
        memcpy(ret_name, LABELS[i].encoding, strlen(LABELS[i].encoding) + 1);
        return true;
    }
    return true;
}

/* ---- meta ------------------------------------------------------------------------------------------- */

static size_t find_nocase(twx_slice s, twx_slice what, size_t from) {
    for (size_t i = from; i + what.n <= s.n; i++)
        if (twx_slice_starts_nocase(twx_slice_sub(s, i, s.n), what)) return i;
    return s.n;
}

static size_t skip_blanks(twx_slice s, size_t at) {
    while (at < s.n && twx_is_space((unsigned char)s.p[at])) at++;
    return at;
}

/* The word behind "charset", an equals sign and perhaps a quote. */
static twx_slice charset_value(twx_slice tag, size_t at) {
    at = skip_blanks(tag, at);
    if (at >= tag.n || tag.p[at] != '=') return (twx_slice){NULL, 0};
    at = skip_blanks(tag, at + 1);
    if (at < tag.n && (tag.p[at] == '"' || tag.p[at] == '\'')) at = skip_blanks(tag, at + 1);
    size_t end = at;
    while (end < tag.n && !twx_is_space((unsigned char)tag.p[end]) && !strchr("\"';>/", tag.p[end]))
        end++;
    return end > at ? twx_slice_sub(tag, at, end) : (twx_slice){NULL, 0};
}

static twx_slice meta_charset(twx_slice html) {
    twx_slice head = twx_slice_sub(html, 0, META_BYTES);
    for (size_t at = 0; (at = find_nocase(head, TWX_SLICE_LIT("<meta"), at)) < head.n; at++) {
        twx_slice tag = twx_slice_sub(head, at, twx_slice_find(head, '>', at) + 1);
        for (size_t k = 0; (k = find_nocase(tag, TWX_SLICE_LIT("charset"), k)) < tag.n; k++) {
            twx_slice value = charset_value(tag, k + 7);
            if (value.p) return value;
        }
    }
    return (twx_slice){NULL, 0};
}

/* ---- conversion ------------------------------------------------------------------------------------- */

static size_t mark_of(twx_slice bytes, const char **ret_encoding) {
    static const struct {
        const char *mark;
        size_t n;
        const char *encoding;
    } MARKS[] = {
        {"\xEF\xBB\xBF", 3, "UTF-8"}, {"\xFF\xFE", 2, "UTF-16LE"}, {"\xFE\xFF", 2, "UTF-16BE"}};
    for (size_t i = 0; i < TWX_COUNTOF(MARKS); i++) {
        if (bytes.n < MARKS[i].n || memcmp(bytes.p, MARKS[i].mark, MARKS[i].n) != 0) continue;
        *ret_encoding = MARKS[i].encoding;
        return MARKS[i].n;
    }
    return 0;
}

/* [R3] UTF-8 with everything invalid replaced. */
static twx_rc mend_utf8(twx_ctx *cx, twx_slice bytes, twx_buf *out, twx_slice *ret_text) {
    if (twx_utf8_valid(bytes)) {
        *ret_text = bytes;
        return TWX_OK;
    }
    twx_rc rc = TWX_OK;
    const char *end = bytes.p + bytes.n;
    for (const char *p = bytes.p; rc == TWX_OK && p < end;) {
        uint32_t cp;
        char utf8[4];
        p += twx_utf8_next(p, end, &cp);
        rc = twx_buf_add(cx, out, utf8, twx_utf8_put(cp, utf8));
    }
    *ret_text = twx_buf_slice(out);
    return rc;
}

static twx_rc convert(twx_ctx *cx, iconv_t from, twx_slice bytes, twx_buf *out) {
    char *p = (char *)(uintptr_t)bytes.p;
    size_t left = bytes.n;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && left > 0) {
        char piece[1 << 12], *to = piece;
        size_t room = sizeof piece;
        size_t done = iconv(from, &p, &left, &to, &room);
        int error = errno;
        rc = twx_buf_add(cx, out, piece, sizeof piece - room);
        if (rc != TWX_OK || done != (size_t)-1 || error == E2BIG) continue;
        /* an invalid or cut sequence: one byte is replaced, the rest tried again */
        rc = twx_buf_add(cx, out, FFFD, 3);
        p++;
        left--;
        iconv(from, NULL, NULL, NULL, NULL);
    }
    return rc;
}

/* Converts with the named encoding. TWX_DONE: iconv does not know it. */
static twx_rc from_encoding(twx_ctx *cx, twx_slice bytes, const char *encoding, twx_buf *out,
                            twx_slice *ret_text) {
    if (strcmp(encoding, "utf-8") == 0 || strcmp(encoding, "UTF-8") == 0)
        return mend_utf8(cx, bytes, out, ret_text);
    iconv_t from = iconv_open("UTF-8", encoding);
    if (from == (iconv_t)-1) return TWX_DONE;
    twx_buf_clear(out);
    twx_rc rc = convert(cx, from, bytes, out);
    iconv_close(from);
    *ret_text = twx_buf_slice(out);
    return rc;
}

const char *twx_encoding_name(twx_slice label) {
    char name[LABEL_BYTES];
    if (!encoding_of(label, name)) return NULL;
    for (size_t i = 0; i < TWX_COUNTOF(LABELS); i++)
        if (strcmp(name, LABELS[i].encoding) == 0) return LABELS[i].encoding;
    return NULL;
}

/* [R1] */
twx_rc twx_decode(twx_ctx *cx, twx_slice bytes, twx_slice charset, bool html, twx_buf *room, twx_decoded *ret) {
    const char *marked = NULL;
    char name[LABEL_BYTES];
    size_t mark = mark_of(bytes, &marked);
    const twx_slice labels[] = {charset, html ? meta_charset(bytes) : (twx_slice){0}};
    twx_buf_clear(room);
    bytes = twx_slice_sub(bytes, mark, bytes.n);
    if (!bytes.p) bytes.p = "";
    ret->encoding = "UTF-8";
    twx_rc rc = marked ? from_encoding(cx, bytes, marked, room, &ret->text) : TWX_DONE;
    for (size_t i = 0; rc == TWX_DONE && i < TWX_COUNTOF(labels); i++) {
        if (!encoding_of(labels[i], name)) continue;
        /* a meta element that could be read as ASCII does not stand in UTF-16 */
        bool impossible =
            i == 1 && twx_slice_starts_nocase(twx_slice_of(name), TWX_SLICE_LIT("utf-16"));
        rc = from_encoding(cx, bytes, impossible ? "UTF-8" : name, room, &ret->text);
    }
    if (rc != TWX_DONE) return rc;
    if (twx_utf8_valid(bytes)) {
        ret->text = bytes;
        return TWX_OK;
    }
    ret->encoding = "windows-1252";
    return from_encoding(cx, bytes, "CP1252", room, &ret->text);
}
