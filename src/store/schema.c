#include "store/store.h"

#include "sql_text.h"

/* ==== file_shape */

const char *twx_sqlite_version(void) {
    return sqlite3_libversion();
}

twx_rc twx_file_shape_read(twx_db *db, twx_file_shape *ret_shape) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_db_row(db, TWX_SQL_QUERY_SCHEMA_FILE_SHAPE, NULL, 0, &stmt);
    if (rc == TWX_OK)
        *ret_shape = (twx_file_shape){(uint64_t)sqlite3_column_int64(stmt, 0),
                                      (uint64_t)sqlite3_column_int64(stmt, 1),
                                      (uint64_t)sqlite3_column_int64(stmt, 2)};
    return twx_stmt_end(stmt, rc);
}

twx_rc twx_last_run_read(twx_db *db, twx_last_run *ret_run) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_db_row(db, TWX_SQL_QUERY_RUN_UNENDED, NULL, 0, &stmt);
    if (rc == TWX_OK) {
        const twx_slice version = twx_column_text(stmt, 2);
        *ret_run = (twx_last_run){.run = sqlite3_column_int64(stmt, 0),
                                  .unended = sqlite3_column_int(stmt, 1) != 0};
        snprintf(ret_run->version, sizeof ret_run->version, TWX_SLICE_FMT, TWX_SLICE_ARG(version));
    }
    sqlite3_finalize(stmt);
    return rc;
}

/* ==== migrate */

/* The script `twindex` of sql/schema.sql makes the tables of the current version. A change of them
 * comes with a script steps_to_VERSION there, so that stores of the version before keep their
 * signatures and flags. The last VERSION is that of this program. */
static const char *const STEPS[] = {TWX_SQL_STEPS, NULL};

const twx_schema TWX_SCHEMA = {.tables = TWX_SQL_SCHEMA_TWINDEX,
                               .steps = STEPS,
                               .first = TWX_SQL_VERSION + 1 - (int64_t)TWX_COUNTOF(STEPS),
                               .version = TWX_SQL_VERSION};

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
    twx_rc rc = twx_db_row(db, query, NULL, 0, &names);
    if (rc == TWX_OK) {
        const twx_slice found = twx_column_text(names, 0);
        snprintf(name, sizeof name, TWX_SLICE_FMT, TWX_SLICE_ARG(found));
        rc = twx_fail(twx_db_ctx(db), TWX_E_DATA, "%s has '%s'%s", twx_db_path(db), name, message);
    }
    return twx_stmt_end(names, rc);
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

static bool has_steps(const twx_schema *schema, int64_t version) {
    return version >= schema->first && version <= schema->version;
}

static twx_rc refuse_version(twx_db *db, const twx_schema *schema, int64_t version) {
    const bool newer = version > schema->version;
    bool queue = false, links = false;
    twx_rc rc = twx_db_has(db, "twindex_change", &queue);
    if (rc == TWX_OK) rc = twx_db_has(db, "twindex_link", &links);
    if (rc != TWX_OK) return rc;
    return twx_fail(twx_db_ctx(db), TWX_E_DATA,
                    "%s was written by %s twindex (schema version %" PRId64
                    ", this one has %" PRId64 "): %s'twindex remove' drops its signatures and "
                    "flags%s, and 'twindex run' makes them again%s%s",
                    twx_db_path(db), newer ? "a newer" : "an older", version, schema->version,
                    newer ? "use that one; or " : "", links ? ", also its links" : "",
                    queue ? "; for imports, 'twindex init' makes its change queue again" : "",
                    links ? ", and only an import its links" : "");
}

twx_rc twx_schema_check(twx_db *db, const twx_schema *schema, int64_t *ret_version) {
    twx_rc rc = twx_schema_version(db, ret_version);
    const int64_t version = *ret_version;
    if (rc != TWX_OK || version == 0 || version == schema->version) return rc;
    if (!has_steps(schema, version)) return refuse_version(db, schema, version);
    return twx_fail(twx_db_ctx(db), TWX_E_DATA,
                    "%s was written by an older twindex (schema version %" PRId64
                    ", this one has %" PRId64 "): 'twindex run' brings it up to date",
                    twx_db_path(db), version, schema->version);
}

