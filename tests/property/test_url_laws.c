/* Laws of src/url over random URLs, put together from the pieces that break URL code. */
#include "support.h"

#include "url/url.h"

enum { SEEDS = 20000, TEXT_MAX = 600 };

typedef struct world {
    twx_ctx cx;
    twx_arena arena;
    test_rng rng;
    uint64_t seed;
} world;

static const char *const SCHEMES[] = {"http://", "https://", "HTTP://", "http:", "ftp://",
                                      "x:",      "x:/",      "file://", "//",    ""};
static const char *const HOSTS[] = {"h.example",
                                    "www.h.example",
                                    "www.www.h",
                                    "H.EXAMPLE.",
                                    "b\u00FCcher.de",
                                    "b%C3%BCcher.de",
                                    "1.2.3.4",
                                    "[::1]",
                                    "[::1",
                                    "a..b",
                                    "%41.b",
                                    "a b",
                                    "xn--bcher-kva.de",
                                    "\xE3\x80\x82",
                                    "u:p@h.b",
                                    "a@b@c.d",
                                    "\xFF",
                                    ""};
static const char *const PORTS[] = {"", "", "", ":", ":80", ":443", ":8080", ":0", ":x", ":70000"};
static const char *const PIECES[] = {"/",          "/",          "/",       "/..",
                                     "/.",         "/a",         "/%2e%2E", "a",
                                     "%",          "%4",         "%zz",     "%2f",
                                     "%41",        "%%",         "?",       "&",
                                     "=",          "#",          ";",       ";jsessionid=1",
                                     "index.html", "/index.php", "sid=2",   "&utm_source=x",
                                     "&b=1&a=2",   " ",          "\t",      "\n",
                                     "\xC3\xA4",   "\xFF",       "[",       "]",
                                     "\\",         "|",          "@",       ":",
                                     "//",         "?sid=1&",    "+",       "%25",
                                     "~",          "%7e",        "\x01",    "\x7F",
                                     "..;sid=1"};

#define PICK(w, list) (list)[test_rng_below(&(w)->rng, TWX_COUNTOF(list))]

static size_t add(char *out, size_t n, const char *piece) {
    size_t length = strlen(piece);
    memcpy(out + n, piece, length);
    return n + length;
}

static size_t add_tail(world *w, char *out, size_t n) {
    for (size_t count = test_rng_below(&w->rng, 12); count > 0; count--) {
        n = add(out, n, PICK(w, PIECES));
        if (test_rng_below(&w->rng, 40) == 0) out[n++] = '\0';
    }
    return n;
}

/* Out has room for TEXT_MAX bytes: 30 of scheme, host and port, 12 pieces of at most 14. */
static twx_slice any_url(world *w, char *out) {
    size_t n = add(out, 0, PICK(w, SCHEMES));
    n = add(out, n, PICK(w, HOSTS));
    n = add(out, n, PICK(w, PORTS));
    return (twx_slice){out, add_tail(w, out, n)};
}

static twx_url normal(world *w, const twx_url_options *options, twx_slice text) {
    twx_url u;
    assert_ok(twx_url_normalize(&w->cx, &w->arena, options, text, &u));
    return u;
}

static void expect_same(world *w, const char *law, twx_slice text, twx_slice a, twx_slice b) {
    if (twx_slice_eq(a, b) && !a.p == !b.p) return;
    fail_msg("%s: seed %" PRIu64 ", '%.*s': '%.*s' and '%.*s'", law, w->seed, (int)text.n, text.p,
             (int)a.n, a.p ? a.p : "(absent)", (int)b.n, b.p ? b.p : "(absent)");
}

typedef void law_fn(world *w);

static void for_all_seeds(law_fn *law) {
    world w;
    twx_ctx_init(&w.cx);
    twx_arena_init(&w.arena, 1 << 16);
    for (w.seed = 1; w.seed <= SEEDS; w.seed++) {
        w.rng = test_rng_seed(w.seed);
        law(&w);
        twx_arena_reset(&w.arena);
    }
    twx_arena_done(&w.arena);
}

/* The parts of a normal form, concatenated, are it, and each byte is allowed in its part. */
static void expect_whole(world *w, const twx_url *u) {
    size_t n = u->scheme.n + 1 + u->path.n + (u->host.p ? 2 + u->host.n : 0) +
               (u->userinfo.p ? 1 + u->userinfo.n : 0) + (u->port.p ? 1 + u->port.n : 0) +
               (u->query.p ? 1 + u->query.n : 0);
    if (n != u->whole.n)
        fail_msg("seed %" PRIu64 ": parts of '%.*s'", w->seed, (int)u->whole.n, u->whole.p);
    for (size_t i = 0; i < u->whole.n; i++)
        if (u->whole.p[i] <= ' ' || u->whole.p[i] == 0x7F)
            fail_msg("seed %" PRIu64 ": byte %zu", w->seed, i);
}

static void law_stable(world *w) {
    char text[TEXT_MAX];
    twx_slice given = any_url(w, text);
    const twx_url_options options = {.steps = (unsigned)test_rng_below(&w->rng, 32)};
    twx_url once = normal(w, &options, given);
    if (once.fault != TWX_URL_OK) {
        assert_null(once.whole.p);
        return;
    }
    expect_whole(w, &once);
    twx_url twice = normal(w, &options, once.whole);
    expect_same(w, "stable", given, once.whole, twice.whole);
    expect_same(w, "stable host", given, once.host, twice.host);
    expect_same(w, "stable userinfo", given, once.userinfo, twice.userinfo);
    expect_same(w, "stable port", given, once.port, twice.port);
    expect_same(w, "stable path", given, once.path, twice.path);
    expect_same(w, "stable query", given, once.query, twice.query);
}

