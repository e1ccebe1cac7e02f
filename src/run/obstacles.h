/* run/obstacles.h: finds what would make a run fail although the command is correct: permissions,
 * space, the lock, names, ids. For `check`; a run itself fails on each of them.
 * [R1] Nothing is changed; no file is created or written. */
#ifndef TWX_RUN_OBSTACLES_H
#define TWX_RUN_OBSTACLES_H

#include "run/open_store.h"

/* Called for each obstacle; the text describes it and what to do. */
typedef twx_rc twx_obstacle_fn(void *arg, const char *text);

/* Obstacles in the file and its directory; needs no open store. */
TWX_CHECK twx_rc twx_file_obstacles(const twx_job *job, twx_obstacle_fn *fn, void *arg);
/* Obstacles in the contents of the store: o is open with its source; reads the ids of mapped
 * documents. */
TWX_CHECK twx_rc twx_store_obstacles(const twx_job *job, twx_opened *o, twx_obstacle_fn *fn,
                                     void *arg);

/* Errors TWX_E_DATA: the file has a foreign object with the name of one of Twindex's
 * (store/migrate.h); TWX_E_CORRUPT: the state of this file has no published generation, but views
 * of one exist. db: the file that receives the flags. */
TWX_CHECK twx_rc twx_check_names(const twx_job *job, twx_db *db, const twx_state *state);
/* Errors TWX_E_FULL: there is less free space than the flags of this number of documents and `more`
 * bytes need. */
TWX_CHECK twx_rc twx_check_space(const twx_job *job, uint64_t documents, uint64_t more);

#endif
