/* cluster/near_resolve.h: decides texts of a round (judging_near.c) from the pairs that match.
 * A text that matches a listed representative that is better is none. One that matches no better
 * text that is or may become a listed representative is one. What depends on a blocked text, or on
 * a representative that may be listed, stays open.
 * [R1] The result depends on the set of pairs and of blocked texts, not on their order. */
#ifndef TWX_CLUSTER_NEAR_RESOLVE_H
#define TWX_CLUSTER_NEAR_RESOLVE_H

#include "base/map64.h"
#include "base/vec.h"

/* Text a, the better one, matches b. rep: a is a representative already. sure: if it is one, it is
 * listed under a key of b; else it may be. */
typedef struct twx_near_match {
    uint64_t a, b;
    bool rep, sure;
} twx_near_match;

typedef enum twx_near_state { TWX_NEAR_OPEN, TWX_NEAR_LEADS, TWX_NEAR_FOLLOWS } twx_near_state;

typedef struct twx_near_said {
    uint64_t text;
    twx_near_state state;
} twx_near_said;
typedef TWX_VEC(twx_near_said) twx_near_saids;

/* blocked: texts that a better one may still match, besides these pairs. ret_said: empty; gets each
 * text that is the b of a pair, once; the caller releases it (TWX_VEC_DONE).
 * Errors TWX_E_NOMEM; TWX_E_DATA: pairs form a loop */
TWX_CHECK twx_rc twx_near_resolve(twx_ctx *cx, const twx_near_match *matches, size_t n,
                                  const twx_map64 *blocked, twx_near_saids *ret_said);

#endif
