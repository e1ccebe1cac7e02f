/* Finds the documents of a store without a configured mapping: our own table, else a table with the
 * usual column names. */

#include "column_names_table.h"
#include "sql_text.h"
#include "store/internal.h"

enum { NOTE_BYTES = 1 << 16, LIST_BYTES = 1 << 14 /* a list ends after these */ };

/* Column names that crawlers use, the least ambiguous first. The first of each is Twindex's own. */
static const char *const USUAL[][2] = {USUAL_COLUMN_ROWS};

static const char *const HTML_NAMES[] = {HTML_COLUMN_ROWS};

static const struct {
    size_t column;
    const char *function;
    bool with_url;
} PAGE_PARTS[] = {PAGE_PART_ROWS};

/* A table that may hold the documents. */
typedef struct candidate {
    char *table;
    char *html;                /* its column of HTML; owned, NULL: none */
    char *column[TWX_COLUMNS]; /* owned, NULL: none */
    char *id;                  /* single-column primary key, else NULL */
    bool without_rowid;
    int also_url, also_text; /* other columns that matched */
} candidate;

typedef TWX_VEC(candidate) candidates;

static void candidate_done(candidate *c) {
    twx_free(c->table);
    twx_free(c->html);
    twx_free(c->id);
    for (size_t i = 0; i < TWX_COLUMNS; i++) twx_free(c->column[i]);
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

size_t twx_usual_place(size_t column, twx_slice name) {
    size_t place = 0;
    for (size_t i = 0; i < TWX_COUNTOF(USUAL); i++) {
        if (strcmp(USUAL[i][0], twx_column_name(column)) != 0) continue;
        if (twx_slice_eq_nocase(name, twx_slice_of(USUAL[i][1]))) return place;
        place++;
    }
    return TWX_USUAL_NONE;
}

const char *twx_page_part(size_t column, bool *ret_with_url) {
    size_t i = 0;
    while (i < TWX_COUNTOF(PAGE_PARTS) && PAGE_PARTS[i].column != column) i++;
    if (i == TWX_COUNTOF(PAGE_PARTS)) return NULL;
    *ret_with_url = PAGE_PARTS[i].with_url;
    return PAGE_PARTS[i].function;
}

bool twx_is_html_name(twx_slice name) {
    for (size_t i = 0; i < TWX_COUNTOF(HTML_NAMES); i++)
        if (twx_slice_eq_nocase(name, twx_slice_of(HTML_NAMES[i]))) return true;
    return false;
}

static twx_rc fit_column(twx_ctx *cx, candidate *c, size_t best[TWX_COLUMNS], twx_slice name) {
    for (size_t column = 0; column < TWX_COLUMNS; column++) {
        size_t place = twx_usual_place(column, name);
        if (place == TWX_USUAL_NONE) continue;
        /* Twindex's own name decides; two others are ambiguous */
        if (c->column[column] && best[column] != 0 && place != 0) {
            c->also_url += column == TWX_COL_URL;
            c->also_text += column == TWX_COL_TEXT;
        }
        if (c->column[column] && best[column] <= place) continue;
        if (place == 0 && column == TWX_COL_URL) c->also_url = 0;
        if (place == 0 && column == TWX_COL_TEXT) c->also_text = 0;
        char *copy = twx_quoted_name(cx, name);
        if (!copy) return TWX_E_NOMEM;
        twx_free(c->column[column]);
        c->column[column] = copy;
        best[column] = place;
    }
    if (c->html || !twx_is_html_name(name)) return TWX_OK;
    c->html = twx_quoted_name(cx, name);
    return c->html ? TWX_OK : TWX_E_NOMEM;
}

static bool has_text(const twx_mapping *m, const candidate *c) {
    return m->map[TWX_COL_TEXT] || c->column[TWX_COL_TEXT];
}

/* Fills in what the page itself says: the text if no column has it, and the rest where a column is
 * missing. */
static twx_rc use_html(twx_ctx *cx, const twx_mapping *m, candidate *c) {
    const char *url = m->map[TWX_COL_URL] ? m->map[TWX_COL_URL] : c->column[TWX_COL_URL];
    if (!c->html || !url) return TWX_OK;
    if (!has_text(m, c) && !(c->column[TWX_COL_TEXT] = twx_sprintf(cx, "html_text(%s)", c->html)))
        return TWX_E_NOMEM;
    for (size_t i = 0; i < TWX_COLUMNS; i++) {
        bool with_url = false;
        const char *function = twx_page_part(i, &with_url);
        if (!function || m->map[i] || c->column[i]) continue;
        c->column[i] = twx_sprintf(cx, "%s(%s%s%s)", function, c->html, with_url ? ", " : "",
                                   with_url ? url : "");
        if (!c->column[i]) return TWX_E_NOMEM;
    }
    return TWX_OK;
}

static twx_rc look_at_table(twx_db *db, sqlite3_stmt *columns, candidate *c) {
    size_t best[TWX_COLUMNS];
    int keys = 0;
    for (size_t i = 0; i < TWX_COLUMNS; i++) best[i] = TWX_USUAL_NONE;
    twx_rc rc = twx_bind_text(db, columns, 1, twx_slice_of(c->table));
    while (rc == TWX_OK && (rc = twx_stmt_step(db, columns)) == TWX_OK) {
        twx_slice name = twx_column_text(columns, 0);
        if (sqlite3_column_int(columns, 1) > 0 && ++keys == 1) {
            c->id = twx_quoted_name(db->cx, name);
            if (!c->id) rc = TWX_E_NOMEM;
        }
        if (rc == TWX_OK) rc = fit_column(db->cx, c, best, name);
    }
    sqlite3_reset(columns);
    if (keys != 1) {
        twx_free(c->id);
        c->id = NULL;
    }
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* Why the candidate does not fit; NULL if it does. */
static twx_rc what_lacks(twx_db *db, const twx_mapping *m, const candidate *c,
                         const char **ret_lacks) {
    char *from = m->from ? twx_strdup(db->cx, m->from)
                         : twx_quoted_name(db->cx, twx_slice_of(c->table));
    if (!from) return TWX_E_NOMEM;
    *ret_lacks = NULL;
    if (!c->column[TWX_COL_URL] && !m->map[TWX_COL_URL])
        *ret_lacks = "url";
    else if (!c->column[TWX_COL_TEXT] && !m->map[TWX_COL_TEXT] && !c->html)
        *ret_lacks = "text";
    else
        *ret_lacks = twx_column_name(twx_mapping_invalid(db, m, from));
    twx_free(from);
    return db->cx->rc;
}

/* Adds a table to the list if it fits; otherwise adds what it lacks to `tables`. Takes ownership of
 * the candidate. columns: the statement that lists them. */
static twx_rc weigh(twx_db *db, const twx_mapping *m, sqlite3_stmt *columns, bool fts, candidate *c,
                    candidates *found, twx_buf *tables) {
    const char *lacks = NULL;
    twx_rc rc = look_at_table(db, columns, c);
    if (rc == TWX_OK && fts && !(c->id = twx_strdup(db->cx, "rowid"))) rc = TWX_E_NOMEM;
    if (rc == TWX_OK) rc = what_lacks(db, m, c, &lacks);
    if (rc == TWX_OK && m->map[TWX_COL_URL]) c->also_url = 0;
    if (rc == TWX_OK && m->map[TWX_COL_TEXT]) c->also_text = 0;
    if (rc == TWX_OK && lacks && tables->n < LIST_BYTES)
        rc = twx_buf_printf(db->cx, tables, "%s'%.200s' has no %s column", tables->n ? "; " : "",
                            c->table, lacks);
    if (rc == TWX_OK && !lacks && !TWX_VEC_PUSH(db->cx, found, *c)) rc = TWX_E_NOMEM;
    if (rc != TWX_OK || lacks) candidate_done(c);
    return rc;
}

/* fts: FTS tables with their own content, which have a stable rowid, instead of ordinary ones. */
static twx_rc collect(twx_db *db, const twx_mapping *m, bool fts, candidates *found,
                      twx_buf *tables) {
    sqlite3_stmt *list = NULL, *columns = NULL;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SCHEMA_TABLES, &list);
    if (rc == TWX_OK) rc = twx_bind_int(db, list, 1, fts);
    if (rc == TWX_OK) rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SCHEMA_COLUMNS, &columns);
    while (rc == TWX_OK && (rc = twx_stmt_step(db, list)) == TWX_OK) {
        twx_slice name = twx_column_text(list, 0);
        candidate c = {.without_rowid = sqlite3_column_int(list, 1) != 0};
        c.table = twx_strndup(db->cx, name.p, name.n);
        rc = c.table ? weigh(db, m, columns, fts, &c, found, tables) : TWX_E_NOMEM;
    }
    sqlite3_finalize(list);
    return twx_stmt_end(columns, rc);
}

