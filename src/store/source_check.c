#include "store/internal.h"

#include <sys/statvfs.h>

#include "sql_text.h"

/* ==== batch_plan */

/* Prefixes of EXPLAIN QUERY PLAN lines (sqlite.org/eqp.html), and where in a plan they count. */
static const struct {
    const char *text;
    /* anywhere in the line, and also in correlated subqueries, since the index is built once */
    bool anywhere;
} REPEATED[] = {
    {" USING AUTOMATIC ", true}, {"USE TEMP B-TREE FOR ", false}, {"MATERIALIZE ", false},
    {"CO-ROUTINE ", false},      {"LIST SUBQUERY ", false},       {"SCALAR SUBQUERY ", false},
    {"RECURSIVE STEP", false},
};

static bool begins(const char *line, const char *with) {
    return strncmp(line, with, strlen(with)) == 0;
}

static bool repeats(const char *line, bool correlated) {
    for (size_t i = 0; i < TWX_COUNTOF(REPEATED); i++) {
        if (REPEATED[i].anywhere && strstr(line, REPEATED[i].text)) return true;
        if (!REPEATED[i].anywhere && !correlated && begins(line, REPEATED[i].text)) return true;
    }
    return false;
}

typedef TWX_VEC(int64_t) nodes;

static bool has(const nodes *n, int64_t node) {
    for (size_t i = 0; i < n->n; i++)
        if (n->at[i] == node) return true;
    return false;
}

/* One line of the plan: id, parent, unused, text. A parent comes before its children. */
static twx_rc look_at_line(twx_db *db, sqlite3_stmt *plan, nodes *correlated, twx_plan *found) {
    const char *line = (const char *)sqlite3_column_text(plan, 3);
    if (!line) return TWX_OK;
    bool inside = has(correlated, sqlite3_column_int64(plan, 1)) || begins(line, "CORRELATED ");
    found->repeats |= repeats(line, inside);
    found->scans |= !inside && begins(line, "SCAN ");
    return !inside || TWX_VEC_PUSH(db->cx, correlated, sqlite3_column_int64(plan, 0)) ? TWX_OK
                                                                                      : TWX_E_NOMEM;
}

twx_rc twx_plan_of(twx_db *db, sqlite3_stmt *stmt, twx_plan *ret_plan) {
    sqlite3_stmt *plan = NULL;
    nodes correlated = {0};
    twx_plan found = {false, false};
    twx_rc rc = twx_stmt_printf(db, &plan, "EXPLAIN QUERY PLAN %s", sqlite3_sql(stmt));
    while (rc == TWX_OK && (rc = twx_stmt_step(db, plan)) == TWX_OK)
        rc = look_at_line(db, plan, &correlated, &found);
    TWX_VEC_DONE(&correlated);
    if (rc == TWX_DONE) *ret_plan = found;
    return twx_stmt_end(plan, rc);
}

/* ==== source_room */

/* The mapped expressions are the user's own SQL, so this file assembles its statements. */

enum {
    SAMPLE_ROWS = 2000,
    ROW_BYTES = 32,    /* header of a row, and its key in the index */
    SORTER_BYTES = 32, /* CREATE INDEX sorts the keys */
    FULLNESS = 90      /* percent of a database page that rows fill */
};

