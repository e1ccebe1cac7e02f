/* Queries are parsed with a stack of groups instead of recursion. A group holds three chains of
 * finished nodes: those joined by AND since the last OR, those joined by OR since the last blank,
 * and the clauses separated by blanks. A chain that ends with a single node passes that node to the
 * next chain. Functions use a stack of calls. */
#include "rank/rule_parse.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/vec.h"
#include "rank/rule_function.h"
#include "rank/rule_lex.h"
#include "rank/rule_number.h"

typedef TWX_VEC(twx_rule_part) part_list;

struct twx_rules {
    const twx_rule_fields *fields;
    char *text; /* the file; parts and tokens point into it */
    TWX_VEC(twx_rule_node) nodes;
    part_list boosts, filters, functions;
    double column[TWX_RULES_COLUMNS];
};

typedef struct parser {
    twx_ctx *cx;
    twx_rules *rules;
    twx_rule_lexer lexer;
    twx_rule_token token; /* the next one, not consumed yet */
    size_t taken;         /* end of the last consumed token */
    bool has_columns;
} parser;

typedef struct chain {
    uint16_t first, last, n;
} chain;

static const chain NO_CHAIN = {TWX_RULE_NO_NODE, TWX_RULE_NO_NODE, 0};

/* ---- tokens ------------------------------------------------------------- */

static twx_rc take(parser *p) {
    p->taken = p->token.end;
    return twx_rule_next(&p->lexer, &p->token);
}

static bool at(const parser *p, twx_rule_token_kind kind) {
    return p->token.kind == kind;
}

static bool at_line_end(const parser *p) {
    return at(p, TWX_RULE_LINE) || at(p, TWX_RULE_END);
}

/* Reports what was found instead of what is expected. */
static twx_rc fail_wanted(parser *p, const char *wanted) {
    if (at_line_end(p))
        return twx_rule_fail(&p->lexer, &p->token, "%s is missing before the end of the line",
                             wanted);
    return twx_rule_fail(&p->lexer, &p->token, "%s is wanted here, not '%.*s'", wanted,
                         (int)(p->token.end - p->token.at < 40 ? p->token.end - p->token.at : 40),
                         p->lexer.text.p + p->token.at);
}

static twx_rc expect(parser *p, twx_rule_token_kind kind, const char *what) {
    return at(p, kind) ? take(p) : fail_wanted(p, what);
}

/* ---- names -------------------------------------------------------------- */

static void copy_word(twx_slice word, char ret_name[TWX_RULES_NAME]) {
    const size_t n = word.n < TWX_RULES_NAME - 1 ? word.n : TWX_RULES_NAME - 1;
    memcpy(ret_name, word.p, n);
    ret_name[n] = '\0';
}

/* "no field 'x'; did you mean y?" */
static twx_rc fail_unknown(parser *p, const twx_rule_token *token, const char *kind,
                           const twx_nearest *near) {
    return near->name ? twx_rule_fail(&p->lexer, token, "no %s '%.63s'; did you mean %s?", kind,
                                      near->word, near->name)
                      : twx_rule_fail(&p->lexer, token, "no %s '%.63s'", kind, near->word);
}

static twx_rc find_field(parser *p, const twx_rule_token *token, uint16_t *ret_field) {
    const twx_rule_fields *fields = p->rules->fields;
    char name[TWX_RULES_NAME];
    copy_word(token->text, name);
    twx_nearest near = twx_nearest_of(name);
    for (size_t i = 0; i < fields->n; i++) {
        if (twx_slice_eq(token->text, twx_slice_of(fields->at[i].name))) {
            *ret_field = (uint16_t)i;
            return TWX_OK;
        }
        twx_nearest_try(&near, fields->at[i].name);
    }
    return fail_unknown(p, token, "field", &near);
}

/* ---- nodes -------------------------------------------------------------- */

static twx_rule_node *node_at(parser *p, uint16_t i) {
    return &p->rules->nodes.at[i];
}

static twx_rc add_node(parser *p, twx_rule_node node, uint16_t *ret_node) {
    if (p->rules->nodes.n == TWX_RULES_NODES)
        return twx_rule_fail(
            &p->lexer, &p->token,
            "these are more rules than fit: %d clauses and arguments are the limit",
            TWX_RULES_NODES);
    if (!TWX_VEC_PUSH(p->cx, &p->rules->nodes, node)) return TWX_E_NOMEM;
    *ret_node = (uint16_t)(p->rules->nodes.n - 1);
    return TWX_OK;
}

