#include "rule_functions_table.h"
#include "search/internal.h"

/* ==== rule_document */

static const twx_rule_field FIELDS[TWX_RULE_PROPERTIES] = {RULE_PROPERTY_ROWS};

/* ---- evaluation --------------------------------------------------------- */

static bool text_matches(size_t property, twx_slice text, twx_slice wanted) {
    if (property == TWX_RULE_PATH) return twx_slice_starts(text, wanted);
    if (property != TWX_RULE_LANGUAGE || text.n == wanted.n)
        return twx_slice_eq_nocase(text, wanted);
    return twx_slice_starts_nocase(text, wanted) &&
           (text.p[wanted.n] == '-' || text.p[wanted.n] == '_');
}

static bool number_matches(const twx_rule_node *node, double x) {
    if (node->op == TWX_RULE_EQUALS) return x == (double)node->low;
    if (node->has_low && (node->low_open ? x <= node->real_low : x < node->real_low)) return false;
    return !node->has_high || (node->high_open ? x < node->real_high : x <= node->real_high);
}

twx_rule_truth twx_rule_document_matches(const twx_rule_node *node, size_t property,
                                         const twx_rule_document *document) {
    const bool is_text = property < TWX_RULE_TEXTS,
               known = is_text ? document->text[property].p != NULL : document->has[property];
    if (node->op == TWX_RULE_HAS) return known ? TWX_RULE_YES : TWX_RULE_NO;
    if (!known) return TWX_RULE_NOT_KNOWN;
    const bool matches = is_text ? text_matches(property, document->text[property], node->text)
                                 : number_matches(node, document->number[property]);
    return matches ? TWX_RULE_YES : TWX_RULE_NO;
}

/* ==== rule_function */

static const twx_rule_function FUNCTIONS[] = {RULE_FUNCTION_ROWS};

const twx_rule_function *twx_rule_function_at(size_t i) {
    return i < sizeof FUNCTIONS / sizeof *FUNCTIONS ? &FUNCTIONS[i] : NULL;
}

/* ==== rule_numbers */

/* [R7] of rule_parse: the section [numbers]. */

static const twx_rule_number *number_of(const twx_rule_number *at, size_t n, twx_slice name) {
    for (size_t i = 0; i < n; i++)
        if (twx_slice_eq(name, twx_slice_of(at[i].name))) return &at[i];
    return NULL;
}

twx_rc twx_rule_read_number(twx_rule_parser *p) {
    const twx_rule_fields *fields = p->rules->fields;
    const twx_rule_token name = p->token;
    twx_rule_number number = {.value = 0};
    if (!twx_rule_at(p, TWX_RULE_WORD)) return twx_rule_fail_wanted(p, "the name of a number");
    if (!twx_is_name(name.text) || name.text.n >= TWX_RULES_NAME)
        return twx_rule_fail(&p->lexer, &name,
                             "the name of a number has letters, digits and '_', and does not begin "
                             "with a digit");
    if (number_of(p->rules->numbers, p->rules->n_numbers, name.text))
        return twx_rule_fail(&p->lexer, &name, "this number is defined twice");
    if (p->rules->n_numbers == TWX_RULES_NUMBERS)
        return twx_rule_fail(&p->lexer, &name, "at most %d numbers are allowed", TWX_RULES_NUMBERS);
    twx_rule_copy_word(name.text, number.name);
    twx_rc rc = twx_rule_take(p);
    if (rc == TWX_OK) rc = twx_rule_read_real(p, "a number", &number.value);
    if (rc == TWX_OK && !twx_rule_at_line_end(p))
        rc = twx_rule_fail_wanted(p, "the end of the line");
    if (rc != TWX_OK) return rc;
    const twx_rule_number *other = number_of(fields->numbers, fields->n_numbers, name.text);
    if (other) number.value = other->value;
    p->rules->numbers[p->rules->n_numbers++] = number;
    return TWX_OK;
}

