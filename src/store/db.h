/* store/db.h: a hardened connection to a store that other programs may write to. It resolves
 * symbolic links, does not create the file unless asked, sets an authorizer, and never changes the
 * journal mode. (docs/internals.md, "Decisions"; sqlite.org/security.html)
 *
 * [R1] A reader cannot write. [R2] A writer can write twindex_* and the views named in
 * authorizer.c, nothing else, unless it is opened with TWX_DB_OWNER (init, import), which may also
 * write `documents`, or TWX_DB_REMOVER, which may also drop what is Twindex's. [R3] The user's
 * triggers never run in a writer, unless an owner is opened with `triggers`; they may then write to
 * any table but Twindex's.
 * Memory: owned handle. One thread at a time. */
#ifndef TWX_STORE_DB_H
#define TWX_STORE_DB_H

#include <stdint.h>

#include "base/buf.h"
#include "base/ctx.h"

typedef struct twx_db twx_db;

typedef enum twx_db_mode {
    TWX_DB_READER, /* read-only; may hold the TEMP view of the source */
    TWX_DB_WRITER, /* twindex_* and our views */
    TWX_DB_OWNER,  /* also our own documents table */
    TWX_DB_REMOVER /* drops twindex_* and our views */
} twx_db_mode;

typedef struct twx_db_options {
    twx_db_mode mode;
    bool create;        /* create the file if it does not exist (WAL) */
    bool triggers;      /* of an owner: the user's triggers run */
    bool network;       /* with create: a rollback journal, which works on network file systems */
    uint32_t busy_ms;   /* how long to wait for a lock of another connection */
    uint32_t pause_ms;  /* after a turn (store/turn.h) */
    uint64_t row_bytes; /* longest row or value; 0: 64 MiB */
} twx_db_options;

TWX_CHECK twx_rc twx_db_open(twx_ctx *cx, const char *path, const twx_db_options *options,
                             twx_db **ret_db);
void twx_db_close(twx_db *db);
/* Limits the memory of SQLite in the whole process: a statement that needs more ends with
 * TWX_E_NOMEM. 0: the limit stays as it is. */
void twx_db_limit_memory(uint64_t bytes);
const char *twx_db_path(const twx_db *db);
/* The absolute path of the file that `path` names, symbolic links resolved. Owned by the caller;
 * NULL on error, with the message in cx. */
char *twx_db_resolve(twx_ctx *cx, const char *path);

/* BEGIN IMMEDIATE, COMMIT, ROLLBACK. rollback never fails and never hides an earlier error. */
TWX_CHECK twx_rc twx_db_begin(twx_db *db);
TWX_CHECK twx_rc twx_db_commit(twx_db *db);
void twx_db_rollback(twx_db *db);
/* Runs a script of sql/ (several statements, no results). */
TWX_CHECK twx_rc twx_db_script(twx_db *db, const char *sql);
/* The same in a transaction of its own. */
TWX_CHECK twx_rc twx_db_transact(twx_db *db, const char *script);
TWX_CHECK twx_rc twx_db_has_column(twx_db *db, twx_slice table, twx_slice column, bool *ret_has);

/* Opens a read transaction and reads, so that no connection can reset the WAL until unpin, which
 * never fails. */
TWX_CHECK twx_rc twx_db_pin(twx_db *db);
void twx_db_unpin(twx_db *db);
TWX_CHECK twx_rc twx_db_is_wal(twx_db *db, bool *ret_wal);
/* A number that changes whenever another connection has committed to the file since the last call
 * on this connection. */
TWX_CHECK twx_rc twx_db_data_version(twx_db *db, int64_t *ret_version);
/* SQLite's quick_check; appends up to ten findings, one per line; none if the file is sound. A
 * table that needs a collation, function or module of its own application cannot be checked and is
 * not a fault: a line of ret_skipped names it and the reason. */
TWX_CHECK twx_rc twx_db_quick_check(twx_db *db, twx_buf *ret_faults, twx_buf *ret_skipped);
/* Is there a table, view, index or trigger of this name? */
TWX_CHECK twx_rc twx_db_has(twx_db *db, const char *name, bool *ret_has);

#endif
