/* The table of detectors, and what is common to all of them. */
#include "method/detectors.h"

#include <string.h>

#include "base/hash64.h"
#include "corpus/collection.h"
#include "text/char_class.h"

/* In order of id. */
static const twx_detector *const DETECTORS[] = {
    &TWX_DETECTOR_SCHEME,
    &TWX_DETECTOR_WWW,
    &TWX_DETECTOR_EXACT,
    &TWX_DETECTOR_PROFILE,
    &TWX_DETECTOR_TITLE,
    &TWX_DETECTOR_DESCRIPTION,
    &TWX_DETECTOR_TF,
    &TWX_DETECTOR_TFIDF,
    &TWX_DETECTOR_TFRIDF,
    &TWX_DETECTOR_LONG_SENTENCE,
    &TWX_DETECTOR_HEAVY_SENTENCE,
    &TWX_DETECTOR_MEGASHINGLES,
    &TWX_DETECTOR_LEXRAND,
    &TWX_DETECTOR_IMATCH,
    &TWX_DETECTOR_LOG_SHINGLES,
    &TWX_DETECTOR_DESCRIPTIVE_WORDS,
    &TWX_DETECTOR_OPT_FREQ,
    &TWX_DETECTOR_DECOMPOSITION,
    &TWX_DETECTOR_THREE_PLUS_FIVE,
    &TWX_DETECTOR_SIMHASH,
    &TWX_DETECTOR_SIMHASH32,
    &TWX_DETECTOR_MINHASH,
    &TWX_DETECTOR_SHINGLES,
    &TWX_DETECTOR_SUPERSHINGLES,
    &TWX_DETECTOR_WORD_LISTS,
    &TWX_DETECTOR_CHUNKS,
    &TWX_DETECTOR_BLOOM,
    &TWX_DETECTOR_CONTENT_LINKS,
    &TWX_DETECTOR_ALIGNMENT,
    &TWX_DETECTOR_REPEATED,
    &TWX_DETECTOR_NAME,
};

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

bool twx_detector_describes_name(const twx_detector *d) {
    return d == &TWX_DETECTOR_NAME || d == &TWX_DETECTOR_REPEATED;
}