/* Size in bytes of a database of the connection: the store, or the temporary file at present. */
static twx_rc size_of(twx_db *db, bool temporary, uint64_t *ret_bytes) {
    int64_t pages = 0, size = 0;
    twx_rc rc = twx_db_integer(db, temporary ? "PRAGMA temp.page_count" : "PRAGMA main.page_count",
                               &pages);
    if (rc == TWX_OK)
        rc = twx_db_integer(db, temporary ? "PRAGMA temp.page_size" : "PRAGMA main.page_size",
                            &size);
    if (rc == TWX_OK && pages > 0 && size > 0) *ret_bytes = (uint64_t)pages * (uint64_t)size;
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc estimate(twx_db *db, const char *columns, uint64_t *ret_need) {
    sqlite3_stmt *rows = NULL; /* the first ones, in the order in which SQLite returns them */
    int64_t documents = 0;
    uint64_t n = 0, bytes = 0;
    twx_rc rc = twx_db_integer(db, "SELECT count(scan_key) FROM source_document", &documents);
    if (rc == TWX_OK)
        rc = twx_stmt_printf(db, &rows,
                             "SELECT %s FROM source_document WHERE scan_key IS NOT NULL LIMIT %d",
                             columns, SAMPLE_ROWS);
    for (; rc == TWX_OK && (rc = twx_stmt_step(db, rows)) == TWX_OK; n++)
        for (int i = 0; i < sqlite3_column_count(rows); i++)
            bytes += (uint64_t)sqlite3_column_bytes(rows, i);
    rc = twx_stmt_end(rows, rc);
    const uint64_t mean = n ? bytes / n : 0;
    if (rc == TWX_OK)
        *ret_need = (uint64_t)documents *
                    ((mean + ROW_BYTES) * 100 / FULLNESS + (uint64_t)SORTER_BYTES);
    return rc;
}

twx_rc twx_source_room_check(twx_db *db, const char *columns) {
    char folder[TWX_FOLDER_BYTES];
    struct statvfs fs;
    uint64_t store = 0, used = 0, need = 0;
    if (!twx_db_temporary_folder(db, folder))
        return twx_fail(db->cx, TWX_E_NOSTORE,
                        "%s: the mapping needs a temporary copy of the documents, but no directory "
                        "for temporary files is writable: set SQLITE_TMPDIR",
                        db->path);
    if (statvfs(folder, &fs) != 0) return TWX_OK; /* the write reports the error */
    twx_rc rc = size_of(db, false, &store);
    if (rc == TWX_OK) rc = size_of(db, true, &used);
    const uint64_t room = (uint64_t)fs.f_bavail * fs.f_frsize + used;
    if (rc != TWX_OK || room >= store) return rc;
    rc = estimate(db, columns, &need);
    if (rc == TWX_E_LIMIT) { /* a row beyond the row limit is reported where rows are read */
        twx_ctx_clear(db->cx);
        return TWX_OK;
    }
    if (rc != TWX_OK || room >= need) return rc;
    return twx_fail(db->cx, TWX_E_FULL,
                    "%s: the mapping needs a temporary copy of the documents, about %" PRIu64
                    " MiB, but %s has %" PRIu64 " MiB free: set SQLITE_TMPDIR to a "
                    "directory with more room",
                    db->path, (need >> 20) + 1, folder, room >> 20);
}

/* ==== source_check */

/* The mapped expressions are the user's own SQL: they are prepared here and never stepped. */

/* ---- what a mapping may read: checked while its SELECT is prepared -------- */

typedef TWX_VEC(char *) name_list; /* owned, each once */

typedef struct reads {
    twx_db *db;
    twx_ctx *cx;
    bool allow_view;
    name_list tables;
    name_list columns; /* "table\ncolumn" */
    name_list calls;   /* of functions, of the expression that is being prepared */
    const char *from;  /* the only table whose row decides a value */
    const char *what;  /* the expression that is being prepared */
    char *beyond;      /* [R6]; TWX_BEYOND_BYTES */
    size_t selects;
    bool failed;
    bool calls_page; /* a function that only Twindex has: see twx_source_select() */
} reads;

/* The first reason is kept. */
static void set_beyond(reads *r, const char *what, const char *name) {
    if (!r->beyond[0])
        snprintf(r->beyond, TWX_BEYOND_BYTES, "store.%s %s%.100s%s", r->what, what, name,
                 name[0] ? "'" : "");
}

static bool has_name(const name_list *list, const char *name) {
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->at[i], name) == 0) return true;
    return false;
}

/* Takes ownership of the name; NULL: out of memory. */
static void note_name(reads *r, name_list *list, char *name) {
    if (name && !has_name(list, name) && TWX_VEC_PUSH(r->cx, list, name)) return;
    r->failed = r->failed || !name || !has_name(list, name);
    twx_free(name);
}

