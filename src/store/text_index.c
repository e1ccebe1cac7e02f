#include "store/internal.h"

#include <math.h>

#include "sql_text.h"

/* ==== text_index */

enum { BATCH_ROWS = 10000, MERGED_PAGES = 64 };

struct twx_text_index {
    twx_db *db;
    sqlite3_stmt *slots, *count, *forget, *slot, *put, *merge, *add_language;
};

/* ---- the index as a whole -------------------------------------------------- */

/* The fingerprint of this program's terms. */
static twx_rc fingerprint_of(twx_db *db, char ret_text[TWX_TERMS_FINGERPRINT]) {
    const twx_rc rc = twx_terms_fingerprint(twx_text_terms(db), ret_text);
    return rc == TWX_OK ? rc : twx_fail(twx_db_ctx(db), rc, "out of memory for stemmers");
}

static twx_rc read_state(twx_db *db, bool *ret_same, uint32_t *ret_languages) {
    char text[TWX_TERMS_FINGERPRINT];
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = fingerprint_of(db, text);
    if (rc == TWX_OK) rc = twx_db_row(db, TWX_SQL_QUERY_TEXT_STATE, NULL, 0, &stmt);
    *ret_same = rc == TWX_OK && twx_slice_eq(twx_column_text(stmt, 0), twx_slice_of(text));
    if (rc == TWX_OK) *ret_languages = (uint32_t)sqlite3_column_int64(stmt, 1);
    return twx_stmt_end(stmt, rc);
}

twx_rc twx_text_index_look(twx_db *db, twx_text_index_state *ret_state) {
    bool has = false, same = false;
    uint32_t languages = 0;
    twx_rc rc = twx_db_has(db, "twindex_text_slot", &has);
    if (rc == TWX_OK && has) rc = twx_text_functions_register(db);
    if (rc == TWX_OK && has) rc = read_state(db, &same, &languages);
    if (rc != TWX_OK) return rc;
    if (same) twx_terms_set_languages(twx_text_terms(db), languages);
    *ret_state = !has ? TWX_TEXT_NONE : same ? TWX_TEXT_READY : TWX_TEXT_OTHER;
    return TWX_OK;
}

twx_rc twx_text_index_require(twx_db *db) {
    twx_text_index_state state = TWX_TEXT_NONE;
    twx_rc rc = twx_text_index_look(db, &state);
    if (rc != TWX_OK || state == TWX_TEXT_READY) return rc;
    if (state == TWX_TEXT_NONE)
        return twx_fail(twx_db_ctx(db), TWX_E_DATA,
                        "%s: there is no text index yet: 'twindex index' makes it",
                        twx_db_path(db));
    return twx_fail(twx_db_ctx(db), TWX_E_DATA,
                    "%s: the text index was made by another version of twindex: 'twindex index' "
                    "rebuilds it",
                    twx_db_path(db));
}

twx_rc twx_text_index_make(twx_db *db) {
    char text[TWX_TERMS_FINGERPRINT];
    twx_rc rc = twx_text_functions_register(db);
    if (rc == TWX_OK) rc = twx_db_begin(db);
    if (rc != TWX_OK) return rc;
    rc = twx_db_script(db, TWX_SQL_SCHEMA_TEXT);
    if (rc == TWX_OK) rc = fingerprint_of(db, text);
    if (rc == TWX_OK) rc = twx_db_run(db, TWX_SQL_QUERY_TEXT_BEGIN, TWX_VALUES(twx_text_of(text)));
    return twx_db_end(db, rc);
}

/* FTS5 needs the tokenizer of a table even to drop it. */
twx_rc twx_text_index_drop(twx_db *db) {
    twx_rc rc = twx_text_functions_register(db);
    return rc == TWX_OK ? twx_db_transact(db, TWX_SQL_SCHEMA_DROP_TEXT) : rc;
}

