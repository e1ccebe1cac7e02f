/* Conditions of style sheets: media queries (W3C Media Queries 4) for a screen, and @supports. */
#include "page/internal.h"

enum { WINDOW_WIDTH = 1280, WINDOW_HEIGHT = 800, EM = 16, NESTING = 4 };

/* The values that a desktop screen has for features with keyword values. */
static const struct {
    const char *feature, *value;
} WORDS[] = {
    {"orientation", "landscape"},
    {"prefers-color-scheme", "light"},
    {"prefers-reduced-motion", "no-preference"},
    {"prefers-contrast", "no-preference"},
    {"prefers-reduced-transparency", "no-preference"},
    {"forced-colors", "none"},
    {"hover", "hover"},
    {"any-hover", "hover"},
    {"pointer", "fine"},
    {"any-pointer", "fine"},
    {"scripting", "none"},
    {"display-mode", "browser"},
    {"update", "fast"},
};

static bool is(twx_slice s, const char *word) {
    return twx_slice_eq_nocase(s, twx_slice_of(word));
}

static bool is_name_byte(char c) {
    return twx_is_alpha((unsigned char)c) || twx_is_digit((unsigned char)c) || c == '-' || c == '_';
}

/* The value in thousandths of a pixel, or of a number without a unit. false: it is neither. */
static bool quantity(twx_slice value, int64_t *ret) {
    int64_t whole = 0, part = 0, scale = 1000;
    size_t i = 0;
    const bool negative = value.n > 0 && value.p[0] == '-';
    if (negative) i++;
    const size_t from = i;
    for (; i < value.n && twx_is_digit((unsigned char)value.p[i]); i++)
        if (whole < 1000000) whole = whole * 10 + (value.p[i] - '0');
    if (i < value.n && value.p[i] == '.')
        for (i++; i < value.n && twx_is_digit((unsigned char)value.p[i]); i++) {
            scale /= 10;
            part += scale * (value.p[i] - '0');
        }
    if (i == from) return false;
    const twx_slice unit = twx_slice_sub(value, i, value.n);
    *ret = (whole * 1000 + part) * (negative ? -1 : 1);
    if (is(unit, "em") || is(unit, "rem")) *ret *= EM;
    if (is(unit, "dpi")) *ret /= 96;
    return unit.n == 0 || is(unit, "px") || is(unit, "em") || is(unit, "rem") || is(unit, "dppx") ||
           is(unit, "x") || is(unit, "dpi");
}

/* The screen's value of a numeric feature; false: the feature is unknown. */
static bool screen_has(twx_slice name, int64_t *ret) {
    static const struct {
        const char *name;
        int64_t value;
    } FEATURES[] = {{"width", WINDOW_WIDTH},
                    {"height", WINDOW_HEIGHT},
                    {"device-width", WINDOW_WIDTH},
                    {"device-height", WINDOW_HEIGHT},
                    {"resolution", 1},
                    {"device-pixel-ratio", 1},
                    {"color", 8}};
    for (size_t i = 0; i < TWX_COUNTOF(FEATURES); i++)
        if (is(name, FEATURES[i].name)) {
            *ret = FEATURES[i].value * 1000;
            return true;
        }
    return false;
}

/* "min-width: 600px", "orientation: landscape", "color" */
static bool feature_holds(twx_slice feature, bool *known) {
    const size_t colon = twx_slice_find(feature, ':', 0);
    twx_slice name = twx_slice_trim(twx_slice_sub(feature, 0, colon));
    const twx_slice value = twx_slice_trim(twx_slice_sub(feature, colon + 1, feature.n));
    int64_t have = 0, wanted = 0;
    for (size_t i = 0; i < TWX_COUNTOF(WORDS); i++)
        if (is(name, WORDS[i].feature))
            return colon < feature.n ? is(value, WORDS[i].value)
                                     : strcmp(WORDS[i].value, "none") != 0 &&
                                           strcmp(WORDS[i].value, "no-preference") != 0;
    if (twx_slice_starts_nocase(name, TWX_SLICE_LIT("-webkit-")))
        name = twx_slice_sub(name, 8, name.n);
    const bool min = twx_slice_starts_nocase(name, TWX_SLICE_LIT("min-"));
    const bool max = twx_slice_starts_nocase(name, TWX_SLICE_LIT("max-"));
    if (min || max) name = twx_slice_sub(name, 4, name.n);
    *known &= screen_has(name, &have);
    if (!*known) return false;
    if (colon == feature.n) return !min && !max;
    if (!quantity(value, &wanted)) return false;
    return min ? have >= wanted : max ? have <= wanted : have == wanted;
}

static bool compare(int64_t a, twx_slice op, int64_t b) {
    if (twx_slice_eq(op, TWX_SLICE_LIT("<"))) return a < b;
    if (twx_slice_eq(op, TWX_SLICE_LIT("<="))) return a <= b;
    if (twx_slice_eq(op, TWX_SLICE_LIT(">"))) return a > b;
    if (twx_slice_eq(op, TWX_SLICE_LIT(">="))) return a >= b;
    return twx_slice_eq(op, TWX_SLICE_LIT("=")) && a == b;
}

