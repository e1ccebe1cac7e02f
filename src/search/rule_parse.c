#include "search/internal.h"

/* column^weight */
static twx_rc read_column(twx_rule_parser *p) {
    const twx_rule_fields *fields = p->rules->fields;
    const twx_rule_token token = p->token;
    char name[TWX_RULES_NAME];
    if (!twx_rule_at(p, TWX_RULE_WORD))
        return twx_rule_fail_wanted(p, "a column of the text index");
    twx_rule_copy_word(token.text, name);
    twx_nearest near = twx_nearest_of(name);
    for (size_t i = 0; i < fields->n_columns; i++) {
        double weight = 1;
        bool constant = false;
        twx_nearest_try(&near, fields->columns[i].name);
        if (!twx_slice_eq(token.text, twx_slice_of(fields->columns[i].name))) continue;
        twx_rc rc = twx_rule_take(p);
        if (rc == TWX_OK) rc = twx_rule_read_weight(p, &weight, &constant);
        if (rc == TWX_OK && (weight < 0 || constant))
            rc = twx_rule_fail(&p->lexer, &token, "the weight of a column is ^number, 0 or more");
        p->rules->column[i] = weight;
        return rc;
    }
    return twx_rule_fail_unknown(p, &token, "column of the text index", &near);
}

static twx_rc begin_columns(twx_rule_parser *p) {
    if (!p->has_columns) memset(p->rules->column, 0, sizeof p->rules->column);
    p->has_columns = true;
    return TWX_OK;
}

static twx_rc rule_read_function(twx_rule_parser *p);

typedef struct section {
    const char *name;
    twx_rc (*read)(twx_rule_parser *p); /* reads one item of its lines */
    twx_rc (*begin)(twx_rule_parser *p);
} section;

static const section SECTIONS[] = {
    {"boost", twx_rule_read_boosts, NULL},   {"filter", twx_rule_read_filter, NULL},
    {"function", rule_read_function, NULL},  {"fields", read_column, begin_columns},
    {"numbers", twx_rule_read_number, NULL},
};

static twx_rc find_section(twx_rule_parser *p, const section **ret_section) {
    char name[TWX_RULES_NAME];
    twx_rule_copy_word(p->token.text, name);
    twx_nearest near = twx_nearest_of(name);
    for (size_t i = 0; i < TWX_COUNTOF(SECTIONS); i++) {
        twx_nearest_try(&near, SECTIONS[i].name);
        if (!twx_slice_eq(p->token.text, twx_slice_of(SECTIONS[i].name))) continue;
        *ret_section = &SECTIONS[i];
        return SECTIONS[i].begin ? SECTIONS[i].begin(p) : TWX_OK;
    }
    return twx_rule_fail_unknown(p, &p->token, "section", &near);
}

static twx_rc read_file(twx_rule_parser *p) {
    const section *current = NULL;
    twx_rc rc = twx_rule_next(&p->lexer, &p->token);
    while (rc == TWX_OK && !twx_rule_at(p, TWX_RULE_END)) {
        if (twx_rule_at(p, TWX_RULE_SECTION)) {
            rc = find_section(p, &current);
            if (rc == TWX_OK) rc = twx_rule_take(p);
        } else if (twx_rule_at(p, TWX_RULE_LINE)) {
            rc = twx_rule_take(p);
        } else if (!current) {
            rc = twx_rule_fail(
                &p->lexer, &p->token,
                "a section must come first: [boost] [filter] [function] [fields] or [numbers]");
        } else {
            rc = current->read(p);
        }
    }
    return rc == TWX_OK ? twx_rule_check_numbers(p) : rc;
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
        twx_rule_parser p = {.cx = cx, .rules = rules};
        p.lexer = twx_rule_lexer_of(cx, name, (twx_slice){rules->text, text.n});
        rc = read_file(&p);
    }
    TWX_HAND_OVER(rc, ret_rules, rules, twx_rules_close(rules));
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

static bool asks_property(const twx_rules *rules, const twx_rule_node *node) {
    const bool has_field = node->op == TWX_RULE_HAS || node->op == TWX_RULE_EQUALS ||
                           node->op == TWX_RULE_BETWEEN || node->op == TWX_RULE_VALUE;
    return has_field && node->field >= rules->fields->n;
}

