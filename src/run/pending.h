/* run/pending.h: buffers signed rows until they are written, so that no write transaction is open
 * while workers compute.
 * Memory: embedded struct, owned. */
#ifndef TWX_RUN_PENDING_H
#define TWX_RUN_PENDING_H

#include "run/batch.h"
#include "run/sign.h"

typedef struct twx_pending_row {
    bool has_doc, has_token;
    int64_t doc;
    uint64_t token;
    twx_value id; /* bytes at id_at of the buffer */
    size_t id_at, facts_at, facts_n, keys_at, keys_n;
} twx_pending_row;

typedef struct twx_pending {
    TWX_VEC(twx_pending_row) rows;
    TWX_VEC(int64_t) gone; /* documents that are no longer in the source */
    twx_buf bytes;
} twx_pending;

void twx_pending_init(twx_pending *p);
void twx_pending_done(twx_pending *p);
TWX_CHECK twx_rc twx_pending_add(twx_ctx *cx, twx_pending *p, const twx_batch *b);
typedef struct twx_pending_write {
    twx_opened *opened;
    uint64_t fingerprint;
    bool compare;      /* there are stored rows to compare with */
    bool look;         /* nothing is written; `changed` gets what facts and keys say */
    twx_docs *seen;    /* gets the documents that are numbered now; NULL: not wanted */
    twx_docs *changed; /* gets those whose stored row changes; NULL: not wanted */
} twx_pending_write;

/* Writes everything that differs from the stored rows, in turns, and empties p. With `look`, only
 * notes it; documents have numbers then. */
TWX_CHECK twx_rc twx_pending_flush(twx_ctx *cx, twx_pending *p, const twx_pending_write *how,
                                   twx_sign_counts *counts);

#endif
