/* sign/method_settings.h: the settings of all methods, and parameters at their defaults. */
#ifndef TWX_SIGN_METHOD_SETTINGS_H
#define TWX_SIGN_METHOD_SETTINGS_H

#include "sign/detector_row.h"

/* In order of the detectors' ids; NULL after the last. *ret_value: its place among the values of
 * twx_method_values, counted as one array. */
const twx_method_setting *twx_method_setting_at(size_t i, size_t *ret_value);

twx_params twx_params_default(void);
/* The same parameters with thresholds that every pair reaches, so that verification returns the
 * similarity of any pair. */
twx_params twx_params_without_thresholds(const twx_params *params);
/* The same parameters with those thresholds of the method that are shares lowered by a margin. */
twx_params twx_params_with_margin(const twx_params *params, const twx_detector *method,
                                  uint32_t margin_ppm);
/* Sets those thresholds of the method that are shares. */
void twx_params_set_threshold(twx_params *params, const twx_detector *method, uint32_t ppm);
/* The same parameters with options under which a method needs no statistics of the collection, if
 * it has such options. */
twx_params twx_params_without_needs(const twx_params *params);

#endif
