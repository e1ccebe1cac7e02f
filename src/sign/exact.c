/* The digest of a text's bytes (docs/signatures.md, "exact"). */
#include "sign/sign.h"

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    unsigned char digest[TWX_SHA256_BYTES];
    (void)params;
    if (doc->text.n == 0) return TWX_OK;
    twx_rc rc = twx_text_sha256(cx, w, doc->text, digest);
    return rc == TWX_OK ? twx_signature_add_digest(cx, digest, ret_signature) : rc;
}

const twx_detector TWX_DETECTOR_EXACT = {
    .name = "exact",
    .summary = "texts that are equal byte for byte",
    .source = "YaCy, exact_signature_l; Zelenkov and Segalovich 2007, A0",
    .id = 3,
    .version = 1,
    .basis = TWX_BASIS_TEXT,
    .sign = sign,
};
