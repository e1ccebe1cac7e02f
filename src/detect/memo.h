/* detect/memo.h: a cache of signed texts: SHA-256 of a text -> the packed entries (record.h) of the
 * detectors whose basis is the text. All threads of a run share one.
 * [R1] It never affects a result: after a miss the caller computes the same entries.
 * [R2] It uses at most max_bytes; when full it stores nothing more.
 * A memo is valid for one list of detectors with one set of parameters.
 * Memory: owned handle. Any thread may call get and put at any time. */
#ifndef TWX_DETECT_MEMO_H
#define TWX_DETECT_MEMO_H

#include "base/buf.h"

typedef struct twx_memo twx_memo;

TWX_CHECK twx_rc twx_memo_open(twx_ctx *cx, size_t max_bytes, twx_memo **ret_memo);
void twx_memo_close(twx_memo *m);
/* Appends the entries to `out`. TWX_DONE: not known. Errors TWX_E_NOMEM, TWX_E_LIMIT */
TWX_CHECK twx_rc twx_memo_get(twx_ctx *cx, twx_memo *m, const unsigned char sha256[32],
                              twx_buf *out);
/* Stores the entries unless they are known or there is no room. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_memo_put(twx_ctx *cx, twx_memo *m, const unsigned char sha256[32],
                              twx_slice entries);

#endif
