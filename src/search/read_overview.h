/* search/read_overview.h: the state of a store in a few figures, read and written. */
#ifndef TWX_SEARCH_READ_OVERVIEW_H
#define TWX_SEARCH_READ_OVERVIEW_H

#include "run/out.h"
#include "search/ranking.h"
#include "search/rule_parse.h"

/* The state of a store in a few figures, for the workbench. JSON only.
 * Memory: embedded struct; twx_overview_init(), _done(). */
typedef struct twx_overview {
    const char *store;    /* path, borrowed */
    int64_t run;          /* that published the flags; 0: none */
    int64_t published_at; /* seconds since 1970 */
    /* of this run (JSON), with the number of documents; empty: the ledger has lost it */
    twx_buf summary;
    bool indexed;                  /* the text index can be searched */
    const twx_rule_fields *fields; /* the names that rules may use, borrowed */
} twx_overview;

void twx_overview_init(twx_overview *o);
void twx_overview_done(twx_overview *o);
TWX_CHECK twx_rc twx_overview_write(const twx_out *out, const twx_overview *o);

/* The state of a store in a few figures. It writes nothing. */

/* rules: whose fields are listed, borrowed by the overview. A store without a run is no error. */
TWX_CHECK twx_rc twx_read_overview(const twx_job *job, const twx_ranking_rules *rules,
                                   twx_overview *ret_overview);

#endif
