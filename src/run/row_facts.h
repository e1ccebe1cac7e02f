/* run/row_facts.h: converts a row of the source to the facts that judging needs (judge/facts.h).
 * Pure except for allocation. */
#ifndef TWX_RUN_ROW_FACTS_H
#define TWX_RUN_ROW_FACTS_H

#include "base/arena.h"
#include "judge/facts.h"
#include "store/source.h"
#include "url/url_norm.h"

/* Invalid values in a row, counted in the summary. */
typedef enum twx_oddity {
    TWX_ODD_URL = 1,
    TWX_ODD_UTF8 = 2,
    TWX_ODD_STATUS = 4,
    TWX_ODD_DATE = 8
} twx_oddity;

/* ret_url: the normal form, or in its fault the reason why the URL is not usable; allocated in
 * scratch, like facts->host. */
TWX_CHECK twx_rc twx_facts_of(twx_ctx *cx, twx_arena *scratch, const twx_url_options *options,
                              const twx_value *columns, twx_url *ret_url, twx_facts *ret_facts,
                              unsigned *ret_oddities);

#endif
