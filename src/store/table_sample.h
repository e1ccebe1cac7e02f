/* store/table_sample.h: private to store/: the tables of a store that could hold documents, with
 * statistics of a sample of their columns. [R1] A path of a JSON column counts as a column. [R2]
 * The content of an FTS table is read from the table NAME_content. [R3] Reads at most
 * TWX_SAMPLE_ROWS rows of each table. */
#ifndef TWX_STORE_TABLE_SAMPLE_H
#define TWX_STORE_TABLE_SAMPLE_H

#include "base/vec.h"
#include "page/looks_like.h"
#include "store/db.h"

enum { TWX_SAMPLE_ROWS = 40 };

/* The expression is before, the alias of the table, column, after: "CAST(t.\"data\" AS TEXT) ->>
 * '$.html'". Memory: owned. */
typedef struct twx_sampled_column {
    char *name, *before, *column, *after;
    size_t kinds[TWX_CONTENTS], filled, integers, blobs;
    int64_t largest;          /* of the integers */
    size_t bytes, text_bytes; /* text_bytes: decompressed and without markup */
    size_t packed_html;
} twx_sampled_column;

typedef enum twx_sampled_kind {
    TWX_SAMPLED_TABLE,
    TWX_SAMPLED_FTS,
    TWX_SAMPLED_VIEW
} twx_sampled_kind;

typedef struct twx_sampled_table {
    char *name, *from; /* from: quoted */
    char *key;         /* quoted column that identifies rows; NULL: none is declared */
    twx_sampled_kind kind;
    bool without_rowid;
    size_t rows; /* number of rows in the sample */
    TWX_VEC(twx_sampled_column) columns;
} twx_sampled_table;

typedef TWX_VEC(twx_sampled_table) twx_sampled_tables;

/* Appends every readable table and view that is not Twindex's. ret_tables: zeroed by the caller. */
TWX_CHECK twx_rc twx_sample_tables(twx_db *db, twx_sampled_tables *ret_tables);
void twx_sampled_tables_done(twx_sampled_tables *tables);
/* Whether more than half of the non-empty values are of this kind. */
bool twx_mostly(const twx_sampled_column *c, twx_content kind);
/* The name in double quotes, owned; NULL: out of memory. */
char *twx_quoted_name(twx_ctx *cx, twx_slice name);

#endif
