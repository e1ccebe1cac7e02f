/* The CSS that decides what a page shows: the declarations of style attributes, and the rules of
 * the page's own <style> elements, for a screen of 1280 by 800 pixels. It is the subset that real
 * pages hide text with; docs/imported-text.md lists it, and what the rest would change. */
#include "page/internal.h"

enum { WINDOW_WIDTH = 1280, EM = 16, WORK_PER_BYTE = 64, WORK_AT_LEAST = 1 << 20 };

/* Specificity; the bits below it hold the order, those above it style attributes and !important. */
#define ID_WEIGHT          (UINT64_C(1) << 32)
#define CLASS_WEIGHT       (UINT64_C(1) << 24)
#define ELEMENT_WEIGHT     (UINT64_C(1) << 16)
#define ATTRIBUTE_STRENGTH (UINT64_C(1) << 41)
#define IMPORTANT_STRENGTH (UINT64_C(1) << 42)

/* ---- text --------------------------------------------------------------- */

static bool is(twx_slice s, const char *word) {
    return twx_slice_eq_nocase(s, twx_slice_of(word));
}

static bool is_name_byte(char c) {
    return twx_is_alpha((unsigned char)c) || twx_is_digit((unsigned char)c) || c == '-' ||
           c == '_' || c == '\\' || (unsigned char)c >= 0x80;
}

static bool starts_comment(twx_slice s, size_t at) {
    return at + 1 < s.n && s.p[at] == '/' && s.p[at + 1] == '*';
}

/* The position after the comment that begins at `at`. */
static size_t comment_end(twx_slice s, size_t at) {
    for (at += 2; at + 1 < s.n; at++)
        if (s.p[at] == '*' && s.p[at + 1] == '/') return at + 2;
    return s.n;
}

/* Skips white space and comments. */
static size_t skip_space(twx_slice s, size_t at) {
    for (;;) {
        while (at < s.n && twx_is_space((unsigned char)s.p[at])) at++;
        if (!starts_comment(s, at)) return at;
        at = comment_end(s, at);
    }
}

/* The position of the first `stop` or `other` outside of brackets, strings and comments, or s.n
 * (CSS Syntax 3, "consume a simple block"). */
static size_t scan(twx_slice s, size_t at, char stop, char other) {
    char closer[64], quote = 0; /* deeper brackets are treated as text */
    size_t depth = 0;
    for (; at < s.n; at++) {
        const char c = s.p[at];
        if (c == '\\')
            at++;
        else if (quote)
            quote = c == quote || c == '\n' ? 0 : quote;
        else if (starts_comment(s, at))
            at = comment_end(s, at) - 1;
        else if (depth == 0 && (c == stop || c == other))
            return at;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (depth > 0 && c == closer[depth - 1])
            depth--;
        else if ((c == '{' || c == '(' || c == '[') && depth < sizeof closer)
            closer[depth++] = c == '{' ? '}' : c == '(' ? ')' : ']';
    }
    return s.n;
}

/* Reads the character or escape at s.p[*at] (CSS Syntax 3, section 4.3.7) and moves *at after it.
 * Writes UTF-8 and returns its length; a byte of a longer character counts by itself. */
static size_t unescape(twx_slice s, size_t *at, char ret_bytes[4]) {
    ret_bytes[0] = s.p[(*at)++];
    if (ret_bytes[0] != '\\' || *at == s.n) return 1;
    uint32_t code = 0;
    size_t digits = 0;
    for (int digit;
         digits < 6 && *at < s.n && (digit = twx_hex_value((unsigned char)s.p[*at])) >= 0;
         digits++, ++*at)
        code = code * 16 + (uint32_t)digit;
    if (digits == 0) {
        ret_bytes[0] = s.p[(*at)++];
        return 1;
    }
    if (*at < s.n && twx_is_space((unsigned char)s.p[*at])) ++*at;
    const bool scalar = code != 0 && code <= 0x10FFFF && !(code >= 0xD800 && code <= 0xDFFF);
    return twx_utf8_put(scalar ? code : TWX_REPLACEMENT, ret_bytes);
}

/* FNV-1a */
static uint64_t hash_more(uint64_t h, twx_slice s, bool lower) {
    for (size_t i = 0; i < s.n; i++)
        h = (h ^ (unsigned char)(lower ? twx_lower(s.p[i]) : s.p[i])) * UINT64_C(0x100000001B3);
    return h;
}

