#include "page/inline_style.h"

#include <string.h>

#include "page/style_escape.h"

/* Values; 0: none. */
enum {
    FLEX = TWX_DISPLAYS,
    REVERTED,
    INHERITED,
    DISPLAY_OFFSET = 1,
    KEPT = 1,
    MAKES_BLOCK = 2,
    FROM_PARENT = 3
};

static const struct {
    const char *value;
    uint8_t display; /* twx_display or FLEX */
} SHOWN_AS[] = {
    {"none", TWX_NONE},
    {"block", TWX_BLOCK},
    {"inline", TWX_INLINE},
    {"inline-block", TWX_INLINE},
    {"inline-table", TWX_INLINE},
    {"contents", TWX_INLINE},
    {"ruby", TWX_INLINE},
    {"flex", FLEX},
    {"grid", FLEX},
    {"inline-flex", FLEX},
    {"inline-grid", FLEX},
    {"-webkit-box", FLEX},
    {"-webkit-flex", FLEX},
    {"-webkit-inline-box", FLEX},
    {"-webkit-inline-flex", FLEX},
    {"table", TWX_BLOCK},
    {"list-item", TWX_BLOCK},
    {"flow-root", TWX_BLOCK},
    {"table-row", TWX_BLOCK},
    {"table-row-group", TWX_BLOCK},
    {"table-header-group", TWX_BLOCK},
    {"table-footer-group", TWX_BLOCK},
    {"table-caption", TWX_BLOCK},
    {"table-cell", TWX_CELL},
    {"inherit", INHERITED},
    {"initial", TWX_INLINE},
    {"unset", TWX_INLINE},
    {"revert", REVERTED},
    {"revert-layer", REVERTED},
    {"table-column", TWX_NONE},
    {"table-column-group", TWX_NONE},
};

/* word: in lower case */
static bool is(twx_slice s, const char *word) {
    if (s.n == 0 || !memchr(s.p, '\\', s.n)) return twx_slice_eq_nocase(s, twx_slice_of(word));
    size_t at = 0;
    for (; at < s.n && *word; word++) {
        char c[4];
        if (twx_css_unescape(s, &at, c) != 1 || twx_lower(c[0]) != *word) return false;
    }
    return at == s.n && !*word;
}

/* The values that every property has. What a parent floats or positions is not kept, so `inherit`
 * is read as if it did neither. */
static bool is_kept(twx_slice value) {
    return is(value, "initial") || is(value, "unset") || is(value, "inherit") ||
           is(value, "revert") || is(value, "revert-layer");
}

static uint8_t display_of(twx_slice value) {
    for (size_t i = 0; i < TWX_COUNTOF(SHOWN_AS); i++)
        if (is(value, SHOWN_AS[i].value)) return (uint8_t)(SHOWN_AS[i].display + DISPLAY_OFFSET);
    return 0;
}

static uint8_t visibility_of(twx_slice value) {
    if (is(value, "hidden") || is(value, "collapse")) return TWX_INVISIBLE;
    if (is(value, "inherit") || is(value, "unset") || is(value, "revert") ||
        is(value, "revert-layer"))
        return FROM_PARENT;
    return is(value, "visible") || is(value, "initial") ? TWX_VISIBLE : 0;
}

static uint8_t float_of(twx_slice value) {
    if (is(value, "left") || is(value, "right")) return MAKES_BLOCK;
    return is(value, "none") || is_kept(value) ? KEPT : 0;
}

static uint8_t position_of(twx_slice value) {
    if (is(value, "absolute") || is(value, "fixed")) return MAKES_BLOCK;
    return is(value, "static") || is(value, "relative") || is(value, "sticky") || is_kept(value)
               ? KEPT
               : 0;
}

/* The last byte of the comment that begins at `at`. */
static size_t comment_end(twx_slice s, size_t at) {
    for (at += 2; at + 1 < s.n; at++)
        if (s.p[at] == '*' && s.p[at + 1] == '/') return at + 1;
    return s.n;
}

/* The end of a declaration: a semicolon outside of strings, brackets and comments, or the end of
 * s. */
