/* search/rule_tree.h: private to the parser of rules: its state, and what its parts share: the next
 * token, names, nodes and weights. rule_parse.c reads the sections, rule_query.c the queries of
 * [boost] and [filter], rule_call.c the terms of [function]. */
#ifndef TWX_SEARCH_RULE_TREE_H
#define TWX_SEARCH_RULE_TREE_H

#include "base/nearest.h"
#include "base/vec.h"
#include "search/rule_lex.h"
#include "search/rule_parse.h"

typedef TWX_VEC(twx_rule_part) twx_rule_part_list;

struct twx_rules {
    const twx_rule_fields *fields;
    char *text; /* the file; parts and tokens point into it */
    TWX_VEC(twx_rule_node) nodes;
    twx_rule_part_list boosts, filters, functions;
    double column[TWX_RULES_COLUMNS];
    twx_rule_number numbers[TWX_RULES_NUMBERS];
    size_t n_numbers;
};

typedef struct twx_rule_parser {
    twx_ctx *cx;
    twx_rules *rules;
    twx_rule_lexer lexer;
    twx_rule_token token; /* the next one, not consumed yet */
    size_t taken;         /* end of the last consumed token */
    bool has_columns;
} twx_rule_parser;

/* Sibling nodes. */
typedef struct twx_rule_chain {
    uint16_t first, last, n;
} twx_rule_chain;

static const twx_rule_chain TWX_RULE_NO_CHAIN = {TWX_RULE_NO_NODE, TWX_RULE_NO_NODE, 0};

/* ---- tokens ---- */

TWX_CHECK twx_rc twx_rule_take(twx_rule_parser *p);
bool twx_rule_at(const twx_rule_parser *p, twx_rule_token_kind kind);
bool twx_rule_at_line_end(const twx_rule_parser *p);
/* Reports what was found instead of what is expected. */
TWX_CHECK twx_rc twx_rule_fail_wanted(twx_rule_parser *p, const char *wanted);
TWX_CHECK twx_rc twx_rule_expect(twx_rule_parser *p, twx_rule_token_kind kind, const char *what);

/* ---- names ---- */

void twx_rule_copy_word(twx_slice word, char ret_name[TWX_RULES_NAME]);
/* "no field 'x'; did you mean y?" */
TWX_CHECK twx_rc twx_rule_fail_unknown(twx_rule_parser *p, const twx_rule_token *token,
                                       const char *kind, const twx_nearest *near);
TWX_CHECK twx_rc twx_rule_find_field(twx_rule_parser *p, const twx_rule_token *token,
                                     uint16_t *ret_field);

/* ---- nodes ---- */

twx_rule_node *twx_rule_node_at(twx_rule_parser *p, uint16_t i);
TWX_CHECK twx_rc twx_rule_add_node(twx_rule_parser *p, twx_rule_node node, uint16_t *ret_node);
twx_rule_node twx_rule_node_of(twx_rule_op op);
void twx_rule_append(twx_rule_parser *p, twx_rule_chain *c, uint16_t i);
/* One node for a chain: its only member, or a new parent of its members. */
TWX_CHECK twx_rc twx_rule_close_chain(twx_rule_parser *p, twx_rule_chain *c, twx_rule_op op,
                                      uint16_t *ret_node);

/* ---- numbers and weights ---- */

/* Is a number, its sign, or the name of a number next? */
bool twx_rule_at_number(const twx_rule_parser *p);
/* what: for the message. */
TWX_CHECK twx_rc twx_rule_read_real(twx_rule_parser *p, const char *what, double *ret_value);
/* ^weight or ^=weight, if present. */
TWX_CHECK twx_rc twx_rule_read_weight(twx_rule_parser *p, double *weight, bool *ret_constant);

TWX_CHECK twx_rc twx_rule_add_part(twx_rule_parser *p, twx_rule_part_list *list,
                                   const twx_rule_part *part);
TWX_CHECK twx_rc twx_rule_fail_deep(twx_rule_parser *p);

/* rule_numbers.c: a line of [numbers]; the value of the name that is next, which is not consumed;
 * after the file: whether it defines all numbers that are replaced. */
TWX_CHECK twx_rc twx_rule_read_number(twx_rule_parser *p);
TWX_CHECK twx_rc twx_rule_find_number(twx_rule_parser *p, double *ret_value);
TWX_CHECK twx_rc twx_rule_check_numbers(twx_rule_parser *p);

/* rule_value.c: values of fields that are no flags. A date is the first and the last second of its
 * day, or one second. amount: equal to one value; span: a range, whose bracket is next. */
TWX_CHECK twx_rc twx_rule_read_text(twx_rule_parser *p, const twx_rule_field *field,
                                    twx_slice *ret_text);
TWX_CHECK twx_rc twx_rule_read_date(twx_rule_parser *p, double *ret_first, double *ret_last);
TWX_CHECK twx_rc twx_rule_read_amount(twx_rule_parser *p, const twx_rule_field *field,
                                      twx_rule_node *node);
TWX_CHECK twx_rc twx_rule_read_span(twx_rule_parser *p, const twx_rule_field *field,
                                    twx_rule_node *node);

/* The items of the sections. */
TWX_CHECK twx_rc twx_rule_read_filter(twx_rule_parser *p);
TWX_CHECK twx_rc twx_rule_read_boosts(twx_rule_parser *p);
TWX_CHECK twx_rc twx_rule_read_function(twx_rule_parser *p);

#endif
