/* store/signatures.h: the cache of what was signed (twindex_signature), document numbers (twindex_document) and the change
 * queue (twindex_change), on the writer. The caller owns the transaction.
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

TWX_CHECK twx_rc twx_signatures_open(twx_db *writer, twx_signatures **ret_signatures);
void twx_signatures_close(twx_signatures *s);

TWX_CHECK twx_rc twx_signatures_count(twx_signatures *s, uint64_t *ret_count);
TWX_CHECK twx_rc twx_signatures_get(twx_signatures *s, int64_t doc, twx_stored *ret_stored); /* TWX_DONE: none */
TWX_CHECK twx_rc twx_signatures_put(twx_signatures *s, const twx_stored *stored);
TWX_CHECK twx_rc twx_signatures_delete(twx_signatures *s, int64_t doc);

/* All rows in order of the document's id (direct: doc), `fn` for each, id included. */
typedef twx_rc twx_stored_fn(void *arg, const twx_stored *stored);
TWX_CHECK twx_rc twx_signatures_each(twx_signatures *s, bool direct, twx_stored_fn *fn, void *arg);
/* The doc of every row, ascending, batch by batch: rows behind `after`. Returns fewer than limit at the end. */
TWX_CHECK twx_rc twx_signatures_docs(twx_signatures *s, int64_t after, int64_t *ret_docs, size_t limit, size_t *ret_n);

/* Document numbers of mapped ids. find: TWX_DONE when the id has none. make: the number it has or gets. */
TWX_CHECK twx_rc twx_document_find(twx_signatures *s, const twx_value *id, int64_t *ret_doc);
TWX_CHECK twx_rc twx_document_make(twx_signatures *s, const twx_value *id, int64_t *ret_doc);
TWX_CHECK twx_rc twx_document_id(twx_signatures *s, int64_t doc, twx_value *ret_id); /* TWX_DONE: none */
/* Drops the numbers that no signature and no flag uses any more; not at once when a document goes: published flags need it. */
TWX_CHECK twx_rc twx_document_sweep(twx_signatures *s);

/* The change queue of our own schema. mark: seq of the newest change, 0 when there is none. */
TWX_CHECK twx_rc twx_changes_mark(twx_signatures *s, int64_t *ret_mark);
/* Documents changed up to mark, each once, ascending, behind `after`; fewer than limit at the end. */
TWX_CHECK twx_rc twx_changes_list(twx_signatures *s, int64_t mark, int64_t after, int64_t *ret_docs, size_t limit, size_t *ret_n);
TWX_CHECK twx_rc twx_changes_forget(twx_signatures *s, int64_t mark);

#endif
