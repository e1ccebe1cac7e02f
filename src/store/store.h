/* store/store.h: everything that is SQLite: source, signatures, generations, schema. */
#ifndef TWX_STORE_STORE_H
#define TWX_STORE_STORE_H

#include <sqlite3.h>

#include "text/text.h"

/* db.c: a hardened connection to a store that other programs may write to. It resolves
 * symbolic links, does not create the file unless asked, sets an authorizer, and never changes the
 * journal mode. (docs/internals.md, "Decisions"; sqlite.org/security.html)
 *
 * [R1] A reader cannot write. [R2] A writer can write twindex_* and the views named in
 * authorizer, nothing else, unless it is opened with TWX_DB_OWNER (init, import), which may also
 * write `documents`, or TWX_DB_REMOVER, which may also drop what is Twindex's. [R3] The user's
 * triggers never run in a writer, unless an owner is opened with `triggers`; they may then write to
 * any table but Twindex's.
 * Memory: owned handle. One thread at a time. */

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
    bool named;         /* the user named it as a store */
    bool triggers;      /* of an owner: the user's triggers run */
    bool network;       /* with create: a rollback journal, which works on network file systems */
    uint32_t busy_ms;   /* how long to wait for a lock of another connection */
    uint32_t pause_ms;  /* after a turn (store/turn.c) */
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
/* Commits if rc is TWX_OK, else rolls back; returns rc or the error of the commit. */
TWX_CHECK twx_rc twx_db_end(twx_db *db, twx_rc rc);
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

/* stmt.c: private to store/: the internals of a connection, statements, and the mapping of
 * SQLite's result codes to twx_rc. Statements are prepared once by the module that uses them and
 * finalized by its _close(). */

/* store/turn.c */
typedef struct twx_turns {
    uint32_t pause_ms;
    bool open;               /* a turn is open */
    int64_t began_ms;        /* of the open turn */
    int64_t commit_ms;       /* what commits take, the mean of recent ones */
    int64_t held_ms;         /* in turns since the last pause */
    int64_t paused_until_ms; /* the next turn does not begin before */
    bool wal;                /* not a rollback journal */
    int64_t others_ms; /* when another connection has committed; that one did is assumed at first */
    int64_t data_version; /* changes when another connection commits */
    bool seen;            /* another connection has committed since this one was opened */
    bool holds;           /* the open turn holds the WAL, and no other connection does */
} twx_turns;

/* store/turn.c */
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
    /* store/text_index.c; NULL: nothing is counted, and scores are those of the own index */
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
/* The same with a formatted statement. */
TWX_CHECK twx_rc twx_stmt_printf(twx_db *db, sqlite3_stmt **ret_stmt, const char *fmt, ...)
    TWX_PRINTF(3, 4);
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
/* The same after binding its parameters (TWX_VALUES); with _first steps to its first row. */
TWX_CHECK twx_rc twx_stmt_write(twx_db *db, sqlite3_stmt *stmt, const twx_value *values, size_t n);
TWX_CHECK twx_rc twx_stmt_first(twx_db *db, sqlite3_stmt *stmt, const twx_value *values, size_t n);
/* Finalizes a statement. rc: how its rows ended; TWX_DONE is success. */
TWX_CHECK twx_rc twx_stmt_end(sqlite3_stmt *stmt, twx_rc rc);
/* A statement that is used once: prepared, its parameters bound (TWX_VALUES) and run; with _row up
 * to its first row, with _bind before it. Then the caller finalizes *ret_stmt, also after an
 * error. */
TWX_CHECK twx_rc twx_db_run(twx_db *db, const char *sql, const twx_value *values, size_t n);
TWX_CHECK twx_rc twx_db_bind(twx_db *db, const char *sql, const twx_value *values, size_t n,
                             sqlite3_stmt **ret_stmt);
TWX_CHECK twx_rc twx_db_row(twx_db *db, const char *sql, const twx_value *values, size_t n,
                            sqlite3_stmt **ret_stmt);
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
TWX_CHECK twx_rc twx_bind_text(twx_db *db, sqlite3_stmt *stmt, int at, twx_slice text);
TWX_CHECK twx_rc twx_bind_blob(twx_db *db, sqlite3_stmt *stmt, int at, twx_slice bytes);
TWX_CHECK twx_rc twx_bind_value(twx_db *db, sqlite3_stmt *stmt, int at, const twx_value *v);
/* The parameters from 1 on. */
TWX_CHECK twx_rc twx_bind(twx_db *db, sqlite3_stmt *stmt, const twx_value *values, size_t n);
#define TWX_VALUES(...) \
    (const twx_value[]){__VA_ARGS__}, sizeof((const twx_value[]){__VA_ARGS__}) / sizeof(twx_value)

/* Reading: slices are valid until the next step or reset. Text comes as UTF-8 whatever the file's
 * encoding. */
twx_slice twx_column_text(sqlite3_stmt *stmt, int at);
twx_slice twx_column_blob(sqlite3_stmt *stmt, int at);
twx_value twx_column_value(sqlite3_stmt *stmt, int at);

/* turn.c: write transactions for which other writers of the store wait only briefly.
 *
 * A turn is one transaction. A caller asks after each row whether the turn is over, ends it, and
 * begins another one. A connection that waits for the lock sleeps between its attempts: with
 * SQLite's busy timeout for 1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50 and then 100 ms. A turn of
 * 20 ms and a pause of 15 ms let it in at its fourth or fifth attempt, 18 or 33 ms after the first.
 * [R1] A turn is over when it would last 20 ms together with its commit and with those before it
 * that no pause has followed, but not before 5 ms: who waits sees them as one. If no other
 * connection has committed for 2 seconds, long turns are cheaper and delay few: then it is over
 * after 100 ms.
 * [R2] A turn that is over or full is followed by a pause (twx_db_options.pause_ms), and so are
 * several short ones that together last as long. The caller need not wait for its end: the next
 * turn does, so that what the caller does between two turns is a part of the pause. Not so with a
 * rollback journal, where reading would keep others from committing.
 * [R3] If other connections commit, what a turn has written is copied from the WAL into the file
 * after it, as a part of its pause. SQLite would let the next connection that commits do it. */

/* Nothing if a turn of the connection is open already. */
TWX_CHECK twx_rc twx_turn_begin(twx_db *db);
bool twx_turn_is_over(const twx_db *db); /* false if none is open */
/* Commits if rc is TWX_OK, else rolls back, and begins the pause that [R2] asks for. full: the
 * caller has written as much as it writes in one transaction. Returns rc or the error of the
 * commit. Nothing if no turn is open. */
TWX_CHECK twx_rc twx_turn_end(twx_db *db, twx_rc rc, bool full);

/* changes (turn.c): the change queue of our own schema (twindex_change, filled by the triggers of
 * `documents`).
 * db: any connection to the store; twx_changes_forget() needs a writer. The caller owns the
 * transaction. */

/* The seq of the newest change, which a run processes up to; 0 if there is none. */
TWX_CHECK twx_rc twx_changes_mark(twx_db *db, int64_t *ret_mark);
/* Whether there are as many documents as signatures, and the largest number of each is the same,
 * apart from those in the queue. */
TWX_CHECK twx_rc twx_changes_agree(twx_db *db, bool *ret_agree);
/* Documents changed up to mark, each once, ascending, greater than `after`; fewer than limit at the
 * end. */
TWX_CHECK twx_rc twx_changes_list(twx_db *db, int64_t mark, int64_t after, int64_t *ret_docs,
                                  size_t limit, size_t *ret_n);
/* Removes some thousand of the changes up to mark from the queue; later ones stay. *ret_more:
 * whether there may be more of them. */
TWX_CHECK twx_rc twx_changes_forget(twx_db *db, int64_t mark, bool *ret_more);

/* wal_hold (turn.c): keeps the WAL of a store from being reset, and copies it into the file while
 * it cannot be.
 *
 * SQLite before 3.51.3 can corrupt a file when one connection commits and so resets the WAL while
 * another one is about to copy it ("WAL-reset bug", sqlite.org/wal.html). An open read transaction
 * whose snapshot is not yet in the file prevents every reset, and no connection can copy past it.
 * Two readers take turns: the second one begins after a commit and before the first one ends, so
 * there is always one whose snapshot was too new to be copied when it began.
 *
 * Without a WAL all of these do nothing. The readers are opened by the first call and are closed
 * with the connection. */

