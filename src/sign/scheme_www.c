/* URLs that differ in scheme or "www." alone (docs/signatures.md, "URL twins"). */

#include "sign/sign.h"

static twx_rc sign_twin(twx_ctx *cx, twx_workspace *w, const twx_document *doc,
                        twx_url_twin_fn *twin, twx_signature *ret_signature) {
    if (!doc->url || doc->url->fault != TWX_URL_OK) return TWX_OK;
    char *room = twx_arena_alloc(cx, twx_workspace_scratch(w), doc->url->whole.n, 1);
    if (!room) return TWX_E_NOMEM;
    const twx_slice key = twin(doc->url, room);
    if (!key.p) return TWX_OK;
    const twx_hash128 hash = twx_url_twin_hash(key);
    return twx_signature_add(cx, (twx_key){hash.hi, hash.lo}, ret_signature);
}

/* Two keys: which one counts depends on the verdict (judge/eligible.c). */
static twx_rc sign_scheme(twx_ctx *cx, twx_workspace *w, const twx_params *params,
                          const twx_document *doc, twx_signature *ret_signature) {
    (void)params;
    const twx_rc rc = sign_twin(cx, w, doc, twx_url_scheme_twin, ret_signature);
    return rc == TWX_OK ? sign_twin(cx, w, doc, twx_url_forms_twin, ret_signature) : rc;
}

static twx_rc sign_www(twx_ctx *cx, twx_workspace *w, const twx_params *params,
                       const twx_document *doc, twx_signature *ret_signature) {
    (void)params;
    return sign_twin(cx, w, doc, twx_url_www_twin, ret_signature);
}

static uint64_t fingerprint(const twx_params *params) {
    uint64_t shape = twx_mix64(TWX_URL_NORM_VERSION, params->url.steps);
    return twx_mix64(shape, twx_url_rules_fingerprint(params->url.rules));
}

const twx_detector TWX_DETECTOR_SCHEME = {
    .name = "scheme",
    .summary = "URLs that differ only in http and https, or also in www.",
    .source = "YaCy, http_unique_b",
    .id = 1,
    .version = 3,
    .basis = TWX_BASIS_URL,
    .fingerprint = fingerprint,
    .sign = sign_scheme,
};

const twx_detector TWX_DETECTOR_WWW = {
    .name = "www",
    .summary = "URLs that differ only in a leading www. of the host",
    .source = "YaCy, www_unique_b",
    .id = 2,
    .version = 2,
    .basis = TWX_BASIS_URL,
    .fingerprint = fingerprint,
    .sign = sign_www,
};