/* Considers only the configured table. A FROM clause that is more than a name has no columns to
 * list. */
static twx_rc collect_from(twx_db *db, const twx_mapping *m, candidates *found, twx_buf *tables) {
    sqlite3_stmt *columns = NULL;
    candidate c = {.table = twx_from_table(db->cx, m->from)};
    if (!c.table) return db->cx->rc;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SCHEMA_COLUMNS, &columns);
    if (rc == TWX_OK)
        rc = weigh(db, m, columns, false, &c, found, tables);
    else
        candidate_done(&c);
    sqlite3_finalize(columns);
    return rc;
}

static int columns_of(const candidate *c) {
    int n = 0;
    for (size_t i = 0; i < TWX_COLUMNS; i++) n += c->column[i] != NULL;
    return n;
}

/* The table with most columns; one that has a text comes before one that has only HTML. */
static candidate *best_of(const twx_mapping *m, candidates *found) {
    candidate *best = NULL;
    size_t kept = 0;
    bool texts = false;
    for (size_t i = 0; i < found->n; i++) texts = texts || has_text(m, &found->at[i]);
    for (size_t i = 0; i < found->n; i++) {
        if (texts && !has_text(m, &found->at[i]))
            candidate_done(&found->at[i]);
        else
            found->at[kept++] = found->at[i];
    }
    found->n = kept;
    for (size_t i = 0; i < kept; i++)
        if (!best || columns_of(&found->at[i]) > columns_of(best)) best = &found->at[i];
    return best;
}