/* db: a writer. Nothing if it holds the WAL already. */
TWX_CHECK twx_rc twx_wal_hold(twx_db *db);
bool twx_wal_is_held(const twx_db *db);
/* After a commit: the hold moves to the newest state, so that the WAL can be copied up to here.
 * Nothing if the WAL is not held. */
TWX_CHECK twx_rc twx_wal_renew(twx_db *db);
/* Copies what a renewed hold permits into the file, without waiting for anybody; otherwise the next
 * writer that commits does so, while its own caller waits. An error is not reported: what was
 * committed is in the WAL, and the next connection tries again. Nothing if the WAL is not held. */
void twx_wal_copy(twx_db *db);
void twx_wal_release(twx_db *db);
/* Copies all, if no other reader prevents that, and releases: the next commit of any program then
 * uses the WAL from its beginning. Keeps an earlier error of the context. */
void twx_wal_finish(twx_db *db);

/* file_shape (schema.c): facts of an SQLite file, for `doctor`. */

typedef struct twx_file_shape {
    uint64_t pages, free_pages, page_bytes;
} twx_file_shape;

TWX_CHECK twx_rc twx_file_shape_read(twx_db *db, twx_file_shape *ret_shape);
const char *twx_sqlite_version(void);

enum { TWX_VERSION_BYTES = 32 };
/* The last row of the ledger; TWX_DONE: there is none. */
typedef struct twx_last_run {
    int64_t run;
    bool unended;
    char version[TWX_VERSION_BYTES];
} twx_last_run;
TWX_CHECK twx_rc twx_last_run_read(twx_db *db, twx_last_run *ret_run);

/* migrate (schema.c): the tables of Twindex in a store, and our own table `documents`: made,
 * checked, and brought to the schema version of this program.
 * [R1] There are no downgrades. [R2] A store of another schema version from which no steps lead
 * here is refused and left unchanged. */

/* `tables` makes the tables of the version `version`; steps[i] leads from version `first` + i to
 * the next one. */
typedef struct twx_schema {
    const char *tables;
    const char *const *steps;
    int64_t first, version;
} twx_schema;

extern const twx_schema TWX_SCHEMA; /* of this program */

/* Schema version of Twindex's tables in the store; 0 if it has none. */
TWX_CHECK twx_rc twx_schema_version(twx_db *db, int64_t *ret_version);
/* The same. Errors TWX_E_DATA: the tables are of another version. The message says what to do. */
TWX_CHECK twx_rc twx_schema_check(twx_db *db, const twx_schema *schema, int64_t *ret_version);
/* Makes the tables, or takes the steps that lead to this version, each in a transaction. Errors as
 * twx_schema_check(). */
TWX_CHECK twx_rc twx_migrate(twx_db *db, const twx_schema *schema);
/* Errors TWX_E_DATA: an object that is not Twindex's has the name of one of its tables or views, or
 * is a trigger on one of the views. Publishing would replace it or fail. */
TWX_CHECK twx_rc twx_names_check(twx_db *db);
/* Errors TWX_E_DATA: a view, which could run any query, has the name of a table of Twindex. */
TWX_CHECK twx_rc twx_tables_check(twx_db *db);
/* Whether the file has tables that are not Twindex's. */
TWX_CHECK twx_rc twx_has_foreign_tables(twx_db *db, bool *ret_has);
/* Creates our own `documents` table with its triggers. [R3] A table of that name and shape without
 * the change queue, as `remove` leaves it, gets queue and triggers again; any other is refused with
 * TWX_E_DATA. db: an owner. */
TWX_CHECK twx_rc twx_make_documents(twx_db *db);
/* Errors TWX_E_DATA: `documents` lacks a column that an import writes. */
TWX_CHECK twx_rc twx_check_documents(twx_db *db);

/* source_columns: the single list of the columns of a source document. It defines the enum,
 * the view source_document, the columns that each kind of read fetches, and the settings store.*;
 * store/mapping.c lists common names of these columns in other stores. */

/* clang-format off */

/* TWX_COL_*, name, the smallest TWX_WANT_* that includes it (store/source.c), help of its
 * setting */
#define TWX_SOURCE_COLUMNS(X)                                                                     \
    X(ID, id, IDENTITY, "The key of a document.")                                                 \
    X(URL, url, OUTSIDE, "Its absolute URL.")                                                     \
    X(TEXT, text, WHOLE, "Its visible text, UTF-8.")                                              \
    X(MAIN, main, WHOLE, "The part of its text that is its content area, for near.text = main.")  \
    X(TITLE, title, WHOLE, "Its title.")                                                          \
    X(HEADINGS, headings, WHOLE, "Its main headings (h1), one a line.")                           \
    X(NAMES, names, WHOLE, "Alt texts of its images and names in structured data, one a line.")   \
    X(DESCRIPTION, description, WHOLE, "Its description.")                                        \
    X(HTTP_STATUS, http_status, OUTSIDE, "The status it was loaded with; NULL counts as 200.")    \
    X(FAILURE, failure, OUTSIDE, "Why loading it failed; empty or NULL if it did not.")           \
    X(ROBOTS, robots, OUTSIDE,                                                                    \
      "Its robots directives: text, or YaCy's bit field as an integer.")                          \
    X(CANONICAL_URL, canonical_url, OUTSIDE, "The target of its canonical link.")                 \
    X(REDIRECT_URL, redirect_url, OUTSIDE, "Where it redirects to.")                              \
    X(HREFLANG_GROUP, hreflang_group, OUTSIDE,                                                    \
      "A value that a page and its translations share.")                                          \
    X(FETCHED_AT, fetched_at, OUTSIDE, "When it was loaded: seconds since 1970 or ISO 8601.")     \
    X(SCORE, score, OUTSIDE, "Its rank or number of inlinks; larger is better.")                  \
    X(LAYOUT_DIGEST, layout_digest, OUTSIDE, "A digest of its markup without the text.")          \
    X(CONTENT_TYPE, content_type, OUTSIDE, "Its content type.")                                   \
    X(LANGUAGE, language, OUTSIDE, "Its language.")                                               \
    X(CRAWL_ID, crawl_id, OUTSIDE, "The crawl it comes from.")                                    \
    X(CHANGED, changed, IDENTITY, "A value that changes whenever the document does.")

/* clang-format on */

typedef enum twx_column {
#define TWX_COLUMN_ENUM(NAME, name, want, help) TWX_COL_##NAME,
    TWX_SOURCE_COLUMNS(TWX_COLUMN_ENUM)
#undef TWX_COLUMN_ENUM
        TWX_COLUMNS
} twx_column;

/* removal (schema.c): takes everything of Twindex out of a file, in one transaction: a process
 * that is killed leaves all of it or nothing. Rows and schema of others stay as they are; pages
 * that become free are used again by the next rows.
 * Memory: nothing is kept. */

/* An object that is removed; or one of others that names such an object, stays, and cannot be used
 * any more if it reads it. */
typedef struct twx_removal_row {
    twx_slice drop; /* the statement that removes it; absent: it stays */
    twx_slice type; /* "table", "view", "trigger" */
    twx_slice name;
} twx_removal_row;

/* row: borrowed for the call. */
typedef twx_rc twx_removal_fn(void *arg, const twx_removal_row *row);

TWX_CHECK twx_rc twx_removal_list(twx_db *db, twx_removal_fn *fn, void *arg);
/* db: opened with TWX_DB_REMOVER. */
TWX_CHECK twx_rc twx_removal_apply(twx_db *db);

/* source.c: reads documents of any store through one TEMP VIEW, source_document, on a
 * read-only connection. The view has the columns of TWX_COL_* and scan_key, which defines the
 * reading order: the rowid of a plain table that has one, else the mapped id. [R1] No statement
 * stays open between calls, so a long scan never pins the WAL.
  * [R5] A scan reads the store once, regardless of the number of batches. If SQLite would sort or
  * index all rows for each batch (a join without an index, GROUP BY, most views;
  * store/source_check.c), one statement first copies the wanted columns into a TEMP table, and
  * batches are read from that.
 * [R2] A mapping may read ordinary columns of tables; views, virtual tables and generated columns
 * need allow_view.
 * [R6] twx_source_beyond(): whether a value of a document, or that it is one, can depend on more
 * than its row of the table `from`, as SQLite's authorizer reports while the mapping is prepared.
 * [R4] The rowid of a table without INTEGER PRIMARY KEY is not a stable key: VACUUM can renumber
 * the rows, and flags would refer to other documents. Using it needs allow_rowid. Shadow tables (in
 * which virtual tables keep their data) count as ordinary tables.
 * [R3] Values of any type and text of any encoding are accepted; invalid UTF-8 is passed on
 * unchanged.
 * Memory: owned handle; a row's values are borrowed for the callback. */

