#include "store/migrate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sql_text.h"
#include "store/flag_views.h"
#include "store/stmt.h"
#include "store/template.h"

/* SCRIPTS[v] migrates from version v to v + 1. */
static const char *const SCRIPTS[TWX_SCHEMA_SCRIPTS] = {
    TWX_SQL_SCHEMA_0002_TWINDEX,        TWX_SQL_SCHEMA_0004_MIRRORS,
    TWX_SQL_SCHEMA_0008_COPIES,         TWX_SQL_SCHEMA_0010_JUDGED,
    TWX_SQL_SCHEMA_0013_ONE_FLAG_TABLE, TWX_SQL_SCHEMA_0014_PACKED_SIGNATURES,
    TWX_SQL_SCHEMA_0018_PLAIN_FACTS};

twx_rc twx_schema_version(twx_db *db, int64_t *ret_version) {
    bool has = false;
    *ret_version = 0;
    twx_rc rc = twx_db_has(db, "twindex_state", &has);
    if (rc != TWX_OK || !has) return rc;
    rc = twx_db_integer(db, TWX_SQL_QUERY_SCHEMA_VERSION, ret_version);
    if (rc == TWX_E_DATA) { /* it has no such column */
        twx_ctx_clear(db->cx);
        return twx_fail(twx_db_ctx(db), TWX_E_DATA,
                        "%s: twindex_state is not a table of Twindex: drop it, or use --flags FILE",
                        twx_db_path(db));
    }
    if (rc == TWX_OK && *ret_version < 1)
        return twx_fail(twx_db_ctx(db), TWX_E_CORRUPT,
                        "%s: twindex_state has no valid schema_version: %" PRId64, twx_db_path(db),
                        *ret_version);
    return rc == TWX_DONE
               ? twx_fail(twx_db_ctx(db), TWX_E_DATA, "%s: twindex_state is empty", twx_db_path(db))
               : rc;
}

/* Fails if the query returns a name. message: the text after the name. */
static twx_rc refuse_name(twx_db *db, const char *query, const char *message) {
    sqlite3_stmt *names = NULL;
    char name[128];
    twx_rc rc = twx_stmt_prepare(db, query, &names);
    if (rc == TWX_OK) rc = twx_stmt_step(db, names);
    if (rc == TWX_OK) {
        const twx_slice found = twx_column_text(names, 0);
        snprintf(name, sizeof name, TWX_SLICE_FMT, TWX_SLICE_ARG(found));
        rc = twx_fail(twx_db_ctx(db), TWX_E_DATA, "%s has '%s'%s", twx_db_path(db), name, message);
    }
    sqlite3_finalize(names);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_names_check(twx_db *db) {
    bool state = false;
    twx_rc rc = twx_db_has(db, "twindex_state", &state);
    if (rc == TWX_OK)
        rc = refuse_name(db, TWX_SQL_QUERY_SCHEMA_TAKEN_NAME,
                         ", an object of its own with the name of a view of Twindex: rename or "
                         "drop it, or use --flags FILE, which leaves it alone");
    if (rc == TWX_OK)
        rc = refuse_name(db, TWX_SQL_QUERY_SCHEMA_VIEW_TRIGGER,
                         ", a trigger on a view of Twindex, with which it would be lost: drop it, "
                         "or use --flags FILE");
    if (rc == TWX_OK && !state)
        rc = refuse_name(db, TWX_SQL_QUERY_SCHEMA_STRAY,
                         ", a name that Twindex needs, but no twindex_state: drop all objects "
                         "whose names begin with twindex_, or use --flags FILE");
    return rc;
}

twx_rc twx_tables_check(twx_db *db) {
    return refuse_name(db, TWX_SQL_QUERY_SCHEMA_FALSE_TABLE,
                       ", a view, where Twindex has a table: drop it, or use --flags FILE");
}

twx_rc twx_has_foreign_tables(twx_db *db, bool *ret_has) {
    int64_t tables = 0;
    twx_rc rc = twx_db_integer(db, TWX_SQL_QUERY_SCHEMA_FOREIGN_TABLES, &tables);
    if (rc == TWX_OK) *ret_has = tables > 0;
    return rc;
}

static twx_rc add_flag_column(twx_db *db, const char *column) {
    const twx_template t = {.column = column};
    twx_buf sql;
    twx_buf_init(&sql, 1 << 10);
    twx_rc rc = twx_template_fill(db->cx, &sql, TWX_SQL_SCHEMA_FLAG_COLUMN, &t);
    if (rc == TWX_OK) rc = twx_db_script(db, sql.p);
    twx_buf_done(&sql);
    return rc;
}

static twx_rc set_version(twx_db *db, int64_t version) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SCHEMA_SET_VERSION, &stmt);
    if (rc == TWX_OK) rc = twx_bind_int(db, stmt, 1, version);
    if (rc == TWX_OK) rc = twx_stmt_run(db, stmt);
    sqlite3_finalize(stmt);
    return rc;
}

