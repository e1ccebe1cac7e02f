/* wings: predict */
/* A store whose tables other programs have changed: each change is a column of a table of Twindex,
 * a type, a length and bytes. Laws: every reader of stored rows ends with what it read or with an
 * error that has a message; records and facts lie within their bytes; a prediction is a
 * probability. */
#include "exact_copy.h"

#include "predict/predict.h"

enum { CHANGES_MAX = 4, COLUMNS_MAX = 200, ROWS = 3 };

/* http://a.example/, status 200; a text profile and the payload of a text of one word */
#define PACKED "210a45e7b65de0d81200112233445566778899aabbccddeeff110400000504e8024101"

static twx_ctx cx;
static char NAME[] = "fuzz";
static twx_db db = {.cx = &cx, .path = NAME, .mode = TWX_DB_OWNER};
static sqlite3_stmt *change[COLUMNS_MAX]; /* UPDATE of one column */
static size_t columns;

/* An error has a message, and is not one of the program. */
static void outcome(twx_rc rc) {
    law(rc == TWX_OK || rc == TWX_DONE ||
        (rc != TWX_E_INTERNAL && rc != TWX_E_USAGE && cx.message[0]));
    twx_ctx_clear(&cx);
}

static void run(const char *sql) {
    law(sqlite3_exec(db.handle, sql, NULL, NULL, NULL) == SQLITE_OK);
}

static void fill_store(void) {
    run("INSERT INTO documents(id, url, text) VALUES (1, 'http://a.example/', 'a'), "
        "(2, 'http://a.example/?b=1', 'a')");
    run("UPDATE twindex_state SET generation = 'a', run_a = 1, run_b = 1, id_kind = 'mapped'");
    run("INSERT INTO twindex_document VALUES (1, 'a'), (2, 'b')");
    run("INSERT INTO twindex_signature VALUES (1, 1, 0, x'" PACKED "'), "
        "(2, 1, 1, x'" PACKED "'), (3, 1, 0, x'" PACKED "')");
    run("INSERT INTO twindex_fingerprint VALUES (0, 7)");
    run("INSERT INTO twindex_flag(doc, only_in, eligibility, link_state) VALUES (1, 0, 0, 0), "
        "(2, 1, 0, 0), (2, 2, 0, 0)");
    run("INSERT INTO twindex_run(run, started_at, state, version) VALUES (1, 1, 'published', '1')");
    run("INSERT INTO twindex_site VALUES ('a', 'a.example', 2)");
    run("INSERT INTO twindex_link VALUES (1, 'http://a.example/?b=1')");
    run("INSERT INTO twindex_url_model VALUES (1, 1, 1, 2, 1)");
    run("INSERT INTO twindex_url_hypothesis VALUES (7, 1, 'parameter', 'http://a.example/', 'b', "
        "NULL, NULL, 9, 1), (8, 10, 'origin', 'http://a.example', NULL, NULL, 'http://b.example', "
        "9, 1)");
    run("INSERT INTO twindex_url_seen VALUES (1, 0), (2, 7)");
}

static void list_columns(void) {
    sqlite3_stmt *list = NULL;
    law(sqlite3_prepare_v2(db.handle,
                           "SELECT s.name, c.name FROM sqlite_schema AS s, "
                           "pragma_table_info(s.name) AS c WHERE s.type = 'table' AND s.name LIKE "
                           "'twindex!_%' ESCAPE '!' ORDER BY 1, c.cid",
                           -1, &list, NULL) == SQLITE_OK);
    while (sqlite3_step(list) == SQLITE_ROW && columns < COLUMNS_MAX) {
        char *sql = sqlite3_mprintf("UPDATE OR IGNORE \"%w\" SET \"%w\" = ?1",
                                    sqlite3_column_text(list, 0), sqlite3_column_text(list, 1));
        law(sql && sqlite3_prepare_v2(db.handle, sql, -1, &change[columns++], NULL) == SQLITE_OK);
        sqlite3_free(sql);
    }
    sqlite3_finalize(list);
}

