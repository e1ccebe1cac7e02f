#include "detect/params.h"

twx_params twx_params_default(void) {
    return (twx_params){.fuzzy_min_token_len = 2,
                        .fuzzy_quant_rate_ppm = 10000,
                        .fuzzy_digest = TWX_DIGEST_MD5,
                        .near_min_words = 20,
                        .simhash_distance = 3,
                        .minhash_threshold_ppm = 900000,
                        .shingles_threshold_ppm = 800000,
                        .decomposition_threshold_ppm = 850000,
                        .chunks_threshold_ppm = 800000,
                        .bloom_threshold_ppm = 800000,
                        .content_links_tolerance_ppm = 50000,
                        .alignment_threshold_ppm = 800000,
                        .minhash_boilerplate = true};
}

twx_params twx_params_without_thresholds(const twx_params *params) {
    twx_params p = *params;
    p.simhash_distance = p.content_links_tolerance_ppm = UINT32_MAX;
    p.minhash_threshold_ppm = p.shingles_threshold_ppm = p.decomposition_threshold_ppm = 0;
    p.chunks_threshold_ppm = p.bloom_threshold_ppm = p.alignment_threshold_ppm = 0;
    return p;
}