const char *twx_column_name(size_t column); /* "http_status"; NULL after the last */

/* How a store is mapped.
 * Memory: embedded struct, strings owned. */
typedef struct twx_mapping {
    char *from;             /* table or FROM clause */
    char *where;            /* NULL: all rows */
    char *map[TWX_COLUMNS]; /* SQL expression; NULL: not mapped */
    bool allow_view;
    bool allow_rowid; /* also a rowid that VACUUM changes */
    bool own;         /* our own `documents` table with its change triggers */
    bool chosen;      /* found by the usual names, not configured */
    bool doubtful;    /* more than one table or column matched */
    twx_buf note;     /* what was chosen and what else matched, for display */
} twx_mapping;

void twx_mapping_done(twx_mapping *m);
/* Fills in what is not configured: our own table, else a table with the usual names over which the
 * configured expressions are valid.
 * Errors TWX_E_CONFIG if nothing fits; the message names the tables and what they lack. */
TWX_CHECK twx_rc twx_mapping_detect(twx_db *reader, twx_mapping *m);

/* The unquoted table name if the FROM clause is just a name; NULL if it is more than that, or out
 * of memory (then cx has the error). */
char *twx_from_table(twx_ctx *cx, const char *from);

/* The first column whose mapped expression is not valid over the FROM clause; TWX_COLUMNS if all
 * are. */
size_t twx_mapping_invalid(twx_db *db, const twx_mapping *m, const char *from);

/* Adds the names of the columns that no expression of the mapping reads, of the tables that it
 * reads, to `names`: "heading, code"; with the table, where there are several. */
TWX_CHECK twx_rc twx_mapping_unread(twx_db *db, const twx_mapping *m, twx_buf *names);

typedef struct twx_source twx_source;

/* Creates the view. Errors TWX_E_CONFIG, naming the wrong column of the mapping and the reason.
 * reader and m are borrowed. */
TWX_CHECK twx_rc twx_source_open(twx_db *reader, const twx_mapping *m, twx_source **ret_source);
void twx_source_close(twx_source *s);
twx_ctx *twx_source_ctx(const twx_source *s); /* receives its messages */
/* Whether the mapped id is the table's integer primary key. Then it is the document number; else
 * ids are mapped to numbers. */
bool twx_source_is_direct(const twx_source *s);
/* Whether the rows are copied before they are scanned [R5]. Then reading all of them is cheaper
 * than fetching some. */
bool twx_source_is_copied(const twx_source *s);
/* [R6] Why, as "store.score calls 'random'"; NULL: the row alone decides. Borrowed. */
enum { TWX_BEYOND_BYTES = 200 };
const char *twx_source_beyond(const twx_source *s);
/* Whether ranges of keys can be read: the key is the rowid, and rows are not copied. */
bool twx_source_has_ranges(const twx_source *s);
/* The smallest and the largest key of a source with ranges. TWX_DONE: it has no rows. */
TWX_CHECK twx_rc twx_source_bounds(twx_source *s, int64_t *ret_least, int64_t *ret_most);
/* Errors TWX_E_FULL: whole rows have to be copied, and temporary files have no room for them
 * (store/source_check.c). */
TWX_CHECK twx_rc twx_source_check_room(twx_source *s);
/* The SELECT of the persistent view flagged_documents, which other programs read. Columns that call
 * our SQL functions (store/db.c) are NULL in it. Borrowed; NULL if the view is
 * impossible without these functions. */
const char *twx_source_select(const twx_source *s);
/* Hash of the mapping; signatures made under another mapping are stale. */
uint64_t twx_source_fingerprint(const twx_source *s);
/* An upper estimate of the number of documents. */
TWX_CHECK twx_rc twx_source_estimate(twx_source *s, uint64_t *ret_documents);

/* Shape value[c] for every requested column, NULL elsewhere. */
typedef struct twx_source_row {
    twx_value scan_key;
    twx_value value[TWX_COLUMNS];
} twx_source_row;

/* Called for each row; sets *ret_enough to end the batch after this row. */
typedef twx_rc twx_source_fn(void *arg, const twx_source_row *row, bool *ret_enough);

/* The position of a scan.
 * Memory: embedded struct, zeroed by the caller; twx_source_cursor_done() at the end. */
typedef struct twx_source_cursor {
    twx_value after; /* bytes in `bytes` */
    char *bytes;
    size_t room; /* size of bytes */
    bool begun, ended;
    /* Of a source with twx_source_has_ranges(): reads only the keys from `first` to `last`. The
     * other members are 0 at first. */
    bool bounded;
    int64_t first, last;
} twx_source_cursor;

void twx_source_cursor_done(twx_source_cursor *cursor);
/* Which columns of a row are read. A row longer than the limit can still be listed by its scan key
 * if that is the rowid. */
typedef enum twx_source_want {
    TWX_WANT_KEYS,
    TWX_WANT_IDENTITY /* id and changed too */,
    /* all but text, title and description: avoids the overflow pages of a table whose text comes
     * last */
    TWX_WANT_OUTSIDE,
    TWX_WANT_WHOLE,
    TWX_WANTS
} twx_source_want;

/* Reads up to `limit` rows after the cursor in order of scan_key and moves the cursor to the last
 * row that fn has accepted. TWX_DONE: no rows are left. TWX_E_LIMIT: a row is longer than the row
 * limit; the rows before it have been passed to fn. */
typedef struct twx_source_batch {
    twx_source_want want;
    uint32_t limit;
    twx_source_fn *fn;
    void *arg;
    bool sample; /* no other batch follows, so the rows are not copied [R5] */
} twx_source_batch;
TWX_CHECK twx_rc twx_source_read(twx_source *s, twx_source_cursor *cursor,
                                 const twx_source_batch *batch);
/* Reads one complete row by its scan key. TWX_DONE: it does not exist (any more). After a scan that
 * copied complete rows, the row comes from that copy [R5]; otherwise a row of a join without an
 * index costs a scan. */
TWX_CHECK twx_rc twx_source_fetch(twx_source *s, const twx_value *scan_key, twx_source_fn *fn,
                                  void *arg);
/* The same by its id, without texts (TWX_WANT_OUTSIDE), for many rows in turn. */
TWX_CHECK twx_rc twx_source_outside(twx_source *s, const twx_value *id, twx_source_fn *fn,
                                    void *arg);
/* Appends the text of one document, by its id, for many in turn; nothing if it has none. Rows that
 * are copied are read from the copy, which is made first if need be [R5]. TWX_DONE: there is no
 * such document. */
TWX_CHECK twx_rc twx_source_text(twx_source *s, const twx_value *id, twx_buf *text);
/* Reads one complete row by its id. TWX_DONE: it does not exist. */
TWX_CHECK twx_rc twx_source_by_id(twx_source *s, const twx_value *id, twx_source_fn *fn, void *arg);
/* Finds documents by id or URL as the user typed it (id first). Calls fn for each; TWX_DONE:
 * none. */
TWX_CHECK twx_rc twx_source_find(twx_source *s, twx_slice url_or_id, twx_source_fn *fn, void *arg);
/* Calls fn for the URL of each document, in no order; other columns are not read. */
typedef twx_rc twx_source_url_fn(void *arg, twx_slice url);
TWX_CHECK twx_rc twx_source_urls(twx_source *s, twx_source_url_fn *fn, void *arg);

/* guess.c: finds the documents of a store by the contents of its columns, for `check
 * --suggest`, which shows the result and leaves the decision to the user.
 * [R1] Looks for URL and text in one table or FTS table, else in a view. The URL may be split into
 * host and path; the text may be a path of a JSON column, HTML, or compressed.
 * [R2] Otherwise looks for two tables, or three, joined by a foreign key, a column named like one,
 * equal digests, or equal keys, as with the rowid of an FTS table. The other columns are taken from
 * all of them.
 * [R3] Of several rows with one URL the latest by date is used; a text that is split over numbered
 * rows is joined.
 * [R4] Only a few rows of each table are read.
 * [R5] What a page says about itself is read from its HTML if no column has it. Columns that are
 * not mapped are listed. */

