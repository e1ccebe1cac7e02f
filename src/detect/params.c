#include "detect/params.h"

twx_params twx_params_default(void) {
    return (twx_params){
        .fuzzy_min_token_len = 2, .fuzzy_quant_rate_ppm = 10000, .fuzzy_digest = TWX_DIGEST_MD5};
}
