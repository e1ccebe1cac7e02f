/* SQL functions of methods of this wing. */
#include "ext/ext.h"
#include "function_rows.h"

/* A blob is already a sketch; for a text one is computed. */
static twx_rc sketch_of(twx_ext_call *call, int i, twx_slice *ret_sketch) {
    twx_key key;
    twx_rc rc = twx_ext_bytes(call, i, ret_sketch);
    if (rc != TWX_OK) return rc;
    if (!twx_ext_is_blob(call, i))
        return twx_ext_sign(call->ext, call->function->detector, &call->ext->params, *ret_sketch,
                            &key, ret_sketch);
    if (ret_sketch->n == TWX_MINHASH_BYTES) return TWX_OK;
    return twx_fail(
        &call->ext->cx, TWX_E_USAGE,
        "argument %d is a blob of %zu bytes: give one of %d, made by minhash(), or a text", i + 1,
        ret_sketch->n, TWX_MINHASH_BYTES);
}

static twx_rc jaccard(twx_ext_call *call) {
    twx_slice a, b;
    const twx_rc first = sketch_of(call, 0, &a);
    if (first != TWX_OK && first != TWX_DONE) return first;
    /* computed even if the first has no words, so that an error in the second is reported */
    const twx_rc second = sketch_of(call, 1, &b);
    if (second != TWX_OK) return second;
    return first == TWX_OK ? twx_ext_give_ppm(call, twx_minhash_estimate(a, b)) : first;
}

static const twx_ext_function FUNCTIONS[] = {TWX_LAB_FUNCTIONS};

extern const twx_ext_functions TWX_FUNCTIONS_LAB;
const twx_ext_functions TWX_FUNCTIONS_LAB = {FUNCTIONS, TWX_COUNTOF(FUNCTIONS)};
