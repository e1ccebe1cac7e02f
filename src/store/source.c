/* The mapped names are the user's own SQL, so this is the one file that puts statements
 * together. */
#include "store/source.h"

#include <inttypes.h>
#include <string.h>

#include "base/hash64.h"
#include "base/vec.h"
#include "page/page_values.h"
#include "sql_text.h"
#include "store/batch_plan.h"
#include "store/stmt.h"

enum { SQL_BYTES = 1 << 18 };

#define VIEW "source_document"
#define ROWS "twindex_source_rows" /* a TEMP table with the columns of the view */

static const char *const NAMES[TWX_COLUMNS] = {
    "id",      "url",           "text",          "title",        "description",    "http_status",
    "failure", "robots",        "canonical_url", "redirect_url", "hreflang_group", "fetched_at",
    "score",   "layout_digest", "content_type",  "language",     "crawl_id",       "changed"};

struct twx_source {
    twx_db *db;
    char *select; /* of the view */
    bool direct, rowid;
    bool unshown[TWX_COLUMNS]; /* computed by a function that only we have */
    bool unshown_rows;         /* and so which rows there are */
    char *shown;               /* select for others; NULL: there is none */
    uint64_t fingerprint;
    sqlite3_stmt *first[TWX_WANTS], *next[TWX_WANTS];
    sqlite3_stmt *fetch;
    sqlite3_stmt *sample;       /* the first rows, whole, from the view */
    sqlite3_stmt *fetch_copied; /* from ROWS */
    bool copied;                /* first and next read ROWS, not the view */
    twx_source_want has;        /* the columns that ROWS has; TWX_WANTS: none */
    int64_t version;            /* of the store when ROWS was filled */
};

const char *twx_column_name(size_t column) {
    return column < TWX_COLUMNS ? NAMES[column] : NULL;
}

/* ---- what a mapping may read: checked while its SELECT is prepared
 * -------------------------------- */

typedef struct reads {
    twx_db *db;
    twx_ctx *cx;
    bool allow_view;
    TWX_VEC(char *) tables;  /* owned names, each once */
    TWX_VEC(char *) columns; /* "table\ncolumn" */
    bool failed;
    bool calls_page; /* a function that only we have: see twx_source_select() */
} reads;

