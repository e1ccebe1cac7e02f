/* cluster/verify.h: the command verify: reads pairs of payloads from standard input and writes the
 * similarity of each pair, so that a ClickHouse server can ask for it (docs/cluster.md).
 * [R1] Answers come in the order of the pairs. [R2] Every complete row that was read is answered,
 * and the answers are written, before it waits for more input. */
#ifndef TWX_CLUSTER_VERIFY_H
#define TWX_CLUSTER_VERIFY_H

#include "run/job.h"
#include "run/out.h"

/* job->store is not used. Errors TWX_E_CONFIG: the method does not compare pairs; TWX_E_DATA: a row
 * is not one of these, or the input ends within a row. */
TWX_CHECK twx_rc twx_verify(const twx_job *job, const twindex_verify_options *options,
                            const twx_out *out);

#endif
