/* store/remotes.h: twindex_remote and twindex_collection: documents of other stores that flags
 * refer to, and the place of a store in a collection of stores that one run judges together.
 * In rows of flags, a representative or the target of a link that lies in another store is a number
 * of its own, at or below TWX_REMOTE_LAST; the table says which document it stands for. Each
 * generation of flags has its own rows, which are as complete as the generation.
 * [R1] The number depends on the name of the other store and on the id there alone, unless two
 * documents collide: then the caller takes the next lower free number.
 * A store that was never part of a collection has neither table; reading finds nothing then. */
#ifndef TWX_STORE_REMOTES_H
#define TWX_STORE_REMOTES_H

#include "base/arena.h"
#include "base/value.h"
#include "store/db.h"

#define TWX_REMOTE_LAST (-(INT64_C(1) << 62)) /* from here down to -2^63 + 1 */

static inline bool twx_is_remote(int64_t doc) {
    return doc <= TWX_REMOTE_LAST;
}

/* A document of another store. */
typedef struct twx_remote {
    int64_t doc;     /* its number here */
    twx_slice shard; /* name of its store */
    twx_value id;    /* in that store */
    twx_slice url;   /* normal form; absent: longer than is kept */
} twx_remote;

/* [R1] */
int64_t twx_remote_number(twx_slice shard, const twx_value *id);
bool twx_remote_eq(const twx_remote *a, const twx_remote *b);
/* Copies the bytes of a remote into the arena. */
TWX_CHECK twx_rc twx_remote_copy(twx_ctx *cx, twx_arena *a, const twx_remote *remote,
                                 twx_remote *ret_copy);

/* Whether rows of the generation refer to documents of other stores. */
TWX_CHECK twx_rc twx_remotes_any(twx_db *db, char generation, bool *ret_any);
/* Bytes are copied into the arena. TWX_DONE: none. Errors TWX_E_CORRUPT */
TWX_CHECK twx_rc twx_remote_get(twx_db *db, char generation, int64_t doc, twx_arena *a,
                                twx_remote *ret_remote);
/* The same by store and id. */
TWX_CHECK twx_rc twx_remote_find(twx_db *db, char generation, twx_slice shard, const twx_value *id,
                                 twx_arena *a, twx_remote *ret_remote);
/* Both run inside the caller's transaction, and create the tables if necessary. */
TWX_CHECK twx_rc twx_remotes_put(twx_db *db, char generation, const twx_remote *remotes, size_t n);
TWX_CHECK twx_rc twx_remotes_delete(twx_db *db, char generation, const int64_t *docs, size_t n);

/* Reads the rows of a generation in order of doc, some at a time, so that no statement stays open.
 * Memory: embedded struct, owned. A row is valid until the next call of read(). */
typedef struct twx_remotes_cursor {
    twx_db *db;
    char generation;
    int64_t after;
    bool end;
    twx_arena bytes;
    twx_remote *rows; /* owned */
    size_t at, n;
} twx_remotes_cursor;

/* generation 0: there are no rows. */
TWX_CHECK twx_rc twx_remotes_cursor_init(twx_db *db, char generation,
                                         twx_remotes_cursor *ret_cursor);
void twx_remotes_cursor_done(twx_remotes_cursor *c);
/* The current row; NULL after the last one. */
TWX_CHECK twx_rc twx_remotes_cursor_read(twx_remotes_cursor *c, const twx_remote **ret_row);
void twx_remotes_cursor_move(twx_remotes_cursor *c);

/* ---- the place of a store in its collection ------------------------------ */

typedef struct twx_membership {
    twx_slice shard; /* name of the store; absent: it has none yet */
    /* By generation, a and b: number of the run over all stores whose result it holds, the same in
     * all stores; 0: of a run of this store alone */
    int64_t run[2];
} twx_membership;

/* The name is copied into the arena. */
TWX_CHECK twx_rc twx_membership_read(twx_db *db, twx_arena *a, twx_membership *ret_membership);
/* Inside the caller's transaction. run 0: the generation holds the result of a run of this store
 * alone; then the name is not used, and a store without the tables stays without them. */
TWX_CHECK twx_rc twx_membership_set(twx_db *db, char generation, twx_slice shard, int64_t run);

#endif