bool twx_rules_ask_properties(const twx_rules *rules) {
    for (size_t i = 0; i < rules->nodes.n; i++)
        if (asks_property(rules, &rules->nodes.at[i])) return true;
    return false;
}

const twx_rule_number *twx_rules_numbers(const twx_rules *rules, size_t *ret_n) {
    *ret_n = rules->n_numbers;
    return rules->numbers;
}

double twx_rules_column(const twx_rules *rules, size_t column) {
    return rules->column[column];
}

/* The items of [function]: calls are parsed with a stack, not with recursion. */

typedef struct call {
    uint16_t function; /* the first of its overloads */
    uint16_t from;     /* the nodes of its arguments begin here */
    twx_rule_chain arguments;
    twx_rule_token name;
} call;

static twx_rc find_function(twx_rule_parser *p, const twx_rule_token *name,
                            uint16_t *ret_function) {
    const twx_rule_function *f = NULL;
    char word[TWX_RULES_NAME];
    twx_rule_copy_word(name->text, word);
    twx_nearest near = twx_nearest_of(word);
    for (size_t i = 0; (f = twx_rule_function_at(i)); i++) {
        twx_nearest_try(&near, f->name);
        if (!twx_slice_eq(name->text, twx_slice_of(f->name))) continue;
        *ret_function = (uint16_t)i;
        return TWX_OK;
    }
    return twx_rule_fail_unknown(p, name, "function", &near);
}

static bool is_number(const twx_rule_field *field) {
    return field->kind == TWX_RULE_BOOL || field->kind == TWX_RULE_NUMBER ||
           field->kind == TWX_RULE_REAL || field->kind == TWX_RULE_DATE;
}

/* Does an argument, or a part of one, depend on the whole result? */
static bool has_whole(twx_rule_parser *p, const call *c) {
    for (uint16_t i = c->from; i < p->rules->nodes.n; i++)
        if (twx_rule_node_at(p, i)->op == TWX_RULE_CALL &&
            twx_rule_function_at(twx_rule_node_at(p, i)->function)->whole)
            return true;
    return false;
}

/* [R4] Which arguments are allowed, besides numbers. */
static twx_rc check_arguments(twx_rule_parser *p, const call *c, const twx_rule_function *f) {
    size_t place = 0;
    if (f->whole && has_whole(p, c))
        return twx_rule_fail(&p->lexer, &c->name,
                             "%s depends on the whole result, so it cannot stand inside another %s",
                             f->name, f->name);
    for (uint16_t i = c->arguments.first; i != TWX_RULE_NO_NODE;
         i = twx_rule_node_at(p, i)->next, place++) {
        const twx_rule_node *node = twx_rule_node_at(p, i);
        if (f->whole && place > 0 && node->op != TWX_RULE_AMOUNT)
            return twx_rule_fail(&p->lexer, &c->name, "the ends of %s must be numbers", f->usage);
        if (node->op != TWX_RULE_VALUE || f->any_kind) continue;
        const twx_rule_field *field = twx_rule_field_of(p->rules->fields, node->field);
        if (!is_number(field))
            return twx_rule_fail(&p->lexer, &c->name,
                                 "%s holds no numbers: only exists(%s) is possible", field->name,
                                 field->name);
    }
    return TWX_OK;
}

static twx_rc end_call(twx_rule_parser *p, const call *c, uint16_t *ret_node) {
    const twx_rule_function *f = NULL;
    twx_rule_node node = twx_rule_node_of(TWX_RULE_CALL);
    node.first = c->arguments.first;
    node.children = c->arguments.n;
    for (size_t i = c->function; (f = twx_rule_function_at(i)); i++) {
        if (strcmp(f->name, twx_rule_function_at(c->function)->name) != 0) break;
        if (c->arguments.n < f->least || c->arguments.n > f->most) continue;
        node.function = (uint16_t)i;
        twx_rc rc = check_arguments(p, c, f);
        return rc == TWX_OK ? twx_rule_add_node(p, node, ret_node) : rc;
    }
    return twx_rule_fail(&p->lexer, &c->name, "%d arguments: it is called as %s", c->arguments.n,
                         twx_rule_function_at(c->function)->usage);
}

