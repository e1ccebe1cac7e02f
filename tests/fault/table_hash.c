#include "table_hash.h"

#include <stdio.h>

#include <sqlite3.h>

#include "support.h"

static uint64_t hash_bytes(uint64_t h, const void *bytes, size_t n) {
    const unsigned char *p = bytes;
    for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * UINT64_C(0x100000001B3);
    return (h ^ n) * UINT64_C(0x100000001B3);
}

static uint64_t hash_cell(uint64_t h, sqlite3_stmt *stmt, int column) {
    const int type = sqlite3_column_type(stmt, column);
    const void *bytes = type == SQLITE_NULL ? "" : sqlite3_column_blob(stmt, column);
    return hash_bytes(hash_bytes(h, &type, sizeof type), bytes ? bytes : "",
                      (size_t)sqlite3_column_bytes(stmt, column));
}

uint64_t test_hash_table(const char *table, const char *path) {
    char sql[120];
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    uint64_t h = 7;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA writable_schema = ON", NULL, NULL, NULL); /* reads on past faults */
    snprintf(sql, sizeof sql, "SELECT * FROM %s NOT INDEXED", table);
    int rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
    while (rc == SQLITE_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        for (int c = 0; c < sqlite3_column_count(stmt); c++) h = hash_cell(h, stmt, c);
        rc = SQLITE_OK;
    }
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return hash_bytes(h, &rc, sizeof rc);
}
