/* rank/rule_sql.h: rules as SQL expressions over a row `f` of document_flags.
 * [R1] Nothing of the file reaches SQL but names of the field table and numbers written by us:
 * there is no text to quote that is not ours. [R2] What is accepted here is accepted by SQLite:
 * nesting and size are bounded below its limits.
 * [R3] The filter is NULL or 0 for documents that are left out. A part is never NULL: what a NULL
 * flag or a division by zero leaves without a value adds 0.0, and parts are cut to -1e30..1e30.
 * Memory: embedded struct, owned; twx_rule_sql_done(). */
#ifndef TWX_RANK_RULE_SQL_H
#define TWX_RANK_RULE_SQL_H

#include "base/buf.h"
#include "rank/rule_parse.h"

enum { TWX_RULE_SQL_BYTES = 512 << 10 };

typedef struct twx_rule_sql {
    char *filter; /* "1" when there is none */
    char **parts; /* boosts, then functions, in order of the file */
    size_t n_parts;
    char *score; /* all parts added; "0.0" when there are none */
} twx_rule_sql;

/* Errors TWX_E_CONFIG when the rules are nested too deep or become too long for SQLite;
 * TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_rule_sql_make(twx_ctx *cx, const char *name, const twx_rules *rules,
                                   twx_rule_sql *ret_sql);
void twx_rule_sql_done(twx_rule_sql *sql);

#endif
