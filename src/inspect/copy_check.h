/* inspect/copy_check.h: why a document is a copy of another or not (judge/names.h), for commands
 * that explain decisions. Names are kept as hashes, so the words are looked up in the document
 * itself. Which words a site uses everywhere is known from the signatures of the last run. They are
 * loaded when the first question is asked; twx_copy_check_pair() does without them, for documents
 * that no run has seen.
 * Memory: owned handle. */
#ifndef TWX_INSPECT_COPY_CHECK_H
#define TWX_INSPECT_COPY_CHECK_H

#include "job/open_store.h"
#include "judge/names.h"

typedef struct twx_copy_check twx_copy_check;

/* What a name is spelled from. Memory: borrowed. */
typedef struct twx_copy_document {
    twx_slice url, title, description, text;
} twx_copy_document;

/* May the document be hidden behind the other one? similarity: millionths, as the near-duplicate
 * method estimates it; -1: they are no pair demands: what the document's name consists of; missing:
 * the first word of it that the other lacks */
typedef struct twx_copy_answer {
    /* false: no near-duplicate method that verifies pairs is configured, or a document has no
     * signature */
    bool known;
    bool contained, unlimited;
    int32_t similarity;
    twx_demand missing;
    twx_demands demands;
} twx_copy_answer;

/* job and o are borrowed. Nothing is read yet. */
TWX_CHECK twx_rc twx_copy_check_open(const twx_job *job, twx_opened *o, twx_copy_check **ret_check);
void twx_copy_check_close(twx_copy_check *check);

/* By document number, with what was learned from the store's signatures. !ret_answer->known: the
 * signatures of one of the two are missing or were made with other settings. The documents' own
 * names are meant, and those of documents with the same text. */
TWX_CHECK twx_rc twx_copy_check_stored(twx_copy_check *check, int64_t doc, int64_t other,
                                       twx_copy_answer *ret_answer);
/* Of two documents alone; nothing is left out as common. */
TWX_CHECK twx_rc twx_copy_check_pair(twx_copy_check *check, const twx_copy_document *document,
                                     const twx_copy_document *other, twx_copy_answer *ret_answer);

/* Appends a word of the document's name as it is written there, in quotes and with its part:
 * "'vsrc' in its title". */
TWX_CHECK twx_rc twx_copy_spell(twx_copy_check *check, const twx_copy_document *document,
                                const twx_demand *word, twx_buf *out);
/* Appends the reason: "'vsrc' in its title is not in the other", "its name is there: 'llvm',
 * 'project'". */
TWX_CHECK twx_rc twx_copy_reason(twx_copy_check *check, const twx_copy_document *document,
                                 const twx_copy_answer *answer, twx_buf *out);

#endif
