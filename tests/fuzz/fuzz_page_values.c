/* The first byte chooses the SQL function of page/page_values.c, whether its arguments are blobs,
 * and a small cap; a line feed separates two arguments. Laws: no bytes make a call fail [R2]; a
 * second call gives the same [R1]; no result passes its cap, and a text under a small cap is the
 * beginning of the text under a large one [R3]; text made of a page and resolved URLs are valid
 * UTF-8. */
#include "exact_copy.h"
#include "page/page.h"

enum { BLOB = 128, SMALL_CAP = 64, LARGE_CAP = 1 << 20 };

/* The page that is kept gives the same [R4]. */
static void check_memo(const twx_page_function *f, const twx_page_call *call, const twx_buf *out,
                       twx_page_kind kind) {
    twx_ctx cx = {0};
    twx_buf again = {.max = out->max};
    twx_page_kind kept = TWX_PAGE_NONE;
    if (f->call(&cx, f, call, &again, &kept) != TWX_OK || kept != kind) abort();
    if (!twx_slice_eq(twx_buf_slice(&again), twx_buf_slice(out))) abort();
    twx_buf_done(&again);
}

static twx_page_kind value_of(const twx_page_function *f, const twx_page_argument *arguments,
                              size_t cap, twx_buf *out) {
    twx_page_memo *memo = NULL;
    const twx_page_call call = {&memo, arguments, f->most};
    twx_ctx cx = {0};
    twx_page_kind kind = TWX_PAGE_NONE;
    twx_buf_init(out, cap);
    if (f->call(&cx, f, &call, out, &kind) != TWX_OK || cx.rc != TWX_OK) abort();
    if (memo) check_memo(f, &call, out, kind);
    twx_page_memo_close(memo);
    if (kind != TWX_PAGE_NONE && out->n > cap) abort();
    return kind;
}

static void check(const twx_page_function *f, const twx_page_argument *arguments) {
    twx_buf first, second, small;
    const twx_page_kind kind = value_of(f, arguments, LARGE_CAP, &first);
    if (value_of(f, arguments, LARGE_CAP, &second) != kind) abort();
    if (kind != TWX_PAGE_NONE && !twx_slice_eq(twx_buf_slice(&first), twx_buf_slice(&second)))
        abort();
    const bool makes_text = twx_slice_starts_nocase(twx_slice_of(f->name),
                                                    TWX_SLICE_LIT("html_")) ||
                            f->most == 2;
    if (kind == TWX_PAGE_TEXT && makes_text && !twx_utf8_valid(twx_buf_slice(&first))) abort();
    const twx_page_kind cut = value_of(f, arguments, SMALL_CAP, &small);
    if (cut != TWX_PAGE_NONE && kind == TWX_PAGE_TEXT && makes_text &&
        (small.n > first.n || (small.n && memcmp(small.p, first.p, small.n) != 0)))
        abort();
    twx_buf_done(&first);
    twx_buf_done(&second);
    twx_buf_done(&small);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    size_t functions = 0;
    while (twx_page_function_at(functions)) functions++;
    const twx_page_function *f = twx_page_function_at(data[0] % functions);
    if (!f || twx_page_function_find(f->name) != f) abort();
    const bool blob = (data[0] & BLOB) != 0;
    const uint8_t *rest = data + 1;
    const uint8_t *feed = f->most > 1 && size > 1 ? memchr(rest, '\n', size - 1) : NULL;
    const size_t n = feed ? (size_t)(feed - rest) : size - 1;
    const twx_slice one = exact_copy(rest, n);
    const twx_slice two = feed ? exact_copy(feed + 1, size - 2 - n) : exact_copy(NULL, 0);
    check(f, (twx_page_argument[TWX_PAGE_ARGUMENTS_MAX]){{one, blob}, {two, blob}});
    return exact_end();
}
