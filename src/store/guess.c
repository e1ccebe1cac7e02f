/* Table and column names come from the store, so this file assembles its statements, as source.c
 * does. It prepares only SELECT statements, on a read-only connection. */

#include "sql_text.h"
#include "store/internal.h"

enum { LINK_ROWS = 20, NONE = TWX_NO_COLUMN };

typedef TWX_VEC(twx_candidate) candidates;

/* ---- output */

static twx_rc write_text(twx_ctx *cx, twx_buf *out, const twx_sampled_column *c,
                         const char *alias) {
    const char *open = twx_is_packed_html(c)               ? "html_text(inflate("
                       : twx_mostly(c, TWX_CONTENT_HTML)   ? "html_text("
                       : twx_mostly(c, TWX_CONTENT_PACKED) ? "inflate("
                                                           : "";
    const char *close = twx_is_packed_html(c) ? "))" : *open ? ")" : "";
    twx_rc rc = twx_buf_printf(cx, out, "text = %s", open);
    if (rc == TWX_OK) rc = twx_write_column(cx, out, c, alias);
    if (rc == TWX_OK) rc = twx_buf_printf(cx, out, "%s\n", close);
    return rc;
}

/* The expression for the URL; owned. */
static char *url_of(twx_ctx *cx, const twx_candidate *c, const char *alias) {
    if (c->url == NONE)
        return twx_sprintf(cx, "'https://' || %s%s || %s%s", alias,
                           twx_candidate_column(c, c->host)->column, alias,
                           twx_candidate_column(c, c->path)->column);
    const twx_sampled_column *u = twx_candidate_column(c, c->url);
    return twx_sprintf(cx, "%s%s%s%s", u->before, alias, u->column, u->after);
}

/* [R3] Selects one row per URL. */
static twx_rc write_latest(twx_ctx *cx, twx_buf *out, const twx_candidate *c, const char *url) {
    const char *row = twx_row_key(c->t), *date = twx_date_column(c->t);
    twx_rc rc = twx_buf_printf(cx, out, "# URLs repeat: the latest row of each\n");
    if (rc != TWX_OK) return rc;
    if (!row)
        return date
                   ? twx_buf_printf(cx, out,
                                    "where = (%s, %s) IN (SELECT %s, max(%s) FROM %s GROUP BY 1)\n",
                                    url, date, url, date, c->t->from)
                   : twx_buf_add_text(
                         cx, out,
                         "# but no column says which it is: add a condition, where = ...\n");
    return twx_buf_printf(
        cx, out,
        "where = %s IN (SELECT latest FROM (SELECT %s AS latest, row_number() OVER (PARTITION BY "
        "%s ORDER BY %s%s%s DESC) AS nth FROM %s) WHERE nth = 1)\n",
        row, row, url, date ? date : "", date ? " DESC, " : "", row, c->t->from);
}

/* [R3] Joins the numbered parts of a text by the value that they share. alias: of the value. */
static twx_rc write_parts(twx_ctx *cx, twx_buf *out, const twx_candidate *c, const char *value,
                          int position) {
    const twx_sampled_column *text = twx_candidate_column(c, c->text);
    twx_rc rc = twx_buf_printf(
        cx, out, "(SELECT v, group_concat(x, ' ') AS x FROM (SELECT %s AS v, ", value);
    if (rc == TWX_OK) rc = twx_write_column(cx, out, text, "");
    return rc == TWX_OK ? twx_buf_printf(cx, out, " AS x FROM %s ORDER BY 1, %s) GROUP BY v)",
                                         c->t->from, twx_candidate_column(c, position)->column)
                        : rc;
}