static void make_store(void) {
    twx_ctx_init(&cx);
    law(sqlite3_open(":memory:", &db.handle) == SQLITE_OK);
    law(twx_make_documents(&db) == TWX_OK && twx_migrate(&db, &TWX_SCHEMA) == TWX_OK);
    law(twx_url_model_make(&db) == TWX_OK);
    law(twx_links_make(&db) == TWX_OK);
    fill_store();
    run("PRAGMA ignore_check_constraints = ON");
    sqlite3_db_config(db.handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    list_columns();
}

static void bind(sqlite3_stmt *stmt, unsigned type, twx_slice bytes) {
    int64_t number = 0;
    memcpy(&number, bytes.p, bytes.n < sizeof number ? bytes.n : sizeof number);
    switch (type % 6) {
    case 0: sqlite3_bind_int64(stmt, 1, number); break;
    case 1: sqlite3_bind_text(stmt, 1, bytes.p, (int)bytes.n, SQLITE_STATIC); break;
    case 2: sqlite3_bind_null(stmt, 1); break;
    case 3: sqlite3_bind_double(stmt, 1, (double)number); break;
    case 4: sqlite3_bind_int64(stmt, 1, number < 0 ? INT64_MIN : INT64_MAX); break;
    default: sqlite3_bind_blob(stmt, 1, bytes.p, (int)bytes.n, SQLITE_STATIC);
    }
}

static void make_changes(const uint8_t *data, size_t size) {
    for (int i = 0; i < CHANGES_MAX && size >= 3; i++) {
        const size_t n = data[2] < size - 3 && i + 1 < CHANGES_MAX ? data[2] : size - 3;
        const twx_slice bytes = exact_copy(data + 3, n);
        sqlite3_stmt *stmt = change[data[0] % columns];
        bind(stmt, data[1], bytes);
        sqlite3_step(stmt);
        sqlite3_reset(stmt);
        sqlite3_clear_bindings(stmt);
        data += 3 + n;
        size -= 3 + n;
    }
}

/* ---- readers ------------------------------------------------------------ */

static twx_rc read_signature(void *arg, const twx_stored *stored) {
    twx_facts facts;
    twx_record record;
    const twx_rc rc = twx_facts_unpack(&cx, stored->facts, &facts);
    (void)arg;
    if (rc == TWX_OK) law(facts.host.n <= stored->facts.n);
    return rc == TWX_OK ? twx_record_read(&cx, stored->record, &record) : rc;
}

static twx_rc count_site(void *arg, const twx_site_count *count) {
    (void)arg;
    law(count->documents <= UINT32_MAX);
    return TWX_OK;
}

static twx_rc take_link(void *arg, twx_slice from, twx_slice to) {
    size_t *bytes = arg;
    *bytes += from.n + to.n;
    return TWX_OK;
}

static void read_rows(void) {
    twx_generations *g = NULL;
    twx_signatures *s = NULL;
    twx_state state;
    twx_flag_row rows[ROWS];
    twx_value id;
    size_t n = 0, bytes = 0;
    law(twx_generations_open(&db, &g) == TWX_OK && twx_signatures_open(&db, &s) == TWX_OK);
    outcome(twx_state_read(g, &state));
    for (char generation = 'a'; generation <= 'b'; generation++) {
        twx_flags_cursor c = {0};
        outcome(twx_flags_cursor_init(db.cx, g, generation, &c));
        outcome(twx_flags_cursor_fill(db.cx, &c, rows, ROWS, &n));
        law(n <= ROWS);
        twx_flags_cursor_done(&c);
        outcome(twx_flags_get(g, generation, 1, rows));
        outcome(twx_site_counts_each(&db, generation, count_site, NULL));
    }
    outcome(twx_signatures_each(s, true, read_signature, NULL));
    outcome(twx_signatures_each(s, false, read_signature, NULL));
    outcome(twx_document_id(s, 1, &id));
    outcome(twx_links_each(&db, take_link, &bytes));
    twx_signatures_close(s);
    twx_generations_close(g);
}

static void read_model(void) {
    static twx_url_variants page;
    const twx_job job = {.cx = &cx, .store = "fuzz"};
    twx_url_model_head head;
    twx_model model;
    twx_model_init(&model);
    const twx_rc rc = twx_model_load(&job, &db, true, &model, &head);
    outcome(rc);
    if (rc == TWX_OK) {
        twx_url_variants_of(TWX_SLICE_LIT("http://a.example/c/?b=1&d=2"), &page);
        const twx_prediction p = twx_model_predict(&model, NULL, &page);
        law(p.probability >= 0 && p.probability <= 1);
    }
    twx_model_done(&model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!columns) make_store();
    run("BEGIN");
    make_changes(data, size);
    read_rows();
    read_model();
    run("ROLLBACK");
    return exact_end();
}
