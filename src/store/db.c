#include "store/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sql_text.h"

/* ==== authorizer */

/* Twindex's views: the only ones a writer may create or drop. */
static const char *const VIEWS[] = {"document_flags", "flagged_documents", "duplicate_groups",
                                    "document_alternates", "twindex_group_member"};

static bool ours(const char *table) {
    return strncmp(table, "twindex_", 8) == 0 || strcmp(table, "sqlite_sequence") == 0;
}

static bool our_view(const char *name) {
    for (size_t i = 0; i < TWX_COUNTOF(VIEWS); i++)
        if (strcmp(name, VIEWS[i]) == 0) return true;
    return false;
}

/* The TEMP tables to which a reader copies rows and their ids (store/source.c). */
static bool source_rows(const char *table) {
    return strcmp(table, "twindex_source_rows") == 0 || strcmp(table, "twindex_source_ids") == 0;
}

static bool schema_table(const char *name) {
    return strcmp(name, "sqlite_master") == 0 || strcmp(name, "sqlite_temp_master") == 0;
}

/* Whether this connection may do `action` on `name` (table: of a trigger). Reading is always
 * allowed: source_check.c checks what a mapping may read. */
static bool allowed(const twx_db *db, int action, const char *name, const char *table) {
    bool writes = db->mode != TWX_DB_READER, owner = db->mode == TWX_DB_OWNER;
    const bool removes = db->mode == TWX_DB_REMOVER;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
    case SQLITE_TRANSACTION:
    case SQLITE_PRAGMA: return true;
    case SQLITE_FUNCTION: return true;
    case SQLITE_CREATE_TEMP_VIEW:
    case SQLITE_DROP_TEMP_VIEW: return !writes;
    case SQLITE_CREATE_TEMP_TABLE:
    case SQLITE_DROP_TEMP_TABLE: return !writes && source_rows(name);
    case SQLITE_CREATE_TEMP_INDEX:
    case SQLITE_DROP_TEMP_INDEX: return !writes && source_rows(table);
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
        return schema_table(name) || (writes && (ours(name) || our_view(name))) ||
               (!writes && strcmp(name, "source_document") == 0) || /* part of DROP VIEW */
               (!writes && source_rows(name)) || (owner && strcmp(name, "documents") == 0) ||
               /* DROP TABLE deletes the rows of ANALYZE about the table */
               (writes && action == SQLITE_DELETE && strncmp(name, "sqlite_stat", 11) == 0);
    case SQLITE_CREATE_TABLE:
    case SQLITE_CREATE_INDEX:
        return (writes && (ours(name) || strncmp(name, "sqlite_autoindex_", 17) == 0)) || owner;
    case SQLITE_CREATE_TRIGGER: return ours(name) && (owner || (writes && ours(table)));
    case SQLITE_REINDEX: /* part of CREATE INDEX */
        return owner || (!writes && (strcmp(name, "twindex_source_rows_key") == 0 ||
                                     strcmp(name, "twindex_source_ids_key") == 0));
    /* a schema step adds columns; name is the database's */
    case SQLITE_ALTER_TABLE:
        return (writes && ours(table)) || (owner && strcmp(table, "documents") == 0);
    case SQLITE_CREATE_VIEW:
    case SQLITE_DROP_VIEW: return writes && our_view(name);
    case SQLITE_CREATE_VTABLE: /* the user's own virtual tables are never changed */
    case SQLITE_DROP_VTABLE:
    case SQLITE_DROP_TABLE:
    case SQLITE_DROP_INDEX:
        return (writes && strncmp(name, "twindex_text", 12) == 0) || (removes && ours(name));
    /* also one of the user's on a table or view of ours, with which it goes */
    case SQLITE_DROP_TRIGGER: return removes && (ours(name) || ours(table) || our_view(table));
    default: return false; /* ATTACH, DROP TABLE, virtual tables, ... */
    }
}

static int authorize(void *arg, int action, const char *name, const char *more, const char *schema,
                     const char *inside) {
    const twx_db *db = arg;
    (void)schema;
    const char *subject = action == SQLITE_FUNCTION ? more : name;
    const bool writes = action == SQLITE_INSERT || action == SQLITE_UPDATE ||
                        action == SQLITE_DELETE;
    /* by a trigger (inside) of the owner, or by a virtual table to which one writes (none) */
    if (db->triggers && writes && !schema_table(name))
        return !inside || !inside[0] || ours(inside) || !ours(name) ? SQLITE_OK : SQLITE_DENY;
    return allowed(db, action, subject ? subject : "", more ? more : "") ? SQLITE_OK : SQLITE_DENY;
}

