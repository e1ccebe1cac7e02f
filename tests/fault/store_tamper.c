/* What other programs may have done to Twindex's tables, views and triggers. Every change is SQL
 * that plain SQLite runs, with writable_schema where the schema itself is changed. */
#include "store_damage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

enum { CHANGES_MAX = 4, NAME_BYTES = 80 };

typedef struct tampering {
    sqlite3 *db;
    test_rng *rng;
    char *note;
    char table[NAME_BYTES], column[NAME_BYTES]; /* of the change that is being made */
} tampering;

static size_t below(tampering *t, size_t limit) {
    return test_rng_below(t->rng, limit);
}

static const char *one_of(tampering *t, const char *const *items, size_t n) {
    return items[below(t, n)];
}
#define ONE_OF(t, items) one_of(t, items, sizeof(items) / sizeof *(items))

/* Runs a statement, which SQLite may refuse. fmt: as sqlite3_mprintf() takes it. */
static void run(tampering *t, const char *fmt, ...) {
    const size_t n = strlen(t->note);
    va_list args;
    va_start(args, fmt);
    char *sql = sqlite3_vmprintf(fmt, args);
    va_end(args);
    assert_non_null(sql);
    const int rc = sqlite3_exec(t->db, sql, NULL, NULL, NULL);
    snprintf(t->note + n, DAMAGE_NOTE_BYTES - n, "%s%.*s; ", rc == SQLITE_OK ? "" : "(refused) ",
             300, sql);
    sqlite3_free(sql);
}

/* A random row of a query's first column, as text. */
static void pick(tampering *t, const char *sql, const char *argument, char ret_name[NAME_BYTES]) {
    sqlite3_stmt *stmt = NULL;
    ret_name[0] = '\0';
    if (sqlite3_prepare_v2(t->db, sql, -1, &stmt, NULL) != SQLITE_OK) return;
    if (argument) sqlite3_bind_text(stmt, 1, argument, -1, SQLITE_STATIC);
    size_t rows = 0;
    while (sqlite3_step(stmt) == SQLITE_ROW)
        if (below(t, ++rows) == 0)
            snprintf(ret_name, NAME_BYTES, "%s", (const char *)sqlite3_column_text(stmt, 0));
    sqlite3_finalize(stmt);
}

static void pick_table(tampering *t) {
    pick(t,
         "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'twindex!_%' ESCAPE "
         "'!' AND rootpage > 0",
         NULL, t->table);
    pick(t, "SELECT name FROM pragma_table_info(?1)", t->table, t->column);
}

/* Of any kind, by its own name or the name of the table it belongs to. */
static void pick_object(tampering *t) {
    pick(t,
         "SELECT name FROM sqlite_schema WHERE name LIKE 'twindex!_%' ESCAPE '!' OR type = 'view'",
         NULL, t->table);
    pick(t, "SELECT name FROM pragma_table_info(?1)", t->table, t->column);
}

/* ---- values ------------------------------------------------------------- */

/* An SQL expression in which @ is the column, # the small number and & the byte, in hexadecimal;
 * sqlite3_free() it. */
static char *expression(const tampering *t, const char *form, int small, int byte) {
    sqlite3_str *sql = sqlite3_str_new(NULL);
    for (const char *p = form; *p; p++) switch (*p) {
        case '@': sqlite3_str_appendf(sql, "\"%w\"", t->column); break;
        case '#': sqlite3_str_appendf(sql, "%d", small); break;
        case '&': sqlite3_str_appendf(sql, "%02X", byte); break;
        default: sqlite3_str_appendchar(sql, 1, *p);
        }
    return sqlite3_str_finish(sql);
}

/* A value as an SQL expression that may name the column; sqlite3_free() it. */
static char *value(tampering *t) {
    /* clang-format off */
    static const char *const PLAIN[] = {
        "NULL", "0", "1", "-1", "2", "255", "65536", "4294967296", "9223372036854775807",
        "-9223372036854775807 - 1", "1e308", "9e999", "-9e999", "0.5", "''", "'a'", "'b'", "'-1'",
        "'running'", "'mapped'", "'direct'", "x''", "x'00'", "x'FFFFFFFFFFFFFFFF'",
        "CAST(x'FFFEC0' AS TEXT)", "'a' || char(0) || 'b'", "zeroblob(70000)",
        "hex(zeroblob(40000))", "char(0x10FFFF)", "'http://a.example/'"};
    static const char *const OF_COLUMN[] = {
        "-@", "@ + #", "@ * 1000003", "CAST(@ AS TEXT)", "CAST(@ AS REAL)", "CAST(@ AS BLOB)",
        "CAST(substr(@, 1, #) AS BLOB)", "CAST(substr(@, #) AS BLOB)", "CAST(@ || @ AS BLOB)",
        "CAST(@ || x'&' AS BLOB)", "CAST(substr(@, 1, #) || x'&' || substr(@, # + 2) AS BLOB)",
        "CAST(substr(@, 1, #) || x'FFFFFFFF' || substr(@, # + 5) AS BLOB)",
        "CAST(substr(@, 1, #) || x'00' || substr(@, # + 1) AS BLOB)"};
    /* clang-format on */
    if (below(t, 2)) return sqlite3_mprintf("%s", ONE_OF(t, PLAIN));
    const int small = (int)below(t, below(t, 2) ? 8 : 120), byte = (int)below(t, 256);
    return expression(t, ONE_OF(t, OF_COLUMN), small, byte);
}

