/* A file of rules. Laws: it is parsed or refused with file, line and column in the message; what is
 * parsed compiles or is refused as too deep or too long; and what compiles is a statement SQLite
 * takes, which cannot write and reads nothing but the flags; the nodes that ask for properties of
 * documents can be evaluated. */

#include "../support/rule_scheme.h"
#include "exact_copy.h"
#include "search/internal.h"

static const twx_rule_fields FIELDS = {.at = FIELD,
                                       .n = sizeof FIELD / sizeof *FIELD,
                                       .columns = COLUMNS,
                                       .n_columns = 2,
                                       .properties = true};

static int only_flags(void *arg, int action, const char *name, const char *more, const char *schema,
                      const char *inside) {
    (void)arg, (void)more, (void)schema, (void)inside;
    if (action == SQLITE_SELECT || action == SQLITE_FUNCTION) return SQLITE_OK;
    law(action == SQLITE_READ && strcmp(name, "document_flags") == 0);
    return SQLITE_OK;
}

static const twx_rule_fields *fuzz_fields(void);
static const twx_rule_node *nodes;
static size_t n_nodes;

static void rule_matches(sqlite3_context *context, int n, sqlite3_value **values) {
    const twx_rule_document document = {
        .text = {TWX_SLICE_LIT("a.example"),
                 TWX_SLICE_LIT("a.example"),
                 TWX_SLICE_LIT("/docs/"),
                 {NULL, 0},
                 TWX_SLICE_LIT("text/html")},
        .has = {[TWX_RULE_SCORE] = true, [TWX_RULE_MIRRORED] = true},
        .number = {[TWX_RULE_SCORE] = 2.5}};
    const int64_t node = sqlite3_value_int64(values[1]);
    law(n == 2 && node >= 0 && (size_t)node < n_nodes);
    const size_t property = twx_rule_property_of(fuzz_fields(), nodes[node].field);
    law(property < TWX_RULE_PROPERTIES);
    const twx_rule_truth truth = twx_rule_document_matches(&nodes[node], property, &document);
    if (truth != TWX_RULE_NOT_KNOWN) sqlite3_result_int(context, truth == TWX_RULE_YES);
}

static void rule_number(sqlite3_context *context, int n, sqlite3_value **values) {
    const int64_t property = sqlite3_value_int64(values[1]);
    law(n == 2 && property >= 0 && property < TWX_RULE_PROPERTIES);
    if (property % 2) sqlite3_result_double(context, 1.5);
}

/* With the limits of store/db.c. */
static sqlite3 *flags_only(void) {
    static sqlite3 *db;
    if (db) return db;
    law(sqlite3_open(":memory:", &db) == SQLITE_OK);
    law(sqlite3_exec(
            db,
            "CREATE TABLE document_flags(id, http_unique_b INT, www_unique_b INT, copycount_i INT, "
            "duplicate_type TEXT, duplicate_of); INSERT INTO document_flags VALUES (1, 1, 0, 3, "
            "'full-layout', NULL), (2, NULL, NULL, NULL, NULL, 1)",
            NULL, NULL, NULL) == SQLITE_OK);
    law(sqlite3_create_function(db, "rule_matches", 2, SQLITE_UTF8, NULL, rule_matches, NULL,
                                NULL) == SQLITE_OK);
    law(sqlite3_create_function(db, "rule_number", 2, SQLITE_UTF8, NULL, rule_number, NULL, NULL) ==
        SQLITE_OK);
    sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 200);
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 1 << 20);
    sqlite3_limit(db, SQLITE_LIMIT_VDBE_OP, 1 << 20);
    sqlite3_limit(db, SQLITE_LIMIT_COLUMN, 2000);
    sqlite3_set_authorizer(db, only_flags, NULL);
    return db;
}

/* In the middle of a statement like that of a search. */
static void try_sql(const twx_rule_sql *sql) {
    sqlite3_stmt *stmt = NULL;
    const char *rest = NULL;
    char *text = sqlite3_mprintf(
        "WITH hit AS MATERIALIZED (SELECT id FROM document_flags), ranked AS (SELECT hit.id AS "
        "doc, %s AS p FROM hit LEFT JOIN document_flags AS f ON f.id = hit.id WHERE %s) SELECT "
        "doc, 1.0 + p AS score FROM ranked ORDER BY score DESC, doc LIMIT 9",
        sql->score, sql->filter);
    law(text && sqlite3_prepare_v2(flags_only(), text, -1, &stmt, &rest) == SQLITE_OK);
    law(*rest == '\0' && sqlite3_stmt_readonly(stmt));
    int rc = sqlite3_step(stmt);
    for (; rc == SQLITE_ROW; rc = sqlite3_step(stmt))
        law(sqlite3_column_type(stmt, 1) == SQLITE_FLOAT);
    law(rc == SQLITE_DONE);
    sqlite3_finalize(stmt);
    sqlite3_free(text);
}

static const twx_rule_fields *fuzz_fields(void) {
    return &FIELDS;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    twx_slice in = exact_copy(data, size);
    twx_ctx cx = {0};
    twx_rules *rules = NULL;
    twx_rule_sql sql = {0};
    unsigned line = 0, column = 0;
    const twx_rc parsed = twx_rules_parse(&cx, "rules", in, &FIELDS, &rules);
    law(parsed == TWX_OK || (parsed == TWX_E_CONFIG && !rules));
    if (parsed != TWX_OK && size <= TWX_RULES_BYTES)
        law(sscanf(cx.message, "rules:%u:%u: ", &line, &column) == 2 && line > 0 && column > 0);
    if (parsed == TWX_OK) {
        nodes = twx_rules_nodes(rules, &n_nodes);
        const twx_rc made = twx_rule_sql_make(&cx, "rules", rules, &sql);
        law(made == TWX_OK || (made == TWX_E_CONFIG && strncmp(cx.message, "rules:", 6) == 0));
        if (made == TWX_OK) try_sql(&sql);
    }
    twx_rule_sql_done(&sql);
    twx_rules_close(rules);
    return exact_end();
}