void twx_db_authorize(twx_db *db) {
    sqlite3_set_authorizer(db->handle, authorize, db);
}

/* ==== page_functions */

/* What the functions of a connection share, and one entry for each: SQLite passes one pointer. */
typedef struct entry {
    const twx_page_function *function;
    twx_page_functions *all;
} entry;

struct twx_page_functions {
    twx_page_memo *memo;
    entry entries[TWX_PAGE_FUNCTIONS_MAX];
};

/* The limit of the connection is the limit of a result. */
static void called(sqlite3_context *context, int n, sqlite3_value **values) {
    const entry *e = sqlite3_user_data(context);
    const int most = sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1);
    twx_page_argument arguments[TWX_PAGE_ARGUMENTS_MAX];
    const twx_page_call call = {&e->all->memo, arguments, (size_t)n};
    twx_page_kind kind = TWX_PAGE_NONE;
    twx_buf out;
    twx_ctx cx;
    for (int i = 0; i < n; i++) {
        if (sqlite3_value_type(values[i]) == SQLITE_NULL) return;
        arguments[i].blob = sqlite3_value_type(values[i]) == SQLITE_BLOB;
        const void *p = arguments[i].blob ? sqlite3_value_blob(values[i])
                                          : (const void *)sqlite3_value_text(values[i]);
        arguments[i].bytes = (twx_slice){p ? p : "", (size_t)sqlite3_value_bytes(values[i])};
    }
    twx_ctx_init(&cx);
    twx_buf_init(&out, (size_t)most);
    if (e->function->call(&cx, e->function, &call, &out, &kind) != TWX_OK)
        sqlite3_result_error_nomem(context);
    else if (kind == TWX_PAGE_TEXT)
        sqlite3_result_text64(context, out.n ? out.p : "", out.n, SQLITE_TRANSIENT, SQLITE_UTF8);
    else if (kind == TWX_PAGE_BLOB)
        sqlite3_result_blob64(context, out.n ? out.p : "", out.n, SQLITE_TRANSIENT);
    twx_buf_done(&out);
}

static twx_rc page_functions_register(twx_db *db) {
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;
    const twx_page_function *f = NULL;
    db->pages = twx_calloc(db->cx, 1, sizeof *db->pages);
    if (!db->pages) return TWX_E_NOMEM;
    for (size_t i = 0; (f = twx_page_function_at(i)); i++) {
        entry *e = &db->pages->entries[i];
        *e = (entry){f, db->pages};
        for (size_t n = f->least; n <= f->most; n++) {
            int rc = sqlite3_create_function_v2(db->handle, f->name, (int)n, flags, e, called, NULL,
                                                NULL, NULL);
            if (rc != SQLITE_OK) return twx_db_fail(db, rc, "register an SQL function");
        }
    }
    return TWX_OK;
}

/* ==== db */

enum { ROW_BYTES = 64 << 20, TRIGGER_DEPTH = 10, CANCEL_EVERY = 20000 /* virtual machine steps */ };

/* Features that a hostile store must not reach through our connections
 * (sqlite.org/security.html). */
