/* run/member.h: one store of a run: its connections, its lock, what signs it, and its published
 * result. A run has one or more (run/members.h).
 * Memory: the list of members allocates it; twx_member_close() closes what is open. Jobs and plans
 * point into it, so it does not move. */
#ifndef TWX_RUN_MEMBER_H
#define TWX_RUN_MEMBER_H

#include "run/flag_changes.h"
#include "run/lock.h"
#include "run/losses.h"
#include "run/sign.h"
#include "run/summary.h"

typedef struct twx_member {
    twx_job job; /* of this store */
    const twindex_run_options *options;
    char *path;     /* canonical; owned */
    twx_lock *lock; /* NULL in a dry run */
    twx_opened o;
    twx_sign_plan sign;
    bool checks;            /* the file is checked for damage first */
    bool stored;            /* the signatures of the store are judged as they are */
    int64_t data_version;   /* data version of the store when its documents were read */
    bool whole;             /* all of its rows were read then */
    twx_sign_counts counts; /* of all passes */
    twx_state state;        /* the state when the run began */
    twx_membership place;   /* the same, of its place in the collection */
    twx_slice shard;        /* its name in this run; absent: the run has no other store */
    twx_arena names;        /* holds these two */
    twx_losses losses;
    twx_judged judged; /* its part of the judgement */
    uint64_t changed;  /* documents whose flags differ from the published ones, */
    twx_docs differ;   /* and which; empty if nothing is published, and in a dry run */
} twx_member;

/* Checks and opens the store, and makes the plan of signing. A store that fails the checks stays
 * unchanged. */
TWX_CHECK twx_rc twx_member_open(twx_member *m, twx_summary *summary);
/* rc: how the work on the store ended. */
void twx_member_close(twx_member *m, twx_rc rc);
/* The published result and the connection that reads it; NULL in a dry run of a store without
 * one. */
twx_generations *twx_member_published(const twx_member *m);
twx_db *twx_member_published_db(const twx_member *m);
/* Makes the signing of this run read every document if the change queue lacks some that changed;
 * with --verify that is an error, TWX_E_INTERNAL. */
TWX_CHECK twx_rc twx_member_compare(twx_member *m, twx_summary *summary);
/* ret_changed: gets the documents whose signature is new, changed or gone; NULL: not wanted. */
TWX_CHECK twx_rc twx_member_sign(twx_member *m, twx_docs *ret_changed, twx_summary *summary);
TWX_CHECK twx_rc twx_member_data_version(const twx_member *m, int64_t *ret_version);
TWX_CHECK twx_rc twx_member_begin_judging(twx_member *m);
/* Whether all views of the results exist; publishing recreates those that another process has
 * dropped. */
TWX_CHECK twx_rc twx_member_has_views(twx_member *m, bool *ret_there);
/* Cleanup after publishing. Neither a signal nor an error here turns the run into a failed one. */
void twx_member_sweep(twx_member *m);

#endif
