#include "run/unchanged.h"

#include "base/hash64.h"

enum { SUMMARY_BYTES = 1 << 24 };

uint64_t twx_judged_fingerprint(const twx_job *job, const twx_sign_plan *sign) {
    const uint64_t version = twx_mix64(twx_hash64(twx_slice_of(TWINDEX_VERSION), 0),
                                       TWX_JUDGE_VERSION);
    return twx_mix64(twx_mix64(version, sign->fingerprint),
                     twx_settings_fingerprint(job->settings));
}

/* ret_known: the fingerprint is known, and the ledger has all counts. */
static twx_rc read_judged(twx_ctx *cx, twx_generations *g, bool *ret_known, uint64_t *ret_stored,
                          twx_summary *ret_counts) {
    twx_buf json;
    twx_buf_init(&json, SUMMARY_BYTES);
    *ret_known = false;
    twx_rc rc = twx_state_judged(g, ret_stored, &json);
    if (rc == TWX_OK) rc = twx_summary_read(cx, twx_buf_slice(&json), ret_counts, ret_known);
    twx_buf_done(&json);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_is_judged(twx_ctx *cx, twx_generations *g, const twx_judge_plan *plan,
                     uint64_t fingerprint, bool *ret_judged, twx_summary *ret_summary) {
    uint64_t stored = 0;
    bool known = false;
    *ret_judged = false;
    if (plan->pins) return TWX_OK;
    twx_rc rc = read_judged(cx, g, &known, &stored, ret_summary);
    *ret_judged = rc == TWX_OK && known && stored == fingerprint;
    return rc;
}

twx_rc twx_keep_judged(twx_ctx *cx, twx_generations *g, uint64_t fingerprint,
                       const twx_summary *summary) {
    uint64_t stored = 0;
    bool known = false;
    twx_summary published;
    twx_summary_init(&published);
    twx_rc rc = read_judged(cx, g, &known, &stored, &published);
    if (rc == TWX_OK && known && twx_summary_same_counts(&published, summary))
        rc = twx_state_set_judged(g, &fingerprint);
    twx_summary_done(&published);
    return rc;
}