static twx_rc write_single(twx_db *db, twx_buf *out, const twx_candidate *c) {
    twx_ctx *cx = db->cx;
    twx_repeats r;
    char *url = url_of(cx, c, "");
    twx_rc rc = url ? twx_look_for_repeats(db, c->t, url, &r) : TWX_E_NOMEM;
    if (rc == TWX_OK && r.position != NONE) {
        rc = twx_buf_printf(cx, out,
                            "# each text is in several rows, by %s: they are put together\nfrom = ",
                            twx_candidate_column(c, r.position)->name);
        if (rc == TWX_OK) rc = write_parts(cx, out, c, url, r.position);
        twx_free(url);
        return rc == TWX_OK ? twx_buf_add_text(cx, out, "\nid = v\nurl = v\ntext = x\n") : rc;
    }
    if (rc == TWX_OK && c->url == NONE)
        rc = twx_buf_add_text(cx, out, "# no column has whole URLs: the scheme is an assumption\n");
    if (rc == TWX_OK) rc = twx_buf_printf(cx, out, "from = %s\n", c->t->from);
    if (rc == TWX_OK && r.repeated) rc = write_latest(cx, out, c, url);
    if (rc == TWX_OK)
        rc = twx_buf_printf(
            cx, out, "%sid = %s\nurl = %s\n",
            c->t->key ? "" : "# no key is declared: the URL has to tell documents apart\n",
            c->t->key ? c->t->key : url, url);
    if (rc == TWX_OK) rc = write_text(cx, out, twx_candidate_column(c, c->text), "");
    twx_others o = {.at = {{.c = c, .alias = ""}}, .n = 1, .text = c, .url = url};
    if (rc == TWX_OK) rc = twx_write_others(cx, out, &o, NULL, 0);
    twx_free(url);
    return rc;
}

/* ---- joins */

/* How the table of texts joins the table of URLs: t.text_column = p.page_column. Owned. */
typedef struct link {
    char *text_column, *page_column;
    bool child;   /* the text refers to the page, so a page can have several texts */
    bool indexed; /* text_column is the first of an index */
} link;

static void link_done(link *l) {
    twx_free(l->text_column);
    twx_free(l->page_column);
    *l = (link){0};
}

/* The column of `child` that refers to `parent`: a foreign key, or a name such as page_id for a
 * table page or pages. NULL: none. */
static char *declared_link(twx_db *db, const twx_sampled_table *child,
                           const twx_sampled_table *parent, bool *ret_indexed) {
    sqlite3_stmt *stmt = NULL;
    char *column = NULL;
    if (twx_db_row(db, TWX_SQL_QUERY_SCHEMA_LINK,
                   TWX_VALUES(twx_text_of(child->name), twx_text_of(parent->name)),
                   &stmt) == TWX_OK) {
        column = twx_quoted_name(db->cx, twx_column_text(stmt, 0));
        *ret_indexed = sqlite3_column_int(stmt, 1) != 0;
    }
    sqlite3_finalize(stmt);
    return column;
}

/* A column of `child` whose values are all keys of `parent`. Only digests and names count, because
 * small numbers match by chance. NULL: none. */
static char *link_by_values(twx_db *db, const twx_sampled_table *child,
                            const twx_sampled_table *parent) {
    for (size_t i = 0; parent->key && i < child->columns.n; i++) {
        const twx_sampled_column *c = &child->columns.at[i];
        int64_t equal = 0;
        if (*c->after || c->filled == 0 || c->bytes < 8 * c->filled || c->bytes > 128 * c->filled)
            continue;
        char *sql = twx_sprintf(db->cx,
                                "SELECT count(*) > 0 AND count(*) = sum(v IN (SELECT %s FROM %s)) "
                                "FROM (SELECT %s AS v FROM %s WHERE %s IS NOT NULL LIMIT %d)",
                                parent->key, parent->from, c->column, child->from, c->column,
                                LINK_ROWS);
        twx_rc rc = sql ? twx_db_integer(db, sql, &equal) : TWX_E_NOMEM;
        twx_free(sql);
        if (rc != TWX_OK) return NULL;
        if (equal) return twx_strdup(db->cx, c->column);
    }
    return NULL;
}

/* Whether keys of the table are keys of the other one: those at both ends are. */
static bool has_keys_of(twx_db *db, const twx_sampled_table *t, const twx_sampled_table *other) {
    int64_t equal = 0;
    if (!t->key || !other->key) return false;
    char *sql = twx_sprintf(
        db->cx,
        "SELECT count(*) > 0 AND count(*) = sum(v IN (SELECT %s FROM %s)) FROM (SELECT * FROM "
        "(SELECT %s AS v FROM %s ORDER BY 1 LIMIT %d) UNION ALL SELECT * FROM (SELECT %s FROM %s "
        "ORDER BY 1 DESC LIMIT %d))",
        other->key, other->from, t->key, t->from, LINK_ROWS, t->key, t->from, LINK_ROWS);
    const twx_rc rc = sql ? twx_db_integer(db, sql, &equal) : TWX_E_NOMEM;
    twx_free(sql);
    return rc == TWX_OK && equal;
}

/* Two tables with one key, each with a part of the columns, or an FTS table whose rowid is the key
 * of a table. Small numbers match by chance, so the keys of ordinary tables have to be the same at
 * both ends. */
