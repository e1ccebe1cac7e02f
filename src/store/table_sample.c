/* Table and column names come from the store, so this file assembles its statements, as source.c
 * does. It prepares only SELECT statements, on a read-only connection. */
#include "store/table_sample.h"

#include <string.h>

#include "base/alloc.h"
#include "page/html.h"
#include "page/unpack.h"
#include "sql_text.h"
#include "store/stmt.h"

enum { PATHS_MAX = 60, DECODED_MAX = 1 << 20, SQL_BYTES = 1 << 18 };

static void column_done(twx_sampled_column *c) {
    twx_free(c->name);
    twx_free(c->before);
    twx_free(c->column);
    twx_free(c->after);
}

static void table_done(twx_sampled_table *t) {
    for (size_t i = 0; i < t->columns.n; i++) column_done(&t->columns.at[i]);
    TWX_VEC_DONE(&t->columns);
    twx_free(t->name);
    twx_free(t->from);
    twx_free(t->key);
}

void twx_sampled_tables_done(twx_sampled_tables *tables) {
    for (size_t i = 0; i < tables->n; i++) table_done(&tables->at[i]);
    TWX_VEC_DONE(tables);
}

bool twx_mostly(const twx_sampled_column *c, twx_content kind) {
    return c->filled > 0 && c->kinds[kind] * 2 > c->filled;
}

char *twx_quoted_name(twx_ctx *cx, twx_slice name) {
    char *text = twx_strndup(cx, name.p ? name.p : "", name.n), *quoted = NULL;
    char *sql = text ? sqlite3_mprintf("\"%w\"", text) : NULL;
    if (sql)
        quoted = twx_strdup(cx, sql);
    else if (text)
        (void)twx_fail(cx, TWX_E_NOMEM,
                       "out of memory for the name of the table or column '" TWX_SLICE_FMT "'",
                       TWX_SLICE_ARG(name));
    sqlite3_free(sql);
    twx_free(text);
    return quoted;
}

/* ---- values */

/* Whether the value is the head of an HTTP response, which is not a text: lines such as "Server:
 * nginx" that end with CR LF. */
static bool is_http_head(twx_slice s) {
    size_t end = twx_slice_find(s, '\n', 0), colon = twx_slice_find(s, ':', 0);
    if (end == s.n || end == 0 || s.p[end - 1] != '\r') return false;
    for (size_t i = 0; i < colon && i < end; i++)
        if (!twx_is_alpha((unsigned char)s.p[i]) && s.p[i] != '-' && s.p[i] != '/') return false;
    return colon > 0 && colon < end;
}

static twx_rc note_text(twx_ctx *cx, twx_sampled_column *c, twx_slice bytes, twx_content kind) {
    twx_buf text;
    twx_rc rc = TWX_OK;
    if (kind == TWX_CONTENT_PLAIN && !is_http_head(bytes)) c->text_bytes += bytes.n;
    if (kind != TWX_CONTENT_HTML) return TWX_OK;
    twx_buf_init(&text, DECODED_MAX);
    rc = twx_html_text(cx, twx_slice_sub(bytes, 0, DECODED_MAX), TWX_SLICE_LIT("utf-8"), &text);
    c->text_bytes += text.n;
    twx_buf_done(&text);
    return rc;
}

static twx_rc note_packed(twx_ctx *cx, twx_sampled_column *c, twx_slice bytes) {
    twx_buf out;
    twx_unpacked how = TWX_UNPACK_NONE;
    twx_buf_init(&out, DECODED_MAX);
    twx_rc rc = twx_unpack(cx, bytes, TWX_CODING_ANY, &out, &how);
    const twx_content kind = rc == TWX_OK ? twx_looks_like(twx_buf_slice(&out)) : TWX_CONTENT_EMPTY;
    c->packed_html += kind == TWX_CONTENT_HTML;
    if (rc == TWX_OK) rc = note_text(cx, c, twx_buf_slice(&out), kind);
    twx_buf_done(&out);
    return rc;
}

