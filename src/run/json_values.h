/* run/json_values.h: the values of which JSON output is made. Each function returns a new
 * reference, or NULL without memory. */
#ifndef TWX_RUN_JSON_VALUES_H
#define TWX_RUN_JSON_VALUES_H

#include <jansson.h>

#include "base/value.h"
#include "run/estimate.h"

json_t *twx_json_count(uint64_t n);
/* Rounded to six decimal places, the most that a sample can justify. */
json_t *twx_json_share(double share);
/* Millionths; negative: null. */
json_t *twx_json_ppm(int32_t ppm);
/* A string of any bytes; invalid UTF-8 is replaced. NULL slice: null. */
json_t *twx_json_slice(twx_slice s);
json_t *twx_json_text(const char *text); /* NULL: null */
/* Blobs and infinite numbers: as text (twx_value_print). */
json_t *twx_json_value(const twx_value *v);

/* Checks that no allocation has failed while values were made; jansson leaves out a member then. To
 * be called at once, because a later system call can change errno (twx_allocation_failed()).
 * Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_json_made(twx_ctx *cx);
/* Appends a value, of which it takes ownership, and checks as twx_json_made() does. NULL is an
 * error. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_json_append(twx_ctx *cx, json_t *list, json_t *value);

/* Sets name, name_low and name_high; all null if it is unknown. */
void twx_json_put_measure(json_t *to, const char *name, const twx_measure *m);

#endif
