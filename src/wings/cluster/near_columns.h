/* cluster/near_columns.h: the columns of a document row that near-duplicates and copies need: the
 * identity of its text, where keys of candidates come from, its payload, and its name. Where texts
 * prove copies (names.own), the judging program has the whole record, and only kind and number are
 * needed.
 * [R1] They depend on the document and the settings alone, not on the size of the collection, which
 * decides by which bands candidates are found: bands are cut by the servers. */
#ifndef TWX_CLUSTER_NEAR_COLUMNS_H
#define TWX_CLUSTER_NEAR_COLUMNS_H

#include "judge/judgement.h"

/* What the column `near` says of the text of a document. */
typedef enum twx_near_kind {
    TWX_NEAR_NONE,   /* it has no keys */
    TWX_NEAR_PLAIN,  /* its keys are in the row, or its payload is one that verifies with none */
    TWX_NEAR_LONG,   /* its payload has a sketch */
    TWX_NEAR_SHORT,  /* and is that of a short text (group/bands.h) */
    TWX_NEAR_MASKED, /* its keys are its first key under masks */
    TWX_NEAR_TEXT,   /* it has a text that can only have copies */
    TWX_NEAR_KINDS
} twx_near_kind;

/* Of everything that decides how near-duplicates and copies are judged; 0: they are not. */
uint64_t twx_near_fingerprint(const twx_judge_options *options);
/* Can a cluster judge them? NULL, or why not. */
const char *twx_near_refusal(const twx_judge_options *options);
/* Appends the columns. id_at: the place, from 1, where the id begins in the rank.
 * Errors TWX_E_CORRUPT */
TWX_CHECK twx_rc twx_near_columns_add(twx_ctx *cx, const twx_judge_options *options,
                                      const twx_facts *facts, twx_slice record, size_t id_at,
                                      twx_buf *out);
/* The payload in the column of that name: it follows a byte that says whether a sketch that is made
 * of it, for the bands that servers cut, stands before it. */
twx_slice twx_near_payload(twx_slice column);
/* The version in the document's title (twx_doc_entry.version); 0: none, or not wanted. */
TWX_CHECK twx_rc twx_near_version(twx_ctx *cx, const twx_judge_options *options, twx_slice record,
                                  uint64_t *ret_version);
/* Bytes of the columns of a document that is gone: all 0. */
enum { TWX_NEAR_COLUMNS_NONE = 1 + 3 * 8 + 2 + 1 + 1 + 8 + 1 + 3 + 8 };

#endif
