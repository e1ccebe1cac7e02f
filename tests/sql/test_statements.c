/* wings: predict cluster */
/* sql/: every statement fits the schema, finds its rows by an index, and says what it is for; the
 * tables and the view document_flags are what the code's tables say. */
#include "store_maker.h"

#include <ftw.h>

#include "predict/predict.h"
#include "store/internal.h"

/* A store with our documents, twindex's tables and the published views. */
static const char *make_store(void) {
    const char *path = test_file("statements.db");
    twx_ctx cx = {0};
    twx_db *db = NULL;
    twx_generations *g = NULL;
    const twx_db_options own = {.mode = TWX_DB_OWNER, .create = true};
    const twx_publication p = {.direct = true, .summary = "{}"};
    twx_claim claim = {.token = 1, .settings = "{}"};
    assert_ok(twx_db_open(&cx, path, &own, &db));
    assert_ok(twx_make_documents(db));
    assert_ok(twx_links_make(db));
    assert_ok(twx_migrate(db, &TWX_SCHEMA));
    assert_ok(twx_text_index_make(db));
    assert_ok(twx_url_model_make(db));
    assert_ok(twx_remotes_put(db, 'a', NULL, 0));
    assert_ok(twx_generations_open(db, &g));
    assert_ok(twx_generation_claim(g, &claim));
    assert_ok(twx_generation_publish(g, &claim, &p));
    twx_generations_close(g);
    twx_db_close(db);
    return path;
}

/* ---- statements --------------------------------------------------------- */

static sqlite3 *store;
static size_t statements;

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 16);
    assert_non_null(file);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return text;
}

/* The text of a statement of a file of sql/. Owned by the caller. */
static char *statement_of(const char *file, const char *name) {
    char *text = read_file(file), begins[128];
    snprintf(begins, sizeof begins, "-- name: %s\n", name);
    char *at = strstr(text, begins);
    if (!at) fail_msg("%s has no statement %s", file, name);
    at += strlen(begins);
    char *end = strstr(at, "-- name: ");
    char *copy = strndup(at, end ? (size_t)(end - at) : strlen(at));
    free(text);
    return copy;
}

/* As the program fills it. */
static char *fill(char *sql) {
    const twx_template t = {
        .generation = 'a', .direct = true, .filter = "1", .score = "0.0", .whole = "0.0"};
    twx_ctx cx = {0};
    twx_buf out = {.max = 1 << 18};
    if (twx_template_fill(&cx, &out, sql, &t) != TWX_OK) fail_msg("%s", cx.message);
    free(sql);
    char *filled = strdup(out.p);
    twx_buf_done(&out);
    return filled;
}

static bool ends(const char *path, const char *with) {
    return strlen(path) >= strlen(with) && strcmp(path + strlen(path) - strlen(with), with) == 0;
}

/* "-- plan: ..." promises something of the plan: that an index is used, or that nothing is sorted.
 */
static void check_plan(const char *path, const char *sql) {
    char *explain = sqlite3_mprintf("EXPLAIN QUERY PLAN %s", sql), plan[4096] = "";
    sqlite3_stmt *stmt = NULL;
    assert_ok(sqlite3_prepare_v2(store, explain, -1, &stmt, NULL));
    while (sqlite3_step(stmt) == SQLITE_ROW)
        snprintf(plan + strlen(plan), sizeof plan - strlen(plan), "%s; ",
                 sqlite3_column_text(stmt, 3));
    sqlite3_finalize(stmt);
    sqlite3_free(explain);
    /* reports look at everything, and sort it; what rules make of documents has to be sorted */
    if (strstr(path, "/display/") || strstr(path, "/rank/") || ends(path, "/text/search")) return;
    const bool whole = strstr(path, "/digest_") || ends(path, "/sweep") || ends(path, "/bury") ||
                       strstr(path, "/each") || ends(path, "/predict/contexts") ||
                       ends(path, "/count") || strstr(path, "/schema/") ||
                       strstr(path, "/vote/") || /* a row for a run */
                       strstr(sql, "LIMIT");
    if (!whole && strstr(plan, "SCAN twindex_") && !strstr(plan, "SCAN twindex_change") &&
        !strstr(plan, "VIRTUAL TABLE"))
        fail_msg("%s reads a whole table: %s", path, plan);
    /* to count them by an index reads none of them */
    if (strstr(plan, "SCAN documents") && !strstr(plan, "SCAN documents USING COVERING INDEX"))
        fail_msg("%s reads all documents: %s", path, plan);
    if (strstr(plan, "ORDER BY") && !strstr(path, "/schema/")) fail_msg("%s sorts: %s", path, plan);
    if (strstr(path, "find_payload") && !strstr(plan, "documents_payload"))
        fail_msg("%s: %s", path, plan);
}