static twx_rule_node node_of(twx_rule_op op) {
    return (twx_rule_node){
        .op = op, .first = TWX_RULE_NO_NODE, .next = TWX_RULE_NO_NODE, .weight = 1};
}

static void append(parser *p, chain *c, uint16_t i) {
    if (c->n++)
        node_at(p, c->last)->next = i;
    else
        c->first = i;
    c->last = i;
}

/* [R3] A negation scores only among negations. */
static void mute_negations(parser *p, const chain *c) {
    uint16_t negations = 0;
    for (uint16_t i = c->first; i != TWX_RULE_NO_NODE; i = node_at(p, i)->next)
        if (node_at(p, i)->occurs == TWX_RULE_MUST_NOT) negations++;
    for (uint16_t i = c->first; negations < c->n && i != TWX_RULE_NO_NODE; i = node_at(p, i)->next)
        if (node_at(p, i)->occurs == TWX_RULE_MUST_NOT) node_at(p, i)->mute = true;
}

/* One node for a chain: its only member, or a new parent of its members. */
static twx_rc close_chain(parser *p, chain *c, twx_rule_op op, uint16_t *ret_node) {
    twx_rc rc = TWX_OK;
    *ret_node = c->first;
    if (c->n > 1) {
        if (op != TWX_RULE_ANY_OF) mute_negations(p, c);
        twx_rule_node group = node_of(op);
        group.first = c->first;
        group.children = c->n;
        rc = add_node(p, group, ret_node);
    }
    *c = NO_CHAIN;
    return rc;
}

static twx_rc negate(parser *p, uint16_t *node) {
    twx_rule_node negation = node_of(TWX_RULE_NONE_OF);
    negation.first = *node;
    negation.children = 1;
    return add_node(p, negation, node);
}

/* ---- numbers and weights ------------------------------------------------ */

static twx_rc read_real(parser *p, const char *what, double *ret_value) {
    const bool negative = at(p, TWX_RULE_MINUS);
    twx_rc rc = negative ? take(p) : TWX_OK;
    if (rc != TWX_OK) return rc;
    if (!at(p, TWX_RULE_WORD) || !twx_rule_real(p->token.text, ret_value))
        return fail_wanted(p, what);
    if (negative) *ret_value = -*ret_value;
    return take(p);
}

/* ^weight or ^=weight, if present. */
static twx_rc read_weight(parser *p, double *weight, bool *ret_constant) {
    double factor = 1;
    const bool constant = at(p, TWX_RULE_CARET_CONSTANT);
    if (!constant && !at(p, TWX_RULE_CARET)) return TWX_OK;
    twx_rc rc = take(p);
    if (rc == TWX_OK) rc = read_real(p, "a weight", &factor);
    if (rc != TWX_OK) return rc;
    *weight = constant ? factor : *weight * factor;
    if (constant) *ret_constant = true;
    return TWX_OK;
}

/* ---- values of a field -------------------------------------------------- */

static twx_rc fail_value(parser *p, const twx_rule_token *token, const twx_rule_field *field) {
    switch (field->kind) {
    case TWX_RULE_BOOL: return twx_rule_fail(&p->lexer, token, "%s is true or false", field->name);
    case TWX_RULE_NUMBER:
        return twx_rule_fail(&p->lexer, token, "%s is a whole number of 64 bits", field->name);
    case TWX_RULE_ID:
        return twx_rule_fail(&p->lexer, token, "%s holds ids: only %s:* can be asked", field->name,
                             field->name);
    default:
        return twx_rule_fail(&p->lexer, token, "%s has no order: there are no ranges of it",
                             field->name);
    }
}

static bool is_any(const twx_rule_token *token) {
    return token->kind == TWX_RULE_WORD && twx_slice_eq(token->text, TWX_SLICE_LIT("*"));
}

static twx_rc check_wildcard(parser *p) {
    const twx_slice text = p->token.text;
    if (!at(p, TWX_RULE_WORD)) return TWX_OK;
    if (twx_slice_find(text, '*', 0) == text.n && twx_slice_find(text, '?', 0) == text.n)
        return TWX_OK;
    return twx_rule_fail(&p->lexer, &p->token,
                         "there are no wildcards: field:* asks whether it has a value");
}

