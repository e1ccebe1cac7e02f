#include "judge/order_key.h"

#include <math.h>
#include <string.h>

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
static twx_rc add_integer(twx_ctx *cx, twx_buf *out, int64_t whole, bool has_fraction) {
    twx_rc rc = twx_buf_add_char(cx, out, INTEGERS);
    if (rc == TWX_OK) rc = add_signed(cx, out, whole);
    return rc == TWX_OK ? twx_buf_add_char(cx, out, has_fraction) : rc;
}

static twx_rc add_real(twx_ctx *cx, twx_buf *out, double r) {
    const double whole = floor(r);
    const bool among_integers = whole >= -TWO_63 && whole < TWO_63;
    twx_rc rc = among_integers
                    ? add_integer(cx, out, (int64_t)whole, r != whole)
                    : twx_buf_add_char(cx, out, whole < 0 ? BELOW_INTEGERS : ABOVE_INTEGERS);
    if (among_integers && r == whole) return rc;
    /* the number itself: a difference to `whole` would be rounded */
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
    case TWX_INT: return add_integer(cx, out, id->i, false);
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

/* ---- reading ------------------------------------------------------------- */

/* Each reader advances *rest; false: the bytes are not what was written. */

static bool take_byte(twx_slice *rest, unsigned char *ret_byte) {
    if (rest->n == 0) return false;
    *ret_byte = (unsigned char)rest->p[0];
    *rest = twx_slice_sub(*rest, 1, rest->n);
    return true;
}

static bool take_flag(twx_slice *rest, bool *ret_flag) {
    unsigned char c = 0;
    if (!take_byte(rest, &c) || c > 1) return false;
    *ret_flag = c == 1;
    return true;
}

static bool skip(twx_slice *rest, size_t n) {
    if (rest->n < n) return false;
    *rest = twx_slice_sub(*rest, n, rest->n);
    return true;
}

static bool take_big(twx_slice *rest, uint64_t *ret_v) {
    if (rest->n < 8) return false;
    *ret_v = twx_load_be64(rest->p);
    return skip(rest, 8);
}

static bool skip_criterion(twx_slice *rest, twx_criterion criterion) {
    bool unknown = false;
    if (criterion == TWX_BY_NOTHING) return true;
    if (criterion == TWX_BY_URL_LENGTH) return skip(rest, 4);
    return take_flag(rest, &unknown) && (unknown || skip(rest, 8));
}

/* The number whose place in the order this is (twx_score_order()). */
static double score_at(uint64_t order) {
    const uint64_t bits = order >> 63 ? order & ~(UINT64_C(1) << 63) : ~order;
    double score = 0;
    memcpy(&score, &bits, sizeof score);
    return score;
}

static bool take_integer(twx_slice *rest, twx_value *ret_id) {
    uint64_t place = 0, order = 0;
    bool has_fraction = false;
    if (!take_big(rest, &place) || !take_flag(rest, &has_fraction)) return false;
    const int64_t whole = (int64_t)(place ^ UINT64_C(1) << 63);
    *ret_id = (twx_value){.type = TWX_INT, .i = whole};
    if (!has_fraction) return true;
    if (!take_big(rest, &order)) return false;
    *ret_id = (twx_value){.type = TWX_REAL, .r = score_at(order)};
    return floor(ret_id->r) == (double)whole && ret_id->r != (double)whole;
}

static bool take_outer_real(twx_slice *rest, twx_value *ret_id) {
    uint64_t order = 0;
    if (!take_big(rest, &order)) return false;
    *ret_id = (twx_value){.type = TWX_REAL, .r = score_at(order)};
    return !isnan(ret_id->r);
}

/* ret_bytes: room for rest->n bytes */
static bool take_bytes(twx_slice *rest, char *ret_bytes, size_t *ret_n) {
    size_t n = 0;
    for (size_t i = 0; i + 1 < rest->n; i++) {
        const char c = rest->p[i];
        if (c == '\0' && rest->p[i + 1] == '\0') {
            *ret_n = n;
            return skip(rest, i + 2);
        }
        ret_bytes[n++] = c;
        if (c == '\0' && rest->p[++i] != (char)0xFF) return false;
    }
    return false;
}

static twx_rc read_bytes(twx_ctx *cx, twx_arena *a, twx_type type, twx_slice *rest,
                         twx_value *ret_id, bool *ret_whole) {
    char *bytes = twx_arena_alloc(cx, a, rest->n + 1, 1);
    size_t n = 0;
    if (!bytes) return TWX_E_NOMEM;
    *ret_whole = take_bytes(rest, bytes, &n);
    *ret_id = (twx_value){.type = type, .bytes = {bytes, n}};
    return TWX_OK;
}

static twx_rc read_id(twx_ctx *cx, twx_arena *a, twx_slice *rest, twx_value *ret_id,
                      bool *ret_whole) {
    unsigned char type = 0;
    *ret_whole = take_byte(rest, &type);
    switch (*ret_whole ? type : 0) {
    case INTEGERS: *ret_whole = take_integer(rest, ret_id); return TWX_OK;
    case BELOW_INTEGERS:
    case ABOVE_INTEGERS: *ret_whole = take_outer_real(rest, ret_id); return TWX_OK;
    case TEXT: return read_bytes(cx, a, TWX_TEXT, rest, ret_id, ret_whole);
    case BLOB: return read_bytes(cx, a, TWX_BLOB, rest, ret_id, ret_whole);
    default: *ret_whole = false; return TWX_OK;
    }
}

twx_rc twx_order_key_read(twx_ctx *cx, const twx_preference *preference, twx_arena *a,
                          twx_slice *bytes, twx_order_place *ret_place) {
    twx_slice rest = *bytes;
    twx_order_place place = {0};
    twx_rc rc = TWX_OK;
    bool other_scheme = false, other_www = false;
    bool whole = take_flag(&rest, &other_scheme) && take_flag(&rest, &other_www) &&
                 (!preference->newest || skip(&rest, 8));
    for (size_t k = 0; whole && k < TWX_CRITERIA; k++)
        whole = skip_criterion(&rest, preference->criteria[k]);
    if (whole) rc = read_id(cx, a, &rest, &place.id, &whole);
    if (rc == TWX_OK && !whole)
        rc = twx_fail(cx, TWX_E_DATA, "the place of a document in the order is damaged");
    if (rc != TWX_OK) return rc;
    place.preferred_scheme = !other_scheme;
    place.preferred_www = !other_www;
    *bytes = rest;
    *ret_place = place;
    return TWX_OK;
}
