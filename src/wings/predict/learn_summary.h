/* predict/learn_summary.h: what was learned from the URLs of a store, for learn. */
#ifndef TWX_PREDICT_LEARN_SUMMARY_H
#define TWX_PREDICT_LEARN_SUMMARY_H

#include "predict/hypotheses.h"
#include "run/out.h"

/* Of a hypothesis: its contexts; those with a high probability; trials by result. */
typedef struct twx_learned_row {
    uint64_t contexts, confident, dup, nodup;
} twx_learned_row;

typedef struct twx_learn_summary {
    const char *store;
    int64_t run;
    uint64_t urls, share; /* one in `share` of all paths was learned from */
    uint64_t seen_keys, rows_written, no_page;
    twx_learned_row rows[TWX_HYPOTHESES];
} twx_learn_summary;

TWX_CHECK twx_rc twx_learn_summary_write(const twx_out *out, const twx_learn_summary *s);

#endif
