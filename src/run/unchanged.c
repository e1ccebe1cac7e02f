#include "run/unchanged.h"

#include "base/hash64.h"

enum { SUMMARY_BYTES = 1 << 24 };

uint64_t twx_judged_fingerprint(const twx_job *job, const twx_sign_plan *sign) {
    const uint64_t version = twx_mix64(twx_hash64(twx_slice_of(TWINDEX_VERSION), 0),
                                       TWX_JUDGE_VERSION);
    return twx_mix64(twx_mix64(version, sign->fingerprint),
                     twx_settings_fingerprint(job->settings));
}

twx_rc twx_is_judged(twx_generations *g, const twx_judge_plan *plan, uint64_t fingerprint,
                     bool *ret_judged, twx_summary *ret_summary) {
    uint64_t stored = 0;
    twx_buf summary;
    *ret_judged = false;
    if (plan->pins) return TWX_OK;
    twx_buf_init(&summary, SUMMARY_BYTES);
    twx_rc rc = twx_state_judged(g, &stored, &summary);
    *ret_judged = rc == TWX_OK && stored == fingerprint &&
                  twx_summary_read(twx_buf_slice(&summary), ret_summary);
    twx_buf_done(&summary);
    return rc == TWX_DONE ? TWX_OK : rc;
}
