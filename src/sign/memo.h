/* sign/memo.h: a cache of signed texts: tag of a text -> what was computed from the text alone
 * (sign_document.c). All threads of a run share one.
 *
 * The tag is a GMAC (NIST SP 800-38D) under a random key of the memo, twx_text_tag(), which takes a
 * sixth of the time of SHA-256. Two texts with one tag cannot be constructed without the key: any
 * two texts of n bytes have the same tag with a probability of at most (n / 16 + 2) / 2^128.
 * [R1] It never affects a result: after a miss the caller computes the same entries.
 * [R2] It uses at most max_bytes; when full it stores nothing more.
 * A memo is valid for one list of detectors with one set of parameters.
 * Memory: owned handle. Any thread may call key, get and put at any time. */
#ifndef TWX_SIGN_MEMO_H
#define TWX_SIGN_MEMO_H

#include "base/buf.h"
#include "sign/workspace.h"

typedef struct twx_memo twx_memo;

TWX_CHECK twx_rc twx_memo_open(twx_ctx *cx, size_t max_bytes, twx_memo **ret_memo);
void twx_memo_close(twx_memo *m);
/* The key for tags: TWX_TAG_BYTES random bytes. Borrowed. */
const unsigned char *twx_memo_key(const twx_memo *m);
/* Appends the entries to `out`. TWX_DONE: not known. Errors TWX_E_NOMEM, TWX_E_LIMIT */
TWX_CHECK twx_rc twx_memo_get(twx_ctx *cx, twx_memo *m, const unsigned char tag[TWX_TAG_BYTES],
                              twx_buf *out);
/* Stores the entries unless they are known or there is no room. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_memo_put(twx_ctx *cx, twx_memo *m, const unsigned char tag[TWX_TAG_BYTES],
                              twx_slice entries);

#endif
