#include "page/internal.h"

/* ==== style_escape */

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

/* ==== style_pseudo */

#define TWX_ID_WEIGHT (UINT64_C(1) << 32)

#define TWX_CLASS_WEIGHT (UINT64_C(1) << 24)

#define TWX_ELEMENT_WEIGHT (UINT64_C(1) << 16) /* the bits below it hold the order */

typedef enum twx_css_outcome {
    TWX_CSS_READ,
    TWX_CSS_DROPPED, /* this selector is ignored */
    TWX_CSS_INVALID, /* a browser drops the rule */
    TWX_CSS_FAILED   /* out of memory */
} twx_css_outcome;

typedef struct twx_css_parser {
    twx_ctx *cx;
    twx_sheet *s;
    twx_slice text;
    size_t at;
    uint64_t strength;
    unsigned depth;
} twx_css_parser;

static inline char css_peek(const twx_css_parser *p) {
    return p->at < p->text.n ? p->text.p[p->at] : '\0';
}

static void css_skip_spaces(twx_css_parser *p);

static twx_slice css_name(twx_css_parser *p);

static TWX_CHECK twx_css_outcome css_test(twx_css_parser *p, const twx_test *test);

static TWX_CHECK twx_css_outcome css_has_attribute(twx_css_parser *p, const char *name);

/* "div.a:not(.b)": up to white space, a comma, a combinator or ')' */
static TWX_CHECK twx_css_outcome css_compound(twx_css_parser *p);

/* Pseudo-classes and pseudo-elements of selectors (W3C Selectors 4, from section 4 on). */

enum { NESTING = 3 /* of :not() and :is() */ };

static bool take_number(twx_css_parser *p, int32_t *ret) {
    const size_t from = p->at;
    int32_t n = 0;
    for (; twx_is_digit((unsigned char)css_peek(p)); p->at++)
        if (n < 100000) n = n * 10 + (css_peek(p) - '0');
    *ret = n;
    return p->at > from;
}

static int32_t take_sign(twx_css_parser *p) {
    const char c = css_peek(p);
    if (c == '+' || c == '-') p->at++;
    return c == '-' ? -1 : 1;
}

static bool take_word(twx_css_parser *p, const char *word) {
    const twx_slice rest = twx_slice_sub(p->text, p->at, p->text.n), wanted = twx_slice_of(word);
    if (!twx_slice_starts_nocase(rest, wanted)) return false;
    p->at += wanted.n;
    return true;
}

/* "2n+1", "odd", "3"; the cursor is after '('. */
static twx_css_outcome nth(twx_css_parser *p, twx_test test) {
    css_skip_spaces(p);
    if (take_word(p, "odd") || take_word(p, "even")) {
        const char last = p->text.p[p->at - 1];
        test.step = 2;
        test.add = last == 'd';
    } else {
        const int32_t sign = take_sign(p);
        int32_t n = 1;
        const bool number = take_number(p, &n);
        if (!number) n = 1;
        if (css_peek(p) == 'n' || css_peek(p) == 'N') {
            p->at++;
            test.step = sign * n;
            css_skip_spaces(p);
            if (css_peek(p) == '+' || css_peek(p) == '-') {
                const int32_t add_sign = take_sign(p);
                css_skip_spaces(p);
                if (!take_number(p, &n)) return TWX_CSS_INVALID;
                test.add = add_sign * n;
            }
        } else if (number) {
            test.add = sign * n;
        } else {
            return TWX_CSS_INVALID;
        }
    }
    css_skip_spaces(p);
    if (css_peek(p) != ')') return TWX_CSS_DROPPED; /* "of" and a selector */
    p->at++;
    p->strength += TWX_CLASS_WEIGHT;
    return css_test(p, &test);
}