/* Moves the candidate's names to the mapping where nothing is configured. */
static twx_rc adopt(twx_ctx *cx, twx_mapping *m, candidate *c) {
    if (!m->from) m->from = twx_quoted_name(cx, twx_slice_of(c->table));
    if (!m->from) return TWX_E_NOMEM;
    for (size_t i = 0; i < TWX_COLUMNS; i++) {
        if (m->map[i]) continue;
        m->map[i] = c->column[i];
        c->column[i] = NULL;
    }
    if (!m->map[TWX_COL_ID]) {
        /* without a single-column key the URL has to identify documents: VACUUM changes an
         * undeclared rowid */
        const char *id = c->id                                 ? c->id
                         : m->allow_rowid && !c->without_rowid ? "rowid"
                                                               : m->map[TWX_COL_URL];
        m->map[TWX_COL_ID] = twx_strdup(cx, id);
        if (!m->map[TWX_COL_ID]) return TWX_E_NOMEM;
    }
    return TWX_OK;
}

/* Names of the store cannot make lines of their own. */
static twx_rc TWX_PRINTF(3, 4) add_line(twx_ctx *cx, twx_buf *note, const char *fmt, ...) {
    char line[TWX_MESSAGE_MAX];
    TWX_PRINT_ARGUMENTS(line, fmt);
    twx_one_line(line);
    return twx_buf_printf(cx, note, "%s%s", note->n ? "\n" : "", line);
}

static twx_rc write_note(twx_ctx *cx, twx_mapping *m, const candidates *found,
                         const candidate *chosen) {
    twx_buf_init(&m->note, NOTE_BYTES);
    twx_rc rc = add_line(cx, &m->note, "mapping chosen by the usual names:");
    if (rc == TWX_OK) rc = add_line(cx, &m->note, "  from = %s", m->from);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COLUMNS; i++)
        if (m->map[i]) rc = add_line(cx, &m->note, "  %s = %s", twx_column_name(i), m->map[i]);
    for (size_t i = 0; rc == TWX_OK && i < found->n && m->note.n < LIST_BYTES; i++)
        if (&found->at[i] != chosen)
            rc = add_line(cx, &m->note, "table '%.200s' would fit too", found->at[i].table);
    if (rc == TWX_OK && chosen->also_url)
        rc = add_line(cx, &m->note, "more than one column of '%s' could be the url", chosen->table);
    if (rc == TWX_OK && chosen->also_text)
        rc = add_line(cx, &m->note, "more than one column of '%s' could be the text",
                      chosen->table);
    return rc;
}

