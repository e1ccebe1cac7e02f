/* tests/property/random_queries.h: random queries of the rules language, as text and as a
 * tree that is evaluated in plain C. */
#ifndef TWINDEX_TEST_RANDOM_QUERIES_H
#define TWINDEX_TEST_RANDOM_QUERIES_H

#include "search/search.h"
#include "support.h"
#include <math.h>

enum { FIELDS = 6, ROWS = 40, SEEDS = 1500, TREES = 4000, TEXT_BYTES = 1 << 16, CHILDREN = 4 };

static const char *const WORDS[] = {"full-layout", "full-content", "partial-content", NULL};
static const twx_rule_column COLUMNS[] = {{"title", 1}, {"text", 1}};
static const twx_rule_field FIELD[FIELDS] = {
    {"http_unique_b", TWX_RULE_BOOL, NULL},   {"www_unique_b", TWX_RULE_BOOL, NULL},
    {"copycount_i", TWX_RULE_NUMBER, NULL},   {"near_copycount_i", TWX_RULE_NUMBER, NULL},
    {"duplicate_type", TWX_RULE_NAME, WORDS}, {"duplicate_of", TWX_RULE_ID, NULL},
};
static const twx_rule_fields ALL_FIELDS = {
    .at = FIELD, .n = FIELDS, .columns = COLUMNS, .n_columns = 2};

typedef struct row {
    bool known[FIELDS];
    int64_t v[FIELDS]; /* of a word: its index */
} row;

/* ---- a writer of text --------------------------------------------------- */

typedef struct drawing {
    test_rng rng;
    char text[TEXT_BYTES];
    size_t n;
} drawing;