static void change_value(tampering *t) {
    pick_table(t);
    char *to = value(t);
    if (below(t, 2))
        run(t, "UPDATE OR IGNORE \"%w\" SET \"%w\" = %s", t->table, t->column, to);
    else
        run(t,
            "UPDATE OR IGNORE \"%w\" SET \"%w\" = %s WHERE rowid = (SELECT rowid FROM \"%w\" LIMIT "
            "1 OFFSET %d)",
            t->table, t->column, to, t->table, (int)below(t, 20));
    sqlite3_free(to);
}

static void delete_rows(tampering *t) {
    pick_table(t);
    if (below(t, 2))
        run(t, "DELETE FROM \"%w\"", t->table);
    else
        run(t, "DELETE FROM \"%w\" WHERE rowid %% %d = 0", t->table, (int)(2 + below(t, 4)));
}

static void insert_row(tampering *t) {
    sqlite3_stmt *stmt = NULL;
    sqlite3_str *values = sqlite3_str_new(NULL);
    pick_table(t);
    if (sqlite3_prepare_v2(t->db, "SELECT name FROM pragma_table_info(?1)", -1, &stmt, NULL) ==
        SQLITE_OK)
        sqlite3_bind_text(stmt, 1, t->table, -1, SQLITE_STATIC);
    while (stmt && sqlite3_step(stmt) == SQLITE_ROW) {
        snprintf(t->column, NAME_BYTES, "%s", (const char *)sqlite3_column_text(stmt, 0));
        char *one = below(t, 2) ? sqlite3_mprintf("\"%w\"", t->column) : value(t);
        sqlite3_str_appendf(values, "%s%s", sqlite3_str_length(values) ? ", " : "", one);
        sqlite3_free(one);
    }
    sqlite3_finalize(stmt);
    char *list = sqlite3_str_finish(values);
    run(t, "INSERT OR REPLACE INTO \"%w\" SELECT %s FROM \"%w\" LIMIT 3", t->table,
        list ? list : "1", t->table);
    sqlite3_free(list);
}

/* ---- objects ------------------------------------------------------------ */

static void drop(tampering *t, const char *name) {
    static const char *const KINDS[] = {"VIEW", "TABLE", "TRIGGER", "INDEX"};
    char sql[200];
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        sqlite3_snprintf(sizeof sql, sql, "DROP %s \"%w\"", KINDS[i], name);
        if (sqlite3_exec(t->db, sql, NULL, NULL, NULL) == SQLITE_OK) run(t, "-- %s", sql);
    }
}

static void drop_object(tampering *t) {
    pick_object(t);
    drop(t, t->table);
}

/* Queries for a view in the place of a table or a view; @ stands for its columns. */
static const char *const HOSTILE[] = {
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT @ FROM n",
    "SELECT @ FROM (SELECT 1 AS x UNION ALL SELECT 2)",
    "SELECT @ FROM (SELECT abs(-9223372036854775807 - 1) AS x)",
    "SELECT @ FROM (SELECT zeroblob(900000000) AS x)",
    "SELECT @ FROM (SELECT hex(randomblob(100000)) AS x)",
    "SELECT @ FROM (SELECT load_extension('x') AS x)",
    "SELECT @ FROM (SELECT NULL AS x)",
    "SELECT @ FROM (SELECT count(*) AS x FROM documents a, documents b, documents c)",
    "SELECT @ FROM (SELECT no_such_function(1) AS x)",
    "SELECT @ FROM (SELECT 1 AS x FROM no_such_table)",
    "SELECT @ FROM (SELECT x FROM json_each('[1,2'))"};

