/* detect/params.h: the parameters of the detectors, filled from the settings (job/settings.c). */
#ifndef TWX_DETECT_PARAMS_H
#define TWX_DETECT_PARAMS_H

#include <stdint.h>

#include "url/url_norm.h"

typedef enum twx_digest { TWX_DIGEST_MD5, TWX_DIGEST_SHA256 } twx_digest;

typedef struct twx_params {
    twx_url_options url;
    uint32_t fuzzy_min_token_len;  /* fuzzy.min_token_len: tokens of at most so many UTF-16 units are dropped; default 2 */
    uint32_t fuzzy_quant_rate_ppm; /* fuzzy.quant_rate in millionths; default 10 000 (0.01) */
    twx_digest fuzzy_digest;       /* fuzzy.digest; default md5 */
} twx_params;

twx_params twx_params_default(void);

#endif
