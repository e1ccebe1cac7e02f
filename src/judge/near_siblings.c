#include "base/alloc.h"
#include "judge/near.h"

/* A sibling is a near-duplicate of the same group that is not a copy. Groups of copies are counted,
 * not documents. */
twx_rc twx_near_count_siblings(twx_ctx *cx, twx_near *near, size_t n, const twx_groups *similar,
                               const twx_groups *copies) {
    twx_map64 seen; /* groups of copies within a near-duplicate group */
    if (!near->siblings) near->siblings = twx_calloc(cx, n + 1, sizeof *near->siblings);
    /* by representative of near-duplicates */
    uint32_t *names = twx_calloc(cx, n + 1, sizeof *names);
    twx_rc rc = near->siblings && names ? TWX_OK : TWX_E_NOMEM;
    twx_map64_init(&seen, 0);
    for (uint32_t i = 0; rc == TWX_OK && i < n; i++) {
        uint64_t first = 0;
        const uint32_t group = twx_groups_rep(similar, i), copy = twx_groups_rep(copies, i);
        if (group == TWX_NO_DOCUMENT) continue;
        rc = twx_map64_add(cx, &seen, (uint64_t)group << 32 | (copy == TWX_NO_DOCUMENT ? i : copy),
                           i, &first);
        names[group] += rc == TWX_OK && first == i;
    }
    for (uint32_t i = 0; rc == TWX_OK && i < n; i++) {
        const uint32_t group = twx_groups_rep(similar, i);
        near->siblings[i] = group == TWX_NO_DOCUMENT ? 0 : names[group] - 1;
    }
    twx_map64_done(&seen);
    twx_free(names);
    return rc;
}
