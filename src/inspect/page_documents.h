/* inspect/page_documents.h: reads documents of the stores for the report page. */
#ifndef TWX_INSPECT_PAGE_DOCUMENTS_H
#define TWX_INSPECT_PAGE_DOCUMENTS_H

#include "inspect/report_page.h"
#include "run/store_set.h"

enum { TWX_PAGE_TEXT_BYTES = 1 << 18 /* longest text that is compared or quoted */ };

typedef struct twx_listed_reading {
    const twx_job *job;
    twx_store_set *set;
    twx_arena *arena;
} twx_listed_reading;

/* Reads id, URL and title, and the text if ret_text is given: absent when it is longer than
 * TWX_PAGE_TEXT_BYTES. A document that is gone, or whose row is too long to be read, has a note in
 * place of its URL. */
TWX_CHECK twx_rc twx_page_document_read(const twx_listed_reading *r, uint32_t member,
                                        const twx_value *id, twx_page_document *ret_document,
                                        twx_slice *ret_text);

#endif
