#include "store/text_search.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "sql_text.h"
#include "store/stmt.h"
#include "store/template.h"
#include "store/text_functions.h"
#include "text/plain_query.h"

enum { SQL_BYTES = 1 << 20, LIST_BYTES = 600 << 10, SNIPPET_WORDS = 24, FIRST_PART = 5 };

static const struct {
    const char *name;
    double weight;
} WEIGHTS[TWX_TEXT_WEIGHTS] = {{"title", 10}, {"text", 1}, {"whole_title", 100}};

const char *twx_text_weight_name(size_t i) {
    return WEIGHTS[i].name;
}

double twx_text_weight_default(size_t i) {
    return WEIGHTS[i].weight;
}

/* ---- the statement ------------------------------------------------------ */

/* The lists that fill the placeholders of the template. */
typedef struct lists {
    twx_buf weights, whole, parts, sum, names;
} lists;

static twx_rc fill_lists(twx_ctx *cx, const twx_ranking *r, lists *l) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_TEXT_COLUMNS; i++) {
        rc = twx_buf_add_text(cx, &l->weights, ", ");
        if (rc == TWX_OK) rc = twx_buf_printf(cx, &l->weights, "%.17g", r->weight[i]);
    }
    if (rc == TWX_OK) rc = twx_buf_printf(cx, &l->whole, "%.17g", r->weight[TWX_TEXT_COLUMNS]);
    for (size_t i = 0; rc == TWX_OK && i < r->n_parts; i++) {
        rc = twx_buf_printf(cx, &l->parts, ",\n           %s AS p%zu", r->parts[i], i);
        if (rc == TWX_OK) rc = twx_buf_printf(cx, &l->sum, " + p%zu", i);
        if (rc == TWX_OK) rc = twx_buf_printf(cx, &l->names, ", p%zu", i);
    }
    return rc;
}

static void lists_done(lists *l) {
    twx_buf_done(&l->weights);
    twx_buf_done(&l->whole);
    twx_buf_done(&l->parts);
    twx_buf_done(&l->sum);
    twx_buf_done(&l->names);
}

static twx_rc prepare(twx_db *db, const twx_search *search, const char *sql,
                      sqlite3_stmt **ret_stmt) {
    twx_ctx *cx = twx_db_ctx(db);
    lists l;
    twx_buf out;
    twx_buf_init(&l.weights, LIST_BYTES);
    twx_buf_init(&l.whole, LIST_BYTES);
    twx_buf_init(&l.parts, LIST_BYTES);
    twx_buf_init(&l.sum, LIST_BYTES);
    twx_buf_init(&l.names, LIST_BYTES);
    twx_buf_init(&out, SQL_BYTES);
    twx_rc rc = fill_lists(cx, search->ranking, &l);
    const twx_template t = {.generation = search->generation,
                            .direct = search->direct,
                            .filter = search->ranking->filter,
                            .weights = l.weights.p,
                            .whole = l.whole.p,
                            .parts = l.parts.p,
                            .sum = l.sum.p,
                            .names = l.names.p};
    if (rc == TWX_OK) rc = twx_template_fill(cx, &out, sql, &t);
    if (rc == TWX_OK) rc = twx_stmt_prepare(db, out.p, ret_stmt);
    lists_done(&l);
    twx_buf_done(&out);
    return rc;
}

twx_rc twx_search_statement(twx_ctx *cx, const char *filter, const char *score, twx_buf *out) {
    const twx_template t = {.generation = 'a', .direct = true, .filter = filter, .score = score};
    return twx_template_fill(cx, out, TWX_SQL_QUERY_RANK_DOCUMENTS, &t);
}

/* ---- searching ---------------------------------------------------------- */

static twx_hit hit_of(sqlite3_stmt *stmt, size_t n_parts, double *parts) {
    for (size_t i = 0; i < n_parts; i++)
        parts[i] = sqlite3_column_double(stmt, FIRST_PART + (int)i);
    return (twx_hit){.doc = sqlite3_column_int64(stmt, 0),
                     .has_cluster = sqlite3_column_type(stmt, 1) != SQLITE_NULL,
                     .cluster = sqlite3_column_int64(stmt, 1),
                     .takes_part = sqlite3_column_int(stmt, 2) != 0,
                     .score = sqlite3_column_double(stmt, 3),
                     .text_score = sqlite3_column_double(stmt, 4),
                     .parts = parts};
}

