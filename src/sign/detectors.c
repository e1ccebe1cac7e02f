#include "sign/sign.h"

/* ==== detector_row */

unsigned twx_detector_needs(const twx_detector *d, const twx_params *params) {
    unsigned needs = d->needs;
    for (size_t i = 0; i < d->n_settings; i++)
        if (twx_method_value(params, d, i) == 0) needs &= ~d->settings[i].need;
    return needs;
}

void twx_collection_done(twx_collection *c) {
    if (!c) return;
    if (c->by) c->by->done(c);
    *c = (twx_collection){0};
}

/* ==== detectors */

/* The table of detectors, and what is common to all of them. */

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

uint64_t twx_detector_fingerprint(const twx_detector *d, const twx_params *params) {
    uint64_t shape = d->fingerprint ? d->fingerprint(params) : 0;
    if (d->near) /* all near detectors compare words or characters */
        shape = twx_mix64(shape, twx_mix64(params->near_min_words, TWX_CHAR_CLASS_VERSION));
    if (d->needs && params->collection) shape = twx_mix64(shape, params->collection->fingerprint);
    return twx_mix64(twx_mix64(d->id, d->version), shape);
}

/* ==== method_settings */

/* In order of the detectors' ids; NULL after the last. *ret_value: its value among those of p. */
static const twx_method_setting *setting_at(twx_params *p, size_t i, uint32_t **ret_value) {
    const twx_detector *d = NULL;
    for (size_t k = 0; (d = twx_detector_at(k)) != NULL; k++) {
        if (i < d->n_settings) {
            *ret_value = &p->methods.of[d->id][i];
            return &d->settings[i];
        }
        i -= d->n_settings;
    }
    return NULL;
}

static uint32_t default_of(const twx_method_setting *s) {
    const twx_slice text = twx_slice_of(s->shown.default_value);
    uint64_t number = 0;
    if (s->kind == TWX_METHOD_SWITCH) return strcmp(s->shown.default_value, "yes") == 0;
    if (s->kind == TWX_METHOD_CHOICE) return 0;
    (void)(s->kind == TWX_METHOD_SHARE ? twx_read_share(text, &number)
                                       : twx_read_count(text, &number));
    return (uint32_t)number;
}

twx_params twx_params_default(void) {
    twx_params p = {.near_min_words = 20};
    const twx_method_setting *s = NULL;
    uint32_t *value = NULL;
    for (size_t i = 0; (s = setting_at(&p, i, &value)) != NULL; i++) *value = default_of(s);
    return p;
}

twx_params twx_params_without_thresholds(const twx_params *params) {
    twx_params p = *params;
    const twx_method_setting *s = NULL;
    uint32_t *value = NULL;
    for (size_t i = 0; (s = setting_at(&p, i, &value)) != NULL; i++)
        if (s->is_threshold) *value = s->every_pair;
    return p;
}

twx_params twx_params_with_margin(const twx_params *params, const twx_detector *method,
                                  uint32_t margin_ppm) {
    twx_params p = *params;
    for (size_t i = 0; i < method->n_settings; i++) {
        const twx_method_setting *s = &method->settings[i];
        uint32_t *value = &p.methods.of[method->id][i];
        if (s->is_threshold && s->kind == TWX_METHOD_SHARE)
            *value -= *value < margin_ppm ? *value : margin_ppm;
    }
    return p;
}

void twx_params_set_threshold(twx_params *params, const twx_detector *method, uint32_t ppm) {
    for (size_t i = 0; i < method->n_settings; i++)
        if (method->settings[i].is_threshold && method->settings[i].kind == TWX_METHOD_SHARE)
            params->methods.of[method->id][i] = ppm;
}

twx_params twx_params_without_needs(const twx_params *params) {
    twx_params p = *params;
    const twx_method_setting *s = NULL;
    uint32_t *value = NULL;
    for (size_t i = 0; (s = setting_at(&p, i, &value)) != NULL; i++)
        if (s->need) *value = 0;
    return p;
}
