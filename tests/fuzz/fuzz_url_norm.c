/* First byte: the optional steps; the rest: a URL, resolved against a base that depends on it, too.
 * Laws: a usable URL's normal form is usable and stable, its parts lie within it, and an absolute
 * reference of another scheme than its base resolves to its own normal form. */
#include "exact_copy.h"

#include "url/url.h"

static void within(const twx_url *u, twx_slice part) {
    law(!part.p || (part.p >= u->whole.p && part.p + part.n <= u->whole.p + u->whole.n));
}

static void check(twx_ctx *cx, twx_arena *arena, const twx_url_options *options, twx_slice text) {
    twx_url once, twice, base;
    law(twx_url_normalize(cx, arena, options, text, &once) == TWX_OK);
    law(twx_url_normalize(cx, arena, NULL, TWX_SLICE_LIT("foreign://u@h:8/a/b;c?d"), &base) ==
        TWX_OK);
    law(twx_url_resolve(cx, arena, options, &base, text, &twice) == TWX_OK);
    if (once.fault != TWX_URL_OK) {
        law(!once.whole.p && !once.path.p);
        return;
    }
    law(twx_slice_eq(once.whole, twice.whole));
    within(&once, once.scheme), within(&once, once.userinfo), within(&once, once.host);
    within(&once, once.port), within(&once, once.path), within(&once, once.query);
    law(twx_url_normalize(cx, arena, options, once.whole, &twice) == TWX_OK);
    law(twx_slice_eq(once.whole, twice.whole) && twx_slice_eq(once.host, twice.host));
    law(twx_url_resolve(cx, arena, NULL, &once, TWX_SLICE_LIT("../x"), &twice) == TWX_OK &&
        twice.fault == TWX_URL_OK);
    char *room = twx_arena_alloc(cx, arena, once.whole.n, 1);
    law(twx_url_is_web(&once) == (twx_url_scheme_twin(&once, room).p != NULL));
    law(twx_url_is_web(&once) == (twx_url_www_twin(&once, room).p != NULL));
    law(twx_registrable_domain(once.host).n <= once.host.n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;
    const twx_url_options options = {.steps = data[0]};
    const twx_slice text = exact_copy(data + 1, size - 1);
    twx_ctx cx = {0};
    twx_arena arena = {0};
    check(&cx, &arena, &options, text);
    twx_arena_done(&arena);
    return exact_end();
}