static void replace_object(tampering *t) {
    sqlite3_stmt *stmt = NULL;
    pick_object(t);
    const char *why = ONE_OF(t, HOSTILE), *at = strchr(why, '@');
    char *columns = NULL;
    if (below(t, 6) && sqlite3_prepare_v2(t->db,
                                          "SELECT group_concat('x AS \"' || name || '\"') FROM "
                                          "pragma_table_info(?1)",
                                          -1, &stmt, NULL) == SQLITE_OK) {
        sqlite3_bind_text(stmt, 1, t->table, -1, SQLITE_STATIC);
        if (sqlite3_step(stmt) == SQLITE_ROW)
            columns = sqlite3_mprintf("%s", sqlite3_column_text(stmt, 0));
    }
    sqlite3_finalize(stmt);
    drop(t, t->table);
    switch (below(t, 4)) {
    case 0: run(t, "CREATE TABLE \"%w\"(doc, x)", t->table); break;
    case 1: run(t, "CREATE TABLE \"%w\" AS SELECT * FROM sqlite_schema", t->table); break;
    default:
        run(t, "CREATE VIEW \"%w\" AS %.*s%s%s", t->table, (int)(at - why), why,
            columns && columns[0] ? columns : "x", at + 1);
    }
    sqlite3_free(columns);
}

static void alter_table(tampering *t) {
    pick_table(t);
    switch (below(t, 6)) {
    case 0:
        run(t, "ALTER TABLE \"%w\" RENAME TO \"%w\"", t->table,
            below(t, 2) ? "mine" : "twindex_mine");
        break;
    case 1: run(t, "ALTER TABLE \"%w\" RENAME COLUMN \"%w\" TO other", t->table, t->column); break;
    case 2: run(t, "ALTER TABLE \"%w\" DROP COLUMN \"%w\"", t->table, t->column); break;
    case 3: run(t, "ALTER TABLE \"%w\" ADD COLUMN more DEFAULT 7", t->table); break;
    case 4:
        run(t, "CREATE UNIQUE INDEX twindex_more%d ON \"%w\"(\"%w\")", (int)below(t, 9), t->table,
            t->column);
        break;
    default:
        run(t, "CREATE INDEX more%d ON \"%w\"(abs(\"%w\")) WHERE \"%w\" IS NOT NULL",
            (int)below(t, 9), t->table, t->column, t->column);
        break;
    }
}

static void add_trigger(tampering *t) {
    static const char *const WHEN[] = {"AFTER INSERT",  "AFTER UPDATE",  "AFTER DELETE",
                                       "BEFORE INSERT", "BEFORE UPDATE", "BEFORE DELETE"};
    static const char *const DOES[] = {"DELETE FROM documents",
                                       "UPDATE documents SET text = 'gone'",
                                       "DELETE FROM articles",
                                       "UPDATE articles SET body = NULL",
                                       "DELETE FROM items",
                                       "SELECT RAISE(ABORT, 'no')",
                                       "SELECT RAISE(IGNORE)",
                                       "DELETE FROM twindex_state",
                                       "DELETE FROM twindex_signature"};
    pick_table(t);
    run(t, "CREATE TRIGGER %s%d %s ON \"%w\" BEGIN %s; END", below(t, 2) ? "twindex_evil" : "evil",
        (int)below(t, 100), ONE_OF(t, WHEN), t->table, ONE_OF(t, DOES));
}

/* ---- the schema --------------------------------------------------------- */

static void edit_schema(tampering *t) {
    static const char *const FROM[] = {
        "INTEGER",  "PRIMARY KEY", "NOT NULL", "CREATE", "TABLE",         "(",      ")", ",",
        "twindex_", "SELECT",      "doc",      "BEGIN",  "WITHOUT ROWID", "UNIQUE", "AS"};
    static const char *const TO[] = {"",
                                     "TEXT",
                                     "BLOB",
                                     "x",
                                     "COLLATE none",
                                     "CHECK (abs(-9223372036854775808))",
                                     "DEFAULT (random())",
                                     "GENERATED ALWAYS AS (1)",
                                     "UNIQUE",
                                     "REFERENCES nothing",
                                     "'",
                                     "--",
                                     "\"\"",
                                     "STRICT"};
    pick_object(t);
    switch (below(t, 8)) {
    case 0: run(t, "UPDATE sqlite_schema SET sql = NULL WHERE name = %Q", t->table); break;
    case 1:
        run(t, "UPDATE sqlite_schema SET rootpage = %d WHERE name = %Q", (int)below(t, 40),
            t->table);
        break;
    case 2:
        run(t,
            "UPDATE sqlite_schema SET rootpage = (SELECT max(rootpage) FROM sqlite_schema WHERE "
            "tbl_name IN ('documents', 'articles', 'items')) WHERE name = %Q",
            t->table);
        break;
    case 3:
        run(t, "UPDATE sqlite_schema SET type = %Q WHERE name = %Q", below(t, 2) ? "view" : "table",
            t->table);
        break;
    case 4: run(t, "UPDATE sqlite_schema SET name = upper(name) WHERE name = %Q", t->table); break;
    case 5:
        run(t, "INSERT INTO sqlite_schema SELECT * FROM sqlite_schema WHERE name = %Q", t->table);
        break;
    default:
        run(t, "UPDATE sqlite_schema SET sql = replace(sql, %Q, %Q) WHERE name = %Q",
            ONE_OF(t, FROM), ONE_OF(t, TO), t->table);
    }
}