static bool share_keys(twx_db *db, const twx_sampled_table *text, const twx_sampled_table *page) {
    return has_keys_of(db, text, page) &&
           (text->kind == TWX_SAMPLED_FTS || has_keys_of(db, page, text));
}

static twx_rc find_link(twx_db *db, const twx_candidate *page, const twx_candidate *text,
                        link *ret) {
    const twx_sampled_table *p = page->t, *t = text->t;
    *ret = (link){0};
    if (p->key) ret->text_column = declared_link(db, t, p, &ret->indexed);
    ret->child = ret->text_column != NULL;
    bool indexed = false;
    if (!ret->child && t->key) ret->page_column = declared_link(db, p, t, &indexed);
    if (!ret->text_column && !ret->page_column && db->cx->rc == TWX_OK) {
        ret->text_column = link_by_values(db, t, p);
        ret->child = ret->text_column != NULL;
        ret->indexed = ret->child && t->key && strcmp(ret->text_column, t->key) == 0;
        if (!ret->child) ret->page_column = link_by_values(db, p, t);
    }
    if (ret->text_column && db->cx->rc == TWX_OK)
        ret->page_column = twx_strdup(db->cx, p->key);
    else if (ret->page_column)
        ret->text_column = twx_strdup(db->cx, t->key);
    return db->cx->rc;
}

/* Tables that are joined: p, of the URLs; perhaps v, of visits, in between; t, of the texts. */
typedef struct join {
    const twx_candidate *page, *visit, *text; /* visit NULL: none */
    link first, second;                       /* second: from visit to text */
} join;

/* Both forms select the same rows. With an index, a subquery finds the latest row of each page, so
 * documents can be read in order. Without one that subquery would scan the table for each page, so
 * the latest rows are listed once, by one sort of keys and dates. */
static twx_rc write_latest_of_join(twx_ctx *cx, twx_buf *out, const join *j) {
    const twx_sampled_table *t = (j->visit ? j->visit : j->text)->t;
    const link *l = &j->first;
    const char *row = twx_row_key(t), *date = twx_date_column(t), *alias = j->visit ? "v" : "t";
    if (!row)
        return twx_buf_add_text(cx, out,
                                "# a page has several texts: add a condition, where = ...\n");
    if (!date) date = row;
    if (l->indexed)
        return twx_buf_printf(cx, out,
                              "where = %s.%s = (SELECT n.%s FROM %s AS n WHERE n.%s = p.%s ORDER "
                              "BY n.%s DESC, n.%s DESC LIMIT 1)\n",
                              alias, row, row, t->from, l->text_column, l->page_column, date, row);
    return twx_buf_printf(
        cx, out,
        "where = %s.%s IN (SELECT latest FROM (SELECT n.%s AS latest, row_number() OVER (PARTITION "
        "BY n.%s ORDER BY n.%s DESC, n.%s DESC) AS nth FROM %s AS n) WHERE nth = 1)\n",
        alias, row, row, l->text_column, date, row, t->from);
}

static twx_rc write_from(twx_db *db, twx_buf *out, const join *j, int position, bool versions) {
    twx_ctx *cx = db->cx;
    const twx_sampled_table *first = (j->visit ? j->visit : j->text)->t;
    const bool parts = position != NONE;
    twx_rc rc = twx_buf_printf(cx, out, "# %s of %s for each of %s\nfrom = %s AS p JOIN ",
                               parts      ? "the rows, put together in order,"
                               : versions ? "the latest row"
                                          : "the row",
                               first->name, j->page->t->name, j->page->t->from);
    if (rc == TWX_OK && parts)
        rc = write_parts(cx, out, j->text, j->first.text_column, position);
    else if (rc == TWX_OK)
        rc = twx_buf_add_text(cx, out, first->from);
    if (rc == TWX_OK)
        rc = twx_buf_printf(cx, out, " AS %s ON %s.%s = p.%s", j->visit ? "v" : "t",
                            j->visit ? "v" : "t", parts ? "v" : j->first.text_column,
                            j->first.page_column);
    if (rc == TWX_OK && j->visit)
        rc = twx_buf_printf(cx, out, " JOIN %s AS t ON t.%s = v.%s", j->text->t->from,
                            j->second.text_column, j->second.page_column);
    return rc == TWX_OK ? twx_buf_add_char(cx, out, '\n') : rc;
}

