/* The similarity of two signatures or two texts. */
#include "ext/ext_functions.h"
#include "sign/alignment.h"
#include "sign/shingle_sketch.h"
#include "sign/simhash.h"

/* SQLite before 3.41 does not inform a function that its statement was interrupted, so no call may
 * take long: bytes times bytes that take a few seconds. */
static const double CELLS_MOST = 1e11;
enum {
    KEEP = 1 << 20 /* bytes of text: the handle grows with them and is released after larger ones */
};

static twx_rc two_texts(twx_ext_call *call, twx_slice *ret_a, twx_slice *ret_b) {
    twx_rc rc = twx_ext_bytes(call, 0, ret_a);
    return rc == TWX_OK ? twx_ext_bytes(call, 1, ret_b) : rc;
}

twx_rc twx_ext_hamming(twx_ext_call *call) {
    int64_t a = 0, b = 0;
    twx_rc rc = twx_ext_integer(call, 0, &a);
    if (rc == TWX_OK) rc = twx_ext_integer(call, 1, &b);
    return rc == TWX_OK ? twx_ext_give_integer(call, twx_hamming64((uint64_t)a, (uint64_t)b)) : rc;
}

static twx_rc resemblance_of(twx_ext_call *call, twx_resemblance *ret_resemblance) {
    twx_ext *x = call->ext;
    twx_slice a, b;
    twx_rc rc = two_texts(call, &a, &b);
    if (rc == TWX_OK) rc = twx_shingle_sketch_of(&x->cx, &x->scratch, a, &a);
    if (rc == TWX_OK) rc = twx_shingle_sketch_of(&x->cx, &x->scratch, b, &b);
    if (rc != TWX_OK) return rc;
    return twx_shingle_sketch_compare(a, b, ret_resemblance) ? TWX_OK : TWX_DONE;
}

static twx_rc give_if_known(twx_ext_call *call, int32_t ppm) {
    return ppm < 0 ? TWX_DONE : twx_ext_give_ppm(call, ppm);
}

twx_rc twx_ext_shingle_resemblance(twx_ext_call *call) {
    twx_resemblance found;
    twx_rc rc = resemblance_of(call, &found);
    return rc == TWX_OK ? give_if_known(call, found.resemblance) : rc;
}

twx_rc twx_ext_shingle_containment(twx_ext_call *call) {
    twx_resemblance found;
    twx_rc rc = resemblance_of(call, &found);
    return rc == TWX_OK ? give_if_known(call, found.a_in_b) : rc;
}

/* ---- texts -------------------------------------------------------------- */

twx_rc twx_ext_alignment_similarity(twx_ext_call *call) {
    const twx_detector *d = call->function->detector;
    twx_ext *x = call->ext;
    twx_slice a, b, of_a, of_b;
    twx_key key;
    twx_rc rc = two_texts(call, &a, &b);
    if (rc == TWX_OK) rc = twx_ext_sign(x, d, &x->params, a, &key, &of_a);
    if (rc == TWX_OK) rc = twx_ext_sign(x, d, &x->params, b, &key, &of_b);
    if (rc != TWX_OK) return rc;
    const int32_t ppm = twx_alignment_similarity(of_a, of_b, 0);
    /* -1: one is hundreds of times as long as the other */
    return twx_ext_give_ppm(call, ppm < 0 ? 0 : ppm);
}

/* The common prefix and suffix cost nothing. */
static twx_rc check_size(twx_ext_call *call, twx_slice a, twx_slice b) {
    const size_t least = a.n < b.n ? a.n : b.n;
    size_t head = 0, tail = 0;
    while (head < least && a.p[head] == b.p[head]) head++;
    while (tail < least - head && a.p[a.n - 1 - tail] == b.p[b.n - 1 - tail]) tail++;
    if ((double)(a.n - head - tail) * (double)(b.n - head - tail) <= CELLS_MOST) return TWX_OK;
    return twx_fail(
        &call->ext->cx, TWX_E_LIMIT,
        "texts of %zu and %zu bytes take too long to compare: alignment_similarity() estimates it",
        a.n, b.n);
}

twx_rc twx_ext_text_similarity(twx_ext_call *call) {
    twx_ext *x = call->ext;
    twx_slice a, b;
    int32_t ppm = 0;
    twx_rc rc = two_texts(call, &a, &b);
    if (rc == TWX_OK) rc = check_size(call, a, b);
    if (rc == TWX_OK && !x->similarity) rc = twx_similarity_open(&x->cx, &x->similarity);
    if (rc == TWX_OK) rc = twx_similarity_of(&x->cx, x->similarity, a, b, 0, &ppm);
    if (rc != TWX_OK || a.n + b.n > KEEP) {
        twx_similarity_close(x->similarity);
        x->similarity = NULL;
    }
    return rc == TWX_OK ? twx_ext_give_ppm(call, ppm) : rc;
}
