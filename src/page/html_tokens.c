#include "page/internal.h"

#include "char_refs_table.h"

/* ==== char_refs */

enum { LAST_CODE_POINT = 0x10FFFF };

/* [R3] The code points that the numbers 0x80 to 0x9F stand for; 0: unchanged. */
static const uint16_t WINDOWS_1252[32] = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

static char byte_of(size_t entry, size_t i) {
    return REFERENCE_NAMES[REFERENCE[entry].at + i];
}

/* The first entry in [low, high) whose byte i is at least c, or, with `beyond`, greater than c. All
 * entries of the range are longer than i. */
static size_t bound(size_t low, size_t high, size_t i, char c, bool beyond) {
    TWX_BISECT(low, high, byte_of(middle, i) < c || (beyond && byte_of(middle, i) == c));
    return low;
}

static size_t named(const char *p, const char *end, bool in_attribute, char *ret_text,
                    size_t *ret_n) {
    size_t low = 0, high = REFERENCES, entry = REFERENCES;
    /* [R1] the entry with the longest name that matches */
    for (size_t i = 0; p + 1 + i < end; i++) {
        low = bound(low, high, i, p[1 + i], false);
        high = bound(low, high, i, p[1 + i], true);
        if (low == high) break;
        if (REFERENCE[low].n != i + 1) continue;
        entry = low++; /* the name that ends here sorts before the longer ones */
        if (low == high) break;
    }
    if (entry == REFERENCES) return 0;
    const size_t n = REFERENCE[entry].n;
    const char *after = p + 1 + n;
    /* [R2] */
    if (in_attribute && p[n] != ';' && after < end &&
        (*after == '=' || twx_is_alphanumeric((unsigned char)*after)))
        return 0;
    *ret_n = twx_utf8_put(REFERENCE[entry].first, ret_text);
    if (REFERENCE[entry].second) *ret_n += twx_utf8_put(REFERENCE[entry].second, ret_text + *ret_n);
    return n + 1;
}

static size_t numeric(const char *p, const char *end, char *ret_text, size_t *ret_n) {
    const bool hex = end - p > 2 && (p[2] == 'x' || p[2] == 'X');
    const char *digits = p + (hex ? 3 : 2), *at = digits;
    uint32_t code = 0;
    for (; at < end; at++) {
        const int value = twx_hex_value((unsigned char)*at);
        if (value < 0 || (!hex && value > 9)) break;
        code = code * (hex ? 16 : 10) + (uint32_t)value;
        if (code > LAST_CODE_POINT) code = LAST_CODE_POINT + 1;
    }
    if (at == digits) return 0;
    if (code >= 0x80 && code <= 0x9F && WINDOWS_1252[code - 0x80]) code = WINDOWS_1252[code - 0x80];
    if (code == 0 || code > LAST_CODE_POINT || (code >= 0xD800 && code <= 0xDFFF))
        code = TWX_REPLACEMENT;
    *ret_n = twx_utf8_put(code, ret_text);
    return (size_t)(at - p) + (at < end && *at == ';');
}

size_t twx_char_ref(const char *p, const char *end, bool in_attribute,
                    char ret_text[TWX_CHAR_REF_BYTES], size_t *ret_n) {
    if (end - p < 2) return 0;
    if (p[1] == '#') return numeric(p, end, ret_text, ret_n);
    if (!twx_is_alphanumeric((unsigned char)p[1])) return 0;
    return named(p, end, in_attribute, ret_text, ret_n);
}

/* ==== elements */

