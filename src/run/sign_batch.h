/* run/sign_batch.h: the part of signing that runs in workers: computes the facts and keys of each
 * row of a batch. If the batch is a range of keys, the worker first reads its rows, on a connection
 * of its own; the statement ends before the rows are signed, so that no read transaction lasts
 * long. */
#ifndef TWX_RUN_SIGN_BATCH_H
#define TWX_RUN_SIGN_BATCH_H

#include "run/batch.h"
#include "run/sign.h"
#include "run/workers.h"
#include "sign/memo.h"

typedef struct twx_signer_shared {
    const twx_job *job;
    const twx_opened *opened; /* workers only read its mapping */
    const twx_sign_plan *plan;
    twx_memo *memo; /* texts that were signed before; shared by all workers */
} twx_signer_shared;

/* The work kind for twx_workers; items are twx_batch. shared is borrowed. */
twx_work_kind twx_signer_kind(twx_signer_shared *shared);

#endif
