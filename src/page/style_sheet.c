#include "page/internal.h"

/* ==== inline_style */

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

/* ==== style_match */

/* Finds the rules that apply to an element: candidates by id, class and name, whose tests are then
 * evaluated from right to left. */

enum { WORK_PER_BYTE = 64, WORK_AT_LEAST = 1 << 20 };

/* ---- elements that were seen -------------------------------------------- */

static void see(twx_sheet *s, uint64_t hash) {
    const uint64_t bit = hash ^ hash >> 29;
    s->seen[bit / 64 % TWX_SHEET_SEEN] |= UINT64_C(1) << bit % 64;
}

/* ---- nodes -------------------------------------------------------------- */

twx_rc twx_sheet_open(twx_ctx *cx, twx_sheet *s, const twx_open *parent, twx_open *e) {
    s->opened++;
    e->as.node = 0;
    if (s->second) { /* the second reading opens the same elements in the same order */
        const size_t node = s->opened > s->skipped ? s->opened - s->skipped : 0;
        if (node < s->nodes.n) e->as.node = (uint32_t)node;
        return TWX_OK;
    }
    if (!s->recording) return TWX_OK;
    if (s->nodes.n == 0) {
        if (!TWX_VEC_PUSH(cx, &s->nodes, (twx_node){0})) return TWX_E_NOMEM;
        s->skipped = s->opened - 1;
    }
    if (s->nodes.n >= TWX_SHEET_NODES) return TWX_OK; /* [R4] */
    const uint32_t node = (uint32_t)s->nodes.n, up = parent ? parent->as.node : 0;
    if (!TWX_VEC_PUSH(cx, &s->nodes, (twx_node){.parent = up})) return TWX_E_NOMEM;
    twx_node *above = &s->nodes.at[up], *own = &s->nodes.at[node];
    e->as.node = node;
    own->as = e->as;
    own->before = above->last;
    if (above->last) s->nodes.at[above->last].after = node;
    above->last = node;
    above->filled = true;
    own->place = ++above->children;
    return TWX_OK;
}

/* ---- tests -------------------------------------------------------------- */

static void pay(twx_sheet *s, uint64_t cost) {
    s->work -= cost < s->work ? cost : s->work;
}

static bool has_class(twx_sheet *s, twx_slice list, uint64_t wanted) {
    pay(s, list.n / 8);
    for (size_t i = 0, end; i < list.n; i = end + 1) {
        for (end = i; end < list.n && !twx_is_space((unsigned char)list.p[end]); end++) continue;
        if (end > i && twx_sheet_hash(s, TWX_TEST_CLASS, twx_slice_sub(list, i, end)) == wanted)
            return true;
    }
    return false;
}

static bool equal(twx_slice a, twx_slice b, bool fold) {
    return fold ? twx_slice_eq_nocase(a, b) : twx_slice_eq(a, b);
}

static bool one_of_words(twx_slice list, twx_slice word, bool fold) {
    for (size_t i = 0, end; i < list.n; i = end + 1) {
        for (end = i; end < list.n && !twx_is_space((unsigned char)list.p[end]); end++) continue;
        if (end > i && equal(twx_slice_sub(list, i, end), word, fold)) return true;
    }
    return false;
}

/* The next position of `first` in s, in either case; s.n: none. */
static size_t next_of(twx_slice s, size_t from, char first) {
    while (from < s.n && twx_lower(s.p[from]) != twx_lower(first)) from++;
    return from;
}

static bool contains(twx_sheet *s, twx_slice value, twx_slice part, bool fold) {
    for (size_t at = next_of(value, 0, part.p[0]); value.n - at >= part.n;
         at = next_of(value, at + 1, part.p[0])) {
        pay(s, part.n / 8 + 1);
        if (s->work == 0) return false;
        if (equal(twx_slice_sub(value, at, at + part.n), part, fold)) return true;
    }
    return false;
}

static bool attribute_holds(twx_sheet *s, const twx_test *t, const twx_subject *e) {
    const twx_slice name = {s->strings.p + t->name_at, t->name_n};
    const twx_slice wanted = {s->strings.p + t->value_at, t->value_n};
    twx_slice value;
    pay(s, e->source.n / 8);
    if (e->source.n <= 1 || !twx_attribute_in(e->source, name, &value)) return false;
    if (t->op == '\0') return true;
    if (t->op == '=') return equal(value, wanted, t->fold);
    if (t->op == '|')
        return equal(twx_slice_sub(value, 0, wanted.n), wanted, t->fold) &&
               (value.n == wanted.n || value.p[wanted.n] == '-');
    if (wanted.n == 0 || value.n < wanted.n) return false;
    switch (t->op) {
    case '^': return equal(twx_slice_sub(value, 0, wanted.n), wanted, t->fold);
    case '$': return equal(twx_slice_sub(value, value.n - wanted.n, value.n), wanted, t->fold);
    case '*': return contains(s, value, wanted, t->fold);
    default: return one_of_words(value, wanted, t->fold);
    }
}