const twx_element TWX_ELEMENT[TWX_TAGS] = {[TWX_TAG_unknown] = {.name = ""},
#define ROW(id, bits, shown, on_start, on_end)       \
    [TWX_TAG_##id] = {.name = #id,                   \
                      .flags = bits,                 \
                      .display = TWX_##shown,        \
                      .start = TWX_START_##on_start, \
                      .end = TWX_END_##on_end},
                                           TWX_ELEMENTS(ROW)
#undef ROW
};

/* By the perfect hash of the names. */
static const unsigned char NAME_SLOT[TWX_ELEMENT_SLOTS] = {TWX_ELEMENT_SLOT_ROWS};

twx_tag twx_tag_of(twx_slice name) {
    char lower[TWX_ELEMENT_NAME_MAX];
    if (name.n == 0 || name.n > TWX_ELEMENT_NAME_MAX) return TWX_TAG_unknown;
    /* TWX_ELEMENTS writes annotation-xml with an underscore */
    for (size_t i = 0; i < name.n; i++) {
        const unsigned char c = (unsigned char)name.p[i];
        lower[i] = c == '-' ? '_' : (char)(c >= 'A' && c <= 'Z' ? c | 32 : c);
    }
    const unsigned slot = TWX_ELEMENT_HASH((unsigned char)lower[0],
                                           (unsigned char)lower[name.n / 2],
                                           (unsigned char)lower[name.n - 1], (unsigned)name.n);
    const twx_tag tag = (twx_tag)NAME_SLOT[slot];
    const char *known = TWX_ELEMENT[tag].name;
    /* a name may contain NUL bytes, so its length is compared first */
    if (strlen(known) != name.n || memcmp(known, lower, name.n) != 0) return TWX_TAG_unknown;
    return memchr(name.p, '_', name.n) ? TWX_TAG_unknown : tag;
}

/* ==== html_tokens */

enum {
    KIND_TEXT_END = 1,
    KIND_SPACE = 2,
    KIND_NAME_END = 4,
    KIND_ATTRIBUTE_END = 8,
    KIND_UNQUOTED_END = 16
};

/* The contexts that a byte ends, so that each loop needs one table lookup. */
static const unsigned char ENDS[256] = {
    ['<'] = KIND_TEXT_END,
    ['&'] = KIND_TEXT_END,
    ['\t'] = KIND_SPACE | KIND_NAME_END | KIND_ATTRIBUTE_END | KIND_UNQUOTED_END,
    ['\n'] = KIND_SPACE | KIND_NAME_END | KIND_ATTRIBUTE_END | KIND_UNQUOTED_END,
    ['\f'] = KIND_SPACE | KIND_NAME_END | KIND_ATTRIBUTE_END | KIND_UNQUOTED_END,
    ['\r'] = KIND_SPACE | KIND_NAME_END | KIND_ATTRIBUTE_END | KIND_UNQUOTED_END,
    [' '] = KIND_SPACE | KIND_NAME_END | KIND_ATTRIBUTE_END | KIND_UNQUOTED_END,
    ['/'] = KIND_NAME_END | KIND_ATTRIBUTE_END,
    ['>'] = KIND_NAME_END | KIND_ATTRIBUTE_END | KIND_UNQUOTED_END,
    ['='] = KIND_ATTRIBUTE_END,
};

static bool ends(char c, unsigned what) {
    return (ENDS[(unsigned char)c] & what) != 0;
}

static twx_slice between(const char *from, const char *to) {
    return (twx_slice){from, (size_t)(to - from)};
}

static const char *skip_space(const char *p, const char *end) {
    while (p < end && ends(*p, KIND_SPACE)) p++;
    return p;
}

static bool is_letter(char c) {
    return twx_is_alpha((unsigned char)c);
}

/* ---- tags --------------------------------------------------------------- */

static int attribute_id(twx_slice name) {
    static const struct {
        const char *name;
        size_t n;
    } NAMES[TWX_ATTRS] = {
#define ROW(id) [TWX_ATTR_##id] = {#id, sizeof #id - 1},
        TWX_ATTRIBUTES(ROW)
#undef ROW
            [TWX_ATTR_http_equiv] = {"http-equiv", 10}};
    if (name.n < 2 || name.n > 10) return -1;
    const char first = twx_lower(name.p[0]);
    for (int i = 0; i < TWX_ATTRS; i++)
        if (NAMES[i].n == name.n && NAMES[i].name[0] == first &&
            twx_slice_eq_nocase(name, (twx_slice){NAMES[i].name, name.n}))
            return i;
    return -1;
}

static twx_rc note_attribute(twx_tokenizer *t, twx_slice name, twx_slice value) {
    if (!TWX_VEC_PUSH(t->cx, &t->attributes, (twx_attribute){name, value})) return TWX_E_NOMEM;
    const int id = attribute_id(name);
    if (id < 0 || t->known >> id & 1) return TWX_OK;
    t->known |= 1u << id;
    t->value[id] = value;
    return TWX_OK;
}

/* Reads the value after '='. NULL: the page ends inside it. */
static const char *attribute_value(const char *p, const char *end, twx_slice *ret_value) {
    p = skip_space(p, end);
    if (p == end) return NULL;
    if (*p == '"' || *p == '\'') {
        const char *close = memchr(p + 1, *p, (size_t)(end - p - 1));
        if (!close) return NULL;
        *ret_value = between(p + 1, close);
        return close + 1;
    }
    const char *from = p;
    while (p < end && !ends(*p, KIND_UNQUOTED_END)) p++;
    *ret_value = between(from, p);
    return p;
}

bool twx_attribute_next(const char **p, const char *end, twx_attribute *ret, bool *ret_slash) {
    const char *at = *p;
    *p = NULL;
    *ret_slash = false;
    for (; at < end && (*at == '/' || ends(*at, KIND_SPACE)); at++) *ret_slash = *at == '/';
    if (at == end) return false;
    if (*at == '>') {
        *p = at + 1;
        return false;
    }
    const char *from = at++; /* a leading '=' belongs to the name */
    while (at < end && !ends(*at, KIND_ATTRIBUTE_END)) at++;
    *ret = (twx_attribute){between(from, at), {"", 0}};
    at = skip_space(at, end);
    if (at < end && *at == '=') at = attribute_value(at + 1, end, &ret->value);
    if (!at || at == end) return false;
    *p = at;
    return true;
}

/* Reads the attributes up to and including '>'. *ret_after NULL: the page ends inside the tag. */
static twx_rc attributes(twx_tokenizer *t, const char *p, bool keep, bool *ret_self_closing,
                         const char **ret_after) {
    twx_attribute one;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && twx_attribute_next(&p, t->end, &one, ret_self_closing))
        if (keep) rc = note_attribute(t, one.name, one.value);
    *ret_after = p;
    return rc;
}

