/* store/links.h: twindex_link, the links between the pages of our own `documents`. The table is
 * made when an import is asked for links; other stores, and those imported without, have none.
 * [R1] A document's links go with it, also when a crawler deletes it. [R2] Links that are there
 * already are not written again.
 * [R3] Reading never holds a statement open for long: batches, in order of (doc, to_url).
 * Memory: owned handle; slices are borrowed for the call. The caller owns the transaction of what
 * writes. */
#ifndef TWX_STORE_LINKS_H
#define TWX_STORE_LINKS_H

#include "store/db.h"

typedef struct twx_links twx_links;

/* Makes the table when it is not there, and drops links of documents that are gone: transactions of
 * its own. db: an owner. */
TWX_CHECK twx_rc twx_links_make(twx_db *db);
/* For writing. TWX_DONE: there is no table of links. */
TWX_CHECK twx_rc twx_links_open(twx_db *db, twx_links **ret_links);
void twx_links_close(twx_links *l);

TWX_CHECK twx_rc twx_links_has_any(twx_links *l, int64_t doc, bool *ret_any);
/* Shape  urls: absolute URLs in normal form, each with a line feed behind it; empty or absent: none
 */
TWX_CHECK twx_rc twx_links_replace(twx_links *l, int64_t doc, twx_slice urls);
/* doc gets the links of `from`; its own if they are the same document. */
TWX_CHECK twx_rc twx_links_copy(twx_links *l, int64_t from, int64_t doc);
uint64_t twx_links_written(const twx_links *l); /* so far, by replace */

/* from_url: as it stands in `documents`; to_url: in normal form without optional steps and rules.
 * Whoever compares them brings both into the form that the settings ask for. */
typedef twx_rc twx_link_fn(void *arg, twx_slice from_url, twx_slice to_url);
/* Calls fn for every link whose document is there; without a table for none. The slices live until
 * fn returns. */
TWX_CHECK twx_rc twx_links_each(twx_db *db, twx_link_fn *fn, void *arg);

#endif
