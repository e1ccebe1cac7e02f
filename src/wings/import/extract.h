/* import/extract.h: makes documents of records: HTTP messages, pages, plain text and items. */
#ifndef TWX_IMPORT_EXTRACT_H
#define TWX_IMPORT_EXTRACT_H

#include "base/arena.h"
#include "base/buf.h"
#include "import/raw.h"
#include "store/documents.h"

/* The HTTP response inside a WARC record: status, headers, body without its
 * transfer and content codings.
 * [R1] Accepts what real archives contain: no status text, no head at all (then `status` is 200 and
 * everything is body), several 1xx heads before the final one, bare LF, a body that is declared
 * chunked but is not chunked any more. [R2] Decodes gzip, deflate, br and zstd; an unknown coding
 * or a broken body sets `fault` and gives what could be decoded. [R3] At most max_body bytes are
 * decoded or joined.
 * Memory: the body is in `room` if it had to be decoded, else in the response; slices are borrowed
 * from these two. */
typedef struct twx_http {
    int status;
    twx_slice content_type; /* "text/html", without parameters, as written; absent: none */
    twx_slice charset;      /* parameter of it; absent: none */
    twx_slice location;
    twx_buf
        /* X-Robots-Tag values for all agents, joined by ", "; values for a single agent are left
         * out. Owned. */
        robots;
    twx_slice body;
    const char *fault; /* NULL: none; static text */
    bool too_long;     /* the body exceeds max_body; `body` is its beginning */
} twx_http;

/* room and ret_http->robots: initialised by the caller (twx_buf_init), cleared here. Errors
 * TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_http_parse(twx_ctx *cx, twx_slice response, size_t max_body, twx_buf *room,
                                twx_http *ret_http);

/* Turns a raw record into a capture, in a worker of the import. Accesses no store
 * and no file.
 * [R1] The result depends only on the record and the options. [R2] No record ends an import: a
 * broken or too long record, or one that is not a document, is a result with a reason. [R3] A page
 * that is longer than max_page after decompression is too long; it uses at most twice that memory.
 * Memory: owned handle, one per thread; results are copied into the caller's arena. */
typedef struct twx_extract_options {
    size_t max_page;   /* bytes of a page or text */
    size_t max_row;    /* bytes of all fields together */
    const char *types; /* document_types.h; borrowed */
    bool keep_links;
} twx_extract_options;

typedef enum twx_extraction {
    TWX_FOUND_DOCUMENT,
    TWX_FOUND_REVISIT,     /* a revisit of the page with this payload digest */
    TWX_FOUND_NO_DOCUMENT, /* a request, metadata, ... */
    TWX_FOUND_OTHER_TYPE,  /* an image, a style sheet, ...; see `type` */
    TWX_FOUND_TOO_LONG,
    TWX_FOUND_BROKEN
} twx_extraction;

typedef struct twx_extracted {
    twx_extraction what;
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