/* Adds from, where, id, url, text, title and the rest as lines of a configuration, and remarks as
 * comments. TWX_DONE: nothing was found, and `why` describes what the tables contain instead. */
TWX_CHECK twx_rc twx_guess(twx_db *reader, twx_buf *config, twx_buf *why);
/* Rank of a name among the usual names of a column, 0 being the best; TWX_USUAL_NONE if it is not
 * one of them. */
enum { TWX_USUAL_NONE = 1000 };
size_t twx_usual_place(size_t column, twx_slice name);

/* What an HTML page says about itself: the SQL function that gives the value of a column, such as
 * html_robots, and whether it takes the URL of the page, too. NULL: the column is no part of a
 * page. */
const char *twx_page_part(size_t column, bool *ret_with_url);
/* Whether the name is a usual one of the HTML of a page. */
bool twx_is_html_name(twx_slice name);

/* documents.c: writes captures into our own `documents` table, for imports.
 * [R1] One row per URL as captured, not normalized. A capture replaces the row unless it is known
 * to be older. Only two dates with a time, neither of them in the future, say so: a date that is
 * missing, equal, a day without a time or in the future decides nothing, and the later capture
 * replaces the earlier one. The capture that is stored changes nothing, except that a document
 * without headings or names gets those of the same capture, and one without links its links, which
 * are not part of the digest.
 * [R2] Each change is queued in twindex_change in the same transaction, whether triggers run (db)
 * or not. A row that a trigger of the owner refuses is left out.
 * Memory: owned handle; slices are borrowed for the call. */

typedef struct twx_capture {
    twx_slice url; /* required; the rest may be absent */
    twx_slice title, headings, names, description, text;
    twx_slice main_parts; /* page/shown.c; absent: the content area is all of the text */
    twx_slice failure, robots, canonical_url, redirect_url, hreflang_group, language, content_type;
    twx_slice layout_digest, payload_digest, crawl_id;
    int64_t http_status; /* -1: absent */
    int64_t fetched_at;  /* seconds since 1970; INT64_MIN: absent */
    bool fetched_day;    /* fetched_at is a day without a time */
    double score;        /* NaN: absent */
    twx_slice links;     /* store/documents.c: targets of the page's links; absent: not known */
    int64_t repeats;     /* the document that this capture repeats, links included; 0: none */
} twx_capture;

twx_capture twx_capture_none(void); /* all absent */

typedef enum twx_put {
    TWX_PUT_NEW,
    TWX_PUT_REPLACED,
    TWX_PUT_SAME,
    TWX_PUT_OLDER,
    TWX_PUT_REFUSED, /* by a trigger of the owner */
    TWX_PUT_COUNT
} twx_put;

typedef struct twx_documents twx_documents;

/* db: an owner connection, borrowed. Errors TWX_E_DATA if the store has no `documents` table
 * created by twindex init. */
TWX_CHECK twx_rc twx_documents_open(twx_ctx *cx, twx_db *db, twx_documents **ret_documents);
/* The names of the owner's own triggers on documents; nothing if there are none. */
TWX_CHECK twx_rc twx_documents_triggers(twx_db *db, twx_buf *ret_names);
/* Why the last put was refused; borrowed until the next one. */
const char *twx_documents_refusal(const twx_documents *d);
/* Stores links from now on, in a table that is created if it does not exist. Without this call, a
 * document that is replaced loses its links. */
TWX_CHECK twx_rc twx_documents_keep_links(twx_documents *d);
bool twx_documents_keeps_links(const twx_documents *d);
uint64_t twx_documents_links(const twx_documents *d); /* written so far */
/* Later dates are in the future; without this call none is. */
void twx_documents_set_latest(twx_documents *d, int64_t latest);
bool twx_documents_is_future(const twx_documents *d, const twx_capture *capture);
/* Writes one capture. A turn (store/turn.c) is open from the first write until it is over or the
 * caller commits. */
TWX_CHECK twx_rc twx_documents_put(twx_documents *d, const twx_capture *capture, twx_put *ret_put);
/* The capture (text, title, description, layout digest, ... ) of the document with this payload
 * digest, for WARC revisit records. TWX_DONE: none. Slices valid until the next call on d. */
TWX_CHECK twx_rc twx_documents_find_payload(twx_documents *d, twx_slice payload_digest,
                                            twx_capture *ret_capture);
TWX_CHECK twx_rc twx_documents_commit(twx_documents *d);
/* Uncommitted puts are rolled back. */
void twx_documents_close(twx_documents *d);

/* links (documents.c): twindex_link, the links between the pages of our own `documents`. The table
 * is created by the first import with --links; other stores have none.
 * [R1] A document's links are deleted with it, even when a crawler deletes it. [R2] Links that are
 * already stored are not written again.
 * [R3] Links are read in batches, in order of (doc, to_url), so that no statement stays open for
 * long.
 * Memory: owned handle; slices are borrowed for the call. The caller owns the transaction of
 * functions that write. */

typedef struct twx_links twx_links;

/* Creates the table if it does not exist, and deletes links of deleted documents, in its own
 * transactions. db: opened with TWX_DB_OWNER. */
TWX_CHECK twx_rc twx_links_make(twx_db *db);

/* from_url: as stored in `documents`; to_url: in normal form without optional steps and rules.
 * Before comparing them the caller normalizes both as the settings require. */
typedef twx_rc twx_link_fn(void *arg, twx_slice from_url, twx_slice to_url);
/* Calls fn for every link whose document exists; never if there is no table. The slices are valid
 * until fn returns. */
TWX_CHECK twx_rc twx_links_each(twx_db *db, twx_link_fn *fn, void *arg);

/* signatures.c: the cache of signatures (twindex_signature) and the document numbers
 * (twindex_document). The caller owns the transaction. On a reader, functions that write fail with
 * TWX_E_CONFIG.
 * Memory: owned handle; slices read are valid until the next call. */

/* The form of a row of facts and record (docs/signatures.md). It is part of the fingerprint of
 * signing, so that another version signs all documents again. */
enum { TWX_PACKED_ROW_VERSION = 1 };

typedef struct twx_signatures twx_signatures;

/* One stored row: facts (judge/facts.c) and record (sign/record.c), both packed. Shape: token is
 * absent for the trigger feed. */
typedef struct twx_stored {
    int64_t doc;
    bool has_token;
    uint64_t token;
    uint64_t fingerprint;
    twx_slice facts, record;
} twx_stored;

TWX_CHECK twx_rc twx_signatures_open(twx_db *db, twx_signatures **ret_signatures);
void twx_signatures_close(twx_signatures *s);

TWX_CHECK twx_rc twx_signatures_count(twx_signatures *s, uint64_t *ret_count);
TWX_CHECK twx_rc twx_signatures_get(twx_signatures *s, int64_t doc,
                                    twx_stored *ret_stored); /* TWX_DONE: none */
TWX_CHECK twx_rc twx_signatures_put(twx_signatures *s, const twx_stored *stored);
TWX_CHECK twx_rc twx_signatures_delete(twx_signatures *s, int64_t doc);
/* Resets the statement of the last get or document_id; its slices become invalid. Until then the
 * WAL is pinned, and this connection cannot begin a transaction once another one has committed. */
void twx_signatures_release(twx_signatures *s);

/* Reads all rows, one at a time, with their ids, in order of the id (direct: doc). A statement of
 * the connection stays open until close, and errors of the connection go to cx (borrowed), such as
 * that of another thread that reads. Memory: owned handle; a row is valid until the next call. */
typedef struct twx_signatures_cursor twx_signatures_cursor;
TWX_CHECK twx_rc twx_signatures_cursor_open(twx_signatures *s, bool direct, twx_ctx *cx,
                                            twx_signatures_cursor **ret_cursor);
/* TWX_DONE after the last one. Errors TWX_E_CORRUPT */
TWX_CHECK twx_rc twx_signatures_cursor_next(twx_signatures_cursor *c, twx_stored *ret_stored,
                                            twx_value *ret_id);
