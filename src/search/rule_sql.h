/* search/rule_sql.h: compiles rules to SQL expressions over a row `f` of document_flags.
 * [R1] Only names of the field table and numbers that we format reach the SQL; no text of the file
 * does, so nothing needs quoting. Clauses about properties of documents (search/rule_document.h)
 * are calls of the functions rule_matches(id, node) and rule_number(id, property).
 * [R2] SQLite accepts every expression produced here: nesting and size are bounded below its
 * limits.
 * [R3] The filter is NULL or 0 for documents that are left out. A part is never NULL: where a NULL
 * flag or a division by zero gives no value it adds 0.0, and parts are clipped to -1e30..1e30.
 * Memory: embedded struct, owned; twx_rule_sql_done(). */
#ifndef TWX_SEARCH_RULE_SQL_H
#define TWX_SEARCH_RULE_SQL_H

#include "base/buf.h"
#include "search/rule_parse.h"

enum { TWX_RULE_SQL_BYTES = 512 << 10 };

typedef struct twx_rule_sql {
    char *filter; /* "1" when there is none */
    char **parts; /* boosts, then functions, in file order */
    size_t n_parts;
    char *score; /* all parts added; "0.0" when there are none */
} twx_rule_sql;

/* Errors TWX_E_CONFIG when the rules are nested too deep or become too long for SQLite;
 * TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_rule_sql_make(twx_ctx *cx, const char *name, const twx_rules *rules,
                                   twx_rule_sql *ret_sql);
void twx_rule_sql_done(twx_rule_sql *sql);

#endif
