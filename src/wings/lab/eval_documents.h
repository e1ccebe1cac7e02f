/* lab/eval_documents.h: the documents of a store, prepared for an evaluation: which of them
 * take part, the order in which representatives are elected, and the text and title of each.
 * Everything is read from the source; results of earlier runs are not used.
 * [R1] The same documents take part, in the same order of precedence, as in a run with the same
 * settings.
 * Memory: embedded struct; about 250 bytes per document. */
#ifndef TWX_LAB_EVAL_DOCUMENTS_H
#define TWX_LAB_EVAL_DOCUMENTS_H

#include "base/arena.h"
#include "judge/eligible.h"
#include "run/document_reader.h"
#include "url/url_norm.h"

typedef struct twx_eval_document {
    twx_value scan_key; /* bytes are in twx_eval_documents.keys */
    uint64_t title;     /* hash of the words of the title; 0: no title */
    uint32_t
        /* number of its text (lab/eval_texts.h); TWX_EVAL_NO_TEXT: none, or it does not
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
/* The index of the document with this id in the source; TWX_NO_DOCUMENT: there is none. */
uint32_t twx_eval_document_of(const twx_eval_documents *d, const twx_value *id);

/* Reads one document with all columns; take is not called if it no longer exists. */
TWX_CHECK twx_rc twx_eval_document_fetch(const twx_job *job, twx_opened *o,
                                         const twx_eval_documents *d, uint32_t document,
                                         twx_document_reader_take_fn *take, void *arg);
/* The document of a row that is read again: in a scan, *next is 0 at first and moves with it.
 * TWX_NO_DOCUMENT: the row was added after the documents were read. */
uint32_t twx_eval_document_again(const twx_eval_documents *d, const twx_source_row *row,
                                 uint32_t *next);

#endif
