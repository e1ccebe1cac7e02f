/* The rules of a style sheet: blocks, at-rules, comments. */
#include "page/style_sheet.h"

/* The open brackets and strings: a brace inside them does not end a block (CSS Syntax 3, "consume a
 * simple block"). */
typedef struct nesting {
    char closer[64]; /* deeper brackets are treated as text */
    size_t depth;
    char quote;
} nesting;

/* Consumes one byte at css.p[*at], or two for an escape. */
static void step(nesting *n, twx_slice css, size_t *at) {
    const char c = css.p[*at];
    if (c == '\\')
        ++*at;
    else if (n->quote)
        n->quote = c == n->quote || c == '\n' ? 0 : n->quote;
    else if (c == '"' || c == '\'')
        n->quote = c;
    else if (n->depth > 0 && c == n->closer[n->depth - 1])
        n->depth--;
    else if ((c == '{' || c == '(' || c == '[') && n->depth < sizeof n->closer)
        n->closer[n->depth++] = c == '{' ? '}' : c == '(' ? ')' : ']';
}

/* The end of a block: its '}' or the end of the text. at: the position after '{'. */
static size_t block_end(twx_slice css, size_t at) {
    nesting open = {.closer = {'}'}, .depth = 1};
    for (; at < css.n; at++) {
        step(&open, css, &at);
        if (open.depth == 0) return at;
    }
    return css.n;
}

static size_t skip_noise(twx_slice css, size_t at) {
    for (;;) {
        while (at < css.n &&
               (twx_is_space((unsigned char)css.p[at]) || css.p[at] == '}' || css.p[at] == ';'))
            at++;
        const twx_slice rest = twx_slice_sub(css, at, css.n);
        if (twx_slice_starts(rest, TWX_SLICE_LIT("<!--")))
            at += 4;
        else if (twx_slice_starts(rest, TWX_SLICE_LIT("-->")))
            at += 3;
        else
            return at;
    }
}

/* Removes comments, which may occur anywhere, even inside selectors. */
static twx_rc without_comments(twx_ctx *cx, twx_slice css, twx_buf *to) {
    twx_buf_clear(to);
    const twx_rc rc = twx_buf_reserve(cx, to, css.n);
    if (rc != TWX_OK) return rc;
    char quote = 0;
    for (size_t i = 0; i < css.n; i++) {
        const char c = css.p[i];
        if (!quote && c == '/' && i + 1 < css.n && css.p[i + 1] == '*') {
            for (i += 2; i + 1 < css.n && !(css.p[i] == '*' && css.p[i + 1] == '/'); i++) continue;
            i++;
            continue;
        }
        if (quote)
            quote = c == quote || c == '\n' ? 0 : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        to->p[to->n++] = c;
        if (c == '\\' && i + 1 < css.n) to->p[to->n++] = css.p[++i];
    }
    return TWX_OK;
}

static bool starts_word(twx_slice s, const char *word) {
    const twx_slice wanted = twx_slice_of(word);
    if (!twx_slice_starts_nocase(s, wanted)) return false;
    return s.n == wanted.n || !(twx_is_alpha((unsigned char)s.p[wanted.n]) || s.p[wanted.n] == '-');
}

/* Handles an at-rule that ends at `open` ('{' or ';'). Returns where to continue: inside its block
 * if its condition holds, else after it. *layer_end: the end of the outermost cascade layer. */
static size_t at_rule(twx_slice css, size_t at, size_t open, size_t *layer_end) {
    const twx_slice name = twx_slice_sub(css, at + 1, open);
    if (open == css.n || css.p[open] == ';') return open;
    bool holds = false;
    if (starts_word(name, "media")) {
        holds = twx_media_matches(twx_slice_sub(name, 5, name.n));
    } else if (starts_word(name, "supports")) {
        holds = twx_supports(twx_slice_sub(name, 8, name.n));
    } else if (starts_word(name, "layer")) {
        holds = true;
        if (at >= *layer_end) *layer_end = block_end(css, open + 1);
    }
    return holds ? open + 1 : block_end(css, open + 1) + 1;
}

/* The end of the text before a block: '{', for an at-rule also ';'. */
static size_t prelude_end(twx_slice css, size_t at) {
    const bool rule = css.p[at] == '@';
    nesting open = {.depth = 0};
    for (; at < css.n; at++) {
        const char c = css.p[at];
        if (open.depth == 0 && !open.quote && (c == '{' || (c == ';' && rule))) return at;
        step(&open, css, &at);
    }
    return css.n;
}

twx_rc twx_sheet_add(twx_ctx *cx, twx_sheet *s, twx_slice text) {
    twx_rc rc = without_comments(cx, text, &s->css);
    const twx_slice css = twx_buf_slice(&s->css);
    size_t layer_end = 0;
    for (size_t at = skip_noise(css, 0); rc == TWX_OK && at < css.n; at = skip_noise(css, at)) {
        const size_t open = prelude_end(css, at);
        if (css.p[at] == '@') {
            at = at_rule(css, at, open, &layer_end);
            continue;
        }
        const size_t end = block_end(css, open + 1);
        twx_declared declared;
        if (twx_declarations(twx_slice_sub(css, open + 1, end), &declared))
            rc = twx_sheet_rule(cx, s, twx_slice_sub(css, at, open), &declared, at < layer_end);
        at = end + 1;
    }
    return rc;
}