static uint64_t hash_of(const twx_sheet *s, twx_test_kind kind, twx_slice name) {
    const bool lower = kind == TWX_TEST_NAME || (s->quirks && kind != TWX_TEST_ATTRIBUTE);
    return hash_more(UINT64_C(0xCBF29CE484222325) + kind, name, lower);
}

/* The same of a name that is written in CSS. */
static uint64_t hash_escaped(const twx_sheet *s, twx_test_kind kind, twx_slice name) {
    const bool lower = kind == TWX_TEST_NAME || (s->quirks && kind != TWX_TEST_ATTRIBUTE);
    uint64_t h = hash_of(s, kind, (twx_slice){NULL, 0});
    for (size_t at = 0; at < name.n;) {
        char c[4];
        const size_t n = unescape(name, &at, c);
        h = hash_more(h, (twx_slice){c, n}, lower);
    }
    return h;
}

/* ---- declarations ------------------------------------------------------- */

/* What the values of the properties mean; 0: not set. A display value is its twx_display + 1, a
 * visibility a twx_visibility. */
enum { FLEX = TWX_DISPLAYS + 1, INHERITED, REVERTED, FROM_PARENT = 3, KEPT = 1, MAKES_BLOCK = 2 };

/* What a parent floats or positions is not kept, so `inherit` is read as if it did neither. */
static const struct {
    const char *property, *values;
    uint8_t index, means;
} VALUES[] = {
    {"display", "none table-column table-column-group", TWX_PROP_DISPLAY, TWX_NONE + 1},
    {"display", "block table list-item flow-root table-row table-row-group", TWX_PROP_DISPLAY,
     TWX_BLOCK + 1},
    {"display", "table-header-group table-footer-group table-caption", TWX_PROP_DISPLAY,
     TWX_BLOCK + 1},
    {"display", "inline inline-block inline-table contents ruby initial unset", TWX_PROP_DISPLAY,
     TWX_INLINE + 1},
    {"display", "table-cell", TWX_PROP_DISPLAY, TWX_CELL + 1},
    {"display", "flex grid inline-flex inline-grid", TWX_PROP_DISPLAY, FLEX},
    {"display", "-webkit-box -webkit-flex -webkit-inline-box -webkit-inline-flex", TWX_PROP_DISPLAY,
     FLEX},
    {"display", "inherit", TWX_PROP_DISPLAY, INHERITED},
    {"display", "revert revert-layer", TWX_PROP_DISPLAY, REVERTED},
    {"visibility", "hidden collapse", TWX_PROP_VISIBILITY, TWX_INVISIBLE},
    {"visibility", "visible initial", TWX_PROP_VISIBILITY, TWX_VISIBLE},
    {"visibility", "inherit unset revert revert-layer", TWX_PROP_VISIBILITY, FROM_PARENT},
    {"float", "left right", TWX_PROP_FLOAT, MAKES_BLOCK},
    {"float", "none initial unset inherit revert revert-layer", TWX_PROP_FLOAT, KEPT},
    {"position", "absolute fixed", TWX_PROP_POSITION, MAKES_BLOCK},
    {"position", "static relative sticky initial unset inherit revert revert-layer",
     TWX_PROP_POSITION, KEPT},
};

static twx_slice without_comments(twx_slice s) {
    const size_t from = skip_space(s, 0);
    size_t end = from;
    while (end < s.n && !starts_comment(s, end)) end++;
    return twx_slice_trim(twx_slice_sub(s, from, end));
}

static void declare(twx_declared *d, twx_slice one) {
    const size_t from = skip_space(one, 0), colon = twx_slice_find(one, ':', from);
    const size_t bang = twx_slice_find(one, '!', colon);
    const twx_slice name = without_comments(twx_slice_sub(one, from, colon));
    const twx_slice value = without_comments(twx_slice_sub(one, colon + 1, bang));
    const bool important = bang < one.n;
    if (important && !is(without_comments(twx_slice_sub(one, bang + 1, one.n)), "important"))
        return;
    for (size_t i = 0; i < TWX_COUNTOF(VALUES); i++) {
        twx_slice values = twx_slice_of(VALUES[i].values), word;
        const size_t at = VALUES[i].index;
        if (!is(name, VALUES[i].property)) continue;
        while (twx_slice_next_word(&values, &word)) {
            if (!twx_slice_eq_nocase(value, word) || (d->important[at] && !important)) continue;
            d->value[at] = VALUES[i].means;
            d->important[at] = important;
        }
    }
}

