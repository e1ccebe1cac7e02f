/* Rules, drawn together with what they mean: the SQL that their text is compiled to gives the same
 * as an evaluation of the drawn tree in plain C, for rows of flags that may be NULL. Nothing of the
 * parser or of the compiler is used for the second one. */
#include "support.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rank/rule_sql.h"

enum { FIELDS = 6, ROWS = 40, SEEDS = 1500, TREES = 4000, TEXT_BYTES = 1 << 16, CHILDREN = 4 };

static const char *const WORDS[] = {"full-layout", "full-content", "partial-content", NULL};
static const twx_rule_column COLUMNS[] = {{"title", 1}, {"text", 1}};
static const twx_rule_field FIELD[FIELDS] = {
    {"http_unique_b", TWX_RULE_BOOL, NULL},   {"www_unique_b", TWX_RULE_BOOL, NULL},
    {"copycount_i", TWX_RULE_NUMBER, NULL},   {"near_copycount_i", TWX_RULE_NUMBER, NULL},
    {"duplicate_type", TWX_RULE_NAME, WORDS}, {"duplicate_of", TWX_RULE_ID, NULL},
};
static const twx_rule_fields ALL_FIELDS = {FIELD, FIELDS, COLUMNS, 2};

typedef struct row {
    bool known[FIELDS];
    int64_t v[FIELDS]; /* of a word: its place */
} row;

/* ---- a writer of text --------------------------------------------------- */

typedef struct drawing {
    test_rng rng;
    char text[TEXT_BYTES];
    size_t n;
} drawing;

