/* Megashingles: 36 min-hashes of the 5-word shingles in 6 groups of 6; two equal groups suffice
 * (supershingle.h). Texts with the resemblance .95 are found with probability .994, .9 with .92, .8
 * with .49, .7 with .15, .5 with .004. Payload: 48 bytes. */
#include "method/detectors.h"
#include "method/supershingle.h"

static const twx_supershingling HOW = {
    .words = 5,
    .per_group = 6,
    .resemblance_ppm = {-1, -1, 832683, 890899, 934655, 970070, 1000000},
};

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    (void)params;
    return twx_supershingle_sign(cx, w, &HOW, doc->text, ret_signature);
}

static int32_t verify(const twx_params *params, twx_slice a, twx_slice b) {
    (void)params;
    return twx_supershingle_verify(&HOW, a, b);
}

const twx_detector TWX_DETECTOR_MEGASHINGLES = {
    .name = "megashingles",
    .summary = "texts with two of six groups of six min-hashes in common",
    .source = "Fetterly, Manasse, Najork 2003; Zelenkov and Segalovich 2007, A6",
    .id = 12,
    .version = 1,
    .basis = TWX_BASIS_TEXT,
    .translations_separate = true,
    .near = true,
    .sign = sign,
    .candidates = twx_supershingle_candidates,
    .verify = verify,
};
