#include "sign/detector_row.h"

#include "base/hash64.h"

unsigned twx_detector_needs(const twx_detector *d, const twx_params *params) {
    unsigned needs = d->needs;
    for (size_t i = 0; i < d->n_settings; i++)
        if (twx_method_value(params, d, i) == 0) needs &= ~d->settings[i].need;
    return needs;
}

twx_rc twx_signature_add(twx_ctx *cx, twx_key key, twx_signature *signature) {
    return TWX_VEC_PUSH(cx, &signature->keys, key) ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_signature_add_digest(twx_ctx *cx, const unsigned char digest[16],
                                twx_signature *signature) {
    return twx_signature_add(cx, (twx_key){twx_load_be64(digest), twx_load_be64(digest + 8)},
                             signature);
}

void twx_collection_done(twx_collection *c) {
    if (!c) return;
    if (c->by) c->by->done(c);
    *c = (twx_collection){0};
}