twx_rc twx_text_index_open(twx_db *db, twx_text_index **ret_index) {
    twx_text_index *x = twx_calloc(twx_db_ctx(db), 1, sizeof *x);
    if (!x) return TWX_E_NOMEM;
    x->db = db;
    const twx_stmt_row statements[] = {{TWX_SQL_QUERY_TEXT_SLOTS, &x->slots},
                                       {TWX_SQL_QUERY_TEXT_COUNT, &x->count},
                                       {TWX_SQL_QUERY_TEXT_FORGET, &x->forget},
                                       {TWX_SQL_QUERY_TEXT_SLOT, &x->slot},
                                       {TWX_SQL_QUERY_TEXT_PUT, &x->put},
                                       {TWX_SQL_QUERY_TEXT_MERGE, &x->merge},
                                       {TWX_SQL_QUERY_TEXT_ADD_LANGUAGE, &x->add_language}};
    twx_rc rc = twx_text_functions_register(db);
    if (rc == TWX_OK) rc = twx_stmts_prepare(db, statements, TWX_COUNTOF(statements));
    TWX_HAND_OVER(rc, ret_index, x, twx_text_index_close(x));
    return rc;
}

void twx_text_index_close(twx_text_index *x) {
    if (!x) return;
    sqlite3_stmt *all[] = {x->slots, x->count, x->forget,      x->slot,
                           x->put,   x->merge, x->add_language};
    for (size_t i = 0; i < TWX_COUNTOF(all); i++) sqlite3_finalize(all[i]);
    twx_free(x);
}

twx_rc twx_text_index_count(twx_text_index *x, uint64_t *ret_documents, uint64_t *ret_slots) {
    twx_rc rc = twx_stmt_step(x->db, x->count);
    if (rc != TWX_OK) return rc;
    *ret_documents = (uint64_t)sqlite3_column_int64(x->count, 0);
    *ret_slots = (uint64_t)sqlite3_column_int64(x->count, 1);
    sqlite3_reset(x->count);
    return TWX_OK;
}

twx_rc twx_text_index_each(twx_text_index *x, twx_text_slot_fn *fn, void *arg) {
    int64_t after = 0;
    twx_rc rc = TWX_OK;
    for (size_t rows = BATCH_ROWS; rc == TWX_OK && rows == BATCH_ROWS;) {
        rows = 0;
        rc = twx_cancelled(twx_db_ctx(x->db));
        if (rc == TWX_OK)
            rc = twx_bind(x->db, x->slots, TWX_VALUES(twx_int(after), twx_int(BATCH_ROWS)));
        while (rc == TWX_OK && (rc = twx_stmt_step(x->db, x->slots)) == TWX_OK) {
            rows++;
            after = sqlite3_column_int64(x->slots, 0);
            rc = fn(arg, sqlite3_column_int64(x->slots, 1),
                    (uint64_t)sqlite3_column_int64(x->slots, 2));
        }
        sqlite3_reset(x->slots);
        if (rc == TWX_DONE) rc = TWX_OK;
    }
    return rc;
}

twx_rc twx_text_index_forget(twx_text_index *x, int64_t doc) {
    return twx_stmt_write(x->db, x->forget, TWX_VALUES(twx_int(doc)));
}

/* FTS5 counts a merge as two changes or more. */
twx_rc twx_text_index_merge(twx_text_index *x, bool *ret_more) {
    const int64_t before = sqlite3_total_changes64(x->db->handle);
    const twx_rc rc = twx_stmt_write(x->db, x->merge, TWX_VALUES(twx_int(MERGED_PAGES)));
    *ret_more = rc == TWX_OK && sqlite3_total_changes64(x->db->handle) - before >= 2;
    return rc;
}

/* Records the language, because queries are stemmed only in the languages of the index. The store
 * is asked each time: what this process knew would be wrong after a rollback. */