TEST(r1_a_normal_form_is_stable) {
    for_all_seeds(law_stable);
}

static twx_slice key(world *w, bool scheme, twx_slice text) {
    twx_url_twin_fn *const twin = scheme ? twx_url_scheme_twin : twx_url_www_twin;
    twx_url u = normal(w, NULL, text);
    char *room = twx_arena_alloc(&w->cx, &w->arena, 2 * u.whole.n, 1);
    assert_non_null(room);
    const twx_slice made = twin(&u, room);
    if (u.fault == TWX_URL_OK) /* the text of a normal URL alone gives the same key */
        expect_same(w, "twin of a normal URL", u.whole, made,
                    twx_url_twin_of(twin, u.whole, room + u.whole.n));
    return made;
}

static void law_twins(world *w) {
    static const char *const NAMES[] = {"h.example",      "www.h.example", "H.Example.",
                                        "b\u00FCcher.de", "u:p@h.b",       "h.b:8080",
                                        "a.b:80"};
    static const char *const BARE[] = {"h.example", "H.Example.", "b%C3%BCcher.de", "h.b:8080",
                                       "a.b:80",    "wwww.a",     "x.www.a"};
    char name[TEXT_MAX], a[TEXT_MAX + 16], b[TEXT_MAX + 16];
    size_t n = add(name, 0, PICK(w, NAMES));
    n = add(name, n, "/");
    n = add_tail(w, name, n);
    bool port = memmem(name, n, ":80/", 4) != NULL; /* http's own port stays in the key of https */
    memcpy(a, "http://", 7), memcpy(a + 7, name, n);
    memcpy(b, "https://", 8), memcpy(b + 8, name, n);
    if (!port)
        expect_same(w, "scheme twins", (twx_slice){name, n}, key(w, true, (twx_slice){a, n + 7}),
                    key(w, true, (twx_slice){b, n + 8}));
    n = add(name, 0, PICK(w, BARE));
    n = add(name, n, "/");
    n = add_tail(w, name, n);
    memcpy(a, "http://", 7), memcpy(a + 7, name, n);
    memcpy(b, "http://www.", 11), memcpy(b + 11, name, n);
    expect_same(w, "www twins", (twx_slice){name, n}, key(w, false, (twx_slice){a, n + 7}),
                key(w, false, (twx_slice){b, n + 11}));
}

TEST(twins_share_a_key) {
    for_all_seeds(law_twins);
}

static void law_resolve(world *w) {
    char text[TEXT_MAX], other[TEXT_MAX];
    twx_slice given = any_url(w, text);
    twx_url base = normal(w, NULL, any_url(w, other)), self = normal(w, NULL, given), made;
    if (base.fault != TWX_URL_OK) base = normal(w, NULL, TWX_SLICE_LIT("http://a/b?c"));
    /* "http:a" is relative on a page of http */
    if (twx_slice_eq(base.scheme, self.scheme))
        base = normal(w, NULL, TWX_SLICE_LIT("other://a/b?c"));
    assert_ok(twx_url_resolve(&w->cx, &w->arena, NULL, &base, given, &made));
    if (self.fault == TWX_URL_OK) expect_same(w, "absolute", given, made.whole, self.whole);
    assert_ok(twx_url_resolve(&w->cx, &w->arena, NULL, &base, TWX_SLICE_LIT("#x"), &made));
    expect_same(w, "fragment", given, made.whole, base.whole);
    if (made.fault != TWX_URL_OK || !made.host.p) return;
    assert_ok(twx_url_resolve(&w->cx, &w->arena, NULL, &base, TWX_SLICE_LIT("a/./../b"), &made));
    assert_int_equal(made.fault, TWX_URL_OK);
    expect_same(w, "same host", given, made.host, base.host);
}

TEST(resolving_an_absolute_url_normalises_it) {
    for_all_seeds(law_resolve);
}

/* parameter_order: shuffled parameters have one normal form. */
static void law_order(world *w) {
    static const char *const PARAMETERS[] = {"a",     "a=",    "a=1",   "b=2",   "",
                                             "a-b=1", "%41=1", "b=%zz", "c[]=1", "utm_x=1"};
    const twx_url_options options = {.steps = TWX_URL_STEP_PARAMETER_ORDER | TWX_URL_STEP_TRACKING};
    uint64_t order[8];
    twx_slice forms[2];
    char text[2][TEXT_MAX];
    for (size_t i = 0; i < TWX_COUNTOF(order); i++)
        order[i] = test_rng_below(&w->rng, TWX_COUNTOF(PARAMETERS));
    for (size_t side = 0; side < 2; side++) {
        size_t n = add(text[side], 0, "http://h/?");
        for (size_t i = 0; i < TWX_COUNTOF(order); i++) {
            if (i) text[side][n++] = '&';
            n = add(text[side], n, PARAMETERS[order[i]]);
        }
        forms[side] = normal(w, &options, (twx_slice){text[side], n}).whole;
        test_rng_shuffle(&w->rng, order, TWX_COUNTOF(order));
    }
    expect_same(w, "order", forms[0], forms[0], forms[1]);
}

TEST(the_order_of_parameters_does_not_matter) {
    for_all_seeds(law_order);
}

static void law_domain(world *w) {
    char text[TEXT_MAX];
    twx_url u = normal(w, NULL, any_url(w, text));
    if (!u.host.p) return;
    twx_slice domain = twx_registrable_domain(u.host);
    expect_same(w, "a domain ends its host", u.host, domain,
                twx_slice_sub(u.host, u.host.n - domain.n, u.host.n));
    expect_same(w, "a domain is its own domain", u.host, domain, twx_registrable_domain(domain));
}

TEST(a_domain_is_a_stable_tail_of_its_host) {
    for_all_seeds(law_domain);
}
