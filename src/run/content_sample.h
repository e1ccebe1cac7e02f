/* run/content_sample.h: samples the contents of the mapped columns: fill rates, and warnings about
 * a mapping that is valid but unlikely to be intended ("text looks like HTML", "status is never
 * 200"). Memory: embedded struct, nothing to free. */
#ifndef TWX_RUN_CONTENT_SAMPLE_H
#define TWX_RUN_CONTENT_SAMPLE_H

#include "page/looks_like.h"
#include "run/open_store.h"

enum { TWX_LOOK_ROWS = 200 };

typedef struct twx_content_sample {
    uint64_t rows, filled[TWX_COLUMNS]; /* filled: neither NULL nor empty */
    uint64_t text[TWX_CONTENTS], hex_digits;
    uint64_t url_absolute, status_ok;
} twx_content_sample;

/* Reads the first TWX_LOOK_ROWS rows; a row that is too long ends the sample. */
TWX_CHECK twx_rc twx_content_sample_read(twx_opened *o, twx_content_sample *ret_sample);
/* Calls fn for each warning. */
typedef twx_rc twx_content_warning_fn(void *arg, const char *warning);
TWX_CHECK twx_rc twx_content_warnings(const twx_content_sample *sample, const twx_mapping *m,
                                      twx_content_warning_fn *fn, void *arg);

#endif