static twx_rc note_language(twx_text_index *x, unsigned language) {
    if (language == TWX_LANGUAGE_NONE) return TWX_OK;
    return twx_stmt_write(x->db, x->add_language, TWX_VALUES(twx_int((int64_t)1 << language)));
}

twx_rc twx_text_index_put(twx_text_index *x, const twx_text_entry *entry) {
    twx_rc rc = twx_text_index_forget(x, entry->doc);
    if (rc == TWX_OK) rc = note_language(x, entry->language);
    twx_terms_set_language(twx_text_terms(x->db), entry->language);
    if (rc == TWX_OK)
        rc = twx_stmt_write(x->db, x->slot,
                            TWX_VALUES(twx_int(entry->doc), twx_int((int64_t)entry->hash)));
    if (rc == TWX_OK)
        rc = twx_stmt_write(x->db, x->put,
                            TWX_VALUES(twx_int(sqlite3_last_insert_rowid(x->db->handle)),
                                       twx_text(entry->title), twx_text(entry->text)));
    return rc;
}

/* ==== text_scores */

void twx_text_statistics_done(twx_text_statistics *s) {
    TWX_VEC_DONE(&s->matching);
    *s = (twx_text_statistics){0};
}

/* ---- statistics ----------------------------------------------------------- */

static int count_row(const Fts5ExtensionApi *api, Fts5Context *fts, void *count) {
    (void)api, (void)fts;
    (*(int64_t *)count)++;
    return SQLITE_OK;
}

static int count_index(const Fts5ExtensionApi *api, Fts5Context *fts, twx_text_statistics *s) {
    sqlite3_int64 rows = 0, tokens = 0;
    int rc = api->xRowCount(fts, &rows);
    if (rc == SQLITE_OK) rc = api->xColumnTotalSize(fts, -1, &tokens);
    s->rows += rows;
    s->tokens += tokens;
    return rc;
}

static int count_phrases(twx_ctx *cx, const Fts5ExtensionApi *api, Fts5Context *fts,
                         twx_text_statistics *s) {
    const size_t n = (size_t)api->xPhraseCount(fts);
    int rc = SQLITE_OK;
    for (size_t i = 0; rc == SQLITE_OK && i < n; i++) {
        int64_t count = 0;
        rc = api->xQueryPhrase(fts, (int)i, &count, count_row);
        if (i == s->matching.n && !TWX_VEC_PUSH(cx, &s->matching, 0)) return SQLITE_NOMEM;
        s->matching.at[i] += count;
    }
    return rc;
}

/* text_statistics(twindex_text): adds to db->counted the size of the index, in a statement without
 * a query, or the matches of its phrases. */
static void add_statistics(const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *result,
                           int n, sqlite3_value **values) {
    twx_db *db = api->xUserData(fts);
    int rc = SQLITE_MISUSE;
    (void)n, (void)values;
    if (db->counted)
        rc = api->xPhraseCount(fts) ? count_phrases(db->cx, api, fts, db->counted)
                                    : count_index(api, fts, db->counted);
    if (rc != SQLITE_OK) sqlite3_result_error_code(result, rc);
}

/* The function is called for one row. */
static twx_rc run(twx_db *db, const char *sql, const twx_slice *phrases) {
    sqlite3_stmt *stmt = NULL;
    const twx_value value = twx_text(phrases ? *phrases : (twx_slice){NULL, 0});
    twx_rc rc = twx_db_row(db, sql, &value, phrases != NULL, &stmt);
    return twx_stmt_end(stmt, rc);
}

twx_rc twx_text_statistics_add(twx_db *db, twx_slice phrases, twx_text_statistics *s) {
    db->counted = s;
    twx_rc rc = run(db, TWX_SQL_QUERY_TEXT_TOTALS, NULL);
    if (rc == TWX_OK) rc = run(db, TWX_SQL_QUERY_TEXT_PHRASES, &phrases);
    db->counted = NULL;
    return rc;
}