/* A number of a numeric or boolean field. */
static twx_rc read_integer(parser *p, const twx_rule_field *field, int64_t *ret_value) {
    bool negative = at(p, TWX_RULE_MINUS);
    twx_rc rc = negative ? take(p) : TWX_OK;
    if (rc == TWX_OK) rc = check_wildcard(p);
    if (rc != TWX_OK) return rc;
    twx_slice text = p->token.text;
    if (at(p, TWX_RULE_QUOTED) && !negative && twx_slice_starts(text, TWX_SLICE_LIT("-"))) {
        negative = true;
        text = twx_slice_sub(text, 1, text.n);
    }
    const bool value = at(p, TWX_RULE_WORD) || at(p, TWX_RULE_QUOTED),
               truth = field->kind == TWX_RULE_BOOL;
    if (!value) return fail_wanted(p, "a value");
    if (truth && !negative && twx_slice_eq_nocase(text, TWX_SLICE_LIT("true")))
        *ret_value = 1;
    else if (truth && !negative && twx_slice_eq_nocase(text, TWX_SLICE_LIT("false")))
        *ret_value = 0;
    else if (!twx_rule_integer(text, negative, ret_value) ||
             (truth && (*ret_value < 0 || *ret_value > 1)))
        return fail_value(p, &p->token, field);
    return take(p);
}

static twx_rc read_name(parser *p, const twx_rule_field *field, const char **ret_word) {
    char name[TWX_RULES_NAME];
    twx_rc rc = check_wildcard(p);
    if (rc != TWX_OK) return rc;
    if (!at(p, TWX_RULE_WORD) && !at(p, TWX_RULE_QUOTED)) return fail_wanted(p, "a value");
    copy_word(p->token.text, name);
    twx_nearest near = twx_nearest_of(name);
    for (size_t i = 0; field->words[i]; i++) {
        twx_nearest_try(&near, field->words[i]);
        if (!twx_slice_eq(p->token.text, twx_slice_of(field->words[i]))) continue;
        *ret_word = field->words[i];
        return take(p);
    }
    return fail_unknown(p, &p->token, field->name, &near);
}

static twx_rc read_end(parser *p, const twx_rule_field *field, bool *ret_has, int64_t *ret_value) {
    *ret_has = !is_any(&p->token);
    return *ret_has ? read_integer(p, field, ret_value) : take(p);
}

/* [a TO b], {a TO b} */
static twx_rc read_range(parser *p, const twx_rule_field *field, twx_rule_node *node) {
    const twx_rule_token begin = p->token;
    if (field->kind != TWX_RULE_BOOL && field->kind != TWX_RULE_NUMBER)
        return fail_value(p, &begin, field);
    node->op = TWX_RULE_BETWEEN;
    node->low_open = at(p, TWX_RULE_BEHIND);
    twx_rc rc = take(p);
    if (rc == TWX_OK) rc = read_end(p, field, &node->has_low, &node->low);
    if (rc != TWX_OK) return rc;
    if (!at(p, TWX_RULE_WORD) || !twx_slice_eq(p->token.text, TWX_SLICE_LIT("TO")))
        return fail_wanted(p, "TO");
    rc = take(p);
    if (rc == TWX_OK) rc = read_end(p, field, &node->has_high, &node->high);
    if (rc != TWX_OK) return rc;
    node->high_open = at(p, TWX_RULE_BEFORE);
    if (!node->high_open && !at(p, TWX_RULE_UP_TO)) return fail_wanted(p, "']' or '}'");
    if (node->has_low && node->has_high && node->low > node->high)
        return twx_rule_fail(&p->lexer, &begin,
                             "nothing is in this range: its end is below its beginning");
    if (!node->has_low && !node->has_high) node->op = TWX_RULE_HAS;
    return take(p);
}

/* The value after "field:". */
static twx_rc read_value(parser *p, uint16_t field, uint16_t *ret_node) {
    const twx_rule_field *f = &p->rules->fields->at[field];
    twx_rule_node node = node_of(TWX_RULE_EQUALS);
    twx_rc rc = TWX_OK;
    node.field = field;
    if (at(p, TWX_RULE_FROM) || at(p, TWX_RULE_BEHIND)) {
        rc = read_range(p, f, &node);
    } else if (is_any(&p->token)) {
        node.op = TWX_RULE_HAS;
        rc = take(p);
    } else if (f->kind == TWX_RULE_ID) {
        rc = fail_value(p, &p->token, f);
    } else {
        rc = f->kind == TWX_RULE_NAME ? read_name(p, f, &node.word) : read_integer(p, f, &node.low);
    }
    return rc == TWX_OK ? add_node(p, node, ret_node) : rc;
}

/* ---- queries ------------------------------------------------------------ */

