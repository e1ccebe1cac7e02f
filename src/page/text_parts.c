#include "page/text_parts.h"

twx_rc twx_text_part_add(twx_ctx *cx, size_t begin, size_t end, twx_buf *parts) {
    return twx_buf_printf(cx, parts, "%s%zu-%zu", parts->n ? " " : "", begin, end);
}

/* A number of at most 18 digits, and the character after it. */
static bool take_number(twx_slice *list, char after, size_t *ret_number) {
    enum { DIGITS_MAX = 18 };
    size_t number = 0, n = 0;
    while (n < list->n && n < DIGITS_MAX && twx_is_digit((unsigned char)list->p[n]))
        number = 10 * number + (size_t)(list->p[n++] - '0');
    if (n == 0 || (n < list->n && list->p[n] != after)) return false;
    if (n == list->n && after != ' ') return false;
    *list = twx_slice_sub(*list, n + 1, list->n);
    *ret_number = number;
    return true;
}

bool twx_text_part_next(twx_slice *parts, size_t n, size_t *ret_begin, size_t *ret_end) {
    size_t begin = 0, end = 0;
    const bool first = *ret_end == 0;
    if (parts->n == 0 || !take_number(parts, '-', &begin) || !take_number(parts, ' ', &end) ||
        begin >= end || end > n || (!first && begin <= *ret_end))
        return false;
    *ret_begin = begin;
    *ret_end = end;
    return true;
}

static bool splits_character(twx_slice text, size_t at) {
    return at < text.n && ((unsigned char)text.p[at] & 0xC0) == 0x80;
}

/* [R1] ret_bytes: of the parts, and a line feed between two. */
static bool is_valid(twx_slice text, twx_slice parts, size_t *ret_bytes) {
    size_t begin = 0, end = 0, bytes = 0;
    while (parts.n > 0) {
        if (!twx_text_part_next(&parts, text.n, &begin, &end) || splits_character(text, begin) ||
            splits_character(text, end))
            return false;
        bytes += end - begin + (bytes > 0);
    }
    *ret_bytes = bytes;
    return bytes > 0;
}

twx_rc twx_text_parts(twx_ctx *cx, twx_slice text, twx_slice parts, twx_buf *out) {
    size_t begin = 0, end = 0, bytes = 0;
    if (!is_valid(text, parts, &bytes) || bytes > out->max - out->n) return TWX_DONE;
    twx_rc rc = twx_buf_reserve(cx, out, bytes);
    while (rc == TWX_OK && twx_text_part_next(&parts, text.n, &begin, &end)) {
        const bool first = bytes > 0;
        if (!first) rc = twx_buf_add_char(cx, out, '\n');
        if (rc == TWX_OK) rc = twx_buf_add_slice(cx, out, twx_slice_sub(text, begin, end));
        bytes = 0;
    }
    return rc;
}
