/* Queries are parsed with a stack of groups instead of recursion. A group holds three chains of
 * finished nodes: those joined by AND since the last OR, those joined by OR since the last blank,
 * and the clauses separated by blanks. A chain that ends with a single node passes that node to the
 * next chain. */
#include "search/internal.h"

static twx_rc fail_value(twx_rule_parser *p, const twx_rule_token *token,
                         const twx_rule_field *field) {
    switch (field->kind) {
    case TWX_RULE_BOOL: return twx_rule_fail(&p->lexer, token, "%s is true or false", field->name);
    case TWX_RULE_NUMBER:
        return twx_rule_fail(&p->lexer, token, "%s is a whole number of 64 bits", field->name);
    case TWX_RULE_ID:
        return twx_rule_fail(&p->lexer, token, "%s holds ids: only %s:* is possible", field->name,
                             field->name);
    default:
        return twx_rule_fail(&p->lexer, token, "%s has no order: there are no ranges of it",
                             field->name);
    }
}

static bool is_any(const twx_rule_token *token) {
    return token->kind == TWX_RULE_WORD && twx_slice_eq(token->text, TWX_SLICE_LIT("*"));
}

/* A number of a numeric or boolean field. */
static twx_rc read_integer(twx_rule_parser *p, const twx_rule_field *field, int64_t *ret_value) {
    bool negative = twx_rule_at(p, TWX_RULE_MINUS);
    twx_rc rc = negative ? twx_rule_take(p) : TWX_OK;
    if (rc == TWX_OK) rc = twx_rule_check_wildcard(p);
    if (rc != TWX_OK) return rc;
    twx_slice text = p->token.text;
    if (twx_rule_at(p, TWX_RULE_QUOTED) && !negative &&
        twx_slice_starts(text, TWX_SLICE_LIT("-"))) {
        negative = true;
        text = twx_slice_sub(text, 1, text.n);
    }
    const bool value = twx_rule_at(p, TWX_RULE_WORD) || twx_rule_at(p, TWX_RULE_QUOTED),
               truth = field->kind == TWX_RULE_BOOL;
    if (!value) return twx_rule_fail_wanted(p, "a value");
    if (truth && !negative && twx_slice_eq_nocase(text, TWX_SLICE_LIT("true")))
        *ret_value = 1;
    else if (truth && !negative && twx_slice_eq_nocase(text, TWX_SLICE_LIT("false")))
        *ret_value = 0;
    else if (!twx_rule_integer(text, negative, ret_value) ||
             (truth && (*ret_value < 0 || *ret_value > 1)))
        return fail_value(p, &p->token, field);
    return twx_rule_take(p);
}

static twx_rc read_name(twx_rule_parser *p, const twx_rule_field *field, const char **ret_word) {
    char name[TWX_RULES_NAME];
    twx_rc rc = twx_rule_check_wildcard(p);
    if (rc != TWX_OK) return rc;
    if (!twx_rule_at(p, TWX_RULE_WORD) && !twx_rule_at(p, TWX_RULE_QUOTED))
        return twx_rule_fail_wanted(p, "a value");
    twx_rule_copy_word(p->token.text, name);
    twx_nearest near = twx_nearest_of(name);
    for (size_t i = 0; field->words[i]; i++) {
        twx_nearest_try(&near, field->words[i]);
        if (!twx_slice_eq(p->token.text, twx_slice_of(field->words[i]))) continue;
        *ret_word = field->words[i];
        return twx_rule_take(p);
    }
    return twx_rule_fail_unknown(p, &p->token, field->name, &near);
}

static bool is_amount(const twx_rule_field *field) {
    return field->kind == TWX_RULE_REAL || field->kind == TWX_RULE_DATE;
}

/* An end of a range. ret_first, ret_last: of an amount; ret_value: of another number. */
static twx_rc read_end(twx_rule_parser *p, const twx_rule_field *field, bool *ret_has,
                       int64_t *ret_value, double *ret_first, double *ret_last) {
    *ret_has = !is_any(&p->token);
    if (!*ret_has) return twx_rule_take(p);
    return is_amount(field) ? twx_rule_read_amount(p, field, ret_first, ret_last)
                            : read_integer(p, field, ret_value);
}

