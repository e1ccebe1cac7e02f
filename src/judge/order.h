/* judge/order.h: the total order that determines every representative: `prefer` pins in the order
 * of their lines, preferred scheme, preferred www form, then the configured list, then lowest id.
 * With `newest` (copy.versions) newer versions come right after the preferred www form, and
 * documents without a version after those with one: the newest version represents the older ones.
 * [R1] Because there is only one order, the best document of a cluster is also the best of each of
 * its groups. */
#ifndef TWX_JUDGE_ORDER_H
#define TWX_JUDGE_ORDER_H

#include "judge/doc_table.h"

typedef enum twx_criterion {
    TWX_BY_NOTHING,
    TWX_BY_SCORE,
    TWX_BY_URL_LENGTH,
    TWX_BY_FETCHED_AT
} twx_criterion;
enum { TWX_CRITERIA = 3 };

typedef struct twx_preference {
    bool https, www;
    bool newest;                          /* the newer version first (twx_doc_entry.version) */
    twx_criterion criteria[TWX_CRITERIA]; /* in order; TWX_BY_NOTHING ends the list */
} twx_preference;

bool twx_has_preferred_scheme(
    const twx_facts *f,
    const twx_preference *p); /* true for a URL that is neither http nor https */
bool twx_has_preferred_www(const twx_facts *f, const twx_preference *p);
/* The same of the bits of facts. */
bool twx_bits_have_preferred_scheme(uint32_t bits, const twx_preference *p);
bool twx_bits_have_preferred_www(uint32_t bits, const twx_preference *p);
/* "score" -> TWX_BY_SCORE; TWX_BY_NOTHING when unknown. */
twx_criterion twx_criterion_of(twx_slice name);

/* ret_rank[i] is the rank of document i, 0 the best; owned by the caller (twx_free). */
TWX_CHECK twx_rc twx_total_order(twx_ctx *cx, const twx_doc_table *p,
                                 const twx_preference *preference, uint32_t **ret_rank);

#endif
