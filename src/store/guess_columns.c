/* Table and column names come from the store, so this file assembles its statements, as source.c
 * does. */
#include "store/guess_columns.h"

#include <string.h>

#include "store/guess.h"
#include "store/stmt.h"

enum { TEXT_LEAST = 40, REPEATS_ROWS = 2000, NONE = TWX_NO_COLUMN };

/* ---- which columns */

const twx_sampled_column *twx_candidate_column(const twx_candidate *c, int place) {
    return &c->t->columns.at[place];
}

bool twx_is_usual(size_t column, const twx_sampled_column *c) {
    return twx_usual_place(column, twx_slice_of(c->name)) != TWX_USUAL_NONE;
}

static int best_url(const twx_sampled_table *t) {
    int best = NONE;
    size_t best_score = 0;
    for (size_t i = 0; i < t->columns.n; i++) {
        const twx_sampled_column *c = &t->columns.at[i];
        const size_t place = twx_usual_place(TWX_COL_URL, twx_slice_of(c->name));
        const size_t score = !twx_mostly(c, TWX_CONTENT_URL) ? 0
                             : place == TWX_USUAL_NONE       ? 1
                                                             : 21 - place;
        if (score <= best_score) continue;
        best = (int)i;
        best_score = score;
    }
    return best;
}

bool twx_is_packed_html(const twx_sampled_column *c) {
    return c->packed_html * 2 > c->filled;
}

/* Weighted number of characters of text per row: plain text scores above markup of the same
 * length. */
static double text_score(const twx_sampled_column *c) {
    if (c->filled == 0 || c->text_bytes < TEXT_LEAST * c->filled) return 0;
    double score = (double)c->text_bytes / (double)c->filled;
    if (twx_mostly(c, TWX_CONTENT_HTML) || twx_mostly(c, TWX_CONTENT_PACKED)) score *= 0.6;
    if (twx_is_usual(TWX_COL_TEXT, c)) score *= 20;
    if (twx_is_usual(TWX_COL_DESCRIPTION, c) || twx_is_usual(TWX_COL_TITLE, c)) score /= 20;
    return score;
}

static int best_text(const twx_sampled_table *t) {
    int best = NONE;
    double best_score = 0;
    for (size_t i = 0; i < t->columns.n; i++) {
        const double score = text_score(&t->columns.at[i]);
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
    twx_candidate c = {
        .t = t, .url = best_url(t), .text = best_text(t), .host = NONE, .path = NONE};
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

/* value: an expression over the table. */
twx_rc twx_look_for_repeats(twx_db *db, const twx_sampled_table *t, const char *value,
                            twx_repeats *ret) {
    sqlite3_stmt *stmt = NULL;
    *ret = (twx_repeats){.position = NONE};
    for (size_t i = 0; i < t->columns.n && ret->position == NONE; i++)
        if (is_position(&t->columns.at[i])) ret->position = (int)i;
    const char *position = ret->position == NONE ? "NULL" : t->columns.at[ret->position].column;
    char *sql = twx_sprintf(
        db->cx,
        "SELECT count(DISTINCT v) < count(v), count(DISTINCT v || ' ' || p) = count(v) FROM "
        "(SELECT %s AS v, %s AS p FROM %s LIMIT %d)",
        value, position, t->from, REPEATS_ROWS);
    twx_rc rc = sql ? twx_stmt_prepare(db, sql, &stmt) : TWX_E_NOMEM;
    if (rc == TWX_OK) rc = twx_stmt_step(db, stmt);
    if (rc == TWX_OK) {
        ret->repeated = sqlite3_column_int(stmt, 0) != 0;
        if (!ret->repeated || !sqlite3_column_int(stmt, 1)) ret->position = NONE;
    }
    sqlite3_finalize(stmt);
    twx_free(sql);
    return rc;
}

/* The date column that determines the latest row; NULL if there is none. */
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
