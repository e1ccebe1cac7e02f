/* detect/params.h: the parameters of the detectors, taken from the settings (job/settings.c). */
#ifndef TWX_DETECT_PARAMS_H
#define TWX_DETECT_PARAMS_H

#include <stdint.h>

#include "url/url_norm.h"

struct twx_collection;

typedef enum twx_digest { TWX_DIGEST_MD5, TWX_DIGEST_SHA256 } twx_digest;

typedef struct twx_params {
    twx_url_options url;
    /* fuzzy.min_token_len: tokens of at most this many UTF-16 units are dropped; default 2 */
    uint32_t fuzzy_min_token_len;
    uint32_t fuzzy_quant_rate_ppm; /* fuzzy.quant_rate in millionths; default 10 000 (0.01) */
    twx_digest fuzzy_digest;       /* fuzzy.digest; default md5 */
    /* near.min_words: texts with fewer words get no keys of near detectors; default 20 */
    uint32_t near_min_words;
    /* text.sentence_end: PCRE2 pattern of what ends a sentence; NULL: the default. Borrowed */
    const char *sentence_end;
    /* simhash.distance: how many bits of two fingerprints may differ, 0..6; default 3 */
    uint32_t simhash_distance;
    /* Thresholds of verification in millionths: NAME.threshold */
    uint32_t minhash_threshold_ppm, shingles_threshold_ppm, decomposition_threshold_ppm,
        chunks_threshold_ppm, bloom_threshold_ppm, content_links_tolerance_ppm,
        alignment_threshold_ppm;
    /* minhash.boilerplate: ignore text that the pages of a site share (boilerplate.h); default
     * true */
    bool minhash_boilerplate;
    /* Statistics of the collection, for detectors with needs; NULL when no detector has any.
     * Borrowed, read-only. */
    const struct twx_collection *collection;
} twx_params;

twx_params twx_params_default(void);
/* The same parameters with thresholds that every pair reaches, so that verification returns the
 * similarity of any pair. */
twx_params twx_params_without_thresholds(const twx_params *params);

#endif