void twx_signatures_cursor_close(twx_signatures_cursor *c);
/* Calls `fn` for each row, id included, in order of the document's id (direct: doc). */
typedef twx_rc twx_stored_fn(void *arg, const twx_stored *stored);
TWX_CHECK twx_rc twx_signatures_each(twx_signatures *s, bool direct, twx_stored_fn *fn, void *arg);
/* A batch of docs greater than `after`, ascending; fewer than limit at the end. */
TWX_CHECK twx_rc twx_signatures_docs(twx_signatures *s, int64_t after, int64_t *ret_docs,
                                     size_t limit, size_t *ret_n);

/* The smallest and the largest doc; 0 if there is no row. */
TWX_CHECK twx_rc twx_signatures_range(twx_signatures *s, int64_t *ret_first, int64_t *ret_last);

/* Copies all readable signatures, and all document numbers, of `from` into `to`, which must be
 * empty. */
TWX_CHECK twx_rc twx_signatures_copy(twx_signatures *from, twx_signatures *to);

/* Document numbers of mapped ids. find: TWX_DONE if the id has none, TWX_E_CORRUPT if its number is
 * INT64_MIN, which no document gets. make: returns its number or assigns one. */
TWX_CHECK twx_rc twx_document_find(twx_signatures *s, const twx_value *id, int64_t *ret_doc);
TWX_CHECK twx_rc twx_document_make(twx_signatures *s, const twx_value *id, int64_t *ret_doc);
/* Stores an id under the number *doc, or under a new number if doc is NULL. */
TWX_CHECK twx_rc twx_document_put(twx_signatures *s, const int64_t *doc, const twx_value *id,
                                  int64_t *ret_doc);
TWX_CHECK twx_rc twx_document_id(twx_signatures *s, int64_t doc,
                                 twx_value *ret_id); /* TWX_DONE: none */
/* Deletes, in turns, the numbers that no signature and no flag uses any more. A number is not
 * deleted together with its document, because published flags still need it. */
TWX_CHECK twx_rc twx_document_sweep(twx_signatures *s);

/* site_counts (flag_views.c): twindex_site: how many documents of each site took part in the result
 * of a generation.
 * Errors TWX_E_CORRUPT: a stored count is not a number of documents. */

typedef struct twx_site_count {
    twx_slice site;
    uint64_t documents;
} twx_site_count;

/* Calls fn for each count of the generation, in order of site; the slice is borrowed. */
typedef twx_rc twx_site_count_fn(void *arg, const twx_site_count *count);
TWX_CHECK twx_rc twx_site_counts_each(twx_db *db, char generation, twx_site_count_fn *fn,
                                      void *arg);
/* Both run inside the caller's transaction. */
TWX_CHECK twx_rc twx_site_counts_clear(twx_db *db, char generation);
TWX_CHECK twx_rc twx_site_counts_put(twx_db *db, char generation, const twx_site_count *counts,
                                     size_t n);

/* remotes.c: twindex_remote and twindex_collection: documents of other stores that flags
 * refer to, and the place of a store in a collection of stores that one run judges together.
 * In rows of flags, a representative or the target of a link that lies in another store is a number
 * of its own, at or below TWX_REMOTE_LAST; the table says which document it stands for. Each
 * generation of flags has its own rows, which are as complete as the generation.
 * [R1] The number depends on the name of the other store and on the id there alone, unless two
 * documents collide: then the caller takes the next lower free number.
 * A store that was never part of a collection has neither table; reading finds nothing then. */

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
 * Memory: embedded struct, owned. A row is valid until the next call of next(). */
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
TWX_CHECK twx_rc twx_remotes_cursor_next(twx_remotes_cursor *c,
                                         const twx_remote **ret_row); /* NULL: there are no more */

/* ---- the place of a store in its collection ------------------------------ */

typedef struct twx_store_place {
    twx_slice shard; /* name of the store; absent: it has none yet */
    /* By generation, a and b: number of the run over all stores whose result it holds, the same in
     * all stores; 0: of a run of this store alone */
    int64_t run[2];
} twx_store_place;

/* The name is copied into the arena. */
TWX_CHECK twx_rc twx_store_place_read(twx_db *db, twx_arena *a, twx_store_place *ret_place);
/* Inside the caller's transaction. run 0: the generation holds the result of a run of this store
 * alone; then the name is not used, and a store without the tables stays without them. */
TWX_CHECK twx_rc twx_store_place_set(twx_db *db, char generation, twx_slice shard, int64_t run);

/* group_counts (flag_views.c): twindex_group_count: what all members of a large group share, stored
 * once, for each generation of flags.
 * [R1] Of a group of TWX_LARGE_GROUP documents or more, rows of twindex_flag have 0 as *_count, and
 * NULL as sibling_count; this table has the numbers by the document number of the representative.
 * [R2] Rows that state such a number themselves are valid, too: those of a schema before 12.
 * Memory: embedded struct, zeroed at first; twx_group_counts_done(). */

enum { TWX_LARGE_GROUP = 16 }; /* docs/internals.md says why */

typedef struct twx_group_count {
    uint32_t of; /* which number of a row: private to flag_views.c */
    int64_t rep, value;
    bool gone; /* of an edit: to be deleted */
} twx_group_count;

typedef struct twx_group_counts {
    TWX_VEC(twx_group_count) at;
    twx_map64 places; /* in at */
} twx_group_counts;

void twx_group_counts_done(twx_group_counts *counts);
/* Adds those of the large groups of a row. Errors TWX_E_INTERNAL: another member of the group has
 * another number. */
TWX_CHECK twx_rc twx_group_counts_add(twx_ctx *cx, twx_group_counts *counts,
                                      const twx_flag_row *row);
/* The row without them, as it is stored [R1]: an equal one need not be written when they change.
 * Made in room; a row without them is returned itself. */
const twx_flag_row *twx_flag_row_stored(const twx_flag_row *row, twx_flag_row *room);
/* Fills in the numbers that a stored row lacks, and marks one that states them (TWX_FLAG_STATED).
 * counts: of the generation; NULL: each is asked for with `one`, the query count_get of the
 * generation. A number that is not there stays as it is. */
TWX_CHECK twx_rc twx_group_counts_fill(twx_db *db, const twx_group_counts *counts,
                                       sqlite3_stmt *one, twx_flag_row *row);
/* Adds those of a generation. */
TWX_CHECK twx_rc twx_group_counts_read(twx_db *db, char generation, twx_group_counts *counts);
/* Lists, for twx_flag_edit, what makes the stored numbers of a generation these. */
TWX_CHECK twx_rc twx_group_counts_differ(twx_db *db, char generation,
                                         const twx_group_counts *counts,
                                         twx_group_counts *ret_edit);
/* Inside the caller's transaction. */
TWX_CHECK twx_rc twx_group_counts_write(twx_db *db, char generation, const twx_group_count *counts,
                                        size_t n);

/* generations.c: the two generations of flags. The inactive one is updated in short
 * transactions and then published in one very short transaction, so readers see either the whole
 * old result or the whole new one.
 * [R1] The published generation is never changed. [R2] Each write checks, in its own transaction,
 * that the run's token is still current; if another run has claimed the right to write, this one
 * ends with TWX_E_SUPERSEDED. [R3] A generation is marked incomplete before its first row changes
 * and complete only by publishing, so undo never selects a mixture of two results.
 * Memory: owned handle on any connection; functions that write need a writer. */

/* The row of twindex_state. A NULL run is read as 0; generation is 0 before the first run. */
typedef struct twx_state {
    char generation; /* 'a', 'b' or 0 */
    int64_t run[2];  /* of a, b: the run whose complete result it holds; 0: none */
    int64_t token;
    bool has_fingerprint;
    uint64_t fingerprint;
    char id_kind[8]; /* "direct", "mapped" or "" */
    uint64_t newest; /* hash of the newest run of the ledger */
} twx_state;

typedef struct twx_generations twx_generations;

TWX_CHECK twx_rc twx_generations_open(twx_db *db, twx_generations **ret_generations);
void twx_generations_close(twx_generations *g);

TWX_CHECK twx_rc twx_state_read(twx_generations *g, twx_state *ret_state);
/* Records the fingerprint under which every document is signed; NULL: signing is not complete. The
 * caller owns the transaction. */
