/* A URL as the predictor takes it apart (url/hypotheses.c, hypotheses), in normal form and as
 * it came. Laws: the parts are the URL; keys do not depend on the order of parameters; a parameter
 * or path segment that is taken out of the keys gives those of the URL without it; bounds hold. */
#include "exact_copy.h"

#include "url/url.h"

static twx_url_variants page, other;

static twx_slice rest_of(twx_slice s, size_t from) {
    return twx_slice_sub(s, from, s.n);
}

static void path_is_whole(const twx_url_pieces *p) {
    twx_slice left = p->path;
    for (size_t i = 0; i < p->segments_n; i++) {
        const size_t slash = p->path.n && p->path.p[0] == '/';
        law(twx_slice_starts(rest_of(left, slash), p->segments[i]));
        left = rest_of(left, slash + p->segments[i].n);
    }
    law(left.n == p->more_path.n);
}

static void query_is_whole(const twx_url_pieces *p) {
    twx_slice left = p->query;
    for (size_t i = 0; i < p->parameters_n; i++) {
        const twx_parameter *x = &p->parameters[i];
        while (left.n && left.p[0] == '&') left = rest_of(left, 1);
        law(twx_slice_starts(left, x->name));
        left = rest_of(left, x->name.n);
        law((x->value.p != NULL) == (left.n && left.p[0] == '='));
        if (!x->value.p) continue;
        law(twx_slice_starts(rest_of(left, 1), x->value));
        left = rest_of(left, 1 + x->value.n);
    }
    while (left.n && left.p[0] == '&') left = rest_of(left, 1);
    law(left.n == p->more_query.n);
}

static void check_parts(const twx_url_pieces *p, twx_slice url) {
    law(p->segments_n >= 1 && p->segments_n <= TWX_URL_SEGMENTS &&
        p->parameters_n <= TWX_URL_PARAMETERS);
    law(twx_slice_starts(url, p->origin) && twx_slice_starts(rest_of(url, p->origin.n), p->path));
    path_is_whole(p);
    query_is_whole(p);
}

static twx_rc add_parameter(twx_ctx *cx, twx_buf *b, const twx_parameter *x, char mark) {
    twx_rc rc = twx_buf_add_char(cx, b, mark);
    if (rc == TWX_OK) rc = twx_buf_add_slice(cx, b, x->name);
    if (rc == TWX_OK && x->value.p) rc = twx_buf_add_char(cx, b, '=');
    return rc == TWX_OK ? twx_buf_add_slice(cx, b, x->value) : rc;
}

/* The URL with its parameters the other way round, but for those called `without`. */
static void turned(twx_ctx *cx, const twx_slice *without, twx_buf *b) {
    const twx_url_pieces *p = &page.parts;
    char mark = '?';
    twx_buf_clear(b);
    law(twx_buf_add_slice(cx, b, p->origin) == TWX_OK &&
        twx_buf_add_slice(cx, b, p->path) == TWX_OK);
    for (size_t i = p->parameters_n; i-- > 0;) {
        if (without && twx_slice_eq(p->parameters[i].name, *without)) continue;
        law(add_parameter(cx, b, &p->parameters[i], mark) == TWX_OK);
        mark = '&';
    }
}

static void check_parameters(twx_ctx *cx, twx_buf *b) {
    bool repeated = false;
    for (size_t i = 0; i < page.variants_n; i++) repeated = repeated || page.variants[i].repeated;
    /* the order of one name's values does matter */
    if (page.parts.more_query.p || repeated) return;
    for (size_t i = 0; i < page.variants_n; i++) {
        const twx_variant *v = &page.variants[i];
        if (v->kind != TWX_VARIANT_PARAMETER) continue;
        turned(cx, &v->first, b);
        twx_url_variants_of(twx_buf_slice(b), &other);
        law(other.whole == v->counterpart);
    }
    turned(cx, NULL, b);
    twx_url_variants_of(twx_buf_slice(b), &other);
    law(other.whole == page.whole && other.shape == page.shape);
}

/* The last segment, whose place is known: "/a/b" without it is "/a/", "/a/" is "/a". */
static void check_last_segment(twx_ctx *cx, twx_buf *b) {
    const twx_url_pieces *p = &page.parts;
    const twx_variant *last = NULL;
    for (size_t i = 0; i < page.variants_n; i++)
        if (page.variants[i].kind == TWX_VARIANT_SEGMENT) last = &page.variants[i];
    if (!last || page.query) return;
    twx_buf_clear(b);
    const size_t cut = last->first.n ? last->first.n : 1;
    law(twx_buf_add_slice(cx, b, p->origin) == TWX_OK);
    law(twx_buf_add_slice(cx, b, twx_slice_sub(p->path, 0, p->path.n - cut)) == TWX_OK);
    twx_url_variants_of(twx_buf_slice(b), &other);
    if (p->path.n > cut) law(other.whole == last->counterpart);
}

static void check(twx_ctx *cx, twx_slice url, twx_buf *b, bool normal) {
    twx_url_variants_of(url, &page);
    law(page.variants_n >= 2 && page.variants_n <= TWX_VARIANTS_MAX);
    law(twx_query_shape(page.parts.query) == page.shape);
    for (size_t i = TWX_ORIGIN_AT; page.variants[i].kind == TWX_VARIANT_ORIGIN; i++) {
        const twx_variant *v = &page.variants[i];
        const twx_base base = twx_base_of(v->first);
        law(base.key == v->value && twx_url_key_at(&page, v, &base) == page.whole);
        if (i + 1 == page.variants_n) break;
    }
    check_parts(&page.parts, url);
    if (!normal) return;
    check_parameters(cx, b);
    check_last_segment(cx, b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const twx_slice text = exact_copy(data, size);
    twx_ctx cx = {0};
    twx_arena arena = {0};
    twx_url url;
    twx_buf b = {.max = SIZE_MAX / 2};
    check(&cx, text, &b, false);
    law(twx_url_normalize(&cx, &arena, NULL, text, &url) == TWX_OK);
    if (url.fault == TWX_URL_OK) check(&cx, url.whole, &b, true);
    twx_buf_done(&b);
    twx_arena_done(&arena);
    return exact_end();
}
