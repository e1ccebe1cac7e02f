/* Supershingles: 84 min-hashes of the 5-word shingles in 6 groups of 14; two equal groups suffice
 * (supershingle.h). Texts with the resemblance .99 are found with probability .9998, .97 with .98,
 * .95 with .88, .9 with .42, .8 with .03, .7 with .0007. Payload: 48 bytes. */
#include "method/detectors.h"
#include "method/supershingle.h"

static const twx_supershingling HOW = {
    .words = 5,
    .per_group = 14,
    .resemblance_ppm = {-1, -1, 924528, 951695, 971454, 987061, 1000000},
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

const twx_detector TWX_DETECTOR_SUPERSHINGLES = {
    .name = "supershingles",
    .summary = "texts with two of six groups of fourteen min-hashes in common",
    .source = "Broder 2000; Fetterly, Manasse, Najork 2003",
    .id = 24,
    .version = 1,
    .basis = TWX_BASIS_TEXT,
    .translations_separate = true,
    .near = true,
    .sign = sign,
    .candidates = twx_supershingle_candidates,
    .verify = verify,
};