TWX_CHECK twx_rc twx_state_signed(twx_generations *g, const uint64_t *fingerprint);
/* The same, but only if the stored fingerprint is still `was`: a trigger resets it when another
 * process deletes rows of the cache. */
TWX_CHECK twx_rc twx_state_finish(twx_generations *g, uint64_t fingerprint, uint64_t was);
/* The fingerprint of the settings with which the published flags were judged from the signatures
 * that are stored now; the counts of the run that published them are appended (none if the ledger
 * has lost them). TWX_DONE: not known. */
TWX_CHECK twx_rc twx_state_judged(twx_generations *g, uint64_t *ret_fingerprint,
                                  twx_buf *ret_counts);
/* Records it; NULL: not known, because signatures change. The caller owns the transaction. */
TWX_CHECK twx_rc twx_state_set_judged(twx_generations *g, const uint64_t *fingerprint);
/* The caller changes signatures and notes which: the fingerprint is 0, that of no settings, unless
 * something is not known already. The caller owns the transaction. */
TWX_CHECK twx_rc twx_state_note(twx_generations *g);
/* [R5] Begins judging, before signatures are loaded: if they change before the result is published,
 * by this or another connection, twx_state_judged() returns TWX_DONE, and publishing records no
 * fingerprint. *ret_known: it was known until now. The caller owns the transaction. */
TWX_CHECK twx_rc twx_state_begin_judging(twx_generations *g, bool *ret_known);

static inline char twx_other_generation(char generation) {
    return generation == 'a' ? 'b' : 'a';
}

/* Reads the generation from the first of n rows, which are in order of doc, to the last. ret_equal:
 * how many rows, from the first on, are stored like this, but for what twindex_group_count has. */
TWX_CHECK twx_rc twx_flags_match(twx_generations *g, char generation, const twx_flag_row *rows,
                                 size_t n, size_t *ret_equal);
TWX_CHECK twx_rc twx_flags_get(twx_generations *g, char generation, int64_t doc,
                               twx_flag_row *ret_row); /* TWX_DONE: none */

/* Documents whose flags the two generations do not share, with a doc greater than `after`,
 * ascending; fewer than limit at the end. All others have the same flags in both, or none. */
TWX_CHECK twx_rc twx_flags_unshared(twx_generations *g, int64_t after, int64_t *ret_docs,
                                    size_t limit, size_t *ret_n);

/* Claims the right to write: stores the token in twindex_state, marks the inactive generation
 * incomplete and opens a ledger row. */
typedef struct twx_claim {
    int64_t token;
    char base;            /* the published generation it starts from, 0: none */
    int64_t started_at;   /* seconds since 1970 */
    const char *settings; /* JSON for the ledger */
    int64_t run;          /* out: the ledger row */
} twx_claim;
TWX_CHECK twx_rc twx_generation_claim(twx_generations *g, twx_claim *claim);
/* Removes a run from the ledger, unless a generation is its result, in a turn. db: a writer. */
TWX_CHECK twx_rc twx_ledger_drop(twx_db *db, int64_t run);
/* One turn that writes `rows` to, and deletes `gone` from, the generation that is not the claim's
 * base. What was written is removed from the edit; the caller calls again until nothing is left. */
typedef struct twx_flag_edit {
    const twx_flag_row *rows;
    size_t n_rows;
    const int64_t *gone;
    size_t n_gone;
    /* counts of sites to write; with clear_sites all others of the generation are deleted first */
    const twx_site_count *sites;
    size_t n_sites;
    bool clear_sites;
    const twx_group_count *counts; /* of large groups: twx_group_counts_differ() */
    size_t n_counts;
    /* documents of other stores that the rows refer to (store/remotes.c), and those that no row
     * refers to any more */
    const twx_remote *remotes;
    size_t n_remotes;
    const int64_t *gone_remotes;
    size_t n_gone_remotes;
} twx_flag_edit;
TWX_CHECK twx_rc twx_generation_write(twx_generations *g, const twx_claim *claim,
                                      twx_flag_edit *edit);
bool twx_flag_edit_is_done(const twx_flag_edit *e);

/* Columns of the ledger. counts: any bytes, for twx_state_judged(); empty: NULL. */
typedef struct twx_run_figures {
    uint64_t documents, indexable, hidden;
    bool documents_alone; /* the other two are not known */
    twx_slice counts;
} twx_run_figures;

typedef struct twx_publication {
    bool direct;
    const char
        *select; /* of the source, for flagged_documents; NULL: do not create that view (--flags) */
    int64_t ended_at;
    const char *summary;            /* JSON for the ledger */
    const twx_run_figures *figures; /* NULL: none */
    const uint64_t *judged;         /* for twx_state_judged() [R5]; NULL: not known */
    /* Of a run over several stores: its number, the same in all of them, and the name of this store
     * among them (twx_store_place_set()). 0: a run of this store alone */
    int64_t collection_run;
    twx_slice shard;
} twx_publication;
/* How many documents of each site took part in the result of a generation (store/flag_views.c). */
TWX_CHECK twx_rc twx_generation_sites(twx_generations *g, char generation, twx_site_count_fn *fn,
                                      void *arg);
/* [R4] A connection that only reads gets its own TEMP views of the published generation. They hide
 * the views of the file, because another program can have stored any query under these names.
 * Creates nothing if nothing is published. */
TWX_CHECK twx_rc twx_generation_view(twx_generations *g);
/* Points the views at the generation that the claim wrote. After an error the transaction may or
 * may not have been committed: read the state again. */
TWX_CHECK twx_rc twx_generation_publish(twx_generations *g, const twx_claim *claim,
                                        const twx_publication *p);
/* Ends the ledger row of a run that does not publish. */
TWX_CHECK twx_rc twx_generation_abandon(twx_generations *g, const twx_claim *claim,
                                        int64_t ended_at, const char *message);
/* Ends the ledger row of a run whose result stays in the other generation, to be published by a
 * later process (store/shards.c). The caller owns the transaction. Errors TWX_E_SUPERSEDED */
TWX_CHECK twx_rc twx_generation_end_prepared(twx_generations *g, const twx_claim *claim,
                                             int64_t ended_at, const char *summary);
/* Publishes the other generation again. TWX_E_DATA if it is not the complete result of a run. */
TWX_CHECK twx_rc twx_generation_undo(twx_generations *g, const twx_publication *p,
                                     char *ret_generation);

/* flags_cursor (generations.c): the rows of one generation of flags in order of doc, read in
 * batches. No statement is open between calls, so the caller may write to the store. Rows that are
 * written at or before the cursor's position are not seen.
 * Memory: embedded struct; twx_flags_cursor_done(). */

typedef struct twx_flags_cursor {
    twx_ctx *cx;
    twx_generations *generations; /* borrowed */
    char generation;
    twx_group_counts counts;
    twx_flag_row *rows; /* a batch */
    size_t at, n;
    int64_t after;
    bool end; /* rows holds the last batch */
} twx_flags_cursor;

/* generation 0 means no rows; generations may then be NULL. */
TWX_CHECK twx_rc twx_flags_cursor_init(twx_ctx *cx, twx_generations *generations, char generation,
                                       twx_flags_cursor *ret_flags);
void twx_flags_cursor_done(twx_flags_cursor *f);
/* The row at the cursor's position; *ret_row is NULL after the last row. It is borrowed until the
 * cursor is moved and read again. */
TWX_CHECK twx_rc twx_flags_cursor_read(twx_flags_cursor *f, const twx_flag_row **ret_row);
/* Instead of twx_flags_cursor_read(): the next rows, at most `limit` of them; none: after the last
 * row. Errors are in cx, so another thread than that of the connection's context may call this. */
TWX_CHECK twx_rc twx_flags_cursor_fill(twx_ctx *cx, twx_flags_cursor *f, twx_flag_row *ret_rows,
                                       size_t limit, size_t *ret_n);
void twx_flags_cursor_move(twx_flags_cursor *f); /* to the next row, if there is one */
/* The flags of a document, or NULL in *ret_row if it has none because it was added after the last
 * run. doc must be greater than in the previous call. */
TWX_CHECK twx_rc twx_flags_cursor_of(twx_flags_cursor *f, int64_t doc,
                                     const twx_flag_row **ret_row);