/* false: no declaration in it is relevant */
static bool declarations(twx_slice text, twx_declared *ret) {
    *ret = (twx_declared){0};
    for (size_t at = 0, end; at < text.n; at = end + 1) {
        end = scan(text, at, ';', ';');
        declare(ret, twx_slice_sub(text, at, end));
    }
    for (size_t i = 0; i < TWX_PROPERTIES; i++)
        if (ret->value[i]) return true;
    return false;
}

/* The declarations that apply to an element so far, with their precedence. */
typedef struct cascade {
    uint8_t value[TWX_PROPERTIES];
    uint64_t strength[TWX_PROPERTIES];
} cascade;

static void cascade_add(cascade *c, const twx_declared *d, uint64_t strength) {
    for (size_t i = 0; i < TWX_PROPERTIES; i++) {
        const uint64_t whole = strength | (d->important[i] ? IMPORTANT_STRENGTH : 0);
        if (d->value[i] == 0 || (c->value[i] && whole < c->strength[i])) continue;
        c->value[i] = d->value[i];
        c->strength[i] = whole;
    }
}

static void cascade_apply(const cascade *c, const twx_style *parent, twx_style *style) {
    const uint8_t display = c->value[TWX_PROP_DISPLAY];
    if (display == INHERITED) {
        style->flex = parent && parent->flex;
        style->display = parent ? parent->display : TWX_BLOCK;
    } else if (display && display != REVERTED) {
        style->flex = display == FLEX;
        style->display = style->flex ? TWX_BLOCK : (uint8_t)(display - 1);
    }
    const uint8_t visibility = c->value[TWX_PROP_VISIBILITY];
    if (visibility) style->visibility = visibility == FROM_PARENT ? TWX_INHERITED : visibility;
    const bool block = c->value[TWX_PROP_FLOAT] == MAKES_BLOCK ||
                       c->value[TWX_PROP_POSITION] == MAKES_BLOCK;
    if (block && (style->display == TWX_INLINE || style->display == TWX_CELL))
        style->display = TWX_BLOCK;
}

/* ---- media queries ------------------------------------------------------ */

/* A length in thousandths of a pixel; -1: it is not a length. Only 0 needs no unit. */
static int64_t pixels(twx_slice s) {
    int64_t n = 0, scale = 1000;
    size_t i = 0;
    for (; twx_is_digit_at(s, i); i++)
        if (n < INT64_C(1000000000)) n = n * 10 + (s.p[i] - '0') * scale;
    if (i < s.n && s.p[i] == '.')
        for (i++; twx_is_digit_at(s, i); i++) n += (scale /= 10) * (s.p[i] - '0');
    const twx_slice unit = twx_slice_sub(s, i, s.n);
    if (is(unit, "em") || is(unit, "rem")) return n * EM;
    return is(unit, "px") || (unit.n == 0 && i > 0 && n == 0) ? n : -1;
}

/* "min-width: 600px", "width < 48rem". false: the feature is not known. */
static bool width_holds(twx_slice s, bool *holds) {
    const int64_t have = WINDOW_WIDTH * INT64_C(1000);
    size_t at = 0;
    while (at < s.n && !memchr(":<>", s.p[at], 3)) at++;
    if (at == s.n) return false;
    twx_slice name = twx_slice_trim(twx_slice_sub(s, 0, at));
    char relation = s.p[at++];
    const bool equal = relation == ':' || (at < s.n && s.p[at] == '=');
    if (relation != ':' && equal) at++;
    const int64_t wanted = pixels(twx_slice_trim(twx_slice_sub(s, at, s.n)));
    const bool min = twx_slice_starts_nocase(name, TWX_SLICE_LIT("min-"));
    if (min || twx_slice_starts_nocase(name, TWX_SLICE_LIT("max-"))) {
        name = twx_slice_sub(name, 4, name.n);
        relation = min ? '>' : '<';
    }
    if (wanted < 0 || (!is(name, "width") && !is(name, "device-width"))) return false;
    *holds &= (equal && have == wanted) || (relation == '>' && have > wanted) ||
              (relation == '<' && have < wanted);
    return true;
}