void twx_text_statistics_use(twx_db *db, const twx_text_statistics *s) {
    db->statistics = s;
}

/* ---- scores --------------------------------------------------------------- */

/* What all rows of a query have in common. */
typedef struct query_weights {
    double average; /* length of a row */
    size_t n;
    double *rarity, *frequency; /* by phrase; the second of the current row */
} query_weights;

static query_weights *weigh(twx_ctx *cx, const twx_text_statistics *s, size_t n) {
    query_weights *w = twx_calloc(cx, 1, sizeof *w + 2 * n * sizeof(double));
    if (!w) return NULL;
    w->n = n;
    w->average = (double)s->tokens / (double)s->rows;
    w->rarity = (double *)(w + 1);
    w->frequency = w->rarity + n;
    for (size_t i = 0; i < n; i++) {
        const int64_t hits = s->matching.at[i];
        const double rarity = log(((double)(s->rows - hits) + 0.5) / ((double)hits + 0.5));
        w->rarity[i] = rarity <= 0.0 ? 1e-6 : rarity;
    }
    return w;
}

/* The weights of the statement, which keeps them. */
static int weights_of(twx_db *db, const Fts5ExtensionApi *api, Fts5Context *fts,
                      query_weights **ret_weights) {
    const size_t n = (size_t)api->xPhraseCount(fts);
    twx_text_statistics own = {0};
    const twx_text_statistics *s = db->statistics ? db->statistics : &own;
    int rc = SQLITE_OK;
    *ret_weights = api->xGetAuxdata(fts, 0);
    if (*ret_weights) return SQLITE_OK;
    if (!db->statistics) {
        rc = count_index(api, fts, &own);
        if (rc == SQLITE_OK) rc = count_phrases(db->cx, api, fts, &own);
    }
    if (rc == SQLITE_OK && s->matching.n != n) rc = SQLITE_MISMATCH; /* another query's */
    if (rc == SQLITE_OK) {
        *ret_weights = weigh(db->cx, s, n);
        rc = *ret_weights ? api->xSetAuxdata(fts, *ret_weights, twx_free) : SQLITE_NOMEM;
    }
    twx_text_statistics_done(&own);
    return rc;
}

/* Adds up the weights of the columns in which each phrase is. */
static int count_in_row(const Fts5ExtensionApi *api, Fts5Context *fts, query_weights *w, int n,
                        sqlite3_value **values) {
    int instances = 0;
    int rc = api->xInstCount(fts, &instances);
    for (size_t i = 0; i < w->n; i++) w->frequency[i] = 0;
    for (int i = 0; rc == SQLITE_OK && i < instances; i++) {
        int phrase = 0, column = 0, offset = 0;
        rc = api->xInst(fts, i, &phrase, &column, &offset);
        if (rc == SQLITE_OK)
            w->frequency[phrase] += column < n ? sqlite3_value_double(values[column]) : 1.0;
    }
    return rc;
}

/* The operations are those of FTS5, in its order, so that the sums are equal to the last bit. */
static void collection_bm25(const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *result,
                            int n, sqlite3_value **values) {
    const double k1 = 1.2, b = 0.75;
    query_weights *w = NULL;
    double score = 0.0;
    int length = 0;
    int rc = weights_of(api->xUserData(fts), api, fts, &w);
    if (rc == SQLITE_OK) rc = count_in_row(api, fts, w, n, values);
    if (rc == SQLITE_OK) rc = api->xColumnSize(fts, -1, &length);
    if (rc != SQLITE_OK) {
        sqlite3_result_error_code(result, rc);
        return;
    }
    for (size_t i = 0; i < w->n; i++)
        score += w->rarity[i] *
                 ((w->frequency[i] * (k1 + 1.0)) /
                  (w->frequency[i] + k1 * (1 - b + b * (double)length / w->average)));
    sqlite3_result_double(result, score);
}

/* ==== text_functions */

