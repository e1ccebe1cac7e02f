/* What the tests of src/url share: a context, an arena, and short ways to ask. */
#ifndef TWINDEX_TEST_URL_FIXTURE_H
#define TWINDEX_TEST_URL_FIXTURE_H

#include "support.h"

#include "url/url.h"

static twx_ctx url_cx;
static twx_arena url_arena;

static inline void url_setup(void) {
    twx_ctx_clear(&url_cx);
    twx_arena_init(&url_arena, 1 << 16);
}

static inline void url_teardown(void) {
    twx_arena_done(&url_arena);
}

TESTS_WITH(url_setup, url_teardown);

static inline twx_url url_normal(const twx_url_options *options, twx_slice text) {
    twx_url u;
    assert_ok(twx_url_normalize(&url_cx, &url_arena, options, text, &u));
    return u;
}

/* As a C string, for assert_string_equal: the normal form, or the fault's text. */
static inline const char *url_text(twx_url u) {
    twx_slice copy;
    if (u.fault != TWX_URL_OK) return twx_url_fault_text(u.fault);
    assert_ok(twx_arena_copy(&url_cx, &url_arena, u.whole, &copy));
    return copy.p;
}

static inline const char *url_norm(unsigned steps, const char *text) {
    const twx_url_options options = {.steps = steps};
    return url_text(url_normal(&options, twx_slice_of(text)));
}

static inline void assert_slice(twx_slice s, const char *expected) {
    twx_slice want = twx_slice_of(expected);
    if (!twx_slice_eq(s, want) || !s.p != !want.p)
        fail_msg("'%.*s' is not '%s'", (int)s.n, s.p ? s.p : "(absent)",
                 expected ? expected : "(absent)");
}

#endif