/* A group is between two parentheses, or the whole line. */
typedef struct group {
    chain ands, ors, clauses;
    bool negated, required; /* prefixes of the next operand */
    bool plus;              /* an operand of this clause was marked '+' */
    size_t clause_at;       /* where this clause begins */
    uint16_t field;         /* field:( ... ): values without a field belong to this one */
    twx_rule_token open;
} group;

static group group_of(uint16_t field, const twx_rule_token *open) {
    return (group){
        .ands = NO_CHAIN, .ors = NO_CHAIN, .clauses = NO_CHAIN, .field = field, .open = *open};
}

static twx_rc read_prefixes(parser *p, group *g) {
    twx_rc rc = TWX_OK;
    g->negated = g->required = false;
    while (rc == TWX_OK && (at(p, TWX_RULE_NOT) || at(p, TWX_RULE_MINUS) || at(p, TWX_RULE_PLUS))) {
        if (at(p, TWX_RULE_PLUS))
            g->required = true;
        else
            g->negated = !g->negated;
        rc = take(p);
    }
    return rc;
}

/* Ends a clause and adds it to those of its group. */
static twx_rc end_clause(parser *p, group *g) {
    uint16_t node = TWX_RULE_NO_NODE;
    const bool alternatives = g->ors.n > 0,
               negation = g->negated && g->ands.n == 1 && !alternatives;
    twx_rc rc = close_chain(p, &g->ands, TWX_RULE_ALL_OF, &node);
    if (rc != TWX_OK) return rc;
    append(p, &g->ors, node);
    if (g->plus && alternatives)
        return twx_rule_fail(&p->lexer, &g->open,
                             "'+' beside OR: put the alternatives in parentheses, +(a OR b)");
    rc = close_chain(p, &g->ors, TWX_RULE_ANY_OF, &node);
    if (rc != TWX_OK) return rc;
    node_at(p, node)->at = g->clause_at;
    node_at(p, node)->end = p->taken;
    node_at(p, node)->occurs = negation  ? TWX_RULE_MUST_NOT
                               : g->plus ? TWX_RULE_MUST
                                         : TWX_RULE_MAY;
    append(p, &g->clauses, node);
    g->plus = false;
    return TWX_OK;
}

/* Adds an operand to the chain of ANDs; the next token determines where the chain ends. */
static twx_rc join(parser *p, group *g, uint16_t node) {
    twx_rc rc = g->negated ? negate(p, &node) : TWX_OK;
    if (rc != TWX_OK) return rc;
    node_at(p, node)->occurs = g->negated ? TWX_RULE_MUST_NOT : TWX_RULE_MAY;
    if (g->required && !g->negated) g->plus = true;
    append(p, &g->ands, node);
    if (at(p, TWX_RULE_AND)) return take(p);
    if (!at(p, TWX_RULE_OR)) return end_clause(p, g);
    rc = close_chain(p, &g->ands, TWX_RULE_ALL_OF, &node);
    if (rc != TWX_OK) return rc;
    append(p, &g->ors, node);
    return take(p);
}

/* Does an operator still need its right operand? */
static bool waits(const group *g) {
    return g->ands.n > 0 || g->ors.n > 0;
}

static twx_rc close_group(parser *p, group *g, uint16_t *ret_node) {
    if (waits(g) || g->clauses.n == 0) return fail_wanted(p, "a clause");
    return close_chain(p, &g->clauses, TWX_RULE_CLAUSES, ret_node);
}

static twx_rc read_clause_weight(parser *p, uint16_t node) {
    double weight = node_at(p, node)->weight;
    bool constant = node_at(p, node)->constant;
    twx_rc rc = read_weight(p, &weight, &constant);
    node_at(p, node)->weight = weight;
    node_at(p, node)->constant = constant;
    return rc;
}

