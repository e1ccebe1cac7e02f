#include "serve/serve.h"

#include <errno.h>
#include <sys/random.h>

#include "run/run.h"

/* ==== answer */

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
    twx_ctx cx = {0};
    const twindex_sink sink = twx_answer_sink(a);
    const twx_out out = {.cx = &cx, .sink = &sink};
    twx_buf_clear(&a->body);
    a->content = TWX_ANSWER_JSON;
    a->status = twx_out_json(&out, value) == TWX_OK ? status : TWX_HTTP_FAILED;
}

void twx_answer_error(twx_answer *a, unsigned status, const char *fmt, ...) {
    char message[TWX_MESSAGE_MAX];
    TWX_PRINT_ARGUMENTS(message, fmt);
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

static void answer_result(twx_answer *a, int result, const char *message) {
    a->status = status_of(result);
    if (a->status != TWX_HTTP_OK) twx_answer_error(a, a->status, "%s", message);
}

void twx_answer_rc(twx_answer *a, const twx_ctx *cx) {
    answer_result(a, twx_rc_exit(cx->rc), cx->message);
}

/* ==== exchange */

twx_rc twx_secret_make(twx_ctx *cx, char ret_secret[TWX_SECRET_ROOM]) {
    unsigned char bytes[TWX_SECRET_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return twx_fail(cx, TWX_E_IO, "no random bytes: %s", strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(ret_secret + 2 * i, 3, "%02x", bytes[i]);
    return TWX_OK;
}

bool twx_secret_is(twx_slice guess, const char *secret) {
    unsigned char different = 0;
    if (guess.n != TWX_SECRET_ROOM - 1) return false;
    for (size_t i = 0; i < guess.n; i++)
        different |= (unsigned char)((unsigned char)guess.p[i] ^ (unsigned char)secret[i]);
    return different == 0;
}

twx_rc twx_exchange_end(twx_exchange *x, int result) {
    answer_result(x->answer, result, twindex_message(x->t));
    return TWX_OK;
}

twx_rc twx_exchange_get(twx_exchange *x, const char *name, const char **ret_value) {
    *ret_value = twindex_get(x->t, name);
    return *ret_value ? TWX_OK : twx_fail(x->cx, TWX_E_NOMEM, "%s", twindex_message(x->t));
}

/* ==== request */

twx_slice twx_request_path(const twx_request *r) {
    return twx_slice_sub(r->target, 0, twx_slice_find(r->target, '?', 0));
}

static twx_rc fail_param(twx_ctx *cx, const char *name, const char *why) {
    return twx_fail(cx, TWX_E_USAGE, "the parameter '%s' %s", name, why);
}

/* The value as it is written; absent: there is none. Of several the first counts. */
static twx_slice raw_param(const twx_request *r, twx_slice name) {
    const twx_slice query = twx_slice_sub(r->target, twx_slice_find(r->target, '?', 0),
                                          r->target.n);
    for (size_t from = 1, to; from < query.n; from = to + 1) {
        to = twx_slice_find(query, '&', from);
        const twx_slice pair = twx_slice_sub(query, from, to);
        const size_t equals = twx_slice_find(pair, '=', 0);
        if (twx_slice_eq(twx_slice_sub(pair, 0, equals), name))
            return twx_slice_sub(pair, equals < pair.n ? equals + 1 : pair.n, pair.n);
    }
    return (twx_slice){NULL, 0};
}

/* Decodes in place; false: a wrong escape. */
static bool decode(char *text, size_t n, size_t *ret_n) {
    size_t to = 0;
    for (size_t i = 0; i < n; i++) {
        char c = text[i] == '+' ? ' ' : text[i];
        if (c == '%') {
            const int value = twx_percent_value((twx_slice){text, n}, i);
            if (value < 0) return false;
            c = (char)value;
            i += 2;
        }
        text[to++] = c;
    }
    *ret_n = to;
    return true;
}

twx_rc twx_request_param(twx_ctx *cx, const twx_request *r, const char *name, twx_arena *arena,
                         twx_slice *ret_value) {
    const twx_slice raw = raw_param(r, twx_slice_of(name));
    *ret_value = raw;
    if (!raw.p) return TWX_OK;
    char *text = twx_arena_alloc(cx, arena, raw.n + 1, 1);
    if (!text) return TWX_E_NOMEM;
    memcpy(text, raw.p, raw.n);
    size_t n = 0;
    if (!decode(text, raw.n, &n)) return fail_param(cx, name, "has a wrong escape");
    text[n] = '\0';
    if (memchr(text, '\0', n)) return fail_param(cx, name, "contains a NUL");
    if (!twx_utf8_valid((twx_slice){text, n})) return fail_param(cx, name, "is not UTF-8");
    *ret_value = (twx_slice){text, n};
    return TWX_OK;
}

twx_rc twx_request_needs(twx_ctx *cx, const twx_request *r, const char *name, twx_arena *arena,
                         const char **ret_value) {
    twx_slice value;
    twx_rc rc = twx_request_param(cx, r, name, arena, &value);
    if (rc == TWX_OK && value.n == 0) rc = fail_param(cx, name, "is missing or empty");
    if (rc == TWX_OK) *ret_value = value.p;
    return rc;
}

twx_rc twx_request_number(twx_ctx *cx, const twx_request *r, const char *name, size_t most,
                          size_t *ret_number) {
    const twx_slice raw = raw_param(r, twx_slice_of(name));
    int64_t number = 0;
    if (!raw.p) return TWX_OK;
    if (!twx_slice_integer(raw, &number) || number < 0 || (uint64_t)number > most)
        return twx_fail(cx, TWX_E_USAGE, "the parameter '%s' is not a number from 0 to %zu", name,
                        most);
    *ret_number = (size_t)number;
    return TWX_OK;
}

twx_rc twx_request_json(twx_ctx *cx, const twx_request *r, json_t **ret_object) {
    json_error_t error;
    json_t *o = json_loadb(r->body.p ? r->body.p : "", r->body.n, JSON_REJECT_DUPLICATES, &error);
    if (!o && json_error_code(&error) == json_error_out_of_memory)
        return twx_fail(cx, TWX_E_NOMEM, "out of memory for the request");
    if (!o)
        return twx_fail(cx, TWX_E_USAGE, "the body is not JSON: line %d: %s", error.line,
                        error.text);
    if (json_is_object(o)) {
        *ret_object = o;
        return TWX_OK;
    }
    json_decref(o);
    return twx_fail(cx, TWX_E_USAGE, "the body is not a JSON object");
}

twx_rc twx_member_text(twx_ctx *cx, const json_t *object, const char *name, const char **ret_text) {
    const json_t *value = json_object_get(object, name);
    if (value && !json_is_null(value) && !json_is_string(value))
        return twx_fail(cx, TWX_E_USAGE, "'%s' is not a text", name);
    *ret_text = json_is_string(value) ? json_string_value(value) : NULL;
    return TWX_OK;
}

twx_rc twx_member_needs(twx_ctx *cx, const json_t *object, const char *name,
                        const char **ret_text) {
    twx_rc rc = twx_member_text(cx, object, name, ret_text);
    return rc == TWX_OK && !*ret_text ? twx_fail(cx, TWX_E_USAGE, "'%s' is missing", name) : rc;
}
