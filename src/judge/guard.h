/* judge/guard.h: what looks so wrong that a run must not publish it unasked: a site that would nearly vanish, a group that is
 * too large to be true. A host counts together with its www. form, whose pages are each other's twins. */
#ifndef TWX_JUDGE_GUARD_H
#define TWX_JUDGE_GUARD_H

#include "judge/judge.h"

typedef struct twx_guard {
    uint32_t max_hidden_ppm; /* share of a host's documents that may be hidden */
    uint32_t min_documents;  /* hosts with fewer are not guarded */
    uint64_t max_group;      /* documents of a group of the verdict's relations */
} twx_guard;

/* One line a finding, for people; *ret_findings counts them. At most ten lines are added. */
TWX_CHECK twx_rc twx_guard_check(twx_ctx *cx, const twx_judgement *j, const twx_judge_options *o,
                                 const twx_guard *guard, twx_buf *ret_lines, size_t *ret_findings);

#endif
