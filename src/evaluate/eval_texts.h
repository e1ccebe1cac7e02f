/* evaluate/eval_texts.h: the different texts of a store, in order of their first document: what an
 * evaluation counts pairs of. Documents with equal text are one text; documents that do not take
 * part and documents without text are counted and left out.
 * Memory: embedded struct; about 100 bytes a text. */
#ifndef TWX_EVALUATE_EVAL_TEXTS_H
#define TWX_EVALUATE_EVAL_TEXTS_H

#include "base/arena.h"
#include "detect/workspace.h"
#include "evaluate/eval_documents.h"

#define TWX_EVAL_NO_TEXT UINT32_MAX

typedef struct twx_eval_text {
    twx_value scan_key; /* of its first document; bytes in twx_eval_texts.keys */
    /* of the digest: decides whether a pair is in the sample, so that numbering does not */
    uint64_t place;
    uint64_t content; /* hash, to see whether the document changed meanwhile */
    uint64_t bytes;
    uint32_t documents; /* that have this text */
} twx_eval_text;

typedef struct twx_eval_texts {
    TWX_VEC(twx_eval_text) at;
    twx_arena keys;
    uint64_t documents, not_taking_part; /* all documents; those of them that do not take part */
    uint64_t without_text;               /* documents that take part and have no text */
    uint64_t bytes;                      /* of the different texts */
} twx_eval_texts;

/* Called for each document: its URL as stored (absent: none) and the number of its text;
 * TWX_EVAL_NO_TEXT: it has none, or it does not take part. */
typedef twx_rc twx_eval_document_fn(void *arg, twx_slice url, uint32_t text);

/* Also sets documents->at[].text. fn may be NULL. Errors TWX_E_LIMIT (4 billion texts), TWX_E_BUSY
 * (documents were added or went since they were listed) and those of reading. */
typedef struct twx_eval_reading {
    twx_eval_documents *documents;
    twx_eval_document_fn *fn;
    void *arg;
} twx_eval_reading;
TWX_CHECK twx_rc twx_eval_texts_read(const twx_job *job, twx_opened *o, const twx_eval_reading *how,
                                     twx_eval_texts *ret_texts);
void twx_eval_texts_done(twx_eval_texts *t);
/* Pairs of documents that share text i. */
double twx_eval_pairs_within(const twx_eval_texts *t, uint32_t i);

/* Reads the first document of each text again, in order. The row is borrowed for the call. */
typedef twx_rc twx_eval_text_fn(void *arg, uint32_t i, const twx_source_row *row);
/* Errors TWX_E_BUSY: a document changed or went since twx_eval_texts_read(). */
TWX_CHECK twx_rc twx_eval_texts_each(const twx_job *job, twx_opened *o, const twx_eval_texts *t,
                                     twx_eval_text_fn *fn, void *arg);
/* Puts text i behind what is in `out`. Errors as above. */
TWX_CHECK twx_rc twx_eval_text_fetch(const twx_job *job, twx_opened *o, const twx_eval_texts *t,
                                     uint32_t i, twx_buf *out);

#endif
