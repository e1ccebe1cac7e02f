/* lab/eval_texts.h: the distinct texts of a store, in order of their first document. An
 * evaluation counts pairs of these. Documents with equal text share one text; documents that do not
 * take part and documents without text are counted and ignored.
 * Memory: embedded struct; about 100 bytes per text. */
#ifndef TWX_LAB_EVAL_TEXTS_H
#define TWX_LAB_EVAL_TEXTS_H

#include "base/arena.h"
#include "lab/eval_documents.h"
#include "sign/workspace.h"

#define TWX_EVAL_NO_TEXT UINT32_MAX

typedef struct twx_eval_text {
    uint32_t document; /* its first document, whose row is read for the text */
    /* from the digest: decides whether a pair is sampled, independently of numbering */
    uint64_t place;
    uint64_t content; /* hash, to detect whether the document has changed */
    uint64_t bytes;
    uint32_t documents; /* number of documents that have this text */
} twx_eval_text;

/* Other programs may change the store during an evaluation, which reads texts several times. [R1] A
 * text whose first document was changed or deleted since is left out of everything that follows,
 * and counted: figures are never computed from a mixture of old and new texts. */

typedef struct twx_eval_texts {
    TWX_VEC(twx_eval_text) at;
    const twx_eval_documents *of;        /* borrowed */
    TWX_VEC(uint8_t) changed;            /* by text: 1 if [R1] applies */
    uint64_t documents, not_taking_part; /* all documents; those of them that do not take part */
    uint64_t without_text;               /* documents that take part and have no text */
    uint64_t bytes;                      /* total size of the distinct texts */
} twx_eval_texts;

/* Called for each document: its URL as stored (absent: none) and the index of its text;
 * TWX_EVAL_NO_TEXT: it has no text or does not take part. */
typedef twx_rc twx_eval_document_fn(void *arg, twx_slice url, uint32_t text);

/* Also sets documents->at[].text. fn may be NULL. Documents that were added since are
 * ignored; one that was deleted has no text. Errors TWX_E_LIMIT (4 billion texts), and those of
 * reading. */
typedef struct twx_eval_reading {
    twx_eval_documents *documents;
    twx_eval_document_fn *fn;
    void *arg;
} twx_eval_reading;
TWX_CHECK twx_rc twx_eval_texts_read(const twx_job *job, twx_opened *o, const twx_eval_reading *how,
                                     twx_eval_texts *ret_texts);
void twx_eval_texts_done(twx_eval_texts *t);
/* Has text i been found to have changed [R1]? How many have? */
bool twx_eval_text_changed(const twx_eval_texts *t, uint32_t i);
uint64_t twx_eval_texts_changed(const twx_eval_texts *t);
/* Number of document pairs that share text i. */
double twx_eval_pairs_within(const twx_eval_texts *t, uint32_t i);

/* Called for the first document of each text in order, except those that have changed [R1]. The row
 * is borrowed for the call. */
typedef twx_rc twx_eval_text_fn(void *arg, uint32_t i, const twx_source_row *row);
TWX_CHECK twx_rc twx_eval_texts_each(const twx_job *job, twx_opened *o, const twx_eval_texts *t,
                                     twx_eval_text_fn *fn, void *arg);
/* Appends text i to `out`. TWX_DONE: it has changed [R1]. */
TWX_CHECK twx_rc twx_eval_text_fetch(const twx_job *job, twx_opened *o, const twx_eval_texts *t,
                                     uint32_t i, twx_buf *out);

#endif
