/* job/yardstick.h: the signature one detector has of one document, and how near others come to it.
 * [R1] Symmetric: what a yardstick of a says of b, one of b says of a, but for keys and other_keys, which change places. */
#ifndef TWX_JOB_YARDSTICK_H
#define TWX_JOB_YARDSTICK_H

#include "detect/record.h"

/* Memory: embedded struct; params are borrowed, the rest is owned. */
typedef struct twx_yardstick {
    const twx_detector *detector;
    const twx_params *params;
    twx_params any; /* params that let every pair pass verification */
    TWX_VEC(twx_key) keys; /* by which candidates are found, sorted */
    twx_buf payload;
} twx_yardstick;

typedef struct twx_nearness {
    size_t keys, other_keys, shared; /* candidate keys of both, and how many they have in common */
    int32_t similarity; /* millionths, thresholds aside: that of verify, else 2 * shared / (keys + other_keys); -1: unknown */
    bool pair;          /* a run that uses the detector would take them for a pair (scopes and translations aside) */
} twx_nearness;

/* entry NULL: the document has no signature. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_yardstick_open(twx_ctx *cx, const twx_detector *detector, const twx_params *params,
                                    const twx_record_entry *entry, twx_yardstick *ret_yardstick);
void twx_yardstick_done(twx_yardstick *y);
/* other NULL: it has no signature. */
twx_nearness twx_yardstick_try(const twx_yardstick *y, const twx_record_entry *other);

#endif
