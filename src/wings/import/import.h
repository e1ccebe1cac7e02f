/* import/import.h: files of a crawl into documents. */
#ifndef TWX_IMPORT_IMPORT_H
#define TWX_IMPORT_IMPORT_H

#include "run/run.h"

/* csv (item.c): comma-separated values with a header (RFC 4180).
 * [R1] The separator is a comma, semicolon or tab: the one that occurs most often in the header
 * outside quotes. [R2] A quoted field can contain separators, line breaks and doubled quotes; a
 * quote within an unquoted field is an ordinary character. [R3] Lines end with LF or CRLF, also
 * mixed; empty lines are skipped. [R4] Rows that are not UTF-8 are decoded as windows-1252. */

typedef struct twx_csv_header {
    char separator;
    size_t n;
    twx_slice *names; /* in an arena of the reader */
} twx_csv_header;

/* The input of rows. */
typedef struct twx_csv_source {
    twx_input *in;
    twx_buf *line;   /* room for a line */
    uint64_t *lines; /* counts the lines read */
} twx_csv_source;

/* Reads one row, including its quoted line breaks. TWX_DONE: the end; TWX_E_LIMIT without a
 * message: the row is longer than row's max and was skipped. */
TWX_CHECK twx_rc twx_csv_row(twx_ctx *cx, const twx_csv_source *from, char separator, twx_buf *row);
/* Reads the header row: its separator and the names of the columns. */
TWX_CHECK twx_rc twx_csv_header_read(twx_ctx *cx, twx_arena *arena, twx_slice row,
                                     twx_csv_header *ret_header);

/* warc (archives.c): reads the records of a WARC file (ISO 28500; versions 0.17 to 1.1) in
 * sequence.
 * [R1] Accepts header names in any case, folded lines, and <> around WARC-Target-URI (wget). [R2] A
 * broken record is reported once (TWX_E_DATA with a clear context and `fault` set) and the reader
 * continues at the next line that begins a record. [R3] A record longer than the limit is skipped
 * without being held in memory: `too_long`.
 * Memory: owned handle; a record's slices are valid until the next call. */

typedef struct twx_warc twx_warc;

typedef struct twx_warc_record {
    uint64_t offset; /* of its first byte in the unpacked stream */
    /* headers, trimmed; absent when missing */
    twx_slice type, target_uri, date, content_type, payload_digest;
    twx_slice block; /* empty when too_long */
    bool too_long;
} twx_warc_record;

TWX_CHECK twx_rc twx_warc_open(twx_ctx *cx, twx_input *in, size_t max_block, twx_warc **ret_warc);
void twx_warc_close(twx_warc *w);
/* TWX_DONE: the end. TWX_E_DATA with cx clear: a broken record; *ret_fault has the fault and its
 * position ("offset 1234: no Content-Length"). */
TWX_CHECK twx_rc twx_warc_next(twx_warc *w, twx_warc_record *ret_record, const char **ret_fault);

/* raw: a record as it was cut out of an input file, before it is parsed.
 * Memory: slices are borrowed; each function that returns a record documents for how long. */

typedef enum twx_raw_kind { TWX_RAW_WARC, TWX_RAW_JSON, TWX_RAW_CSV } twx_raw_kind;

typedef struct twx_raw {
    twx_raw_kind kind;
    bool by_line; /* `at` is a line number, from 1; else an offset in the unpacked stream */
    uint64_t at;
    bool too_long;                       /* longer than the limit, so it was skipped */
    const char *fault;                   /* why it could not be read; NULL: it could */
    twx_slice entry;                     /* of an archive; absent: the file itself */
    twx_warc_record warc;                /* TWX_RAW_WARC */
    twx_slice bytes;                     /* TWX_RAW_JSON: a value; TWX_RAW_CSV: a row */
    const struct twx_csv_header *header; /* TWX_RAW_CSV */
} twx_raw;

