/* run/load.h: reads all that is signed into a judgement: docs, signatures, and the keys into the
 * groupers. */
#ifndef TWX_RUN_LOAD_H
#define TWX_RUN_LOAD_H

#include "judge/guard.h"
#include "run/sign.h"

enum { TWX_COPY_IGNORED_MAX = 256 };

/* What judging needs of the settings. Memory: embedded struct; twx_judge_plan_done(). */
typedef struct twx_judge_plan {
    twx_judge_options options;
    twx_guard guard;
    twx_scope scope[TWX_RELATIONS];
    twx_name_rules names; /* without the ignored words */
    uint32_t ignored[TWX_COPY_IGNORED_MAX];
    size_t n_ignored;
    twx_pins *pins; /* owned; NULL: none */
} twx_judge_plan;

TWX_CHECK twx_rc twx_judge_plan_make(const twx_job *job, const twx_sign_plan *sign,
                                     twx_judge_plan *ret_plan);
void twx_judge_plan_done(twx_judge_plan *plan);
/* ret_judgement: initialised; filled, not judged yet. */
TWX_CHECK twx_rc twx_load(const twx_job *job, twx_opened *o, const twx_sign_plan *sign,
                          const twx_judge_plan *plan, twx_judgement *ret_judgement);

/* Hash of a stored row as twx_doc_entry.made has it. */
uint64_t twx_stored_hash(const twx_stored *stored);

#endif