/* :not(), :is(), :where(): a list of compounds. The cursor is after '('. */
static twx_css_outcome list_test(twx_css_parser *p, twx_test_kind kind, bool weighs) {
    const size_t head = p->s->tests.n;
    const uint64_t before = p->strength;
    uint64_t most = 0;
    twx_css_outcome o = p->depth < NESTING ? css_test(p, &(twx_test){.kind = (uint8_t)kind})
                                           : TWX_CSS_DROPPED;
    for (bool more = true; o == TWX_CSS_READ && more;) {
        const size_t group = p->s->tests.n;
        p->strength = 0;
        p->depth++;
        o = css_test(p, &(twx_test){.kind = TWX_TEST_ALL});
        css_skip_spaces(p);
        if (o == TWX_CSS_READ) o = css_compound(p);
        p->depth--;
        css_skip_spaces(p);
        if (o != TWX_CSS_READ) break;
        if (css_peek(p) != ',' && css_peek(p) != ')')
            return p->at < p->text.n ? TWX_CSS_DROPPED : TWX_CSS_INVALID;
        more = css_peek(p) == ',';
        p->at++;
        p->s->tests.at[group].span = (uint32_t)(p->s->tests.n - group - 1);
        if (p->strength > most) most = p->strength;
    }
    p->strength = before + (weighs ? most : 0);
    if (o == TWX_CSS_READ) p->s->tests.at[head].span = (uint32_t)(p->s->tests.n - head - 1);
    return o == TWX_CSS_INVALID ? TWX_CSS_DROPPED : o;
}

typedef enum pseudo_rule {
    NEVER,
    LINK,
    ROOT,
    EMPTY,
    FIRST, /* :first-child and so on: NTH with 1 */
    NTH,
    ONLY,
    IS,
    WHERE,
    NOT,
    CHECKED,
    DISABLED,
    REQUIRED,
    UNUSED /* known to browsers; irrelevant here, or not decidable */
} pseudo_rule;

static const struct {
    const char *name;
    uint8_t rule;
    /* '(': takes an argument; '<': counts from the end; 't': among elements of the same name */
    const char *form;
} PSEUDO[] = {
    {"hover", NEVER, ""},
    {"focus", NEVER, ""},
    {"active", NEVER, ""},
    {"focus-within", NEVER, ""},
    {"focus-visible", NEVER, ""},
    {"visited", NEVER, ""},
    {"target", NEVER, ""},
    {"fullscreen", NEVER, ""},
    {"-webkit-full-screen", NEVER, ""},
    {"autofill", NEVER, ""},
    {"-webkit-autofill", NEVER, ""},
    {"modal", NEVER, ""},
    {"popover-open", NEVER, ""},
    {"link", LINK, ""},
    {"any-link", LINK, ""},
    {"-webkit-any-link", LINK, ""},
    {"root", ROOT, ""},
    {"scope", ROOT, ""},
    {"empty", EMPTY, ""},
    {"first-child", FIRST, ""},
    {"last-child", FIRST, "<"},
    {"first-of-type", FIRST, "t"},
    {"last-of-type", FIRST, "<t"},
    {"only-child", ONLY, ""},
    {"only-of-type", ONLY, "t"},
    {"nth-child", NTH, "("},
    {"nth-last-child", NTH, "<("},
    {"nth-of-type", NTH, "t("},
    {"nth-last-of-type", NTH, "<t("},
    {"is", IS, "("},
    {"-webkit-any", IS, "("},
    {"where", WHERE, "("},
    {"not", NOT, "("},
    {"checked", CHECKED, ""},
    {"disabled", DISABLED, ""},
    {"required", REQUIRED, ""},
    {"enabled", UNUSED, ""},
    {"optional", UNUSED, ""},
    {"valid", UNUSED, ""},
    {"invalid", UNUSED, ""},
    {"user-valid", UNUSED, ""},
    {"user-invalid", UNUSED, ""},
    {"in-range", UNUSED, ""},
    {"out-of-range", UNUSED, ""},
    {"placeholder-shown", UNUSED, ""},
    {"read-only", UNUSED, ""},
    {"read-write", UNUSED, ""},
    {"indeterminate", UNUSED, ""},
    {"default", UNUSED, ""},
    {"defined", UNUSED, ""},
    {"open", UNUSED, ""},
    {"host", UNUSED, ""},
    {"picture-in-picture", UNUSED, ""},
    {"horizontal", UNUSED, ""},
    {"vertical", UNUSED, ""},
    {"window-inactive", UNUSED, ""},
    {"host-context", UNUSED, "("},
    {"has", UNUSED, "("},
    {"lang", UNUSED, "("},
    {"dir", UNUSED, "("},
    {"state", UNUSED, "("},
    /* pseudo-elements with the syntax of pseudo-classes */
    {"before", UNUSED, ""},
    {"after", UNUSED, ""},
    {"first-line", UNUSED, ""},
    {"first-letter", UNUSED, ""},
};