/* extract.c: makes documents of records: HTTP messages, pages, plain text and items. */

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
    /* X-Robots-Tag values for all agents, joined by ", "; values for a single agent are left out.
     * Owned. */
    twx_buf robots;
    twx_slice body;
    const char *fault; /* NULL: none; static text */
    bool too_long;     /* the body exceeds max_body; `body` is its beginning */
} twx_http;

/* room and ret_http->robots: initialised by the caller (twx_buf_init), cleared here. Errors
 * TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_http_parse(twx_ctx *cx, twx_slice response, size_t max_body, twx_buf *room,
                                twx_http *ret_http);

/* Turns a raw record into a capture, in a worker of the import. Accesses no store and no file.
 * [R1] The result depends only on the record and the options. [R2] No record ends an import: a
 * broken or too long record, or one that is not a document, is a result with a reason. [R3] A page
 * that is longer than max_page after decompression is too long; it uses at most twice that memory.
 * Memory: owned handle, one per thread; results are copied into the caller's arena. */
typedef struct twx_extract_options {
    size_t max_page;   /* bytes of a page or text */
    size_t max_row;    /* bytes of all fields together */
    const char *types; /* document_types; borrowed */
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
    /* Why the record is broken, or what part of a kept document is damaged; absent: no fault */
    twx_slice reason;
    bool no_text; /* a JSON or CSV record of a loaded page has no text; `fields` lists its fields */
    twx_slice fields;
} twx_extracted;

typedef struct twx_extractor twx_extractor;

TWX_CHECK twx_rc twx_extractor_open(twx_ctx *cx, const twx_extract_options *options,
                                    twx_extractor **ret_extractor);
void twx_extractor_close(twx_extractor *x);
/* Errors TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_extract(twx_extractor *x, const twx_raw *raw, twx_arena *arena,
                             twx_extracted *ret);

/* import.c: fills stores with our own schema from files, and sums up what came in. */
enum { TWX_IMPORT_TYPES = 40, TWX_IMPORT_TYPE_BYTES = 64 };

typedef struct twx_import_type {
    /* lower-case, printable; "" for all types beyond the size of the list */
    char name[TWX_IMPORT_TYPE_BYTES];
    uint64_t n;
} twx_import_type;

/* Fills our own documents from the files of crawlers (import/reader.c says
 * which). One thread reads records and writes documents; the others convert records to captures.
 * [R1] Documents are written in the order of the records, so the store does not depend on the
 * number of threads.
 * [R2] Records that are broken, too long or not documents are counted, named and skipped; they
 * never end the import.
 * [R3] Importing a file again ends in the same store (store/documents.c R1).
 * [R4] No transaction is open while waiting for input: captures are collected in memory and written
 * together; before waiting for an idle pipe, everything read is written and committed.
 * [R5] If no record of a JSON or CSV file has text, nothing is imported and the result is
 * TWX_E_DATA, naming the fields found; likewise if none of its records is usable. */
typedef struct twx_import_counts {
    uint64_t records;            /* records or lines read */
    uint64_t put[TWX_PUT_COUNT]; /* documents, by result */
    uint64_t not_documents;      /* requests, metadata, DNS, ... */
    uint64_t left_out;           /* responses whose type is not a document type */
    uint64_t unknown_revisits;   /* revisit records whose payload is not in the store */
    uint64_t too_long;
    uint64_t broken;  /* records that were skipped */
    uint64_t damaged; /* documents kept although a part of the record was damaged */
    uint64_t future;  /* captures with a date in the future */
    uint64_t no_text; /* JSON and CSV records of pages that were loaded, without text */
    twx_import_type types[TWX_IMPORT_TYPES]; /* types of left_out, in order of first occurrence */
    size_t types_n;
} twx_import_counts;

typedef struct twx_import_options {
    uint32_t jobs;     /* threads that convert records; 0: one per processor */
    size_t max_page;   /* longest page in bytes; longer ones are skipped */
    size_t max_record; /* longest record or row in bytes; longer ones are skipped */
    const char *types; /* page/document_types.c */
    /* About a record. place: "FILE: offset 1234" or "FILE:17", then the URL if it is known. */
    void (*on_note)(void *arg, const char *place, const char *reason);
    void (*on_progress)(void *arg, uint64_t bytes_done, uint64_t bytes_total);
    void *arg;
} twx_import_options;

