/* predict/answers.h: reads URLs line by line, and writes the prediction of each. */
#ifndef TWX_PREDICT_ANSWERS_H
#define TWX_PREDICT_ANSWERS_H

#include "base/ctx.h"
#include "base/slice.h"
#include "predict/model.h"
#include "run/out.h"

/* Reads lines of standard input for a co-process, which must answer every
 * line it has read before it blocks for more input.
 * [R1] A line ends with LF; a CR before it is removed; the last line may lack the LF.
 * [R2] A line longer than TWX_LINE_MAX is truncated and marked as cut.
 * [R3] A signal that requests a stop ends the waiting.
 * Memory: owned handle; a line is borrowed until the next call. */
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

/* Predictions of URLs, one answer after the other. They are held until
 * twx_answers_flush(), which the caller does before it waits for more input.
 * Memory: embedded struct; twx_answers_init(), _done(). */

/* The given line or URL, its prediction, and whether it is worth fetching. */
typedef struct twx_answer {
    twx_slice line;
    twx_prediction prediction;
    bool fetch;
} twx_answer;

enum { TWX_ANSWER_BEFORE_BYTES = 16, TWX_ANSWER_AFTER_BYTES = 48 };

typedef struct twx_answers {
    const twx_out *out;
    bool filter; /* only URLs worth fetching are written */
    twx_buf held;
    /* the columns before and after the URL are rendered for this context */
    const twx_context *rendered;
    char before[TWX_ANSWER_BEFORE_BYTES], after[TWX_ANSWER_AFTER_BYTES];
} twx_answers;

void twx_answers_init(twx_answers *a, const twx_out *out, bool filter);
void twx_answers_done(twx_answers *a);
TWX_CHECK twx_rc twx_answers_add(twx_answers *a, const twx_answer *answer);
TWX_CHECK twx_rc twx_answers_flush(twx_answers *a);

#endif