bool twx_attribute_in(twx_slice source, twx_slice name, twx_slice *ret_value) {
    twx_attribute one;
    bool slash;
    for (const char *p = source.p; twx_attribute_next(&p, source.p + source.n, &one, &slash);) {
        if (!twx_slice_eq_nocase(one.name, name)) continue;
        *ret_value = one.value;
        return true;
    }
    return false;
}

static twx_rc tag(twx_tokenizer *t, bool close, twx_html_token *ret) {
    const char *name = t->p + (close ? 2 : 1), *p = name, *after = NULL;
    bool self_closing = false;
    while (p < t->end && !ends(*p, KIND_NAME_END)) p++;
    t->attributes.n = 0;
    t->known = 0;
    twx_rc rc = attributes(t, p, !close, &self_closing, &after);
    if (rc != TWX_OK) return rc;
    if (!after) { /* a tag that is cut by the end of the page is dropped */
        t->p = t->end;
        *ret = (twx_html_token){.kind = TWX_TOKEN_END};
        return TWX_OK;
    }
    t->p = after;
    *ret = (twx_html_token){.kind = close ? TWX_TOKEN_CLOSE : TWX_TOKEN_START,
                            .text = between(name, p),
                            .source = between(p, after),
                            .self_closing = self_closing};
    ret->tag = twx_tag_of(ret->text);
    if (!close) t->last_name = ret->text;
    return TWX_OK;
}

/* ---- comments and declarations ------------------------------------------ */

static void comment(twx_tokenizer *t, const char *from, const char *to, const char *after,
                    twx_html_token *ret) {
    *ret = (twx_html_token){.kind = TWX_TOKEN_COMMENT, .text = between(from, to)};
    t->p = after;
}

static void bogus_comment(twx_tokenizer *t, const char *from, twx_html_token *ret) {
    const char *close = memchr(from, '>', (size_t)(t->end - from));
    comment(t, from, close ? close : t->end, close ? close + 1 : t->end, ret);
}

/* from: the position after "<!--". */
static void real_comment(twx_tokenizer *t, const char *from, twx_html_token *ret) {
    const char *end = t->end, *p = from;
    if (p < end && *p == '>') {
        comment(t, p, p, p + 1, ret);
        return;
    }
    if (end - p >= 2 && p[0] == '-' && p[1] == '>') {
        comment(t, p, p, p + 2, ret);
        return;
    }
    while ((p = memchr(p, '-', (size_t)(end - p)))) {
        const char *dash = p;
        while (p < end && *p == '-') p++;
        const char *to = p - dash >= 2 ? p - 2 : p - 1; /* the last two dashes belong to the end */
        if (p == end) {
            comment(t, from, to, end, ret);
            return;
        }
        if (p - dash < 2) continue;
        if (*p == '>') {
            comment(t, from, to, p + 1, ret);
            return;
        }
        if (*p == '!' && (p + 1 == end || p[1] == '>')) {
            comment(t, from, to, p + 1 == end ? end : p + 2, ret);
            return;
        }
    }
    comment(t, from, end, end, ret);
}

