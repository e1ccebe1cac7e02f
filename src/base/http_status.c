#include "base/http_status.h"

enum { STATUS_DIGITS = 6, HTTP_OK = 200 };

/* What may follow the number: nothing, a fraction, or a reason after a separator. */
static bool is_end(twx_slice rest) {
    if (rest.n == 0) return true;
    if (rest.p[0] != '.')
        return twx_is_space((unsigned char)rest.p[0]) || rest.p[0] == '-' || rest.p[0] == ':' ||
               rest.p[0] == ',';
    for (size_t i = 1; i < rest.n; i++)
        if (!twx_is_digit((unsigned char)rest.p[i])) return false;
    return true;
}

bool twx_http_status(twx_slice text, int64_t *ret_status) {
    int64_t status = 0;
    size_t i = 0;
    text = twx_slice_trim(text);
    if (twx_slice_eq_nocase(text, TWX_SLICE_LIT("ok"))) {
        *ret_status = HTTP_OK;
        return true;
    }
    if (twx_slice_starts_nocase(text, TWX_SLICE_LIT("http/")))
        text = twx_slice_trim(twx_slice_sub(text, twx_slice_find(text, ' ', 0), text.n));
    for (; i < text.n && i < STATUS_DIGITS && twx_is_digit((unsigned char)text.p[i]); i++)
        status = status * 10 + (text.p[i] - '0');
    if (i == 0 || !is_end(twx_slice_sub(text, i, text.n))) return false;
    *ret_status = status;
    return true;
}