static bool known_name(char **names, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

static int note_read(void *arg, int action, const char *table, const char *column,
                     const char *schema, const char *inside) {
    (void)schema, (void)inside;
    reads *r = arg;
    /* the name of a function comes where others have a column */
    if (action == SQLITE_FUNCTION && column && twx_page_function_find(column)) r->calls_page = true;
    if (action == SQLITE_SELECT || action == SQLITE_FUNCTION || action == SQLITE_RECURSIVE)
        return SQLITE_OK;
    /* json_each declares itself like this; only a SELECT is prepared, and never stepped */
    if (action == SQLITE_UPDATE && strcmp(table, "sqlite_master") == 0) return SQLITE_OK;
    if (action != SQLITE_READ) return SQLITE_DENY;
    if (!known_name(r->tables.at, r->tables.n, table)) {
        char *copy = twx_strdup(r->cx, table);
        if (!copy || !TWX_VEC_PUSH(r->cx, &r->tables, copy)) {
            r->failed = true;
            twx_free(copy);
        }
    }
    char *pair = twx_sprintf(r->cx, "%s\n%s", table, column ? column : "");
    if (!pair || !TWX_VEC_PUSH(r->cx, &r->columns, pair)) {
        r->failed = true;
        twx_free(pair);
    }
    return SQLITE_OK;
}

static void reads_done(reads *r) {
    for (size_t i = 0; i < r->tables.n; i++) twx_free(r->tables.at[i]);
    for (size_t i = 0; i < r->columns.n; i++) twx_free(r->columns.at[i]);
    TWX_VEC_DONE(&r->tables);
    TWX_VEC_DONE(&r->columns);
}

/* Type of a table as PRAGMA table_list has it: "table", "view", "virtual", ...; "" when it is
 * not a table of the store (json_each and its like). */
static twx_rc table_type(twx_db *db, const char *table, char ret_type[16],
                         bool *ret_without_rowid) {
    sqlite3_stmt *stmt = NULL;
    ret_type[0] = '\0';
    twx_rc rc = twx_stmt_prepare(
        db,
        "SELECT type, wr FROM pragma_table_list WHERE schema = 'main' AND name = ?1 COLLATE NOCASE",
        &stmt);
    if (rc == TWX_OK) rc = twx_bind_text(db, stmt, 1, twx_slice_of(table));
    if (rc == TWX_OK) rc = twx_stmt_step(db, stmt);
    if (rc == TWX_OK) {
        twx_slice type = twx_column_text(stmt, 0);
        size_t n = type.n < 15 ? type.n : 15;
        memcpy(ret_type, type.p, n);
        ret_type[n] = '\0';
        *ret_without_rowid = sqlite3_column_int(stmt, 1) != 0;
    }
    sqlite3_finalize(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc is_generated(twx_db *db, const char *table, const char *column, bool *ret_generated) {
    sqlite3_stmt *stmt = NULL;
    *ret_generated = false;
    twx_rc rc = twx_stmt_prepare(
        db, "SELECT hidden FROM pragma_table_xinfo(?1) WHERE name = ?2 COLLATE NOCASE", &stmt);
    if (rc == TWX_OK) rc = twx_bind_text(db, stmt, 1, twx_slice_of(table));
    if (rc == TWX_OK) rc = twx_bind_text(db, stmt, 2, twx_slice_of(column));
    if (rc == TWX_OK) rc = twx_stmt_step(db, stmt);
    if (rc == TWX_OK) *ret_generated = sqlite3_column_int(stmt, 0) >= 2;
    sqlite3_finalize(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc check_table(reads *r, const char *table) {
    /* table functions, and what SQLite reads when they declare themselves */
    static const char *const FUNCTIONS[] = {"json_each", "json_tree", "sqlite_master"};
    char type[16];
    bool without_rowid = false;
    twx_rc rc = table_type(r->db, table, type, &without_rowid);
    if (rc != TWX_OK || strcmp(type, "table") == 0 || strcmp(type, "shadow") == 0) return rc;
    for (size_t i = 0; i < TWX_COUNTOF(FUNCTIONS); i++)
        if (strcmp(table, FUNCTIONS[i]) == 0) return TWX_OK;
    return twx_fail(
        r->cx, TWX_E_CONFIG,
        "%s: the mapping reads '%s', which is %s%s: set store.allow_view = yes if you trust it",
        twx_db_path(r->db), table, type[0] ? "a " : "not a table of the store", type);
}

/* [R2] */
static twx_rc check_reads(reads *r) {
    if (r->failed) return TWX_E_NOMEM;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && !r->allow_view && i < r->tables.n; i++)
        rc = check_table(r, r->tables.at[i]);
    for (size_t i = 0; rc == TWX_OK && !r->allow_view && i < r->columns.n; i++) {
        char *line_feed = strchr(r->columns.at[i], '\n');
        bool generated = false;
        *line_feed = '\0';
        rc = is_generated(r->db, r->columns.at[i], line_feed + 1, &generated);
        if (rc == TWX_OK && generated)
            rc = twx_fail(r->cx, TWX_E_CONFIG,
                          "%s: the mapping reads %s.%s, a generated column: set store.allow_view = "
                          "yes if you trust it",
                          twx_db_path(r->db), r->columns.at[i], line_feed + 1);
    }
    return rc;
}

/* Prepares (and throws away) sql, noting what it reads. A syntax error is the user's:
 * TWX_E_CONFIG with `what`. */
static twx_rc probe(twx_db *db, const char *sql, const char *what, reads *r) {
    sqlite3_stmt *stmt = NULL;
    const char *rest = NULL;
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
    twx_db_authorize(db);
    return result;
}

/* Errors of the statement are the answer here and not reported. */
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

/* ---- the view
 * --------------------------------------------------------------------------------------- */

/* Is `from` just the name of a table? Then ret_table is that name without quotes. */
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
    memcpy(ret_table, p, length);
    ret_table[length] = '\0';
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

static twx_rc has_column(twx_db *db, const char *table, const char *column, bool *ret_has) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_prepare(
        db, "SELECT 1 FROM pragma_table_xinfo(?1) WHERE name = ?2 COLLATE NOCASE", &stmt);
    if (rc == TWX_OK) rc = twx_bind_text(db, stmt, 1, twx_slice_of(table));
    if (rc == TWX_OK) rc = twx_bind_text(db, stmt, 2, twx_slice_of(column));
    if (rc == TWX_OK) rc = twx_stmt_step(db, stmt);
    *ret_has = rc == TWX_OK;
    sqlite3_finalize(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* What is known of a table's rowid. */
typedef struct rowid {
    /* under which the table shows it (a column may hide one of them); NULL: under none */
    const char *name;
    /* the mapped id is the rowid, or the INTEGER PRIMARY KEY column, which is an alias of it */
    bool is_id;
    /* there is such a column; one declared INTEGER PRIMARY KEY DESC has an index and is no alias */
    bool stable;
} rowid;

static twx_rc look_at_names(twx_db *db, const char *table, const char *id, rowid *r) {
    static const char *const NAMES_OF_ROWID[] = {"rowid", "_rowid_", "oid"};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(NAMES_OF_ROWID); i++) {
        bool hidden = false;
        rc = has_column(db, table, NAMES_OF_ROWID[i], &hidden);
        if (hidden) continue;
        if (!r->name) r->name = NAMES_OF_ROWID[i];
        r->is_id = r->is_id || same_name(id, NAMES_OF_ROWID[i]);
    }
    return rc;
}

static twx_rc look_at_rowid(twx_db *db, const char *table, const char *id, rowid *ret_rowid) {
    sqlite3_stmt *stmt = NULL;
    rowid r = {0};
    twx_rc rc = look_at_names(db, table, id, &r);
    if (rc == TWX_OK)
        rc = twx_stmt_prepare(
            db,
            "SELECT name FROM pragma_table_info(?1) AS t WHERE pk = 1 AND type = 'INTEGER' COLLATE "
            "NOCASE AND NOT EXISTS (SELECT 1 FROM pragma_table_info(?1) WHERE pk = 2) AND NOT "
            "EXISTS (SELECT 1 FROM pragma_index_list(?1) WHERE origin = 'pk')",
            &stmt);
    if (rc == TWX_OK) rc = twx_bind_text(db, stmt, 1, twx_slice_of(table));
    if (rc == TWX_OK) rc = twx_stmt_step(db, stmt);
    if (rc == TWX_OK) {
        r.stable = true;
        r.is_id = r.is_id || same_name(id, (const char *)sqlite3_column_text(stmt, 0));
    }
    sqlite3_finalize(stmt);
    if (rc == TWX_DONE) rc = TWX_OK;
    if (rc == TWX_OK) *ret_rowid = r;
    return rc;
}

static twx_rc choose_scan_key(twx_source *s, const twx_mapping *m, const char **ret_key) {
    char table[256], type[16];
    bool without_rowid = false;
    *ret_key = m->map[TWX_COL_ID];
    if (!plain_name(m->from, table, sizeof table)) return TWX_OK;
    twx_rc rc = table_type(s->db, table, type, &without_rowid);
    bool stored = strcmp(type, "table") == 0 || strcmp(type, "shadow") == 0;
    if (rc != TWX_OK || !stored || without_rowid) return rc;
    rowid r;
    rc = look_at_rowid(s->db, table, m->map[TWX_COL_ID], &r);
    if (rc == TWX_OK && r.is_id && !r.stable && !m->allow_rowid) /* [R4] */
        rc = twx_fail(s->db->cx, TWX_E_CONFIG,
                      "%s: store.id = %s: table '%s' has no INTEGER PRIMARY KEY, so VACUUM gives "
                      "its rows other rowids and flags would belong to other documents: map a "
                      "column that tells documents apart (the URL, if it does), or set "
                      "store.allow_rowid = yes if the store is never vacuumed",
                      twx_db_path(s->db), m->map[TWX_COL_ID], table);
    if (rc != TWX_OK || !r.name) return rc;
    s->rowid = true;
    s->direct = r.is_id;
    *ret_key = r.name;
    return TWX_OK;
}

static twx_rc check_expressions(twx_source *s, const twx_mapping *m) {
    twx_ctx *cx = s->db->cx;
    reads r = {.db = s->db, .cx = cx, .allow_view = m->allow_view};
    twx_rc rc = TWX_OK;
    char *sql = twx_sprintf(cx, "SELECT 1 FROM %s", m->from);
    rc = sql ? probe(s->db, sql, "from", &r) : TWX_E_NOMEM;
    twx_free(sql);
    if (rc == TWX_OK && m->where) {
        sql = twx_sprintf(cx, "SELECT 1 FROM %s WHERE (%s)", m->from, m->where);
        rc = sql ? probe(s->db, sql, "where", &r) : TWX_E_NOMEM;
        twx_free(sql);
    }
    s->unshown_rows = r.calls_page;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COLUMNS; i++) {
        if (!m->map[i]) continue;
        r.calls_page = false;
        sql = twx_sprintf(cx, "SELECT (%s) FROM %s", m->map[i], m->from);
        rc = sql ? probe(s->db, sql, NAMES[i], &r) : TWX_E_NOMEM;
        s->unshown[i] = r.calls_page;
        twx_free(sql);
    }
    if (rc == TWX_OK) rc = check_reads(&r);
    reads_done(&r);
    return rc;
}

/* shown: what another program can compute. */
static twx_rc build_select(twx_source *s, const twx_mapping *m, const char *scan_key, bool shown,
                           char **ret_select) {
    twx_ctx *cx = s->db->cx;
    twx_buf sql;
    twx_buf_init(&sql, SQL_BYTES);
    twx_rc rc = shown ? twx_buf_add_text(cx, &sql, "SELECT ")
                      : twx_buf_printf(cx, &sql, "SELECT (%s) AS scan_key, ", scan_key);
    /* COLLATE: a collation of the store's own application, which we do not have, would make the
     * column unreadable. The key keeps its own, so that its index is used. */
    for (size_t i = 0; rc == TWX_OK && i < TWX_COLUMNS; i++)
        rc = twx_buf_printf(cx, &sql, "%s(%s)%s AS %s", i ? ", " : "",
                            m->map[i] && !(shown && s->unshown[i]) ? m->map[i] : "NULL",
                            i == TWX_COL_ID || !m->map[i] ? "" : " COLLATE BINARY", NAMES[i]);
    if (rc == TWX_OK) rc = twx_buf_printf(cx, &sql, " FROM %s", m->from);
    if (rc == TWX_OK && m->where) rc = twx_buf_printf(cx, &sql, " WHERE (%s)", m->where);
    if (rc == TWX_OK) *ret_select = twx_strndup(cx, sql.p, sql.n);
    if (rc == TWX_OK && !*ret_select) rc = TWX_E_NOMEM;
    twx_buf_done(&sql);
    return rc;
}

static const char *const COLUMNS[TWX_WANTS] = {
    "scan_key, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
    "NULL, NULL, NULL, NULL",
    "scan_key, id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
    "NULL, NULL, NULL, changed",
    "scan_key, id, url, NULL, NULL, NULL, http_status, failure, robots, canonical_url, "
    "redirect_url, hreflang_group, fetched_at, score, layout_digest, content_type, language, "
    "crawl_id, changed",
    "scan_key, id, url, text, title, description, http_status, failure, robots, canonical_url, "
    "redirect_url, hreflang_group, fetched_at, score, layout_digest, content_type, language, "
    "crawl_id, changed"};

/* The outermost parentheses around a column's expression would hide that it is the rowid from
 * the planner; SQLite drops them while parsing, so the scan stays a range of the table. */
static twx_rc prepare_batches(twx_source *s, const char *rows) {
    twx_ctx *cx = s->db->cx;
    twx_rc rc = TWX_OK;
    for (int want = 0; rc == TWX_OK && want < TWX_WANTS; want++) {
        sqlite3_finalize(s->first[want]);
        sqlite3_finalize(s->next[want]);
        s->first[want] = s->next[want] = NULL;
        char *first = twx_sprintf(
            cx, "SELECT %s FROM %s WHERE scan_key IS NOT NULL ORDER BY scan_key LIMIT ?2",
            COLUMNS[want], rows);
        char *next = twx_sprintf(cx,
                                 "SELECT %s FROM %s WHERE scan_key > ?1 ORDER BY scan_key LIMIT ?2",
                                 COLUMNS[want], rows);
        rc = first && next ? twx_stmt_prepare(s->db, first, &s->first[want]) : TWX_E_NOMEM;
        if (rc == TWX_OK) rc = twx_stmt_prepare(s->db, next, &s->next[want]);
        twx_free(first);
        twx_free(next);
    }
    return rc;
}

/* Prepares a statement that reads whole rows. */
static twx_rc prepare_whole(twx_source *s, const char *from, sqlite3_stmt **ret_stmt) {
    char *sql = twx_sprintf(s->db->cx, "SELECT %s FROM %s", COLUMNS[TWX_WANT_WHOLE], from);
    twx_rc rc = sql ? twx_stmt_prepare(s->db, sql, ret_stmt) : TWX_E_NOMEM;
    twx_free(sql);
    return rc;
}

static twx_rc make_statements(twx_source *s) {
    twx_rc rc = prepare_batches(s, VIEW);
    if (rc == TWX_OK) rc = prepare_whole(s, VIEW " WHERE scan_key = ?1", &s->fetch);
    if (rc != TWX_OK) return rc;
    return prepare_whole(s, VIEW " WHERE scan_key IS NOT NULL ORDER BY scan_key LIMIT ?2",
                         &s->sample);
}

/* ---- the copy: what is read when the plan of a batch would read the whole store each time
 * ------------------------------------------------------------------------------------- */

/* The key is indexed afterwards, by one sort of the keys: texts are neither sorted nor moved. */
static twx_rc fill_copy(twx_source *s, twx_source_want want, bool empty) {
    char *sql = twx_sprintf(
        s->db->cx,
        "DROP TABLE IF EXISTS temp." ROWS "; CREATE TEMP TABLE " ROWS "(%s); INSERT INTO temp." ROWS
        " SELECT %s FROM source_document WHERE scan_key IS NOT NULL%s; CREATE INDEX temp." ROWS
        "_key ON " ROWS "(scan_key)",
        COLUMNS[TWX_WANT_WHOLE], COLUMNS[want], empty ? " LIMIT 0" : "");
    s->has = TWX_WANTS;
    twx_rc rc = sql ? twx_db_script_writable(s->db, sql) : TWX_E_NOMEM;
    twx_free(sql);
    return rc;
}

static twx_rc choose_rows(twx_source *s) {
    twx_rc rc = twx_plan_repeats_work(s->db, s->next[TWX_WANT_WHOLE], &s->copied);
    s->has = TWX_WANTS;
    if (rc != TWX_OK || !s->copied) return rc;
    rc = fill_copy(s, TWX_WANT_WHOLE, true);
    if (rc == TWX_OK) rc = prepare_whole(s, ROWS " WHERE scan_key = ?1", &s->fetch_copied);
    return rc == TWX_OK ? prepare_batches(s, ROWS) : rc;
}

/* A scan that begins sees the store as it is now. Within a scan the copy is kept. */
static twx_rc refresh_copy(twx_source *s, const twx_source_cursor *cursor, twx_source_want want) {
    int64_t version = 0;
    twx_rc rc = twx_db_data_version(s->db, &version);
    bool enough = s->has < TWX_WANTS && s->has >= want;
    if (rc != TWX_OK || (enough && (cursor->begun || version == s->version))) return rc;
    rc = fill_copy(s, want, false);
    if (rc == TWX_OK) {
        s->has = want;
        s->version = version;
    }
    /* A row beyond the row limit, or no room for temporary files: batches of the view are slow, but
     * need no room and end at the row. */
    if (rc == TWX_E_LIMIT || rc == TWX_E_FULL || rc == TWX_E_IO || rc == TWX_E_NOSTORE) {
        twx_ctx_clear(s->db->cx);
        s->copied = false;
        rc = prepare_batches(s, VIEW);
    }
    return rc;
}

twx_rc twx_source_open(twx_db *reader, const twx_mapping *m, twx_source **ret_source) {
    twx_ctx *cx = reader->cx;
    twx_source *s = twx_calloc(cx, 1, sizeof *s);
    if (!s) return TWX_E_NOMEM;
    s->db = reader;
    const char *scan_key = NULL;
    char *view = NULL;
    twx_rc rc = check_expressions(s, m);
    if (rc == TWX_OK) rc = choose_scan_key(s, m, &scan_key);
    if (rc == TWX_OK) rc = build_select(s, m, scan_key, false, &s->select);
    if (rc == TWX_OK) s->fingerprint = twx_hash64(twx_slice_of(s->select), 0);
    if (rc == TWX_OK && m->own && !(s->shown = twx_strdup(cx, TWX_SQL_PART_OWN_DOCUMENTS)))
        rc = TWX_E_NOMEM;
    if (rc == TWX_OK && !m->own && !s->unshown_rows && !s->unshown[TWX_COL_ID])
        rc = build_select(s, m, scan_key, true, &s->shown);
    if (rc == TWX_OK)
        view = twx_sprintf(
            cx, "DROP VIEW IF EXISTS temp.source_document; CREATE TEMP VIEW source_document AS %s",
            s->select);
    if (rc == TWX_OK) rc = view ? twx_db_script_writable(reader, view) : TWX_E_NOMEM;
    twx_free(view);
    if (rc == TWX_OK) rc = make_statements(s);
    if (rc == TWX_OK) rc = choose_rows(s);
    if (rc != TWX_OK) {
        twx_source_close(s);
        return rc;
    }
    *ret_source = s;
    return TWX_OK;
}

void twx_source_close(twx_source *s) {
    if (!s) return;
    for (int i = 0; i < TWX_WANTS; i++) {
        sqlite3_finalize(s->first[i]);
        sqlite3_finalize(s->next[i]);
    }
    sqlite3_finalize(s->fetch);
    sqlite3_finalize(s->sample);
    sqlite3_finalize(s->fetch_copied);
    twx_free(s->select);
    twx_free(s->shown);
    twx_free(s);
}

twx_ctx *twx_source_ctx(const twx_source *s) {
    return s->db->cx;
}

bool twx_source_is_direct(const twx_source *s) {
    return s->direct;
}

bool twx_source_is_copied(const twx_source *s) {
    return s->copied;
}

const char *twx_source_select(const twx_source *s) {
    return s->shown;
}

uint64_t twx_source_fingerprint(const twx_source *s) {
    return s->fingerprint;
}

twx_rc twx_source_estimate(twx_source *s, uint64_t *ret_documents) {
    int64_t most = 0;
    *ret_documents = 0;
    /* the largest rowid costs nothing; joins, views and tables without rowid are counted, which
     * reads their keys and no texts */
    twx_rc rc = twx_db_integer(s->db,
                               s->rowid ? "SELECT max(scan_key) FROM source_document"
                                        : "SELECT count(scan_key) FROM source_document",
                               &most);
    if (rc == TWX_OK && most > 0) *ret_documents = (uint64_t)most;
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* ---- reading
 * ---------------------------------------------------------------------------------------- */

static void fill_row(sqlite3_stmt *stmt, twx_source_row *row) {
    row->scan_key = twx_column_value(stmt, 0);
    for (int i = 0; i < TWX_COLUMNS; i++) row->value[i] = twx_column_value(stmt, i + 1);
}

void twx_source_cursor_done(twx_source_cursor *cursor) {
    twx_free(cursor->bytes);
    *cursor = (twx_source_cursor){0};
}

static twx_rc move_cursor(twx_ctx *cx, twx_source_cursor *cursor, const twx_value *key) {
    char *bytes = NULL;
    if (key->type == TWX_TEXT || key->type == TWX_BLOB) {
        bytes = twx_strndup(cx, key->bytes.p, key->bytes.n);
        if (!bytes) return TWX_E_NOMEM;
    }
    twx_free(cursor->bytes);
    *cursor = (twx_source_cursor){.after = *key, .bytes = bytes, .begun = true};
    if (bytes) cursor->after.bytes.p = bytes;
    return TWX_OK;
}

twx_rc twx_source_read(twx_source *s, twx_source_cursor *cursor, const twx_source_batch *batch) {
    twx_source_row row;
    bool enough = false;
    uint32_t rows = 0;
    if (cursor->ended) return TWX_DONE;
    const bool sample = batch->sample && !cursor->begun && batch->want == TWX_WANT_WHOLE;
    twx_rc rc = s->copied && !sample ? refresh_copy(s, cursor, batch->want) : TWX_OK;
    if (rc != TWX_OK) return rc;
    sqlite3_stmt *stmt = sample          ? s->sample
                         : cursor->begun ? s->next[batch->want]
                                         : s->first[batch->want];
    rc = twx_bind_int(s->db, stmt, 2, batch->limit);
    if (rc == TWX_OK && cursor->begun) rc = twx_bind_value(s->db, stmt, 1, &cursor->after);
    while (rc == TWX_OK && !enough) {
        rc = twx_stmt_step(s->db, stmt);
        if (rc != TWX_OK) break;
        fill_row(stmt, &row);
        rc = batch->fn(batch->arg, &row, &enough);
        rows++;
        if (rc == TWX_OK && (enough || rows == batch->limit)) {
            rc = move_cursor(s->db->cx, cursor, &row.scan_key);
            break;
        }
    }
    if (rc == TWX_DONE) cursor->ended = true; /* the last row's key went with the statement */
    sqlite3_reset(stmt);
    sqlite3_clear_bindings(stmt);
    return rc;
}

static twx_rc each_row(twx_source *s, sqlite3_stmt *stmt, twx_source_fn *fn, void *arg) {
    twx_source_row row;
    bool enough = false;
    size_t rows = 0;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && !enough) {
        rc = twx_stmt_step(s->db, stmt);
        if (rc != TWX_OK) break;
        fill_row(stmt, &row);
        rc = fn(arg, &row, &enough);
        rows++;
    }
    sqlite3_reset(stmt);
    sqlite3_clear_bindings(stmt);
    return rc == TWX_DONE && rows > 0 ? TWX_OK : rc;
}

twx_rc twx_source_fetch(twx_source *s, const twx_value *scan_key, twx_source_fn *fn, void *arg) {
    sqlite3_stmt *stmt = s->copied && s->has == TWX_WANT_WHOLE ? s->fetch_copied : s->fetch;
    twx_rc rc = twx_bind_value(s->db, stmt, 1, scan_key);
    return rc == TWX_OK ? each_row(s, stmt, fn, arg) : rc;
}

/* All columns of the rows whose `column` is the value. */
static twx_rc find_by(twx_source *s, const char *column, const twx_value *value, twx_source_fn *fn,
                      void *arg) {
    sqlite3_stmt *stmt = NULL;
    char *sql = twx_sprintf(
        s->db->cx,
        "SELECT scan_key, id, url, text, title, description, http_status, failure, robots, "
        "canonical_url, redirect_url, hreflang_group, fetched_at, score, layout_digest, "
        "content_type, language, crawl_id, changed FROM source_document WHERE %s = ?1",
        column);
    twx_rc rc = sql ? twx_stmt_prepare(s->db, sql, &stmt) : TWX_E_NOMEM;
    if (rc == TWX_OK) rc = twx_bind_value(s->db, stmt, 1, value);
    if (rc == TWX_OK) rc = each_row(s, stmt, fn, arg);
    sqlite3_finalize(stmt);
    twx_free(sql);
    return rc;
}

twx_rc twx_source_by_id(twx_source *s, const twx_value *id, twx_source_fn *fn, void *arg) {
    return s->direct ? twx_source_fetch(s, id, fn, arg) : find_by(s, "id", id, fn, arg);
}

twx_rc twx_source_find(twx_source *s, twx_slice url_or_id, twx_source_fn *fn, void *arg) {
    const twx_value text = {.type = TWX_TEXT, .bytes = url_or_id};
    twx_value number = {.type = TWX_INT};
    /* a number a person types is an integer id as well as a text id */
    twx_rc rc = twx_slice_integer(url_or_id, &number.i) ? find_by(s, "id", &number, fn, arg)
                                                        : TWX_DONE;
    if (rc == TWX_DONE) rc = find_by(s, "id", &text, fn, arg);
    return rc == TWX_DONE ? find_by(s, "url", &text, fn, arg) : rc;
}
