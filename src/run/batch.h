/* run/batch.h: a batch of source rows for a worker: the rows read, then the facts and keys computed
 * from them.
 * Memory: owned handle; it is reused for further batches. */
#ifndef TWX_RUN_BATCH_H
#define TWX_RUN_BATCH_H

#include "base/arena.h"
#include "base/vec.h"
#include "job/row_facts.h"

enum { TWX_BATCH_ROWS = 500, TWX_BATCH_BYTES = 4 << 20 };

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

typedef struct twx_batch {
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
/* Hash of all columns of a row, which a scan compares with the stored one. */
uint64_t twx_row_token(const twx_value *columns);

#endif
