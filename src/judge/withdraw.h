/* judge/withdraw.h: takes representatives out of a judgement that was already made, because they
 * vanished or changed in the meantime. In each of its groups the best of the other members becomes
 * the representative; the document itself has no flags until the next run.
 * [R1] Groups stay a partition with one representative each, and a cluster's survivor is still the
 * best member of each of its groups.
 * [R2] Nothing that remains refers to a withdrawn document, except twx_links.target. */
#ifndef TWX_JUDGE_WITHDRAW_H
#define TWX_JUDGE_WITHDRAW_H

#include "judge/judgement.h"

/* Does document i (by index) represent others, in a group of any relation or in a cluster? */
bool twx_represents_others(const twx_judgement *j, uint32_t i);
/* Does what is stored of document i now differ from what it was judged by in a way that matters to
 * the documents it represents: URL, link, eligibility, text, title or description? A new date or
 * score does not. Errors TWX_E_CORRUPT */
TWX_CHECK twx_rc twx_has_changed(twx_ctx *cx, const twx_judgement *j, uint32_t i, twx_slice facts,
                                 twx_slice record, bool *ret_changed);
/* Withdraws documents: indexes[0..n). Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_judgement_withdraw(twx_ctx *cx, twx_judgement *j, const uint32_t *indexes,
                                        size_t n);
bool twx_is_withdrawn(const twx_judgement *j, uint32_t i);

#endif
