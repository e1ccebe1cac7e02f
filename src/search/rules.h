/* search/rules.h: checks a file of ranking rules and shows what they mean. */
#ifndef TWX_SEARCH_RULES_H
#define TWX_SEARCH_RULES_H

#include "run/out.h"

/* sql: writes the SQL statement that they compile to. An error is shown with its line. Errors those
 * of twx_ranking_rules_load() */
TWX_CHECK twx_rc twx_check_rules(twx_ctx *cx, const char *path, bool sql, const twx_out *out);

#endif
