/* inspect/probe.h: compares one detector's signature of a document with its signatures of others.
 * [R1] Symmetric: probing b from a gives the same result as probing a from b, with keys and
 * other_keys exchanged. */
#ifndef TWX_INSPECT_PROBE_H
#define TWX_INSPECT_PROBE_H

#include "sign/record.h"

/* Memory: embedded struct; params are borrowed, the rest is owned. */
typedef struct twx_probe {
    const twx_detector *detector;
    const twx_params *params;
    twx_params any;        /* params with which every pair passes verification */
    TWX_VEC(twx_key) keys; /* by which candidates are found; sorted */
    twx_buf payload;
} twx_probe;

typedef struct twx_nearness {
    size_t keys, other_keys, shared; /* number of candidate keys of each, and of those in common */
    /* millionths, ignoring thresholds: as computed by verify, else 2 * shared / (keys +
     * other_keys); -1: unknown */
    int32_t similarity;
    /* a run that uses the detector would make them a pair (scopes and translations aside) */
    bool pair;
} twx_nearness;

/* entry NULL: the document has no signature. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_probe_open(twx_ctx *cx, const twx_detector *detector, const twx_params *params,
                                const twx_record_entry *entry, twx_probe *ret_probe);
void twx_probe_done(twx_probe *y);
/* other NULL: the other document has no signature. */
twx_nearness twx_probe_try(const twx_probe *y, const twx_record_entry *other);

#endif
