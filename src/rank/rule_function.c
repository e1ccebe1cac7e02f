#include "rank/rule_function.h"

#include "rank/rule_parse.h"

/* Every argument is a real number (or NULL) and stands in parentheses, and every result is one: an integer would
 * divide without its fraction. Division by zero, the logarithm of 0 and the root of a negative number are NULL. */
static const twx_rule_function FUNCTIONS[] = {
    {.name = "recip", .least = 4, .most = 4, .usage = "recip(x,m,a,b)", .sql = "($3/nullif($2*$1+$4,0.0))"},
    {.name = "div", .least = 2, .most = 2, .usage = "div(x,y)", .sql = "($1/nullif($2,0.0))"},
    {.name = "sub", .least = 2, .most = 2, .usage = "sub(x,y)", .sql = "($1-$2)"},
    {.name = "sum", .least = 1, .most = TWX_RULES_ARGUMENTS, .usage = "sum(x,y,...)", .join = "+"},
    {.name = "add", .least = 1, .most = TWX_RULES_ARGUMENTS, .usage = "add(x,y,...)", .join = "+"},
    {.name = "product", .least = 1, .most = TWX_RULES_ARGUMENTS, .usage = "product(x,y,...)", .join = "*"},
    {.name = "mul", .least = 1, .most = TWX_RULES_ARGUMENTS, .usage = "mul(x,y,...)", .join = "*"},
    {.name = "pow", .least = 2, .most = 2, .usage = "pow(x,y)", .sql = "pow($1,$2)"},
    {.name = "log", .least = 1, .most = 1, .usage = "log(x)", .sql = "log10($1)"},
    {.name = "ln", .least = 1, .most = 1, .usage = "ln(x)", .sql = "ln($1)"},
    {.name = "exp", .least = 1, .most = 1, .usage = "exp(x)", .sql = "exp($1)"},
    {.name = "sqrt", .least = 1, .most = 1, .usage = "sqrt(x)", .sql = "sqrt($1)"},
    {.name = "abs", .least = 1, .most = 1, .usage = "abs(x)", .sql = "abs($1)"},
    {.name = "min", .least = 2, .most = TWX_RULES_ARGUMENTS, .usage = "min(x,y,...)", .sql = "min($*)"},
    {.name = "max", .least = 2, .most = TWX_RULES_ARGUMENTS, .usage = "max(x,y,...)", .sql = "max($*)"},
    {.name = "if", .least = 3, .most = 3, .usage = "if(test,then,else)", .sql = "(CASE WHEN $1 THEN $2 ELSE $3 END)"},
    {.name = "map",
     .least = 4,
     .most = 4,
     .usage = "map(x,min,max,target[,default])",
     .sql = "(CASE WHEN $1 BETWEEN $2 AND $3 THEN $4 ELSE $1 END)"},
    {.name = "map",
     .least = 5,
     .most = 5,
     .usage = "map(x,min,max,target[,default])",
     .sql = "(CASE WHEN $1 BETWEEN $2 AND $3 THEN $4 WHEN $1 IS NOT NULL THEN $5 END)"},
    {.name = "scale",
     .least = 3,
     .most = 3,
     .usage = "scale(x,min,max)",
     .whole = true,
     .sql = "(CASE WHEN $1 IS NOT NULL THEN coalesce($2+($3-$2)*($1-min($1) OVER ())/"
            "nullif(max($1) OVER ()-min($1) OVER (),0.0),$2) END)"},
    {.name = "exists",
     .least = 1,
     .most = 1,
     .usage = "exists(field)",
     .any_kind = true,
     .sql = "(($1 IS NOT NULL)+0.0)"},
    {.name = "not", .least = 1, .most = 1, .usage = "not(test)", .sql = "(($1=0.0)+0.0)"},
    {.name = "def", .least = 2, .most = 2, .usage = "def(x,default)", .sql = "coalesce($1,$2)"},
    {.name = "gt", .least = 2, .most = 2, .usage = "gt(x,y)", .sql = "(($1>$2)+0.0)"},
    {.name = "gte", .least = 2, .most = 2, .usage = "gte(x,y)", .sql = "(($1>=$2)+0.0)"},
    {.name = "lt", .least = 2, .most = 2, .usage = "lt(x,y)", .sql = "(($1<$2)+0.0)"},
    {.name = "lte", .least = 2, .most = 2, .usage = "lte(x,y)", .sql = "(($1<=$2)+0.0)"},
    {.name = "eq", .least = 2, .most = 2, .usage = "eq(x,y)", .sql = "(($1=$2)+0.0)"},
    {.name = "and", .least = 2, .most = TWX_RULES_ARGUMENTS, .usage = "and(test,test,...)", .join = " AND "},
    {.name = "or", .least = 2, .most = TWX_RULES_ARGUMENTS, .usage = "or(test,test,...)", .join = " OR "},
};

const twx_rule_function *twx_rule_function_at(size_t i) {
    return i < sizeof FUNCTIONS / sizeof *FUNCTIONS ? &FUNCTIONS[i] : NULL;
}
