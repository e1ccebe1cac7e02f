/* import/import.h: fills stores with our own schema from files, and sums up what came in. */
#ifndef TWX_IMPORT_IMPORT_H
#define TWX_IMPORT_IMPORT_H

#include "run/job.h"
#include "run/out.h"
#include "store/documents.h"

/* What an import did. */
enum { TWX_IMPORT_TYPES = 40, TWX_IMPORT_TYPE_BYTES = 64 };

typedef struct twx_import_type {
    char name
        /* lower-case, printable; "" for all types beyond the size of the list */
        [TWX_IMPORT_TYPE_BYTES];
    uint64_t n;
} twx_import_type;

typedef struct twx_import_summary {
    const char *store;
    uint64_t records;                               /* records or lines read */
    uint64_t fresh, replaced, same, older, refused; /* documents */
    uint64_t future;                                /* captures with a date in the future */
    uint64_t not_documents, unknown_revisits, too_long, broken, damaged, no_text;
    uint64_t links;
    uint64_t left_out;                       /* responses of other types */
    twx_import_type types[TWX_IMPORT_TYPES]; /* types of left_out, in any order */
    size_t types_n;
} twx_import_summary;

/* Sorts the types. */
TWX_CHECK twx_rc twx_import_summary_write(const twx_out *out, twx_import_summary *s);

/* Fills our own documents from the files of crawlers (import/reader.h says
 * which). One thread reads records and writes documents; the others convert records to captures.
 * [R1] Documents are written in the order of the records, so the store does not depend on the
 * number of threads.
 * [R2] Records that are broken, too long or not documents are counted, named and skipped; they
 * never end the import.
 * [R3] Importing a file again ends in the same store (store/documents.h R1).
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

/* Kinds of messages about a record. */
typedef enum twx_import_note {
    TWX_NOTE_BROKEN,
    TWX_NOTE_DAMAGED,
    TWX_NOTE_TOO_LONG,
    TWX_NOTE_NO_TEXT,
    TWX_NOTE_FUTURE,
    TWX_NOTE_REFUSED
} twx_import_note;

typedef struct twx_import_options {
    uint32_t jobs;     /* threads that convert records; 0: one per processor */
    size_t max_page;   /* longest page in bytes; longer ones are skipped. 0: 16 MiB */
    size_t max_record; /* longest record or row in bytes; longer ones are skipped. 0: 64 MiB */
    const char *types; /* page/document_types.h; NULL: the default */
    /* NULL: none. place: "FILE: offset 1234" or "FILE:17", then the URL if it is known. */
    void (*on_note)(void *arg, twx_import_note note, const char *place, const char *reason);
    void (*on_progress)(void *arg, uint64_t bytes_done, uint64_t bytes_total, uint64_t records);
    void *arg;
} twx_import_options;

/* Adds to the counts. path "-": standard input. Commits at the end. Errors TWX_E_NOSTORE,
 * TWX_E_DATA (format, R5), those of the store. */
TWX_CHECK twx_rc twx_import_file(twx_ctx *cx, const char *path, twx_documents *documents,
                                 const twx_import_options *options, twx_import_counts *counts);

/* Fills stores with our own schema. */
TWX_CHECK twx_rc twx_import(const twx_job *job, const char *const *files, size_t n,
                            twx_import_summary *ret_summary);

#endif