/* Calls fn for each row of a generation, until it fails. */
typedef twx_rc twx_flag_row_fn(void *arg, const twx_flag_row *row);
TWX_CHECK twx_rc twx_flags_each(twx_ctx *cx, twx_generations *generations, char generation,
                                twx_flag_row_fn *fn, void *arg);

/* flags_digest (generations.c): one number for all published flags, to compare two stores or two
 * runs.
 * [R1] Independent of row order: the sum over all rows of a hash of their columns. It uses the ids
 * of the source, never document numbers. */

/* The digest of the views document_flags and twindex_group_member. TWX_E_DATA when nothing is
 * published. */
TWX_CHECK twx_rc twx_flags_digest(twx_db *db, twx_hash128 *ret_digest);
/* The digest of one of the generations, published or not, as its views would have it. Opens the
 * file once more; options: of a reader. */
TWX_CHECK twx_rc twx_flags_digest_of(twx_ctx *cx, const char *path, const twx_db_options *options,
                                     char generation, bool direct, twx_hash128 *ret_digest);

/* host_mirrors (flag_views.c): twindex_host_mirror, the hosts that mirror another, kept for ranking
 * rules.
 * [R1] The rows are replaced in one transaction, and only if they differ from the stored ones. */

/* Memory: everything is borrowed for the call. */
typedef struct twx_host_mirror {
    twx_slice host, mirror_of;
    const char *level; /* "exact" or "near" */
    uint64_t shared, documents;
    uint32_t ratio_ppm;
} twx_host_mirror;

/* Shape rows[0..n) in order of host, by bytes; each host once.
 * db is a writer with twindex's tables. *ret_written: whether the rows differed. */
TWX_CHECK twx_rc twx_host_mirrors_keep(twx_db *db, const twx_host_mirror *rows, size_t n,
                                       bool *ret_written);

typedef twx_rc twx_host_fn(void *arg, twx_slice host);
/* Calls fn for each host that mirrors another; for none if the file has no such table. */
TWX_CHECK twx_rc twx_host_mirrors_each(twx_db *db, twx_host_fn *fn, void *arg);

/* display (stmt.c): queries for display: one statement of sql/query/display.sql and its rows.
 * Memory: a row's values are borrowed for the callback. */

/* TWX_DONE ends the rows early without being an error. */
typedef twx_rc twx_display_fn(void *arg, const twx_value *columns);

typedef struct twx_display_query {
    const char *sql;
    const twx_value *values; /* of ?1, ?2, ... */
    size_t n_values;
} twx_display_query;

TWX_CHECK twx_rc twx_display(twx_db *db, const twx_display_query *question, twx_display_fn *fn,
                             void *arg);

/* The same, row by row. Memory: embedded struct; a row is valid until the next call. */
enum { TWX_DISPLAY_COLUMNS = 16 };
typedef struct twx_display_cursor {
    twx_db *db;
    struct sqlite3_stmt *stmt;
    twx_value columns[TWX_DISPLAY_COLUMNS];
} twx_display_cursor;

TWX_CHECK twx_rc twx_display_open(twx_db *db, const twx_display_query *question,
                                  twx_display_cursor *ret_cursor);
/* *ret_columns: NULL after the last row. */
TWX_CHECK twx_rc twx_display_next(twx_display_cursor *c, const twx_value **ret_columns);
void twx_display_close(twx_display_cursor *c);

/* The statements, so that callers need no SQL. What they take and return is said beside them, in
 * sql/query/display.sql; `runs` is `list` of sql/query/run.sql. */
extern const char *const twx_display_groups;
extern const int twx_display_groups_order[]; /* as of run/store_set.c */
extern const char *const twx_display_members;
extern const char *const twx_display_totals;
extern const char *const twx_display_sizes;
extern const char *const twx_display_similarities;
extern const char *const twx_display_largest;
extern const char *const twx_display_differing;
extern const char *const twx_display_signature;
extern const char *const twx_display_no_pages;
extern const char *const twx_display_titles;
extern const char *const twx_display_shards;
extern const char *const twx_display_runs;
extern const char *const twx_display_runs_compared;

/* rule_functions (stmt.c): the SQL functions of rules about properties of documents
 * (search/rule_tree.c): rule_matches(id, node) is 1, 0 or NULL, and rule_number(id, property) a
 * real number or NULL. */

typedef struct twx_rule_functions {
    void *arg;
    /* Of the document with this id of the source, which is borrowed. *ret_known is false before the
     * call. */
    twx_rc (*matches)(void *arg, const twx_value *id, int64_t node, bool *ret_known,
                      bool *ret_matches);
    twx_rc (*number)(void *arg, const twx_value *id, int64_t property, bool *ret_known,
                     double *ret_number);
} twx_rule_functions;

/* Replaces those of the connection; functions are borrowed. */
TWX_CHECK twx_rc twx_rule_functions_register(twx_db *db, const twx_rule_functions *functions);

/* text_functions (text_index.c): what a connection needs before it uses a text index: the tokenizer
 * `twindex` (text/terms.c), and the SQL function whole_title(twindex_text): 1 if the phrases
 * of the query, in order, are exactly the words of the document's title; else 0. bm25 cannot make
 * this distinction: it counts words, and prefers a short document that mentions them to a long one
 * with that title. Words are compared as the tokenizer produces them: by their stems, without case,
 * accents and punctuation. Operators of the query are ignored: `solar OR panel` matches the title
 * "Solar panel". */

/* Registers both with the connection, once. */
TWX_CHECK twx_rc twx_text_functions_register(twx_db *db);
/* Of the connection's tokenizer; NULL before that. */
twx_terms *twx_text_terms(const twx_db *db);

/* text_index.c: twindex_text, the FTS5 index over titles and texts, which only `twindex
 * index` creates.
 * [R1] It holds words, not texts. [R2] The words of a changed or deleted document are not removed:
 * a changed document gets a new slot, and a search ignores slots that belong to no document.
 * [R3] An index is used only if its terms are those that this program makes: others would be
 * searched for in vain.
 * Memory: owned handle. The caller owns the transaction of functions that write. */

typedef enum twx_text_index_state {
    TWX_TEXT_NONE,  /* there is no index */
    TWX_TEXT_OTHER, /* made by another version of the terms [R3]: it can only be dropped */
    TWX_TEXT_READY
} twx_text_index_state;
/* Also prepares the connection for queries to an index that is ready. */
TWX_CHECK twx_rc twx_text_index_look(twx_db *db, twx_text_index_state *ret_state);
/* Errors TWX_E_DATA, with what to do: there is no index that is ready. */
TWX_CHECK twx_rc twx_text_index_require(twx_db *db);
/* db: a writer. Both use transactions of their own. */
TWX_CHECK twx_rc twx_text_index_make(twx_db *db);
TWX_CHECK twx_rc twx_text_index_drop(twx_db *db);

typedef struct twx_text_index twx_text_index;

TWX_CHECK twx_rc twx_text_index_open(twx_db *db, twx_text_index **ret_index);
void twx_text_index_close(twx_text_index *index);

/* slots: all that were ever used. */
TWX_CHECK twx_rc twx_text_index_count(twx_text_index *index, uint64_t *ret_documents,
                                      uint64_t *ret_slots);
/* Calls fn for each indexed document once, in batches; no statement stays open between batches. */
typedef twx_rc twx_text_slot_fn(void *arg, int64_t doc, uint64_t hash);
TWX_CHECK twx_rc twx_text_index_each(twx_text_index *index, twx_text_slot_fn *fn, void *arg);

/* Indexes a document, or indexes it again. */
typedef struct twx_text_entry {
    int64_t doc;
    uint64_t hash;
    unsigned language; /* text/terms.c */
    twx_slice title, text;
} twx_text_entry;
TWX_CHECK twx_rc twx_text_index_put(twx_text_index *index, const twx_text_entry *entry);
TWX_CHECK twx_rc twx_text_index_forget(twx_text_index *index, int64_t doc);
/* Takes a step in merging what earlier transactions have written: a few hundred kilobytes. To be
 * called after each transaction until there is no more to merge: otherwise FTS5 merges sixteen
 * segments at once, in a commit that may take long. */
TWX_CHECK twx_rc twx_text_index_merge(twx_text_index *index, bool *ret_more);

