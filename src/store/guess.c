/* The names are the store's own, so this file puts statements together, as source.c does.
 * Nothing but SELECT is prepared, on the connection that can only read. */
#include "store/guess.h"

#include <string.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "decode/unpack.h"
#include "page/looks_like.h"
#include "sql_text.h"
#include "store/stmt.h"

enum { GUESS_ROWS = 40, PATHS_MAX = 60, TEXT_LEAST = 40, INFLATED_MAX = 1 << 20 };

/* A column, or a path of a JSON column, and what a sample of it holds. */
typedef struct field {
    char *name, *sql; /* "html"; "\"html\"" or "\"data\" ->> '$.html'" */
    size_t kinds[TWX_CONTENTS], filled, bytes, packed_html;
} field;

typedef struct table {
    char *name, *from; /* from: quoted */
    char *key;         /* what tells rows apart; NULL: nothing that is sure */
    TWX_VEC(field) fields;
    size_t url, text; /* places of fields; SIZE_MAX: none */
} table;

typedef TWX_VEC(table) tables;

static void table_done(table *t) {
    for (size_t i = 0; i < t->fields.n; i++) {
        twx_free(t->fields.at[i].name);
        twx_free(t->fields.at[i].sql);
    }
    TWX_VEC_DONE(&t->fields);
    twx_free(t->name);
    twx_free(t->from);
    twx_free(t->key);
}

twx_rc twx_schema_has_column(twx_db *db, twx_slice name, twx_slice column, bool *ret_has) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SCHEMA_HAS_COLUMN, &stmt);
    if (rc == TWX_OK) rc = twx_bind_text(db, stmt, 1, name);
    if (rc == TWX_OK) rc = twx_bind_text(db, stmt, 2, column);
    if (rc == TWX_OK) rc = twx_stmt_step(db, stmt);
    *ret_has = rc == TWX_OK;
    sqlite3_finalize(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
}

static char *slice_text(twx_ctx *cx, twx_slice s) {
    return twx_strndup(cx, s.p ? s.p : "", s.n);
}

static char *quote(twx_ctx *cx, twx_slice name) {
    char *text = slice_text(cx, name), *quoted = NULL;
    char *sql = text ? sqlite3_mprintf("\"%w\"", text) : NULL;
    if (sql) quoted = twx_strdup(cx, sql);
    sqlite3_free(sql);
    twx_free(text);
    return quoted;
}

/* ---- what the columns hold
 * --------------------------------------------------------------------- */

static twx_rc note_value(twx_ctx *cx, field *f, sqlite3_stmt *stmt, int at) {
    if (sqlite3_column_type(stmt, at) != SQLITE_TEXT &&
        sqlite3_column_type(stmt, at) != SQLITE_BLOB)
        return TWX_OK;
    twx_slice bytes = twx_column_value(stmt, at).bytes;
    twx_content kind = twx_looks_like(bytes);
    f->kinds[kind]++;
    f->filled += kind != TWX_CONTENT_EMPTY;
    f->bytes += bytes.n;
    if (kind != TWX_CONTENT_PACKED) return TWX_OK;
    twx_buf out;
    twx_unpacked how = TWX_UNPACK_NONE;
    twx_buf_init(&out, INFLATED_MAX);
    twx_rc rc = twx_unpack(cx, bytes, TWX_CODING_ANY, &out, &how);
    f->packed_html += rc == TWX_OK && twx_looks_like(twx_buf_slice(&out)) == TWX_CONTENT_HTML;
    twx_buf_done(&out);
    return rc;
}

static field *add_field(twx_ctx *cx, table *t, char *name, char *sql) {
    field f = {.name = name, .sql = sql};
    if (name && sql && TWX_VEC_PUSH(cx, &t->fields, f)) return &t->fields.at[t->fields.n - 1];
    twx_free(name);
    twx_free(sql);
    return NULL;
}

