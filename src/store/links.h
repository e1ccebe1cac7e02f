/* store/links.h: twindex_link, the links between the pages of our own `documents`. The table is
 * created by the first import with --links; other stores have none.
 * [R1] A document's links are deleted with it, even when a crawler deletes it. [R2] Links that are
 * already stored are not written again.
 * [R3] Links are read in batches, in order of (doc, to_url), so that no statement stays open for
 * long.
 * Memory: owned handle; slices are borrowed for the call. The caller owns the transaction of
 * functions that write. */
#ifndef TWX_STORE_LINKS_H
#define TWX_STORE_LINKS_H

#include "store/db.h"

typedef struct twx_links twx_links;

/* Creates the table if it does not exist, and deletes links of deleted documents, in its own
 * transactions. db: opened with TWX_DB_OWNER. */
TWX_CHECK twx_rc twx_links_make(twx_db *db);
/* For writing. TWX_DONE: there is no table of links. */
TWX_CHECK twx_rc twx_links_open(twx_db *db, twx_links **ret_links);
void twx_links_close(twx_links *l);

TWX_CHECK twx_rc twx_links_has_any(twx_links *l, int64_t doc, bool *ret_any);
/* Shape  urls: absolute URLs in normal form, each followed by a line feed; empty or absent: none */
TWX_CHECK twx_rc twx_links_replace(twx_links *l, int64_t doc, twx_slice urls);
/* Replaces the links of doc by those of `from`; does nothing if they are the same document. */
TWX_CHECK twx_rc twx_links_copy(twx_links *l, int64_t from, int64_t doc);
uint64_t twx_links_written(const twx_links *l); /* so far, by replace */

/* from_url: as stored in `documents`; to_url: in normal form without optional steps and rules.
 * Before comparing them the caller normalizes both as the settings require. */
typedef twx_rc twx_link_fn(void *arg, twx_slice from_url, twx_slice to_url);
/* Calls fn for every link whose document exists; never if there is no table. The slices are valid
 * until fn returns. */
TWX_CHECK twx_rc twx_links_each(twx_db *db, twx_link_fn *fn, void *arg);

#endif
