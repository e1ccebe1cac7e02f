#include "store/internal.h"

#include "sql_text.h"

/* ==== table_sample */

/* Table and column names come from the store, so this file assembles its statements, as source.c
 * does. It prepares only SELECT statements, on a read-only connection. */

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

/* ---- values */

/* Whether the value is the head of an HTTP response, which is not a text: lines such as "Server:
 * nginx" that end with CR LF. */
static bool is_http_head(twx_slice s) {
    size_t end = twx_slice_find(s, '\n', 0), colon = twx_slice_find(s, ':', 0);
    if (end == s.n || end == 0 || s.p[end - 1] != '\r') return false;
    for (size_t i = 0; i < colon; i++) /* the CR ends it, at the latest */
        if (!twx_is_alpha((unsigned char)s.p[i]) && s.p[i] != '-' && s.p[i] != '/') return false;
    return colon > 0;
}

static twx_rc note_text(twx_ctx *cx, twx_sampled_column *c, twx_slice bytes, twx_content kind) {
    twx_buf text = {.max = DECODED_MAX};
    twx_rc rc = TWX_OK;
    if (kind == TWX_CONTENT_PLAIN && !is_http_head(bytes)) c->text_bytes += bytes.n;
    if (kind != TWX_CONTENT_HTML) return TWX_OK;
    rc = twx_html_text(cx, twx_slice_sub(bytes, 0, DECODED_MAX), TWX_SLICE_LIT("utf-8"), &text);
    c->text_bytes += text.n;
    twx_buf_done(&text);
    return rc;
}

static twx_rc note_packed(twx_ctx *cx, twx_sampled_column *c, twx_slice bytes) {
    twx_buf out = {.max = DECODED_MAX};
    twx_unpacked how = TWX_UNPACK_NONE;
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
    twx_buf sql = {.max = SQL_BYTES};
    twx_rc rc = twx_buf_add_text(db->cx, &sql, "SELECT ");
    for (size_t i = 0; rc == TWX_OK && i < n; i++)
        rc = twx_buf_printf(db->cx, &sql, "%s%s", i ? ", " : "", t->columns.at[i].column);
    if (rc == TWX_OK)
        rc = twx_buf_printf(db->cx, &sql, " FROM %s LIMIT %d", t->from, TWX_SAMPLE_ROWS);
    if (rc == TWX_OK) rc = twx_stmt_prepare(db, sql.p, &stmt);
    for (; rc == TWX_OK && (rc = twx_stmt_step(db, stmt)) == TWX_OK; t->rows++)
        for (size_t i = 0; rc == TWX_OK && i < n; i++)
            rc = note_value(db->cx, &t->columns.at[i], stmt, (int)i);
    twx_buf_done(&sql);
    return twx_stmt_end(stmt, rc);
}

/* The column of the path, added if it is new; NULL: no room, or out of memory (error in cx). */
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

/* A setting is a line, in which a ';' after a blank begins a comment. */
static bool fits_setting(twx_slice name) {
    for (size_t i = 0; i < name.n; i++)
        if (name.p[i] == '\n' ||
            (name.p[i] == ';' && i > 0 && twx_is_space((unsigned char)name.p[i - 1])))
            return false;
    return true;
}

/* [R1] Samples the texts in the objects of a JSON column, at any depth, but not in arrays. Paths of
 * more than 100 bytes contain data in the place of names, and do not fit into a setting. */