static twx_rc rule_find_number(twx_rule_parser *p, double *ret_value) {
    const twx_rules *rules = p->rules;
    char name[TWX_RULES_NAME];
    const twx_rule_number *number = number_of(rules->numbers, rules->n_numbers, p->token.text);
    if (number) {
        *ret_value = number->value;
        return TWX_OK;
    }
    twx_rule_copy_word(p->token.text, name);
    twx_nearest near = twx_nearest_of(name);
    for (size_t i = 0; i < rules->n_numbers; i++) twx_nearest_try(&near, rules->numbers[i].name);
    return rules->n_numbers ? twx_rule_fail_unknown(p, &p->token, "number", &near)
                            : twx_rule_fail(&p->lexer, &p->token,
                                            "no number '%.63s': [numbers] has to come first", name);
}

twx_rc twx_rule_check_numbers(twx_rule_parser *p) {
    const twx_rules *rules = p->rules;
    const twx_rule_fields *fields = rules->fields;
    for (size_t i = 0; i < fields->n_numbers; i++) {
        const char *name = fields->numbers[i].name;
        if (number_of(rules->numbers, rules->n_numbers, twx_slice_of(name))) continue;
        twx_nearest near = twx_nearest_of(name);
        for (size_t k = 0; k < rules->n_numbers; k++)
            twx_nearest_try(&near, rules->numbers[k].name);
        return near.name
                   ? twx_fail(p->cx, TWX_E_CONFIG,
                              "%.300s: there is no number '%.63s' in [numbers]; did you mean %s?",
                              p->lexer.name, name, near.name)
                   : twx_fail(p->cx, TWX_E_CONFIG,
                              "%.300s: there is no number '%.63s' in [numbers]", p->lexer.name,
                              name);
    }
    return TWX_OK;
}

/* ==== rule_tree */

/* ---- tokens ------------------------------------------------------------- */

twx_rc twx_rule_take(twx_rule_parser *p) {
    p->taken = p->token.end;
    return twx_rule_next(&p->lexer, &p->token);
}

bool twx_rule_at(const twx_rule_parser *p, twx_rule_token_kind kind) {
    return p->token.kind == kind;
}

bool twx_rule_at_line_end(const twx_rule_parser *p) {
    return twx_rule_at(p, TWX_RULE_LINE) || twx_rule_at(p, TWX_RULE_END);
}

twx_rc twx_rule_fail_wanted(twx_rule_parser *p, const char *wanted) {
    if (twx_rule_at_line_end(p))
        return twx_rule_fail(&p->lexer, &p->token, "%s is missing before the end of the line",
                             wanted);
    return twx_rule_fail(&p->lexer, &p->token, "%s is expected here, not '%.*s'", wanted,
                         (int)(p->token.end - p->token.at < 40 ? p->token.end - p->token.at : 40),
                         p->lexer.text.p + p->token.at);
}

twx_rc twx_rule_expect(twx_rule_parser *p, twx_rule_token_kind kind, const char *what) {
    return twx_rule_at(p, kind) ? twx_rule_take(p) : twx_rule_fail_wanted(p, what);
}

/* ---- names -------------------------------------------------------------- */

void twx_rule_copy_word(twx_slice word, char ret_name[TWX_RULES_NAME]) {
    snprintf(ret_name, TWX_RULES_NAME, TWX_SLICE_FMT, TWX_SLICE_ARG(word));
}

twx_rc twx_rule_fail_unknown(twx_rule_parser *p, const twx_rule_token *token, const char *kind,
                             const twx_nearest *near) {
    return near->name ? twx_rule_fail(&p->lexer, token, "no %s '%.63s'; did you mean %s?", kind,
                                      near->word, near->name)
                      : twx_rule_fail(&p->lexer, token, "no %s '%.63s'", kind, near->word);
}

twx_rc twx_rule_find_field(twx_rule_parser *p, const twx_rule_token *token, uint16_t *ret_field) {
    const twx_rule_fields *fields = p->rules->fields;
    char name[TWX_RULES_NAME];
    twx_rule_copy_word(token->text, name);
    twx_nearest near = twx_nearest_of(name);
    const size_t n = fields->n + (fields->properties ? TWX_RULE_PROPERTIES : 0);
    for (size_t i = 0; i < n; i++) {
        const char *known = twx_rule_field_of(fields, i)->name;
        if (twx_slice_eq(token->text, twx_slice_of(known))) {
            *ret_field = (uint16_t)i;
            return TWX_OK;
        }
        twx_nearest_try(&near, known);
    }
    return twx_rule_fail_unknown(p, token, "field", &near);
}