static void say(drawing *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static inline void say(drawing *d, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    const int n = vsnprintf(d->text + d->n, sizeof d->text - d->n, fmt, args);
    va_end(args);
    assert_true(n >= 0 && (size_t)n < sizeof d->text - d->n);
    d->n += (size_t)n;
}

static inline size_t draw(drawing *d, size_t limit) {
    return test_rng_below(&d->rng, limit);
}

static const char *one_of(drawing *d, const char *a, const char *b) {
    return draw(d, 2) ? a : b;
}

/* ---- queries ------------------------------------------------------------ */

typedef enum tree_shape { LEAF, PARENTHESES, ANDS, ORS, CLAUSES } tree_shape;

/* A leaf or a chain. A chain of one is replaced by its member. */
typedef struct tree {
    tree_shape shape;
    bool negated, required; /* as a member of its chain */
    bool weighted, constant;
    double weight;
    struct tree *child[CHILDREN];
    size_t n;
    int field, what; /* of a leaf: 0 everything, 1 has, 2 equals, 3 between */
    int64_t low, high;
    bool has_low, has_high, low_open, high_open;
} tree;

static tree pool[TREES];
static size_t pooled;

static inline tree *new_tree(tree_shape shape) {
    assert_true(pooled < TREES);
    pool[pooled] = (tree){.shape = shape, .weight = 1};
    return &pool[pooled++];
}

static inline void draw_weight(drawing *d, tree *t) {
    static const char *const TEXTS[] = {"2", "0.5", "10", "-3", "1e2", ".25"};
    static const double VALUES[] = {2, 0.5, 10, -3, 100, 0.25};
    if (draw(d, 2)) return;
    const size_t i = draw(d, 6);
    t->weighted = true;
    t->constant = draw(d, 4) == 0;
    t->weight = VALUES[i];
    say(d, "^%s%s", t->constant ? "=" : "", TEXTS[i]);
}

static inline void draw_range(drawing *d, tree *t) {
    t->has_low = draw(d, 4) != 0;
    t->has_high = draw(d, 4) != 0;
    t->low = (int64_t)draw(d, 5) - 1;
    t->high = t->low + (int64_t)draw(d, 3);
    t->low_open = draw(d, 2);
    t->high_open = draw(d, 2);
    say(d, "%c", t->low_open ? '{' : '[');
    if (t->has_low)
        say(d, "%d TO ", (int)t->low);
    else
        say(d, "* TO ");
    if (t->has_high)
        say(d, "%d", (int)t->high);
    else
        say(d, "*");
    say(d, "%c", t->high_open ? '}' : ']');
}

static inline void draw_equals(drawing *d, tree *t) {
    const twx_rule_kind kind = FIELD[t->field].kind;
    if (kind == TWX_RULE_BOOL) {
        t->low = (int64_t)draw(d, 2);
        say(d, "%s", t->low ? one_of(d, "true", "1") : one_of(d, "false", "0"));
    } else if (kind == TWX_RULE_NAME) {
        t->low = (int64_t)draw(d, 3);
        say(d, draw(d, 2) ? "\"%s\"" : "%s", WORDS[t->low]);
    } else {
        t->low = (int64_t)draw(d, 5) - 1;
        say(d, "%d", (int)t->low);
    }
}

static inline tree *draw_leaf(drawing *d) {
    tree *t = new_tree(LEAF);
    t->field = (int)draw(d, FIELDS);
    t->what = (int)draw(d, 5);
    if (t->what == 0) {
        say(d, "*:*");
    } else {
        if (FIELD[t->field].kind == TWX_RULE_ID) t->what = 1;
        if (t->what >= 3) t->what = FIELD[t->field].kind == TWX_RULE_NUMBER ? 3 : 2;
        say(d, "%s:", FIELD[t->field].name);
        if (t->what == 1) say(d, "*");
        if (t->what == 2) draw_equals(d, t);
        if (t->what == 3) draw_range(d, t);
    }
    draw_weight(d, t);
    return t;
}

static tree *draw_clauses(drawing *d, int depth);

static inline tree *draw_operand(drawing *d, int depth) {
    if (depth == 0 || draw(d, 3)) return draw_leaf(d);
    tree *t = new_tree(PARENTHESES);
    say(d, "(");
    t->child[0] = draw_clauses(d, depth - 1);
    t->n = 1;
    say(d, ")");
    draw_weight(d, t);
    return t;
}

static inline tree *draw_ands(drawing *d, int depth, bool may_negate) {
    tree *t = new_tree(ANDS);
    t->n = draw(d, 3) ? 1 : 1 + draw(d, 3);
    for (size_t i = 0; i < t->n; i++) {
        const bool negated = (i > 0 || may_negate) && draw(d, 4) == 0;
        if (i) say(d, "%s", one_of(d, " AND ", " && "));
        if (negated) say(d, "%s", draw(d, 2) ? "NOT " : one_of(d, "!", "-"));
        t->child[i] = draw_operand(d, depth);
        t->child[i]->negated = negated;
    }
    return t;
}

static inline tree *draw_ors(drawing *d, int depth, bool may_chain) {
    tree *t = new_tree(ORS);
    t->n = draw(d, 3) || !may_chain ? 1 : 1 + draw(d, 3);
    for (size_t i = 0; i < t->n; i++) {
        if (i) say(d, "%s", one_of(d, " OR ", " || "));
        t->child[i] = draw_ands(d, depth, may_chain);
    }
    return t;
}

static inline tree *draw_clauses(drawing *d, int depth) {
    tree *t = new_tree(CLAUSES);
    t->n = draw(d, 2) ? 1 : 1 + draw(d, CHILDREN);
    for (size_t i = 0; i < t->n; i++) {
        const bool required = draw(d, 5) == 0;
        if (i) say(d, " ");
        if (required) say(d, "+");
        t->child[i] = draw_ors(d, depth, !required);
        t->child[i]->required = required;
    }
    return t;
}

/* 1, 0, or -1 for NULL */
static inline int and_of(int a, int b) {
    return a == 0 || b == 0 ? 0 : a < 0 || b < 0 ? -1 : 1;
}

static inline int not_of(int a) {
    return a < 0 ? -1 : !a;
}

static inline int or_of(int a, int b) {
    return not_of(and_of(not_of(a), not_of(b)));
}

static inline int leaf_matches(const tree *t, const row *r) {
    const int64_t v = r->v[t->field];
    if (t->what == 0) return 1;
    if (t->what == 1) return r->known[t->field];
    if (t->what == 3 && !t->has_low && !t->has_high) return r->known[t->field];
    if (!r->known[t->field]) return -1;
    if (t->what == 2) return v == t->low;
    if (t->has_low && (t->low_open ? v <= t->low : v < t->low)) return 0;
    return !(t->has_high && (t->high_open ? v >= t->high : v > t->high));
}

/* The only operand below nested chains of one; NULL: there are more. */
static const tree *single(const tree *t) {
    while (t->shape >= ANDS) {
        if (t->n != 1) return NULL;
        t = t->child[0];
    }
    return t;
}

static inline bool excludes(const tree *clause) {
    return single(clause) && single(clause)->negated;
}

static int matches(const tree *t, const row *r);

static inline int clauses_match(const tree *t, const row *r) {
    int all = 1, any = 0;
    bool must = false, may = false;
    if (t->n == 1) return matches(t->child[0], r);
    for (size_t i = 0; i < t->n; i++) {
        const int m = matches(t->child[i], r);
        const bool optional = !t->child[i]->required && !excludes(t->child[i]);
        if (optional) any = or_of(any, m);
        if (!optional) all = and_of(all, m);
        must = must || t->child[i]->required;
        may = may || optional;
    }
    return must || !may ? all : and_of(all, any);
}

static inline int matches(const tree *t, const row *r) {
    int m = t->shape == ORS ? 0 : 1;
    if (t->shape == LEAF) m = leaf_matches(t, r);
    if (t->shape == CLAUSES) m = clauses_match(t, r);
    for (size_t i = 0; t->shape != CLAUSES && i < t->n; i++)
        m = t->shape == ORS ? or_of(m, matches(t->child[i], r))
                            : and_of(m, matches(t->child[i], r));
    return t->negated ? not_of(m) : m;
}

/* The score of its negation. */
static inline double weight(const tree *t) {
    if (t->shape >= ANDS) return t->n == 1 ? weight(t->child[0]) : 1;
    if (t->shape == LEAF || t->constant) return t->weight;
    return t->weight * weight(t->child[0]);
}

static double counts(const tree *t, const row *r);

static inline double chain_counts(const tree *t, const row *r) {
    double sum = 0;
    bool others = false;
    if (t->n == 1) return counts(t->child[0], r);
    if (matches(t, r) != 1) return 0;
    for (size_t i = 0; i < t->n; i++)
        others = others || !(t->shape == ANDS ? t->child[i]->negated : excludes(t->child[i]));
    for (size_t i = 0; i < t->n; i++) {
        const bool negation = t->shape == ANDS ? t->child[i]->negated : excludes(t->child[i]);
        if (t->shape == ORS || !negation || !others) sum += counts(t->child[i], r);
    }
    return sum;
}

static inline double counts(const tree *t, const row *r) {
    if (t->negated) return matches(t, r) == 1 ? weight(t) : 0;
    if (t->shape >= ANDS) return chain_counts(t, r);
    if (t->shape == LEAF || t->constant) return matches(t, r) == 1 ? t->weight : 0;
    return t->weight * counts(t->child[0], r);
}

#endif