/* The cursor is after "::". Pseudo-elements never affect the element's own text. */
static twx_css_outcome pseudo_element(twx_css_parser *p) {
    static const char *const KNOWN[] = {"before",         "after",     "first-line",
                                        "first-letter",   "marker",    "slotted",
                                        "placeholder",    "selection", "backdrop",
                                        "part",           "cue",       "file-selector-button",
                                        "details-content"};
    const twx_slice name = css_name(p);
    if (twx_slice_starts_nocase(name, TWX_SLICE_LIT("-webkit-"))) return TWX_CSS_DROPPED;
    for (size_t i = 0; i < TWX_COUNTOF(KNOWN); i++)
        if (twx_slice_eq_nocase(name, twx_slice_of(KNOWN[i]))) return TWX_CSS_DROPPED;
    return TWX_CSS_INVALID;
}

static twx_css_outcome place_test(twx_css_parser *p, twx_test test, bool structural) {
    if (structural) p->s->recording = true;
    if (test.last || test.kind == TWX_TEST_EMPTY) p->s->again = true;
    p->strength += TWX_CLASS_WEIGHT;
    return css_test(p, &test);
}

static twx_css_outcome pseudo_rule_test(twx_css_parser *p, size_t row) {
    twx_test test = {.kind = TWX_TEST_NTH,
                     .last = strchr(PSEUDO[row].form, '<') != NULL,
                     .typed = strchr(PSEUDO[row].form, 't') != NULL,
                     .add = 1};
    twx_css_outcome o;
    switch ((pseudo_rule)PSEUDO[row].rule) {
    case NEVER:
        p->strength += TWX_CLASS_WEIGHT;
        return css_test(p, &(twx_test){.kind = TWX_TEST_NEVER});
    case LINK:
        p->strength += TWX_CLASS_WEIGHT;
        return css_test(p, &(twx_test){.kind = TWX_TEST_LINK});
    case ROOT:
        p->strength += TWX_CLASS_WEIGHT;
        test = (twx_test){.kind = TWX_TEST_NAME,
                          .hash = twx_sheet_hash(p->s, TWX_TEST_NAME, TWX_SLICE_LIT("html"))};
        return css_test(p, &test);
    case EMPTY: test.kind = TWX_TEST_EMPTY; return place_test(p, test, true);
    case FIRST: return place_test(p, test, true);
    case NTH:
        p->s->recording = true;
        if (test.last) p->s->again = true;
        test.add = 0;
        return nth(p, test);
    case ONLY:
        o = place_test(p, test, true);
        test.last = true;
        return o == TWX_CSS_READ ? place_test(p, test, true) : o;
    case IS: return list_test(p, TWX_TEST_ANY, true);
    case WHERE: return list_test(p, TWX_TEST_ANY, false);
    case NOT: return list_test(p, TWX_TEST_NOT, true);
    case CHECKED: return css_has_attribute(p, "checked");
    case DISABLED: return css_has_attribute(p, "disabled");
    case REQUIRED: return css_has_attribute(p, "required");
    default: return TWX_CSS_DROPPED;
    }
}

/* The cursor is after ':'. */
static twx_css_outcome css_pseudo(twx_css_parser *p) {
    if (css_peek(p) == ':') {
        p->at++;
        return pseudo_element(p);
    }
    const twx_slice name = css_name(p);
    const bool call = css_peek(p) == '(';
    if (call) p->at++;
    for (size_t i = 0; i < TWX_COUNTOF(PSEUDO); i++)
        if ((strchr(PSEUDO[i].form, '(') != NULL) == call &&
            twx_slice_eq_nocase(name, twx_slice_of(PSEUDO[i].name)))
            return pseudo_rule_test(p, i);
    return TWX_CSS_INVALID;
}

/* ==== style_selector */

/* Compiles selectors (W3C Selectors 4) into tests. The parser reads a list from left to right and
 * drops selectors that it cannot use. */

#define UNLAYERED (UINT64_C(1) << 40)

static bool sheet_seen(const twx_sheet *s, uint64_t hash) {
    const uint64_t bit = hash ^ hash >> 29;
    return s->seen[bit / 64 % TWX_SHEET_SEEN] >> bit % 64 & 1;
}

/* The size of a sheet, to restore it later. */
typedef struct mark {
    size_t selectors, tests, strings;
    bool recording, again;
} mark;