/* FTS5's error message about a query is shown to the user without the path of the store and
 * SQLite's result code. SQLite's general message means that a table of FTS5 is missing or has other
 * columns. */
static twx_rc step(twx_db *db, sqlite3_stmt *stmt) {
    const int rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW) return TWX_OK;
    if (rc == SQLITE_DONE) return TWX_DONE;
    if (twx_db_ctx(db)->rc != TWX_OK) return twx_db_ctx(db)->rc; /* of an SQL function of ours */
    if (rc == SQLITE_ERROR && strcmp(sqlite3_errmsg(db->handle), sqlite3_errstr(rc)) == 0)
        return twx_fail(twx_db_ctx(db), TWX_E_CORRUPT,
                        "%s: the text index is damaged: 'twindex index --drop' and 'twindex index' "
                        "rebuild it",
                        db->path);
    if (rc == SQLITE_ERROR)
        return twx_fail(twx_db_ctx(db), TWX_E_DATA, "%s", sqlite3_errmsg(db->handle));
    return twx_db_fail(db, rc, "search");
}

twx_rc twx_text_query(twx_db *db, twx_slice query, bool raw, twx_buf *out) {
    if (query.n > TWX_QUERY_BYTES)
        return twx_fail(twx_db_ctx(db), TWX_E_DATA, "the query is longer than %d bytes",
                        TWX_QUERY_BYTES);
    twx_rc rc = twx_text_functions_register(db);
    twx_buf_clear(out);
    if (rc != TWX_OK) return rc;
    return raw ? twx_buf_add_slice(twx_db_ctx(db), out, query)
               : twx_plain_query(twx_db_ctx(db), twx_text_terms(db), query, out);
}

twx_rc twx_text_phrases(twx_db *db, twx_slice query, twx_buf *out) {
    return twx_plain_phrases(twx_db_ctx(db), twx_text_terms(db), query, out);
}

twx_rc twx_hit_cursor_open(twx_db *db, const twx_search *search, twx_hit_cursor *ret_cursor) {
    twx_hit_cursor *c = ret_cursor;
    const int64_t limit = search->limit > INT64_MAX ? INT64_MAX : (int64_t)search->limit;
    c->db = db;
    c->stmt = NULL;
    c->n_parts = search->ranking->n_parts;
    if (c->n_parts > TWX_SEARCH_PARTS)
        return twx_fail(twx_db_ctx(db), TWX_E_INTERNAL, "too many parts of a ranking");
    twx_rc rc = twx_text_functions_register(db);
    if (rc == TWX_OK) rc = prepare(db, search, TWX_SQL_QUERY_TEXT_SEARCH, &c->stmt);
    if (rc == TWX_OK) rc = twx_bind_text(db, c->stmt, 1, search->query);
    if (rc == TWX_OK) rc = twx_bind_int(db, c->stmt, 2, limit);
    return rc == TWX_OK ? twx_hit_cursor_next(c) : rc;
}

twx_rc twx_hit_cursor_next(twx_hit_cursor *c) {
    const twx_rc rc = step(c->db, c->stmt);
    c->there = rc == TWX_OK;
    if (c->there) c->hit = hit_of(c->stmt, c->n_parts, c->parts);
    return rc == TWX_DONE ? TWX_OK : rc;
}

void twx_hit_cursor_close(twx_hit_cursor *c) {
    sqlite3_finalize(c->stmt);
}

