#include "page/inline_style.h"

/* Values of `display`, and of what makes a box a block. */
static const struct {
    const char *value;
    twx_display display;
} DISPLAYS[] = {
    {"none", TWX_NONE},
    {"block", TWX_BLOCK},
    {"inline", TWX_INLINE},
    {"inline-block", TWX_INLINE},
    {"inline-flex", TWX_INLINE},
    {"inline-grid", TWX_INLINE},
    {"inline-table", TWX_INLINE},
    {"contents", TWX_INLINE},
    {"ruby", TWX_INLINE},
    {"flex", TWX_BLOCK},
    {"grid", TWX_BLOCK},
    {"table", TWX_BLOCK},
    {"list-item", TWX_BLOCK},
    {"flow-root", TWX_BLOCK},
    {"-webkit-box", TWX_BLOCK},
    {"-webkit-flex", TWX_BLOCK},
    {"table-row", TWX_BLOCK},
    {"table-row-group", TWX_BLOCK},
    {"table-header-group", TWX_BLOCK},
    {"table-footer-group", TWX_BLOCK},
    {"table-caption", TWX_BLOCK},
    {"table-cell", TWX_CELL},
    {"table-column", TWX_NONE},
    {"table-column-group", TWX_NONE},
};

static bool is(twx_slice s, const char *word) {
    return twx_slice_eq_nocase(s, twx_slice_of(word));
}

static bool display_of(twx_slice value, uint8_t *ret_display) {
    for (size_t i = 0; i < TWX_COUNTOF(DISPLAYS); i++) {
        if (!is(value, DISPLAYS[i].value)) continue;
        *ret_display = (uint8_t)DISPLAYS[i].display;
        return true;
    }
    return false;
}

/* The end of a declaration: a semicolon outside of strings, brackets and comments. */
static size_t declaration_end(twx_slice s, size_t at) {
    unsigned depth = 0;
    for (char quote = 0; at < s.n; at++) {
        const char c = s.p[at];
        if (quote) {
            if (c == '\\') at++;
            else if (c == quote) quote = 0;
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

/* What is collected: an important declaration is not overruled by one that is not. */
typedef struct collected {
    twx_style *style;
    bool has_display, important_display, important_visibility;
    bool block; /* float or position make a block */
} collected;

static void apply(collected *c, twx_slice name, twx_slice value) {
    const size_t bang = twx_slice_find(value, '!', 0);
    const bool important =
        bang < value.n && is(twx_slice_trim(twx_slice_sub(value, bang + 1, value.n)), "important");
    if (bang < value.n && !important) return;
    value = twx_slice_trim(twx_slice_sub(value, 0, bang));
    if (is(name, "display") && (important || !c->important_display)) {
        if (!display_of(value, &c->style->display)) return;
        c->has_display = true;
        c->important_display |= important;
    } else if (is(name, "visibility") && (important || !c->important_visibility)) {
        if (is(value, "hidden") || is(value, "collapse"))
            c->style->visibility = TWX_INVISIBLE;
        else if (is(value, "visible"))
            c->style->visibility = TWX_VISIBLE;
        else
            return;
        c->important_visibility |= important;
    } else if (is(name, "float")) {
        c->block |= is(value, "left") || is(value, "right");
    } else if (is(name, "position")) {
        c->block |= is(value, "absolute") || is(value, "fixed");
    }
}

void twx_style_apply(twx_slice declarations, twx_style *style) {
    collected c = {.style = style};
    for (size_t at = 0, end; at < declarations.n; at = end + 1) {
        end = declaration_end(declarations, at);
        const twx_slice one = without_comments(twx_slice_sub(declarations, at, end));
        const size_t colon = twx_slice_find(one, ':', 0);
        if (colon == one.n) continue;
        apply(&c, twx_slice_trim(twx_slice_sub(one, 0, colon)),
              without_comments(twx_slice_sub(one, colon + 1, one.n)));
    }
    if (c.block && (style->display == TWX_INLINE || style->display == TWX_CELL)) style->display = TWX_BLOCK;
}