static void forget(name_list *list) {
    for (size_t i = 0; i < list->n; i++) twx_free(list->at[i]);
    TWX_VEC_DONE(list);
}

static int note_read(void *arg, int action, const char *table, const char *column,
                     const char *schema, const char *inside) {
    (void)schema, (void)inside;
    reads *r = arg;
    /* for SQLITE_FUNCTION this argument is the name of the function */
    if (action == SQLITE_FUNCTION && column && twx_page_function_find(column)) r->calls_page = true;
    if (action == SQLITE_FUNCTION && column) note_name(r, &r->calls, twx_strdup(r->cx, column));
    r->selects += action == SQLITE_SELECT;
    if (action == SQLITE_SELECT || action == SQLITE_FUNCTION || action == SQLITE_RECURSIVE)
        return SQLITE_OK;
    /* json_each causes this when it declares its columns; only a SELECT is prepared, and never
     * stepped */
    if (action == SQLITE_UPDATE && strcmp(table, "sqlite_master") == 0) return SQLITE_OK;
    /* FTS5 prepares this when it opens a table */
    if (action == SQLITE_PRAGMA && strcmp(table, "data_version") == 0) return SQLITE_OK;
    if (action != SQLITE_READ) return SQLITE_DENY;
    if (sqlite3_stricmp(table, r->from) != 0) set_beyond(r, "reads '", table);
    note_name(r, &r->tables, twx_strdup(r->cx, table));
    note_name(r, &r->columns, twx_sprintf(r->cx, "%s\n%s", table, column ? column : ""));
    return SQLITE_OK;
}

static void reads_done(reads *r) {
    forget(&r->calls);
    forget(&r->tables);
    forget(&r->columns);
}

/* Type of a table: "table", "view" or "virtual"; "" if it is not a table of the store (json_each
 * and similar). PRAGMA table_list, which knows it, too, prepares a statement for each view. */
static twx_rc table_type(twx_db *db, const char *table, char ret_type[16],
                         bool *ret_without_rowid) {
    sqlite3_stmt *stmt = NULL;
    ret_type[0] = '\0';
    /* index_info names the key of a table without rowids */
    twx_rc rc = twx_db_row(
        db,
        "SELECT iif(type = 'table' AND rootpage = 0, 'virtual', type), "
        "EXISTS (SELECT 1 FROM pragma_index_info(?1, 'main')) FROM sqlite_schema "
        "WHERE type IN ('table', 'view') AND name = ?1 COLLATE NOCASE",
        TWX_VALUES(twx_text_of(table)), &stmt);
    if (rc == TWX_OK) {
        twx_slice type = twx_column_text(stmt, 0);
        snprintf(ret_type, 16, TWX_SLICE_FMT, TWX_SLICE_ARG(type));
        *ret_without_rowid = sqlite3_column_int(stmt, 1) != 0;
    }
    return twx_stmt_end(stmt, rc);
}

static twx_rc find_column(twx_db *db, const char *table, const char *column, bool *ret_has,
                          bool *ret_generated) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_db_row(
        db, "SELECT hidden FROM pragma_table_xinfo(?1) WHERE name = ?2 COLLATE NOCASE",
        TWX_VALUES(twx_text_of(table), twx_text_of(column)), &stmt);
    *ret_has = rc == TWX_OK;
    *ret_generated = rc == TWX_OK && sqlite3_column_int(stmt, 0) >= 2;
    return twx_stmt_end(stmt, rc);
}

static twx_rc check_table(reads *r, const char *table) {
    /* table-valued functions, and the table that SQLite reads while they declare their columns */
    static const char *const FUNCTIONS[] = {"json_each", "json_tree", "sqlite_master"};
    char type[16];
    bool without_rowid = false;
    twx_rc rc = table_type(r->db, table, type, &without_rowid);
    if (rc != TWX_OK || strcmp(type, "table") == 0) return rc;
    for (size_t i = 0; i < TWX_COUNTOF(FUNCTIONS); i++)
        if (strcmp(table, FUNCTIONS[i]) == 0) return TWX_OK;
    return twx_fail(
        r->cx, TWX_E_CONFIG,
        "%s: the mapping reads '%s', which is %s%s%s: set store.allow_view = yes if you trust it",
        twx_db_path(r->db), table, type[0] ? "a " : "not a table of the store", type,
        strcmp(type, "virtual") == 0 ? " table" : "");
}