/* ---- names -------------------------------------------------------------- */

static bool is_name_byte(char c) {
    return twx_is_alpha((unsigned char)c) || twx_is_digit((unsigned char)c) || c == '-' ||
           c == '_' || (unsigned char)c >= 0x80;
}

/* FNV-1a */
uint64_t twx_sheet_hash(const twx_sheet *s, twx_test_kind kind, twx_slice name) {
    const bool lower = kind == TWX_TEST_NAME || s->quirks;
    uint64_t h = (UINT64_C(0xCBF29CE484222325) ^ (unsigned)kind) * UINT64_C(0x100000001B3);
    for (size_t i = 0; i < name.n; i++)
        h = (h ^ (unsigned char)(lower ? twx_lower(name.p[i]) : name.p[i])) *
            UINT64_C(0x100000001B3);
    return h;
}

static uint64_t hash_escaped(const twx_sheet *s, twx_test_kind kind, twx_slice name) {
    if (name.n == 0 || !memchr(name.p, '\\', name.n)) return twx_sheet_hash(s, kind, name);
    const bool lower = kind == TWX_TEST_NAME || s->quirks;
    uint64_t h = (UINT64_C(0xCBF29CE484222325) ^ (unsigned)kind) * UINT64_C(0x100000001B3);
    for (size_t at = 0; at < name.n;) {
        char c[4];
        const size_t n = twx_css_unescape(name, &at, c);
        for (size_t i = 0; i < n; i++)
            h = (h ^ (unsigned char)(lower ? twx_lower(c[i]) : c[i])) * UINT64_C(0x100000001B3);
    }
    return h;
}

static void css_skip_spaces(twx_css_parser *p) {
    while (p->at < p->text.n && twx_is_space((unsigned char)p->text.p[p->at])) p->at++;
}

static twx_slice css_name(twx_css_parser *p) {
    const size_t from = p->at;
    while (p->at < p->text.n && (is_name_byte(css_peek(p)) || css_peek(p) == '\\')) {
        char c[4];
        (void)twx_css_unescape(p->text, &p->at, c);
    }
    return twx_slice_sub(p->text, from, p->at);
}

static twx_css_outcome css_test(twx_css_parser *p, const twx_test *test) {
    if (p->s->tests.n >= TWX_SHEET_TESTS) return TWX_CSS_DROPPED;
    return TWX_VEC_PUSH(p->cx, &p->s->tests, *test) ? TWX_CSS_READ : TWX_CSS_FAILED;
}

/* ---- attributes --------------------------------------------------------- */

static twx_css_outcome keep_string(twx_css_parser *p, twx_slice raw, uint32_t *ret_at,
                                   uint32_t *ret_n) {
    twx_buf *to = &p->s->strings;
    *ret_at = (uint32_t)to->n;
    for (size_t at = 0; at < raw.n;) {
        char c[4];
        const size_t n = twx_css_unescape(raw, &at, c);
        if (twx_buf_add(p->cx, to, c, n) != TWX_OK) return TWX_CSS_FAILED;
    }
    *ret_n = (uint32_t)(to->n - *ret_at);
    return TWX_CSS_READ;
}

/* Reads the quoted string or the name at the cursor. */
static bool take_value(twx_css_parser *p, twx_slice *ret) {
    const char quote = css_peek(p);
    if (quote != '"' && quote != '\'') {
        *ret = css_name(p);
        return ret->n > 0;
    }
    const size_t from = ++p->at;
    while (p->at < p->text.n && css_peek(p) != quote) {
        char c[4];
        (void)twx_css_unescape(p->text, &p->at, c);
    }
    *ret = twx_slice_sub(p->text, from, p->at);
    if (p->at < p->text.n) p->at++;
    return true;
}

/* In HTML the values of these attributes are compared case-insensitively (HTML standard, section
 * 4.17.1; the common ones). */
static bool folds_value(twx_slice name) {
    static const char *const NAMES[] = {"align", "checked", "dir",  "disabled", "lang",
                                        "media", "method",  "rel",  "rev",      "selected",
                                        "shape", "target",  "type", "valign"};
    for (size_t i = 0; i < TWX_COUNTOF(NAMES); i++)
        if (twx_slice_eq_nocase(name, twx_slice_of(NAMES[i]))) return true;
    return false;
}