/* Media types and widths joined by "and"; a leading "not" negates the whole. */
static bool query_holds(twx_slice s) {
    bool holds = true, negative = false;
    for (size_t at = skip_space(s, 0), end; at < s.n; at = skip_space(s, at)) {
        if (s.p[at] == '(') {
            end = scan(s, at + 1, ')', ')');
            if (!width_holds(twx_slice_sub(s, at + 1, end), &holds)) return false;
            at = end + 1;
            continue;
        }
        for (end = at + 1; end < s.n && is_name_byte(s.p[end]); end++) continue;
        const twx_slice word = twx_slice_sub(s, at, end);
        if (is(word, "not"))
            negative = true;
        else if (!is(word, "and") && !is(word, "only"))
            holds &= is(word, "screen") || is(word, "all");
        at = end;
    }
    return holds != negative;
}

bool twx_media_matches(twx_slice query) {
    if (twx_slice_trim(query).n == 0) return true;
    for (size_t at = 0, end; at <= query.n; at = end + 1) {
        end = twx_slice_find(query, ',', at);
        const twx_slice one = twx_slice_trim(twx_slice_sub(query, at, end));
        if (one.n > 0 && query_holds(one)) return true;
    }
    return false;
}

/* ---- selectors ---------------------------------------------------------- */

/* The functions that read one return TWX_DONE if they cannot use the selector. */
typedef struct selector_text {
    twx_slice text;
    size_t at;
} selector_text;

static char peek(const selector_text *r) {
    return r->at < r->text.n ? r->text.p[r->at] : '\0';
}

static twx_slice take_name(selector_text *r) {
    const size_t from = r->at;
    while (is_name_byte(peek(r))) {
        char c[4];
        (void)unescape(r->text, &r->at, c);
    }
    return twx_slice_sub(r->text, from, r->at);
}

/* "[name]", "[name=value]", "[name='value']"; the cursor is after '['. */
static bool read_attribute(const twx_sheet *s, selector_text *r, twx_test *t) {
    r->at = skip_space(r->text, r->at);
    const twx_slice name = take_name(r);
    r->at = skip_space(r->text, r->at);
    t->valued = peek(r) == '=';
    if (t->valued) {
        r->at = skip_space(r->text, r->at + 1);
        const char quote = peek(r);
        twx_slice value;
        if (quote == '"' || quote == '\'') {
            const size_t from = r->at + 1;
            r->at = twx_slice_find(r->text, quote, from);
            value = twx_slice_sub(r->text, from, r->at++);
        } else {
            value = take_name(r);
        }
        t->hash = hash_escaped(s, TWX_TEST_ATTRIBUTE, value);
        r->at = skip_space(r->text, r->at);
    }
    t->name_at = (uint32_t)(name.p - s->css.p);
    t->name_n = (uint32_t)name.n;
    return name.n > 0 && peek(r) == ']' && r->at++ < r->text.n;
}

/* "div.a#b[c]": up to white space, a combinator or the end. */
static twx_rc read_compound(twx_ctx *cx, twx_sheet *s, selector_text *r, twx_selector *to) {
    const size_t from = r->at;
    uint64_t best = 0;
    to->key = 0;
    if (peek(r) == '*') r->at++;
    for (char c; is_name_byte(c = peek(r)) || c == '.' || c == '#' || c == '[';) {
        twx_test t = {.kind = c == '.'   ? TWX_TEST_CLASS
                              : c == '#' ? TWX_TEST_ID
                              : c == '[' ? TWX_TEST_ATTRIBUTE
                                         : TWX_TEST_NAME};
        const uint64_t weight = c == '#'                  ? ID_WEIGHT
                                : t.kind == TWX_TEST_NAME ? ELEMENT_WEIGHT
                                                          : CLASS_WEIGHT;
        r->at += t.kind != TWX_TEST_NAME;
        if (c == '[') {
            if (!read_attribute(s, r, &t)) return TWX_DONE;
        } else {
            const twx_slice name = take_name(r);
            if (name.n == 0) return TWX_DONE;
            t.hash = hash_escaped(s, (twx_test_kind)t.kind, name);
            if (weight > best) to->key = t.hash;
            if (weight > best) best = weight;
        }
        to->strength += weight;
        if (s->tests.n >= TWX_SHEET_TESTS) return TWX_DONE;
        if (!TWX_VEC_PUSH(cx, &s->tests, t)) return TWX_E_NOMEM;
    }
    return r->at > from ? TWX_OK : TWX_DONE;
}