/* [a TO b], {a TO b} */
static twx_rc read_range(twx_rule_parser *p, const twx_rule_field *field, twx_rule_node *node) {
    const twx_rule_token begin = p->token;
    double first = 0, last = 0;
    if (!is_amount(field) && field->kind != TWX_RULE_BOOL && field->kind != TWX_RULE_NUMBER)
        return fail_value(p, &begin, field);
    node->op = TWX_RULE_BETWEEN;
    node->low_open = twx_rule_at(p, TWX_RULE_BEHIND);
    twx_rc rc = twx_rule_take(p);
    if (rc == TWX_OK) rc = read_end(p, field, &node->has_low, &node->low, &first, &last);
    node->real_low = node->low_open ? last : first;
    if (rc != TWX_OK) return rc;
    if (!twx_rule_at(p, TWX_RULE_WORD) || !twx_slice_eq(p->token.text, TWX_SLICE_LIT("TO")))
        return twx_rule_fail_wanted(p, "TO");
    rc = twx_rule_take(p);
    if (rc == TWX_OK) rc = read_end(p, field, &node->has_high, &node->high, &first, &last);
    if (rc != TWX_OK) return rc;
    node->high_open = twx_rule_at(p, TWX_RULE_BEFORE);
    node->real_high = node->high_open ? first : last;
    if (!node->high_open && !twx_rule_at(p, TWX_RULE_UP_TO))
        return twx_rule_fail_wanted(p, "']' or '}'");
    const bool is_empty = is_amount(field) ? node->real_low > node->real_high
                                           : node->low > node->high;
    if (node->has_low && node->has_high && is_empty)
        return twx_rule_fail(&p->lexer, &begin,
                             "this range is empty: its end is below its beginning");
    if (!node->has_low && !node->has_high) node->op = TWX_RULE_HAS;
    return twx_rule_take(p);
}

/* The value after "field:". */
static twx_rc read_value(twx_rule_parser *p, uint16_t field, uint16_t *ret_node) {
    const twx_rule_field *f = twx_rule_field_of(p->rules->fields, field);
    const bool ranges = twx_rule_at(p, TWX_RULE_FROM) || twx_rule_at(p, TWX_RULE_BEHIND),
               amounts = is_amount(f);
    twx_rule_node node = twx_rule_node_of(TWX_RULE_EQUALS);
    twx_rc rc = TWX_OK;
    node.field = field;
    if (ranges) {
        rc = read_range(p, f, &node);
    } else if (is_any(&p->token)) {
        node.op = TWX_RULE_HAS;
        rc = twx_rule_take(p);
    } else if (f->kind == TWX_RULE_ID) {
        rc = fail_value(p, &p->token, f);
    } else if (amounts) {
        node.op = TWX_RULE_BETWEEN;
        node.has_low = node.has_high = true;
        rc = twx_rule_read_amount(p, f, &node.real_low, &node.real_high);
    } else if (f->kind == TWX_RULE_TEXT) {
        rc = twx_rule_read_text(p, f, &node.text);
    } else {
        rc = f->kind == TWX_RULE_NAME ? read_name(p, f, &node.word) : read_integer(p, f, &node.low);
    }
    if (!amounts) { /* of a property that is true or false */
        node.real_low = (double)node.low;
        node.real_high = (double)node.high;
    }
    return rc == TWX_OK ? twx_rule_add_node(p, node, ret_node) : rc;
}

/* A group is between two parentheses, or the whole line. */
typedef struct group {
    twx_rule_chain ands, ors, clauses;
    bool negated, required; /* prefixes of the next operand */
    bool plus;              /* an operand of this clause was marked '+' */
    size_t clause_at;       /* where this clause begins */
    uint16_t field;         /* field:( ... ): values without a field belong to this one */
    twx_rule_token open;
} group;

static group group_of(uint16_t field, const twx_rule_token *open) {
    return (group){.ands = TWX_RULE_NO_CHAIN,
                   .ors = TWX_RULE_NO_CHAIN,
                   .clauses = TWX_RULE_NO_CHAIN,
                   .field = field,
                   .open = *open};
}