/* The cursor is after '['. */
static twx_css_outcome attribute_test(twx_css_parser *p) {
    twx_test test = {.kind = TWX_TEST_ATTRIBUTE};
    twx_slice value = {"", 0};
    css_skip_spaces(p);
    if (css_peek(p) == '*' || css_peek(p) == '|') return TWX_CSS_DROPPED; /* namespaces */
    const twx_slice name = css_name(p);
    if (name.n == 0) return TWX_CSS_INVALID;
    css_skip_spaces(p);
    if (css_peek(p) != ']') {
        test.op = css_peek(p);
        p->at++;
        if (!memchr("=~|^$*", test.op, 6)) return TWX_CSS_INVALID;
        if (test.op != '=' && (css_peek(p) != '=' || p->at++ == p->text.n)) return TWX_CSS_INVALID;
        css_skip_spaces(p);
        if (!take_value(p, &value)) return TWX_CSS_INVALID;
        css_skip_spaces(p);
        const twx_slice flag = css_name(p);
        test.fold = flag.n ? twx_lower(flag.p[0]) == 'i' : folds_value(name);
        css_skip_spaces(p);
    }
    if (css_peek(p) != ']') return TWX_CSS_INVALID;
    p->at++;
    p->strength += TWX_CLASS_WEIGHT;
    twx_css_outcome o = keep_string(p, name, &test.name_at, &test.name_n);
    if (o == TWX_CSS_READ) o = keep_string(p, value, &test.value_at, &test.value_n);
    return o == TWX_CSS_READ ? css_test(p, &test) : o;
}

static twx_css_outcome css_has_attribute(twx_css_parser *p, const char *name) {
    twx_test test = {.kind = TWX_TEST_ATTRIBUTE};
    p->strength += TWX_CLASS_WEIGHT;
    const twx_css_outcome o = keep_string(p, twx_slice_of(name), &test.name_at, &test.name_n);
    return o == TWX_CSS_READ ? css_test(p, &test) : o;
}

/* ---- compounds and selectors -------------------------------------------- */

static twx_css_outcome named_test(twx_css_parser *p, twx_test_kind kind, uint64_t weight) {
    const twx_slice name = css_name(p);
    if (name.n == 0) return TWX_CSS_INVALID;
    p->strength += weight;
    return css_test(p, &(twx_test){.kind = (uint8_t)kind, .hash = hash_escaped(p->s, kind, name)});
}

static twx_css_outcome css_compound(twx_css_parser *p) {
    const size_t from = p->at;
    twx_css_outcome o = TWX_CSS_READ;
    if (css_peek(p) == '*')
        p->at++;
    else if (is_name_byte(css_peek(p)) || css_peek(p) == '\\')
        o = named_test(p, TWX_TEST_NAME, TWX_ELEMENT_WEIGHT);
    while (o == TWX_CSS_READ && p->at < p->text.n) {
        const char c = css_peek(p);
        if (!memchr(".#[:|&", c, 6)) break;
        p->at++;
        o = c == '.'   ? named_test(p, TWX_TEST_CLASS, TWX_CLASS_WEIGHT)
            : c == '#' ? named_test(p, TWX_TEST_ID, TWX_ID_WEIGHT)
            : c == '[' ? attribute_test(p)
            : c == ':' ? css_pseudo(p)
                       : TWX_CSS_DROPPED;
    }
    return o == TWX_CSS_READ && p->at == from ? TWX_CSS_INVALID : o;
}

/* ' ' for white space, '\0' at the end of the selector. */
static char take_combinator(twx_css_parser *p) {
    const size_t from = p->at;
    css_skip_spaces(p);
    const char c = css_peek(p);
    if (c == '>' || c == '+' || c == '~') {
        p->at++;
        css_skip_spaces(p);
        return c;
    }
    return c == ',' || p->at == p->text.n ? '\0' : p->at > from ? ' ' : '?';
}

