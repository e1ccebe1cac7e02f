/* [R7] of rule_parse.h: the section [numbers]. */
#include <string.h>

#include "base/nearest.h"
#include "search/rule_tree.h"

static bool is_name(twx_slice word) {
    bool ok = word.n > 0 && word.n < TWX_RULES_NAME && !twx_is_digit((unsigned char)word.p[0]);
    for (size_t i = 0; ok && i < word.n; i++)
        ok = twx_is_alpha((unsigned char)word.p[i]) || twx_is_digit((unsigned char)word.p[i]) ||
             word.p[i] == '_';
    return ok;
}

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
    if (!is_name(name.text))
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

twx_rc twx_rule_find_number(twx_rule_parser *p, double *ret_value) {
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
