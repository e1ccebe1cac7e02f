#include "page/internal.h"

enum { KEPT_BYTES = 4 << 20 };

struct twx_page_memo {
    twx_html html;
    twx_buf page; /* its bytes, to which the links of `html` refer */
    twx_buf url;  /* for which its links are resolved */
    bool blob, parsed, linked, has_url;
    twx_buf packed, unpacked; /* the bytes that were decompressed last, and the result */
    twx_unpacked how;
    bool inflated;
};

void twx_page_memo_close(twx_page_memo *memo) {
    if (!memo) return;
    twx_html_done(&memo->html);
    twx_buf_done(&memo->page);
    twx_buf_done(&memo->url);
    twx_buf_done(&memo->packed);
    twx_buf_done(&memo->unpacked);
    twx_free(memo);
}

static twx_rc memo_open(twx_ctx *cx, twx_page_memo **ret_memo) {
    twx_page_memo *m = twx_calloc(cx, 1, sizeof *m);
    if (!m) return TWX_E_NOMEM;
    twx_html_init(&m->html, 0);
    *ret_memo = m;
    return TWX_OK;
}

/* The memory of a large value is returned before the next one. */
static twx_rc set(twx_ctx *cx, twx_buf *to, twx_slice bytes) {
    if (to->cap > KEPT_BYTES) twx_buf_done(to);
    twx_buf_clear(to);
    to->max = SIZE_MAX - 1;
    return twx_buf_add_slice(cx, to, bytes);
}

/* The text of a database is UTF-8, whatever its meta element says. */
static twx_rc parse(twx_ctx *cx, const twx_page_call *call, size_t max_text,
                    twx_page_memo **ret_memo) {
    const twx_page_argument *a = &call->arguments[0];
    twx_rc rc = *call->memo ? TWX_OK : memo_open(cx, call->memo);
    if (rc != TWX_OK) return rc;
    twx_page_memo *m = *ret_memo = *call->memo;
    const twx_slice charset = a->blob ? (twx_slice){NULL, 0} : TWX_SLICE_LIT("utf-8");
    if (m->parsed && m->blob == a->blob && m->html.text.max == max_text &&
        twx_slice_eq(twx_buf_slice(&m->page), a->bytes))
        return TWX_OK;
    m->parsed = m->linked = false;
    if (m->page.cap > KEPT_BYTES) {
        twx_html_done(&m->html);
        twx_html_init(&m->html, 0);
    }
    m->html.text.max = max_text;
    m->blob = a->blob;
    rc = set(cx, &m->page, a->bytes);
    if (rc == TWX_OK) rc = twx_html_parse(cx, twx_buf_slice(&m->page), charset, NULL, &m->html);
    m->parsed = rc == TWX_OK;
    return rc;
}

/* url: NULL: none is known. */
static twx_rc link(twx_ctx *cx, twx_page_memo *m, const twx_page_argument *url) {
    const bool has_url = url != NULL;
    twx_arena scratch = {.keep = 1 << 12};
    twx_url normal;
    if (m->linked && m->has_url == has_url &&
        (!has_url || twx_slice_eq(twx_buf_slice(&m->url), url->bytes)))
        return TWX_OK;
    m->linked = false;
    m->has_url = has_url;
    twx_rc rc = has_url ? set(cx, &m->url, url->bytes) : TWX_OK;
    if (rc == TWX_OK && has_url) rc = twx_url_normalize(cx, &scratch, NULL, url->bytes, &normal);
    if (rc == TWX_OK) rc = twx_html_links(cx, &m->html, has_url ? &normal : NULL);
    twx_arena_done(&scratch);
    m->linked = rc == TWX_OK;
    return rc;
}

/* The field of the function; absent: the page has none. Some fields can be empty and still be
 * there. */
static twx_slice field_of(const twx_html *h, const twx_page_function *f) {
    const char *field = (const char *)h + f->field;
    if (field == h->layout_digest)
        return h->layout_digest[0] ? twx_slice_of(h->layout_digest) : (twx_slice){NULL, 0};
    const twx_buf *b = (const twx_buf *)(const void *)field;
    const bool is_there = b == &h->title         ? h->has_title
                          : b == &h->description ? h->has_description
                                                 : b == &h->text || b->n > 0;
    return is_there ? twx_buf_slice(b) : (twx_slice){NULL, 0};
}

/* A text that is too long is cut, a URL or a digest left out. The optional second argument is the
 * URL of the page. */
static twx_rc html_field(twx_ctx *cx, const twx_page_function *f, const twx_page_call *call,
                         twx_buf *out, twx_page_kind *ret_kind) {
    twx_page_memo *m = NULL;
    twx_rc rc = parse(cx, call, out->max, &m);
    if (rc == TWX_OK && f->most > 1) rc = link(cx, m, call->n > 1 ? &call->arguments[1] : NULL);
    if (rc != TWX_OK) return rc;
    const twx_slice field = field_of(&m->html, f);
    if (!field.p || (f->whole && field.n > out->max)) return TWX_OK;
    *ret_kind = TWX_PAGE_TEXT;
    return field.n <= out->max ? twx_buf_add_slice(cx, out, field) : twx_add_cut(cx, out, field);
}

