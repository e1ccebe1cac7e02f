/* run/withdraw_signed.h: withdraws representatives that were signed again after they were judged,
 * and vanished or differ from what was judged (judge/withdraw.h). */
#ifndef TWX_RUN_WITHDRAW_SIGNED_H
#define TWX_RUN_WITHDRAW_SIGNED_H

#include "judge/judgement.h"
#include "run/sign.h"

/* The documents of a store that were signed again; they get sorted. */
typedef struct twx_signed_again {
    twx_signatures *signatures;
    twx_docs docs;
} twx_signed_again;

/* stores: by member. Adds the number of withdrawn documents to *withdrawn. */
TWX_CHECK twx_rc twx_withdraw_signed(twx_ctx *cx, twx_signed_again *stores, size_t n,
                                     twx_judgement *j, size_t *withdrawn);

#endif
