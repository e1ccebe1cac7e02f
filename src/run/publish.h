/* run/publish.h: publishes a result in two steps: prepare updates the inactive generation, commit
 * makes it visible to readers. Between the two the caller checks whether the result is still valid,
 * and amends it (docs/internals.md). The result is a judgement (twx_judged_rows()) or rows from
 * elsewhere; a judgement of several stores has a publisher for each, all of which are prepared
 * before the first one commits.
 * Rows that refer to documents of other stores have a number from twx_remote_number() there, and
 * `remotes` says which documents these are (store/remotes.h).
 * [R1] Until commit succeeds, readers see the whole old result. [R2] A publisher that is closed
 * without a commit is recorded in the ledger as stopped, with the message of the context. */
#ifndef TWX_RUN_PUBLISH_H
#define TWX_RUN_PUBLISH_H

#include "run/flag_changes.h"
#include "run/open_store.h"
#include "run/remote_changes.h"
#include "run/sign.h"
#include "store/prepared.h"

/* Memory: borrowed until the publisher is closed. */
typedef struct twx_publishing {
    const twx_flag_rows *rows;
    uint64_t documents;             /* about as many rows; for the check of space, and progress */
    const twx_remote_rows *remotes; /* NULL: the rows refer to no other store */
    int64_t collection_run;         /* as in twx_publication */
    twx_slice shard;
    char base; /* the published generation, 0: none */
    /* Documents whose flags differ from those of the published generation, ascending, and the run
     * that published it; NULL: not known */
    const twx_docs *differ;
    int64_t base_run;
    const twx_site_count *sites; /* counts of the judgement, n_sites of them */
    size_t n_sites;
    const char *settings; /* JSON for the ledger, as is the next one */
    const char *summary;
    const twx_run_figures *figures; /* NULL: none */
} twx_publishing;

typedef struct twx_publisher twx_publisher;

TWX_CHECK twx_rc twx_publisher_open(const twx_job *job, twx_opened *o,
                                    const twx_publishing *publishing,
                                    twx_publisher **ret_publisher);
/* Claims the right to write, writes the flags, reads them back and compares them with the
 * result.
 * Errors TWX_E_SUPERSEDED: another run has claimed it since. */
TWX_CHECK twx_rc twx_publisher_prepare(twx_publisher *p);
/* After prepare: writes the differences after the result was changed (judge/withdraw.h). */
TWX_CHECK twx_rc twx_publisher_amend(twx_publisher *p);
/* One transaction. judged: of the settings, for twx_state_judged(). Errors TWX_E_SUPERSEDED */
TWX_CHECK twx_rc twx_publisher_commit(twx_publisher *p, uint64_t judged);
/* Instead of commit: keeps what was prepared for a later process (store/prepared.h). prepared: its
 * claim is set here. One transaction. Errors TWX_E_SUPERSEDED */
TWX_CHECK twx_rc twx_publisher_keep(twx_publisher *p, twx_prepared *prepared);
void twx_publisher_close(twx_publisher *p);

#endif
