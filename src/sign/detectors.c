/* The table of detectors, and what is common to all of them. */
#include "sign/detectors.h"

#include <string.h>

#include "base/hash64.h"
#include "text/char_class.h"

#define DETECTOR_ADDRESS(name) &TWX_DETECTOR_##name,
static const twx_detector *const DETECTORS[] = {TWX_METHOD_ROWS(DETECTOR_ADDRESS)};

const twx_detector *twx_detector_at(size_t i) {
    return i < TWX_COUNTOF(DETECTORS) ? DETECTORS[i] : NULL;
}

const twx_detector *twx_detector_find(const char *name) {
    for (size_t i = 0; i < TWX_COUNTOF(DETECTORS); i++)
        if (strcmp(DETECTORS[i]->name, name) == 0) return DETECTORS[i];
    return NULL;
}

const twx_detector *twx_detector_by_id(uint8_t id) {
    for (size_t i = 0; i < TWX_COUNTOF(DETECTORS); i++)
        if (DETECTORS[i]->id == id) return DETECTORS[i];
    return NULL;
}

uint64_t twx_detector_fingerprint(const twx_detector *d, const twx_params *params) {
    uint64_t shape = d->fingerprint ? d->fingerprint(params) : 0;
    if (d->near) /* all near detectors compare words or characters */
        shape = twx_mix64(shape, twx_mix64(params->near_min_words, TWX_CHAR_CLASS_VERSION));
    if (d->needs && params->collection) shape = twx_mix64(shape, params->collection->fingerprint);
    return twx_mix64(twx_mix64(d->id, d->version), shape);
}
