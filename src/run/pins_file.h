/* run/pins_file.h: reads the file of the setting verdict.pins (judge/pins.h) and reports its lines
 * that concern no document. */
#ifndef TWX_RUN_PINS_FILE_H
#define TWX_RUN_PINS_FILE_H

#include "judge/judge.h"
#include "run/job.h"
#include "run/summary.h"

/* *ret_pins is NULL if the setting is empty. Errors TWX_E_CONFIG naming file and line; TWX_E_IO. */
TWX_CHECK twx_rc twx_pins_load(const twx_job *job, const twx_url_options *options,
                               twx_pins **ret_pins);
/* Warns about lines that concern no document of the judgement, and about kept documents that do not
 * take part; adds both to the summary. */
TWX_CHECK twx_rc twx_pins_report(const twx_job *job, const twx_pins *pins, const twx_judgement *j,
                                 twx_summary *summary);
/* "keep https://... (pins.txt:3)" for each line that names the URL. Errors: those of fn. */
typedef twx_rc twx_pin_line_fn(void *arg, const char *text);
TWX_CHECK twx_rc twx_pins_each_of(twx_ctx *cx, const twx_pins *pins, uint64_t url_key,
                                  twx_slice url, twx_pin_line_fn *fn, void *arg);

#endif