static twx_rc write_others_of_join(twx_ctx *cx, twx_buf *out, const join *j, bool parts,
                                   const char *url) {
    const char *const links[] = {j->first.text_column, j->first.page_column, j->second.text_column,
                                 j->second.page_column};
    twx_others o = {.url = url, .text = parts ? NULL : j->text};
    if (!parts) o.at[o.n++] = (twx_guess_side){.c = j->text, .alias = "t."};
    if (j->visit) o.at[o.n++] = (twx_guess_side){.c = j->visit, .alias = "v."};
    o.at[o.n++] = (twx_guess_side){.c = j->page, .alias = "p."};
    return twx_write_others(cx, out, &o, links, TWX_COUNTOF(links));
}

/* [R2] */
static twx_rc write_join(twx_db *db, twx_buf *out, const join *j) {
    twx_ctx *cx = db->cx;
    const twx_sampled_table *first = (j->visit ? j->visit : j->text)->t, *p = j->page->t;
    twx_repeats r = {.position = NONE};
    char *url = url_of(cx, j->page, "p.");
    twx_rc rc = url ? TWX_OK : TWX_E_NOMEM;
    if (rc == TWX_OK && j->first.child && !j->visit)
        rc = twx_look_for_repeats(db, first, j->first.text_column, &r);
    const bool parts = r.position != NONE;
    /* a page with one text now can have several later, unless a key forbids it */
    const bool versions = j->first.child && !parts &&
                          !(first->key && strcmp(first->key, j->first.text_column) == 0);
    if (rc == TWX_OK) rc = write_from(db, out, j, r.position, versions);
    if (rc == TWX_OK && versions) rc = write_latest_of_join(cx, out, j);
    if (rc == TWX_OK)
        rc = twx_buf_printf(cx, out, "id = %s%s\nurl = %s\n", p->key ? "p." : "",
                            p->key ? p->key : url, url);
    if (rc == TWX_OK)
        rc = parts ? twx_buf_add_text(cx, out, "text = t.x\n")
                   : write_text(cx, out, twx_candidate_column(j->text, j->text->text), "t.");
    if (rc == TWX_OK) rc = write_others_of_join(cx, out, j, parts, url);
    twx_free(url);
    return rc;
}

static bool is_linked(const link *l) {
    return l->text_column && l->page_column;
}

/* Two tables, or three: a row of visits refers to the URL, and to the text or the text to it. */
static twx_rc try_join(twx_db *db, join *j, bool *ret_found) {
    twx_rc rc = TWX_OK;
    bool several = false;
    if (!j->visit) {
        const twx_sampled_table *p = j->page->t, *t = j->text->t;
        rc = find_link(db, j->page, j->text, &j->first);
        if (rc == TWX_OK && !is_linked(&j->first) && share_keys(db, t, p)) {
            link_done(&j->first);
            j->first = (link){.text_column = twx_strdup(db->cx, t->key),
                              .page_column = twx_strdup(db->cx, p->key),
                              .child = true,
                              .indexed = true};
            rc = db->cx->rc;
        }
        *ret_found = is_linked(&j->first);
        return rc;
    }
    rc = find_link(db, j->page, j->visit, &j->first);
    if (rc == TWX_OK && is_linked(&j->first) && j->first.child)
        rc = find_link(db, j->visit, j->text, &j->second);
    if (rc == TWX_OK && is_linked(&j->second) && j->second.child) {
        twx_repeats r;
        rc = twx_look_for_repeats(db, j->text->t, j->second.text_column, &r);
        several = r.repeated;
    }
    *ret_found = rc == TWX_OK && is_linked(&j->second) && !several;
    return rc;
}

static twx_rc find_join(twx_db *db, const candidates *all, twx_buf *out, bool *ret_found) {
    twx_rc rc = TWX_OK;
    /* visit 0: two tables; the others are the indexes of a third one, plus 1 */
    for (size_t visit = 0; visit <= all->n; visit++)
        for (size_t i = 0; i < all->n; i++)
            for (size_t k = 0; k < all->n; k++) {
                join j = {.page = &all->at[i], .text = &all->at[k]};
                if (i == k || visit == i + 1 || visit == k + 1) continue;
                if (!twx_has_url(j.page) || j.text->text == NONE) continue;
                if (visit) j.visit = &all->at[visit - 1];
                rc = try_join(db, &j, ret_found);
                if (rc == TWX_OK && *ret_found) rc = write_join(db, out, &j);
                link_done(&j.first);
                link_done(&j.second);
                if (rc != TWX_OK || *ret_found) return rc;
            }
    return TWX_OK;
}

/* ---- the choice */