/* The element's position among its siblings of the same name, from 1; 0: too much work. */
static uint32_t place_of_type(twx_sheet *s, const twx_node *own, bool last) {
    uint32_t place = 1;
    for (uint32_t i = last ? own->after : own->before; i != 0;) {
        const twx_node *sibling = &s->nodes.at[i];
        pay(s, 1);
        if (s->work == 0) return 0;
        place += twx_slice_eq_nocase(sibling->as.name, own->as.name);
        i = last ? sibling->after : sibling->before;
    }
    return place;
}

static bool place_holds(twx_sheet *s, const twx_test *t, const twx_subject *e) {
    if (e->node == 0) return false;
    const twx_node *own = &s->nodes.at[e->node];
    uint32_t place = own->place;
    if (t->typed)
        place = place_of_type(s, own, t->last);
    else if (t->last)
        place = s->nodes.at[own->parent].children - own->place + 1;
    if (place == 0) return false;
    const int64_t rest = (int64_t)place - t->add;
    return t->step == 0 ? rest == 0 : rest % t->step == 0 && rest / t->step >= 0;
}

static bool tests_hold(twx_sheet *s, uint32_t first, uint32_t n, const twx_subject *e);

static bool any_holds(twx_sheet *s, uint32_t at, const twx_subject *e) {
    const uint32_t end = at + 1 + s->tests.at[at].span;
    for (uint32_t i = at + 1; i < end; i += 1 + s->tests.at[i].span)
        if (tests_hold(s, i + 1, s->tests.at[i].span, e)) return true;
    return false;
}

static bool test_holds(twx_sheet *s, uint32_t at, const twx_subject *e) {
    const twx_test *t = &s->tests.at[at];
    switch ((twx_test_kind)t->kind) {
    case TWX_TEST_NAME: return twx_sheet_hash(s, TWX_TEST_NAME, e->name) == t->hash;
    case TWX_TEST_CLASS: return has_class(s, e->classes, t->hash);
    case TWX_TEST_ID: return e->id.n > 0 && twx_sheet_hash(s, TWX_TEST_ID, e->id) == t->hash;
    case TWX_TEST_ATTRIBUTE: return attribute_holds(s, t, e);
    case TWX_TEST_NTH: return place_holds(s, t, e);
    case TWX_TEST_EMPTY: return e->node != 0 && !s->nodes.at[e->node].filled;
    case TWX_TEST_LINK: {
        twx_slice href;
        const bool link = twx_slice_eq_nocase(e->name, TWX_SLICE_LIT("a")) ||
                          twx_slice_eq_nocase(e->name, TWX_SLICE_LIT("area"));
        return link && twx_attribute_in(e->source, TWX_SLICE_LIT("href"), &href);
    }
    case TWX_TEST_ANY: return any_holds(s, at, e);
    case TWX_TEST_NOT: return !any_holds(s, at, e);
    default: return false;
    }
}

/* The recursion is as deep as the parser allows. */
static bool tests_hold(twx_sheet *s, uint32_t first, uint32_t n, const twx_subject *e) {
    for (uint32_t i = first; i < first + n; i += 1 + s->tests.at[i].span) {
        pay(s, 1);
        if (!test_holds(s, i, e)) return false;
    }
    return s->work > 0;
}

/* ---- selectors ---------------------------------------------------------- */

/* The element that a compound matches: stack[depth], or a preceding sibling of it, whose node is
 * `node`. */
typedef struct place {
    size_t depth;
    uint32_t node;
} place;

/* Do the compounds from k on match elements to the left of `at`? The recursion is as deep as the
 * selector has compounds. */
static bool rest_holds(twx_sheet *s, const twx_selector *one, size_t k, const twx_open *stack,
                       place at) {
    if (k == one->compounds) return true;
    const twx_compound *c = &one->compound[k];
    const char combinator = one->compound[k - 1].combinator;
    if (combinator == '+' || combinator == '~') {
        for (uint32_t i = at.node ? s->nodes.at[at.node].before : 0; i != 0 && s->work > 0;
             i = s->nodes.at[i].before) {
            if (tests_hold(s, c->first, c->tests, &s->nodes.at[i].as) &&
                rest_holds(s, one, k + 1, stack, (place){at.depth, i}))
                return true;
            if (combinator == '+') return false;
        }
        return false;
    }
    for (size_t i = at.depth; i-- > 0 && s->work > 0;) {
        if (tests_hold(s, c->first, c->tests, &stack[i].as) &&
            rest_holds(s, one, k + 1, stack, (place){i, stack[i].as.node}))
            return true;
        if (combinator == '>') return false;
    }
    return false;
}