static twx_rc take_step(twx_db *db, const char *script, int64_t version) {
    twx_rc rc = twx_db_begin(db);
    if (rc == TWX_OK) rc = twx_db_script(db, script);
    if (rc == TWX_OK)
        rc = twx_db_run(db, TWX_SQL_QUERY_SCHEMA_SET_VERSION, TWX_VALUES(twx_int(version)));
    return twx_db_end(db, rc);
}

twx_rc twx_migrate(twx_db *db, const twx_schema *schema) {
    int64_t version = 0;
    twx_rc rc = twx_schema_version(db, &version);
    if (rc == TWX_OK && version == 0) {
        rc = twx_names_check(db);
        return rc == TWX_OK ? take_step(db, schema->tables, schema->version) : rc;
    }
    if (rc == TWX_OK && !has_steps(schema, version)) rc = refuse_version(db, schema, version);
    for (; rc == TWX_OK && version < schema->version; version++)
        rc = take_step(db, schema->steps[version - schema->first], version + 1);
    return rc;
}

/* A store that another program fills is read in place: a second table of documents would only hide
 * its own. */
static twx_rc refuse_own_tables(twx_db *db) {
    sqlite3_stmt *list = NULL;
    twx_rc rc = twx_db_row(db, TWX_SQL_QUERY_SCHEMA_TABLES, NULL, 0, &list);
    if (rc == TWX_OK) {
        twx_slice name = twx_column_text(list, 0);
        rc = twx_fail(
            twx_db_ctx(db), TWX_E_DATA,
            "%s has tables of its own ('" TWX_SLICE_FMT
            "'): nothing was changed. Such a store needs no init: 'twindex check' shows how it is "
            "read, 'twindex run' writes its flags; init makes a new file for import",
            twx_db_path(db), TWX_SLICE_ARG(name));
    }
    return twx_stmt_end(list, rc);
}

/* The script that makes the table, its index and the change queue; or its part from this comment
 * of it on, which makes what `remove` has taken away. */
static const char *documents_script(const char *comment) {
    return comment ? strstr(TWX_SQL_SCHEMA_DOCUMENTS, comment) : TWX_SQL_SCHEMA_DOCUMENTS;
}

/* Fails if the table `documents` is not as 'twindex init' makes it. message: the text between its
 * name and what it lacks. */
static twx_rc check_shape(twx_db *db, const char *message) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_db_row(db, TWX_SQL_QUERY_SCHEMA_OTHER_SHAPE, NULL, 0, &stmt);
    if (rc == TWX_OK) {
        const twx_slice lacks = twx_column_text(stmt, 0);
        rc = twx_fail(twx_db_ctx(db), TWX_E_DATA,
                      "%s has a table `documents` %s" TWX_SLICE_FMT "): nothing was changed",
                      twx_db_path(db), message, TWX_SLICE_ARG(lacks));
    }
    return twx_stmt_end(stmt, rc);
}

twx_rc twx_check_documents(twx_db *db) {
    return check_shape(db, "that this version of twindex cannot import into: 'twindex init' makes "
                           "one in a new file (it lacks ");
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
    if (rc == TWX_OK)
        rc = check_shape(
            db,
            "already, not as this version of 'twindex init' makes it, in a new file (it lacks ");
    if (rc == TWX_OK) rc = twx_db_has(db, "documents_payload", &index);
    return rc == TWX_OK ? twx_db_transact(db, documents_script(index ? "-- Which documents changed"
                                                                     : "-- WARC revisit records"))
                        : rc;
}

twx_rc twx_make_documents(twx_db *db) {
    bool has = false;
    twx_rc rc = twx_db_has(db, "documents", &has);
    if (rc != TWX_OK || has) return rc == TWX_OK ? adopt(db) : rc;
    rc = refuse_own_tables(db);
    return rc == TWX_OK ? twx_db_transact(db, documents_script(NULL)) : rc;
}

