/* import/extract.h: turns a raw record into a capture, in a worker of the import. Accesses no store
 * and no file.
 * [R1] The result depends only on the record and the options. [R2] No record ends an import: a
 * broken or too long record, or one that is not a document, is a result with a reason. [R3] A page
 * that is longer than max_page after decompression is too long; it uses at most twice that memory.
 * Memory: owned handle, one per thread; results are copied into the caller's arena. */
#ifndef TWX_IMPORT_EXTRACT_H
#define TWX_IMPORT_EXTRACT_H

#include "base/arena.h"
#include "import/raw.h"
#include "store/documents.h"

typedef struct twx_extract_options {
    size_t max_page;   /* bytes of a page or text */
    size_t max_row;    /* bytes of all fields together */
    const char *types; /* document_types.h; borrowed */
    bool keep_links;
} twx_extract_options;

typedef enum twx_finding {
    TWX_FOUND_DOCUMENT,
    TWX_FOUND_REVISIT,     /* a revisit of the page with this payload digest */
    TWX_FOUND_NO_DOCUMENT, /* a request, metadata, ... */
    TWX_FOUND_OTHER_TYPE,  /* an image, a style sheet, ...; see `type` */
    TWX_FOUND_TOO_LONG,
    TWX_FOUND_BROKEN
} twx_finding;

typedef struct twx_extracted {
    twx_finding what;
    twx_capture capture; /* TWX_FOUND_DOCUMENT, _REVISIT */
    twx_slice url;       /* for messages; absent: not known */
    twx_slice type;
    twx_slice
        /* why the record is broken, or what part of a kept document is damaged; absent: no fault */
        reason;
    bool
        /* a JSON or CSV record of a loaded page has no text; `fields` lists its fields */
        no_text;
    twx_slice fields;
} twx_extracted;

typedef struct twx_extractor twx_extractor;

TWX_CHECK twx_rc twx_extractor_open(twx_ctx *cx, const twx_extract_options *options,
                                    twx_extractor **ret_extractor);
void twx_extractor_close(twx_extractor *x);
/* Errors TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_extract(twx_extractor *x, const twx_raw *raw, twx_arena *arena,
                             twx_extracted *ret);

#endif
