/* judge/guard.h: detects results so implausible that a run must not publish them without
 * confirmation: a site that would nearly vanish, an implausibly large group. A host counts together
 * with its www. form, whose documents are its URL twins.
 *
 * The loss of a site is the number of documents that can no longer be found.
 * [R1] Of the documents that share a representative all but one are lost: a thousand pages that say
 * "not found" are one page, on whichever site the representative is.
 * [R2] A document whose representative is on another site is not lost when both have the same text,
 * or nearly the same where the verdict joins copies or near-duplicates: a mirror, each of whose
 * documents exists on another site, is hidden as intended, and a note is reported.
 * [R3] A document that is joined with another site's document by link or title only is lost,
 * because their texts were not compared.
 * A document that took part in the published result and no longer does, because it is gone or
 * because, say, its status has changed, is lost too. Sites are compared by counts, not document by
 * document: rows replaced by others of the same site are no loss.
 * [R4] The store as a whole is guarded from ten documents on; a smaller one only when it is
 * emptied.
 * [R5] Without a published result nothing can be lost, but a store of ten documents or more, of
 * which nearly none takes part (max_hidden), probably has a wrong mapping. */
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
    uint32_t max_hidden_ppm;       /* share of a host's documents that may be lost; [R5] */
    uint32_t max_lost_ppm;         /* share of the documents that took part before */
    uint32_t min_documents;        /* hosts with fewer are not guarded */
    uint64_t max_group;            /* documents of a group of the verdict's relations */
    const twx_site_before *before; /* of the published result, n_before of them; borrowed */
    size_t n_before;
} twx_guard;

/* The findings of the guard, one a line. Memory: the caller owns the buffers; at most ten lines are
 * added to each. */
typedef struct twx_guard_findings {
    twx_buf *stops, *notes;
    size_t n_stops, n_notes; /* include the findings without a line */
} twx_guard_findings;

TWX_CHECK twx_rc twx_guard_check(twx_ctx *cx, const twx_judgement *j, const twx_judge_options *o,
                                 const twx_guard *guard, twx_guard_findings *ret_says);

#endif