static const struct {
    int option;
    int value;
} HARDENING[] = {
    {SQLITE_DBCONFIG_DEFENSIVE, 1},
    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
    {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
    {SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0},
    {SQLITE_DBCONFIG_DQS_DDL, 0},
    {SQLITE_DBCONFIG_DQS_DML, 0},
};

/* The limits of the parser (SQL_LENGTH, EXPR_DEPTH, COMPOUND_SELECT, COLUMN) also apply to the
 * schema of the store, which was created under SQLite's defaults: with lower limits SQLite would
 * report the schema of a healthy store as malformed. */
static const struct {
    int limit;
    int value;
} LIMITS[] = {
    {SQLITE_LIMIT_SQL_LENGTH, 1 << 22},  {SQLITE_LIMIT_ATTACHED, 0},
    {SQLITE_LIMIT_EXPR_DEPTH, 1000},     {SQLITE_LIMIT_VDBE_OP, 1 << 22},
    {SQLITE_LIMIT_TRIGGER_DEPTH, 1},     {SQLITE_LIMIT_VARIABLE_NUMBER, 100},
    {SQLITE_LIMIT_COMPOUND_SELECT, 500}, {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
    {SQLITE_LIMIT_COLUMN, 2000},
};

static int on_progress(void *arg) {
    const twx_ctx *cx = arg;
    return cx->cancel && atomic_load_explicit(cx->cancel, memory_order_relaxed) != 0;
}

/* With NOFOLLOW SQLite refuses any symbolic link in the path, and the WAL and the lock file of a
 * store that is reached by a link belong next to the file itself. So links are resolved here, once.
 * For a file that does not exist yet, only its directory may contain links. */
char *twx_db_resolve(twx_ctx *cx, const char *path) {
    char real[PATH_MAX];
    struct stat st;
    if (realpath(path, real)) return twx_strdup(cx, real);
    if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode)) {
        (void)twx_fail(cx, TWX_E_NOSTORE, "%s is a symbolic link whose target cannot be opened: %s",
                       path, strerror(errno));
        return NULL;
    }
    const char *slash = strrchr(path, '/');
    char *folder = slash ? twx_strndup(cx, path, slash == path ? 1 : (size_t)(slash - path))
                         : twx_strdup(cx, ".");
    if (!folder) return NULL;
    char *joined = NULL;
    if (realpath(folder, real))
        joined = twx_sprintf(cx, "%s/%s", strcmp(real, "/") == 0 ? "" : real,
                             slash ? slash + 1 : path);
    else
        (void)twx_fail(cx, TWX_E_NOSTORE, "%s: %s", folder, strerror(errno));
    twx_free(folder);
    return joined;
}

/* SQLite would wait for ever, whatever the signals, for a writer of a pipe named as a journal. */
static twx_rc check_journals(twx_ctx *cx, const char *path) {
    static const char *const SUFFIXES[] = {"-journal", "-wal", "-shm"};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(SUFFIXES); i++) {
        struct stat st;
        char *name = twx_sprintf(cx, "%s%s", path, SUFFIXES[i]);
        if (!name) return TWX_E_NOMEM;
        if (lstat(name, &st) == 0 && !S_ISREG(st.st_mode))
            rc = twx_fail(cx, TWX_E_NOSTORE, "%s is not a file: remove it", name);
        twx_free(name);
    }
    return rc;
}

