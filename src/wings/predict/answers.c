#include "predict/answers.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/print.h"
#include "predict/hypotheses.h"

enum { HELD_MOST = 1 << 16, LINE_MOST = 1 << 25 };

void twx_answers_init(twx_answers *a, const twx_out *out, bool filter) {
    *a = (twx_answers){.out = out, .filter = filter};
    twx_buf_init(&a->held, LINE_MOST);
}

void twx_answers_done(twx_answers *a) {
    twx_buf_done(&a->held);
}

twx_rc twx_answers_flush(twx_answers *a) {
    twx_rc rc = twx_out_bytes(a->out, twx_buf_slice(&a->held));
    twx_buf_clear(&a->held);
    return rc;
}

static twx_rc hold_json(twx_answers *a, const twx_answer *answer) {
    const twx_context *why = answer->prediction.why;
    twx_ctx *cx = a->out->cx;
    json_t *value = json_pack(
        "{s:o, s:f, s:o, s:o, s:I, s:I, s:b}", "url", twx_json_slice(answer->line), "probability",
        answer->prediction.probability, "hypothesis",
        why ? json_integer(TWX_HYPOTHESIS[why->row].number) : json_null(), "form",
        why ? json_string(TWX_HYPOTHESIS[why->row].form) : json_null(), "dup",
        why ? (json_int_t)why->dup : 0, "nodup", why ? (json_int_t)why->nodup : 0, "fetch",
        (int)answer->fetch);
    const size_t flags = JSON_COMPACT | JSON_REAL_PRECISION(6),
                 n = value ? json_dumpb(value, NULL, 0, flags) : 0;
    twx_rc rc = n && !twx_allocation_failed() ? twx_buf_reserve(cx, &a->held, n)
                                              : twx_fail(cx, TWX_E_NOMEM, "out of memory for JSON");
    if (rc == TWX_OK) a->held.n += json_dumpb(value, a->held.p + a->held.n, n, flags);
    json_decref(value);
    return rc == TWX_OK ? twx_buf_add_char(cx, &a->held, '\n') : rc;
}

/* Consecutive answers often have the same reason, so the last one is cached. */
static void print_reason(twx_answers *a, const twx_context *why) {
    if (a->before[0] && a->rendered == why) return;
    a->rendered = why;
    twx_print(a->before, sizeof a->before, "%.6f\t", why ? why->probability : 0.0);
    if (why)
        snprintf(a->after, sizeof a->after, "\t%d\t%" PRIu32 "\t%" PRIu32 "\n",
                 TWX_HYPOTHESIS[why->row].number, why->dup, why->nodup);
    else
        snprintf(a->after, sizeof a->after, "\t-\t0\t0\n");
}

static twx_rc hold_columns(twx_answers *a, const twx_answer *answer) {
    print_reason(a, answer->prediction.why);
    twx_rc rc = twx_buf_add_text(a->out->cx, &a->held, a->before);
    if (rc == TWX_OK) rc = twx_buf_add_slice(a->out->cx, &a->held, answer->line);
    return rc == TWX_OK ? twx_buf_add_text(a->out->cx, &a->held, a->after) : rc;
}

static twx_rc hold_line(twx_answers *a, const twx_answer *answer) {
    twx_rc rc = twx_buf_add_slice(a->out->cx, &a->held, answer->line);
    return rc == TWX_OK ? twx_buf_add_char(a->out->cx, &a->held, '\n') : rc;
}

twx_rc twx_answers_add(twx_answers *a, const twx_answer *answer) {
    twx_rc rc = a->held.n >= HELD_MOST ? twx_answers_flush(a) : TWX_OK;
    if (rc != TWX_OK || (a->filter && !answer->fetch)) return rc;
    if (twx_out_is_json(a->out)) return hold_json(a, answer);
    return a->filter ? hold_line(a, answer) : hold_columns(a, answer);
}