static twx_rc read_prefixes(twx_rule_parser *p, group *g) {
    twx_rc rc = TWX_OK;
    g->negated = g->required = false;
    while (rc == TWX_OK && (twx_rule_at(p, TWX_RULE_NOT) || twx_rule_at(p, TWX_RULE_MINUS) ||
                            twx_rule_at(p, TWX_RULE_PLUS))) {
        if (twx_rule_at(p, TWX_RULE_PLUS))
            g->required = true;
        else
            g->negated = !g->negated;
        rc = twx_rule_take(p);
    }
    return rc;
}

/* Ends a clause and adds it to those of its group. */
static twx_rc end_clause(twx_rule_parser *p, group *g) {
    uint16_t node = TWX_RULE_NO_NODE;
    const bool alternatives = g->ors.n > 0,
               negation = g->negated && g->ands.n == 1 && !alternatives;
    twx_rc rc = twx_rule_close_chain(p, &g->ands, TWX_RULE_ALL_OF, &node);
    if (rc != TWX_OK) return rc;
    twx_rule_append(p, &g->ors, node);
    if (g->plus && alternatives)
        return twx_rule_fail(&p->lexer, &g->open,
                             "'+' beside OR: put the alternatives in parentheses, +(a OR b)");
    rc = twx_rule_close_chain(p, &g->ors, TWX_RULE_ANY_OF, &node);
    if (rc != TWX_OK) return rc;
    twx_rule_node_at(p, node)->at = g->clause_at;
    twx_rule_node_at(p, node)->end = p->taken;
    twx_rule_node_at(p, node)->occurs = negation  ? TWX_RULE_MUST_NOT
                                        : g->plus ? TWX_RULE_MUST
                                                  : TWX_RULE_MAY;
    twx_rule_append(p, &g->clauses, node);
    g->plus = false;
    return TWX_OK;
}

static twx_rc negate(twx_rule_parser *p, uint16_t *node) {
    twx_rule_node negation = twx_rule_node_of(TWX_RULE_NONE_OF);
    negation.first = *node;
    negation.children = 1;
    return twx_rule_add_node(p, negation, node);
}

/* Adds an operand to the chain of ANDs; the next token determines where the chain ends. */
static twx_rc join(twx_rule_parser *p, group *g, uint16_t node) {
    twx_rc rc = g->negated ? negate(p, &node) : TWX_OK;
    if (rc != TWX_OK) return rc;
    twx_rule_node_at(p, node)->occurs = g->negated ? TWX_RULE_MUST_NOT : TWX_RULE_MAY;
    if (g->required && !g->negated) g->plus = true;
    twx_rule_append(p, &g->ands, node);
    if (twx_rule_at(p, TWX_RULE_AND)) return twx_rule_take(p);
    if (!twx_rule_at(p, TWX_RULE_OR)) return end_clause(p, g);
    rc = twx_rule_close_chain(p, &g->ands, TWX_RULE_ALL_OF, &node);
    if (rc != TWX_OK) return rc;
    twx_rule_append(p, &g->ors, node);
    return twx_rule_take(p);
}

/* Does an operator still need its right operand? */
static bool waits(const group *g) {
    return g->ands.n > 0 || g->ors.n > 0;
}

static twx_rc read_clause_weight(twx_rule_parser *p, uint16_t node) {
    double weight = twx_rule_node_at(p, node)->weight;
    bool constant = twx_rule_node_at(p, node)->constant;
    twx_rc rc = twx_rule_read_weight(p, &weight, &constant);
    twx_rule_node_at(p, node)->weight = weight;
    twx_rule_node_at(p, node)->constant = constant;
    return rc;
}