enum { TITLE_COLUMN = 0 };

/* Whether an instance of the phrase begins at this position of the title. */
static bool stands_at(const Fts5ExtensionApi *api, Fts5Context *fts, int phrase, int place,
                      int *ret_rc) {
    Fts5PhraseIter iterator;
    int column = -1, offset = 0;
    *ret_rc = api->xPhraseFirst(fts, phrase, &iterator, &column, &offset);
    if (*ret_rc != SQLITE_OK) return false;
    while (column == TITLE_COLUMN && offset < place)
        api->xPhraseNext(fts, &iterator, &column, &offset);
    return column == TITLE_COLUMN && offset == place;
}

static void whole_title(const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *result,
                        int n, sqlite3_value **values) {
    int rc = SQLITE_OK, words = 0, place = 0;
    const int phrases = api->xPhraseCount(fts);
    (void)n;
    (void)values;
    for (int i = 0; i < phrases; i++) place += api->xPhraseSize(fts, i);
    rc = api->xColumnSize(fts, TITLE_COLUMN, &words);
    bool whole = words == place && words > 0;
    place = 0;
    for (int i = 0; rc == SQLITE_OK && whole && i < phrases; i++) {
        const int size = api->xPhraseSize(fts, i);
        whole = size == 0 || stands_at(api, fts, i, place, &rc);
        place += size;
    }
    if (rc == SQLITE_OK)
        sqlite3_result_int(result, whole);
    else
        sqlite3_result_error_code(result, rc);
}

/* FTS5 passes its interface to a statement that binds a pointer (sqlite.org/fts5.html, "Extending
 * FTS5"). */
static twx_rc find_api(twx_db *db, fts5_api **ret_api) {
    sqlite3_stmt *stmt = NULL;
    if (!sqlite3_compileoption_used("ENABLE_FTS5"))
        return twx_fail(twx_db_ctx(db), TWX_E_CONFIG,
                        "this SQLite has no FTS5: there can be no text index");
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_TEXT_API, &stmt);
    if (rc != TWX_OK) return rc;
    if (sqlite3_bind_pointer(stmt, 1, (void *)ret_api, "fts5_api_ptr", NULL) != SQLITE_OK)
        rc = twx_db_fail(db, SQLITE_ERROR, "ask for FTS5");
    if (rc == TWX_OK) rc = twx_stmt_step(db, stmt);
    sqlite3_finalize(stmt);
    if (rc != TWX_OK || *ret_api) return rc;
    return twx_db_fail(db, SQLITE_ERROR, "ask for FTS5");
}

twx_rc twx_text_functions_register(twx_db *db) {
    fts5_api *api = NULL;
    twx_terms *terms = NULL;
    if (db->terms) return TWX_OK;
    twx_rc rc = find_api(db, &api);
    if (rc != TWX_OK) return rc;
    int made = api->xCreateFunction(api, "whole_title", NULL, whole_title, NULL);
    if (made != SQLITE_OK) return twx_db_fail(db, made, "register whole_title");
    int scores = api->xCreateFunction(api, "collection_bm25", db, collection_bm25, NULL);
    if (scores == SQLITE_OK)
        scores = api->xCreateFunction(api, "text_statistics", db, add_statistics, NULL);
    if (scores != SQLITE_OK) return twx_db_fail(db, scores, "register collection_bm25");
    rc = twx_terms_open(twx_db_ctx(db), &terms);
    if (rc != TWX_OK) return rc;
    made = twx_fts_terms_register(api, terms);
    if (made != SQLITE_OK) return twx_db_fail(db, made, "register the tokenizer");
    db->terms = terms;
    return TWX_OK;
}

twx_terms *twx_text_terms(const twx_db *db) {
    return db->terms;
}

/* ==== text_search */

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
enum { LIST_WEIGHTS, LIST_WHOLE, LIST_PARTS, LIST_SUM, LIST_NAMES, LISTS };

