#include "store/text_scores.h"

#include <math.h>

#include "sql_text.h"
#include "store/stmt.h"

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
    twx_rc rc = twx_stmt_prepare(db, sql, &stmt);
    if (rc == TWX_OK && phrases) rc = twx_bind_text(db, stmt, 1, *phrases);
    if (rc == TWX_OK) rc = twx_stmt_step(db, stmt);
    sqlite3_finalize(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
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

int twx_text_scores_register(twx_db *db, fts5_api *api) {
    const int rc = api->xCreateFunction(api, "collection_bm25", db, collection_bm25, NULL);
    return rc == SQLITE_OK ? api->xCreateFunction(api, "text_statistics", db, add_statistics, NULL)
                           : rc;
}
