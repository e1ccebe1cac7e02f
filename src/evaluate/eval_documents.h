/* evaluate/eval_documents.h: the documents of a store as an evaluation sees them: which of them
 * take part, in which order they elect representatives, which text and title each has. Nothing of
 * an earlier run is used: the facts are read from the source.
 * [R1] Takes part, and comes before another one, what would do so in a run with the same settings.
 * Memory: embedded struct; about 250 bytes a document. */
#ifndef TWX_EVALUATE_EVAL_DOCUMENTS_H
#define TWX_EVALUATE_EVAL_DOCUMENTS_H

#include "base/arena.h"
#include "job/document_scan.h"
#include "judge/eligible.h"
#include "url/url_norm.h"

typedef struct twx_eval_document {
    twx_value scan_key; /* bytes in twx_eval_documents.keys */
    uint64_t title;     /* hash of the words of its title; 0: it has none */
    uint32_t
        /* number of its text (evaluate/eval_texts.h); TWX_EVAL_NO_TEXT: none, or it does not
         * take part */
        text;
} twx_eval_document;

typedef struct twx_eval_documents {
    TWX_VEC(twx_eval_document) at;
    twx_doc_table docs; /* the same documents */
    uint32_t *rank;
    twx_links links;
    twx_map64 by_id; /* hash of the source's id -> document */
    twx_arena keys;
    uint64_t taking_part;
} twx_eval_documents;

TWX_CHECK twx_rc twx_eval_documents_read(const twx_job *job, twx_opened *o,
                                         const twx_url_options *url_options,
                                         twx_eval_documents *ret_documents);
void twx_eval_documents_done(twx_eval_documents *d);
bool twx_eval_takes_part(const twx_eval_documents *d, uint32_t document);
/* The number of a document by the source's id; TWX_NO_DOCUMENT: none. */
uint32_t twx_eval_document_of(const twx_eval_documents *d, const twx_value *id);

/* Reads one document whole. Errors TWX_E_BUSY: it is gone. */
TWX_CHECK twx_rc twx_eval_document_fetch(const twx_job *job, twx_opened *o,
                                         const twx_eval_documents *d, uint32_t document,
                                         twx_source_fn *fn, void *arg);

#endif
