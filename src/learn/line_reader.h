/* learn/line_reader.h: lines of standard input as they come, for a co-process: what came is handed
 * on before more is waited for.
 * [R1] A line ends with LF, a CR before it is cut off; the last one may lack the LF. [R2] Of a line
 * longer than TWX_LINE_MAX the beginning is given, marked as cut. [R3] A signal that asks to stop
 * ends the waiting.
 * Memory: owned handle; a line is borrowed until the next call. */
#ifndef TWX_LEARN_LINE_READER_H
#define TWX_LEARN_LINE_READER_H

#include "base/ctx.h"
#include "base/slice.h"

enum { TWX_LINE_MAX = 2 << 20 };

typedef struct twx_line_reader twx_line_reader;
/* Called before the feed waits for more. */
typedef twx_rc twx_before_wait_fn(void *arg);

/* fd: borrowed. */
TWX_CHECK twx_rc twx_line_reader_open(twx_ctx *cx, int fd, twx_before_wait_fn *fn, void *arg,
                                      twx_line_reader **ret_feed);
void twx_line_reader_close(twx_line_reader *f);
/* TWX_DONE: the end. */
TWX_CHECK twx_rc twx_line_reader_next(twx_line_reader *f, twx_slice *ret_line, bool *ret_cut);

#endif
