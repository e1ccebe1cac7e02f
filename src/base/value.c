#include "base/value.h"

#include <inttypes.h>
#include <string.h>

#include "base/hash64.h"

enum { PRINTED_BYTES = 200 };

uint64_t twx_value_hash(const twx_value *v, uint64_t seed) {
    unsigned char number[8] = {0};
    twx_slice bytes = v->bytes;
    if (v->type == TWX_INT || v->type == TWX_REAL) {
        uint64_t bits = (uint64_t)v->i;
        if (v->type == TWX_REAL) memcpy(&bits, &v->r, sizeof bits);
        twx_store_le64(number, bits);
        bytes = (twx_slice){(const char *)number, sizeof number};
    }
    return twx_mix64(twx_hash64(v->type == TWX_NULL ? (twx_slice){"", 0} : bytes, seed), v->type);
}

static int class_of(const twx_value *v) {
    return v->type == TWX_NULL ? 0 : v->type <= TWX_REAL ? 1 : v->type == TWX_TEXT ? 2 : 3;
}

/* Exact: not every integer has a value as a double. */
static int compare_to_real(int64_t i, double r) {
    if (r < -9223372036854775808.0) return 1;
    if (r >= 9223372036854775808.0) return -1;
    const int64_t whole = (int64_t)r; /* cut towards 0 */
    if (i != whole) return i < whole ? -1 : 1;
    return (r < (double)whole) - (r > (double)whole); /* its fraction decides */
}

static int compare_numbers(const twx_value *a, const twx_value *b) {
    if (a->type == TWX_INT && b->type == TWX_INT) return (a->i > b->i) - (a->i < b->i);
    if (a->type == TWX_INT) return compare_to_real(a->i, b->r);
    if (b->type == TWX_INT) return -compare_to_real(b->i, a->r);
    return (a->r > b->r) - (a->r < b->r);
}

int twx_value_compare(const twx_value *a, const twx_value *b) {
    const int x = class_of(a), y = class_of(b);
    if (x != y) return x - y;
    if (x == 0) return 0;
    if (x == 1) return compare_numbers(a, b);
    const size_t n = a->bytes.n < b->bytes.n ? a->bytes.n : b->bytes.n;
    const int order = n ? memcmp(a->bytes.p, b->bytes.p, n) : 0;
    return order ? order : (a->bytes.n > b->bytes.n) - (a->bytes.n < b->bytes.n);
}

static twx_rc print_blob(twx_ctx *cx, twx_buf *out, twx_slice bytes) {
    twx_rc rc = twx_buf_add_text(cx, out, "x'");
    for (size_t i = 0; rc == TWX_OK && i < bytes.n && i < PRINTED_BYTES; i++)
        rc = twx_buf_printf(cx, out, "%02x", (unsigned char)bytes.p[i]);
    return rc == TWX_OK ? twx_buf_add_text(cx, out, "'") : rc;
}

twx_rc twx_value_print(twx_ctx *cx, twx_buf *out, const twx_value *v) {
    switch (v->type) {
    case TWX_INT: return twx_buf_printf(cx, out, "%" PRId64, v->i);
    case TWX_REAL: return twx_buf_printf(cx, out, "%.17g", v->r);
    case TWX_TEXT: return twx_buf_printf(cx, out, "'" TWX_SLICE_FMT "'", TWX_SLICE_ARG(v->bytes));
    case TWX_BLOB: return print_blob(cx, out, v->bytes);
    case TWX_NULL: break;
    }
    return twx_buf_add_text(cx, out, "NULL");
}
