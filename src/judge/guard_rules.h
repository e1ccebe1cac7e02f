/* judge/guard_rules.h: the rules of guards and the lines of their findings, apart from how the
 * figures are counted: guard.h counts those of a judgement in memory, cluster/judging_guard.c those
 * of a result on servers.
 * Memory: everything is borrowed; lines are added to the buffers of the findings. */
#ifndef TWX_JUDGE_GUARD_RULES_H
#define TWX_JUDGE_GUARD_RULES_H

#include "judge/guard.h"

/* A site (judge/sites.h) of which documents are hidden. */
typedef struct twx_guard_site {
    twx_slice name, main_site; /* main_site: that shows most of them, for mirrors */
    uint64_t documents, hidden;
    uint64_t elsewhere; /* clusters whose text another site still shows */
} twx_guard_site;

/* What took part before and takes part now. */
typedef struct twx_guard_loss {
    twx_slice name; /* TWX_WHOLE_STORE: of everything */
    uint64_t before, now;
    const uint64_t *out; /* by twx_eligibility: those that take no part */
} twx_guard_loss;

/* Is it too much for a site if so many documents are lost? */
bool twx_guard_is_over(const twx_guard *guard, uint64_t documents, uint64_t lost);
/* Does another site show so many of the texts that the site is a mirror? Only for a site of which
 * too much is hidden. */
bool twx_guard_is_mirror(const twx_guard *guard, const twx_guard_site *site);
TWX_CHECK twx_rc twx_guard_site_check(twx_ctx *cx, const twx_guard *guard,
                                      const twx_guard_site *site, twx_guard_findings *says);
TWX_CHECK twx_rc twx_guard_loss_check(twx_ctx *cx, const twx_guard *guard,
                                      const twx_guard_loss *loss, twx_guard_findings *says);
/* Of a first run: the documents of the store, by twx_eligibility. */
TWX_CHECK twx_rc twx_guard_first_check(twx_ctx *cx, const twx_guard *guard,
                                       const uint64_t documents[TWX_ELIGIBILITIES],
                                       twx_guard_findings *says);
TWX_CHECK twx_rc twx_guard_group_check(twx_ctx *cx, const twx_guard *guard, size_t relation,
                                       uint64_t largest, twx_guard_findings *says);

#endif
