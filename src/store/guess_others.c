#include "store/guess_others.h"

#include <string.h>

#include "store/guess.h"

enum { LISTED_MOST = 40, NONE = TWX_NO_COLUMN };

twx_rc twx_write_column(twx_ctx *cx, twx_buf *out, const twx_sampled_column *c, const char *alias) {
    return twx_buf_printf(cx, out, "%s%s%s%s", c->before, alias, c->column, c->after);
}

bool twx_is_page(const twx_sampled_column *c) {
    return twx_mostly(c, TWX_CONTENT_HTML) || twx_is_packed_html(c);
}

/* The HTML of the documents: the text, or a column beside it. */
static const twx_sampled_column *page_of(const twx_candidate *c) {
    if (twx_is_page(twx_candidate_column(c, c->text))) return twx_candidate_column(c, c->text);
    for (size_t i = 0; i < c->t->columns.n; i++)
        if (twx_is_page(&c->t->columns.at[i]) &&
            twx_is_html_name(twx_slice_of(c->t->columns.at[i].name)))
            return &c->t->columns.at[i];
    return NULL;
}

static bool has_values(const twx_sampled_column *c) {
    return c->filled > 0 || c->integers > 0;
}

static void use(twx_others *o, size_t table, int column) {
    if (column >= 0 && column < TWX_SIDE_COLUMNS) o->at[table].used[column] = true;
}

/* The best column by its usual names; a column without values only if there is no other. NULL:
 * none. */
static const twx_sampled_column *named_column(twx_others *o, size_t column,
                                              const char **ret_alias) {
    const twx_sampled_column *best = NULL;
    size_t best_place = TWX_USUAL_NONE, table = 0, at = 0;
    for (size_t s = 0; s < o->n; s++) {
        const twx_candidate *c = o->at[s].c;
        for (size_t i = 0; i < c->t->columns.n && i < TWX_SIDE_COLUMNS; i++) {
            const twx_sampled_column *k = &c->t->columns.at[i];
            const size_t place = twx_usual_place(column, twx_slice_of(k->name)) +
                                 (has_values(k) ? 0 : TWX_USUAL_NONE / 2);
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

/* Lists the columns that no setting reads, so that what they could be is not overlooked. */
static twx_rc list_unmapped(twx_ctx *cx, twx_buf *out, const twx_others *o) {
    size_t listed = 0;
    twx_rc rc = TWX_OK;
    for (size_t s = 0; s < o->n; s++)
        for (size_t i = 0; rc == TWX_OK && i < o->at[s].c->t->columns.n; i++) {
            const twx_sampled_column *c = &o->at[s].c->t->columns.at[i];
            const bool used = i < TWX_SIDE_COLUMNS && o->at[s].used[i];
            if (used || *c->after || listed >= LISTED_MOST) continue;
            rc = twx_buf_printf(cx, out, "%s%s%s",
                                listed++ ? ", " : "# not mapped: ", o->at[s].alias, c->name);
        }
    return rc == TWX_OK && listed ? twx_buf_add_char(cx, out, '\n') : rc;
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

/* The other columns, by their usual names, and what the page says about itself. */
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
    return rc == TWX_OK ? list_unmapped(cx, out, o) : rc;
}