/* path: of the file, without .sql, and the name of the statement. */
static void check_statement(const char *path, char *sql) {
    const char *rest = NULL;
    sqlite3_stmt *stmt = NULL;
    if (strncmp(sql, "-- ", 3) != 0) fail_msg("%s does not say what it is for", path);
    sql = fill(sql);
    if (sqlite3_prepare_v2(store, sql, -1, &stmt, &rest) != SQLITE_OK)
        fail_msg("%s: %s", path, sqlite3_errmsg(store));
    if (rest[strspn(rest, " \n;")]) fail_msg("%s has more than one statement", path);
    const int parameters = sqlite3_bind_parameter_count(stmt);
    if (parameters > 0 && !strstr(sql, "in:")) fail_msg("%s does not say what ?1 is", path);
    if (sqlite3_column_count(stmt) > 0 && !strstr(sql, "out:") && !strstr(path, "/digest_"))
        fail_msg("%s does not say what it gives", path);
    sqlite3_finalize(stmt);
    check_plan(path, sql);
    free(sql);
    statements++;
}

static int check_file(const char *file, const struct stat *st, int type, struct FTW *at) {
    (void)st, (void)at;
    if (type != FTW_F) return 0;
    char *text = read_file(file), *name = strstr(text, "-- name: ");
    while (name) {
        char path[512];
        name += strlen("-- name: ");
        const size_t n = strcspn(name, "\n");
        snprintf(path, sizeof path, "%.*s/%.*s", (int)(strlen(file) - strlen(".sql")), file, (int)n,
                 name);
        char *next = strstr(name, "-- name: "), *sql = name + n + 1;
        check_statement(path, strndup(sql, next ? (size_t)(next - sql) : strlen(sql)));
        name = next;
    }
    free(text);
    return 0;
}

TEST(every_statement_fits_the_schema) {
    /* what a store and the ledger of the shards have besides */
    static const char *const SHARD_TABLES[] = {"vote_ledger", "prepared", "store_key"};
    store = test_open(make_store());
    test_text_functions(store);
    for (size_t i = 0; i < TWX_COUNTOF(SHARD_TABLES); i++) {
        char *script = statement_of(TWINDEX_SOURCE_DIR "/sql/schema.sql", SHARD_TABLES[i]);
        test_exec(store, script);
        free(script);
    }
    assert_int_equal(nftw(TWINDEX_SOURCE_DIR "/sql/query", check_file, 16, FTW_PHYS), 0);
    assert_true(statements > 30);
    sqlite3_close(store);
}

/* ---- tables ------------------------------------------------------------- */

static void expect_columns(sqlite3 *db, const char *table, const char *const *names, size_t n) {
    sqlite3_stmt *stmt = NULL;
    assert_ok(sqlite3_prepare_v2(db, "SELECT name FROM pragma_table_info(?1) ORDER BY cid", -1,
                                 &stmt, NULL));
    sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
        assert_string_equal((const char *)sqlite3_column_text(stmt, 0), names[i]);
    }
    assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
    sqlite3_finalize(stmt);
}

TEST(both_generations_have_the_columns_of_a_flag_row) {
    static const char *const NAMES[] = {"doc", "only_in",
#define COLUMN_NAME(name) #name,
                                        TWX_FLAG_TABLE(COLUMN_NAME)
#undef COLUMN_NAME
    };
    sqlite3 *db = test_open(make_store());
    expect_columns(db, "twindex_flag", NAMES, sizeof NAMES / sizeof *NAMES);
    sqlite3_close(db);
}

TEST(the_view_has_the_flags_of_the_table_in_their_order) {
    const char *names[TWX_FLAGS + 2] = {"id"};
    for (size_t i = 0; i < TWX_FLAGS; i++) names[i + 1] = twx_flag_at(i)->name;
    names[TWX_FLAGS + 1] = "duplicate_of_shard";
    sqlite3 *db = test_open(make_store());
    expect_columns(db, "document_flags", names, TWX_FLAGS + 2);
    sqlite3_close(db);
}

