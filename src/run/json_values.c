#include "run/json_values.h"

#include <math.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/utf8.h"

enum { TEXT_MAX = 64 << 20, NAME_BYTES = 64, MILLION = 1000000 };

json_t *twx_json_count(uint64_t n) {
    return json_integer((json_int_t)n);
}

json_t *twx_json_share(double share) {
    return json_real(round(share * MILLION) / MILLION);
}

json_t *twx_json_ppm(int32_t ppm) {
    return ppm < 0 ? json_null() : json_real(ppm / (double)MILLION);
}

json_t *twx_json_slice(twx_slice s) {
    if (!s.p) return json_null();
    if (twx_utf8_valid(s)) return json_stringn(s.p, s.n);
    twx_buf clean;
    twx_buf_init(&clean, TEXT_MAX);
    twx_rc rc = TWX_OK;
    for (const char *p = s.p, *end = s.p + s.n; rc == TWX_OK && p < end;) {
        uint32_t cp;
        char bytes[4];
        p += twx_utf8_next(p, end, &cp);
        rc = twx_buf_add(NULL, &clean, bytes, twx_utf8_put(cp, bytes));
    }
    json_t *value = rc == TWX_OK ? json_stringn(twx_buf_slice(&clean).p, clean.n) : NULL;
    twx_buf_done(&clean);
    return value;
}

json_t *twx_json_text(const char *text) {
    return text ? twx_json_slice(twx_slice_of(text)) : json_null();
}

json_t *twx_json_value(const twx_value *v) {
    twx_buf text;
    twx_ctx cx;
    switch (v->type) {
    case TWX_INT: return json_integer((json_int_t)v->i);
    case TWX_REAL:
        if (isfinite(v->r)) return json_real(v->r);
        break;
    case TWX_TEXT: return twx_json_slice(v->bytes);
    case TWX_NULL: return json_null();
    case TWX_BLOB: break;
    }
    twx_ctx_init(&cx);
    twx_buf_init(&text, 1024);
    json_t *literal = twx_value_print(&cx, &text, v) == TWX_OK
                          ? twx_json_slice(twx_buf_slice(&text))
                          : NULL;
    twx_buf_done(&text);
    return literal;
}

static twx_rc fail_made(twx_ctx *cx) {
    return twx_fail(cx, TWX_E_NOMEM, "out of memory for JSON");
}

twx_rc twx_json_made(twx_ctx *cx) {
    return twx_allocation_failed() ? fail_made(cx) : TWX_OK;
}

twx_rc twx_json_append(twx_ctx *cx, json_t *list, json_t *value) {
    const bool failed = json_array_append_new(list, value) != 0;
    return failed ? fail_made(cx) : twx_json_made(cx);
}

void twx_json_put_measure(json_t *to, const char *name, const twx_measure *m) {
    const struct {
        const char *suffix;
        double value;
    } rows[] = {{"", m->value}, {"_low", m->low}, {"_high", m->high}};
    for (size_t i = 0; i < TWX_COUNTOF(rows); i++) {
        char key[NAME_BYTES];
        snprintf(key, sizeof key, "%s%s", name, rows[i].suffix);
        json_object_set_new(to, key, m->known ? twx_json_share(rows[i].value) : json_null());
    }
}
