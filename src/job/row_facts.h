/* job/row_facts.h: from a row of the source to the facts judging needs (judge/facts.h). Pure but
 * for memory. */
#ifndef TWX_JOB_ROW_FACTS_H
#define TWX_JOB_ROW_FACTS_H

#include "base/arena.h"
#include "judge/facts.h"
#include "store/source.h"
#include "url/url_norm.h"

/* What is odd about a row, for the counts of the summary. */
typedef enum twx_oddity {
    TWX_ODD_URL = 1,
    TWX_ODD_UTF8 = 2,
    TWX_ODD_STATUS = 4,
    TWX_ODD_DATE = 8
} twx_oddity;

/* ret_url: the normal form (its fault says why it is not usable); lives in scratch, as facts->host
 * does. */
TWX_CHECK twx_rc twx_facts_of(twx_ctx *cx, twx_arena *scratch, const twx_url_options *options,
                              const twx_value *columns, twx_url *ret_url, twx_facts *ret_facts,
                              unsigned *ret_oddities);

#endif