static twx_rc fill_lists(twx_ctx *cx, const twx_search *search, twx_buf list[LISTS]) {
    const twx_ranking *const rankings[] = {search->ranking, search->other}, *r = rankings[0];
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_TEXT_COLUMNS; i++) {
        rc = twx_buf_add_text(cx, &list[LIST_WEIGHTS], ", ");
        if (rc == TWX_OK) rc = twx_buf_printf(cx, &list[LIST_WEIGHTS], "%.17g", r->weight[i]);
    }
    if (rc == TWX_OK)
        rc = twx_buf_printf(cx, &list[LIST_WHOLE], "%.17g", r->weight[TWX_TEXT_COLUMNS]);
    for (size_t k = 0, n = 0; rc == TWX_OK && k < (search->other ? 2 : 1); k++)
        for (size_t i = 0; rc == TWX_OK && i < rankings[k]->n_parts; i++, n++) {
            rc = twx_buf_printf(cx, &list[LIST_PARTS], ",\n           %s AS p%zu",
                                rankings[k]->parts[i], n);
            if (rc == TWX_OK && k == 0) rc = twx_buf_printf(cx, &list[LIST_SUM], " + p%zu", n);
            if (rc == TWX_OK) rc = twx_buf_printf(cx, &list[LIST_NAMES], ", p%zu", n);
        }
    if (rc != TWX_OK || !search->other) return rc;
    rc = twx_buf_printf(cx, &list[LIST_PARTS],
                        ",\n           (%s) IS TRUE AS own, (%s) IS TRUE AS others", r->filter,
                        search->other->filter);
    return rc == TWX_OK ? twx_buf_add_text(cx, &list[LIST_NAMES], ", own, others") : rc;
}

static twx_rc prepare(twx_db *db, const twx_search *search, const char *sql,
                      sqlite3_stmt **ret_stmt) {
    twx_ctx *cx = twx_db_ctx(db);
    twx_buf list[LISTS], out = {.max = SQL_BYTES};
    for (size_t i = 0; i < LISTS; i++) twx_buf_init(&list[i], LIST_BYTES);
    twx_rc rc = fill_lists(cx, search, list);
    twx_template t = {.generation = search->generation,
                      .direct = search->direct,
                      .filter = search->other ? "1" : search->ranking->filter,
                      .weights = list[LIST_WEIGHTS].p,
                      .whole = list[LIST_WHOLE].p,
                      .parts = list[LIST_PARTS].p,
                      .sum = list[LIST_SUM].p,
                      .names = list[LIST_NAMES].p,
                      .order = search->other               ? ""
                               : search->limit < INT64_MAX ? TWX_SQL_PART_LIMITED_ORDER
                                                           : TWX_SQL_PART_HIT_ORDER};
    if (rc == TWX_OK) rc = twx_remotes_any(db, search->generation, &t.remotes);
    if (rc == TWX_OK) rc = twx_template_fill(cx, &out, sql, &t);
    if (rc == TWX_OK) rc = twx_stmt_prepare(db, out.p, ret_stmt);
    for (size_t i = 0; i < LISTS; i++) twx_buf_done(&list[i]);
    twx_buf_done(&out);
    return rc;
}

twx_rc twx_search_statement(twx_ctx *cx, const char *filter, const char *score, twx_buf *out) {
    const twx_template t = {.generation = 'a', .direct = true, .filter = filter, .score = score};
    return twx_template_fill(cx, out, TWX_SQL_QUERY_RANK_DOCUMENTS, &t);
}

/* ---- searching ---------------------------------------------------------- */

