/* Nodes come after their children, so one pass produces the SQL of each node from that of its
 * children: no stack, no recursion. A query has two expressions: whether it matches, and its score;
 * a function has its value. All texts are in one buffer. */

#include "search/internal.h"

enum { TWX_RULE_SQL_BYTES = 512 << 10 };

/* SQLite accepts expressions of depth 200 (set by store/db.c) and has a parser stack of 100
 * entries; the statements around an expression need part of both. The need of one of our levels is
 * estimated from above. */
enum {
    HEIGHT_MAX = 180,
    STACK_MAX = 80,
    LEVEL_HEIGHT = 6,
    LEVEL_STACK = 8,
    LEAF_STACK = 6,
    CHUNK = 8,
    CHUNK_STACK = 3
};

/* A finished expression: its range in the buffer, its depth, and the parser stack it needs. */
typedef struct piece {
    size_t at, n;
    uint32_t height, stack;
} piece;

typedef struct compiler {
    twx_ctx *cx;
    const char *name; /* of the file */
    const twx_rule_fields *fields;
    const twx_rule_node *nodes;
    piece *matches; /* of queries: 1, 0 or NULL; of functions: the value */
    piece *counts;  /* of queries: a number, never NULL */
    twx_buf text;
} compiler;

/* ---- writing ------------------------------------------------------------ */

static piece begin(const compiler *c) {
    return (piece){.at = c->text.n};
}

static void end(const compiler *c, piece *p) {
    p->n = c->text.n - p->at;
}

static twx_rc put(compiler *c, const char *text) {
    return twx_buf_add_text(c->cx, &c->text, text);
}

static twx_rc put_real(compiler *c, double value) {
    char text[TWX_RULE_NUMBER_BYTES];
    twx_rule_real_sql(value, text);
    return put(c, text);
}

/* The depth of `whole` is that of its deepest part. */
static void merge(piece *whole, const piece *part) {
    if (part->height > whole->height) whole->height = part->height;
    if (part->stack > whole->stack) whole->stack = part->stack;
}

/* Copies a piece into `whole`. The buffer may move while it grows. */
static twx_rc put_piece(compiler *c, const piece *p, piece *whole) {
    twx_rc rc = twx_buf_reserve(c->cx, &c->text, p->n);
    if (rc == TWX_OK) rc = twx_buf_add(c->cx, &c->text, c->text.p + p->at, p->n);
    merge(whole, p);
    return rc;
}

static void deepen(piece *whole, uint32_t height, uint32_t stack) {
    whole->height += height;
    whole->stack += stack;
}

/* The operands of an operator. */
typedef struct members {
    piece at[TWX_RULES_NODES];
    size_t n;
} members;

/* Joins members. A long chain is as deep as it is long, so it is written as nested chunks in
 * parentheses: before member i one opens for each power of CHUNK that divides i, when more than one
 * chunk of the next lower power follows; the outermost one is written by the caller. */
static twx_rc put_joined(compiler *c, const members *m, const char *joint, piece *whole) {
    twx_rc rc = m->n ? TWX_OK : twx_fail(c->cx, TWX_E_INTERNAL, "nothing to join in a rule");
    uint32_t levels = 1;
    for (size_t size = CHUNK; size < m->n; size *= CHUNK) levels++;
    for (size_t i = 0; rc == TWX_OK && i < m->n; i++) {
        if (i > 0) rc = put(c, joint);
        for (size_t size = CHUNK, lower = 1; rc == TWX_OK && size < m->n;
             lower = size, size *= CHUNK)
            if (i % size == 0 && i + lower < m->n) rc = put(c, "(");
        if (rc == TWX_OK) rc = put_piece(c, &m->at[i], whole);
        for (size_t size = CHUNK, lower = 1; rc == TWX_OK && size < m->n;
             lower = size, size *= CHUNK) {
            const size_t begins = i - i % size, ends = begins + size < m->n ? begins + size : m->n;
            if (begins + lower < m->n && i + 1 == ends) rc = put(c, ")");
        }
    }
    deepen(whole, levels * (m->n < CHUNK ? (uint32_t)m->n : CHUNK), levels * CHUNK_STACK - 1);
    return rc;
}

