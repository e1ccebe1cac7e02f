/* The probability that a URL leads to a duplicate, from the tables that `twindex learn` wrote to
 * the database (predict/model.c).
 *
 * The model is read once and kept in the connection's state; each call checks whether its head is
 * unchanged. No statement is kept, because SQLite does not close a connection that has some. While
 * a model is read the statement of its head stays open, so that everything is read from one
 * snapshot of the database. */

#include "ext/ext.h"
#include "function_rows.h"
#include "predict/predict.h"
#include "sql_text.h"

enum { HEAD_COLUMNS = 4, FINGERPRINT = 1 /* run, fingerprint, urls, share */ };

typedef struct head {
    int64_t columns[HEAD_COLUMNS];
} head;

struct twx_ext_model {
    head head; /* the head it was read under */
    twx_model model;
    twx_url_variants page; /* the URL being predicted: too large for the stack */
};

static void close_model(twx_ext_model *m) {
    if (!m) return;
    twx_model_done(&m->model);
    twx_free(m);
}

static twx_rc failed(twx_ext *x, int code) {
    const twx_rc rc = code == SQLITE_NOMEM       ? TWX_E_NOMEM
                      : code == SQLITE_INTERRUPT ? TWX_E_INTERRUPTED
                                                 : TWX_E_DATA;
    return twx_fail(&x->cx, rc,
                    "cannot read the learned model: %s; run 'twindex learn' on the store",
                    sqlite3_errmsg(x->db));
}

static twx_rc prepare(twx_ext *x, const char *sql, sqlite3_stmt **ret_stmt) {
    const int code = sqlite3_prepare_v2(x->db, sql, -1, ret_stmt, NULL);
    return code == SQLITE_OK ? TWX_OK : failed(x, code);
}

/* TWX_DONE after the last row. */
static twx_rc step(twx_ext *x, sqlite3_stmt *stmt) {
    const int code = sqlite3_step(stmt);
    if (code == SQLITE_ROW) return TWX_OK;
    return code == SQLITE_DONE ? TWX_DONE : failed(x, code);
}

static twx_rc read_contexts(twx_ext *x, twx_model *m) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = prepare(x, TWX_SQL_QUERY_PREDICT_CONTEXTS, &stmt);
    while (rc == TWX_OK && (rc = step(x, stmt)) == TWX_OK) {
        const twx_context row = twx_url_context_of(stmt);
        if (row.row < TWX_HYPOTHESES) rc = twx_model_add_context(&x->cx, m, &row);
    }
    sqlite3_finalize(stmt);
    return rc == TWX_DONE ? twx_model_ready(&x->cx, m) : rc;
}

static twx_rc read_seen(twx_ext *x, twx_model *m) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = prepare(x, TWX_SQL_QUERY_PREDICT_SEEN, &stmt);
    if (rc == TWX_OK) {
        sqlite3_bind_int64(stmt, 1, INT64_MIN); /* below all keys */
        sqlite3_bind_int64(stmt, 2, -1);        /* no limit */
    }
    while (rc == TWX_OK && (rc = step(x, stmt)) == TWX_OK)
        rc = twx_map64_place(&x->cx, &m->seen, (uint64_t)sqlite3_column_int64(stmt, 0),
                             (uint64_t)sqlite3_column_int64(stmt, 1), NULL, NULL);
    sqlite3_finalize(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc read_model(twx_ext *x, const head *of) {
    twx_ext_model *m = twx_calloc(&x->cx, 1, sizeof *m);
    if (!m) return TWX_E_NOMEM;
    m->head = *of;
    twx_model_init(&m->model);
    twx_rc rc = read_contexts(x, &m->model);
    if (rc == TWX_OK) rc = read_seen(x, &m->model);
    if (rc == TWX_OK) {
        close_model(x->model);
        x->model = m;
        x->close_model = close_model;
        m = NULL;
    }
    close_model(m);
    return rc;
}

static twx_rc use_model(twx_ext *x, const head *now) {
    if ((uint64_t)now->columns[FINGERPRINT] != twx_model_fingerprint(&x->params.url))
        return twx_fail(&x->cx, TWX_E_DATA,
                        "the learned model is of another version, or of url.* settings, which URLs "
                        "in SQL do not have");
    if (x->model && memcmp(&x->model->head, now, sizeof *now) == 0) return TWX_OK;
    return read_model(x, now);
}

/* Reloads x->model when the database has another one. */
static twx_rc refresh_model(twx_ext *x) {
    sqlite3_stmt *stmt = NULL;
    head now = {{0}};
    twx_rc rc = prepare(x, TWX_SQL_QUERY_PREDICT_HEAD, &stmt);
    if (rc == TWX_OK) rc = step(x, stmt);
    if (rc == TWX_DONE)
        rc = twx_fail(&x->cx, TWX_E_DATA,
                      "no model has been learned yet: run 'twindex learn' on the store");
    for (int i = 0; rc == TWX_OK && i < HEAD_COLUMNS; i++)
        now.columns[i] = sqlite3_column_int64(stmt, i);
    if (rc == TWX_OK) rc = use_model(x, &now);
    sqlite3_finalize(stmt);
    return rc;
}

static twx_rc duplicate_probability(twx_ext_call *call) {
    twx_ext *x = call->ext;
    twx_slice text;
    twx_url url;
    twx_rc rc = twx_ext_bytes(call, 0, &text);
    if (rc == TWX_OK) rc = refresh_model(x);
    if (rc == TWX_OK) rc = twx_url_normalize(&x->cx, &x->scratch, &x->params.url, text, &url);
    if (rc != TWX_OK) return rc;
    if (url.fault != TWX_URL_OK) return TWX_DONE;
    twx_url_variants_of(url.whole, &x->model->page);
    sqlite3_result_double(call->context,
                          twx_model_predict(&x->model->model, NULL, &x->model->page).probability);
    return TWX_OK;
}

static const twx_ext_function FUNCTIONS[] = {TWX_PREDICT_FUNCTIONS};

extern const twx_ext_functions TWX_FUNCTIONS_PREDICT;
const twx_ext_functions TWX_FUNCTIONS_PREDICT = {FUNCTIONS, TWX_COUNTOF(FUNCTIONS)};
