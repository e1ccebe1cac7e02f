/* job/collect.h: the pass over the store that global detectors need: every document is read once,
 * with progress. */
#ifndef TWX_JOB_COLLECT_H
#define TWX_JOB_COLLECT_H

#include "corpus/collection.h"
#include "job/open_store.h"

/* needs: bits of twx_detector_need; 0 gives an empty collection without reading. Documents that
 * have no usable URL or no text are left out. Memory: run.memory bounds it. The caller puts the
 * result into params->collection and calls twx_collection_done(). Errors TWX_E_LIMIT, saying which
 * setting to raise. */
TWX_CHECK twx_rc twx_collect(const twx_job *job, twx_opened *o, const twx_params *params,
                             unsigned needs, twx_collection *ret_collection);

#endif
