/* Rules, drawn together with their meaning: the SQL that their text compiles to gives the same as
 * an evaluation of the drawn tree in plain C, for rows of flags that may be NULL. The evaluation
 * uses nothing of the parser or the compiler. */
#include "random_queries.h"

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
    if (function == AND || function == OR) v = isnan(v) ? v : v != 0; /* NAN: NULL */
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
    assert_ok(sqlite3_open(":memory:", &db));
    assert_ok(sqlite3_exec(
        db,
        "CREATE TABLE document_flags(id INTEGER PRIMARY KEY, http_unique_b INT, www_unique_b "
        "INT, copycount_i INT, near_copycount_i INT, duplicate_type TEXT, duplicate_of INT)",
        NULL, NULL, NULL));
    assert_ok(sqlite3_prepare_v2(
        db, "INSERT INTO document_flags VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", -1, &stmt, NULL));
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

TEST(sql_gives_what_the_rules_mean) {
    static drawn x;
    row rows[ROWS];
    size_t compiled = 0;
    test_rng rng = test_rng_seed(7);
    sqlite3 *db = make_rows(&rng, rows);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        twx_ctx cx = {0};
        twx_rules *rules = NULL;
        twx_rule_sql sql = {0};
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
