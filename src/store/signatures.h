/* store/signatures.h: the cache of signatures (twindex_signature) and the document numbers
 * (twindex_document). The caller owns the transaction. On a reader, functions that write fail with
 * TWX_E_CONFIG.
 * Memory: owned handle; slices read are valid until the next call. */
#ifndef TWX_STORE_SIGNATURES_H
#define TWX_STORE_SIGNATURES_H

#include "base/value.h"
#include "store/db.h"

typedef struct twx_signatures twx_signatures;

/* One stored row. Shape: token is absent for the trigger feed. */
typedef struct twx_stored {
    int64_t doc;
    bool has_token;
    uint64_t token;
    uint64_t fingerprint;
    twx_slice facts, keys;
} twx_stored;

TWX_CHECK twx_rc twx_signatures_open(twx_db *db, twx_signatures **ret_signatures);
void twx_signatures_close(twx_signatures *s);

TWX_CHECK twx_rc twx_signatures_count(twx_signatures *s, uint64_t *ret_count);
TWX_CHECK twx_rc twx_signatures_get(twx_signatures *s, int64_t doc,
                                    twx_stored *ret_stored); /* TWX_DONE: none */
TWX_CHECK twx_rc twx_signatures_put(twx_signatures *s, const twx_stored *stored);
TWX_CHECK twx_rc twx_signatures_delete(twx_signatures *s, int64_t doc);
/* Resets the statement of the last get or document_id; its slices become invalid. Until then the
 * WAL is pinned, and this connection cannot begin a transaction once another one has committed. */
void twx_signatures_release(twx_signatures *s);

/* Reads all rows, one at a time, with their ids, in order of the id (direct: doc). A statement of
 * the connection stays open until close. Memory: owned handle; a row is valid until the next
 * call. */
typedef struct twx_signatures_cursor twx_signatures_cursor;
TWX_CHECK twx_rc twx_signatures_cursor_open(twx_signatures *s, bool direct,
                                            twx_signatures_cursor **ret_cursor);
/* TWX_DONE after the last one. Errors TWX_E_CORRUPT */
TWX_CHECK twx_rc twx_signatures_cursor_next(twx_signatures_cursor *c, twx_stored *ret_stored,
                                            twx_value *ret_id);
void twx_signatures_cursor_close(twx_signatures_cursor *c);
/* Calls `fn` for each row, id included, in order of the document's id (direct: doc). */
typedef twx_rc twx_stored_fn(void *arg, const twx_stored *stored);
TWX_CHECK twx_rc twx_signatures_each(twx_signatures *s, bool direct, twx_stored_fn *fn, void *arg);
/* A batch of docs greater than `after`, ascending; fewer than limit at the end. */
TWX_CHECK twx_rc twx_signatures_docs(twx_signatures *s, int64_t after, int64_t *ret_docs,
                                     size_t limit, size_t *ret_n);

/* The smallest and the largest doc; 0 if there is no row. */
TWX_CHECK twx_rc twx_signatures_range(twx_signatures *s, int64_t *ret_first, int64_t *ret_last);

/* Copies all readable signatures, and all document numbers, of `from` into `to`, which must be
 * empty. */
TWX_CHECK twx_rc twx_signatures_copy(twx_signatures *from, twx_signatures *to);

/* Document numbers of mapped ids. find: TWX_DONE if the id has none, TWX_E_CORRUPT if its number is
 * INT64_MIN, which no document gets. make: returns its number or
 * assigns one. */
TWX_CHECK twx_rc twx_document_find(twx_signatures *s, const twx_value *id, int64_t *ret_doc);
TWX_CHECK twx_rc twx_document_make(twx_signatures *s, const twx_value *id, int64_t *ret_doc);
/* Stores an id under the number *doc, or under a new number if doc is NULL. */
TWX_CHECK twx_rc twx_document_put(twx_signatures *s, const int64_t *doc, const twx_value *id,
                                  int64_t *ret_doc);
TWX_CHECK twx_rc twx_document_id(twx_signatures *s, int64_t doc,
                                 twx_value *ret_id); /* TWX_DONE: none */
/* Deletes, in turns, the numbers that no signature and no flag uses any more. A number is not
 * deleted together with its document, because published flags still need it. */
TWX_CHECK twx_rc twx_document_sweep(twx_signatures *s);

#endif
