/* search/rule_function.h: the functions of rules, as a table: their arguments and the SQL they
 * compile to. Names and meanings are those of Solr's function queries; NULL in, NULL out, except
 * for exists, def and if. */
#ifndef TWX_SEARCH_RULE_FUNCTION_H
#define TWX_SEARCH_RULE_FUNCTION_H

#include <stdbool.h>
#include <stddef.h>

typedef struct twx_rule_function {
    const char *name;
    size_t least, most; /* arguments */
    const char *usage;  /* "recip(x,m,a,b)" */
    const char *sql;    /* $1, $2, ... are arguments; NULL: the arguments are joined by `join` */
    const char *join;
    bool any_kind; /* the argument may be a field that is not a number */
    /* aggregates the whole result: no nested call of this kind, and only numbers after the first
     * argument */
    bool whole;
} twx_rule_function;

/* NULL after the last; overloads are adjacent */
const twx_rule_function *twx_rule_function_at(size_t i);

#endif
