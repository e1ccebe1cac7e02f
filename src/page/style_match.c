/* Finds the rules that apply to an element: candidates by id, class and name, whose tests are then
 * evaluated from right to left. */
#include "page/style_sheet.h"

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
