#include "page/page_values.h"

#include "decode/unpack.h"
#include "page/html.h"

/* The text of a database is UTF-8, whatever its meta element says. */
static twx_slice charset_of(const twx_page_argument *a) {
    return a->blob ? (twx_slice){NULL, 0} : TWX_SLICE_LIT("utf-8");
}

static twx_rc html_text(twx_ctx *cx, const twx_page_argument *a, twx_buf *out,
                        twx_page_kind *ret_kind) {
    *ret_kind = TWX_PAGE_TEXT;
    return twx_html_text(cx, a->bytes, charset_of(a), out);
}

static twx_rc html_title(twx_ctx *cx, const twx_page_argument *a, twx_buf *out,
                         twx_page_kind *ret_kind) {
    bool found = false;
    twx_rc rc = twx_html_title(cx, a->bytes, charset_of(a), out, &found);
    *ret_kind = found ? TWX_PAGE_TEXT : TWX_PAGE_NONE;
    return rc;
}

static twx_rc html_headings(twx_ctx *cx, const twx_page_argument *a, twx_buf *out,
                            twx_page_kind *ret_kind) {
    twx_rc rc = twx_html_headings(cx, a->bytes, charset_of(a), out);
    *ret_kind = out->n ? TWX_PAGE_TEXT : TWX_PAGE_NONE;
    return rc;
}

static twx_rc html_names(twx_ctx *cx, const twx_page_argument *a, twx_buf *out,
                         twx_page_kind *ret_kind) {
    twx_rc rc = twx_html_names(cx, a->bytes, charset_of(a), out);
    *ret_kind = out->n ? TWX_PAGE_TEXT : TWX_PAGE_NONE;
    return rc;
}

/* Stores mix compressed and plain values: a plain value is returned unchanged. */
static twx_rc inflate(twx_ctx *cx, const twx_page_argument *a, twx_buf *out,
                      twx_page_kind *ret_kind) {
    twx_unpacked how = TWX_UNPACK_NONE;
    twx_rc rc = twx_unpack(cx, a->bytes, TWX_CODING_ANY, out, &how);
    *ret_kind = how == TWX_UNPACKED ? TWX_PAGE_BLOB : TWX_PAGE_NONE;
    if (rc != TWX_OK || how != TWX_UNPACK_NONE) return rc;
    twx_buf_clear(out);
    *ret_kind = a->blob ? TWX_PAGE_BLOB : TWX_PAGE_TEXT;
    return a->bytes.n <= out->max ? twx_buf_add_slice(cx, out, a->bytes) : TWX_OK;
}

static twx_rc url_resolve(twx_ctx *cx, const twx_page_argument *a, twx_buf *out,
                          twx_page_kind *ret_kind) {
    twx_arena scratch;
    twx_url base, target;
    twx_arena_init(&scratch, 1 << 16);
    twx_rc rc = twx_url_normalize(cx, &scratch, NULL, a[0].bytes, &base);
    if (rc == TWX_OK) rc = twx_url_resolve(cx, &scratch, NULL, &base, a[1].bytes, &target);
    *ret_kind = TWX_PAGE_NONE;
    if (rc == TWX_OK && target.fault == TWX_URL_OK && target.whole.n <= out->max) {
        *ret_kind = TWX_PAGE_TEXT;
        rc = twx_buf_add_slice(cx, out, target.whole);
    }
    twx_arena_done(&scratch);
    return rc;
}

static const twx_page_function FUNCTIONS[] = {
    {"html_text", 1, html_text},
    {"html_title", 1, html_title},
    {"html_headings", 1, html_headings},
    {"html_names", 1, html_names},
    {"inflate", 1, inflate},
    {"url_resolve", 2, url_resolve},
};

const twx_page_function *twx_page_function_at(size_t i) {
    return i < TWX_COUNTOF(FUNCTIONS) ? &FUNCTIONS[i] : NULL;
}

const twx_page_function *twx_page_function_find(const char *name) {
    for (size_t i = 0; i < TWX_COUNTOF(FUNCTIONS); i++)
        if (twx_slice_eq_nocase(twx_slice_of(name), twx_slice_of(FUNCTIONS[i].name)))
            return &FUNCTIONS[i];
    return NULL;
}
