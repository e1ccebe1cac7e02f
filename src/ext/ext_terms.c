/* The tokenizer of the text index, so that a connection of another program can query it, and the
 * language of its queries. */
#include "ext/ext_functions.h"
#include "sql_text.h"
#include "text/fts_terms.h"
#include "text/plain_query.h"

/* NULL: this SQLite has no FTS5, so there can be no text index to query. */
static fts5_api *find_api(sqlite3 *db) {
    fts5_api *api = NULL;
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(db, TWX_SQL_QUERY_TEXT_API, -1, &stmt, NULL) == SQLITE_OK) {
        sqlite3_bind_pointer(stmt, 1, (void *)&api, "fts5_api_ptr", NULL);
        sqlite3_step(stmt);
    }
    sqlite3_finalize(stmt);
    return api;
}

int twx_ext_register_terms(sqlite3 *db, twx_faults *faults) {
    twx_ctx cx;
    twx_terms *terms = NULL;
    fts5_api *api = find_api(db);
    if (!api) return SQLITE_OK;
    twx_ctx_init(&cx);
    cx.faults = faults;
    if (twx_terms_open(&cx, &terms) != TWX_OK) return SQLITE_NOMEM;
    twx_terms_set_languages(terms, TWX_LANGUAGES_ALL);
    return twx_fts_terms_register(api, terms);
}

/* ---- functions -------------------------------------------------------------- */

typedef struct listing {
    twx_ctx *cx;
    twx_buf out;
} listing;

/* "house/english": the byte of the language as its name. */
static twx_rc list_term(void *arg, const twx_term *term) {
    listing *l = arg;
    twx_slice text = term->text;
    const char *language = text.n > 1 ? twx_stem_language_name((unsigned char)text.p[text.n - 1])
                                      : NULL;
    twx_rc rc = l->out.n == 0 ? TWX_OK
                              : twx_buf_add_char(l->cx, &l->out, term->same_place ? ' ' : '\n');
    if (language) text.n--;
    if (rc == TWX_OK) rc = twx_buf_add_slice(l->cx, &l->out, text);
    return rc == TWX_OK && language ? twx_buf_printf(l->cx, &l->out, "/%s", language) : rc;
}

twx_rc twx_ext_search_terms(twx_ext_call *call) {
    listing l = {.cx = &call->ext->cx};
    twx_terms *terms = NULL;
    twx_slice text = {NULL, 0}, language = {NULL, 0};
    twx_rc rc = twx_ext_bytes(call, 0, &text);
    if (rc == TWX_OK && call->n > 1) rc = twx_ext_bytes(call, 1, &language);
    if (rc == TWX_OK) rc = twx_terms_open(l.cx, &terms);
    if (rc != TWX_OK) return rc;
    twx_buf_init(&l.out, SIZE_MAX / 4);
    twx_terms_set_language(terms, twx_stem_language(language));
    rc = twx_terms_each(terms, text, false, list_term, &l);
    if (rc == TWX_E_NOMEM) rc = twx_fail(l.cx, rc, "out of memory for stemmers");
    if (rc == TWX_OK) rc = twx_ext_give_text(call, twx_buf_slice(&l.out));
    twx_buf_done(&l.out);
    twx_terms_close(terms);
    return rc;
}

twx_rc twx_ext_search_expression(twx_ext_call *call) {
    twx_terms *terms = NULL;
    twx_buf out;
    twx_slice query = {NULL, 0};
    twx_rc rc = twx_ext_bytes(call, 0, &query);
    if (rc == TWX_OK) rc = twx_terms_open(&call->ext->cx, &terms);
    if (rc != TWX_OK) return rc;
    twx_buf_init(&out, SIZE_MAX / 4);
    rc = twx_plain_query(&call->ext->cx, terms, query, &out);
    if (rc == TWX_OK) rc = twx_ext_give_text(call, twx_buf_slice(&out));
    twx_buf_done(&out);
    twx_terms_close(terms);
    return rc;
}
