/* search/try_rules.h: ranks the hits of queries by ranking rules that are given as texts, side by
 * side, for the workbench (serve/). */
#ifndef TWX_SEARCH_TRY_RULES_H
#define TWX_SEARCH_TRY_RULES_H

#include "run/job.h"
#include "run/out.h"

/* [R1] All queries and sides are ranked by the flags of one run. [R2] An error in a rules text is
 * reported with its side, and an error in a query with the query; the others are searched.
 * Errors TWX_E_USAGE: no query, no side or more than two; TWX_E_DATA: no run yet, no text index;
 * TWX_E_BUSY: these flags were overwritten by a run meanwhile. */
TWX_CHECK twx_rc twx_try_rules(const twx_job *job, const twindex_try_options *options,
                               const twx_out *out);
/* Checks a text of rules and writes {"messages": [...]}: the message of an error, with its line and
 * column; [] if there is none. */
TWX_CHECK twx_rc twx_check_rules_text(twx_ctx *cx, const twindex_rules_text *text,
                                      const twx_out *out);

#endif
