#include "judge/order_key.h"

#include <math.h>

#include "base/hash64.h"

/* First bytes of ids, in their order. */
enum { BELOW_INTEGERS = 0x0F, INTEGERS = 0x10, ABOVE_INTEGERS = 0x11, TEXT = 0x20, BLOB = 0x30 };

static const double TWO_63 = 9223372036854775808.0;

static twx_rc add_big(twx_ctx *cx, twx_buf *out, uint64_t v) {
    char bytes[8];
    twx_store_be64(bytes, v);
    return twx_buf_add(cx, out, bytes, sizeof bytes);
}

static twx_rc add_signed(twx_ctx *cx, twx_buf *out, int64_t v) {
    return add_big(cx, out, (uint64_t)v ^ UINT64_C(1) << 63);
}

/* A known value comes before an unknown one. */
static twx_rc add_known(twx_ctx *cx, twx_buf *out, bool known, uint64_t v) {
    twx_rc rc = twx_buf_add_char(cx, out, known ? 0 : 1);
    return rc == TWX_OK && known ? add_big(cx, out, v) : rc;
}

/* An integer and the equal real are the same key, as they are the same id for SQLite. */
static twx_rc add_integer(twx_ctx *cx, twx_buf *out, int64_t whole, double rest) {
    twx_rc rc = twx_buf_add_char(cx, out, INTEGERS);
    if (rc == TWX_OK) rc = add_signed(cx, out, whole);
    if (rc == TWX_OK) rc = twx_buf_add_char(cx, out, rest > 0 ? 1 : 0);
    return rc == TWX_OK && rest > 0 ? add_big(cx, out, twx_score_order(rest)) : rc;
}

static twx_rc add_real(twx_ctx *cx, twx_buf *out, double r) {
    const double whole = floor(r);
    if (whole >= -TWO_63 && whole < TWO_63) return add_integer(cx, out, (int64_t)whole, r - whole);
    twx_rc rc = twx_buf_add_char(cx, out, whole < 0 ? BELOW_INTEGERS : ABOVE_INTEGERS);
    return rc == TWX_OK ? add_big(cx, out, twx_score_order(r)) : rc;
}

/* 0 becomes 0 0xFF; the end is 0 0, which is smaller than anything that could follow. */
static twx_rc add_bytes(twx_ctx *cx, twx_buf *out, char type, twx_slice bytes) {
    twx_rc rc = twx_buf_add_char(cx, out, type);
    for (size_t i = 0; rc == TWX_OK && i < bytes.n; i++) {
        rc = twx_buf_add_char(cx, out, bytes.p[i]);
        if (rc == TWX_OK && bytes.p[i] == '\0') rc = twx_buf_add_char(cx, out, (char)0xFF);
    }
    return rc == TWX_OK ? twx_buf_add(cx, out, "\0\0", 2) : rc;
}

twx_rc twx_order_key_id(twx_ctx *cx, const twx_value *id, twx_buf *out) {
    switch (id->type) {
    case TWX_INT: return add_integer(cx, out, id->i, 0);
    case TWX_REAL: return add_real(cx, out, id->r);
    case TWX_TEXT: return add_bytes(cx, out, TEXT, id->bytes);
    default: return add_bytes(cx, out, BLOB, id->bytes);
    }
}

static twx_rc add_criterion(twx_ctx *cx, twx_buf *out, twx_criterion criterion,
                            const twx_facts *f) {
    char length[8];
    switch (criterion) {
    case TWX_BY_SCORE: return add_known(cx, out, (f->bits & TWX_FACT_SCORED) != 0, ~f->score_order);
    case TWX_BY_FETCHED_AT:
        return add_known(cx, out, (f->bits & TWX_FACT_DATED) != 0,
                         (uint64_t)f->fetched_at ^ UINT64_C(1) << 63);
    default: twx_store_be64(length, f->url_length); return twx_buf_add(cx, out, length + 4, 4);
    }
}

twx_rc twx_order_key_criteria(twx_ctx *cx, const twx_facts *facts, const twx_preference *preference,
                              uint64_t version, twx_buf *out) {
    twx_rc rc = twx_buf_add_char(cx, out, !twx_has_preferred_scheme(facts, preference));
    if (rc == TWX_OK) rc = twx_buf_add_char(cx, out, !twx_has_preferred_www(facts, preference));
    if (rc == TWX_OK && preference->newest) rc = add_big(cx, out, ~version);
    for (size_t k = 0; rc == TWX_OK && k < TWX_CRITERIA; k++)
        if (preference->criteria[k] != TWX_BY_NOTHING)
            rc = add_criterion(cx, out, preference->criteria[k], facts);
    return rc;
}

twx_rc twx_order_key(twx_ctx *cx, const twx_facts *facts, const twx_preference *preference,
                     uint64_t version, const twx_value *id, twx_buf *out) {
    twx_rc rc = twx_order_key_criteria(cx, facts, preference, version, out);
    return rc == TWX_OK ? twx_order_key_id(cx, id, out) : rc;
}
