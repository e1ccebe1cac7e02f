/* Laws: every value is of some kind; white space around a value changes the kind of packed bytes
 * alone, because these are known by their first bytes; nothing with a NUL byte in the part looked
 * at is text, and only white space is nothing; a URL has no white space. */
#include "exact_copy.h"
#include "page/page.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const twx_slice all = exact_copy(data, size);
    const twx_slice trimmed = twx_slice_trim(all);
    const twx_slice own = exact_copy((const uint8_t *)trimmed.p, trimmed.n);
    const twx_content kind = twx_looks_like(all), inner = twx_looks_like(own);
    if ((unsigned)kind >= TWX_CONTENTS) abort();
    if ((kind == TWX_CONTENT_EMPTY) != (own.n == 0)) abort();
    if (kind != inner && kind != TWX_CONTENT_PACKED && inner != TWX_CONTENT_PACKED) abort();
    const bool has_nul = own.n > 0 && memchr(own.p, '\0', own.n < 1 << 16 ? own.n : 1 << 16);
    if (has_nul && kind != TWX_CONTENT_BINARY && kind != TWX_CONTENT_PACKED) abort();
    if (!has_nul && kind == TWX_CONTENT_BINARY) abort();
    if (kind == TWX_CONTENT_URL)
        for (size_t i = 0; i < own.n; i++)
            if (own.p[i] == ' ' || own.p[i] == '\t' || own.p[i] == '\n') abort();
    return exact_end();
}