static twx_rc note_value(twx_ctx *cx, twx_sampled_column *c, sqlite3_stmt *stmt, int at) {
    const int type = sqlite3_column_type(stmt, at);
    c->integers += type == SQLITE_INTEGER;
    c->blobs += type == SQLITE_BLOB;
    if (type != SQLITE_TEXT && type != SQLITE_BLOB) return TWX_OK;
    const twx_slice bytes = twx_column_value(stmt, at).bytes;
    const twx_content kind = twx_looks_like(bytes);
    c->kinds[kind]++;
    c->filled += kind != TWX_CONTENT_EMPTY;
    c->bytes += bytes.n;
    return kind == TWX_CONTENT_PACKED ? note_packed(cx, c, bytes) : note_text(cx, c, bytes, kind);
}

/* ---- columns */

/* Takes ownership of the parts of c. */
static twx_rc add_column(twx_ctx *cx, twx_sampled_table *t, twx_sampled_column c) {
    if (c.name && c.before && c.column && c.after && TWX_VEC_PUSH(cx, &t->columns, c))
        return TWX_OK;
    column_done(&c);
    return TWX_E_NOMEM;
}

static twx_rc sample_columns(twx_db *db, twx_sampled_table *t) {
    sqlite3_stmt *stmt = NULL;
    const size_t n = t->columns.n;
    if (n == 0) return TWX_OK;
    twx_buf sql;
    twx_buf_init(&sql, SQL_BYTES);
    twx_rc rc = twx_buf_add_text(db->cx, &sql, "SELECT ");
    for (size_t i = 0; rc == TWX_OK && i < n; i++)
        rc = twx_buf_printf(db->cx, &sql, "%s%s", i ? ", " : "", t->columns.at[i].column);
    if (rc == TWX_OK)
        rc = twx_buf_printf(db->cx, &sql, " FROM %s LIMIT %d", t->from, TWX_SAMPLE_ROWS);
    if (rc == TWX_OK) rc = twx_stmt_prepare(db, sql.p, &stmt);
    while (rc == TWX_OK) {
        rc = twx_stmt_step(db, stmt);
        t->rows += rc == TWX_OK;
        for (size_t i = 0; rc == TWX_OK && i < n; i++)
            rc = note_value(db->cx, &t->columns.at[i], stmt, (int)i);
    }
    sqlite3_finalize(stmt);
    twx_buf_done(&sql);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* The column of the path, added if it is new; NULL: no room, or out of memory (then cx has the
 * error). */
static twx_sampled_column *path_column(twx_ctx *cx, twx_sampled_table *t, size_t json, size_t first,
                                       twx_slice path, twx_slice key) {
    const bool blob = t->columns.at[json].blobs > 0;
    char *after = twx_sprintf(cx, "%s ->> '%.*s'", blob ? " AS TEXT)" : "", TWX_SLICE_ARG(path));
    if (!after) return NULL;
    for (size_t i = first; i < t->columns.n; i++)
        if (strcmp(t->columns.at[i].after, after) == 0 &&
            strcmp(t->columns.at[i].column, t->columns.at[json].column) == 0) {
            twx_free(after);
            return &t->columns.at[i];
        }
    if (t->columns.n - first >= PATHS_MAX) {
        twx_free(after);
        return NULL;
    }
    const twx_sampled_column c = {.name = twx_strndup(cx, key.p, key.n),
                                  .before = twx_strdup(cx, blob ? "CAST(" : ""),
                                  .column = twx_strdup(cx, t->columns.at[json].column),
                                  .after = after};
    return add_column(cx, t, c) == TWX_OK ? &t->columns.at[t->columns.n - 1] : NULL;
}

/* [R1] Samples the texts in the objects of a JSON column, at any depth, but not in arrays. */
static twx_rc sample_json(twx_db *db, twx_sampled_table *t, size_t json) {
    sqlite3_stmt *stmt = NULL;
    const size_t first = t->columns.n;
    const char *column = t->columns.at[json].column;
    char *sql = twx_sprintf(db->cx,
                            "SELECT j.fullkey, j.key, j.value FROM (SELECT CAST(%s AS TEXT) AS v "
                            "FROM %s LIMIT %d) AS s, "
                            "json_tree(CASE WHEN json_valid(s.v) THEN s.v END) AS j WHERE j.type "
                            "IN ('text', 'integer') AND typeof(j.key) = 'text' "
                            "AND instr(j.fullkey, '[') = 0 AND instr(j.fullkey, '''') = 0",
                            column, t->from, TWX_SAMPLE_ROWS);
    twx_rc rc = sql ? twx_stmt_prepare(db, sql, &stmt) : TWX_E_NOMEM;
    while (rc == TWX_OK) {
        rc = twx_stmt_step(db, stmt);
        if (rc != TWX_OK) break;
        twx_sampled_column *c = path_column(db->cx, t, json, first, twx_column_text(stmt, 0),
                                            twx_column_text(stmt, 1));
        rc = c ? note_value(db->cx, c, stmt, 2) : db->cx->rc;
    }
    sqlite3_finalize(stmt);
    twx_free(sql);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* ---- tables */

static twx_rc describe_columns(twx_db *db, twx_sampled_table *t) {
    sqlite3_stmt *stmt = NULL;
    size_t keys = 0;
    twx_rc rc = twx_stmt_prepare(db,
                                 t->kind == TWX_SAMPLED_FTS ? TWX_SQL_QUERY_SCHEMA_FTS_COLUMNS
                                                            : TWX_SQL_QUERY_SCHEMA_COLUMNS,
                                 &stmt);
    if (rc == TWX_OK) rc = twx_bind_text(db, stmt, 1, twx_slice_of(t->name));
    while (rc == TWX_OK) {
        rc = twx_stmt_step(db, stmt);
        if (rc != TWX_OK) break;
        const twx_slice name = twx_column_text(stmt, 0);
        const twx_sampled_column c = {
            .name = twx_strndup(db->cx, name.p ? name.p : "", name.n),
            .before = twx_strdup(db->cx, ""),
            .column = twx_quoted_name(db->cx,
                                      t->kind == TWX_SAMPLED_FTS ? twx_column_text(stmt, 2) : name),
            .after = twx_strdup(db->cx, "")};
        rc = add_column(db->cx, t, c);
        if (rc == TWX_OK && sqlite3_column_int(stmt, 1) > 0 && ++keys == 1)
            t->key = twx_quoted_name(db->cx,
                                     t->kind == TWX_SAMPLED_FTS ? twx_column_text(stmt, 3) : name);
    }
    sqlite3_finalize(stmt);
    if (keys > 1) {
        twx_free(t->key);
        t->key = NULL;
    }
    return rc == TWX_DONE ? db->cx->rc : rc;
}

static twx_rc sample_table(twx_db *db, twx_sampled_table *t) {
    char *content = t->kind == TWX_SAMPLED_FTS ? twx_sprintf(db->cx, "%s_content", t->name) : NULL;
    t->from = twx_quoted_name(db->cx, twx_slice_of(content ? content : t->name));
    twx_free(content);
    twx_rc rc = t->from ? describe_columns(db, t) : TWX_E_NOMEM;
    if (rc == TWX_OK) rc = sample_columns(db, t);
    const size_t columns = t->columns.n;
    for (size_t i = 0; rc == TWX_OK && i < columns; i++)
        if (twx_mostly(&t->columns.at[i], TWX_CONTENT_JSON)) rc = sample_json(db, t, i);
    return rc;
}

twx_rc twx_sample_tables(twx_db *db, twx_sampled_tables *ret_tables) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SCHEMA_READABLE, &stmt);
    while (rc == TWX_OK) {
        rc = twx_stmt_step(db, stmt);
        if (rc != TWX_OK) break;
        const twx_slice name = twx_column_text(stmt, 0);
        twx_sampled_table t = {.name = twx_strndup(db->cx, name.p, name.n),
                               .kind = (twx_sampled_kind)sqlite3_column_int(stmt, 1),
                               .without_rowid = sqlite3_column_int(stmt, 2) != 0};
        rc = t.name ? sample_table(db, &t) : TWX_E_NOMEM;
        if (rc == TWX_OK && TWX_VEC_PUSH(db->cx, ret_tables, t)) continue;
        table_done(&t);
        if (rc == TWX_OK) rc = TWX_E_NOMEM;
        if (rc == TWX_E_NOMEM || rc == TWX_E_BUSY || rc == TWX_E_CORRUPT) break;
        twx_ctx_clear(db->cx); /* an unreadable table is skipped */
        rc = TWX_OK;
    }
    sqlite3_finalize(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
}
