#include "run/batch.h"

#include "base/alloc.h"
#include "base/hash64.h"

enum { ARENA_KEEP = 8 << 20, MADE_MAX = 1 << 30 };

twx_rc twx_batch_open(twx_ctx *cx, twx_batch **ret_batch) {
    twx_batch *b = twx_calloc(cx, 1, sizeof *b);
    if (!b) return TWX_E_NOMEM;
    twx_arena_init(&b->arena, ARENA_KEEP);
    twx_buf_init(&b->made, MADE_MAX);
    *ret_batch = b;
    return TWX_OK;
}

void twx_batch_close(twx_batch *b) {
    if (!b) return;
    TWX_VEC_DONE(&b->rows);
    twx_arena_done(&b->arena);
    twx_buf_done(&b->made);
    twx_free(b);
}

void twx_batch_clear(twx_batch *b) {
    b->rows.n = 0;
    b->reads = false;
    b->bytes = 0;
    twx_arena_reset(&b->arena);
    twx_buf_clear(&b->made);
}

twx_rc twx_batch_add(twx_ctx *cx, twx_batch *b, const twx_source_row *row,
                     twx_batch_row **ret_row) {
    twx_batch_row copy = {0};
    for (size_t i = 0; i < TWX_COLUMNS; i++) {
        copy.column[i] = row->value[i];
        if (row->value[i].type != TWX_TEXT && row->value[i].type != TWX_BLOB) continue;
        twx_rc rc = twx_arena_copy(cx, &b->arena, row->value[i].bytes, &copy.column[i].bytes);
        if (rc != TWX_OK) return rc;
        b->bytes += row->value[i].bytes.n;
    }
    if (!TWX_VEC_PUSH(cx, &b->rows, copy)) return TWX_E_NOMEM;
    *ret_row = &b->rows.at[b->rows.n - 1];
    return TWX_OK;
}

bool twx_batch_is_full(const twx_batch *b) {
    return b->rows.n >= TWX_BATCH_ROWS || b->bytes >= TWX_BATCH_BYTES;
}

bool twx_is_unusable_id(const twx_value *id, bool direct) {
    return id->type == TWX_NULL || (direct && id->i == INT64_MIN);
}

bool twx_feed_token(twx_feed feed, const twx_value *columns, uint64_t *ret_token) {
    if (feed == TWX_FEED_TRIGGER) return false;
    *ret_token = feed == TWX_FEED_COLUMN ? twx_value_hash(&columns[TWX_COL_CHANGED], 0)
                                         : twx_row_token(columns);
    return true;
}

uint64_t twx_row_token(const twx_value *columns) {
    uint64_t token = 0;
    for (size_t i = 0; i < TWX_COLUMNS; i++)
        token = twx_mix64(token, twx_value_hash(&columns[i], i));
    return token;
}
