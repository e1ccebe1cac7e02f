/* store/text_index.h: twindex_text, the FTS5 index over titles and texts, which only `twindex
 * index` creates.
 * [R1] It holds words, not texts. [R2] The words of a changed or deleted document are not removed:
 * a changed document gets a new slot, and a search ignores slots that belong to no document.
 * [R3] An index is used only if its terms are those that this program makes: others would be
 * searched for in vain.
 * Memory: owned handle. The caller owns the transaction of functions that write. */
#ifndef TWX_STORE_TEXT_INDEX_H
#define TWX_STORE_TEXT_INDEX_H

#include "base/slice.h"
#include "store/db.h"

typedef enum twx_text_index_state {
    TWX_TEXT_NONE,  /* there is no index */
    TWX_TEXT_OTHER, /* made by another version of the terms [R3]: it can only be dropped */
    TWX_TEXT_READY
} twx_text_index_state;
/* Also prepares the connection for queries to an index that is ready. */
TWX_CHECK twx_rc twx_text_index_look(twx_db *db, twx_text_index_state *ret_state);
/* Errors TWX_E_DATA, with what to do: there is no index that is ready. */
TWX_CHECK twx_rc twx_text_index_require(twx_db *db);
/* db: a writer. Both use transactions of their own. */
TWX_CHECK twx_rc twx_text_index_make(twx_db *db);
TWX_CHECK twx_rc twx_text_index_drop(twx_db *db);

typedef struct twx_text_index twx_text_index;

TWX_CHECK twx_rc twx_text_index_open(twx_db *db, twx_text_index **ret_index);
void twx_text_index_close(twx_text_index *index);

/* slots: all that were ever used. */
TWX_CHECK twx_rc twx_text_index_count(twx_text_index *index, uint64_t *ret_documents,
                                      uint64_t *ret_slots);
/* Calls fn for each indexed document once, in batches; no statement stays open between batches. */
typedef twx_rc twx_text_slot_fn(void *arg, int64_t doc, uint64_t hash);
TWX_CHECK twx_rc twx_text_index_each(twx_text_index *index, twx_text_slot_fn *fn, void *arg);

/* Indexes a document, or indexes it again. */
typedef struct twx_text_entry {
    int64_t doc;
    uint64_t hash;
    unsigned language; /* text/stem_language.h */
    twx_slice title, text;
} twx_text_entry;
TWX_CHECK twx_rc twx_text_index_put(twx_text_index *index, const twx_text_entry *entry);
TWX_CHECK twx_rc twx_text_index_forget(twx_text_index *index, int64_t doc);
/* Takes a step in merging what earlier transactions have written: a few hundred kilobytes. To be
 * called after each transaction until there is no more to merge: otherwise FTS5 merges sixteen
 * segments at once, in a commit that may take long. */
TWX_CHECK twx_rc twx_text_index_merge(twx_text_index *index, bool *ret_more);

#endif
