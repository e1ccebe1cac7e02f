/* lab/eval_groups.h: the documents that a method, a relation or the verdict hides, and their
 * representatives.
 * Methods are grouped as in a run (judge/near.h: near.join, near.candidates, translations kept
 * separate), over the whole store (near.scope = store). Relations are read from the published
 * flags.
 * Memory: arrays owned by the caller. */
#ifndef TWX_LAB_EVAL_GROUPS_H
#define TWX_LAB_EVAL_GROUPS_H

#include "judge/groups.h"
#include "judge/relations.h"
#include "lab/eval_scores.h"

/* The groups of a method. Memory: twx_free(rep). */
typedef struct twx_eval_grouped {
    uint32_t *rep; /* by document: its representative; TWX_NO_DOCUMENT: it is in no group */
    uint64_t groups, largest;
} twx_eval_grouped;

TWX_CHECK twx_rc twx_eval_groups_of(const twx_job *job, const twx_eval_documents *documents,
                                    const twx_eval_signed *s, twx_eval_grouped *ret_groups);

enum { TWX_EVAL_RELATIONS = TWX_RELATIONS + 1 };

/* One published relation. rep: as above. */
typedef struct twx_eval_relation {
    const char *name; /* of the relation, or "verdict" */
    uint32_t *rep;
} twx_eval_relation;

typedef struct twx_eval_relations {
    twx_eval_relation at[TWX_EVAL_RELATIONS];
    size_t n;          /* 0: there are no published flags */
    uint64_t unmarked; /* documents without flags: added since the last run */
} twx_eval_relations;

/* The relations whose method is configured (near, copy) and the verdict. */
TWX_CHECK twx_rc twx_eval_relations_read(const twx_job *job, twx_opened *o,
                                         const twx_eval_documents *documents,
                                         twx_eval_relations *ret_relations);
void twx_eval_relations_done(twx_eval_relations *r);

#endif