static twx_rc sample_json(twx_db *db, twx_sampled_table *t, size_t json) {
    sqlite3_stmt *stmt = NULL;
    const size_t first = t->columns.n;
    const char *column = t->columns.at[json].column;
    twx_rc rc = twx_stmt_printf(
        db, &stmt,
        "SELECT j.fullkey, j.key, j.value FROM (SELECT CAST(%s AS TEXT) AS v FROM %s LIMIT %d) "
        "AS s, json_tree(CASE WHEN json_valid(s.v) THEN s.v END) AS j "
        "WHERE j.type IN ('text', 'integer') AND typeof(j.key) = 'text' "
        "AND instr(j.fullkey, '[') = 0 AND instr(j.fullkey, '''') = 0 "
        "AND length(CAST(j.fullkey AS BLOB)) <= 100",
        column, t->from, TWX_SAMPLE_ROWS);
    while (rc == TWX_OK && (rc = twx_stmt_step(db, stmt)) == TWX_OK) {
        if (!fits_setting(twx_column_text(stmt, 0))) continue;
        twx_sampled_column *c = path_column(db->cx, t, json, first, twx_column_text(stmt, 0),
                                            twx_column_text(stmt, 1));
        rc = c ? note_value(db->cx, c, stmt, 2) : db->cx->rc;
    }
    return twx_stmt_end(stmt, rc);
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
    while (rc == TWX_OK && (rc = twx_stmt_step(db, stmt)) == TWX_OK) {
        const twx_slice name = twx_column_text(stmt, 0);
        const bool is_key = sqlite3_column_int(stmt, 1) > 0;
        keys += is_key;
        t->unfit |= !fits_setting(name);
        if (!fits_setting(name)) continue;
        const twx_sampled_column c = {
            .name = twx_strndup(db->cx, name.p ? name.p : "", name.n),
            .before = twx_strdup(db->cx, ""),
            .column = twx_quoted_name(db->cx,
                                      t->kind == TWX_SAMPLED_FTS ? twx_column_text(stmt, 2) : name),
            .after = twx_strdup(db->cx, "")};
        rc = add_column(db->cx, t, c);
        if (rc == TWX_OK && is_key && keys == 1)
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
    while (rc == TWX_OK && (rc = twx_stmt_step(db, stmt)) == TWX_OK) {
        const twx_slice name = twx_column_text(stmt, 0);
        if (!fits_setting(name)) continue;
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
    return twx_stmt_end(stmt, rc);
}

/* ==== guess_columns */

enum { TEXT_LEAST = 40, REPEATS_ROWS = 2000, NONE = TWX_NO_COLUMN };

/* ---- which columns */

const twx_sampled_column *twx_candidate_column(const twx_candidate *c, int place) {
    return &c->t->columns.at[place];
}

bool twx_is_usual(size_t column, const twx_sampled_column *c) {
    return twx_usual_place(column, twx_slice_of(c->name)) != TWX_USUAL_NONE;
}

static double url_score(const twx_sampled_column *c) {
    const size_t place = twx_usual_place(TWX_COL_URL, twx_slice_of(c->name));
    if (!twx_mostly(c, TWX_CONTENT_URL)) return 0;
    return place == TWX_USUAL_NONE ? 1 : 21 - (double)place;
}

bool twx_is_packed_html(const twx_sampled_column *c) {
    return c->packed_html * 2 > c->filled;
}

/* Weighted number of characters per row: plain text scores above markup of the same length. */
static double text_score(const twx_sampled_column *c) {
    if (c->filled == 0 || c->text_bytes < TEXT_LEAST * c->filled) return 0;
    double score = (double)c->text_bytes / (double)c->filled;
    if (twx_mostly(c, TWX_CONTENT_HTML) || twx_mostly(c, TWX_CONTENT_PACKED)) score *= 0.6;
    if (twx_is_usual(TWX_COL_TEXT, c)) score *= 20;
    if (twx_is_usual(TWX_COL_DESCRIPTION, c) || twx_is_usual(TWX_COL_TITLE, c)) score /= 20;
    return score;
}

/* The column with the highest score, the first of equal ones; NONE: all have 0. */
static int best_column(const twx_sampled_table *t, double (*score_of)(const twx_sampled_column *)) {
    int best = NONE;
    double best_score = 0;
    for (size_t i = 0; i < t->columns.n; i++) {
        const double score = score_of(&t->columns.at[i]);
        if (score <= best_score) continue;
        best = (int)i;
        best_score = score;
    }
    return best;
}

static int named(const twx_sampled_table *t, const char *const *names) {
    for (; *names; names++)
        for (size_t i = 0; i < t->columns.n; i++) {
            const twx_sampled_column *c = &t->columns.at[i];
            if (c->filled && twx_slice_eq_nocase(twx_slice_of(c->name), twx_slice_of(*names)))
                return (int)i;
        }
    return NONE;
}

twx_candidate twx_candidate_of(const twx_sampled_table *t) {
    static const char *const HOSTS[] = {"host", "hostname", "domain", "netloc", NULL};
    static const char *const PATHS[] = {"path", "url_path", "uri_path", "pathname", NULL};
    twx_candidate c = {.t = t,
                       .url = best_column(t, url_score),
                       .text = best_column(t, text_score),
                       .host = NONE,
                       .path = NONE};
    if (c.url != NONE) return c;
    c.host = named(t, HOSTS);
    c.path = named(t, PATHS);
    return c;
}

bool twx_has_url(const twx_candidate *c) {
    return c->url != NONE || (c->host != NONE && c->path != NONE);
}

/* ---- rows of a URL */

static bool ends_with(const char *name, const char *const *ends) {
    const twx_slice s = twx_slice_of(name);
    for (; *ends; ends++) {
        const size_t n = strlen(*ends);
        if (s.n >= n && twx_slice_eq_nocase(twx_slice_sub(s, s.n - n, s.n), twx_slice_of(*ends)))
            return true;
    }
    return false;
}

static bool is_position(const twx_sampled_column *c) {
    static const char *const ENDS[] = {
        "index", "idx",  "_no",     "_nr",    "number", "_num",     "seq",       "pos", "position",
        "_part", "part", "ordinal", "offset", "chunk",  "chunk_id", "paragraph", NULL};
    return c->integers > 0 && c->filled == 0 && ends_with(c->name, ENDS);
}

twx_rc twx_look_for_repeats(twx_db *db, const twx_sampled_table *t, const char *value,
                            twx_repeats *ret) {
    sqlite3_stmt *stmt = NULL;
    *ret = (twx_repeats){.position = NONE};
    for (size_t i = 0; i < t->columns.n && ret->position == NONE; i++)
        if (is_position(&t->columns.at[i])) ret->position = (int)i;
    const char *position = ret->position == NONE ? "NULL" : t->columns.at[ret->position].column;
    twx_rc rc = twx_stmt_printf(
        db, &stmt,
        "SELECT count(DISTINCT v) < count(v), count(DISTINCT v || ' ' || p) = count(v) FROM "
        "(SELECT %s AS v, %s AS p FROM %s LIMIT %d)",
        value, position, t->from, REPEATS_ROWS);
    if (rc == TWX_OK) rc = twx_stmt_step(db, stmt);
    if (rc == TWX_OK) {
        ret->repeated = sqlite3_column_int(stmt, 0) != 0;
        if (!ret->repeated || !sqlite3_column_int(stmt, 1)) ret->position = NONE;
    }
    sqlite3_finalize(stmt);
    return rc;
}

const char *twx_date_column(const twx_sampled_table *t) {
    static const char *const ENDS[] = {"_at",     "date",     "time", "timestamp", "_on",
                                       "fetched", "modified", "zeit", "datum",     NULL};
    const twx_sampled_column *other = NULL;
    for (size_t i = 0; i < t->columns.n; i++) {
        const twx_sampled_column *c = &t->columns.at[i];
        if (*c->before) continue;
        if (twx_is_usual(TWX_COL_FETCHED_AT, c)) return c->column;
        if (!other && ends_with(c->name, ENDS)) other = c;
    }
    return other ? other->column : NULL;
}

const char *twx_row_key(const twx_sampled_table *t) {
    return t->key ? t->key : t->without_rowid || t->kind == TWX_SAMPLED_VIEW ? NULL : "rowid";
}

/* ==== guess_others */

twx_rc twx_write_column(twx_ctx *cx, twx_buf *out, const twx_sampled_column *c, const char *alias) {
    return twx_buf_printf(cx, out, "%s%s%s%s", c->before, alias, c->column, c->after);
}

/* Whether the values are pages of HTML, perhaps compressed. */
static bool is_page(const twx_sampled_column *c) {
    return twx_mostly(c, TWX_CONTENT_HTML) || twx_is_packed_html(c);
}

/* The HTML of the documents: the text, or a column beside it. */
static const twx_sampled_column *page_of(const twx_candidate *c) {
    if (is_page(twx_candidate_column(c, c->text))) return twx_candidate_column(c, c->text);
    for (size_t i = 0; i < c->t->columns.n; i++)
        if (is_page(&c->t->columns.at[i]) &&
            twx_is_html_name(twx_slice_of(c->t->columns.at[i].name)))
            return &c->t->columns.at[i];
    return NULL;
}

static void use(twx_others *o, size_t table, int column) {
    if (column >= 0 && column < TWX_SIDE_COLUMNS) o->at[table].used[column] = true;
}

/* The best column by its usual names; one without values only if there is no other. NULL: none. */
static const twx_sampled_column *named_column(twx_others *o, size_t column,
                                              const char **ret_alias) {
    const twx_sampled_column *best = NULL;
    size_t best_place = TWX_USUAL_NONE, table = 0, at = 0;
    for (size_t s = 0; s < o->n; s++) {
        const twx_candidate *c = o->at[s].c;
        for (size_t i = 0; i < c->t->columns.n && i < TWX_SIDE_COLUMNS; i++) {
            const twx_sampled_column *k = &c->t->columns.at[i];
            const size_t place = twx_usual_place(column, twx_slice_of(k->name)) +
                                 (k->filled || k->integers ? 0 : TWX_USUAL_NONE / 2);
            if (place >= best_place || o->at[s].used[i]) continue;
            best = k;
            best_place = place;
            table = s;
            at = i;
        }
    }
    if (best) use(o, table, (int)at);
    if (best) *ret_alias = o->at[table].alias;
    return best;
}

static twx_rc write_page_part(twx_ctx *cx, twx_buf *out, const twx_others *o, const char *function,
                              bool with_url) {
    const bool packed = twx_is_packed_html(o->page);
    twx_rc rc = twx_buf_printf(cx, out, "%s(%s", function, packed ? "inflate(" : "");
    if (rc == TWX_OK) rc = twx_write_column(cx, out, o->page, o->page_alias);
    return rc == TWX_OK ? twx_buf_printf(cx, out, "%s%s%s)", packed ? ")" : "",
                                         with_url ? ", " : "", with_url ? o->url : "")
                        : rc;
}

/* A column and a part of the page, as an import combines them: either may forbid indexing; of
 * other values the column's counts if there is one. A column that always has a value, or YaCy's
 * bit field, needs no page. */
static twx_rc write_other(twx_ctx *cx, twx_buf *out, const twx_others *o, size_t column,
                          const twx_sampled_column *c, const char *alias) {
    bool with_url = false;
    const char *part = o->page ? twx_page_part(column, &with_url) : NULL;
    const bool robots = column == TWX_COL_ROBOTS;
    if (c && part && (robots ? c->integers > 0 : c->filled >= o->text->t->rows)) part = NULL;
    if (!c && !part) return TWX_OK;
    twx_rc rc = twx_buf_printf(cx, out, "%s = %s", twx_column_name(column),
                               !c || !part ? ""
                               : robots    ? "coalesce("
                                           : "coalesce(nullif(");
    if (rc == TWX_OK && c) rc = twx_write_column(cx, out, c, alias);
    if (rc == TWX_OK && c && part)
        rc = twx_buf_add_text(cx, out, robots ? " || ', ', '') || coalesce(" : ", ''), ");
    if (rc == TWX_OK && part) rc = write_page_part(cx, out, o, part, with_url);
    if (rc == TWX_OK && c && part) rc = twx_buf_add_text(cx, out, robots ? ", '')" : ")");
    return rc == TWX_OK ? twx_buf_add_char(cx, out, '\n') : rc;
}

/* What other settings read: URL, text, key, HTML, and (NULL: none) columns of joins. */
static void mark_used(twx_others *o, size_t table, const char *const *links, size_t n) {
    const twx_candidate *c = o->at[table].c;
    const int known[] = {c == o->text ? c->text : NONE, c->url, c->host, c->path};
    for (size_t i = 0; i < TWX_COUNTOF(known); i++) use(o, table, known[i]);
    for (size_t i = 0; i < c->t->columns.n; i++) {
        const char *column = c->t->columns.at[i].column;
        bool is = (c->t->key && strcmp(column, c->t->key) == 0) || &c->t->columns.at[i] == o->page;
        for (size_t k = 0; k < n; k++) is = is || (links[k] && strcmp(column, links[k]) == 0);
        if (is) use(o, table, (int)i);
    }
}

twx_rc twx_write_others(twx_ctx *cx, twx_buf *out, twx_others *o, const char *const *links,
                        size_t n) {
    twx_rc rc = TWX_OK;
    o->page = o->text ? page_of(o->text) : NULL;
    for (size_t s = 0; s < o->n; s++) {
        mark_used(o, s, links, n);
        if (o->at[s].c == o->text) o->page_alias = o->at[s].alias;
    }
    for (size_t column = TWX_COL_MAIN; rc == TWX_OK && column < TWX_COL_CHANGED; column++) {
        const char *alias = "";
        const twx_sampled_column *c = named_column(o, column, &alias);
        rc = write_other(cx, out, o, column, c, alias);
    }
    return rc;
}
