/* The floor of a full run: reads every text of a store and takes its MD5, on one thread, with
 * nothing else. scripts/bench runs it in turn with `twindex run`. Usage: bench_floor STORE [TABLE
 * [COLUMN]] */
#include <inttypes.h>
#include <openssl/evp.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>

static int read_all(sqlite3 *db, const char *sql) {
    sqlite3_stmt *stmt = NULL;
    EVP_MD *md5 = EVP_MD_fetch(NULL, "MD5", NULL);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    unsigned char digest[EVP_MAX_MD_SIZE];
    uint64_t documents = 0, bytes = 0, sum = 0;
    int rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
    while (rc == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW) {
        const void *text = sqlite3_column_text(stmt, 0);
        size_t n = (size_t)sqlite3_column_bytes(stmt, 0);
        EVP_DigestInit_ex2(context, md5, NULL);
        EVP_DigestUpdate(context, text ? text : "", n);
        EVP_DigestFinal_ex(context, digest, NULL);
        documents++;
        bytes += n;
        sum += digest[0];
    }
    sqlite3_finalize(stmt);
    EVP_MD_CTX_free(context);
    EVP_MD_free(md5);
    printf("%" PRIu64 " documents, %" PRIu64 " bytes of text, sum %" PRIu64 "\n", documents, bytes,
           sum);
    return documents == 0;
}

int main(int argc, char **argv) {
    sqlite3 *db = NULL;
    char sql[256];
    if (argc < 2 || sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
        fprintf(stderr, "usage: bench_floor STORE [TABLE [COLUMN]]\n");
        return 64;
    }
    snprintf(sql, sizeof sql, "SELECT %s FROM %s", argc > 3 ? argv[3] : "text",
             argc > 2 ? argv[2] : "documents");
    int rc = read_all(db, sql);
    sqlite3_close(db);
    return rc;
}