/* "field:" or a value of the group's field. *ret_group: an opening parenthesis follows. */
static twx_rc read_operand(parser *p, const group *g, uint16_t *ret_node, uint16_t *ret_field,
                           bool *ret_group) {
    const twx_rule_token name = p->token;
    uint16_t field = g->field;
    *ret_group = at(p, TWX_RULE_OPEN);
    *ret_field = field;
    if (*ret_group) return TWX_OK;
    if (field != TWX_RULE_NO_NODE) return read_value(p, field, ret_node);
    if (!at(p, TWX_RULE_WORD)) return fail_wanted(p, "a clause, field:value,");
    twx_rc rc = take(p);
    if (rc == TWX_OK && !at(p, TWX_RULE_COLON) && at_line_end(p) &&
        twx_rule_real(name.text, &(double){0}))
        return twx_rule_fail(&p->lexer, &name, "a clause is field:value");
    if (rc == TWX_OK && is_any(&name)) {
        rc = expect(p, TWX_RULE_COLON, "':'");
        if (rc == TWX_OK && !is_any(&p->token)) rc = fail_wanted(p, "'*' (everything is *:*)");
        if (rc == TWX_OK) rc = take(p);
        return rc == TWX_OK ? add_node(p, node_of(TWX_RULE_EVERYTHING), ret_node) : rc;
    }
    if (rc == TWX_OK) rc = find_field(p, &name, ret_field);
    if (rc == TWX_OK) rc = expect(p, TWX_RULE_COLON, "':' after the field");
    if (rc != TWX_OK) return rc;
    *ret_group = at(p, TWX_RULE_OPEN);
    return *ret_group ? TWX_OK : read_value(p, *ret_field, ret_node);
}

static twx_rc fail_deep(parser *p) {
    return twx_rule_fail(&p->lexer, &p->token, "parentheses are nested deeper than %d",
                         TWX_RULES_DEPTH);
}

/* One step: an operand, an opening parenthesis, or closing ones. *ret_depth 0: the line is
 * complete, *ret_node is its root. */
static twx_rc step_query(parser *p, group *stack, size_t *depth, uint16_t *ret_node) {
    group *g = &stack[*depth - 1];
    uint16_t node = TWX_RULE_NO_NODE, field = TWX_RULE_NO_NODE;
    bool opens = false;
    const bool closes = at(p, TWX_RULE_CLOSE), ends = at_line_end(p);
    twx_rc rc = TWX_OK;
    if (closes || ends) {
        if (closes && *depth == 1) return twx_rule_fail(&p->lexer, &p->token, "')' without '('");
        if (ends && *depth > 1)
            return twx_rule_fail(&p->lexer, &g->open,
                                 "this '(' is not closed before the end of the line");
        rc = close_group(p, g, &node);
        --*depth;
        if (rc == TWX_OK && ends) *ret_node = node;
        if (rc != TWX_OK || ends) return rc;
        rc = take(p);
        if (rc == TWX_OK) rc = read_clause_weight(p, node);
        return rc == TWX_OK ? join(p, &stack[*depth - 1], node) : rc;
    }
    if (!waits(g)) g->clause_at = p->token.at;
    rc = read_prefixes(p, g);
    if (rc == TWX_OK) rc = read_operand(p, g, &node, &field, &opens);
    if (rc != TWX_OK) return rc;
    if (!opens) {
        rc = read_clause_weight(p, node);
        return rc == TWX_OK ? join(p, g, node) : rc;
    }
    if (*depth > TWX_RULES_DEPTH) return fail_deep(p);
    stack[(*depth)++] = group_of(field, &p->token);
    return take(p);
}

static twx_rc add_part(parser *p, part_list *list, const twx_rule_part *part) {
    if (list->n == TWX_RULES_PARTS)
        return twx_rule_fail(&p->lexer, &p->token, "%d of a kind are the limit", TWX_RULES_PARTS);
    return TWX_VEC_PUSH(p->cx, list, *part) ? TWX_OK : TWX_E_NOMEM;
}

/* Reads one line. */
static twx_rc read_query(parser *p, twx_rule_part *ret_part) {
    group stack[TWX_RULES_DEPTH + 1];
    size_t depth = 1;
    const size_t from = p->token.at;
    twx_rc rc = TWX_OK;
    *ret_part = (twx_rule_part){.root = TWX_RULE_NO_NODE, .line = p->token.line};
    stack[0] = group_of(TWX_RULE_NO_NODE, &p->token);
    while (rc == TWX_OK && depth > 0) rc = step_query(p, stack, &depth, &ret_part->root);
    ret_part->text = twx_slice_sub(p->lexer.text, from, p->taken);
    return rc;
}

static twx_rc read_filter(parser *p) {
    twx_rule_part part;
    twx_rc rc = read_query(p, &part);
    return rc == TWX_OK ? add_part(p, &p->rules->filters, &part) : rc;
}

static bool are_alternatives(parser *p, uint16_t root) {
    if (node_at(p, root)->op != TWX_RULE_CLAUSES || node_at(p, root)->weight != 1 ||
        node_at(p, root)->constant)
        return false;
    for (uint16_t i = node_at(p, root)->first; i != TWX_RULE_NO_NODE; i = node_at(p, i)->next)
        if (node_at(p, i)->occurs != TWX_RULE_MAY) return false;
    return true;
}

