/* predict/line_reader.h: reads lines of standard input for a co-process, which must answer every
 * line it has read before it blocks for more input.
 * [R1] A line ends with LF; a CR before it is removed; the last line may lack the LF.
 * [R2] A line longer than TWX_LINE_MAX is truncated and marked as cut.
 * [R3] A signal that requests a stop ends the waiting.
 * Memory: owned handle; a line is borrowed until the next call. */
#ifndef TWX_PREDICT_LINE_READER_H
#define TWX_PREDICT_LINE_READER_H

#include "base/ctx.h"
#include "base/slice.h"

enum { TWX_LINE_MAX = 2 << 20 };

typedef struct twx_line_reader twx_line_reader;
/* Called before the reader blocks for more input. */
typedef twx_rc twx_before_wait_fn(void *arg);

/* fd: borrowed. */
TWX_CHECK twx_rc twx_line_reader_open(twx_ctx *cx, int fd, twx_before_wait_fn *fn, void *arg,
                                      twx_line_reader **ret_feed);
void twx_line_reader_close(twx_line_reader *f);
/* TWX_DONE: end of input. */
TWX_CHECK twx_rc twx_line_reader_next(twx_line_reader *f, twx_slice *ret_line, bool *ret_cut);

#endif