/* ---- nodes -------------------------------------------------------------- */

twx_rule_node *twx_rule_node_at(twx_rule_parser *p, uint16_t i) {
    return &p->rules->nodes.at[i];
}

twx_rc twx_rule_add_node(twx_rule_parser *p, twx_rule_node node, uint16_t *ret_node) {
    if (p->rules->nodes.n == TWX_RULES_NODES)
        return twx_rule_fail(&p->lexer, &p->token,
                             "too many rules: at most %d clauses and arguments are allowed",
                             TWX_RULES_NODES);
    if (!TWX_VEC_PUSH(p->cx, &p->rules->nodes, node)) return TWX_E_NOMEM;
    *ret_node = (uint16_t)(p->rules->nodes.n - 1);
    return TWX_OK;
}

twx_rule_node twx_rule_node_of(twx_rule_op op) {
    return (twx_rule_node){
        .op = op, .first = TWX_RULE_NO_NODE, .next = TWX_RULE_NO_NODE, .weight = 1};
}

void twx_rule_append(twx_rule_parser *p, twx_rule_chain *c, uint16_t i) {
    if (c->n++)
        twx_rule_node_at(p, c->last)->next = i;
    else
        c->first = i;
    c->last = i;
}

/* [R3] A negation scores only among negations. */
static void mute_negations(twx_rule_parser *p, const twx_rule_chain *c) {
    uint16_t negations = 0;
    for (uint16_t i = c->first; i != TWX_RULE_NO_NODE; i = twx_rule_node_at(p, i)->next)
        if (twx_rule_node_at(p, i)->occurs == TWX_RULE_MUST_NOT) negations++;
    for (uint16_t i = c->first; negations < c->n && i != TWX_RULE_NO_NODE;
         i = twx_rule_node_at(p, i)->next)
        if (twx_rule_node_at(p, i)->occurs == TWX_RULE_MUST_NOT)
            twx_rule_node_at(p, i)->mute = true;
}

twx_rc twx_rule_close_chain(twx_rule_parser *p, twx_rule_chain *c, twx_rule_op op,
                            uint16_t *ret_node) {
    twx_rc rc = TWX_OK;
    *ret_node = c->first;
    if (c->n > 1) {
        if (op != TWX_RULE_ANY_OF) mute_negations(p, c);
        twx_rule_node group = twx_rule_node_of(op);
        group.first = c->first;
        group.children = c->n;
        rc = twx_rule_add_node(p, group, ret_node);
    }
    *c = TWX_RULE_NO_CHAIN;
    return rc;
}

/* ---- numbers and weights ------------------------------------------------ */

bool twx_rule_at_number(const twx_rule_parser *p) {
    return twx_rule_at(p, TWX_RULE_MINUS) || twx_rule_at(p, TWX_RULE_NUMBER_NAME) ||
           (twx_rule_at(p, TWX_RULE_WORD) && twx_rule_real(p->token.text, &(double){0}));
}

twx_rc twx_rule_read_real(twx_rule_parser *p, const char *what, double *ret_value) {
    const bool negative = twx_rule_at(p, TWX_RULE_MINUS);
    twx_rc rc = negative ? twx_rule_take(p) : TWX_OK;
    if (rc != TWX_OK) return rc;
    if (twx_rule_at(p, TWX_RULE_NUMBER_NAME)) {
        rc = rule_find_number(p, ret_value);
        if (rc != TWX_OK) return rc;
    } else if (!twx_rule_at(p, TWX_RULE_WORD) || !twx_rule_real(p->token.text, ret_value)) {
        return twx_rule_fail_wanted(p, what);
    }
    if (negative) *ret_value = -*ret_value;
    return twx_rule_take(p);
}