/* Top-level alternatives become boosts of their own, so that the contribution of each can be
 * shown. */
static twx_rc read_boosts(parser *p) {
    twx_rule_part whole;
    twx_rc rc = read_query(p, &whole);
    if (rc != TWX_OK) return rc;
    if (!are_alternatives(p, whole.root)) return add_part(p, &p->rules->boosts, &whole);
    for (uint16_t i = node_at(p, whole.root)->first; rc == TWX_OK && i != TWX_RULE_NO_NODE;
         i = node_at(p, i)->next) {
        const twx_rule_part part = {
            i, whole.line, twx_slice_sub(p->lexer.text, node_at(p, i)->at, node_at(p, i)->end)};
        rc = add_part(p, &p->rules->boosts, &part);
    }
    return rc;
}

/* ---- functions ---------------------------------------------------------- */

typedef struct call {
    uint16_t function; /* the first of its overloads */
    chain arguments;
    twx_rule_token name;
} call;

static twx_rc find_function(parser *p, const twx_rule_token *name, uint16_t *ret_function) {
    const twx_rule_function *f = NULL;
    char word[TWX_RULES_NAME];
    copy_word(name->text, word);
    twx_nearest near = twx_nearest_of(word);
    for (size_t i = 0; (f = twx_rule_function_at(i)); i++) {
        twx_nearest_try(&near, f->name);
        if (!twx_slice_eq(name->text, twx_slice_of(f->name))) continue;
        *ret_function = (uint16_t)i;
        return TWX_OK;
    }
    return fail_unknown(p, name, "function", &near);
}

static bool has_whole(parser *p, uint16_t from, uint16_t to) {
    for (uint16_t i = from; i < to; i++)
        if (node_at(p, i)->op == TWX_RULE_CALL &&
            twx_rule_function_at(node_at(p, i)->function)->whole)
            return true;
    return false;
}

/* [R4] Which arguments are allowed, besides numbers. */
static twx_rc check_arguments(parser *p, const call *c, const twx_rule_function *f, uint16_t from) {
    size_t place = 0;
    if (f->whole && has_whole(p, from, (uint16_t)p->rules->nodes.n))
        return twx_rule_fail(&p->lexer, &c->name,
                             "%s looks at the whole result: it cannot stand in another %s", f->name,
                             f->name);
    for (uint16_t i = c->arguments.first; i != TWX_RULE_NO_NODE; i = node_at(p, i)->next, place++) {
        const twx_rule_node *node = node_at(p, i);
        if (f->whole && place > 0 && node->op != TWX_RULE_AMOUNT)
            return twx_rule_fail(&p->lexer, &c->name, "the ends of %s are numbers", f->usage);
        if (node->op != TWX_RULE_VALUE || f->any_kind) continue;
        const twx_rule_field *field = &p->rules->fields->at[node->field];
        if (field->kind != TWX_RULE_BOOL && field->kind != TWX_RULE_NUMBER)
            return twx_rule_fail(&p->lexer, &c->name,
                                 "%s holds no numbers: only exists(%s) can be asked", field->name,
                                 field->name);
    }
    return TWX_OK;
}

static twx_rc end_call(parser *p, const call *c, uint16_t from, uint16_t *ret_node) {
    const twx_rule_function *f = NULL;
    twx_rule_node node = node_of(TWX_RULE_CALL);
    node.first = c->arguments.first;
    node.children = c->arguments.n;
    for (size_t i = c->function; (f = twx_rule_function_at(i)); i++) {
        if (strcmp(f->name, twx_rule_function_at(c->function)->name) != 0) break;
        if (c->arguments.n < f->least || c->arguments.n > f->most) continue;
        node.function = (uint16_t)i;
        twx_rc rc = check_arguments(p, c, f, from);
        return rc == TWX_OK ? add_node(p, node, ret_node) : rc;
    }
    return twx_rule_fail(&p->lexer, &c->name, "%d arguments: it is called as %s", c->arguments.n,
                         twx_rule_function_at(c->function)->usage);
}