static void match_bucket(twx_sheet *s, uint64_t key, const twx_open *stack, size_t depth,
                         const twx_open *e, twx_cascade *cascade) {
    uint32_t i = s->bucket[key ? (key ^ key >> 32) % TWX_SHEET_BUCKETS : TWX_SHEET_BUCKETS];
    for (; i != 0 && s->work > 0; i = s->selectors.at[i - 1].next) {
        const twx_selector *one = &s->selectors.at[i - 1];
        s->work--;
        if (one->key == key &&
            tests_hold(s, one->compound[0].first, one->compound[0].tests, &e->as) &&
            rest_holds(s, one, 1, stack, (place){depth, e->as.node}))
            twx_cascade_add(cascade, &one->declared, one->strength);
    }
}

void twx_sheet_match(twx_sheet *s, const twx_open *stack, size_t depth, const twx_open *e,
                     twx_cascade *cascade) {
    const bool seeing = s->late && !s->second, matching = s->selectors.n > 0 && s->work > 0;
    if (!seeing && !matching) return;
    uint64_t key = twx_sheet_hash(s, TWX_TEST_NAME, e->as.name);
    if (seeing) see(s, key);
    if (matching) match_bucket(s, key, stack, depth, e, cascade);
    if (matching) match_bucket(s, 0, stack, depth, e, cascade);
    if (e->as.id.n) {
        key = twx_sheet_hash(s, TWX_TEST_ID, e->as.id);
        if (seeing) see(s, key);
        if (matching) match_bucket(s, key, stack, depth, e, cascade);
    }
    const twx_slice list = e->as.classes;
    for (size_t i = 0, end; i < list.n; i = end + 1) {
        for (end = i; end < list.n && !twx_is_space((unsigned char)list.p[end]); end++) continue;
        if (end == i) continue;
        key = twx_sheet_hash(s, TWX_TEST_CLASS, twx_slice_sub(list, i, end));
        if (seeing) see(s, key);
        if (matching) match_bucket(s, key, stack, depth, e, cascade);
    }
}

/* ---- sheet -------------------------------------------------------------- */

static const char *find(twx_slice page, const char *word, const char *from) {
    return memmem(from, page.n - (size_t)(from - page.p), word, strlen(word));
}

/* Is there an end tag of a style element after the start of the body? This is an approximation,
 * because it runs for every page: it looks for capitals only if the body tag is in capitals. */
static bool has_late_style(twx_slice page) {
    if (page.n == 0) return false;
    const char *body = find(page, "<body", page.p);
    if (body) return find(page, "</style", body);
    body = find(page, "<BODY", page.p);
    if (!body) body = page.p;
    return find(page, "</style", body) || find(page, "</STYLE", body);
}

void twx_sheet_clear(twx_sheet *s, twx_slice page) {
    s->selectors.n = s->tests.n = s->nodes.n = 0;
    twx_buf_clear(&s->strings);
    memset(s->bucket, 0, sizeof s->bucket);
    memset(s->seen, 0, sizeof s->seen);
    s->strings.max = s->css.max = SIZE_MAX - 1;
    s->work = s->budget = WORK_AT_LEAST + (uint64_t)page.n * WORK_PER_BYTE;
    s->late = s->recording = has_late_style(page);
    s->again = s->second = s->quirks = false;
    s->opened = s->skipped = 0;
}

void twx_sheet_rewind(twx_sheet *s) {
    s->work = s->budget;
    s->second = true;
    s->again = false;
    s->opened = 0;
}

void twx_sheet_done(twx_sheet *s) {
    if (!s) return;
    TWX_VEC_DONE(&s->selectors);
    TWX_VEC_DONE(&s->tests);
    TWX_VEC_DONE(&s->nodes);
    twx_buf_done(&s->strings);
    twx_buf_done(&s->css);
}

/* ==== style_sheet */

/* The rules of a style sheet: blocks, at-rules, comments. */

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
static twx_rc strip_comments(twx_ctx *cx, twx_slice css, twx_buf *to) {
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
    twx_rc rc = strip_comments(cx, text, &s->css);
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