/* A step after the scripts: adds the flags that were introduced with this version. */
static twx_rc add_flags(twx_db *db, int64_t version) {
#define COLUMN(name, since) {#name, since},
    static const struct {
        const char *name;
        int since;
    } COLUMNS[] = {TWX_FLAG_TABLE(COLUMN)};
#undef COLUMN
    twx_rc rc = twx_db_begin(db);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(COLUMNS); i++)
        if (COLUMNS[i].since == version) rc = add_flag_column(db, COLUMNS[i].name);
    if (rc == TWX_OK) rc = set_version(db, version);
    if (rc == TWX_OK) rc = twx_db_commit(db);
    if (rc != TWX_OK) twx_db_rollback(db);
    return rc;
}

/* Its views read the tables that this step replaces. */
static twx_rc merge_flag_tables(twx_db *db, const char *script) {
    twx_rc rc = twx_names_check(db);
    if (rc == TWX_OK) rc = twx_db_begin(db);
    if (rc == TWX_OK) rc = twx_db_script(db, script);
    if (rc == TWX_OK) rc = twx_flag_views_renew(db);
    if (rc == TWX_OK) rc = twx_db_commit(db);
    if (rc != TWX_OK) twx_db_rollback(db);
    return rc;
}

static twx_rc migrate_step(twx_db *db, int64_t version) {
    if (version >= TWX_SCHEMA_SCRIPTS) return add_flags(db, version + 1);
    return version + 1 == TWX_SCHEMA_ONE_FLAG_TABLE ? merge_flag_tables(db, SCRIPTS[version])
                                                    : twx_db_transact(db, SCRIPTS[version]);
}

twx_rc twx_migrate(twx_db *db) {
    int64_t version = 0;
    twx_rc rc = twx_schema_version(db, &version);
    if (rc == TWX_OK && version == 0) rc = twx_names_check(db);
    if (rc == TWX_OK && version > TWX_SCHEMA_VERSION)
        rc = twx_fail(twx_db_ctx(db), TWX_E_DATA,
                      "%s was written by a newer twindex (schema %" PRId64 ", this one knows %d)",
                      twx_db_path(db), version, TWX_SCHEMA_VERSION);
    for (; rc == TWX_OK && version < TWX_SCHEMA_VERSION; version++) rc = migrate_step(db, version);
    return rc;
}

/* A store that another program fills is read in place: a second table of documents would only hide
 * its own. */
static twx_rc refuse_own_tables(twx_db *db) {
    sqlite3_stmt *list = NULL;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SCHEMA_TABLES, &list);
    if (rc == TWX_OK) rc = twx_stmt_step(db, list);
    if (rc == TWX_OK) {
        twx_slice name = twx_column_text(list, 0);
        rc = twx_fail(
            twx_db_ctx(db), TWX_E_DATA,
            "%s has tables of its own ('" TWX_SLICE_FMT
            "'): nothing was changed. Such a store needs no init: 'twindex check' shows how it is "
            "read, 'twindex run' writes its flags; init makes a new file for import",
            twx_db_path(db), TWX_SLICE_ARG(name));
    }
    sqlite3_finalize(list);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* Columns that were added to `documents` later. */
