/* cluster/shard_store.h: a store that is one shard of a cluster, opened for its steps: locked, with
 * signatures that are up to date, and the settings of judging.
 * [R1] Every step that reads or writes documents of the shard sees the same rows: the fingerprint
 * covers all settings that decide them. */
#ifndef TWX_CLUSTER_SHARD_STORE_H
#define TWX_CLUSTER_SHARD_STORE_H

#include "cluster/document_row.h"
#include "run/judge_plan.h"
#include "run/lock.h"

/* Memory: embedded struct, zeroed by the caller; twx_shard_store_close(). It does not move: plans
 * point into it. */
typedef struct twx_shard_store {
    const twx_job *job;
    uint32_t shard;
    twx_lock *lock;
    twx_opened o;
    twx_sign_plan sign;
    twx_judge_plan plan;
    uint64_t documents; /* that are signed */
    uint64_t key;       /* twx_store_key() */
} twx_shard_store;

/* Errors TWX_E_CONFIG: cluster.shard is not set */
TWX_CHECK twx_rc twx_shard_number_check(const twx_job *job);
/* Signs the store (run/sign_store.h), locks it and opens it with TWX_NEED_SOURCE and `needs`.
 * Errors TWX_E_BUSY */
TWX_CHECK twx_rc twx_shard_store_open(const twx_job *job, unsigned needs,
                                      twx_shard_store *ret_store);
/* rc: how the work on the store ended. */
void twx_shard_store_close(twx_shard_store *s, twx_rc rc);
/* Of everything that decides the rows of its documents and how they are judged. */
uint64_t twx_shard_store_fingerprint(const twx_shard_store *s);
/* Appends the document as the servers get it (document_row.h). */
TWX_CHECK twx_rc twx_shard_store_row(twx_shard_store *s, const twx_stored *stored, uint64_t version,
                                     twx_buf *out, uint64_t *ret_hash);

#endif
