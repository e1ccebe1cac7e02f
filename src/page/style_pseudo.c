/* Pseudo-classes and pseudo-elements of selectors (W3C Selectors 4, from section 4 on). */
#include <string.h>

#include "page/style_parser.h"

enum { NESTING = 3 /* of :not() and :is() */ };

static bool take_number(twx_css_parser *p, int32_t *ret) {
    const size_t from = p->at;
    int32_t n = 0;
    for (; twx_is_digit((unsigned char)twx_css_peek(p)); p->at++)
        if (n < 100000) n = n * 10 + (twx_css_peek(p) - '0');
    *ret = n;
    return p->at > from;
}

static int32_t take_sign(twx_css_parser *p) {
    const char c = twx_css_peek(p);
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
    twx_css_skip_spaces(p);
    if (take_word(p, "odd") || take_word(p, "even")) {
        const char last = p->text.p[p->at - 1];
        test.step = 2;
        test.add = last == 'd';
    } else {
        const int32_t sign = take_sign(p);
        int32_t n = 1;
        const bool number = take_number(p, &n);
        if (!number) n = 1;
        if (twx_css_peek(p) == 'n' || twx_css_peek(p) == 'N') {
            p->at++;
            test.step = sign * n;
            twx_css_skip_spaces(p);
            if (twx_css_peek(p) == '+' || twx_css_peek(p) == '-') {
                const int32_t add_sign = take_sign(p);
                twx_css_skip_spaces(p);
                if (!take_number(p, &n)) return TWX_CSS_INVALID;
                test.add = add_sign * n;
            }
        } else if (number) {
            test.add = sign * n;
        } else {
            return TWX_CSS_INVALID;
        }
    }
    twx_css_skip_spaces(p);
    if (twx_css_peek(p) != ')') return TWX_CSS_DROPPED; /* "of" and a selector */
    p->at++;
    p->strength += TWX_CLASS_WEIGHT;
    return twx_css_test(p, &test);
}

/* :not(), :is(), :where(): a list of compounds. The cursor is after '('. */
static twx_css_outcome list_test(twx_css_parser *p, twx_test_kind kind, bool weighs) {
    const size_t head = p->s->tests.n;
    const uint64_t before = p->strength;
    uint64_t most = 0;
    twx_css_outcome o = p->depth < NESTING ? twx_css_test(p, &(twx_test){.kind = (uint8_t)kind})
                                           : TWX_CSS_DROPPED;
    for (bool more = true; o == TWX_CSS_READ && more;) {
        const size_t group = p->s->tests.n;
        p->strength = 0;
        p->depth++;
        o = twx_css_test(p, &(twx_test){.kind = TWX_TEST_ALL});
        twx_css_skip_spaces(p);
        if (o == TWX_CSS_READ) o = twx_css_compound(p);
        p->depth--;
        twx_css_skip_spaces(p);
        if (o != TWX_CSS_READ) break;
        if (twx_css_peek(p) != ',' && twx_css_peek(p) != ')')
            return p->at < p->text.n ? TWX_CSS_DROPPED : TWX_CSS_INVALID;
        more = twx_css_peek(p) == ',';
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
    const twx_slice name = twx_css_name(p);
    if (twx_slice_starts_nocase(name, TWX_SLICE_LIT("-webkit-"))) return TWX_CSS_DROPPED;
    for (size_t i = 0; i < TWX_COUNTOF(KNOWN); i++)
        if (twx_slice_eq_nocase(name, twx_slice_of(KNOWN[i]))) return TWX_CSS_DROPPED;
    return TWX_CSS_INVALID;
}

static twx_css_outcome place_test(twx_css_parser *p, twx_test test, bool structural) {
    if (structural) p->s->recording = true;
    if (test.last || test.kind == TWX_TEST_EMPTY) p->s->again = true;
    p->strength += TWX_CLASS_WEIGHT;
    return twx_css_test(p, &test);
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
        return twx_css_test(p, &(twx_test){.kind = TWX_TEST_NEVER});
    case LINK:
        p->strength += TWX_CLASS_WEIGHT;
        return twx_css_test(p, &(twx_test){.kind = TWX_TEST_LINK});
    case ROOT:
        p->strength += TWX_CLASS_WEIGHT;
        test = (twx_test){.kind = TWX_TEST_NAME,
                          .hash = twx_sheet_hash(p->s, TWX_TEST_NAME, TWX_SLICE_LIT("html"))};
        return twx_css_test(p, &test);
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
    case CHECKED: return twx_css_has_attribute(p, "checked");
    case DISABLED: return twx_css_has_attribute(p, "disabled");
    case REQUIRED: return twx_css_has_attribute(p, "required");
    default: return TWX_CSS_DROPPED;
    }
}

/* The cursor is after ':'. */
twx_css_outcome twx_css_pseudo(twx_css_parser *p) {
    if (twx_css_peek(p) == ':') {
        p->at++;
        return pseudo_element(p);
    }
    const twx_slice name = twx_css_name(p);
    const bool call = twx_css_peek(p) == '(';
    if (call) p->at++;
    for (size_t i = 0; i < TWX_COUNTOF(PSEUDO); i++)
        if ((strchr(PSEUDO[i].form, '(') != NULL) == call &&
            twx_slice_eq_nocase(name, twx_slice_of(PSEUDO[i].name)))
            return pseudo_rule_test(p, i);
    return TWX_CSS_INVALID;
}