/* "field:" or a value of the group's field. *ret_group: an opening parenthesis follows. */
static twx_rc read_operand(twx_rule_parser *p, const group *g, uint16_t *ret_node,
                           uint16_t *ret_field, bool *ret_group) {
    const twx_rule_token name = p->token;
    uint16_t field = g->field;
    *ret_group = twx_rule_at(p, TWX_RULE_OPEN);
    *ret_field = field;
    if (*ret_group) return TWX_OK;
    if (field != TWX_RULE_NO_NODE) return read_value(p, field, ret_node);
    if (!twx_rule_at(p, TWX_RULE_WORD)) return twx_rule_fail_wanted(p, "a clause, field:value,");
    twx_rc rc = twx_rule_take(p);
    if (rc == TWX_OK && !twx_rule_at(p, TWX_RULE_COLON) && twx_rule_at_line_end(p) &&
        twx_rule_real(name.text, &(double){0}))
        return twx_rule_fail(&p->lexer, &name, "a clause is field:value");
    if (rc == TWX_OK && is_any(&name)) {
        rc = twx_rule_expect(p, TWX_RULE_COLON, "':'");
        if (rc == TWX_OK && !is_any(&p->token))
            rc = twx_rule_fail_wanted(p, "'*' (everything is *:*)");
        if (rc == TWX_OK) rc = twx_rule_take(p);
        return rc == TWX_OK ? twx_rule_add_node(p, twx_rule_node_of(TWX_RULE_EVERYTHING), ret_node)
                            : rc;
    }
    if (rc == TWX_OK) rc = twx_rule_find_field(p, &name, ret_field);
    if (rc == TWX_OK) rc = twx_rule_expect(p, TWX_RULE_COLON, "':' after the field");
    if (rc != TWX_OK) return rc;
    *ret_group = twx_rule_at(p, TWX_RULE_OPEN);
    return *ret_group ? TWX_OK : read_value(p, *ret_field, ret_node);
}

/* One step: an operand, an opening parenthesis, or closing ones. *ret_depth 0: the line is
 * complete, *ret_node is its root. */
static twx_rc step_query(twx_rule_parser *p, group *stack, size_t *depth, uint16_t *ret_node) {
    group *g = &stack[*depth - 1];
    uint16_t node = TWX_RULE_NO_NODE, field = TWX_RULE_NO_NODE;
    bool opens = false;
    const bool closes = twx_rule_at(p, TWX_RULE_CLOSE), ends = twx_rule_at_line_end(p);
    twx_rc rc = TWX_OK;
    if (closes || ends) {
        if (closes && *depth == 1) return twx_rule_fail(&p->lexer, &p->token, "')' without '('");
        if (ends && *depth > 1)
            return twx_rule_fail(&p->lexer, &g->open,
                                 "this '(' is not closed before the end of the line");
        if (waits(g) || g->clauses.n == 0) return twx_rule_fail_wanted(p, "a clause");
        rc = twx_rule_close_chain(p, &g->clauses, TWX_RULE_CLAUSES, &node);
        --*depth;
        if (rc == TWX_OK && ends) *ret_node = node;
        if (rc != TWX_OK || ends) return rc;
        rc = twx_rule_take(p);
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
    if (*depth > TWX_RULES_DEPTH) return twx_rule_fail_deep(p);
    stack[(*depth)++] = group_of(field, &p->token);
    return twx_rule_take(p);
}

static twx_rc read_query(twx_rule_parser *p, twx_rule_part *ret_part) {
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

twx_rc twx_rule_read_filter(twx_rule_parser *p) {
    twx_rule_part part;
    twx_rc rc = read_query(p, &part);
    return rc == TWX_OK ? twx_rule_add_part(p, &p->rules->filters, &part) : rc;
}

static bool are_alternatives(twx_rule_parser *p, uint16_t root) {
    if (twx_rule_node_at(p, root)->op != TWX_RULE_CLAUSES ||
        twx_rule_node_at(p, root)->weight != 1 || twx_rule_node_at(p, root)->constant)
        return false;
    for (uint16_t i = twx_rule_node_at(p, root)->first; i != TWX_RULE_NO_NODE;
         i = twx_rule_node_at(p, i)->next)
        if (twx_rule_node_at(p, i)->occurs != TWX_RULE_MAY) return false;
    return true;
}

/* Top-level alternatives become boosts of their own: the contribution of each can be shown. */
twx_rc twx_rule_read_boosts(twx_rule_parser *p) {
    twx_rule_part whole;
    twx_rc rc = read_query(p, &whole);
    if (rc != TWX_OK) return rc;
    if (!are_alternatives(p, whole.root)) return twx_rule_add_part(p, &p->rules->boosts, &whole);
    for (uint16_t i = twx_rule_node_at(p, whole.root)->first; rc == TWX_OK && i != TWX_RULE_NO_NODE;
         i = twx_rule_node_at(p, i)->next) {
        const twx_rule_part part = {
            i, whole.line,
            twx_slice_sub(p->lexer.text, twx_rule_node_at(p, i)->at, twx_rule_node_at(p, i)->end)};
        rc = twx_rule_add_part(p, &p->rules->boosts, &part);
    }
    return rc;
}
