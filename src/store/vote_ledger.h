/* store/vote_ledger.h: the ledger of a cluster, an SQLite file that decides which result of the
 * cluster is published (two-phase commit): each store prepares a result and votes; the run is
 * committed when all stores have voted 'prepared'; then each store publishes in its own
 * transaction.
 * [R1] A run is committed in one transaction, in which all votes are 'prepared', and stays
 * committed.
 * [R2] Before a store gives up what it has prepared, it takes back its vote (begin), which fails
 * for a committed run: that one the store has to publish.
 * [R3] Tables are made only in a file that never had any: not in a store whose path was given by
 * mistake.
 * Memory: owned handle. The file may be on a network file system whose locks work: it has a
 * rollback journal, and transactions are short. */
#ifndef TWX_STORE_VOTE_LEDGER_H
#define TWX_STORE_VOTE_LEDGER_H

#include "base/vec.h"
#include "store/prepared.h"

typedef struct twx_vote_ledger twx_vote_ledger;

/* Creates the file if it is missing. Errors TWX_E_CONFIG: it is another database */
TWX_CHECK twx_rc twx_vote_ledger_open(twx_ctx *cx, const char *path, uint32_t busy_ms,
                                      twx_vote_ledger **ret_ledger);
void twx_vote_ledger_close(twx_vote_ledger *ledger);

typedef enum twx_vote_kind { TWX_VOTE_NONE, TWX_VOTE_PREPARED, TWX_VOTE_AGAIN } twx_vote_kind;

typedef struct twx_vote {
    uint32_t shard;
    twx_vote_kind kind;
    uint64_t documents;
    char digest[TWX_DIGEST_TEXT_BYTES]; /* empty unless prepared */
    int64_t voted_at, published_at;     /* seconds since 1970; 0: not yet */
} twx_vote;

/* A run with its votes. Memory: embedded struct; TWX_VEC_DONE(&votes). */
typedef struct twx_ballot {
    int64_t run;
    int64_t committed_at;    /* 0: not committed */
    TWX_VEC(twx_vote) votes; /* ascending by shard; none: no store has begun to pull it */
} twx_ballot;

/* Errors TWX_E_CORRUPT */
TWX_CHECK twx_rc twx_vote_ledger_read(twx_vote_ledger *ledger, int64_t run, twx_ballot *ret_ballot);
/* The newest run, and the newest committed one; 0: none. */
TWX_CHECK twx_rc twx_vote_ledger_newest(twx_vote_ledger *ledger, int64_t *ret_run,
                                        int64_t *ret_committed);
/* A store begins to prepare a run that has judged the stores shards[0..n): adds the run if it is
 * new, and takes back the store's votes for runs that are not committed [R2]. */
TWX_CHECK twx_rc twx_vote_ledger_begin(twx_vote_ledger *ledger, int64_t run, uint32_t shard,
                                       const uint32_t *shards, size_t n);
/* vote->kind is not TWX_VOTE_NONE. Errors TWX_E_DATA: the store is not one of the run, or it votes
 * 'again' and the run is committed */
TWX_CHECK twx_rc twx_vote_ledger_vote(twx_vote_ledger *ledger, int64_t run, const twx_vote *vote);
/* Commits the run if all stores have voted 'prepared' [R1]; ret_ballot: the votes then, whether it
 * was committed or not. */
TWX_CHECK twx_rc twx_vote_ledger_commit(twx_vote_ledger *ledger, int64_t run, int64_t now,
                                        twx_ballot *ret_ballot);
TWX_CHECK twx_rc twx_vote_ledger_published(twx_vote_ledger *ledger, int64_t run, uint32_t shard,
                                           int64_t now);

#endif
