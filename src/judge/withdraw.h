/* judge/withdraw.h: removes representatives from a finished judgement because they were deleted or
 * changed meanwhile. In each of its groups the best of the other members becomes the
 * representative; the document itself has no flags until the next run.
 * [R1] Groups remain a partition with one representative each, and the representative of a cluster
 * is still the best member of each of its groups. A document that is left alone is in no group.
 * [R2] No remaining row refers to a withdrawn document, except twx_links.target. */
#ifndef TWX_JUDGE_WITHDRAW_H
#define TWX_JUDGE_WITHDRAW_H

#include "judge/judgement.h"

/* Does document i (by index) represent others, in a group of any relation or in a cluster? */
bool twx_represents_others(const twx_judgement *j, uint32_t i);
/* Does the stored record of document i now differ, in a way that affects the documents it
 * represents, from the one it was judged by? Relevant are URL, link, eligibility, text, title and
 * description, not a new date or score. Errors TWX_E_CORRUPT */
TWX_CHECK twx_rc twx_has_changed(twx_ctx *cx, const twx_judgement *j, uint32_t i, twx_slice facts,
                                 twx_slice record, bool *ret_changed);
/* Withdraws documents: indexes[0..n). Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_judgement_withdraw(twx_ctx *cx, twx_judgement *j, const uint32_t *indexes,
                                        size_t n);
bool twx_is_withdrawn(const twx_judgement *j, uint32_t i);

#endif
