#include "cluster/near_plan.h"

#include <inttypes.h>

#include "cluster/near_columns.h"
#include "group/bands.h"

enum { KEYS_AT_ONCE = 96 }; /* of a statement */

twx_rc twx_near_plan_make(const twx_job *job, twx_near_plan *ret_plan) {
    twx_rc rc = twx_sign_plan_of_settings(job, &ret_plan->sign);
    return rc == TWX_OK ? twx_judge_plan_make(job, &ret_plan->sign, &ret_plan->judge) : rc;
}

void twx_near_plan_done(twx_near_plan *plan) {
    twx_judge_plan_done(&plan->judge);
    twx_sign_plan_done(&plan->sign);
}

static bool is_run(const twx_band *band) {
    for (size_t i = 1; i < band->bytes; i++)
        if (band->at[i] != band->at[0] + i) return false;
    return true;
}

/* The bytes of the band as a number, with the number of the band above them. */
static twx_rc add_band(twx_ctx *cx, const twx_band *band, size_t number, twx_buf *out) {
    twx_rc rc = twx_buf_printf(cx, out, "bitOr(toUInt64(%" PRIu64 "),reinterpretAsUInt64(",
                               (uint64_t)number << 8 * TWX_BAND_BYTES_MAX);
    if (rc == TWX_OK && is_run(band))
        return twx_buf_printf(cx, out, "substring(s,%u,%u)))", band->at[0] + 1u, band->bytes);
    if (rc == TWX_OK) rc = twx_buf_add_text(cx, out, "concat(");
    for (size_t i = 0; rc == TWX_OK && i < band->bytes; i++)
        rc = twx_buf_printf(cx, out, "%ssubstring(s,%u,1)", i ? "," : "", band->at[i] + 1u);
    return rc == TWX_OK ? twx_buf_add_text(cx, out, ")))") : rc;
}

static twx_rc add_key(twx_ctx *cx, twx_near_keys *keys, bool scoped, const twx_band *band,
                      size_t number, uint64_t mask) {
    twx_buf *out = &keys->list;
    twx_rc rc = out->n ? twx_buf_add_char(cx, out, ',') : TWX_OK;
    if (rc == TWX_OK && !band)
        return twx_buf_printf(
            cx, out, "cityHash64(scope,toUInt64(%" PRIu64 "),bitAnd(first,toUInt64(%" PRIu64 ")))",
            mask, mask);
    if (rc == TWX_OK && scoped) rc = twx_buf_add_text(cx, out, "cityHash64(scope,");
    if (rc == TWX_OK) rc = add_band(cx, band, number, out);
    return rc == TWX_OK && scoped ? twx_buf_add_char(cx, out, ')') : rc;
}

/* All bands of a list are of all texts, or all are of short ones. */
static twx_rc next_bands(twx_ctx *cx, const twx_band_plan *plan, bool scoped, size_t *at,
                         twx_near_keys *keys) {
    const size_t n = twx_band_count(plan), first = *at;
    twx_rc rc = first < n ? TWX_OK : TWX_DONE;
    keys->least = TWX_NEAR_LONG;
    keys->most = TWX_NEAR_SHORT;
    for (; rc == TWX_OK && *at < n && *at < first + KEYS_AT_ONCE; ++*at) {
        const twx_band band = twx_band_of(plan, *at);
        const unsigned least = band.of_short ? TWX_NEAR_SHORT : TWX_NEAR_LONG;
        if (*at > first && least != keys->least) break;
        keys->least = least;
        rc = add_key(cx, keys, scoped, &band, *at, 0);
    }
    return rc;
}

twx_rc twx_near_keys_next(twx_ctx *cx, const twx_near_plan *plan, uint64_t documents, size_t *at,
                          twx_near_keys *keys) {
    const twx_judge_options *o = &plan->judge.options;
    const twx_detector *d = o->detectors[TWX_RELATION_NEAR];
    uint64_t masks[TWX_CANDIDATE_KEYS_MAX];
    twx_buf_clear(&keys->list);
    if (d->sketch)
        return next_bands(cx, twx_band_plan_for(documents),
                          o->scope[TWX_RELATION_NEAR] != TWX_SCOPE_STORE, at, keys);
    const size_t n = d->masks ? d->masks(o->params, masks) : 0, first = *at;
    twx_rc rc = first < n ? TWX_OK : TWX_DONE;
    keys->least = keys->most = TWX_NEAR_MASKED;
    for (; rc == TWX_OK && *at < n && *at < first + KEYS_AT_ONCE; ++*at)
        rc = add_key(cx, keys, true, NULL, *at, masks[*at]);
    return rc;
}