static twx_rc read_selector(twx_ctx *cx, twx_sheet *s, twx_slice text, twx_selector *to) {
    selector_text r = {text, skip_space(text, 0)};
    char combinator = ' ';
    while (to->compounds < TWX_SHEET_COMPOUNDS) {
        twx_compound *c = &to->compound[to->compounds++];
        *c = (twx_compound){.first = (uint32_t)s->tests.n, .combinator = combinator};
        const twx_rc rc = read_compound(cx, s, &r, to);
        if (rc != TWX_OK) return rc;
        c->tests = (uint32_t)s->tests.n - c->first;
        const size_t end = r.at;
        r.at = skip_space(r.text, r.at);
        if (r.at == r.text.n) return TWX_OK;
        combinator = peek(&r) == '>' ? '>' : ' ';
        if (combinator == '>')
            r.at = skip_space(r.text, r.at + 1);
        else if (r.at == end)
            return TWX_DONE;
    }
    return TWX_DONE;
}

static uint32_t *bucket_of(twx_sheet *s, uint64_t key) {
    return &s->bucket[key ? (key ^ key >> 32) % TWX_SHEET_BUCKETS : TWX_SHEET_BUCKETS];
}

/* A browser ignores the whole rule if it does not know one selector; here only that one goes. */
static twx_rc add_rule(twx_ctx *cx, twx_sheet *s, twx_slice text, const twx_declared *declared) {
    for (size_t at = 0, end; at < text.n && s->selectors.n < TWX_SHEET_SELECTORS; at = end + 1) {
        twx_selector one = {.declared = *declared};
        const size_t tests = s->tests.n;
        end = scan(text, at, ',', ',');
        const twx_rc rc = read_selector(cx, s, twx_slice_sub(text, at, end), &one);
        if (rc == TWX_DONE) {
            s->tests.n = tests;
            continue;
        }
        uint32_t *first = bucket_of(s, one.key);
        one.strength += s->selectors.n;
        one.next = *first;
        if (rc != TWX_OK || !TWX_VEC_PUSH(cx, &s->selectors, one)) return TWX_E_NOMEM;
        *first = (uint32_t)s->selectors.n;
    }
    return TWX_OK;
}

/* ---- style sheets ------------------------------------------------------- */

/* Does the block of this at-rule count? Cascade layers are read as if they were none, and a browser
 * is taken to support what a page asks about, unless it is another browser's own property. */
static bool at_rule_holds(twx_slice prelude) {
    size_t end = 1;
    while (end < prelude.n && is_name_byte(prelude.p[end])) end++;
    const twx_slice name = twx_slice_sub(prelude, 1, end);
    twx_slice rest = twx_slice_sub(prelude, end, prelude.n), first;
    if (is(name, "media")) return twx_media_matches(rest);
    if (is(name, "supports"))
        return !memmem(rest.p, rest.n, "(-", 2) && twx_slice_next_word(&rest, &first) &&
               !is(first, "not");
    return is(name, "layer");
}

static size_t skip_noise(twx_slice css, size_t at) {
    for (;;) {
        at = skip_space(css, at);
        const twx_slice rest = twx_slice_sub(css, at, css.n);
        if (rest.n > 0 && (rest.p[0] == '}' || rest.p[0] == ';'))
            at++;
        else if (twx_slice_starts(rest, TWX_SLICE_LIT("<!--")))
            at += 4;
        else if (twx_slice_starts(rest, TWX_SLICE_LIT("-->")))
            at += 3;
        else
            return at;
    }
}

twx_rc twx_sheet_read(twx_ctx *cx, twx_sheet *s) {
    const twx_slice css = twx_slice_sub(twx_buf_slice(&s->css), s->read, s->css.n);
    twx_rc rc = TWX_OK;
    for (size_t at = skip_noise(css, 0), end; rc == TWX_OK && at < css.n;
         at = skip_noise(css, end)) {
        const bool at_rule = css.p[at] == '@';
        const size_t open = scan(css, at, '{', at_rule ? ';' : '{');
        const twx_slice prelude = twx_slice_sub(css, at, open);
        twx_declared declared;
        end = open + (open < css.n);
        if (at_rule && (open == css.n || css.p[open] == ';' || at_rule_holds(prelude))) continue;
        end = scan(css, end, '}', '}');
        if (!at_rule && declarations(twx_slice_sub(css, open + 1, end), &declared))
            rc = add_rule(cx, s, prelude, &declared);
        end += end < css.n;
    }
    s->read = s->css.n;
    return rc;
}