static twx_rc check_file(twx_ctx *cx, const char *path, const twx_db_options *options) {
    struct stat st;
    if (lstat(path, &st) != 0) {
        if (errno == ENOENT && options->create) return TWX_OK;
        return twx_fail(cx, TWX_E_NOSTORE, "%s: %s%s", path, strerror(errno),
                        options->named && errno == ENOENT ? ": 'twindex init' makes a store" : "");
    }
    if (!S_ISREG(st.st_mode))
        return twx_fail(cx, TWX_E_NOSTORE, "%s is not a file%s", path,
                        S_ISDIR(st.st_mode) ? " but a folder: name the store in it" : "");
    if (st.st_size == 0 && !options->create)
        return twx_fail(cx, TWX_E_NOSTORE, "%s is empty: 'twindex init' makes a store", path);
    /* SQLite would open it read-only and fail at the first write without giving the reason */
    if (options->mode != TWX_DB_READER && faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0 &&
        faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
        return twx_fail(cx, TWX_E_CREATE,
                        "%.300s is not writable for user %ld (%s, it belongs to user %ld)", path,
                        (long)geteuid(), strerror(errno), (long)st.st_uid);
    return TWX_OK;
}

/* With TRUSTED_SCHEMA off, SQLite 3.38 to 3.40 treat their own JSON functions as unsafe, and report
 * a schema as malformed if it has CHECK (json_valid(...)) or an index or generated column on
 * json_extract(...). Returns whether this is such a release. */
static bool refuses_json(void) {
    sqlite3 *memory = NULL;
    bool refused = false;
    if (sqlite3_open(":memory:", &memory) == SQLITE_OK) {
        sqlite3_db_config(memory, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
        refused = sqlite3_exec(memory, TWX_SQL_SCHEMA_USES_JSON, NULL, NULL, NULL) != SQLITE_OK;
    }
    sqlite3_close(memory);
    return refused;
}

int64_t twx_db_clock_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* SQLite's own busy timeout sleeps up to 100 ms between attempts. If a crawler writes without pause
 * to a store with a rollback journal, that misses the few moments in which the file is not locked,
 * so this handler tries every millisecond. */
static int wait_for_lock(void *arg, int attempts) {
    twx_db *db = arg;
    const struct timespec pause = {.tv_nsec = 1000000};
    const int64_t now = twx_db_clock_ms();
    if (attempts == 0) db->waits_since = now;
    if (now - db->waits_since >= db->busy_ms) return 0;
    if (db->cx->cancel && atomic_load(db->cx->cancel)) return 0;
    if (db->begins) twx_suspension_wait(db->cx->suspension);
    nanosleep(&pause, NULL);
    return 1;
}

static void harden(twx_db *db, const twx_db_options *options) {
    for (size_t i = 0; i < TWX_COUNTOF(HARDENING); i++)
        sqlite3_db_config(db->handle, HARDENING[i].option, HARDENING[i].value, NULL);
    /* On such a release the schema has to be trusted. That adds little risk: every function that we
     * register is direct-only, extensions cannot be loaded, and the other rows of HARDENING disable
     * what SQLite itself considers dangerous (load_extension, fts3_tokenizer). */
    if (refuses_json()) sqlite3_db_config(db->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1, NULL);
    for (size_t i = 0; i < TWX_COUNTOF(LIMITS); i++)
        sqlite3_limit(db->handle, LIMITS[i].limit, LIMITS[i].value);
    uint64_t bytes = options->row_bytes ? options->row_bytes : ROW_BYTES;
    sqlite3_limit(db->handle, SQLITE_LIMIT_LENGTH, bytes > INT_MAX ? INT_MAX : (int)bytes);
    db->busy_ms = options->busy_ms;
    db->turns.pause_ms = options->pause_ms;
    if (db->triggers) {
        sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 1, NULL);
        sqlite3_limit(db->handle, SQLITE_LIMIT_TRIGGER_DEPTH, TRIGGER_DEPTH);
    }
    sqlite3_busy_handler(db->handle, wait_for_lock, db);
    sqlite3_progress_handler(db->handle, CANCEL_EVERY, on_progress, db->cx);
}

static twx_rc pragma(twx_db *db, const char *sql) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_db_row(db, sql, NULL, 0, &stmt);
    return twx_stmt_end(stmt, rc);
}

/* The setting of `synchronous` that makes a commit durable depends on the journal mode, which the
 * owner of the store chooses and which is only read here: WAL needs FULL, a rollback journal needs
 * EXTRA (measured: FULL lost commits in power cuts). A commit of a writer that shares the store
 * never copies the WAL into the file, which is safe only while the WAL is held
 * (store/turn.c). */
static twx_rc durable(twx_db *db) {
    bool wal = false;
    twx_rc rc = twx_db_is_wal(db, &wal);
    if (rc == TWX_OK) rc = pragma(db, wal ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=EXTRA");
    if (rc == TWX_OK && wal && db->mode != TWX_DB_OWNER)
        rc = pragma(db, "PRAGMA wal_autocheckpoint=0");
    /* spilling a database page would take the lock that our own reader waits for */
    if (rc == TWX_OK) rc = pragma(db, "PRAGMA cache_spill=OFF");
    return rc;
}

twx_rc twx_db_is_wal(twx_db *db, bool *ret_wal) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_db_row(db, "PRAGMA journal_mode", NULL, 0, &stmt);
    if (rc == TWX_OK)
        *ret_wal = twx_slice_eq_nocase(twx_column_text(stmt, 0), TWX_SLICE_LIT("wal"));
    return twx_stmt_end(stmt, rc);
}

/* After a writer of a rollback-journal store was killed, the hot journal has to be rolled back
 * before the store can be read, which a read-only connection may not do. Any ordinary reader of the
 * store would do the same. */
static void recover(twx_db *db, const twx_db_options *options) {
    twx_ctx quiet = {0};
    twx_db writer = {.cx = &quiet, .path = db->path, .mode = TWX_DB_WRITER};
    const int flags = SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
                      SQLITE_OPEN_READWRITE;
    if (sqlite3_open_v2(db->path, &writer.handle, flags, NULL) == SQLITE_OK) {
        harden(&writer, options);
        (void)!pragma(&writer, "PRAGMA schema_version");
    }
    sqlite3_close(writer.handle);
}