/* [R6] A subquery may read other rows of the table itself. */
static twx_rc look_beyond(reads *r) {
    sqlite3_stmt *stmt = NULL;
    if (r->beyond[0] || r->failed) return TWX_OK;
    if (r->selects > 1) set_beyond(r, "has a subquery", "");
    twx_rc rc = twx_stmt_prepare(r->db, TWX_SQL_QUERY_SCHEMA_IMPURE_FUNCTION, &stmt);
    for (size_t i = 0; rc == TWX_OK && !r->beyond[0] && i < r->calls.n; i++) {
        rc = twx_stmt_first(r->db, stmt, TWX_VALUES(twx_text_of(r->calls.at[i])));
        if (rc == TWX_OK) set_beyond(r, "calls '", r->calls.at[i]);
        sqlite3_reset(stmt);
        if (rc == TWX_DONE) rc = TWX_OK;
    }
    return twx_stmt_end(stmt, rc);
}

/* Prepares and finalizes sql, recording what it reads. A syntax error is the user's mistake:
 * TWX_E_CONFIG with `what`. sql: owned; NULL: out of memory. */
static twx_rc probe(twx_db *db, char *sql, const char *what, reads *r) {
    sqlite3_stmt *stmt = NULL;
    const char *rest = NULL;
    if (!sql) return TWX_E_NOMEM;
    r->what = what;
    r->selects = 0;
    forget(&r->calls);
    sqlite3_set_authorizer(db->handle, note_read, r);
    int rc = sqlite3_prepare_v2(db->handle, sql, -1, &stmt, &rest);
    twx_rc result = TWX_OK;
    if (rc != SQLITE_OK)
        result = twx_fail(r->cx, TWX_E_CONFIG, "%s: store.%s is not valid: %s", twx_db_path(db),
                          what, sqlite3_errmsg(db->handle));
    else if (rest && *rest)
        result = twx_fail(r->cx, TWX_E_CONFIG, "%s: store.%s holds more than one expression: '%s'",
                          twx_db_path(db), what, rest);
    sqlite3_finalize(stmt);
    twx_free(sql);
    twx_db_authorize(db);
    return result == TWX_OK ? look_beyond(r) : result;
}

/* An error of the statement is the result here and is not reported. */
size_t twx_mapping_invalid(twx_db *db, const twx_mapping *m, const char *from) {
    for (size_t i = 0; i < TWX_COLUMNS; i++) {
        sqlite3_stmt *stmt = NULL;
        if (!m->map[i]) continue;
        char *sql = twx_sprintf(db->cx, "SELECT (%s) FROM %s", m->map[i], from);
        int rc = sql ? sqlite3_prepare_v2(db->handle, sql, -1, &stmt, NULL) : SQLITE_NOMEM;
        sqlite3_finalize(stmt);
        twx_free(sql);
        if (rc != SQLITE_OK) return i;
    }
    return TWX_COLUMNS;
}

static twx_rc probe_all(reads *r, const twx_mapping *m, twx_unshown *ret_unshown) {
    twx_rc rc = probe(r->db, twx_sprintf(r->cx, "SELECT 1 FROM %s", m->from), "from", r);
    if (rc == TWX_OK && m->where)
        rc = probe(r->db, twx_sprintf(r->cx, "SELECT 1 FROM %s WHERE (%s)", m->from, m->where),
                   "where", r);
    ret_unshown->rows = r->calls_page;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COLUMNS; i++) {
        if (!m->map[i]) continue;
        r->calls_page = false;
        rc = probe(r->db, twx_sprintf(r->cx, "SELECT (%s) FROM %s", m->map[i], m->from),
                   twx_column_name(i), r);
        ret_unshown->columns[i] = r->calls_page;
    }
    return rc == TWX_OK && r->failed ? TWX_E_NOMEM : rc;
}

