#include "page/internal.h"

#include "encodings_table.h"

/* ==== encoding_prescan */

enum { TWX_PRESCAN_BYTES = 1024 };

typedef struct scan {
    const char *p, *end;
} scan;

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

static bool looks_at(const scan *s, twx_slice text) {
    return twx_slice_starts_nocase((twx_slice){s->p, (size_t)(s->end - s->p)}, text);
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
    twx_attribute one;
    twx_slice charset = {NULL, 0};
    bool pragma = false, need_pragma = false, has_charset = false, has_content = false,
         has_pragma = false, slash;
    while (twx_attribute_next(&s->p, s->end, &one, &slash)) {
        const twx_slice name = one.name, value = one.value;
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
    /* s->p NULL: the tag extends beyond the bytes examined */
    if (!s->p || !charset.p || (need_pragma && !pragma) || !twx_encoding_name(charset))
        return (twx_slice){NULL, 0};
    return charset;
}

static void skip_tag(scan *s) {
    twx_attribute one;
    bool slash;
    while (s->p < s->end && !is_space(*s->p) && *s->p != '>') s->p++;
    while (twx_attribute_next(&s->p, s->end, &one, &slash)) continue;
}

static void skip_past(scan *s, twx_slice what) {
    while (s->p < s->end && !looks_at(s, what)) s->p++;
    s->p = (size_t)(s->end - s->p) < what.n ? s->end : s->p + what.n;
}

static bool is_letter_at(const scan *s, size_t i) {
    return (size_t)(s->end - s->p) > i && twx_is_alpha((unsigned char)s->p[i]);
}

/* The label in the meta elements of the first 1024 bytes (HTML standard, section 13.2.3.3, "prescan
 * a byte stream to determine its encoding"), or what an XML declaration in UTF-16 says; absent: no
 * label that the standard defines. */
static twx_slice prescan(twx_slice bytes) {
    scan s = {bytes.p, bytes.p + (bytes.n < TWX_PRESCAN_BYTES ? bytes.n : TWX_PRESCAN_BYTES)};
    if (bytes.n >= 6 && memcmp(bytes.p, "<\0?\0x\0", 6) == 0) return TWX_SLICE_LIT("utf-16le");
    if (bytes.n >= 6 && memcmp(bytes.p, "\0<\0?\0x", 6) == 0) return TWX_SLICE_LIT("utf-16be");
    while (s.p && s.p < s.end && (s.p = memchr(s.p, '<', (size_t)(s.end - s.p)))) {
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

/* ==== encoding */

/* Determines the encoding (HTML standard, section 13.2.3.2) and decodes (WHATWG Encoding standard).
 * The tables (share/tables/encodings.tsv and encoding_indexes.tsv) were extracted from a browser,
 * because the C library's iconv differs from the standard and between versions, and stored texts
 * must not. */

/* ---- labels ------------------------------------------------------------- */

static encoding encoding_of(twx_slice label) {
    label = twx_slice_trim(label);
    for (size_t i = 0; label.n > 0 && i < TWX_COUNTOF(LABELS); i++)
        if (twx_slice_eq_nocase(label, twx_slice_of(LABELS[i].label))) return LABELS[i].encoding;
    return NO_ENCODING;
}

static encoding meta_encoding_of(twx_slice label) {
    const encoding e = encoding_of(label);
    if (e == ENCODING_utf_16be || e == ENCODING_utf_16le) return ENCODING_utf_8;
    return e == ENCODING_x_user_defined ? ENCODING_windows_1252 : e;
}

static const char *name_of(encoding e) {
    return e == NO_ENCODING ? NULL : NAMES[e];
}

const char *twx_encoding_name(twx_slice label) {
    return name_of(encoding_of(label));
}

const char *twx_meta_encoding(twx_slice label) {
    return name_of(meta_encoding_of(label));
}

/* ---- decoders ----------------------------------------------------------- */

typedef struct decoder {
    const unsigned char *p, *end;
    char *to;
} decoder;

static void put(decoder *d, uint32_t code) {
    if (code < 0x80)
        *d->to++ = (char)code;
    else
        d->to += twx_utf8_put(code, d->to);
}

static void put_error(decoder *d) {
    put(d, TWX_REPLACEMENT);
}

/* Copies ASCII unchanged. false: the end was reached. */
static bool copy_ascii(decoder *d) {
    while (d->p < d->end && *d->p < 0x80) *d->to++ = (char)*d->p++;
    return d->p < d->end;
}

/* An invalid sequence: its last byte is read again if it is ASCII. */
static void reject(decoder *d, const unsigned char *after, bool ascii_stays) {
    put_error(d);
    d->p = after - (ascii_stays ? 1 : 0);
}

/* A character of several bytes, up to `after`; code 0: they stand for none. */
static void put_several(decoder *d, uint32_t code, const unsigned char *after) {
    if (!code) {
        reject(d, after, after[-1] < 0x80);
        return;
    }
    put(d, code);
    d->p = after;
}

static void decode_utf8(decoder *d) {
    while (copy_ascii(d)) {
        uint32_t code;
        d->p += twx_utf8_next((const char *)d->p, (const char *)d->end, &code);
        put(d, code);
    }
}

static void decode_utf16(decoder *d, bool big) {
    uint32_t lead = 0;
    for (; d->end - d->p >= 2; d->p += 2) {
        const uint32_t unit = big ? (uint32_t)d->p[0] << 8 | d->p[1]
                                  : (uint32_t)d->p[1] << 8 | d->p[0];
        if (lead && unit >= 0xDC00 && unit <= 0xDFFF) {
            put(d, 0x10000 + ((lead - 0xD800) << 10) + (unit - 0xDC00));
            lead = 0;
            continue;
        }
        if (lead) put_error(d);
        lead = unit >= 0xD800 && unit <= 0xDBFF ? unit : 0;
        if (unit >= 0xDC00 && unit <= 0xDFFF)
            put_error(d);
        else if (!lead)
            put(d, unit);
    }
    if (lead || d->p < d->end) put_error(d);
}

static uint32_t gb18030_range(uint32_t pointer) {
    size_t low = 1, high = TWX_COUNTOF(GB18030_RANGES);
    if ((pointer > 39419 && pointer < 189000) || pointer > 1237575) return 0;
    if (pointer >= 189000) return 0x10000 + pointer - 189000;
    TWX_BISECT(low, high, GB18030_RANGES[middle].pointer <= pointer);
    return GB18030_RANGES[low - 1].first + pointer - GB18030_RANGES[low - 1].pointer;
}

/* A four-byte sequence; false: it is not valid in GB 18030. */
static bool gb18030_four(decoder *d) {
    const unsigned char *p = d->p;
    const ptrdiff_t left = d->end - p;
    if (left > 2 && (p[2] < 0x81 || p[2] > 0xFE)) return false;
    if (left > 3 && (p[3] < 0x30 || p[3] > 0x39)) return false;
    if (left < 4) { /* truncated */
        reject(d, d->end, false);
        return true;
    }
    const uint32_t pointer = ((p[0] - 0x81u) * 10 + (p[1] - 0x30u)) * 1260 + (p[2] - 0x81u) * 10 +
                             (p[3] - 0x30u);
    const uint32_t code = gb18030_range(pointer);
    put(d, code ? code : TWX_REPLACEMENT);
    d->p += 4;
    return true;
}

static void decode_gb18030(decoder *d) {
    while (copy_ascii(d)) {
        const unsigned char *p = d->p;
        if (p[0] == 0x80 || p[0] == 0xFF) {
            put(d, p[0] == 0x80 ? 0x20AC : TWX_REPLACEMENT);
            d->p++;
        } else if (d->end - p < 2) {
            reject(d, p + 1, false);
        } else if (p[1] >= 0x30 && p[1] <= 0x39) {
            if (!gb18030_four(d)) reject(d, p + 1, false);
        } else {
            const bool in = p[1] >= 0x40 && p[1] != 0x7F && p[1] != 0xFF;
            const uint16_t code = in ? GBK[(p[0] - 0x81) * 190 + p[1] - (p[1] < 0x7F ? 0x40 : 0x41)]
                                     : 0;
            put_several(d, code, p + 2);
        }
    }
}

static void decode_big5(decoder *d) {
    while (copy_ascii(d)) {
        const unsigned char *p = d->p;
        const bool lead = p[0] >= 0x81 && p[0] <= 0xFE;
        if (!lead || d->end - p < 2) {
            reject(d, p + 1, false);
            continue;
        }
        const bool in = (p[1] >= 0x40 && p[1] <= 0x7E) || (p[1] >= 0xA1 && p[1] <= 0xFE);
        const unsigned pointer = in ? (p[0] - 0x81u) * 157 + p[1] - (p[1] < 0x7F ? 0x40u : 0x62u)
                                    : 0;
        const bool pair = pointer == 1133 || pointer == 1135 || pointer == 1164 || pointer == 1166;
        if (pair) { /* a letter and a combining mark */
            put(d, pointer < 1150 ? 0xCA : 0xEA);
            put(d, pointer == 1133 || pointer == 1164 ? 0x304 : 0x30C);
        } else if (in && (BIG5[pointer] || BIG5_PLANE_2[pointer / 8] >> pointer % 8 & 1)) {
            put(d, BIG5[pointer] | (uint32_t)(BIG5_PLANE_2[pointer / 8] >> pointer % 8 & 1) << 17);
        } else {
            reject(d, p + 2, p[1] < 0x80);
            continue;
        }
        d->p += 2;
    }
}

static uint16_t jis0208(unsigned row, unsigned cell) {
    return row < 94 && cell < 94 ? JIS0208[row * 94 + cell] : 0;
}

static void decode_euc_jp(decoder *d) {
    while (copy_ascii(d)) {
        const unsigned char *p = d->p;
        const ptrdiff_t left = d->end - p;
        const bool lead = p[0] == 0x8E || p[0] == 0x8F || (p[0] >= 0xA1 && p[0] <= 0xFE);
        if (!lead || left < 2) {
            reject(d, p + 1, false);
            continue;
        }
        const bool three = p[0] == 0x8F && p[1] >= 0xA1 && p[1] <= 0xFE;
        uint16_t code = 0;
        if (three && left < 3) {
            reject(d, d->end, false);
            continue;
        }
        const unsigned char last = p[three ? 2 : 1];
        if (p[0] == 0x8E && last >= 0xA1 && last <= 0xDF)
            code = (uint16_t)(0xFF61 - 0xA1 + last);
        else if (three && last >= 0xA1 && last <= 0xFE)
            code = JIS0212[(p[1] - 0xA1) * 94 + last - 0xA1];
        else if (p[0] >= 0xA1 && last >= 0xA1 && last <= 0xFE)
            code = jis0208(p[0] - 0xA1u, last - 0xA1u);
        put_several(d, code, p + (three ? 3 : 2));
    }
}

static void decode_shift_jis(decoder *d) {
    while (d->p < d->end) {
        const unsigned char *p = d->p;
        if (p[0] <= 0x80 || (p[0] >= 0xA1 && p[0] <= 0xDF)) {
            put(d, p[0] <= 0x80 ? p[0] : 0xFF61u - 0xA1 + p[0]);
            d->p++;
            continue;
        }
        if (p[0] == 0xA0 || p[0] > 0xFC || d->end - p < 2) {
            reject(d, p + 1, false);
            continue;
        }
        const bool in = (p[1] >= 0x40 && p[1] <= 0x7E) || (p[1] >= 0x80 && p[1] <= 0xFC);
        const unsigned row = p[0] - (p[0] < 0xA0 ? 0x81u : 0xC1u);
        const uint16_t code = in ? JIS0208[row * 188 + p[1] - (p[1] < 0x7F ? 0x40u : 0x41u)] : 0;
        put_several(d, code, p + 2);
    }
}

static void decode_euc_kr(decoder *d) {
    while (copy_ascii(d)) {
        const unsigned char *p = d->p;
        if (p[0] == 0x80 || p[0] == 0xFF || d->end - p < 2) {
            reject(d, p + 1, false);
            continue;
        }
        const bool in = p[1] >= 0x41 && p[1] <= 0xFE && p[0] - 0x81u < 125;
        const uint16_t code = in ? EUC_KR[(p[0] - 0x81) * 190 + p[1] - 0x41] : 0;
        put_several(d, code, p + 2);
    }
}

/* ISO-2022-JP: escape sequences switch the meaning of bytes. */
typedef enum jis_state { JIS_ASCII, JIS_ROMAN, JIS_KATAKANA, JIS_DOUBLE } jis_state;

static bool jis_escape(const decoder *d, jis_state *state) {
    static const struct {
        char bytes[3];
        jis_state state;
    } ESCAPES[] = {{"(B", JIS_ASCII},
                   {"(J", JIS_ROMAN},
                   {"(I", JIS_KATAKANA},
                   {"$@", JIS_DOUBLE},
                   {"$B", JIS_DOUBLE}};
    for (size_t i = 0; d->end - d->p >= 3 && i < TWX_COUNTOF(ESCAPES); i++) {
        if (memcmp(d->p + 1, ESCAPES[i].bytes, 2) != 0) continue;
        *state = ESCAPES[i].state;
        return true;
    }
    return false;
}

/* Two bytes in the double-byte state. */
static void jis_double(decoder *d) {
    const unsigned char *p = d->p;
    if (p[0] < 0x21 || p[0] > 0x7E || d->end - p < 2 || p[1] == 0x1B) {
        reject(d, p + 1, false); /* an escape sequence is read next */
    } else {
        const bool in = p[1] >= 0x21 && p[1] <= 0x7E;
        const uint16_t code = in ? jis0208(p[0] - 0x21u, p[1] - 0x21u) : 0;
        put(d, code ? code : TWX_REPLACEMENT);
        d->p += 2;
    }
}

static void decode_iso_2022_jp(decoder *d) {
    jis_state state = JIS_ASCII;
    bool escaped = false; /* two escape sequences without text between them are an error */
    while (d->p < d->end) {
        const unsigned char c = *d->p;
        if (c == 0x1B && jis_escape(d, &state)) {
            d->p += 3;
            if (escaped) put_error(d);
            escaped = true;
            continue;
        }
        escaped = false;
        if (c == 0x1B) {
            reject(d, d->p + 1, false);
        } else if (state == JIS_DOUBLE) {
            jis_double(d);
        } else if (state == JIS_KATAKANA) {
            put(d, c >= 0x21 && c <= 0x5F ? 0xFF61u - 0x21 + c : TWX_REPLACEMENT);
            d->p++;
        } else {
            const uint32_t roman = c == 0x5C ? 0xA5 : c == 0x7E ? 0x203E : c;
            put(d, c >= 0x80 || c == 0x0E || c == 0x0F ? TWX_REPLACEMENT
                   : state == JIS_ROMAN                ? roman
                                                       : c);
            d->p++;
        }
    }
}

static void decode_as(decoder *d, encoding e) {
    if (e < SINGLE_BYTES) {
        while (copy_ascii(d)) {
            const uint16_t code = SINGLE_BYTE[e][*d->p++ - 0x80];
            put(d, code ? code : TWX_REPLACEMENT);
        }
        return;
    }
    switch (e) {
    case ENCODING_gbk:
    case ENCODING_gb18030: decode_gb18030(d); break;
    case ENCODING_big5: decode_big5(d); break;
    case ENCODING_euc_jp: decode_euc_jp(d); break;
    case ENCODING_iso_2022_jp: decode_iso_2022_jp(d); break;
    case ENCODING_shift_jis: decode_shift_jis(d); break;
    case ENCODING_euc_kr: decode_euc_kr(d); break;
    case ENCODING_utf_16be: decode_utf16(d, true); break;
    case ENCODING_utf_16le: decode_utf16(d, false); break;
    case ENCODING_x_user_defined:
        while (copy_ascii(d)) put(d, 0xF780u + *d->p++ - 0x80);
        break;
    case ENCODING_replacement:
        if (d->p < d->end) put_error(d);
        break;
    default: decode_utf8(d);
    }
}

/* ---- decision ----------------------------------------------------------- */

static size_t mark_of(twx_slice bytes, encoding *ret_encoding) {
    static const struct {
        const char *mark;
        size_t n;
        encoding encoding;
    } MARKS[] = {{"\xEF\xBB\xBF", 3, ENCODING_utf_8},
                 {"\xFF\xFE", 2, ENCODING_utf_16le},
                 {"\xFE\xFF", 2, ENCODING_utf_16be}};
    for (size_t i = 0; i < TWX_COUNTOF(MARKS); i++) {
        if (bytes.n < MARKS[i].n || memcmp(bytes.p, MARKS[i].mark, MARKS[i].n) != 0) continue;
        *ret_encoding = MARKS[i].encoding;
        return MARKS[i].n;
    }
    return 0;
}

/* [R1] */
static encoding decide(twx_slice bytes, twx_slice charset, bool html, bool valid_utf8,
                       bool *ret_certain) {
    encoding e = encoding_of(charset);
    *ret_certain = true;
    if (e == NO_ENCODING && html) e = meta_encoding_of(prescan(bytes));
    if (e != NO_ENCODING) return e;
    *ret_certain = false;
    return valid_utf8 ? ENCODING_utf_8 : ENCODING_windows_1252;
}

twx_rc twx_decode(twx_ctx *cx, twx_slice bytes, twx_slice charset, bool html, twx_buf *room,
                  twx_decoded *ret) {
    encoding e = NO_ENCODING;
    if (!bytes.p) bytes = (twx_slice){"", 0};
    const size_t mark = mark_of(bytes, &e);
    bytes = twx_slice_sub(bytes, mark, bytes.n);
    twx_buf_clear(room);
    ret->certain = true;
    const bool ascii_safe = e == NO_ENCODING || e == ENCODING_utf_8,
               valid = ascii_safe && twx_utf8_valid(bytes);
    if (e == NO_ENCODING) e = decide(bytes, charset, html, valid, &ret->certain);
    ret->encoding = NAMES[e];
    ret->text = bytes;
    if (e == ENCODING_utf_8 && valid) return TWX_OK;
    /* worst case: one byte becomes U+FFFD, which takes three */
    const twx_rc rc = twx_buf_reserve(cx, room, 3 * bytes.n + 4);
    if (rc != TWX_OK) return rc;
    decoder d = {.p = (const unsigned char *)bytes.p,
                 .end = (const unsigned char *)bytes.p + bytes.n,
                 .to = room->p};
    decode_as(&d, e);
    room->n = (size_t)(d.to - room->p);
    room->p[room->n] = '\0';
    ret->text = twx_buf_slice(room);
    return TWX_OK;
}