void twx_sheet_clear(twx_sheet *s, twx_slice page) {
    s->selectors.n = s->tests.n = s->read = 0;
    twx_buf_clear(&s->css);
    s->css.max = SIZE_MAX - 1;
    memset(s->bucket, 0, sizeof s->bucket);
    s->work = s->budget = WORK_AT_LEAST + (uint64_t)page.n * WORK_PER_BYTE;
    s->again = s->second = s->quirks = false;
}

void twx_sheet_done(twx_sheet *s) {
    if (!s) return;
    TWX_VEC_DONE(&s->selectors);
    TWX_VEC_DONE(&s->tests);
    twx_buf_done(&s->css);
}

/* ---- matching ----------------------------------------------------------- */

static void pay(twx_sheet *s, uint64_t cost) {
    s->work -= cost < s->work ? cost : s->work;
}

static bool test_holds(twx_sheet *s, const twx_test *t, const twx_subject *e) {
    twx_slice list = e->classes, value;
    pay(s, 1);
    switch ((twx_test_kind)t->kind) {
    case TWX_TEST_NAME: return hash_of(s, TWX_TEST_NAME, e->name) == t->hash;
    case TWX_TEST_ID: return e->id.n > 0 && hash_of(s, TWX_TEST_ID, e->id) == t->hash;
    case TWX_TEST_CLASS:
        pay(s, list.n / 8);
        while (twx_slice_next_word(&list, &value))
            if (hash_of(s, TWX_TEST_CLASS, value) == t->hash) return true;
        return false;
    case TWX_TEST_ATTRIBUTE:
        pay(s, e->source.n / 8);
        return e->source.n > 1 &&
               twx_attribute_in(e->source, (twx_slice){s->css.p + t->name_at, t->name_n}, &value) &&
               (!t->valued || hash_of(s, TWX_TEST_ATTRIBUTE, value) == t->hash);
    }
    return false;
}

static bool compound_holds(twx_sheet *s, const twx_compound *c, const twx_subject *e) {
    for (uint32_t i = 0; i < c->tests; i++)
        if (!test_holds(s, &s->tests.at[c->first + i], e)) return false;
    return s->work > 0;
}

/* Do the compounds before k match ancestors, stack[0..depth)? The recursion is as deep as the
 * selector has compounds. */
static bool ancestors_hold(twx_sheet *s, const twx_selector *one, size_t k, const twx_open *stack,
                           size_t depth) {
    if (k == 0) return true;
    for (size_t i = depth; i-- > 0 && s->work > 0;) {
        if (compound_holds(s, &one->compound[k - 1], &stack[i].as) &&
            ancestors_hold(s, one, k - 1, stack, i))
            return true;
        if (one->compound[k].combinator == '>') return false;
    }
    return false;
}

static void match(twx_sheet *s, uint64_t key, const twx_open *stack, size_t depth,
                  const twx_subject *e, cascade *to) {
    for (uint32_t i = *bucket_of(s, key); i != 0 && s->work > 0; i = s->selectors.at[i - 1].next) {
        const twx_selector *one = &s->selectors.at[i - 1];
        const size_t last = one->compounds - 1u;
        pay(s, 1);
        if (one->key == key && compound_holds(s, &one->compound[last], e) &&
            ancestors_hold(s, one, last, stack, depth))
            cascade_add(to, &one->declared, one->strength);
    }
}

void twx_sheet_style(twx_sheet *s, const twx_open *stack, size_t depth, twx_slice own,
                     twx_open *e) {
    cascade found = {0};
    twx_declared declared;
    twx_slice classes = e->as.classes, word;
    if (s->selectors.n > 0) {
        match(s, 0, stack, depth, &e->as, &found);
        match(s, hash_of(s, TWX_TEST_NAME, e->as.name), stack, depth, &e->as, &found);
        if (e->as.id.n) match(s, hash_of(s, TWX_TEST_ID, e->as.id), stack, depth, &e->as, &found);
        while (twx_slice_next_word(&classes, &word))
            match(s, hash_of(s, TWX_TEST_CLASS, word), stack, depth, &e->as, &found);
    }
    if (declarations(own, &declared)) cascade_add(&found, &declared, ATTRIBUTE_STRENGTH);
    cascade_apply(&found, depth > 0 ? &stack[depth - 1].style : NULL, &e->style);
}