/* ==== quick_check */

/* A quick_check of the whole file finds the most, but fails as a whole if one table needs something
 * that only the store's own application has: a collation, an SQL function in a CHECK constraint, or
 * a module. Then the tables are checked one by one, and those are left out.
 *
 * SQLite (3.40.1) does not look at the list of free pages if the first object it visits is a view,
 * whose root page 0 it takes for the mark of a check of one table. Pages of a table that are also
 * in that list would be overwritten by the next rows that are written. In that case the list is
 * checked together with the schema table, and the pages are counted. A list with as many pages as
 * there are free ones, but not the same, is not found.
 */

enum { FINDINGS_MAX = 10 };

/* Steps through a quick_check. Takes ownership of the statement. */
static twx_rc collect(twx_db *db, sqlite3_stmt *stmt, twx_buf *faults, int *ret_findings) {
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && *ret_findings < FINDINGS_MAX &&
           (rc = twx_stmt_step(db, stmt)) == TWX_OK) {
        twx_slice line = twx_column_text(stmt, 0);
        if (twx_slice_eq(line, TWX_SLICE_LIT("ok"))) continue;
        ++*ret_findings;
        rc = twx_buf_printf(db->cx, faults, TWX_SLICE_FMT "\n", TWX_SLICE_ARG(line));
    }
    return twx_stmt_end(stmt, rc);
}

/* SQLITE_ERROR concerns the statement, not the file: clears the error and keeps the reason. */
static bool forgive(twx_db *db, twx_rc rc, twx_buf *reason) {
    if (rc != TWX_E_DATA) return false;
    twx_ctx_clear(db->cx);
    twx_buf_clear(reason);
    return twx_buf_add_text(db->cx, reason, sqlite3_errmsg(db->handle)) == TWX_OK;
}

static twx_rc check_table(twx_db *db, twx_slice name, twx_buf *faults, int *ret_findings) {
    sqlite3_stmt *stmt = NULL;
    const twx_rc rc = twx_db_bind(db, TWX_SQL_QUERY_SCHEMA_QUICK_CHECK, TWX_VALUES(twx_text(name)),
                                  &stmt);
    return rc == TWX_OK ? collect(db, stmt, faults, ret_findings) : twx_stmt_end(stmt, rc);
}

static twx_rc check_tables(twx_db *db, twx_buf *faults, twx_buf *skipped) {
    sqlite3_stmt *list = NULL;
    twx_buf reason = {.max = TWX_MESSAGE_MAX};
    int findings = 0;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SCHEMA_STORED_TABLES, &list);
    while (rc == TWX_OK && (rc = twx_stmt_step(db, list)) == TWX_OK) {
        twx_slice name = twx_column_text(list, 0);
        rc = check_table(db, name, faults, &findings);
        if (rc != TWX_OK && forgive(db, rc, &reason))
            rc = twx_buf_printf(db->cx, skipped, "%stable '" TWX_SLICE_FMT "': " TWX_SLICE_FMT,
                                skipped->n ? "; " : "", TWX_SLICE_ARG(name),
                                TWX_SLICE_ARG(twx_buf_slice(&reason)));
    }
    sqlite3_finalize(list);
    twx_buf_done(&reason);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* Takes ownership of the statement. */
static twx_rc count_pages(twx_db *db, sqlite3_stmt *stmt, twx_buf *faults) {
    twx_rc rc = twx_stmt_step(db, stmt);
    if (rc == TWX_OK) {
        const int64_t pages = sqlite3_column_int64(stmt, 0), used = sqlite3_column_int64(stmt, 1),
                      free = sqlite3_column_int64(stmt, 2);
        if (pages != used + free)
            rc = twx_buf_printf(db->cx, faults,
                                "of %" PRId64 " pages, %" PRId64 " are used and %" PRId64
                                " are in the list of free pages\n",
                                pages, used, free);
    }
    return twx_stmt_end(stmt, rc);
}

