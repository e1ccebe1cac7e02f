/* predict/learn_documents.h: reads every document of the store as prediction needs it: its URL in
 * normal form, its fetch date, and its content class, which follows from the flags of the last run.
 *
 * Documents that take part and have a text have a class: copies of each other have one, all others
 * one of their own. Whatever else the flags say of two documents is no evidence (that they are
 * alike, have the same text, are forms of one URL, or one leads to the other): pages of one form
 * are alike, and an equal text may stand under other names. Documents that take no part or have no
 * text have no class.
 * [R1] Texts are not read.
 * [R2] Documents that are newer than the last run, or have no usable URL, are left out and
 * counted. */
#ifndef TWX_PREDICT_LEARN_DOCUMENTS_H
#define TWX_PREDICT_LEARN_DOCUMENTS_H

#include "run/open_store.h"
#include "url/url_rules.h"

enum { TWX_NO_CLASS = 0 };

typedef struct twx_learn_document {
    twx_slice url;      /* borrowed for the call */
    uint64_t content;   /* TWX_NO_CLASS: none */
    int64_t fetched_at; /* INT64_MAX: unknown */
    int64_t doc;
} twx_learn_document;

typedef struct twx_learn_counts {
    uint64_t documents, unjudged /* newer than the run */, unusable /* no URL */;
    uint64_t no_page, contents; /* without a class, with one */
    bool judged;                /* the run looked for copies */
} twx_learn_counts;

/* How URLs are normalised, and the fingerprint of a model of such URLs. Memory: embedded struct;
 * twx_learn_normalizer_done(). */
typedef struct twx_learn_normalizer {
    twx_url_options options;
    twx_url_rules *rules;
    uint64_t fingerprint;
} twx_learn_normalizer;

TWX_CHECK twx_rc twx_learn_normalizer_make(const twx_job *job, twx_learn_normalizer *ret_urls);
void twx_learn_normalizer_done(twx_learn_normalizer *u);

/* Calls fn for each document in order of scan_key. state: of o->generations; a generation must be
 * published. */
typedef twx_rc twx_learn_document_fn(void *arg, const twx_learn_document *page);
typedef struct twx_page_reading {
    const twx_learn_normalizer *urls;
    twx_state state;
    twx_learn_document_fn *fn;
    void *arg;
} twx_page_reading;
TWX_CHECK twx_rc twx_learn_documents_each(const twx_job *job, twx_opened *o,
                                          const twx_page_reading *reading,
                                          twx_learn_counts *ret_counts);

#endif
