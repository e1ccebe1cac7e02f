/* cluster/document_row.h: a document as a row of document_local (sql/cluster): what judging needs
 * of its facts and of its record of signatures.
 * [R1] Equal documents with equal settings have equal rows: the hash is of all columns but the
 * version. */
#ifndef TWX_CLUSTER_DOCUMENT_ROW_H
#define TWX_CLUSTER_DOCUMENT_ROW_H

#include "base/value.h"
#include "cluster/uid.h"
#include "judge/judgement.h"

enum { TWX_DOCUMENT_ROW_VERSION = 6 };

typedef struct twx_document_row {
    uint32_t shard;
    int64_t doc;
    uint64_t version;
    twx_value id;
    twx_slice facts, record; /* as stored */
} twx_document_row;

/* Of everything that decides what a row contains and how it is judged: stores whose rows have
 * different fingerprints cannot be judged together. signing: of the detectors and URL settings. */
uint64_t twx_document_row_fingerprint(const twx_judge_options *options, uint64_t signing);
/* Appends the row.
 * Errors TWX_E_CORRUPT: facts or record are damaged; TWX_E_INTERNAL: a relation has several keys */
TWX_CHECK twx_rc twx_document_row_add(twx_ctx *cx, const twx_judge_options *options,
                                      const twx_document_row *row, twx_buf *out,
                                      uint64_t *ret_hash);
/* Appends a row that marks the document as gone. */
TWX_CHECK twx_rc twx_document_row_gone(twx_ctx *cx, uint32_t shard, int64_t doc, uint64_t version,
                                       twx_buf *out);

#endif