/* A number or a field; or the beginning of a call, *ret_call. */
static twx_rc read_term(parser *p, bool *ret_call, call *ret, uint16_t *ret_node) {
    twx_rule_node node = node_of(TWX_RULE_AMOUNT);
    const twx_rule_token name = p->token;
    twx_rc rc = TWX_OK;
    *ret_call = false;
    if (at(p, TWX_RULE_MINUS) ||
        (at(p, TWX_RULE_WORD) && twx_rule_real(p->token.text, &node.amount))) {
        rc = read_real(p, "a number", &node.amount);
        return rc == TWX_OK ? add_node(p, node, ret_node) : rc;
    }
    if (!at(p, TWX_RULE_WORD)) return fail_wanted(p, "a number, a field or a function");
    rc = take(p);
    if (rc != TWX_OK) return rc;
    if (at(p, TWX_RULE_OPEN)) {
        *ret_call = true;
        *ret = (call){.arguments = NO_CHAIN, .name = name};
        rc = find_function(p, &name, &ret->function);
        return rc == TWX_OK ? take(p) : rc;
    }
    node.op = TWX_RULE_VALUE;
    rc = find_field(p, &name, &node.field);
    return rc == TWX_OK ? add_node(p, node, ret_node) : rc;
}

/* Reads what follows an argument: a comma, or any number of closing parentheses. */
static twx_rc end_arguments(parser *p, call *stack, size_t *depth, uint16_t from, uint16_t *node) {
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && *depth > 0) {
        call *c = &stack[*depth - 1];
        if (c->arguments.n == TWX_RULES_ARGUMENTS)
            return twx_rule_fail(&p->lexer, &p->token, "%d arguments are the limit",
                                 TWX_RULES_ARGUMENTS);
        append(p, &c->arguments, *node);
        if (at(p, TWX_RULE_COMMA)) return take(p);
        if (!at(p, TWX_RULE_CLOSE)) return fail_wanted(p, "',' or ')'");
        rc = end_call(p, c, from, node);
        if (rc == TWX_OK) rc = take(p);
        --*depth;
    }
    return rc;
}

static twx_rc check_top(parser *p, const twx_rule_token *token, uint16_t node) {
    const twx_rule_node *top = node_at(p, node);
    const twx_rule_field *field = &p->rules->fields->at[top->field];
    if (top->op != TWX_RULE_VALUE || field->kind == TWX_RULE_BOOL || field->kind == TWX_RULE_NUMBER)
        return TWX_OK;
    return twx_rule_fail(&p->lexer, token, "%s holds no numbers: only exists(%s) can be asked",
                         field->name, field->name);
}

static twx_rc read_function(parser *p) {
    call stack[TWX_RULES_DEPTH];
    size_t depth = 0;
    const twx_rule_token begin = p->token;
    const uint16_t from = (uint16_t)p->rules->nodes.n;
    uint16_t node = TWX_RULE_NO_NODE;
    bool calls = false, constant = false;
    twx_rule_part part = {.line = begin.line};
    twx_rc rc = TWX_OK;
    do {
        call c;
        rc = read_term(p, &calls, &c, &node);
        if (rc != TWX_OK) return rc;
        if (calls && depth == TWX_RULES_DEPTH) return fail_deep(p);
        if (calls)
            stack[depth++] = c;
        else
            rc = end_arguments(p, stack, &depth, from, &node);
    } while (rc == TWX_OK && depth > 0);
    if (rc == TWX_OK) rc = check_top(p, &begin, node);
    if (rc == TWX_OK && at(p, TWX_RULE_CARET_CONSTANT)) rc = fail_wanted(p, "'^'");
    if (rc != TWX_OK) return rc;
    rc = read_weight(p, &node_at(p, node)->weight, &constant);
    part.text = twx_slice_sub(p->lexer.text, begin.at, p->taken);
    part.root = node;
    return rc == TWX_OK ? add_part(p, &p->rules->functions, &part) : rc;
}

/* ---- sections ----------------------------------------------------------- */

/* column^weight */
static twx_rc read_column(parser *p) {
    const twx_rule_fields *fields = p->rules->fields;
    const twx_rule_token token = p->token;
    char name[TWX_RULES_NAME];
    if (!at(p, TWX_RULE_WORD)) return fail_wanted(p, "a column of the text index");
    copy_word(token.text, name);
    twx_nearest near = twx_nearest_of(name);
    for (size_t i = 0; i < fields->n_columns; i++) {
        double weight = 1;
        bool constant = false;
        twx_nearest_try(&near, fields->columns[i].name);
        if (!twx_slice_eq(token.text, twx_slice_of(fields->columns[i].name))) continue;
        twx_rc rc = take(p);
        if (rc == TWX_OK) rc = read_weight(p, &weight, &constant);
        if (rc == TWX_OK && (weight < 0 || constant))
            rc = twx_rule_fail(&p->lexer, &token, "the weight of a column is ^number, 0 or more");
        p->rules->column[i] = weight;
        return rc;
    }
    return fail_unknown(p, &token, "column of the text index", &near);
}