static void say(drawing *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void say(drawing *d, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    const int n = vsnprintf(d->text + d->n, sizeof d->text - d->n, fmt, args);
    va_end(args);
    assert_true(n >= 0 && (size_t)n < sizeof d->text - d->n);
    d->n += (size_t)n;
}

static size_t draw(drawing *d, size_t limit) {
    return test_rng_below(&d->rng, limit);
}

static const char *one_of(drawing *d, const char *a, const char *b) {
    return draw(d, 2) ? a : b;
}

/* ---- queries ------------------------------------------------------------ */

typedef enum tree_shape { LEAF, PARENTHESES, ANDS, ORS, CLAUSES } tree_shape;

/* A leaf or a chain. Of a chain of one the member takes its place. */
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

static tree *new_tree(tree_shape shape) {
    assert_true(pooled < TREES);
    pool[pooled] = (tree){.shape = shape, .weight = 1};
    return &pool[pooled++];
}

static void draw_weight(drawing *d, tree *t) {
    static const char *const TEXTS[] = {"2", "0.5", "10", "-3", "1e2", ".25"};
    static const double VALUES[] = {2, 0.5, 10, -3, 100, 0.25};
    if (draw(d, 2)) return;
    const size_t i = draw(d, 6);
    t->weighted = true;
    t->constant = draw(d, 4) == 0;
    t->weight = VALUES[i];
    say(d, "^%s%s", t->constant ? "=" : "", TEXTS[i]);
}

static void draw_range(drawing *d, tree *t) {
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

static void draw_equals(drawing *d, tree *t) {
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

static tree *draw_leaf(drawing *d) {
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

static tree *draw_operand(drawing *d, int depth) {
    if (depth == 0 || draw(d, 3)) return draw_leaf(d);
    tree *t = new_tree(PARENTHESES);
    say(d, "(");
    t->child[0] = draw_clauses(d, depth - 1);
    t->n = 1;
    say(d, ")");
    draw_weight(d, t);
    return t;
}

static tree *draw_ands(drawing *d, int depth, bool may_negate) {
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

static tree *draw_ors(drawing *d, int depth, bool may_chain) {
    tree *t = new_tree(ORS);
    t->n = draw(d, 3) || !may_chain ? 1 : 1 + draw(d, 3);
    for (size_t i = 0; i < t->n; i++) {
        if (i) say(d, "%s", one_of(d, " OR ", " || "));
        t->child[i] = draw_ands(d, depth, may_chain);
    }
    return t;
}

static tree *draw_clauses(drawing *d, int depth) {
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
static int and_of(int a, int b) {
    return a == 0 || b == 0 ? 0 : a < 0 || b < 0 ? -1 : 1;
}

static int not_of(int a) {
    return a < 0 ? -1 : !a;
}

static int or_of(int a, int b) {
    return not_of(and_of(not_of(a), not_of(b)));
}

static int leaf_matches(const tree *t, const row *r) {
    const int64_t v = r->v[t->field];
    if (t->what == 0) return 1;
    if (t->what == 1) return r->known[t->field];
    if (t->what == 3 && !t->has_low && !t->has_high) return r->known[t->field];
    if (!r->known[t->field]) return -1;
    if (t->what == 2) return v == t->low;
    if (t->has_low && (t->low_open ? v <= t->low : v < t->low)) return 0;
    return !(t->has_high && (t->high_open ? v >= t->high : v > t->high));
}

/* The only operand below a chain of chains of one; NULL: there are more. */
static const tree *single(const tree *t) {
    while (t->shape >= ANDS) {
        if (t->n != 1) return NULL;
        t = t->child[0];
    }
    return t;
}

static bool excludes(const tree *clause) {
    return single(clause) && single(clause)->negated;
}

static int matches(const tree *t, const row *r);

static int clauses_match(const tree *t, const row *r) {
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

static int matches(const tree *t, const row *r) {
    int m = t->shape == ORS ? 0 : 1;
    if (t->shape == LEAF) m = leaf_matches(t, r);
    if (t->shape == CLAUSES) m = clauses_match(t, r);
    for (size_t i = 0; t->shape != CLAUSES && i < t->n; i++)
        m = t->shape == ORS ? or_of(m, matches(t->child[i], r))
                            : and_of(m, matches(t->child[i], r));
    return t->negated ? not_of(m) : m;
}

/* What a negation of it counts. */
static double weight(const tree *t) {
    if (t->shape >= ANDS) return t->n == 1 ? weight(t->child[0]) : 1;
    if (t->shape == LEAF || t->constant) return t->weight;
    return t->weight * weight(t->child[0]);
}

static double counts(const tree *t, const row *r);

static double chain_counts(const tree *t, const row *r) {
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

static double counts(const tree *t, const row *r) {
    if (t->negated) return matches(t, r) == 1 ? weight(t) : 0;
    if (t->shape >= ANDS) return chain_counts(t, r);
    if (t->shape == LEAF || t->constant) return matches(t, r) == 1 ? t->weight : 0;
    return t->weight * counts(t->child[0], r);
}

/* ---- functions ---------------------------------------------------------- */

typedef struct call {
    int function; /* -1: a number, -2: a field */
    double number;
    int field;
    struct call *child[5];
    size_t n;
} call;

static call calls[TREES];
static size_t called;

/* NAN: NULL */
static double truth(double x) {
    return isnan(x) ? NAN : x != 0;
}

static double of3(int t) {
    return t < 0 ? (double)NAN : t;
}

static int to3(double x) {
    return isnan(x) ? -1 : x != 0;
}

typedef enum fn {
    RECIP,
    DIV,
    SUB,
    SUM,
    ADD,
    PRODUCT,
    MUL,
    POW,
    LOG,
    LN,
    EXP,
    SQRT,
    ABS,
    MIN,
    MAX,
    IF,
    MAP,
    MAP_ELSE,
    EXISTS,
    NOT,
    DEF,
    GT,
    GTE,
    LT,
    LTE,
    EQ,
    AND,
    OR,
    FUNCTIONS
} fn;

static const struct {
    const char *name;
    size_t least, most;
} FUNCTION[FUNCTIONS] = {
    {"recip", 4, 4},  {"div", 2, 2}, {"sub", 2, 2}, {"sum", 1, 4}, {"add", 1, 4}, {"product", 1, 4},
    {"mul", 1, 4},    {"pow", 2, 2}, {"log", 1, 1}, {"ln", 1, 1},  {"exp", 1, 1}, {"sqrt", 1, 1},
    {"abs", 1, 1},    {"min", 2, 4}, {"max", 2, 4}, {"if", 3, 3},  {"map", 4, 4}, {"map", 5, 5},
    {"exists", 1, 1}, {"not", 1, 1}, {"def", 2, 2}, {"gt", 2, 2},  {"gte", 2, 2}, {"lt", 2, 2},
    {"lte", 2, 2},    {"eq", 2, 2},  {"and", 2, 4}, {"or", 2, 4},
};

static call *draw_call(drawing *d, int depth, bool any_kind) {
    assert_true(called < TREES);
    call *c = &calls[called++];
    *c = (call){.function = -1};
    const size_t kind = depth ? draw(d, 4) : draw(d, 2);
    if (kind == 0) {
        c->number = (double)((int64_t)draw(d, 13) - 4) / 2;
        say(d, "%g", c->number);
    } else if (kind == 1) {
        c->function = -2;
        c->field = (int)draw(d, any_kind ? FIELDS : 4);
        say(d, "%s", FIELD[c->field].name);
    } else {
        c->function = (int)draw(d, FUNCTIONS);
        c->n = FUNCTION[c->function].least +
               draw(d, FUNCTION[c->function].most - FUNCTION[c->function].least + 1);
        say(d, "%s(", FUNCTION[c->function].name);
        for (size_t i = 0; i < c->n; i++) {
            if (i) say(d, "%s", one_of(d, ",", " , "));
            c->child[i] = draw_call(d, depth - 1, c->function == EXISTS);
        }
        say(d, ")");
    }
    return c;
}

static double quotient(double a, double b) {
    return b == 0 ? NAN : a / b;
}

static double joined(int function, const double *x, size_t n) {
    double v = x[0];
    if (function == AND || function == OR) v = truth(v);
    for (size_t i = 1; i < n; i++) switch (function) {
        case SUM:
        case ADD: v = v + x[i]; break;
        case PRODUCT:
        case MUL: v = v * x[i]; break;
        case MIN: v = isnan(v) || isnan(x[i]) ? NAN : x[i] < v ? x[i] : v; break;
        case MAX: v = isnan(v) || isnan(x[i]) ? NAN : x[i] > v ? x[i] : v; break;
        case AND: v = of3(and_of(to3(v), to3(x[i]))); break;
        default: v = of3(or_of(to3(v), to3(x[i]))); break;
        }
    return v;
}

static double compared(int function, double a, double b) {
    if (isnan(a) || isnan(b)) return NAN;
    switch (function) {
    case GT: return a > b;
    case GTE: return a >= b;
    case LT: return a < b;
    case LTE: return a <= b;
    default: return a == b;
    }
}

static double value_of(const call *c, const row *r) {
    double x[5] = {0};
    if (c->function == -1) return c->number;
    if (c->function == -2) return r->known[c->field] ? (double)r->v[c->field] : NAN;
    for (size_t i = 0; i < c->n; i++) x[i] = value_of(c->child[i], r);
    const bool within = x[0] >= x[1] && x[0] <= x[2]; /* false where one is NAN */
    switch (c->function) {
    case RECIP: return quotient(x[2], x[1] * x[0] + x[3]);
    case DIV: return quotient(x[0], x[1]);
    case SUB: return x[0] - x[1];
    case POW: return isnan(x[0]) || isnan(x[1]) ? NAN : pow(x[0], x[1]);
    case LOG: return x[0] > 0 ? log10(x[0]) : NAN;
    case LN: return x[0] > 0 ? log(x[0]) : NAN;
    case EXP: return exp(x[0]);
    case SQRT: return sqrt(x[0]);
    case ABS: return fabs(x[0]);
    case IF: return to3(x[0]) == 1 ? x[1] : x[2];
    case MAP: return within ? x[3] : x[0];
    case MAP_ELSE: return within ? x[3] : isnan(x[0]) ? NAN : x[4];
    case EXISTS: return !isnan(x[0]);
    case NOT: return isnan(x[0]) ? NAN : x[0] == 0;
    case DEF: return isnan(x[0]) ? x[1] : x[0];
    case SUM:
    case ADD:
    case PRODUCT:
    case MUL:
    case MIN:
    case MAX:
    case AND:
    case OR: return joined(c->function, x, c->n);
    default: return compared(c->function, x[0], x[1]);
    }
}

/* ---- the law ------------------------------------------------------------ */

static double bounded(double v) {
    return isnan(v) ? 0 : v > 1e30 ? 1e30 : v < -1e30 ? -1e30 : v;
}

static sqlite3 *make_rows(test_rng *rng, row *rows) {
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(
            db,
            "CREATE TABLE document_flags(id INTEGER PRIMARY KEY, http_unique_b INT, www_unique_b "
            "INT, copycount_i INT, near_copycount_i INT, duplicate_type TEXT, duplicate_of INT)",
            NULL, NULL, NULL),
        SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db, "INSERT INTO document_flags VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", -1,
                           &stmt, NULL),
        SQLITE_OK);
    for (int i = 0; i < ROWS; i++) {
        sqlite3_bind_int(stmt, 1, i);
        for (int f = 0; f < FIELDS; f++) {
            const size_t values = FIELD[f].kind == TWX_RULE_BOOL   ? 2
                                  : FIELD[f].kind == TWX_RULE_NAME ? 3
                                                                   : 6;
            rows[i].known[f] = test_rng_below(rng, 4) != 0;
            rows[i].v[f] = (int64_t)test_rng_below(rng, values) -
                           (FIELD[f].kind == TWX_RULE_NUMBER);
            if (!rows[i].known[f])
                sqlite3_bind_null(stmt, f + 2);
            else if (FIELD[f].kind == TWX_RULE_NAME)
                sqlite3_bind_text(stmt, f + 2, WORDS[rows[i].v[f]], -1, SQLITE_STATIC);
            else
                sqlite3_bind_int64(stmt, f + 2, rows[i].v[f]);
        }
        assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
        sqlite3_reset(stmt);
    }
    sqlite3_finalize(stmt);
    return db;
}

static bool near_enough(double a, double b) {
    return a == b || fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)) + 1e-9;
}

typedef struct drawn {
    drawing d;
    tree *filter, *boost;
    call *function;
} drawn;

static void expect_rows(sqlite3 *db, const twx_rule_sql *sql, const drawn *x, const row *rows,
                        uint64_t seed) {
    sqlite3_stmt *stmt = NULL;
    char *text = sqlite3_mprintf("SELECT (%s) IS TRUE, %s FROM document_flags AS f ORDER BY id",
                                 sql->filter, sql->score);
    if (sqlite3_prepare_v2(db, text, -1, &stmt, NULL) != SQLITE_OK)
        fail_msg("seed %" PRIu64 ": %s\n%s\n%s", seed, sqlite3_errmsg(db), x->d.text, text);
    for (int i = 0; i < ROWS; i++) {
        assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
        const bool passes = matches(x->filter, &rows[i]) == 1;
        const double score = bounded(counts(x->boost, &rows[i])) +
                             bounded(value_of(x->function, &rows[i]));
        if (passes != sqlite3_column_int(stmt, 0))
            fail_msg("seed %" PRIu64 ", row %d: filter\n%s\n%s", seed, i, x->d.text, text);
        if (!near_enough(score, sqlite3_column_double(stmt, 1)))
            fail_msg("seed %" PRIu64 ", row %d: %.17g, SQL says %.17g\n%s\n%s", seed, i, score,
                     sqlite3_column_double(stmt, 1), x->d.text, text);
    }
    sqlite3_finalize(stmt);
    sqlite3_free(text);
}

static void sql_gives_what_the_rules_mean(void **state) {
    static drawn x;
    row rows[ROWS];
    (void)state;
    size_t compiled = 0;
    test_rng rng = test_rng_seed(7);
    sqlite3 *db = make_rows(&rng, rows);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        twx_ctx cx;
        twx_rules *rules = NULL;
        twx_rule_sql sql = {0};
        twx_ctx_init(&cx);
        x.d.rng = test_rng_seed(seed);
        x.d.n = pooled = called = 0;
        say(&x.d, "[filter] ");
        x.filter = draw_clauses(&x.d, 3);
        say(&x.d, "\n[boost]\n");
        x.boost = draw_clauses(&x.d, 3);
        say(&x.d, " # why\n[function] ");
        x.function = draw_call(&x.d, 3, false);
        if (twx_rules_parse(&cx, "x", (twx_slice){x.d.text, x.d.n}, &ALL_FIELDS, &rules) != TWX_OK)
            fail_msg("seed %" PRIu64 ": %s\n%s", seed, cx.message, x.d.text);
        const bool made = twx_rule_sql_make(&cx, "x", rules, &sql) == TWX_OK;
        if (!made && !strstr(cx.message, "nested too deep"))
            fail_msg("seed %" PRIu64 ": %s\n%s", seed, cx.message, x.d.text);
        compiled += made;
        if (made) expect_rows(db, &sql, &x, rows, seed);
        twx_rule_sql_done(&sql);
        twx_rules_close(rules);
    }
    sqlite3_close(db);
    assert_true(compiled > SEEDS * 95 / 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sql_gives_what_the_rules_mean)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
