/* What the tests of src/url share: a context, an arena, and short ways to ask. */
#ifndef TWINDEX_TEST_URL_FIXTURE_H
#define TWINDEX_TEST_URL_FIXTURE_H

#include "support.h"

#include "url/url.h"

typedef struct url_fixture {
    twx_ctx cx;
    twx_arena arena;
} url_fixture;

static inline int url_setup(void **state) {
    static url_fixture f;
    twx_ctx_init(&f.cx);
    twx_arena_init(&f.arena, 1 << 16);
    *state = &f;
    return 0;
}

static inline int url_teardown(void **state) {
    url_fixture *f = *state;
    twx_arena_done(&f->arena);
    return 0;
}

static inline twx_url url_normal(url_fixture *f, const twx_url_options *options, twx_slice text) {
    twx_url u;
    assert_int_equal(twx_url_normalize(&f->cx, &f->arena, options, text, &u), TWX_OK);
    return u;
}

/* As a C string, for assert_string_equal: the normal form, or the fault's text. */
static inline const char *url_text(url_fixture *f, twx_url u) {
    twx_slice copy;
    if (u.fault != TWX_URL_OK) return twx_url_fault_text(u.fault);
    assert_int_equal(twx_arena_copy(&f->cx, &f->arena, u.whole, &copy), TWX_OK);
    return copy.p;
}

static inline const char *url_norm(url_fixture *f, unsigned steps, const char *text) {
    const twx_url_options options = {.steps = steps};
    return url_text(f, url_normal(f, &options, twx_slice_of(text)));
}

static inline void assert_slice(twx_slice s, const char *expected) {
    twx_slice want = twx_slice_of(expected);
    if (!twx_slice_eq(s, want) || !s.p != !want.p)
        fail_msg("'%.*s' is not '%s'", (int)s.n, s.p ? s.p : "(absent)",
                 expected ? expected : "(absent)");
}

#endif
