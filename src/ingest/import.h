/* ingest/import.h: fills our own documents from WARC, WARC.gz, WET and JSON Lines. [R1] The format is told by the first bytes.
 * [R2] What is broken is counted, named and skipped. [R3] Importing a file again changes nothing (store/documents.h R1).
 * [R4] ARC and unknown formats are refused with TWX_E_DATA and what to do. */
#ifndef TWX_INGEST_IMPORT_H
#define TWX_INGEST_IMPORT_H

#include "store/documents.h"

typedef struct twx_import_counts {
    uint64_t records;            /* records or lines read */
    uint64_t put[TWX_PUT_COUNT]; /* documents, by what became of them */
    uint64_t not_documents;      /* requests, metadata, DNS, ... */
    uint64_t not_text;           /* images, archives, ...: successful responses that hold no text */
    uint64_t unknown_revisits;   /* revisit records whose payload is not in the store */
    uint64_t too_long;
    uint64_t broken;
} twx_import_counts;

typedef struct twx_import_options {
    size_t max_record; /* bytes of a record, packed or not; longer ones are skipped. 0: 64 MiB */
    /* NULL: none. place: "FILE: offset 1234" or "FILE:17". */
    void (*on_broken)(void *arg, const char *place, const char *reason);
    void (*on_progress)(void *arg, uint64_t bytes_done, uint64_t bytes_total, uint64_t records);
    void *arg;
} twx_import_options;

/* counts are added to. path "-": standard input. Commits at the end. Errors TWX_E_NOSTORE, TWX_E_DATA (format), store's. */
TWX_CHECK twx_rc twx_import_file(twx_ctx *cx, const char *path, twx_documents *documents,
                                 const twx_import_options *options, twx_import_counts *counts);

#endif