/* ---- queries: does it match? -------------------------------------------- */

static const char *field_of(const compiler *c, const twx_rule_node *node) {
    return twx_rule_field_of(c->fields, node->field)->name;
}

static twx_rc put_comparison(compiler *c, const twx_rule_node *node, const char *operator,
                             int64_t value) {
    return twx_buf_printf(c->cx, &c->text, "f.%s %s %" PRId64, field_of(c, node), operator, value);
}

/* "(f.near_copycount_i >= 2 AND f.near_copycount_i < 10)" */
static twx_rc put_range(compiler *c, const twx_rule_node *node) {
    twx_rc rc = TWX_OK;
    if (node->has_low) rc = put_comparison(c, node, node->low_open ? ">" : ">=", node->low);
    if (rc == TWX_OK && node->has_low && node->has_high) rc = put(c, " AND ");
    if (rc == TWX_OK && node->has_high)
        rc = put_comparison(c, node, node->high_open ? "<" : "<=", node->high);
    return rc;
}

static twx_rc put_leaf(compiler *c, const twx_rule_node *node, piece *whole) {
    twx_rc rc = put(c, "(");
    if (rc != TWX_OK) return rc;
    if (node->op == TWX_RULE_EVERYTHING)
        rc = put(c, "1");
    else if (node->field >= c->fields->n) /* a property: the function has the node */
        rc = twx_buf_printf(c->cx, &c->text, "rule_matches(f.id, %d)", (int)(node - c->nodes));
    else if (node->op == TWX_RULE_HAS)
        rc = twx_buf_printf(c->cx, &c->text, "f.%s IS NOT NULL", field_of(c, node));
    else if (node->op == TWX_RULE_BETWEEN)
        rc = put_range(c, node);
    else if (node->word) /* one of our own words */
        rc = twx_buf_printf(c->cx, &c->text, "f.%s = '%s'", field_of(c, node), node->word);
    else
        rc = put_comparison(c, node, "=", node->low);
    deepen(whole, 3, LEAF_STACK);
    return rc == TWX_OK ? put(c, ")") : rc;
}

static void list_children(const compiler *c, const piece *of, const twx_rule_node *node,
                          members *ret) {
    ret->n = 0;
    for (uint16_t i = node->first; i != TWX_RULE_NO_NODE; i = c->nodes[i].next)
        ret->at[ret->n++] = of[i];
}

/* [R2] of rule_parse: required and excluded clauses; without required ones, one of the others. */
static twx_rc put_clauses(compiler *c, const twx_rule_node *node, members *m, piece *whole) {
    bool must = false, may = false;
    m->n = 0;
    for (uint16_t i = node->first; i != TWX_RULE_NO_NODE; i = c->nodes[i].next) {
        must = must || c->nodes[i].occurs == TWX_RULE_MUST;
        may = may || c->nodes[i].occurs == TWX_RULE_MAY;
        if (c->nodes[i].occurs != TWX_RULE_MAY) m->at[m->n++] = c->matches[i];
    }
    twx_rc rc = m->n ? put_joined(c, m, " AND ", whole) : TWX_OK;
    if (rc != TWX_OK || must || !may) return rc;
    if (m->n) rc = put(c, " AND (");
    piece others = {0};
    const bool both = m->n > 0;
    m->n = 0;
    for (uint16_t i = node->first; i != TWX_RULE_NO_NODE; i = c->nodes[i].next)
        if (c->nodes[i].occurs == TWX_RULE_MAY) m->at[m->n++] = c->matches[i];
    if (rc == TWX_OK) rc = put_joined(c, m, " OR ", &others);
    merge(whole, &others);
    deepen(whole, 2, 4);
    return rc == TWX_OK && both ? put(c, ")") : rc;
}

