/* judge/eligible.h: decides which documents take part, and which redirect and canonical links are
 * honoured (docs/internals.md, "Links").
 * [R1] A link is honoured when following links from its target ends at a document of the store that
 * takes part, with every step on one registrable domain.
 * [R2] Links of a loop are ignored, each of them.
 * [R3] A host whose documents all link to one document is not trusted.
 * [R4] A link of a document that is pinned by `keep` or `separate` is ignored, because users want
 * that document itself. */
#ifndef TWX_JUDGE_ELIGIBLE_H
#define TWX_JUDGE_ELIGIBLE_H

#include "judge/order.h"

/* Why a document does not take part; stored in the flags. 0: it takes part. */
typedef enum twx_eligibility {
    TWX_ELIGIBLE,
    TWX_BAD_URL,
    TWX_LOAD_FAILED,
    TWX_REDIRECTED, /* honoured redirect */
    TWX_BAD_STATUS, /* neither NULL nor 200 */
    TWX_NOINDEX,
    TWX_CANONICALISED, /* honoured canonical link */
    TWX_ELIGIBILITIES
} twx_eligibility;

/* The outcome of a document's link; stored in the flags. */
typedef enum twx_link_state {
    TWX_LINK_NONE,
    TWX_LINK_HONOURED,
    TWX_LINK_MISSING, /* the target is not in the store */
    TWX_LINK_FOREIGN, /* it is on another registrable domain */
    TWX_LINK_LOOP,
    TWX_LINK_DEAD_END, /* it does not lead to a document that takes part */
    TWX_LINK_COLLAPSE, /* [R3] */
    TWX_LINK_PINNED,   /* [R4] */
    TWX_LINK_STATES
} twx_link_state;

/* Why a document does not take part, whatever its link says. Never TWX_REDIRECTED or
 * TWX_CANONICALISED. */
twx_eligibility twx_eligible_by_itself(const twx_facts *f);
/* Does the document link to another one, as redirect or canonical? */
bool twx_has_link(const twx_facts *f);

/* "HTTP status is not 200", by number. */
const char *twx_eligibility_text(size_t e);
const char *twx_link_state_text(size_t s);

/* By index. Memory: owned arrays; twx_links_done(). */
typedef struct twx_links {
    uint8_t *eligibility; /* twx_eligibility */
    uint8_t *state;       /* twx_link_state */
    /* honoured: the document at the end of the chain; otherwise the linked one; TWX_NO_DOCUMENT
     * when unknown */
    uint32_t *target;
    TWX_VEC(uint32_t) collapsed; /* hosts of [R3], by index into hosts */
} twx_links;

/* The order decides which of several documents with one URL is the target of a link. What is not
 * known of it before the links are resolved, they have in common: the form and the origin. */
TWX_CHECK twx_rc twx_links_resolve(twx_ctx *cx, const twx_doc_table *p,
                                   const twx_preference *preference, uint32_t collapse_min,
                                   twx_links *ret_links);
void twx_links_done(twx_links *l);

#endif