static twx_rc sample_columns(twx_db *db, table *t) {
    sqlite3_stmt *stmt = NULL;
    size_t first = t->fields.n;
    if (first == 0) return TWX_OK;
    twx_buf sql;
    twx_buf_init(&sql, 1 << 18);
    twx_rc rc = twx_buf_add_text(db->cx, &sql, "SELECT ");
    for (size_t i = 0; rc == TWX_OK && i < first; i++)
        rc = twx_buf_printf(db->cx, &sql, "%s%s", i ? ", " : "", t->fields.at[i].sql);
    if (rc == TWX_OK) rc = twx_buf_printf(db->cx, &sql, " FROM %s LIMIT %d", t->from, GUESS_ROWS);
    if (rc == TWX_OK) rc = twx_stmt_prepare(db, sql.p, &stmt);
    while (rc == TWX_OK) {
        rc = twx_stmt_step(db, stmt);
        for (size_t i = 0; rc == TWX_OK && i < first; i++)
            rc = note_value(db->cx, &t->fields.at[i], stmt, (int)i);
    }
    sqlite3_finalize(stmt);
    twx_buf_done(&sql);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* [R1] The keys of the objects in a JSON column, as fields of their own. */
static twx_rc sample_json(twx_db *db, table *t, size_t column) {
    sqlite3_stmt *stmt = NULL;
    size_t first = t->fields.n;
    char *sql = twx_sprintf(
        db->cx,
        "SELECT j.fullkey, j.key, j.value FROM (SELECT %s AS v FROM %s WHERE json_valid(%s) LIMIT "
        "%d) AS s, json_each(s.v) AS j WHERE j.type = 'text' AND typeof(j.key) = 'text'",
        t->fields.at[column].sql, t->from, t->fields.at[column].sql, GUESS_ROWS);
    twx_rc rc = sql ? twx_stmt_prepare(db, sql, &stmt) : TWX_E_NOMEM;
    while (rc == TWX_OK) {
        rc = twx_stmt_step(db, stmt);
        if (rc != TWX_OK) break;
        twx_slice path = twx_column_text(stmt, 0), key = twx_column_text(stmt, 1);
        size_t i = first;
        while (i < t->fields.n && !twx_slice_eq(twx_slice_of(t->fields.at[i].name), key)) i++;
        if (i == t->fields.n && i - first < PATHS_MAX && twx_slice_find(path, '\'', 0) == path.n) {
            char *whole = twx_sprintf(db->cx, "%s ->> '%.*s'", t->fields.at[column].sql,
                                      (int)path.n, path.p);
            if (!add_field(db->cx, t, slice_text(db->cx, key), whole)) rc = TWX_E_NOMEM;
        }
        if (rc == TWX_OK && i < t->fields.n) rc = note_value(db->cx, &t->fields.at[i], stmt, 2);
    }
    sqlite3_finalize(stmt);
    twx_free(sql);
    return rc == TWX_DONE ? TWX_OK : rc;
}

static bool mostly(const field *f, twx_content kind) {
    return f->filled > 0 && f->kinds[kind] * 2 > f->filled;
}

static size_t best_url(const table *t) {
    size_t best = SIZE_MAX, best_score = 0;
    for (size_t i = 0; i < t->fields.n; i++) {
        const field *f = &t->fields.at[i];
        size_t place = twx_usual_place(TWX_COL_URL, twx_slice_of(f->name));
        size_t score = mostly(f, TWX_CONTENT_URL) ? 1 + (place == TWX_USUAL_NONE ? 0 : 20 - place)
                                                  : 0;
        if (score > best_score) {
            best = i;
            best_score = score;
        }
    }
    return best;
}

/* The longest text; a usual name counts for much, markup and packed bytes for less than text. */
static size_t best_text(const table *t) {
    size_t best = SIZE_MAX;
    double best_score = 0;
    for (size_t i = 0; i < t->fields.n; i++) {
        const field *f = &t->fields.at[i];
        double length = f->filled ? (double)f->bytes / (double)f->filled : 0;
        double score = mostly(f, TWX_CONTENT_PLAIN)    ? length
                       : mostly(f, TWX_CONTENT_HTML)   ? length / 8
                       : mostly(f, TWX_CONTENT_PACKED) ? length / 2
                                                       : 0;
        if (length < TEXT_LEAST) continue;
        if (twx_usual_place(TWX_COL_TEXT, twx_slice_of(f->name)) != TWX_USUAL_NONE) score *= 20;
        if (twx_usual_place(TWX_COL_DESCRIPTION, twx_slice_of(f->name)) != TWX_USUAL_NONE ||
            twx_usual_place(TWX_COL_TITLE, twx_slice_of(f->name)) != TWX_USUAL_NONE)
            score /= 20;
        if (score > best_score) {
            best = i;
            best_score = score;
        }
    }
    return best;
}

static twx_rc look_at(twx_db *db, table *t) {
    twx_rc rc = sample_columns(db, t);
    size_t columns = t->fields.n;
    for (size_t i = 0; rc == TWX_OK && i < columns; i++)
        if (mostly(&t->fields.at[i], TWX_CONTENT_JSON)) rc = sample_json(db, t, i);
    t->url = best_url(t);
    t->text = best_text(t);
    return rc;
}

/* [R3] An FTS5 table with content of its own keeps it in NAME_content, columns c0, c1, ...: an
 * ordinary table to read. */
static twx_rc describe(twx_db *db, twx_slice name, bool shadow, table *t) {
    sqlite3_stmt *stmt = NULL;
    size_t keys = 0, n = 0;
    t->name = slice_text(db->cx, name);
    char *content = shadow ? twx_sprintf(db->cx, "%s_content", t->name) : NULL;
    t->from = quote(db->cx, shadow && content ? twx_slice_of(content) : name);
    twx_free(content);
    twx_rc rc = t->name && t->from ? twx_stmt_prepare(db, TWX_SQL_QUERY_SCHEMA_COLUMNS, &stmt)
                                   : TWX_E_NOMEM;
    if (rc == TWX_OK) rc = twx_bind_text(db, stmt, 1, name);
    while (rc == TWX_OK) {
        rc = twx_stmt_step(db, stmt);
        if (rc != TWX_OK) break;
        twx_slice column = twx_column_text(stmt, 0);
        char *sql = shadow ? twx_sprintf(db->cx, "c%zu", n) : quote(db->cx, column);
        n++;
        if (!add_field(db->cx, t, slice_text(db->cx, column), sql)) rc = TWX_E_NOMEM;
        if (rc == TWX_OK && sqlite3_column_int(stmt, 1) > 0 && ++keys == 1)
            t->key = quote(db->cx, column);
    }
    sqlite3_finalize(stmt);
    if (keys > 1) {
        twx_free(t->key);
        t->key = NULL;
    }
    if (shadow && rc == TWX_DONE) t->key = twx_strdup(db->cx, "id");
    return rc == TWX_DONE ? db->cx->rc : rc;
}

static twx_rc collect(twx_db *db, tables *list) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SCHEMA_READABLE, &stmt);
    while (rc == TWX_OK) {
        table t = {.url = SIZE_MAX, .text = SIZE_MAX};
        rc = twx_stmt_step(db, stmt);
        if (rc != TWX_OK) break;
        rc = describe(db, twx_column_text(stmt, 0), sqlite3_column_int(stmt, 1) != 0, &t);
        if (rc == TWX_OK) rc = look_at(db, &t);
        if (rc == TWX_E_DATA ||
            rc == TWX_E_LIMIT) { /* a table that cannot be read is none of ours */
            twx_ctx_clear(db->cx);
            table_done(&t);
            rc = TWX_OK;
            continue;
        }
        if (rc == TWX_OK && !TWX_VEC_PUSH(db->cx, list, t)) rc = TWX_E_NOMEM;
        if (rc != TWX_OK) table_done(&t);
    }
    sqlite3_finalize(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* ---- what is written
 * --------------------------------------------------------------------------- */

static twx_rc write_text(twx_ctx *cx, twx_buf *out, const field *f, const char *alias) {
    const char *sql = f->sql;
    if (f->packed_html * 2 > f->filled)
        return twx_buf_printf(
            cx, out, "text = html_text(inflate(%s%s))\ntitle = html_title(inflate(%s%s))\n", alias,
            sql, alias, sql);
    if (mostly(f, TWX_CONTENT_HTML))
        return twx_buf_printf(cx, out, "text = html_text(%s%s)\ntitle = html_title(%s%s)\n", alias,
                              sql, alias, sql);
    return twx_buf_printf(
        cx, out, mostly(f, TWX_CONTENT_PACKED) ? "text = inflate(%s%s)\n" : "text = %s%s\n", alias,
        sql);
}

/* The other columns, by their usual names. html: the title comes from the page. */
static twx_rc write_others(twx_ctx *cx, twx_buf *out, const table *t, const char *alias,
                           bool html) {
    twx_rc rc = TWX_OK;
    for (size_t column = TWX_COL_TITLE; rc == TWX_OK && column < TWX_COL_CHANGED; column++) {
        size_t best = SIZE_MAX, best_place = TWX_USUAL_NONE;
        if (html && column == TWX_COL_TITLE) continue;
        for (size_t i = 0; i < t->fields.n; i++) {
            size_t place = twx_usual_place(column, twx_slice_of(t->fields.at[i].name));
            if (place >= best_place || i == t->text || i == t->url) continue;
            best = i;
            best_place = place;
        }
        if (best < SIZE_MAX)
            rc = twx_buf_printf(cx, out, "%s = %s%s\n", twx_column_name(column), alias,
                                t->fields.at[best].sql);
    }
    return rc;
}

static twx_rc write_single(twx_ctx *cx, twx_buf *out, const table *t) {
    const field *url = &t->fields.at[t->url], *text = &t->fields.at[t->text];
    bool html = mostly(text, TWX_CONTENT_HTML) || text->packed_html * 2 > text->filled;
    twx_rc rc = twx_buf_printf(
        cx, out, "from = %s\n%sid = %s\nurl = %s\n", t->from,
        t->key ? "" : "# no key is declared: the URL has to tell documents apart\n",
        t->key ? t->key : url->sql, url->sql);
    if (rc == TWX_OK) rc = write_text(cx, out, text, "");
    return rc == TWX_OK ? write_others(cx, out, t, "", html) : rc;
}

/* The column of `child` that leads to `parent`: a foreign key, or parent_id in singular or
 * plural. NULL: none. */
static char *link_of(twx_db *db, const table *child, const table *parent, bool *ret_indexed) {
    sqlite3_stmt *stmt = NULL;
    char *column = NULL;
    if (twx_stmt_prepare(db, TWX_SQL_QUERY_SCHEMA_LINK, &stmt) != TWX_OK) return NULL;
    if (twx_bind_text(db, stmt, 1, twx_slice_of(child->name)) == TWX_OK &&
        twx_bind_text(db, stmt, 2, twx_slice_of(parent->name)) == TWX_OK &&
        twx_stmt_step(db, stmt) == TWX_OK) {
        column = quote(db->cx, twx_column_text(stmt, 0));
        *ret_indexed = sqlite3_column_int(stmt, 1) != 0;
    }
    sqlite3_finalize(stmt);
    return column;
}

/* The date by which the latest row is found; the row itself when there is none. */
static const char *date_of(const table *t) {
    static const char *const ENDS[] = {"_at", "date",    "time",    "timestamp",
                                       "_on", "fetched", "modified"};
    for (size_t i = 0; i < t->fields.n; i++)
        for (size_t e = 0; e < TWX_COUNTOF(ENDS); e++) {
            twx_slice name = twx_slice_of(t->fields.at[i].name), end = twx_slice_of(ENDS[e]);
            if (name.n >= end.n &&
                twx_slice_eq_nocase(twx_slice_sub(name, name.n - end.n, name.n), end))
                return t->fields.at[i].sql;
        }
    return t->key ? t->key : "rowid";
}

/* Both forms choose the same rows. With an index, each page looks for its latest row, so documents
 * can be read in order; without one that would scan the table for each page, so the latest rows are
 * listed once, by one sort of keys and dates. */
static twx_rc write_latest(twx_ctx *cx, twx_buf *out, const table *page, const table *text,
                           const char *link, bool indexed) {
    const char *key = text->key ? text->key : "rowid", *date = date_of(text);
    if (indexed)
        return twx_buf_printf(cx, out,
                              "where = t.%s = (SELECT n.%s FROM %s AS n WHERE n.%s = p.%s ORDER BY "
                              "n.%s DESC, n.%s DESC LIMIT 1)\n",
                              key, key, text->from, link, page->key, date, key);
    return twx_buf_printf(
        cx, out,
        "where = t.%s IN (SELECT latest FROM (SELECT n.%s AS latest, row_number() OVER (PARTITION "
        "BY n.%s ORDER BY n.%s DESC, n.%s DESC) AS nth FROM %s AS n) WHERE nth = 1)\n",
        key, key, link, date, key, text->from);
}

/* [R2] */
static twx_rc write_join(twx_db *db, twx_buf *out, const table *page, const table *text,
                         const char *link, bool indexed) {
    twx_ctx *cx = db->cx;
    const field *f = &text->fields.at[text->text];
    bool html = mostly(f, TWX_CONTENT_HTML) || f->packed_html * 2 > f->filled;
    twx_rc rc = twx_buf_printf(cx, out,
                               "# the latest row of %s for each of %s\n"
                               "from = %s AS p JOIN %s AS t ON t.%s = p.%s\n",
                               text->name, page->name, page->from, text->from, link, page->key);
    if (rc == TWX_OK) rc = write_latest(cx, out, page, text, link, indexed);
    if (rc == TWX_OK)
        rc = twx_buf_printf(cx, out, "id = p.%s\nurl = p.%s\n", page->key,
                            page->fields.at[page->url].sql);
    if (rc == TWX_OK) rc = write_text(cx, out, f, "t.");
    if (rc == TWX_OK) rc = write_others(cx, out, text, "t.", html);
    return rc;
}

static twx_rc find_join(twx_db *db, const tables *list, twx_buf *out, bool *ret_found) {
    for (size_t i = 0; i < list->n; i++)
        for (size_t j = 0; j < list->n; j++) {
            const table *page = &list->at[i], *text = &list->at[j];
            if (i == j || page->url == SIZE_MAX || !page->key || text->text == SIZE_MAX) continue;
            bool indexed = false;
            char *link = link_of(db, text, page, &indexed);
            if (!link && db->cx->rc != TWX_OK) return db->cx->rc;
            if (!link) continue;
            twx_rc rc = write_join(db, out, page, text, link, indexed);
            twx_free(link);
            *ret_found = true;
            return rc;
        }
    return TWX_OK;
}

static double worth(const table *t) {
    const field *text = &t->fields.at[t->text];
    return (double)text->bytes *
           (twx_usual_place(TWX_COL_TEXT, twx_slice_of(text->name)) == TWX_USUAL_NONE ? 1 : 4);
}

twx_rc twx_guess(twx_db *reader, twx_buf *config) {
    tables list = {0};
    const table *best = NULL;
    bool found = false;
    twx_rc rc = collect(reader, &list);
    for (size_t i = 0; i < list.n; i++) {
        const table *t = &list.at[i];
        if (t->url == SIZE_MAX || t->text == SIZE_MAX) continue;
        if (best && rc == TWX_OK)
            rc = twx_buf_printf(reader->cx, config, "# table '%s' would fit too\n",
                                worth(t) > worth(best) ? best->name : t->name);
        if (!best || worth(t) > worth(best)) best = t;
    }
    if (rc == TWX_OK && best)
        rc = write_single(reader->cx, config, best);
    else if (rc == TWX_OK)
        rc = find_join(reader, &list, config, &found);
    for (size_t i = 0; i < list.n; i++) table_done(&list.at[i]);
    TWX_VEC_DONE(&list);
    return rc == TWX_OK && !best && !found ? TWX_DONE : rc;
}