static twx_rc put_match(compiler *c, const twx_rule_node *node, members *m, piece *whole) {
    twx_rc rc = TWX_OK;
    switch (node->op) {
    case TWX_RULE_ALL_OF:
    case TWX_RULE_ANY_OF:
    case TWX_RULE_CLAUSES:
        rc = put(c, "(");
        list_children(c, c->matches, node, m);
        if (rc == TWX_OK && node->op == TWX_RULE_CLAUSES)
            rc = put_clauses(c, node, m, whole);
        else if (rc == TWX_OK)
            rc = put_joined(c, m, node->op == TWX_RULE_ALL_OF ? " AND " : " OR ", whole);
        break;
    case TWX_RULE_NONE_OF:
        rc = put(c, "(NOT ");
        if (rc == TWX_OK) rc = put_piece(c, &c->matches[node->first], whole);
        break;
    default: return put_leaf(c, node, whole);
    }
    deepen(whole, 1, node->op == TWX_RULE_NONE_OF ? 2 : 1);
    return rc == TWX_OK ? put(c, ")") : rc;
}

/* ---- queries: what does it count? --------------------------------------- */

static double weight_of(const compiler *c, const twx_rule_node *node) {
    if (node->mute) return 0;
    double weight = node->weight;
    /* the weight of a negation is that of its operand */
    while (node->op == TWX_RULE_NONE_OF && !node->constant) {
        node = &c->nodes[node->first];
        weight *= node->weight;
    }
    return weight;
}

/* A group, whose score is the sum of its members' scores. */
static bool is_group(const twx_rule_node *node) {
    return !node->constant && (node->op == TWX_RULE_ALL_OF || node->op == TWX_RULE_ANY_OF ||
                               node->op == TWX_RULE_CLAUSES);
}

/* (sum of members) * match * weight. A group of alternatives scores nothing when none matches. The
 * nested part comes first, because the parser keeps what precedes it on its stack. */
static twx_rc put_count(compiler *c, uint16_t i, members *m, piece *whole) {
    const twx_rule_node *node = &c->nodes[i];
    const bool sums = is_group(node), asks = !sums || node->op != TWX_RULE_ANY_OF;
    piece match = {0};
    twx_rc rc = put(c, "(");
    if (rc == TWX_OK && sums) {
        rc = put(c, "(");
        list_children(c, c->counts, node, m);
        if (rc == TWX_OK) rc = put_joined(c, m, "+", whole);
        if (rc == TWX_OK) rc = put(c, ")*");
        deepen(whole, 2, 2);
    }
    if (rc == TWX_OK && asks) {
        rc = put(c, "coalesce(");
        if (rc == TWX_OK) rc = put_piece(c, &c->matches[i], &match);
        if (rc == TWX_OK) rc = put(c, ",0)*");
        deepen(&match, 3, LEAF_STACK);
        merge(whole, &match);
    }
    if (rc == TWX_OK) rc = put_real(c, weight_of(c, node));
    return rc == TWX_OK ? put(c, ")") : rc;
}

/* ---- functions ---------------------------------------------------------- */

/* $1 is the first argument, $* all of them separated by commas. */
static twx_rc put_template(compiler *c, const char *sql, const members *arguments, piece *whole) {
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && *sql) {
        const char *dollar = strchr(sql, '$');
        const size_t plain = dollar ? (size_t)(dollar - sql) : strlen(sql);
        rc = twx_buf_add(c->cx, &c->text, sql, plain);
        sql += plain;
        if (rc != TWX_OK || !dollar) break;
        const size_t from = sql[1] == '*' ? 0 : (size_t)(sql[1] - '1');
        const size_t to = sql[1] == '*' ? arguments->n : from + 1;
        for (size_t i = from; rc == TWX_OK && i < to; i++) {
            if (i > from) rc = put(c, ",");
            if (rc == TWX_OK) rc = put_piece(c, &arguments->at[i], whole);
        }
        sql += 2;
    }
    return rc;
}

