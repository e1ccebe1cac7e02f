/* run/collect.h: the pass over the store for global detectors, which reads every document once,
 * with progress. */
#ifndef TWX_RUN_COLLECT_H
#define TWX_RUN_COLLECT_H

#include "run/open_store.h"
#include "sign/detector_row.h"

/* needs: bits of twx_detector_need; 0 gives an empty collection without reading. Documents without
 * a usable URL or without text are left out. Memory: bounded by run.memory. The caller assigns the
 * result to params->collection and calls twx_collection_done(). Errors TWX_E_LIMIT, naming the
 * setting to raise. */
TWX_CHECK twx_rc twx_collect(const twx_job *job, twx_opened *o, const twx_params *params,
                             unsigned needs, twx_collection *ret_collection);

#endif
