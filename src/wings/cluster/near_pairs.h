/* cluster/near_pairs.h: compares the pairs of texts that a round has asked for: reads them with
 * their payloads from the servers, computes similarities on several threads, and sends these back.
 * [R1] Similarities are those of a run over one store. */
#ifndef TWX_CLUSTER_NEAR_PAIRS_H
#define TWX_CLUSTER_NEAR_PAIRS_H

#include "cluster/judging.h"
#include "cluster/near_names.h"
#include "cluster/near_plan.h"

typedef struct twx_near_comparing {
    twx_judging *j;
    const twx_near_plan *plan;
    const twx_near_learned *learned; /* for copies; NULL: near-duplicates are compared */
    uint64_t pass, round;
    uint64_t compared; /* so far, of all rounds */
} twx_near_comparing;

/* Errors TWX_E_DATA: an answer is not complete */
TWX_CHECK twx_rc twx_near_pairs_compare(twx_near_comparing *c);
/* Learns the common words of all hosts. l: initialized. */
TWX_CHECK twx_rc twx_near_names_learn(twx_judging *j, twx_near_learned *l);

#endif