static bool folder_is_writable(const char *path) {
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    return faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0;
}

static twx_rc first_read(twx_db *db, const twx_db_options *options) {
    int read = sqlite3_exec(db->handle, "PRAGMA schema_version", NULL, NULL, NULL);
    if (read == SQLITE_OK) return TWX_OK;
    if (((read & 0xFF) == SQLITE_CANTOPEN || (read & 0xFF) == SQLITE_READONLY) &&
        !folder_is_writable(db->path))
        return twx_fail(
            db->cx, TWX_E_NOSTORE,
            "%.300s cannot be read: its folder is not writable for user %ld, and SQLite has to "
            "make -shm there (a store in WAL mode) or to play back a journal",
            db->path, (long)geteuid());
    if ((read & 0xFF) != SQLITE_READONLY) return twx_db_fail(db, read, "read");
    recover(db, options);
    return pragma(db, "PRAGMA schema_version");
}

static twx_rc set_up(twx_db *db, const twx_db_options *options, bool fresh) {
    harden(db, options);
    twx_rc rc = pragma(db, "PRAGMA cell_size_check=ON");
    if (rc == TWX_OK && fresh && !options->network) rc = pragma(db, "PRAGMA journal_mode=WAL");
    if (rc == TWX_OK && db->mode != TWX_DB_READER) rc = durable(db);
    db->turns.others_ms = twx_db_clock_ms();
    if (rc == TWX_OK && db->mode != TWX_DB_READER) rc = twx_db_is_wal(db, &db->turns.wal);
    if (rc == TWX_OK && db->mode != TWX_DB_READER)
        rc = twx_db_data_version(db, &db->turns.data_version);
    if (rc == TWX_OK && db->mode == TWX_DB_READER) rc = pragma(db, "PRAGMA temp_store=FILE");
    if (rc == TWX_OK && db->mode == TWX_DB_READER) rc = pragma(db, "PRAGMA query_only=ON");
    if (rc == TWX_OK && db->mode == TWX_DB_READER) rc = first_read(db, options);
    if (rc == TWX_OK && db->mode == TWX_DB_READER) rc = page_functions_register(db);
    if (rc == TWX_OK) twx_db_authorize(db);
    return rc;
}

twx_rc twx_db_open(twx_ctx *cx, const char *path, const twx_db_options *options, twx_db **ret_db) {
    twx_rc rc = TWX_E_NOMEM;
    twx_db *db = twx_calloc(cx, 1, sizeof *db);
    struct stat st;
    if (!db) return rc;
    db->cx = cx;
    db->mode = options->mode;
    db->triggers = options->triggers && options->mode == TWX_DB_OWNER;
    db->path = twx_db_resolve(cx, path);
    if (!db->path) {
        rc = cx->rc;
        goto out;
    }
    rc = check_file(cx, db->path, options);
    if (rc == TWX_OK) rc = check_journals(cx, db->path);
    if (rc != TWX_OK) goto out;
    bool fresh = options->create && (stat(db->path, &st) != 0 || st.st_size == 0);
    int flags = SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
                (options->mode == TWX_DB_READER ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) |
                (options->create ? SQLITE_OPEN_CREATE : 0);
    /* the first connection rebuilds the index of the WAL, and no other process may write meanwhile
     */
    twx_suspension_hold(cx->suspension);
    db->begins = true;
    int opened = sqlite3_open_v2(db->path, &db->handle, flags, NULL);
    if (opened != SQLITE_OK && access(db->path, R_OK) != 0 && errno == EACCES)
        /* SQLite does not give the reason */
        rc = twx_fail(cx, TWX_E_NOSTORE, "%.300s: %s", db->path, strerror(errno));
    else
        rc = opened == SQLITE_OK ? set_up(db, options, fresh) : twx_db_fail(db, opened, "open");
    db->begins = false;
    twx_suspension_release(cx->suspension);
out:
    TWX_HAND_OVER(rc, ret_db, db, twx_db_close(db));
    return rc;
}

void twx_db_close(twx_db *db) {
    if (!db) return;
    for (size_t i = 0; i < TWX_COUNTOF(db->wal.reader); i++) twx_db_close(db->wal.reader[i]);
    /* closing the last connection copies the WAL into the file, which is locked meanwhile */
    if (!db->holds) twx_suspension_hold(db->cx->suspension);
    sqlite3_close(db->handle);
    twx_suspension_release(db->cx->suspension);
    if (db->pages) twx_page_memo_close(db->pages->memo);
    twx_free(db->pages);
    twx_free(db->path);
    twx_free(db);
}