/* ---- the view and judge/groups.c say the same of any row ----------------- */

static twx_flag_row draw_row(test_rng *rng, int64_t doc) {
    twx_flag_row row = {.doc = doc};
    for (int c = 0; c < TWX_FLAG_COLUMNS; c++)
        if (test_rng_below(rng, 3))
            twx_flag_set(&row, (twx_flag_column)c, (int64_t)test_rng_below(rng, 5));
    twx_flag_set(&row, TWX_FLAG_eligibility,
                 test_rng_below(rng, 2) ? 0 : (int64_t)test_rng_below(rng, 7));
    twx_flag_set(&row, TWX_FLAG_link_state, (int64_t)test_rng_below(rng, 7));
    if (twx_flag_known(&row, TWX_FLAG_duplicate_type))
        row.v[TWX_FLAG_duplicate_type] = 1 + (int64_t)test_rng_below(rng, 4);
    if (twx_flag_known(&row, TWX_FLAG_edition_value)) {
        char text[TWX_EDITION_NUMBER_TEXT] = {0};
        const size_t n = 1 + test_rng_below(rng, sizeof text - 1);
        for (size_t i = 0; i < n; i++) text[i] = "abmnz019.-_"[test_rng_below(rng, 11)];
        row.v[TWX_FLAG_edition_value] = twx_edition_number(text);
    }
    return row;
}

static void expect_flag(sqlite3_stmt *stmt, int at, const twx_flag *flag, const twx_flag_row *row) {
    int64_t v = 0;
    const bool known = twx_flag_value(flag, row, &v);
    if (known != (sqlite3_column_type(stmt, at) != SQLITE_NULL))
        fail_msg("doc %d: %s is NULL in one of them", (int)row->doc, flag->name);
    if (!known) return;
    char room[TWX_EDITION_NUMBER_TEXT];
    const char *word = twx_flag_word(flag, v, room);
    if (word)
        assert_string_equal((const char *)sqlite3_column_text(stmt, at), word);
    else if (sqlite3_column_int64(stmt, at) != v)
        fail_msg("doc %d: %s is %d in the view, %d in the table", (int)row->doc, flag->name,
                 sqlite3_column_int(stmt, at), (int)v);
}

TEST(the_view_and_the_table_of_flags_say_the_same) {
    enum { ROWS = 2000 };
    static twx_flag_row rows[ROWS];
    test_rng rng = test_rng_seed(1);
    twx_ctx cx = {0};
    twx_db *db = NULL;
    twx_generations *g = NULL;
    const twx_db_options writing = {.mode = TWX_DB_WRITER};
    const twx_publication p = {.direct = true, .summary = "{}"};
    twx_claim claim = {.token = 1, .base = 'a', .settings = "{}"};
    const char *path = make_store();
    for (int i = 0; i < ROWS; i++) rows[i] = draw_row(&rng, i % 5 ? i : i - ROWS);
    assert_ok(twx_db_open(&cx, path, &writing, &db));
    assert_ok(twx_generations_open(db, &g));
    twx_flag_edit edit = {.rows = rows, .n_rows = ROWS};
    assert_ok(twx_generation_claim(g, &claim));
    while (!twx_flag_edit_is_done(&edit)) assert_ok(twx_generation_write(g, &claim, &edit));
    assert_ok(twx_generation_publish(g, &claim, &p));
    twx_generations_close(g);
    twx_db_close(db);
    sqlite3 *reader = test_open(path);
    sqlite3_stmt *stmt = NULL;
    assert_ok(
        sqlite3_prepare_v2(reader, "SELECT * FROM document_flags WHERE id = ?1", -1, &stmt, NULL));
    for (int i = 0; i < ROWS; i++) {
        sqlite3_bind_int64(stmt, 1, rows[i].doc);
        assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
        for (size_t k = 0; k < TWX_FLAGS; k++)
            expect_flag(stmt, (int)k + 1, twx_flag_at(k), &rows[i]);
        sqlite3_reset(stmt);
    }
    sqlite3_finalize(stmt);
    sqlite3_close(reader);
}
