#include "inspect/differences.h"

/* Finds the next difference from passage *at on; false: there are no more. */
static bool next_difference(const twx_text_diff *p, size_t *at,
                            twx_compared_passage *ret_difference) {
    twx_compared_passage d = {.before = {"", 0}, .a = {"", 0}, .b = {"", 0}};
    bool found = false;
    for (; *at < p->at.n; ++*at) {
        const twx_passage *passage = &p->at.at[*at];
        if (passage->kind == TWX_PASSAGE_BOTH) {
            if (found) break;
            d.before = passage->a;
            continue;
        }
        found = true;
        if (passage->kind == TWX_PASSAGE_ONLY_A)
            d.a = passage->a;
        else
            d.b = passage->b;
    }
    *ret_difference = d;
    return found;
}

static twx_rc add_difference(twx_ctx *cx, twx_arena *arena, const twx_compared_passage *d,
                             twx_compared_passages *passages) {
    twx_compared_passage copy;
    twx_rc rc = twx_arena_copy(cx, arena, d->before, &copy.before);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, arena, d->a, &copy.a);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, arena, d->b, &copy.b);
    return rc == TWX_OK && !TWX_VEC_PUSH(cx, passages, copy) ? TWX_E_NOMEM : rc;
}

twx_rc twx_differences_list(twx_ctx *cx, const twx_text_diff *diff, size_t limit, twx_arena *arena,
                            twx_compared_passages *passages, size_t *ret_differences) {
    twx_compared_passage d;
    twx_rc rc = TWX_OK;
    size_t n = 0;
    for (size_t at = 0; rc == TWX_OK && next_difference(diff, &at, &d);)
        if (n++ < limit || limit == 0) rc = add_difference(cx, arena, &d, passages);
    if (rc == TWX_OK) *ret_differences = n;
    return rc;
}