static twx_rc put_call(compiler *c, const twx_rule_node *node, members *m, piece *whole) {
    const twx_rule_function *f = twx_rule_function_at(node->function);
    list_children(c, c->matches, node, m);
    twx_rc rc = TWX_OK;
    if (f->sql[0]) {
        rc = put_template(c, f->sql, m, whole);
    } else {
        /* AND gives an integer */
        const bool truth = f->join[0] == ' ';
        rc = put(c, truth ? "((" : "(");
        if (rc == TWX_OK) rc = put_joined(c, m, f->join, whole);
        if (rc == TWX_OK) rc = put(c, truth ? ")+0.0)" : ")");
    }
    deepen(whole, LEVEL_HEIGHT, f->whole ? 2 * LEVEL_STACK : LEVEL_STACK);
    return rc;
}

static twx_rc put_value(compiler *c, const twx_rule_node *node, members *m, piece *whole) {
    if (node->op == TWX_RULE_AMOUNT) return put_real(c, node->amount);
    if (node->op == TWX_RULE_CALL) return put_call(c, node, m, whole);
    deepen(whole, 2, LEVEL_STACK);
    if (node->field >= c->fields->n)
        return twx_buf_printf(c->cx, &c->text, "rule_number(f.id, %d)",
                              (int)twx_rule_property_of(c->fields, node->field));
    return twx_buf_printf(c->cx, &c->text, "CAST(f.%s AS REAL)", field_of(c, node));
}

/* ---- all of it ---------------------------------------------------------- */

static bool is_query(const twx_rule_node *node) {
    return node->op <= TWX_RULE_NONE_OF;
}

static twx_rc compile_node(compiler *c, uint16_t i, members *m) {
    const twx_rule_node *node = &c->nodes[i];
    piece p = begin(c);
    twx_rc rc = is_query(node) ? put_match(c, node, m, &p) : put_value(c, node, m, &p);
    end(c, &p);
    c->matches[i] = p;
    if (rc != TWX_OK || !is_query(node)) return rc;
    p = begin(c);
    rc = put_count(c, i, m, &p);
    end(c, &p);
    c->counts[i] = p;
    return rc;
}

/* The line of the rule that contains node i: the one with the next root after it. */
static size_t line_of(const twx_rules *rules, size_t i) {
    const twx_rule_list lists[] = {twx_rules_boosts(rules), twx_rules_filters(rules),
                                   twx_rules_functions(rules)};
    size_t root = TWX_RULE_NO_NODE, line = 0;
    for (size_t k = 0; k < TWX_COUNTOF(lists); k++)
        for (size_t p = 0; p < lists[k].n; p++) {
            if (lists[k].at[p].root < i || lists[k].at[p].root >= root) continue;
            root = lists[k].at[p].root;
            line = lists[k].at[p].line;
        }
    return line;
}

static twx_rc compile_nodes(compiler *c, const twx_rules *rules, size_t n, members *m) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        rc = compile_node(c, (uint16_t)i, m);
        const piece *counts = is_query(&c->nodes[i]) ? &c->counts[i] : &c->matches[i];
        if (rc == TWX_OK && (counts->height > HEIGHT_MAX || counts->stack > STACK_MAX))
            rc = twx_fail(c->cx, TWX_E_CONFIG,
                          "%.300s:%zu:1: parentheses or calls are nested too deep for SQLite",
                          c->name, line_of(rules, i));
    }
    return rc;
}

static char *text_of(const compiler *c, const piece *p) {
    return twx_strndup(c->cx, c->text.p + p->at, p->n);
}

static twx_rc make_filter(compiler *c, twx_rule_list filters, members *m, char **ret_filter) {
    piece p = begin(c);
    m->n = 0;
    for (size_t i = 0; i < filters.n; i++) m->at[m->n++] = c->matches[filters.at[i].root];
    twx_rc rc = m->n ? put_joined(c, m, "\n  AND ", &p) : put(c, "1");
    end(c, &p);
    if (rc == TWX_OK) *ret_filter = text_of(c, &p);
    return rc == TWX_OK && !*ret_filter ? TWX_E_NOMEM : rc;
}

