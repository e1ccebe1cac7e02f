/* predict/url_model.h: reads and writes the tables of what `twindex learn` has learned
 * (url_hypothesis in sql/schema.sql); predict/model.h defines their meaning. The tables are
 * created by the first `twindex learn`.
 * [R1] Writing changes only rows that differ, in one transaction: a reader sees either the old
 * model or the new one.
 * [R2] Reading keeps no statement open between batches of keys.
 * Memory: slices of rows are borrowed for the callback. */
#ifndef TWX_PREDICT_URL_MODEL_H
#define TWX_PREDICT_URL_MODEL_H

#include "base/slice.h"
#include "store/db.h"

typedef struct twx_url_model_head {
    int64_t run;
    uint64_t fingerprint;
    uint64_t urls, share;
} twx_url_model_head;

typedef struct twx_url_context_row {
    int64_t context, hypothesis;
    twx_slice form, path, name, second, value;
    int64_t dup, nodup;
} twx_url_context_row;

typedef struct twx_url_seen_row {
    int64_t key, value;
} twx_url_seen_row;

/* TWX_DONE: nothing has been learned yet. */
TWX_CHECK twx_rc twx_url_model_head_read(twx_db *db, twx_url_model_head *ret_head);
typedef twx_rc twx_url_context_fn(void *arg, const twx_url_context_row *row);
TWX_CHECK twx_rc twx_url_contexts_each(twx_db *db, twx_url_context_fn *fn, void *arg);
typedef twx_rc twx_url_seen_fn(void *arg, const twx_url_seen_row *row);
TWX_CHECK twx_rc twx_url_seen_each(twx_db *db, twx_url_seen_fn *fn, void *arg);

/* Shape  contexts and seen are in ascending order of context and key, each once */
typedef struct twx_url_model_rows {
    twx_url_model_head head;
    const twx_url_context_row *contexts;
    size_t contexts_n;
    const twx_url_seen_row *seen;
    size_t seen_n;
} twx_url_model_rows;

/* Creates the tables if they do not exist. */
TWX_CHECK twx_rc twx_url_model_make(twx_db *db);
/* *ret_changed: number of rows written and deleted. */
TWX_CHECK twx_rc twx_url_model_write(twx_db *db, const twx_url_model_rows *rows,
                                     uint64_t *ret_changed);

#endif