twx_rc twx_rule_read_weight(twx_rule_parser *p, double *weight, bool *ret_constant) {
    double factor = 1;
    const bool constant = twx_rule_at(p, TWX_RULE_CARET_CONSTANT);
    if (!constant && !twx_rule_at(p, TWX_RULE_CARET)) return TWX_OK;
    twx_rc rc = twx_rule_take(p);
    if (rc == TWX_OK) rc = twx_rule_read_real(p, "a weight", &factor);
    if (rc != TWX_OK) return rc;
    *weight = constant ? factor : *weight * factor;
    if (constant) *ret_constant = true;
    return TWX_OK;
}

twx_rc twx_rule_add_part(twx_rule_parser *p, twx_rule_part_list *list, const twx_rule_part *part) {
    if (list->n == TWX_RULES_PARTS)
        return twx_rule_fail(&p->lexer, &p->token, "at most %d of a kind are allowed",
                             TWX_RULES_PARTS);
    return TWX_VEC_PUSH(p->cx, list, *part) ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_rule_fail_deep(twx_rule_parser *p) {
    return twx_rule_fail(&p->lexer, &p->token, "parentheses are nested deeper than %d",
                         TWX_RULES_DEPTH);
}

/* ---- fields ------------------------------------------------------------- */

const twx_rule_field *twx_rule_field_of(const twx_rule_fields *fields, size_t field) {
    return field < fields->n ? &fields->at[field] : &FIELDS[field - fields->n];
}

size_t twx_rule_property_of(const twx_rule_fields *fields, size_t field) {
    return field < fields->n ? TWX_RULE_PROPERTIES : field - fields->n;
}

/* The values of fields that are no flags (rule_document): texts, real numbers and dates. */

enum { DAY = 86400, DATE_BYTES = 10 /* 2024-05-01 */ };

twx_rc twx_rule_check_wildcard(twx_rule_parser *p) {
    const twx_slice text = p->token.text;
    if (!twx_rule_at(p, TWX_RULE_WORD)) return TWX_OK;
    if (twx_slice_find(text, '*', 0) == text.n && twx_slice_find(text, '?', 0) == text.n)
        return TWX_OK;
    return twx_rule_fail(&p->lexer, &p->token,
                         "there are no wildcards: field:* asks whether it has a value");
}

twx_rc twx_rule_read_text(twx_rule_parser *p, const twx_rule_field *field, twx_slice *ret_text) {
    const twx_slice text = p->token.text;
    if (!twx_rule_at(p, TWX_RULE_WORD) && !twx_rule_at(p, TWX_RULE_QUOTED))
        return twx_rule_fail_wanted(p, "a value, in double quotes unless it is a word,");
    if (text.n == 0) return twx_rule_fail(&p->lexer, &p->token, "%s: an empty text", field->name);
    if (twx_slice_find(text, '\\', 0) < text.n)
        return twx_rule_fail(&p->lexer, &p->token, "%s: a text with '\\' is not possible",
                             field->name);
    const twx_rc rc = twx_rule_check_wildcard(p);
    if (rc != TWX_OK) return rc;
    *ret_text = text;
    return twx_rule_take(p);
}

twx_rc twx_rule_read_date(twx_rule_parser *p, double *ret_first, double *ret_last) {
    int64_t seconds = 0;
    if (!twx_rule_at(p, TWX_RULE_WORD) && !twx_rule_at(p, TWX_RULE_QUOTED))
        return twx_rule_fail_wanted(p, "a date");
    if (!twx_iso8601_parse(p->token.text, &seconds))
        return twx_rule_fail(&p->lexer, &p->token,
                             "'%.*s' is not a date: write 2024-05-01 or \"2024-05-01T10:20:30Z\"",
                             (int)(p->token.text.n < 40 ? p->token.text.n : 40), p->token.text.p);
    *ret_first = (double)seconds;
    *ret_last = (double)seconds + (p->token.text.n == DATE_BYTES ? DAY - 1 : 0);
    return twx_rule_take(p);
}

twx_rc twx_rule_read_amount(twx_rule_parser *p, const twx_rule_field *field, double *ret_first,
                            double *ret_last) {
    if (field->kind == TWX_RULE_DATE) return twx_rule_read_date(p, ret_first, ret_last);
    twx_rc rc = twx_rule_read_real(p, "a number", ret_first);
    *ret_last = *ret_first;
    return rc;
}
