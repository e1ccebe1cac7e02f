/* run/withdraw_signed.h: withdraws representatives that were signed again after they were judged,
 * and vanished or differ from what was judged (judge/withdraw.h). */
#ifndef TWX_RUN_WITHDRAW_SIGNED_H
#define TWX_RUN_WITHDRAW_SIGNED_H

#include "judge/judgement.h"
#include "run/sign.h"

/* signed_again: gets sorted. Adds the number of withdrawn documents to *withdrawn. */
TWX_CHECK twx_rc twx_withdraw_signed(twx_ctx *cx, twx_signatures *signatures,
                                     twx_docs *signed_again, twx_judgement *j, size_t *withdrawn);

#endif