static void read_hit(twx_hit_cursor *c) {
    sqlite3_stmt *stmt = c->stmt;
    const size_t n = c->n_parts + c->n_others;
    for (size_t i = 0; i < n; i++) c->parts[i] = sqlite3_column_double(stmt, FIRST_PART + (int)i);
    const int both = FIRST_PART + (int)n;
    c->hit = (twx_hit){.doc = sqlite3_column_int64(stmt, 0),
                       .has_cluster = sqlite3_column_type(stmt, 1) != SQLITE_NULL,
                       .cluster = sqlite3_column_int64(stmt, 1),
                       .takes_part = sqlite3_column_int(stmt, 2) != 0,
                       .score = sqlite3_column_double(stmt, 3),
                       .text_score = sqlite3_column_double(stmt, 4),
                       .parts = c->parts,
                       .passes = !c->both || sqlite3_column_int(stmt, both)};
    if (!c->both) return;
    c->hit.passes_other = sqlite3_column_int(stmt, both + 1);
    c->hit.other_parts = c->parts + c->n_parts;
    c->hit.other_score = c->hit.text_score;
    for (size_t i = c->n_parts; i < n; i++) c->hit.other_score += c->parts[i];
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
               : twx_plain_query(twx_db_ctx(db), twx_text_terms(db), query, false, out);
}

twx_rc twx_text_phrases(twx_db *db, twx_slice query, twx_buf *out) {
    return twx_plain_query(twx_db_ctx(db), twx_text_terms(db), query, true, out);
}

twx_rc twx_hit_cursor_open(twx_db *db, const twx_search *search, twx_hit_cursor *ret_cursor) {
    twx_hit_cursor *c = ret_cursor;
    const int64_t limit = search->limit > INT64_MAX ? INT64_MAX : (int64_t)search->limit;
    c->db = db;
    c->stmt = NULL;
    c->both = search->other != NULL;
    c->n_parts = search->ranking->n_parts;
    c->n_others = c->both ? search->other->n_parts : 0;
    if (c->n_parts + c->n_others > TWX_SEARCH_PARTS)
        return twx_fail(twx_db_ctx(db), TWX_E_INTERNAL, "too many parts of a ranking");
    twx_rc rc = twx_text_functions_register(db);
    if (rc == TWX_OK) rc = prepare(db, search, TWX_SQL_QUERY_TEXT_SEARCH, &c->stmt);
    if (rc == TWX_OK) rc = twx_bind(db, c->stmt, TWX_VALUES(twx_text(search->query)));
    if (rc == TWX_OK && limit < INT64_MAX) rc = twx_bind_int(db, c->stmt, 2, limit);
    return rc == TWX_OK ? twx_hit_cursor_next(c) : rc;
}

twx_rc twx_hit_cursor_next(twx_hit_cursor *c) {
    const twx_rc rc = step(c->db, c->stmt);
    c->there = rc == TWX_OK;
    if (c->there) read_hit(c);
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
    return twx_stmt_end(stmt, rc);
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
    TWX_HAND_OVER(rc, ret_snippets, s, twx_snippets_close(s));
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

twx_rc twx_snippets_make(twx_snippets *s, const twx_snippet_of *of, twx_slice *ret_title,
                         twx_slice *ret_snippet) {
    static const char BEGIN[] = {TWX_MARK_BEGIN, '\0'}, END[] = {TWX_MARK_END, '\0'};
    sqlite3_reset(s->match);
    twx_rc rc = twx_stmt_run(&s->db, s->clear);
    twx_terms_set_language(twx_text_terms(&s->db), of->language);
    if (rc == TWX_OK)
        rc = twx_stmt_write(&s->db, s->put,
                            TWX_VALUES(twx_int(1), twx_text(of->title), twx_text(of->text)));
    if (rc == TWX_OK)
        rc = twx_stmt_first(&s->db, s->match,
                            TWX_VALUES(twx_text(of->query), twx_text_of(BEGIN), twx_text_of(END),
                                       twx_int(SNIPPET_WORDS)));
    if (rc != TWX_OK) return rc;
    *ret_title = twx_column_text(s->match, 0);
    *ret_snippet = twx_column_text(s->match, 1);
    return TWX_OK;
}