static twx_rc begin_columns(parser *p) {
    if (!p->has_columns) memset(p->rules->column, 0, sizeof p->rules->column);
    p->has_columns = true;
    return TWX_OK;
}

typedef struct section {
    const char *name;
    twx_rc (*read)(parser *p); /* reads one item of its lines */
    twx_rc (*begin)(parser *p);
} section;

static const section SECTIONS[] = {
    {"boost", read_boosts, NULL},
    {"filter", read_filter, NULL},
    {"function", read_function, NULL},
    {"fields", read_column, begin_columns},
};

static twx_rc find_section(parser *p, const section **ret_section) {
    char name[TWX_RULES_NAME];
    copy_word(p->token.text, name);
    twx_nearest near = twx_nearest_of(name);
    for (size_t i = 0; i < TWX_COUNTOF(SECTIONS); i++) {
        twx_nearest_try(&near, SECTIONS[i].name);
        if (!twx_slice_eq(p->token.text, twx_slice_of(SECTIONS[i].name))) continue;
        *ret_section = &SECTIONS[i];
        return SECTIONS[i].begin ? SECTIONS[i].begin(p) : TWX_OK;
    }
    return fail_unknown(p, &p->token, "section", &near);
}

static twx_rc read_file(parser *p) {
    const section *current = NULL;
    twx_rc rc = twx_rule_next(&p->lexer, &p->token);
    while (rc == TWX_OK && !at(p, TWX_RULE_END)) {
        if (at(p, TWX_RULE_SECTION)) {
            rc = find_section(p, &current);
            if (rc == TWX_OK) rc = take(p);
        } else if (at(p, TWX_RULE_LINE)) {
            rc = take(p);
        } else if (!current) {
            rc = twx_rule_fail(&p->lexer, &p->token,
                               "a section comes first: [boost] [filter] [function] or [fields]");
        } else {
            rc = current->read(p);
        }
    }
    return rc;
}

twx_rc twx_rules_parse(twx_ctx *cx, const char *name, twx_slice text, const twx_rule_fields *fields,
                       twx_rules **ret_rules) {
    if (text.n > TWX_RULES_BYTES)
        return twx_fail(cx, TWX_E_CONFIG, "%.300s: longer than %d KiB", name,
                        TWX_RULES_BYTES >> 10);
    twx_rules *rules = twx_calloc(cx, 1, sizeof *rules);
    if (!rules) return TWX_E_NOMEM;
    rules->fields = fields;
    for (size_t i = 0; i < fields->n_columns; i++) rules->column[i] = fields->columns[i].weight;
    rules->text = twx_strndup(cx, text.n ? text.p : "", text.n);
    twx_rc rc = TWX_E_NOMEM;
    if (rules->text) {
        parser p = {.cx = cx, .rules = rules};
        p.lexer = twx_rule_lexer_of(cx, name, (twx_slice){rules->text, text.n});
        rc = read_file(&p);
    }
    if (rc == TWX_OK)
        *ret_rules = rules;
    else
        twx_rules_close(rules);
    return rc;
}

void twx_rules_close(twx_rules *rules) {
    if (!rules) return;
    TWX_VEC_DONE(&rules->nodes);
    TWX_VEC_DONE(&rules->boosts);
    TWX_VEC_DONE(&rules->filters);
    TWX_VEC_DONE(&rules->functions);
    twx_free(rules->text);
    twx_free(rules);
}

const twx_rule_fields *twx_rules_fields(const twx_rules *rules) {
    return rules->fields;
}

const twx_rule_node *twx_rules_nodes(const twx_rules *rules, size_t *ret_n) {
    *ret_n = rules->nodes.n;
    return rules->nodes.at;
}

twx_rule_list twx_rules_boosts(const twx_rules *rules) {
    return (twx_rule_list){rules->boosts.at, rules->boosts.n};
}

twx_rule_list twx_rules_filters(const twx_rules *rules) {
    return (twx_rule_list){rules->filters.at, rules->filters.n};
}

twx_rule_list twx_rules_functions(const twx_rules *rules) {
    return (twx_rule_list){rules->functions.at, rules->functions.n};
}

double twx_rules_column(const twx_rules *rules, size_t column) {
    return rules->column[column];
}
