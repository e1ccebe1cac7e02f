#include "run/key_ranges.h"

#include <string.h>

enum { WIDTH_AT_FIRST = 64, ROWS_WANTED = 32 /* fewer: the next range is wider */ };

static twx_rc add(twx_ctx *cx, twx_key_ranges *r, int64_t first, int64_t last, bool whole) {
    const twx_key_range range = {first, last, whole};
    return TWX_VEC_PUSH(cx, &r->left, range) ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_key_ranges_init(twx_ctx *cx, twx_key_ranges *r, int64_t least, int64_t most) {
    *r = (twx_key_ranges){.width = WIDTH_AT_FIRST};
    twx_rc rc = least > INT64_MIN ? add(cx, r, INT64_MIN, least - 1, true) : TWX_OK;
    if (rc == TWX_OK) rc = add(cx, r, least, most, false);
    if (rc == TWX_OK && most < INT64_MAX) rc = add(cx, r, most + 1, INT64_MAX, true);
    return rc;
}

void twx_key_ranges_done(twx_key_ranges *r) {
    if (r) TWX_VEC_DONE(&r->left);
}

static void remove_first(twx_key_ranges *r) {
    r->left.n--;
    memmove(r->left.at, r->left.at + 1, r->left.n * sizeof *r->left.at);
}

bool twx_key_ranges_take(twx_key_ranges *r, twx_key_range *ret_range) {
    if (r->left.n == 0) return false;
    twx_key_range *from = &r->left.at[0];
    *ret_range = *from;
    /* as unsigned numbers: the difference of two keys can be more than INT64_MAX */
    const uint64_t more = (uint64_t)from->last - (uint64_t)from->first;
    if (from->whole || more < r->width) {
        remove_first(r);
        return true;
    }
    ret_range->last = (int64_t)((uint64_t)from->first + r->width - 1);
    from->first = ret_range->last + 1;
    return true;
}

twx_rc twx_key_ranges_put(twx_ctx *cx, twx_key_ranges *r, const twx_key_range *range, bool ended,
                          int64_t next, uint64_t rows) {
    if (ended) {
        if (!range->whole && rows < ROWS_WANTED && r->width < UINT64_MAX / 4) r->width *= 2;
        return TWX_OK;
    }
    if (!range->whole && next > range->first) r->width = (uint64_t)next - (uint64_t)range->first;
    twx_rc rc = add(cx, r, next, range->last, range->whole);
    for (size_t i = r->left.n; rc == TWX_OK && i-- > 1;) {
        twx_key_range *at = &r->left.at[i], moved = *at;
        if (at[-1].first < moved.first) break;
        *at = at[-1];
        at[-1] = moved;
    }
    return rc;
}
