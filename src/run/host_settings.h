/* run/host_settings.h: the setting `hosts`: settings of single hosts (url/host_patterns.h).
 * [R1] A section may set near.text, verdict.order and the thresholds of methods that are shares. */
#ifndef TWX_RUN_HOST_SETTINGS_H
#define TWX_RUN_HOST_SETTINGS_H

#include "run/settings.h"
#include "sign/detector_row.h"

/* The whole value. Errors TWX_E_CONFIG, naming section, setting and value. */
TWX_CHECK twx_rc twx_hosts_check(twx_ctx *cx, const char *value);
/* A pattern of a section; known: the sections before it. */
TWX_CHECK twx_rc twx_host_pattern_check(twx_ctx *cx, twx_slice pattern, twx_slice known);
/* A setting of a section; known: those before it, as in twx_host_section.values. On success the
 * setting is appended to `out`, as in a section. */
TWX_CHECK twx_rc twx_host_value_add(twx_ctx *cx, const char *name, const char *value,
                                    twx_slice known, twx_buf *out);

/* Does any section set near.text, and to `main`? */
typedef struct twx_host_texts {
    bool any, main;
    uint64_t fingerprint; /* of what sections say about near.text; 0: nothing */
} twx_host_texts;
twx_host_texts twx_host_texts_of(const twx_settings *s);
/* The thresholds of a method by section, ret[0] that of the store. false: all are that of the
 * store. detector: NULL: none. */
bool twx_host_thresholds(const twx_settings *s, const twx_detector *detector,
                         uint32_t ret[TWX_HOST_SECTIONS_MAX + 1]);
/* The orders of sections: preference->of_section. Errors TWX_E_CONFIG */
TWX_CHECK twx_rc twx_host_orders(twx_ctx *cx, const twx_settings *s, twx_preference *preference);

/* Sets the thresholds of methods that count between two documents, by their URLs as stored. Errors
 * TWX_E_NOMEM */
TWX_CHECK twx_rc twx_host_pair_params(twx_ctx *cx, const twx_settings *s, twx_slice url,
                                      twx_slice other, twx_params *params);
/* Appends the section that applies to a host, as "[host .example.org] near.text=main"; nothing if
 * none does. */
TWX_CHECK twx_rc twx_host_section_show(twx_ctx *cx, const twx_settings *s, twx_slice host,
                                       twx_buf *out);

#endif