/* The content area is stored as places in the text. */
static const char MAIN_PARTS[] = "main_parts", MAIN[] = "text_parts(text, main_parts)";

static twx_rc map_own(twx_db *db, twx_mapping *m) {
    m->own = true;
    m->from = twx_strdup(db->cx, "documents");
    if (!m->from) return TWX_E_NOMEM;
    for (size_t i = 0; i < TWX_COLUMNS; i++) {
        bool has = false; /* the owner of the store can have dropped a column */
        if (i == TWX_COL_CHANGED || m->map[i]) continue;
        twx_rc rc = twx_db_has_column(
            db, TWX_SLICE_LIT("documents"),
            twx_slice_of(i == TWX_COL_MAIN ? MAIN_PARTS : twx_column_name(i)), &has);
        if (rc != TWX_OK) return rc;
        if (!has && i > TWX_COL_TEXT) continue;
        m->map[i] = twx_strdup(db->cx, i == TWX_COL_MAIN ? MAIN : twx_column_name(i));
        if (!m->map[i]) return TWX_E_NOMEM;
    }
    return TWX_OK;
}

static twx_rc fail_lacking(twx_db *reader, const twx_mapping *m, const twx_buf *tables) {
    if (m->from)
        return twx_fail(reader->cx, TWX_E_CONFIG,
                        "%s: [store] has from = %s but no %s, and no column of it has a usual "
                        "name: id, url and text are needed",
                        twx_db_path(reader), m->from,
                        !m->map[TWX_COL_ID]    ? "id"
                        : !m->map[TWX_COL_URL] ? "url"
                                               : "text");
    return twx_fail(reader->cx, TWX_E_CONFIG,
                    "%s: no table with documents was found (%.600s): 'twindex check --suggest' "
                    "looks further, or name it in [store] of a config file",
                    twx_db_path(reader), tables->n ? tables->p : "the store has no tables");
}

twx_rc twx_mapping_detect(twx_db *reader, twx_mapping *m) {
    if (m->from && m->map[TWX_COL_ID] && m->map[TWX_COL_URL] && m->map[TWX_COL_TEXT]) return TWX_OK;
    bool own = false;
    twx_rc rc = m->from ? TWX_OK : twx_db_has(reader, "twindex_change_insert", &own);
    if (rc == TWX_OK && own) return map_own(reader, m);

    candidates found = {0};
    twx_buf tables = {.max = NOTE_BYTES};
    candidate *chosen = NULL;
    if (rc == TWX_OK && m->from) rc = collect_from(reader, m, &found, &tables);
    if (rc == TWX_OK && !m->from) rc = collect(reader, m, false, &found, &tables);
    if (rc == TWX_OK && !m->from && found.n == 0) rc = collect(reader, m, true, &found, &tables);
    if (rc == TWX_OK) chosen = best_of(m, &found);
    if (rc == TWX_OK && chosen) rc = use_html(reader->cx, m, chosen);
    if (rc == TWX_OK && !chosen) rc = fail_lacking(reader, m, &tables);
    if (rc == TWX_OK) rc = adopt(reader->cx, m, chosen);
    if (rc == TWX_OK) {
        m->chosen = true;
        m->doubtful = found.n > 1 || chosen->also_url || chosen->also_text;
        rc = write_note(reader->cx, m, &found, chosen);
    }
    for (size_t i = 0; i < found.n; i++) candidate_done(&found.at[i]);
    TWX_VEC_DONE(&found);
    twx_buf_done(&tables);
    return rc;
}

void twx_mapping_done(twx_mapping *m) {
    twx_free(m->from);
    twx_free(m->where);
    for (size_t i = 0; i < TWX_COLUMNS; i++) twx_free(m->map[i]);
    twx_buf_done(&m->note);
    *m = (twx_mapping){0};
}
