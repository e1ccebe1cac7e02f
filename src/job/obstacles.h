/* job/obstacles.h: what would make a run fail although nobody does anything wrong with the command:
 * permissions, space, the lock, names, ids. For `check`; a run fails on each of them by itself.
 * [R1] Looking changes nothing: no file is made or written. */
#ifndef TWX_JOB_OBSTACLES_H
#define TWX_JOB_OBSTACLES_H

#include "job/open_store.h"

/* Called for each obstacle, with what it is and what to do. */
typedef twx_rc twx_obstacle_fn(void *arg, const char *text);

/* Of the file and its folder; needs no open store. */
TWX_CHECK twx_rc twx_file_obstacles(const twx_job *job, twx_obstacle_fn *fn, void *arg);
/* Of what is in the store: o is open with its source; the ids of mapped documents are read. */
TWX_CHECK twx_rc twx_store_obstacles(const twx_job *job, twx_opened *o, twx_obstacle_fn *fn,
                                     void *arg);

/* Errors TWX_E_DATA: the file has an object of its own with the name of one of ours
 * (store/migrate.h); TWX_E_CORRUPT: state, which is of this file, names no published
 * generation, but views of one are there. db: the file that gets the flags. */
TWX_CHECK twx_rc twx_check_names(const twx_job *job, twx_db *db, const twx_state *state);
/* Errors TWX_E_FULL: there is less free space than the flags of so many documents need, and `more`
 * bytes besides. */
TWX_CHECK twx_rc twx_check_space(const twx_job *job, uint64_t documents, uint64_t more);

#endif