static twx_rc check_free_pages(twx_db *db, twx_buf *faults, twx_buf *skipped) {
    sqlite3_stmt *stmt = NULL;
    int findings = 0;
    twx_buf reason = {.max = TWX_MESSAGE_MAX};
    twx_rc rc = twx_db_row(db, TWX_SQL_QUERY_SCHEMA_FIRST_OBJECT, NULL, 0, &stmt);
    const bool unchecked = rc == TWX_OK &&
                           twx_slice_eq(twx_column_text(stmt, 0), TWX_SLICE_LIT("view"));
    sqlite3_finalize(stmt);
    if (!unchecked) return rc == TWX_DONE ? TWX_OK : rc;
    rc = check_table(db, TWX_SLICE_LIT("sqlite_schema"), faults, &findings);
    if (rc != TWX_OK || faults->n) return rc;
    rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SCHEMA_FREE_PAGES, &stmt);
    if (rc == TWX_OK)
        rc = count_pages(db, stmt, faults);
    else if (forgive(db, rc, &reason)) /* a build without dbstat */
        rc = twx_buf_printf(db->cx, skipped, "the list of free pages: " TWX_SLICE_FMT,
                            TWX_SLICE_ARG(twx_buf_slice(&reason)));
    twx_buf_done(&reason);
    return rc;
}

twx_rc twx_db_quick_check(twx_db *db, twx_buf *ret_faults, twx_buf *ret_skipped) {
    sqlite3_stmt *stmt = NULL;
    twx_buf reason = {.max = TWX_MESSAGE_MAX};
    int findings = 0;
    twx_rc rc = twx_stmt_prepare(db, "PRAGMA quick_check(10)", &stmt);
    if (rc == TWX_OK) rc = collect(db, stmt, ret_faults, &findings);
    if (rc != TWX_OK && forgive(db, rc, &reason)) {
        twx_buf_clear(ret_faults);
        rc = check_tables(db, ret_faults, ret_skipped);
    } else if (rc == TWX_OK && ret_faults->n == 0) {
        rc = check_free_pages(db, ret_faults, ret_skipped);
    }
    twx_buf_done(&reason);
    return rc;
}

/* ==== removal */

enum { SCRIPT_BYTES = 1 << 22 };

twx_rc twx_removal_list(twx_db *db, twx_removal_fn *fn, void *arg) {
    sqlite3_stmt *list = NULL;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SCHEMA_REMOVALS, &list);
    while (rc == TWX_OK && (rc = twx_stmt_step(db, list)) == TWX_OK) {
        const twx_removal_row row = {.drop = twx_column_text(list, 0),
                                     .type = twx_column_text(list, 1),
                                     .name = twx_column_text(list, 2)};
        rc = fn(arg, &row);
    }
    return twx_stmt_end(list, rc);
}

typedef struct script {
    twx_db *db;
    twx_buf text;
} script;

static twx_rc add_statement(void *arg, const twx_removal_row *row) {
    script *s = arg;
    if (!row->drop.p) return TWX_OK;
    twx_rc rc = twx_buf_add_slice(twx_db_ctx(s->db), &s->text, row->drop);
    return rc == TWX_OK ? twx_buf_add_text(twx_db_ctx(s->db), &s->text, ";\n") : rc;
}

/* FTS5 needs the tokenizer of the text index even to drop it. */
twx_rc twx_removal_apply(twx_db *db) {
    script s = {.db = db, .text = {.max = SCRIPT_BYTES}};
    twx_rc rc = twx_text_functions_register(db);
    if (rc == TWX_OK) rc = twx_db_begin(db);
    if (rc == TWX_OK) rc = twx_removal_list(db, add_statement, &s);
    if (rc == TWX_OK && s.text.n) rc = twx_db_script(db, s.text.p);
    rc = twx_db_end(db, rc);
    twx_buf_done(&s.text);
    return rc;
}
