/* The floor of a full run: reads every text of a store and takes its MD5, on one thread, with
 * nothing else; with --insert it also inserts each digest into a narrow table of another file, in
 * one transaction. scripts/benchmark runs it in turn with `twindex run`.
 * Usage: bench_floor [--insert FILE] STORE [TABLE [COLUMN]] */
#include <inttypes.h>
#include <openssl/evp.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(sqlite3 *db, int rc) {
    if (rc == SQLITE_OK || rc == SQLITE_DONE) return;
    fprintf(stderr, "bench_floor: %s\n", sqlite3_errmsg(db));
    exit(1);
}

static sqlite3_stmt *open_insert(const char *path, sqlite3 **ret_db) {
    sqlite3_stmt *insert = NULL;
    if (!path) return NULL;
    check(*ret_db, sqlite3_open(path, ret_db));
    check(*ret_db, sqlite3_exec(*ret_db,
                                "PRAGMA journal_mode = WAL;"
                                "CREATE TABLE digest(id INTEGER PRIMARY KEY, md5 BLOB); BEGIN",
                                NULL, NULL, NULL));
    check(*ret_db,
          sqlite3_prepare_v2(*ret_db, "INSERT INTO digest VALUES(?1, ?2)", -1, &insert, NULL));
    return insert;
}

static void read_all(sqlite3 *db, const char *sql, const char *path) {
    sqlite3 *to = NULL;
    sqlite3_stmt *stmt = NULL, *insert = open_insert(path, &to);
    EVP_MD *md5 = EVP_MD_fetch(NULL, "MD5", NULL);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    unsigned char digest[EVP_MAX_MD_SIZE];
    uint64_t documents = 0, bytes = 0, sum = 0;
    check(db, sqlite3_prepare_v2(db, sql, -1, &stmt, NULL));
    while (sqlite3_step(stmt) == SQLITE_ROW) {
        const void *text = sqlite3_column_text(stmt, 0);
        size_t n = (size_t)sqlite3_column_bytes(stmt, 0);
        EVP_DigestInit_ex2(context, md5, NULL);
        EVP_DigestUpdate(context, text ? text : "", n);
        EVP_DigestFinal_ex(context, digest, NULL);
        documents++;
        bytes += n;
        sum += digest[0];
        if (!insert) continue;
        sqlite3_bind_int64(insert, 1, (sqlite3_int64)documents);
        sqlite3_bind_blob(insert, 2, digest, 16, SQLITE_STATIC);
        check(to, sqlite3_step(insert));
        sqlite3_reset(insert);
    }
    check(db, sqlite3_finalize(stmt));
    if (insert) {
        sqlite3_finalize(insert);
        check(to, sqlite3_exec(to, "COMMIT", NULL, NULL, NULL));
        sqlite3_close(to);
    }
    EVP_MD_CTX_free(context);
    EVP_MD_free(md5);
    printf("%" PRIu64 " documents, %" PRIu64 " bytes of text, sum %" PRIu64 "\n", documents, bytes,
           sum);
}

int main(int argc, char **argv) {
    sqlite3 *db = NULL;
    char sql[256];
    const char *insert_into = NULL;
    if (argc > 2 && strcmp(argv[1], "--insert") == 0) {
        insert_into = argv[2];
        argc -= 2;
        argv += 2;
    }
    if (argc < 2 || sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
        fprintf(stderr, "usage: bench_floor [--insert FILE] STORE [TABLE [COLUMN]]\n");
        return 64;
    }
    snprintf(sql, sizeof sql, "SELECT %s FROM %s", argc > 3 ? argv[3] : "text",
             argc > 2 ? argv[2] : "documents");
    read_all(db, sql, insert_into);
    sqlite3_close(db);
    return 0;
}
