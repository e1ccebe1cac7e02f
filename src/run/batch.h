/* run/batch.h: a batch of source rows for a worker: the rows read, then the facts and keys computed
 * from them. The rows are copied into it before, or the worker reads them itself from a range of
 * keys.
 * Memory: owned handle; it is reused for further batches. */
#ifndef TWX_RUN_BATCH_H
#define TWX_RUN_BATCH_H

#include "base/arena.h"
#include "base/vec.h"
#include "run/key_ranges.h"
#include "run/open_store.h"
#include "run/row_facts.h"

enum {
    TWX_BATCH_ROWS = 500,
    TWX_BATCH_BYTES = 4 << 20,
    /* of a range: so much stays in a processor's cache until it is signed */
    TWX_RANGE_ROWS = 256,
    TWX_RANGE_BYTES = 512 << 10
};

typedef struct twx_batch_row {
    twx_value column[TWX_COLUMNS]; /* bytes in the batch's arena */
    bool has_doc;                  /* false: the id has no number yet */
    int64_t doc;
    bool has_token;
    uint64_t token;
    /* set by the worker: offsets and lengths in the batch's `made` */
    size_t facts_at, facts_n, keys_at, keys_n;
    unsigned oddities;
} twx_batch_row;

/* What a worker read of a range. */
typedef struct twx_range_read {
    twx_key_range range;
    bool ended;   /* no row is left in the range; otherwise the next key is `next` */
    bool stopped; /* a row from `next` on is longer than the row limit */
    int64_t next;
    uint64_t rows, bad_ids;
} twx_range_read;

typedef struct twx_batch {
    bool reads; /* the worker reads the rows */
    twx_range_read read;
    TWX_VEC(twx_batch_row) rows;
    twx_arena arena;
    twx_buf made;
    size_t bytes; /* bytes read */
} twx_batch;

TWX_CHECK twx_rc twx_batch_open(twx_ctx *cx, twx_batch **ret_batch);
void twx_batch_close(twx_batch *b);
void twx_batch_clear(twx_batch *b);
/* Copies a row of the source into the batch. */
TWX_CHECK twx_rc twx_batch_add(twx_ctx *cx, twx_batch *b, const twx_source_row *row,
                               twx_batch_row **ret_row);
bool twx_batch_is_full(const twx_batch *b);
/* Values that cannot be a document's key: NULL, and INT64_MIN, after which reading of our own
 * tables starts. direct: twx_source_is_direct(). */
bool twx_is_unusable_id(const twx_value *id, bool direct);
/* Hash of all columns of a row, which a scan compares with the stored one. */
uint64_t twx_row_token(const twx_value *columns);
/* The token by which a change of the row is noticed; false: the feed needs none. */
bool twx_feed_token(twx_feed feed, const twx_value *columns, uint64_t *ret_token);

#endif
