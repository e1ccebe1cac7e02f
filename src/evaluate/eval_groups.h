/* evaluate/eval_groups.h: which documents a method, a relation or the verdict would hide, and
 * behind which representative.
 * Methods are grouped as a run groups them (judge/near.h: near.join, near.candidates, translations
 * kept separate), for the whole store (near.scope = store). Relations are read from the published
 * flags.
 * Memory: owned arrays of the caller. */
#ifndef TWX_EVALUATE_EVAL_GROUPS_H
#define TWX_EVALUATE_EVAL_GROUPS_H

#include "evaluate/eval_signed.h"
#include "judge/groups.h"
#include "judge/relations.h"

/* ret_groups->rep[document]: its representative; TWX_NO_DOCUMENT: alone. */
TWX_CHECK twx_rc twx_eval_groups_of(const twx_job *job, const twx_eval_documents *documents,
                                    const twx_eval_signed *s, twx_groups *ret_groups);

enum { TWX_EVAL_RELATIONS = TWX_RELATIONS + 1 };

/* One published relation. rep[document]: as above. */
typedef struct twx_eval_relation {
    const char *name; /* of the slot, or "verdict" */
    uint32_t *rep;
} twx_eval_relation;

typedef struct twx_eval_relations {
    twx_eval_relation at[TWX_EVAL_RELATIONS];
    size_t n;          /* 0: there are no published flags */
    uint64_t unmarked; /* documents without a row of flags: they were added since the last run */
} twx_eval_relations;

/* The relations whose method is configured (near, copy) and the verdict. */
TWX_CHECK twx_rc twx_eval_relations_read(const twx_job *job, twx_opened *o,
                                         const twx_eval_documents *documents,
                                         twx_eval_relations *ret_relations);
void twx_eval_relations_done(twx_eval_relations *r);

#endif
