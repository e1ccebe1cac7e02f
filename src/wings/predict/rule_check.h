/* predict/rule_check.h: what a model's rules would make equal. Hypotheses are counted one by one,
 * and rules are applied together: two parameters may each matter nowhere and still make a page.
 *
 * The parameters that matter nowhere (2, 3, 5, 6) are left out of all URLs. Where two URLs become
 * equal whose classes differ, the least likely of the contexts that left something out of them is
 * contradicted, and so on until no such pair is left.
 * [R1] Afterwards the contexts with no contradiction (nodup 0), and any subset of them, make no two
 * URLs equal whose classes differ.
 * Memory: a key for each URL. Every round takes at least one context away. */
#ifndef TWX_PREDICT_RULE_CHECK_H
#define TWX_PREDICT_RULE_CHECK_H

#include "predict/model.h"

typedef struct twx_classed_urls {
    twx_slice (*url)(const void *arg, size_t i); /* in normal form; each URL once */
    uint64_t (*content)(const void *arg, size_t i);
    const void *arg;
    size_t n;
} twx_classed_urls;

TWX_CHECK twx_rc twx_check_by_rules(twx_ctx *cx, twx_model *m, const twx_classed_urls *urls);

#endif
