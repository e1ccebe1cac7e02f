/* cluster/judging_copies.h: near-duplicates and copies where texts prove copies (copy.proof =
 * text).
 * [R1] They are those of a run over one store with all documents, once no pair is open.
 * Memory: that of such a run for near-duplicates and copies, within run.memory what may be in
 * temporary files. */
#ifndef TWX_CLUSTER_JUDGING_COPIES_H
#define TWX_CLUSTER_JUDGING_COPIES_H

#include "cluster/judging.h"
#include "cluster/near_plan.h"

/* summary->wanted not 0: texts are missing, and nothing is decided. */
TWX_CHECK twx_rc twx_judging_copies(twx_judging *j, const twx_near_plan *plan,
                                    twx_near_summary *summary);

#endif
