/* judge/guard.h: what looks so wrong that a run must not publish it unasked: a site that would
 * nearly vanish, a group that is too large to be true. A host counts together with its www. form,
 * whose pages are each other's twins.
 *
 * What a site loses is what nobody finds any more. [R1] Of the pages that one page stands for, all
 * but one are lost: a thousand pages that say "not found" are one page, wherever the one that stays
 * may be. [R2] A page that another site's page stands for is not lost when both have the same text,
 * or nearly the same where the verdict joins copies or near-duplicates: a mirror, each of whose
 * pages lives on elsewhere, is hidden as it should be, and a note says so. [R3] What links or
 * titles alone have joined with another site's page is lost: nobody has compared what they say.
 *
 * What took part in the published result and does no more, because it is gone or because its
 * status, say, has changed, is lost too. Sites are compared by numbers, not document by document:
 * rows that were replaced by others of the same site are no loss.
 * [R4] The store as a whole is guarded from ten documents on; a smaller one only when it is
 * emptied. [R5] Without a published result there is nothing to lose. */
#ifndef TWX_JUDGE_GUARD_H
#define TWX_JUDGE_GUARD_H

#include "judge/sites.h"

/* How many documents of a site took part in the published result. */
typedef struct twx_site_before {
    twx_slice name; /* without www.; TWX_WHOLE_STORE: of the store */
    uint64_t documents;
} twx_site_before;
#define TWX_WHOLE_STORE TWX_SLICE_LIT("*")

typedef struct twx_guard {
    uint32_t max_hidden_ppm;       /* share of a host's documents that may be lost */
    uint32_t max_lost_ppm;         /* share of the documents that took part before */
    uint32_t min_documents;        /* hosts with fewer are not guarded */
    uint64_t max_group;            /* documents of a group of the verdict's relations */
    const twx_site_before *before; /* of the published result, n_before of them; borrowed */
    size_t n_before;
} twx_guard;

/* What a guard has to say, for people, a line each. Memory: the buffers are the caller's; at most
 * ten lines are added to each. */
typedef struct twx_guard_says {
    twx_buf *stops, *notes;
    size_t n_stops; /* also those that have no line */
} twx_guard_says;

TWX_CHECK twx_rc twx_guard_check(twx_ctx *cx, const twx_judgement *j, const twx_judge_options *o,
                                 const twx_guard *guard, twx_guard_says *ret_says);

#endif
