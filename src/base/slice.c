#include "base/base.h"

/* ==== slice */

twx_slice twx_slice_of(const char *text) {
    return (twx_slice){text, text ? strlen(text) : 0};
}

bool twx_slice_eq(twx_slice a, twx_slice b) {
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

int twx_slice_cmp(twx_slice a, twx_slice b) {
    size_t n = a.n < b.n ? a.n : b.n;
    int order = n ? memcmp(a.p, b.p, n) : 0;
    return order ? order : (a.n > b.n) - (a.n < b.n);
}

bool twx_slice_eq_nocase(twx_slice a, twx_slice b) {
    return a.n == b.n && twx_slice_starts_nocase(a, b);
}

bool twx_slice_starts(twx_slice s, twx_slice prefix) {
    return s.n >= prefix.n && (prefix.n == 0 || memcmp(s.p, prefix.p, prefix.n) == 0);
}

bool twx_slice_starts_nocase(twx_slice s, twx_slice prefix) {
    if (s.n < prefix.n) return false;
    for (size_t i = 0; i < prefix.n; i++)
        if (twx_lower(s.p[i]) != twx_lower(prefix.p[i])) return false;
    return true;
}

twx_slice twx_slice_trim(twx_slice s) {
    while (s.n && twx_is_space((unsigned char)s.p[0])) s.p++, s.n--;
    while (s.n && twx_is_space((unsigned char)s.p[s.n - 1])) s.n--;
    return s;
}

twx_slice twx_slice_sub(twx_slice s, size_t from, size_t to) {
    if (to > s.n) to = s.n;
    if (from > to) from = to;
    return (twx_slice){s.p ? s.p + from : NULL, to - from};
}

size_t twx_slice_find(twx_slice s, char c, size_t from) {
    if (from >= s.n) return s.n;
    const char *hit = memchr(s.p + from, c, s.n - from);
    return hit ? (size_t)(hit - s.p) : s.n;
}

bool twx_slice_next_word(twx_slice *words, twx_slice *ret_word) {
    return twx_slice_next_item(words, "", ret_word);
}

bool twx_slice_has_word(twx_slice words, twx_slice word) {
    for (twx_slice one; twx_slice_next_word(&words, &one);)
        if (twx_slice_eq_nocase(one, word)) return true;
    return false;
}

static bool separates(char c, const char *separators) {
    return twx_is_space((unsigned char)c) || (c && strchr(separators, c));
}

bool twx_slice_next_item(twx_slice *list, const char *separators, twx_slice *ret_item) {
    size_t from = 0;
    while (from < list->n && separates(list->p[from], separators)) from++;
    size_t to = from;
    while (to < list->n && !separates(list->p[to], separators)) to++;
    *ret_item = twx_slice_sub(*list, from, to);
    *list = twx_slice_sub(*list, to, list->n);
    return to > from;
}

twx_slice twx_slice_cut(twx_slice *rest, char mark) {
    const size_t end = twx_slice_find(*rest, mark, 0);
    const twx_slice part = twx_slice_sub(*rest, 0, end);
    *rest = twx_slice_sub(*rest, end + 1, rest->n);
    return part;
}

twx_slice twx_slice_next_line(twx_slice *lines) {
    return twx_slice_cut(lines, '\n');
}

bool twx_slice_integer(twx_slice s, int64_t *ret_value) {
    int64_t v = 0;
    s = twx_slice_trim(s);
    size_t at = s.n > 0 && s.p[0] == '-';
    if (s.n == at || s.n - at > 18) return false;
    for (size_t i = at; i < s.n; i++) {
        if (!twx_is_digit((unsigned char)s.p[i])) return false;
        v = v * 10 + (s.p[i] - '0');
    }
    *ret_value = at ? -v : v;
    return true;
}

bool twx_is_space(unsigned char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

const char *twx_skip_space(const char *p, const char *end) {
    while (p < end && twx_is_space((unsigned char)*p)) p++;
    return p;
}

bool twx_is_alpha(unsigned char c) {
    return (unsigned char)((c | 0x20) - 'a') < 26;
}

bool twx_is_digit(unsigned char c) {
    return (unsigned char)(c - '0') < 10;
}

bool twx_is_alphanumeric(unsigned char c) {
    return twx_is_alpha(c) || twx_is_digit(c);
}

bool twx_is_digit_at(twx_slice s, size_t i) {
    return i < s.n && twx_is_digit((unsigned char)s.p[i]);
}

int twx_hex_value(unsigned char c) {
    if (twx_is_digit(c)) return c - '0';
    unsigned char letter = (unsigned char)((c | 0x20) - 'a');
    return letter < 6 ? letter + 10 : -1;
}

int twx_percent_value(twx_slice s, size_t i) {
    if (s.n - i < 3 || s.p[i] != '%') return -1;
    const int high = twx_hex_value((unsigned char)s.p[i + 1]);
    const int low = twx_hex_value((unsigned char)s.p[i + 2]);
    return high < 0 || low < 0 ? -1 : high << 4 | low;
}

char twx_lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* ==== utf8 */

/* The range of the second byte, by first byte (Unicode 15, table 3-7). */
static void second_range(unsigned char first, unsigned char *ret_low, unsigned char *ret_high) {
    *ret_low = 0x80;
    *ret_high = 0xBF;
    if (first == 0xE0) *ret_low = 0xA0;
    if (first == 0xED) *ret_high = 0x9F;
    if (first == 0xF0) *ret_low = 0x90;
    if (first == 0xF4) *ret_high = 0x8F;
}

size_t twx_utf8_next_any(const char *p, const char *end, uint32_t *ret_cp) {
    const unsigned char *s = (const unsigned char *)p;
    size_t room = (size_t)(end - p);
    *ret_cp = TWX_REPLACEMENT;
    if (s[0] < 0x80) {
        *ret_cp = s[0];
        return 1;
    }
    if (s[0] < 0xC2 || s[0] > 0xF4) return 1;
    size_t length = s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    unsigned char low, high;
    second_range(s[0], &low, &high);
    if (room < 2 || s[1] < low || s[1] > high) return 1;
    uint32_t cp = s[0] & (0x7Fu >> length);
    cp = cp << 6 | (s[1] & 0x3Fu);
    for (size_t i = 2; i < length; i++) {
        if (i >= room || (s[i] & 0xC0) != 0x80) return i;
        cp = cp << 6 | (s[i] & 0x3Fu);
    }
    *ret_cp = cp;
    return length;
}

size_t twx_utf8_put(uint32_t cp, char out[4]) {
    if (cp < 0x80) {
        out[0] = (char)cp;
        return 1;
    }
    size_t length = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, cp >>= 6) out[i] = (char)(0x80 | (cp & 0x3F));
    out[0] = (char)((0xF00u >> length & 0xFF) | cp);
    return length;
}

static bool continues(unsigned char c) {
    return (c & 0xC0) == 0x80;
}

size_t twx_utf8_begin(twx_slice s, size_t at) {
    while (at < s.n && continues((unsigned char)s.p[at])) at++;
    return at;
}

/* The length of the valid sequence of two to four bytes at p; 0: there is none. */
static size_t valid_length(const char *p, const char *end) {
    const unsigned char *s = (const unsigned char *)p;
    const size_t room = (size_t)(end - p);
    unsigned char low, high;
    if (room < 2 || s[0] < 0xC2 || s[0] > 0xF4) return 0;
    if (s[0] < 0xE0) return continues(s[1]) ? 2 : 0;
    second_range(s[0], &low, &high);
    if (room < 3 || s[1] < low || s[1] > high || !continues(s[2])) return 0;
    if (s[0] < 0xF0) return 3;
    return room > 3 && continues(s[3]) ? 4 : 0;
}

bool twx_utf8_valid(twx_slice s) {
    if (s.n == 0) return true;
    const char *p = s.p, *const end = s.p + s.n;
    while (p < end) {
        if ((unsigned char)*p < 0x80) {
            p = twx_skip_ascii(p, end); /* most crawled text */
            continue;
        }
        const size_t length = valid_length(p, end);
        if (length == 0) return false;
        p += length;
    }
    return true;
}

twx_slice twx_utf8_cut(twx_slice s, size_t most) {
    if (s.n <= most) return s;
    for (s.n = most; s.n > 0 && continues((unsigned char)s.p[s.n]);) s.n--;
    return s;
}

bool twx_utf8_is_hidden(uint32_t cp) {
    static const struct {
        uint32_t from, to;
    } HIDDEN[] = {{0, 0x1F},        {0x7F, 0x9F},     {0x61C, 0x61C},  {0x200E, 0x200F},
                  {0x2028, 0x202E}, {0x2066, 0x2069}, {0xFEFF, 0xFEFF}};
    for (size_t i = 0; i < TWX_COUNTOF(HIDDEN); i++)
        if (cp >= HIDDEN[i].from && cp <= HIDDEN[i].to) return true;
    return false;
}

/* ==== value */

enum { PRINTED_BYTES = 200 };

uint64_t twx_value_hash(const twx_value *v, uint64_t seed) {
    unsigned char number[8] = {0};
    twx_slice bytes = v->bytes;
    if (v->type == TWX_INT || v->type == TWX_REAL) {
        uint64_t bits = (uint64_t)v->i;
        if (v->type == TWX_REAL) memcpy(&bits, &v->r, sizeof bits);
        twx_store_le64(number, bits);
        bytes = (twx_slice){(const char *)number, sizeof number};
    }
    return twx_mix64(twx_hash64(v->type == TWX_NULL ? (twx_slice){"", 0} : bytes, seed), v->type);
}

static int class_of(const twx_value *v) {
    return v->type == TWX_NULL ? 0 : v->type <= TWX_REAL ? 1 : v->type == TWX_TEXT ? 2 : 3;
}

/* Exact: not every integer has a value as a double. */
static int compare_to_real(int64_t i, double r) {
    if (r < -9223372036854775808.0) return 1;
    if (r >= 9223372036854775808.0) return -1;
    const int64_t whole = (int64_t)r; /* cut towards 0 */
    if (i != whole) return i < whole ? -1 : 1;
    return (r < (double)whole) - (r > (double)whole); /* its fraction decides */
}

static int compare_numbers(const twx_value *a, const twx_value *b) {
    if (a->type == TWX_INT && b->type == TWX_INT) return (a->i > b->i) - (a->i < b->i);
    if (a->type == TWX_INT) return compare_to_real(a->i, b->r);
    if (b->type == TWX_INT) return -compare_to_real(b->i, a->r);
    return (a->r > b->r) - (a->r < b->r);
}

int twx_value_compare(const twx_value *a, const twx_value *b) {
    const int x = class_of(a), y = class_of(b);
    if (x != y) return x - y;
    if (x == 0) return 0;
    return x == 1 ? compare_numbers(a, b) : twx_slice_cmp(a->bytes, b->bytes);
}

/* A NUL of a text, which would end a message, becomes U+FFFD. */
static twx_rc print_bytes(twx_ctx *cx, twx_buf *out, bool blob, twx_slice bytes) {
    const size_t n = blob ? twx_slice_sub(bytes, 0, PRINTED_BYTES).n
                          : twx_utf8_cut(bytes, PRINTED_BYTES).n;
    twx_rc rc = twx_buf_add_text(cx, out, blob ? "x'" : "'");
    for (size_t i = 0; rc == TWX_OK && i < n; i++)
        rc = blob         ? twx_buf_printf(cx, out, "%02x", (unsigned char)bytes.p[i])
             : bytes.p[i] ? twx_buf_add_char(cx, out, bytes.p[i])
                          : twx_buf_add_text(cx, out, "\xEF\xBF\xBD");
    return rc == TWX_OK ? twx_buf_add_text(cx, out, n < bytes.n ? "'..." : "'") : rc;
}

twx_rc twx_value_print(twx_ctx *cx, twx_buf *out, const twx_value *v) {
    switch (v->type) {
    case TWX_INT: return twx_buf_printf(cx, out, "%" PRId64, v->i);
    case TWX_REAL: return twx_buf_printf(cx, out, "%.17g", v->r);
    case TWX_TEXT:
    case TWX_BLOB: return print_bytes(cx, out, v->type == TWX_BLOB, v->bytes);
    case TWX_NULL: break;
    }
    return twx_buf_add_text(cx, out, "NULL");
}

twx_value twx_int(int64_t i) {
    return (twx_value){.type = TWX_INT, .i = i};
}

twx_value twx_int_if(bool known, int64_t i) {
    return known ? twx_int(i) : (twx_value){.type = TWX_NULL};
}

twx_value twx_text(twx_slice text) {
    return (twx_value){.type = TWX_TEXT, .bytes = text};
}

twx_value twx_text_of(const char *text) {
    return twx_text(twx_slice_of(text));
}

/* ==== nearest */

enum { WORD_MAX = 63 }; /* letters; a longer word is near no name */

static char folded(char c) {
    return c == '-' || c == '.' ? '_' : twx_lower(c);
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Fills the table of prefix distances row by row; a swap looks back two rows. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb) {
    size_t rows[3][WORD_MAX + 1];
    for (size_t j = 0; j <= nb; j++) rows[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t *now = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            char x = folded(a[i - 1]), y = folded(b[j - 1]);
            now[j] = least(least(above[j], now[j - 1]) + 1, above[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == folded(b[j - 2]) && y == folded(a[i - 2]))
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return rows[na % 3][nb];
}

twx_nearest twx_nearest_of(const char *word) {
    size_t allowed = strlen(word) / 3;
    if (allowed < 1) allowed = 1;
    if (allowed > 3) allowed = 3;
    return (twx_nearest){.word = word, .distance = allowed + 1};
}

void twx_nearest_try(twx_nearest *n, const char *name) {
    size_t na = strlen(n->word), nb = strlen(name);
    if (na == 0 || na > WORD_MAX || nb > WORD_MAX) return;
    size_t d = distance(n->word, na, name, nb);
    if (d >= n->distance) return;
    n->distance = d;
    n->name = name;
}

bool twx_is_number(twx_slice word) {
    for (size_t i = 0; i < word.n; i++)
        if (!twx_is_digit_at(word, i)) return false;
    return word.n > 0;
}

bool twx_is_name(twx_slice word) {
    for (size_t i = 0; i < word.n; i++)
        if (!twx_is_alphanumeric((unsigned char)word.p[i]) && word.p[i] != '_') return false;
    return word.n > 0 && !twx_is_digit_at(word, 0);
}

/* ==== excerpt */

enum { UTF8_BYTES = 4 };

/* Reads one character of the excerpt; returns the position after it. */
static const char *next_shown(const char *p, const char *end, uint32_t *ret_code) {
    if (twx_is_space((unsigned char)*p)) {
        *ret_code = ' ';
        return twx_skip_space(p, end);
    }
    p += twx_utf8_next(p, end, ret_code);
    if (twx_utf8_is_hidden(*ret_code)) *ret_code = TWX_REPLACEMENT;
    return p;
}

twx_rc twx_excerpt(twx_ctx *cx, twx_slice text, size_t most, twx_buf *out) {
    twx_rc rc = TWX_OK;
    size_t n = 0;
    for (const char *p = text.p, *end = text.p + text.n; rc == TWX_OK && p < end; n++) {
        uint32_t code = 0;
        char bytes[UTF8_BYTES];
        if (n == most) return twx_buf_add_text(cx, out, "...");
        p = next_shown(p, end, &code);
        rc = twx_buf_add(cx, out, bytes, twx_utf8_put(code, bytes));
    }
    return rc;
}

/* Examines only the last bytes, however long the text is. */
twx_rc twx_excerpt_end(twx_ctx *cx, twx_slice text, size_t most, twx_buf *out) {
    const char *end = text.p + text.n, *p = text.p;
    size_t n = 0;
    bool cut = false;
    if (text.n > most * UTF8_BYTES) {
        cut = true;
        p = text.p + twx_utf8_begin(text, text.n - most * UTF8_BYTES);
    }
    uint32_t code = 0;
    for (const char *at = p; at < end; n++) at = next_shown(at, end, &code);
    for (; n > most; n--, cut = true) p = next_shown(p, end, &code);
    twx_rc rc = cut ? twx_buf_add_text(cx, out, "...") : TWX_OK;
    return rc == TWX_OK ? twx_excerpt(cx, (twx_slice){p, (size_t)(end - p)}, most, out) : rc;
}
