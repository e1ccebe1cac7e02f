/* Signatures of one text. The same detectors compute them as in a run, so the values cannot
 * differ. */
#include "ext/ext_functions.h"
#include "sign/detectors.h"
#include "sign/profile.h"

enum { MIN_TOKEN_LEN_MAX = 1000 /* as the setting fuzzy.min_token_len */ };

twx_rc twx_ext_sign(twx_ext *x, const twx_detector *d, const twx_params *params, twx_slice text,
                    twx_key *ret_key, twx_slice *ret_payload) {
    const twx_document doc = {.text = text};
    twx_signature signature = {0};
    twx_workspace *w = NULL;
    twx_rc rc = twx_ext_workspace(x, &w);
    if (rc == TWX_OK) rc = d->sign(&x->cx, w, params, &doc, &signature);
    if (rc == TWX_OK && signature.keys.n == 0) rc = TWX_DONE;
    if (rc == TWX_OK) {
        *ret_key = signature.keys.at[0];
        *ret_payload = signature.payload;
    }
    TWX_VEC_DONE(&signature.keys);
    return rc;
}

static twx_rc sign_first(twx_ext_call *call, const twx_params *params, twx_key *ret_key,
                         twx_slice *ret_payload) {
    twx_slice text;
    twx_rc rc = twx_ext_bytes(call, 0, &text);
    if (rc != TWX_OK) return rc;
    return twx_ext_sign(call->ext, call->function->detector, params, text, ret_key, ret_payload);
}

static twx_rc give_key(twx_ext_call *call, const twx_params *params) {
    twx_slice payload;
    twx_key key;
    twx_rc rc = sign_first(call, params, &key, &payload);
    return rc == TWX_OK ? twx_ext_give_integer(call, (int64_t)key.key) : rc;
}

twx_rc twx_ext_key(twx_ext_call *call) {
    return give_key(call, &call->ext->params);
}

twx_rc twx_ext_payload(twx_ext_call *call) {
    twx_slice payload;
    twx_key key;
    twx_rc rc = sign_first(call, &call->ext->params, &key, &payload);
    return rc == TWX_OK ? twx_ext_give_blob(call, payload) : rc;
}

/* The defaults, or the values of the second and third argument. */
static twx_rc fuzzy_params(twx_ext_call *call, twx_params *ret_params) {
    twx_params params = call->ext->params;
    uint32_t *settings = params.methods.of[TWX_DETECTOR_PROFILE.id];
    int64_t units = settings[TWX_PROFILE_MIN_TOKEN_LEN];
    twx_rc rc = call->n > 1 ? twx_ext_integer(call, 1, &units) : TWX_OK;
    if (rc == TWX_OK && (units < 0 || units > MIN_TOKEN_LEN_MAX))
        rc = twx_fail(&call->ext->cx, TWX_E_USAGE, "min_token_len is %lld: give 0 to %d",
                      (long long)units, MIN_TOKEN_LEN_MAX);
    if (rc == TWX_OK && call->n > 2) rc = twx_ext_share(call, 2, &settings[TWX_PROFILE_QUANT_RATE]);
    if (rc != TWX_OK) return rc;
    settings[TWX_PROFILE_MIN_TOKEN_LEN] = (uint32_t)units;
    *ret_params = params;
    return TWX_OK;
}

twx_rc twx_ext_fuzzy(twx_ext_call *call) {
    twx_params params;
    twx_rc rc = fuzzy_params(call, &params);
    return rc == TWX_OK ? give_key(call, &params) : rc;
}

twx_rc twx_ext_fuzzy_profile(twx_ext_call *call) {
    twx_params params;
    twx_slice text, profile;
    twx_workspace *w = NULL;
    twx_rc rc = fuzzy_params(call, &params);
    if (rc == TWX_OK) rc = twx_ext_bytes(call, 0, &text);
    if (rc == TWX_OK) rc = twx_ext_workspace(call->ext, &w);
    if (rc == TWX_OK) rc = twx_profile_text(&call->ext->cx, w, &params, text, &profile);
    return rc == TWX_OK ? twx_ext_give_text(call, profile) : rc;
}