twx_rc twx_mapping_check(twx_db *db, const twx_mapping *m, twx_unshown *ret_unshown,
                         char beyond[TWX_BEYOND_BYTES]) {
    reads r = {.db = db, .cx = db->cx, .allow_view = m->allow_view, .from = m->from};
    r.beyond = beyond;
    beyond[0] = '\0';
    twx_rc rc = probe_all(&r, m, ret_unshown);
    /* [R2] */
    for (size_t i = 0; rc == TWX_OK && !r.allow_view && i < r.tables.n; i++)
        rc = check_table(&r, r.tables.at[i]);
    for (size_t i = 0; rc == TWX_OK && !r.allow_view && i < r.columns.n; i++) {
        char *line_feed = strchr(r.columns.at[i], '\n');
        bool has = false, generated = false;
        *line_feed = '\0';
        rc = find_column(db, r.columns.at[i], line_feed + 1, &has, &generated);
        if (rc == TWX_OK && generated)
            rc = twx_fail(db->cx, TWX_E_CONFIG,
                          "%s: the mapping reads %s.%s, a generated column: set store.allow_view = "
                          "yes if you trust it",
                          twx_db_path(db), r.columns.at[i], line_feed + 1);
    }
    reads_done(&r);
    return rc;
}

static twx_rc add_unread(const reads *r, const char *table, twx_slice column, twx_buf *names) {
    char *pair = twx_sprintf(r->cx, "%s\n" TWX_SLICE_FMT, table, TWX_SLICE_ARG(column));
    twx_rc rc = pair ? TWX_OK : TWX_E_NOMEM;
    if (pair && !has_name(&r->columns, pair))
        rc = twx_buf_printf(r->cx, names, "%s%s%s" TWX_SLICE_FMT, names->n ? ", " : "",
                            r->tables.n > 1 ? table : "", r->tables.n > 1 ? "." : "",
                            TWX_SLICE_ARG(column));
    twx_free(pair);
    return rc;
}

twx_rc twx_mapping_unread(twx_db *db, const twx_mapping *m, twx_buf *names) {
    char beyond[TWX_BEYOND_BYTES] = "";
    reads r = {.db = db, .cx = db->cx, .from = m->from, .beyond = beyond};
    sqlite3_stmt *columns = NULL;
    twx_rc rc = probe_all(&r, m, &(twx_unshown){.rows = false});
    if (rc == TWX_OK) rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SCHEMA_COLUMNS, &columns);
    for (size_t i = 0; rc == TWX_OK && i < r.tables.n; i++) {
        char type[16];
        bool without_rowid;
        rc = table_type(db, r.tables.at[i], type, &without_rowid);
        if (rc != TWX_OK || !type[0]) continue; /* json_each and the like are no tables */
        rc = twx_bind_text(db, columns, 1, twx_slice_of(r.tables.at[i]));
        while (rc == TWX_OK && (rc = twx_stmt_step(db, columns)) == TWX_OK)
            rc = add_unread(&r, r.tables.at[i], twx_column_text(columns, 0), names);
        sqlite3_reset(columns);
        if (rc == TWX_DONE) rc = TWX_OK;
    }
    sqlite3_finalize(columns);
    reads_done(&r);
    return rc;
}

/* ---- the key */

/* Whether `from` is just the name of a table; ret_table is then that name without quotes. */
static bool plain_name(const char *from, char *ret_table, size_t size) {
    size_t n = strlen(from);
    bool quoted = n > 2 && from[0] == '"' && from[n - 1] == '"';
    const char *p = quoted ? from + 1 : from;
    size_t length = quoted ? n - 2 : n;
    if (length == 0 || length >= size) return false;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)p[i];
        if (c == '"' || (!quoted && !twx_is_alpha(c) && !twx_is_digit(c) && c != '_' && c < 0x80))
            return false;
    }
    snprintf(ret_table, size, "%.*s", (int)length, p);
    return true;
}