static twx_rc add_parts(twx_ctx *cx, twx_slice text, twx_slice parts, twx_buf *out,
                        twx_page_kind *ret_kind) {
    const twx_rc rc = twx_text_parts(cx, text, parts, out);
    if (rc == TWX_OK) *ret_kind = TWX_PAGE_TEXT;
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* The content area of a page; all of its text if it has none. */
static twx_rc html_main(twx_ctx *cx, const twx_page_function *f, const twx_page_call *call,
                        twx_buf *out, twx_page_kind *ret_kind) {
    twx_page_memo *m = NULL;
    (void)f;
    twx_rc rc = parse(cx, call, out->max, &m);
    if (rc != TWX_OK) return rc;
    if (m->html.parts.n)
        return add_parts(cx, twx_buf_slice(&m->html.text), twx_buf_slice(&m->html.parts), out,
                         ret_kind);
    *ret_kind = TWX_PAGE_TEXT;
    return twx_buf_add_slice(cx, out, twx_buf_slice(&m->html.text));
}

static twx_rc text_parts(twx_ctx *cx, const twx_page_function *f, const twx_page_call *call,
                         twx_buf *out, twx_page_kind *ret_kind) {
    (void)f;
    return add_parts(cx, call->arguments[0].bytes, call->arguments[1].bytes, out, ret_kind);
}

static twx_rc unpack(twx_ctx *cx, twx_page_memo *m, twx_slice bytes, size_t max) {
    if (m->inflated && m->unpacked.max == max && twx_slice_eq(twx_buf_slice(&m->packed), bytes))
        return TWX_OK;
    m->inflated = false;
    if (m->unpacked.cap > KEPT_BYTES) twx_buf_done(&m->unpacked);
    twx_buf_clear(&m->unpacked);
    m->unpacked.max = max;
    twx_rc rc = set(cx, &m->packed, bytes);
    if (rc == TWX_OK) rc = twx_unpack(cx, bytes, TWX_CODING_ANY, &m->unpacked, &m->how);
    m->inflated = rc == TWX_OK;
    return rc;
}

/* Stores mix compressed and plain values: a plain value is returned unchanged. */
static twx_rc inflate(twx_ctx *cx, const twx_page_function *f, const twx_page_call *call,
                      twx_buf *out, twx_page_kind *ret_kind) {
    const twx_page_argument *a = &call->arguments[0];
    (void)f;
    twx_rc rc = *call->memo ? TWX_OK : memo_open(cx, call->memo);
    if (rc == TWX_OK) rc = unpack(cx, *call->memo, a->bytes, out->max);
    if (rc != TWX_OK) return rc;
    const twx_unpacked how = (*call->memo)->how;
    if (how == TWX_UNPACKED) {
        *ret_kind = TWX_PAGE_BLOB;
        return twx_buf_add_slice(cx, out, twx_buf_slice(&(*call->memo)->unpacked));
    }
    if (how != TWX_UNPACK_NONE) return TWX_OK;
    *ret_kind = a->blob ? TWX_PAGE_BLOB : TWX_PAGE_TEXT;
    return a->bytes.n <= out->max ? twx_buf_add_slice(cx, out, a->bytes) : TWX_OK;
}

static twx_rc url_resolve(twx_ctx *cx, const twx_page_function *f, const twx_page_call *call,
                          twx_buf *out, twx_page_kind *ret_kind) {
    const twx_page_argument *a = call->arguments;
    twx_arena scratch = {.keep = 1 << 16};
    twx_url base, target;
    (void)f;
    twx_rc rc = twx_url_normalize(cx, &scratch, NULL, a[0].bytes, &base);
    if (rc == TWX_OK) rc = twx_url_resolve(cx, &scratch, NULL, &base, a[1].bytes, &target);
    if (rc == TWX_OK && target.fault == TWX_URL_OK && target.whole.n <= out->max) {
        *ret_kind = TWX_PAGE_TEXT;
        rc = twx_buf_add_slice(cx, out, target.whole);
    }
    twx_arena_done(&scratch);
    return rc;
}

#define TEXT(name)  html_field, offsetof(twx_html, name), false
#define WHOLE(name) html_field, offsetof(twx_html, name), true

static const twx_page_function FUNCTIONS[] = {
    {"html_text", 1, 1, TEXT(text)},
    {"html_main", 1, 1, html_main, 0, false},
    {"html_title", 1, 1, TEXT(title)},
    {"html_headings", 1, 1, TEXT(headings)},
    {"html_names", 1, 1, TEXT(names)},
    {"html_description", 1, 1, TEXT(description)},
    {"html_robots", 1, 1, TEXT(robots)},
    {"html_language", 1, 1, TEXT(language)},
    {"html_canonical", 1, 2, WHOLE(canonical_url)},
    {"html_refresh", 1, 2, WHOLE(redirect_url)},
    {"html_hreflang", 1, 2, WHOLE(hreflang_group)},
    {"html_layout", 1, 1, WHOLE(layout_digest)},
    {"text_parts", 2, 2, text_parts, 0, false},
    {"inflate", 1, 1, inflate, 0, false},
    {"url_resolve", 2, 2, url_resolve, 0, false},
};

_Static_assert(TWX_COUNTOF(FUNCTIONS) <= TWX_PAGE_FUNCTIONS_MAX, "room for every function");

const twx_page_function *twx_page_function_at(size_t i) {
    return i < TWX_COUNTOF(FUNCTIONS) ? &FUNCTIONS[i] : NULL;
}

const twx_page_function *twx_page_function_find(const char *name) {
    for (size_t i = 0; i < TWX_COUNTOF(FUNCTIONS); i++)
        if (twx_slice_eq_nocase(twx_slice_of(name), twx_slice_of(FUNCTIONS[i].name)))
            return &FUNCTIONS[i];
    return NULL;
}