static size_t declaration_end(twx_slice s, size_t at) {
    unsigned depth = 0;
    for (char quote = 0; at < s.n; at++) {
        const char c = s.p[at];
        if (quote) {
            if (c == '\\')
                at++;
            else if (c == quote)
                quote = 0;
        } else if (c == '/' && at + 1 < s.n && s.p[at + 1] == '*') {
            at = comment_end(s, at);
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '(' || c == '[' || c == '{') {
            depth++;
        } else if (c == ')' || c == ']' || c == '}') {
            depth -= depth > 0;
        } else if (c == ';' && depth == 0) {
            break;
        }
    }
    return at < s.n ? at : s.n;
}

static twx_slice without_comments(twx_slice s) {
    s = twx_slice_trim(s);
    while (twx_slice_starts(s, TWX_SLICE_LIT("/*"))) {
        size_t at = 2;
        while (at + 1 < s.n && !(s.p[at] == '*' && s.p[at + 1] == '/')) at++;
        s = twx_slice_trim(twx_slice_sub(s, at + 2, s.n));
    }
    return s;
}

static void declare(twx_declared *d, twx_slice name, twx_slice value) {
    static const struct {
        const char *name;
        uint8_t (*value_of)(twx_slice value);
    } PROPERTY[TWX_PROPERTIES] = {[TWX_PROP_DISPLAY] = {"display", display_of},
                                  [TWX_PROP_VISIBILITY] = {"visibility", visibility_of},
                                  [TWX_PROP_FLOAT] = {"float", float_of},
                                  [TWX_PROP_POSITION] = {"position", position_of}};
    const size_t bang = twx_slice_find(value, '!', 0);
    const bool important = bang < value.n &&
                           is(twx_slice_trim(twx_slice_sub(value, bang + 1, value.n)), "important");
    if (bang < value.n && !important) return;
    value = twx_slice_trim(twx_slice_sub(value, 0, bang));
    for (size_t i = 0; i < TWX_PROPERTIES; i++) {
        if (!is(name, PROPERTY[i].name)) continue;
        const uint8_t found = PROPERTY[i].value_of(value);
        if (found == 0 || (d->important[i] && !important)) return;
        d->value[i] = found;
        d->important[i] = important;
    }
}

bool twx_declarations(twx_slice text, twx_declared *ret) {
    *ret = (twx_declared){0};
    for (size_t at = 0, end; at < text.n; at = end + 1) {
        end = declaration_end(text, at);
        const twx_slice one = without_comments(twx_slice_sub(text, at, end));
        const size_t colon = twx_slice_find(one, ':', 0);
        if (colon == one.n) continue;
        declare(ret, twx_slice_trim(twx_slice_sub(one, 0, colon)),
                without_comments(twx_slice_sub(one, colon + 1, one.n)));
    }
    for (size_t i = 0; i < TWX_PROPERTIES; i++)
        if (ret->value[i]) return true;
    return false;
}

void twx_cascade_add(twx_cascade *c, const twx_declared *d, uint64_t strength) {
    for (size_t i = 0; i < TWX_PROPERTIES; i++) {
        const uint64_t whole = (uint64_t)d->important[i] << 42 | strength;
        if (d->value[i] == 0 || (c->value[i] && whole < c->strength[i])) continue;
        c->value[i] = d->value[i];
        c->strength[i] = whole;
    }
}

void twx_cascade_apply(const twx_cascade *c, const twx_style *parent, twx_style *style) {
    const uint8_t display = c->value[TWX_PROP_DISPLAY];
    if (display == INHERITED + DISPLAY_OFFSET) {
        style->flex = parent && parent->flex;
        style->display = parent ? parent->display : TWX_BLOCK;
    } else if (display && display != REVERTED + DISPLAY_OFFSET) {
        style->flex = display == FLEX + DISPLAY_OFFSET;
        style->display = style->flex ? TWX_BLOCK : (uint8_t)(display - DISPLAY_OFFSET);
    }
    const uint8_t visibility = c->value[TWX_PROP_VISIBILITY];
    if (visibility) style->visibility = visibility == FROM_PARENT ? TWX_INHERITED : visibility;
    const bool block = c->value[TWX_PROP_FLOAT] == MAKES_BLOCK ||
                       c->value[TWX_PROP_POSITION] == MAKES_BLOCK;
    if (block && (style->display == TWX_INLINE || style->display == TWX_CELL))
        style->display = TWX_BLOCK;
}
