/* import/item.h: reads a record of a crawler, which is a JSON object or a CSV row, by the names of
 * its fields.
 * [R1] One table of names (item.c): the columns of `documents`, YaCy's names, and those of common
 * crawlers and text extractors, also in nested objects ("metadata.title"; in CSV "metadata/title").
 * Letter case, '_', '-' and blanks in names are ignored. If several names for the same field have a
 * value, the first in the table wins.
 * [R2] A list (YaCy's multi-valued fields) is joined by line feeds; a number in a text field is
 * used as its decimal text; dates are ISO 8601, seconds or milliseconds since 1970, or 14 digits.
 * Unknown fields are ignored.
 * [R3] A record without a URL is a fault. [R4] A field that may hold HTML or text is HTML if it
 * begins with a tag.
 * Memory: owned handle; an item's slices are valid until the next call. */
#ifndef TWX_IMPORT_ITEM_H
#define TWX_IMPORT_ITEM_H

#include "store/documents.h"

typedef struct twx_items twx_items;
struct twx_csv_header;

typedef struct twx_item {
    twx_capture capture;
    twx_slice html; /* of the page, UTF-8; empty: none */
    /* the text was extracted from the page by a crawler; else it is the body */
    bool text_is_extracted;
    /* "url, title, metadata.lang": the names of its fields; at most 1 000 bytes */
    twx_slice fields;
} twx_item;

TWX_CHECK twx_rc twx_items_open(twx_ctx *cx, twx_items **ret_items);
void twx_items_close(twx_items *items);
/* Whether this is the name of a field that holds the URL of a page. */
bool twx_item_names_url(const char *name);
/* TWX_E_DATA with cx clear: not a record; *ret_fault is the reason ("column 17: ..."), valid until
 * the next call. TWX_DONE: not a document by design (the header line of a Browsertrix list of
 * pages). */
TWX_CHECK twx_rc twx_items_of_json(twx_items *items, twx_slice value, twx_item *ret_item,
                                   const char **ret_fault);
TWX_CHECK twx_rc twx_items_of_row(twx_items *items, const struct twx_csv_header *header,
                                  twx_slice row, twx_item *ret_item, const char **ret_fault);

#endif
