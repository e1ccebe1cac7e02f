#include "store/text_functions.h"

#include "sql_text.h"
#include "store/stmt.h"
#include "store/text_scores.h"
#include "text/fts_terms.h"

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

static twx_rc register_tokenizer(twx_db *db, fts5_api *api) {
    twx_terms *terms = NULL;
    twx_rc rc = twx_terms_open(twx_db_ctx(db), &terms);
    if (rc != TWX_OK) return rc;
    const int made = twx_fts_terms_register(api, terms);
    if (made != SQLITE_OK) return twx_db_fail(db, made, "register the tokenizer");
    db->terms = terms;
    return TWX_OK;
}

twx_rc twx_text_functions_register(twx_db *db) {
    fts5_api *api = NULL;
    if (db->terms) return TWX_OK;
    twx_rc rc = find_api(db, &api);
    if (rc != TWX_OK) return rc;
    const int made = api->xCreateFunction(api, "whole_title", NULL, whole_title, NULL);
    if (made != SQLITE_OK) return twx_db_fail(db, made, "register whole_title");
    const int scores = twx_text_scores_register(db, api);
    if (scores != SQLITE_OK) return twx_db_fail(db, scores, "register collection_bm25");
    return register_tokenizer(db, api);
}

twx_terms *twx_text_terms(const twx_db *db) {
    return db->terms;
}