static size_t take_operator(twx_slice s, size_t at, twx_slice *ret) {
    const size_t from = at;
    while (at < s.n && (s.p[at] == '<' || s.p[at] == '>' || s.p[at] == '=')) at++;
    *ret = twx_slice_sub(s, from, at);
    return at;
}

static size_t operand_end(twx_slice s, size_t at) {
    while (at < s.n && s.p[at] != '<' && s.p[at] != '>' && s.p[at] != '=') at++;
    return at;
}

static bool operand(twx_slice s, int64_t *ret) {
    s = twx_slice_trim(s);
    return screen_has(s, ret) || quantity(s, ret);
}

/* "400px <= width < 700px" */
static bool range_holds(twx_slice range) {
    size_t at = operand_end(range, 0);
    int64_t left = 0, right = 0;
    if (!operand(twx_slice_sub(range, 0, at), &left)) return false;
    for (unsigned i = 0; i < 2 && at < range.n; i++) {
        twx_slice op;
        const size_t from = take_operator(range, at, &op);
        at = operand_end(range, from);
        if (!operand(twx_slice_sub(range, from, at), &right) || !compare(left, op, right))
            return false;
        left = right;
    }
    return at == range.n;
}

/* at: '('. Returns the index of the ')' that closes it, or s.n. */
static size_t closing(twx_slice s, size_t at) {
    unsigned depth = 0;
    for (; at < s.n; at++) {
        if (s.p[at] == '(') depth++;
        if (s.p[at] == ')' && --depth == 0) return at;
    }
    return s.n;
}

/* Evaluates the content of brackets that contain no further brackets. *known is false if a browser
 * would not know it. */
typedef bool leaf_fn(twx_slice s, bool *known);

static bool media_leaf(twx_slice s, bool *known) {
    (void)known;
    return operand_end(s, 0) < s.n ? range_holds(s) : feature_holds(s, known);
}

/* "property: value": a current browser supports nearly all; the exceptions that pages use to
 * distinguish browsers are listed. */
static bool supports_leaf(twx_slice s, bool *known) {
    static const char *const LACKS[] = {"-ms-",
                                        "-moz-",
                                        "-o-",
                                        "-apple-",
                                        "-webkit-touch-callout",
                                        "-webkit-overflow-scrolling",
                                        "-webkit-hyphens",
                                        "-webkit-marquee",
                                        "-webkit-backdrop-filter",
                                        "hanging-punctuation"};
    (void)known;
    const size_t colon = twx_slice_find(s, ':', 0);
    const twx_slice name = twx_slice_trim(twx_slice_sub(s, 0, colon));
    const twx_slice value = twx_slice_trim(twx_slice_sub(s, colon + 1, s.n));
    for (size_t i = 0; i < TWX_COUNTOF(LACKS); i++)
        if (twx_slice_starts_nocase(name, twx_slice_of(LACKS[i])) ||
            twx_slice_starts_nocase(value, twx_slice_of(LACKS[i])))
            return false;
    return colon < s.n;
}

static bool condition(twx_slice s, leaf_fn *leaf, unsigned depth);

static bool bracket(twx_slice s, leaf_fn *leaf, unsigned depth, bool *known) {
    s = twx_slice_trim(s);
    const bool nested = (s.n > 0 && s.p[0] == '(') ||
                        (s.n > 4 && twx_slice_starts_nocase(s, TWX_SLICE_LIT("not")) &&
                         !is_name_byte(s.p[3]));
    if (!nested) return leaf(s, known);
    return depth < NESTING && condition(s, leaf, depth + 1);
}

/* Terms joined by "and" or by "or"; a leading "not" negates the whole. Words other than these
 * operators are media types. */
static bool condition(twx_slice s, leaf_fn *leaf, unsigned depth) {
    bool holds = true, negative = false, either = false, known = true;
    for (size_t at = 0; at < s.n;) {
        const char c = s.p[at];
        size_t end = at + 1;
        bool term = false;
        if (twx_is_space((unsigned char)c)) {
            at++;
            continue;
        }
        if (c == '(') {
            end = closing(s, at);
            term = bracket(twx_slice_sub(s, at + 1, end), leaf, depth, &known);
            end++;
        } else {
            while (end < s.n && is_name_byte(s.p[end])) end++;
            const twx_slice word = twx_slice_sub(s, at, end);
            const bool joins = is(word, "and") || is(word, "or") || is(word, "only") ||
                               is(word, "not");
            at = end;
            if (is(word, "or")) either = true;
            if (is(word, "not")) negative = true;
            if (joins) continue;
            term = is(word, "screen") || is(word, "all");
            if (end < s.n && s.p[end] == '(') { /* selector() of @supports */
                end = closing(s, end) + 1;
                term = true;
            }
        }
        at = end;
        holds = either ? holds || term : holds && term;
    }
    return known && holds != negative;
}

bool twx_supports(twx_slice text) {
    return condition(text, supports_leaf, 0);
}

bool twx_media_matches(twx_slice query) {
    if (twx_slice_trim(query).n == 0) return true;
    for (size_t at = 0, end; at <= query.n; at = end + 1) {
        end = twx_slice_find(query, ',', at);
        const twx_slice one = twx_slice_trim(twx_slice_sub(query, at, end));
        if (one.n > 0 && condition(one, media_leaf, 0)) return true;
    }
    return false;
}
