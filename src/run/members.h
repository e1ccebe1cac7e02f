/* run/members.h: the stores of a run.
 * [R1] Locks are taken in order of the files' paths, so two runs of the same stores never wait for
 * each other. [R2] One file named twice is an error, also by a link.
 * [R3] Each store has a name among the others, which it keeps when the file is moved: it is stored
 * by the first run over several stores, as the shortest end of the file's path that no other store
 * of that run has, usually the name of the file.
 * [R4] The order of the members is that of their names, whatever the order in which the stores were
 * given.
 * [R5] With skip_broken, a store that cannot be locked, opened or read is left out, with a warning;
 * without it, its error ends the run.
 * Memory: embedded struct; twx_members_done(). */
#ifndef TWX_RUN_MEMBERS_H
#define TWX_RUN_MEMBERS_H

#include "run/member.h"

typedef struct twx_members {
    const twx_job *job;
    const twindex_run_options *options;
    twx_summary *summary;
    TWX_VEC(twx_member *) at; /* owned */
} twx_members;

/* Lists and locks the stores of the job. */
TWX_CHECK twx_rc twx_members_begin(const twx_job *job, const twindex_run_options *options,
                                   twx_summary *summary, twx_members *members);
/* Opens all, names them and brings them into order. */
TWX_CHECK twx_rc twx_members_open(twx_members *members);
TWX_CHECK twx_rc twx_members_sign(twx_members *members);
/* rc: the error of member i. TWX_OK: it was left out, and the next member has its place; otherwise
 * rc. [R5] */
TWX_CHECK twx_rc twx_members_leave_out(twx_members *members, size_t i, twx_rc rc);
void twx_members_done(twx_members *members, twx_rc rc);

#endif