/* Reads the quoted string after the "PUBLIC" or "SYSTEM" at p. false: there is none. */
static bool quoted(const char **p, const char *end, twx_slice *ret, bool *ret_closed) {
    const char *from = skip_space(*p, end);
    if (from == end || (*from != '"' && *from != '\'')) return false;
    const char *to = from + 1;
    while (to < end && *to != *from && *to != '>') to++;
    *ret = between(from + 1, to);
    *ret_closed = to < end && *to == *from;
    *p = to + (*ret_closed ? 1 : 0);
    return true;
}

/* from: the position after "<!doctype". */
static void doctype(twx_tokenizer *t, const char *from, twx_html_token *ret) {
    const char *end = t->end, *p = skip_space(from, end), *name = p;
    bool closed = true;
    *ret = (twx_html_token){.kind = TWX_TOKEN_DOCTYPE};
    while (p < end && !ends(*p, KIND_SPACE) && *p != '>') p++;
    ret->text = between(name, p);
    if (p == name) ret->text.p = NULL;
    ret->force_quirks = p == name;
    p = skip_space(p, end);
    const twx_slice rest = between(p, end);
    const bool public = twx_slice_starts_nocase(rest, TWX_SLICE_LIT("public"));
    if (public || twx_slice_starts_nocase(rest, TWX_SLICE_LIT("system"))) {
        p += 6;
        bool found = quoted(&p, end, public ? &ret->public_id : &ret->system_id, &closed);
        if (found && closed && public) (void)quoted(&p, end, &ret->system_id, &closed);
        ret->force_quirks |= !found || !closed;
        const char *next = skip_space(p, end);
        /* a public identifier must be followed by a quoted string; anything after a system
         * identifier is skipped */
        if (found && closed && public && !ret->system_id.p && next < end && *next != '>')
            ret->force_quirks = true;
    } else if (p < end && *p != '>') {
        ret->force_quirks = true;
    }
    const char *close = memchr(p, '>', (size_t)(end - p));
    const bool junk = ret->system_id.p && closed && skip_space(p, end) < end;
    if (!close && !junk) ret->force_quirks = true;
    t->p = close ? close + 1 : end;
}

static void declaration(twx_tokenizer *t, twx_html_token *ret) {
    const char *p = t->p + 2;
    const twx_slice rest = between(p, t->end);
    if (twx_slice_starts(rest, TWX_SLICE_LIT("--")))
        real_comment(t, p + 2, ret);
    else if (twx_slice_starts_nocase(rest, TWX_SLICE_LIT("doctype")))
        doctype(t, p + 7, ret);
    else if (t->foreign && twx_slice_starts(rest, TWX_SLICE_LIT("[CDATA["))) {
        t->p = p + 7;
        t->state = TWX_IN_CDATA;
        *ret = (twx_html_token){.kind = TWX_TOKEN_TEXT, .text = {"", 0}};
    } else
        bogus_comment(t, p, ret);
}

/* ---- text --------------------------------------------------------------- */

static void run(twx_tokenizer *t, const char *to, twx_html_token *ret) {
    *ret = (twx_html_token){.kind = TWX_TOKEN_TEXT, .text = between(t->p, to)};
    t->p = to;
}

/* A run of text whose first byte is text here, whatever it is. */
static void run_from_here(twx_tokenizer *t, twx_html_token *ret) {
    const char *p = t->p + 1;
    while (p < t->end && !ends(*p, KIND_TEXT_END)) p++;
    run(t, p, ret);
}

static void reference(twx_tokenizer *t, twx_html_token *ret) {
    size_t n = 0, used = twx_char_ref(t->p, t->end, false, t->reference, &n);
    if (used == 0) {
        run_from_here(t, ret);
        return;
    }
    *ret = (twx_html_token){.kind = TWX_TOKEN_TEXT, .text = {t->reference, n}};
    t->p += used;
}

/* Is there a "</name" of the open element at p? */
static bool is_end_tag(const twx_tokenizer *t, const char *p) {
    const size_t n = t->last_name.n;
    if (n == 0 || (size_t)(t->end - p) < n + 3 || p[1] != '/' || !ends(p[2 + n], KIND_NAME_END))
        return false;
    return twx_slice_eq_nocase((twx_slice){p + 2, n}, t->last_name);
}

/* The end of RAWTEXT content: its end tag, or the end of the page. */
static const char *rawtext_end(const twx_tokenizer *t) {
    const char *p = t->p;
    while (p < t->end && (p = memchr(p, '<', (size_t)(t->end - p))) && !is_end_tag(t, p)) p++;
    return p && p < t->end ? p : t->end;
}