static double worth(const twx_candidate *c) {
    const twx_sampled_column *text = twx_candidate_column(c, c->text);
    return (double)text->text_bytes * (twx_is_usual(TWX_COL_TEXT, text) ? 4 : 1) *
           (c->url == NONE ? 0.5 : 1);
}

static twx_rc choose(twx_db *db, const candidates *all, bool views, twx_buf *config,
                     const twx_candidate **ret_best) {
    const twx_candidate *best = NULL;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < all->n; i++) {
        const twx_candidate *c = &all->at[i];
        if (!twx_has_url(c) || c->text == NONE || views != (c->t->kind == TWX_SAMPLED_VIEW))
            continue;
        const bool better = !best || worth(c) > worth(best);
        if (best)
            rc = twx_buf_printf(db->cx, config, "# %s '%s' would fit too\n",
                                views ? "view" : "table", better ? best->t->name : c->t->name);
        if (better) best = c;
    }
    *ret_best = best;
    return rc;
}

#define UNFIT                                                                                     \
    "a column of '%s' has a line break or ' ;' in its name, which a setting cannot have: rename " \
    "the column, or make a view of the table"

/* Describes what the tables contain, if nothing was found. */
static twx_rc explain(twx_db *db, const candidates *all, twx_buf *why) {
    sqlite3_stmt *stmt = NULL;
    size_t empty = 0;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; i < all->n; i++) empty += all->at[i].t->rows == 0;
    if (all->n && empty == all->n) return twx_buf_add_text(db->cx, why, "every table is empty");
    for (size_t i = 0; rc == TWX_OK && i < all->n && why->n < 400; i++) {
        const twx_candidate *c = &all->at[i];
        if (c->t->unfit)
            rc = twx_buf_printf(db->cx, why, "%s" UNFIT, why->n ? "; " : "", c->t->name);
        if (rc != TWX_OK || twx_has_url(c) == (c->text != NONE)) continue;
        rc = twx_buf_printf(db->cx, why, "%s'%s' has %s but no %s", why->n ? "; " : "", c->t->name,
                            twx_has_url(c) ? "URLs" : "texts", twx_has_url(c) ? "text" : "URL");
    }
    if (rc == TWX_OK) rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SCHEMA_CONTENTLESS, &stmt);
    while (rc == TWX_OK && (rc = twx_stmt_step(db, stmt)) == TWX_OK)
        rc = twx_buf_printf(db->cx, why,
                            "%s'" TWX_SLICE_FMT
                            "' is an FTS table without content: its text cannot be read",
                            why->n ? "; " : "", TWX_SLICE_ARG(twx_column_text(stmt, 0)));
    return twx_stmt_end(stmt, rc);
}

/* Whether the longest text of the table is only a title or description: a table that is joined can
 * have the text. */
static bool is_weak(const twx_candidate *c) {
    const twx_sampled_column *text = twx_candidate_column(c, c->text);
    return !twx_is_usual(TWX_COL_TEXT, text) &&
           (twx_is_usual(TWX_COL_TITLE, text) || twx_is_usual(TWX_COL_DESCRIPTION, text));
}

static twx_rc guess(twx_db *db, const candidates *all, twx_buf *config, twx_buf *why) {
    const twx_candidate *best = NULL;
    bool found = false;
    twx_rc rc = choose(db, all, false, config, &best);
    if (rc == TWX_OK && !best) rc = choose(db, all, true, config, &best);
    if (rc == TWX_OK && best && !is_weak(best)) return write_single(db, config, best);
    if (rc == TWX_OK) rc = find_join(db, all, config, &found);
    if (rc == TWX_OK && !found && best) return write_single(db, config, best);
    if (rc == TWX_OK && !found) rc = explain(db, all, why);
    return rc == TWX_OK && !found ? TWX_DONE : rc;
}

twx_rc twx_guess(twx_db *reader, twx_buf *config, twx_buf *why) {
    twx_sampled_tables tables = {0};
    candidates all = {0};
    twx_rc rc = twx_sample_tables(reader, &tables);
    for (size_t i = 0; rc == TWX_OK && i < tables.n; i++)
        if (!TWX_VEC_PUSH(reader->cx, &all, twx_candidate_of(&tables.at[i])))
            rc = TWX_E_NOMEM;
        else if (tables.at[i].unfit)
            rc = twx_buf_printf(reader->cx, config, "# " UNFIT "\n", tables.at[i].name);
    if (rc == TWX_OK) rc = guess(reader, &all, config, why);
    TWX_VEC_DONE(&all);
    twx_sampled_tables_done(&tables);
    return rc;
}
