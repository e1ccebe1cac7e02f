/* run/remote_changes.h: the differences between the documents of other stores that a result refers
 * to and those that a generation of stored flags refers to (store/remotes.h), one at a time, in
 * order of their numbers. The caller may write to the generation between two differences. */
#ifndef TWX_RUN_REMOTE_CHANGES_H
#define TWX_RUN_REMOTE_CHANGES_H

#include "store/remotes.h"

/* The documents of other stores that a result refers to, in order of doc, each once. Memory: the
 * caller owns what arg points to; a row is valid until the next call. */
typedef struct twx_remote_rows {
    void *arg;
    twx_rc (*rewind)(void *arg);                    /* the next row is the first again */
    twx_rc (*next)(void *arg, twx_remote *ret_row); /* TWX_DONE after the last one */
} twx_remote_rows;

typedef struct twx_remote_change {
    int64_t doc;
    const twx_remote *fresh; /* NULL: no row refers to it any more */
} twx_remote_change;

/* Memory: embedded struct; twx_remote_changes_done(). What rows point to, and db, are borrowed. */
typedef struct twx_remote_changes {
    twx_remote_rows rows;
    twx_remotes_cursor stored;
    twx_remote fresh, given;
    bool waits, end;
} twx_remote_changes;

/* rows NULL: the result refers to none. generation 0: nothing is stored. */
TWX_CHECK twx_rc twx_remote_changes_init(const twx_remote_rows *rows, twx_db *db, char generation,
                                         twx_remote_changes *ret_changes);
void twx_remote_changes_done(twx_remote_changes *changes);
/* TWX_DONE after the last one. */
TWX_CHECK twx_rc twx_remote_changes_next(twx_remote_changes *changes,
                                         twx_remote_change *ret_change);

#endif
