/* sign/params.h: the parameters of the detectors, taken from the settings
 * (run/detector_params.c). */
#ifndef TWX_SIGN_PARAMS_H
#define TWX_SIGN_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "url/url_norm.h"

struct twx_collection;

enum { TWX_DETECTOR_IDS = 64, TWX_METHOD_SETTINGS_MAX = 4 };

/* Values of the settings that methods have (twx_detector.settings): by the detector's id, then in
 * the order of its settings. */
typedef struct twx_method_values {
    uint32_t of[TWX_DETECTOR_IDS][TWX_METHOD_SETTINGS_MAX];
} twx_method_values;

typedef struct twx_params {
    twx_url_options url;
    /* near.min_words: texts with fewer words get no keys of near detectors; default 20 */
    uint32_t near_min_words;
    /* near.text = main: near-duplicate methods get the content area of a document */
    bool near_main;
    /* The text of the setting `hosts` (url/host_patterns.h); NULL: none. Borrowed */
    const char *hosts;
    /* text.sentence_end: PCRE2 pattern of what ends a sentence; NULL: the default. Borrowed */
    const char *sentence_end;
    twx_method_values methods;
    /* Documents of the store, which decide by which keys candidates are found (group/bands.h); 0: a
     * small store. Signatures do not depend on it. */
    uint64_t documents;
    /* Statistics of the collection, for detectors with needs; NULL when no detector has any.
     * Borrowed, read-only. */
    const struct twx_collection *collection;
} twx_params;

#endif