static void change_pragma(tampering *t) {
    static const char *const SQL[] = {
        "PRAGMA user_version = -1",
        "PRAGMA application_id = 7",
        "PRAGMA schema_version = 1",
        "PRAGMA default_cache_size = 1",
        "ANALYZE",
        "INSERT INTO sqlite_stat1 VALUES ('twindex_signature', NULL, '0 0 0')",
        "UPDATE sqlite_sequence SET seq = 9223372036854775807",
        "UPDATE sqlite_sequence SET seq = 'x'",
        "DELETE FROM sqlite_sequence",
        "UPDATE twindex_state SET generation = CASE generation WHEN 'a' THEN 'b' ELSE 'a' END"};
    run(t, "%s", ONE_OF(t, SQL));
}

static void open_for_damage(tampering *t, const char *path) {
    assert_int_equal(sqlite3_open(path, &t->db), SQLITE_OK);
    sqlite3_db_config(t->db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    sqlite3_exec(t->db,
                 "PRAGMA synchronous = OFF; PRAGMA ignore_check_constraints = ON; PRAGMA "
                 "writable_schema = ON; PRAGMA legacy_alter_table = ON",
                 NULL, NULL, NULL);
}

void damage_tamper(test_rng *rng, const char *path, char ret_note[DAMAGE_NOTE_BYTES]) {
    static void (*const CHANGES[])(tampering *) = {
        change_value, change_value, change_value, change_value, change_value,   change_value,
        insert_row,   insert_row,   delete_rows,  drop_object,  replace_object, replace_object,
        alter_table,  add_trigger,  edit_schema,  edit_schema,  change_pragma};
    tampering t = {.rng = rng, .note = ret_note};
    open_for_damage(&t, path);
    for (size_t n = below(&t, 2) ? 1 : 1 + below(&t, CHANGES_MAX); n > 0; n--)
        CHANGES[below(&t, sizeof CHANGES / sizeof *CHANGES)](&t);
    sqlite3_close(t.db);
}

/* ---- one column --------------------------------------------------------- */

enum { VALUES = 8 };

/* Each with the index of the column among those of all Twindex's tables. A virtual table's own
 * columns are left to it. */
#define COLUMNS                                                                                \
    "FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name " \
    "LIKE "                                                                                    \
    "'twindex!_%' ESCAPE '!' AND m.rootpage > 0"
#define COLUMN COLUMNS " ORDER BY m.name, c.cid LIMIT 1 OFFSET ?1"

void damage_column(uint64_t trial, const char *path, char ret_note[DAMAGE_NOTE_BYTES]) {
    static const char *const NUMBERS[VALUES] = {
        "-1",  "9223372036854775807", "-9223372036854775807 - 1", "4294967296", "NULL", "9e999",
        "'a'", "zeroblob(70000)"};
    static const char *const BYTES[VALUES] = {
        "CAST(substr(@, 1, length(@) / 2) AS BLOB)",
        "CAST(@ || @ AS BLOB)",
        "CAST(substr(@, 1, length(@) / 2) || x'FFFFFFFF' || substr(@, length(@) / 2 + 4) AS BLOB)",
        "NULL",
        "''",
        "-1",
        "CAST(x'FFFEC0' AS TEXT)",
        "zeroblob(70000)"};
    test_rng rng = test_rng_seed(trial);
    tampering t = {.rng = &rng, .note = ret_note};
    char count[NAME_BYTES], index[NAME_BYTES], type[NAME_BYTES];
    open_for_damage(&t, path);
    pick(&t, "SELECT count(*) " COLUMNS, NULL, count);
    const uint64_t columns = strtoull(count, NULL, 10);
    assert_true(columns > 0);
    snprintf(index, sizeof index, "%" PRIu64, trial % columns);
    pick(&t, "SELECT m.name " COLUMN, index, t.table);
    pick(&t, "SELECT c.name " COLUMN, index, t.column);
    char *sql = sqlite3_mprintf("SELECT typeof(max(\"%w\")) FROM \"%w\"", t.column, t.table);
    pick(&t, sql, NULL, type);
    sqlite3_free(sql);
    const bool bytes = strcmp(type, "text") == 0 || strcmp(type, "blob") == 0;
    char *to = expression(&t, (bytes ? BYTES : NUMBERS)[trial / columns % VALUES], 0, 0);
    run(&t, "UPDATE OR IGNORE \"%w\" SET \"%w\" = %s", t.table, t.column, to);
    sqlite3_free(to);
    sqlite3_close(t.db);
}
