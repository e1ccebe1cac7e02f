/* run/unchanged.h: whether a judgement would find what is published: no signature has changed since
 * the published flags were judged, and the settings are the same.
 * [R1] Everything that a judgement depends on is part of the fingerprint, is a stored signature, or
 * makes the answer "not known". A file of pins does, because the run reports which of its lines
 * have no effect.
 * [R3] A run that does not judge prints the counts and warnings that a judgement would print.
 * Errors those of reading the store; TWX_E_NOMEM. */
#ifndef TWX_RUN_UNCHANGED_H
#define TWX_RUN_UNCHANGED_H

#include "run/judge_plan.h"
#include "run/members.h"

/* Of all settings that decide a judgement, of the program's version, and of the names of the stores
 * if there are several. */
uint64_t twx_judged_fingerprint(const twx_members *members);
/* Whether the results that the stores have published are those of one run over all of them. */
bool twx_is_one_result(const twx_members *members);
/* Whether the published flags are those of the stored signatures with these settings. If so, the
 * counts of the judgement are copied from the ledger to ret_summary. */
TWX_CHECK twx_rc twx_is_judged(const twx_members *members, const twx_judge_plan *plan,
                               uint64_t fingerprint, bool *ret_judged, twx_summary *ret_summary);
/* After a judgement that found the published flags again: records that they are those of these
 * settings. [R2] Records nothing if the ledger has other counts than the judgement (near.candidates
 * changes the pairs compared, but perhaps no flag), because a run that does not judge prints those
 * of the ledger; nor if signatures have changed since twx_state_begin_judging(). */
TWX_CHECK twx_rc twx_keep_judged(const twx_members *members, uint64_t fingerprint,
                                 const twx_summary *summary);

#endif