void twx_db_limit_memory(uint64_t bytes) {
    if (bytes) sqlite3_hard_heap_limit64(bytes > INT64_MAX ? INT64_MAX : (sqlite3_int64)bytes);
}

const char *twx_db_path(const twx_db *db) {
    return db->path;
}

twx_rc twx_db_script(twx_db *db, const char *sql) {
    const bool own = !db->holds && db->mode != TWX_DB_READER;
    if (own) twx_suspension_hold(db->cx->suspension);
    int rc = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);
    if (own) twx_suspension_release(db->cx->suspension);
    return rc == SQLITE_OK ? TWX_OK : twx_db_fail(db, rc, "run a script");
}

/* query_only also refuses TEMP objects; the file itself is opened read-only either way. */
twx_rc twx_db_script_writable(twx_db *db, const char *sql) {
    twx_rc rc = pragma(db, "PRAGMA query_only=OFF");
    if (rc == TWX_OK) rc = twx_db_script(db, sql);
    twx_rc back = pragma(db, "PRAGMA query_only=ON");
    return rc == TWX_OK ? back : rc;
}

/* After COMMIT, ROLLBACK, or an error after which SQLite has rolled back by itself. */
static void released(twx_db *db) {
    if (!db->holds || !sqlite3_get_autocommit(db->handle)) return;
    db->holds = false;
    twx_suspension_release(db->cx->suspension);
}

twx_rc twx_db_begin(twx_db *db) {
    if (!db->holds) twx_suspension_hold(db->cx->suspension);
    db->holds = db->begins = true;
    int rc = sqlite3_exec(db->handle, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    db->begins = false;
    const twx_rc result = rc == SQLITE_OK ? TWX_OK : twx_db_fail(db, rc, "start a transaction");
    released(db);
    return result;
}

twx_rc twx_db_commit(twx_db *db) {
    int rc = sqlite3_exec(db->handle, "COMMIT", NULL, NULL, NULL);
    const twx_rc result = rc == SQLITE_OK ? TWX_OK : twx_db_fail(db, rc, "commit");
    released(db);
    return result;
}

void twx_db_rollback(twx_db *db) {
    if (!sqlite3_get_autocommit(db->handle)) sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
    released(db);
}

twx_rc twx_db_end(twx_db *db, twx_rc rc) {
    if (rc == TWX_OK) rc = twx_db_commit(db);
    if (rc != TWX_OK) twx_db_rollback(db);
    return rc;
}

twx_rc twx_db_pin(twx_db *db) {
    int rc = sqlite3_exec(db->handle, "BEGIN", NULL, NULL, NULL);
    if (rc != SQLITE_OK) return twx_db_fail(db, rc, "start a read transaction");
    return pragma(db, "PRAGMA schema_version");
}

void twx_db_unpin(twx_db *db) {
    /* temporary tables that were made meanwhile stay */
    if (!sqlite3_get_autocommit(db->handle)) sqlite3_exec(db->handle, "COMMIT", NULL, NULL, NULL);
    twx_db_rollback(db);
}

twx_rc twx_db_data_version(twx_db *db, int64_t *ret_version) {
    twx_rc rc = twx_db_integer(db, "PRAGMA data_version", ret_version);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_db_has(twx_db *db, const char *name, bool *ret_has) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_db_row(db, TWX_SQL_QUERY_SCHEMA_HAS, TWX_VALUES(twx_text_of(name)), &stmt);
    *ret_has = rc == TWX_OK;
    return twx_stmt_end(stmt, rc);
}

twx_rc twx_db_transact(twx_db *db, const char *script) {
    twx_rc rc = twx_db_begin(db);
    if (rc == TWX_OK) rc = twx_db_script(db, script);
    return twx_db_end(db, rc);
}

twx_rc twx_db_has_column(twx_db *db, twx_slice table, twx_slice column, bool *ret_has) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_db_row(db, TWX_SQL_QUERY_SCHEMA_HAS_COLUMN,
                           TWX_VALUES(twx_text(table), twx_text(column)), &stmt);
    *ret_has = rc == TWX_OK;
    return twx_stmt_end(stmt, rc);
}
