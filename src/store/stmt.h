/* store/stmt.h: private to store/: the internals of a connection, statements, and the mapping of
 * SQLite's result codes to twx_rc. Statements are prepared once by the module that uses them and
 * finalized by its _close(). */
#ifndef TWX_STORE_STMT_H
#define TWX_STORE_STMT_H

#include <sqlite3.h>

#include "base/value.h"
#include "store/db.h"

/* store/turn.h */
typedef struct twx_turns {
    uint32_t pause_ms;
    bool open;         /* a turn is open */
    int64_t began_ms;  /* of the open turn */
    int64_t commit_ms; /* what commits take, the mean of recent ones */
    int64_t held_ms;   /* in turns since the last pause */
    int64_t others_ms; /* when another connection has committed; that one did is assumed at first */
    int64_t data_version; /* changes when another connection commits */
    bool seen;            /* another connection has committed since this one was opened */
    bool holds;           /* the open turn holds the WAL, and nobody else does */
} twx_turns;

/* store/wal_hold.h */
typedef struct twx_wal_holder {
    twx_db *reader[2];
    int holding; /* the index of the one that holds, or is to */
    bool held;
    bool needed; /* there is a WAL */
    bool opened; /* so needed is known */
} twx_wal_holder;

struct twx_db {
    twx_ctx *cx; /* borrowed; receives the messages */
    sqlite3 *handle;
    char *path;
    twx_db_mode mode;
    bool holds;          /* from BEGIN until the end of a transaction that writes */
    bool begins;         /* waits for the right to write */
    bool triggers;       /* the user's run */
    uint32_t busy_ms;    /* how long to wait for a lock */
    int64_t waits_since; /* start of the current wait, in ms of the monotonic clock */
    twx_turns turns;
    twx_wal_holder wal;
    struct twx_page_functions *pages; /* of a reader */
    struct twx_terms *terms;          /* of the tokenizer; SQLite's; NULL: not registered yet */
    /* store/text_scores.h; NULL: nothing is counted, and scores are those of the own index */
    struct twx_text_statistics *counted;
    const struct twx_text_statistics *statistics;
};

twx_ctx *twx_db_ctx(const twx_db *db);
/* The monotonic clock in milliseconds. */
int64_t twx_db_clock_ms(void);
/* Writes "path: doing: reason" into the context; returns the matching twx_rc. */
twx_rc twx_db_fail(twx_db *db, int sqlite_rc, const char *doing);
/* The directory that SQLite uses for temporary files; false if none is writable. */
enum { TWX_FOLDER_BYTES = 1 << 12 };
bool twx_db_temporary_folder(twx_db *db, char folder[TWX_FOLDER_BYTES]);
TWX_CHECK twx_rc twx_stmt_prepare(twx_db *db, const char *sql, sqlite3_stmt **ret_stmt);
/* The same for several statements; after an error those that were prepared are the caller's. */
typedef struct twx_stmt_row {
    const char *sql;
    sqlite3_stmt **stmt;
} twx_stmt_row;
TWX_CHECK twx_rc twx_stmts_prepare(twx_db *db, const twx_stmt_row *rows, size_t n);
/* TWX_OK: a row; TWX_DONE: no (more) rows, the statement is reset; else an error, reset too. */
TWX_CHECK twx_rc twx_stmt_step(twx_db *db, sqlite3_stmt *stmt);
/* Runs a statement that returns no rows, resets it and clears its bindings. */
TWX_CHECK twx_rc twx_stmt_run(twx_db *db, sqlite3_stmt *stmt);
/* One integer from a statement without bindings; TWX_DONE if there is no row or the value is
 * NULL. */
TWX_CHECK twx_rc twx_db_integer(twx_db *db, const char *sql, int64_t *ret_value);

/* The first column of all rows of a bound statement, whose LIMIT must not exceed the array. */
TWX_CHECK twx_rc twx_stmt_integers(twx_db *db, sqlite3_stmt *stmt, int64_t *ret_values,
                                   size_t *ret_n);
/* Restores the connection's own authorizer after another one was set. */
void twx_db_authorize(twx_db *db);
/* Runs a script on a reader whose only writes go to its own TEMP schema. */
TWX_CHECK twx_rc twx_db_script_writable(twx_db *db, const char *sql);

/* Binding: index from 1. A NULL slice binds NULL. Bytes must stay valid until the statement is
 * reset. */
TWX_CHECK twx_rc twx_bind_int(twx_db *db, sqlite3_stmt *stmt, int at, int64_t v);
TWX_CHECK twx_rc twx_bind_null(twx_db *db, sqlite3_stmt *stmt, int at);
TWX_CHECK twx_rc twx_bind_text(twx_db *db, sqlite3_stmt *stmt, int at, twx_slice text);
TWX_CHECK twx_rc twx_bind_blob(twx_db *db, sqlite3_stmt *stmt, int at, twx_slice bytes);
TWX_CHECK twx_rc twx_bind_value(twx_db *db, sqlite3_stmt *stmt, int at, const twx_value *v);

/* Reading: slices are valid until the next step or reset. Text comes as UTF-8 whatever the file's
 * encoding. */
twx_slice twx_column_text(sqlite3_stmt *stmt, int at);
twx_slice twx_column_blob(sqlite3_stmt *stmt, int at);
twx_value twx_column_value(sqlite3_stmt *stmt, int at);

#endif