/* A function with its weight, clipped to the limits. */
static twx_rc put_bounded(compiler *c, uint16_t root, piece *whole) {
    twx_rc rc = put(c, "coalesce(max(-1e30,min(1e30,");
    if (rc == TWX_OK) rc = put_real(c, c->nodes[root].weight);
    if (rc == TWX_OK) rc = put(c, "*");
    if (rc == TWX_OK) rc = put_piece(c, &c->matches[root], whole);
    return rc == TWX_OK ? put(c, ")),0.0)") : rc;
}

static twx_rc add_part(compiler *c, piece p, twx_rule_sql *sql, members *m) {
    char *text = text_of(c, &p);
    if (!text) return TWX_E_NOMEM;
    sql->parts[sql->n_parts++] = text;
    m->at[m->n++] = p;
    return TWX_OK;
}

static twx_rc make_parts(compiler *c, const twx_rules *rules, members *m, twx_rule_sql *sql) {
    const twx_rule_list boosts = twx_rules_boosts(rules), functions = twx_rules_functions(rules);
    twx_rc rc = TWX_OK;
    sql->parts = twx_calloc(c->cx, boosts.n + functions.n + 1, sizeof *sql->parts);
    if (!sql->parts) return TWX_E_NOMEM;
    m->n = 0;
    for (size_t i = 0; rc == TWX_OK && i < boosts.n; i++) {
        piece p = begin(c);
        rc = put(c, "max(-1e30,min(1e30,");
        if (rc == TWX_OK) rc = put_piece(c, &c->counts[boosts.at[i].root], &p);
        if (rc == TWX_OK) rc = put(c, "))");
        end(c, &p);
        if (rc == TWX_OK) rc = add_part(c, p, sql, m);
    }
    for (size_t i = 0; rc == TWX_OK && i < functions.n; i++) {
        piece p = begin(c);
        rc = put_bounded(c, functions.at[i].root, &p);
        end(c, &p);
        if (rc == TWX_OK) rc = add_part(c, p, sql, m);
    }
    piece sum = begin(c);
    if (rc == TWX_OK) rc = m->n ? put_joined(c, m, "\n     + ", &sum) : put(c, "0.0");
    end(c, &sum);
    if (rc == TWX_OK) sql->score = text_of(c, &sum);
    return rc == TWX_OK && !sql->score ? TWX_E_NOMEM : rc;
}

twx_rc twx_rule_sql_make(twx_ctx *cx, const char *name, const twx_rules *rules,
                         twx_rule_sql *ret_sql) {
    size_t n = 0;
    twx_rule_sql sql = {0};
    compiler c = {.cx = cx,
                  .name = name,
                  .fields = twx_rules_fields(rules),
                  .nodes = twx_rules_nodes(rules, &n)};
    members *m = twx_calloc(cx, 1, sizeof *m);
    twx_buf_init(&c.text, TWX_RULE_SQL_BYTES);
    c.matches = twx_calloc(cx, n + 1, sizeof *c.matches);
    c.counts = twx_calloc(cx, n + 1, sizeof *c.counts);
    twx_rc rc = m && c.matches && c.counts ? compile_nodes(&c, rules, n, m) : TWX_E_NOMEM;
    if (rc == TWX_OK) rc = make_filter(&c, twx_rules_filters(rules), m, &sql.filter);
    if (rc == TWX_OK) rc = make_parts(&c, rules, m, &sql);
    if (rc == TWX_E_LIMIT) {
        twx_ctx_clear(cx);
        rc = twx_fail(cx, TWX_E_CONFIG, "%.300s: the rules become more than %d KiB of SQL", name,
                      TWX_RULE_SQL_BYTES >> 10);
    }
    TWX_HAND_OVER(rc, ret_sql, sql, twx_rule_sql_done(&sql));
    twx_buf_done(&c.text);
    twx_free(c.matches);
    twx_free(c.counts);
    twx_free(m);
    return rc;
}

void twx_rule_sql_done(twx_rule_sql *sql) {
    if (!sql) return;
    for (size_t i = 0; i < sql->n_parts; i++) twx_free(sql->parts[i]);
    twx_free(sql->parts);
    twx_free(sql->filter);
    twx_free(sql->score);
    *sql = (twx_rule_sql){0};
}
