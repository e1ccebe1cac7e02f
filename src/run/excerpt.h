/* run/excerpt.h: crawled text as part of a line on a terminal.
 * [R1] Runs of white space become one blank. Control characters, which a terminal would interpret,
 * Unicode's bidirectional controls, which change the order of display, and invalid UTF-8 become
 * U+FFFD. [R2] A text with more than `most` characters is cut off there and marked with "...". */
#ifndef TWX_RUN_EXCERPT_H
#define TWX_RUN_EXCERPT_H

#include "base/buf.h"

/* Appends the beginning of a text; Errors TWX_E_NOMEM, TWX_E_LIMIT (the buffer's max) */
TWX_CHECK twx_rc twx_excerpt(twx_ctx *cx, twx_slice text, size_t most, twx_buf *out);
/* Appends its end. */
TWX_CHECK twx_rc twx_excerpt_end(twx_ctx *cx, twx_slice text, size_t most, twx_buf *out);

#endif