/* Adds to the counts. path "-": standard input. Commits at the end. Errors TWX_E_NOSTORE,
 * TWX_E_DATA (format, R5), those of the store. */
TWX_CHECK twx_rc twx_import_file(twx_ctx *cx, const char *path, twx_documents *documents,
                                 const twx_import_options *options, twx_import_counts *counts);

/* Fills a store with our own schema, and writes what was done. */
TWX_CHECK twx_rc twx_import(const twx_job *job, const char *const *files, size_t n,
                            const twx_out *out);

/* item.c: reads a record of a crawler, which is a JSON object or a CSV row, by the names of
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

/* reader.c: a file of any known format as a sequence of raw records.
 * [R1] The format is detected from the first bytes, after decompression and a byte order mark: WARC
 * (also WET), JSON (one object per line, a list, or concatenated objects), CSV with a header, a ZIP
 * archive of WARC files (WACZ). [R2] Broken records are returned with `fault`; reading continues
 * after them. [R3] Unknown formats are refused with TWX_E_DATA and advice.
 * Memory: owned handle; a record's slices are valid until the next call, its header until the
 * reader is closed. */

typedef struct twx_reader twx_reader;

/* path "-": standard input. max_record: longest record in bytes; longer ones are skipped. on_wait:
 * called before a read that has to wait for a pipe (input); NULL: none. */
typedef struct twx_reader_options {
    size_t max_record;
    twx_rc (*on_wait)(void *arg);
    void *arg;
} twx_reader_options;

/* Errors TWX_E_NOSTORE, TWX_E_DATA. */
TWX_CHECK twx_rc twx_reader_open(twx_ctx *cx, const char *path, const twx_reader_options *options,
                                 twx_reader **ret_reader);
void twx_reader_close(twx_reader *r);
/* TWX_DONE: the end. TWX_E_DATA: the file is truncated or damaged; all records before that point
 * have been returned. */
TWX_CHECK twx_rc twx_reader_next(twx_reader *r, twx_raw *ret_raw);
const char *twx_reader_name(const twx_reader *r); /* path, or "standard input" */
/* Whether the records have fields chosen by a crawler (JSON, CSV). */
bool twx_reader_has_items(const twx_reader *r);
void twx_reader_progress(const twx_reader *r, uint64_t *ret_done, uint64_t *ret_total);
/* Offset in the unpacked stream. */
uint64_t twx_reader_offset(const twx_reader *r);

/* zip (archives.c): opens the entries of a ZIP archive, stored or deflated (libzip), as inputs.
 * WACZ is a ZIP of WARC files.
 * [R1] Entries that share bytes of the file are refused, so that what all of them unpack to is
 * bounded by the size of the file; so are archives of more than TWX_ZIP_ENTRIES entries.
 * [R2] All entries together give at most TWX_ZIP_RATIO times the size of the file, or
 * TWX_ZIP_LEAST bytes if that is more; also if they are compressed again.
 * Memory: owned handle. */

typedef struct twx_zip twx_zip;

/* Errors TWX_E_DATA: not an archive, encrypted, damaged, R1. */
TWX_CHECK twx_rc twx_zip_open(twx_ctx *cx, const char *path, twx_zip **ret_zip);
void twx_zip_close(twx_zip *z);
/* The next entry that is a file. Its input is borrowed and valid until the next call, and so is
 * its name. TWX_DONE: no more. */
TWX_CHECK twx_rc twx_zip_next(twx_zip *z, twx_input **ret_input, twx_slice *ret_name);
/* Compressed bytes of the entries opened so far, and of all entries. */
void twx_zip_progress(const twx_zip *z, uint64_t *ret_done, uint64_t *ret_total);

#endif