/* Is there a "<script" or "</script" at p, followed by a byte that ends a tag name? */
static bool is_script(const char *p, const char *end, size_t skip) {
    return (size_t)(end - p) > skip + 6 && ends(p[skip + 6], KIND_NAME_END) &&
           twx_slice_eq_nocase((twx_slice){p + skip, 6}, TWX_SLICE_LIT("script"));
}

/* The end of script content. After "<!--", "<script>" must be closed before the end tag counts. */
static const char *script_end(const twx_tokenizer *t) {
    bool escaped = false, twice = false;
    for (const char *p = t->p, *end = t->end; p < end; p++) {
        if (*p == '-' && escaped) {
            const char *dash = p;
            while (p < end && *p == '-') p++;
            if (p < end && *p == '>' && p - dash >= 2) escaped = twice = false;
            p--;
        } else if (*p != '<') {
            continue;
        } else if (!escaped && (size_t)(end - p) >= 4 && memcmp(p, "<!--", 4) == 0) {
            escaped = true;
            p += 1; /* the dashes may belong to "-->" */
        } else if (escaped && !twice && is_script(p, end, 1)) {
            twice = true;
        } else if (p + 1 < end && p[1] == '/') {
            if (!twice && is_end_tag(t, p)) return p;
            if (twice && is_script(p, end, 2)) twice = false;
        }
    }
    return t->end;
}

static twx_rc next_in_text(twx_tokenizer *t, twx_html_token *ret) {
    if (t->state == TWX_IN_RCDATA && *t->p == '&') {
        reference(t, ret);
        return TWX_OK;
    }
    const char *p = t->p;
    switch (t->state) {
    case TWX_IN_RCDATA:
        while (p < t->end && *p != '&' && !(*p == '<' && is_end_tag(t, p))) p++;
        break;
    case TWX_IN_RAWTEXT: p = rawtext_end(t); break;
    case TWX_IN_SCRIPT: p = script_end(t); break;
    default: p = t->end;
    }
    if (p > t->p) {
        run(t, p, ret);
        return TWX_OK;
    }
    t->state = TWX_IN_DATA;
    return tag(t, true, ret);
}

static void next_in_cdata(twx_tokenizer *t, twx_html_token *ret) {
    const char *p = t->p;
    while ((p = memchr(p, ']', (size_t)(t->end - p))) &&
           !twx_slice_starts(between(p, t->end), TWX_SLICE_LIT("]]>")))
        p++;
    run(t, p ? p : t->end, ret);
    if (p) t->p += 3;
    t->state = TWX_IN_DATA;
}

static twx_rc less_than(twx_tokenizer *t, twx_html_token *ret) {
    const char *p = t->p;
    const char next = t->end - p > 1 ? p[1] : ' ';
    if (is_letter(next)) return tag(t, false, ret);
    if (next == '/' && t->end - p > 2) {
        if (is_letter(p[2])) return tag(t, true, ret);
        if (p[2] == '>') {
            t->p += 3;
            *ret = (twx_html_token){.kind = TWX_TOKEN_TEXT, .text = {"", 0}};
            return TWX_OK;
        }
        bogus_comment(t, p + 2, ret);
    } else if (next == '!') {
        declaration(t, ret);
    } else if (next == '?') {
        bogus_comment(t, p + 1, ret);
    } else {
        run_from_here(t, ret);
    }
    return TWX_OK;
}

/* ---- reader ------------------------------------------------------------- */

void twx_tokenizer_done(twx_tokenizer *t) {
    if (t) TWX_VEC_DONE(&t->attributes);
}

void twx_tokenizer_open(twx_tokenizer *t, twx_ctx *cx, twx_slice page) {
    t->cx = cx;
    t->p = page.p ? page.p : "";
    t->end = t->p + page.n;
    t->state = TWX_IN_DATA;
    t->foreign = false;
    t->last_name = (twx_slice){"", 0};
    t->attributes.n = 0;
    t->known = 0;
}

twx_rc twx_tokenizer_next(twx_tokenizer *t, twx_html_token *ret) {
    if (t->p == t->end) {
        *ret = (twx_html_token){.kind = TWX_TOKEN_END};
        return TWX_OK;
    }
    if (t->state == TWX_IN_CDATA) {
        next_in_cdata(t, ret);
        return TWX_OK;
    }
    if (t->state != TWX_IN_DATA) return next_in_text(t, ret);
    if (*t->p == '<') return less_than(t, ret);
    if (*t->p == '&')
        reference(t, ret);
    else
        run_from_here(t, ret);
    return TWX_OK;
}
