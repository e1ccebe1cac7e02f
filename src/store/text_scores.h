/* store/text_scores.h: bm25 over the text indexes of several stores. collection_bm25(twindex_text,
 * weights...) is FTS5's bm25(), negated, of one index with all of their documents. bm25 depends on
 * how many documents there are, how long they are on average, and how many have each phrase of the
 * query; these statistics are added up first.
 * [R1] Without statistics it computes those of its own index, and is exactly -bm25().
 * Source of the formula: sqlite.org/fts5.html, "The bm25() function". */
#ifndef TWX_STORE_TEXT_SCORES_H
#define TWX_STORE_TEXT_SCORES_H

#include <sqlite3.h>

#include "base/slice.h"
#include "base/vec.h"
#include "store/db.h"

/* Memory: embedded struct, zeroed at first; twx_text_statistics_done(). */
typedef struct twx_text_statistics {
    int64_t rows, tokens;      /* of the indexes */
    TWX_VEC(int64_t) matching; /* by phrase of the query: rows that have it */
} twx_text_statistics;

void twx_text_statistics_done(twx_text_statistics *s);
/* Adds those of one index. phrases: an expression of FTS5 that has the phrases of the query, in
 * order, and matches whatever has one of them. */
TWX_CHECK twx_rc twx_text_statistics_add(twx_db *db, twx_slice phrases, twx_text_statistics *s);
/* What collection_bm25() uses on this connection; NULL: the statistics of its own index.
 * Borrowed. */
void twx_text_statistics_use(twx_db *db, const twx_text_statistics *s);

/* Called by twx_text_functions_register(). Returns an SQLite result code. */
int twx_text_scores_register(twx_db *db, fts5_api *api);

#endif
