/* ingest/item.h: a record of a crawler, a JSON object or a row of a CSV file, read by the names of
 * its fields.
 * [R1] One table of names (item.c): the columns of `documents`, YaCy's names, and what common
 * crawlers and text extractors write, also in nested objects ("metadata.title"; in CSV
 * "metadata/title"). Letter case, '_', '-' and blanks do not count in names. Of several names for
 * one thing the first of the table that has a value wins.
 * [R2] A list (YaCy's multi-valued fields) is joined by line feeds; a number is taken as its
 * decimal text where text is wanted; dates are ISO 8601, seconds or milliseconds since 1970, or 14
 * digits. Unknown fields are ignored.
 * [R3] A record without a URL is a fault. [R4] A field that may hold HTML or text holds HTML when
 * it begins with a tag.
 * Memory: owned handle; an item's slices are valid until the next call. */
#ifndef TWX_INGEST_ITEM_H
#define TWX_INGEST_ITEM_H

#include "store/documents.h"

typedef struct twx_items twx_items;
struct twx_csv_header;

typedef struct twx_item {
    twx_capture capture;
    twx_slice html;         /* of the page, UTF-8; empty: none */
    bool text_is_extracted; /* the text is a crawler's, made of the page; else it is the body */
    twx_slice fields;       /* "url, title, metadata.lang": the names it has; at most 1 000 bytes */
} twx_item;

TWX_CHECK twx_rc twx_items_open(twx_ctx *cx, twx_items **ret_items);
void twx_items_close(twx_items *items);
/* Is this the name of a field that holds the URL of a page? */
bool twx_item_names_url(const char *name);
/* TWX_E_DATA with cx clear: not a record; *ret_fault says why ("column 17: ..."), valid until
 * the next call. TWX_DONE: no document by design (the header line of a list of pages of
 * Browsertrix). */
TWX_CHECK twx_rc twx_items_of_json(twx_items *items, twx_slice value, twx_item *ret_item,
                                   const char **ret_fault);
TWX_CHECK twx_rc twx_items_of_row(twx_items *items, const struct twx_csv_header *header,
                                  twx_slice row, twx_item *ret_item, const char **ret_fault);

#endif