twx_rc twx_text_search(twx_db *db, const twx_search *search, twx_hit_fn *fn, void *arg) {
    twx_hit_cursor c;
    twx_rc rc = twx_hit_cursor_open(db, search, &c);
    while (rc == TWX_OK && c.there) {
        rc = fn(arg, &c.hit);
        if (rc == TWX_OK) rc = twx_hit_cursor_next(&c);
    }
    twx_hit_cursor_close(&c);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_search_hidden(twx_db *db, const twx_search *search, twx_hidden_fn *fn, void *arg) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = prepare(db, search, TWX_SQL_QUERY_RANK_HIDDEN, &stmt);
    while (rc == TWX_OK && (rc = twx_stmt_step(db, stmt)) == TWX_OK)
        rc = fn(arg, sqlite3_column_int64(stmt, 0), sqlite3_column_int(stmt, 1) != 0);
    sqlite3_finalize(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* ---- snippets ----------------------------------------------------------- */

struct twx_snippets {
    twx_db db; /* in memory */
    char path[16];
    sqlite3_stmt *clear, *put, *match;
};

twx_rc twx_snippets_open(twx_ctx *cx, twx_snippets **ret_snippets) {
    twx_snippets *s = twx_calloc(cx, 1, sizeof *s);
    if (!s) return TWX_E_NOMEM;
    snprintf(s->path, sizeof s->path, "(memory)");
    s->db = (twx_db){.cx = cx, .mode = TWX_DB_WRITER, .path = s->path};
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY |
                      SQLITE_OPEN_NOMUTEX;
    const int opened = sqlite3_open_v2(":memory:", &s->db.handle, flags, NULL);
    twx_rc rc = opened == SQLITE_OK ? twx_text_functions_register(&s->db)
                                    : twx_db_fail(&s->db, opened, "open");
    if (rc == TWX_OK) rc = twx_db_script(&s->db, TWX_SQL_SCHEMA_SNIPPET);
    if (rc == TWX_OK) rc = twx_stmt_prepare(&s->db, TWX_SQL_QUERY_TEXT_CLEAR, &s->clear);
    if (rc == TWX_OK) rc = twx_stmt_prepare(&s->db, TWX_SQL_QUERY_TEXT_PUT, &s->put);
    if (rc == TWX_OK) rc = twx_stmt_prepare(&s->db, TWX_SQL_QUERY_TEXT_SNIPPET, &s->match);
    if (rc == TWX_OK) twx_terms_set_languages(twx_text_terms(&s->db), TWX_LANGUAGES_ALL);
    if (rc == TWX_OK)
        *ret_snippets = s;
    else
        twx_snippets_close(s);
    return rc;
}

void twx_snippets_close(twx_snippets *s) {
    if (!s) return;
    sqlite3_finalize(s->clear);
    sqlite3_finalize(s->put);
    sqlite3_finalize(s->match);
    sqlite3_close(s->db.handle);
    twx_free(s);
}

static twx_rc load(twx_snippets *s, const twx_snippet_of *of) {
    sqlite3_reset(s->match);
    twx_rc rc = twx_stmt_run(&s->db, s->clear);
    twx_terms_set_language(twx_text_terms(&s->db), of->language);
    if (rc == TWX_OK) rc = twx_bind_int(&s->db, s->put, 1, 1);
    if (rc == TWX_OK) rc = twx_bind_text(&s->db, s->put, 2, of->title);
    if (rc == TWX_OK) rc = twx_bind_text(&s->db, s->put, 3, of->text);
    return rc == TWX_OK ? twx_stmt_run(&s->db, s->put) : rc;
}

twx_rc twx_snippets_make(twx_snippets *s, const twx_snippet_of *of, twx_slice *ret_title,
                         twx_slice *ret_snippet) {
    static const char BEGIN[] = {TWX_MARK_BEGIN, '\0'}, END[] = {TWX_MARK_END, '\0'};
    twx_rc rc = load(s, of);
    if (rc == TWX_OK) rc = twx_bind_text(&s->db, s->match, 1, of->query);
    if (rc == TWX_OK) rc = twx_bind_text(&s->db, s->match, 2, twx_slice_of(BEGIN));
    if (rc == TWX_OK) rc = twx_bind_text(&s->db, s->match, 3, twx_slice_of(END));
    if (rc == TWX_OK) rc = twx_bind_int(&s->db, s->match, 4, SNIPPET_WORDS);
    if (rc == TWX_OK) rc = twx_stmt_step(&s->db, s->match);
    if (rc != TWX_OK) return rc;
    *ret_title = twx_column_text(s->match, 0);
    *ret_snippet = twx_column_text(s->match, 1);
    return TWX_OK;
}
