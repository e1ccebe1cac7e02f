#include "serve/answer.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/print.h"
#include "run/out.h"

void twx_answer_init(twx_answer *a) {
    *a = (twx_answer){.status = TWX_HTTP_OK};
    twx_buf_init(&a->body, TWX_ANSWER_BYTES);
}

void twx_answer_done(twx_answer *a) {
    twx_buf_done(&a->body);
}

static int append(void *arg, const char *bytes, size_t n) {
    twx_answer *a = arg;
    return twx_buf_add(NULL, &a->body, bytes, n) == TWX_OK ? 0 : 1;
}

twindex_sink twx_answer_sink(twx_answer *a) {
    return (twindex_sink){.write = append, .arg = a, .format = TWINDEX_JSON};
}

void twx_answer_json(twx_answer *a, unsigned status, json_t *value) {
    twx_ctx cx;
    const twindex_sink sink = twx_answer_sink(a);
    const twx_out out = {.cx = &cx, .sink = &sink};
    twx_ctx_init(&cx);
    twx_buf_clear(&a->body);
    a->content = TWX_ANSWER_JSON;
    a->status = twx_out_json(&out, value) == TWX_OK ? status : TWX_HTTP_FAILED;
}

void twx_answer_error(twx_answer *a, unsigned status, const char *fmt, ...) {
    char message[TWX_MESSAGE_MAX];
    va_list args;
    va_start(args, fmt);
    twx_vprint(message, sizeof message, fmt, args);
    va_end(args);
    (void)twx_allocation_failed(); /* of the request that failed */
    twx_answer_json(a, status, json_pack("{s:o}", "error", twx_json_text(message)));
    a->status = status;
}

static unsigned status_of(int result) {
    switch (result) {
    case TWINDEX_OK:
    case TWINDEX_DOUBT: return TWX_HTTP_OK;
    case TWINDEX_USAGE: return TWX_HTTP_BAD_REQUEST;
    case TWINDEX_BAD_DATA: return TWX_HTTP_BAD_DATA;
    case TWINDEX_NO_STORE: return TWX_HTTP_NOT_FOUND;
    case TWINDEX_BUSY:
    case TWINDEX_INTERRUPTED:
    case TWINDEX_TERMINATED: return TWX_HTTP_BUSY;
    default: return TWX_HTTP_FAILED;
    }
}

void twx_answer_result(twx_answer *a, int result, const char *message) {
    a->status = status_of(result);
    if (a->status != TWX_HTTP_OK) twx_answer_error(a, a->status, "%s", message);
}

void twx_answer_rc(twx_answer *a, const twx_ctx *cx) {
    twx_answer_result(a, twx_rc_exit(cx->rc), cx->message);
}