static const struct {
    const char *column, *script;
} DOCUMENT_STEPS[] = {{"headings", TWX_SQL_SCHEMA_0009_HEADINGS},
                      {"names", TWX_SQL_SCHEMA_0016_NAMES},
                      {"main_parts", TWX_SQL_SCHEMA_0017_MAIN_PARTS}};

/* The script that makes the table, its index and the change queue; or its part from this comment
 * of it on, which makes what `remove` has taken away. */
static const char *documents_script(const char *comment) {
    return comment ? strstr(TWX_SQL_SCHEMA_0001_DOCUMENTS, comment) : TWX_SQL_SCHEMA_0001_DOCUMENTS;
}

/* In one transaction: everything is there, or nothing. */
static twx_rc make(twx_db *db, const char *script) {
    twx_rc rc = twx_db_begin(db);
    if (rc == TWX_OK) rc = twx_db_script(db, script);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(DOCUMENT_STEPS); i++) {
        bool has = false;
        rc = twx_db_has_column(db, TWX_SLICE_LIT("documents"),
                               twx_slice_of(DOCUMENT_STEPS[i].column), &has);
        if (rc == TWX_OK && !has) rc = twx_db_script(db, DOCUMENT_STEPS[i].script);
    }
    if (rc == TWX_OK) rc = twx_db_commit(db);
    if (rc != TWX_OK) twx_db_rollback(db);
    return rc;
}

/* Fails if the table `documents` is not as 'twindex init' makes it. */
static twx_rc check_shape(twx_db *db) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SCHEMA_OTHER_SHAPE, &stmt);
    if (rc == TWX_OK) rc = twx_stmt_step(db, stmt);
    if (rc == TWX_OK) {
        const twx_slice lacks = twx_column_text(stmt, 0);
        rc = twx_fail(twx_db_ctx(db), TWX_E_DATA,
                      "%s has a table `documents` already, which 'twindex init' has not made (it "
                      "lacks " TWX_SLICE_FMT "): nothing was changed",
                      twx_db_path(db), TWX_SLICE_ARG(lacks));
    }
    sqlite3_finalize(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* [R3] */
static twx_rc adopt(twx_db *db) {
    bool queue = false, index = false;
    twx_rc rc = twx_db_has(db, "twindex_change", &queue);
    if (rc == TWX_OK && queue)
        return twx_fail(twx_db_ctx(db), TWX_E_DATA,
                        "%s has a table `documents` already, for 'twindex import': nothing was "
                        "changed",
                        twx_db_path(db));
    if (rc == TWX_OK) rc = check_shape(db);
    if (rc == TWX_OK) rc = twx_db_has(db, "documents_payload", &index);
    return rc == TWX_OK ? make(db, documents_script(index ? "-- Which documents changed"
                                                          : "-- WARC revisit records"))
                        : rc;
}

twx_rc twx_make_documents(twx_db *db) {
    bool has = false;
    twx_rc rc = twx_db_has(db, "documents", &has);
    if (rc != TWX_OK || has) return rc == TWX_OK ? adopt(db) : rc;
    rc = refuse_own_tables(db);
    return rc == TWX_OK ? make(db, documents_script(NULL)) : rc;
}

twx_rc twx_migrate_documents(twx_db *db) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(DOCUMENT_STEPS); i++) {
        const twx_slice table = TWX_SLICE_LIT("documents"),
                        name = twx_slice_of(DOCUMENT_STEPS[i].column);
        bool has = false;
        rc = twx_db_has_column(db, table, name, &has);
        if (rc != TWX_OK || has) continue;
        rc = twx_db_begin(db); /* another import can have added it in the meantime */
        if (rc == TWX_OK) rc = twx_db_has_column(db, table, name, &has);
        if (rc == TWX_OK && !has) rc = twx_db_script(db, DOCUMENT_STEPS[i].script);
        if (rc == TWX_OK) rc = twx_db_commit(db);
        if (rc != TWX_OK) twx_db_rollback(db);
    }
    return rc;
}
