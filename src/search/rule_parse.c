#include "search/rule_parse.h"

#include <string.h>

#include "base/nearest.h"
#include "search/rule_document.h"
#include "search/rule_tree.h"

/* ---- sections ----------------------------------------------------------- */

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

typedef struct section {
    const char *name;
    twx_rc (*read)(twx_rule_parser *p); /* reads one item of its lines */
    twx_rc (*begin)(twx_rule_parser *p);
} section;

static const section SECTIONS[] = {
    {"boost", twx_rule_read_boosts, NULL},      {"filter", twx_rule_read_filter, NULL},
    {"function", twx_rule_read_function, NULL}, {"fields", read_column, begin_columns},
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

const twx_rule_field *twx_rule_field_of(const twx_rule_fields *fields, size_t field) {
    return field < fields->n ? &fields->at[field] : twx_rule_property_at(field - fields->n);
}

size_t twx_rule_property_of(const twx_rule_fields *fields, size_t field) {
    return field < fields->n ? TWX_RULE_PROPERTIES : field - fields->n;
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