/* text_scores (text_index.c): bm25 over the text indexes of several stores.
 * collection_bm25(twindex_text, weights...) is FTS5's bm25(), negated, of one index with all of
 * their documents. bm25 depends on how many documents there are, how long they are on average, and
 * how many have each phrase of the query; these statistics are added up first.
 * [R1] Without statistics it computes those of its own index, and is exactly -bm25().
 * Source of the formula: sqlite.org/fts5.html, "The bm25() function". */

/* Memory: embedded struct, zeroed at first; twx_text_statistics_done(). */
typedef struct twx_text_statistics {
    int64_t rows, tokens;      /* of the indexes */
    TWX_VEC(int64_t) matching; /* by phrase of the query: rows that have it */
} twx_text_statistics;

void twx_text_statistics_done(twx_text_statistics *s);
/* Adds those of one index. phrases: an expression of FTS5 that has the phrases of the query, in
 * order, and matches whatever has one of them. */
TWX_CHECK twx_rc twx_text_statistics_add(twx_db *db, twx_slice phrases, twx_text_statistics *s);
/* What collection_bm25() uses on this connection; NULL: the statistics of its own index.
 * Borrowed. */
void twx_text_statistics_use(twx_db *db, const twx_text_statistics *s);

/* text_search (text_index.c): queries to the text index, ranked by compiled rules
 * (search/rule_sql.c), and the flags that such rules read.
 * [R1] A query is bound as a value, so only FTS5's own parser interprets it; its errors are
 * TWX_E_DATA with FTS5's message alone. [R2] The words of a query are stemmed in the languages of
 * the index once twx_text_index_look() has read them.
 * Memory: arguments of a callback are borrowed for the call. */

enum {
    TWX_QUERY_BYTES = 2000,
    TWX_EXPRESSION_BYTES = 1 << 16,
    TWX_SEARCH_PARTS = 128,
    TWX_TEXT_COLUMNS = 2,
    TWX_TEXT_WEIGHTS = 3
};

/* Replaces *out by the expression of FTS5 for a query in the language for people
 * (text/plain_query.c), or for one that is such an expression (raw). Errors TWX_E_DATA: the query
 * is too long. */
TWX_CHECK twx_rc twx_text_query(twx_db *db, twx_slice query, bool raw, twx_buf *out);
/* Its phrases, for twx_text_statistics_add() (store/text_index.c); not for raw queries. */
TWX_CHECK twx_rc twx_text_phrases(twx_db *db, twx_slice query, twx_buf *out);

/* The weights of a text score: those of the columns title and text for bm25, and the bonus of
 * whole_title() (store/text_index.c). The defaults were chosen by measurement
 * (docs/detectors.md, "A search for a title"). */
const char *twx_text_weight_name(size_t i);
double twx_text_weight_default(size_t i);

/* Expressions over a row f of document_flags. */
typedef struct twx_ranking {
    const char *filter;
    const char *const *parts;
    size_t n_parts; /* at most TWX_SEARCH_PARTS */
    double weight[TWX_TEXT_WEIGHTS];
} twx_ranking;

typedef struct twx_search {
    twx_slice query; /* an expression of FTS5 */
    char generation; /* the published generation of flags */
    bool direct;     /* document numbers are the ids */
    const twx_ranking *ranking;
    const twx_ranking *other; /* NULL, or with the same weights: all hits come, in any order */
    uint64_t limit;
} twx_search;

typedef struct twx_hit {
    int64_t doc;
    bool has_cluster;
    int64_t cluster; /* number of its representative */
    bool takes_part;
    bool passes, passes_other; /* the filters; of one ranking: passes */
    double score, text_score, other_score;
    const double *parts, *other_parts;
} twx_hit;

typedef twx_rc twx_hit_fn(void *arg, const twx_hit *hit);
/* Hits, best first; of those of equal score, representatives come first, then lower ids. Errors
 * TWX_E_DATA: "fts5: ...", the error in the query. */
TWX_CHECK twx_rc twx_text_search(twx_db *db, const twx_search *search, twx_hit_fn *fn, void *arg);

/* The same, hit by hit. Memory: embedded struct; hit.parts is valid until the next call. */
typedef struct twx_hit_cursor {
    twx_db *db;
    struct sqlite3_stmt *stmt;
    bool there; /* hit is one; false after the last */
    twx_hit hit;
    bool both; /* rankings */
    size_t n_parts, n_others;
    double parts[TWX_SEARCH_PARTS]; /* the others after them */
} twx_hit_cursor;

/* Moves to the first hit. The cursor must not move afterwards. */
TWX_CHECK twx_rc twx_hit_cursor_open(twx_db *db, const twx_search *search,
                                     twx_hit_cursor *ret_cursor);
TWX_CHECK twx_rc twx_hit_cursor_next(twx_hit_cursor *c);
void twx_hit_cursor_close(twx_hit_cursor *c);

/* Calls fn for each document that a filter leaves out. */
typedef twx_rc twx_hidden_fn(void *arg, int64_t doc, bool takes_part);
TWX_CHECK twx_rc twx_search_hidden(twx_db *db, const twx_search *search, twx_hidden_fn *fn,
                                   void *arg);

/* A statement for display: all documents in the order of rules, without a query. */
TWX_CHECK twx_rc twx_search_statement(twx_ctx *cx, const char *filter, const char *score,
                                      twx_buf *out);

/* Finds where a query matches a text. Memory: owned handle, which holds one document at a time. */
typedef struct twx_snippets twx_snippets;

TWX_CHECK twx_rc twx_snippets_open(twx_ctx *cx, twx_snippets **ret_snippets);
void twx_snippets_close(twx_snippets *s);

enum { TWX_MARK_BEGIN = '\x02', TWX_MARK_END = '\x03' };

/* *ret_title and *ret_snippet have TWX_MARK_* around the matches and are valid until the next call.
 * TWX_DONE: the query does not match the document (any more). */
typedef struct twx_snippet_of {
    twx_slice query; /* an expression of FTS5 */
    unsigned language;
    twx_slice title, text;
} twx_snippet_of;
TWX_CHECK twx_rc twx_snippets_make(twx_snippets *s, const twx_snippet_of *of, twx_slice *ret_title,
                                   twx_slice *ret_snippet);

/* store_key (shards.c): twindex_store_key: a random number that identifies a store. The
 * servers refuse by it a push from a different store under the same shard number. The number is
 * part of the file, so a store keeps it when it is moved or restored from a copy.
 * Draws the number if the store has none, in a transaction of its own. db: an owner. Errors
 * TWX_E_CORRUPT: the table has another shape and takes no row */
TWX_CHECK twx_rc twx_store_key(twx_db *db, uint64_t *ret_key);

/* prepared (shards.c): twindex_prepared: the result of ClickHouse servers that the generation
 * which is not published holds. It stays valid after the process that wrote it has ended, until a
 * run claims the right to write (store/generations.c); then the token of twindex_state is another
 * one. */

enum { TWX_DIGEST_TEXT_BYTES = 33 }; /* with the NUL */

typedef struct twx_prepared {
    twx_claim claim;   /* token, base and run */
    int64_t judge_run; /* the run of `twindex cluster judge` */
    uint32_t shard;
    uint64_t documents;
    char digest[TWX_DIGEST_TEXT_BYTES];
    const char *summary;
} twx_prepared;

/* 32 hexadecimal digits, as 'twindex digest' prints them. */
void twx_digest_text(const twx_hash128 *digest, char ret_text[TWX_DIGEST_TEXT_BYTES]);
/* false: the text is no digest. */
bool twx_digest_read(twx_slice text, twx_hash128 *ret_digest);

/* Records what the claim has written as complete, ends the row of the run in the ledger as
 * 'prepared'. One transaction. Errors TWX_E_SUPERSEDED */
TWX_CHECK twx_rc twx_prepared_keep(twx_generations *g, twx_db *db, const twx_prepared *prepared,
                                   int64_t ended_at);
/* The row, if it is valid; its summary is copied into the arena. TWX_DONE: there is none. Errors
 * TWX_E_CORRUPT */
TWX_CHECK twx_rc twx_prepared_read(twx_generations *g, twx_db *db, twx_arena *a,
                                   twx_prepared *ret_prepared);

/* vote_ledger (shards.c): the ledger of the shards, an SQLite file that decides which result of the
 * servers is published (two-phase commit): each store prepares a result and votes; the run is
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