/* A number or a field; or the beginning of a call, *ret_call. */
static twx_rc read_term(twx_rule_parser *p, bool *ret_call, call *ret, uint16_t *ret_node) {
    twx_rule_node node = twx_rule_node_of(TWX_RULE_AMOUNT);
    const twx_rule_token name = p->token;
    twx_rc rc = TWX_OK;
    *ret_call = false;
    if (twx_rule_at_number(p)) {
        rc = twx_rule_read_real(p, "a number", &node.amount);
        return rc == TWX_OK ? twx_rule_add_node(p, node, ret_node) : rc;
    }
    if (twx_rule_at(p, TWX_RULE_QUOTED) && p->rules->fields->properties) {
        rc = twx_rule_read_date(p, &node.amount, &(double){0});
        return rc == TWX_OK ? twx_rule_add_node(p, node, ret_node) : rc;
    }
    if (!twx_rule_at(p, TWX_RULE_WORD))
        return twx_rule_fail_wanted(p, "a number, a field or a function");
    rc = twx_rule_take(p);
    if (rc != TWX_OK) return rc;
    if (twx_rule_at(p, TWX_RULE_OPEN)) {
        *ret_call = true;
        *ret = (call){
            .from = (uint16_t)p->rules->nodes.n, .arguments = TWX_RULE_NO_CHAIN, .name = name};
        rc = find_function(p, &name, &ret->function);
        return rc == TWX_OK ? twx_rule_take(p) : rc;
    }
    node.op = TWX_RULE_VALUE;
    rc = twx_rule_find_field(p, &name, &node.field);
    return rc == TWX_OK ? twx_rule_add_node(p, node, ret_node) : rc;
}

/* Reads what follows an argument: a comma, or any number of closing parentheses. */
static twx_rc end_arguments(twx_rule_parser *p, call *stack, size_t *depth, uint16_t *node) {
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && *depth > 0) {
        call *c = &stack[*depth - 1];
        if (c->arguments.n == TWX_RULES_ARGUMENTS)
            return twx_rule_fail(&p->lexer, &p->token, "at most %d arguments are allowed",
                                 TWX_RULES_ARGUMENTS);
        twx_rule_append(p, &c->arguments, *node);
        if (twx_rule_at(p, TWX_RULE_COMMA)) return twx_rule_take(p);
        if (!twx_rule_at(p, TWX_RULE_CLOSE)) return twx_rule_fail_wanted(p, "',' or ')'");
        rc = end_call(p, c, node);
        if (rc == TWX_OK) rc = twx_rule_take(p);
        --*depth;
    }
    return rc;
}

static twx_rc check_top(twx_rule_parser *p, const twx_rule_token *token, uint16_t node) {
    const twx_rule_node *top = twx_rule_node_at(p, node);
    if (top->op != TWX_RULE_VALUE) return TWX_OK;
    const twx_rule_field *field = twx_rule_field_of(p->rules->fields, top->field);
    if (is_number(field)) return TWX_OK;
    return twx_rule_fail(&p->lexer, token, "%s holds no numbers: only exists(%s) is possible",
                         field->name, field->name);
}

static twx_rc rule_read_function(twx_rule_parser *p) {
    call stack[TWX_RULES_DEPTH];
    size_t depth = 0;
    const twx_rule_token begin = p->token;
    uint16_t node = TWX_RULE_NO_NODE;
    bool calls = false, constant = false;
    twx_rule_part part = {.line = begin.line};
    twx_rc rc = TWX_OK;
    do {
        call c;
        rc = read_term(p, &calls, &c, &node);
        if (rc != TWX_OK) return rc;
        if (calls && depth == TWX_RULES_DEPTH) return twx_rule_fail_deep(p);
        if (calls)
            stack[depth++] = c;
        else
            rc = end_arguments(p, stack, &depth, &node);
    } while (rc == TWX_OK && depth > 0);
    if (rc == TWX_OK) rc = check_top(p, &begin, node);
    if (rc == TWX_OK && twx_rule_at(p, TWX_RULE_CARET_CONSTANT))
        rc = twx_rule_fail_wanted(p, "'^'");
    if (rc != TWX_OK) return rc;
    rc = twx_rule_read_weight(p, &twx_rule_node_at(p, node)->weight, &constant);
    part.text = twx_slice_sub(p->lexer.text, begin.at, p->taken);
    part.root = node;
    return rc == TWX_OK ? twx_rule_add_part(p, &p->rules->functions, &part) : rc;
}
