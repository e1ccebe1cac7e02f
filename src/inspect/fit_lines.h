/* inspect/fit_lines.h: a sink that cuts the lines of a text at the width of the terminal; a cut
 * line ends with an ellipsis. Output that is not for a terminal, and JSON, pass unchanged.
 * Memory: embedded struct; twx_fit_lines_init(), _done(). The outer output is borrowed. */
#ifndef TWX_INSPECT_FIT_LINES_H
#define TWX_INSPECT_FIT_LINES_H

#include "run/out.h"

typedef struct twx_fit_lines {
    const twx_out *outer;
    twindex_sink sink;
    twx_out out; /* to be written to */
    twx_buf line;
} twx_fit_lines;

void twx_fit_lines_init(twx_fit_lines *f, const twx_out *outer);
/* Writes what follows the last line feed. */
TWX_CHECK twx_rc twx_fit_lines_end(twx_fit_lines *f);
void twx_fit_lines_done(twx_fit_lines *f);

#endif
