/* predict/answers.h: predictions of URLs, one answer after the other. They are held until
 * twx_answers_flush(), which the caller does before it waits for more input.
 * Memory: embedded struct; twx_answers_init(), _done(). */
#ifndef TWX_PREDICT_ANSWERS_H
#define TWX_PREDICT_ANSWERS_H

#include "predict/model.h"
#include "run/out.h"

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
