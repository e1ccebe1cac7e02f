/* search/read_overview.h: the state of a store in a few figures. It writes nothing. */
#ifndef TWX_SEARCH_READ_OVERVIEW_H
#define TWX_SEARCH_READ_OVERVIEW_H

#include "search/overview.h"
#include "search/ranking.h"

/* rules: whose fields are listed, borrowed by the overview. A store without a run is no error. */
TWX_CHECK twx_rc twx_read_overview(const twx_job *job, const twx_ranking_rules *rules,
                                   twx_overview *ret_overview);

#endif