char *twx_from_table(twx_ctx *cx, const char *from) {
    char table[256];
    return plain_name(from, table, sizeof table) ? twx_strdup(cx, table) : NULL;
}

static bool same_name(const char *expression, const char *name) {
    twx_slice e = twx_slice_trim(twx_slice_of(expression));
    if (e.n >= 2 && e.p[0] == '"' && e.p[e.n - 1] == '"') e = twx_slice_sub(e, 1, e.n - 1);
    return twx_slice_eq_nocase(e, twx_slice_of(name));
}

typedef struct rowid {
    /* the name by which it can be read (a column may hide a name); NULL: none */
    const char *name;
    /* the mapped id is the rowid, or the INTEGER PRIMARY KEY column, which is an alias of it */
    bool is_id;
    /* there is an INTEGER PRIMARY KEY column; one declared DESC has an index and is not an alias */
    bool stable;
} rowid;

static twx_rc look_at_rowid(twx_db *db, const char *table, const char *id, rowid *ret_rowid) {
    static const char *const NAMES_OF_ROWID[] = {"rowid", "_rowid_", "oid"};
    sqlite3_stmt *stmt = NULL;
    rowid r = {0};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(NAMES_OF_ROWID); i++) {
        bool hidden = false, generated = false;
        rc = find_column(db, table, NAMES_OF_ROWID[i], &hidden, &generated);
        if (hidden) continue;
        if (!r.name) r.name = NAMES_OF_ROWID[i];
        r.is_id = r.is_id || same_name(id, NAMES_OF_ROWID[i]);
    }
    if (rc == TWX_OK)
        rc = twx_db_row(
            db,
            "SELECT name FROM pragma_table_info(?1) AS t WHERE pk = 1 AND type = 'INTEGER' COLLATE "
            "NOCASE AND NOT EXISTS (SELECT 1 FROM pragma_table_info(?1) WHERE pk = 2) AND NOT "
            "EXISTS (SELECT 1 FROM pragma_index_list(?1) WHERE origin = 'pk')",
            TWX_VALUES(twx_text_of(table)), &stmt);
    if (rc == TWX_OK) {
        r.stable = true;
        r.is_id = r.is_id || same_name(id, (const char *)sqlite3_column_text(stmt, 0));
    }
    sqlite3_finalize(stmt);
    if (rc == TWX_DONE) rc = TWX_OK;
    if (rc == TWX_OK) *ret_rowid = r;
    return rc;
}

twx_rc twx_scan_key_choose(twx_db *db, const twx_mapping *m, twx_scan_key *ret_key) {
    char table[256], type[16];
    bool without_rowid = false;
    *ret_key = (twx_scan_key){.expression = m->map[TWX_COL_ID]};
    if (!plain_name(m->from, table, sizeof table)) return TWX_OK;
    twx_rc rc = table_type(db, table, type, &without_rowid);
    if (rc != TWX_OK || strcmp(type, "table") != 0 || without_rowid) return rc;
    rowid r;
    rc = look_at_rowid(db, table, m->map[TWX_COL_ID], &r);
    if (rc == TWX_OK && r.is_id && !r.stable && !m->allow_rowid) /* [R4] */
        rc = twx_fail(db->cx, TWX_E_CONFIG,
                      "%s: store.id = %s: table '%s' has no INTEGER PRIMARY KEY, so VACUUM gives "
                      "its rows other rowids and flags would belong to other documents: map a "
                      "column that tells documents apart (the URL, if it does), or set "
                      "store.allow_rowid = yes if the store is never vacuumed",
                      twx_db_path(db), m->map[TWX_COL_ID], table);
    if (rc != TWX_OK || !r.name) return rc;
    *ret_key = (twx_scan_key){.expression = r.name, .is_rowid = true, .is_id = r.is_id};
    return TWX_OK;
}