/* Reads up to a comma or the end. */
static twx_css_outcome selector(twx_css_parser *p, twx_selector *ret) {
    twx_compound list[TWX_SHEET_COMPOUNDS];
    size_t n = 0;
    char combinator = ' ';
    p->strength = 0;
    css_skip_spaces(p);
    while (combinator) {
        if (n == TWX_SHEET_COMPOUNDS) return TWX_CSS_DROPPED;
        list[n] = (twx_compound){.first = (uint32_t)p->s->tests.n, .combinator = combinator};
        const twx_css_outcome o = css_compound(p);
        if (o != TWX_CSS_READ) return o;
        list[n].tests = (uint32_t)p->s->tests.n - list[n].first;
        n++;
        combinator = take_combinator(p);
        if (combinator == '?') return TWX_CSS_INVALID;
        if (combinator == '+' || combinator == '~') p->s->recording = true;
    }
    for (size_t i = 0; i < n; i++) ret->compound[i] = list[n - 1 - i];
    ret->compounds = (uint8_t)n;
    ret->strength = p->strength;
    return TWX_CSS_READ;
}

/* Advances the cursor to the comma or the end of the list; commas in brackets and strings do not
 * count. */
static void skip_selector(twx_css_parser *p) {
    unsigned depth = 0;
    for (char quote = 0; p->at < p->text.n; p->at++) {
        const char c = css_peek(p);
        if (c == '\\')
            p->at++;
        else if (quote)
            quote = c == quote ? 0 : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == '(' || c == '[')
            depth++;
        else if (c == ')' || c == ']')
            depth -= depth > 0;
        else if (c == ',' && depth == 0)
            return;
    }
    p->at = p->text.n;
}

/* The hash by which the selector is found: of an id, else of a class, else of the element name. */
static uint64_t key_of(const twx_sheet *s, const twx_selector *selector) {
    const twx_compound *last = &selector->compound[0];
    uint64_t key = 0;
    int best = -1;
    for (uint32_t i = last->first; i < last->first + last->tests; i += 1 + s->tests.at[i].span) {
        const twx_test *test = &s->tests.at[i];
        const int rank = test->kind == TWX_TEST_ID      ? 2
                         : test->kind == TWX_TEST_CLASS ? 1
                         : test->kind == TWX_TEST_NAME  ? 0
                                                        : -1;
        if (rank <= best) continue;
        best = rank;
        key = test->hash;
    }
    return key;
}

static uint32_t *bucket_of(twx_sheet *s, uint64_t key) {
    return &s->bucket[key ? (key ^ key >> 32) % TWX_SHEET_BUCKETS : TWX_SHEET_BUCKETS];
}

static twx_css_outcome keep(twx_css_parser *p, twx_selector *one) {
    twx_sheet *s = p->s;
    one->strength += s->selectors.n;
    one->key = key_of(s, one);
    uint32_t *first = bucket_of(s, one->key);
    one->next = *first;
    if (!TWX_VEC_PUSH(p->cx, &s->selectors, *one)) return TWX_CSS_FAILED;
    *first = (uint32_t)s->selectors.n;
    if (s->late && (one->key == 0 || sheet_seen(s, one->key))) s->again = true;
    return TWX_CSS_READ;
}

/* Removes what a rule has added: a browser accepts all selectors of a rule or none. */
static void take_back(twx_sheet *s, const mark *to) {
    while (s->selectors.n > to->selectors) {
        const twx_selector *one = &s->selectors.at[--s->selectors.n];
        *bucket_of(s, one->key) = one->next;
    }
    s->tests.n = to->tests;
    s->strings.n = to->strings;
    s->recording = to->recording;
    s->again = to->again;
}

static mark mark_now(const twx_sheet *s) {
    return (mark){s->selectors.n, s->tests.n, s->strings.n, s->recording, s->again};
}

twx_rc twx_sheet_rule(twx_ctx *cx, twx_sheet *s, twx_slice selectors, const twx_declared *declared,
                      bool layered) {
    const mark rule = mark_now(s);
    twx_css_parser p = {.cx = cx, .s = s, .text = twx_slice_trim(selectors)};
    for (; p.at <= p.text.n && s->selectors.n < TWX_SHEET_SELECTORS; p.at++) {
        twx_selector one = {.declared = *declared};
        const mark before = mark_now(s);
        const size_t from = p.at;
        twx_css_outcome o = selector(&p, &one);
        if (o == TWX_CSS_READ) {
            if (!layered) one.strength += UNLAYERED;
            o = keep(&p, &one);
        } else if (o == TWX_CSS_DROPPED) {
            take_back(s, &before);
            p.at = from;
            skip_selector(&p);
        }
        if (o == TWX_CSS_FAILED) return TWX_E_NOMEM;
        if (o != TWX_CSS_INVALID) continue;
        take_back(s, &rule);
        return TWX_OK;
    }
    return TWX_OK;
}
