/* run/judged_texts.h: reads the texts of documents while they are judged (judge/proof.h).
 * [R1] A text is read as it was signed: when other programs have written to the store since then,
 * its digest is compared, and a document whose text differs, or that is gone, is reported as such.
 * Memory: embedded struct; twx_judged_texts_done(). */
#ifndef TWX_RUN_JUDGED_TEXTS_H
#define TWX_RUN_JUDGED_TEXTS_H

#include "judge/judgement.h"
#include "run/load.h"
#include "sign/workspace.h"

typedef struct twx_judged_texts {
    twx_text_source source; /* for twx_judge_options.texts */
    const twx_load_store *stores;
    size_t n;
    const twx_judgement *j;
    twx_workspace *workspace;
    /* by store: its data version when its rows are known to be those that were signed; NULL: not
     * known, every digest is compared */
    const int64_t *versions;
    uint8_t *left;   /* by store: reads until its transaction ends; 0: there is none */
    bool *unchanged; /* by store: its version is that, in this transaction */
    uint64_t reads;  /* of texts */
} twx_judged_texts;

/* stores[0..n): by member of the judgement. All are borrowed. Errors TWX_E_NOMEM, TWX_E_CONFIG */
TWX_CHECK twx_rc twx_judged_texts_init(const twx_load_store *stores, size_t n,
                                       const twx_judgement *j, const twx_params *params,
                                       const int64_t *versions, twx_judged_texts *ret_texts);
/* Ends the transactions of reading, which pin the WAL: to be called when no text will be read for a
 * while. */
void twx_judged_texts_rest(twx_judged_texts *t);
void twx_judged_texts_done(twx_judged_texts *t);

#endif
