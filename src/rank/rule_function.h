/* rank/rule_function.h: the functions of rules, as a table: what they are called with, and the SQL
 * they become. Names and meanings are those of Solr's function queries; NULL in, NULL out, but for
 * exists, def and if. */
#ifndef TWX_RANK_RULE_FUNCTION_H
#define TWX_RANK_RULE_FUNCTION_H

#include <stdbool.h>
#include <stddef.h>

typedef struct twx_rule_function {
    const char *name;
    size_t least, most; /* arguments */
    const char *usage;  /* "recip(x,m,a,b)" */
    const char *sql;    /* $1, $2, ... are arguments; NULL: they are joined by `join` */
    const char *join;
    bool any_kind; /* the argument may be a field that holds no number */
    /* looks at the whole result: no other such call, and only numbers but for the first argument */
    bool whole;
} twx_rule_function;

/* NULL behind the last; overloads stand side by side */
const twx_rule_function *twx_rule_function_at(size_t i);

#endif
