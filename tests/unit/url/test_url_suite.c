/* The URL test data of the WHATWG (web-platform-tests, url/resources: urltestdata.json,
 * toascii.json, percent-encoding.json; test_suite in support.h). Debian's librust-url-dev has an
 * older copy of the first one. The standard's result is brought into our normal form before the two
 * are compared, because the standard keeps percent-encoding and fragments as they are. Every
 * deviation belongs to a class with a reason, and in the copies that are known each class has
 * exactly so many members. */
#include "url_fixture.h"

#include <jansson.h>

/* Why a case differs. */
typedef enum deviation {
    FILE_SCHEME,
    DNS_NAME,
    IDNA,
    USERINFO,
    OPAQUE_BASE,
    EMPTY_HOST,
    UNEXPLAINED,
    DEVIATIONS
} deviation;

/* Known copies, by the number of their cases. */
enum { OF_2026, OF_DEBIAN_12, COPIES };
static const unsigned CASES[COPIES] = {[OF_2026] = 891, [OF_DEBIAN_12] = 687};

static const struct {
    const char *reason;
    unsigned count[COPIES];
} EXPECTED[DEVIATIONS] = {
    [FILE_SCHEME] = {"drive letters and the lenient forms of file: belong to local disks, which "
                     "are not crawled",
                     {66, 35}},
    [DNS_NAME] =
        {"empty labels and bytes such as '\"' or '%' stand in no name of the DNS (url_host.h)",
         {11, 10}},
    [IDNA] = {"names that IDNA 2008 forbids, as libidn2 has it", {2, 2}},
    [USERINFO] =
        {"';', '=' and ':' of a user name or password stay as they are (RFC 3986, 6.2.2.2)",
         {5, 5}},
    [OPAQUE_BASE] = {"RFC 3986 resolves a reference against any base; the standard only with '#'",
                     {10, 25}},
    [EMPTY_HOST] = {"RFC 3986 takes a port or user before an empty host of a foreign scheme",
                    {11, 0}},
    [UNEXPLAINED] = {"a mistake", {0, 0}},
};

static json_t *suite(const char *file, const char *packaged) {
    char name[100];
    snprintf(name, sizeof name, "url/%s", file);
    const char *path = test_suite(name, packaged);
    if (!path) skip();
    json_t *all = json_load_file(path, JSON_ALLOW_NUL, NULL);
    if (!all) fail_msg("%s is not JSON", path);
    return all;
}

static twx_slice text_at(const json_t *c, const char *name) {
    const json_t *v = json_object_get(c, name);
    return json_is_string(v) ? (twx_slice){json_string_value(v), json_string_length(v)}
                             : (twx_slice){NULL, 0};
}

static bool has(twx_slice s, const char *part) {
    size_t n = strlen(part);
    for (size_t i = 0; i + n <= s.n; i++)
        if (memcmp(s.p + i, part, n) == 0) return true;
    return false;
}

static bool is_web_url(twx_slice s) {
    return twx_slice_starts_nocase(s, TWX_SLICE_LIT("http")) ||
           twx_slice_starts_nocase(s, TWX_SLICE_LIT("ws")) ||
           twx_slice_starts_nocase(s, TWX_SLICE_LIT("ftp"));
}

static deviation class_of(const json_t *c, const twx_url *got) {
    twx_slice input = text_at(c, "input"), base = text_at(c, "base"), href = text_at(c, "href");
    twx_slice subject = href.p ? href : input;
    if (twx_slice_starts_nocase(subject, TWX_SLICE_LIT("file:"))) return FILE_SCHEME;
    if (href.p && got->fault == TWX_URL_BAD_HOST)
        return is_web_url(href) && has(input, "%e2%98%83") ? IDNA : DNS_NAME;
    if (href.p && got->fault == TWX_URL_OK && has(href, "@")) return USERINFO;
    if (!href.p && base.p && !is_web_url(base)) return OPAQUE_BASE;
    if (!href.p && !is_web_url(input) && (has(input, "://:") || has(input, "@/")))
        return EMPTY_HOST;
    return UNEXPLAINED;
}

/* Does our result name the same resource as the standard's? */
static bool agrees(const json_t *c, twx_url *ret_got) {
    twx_url base = {.fault = TWX_URL_EMPTY}, want;
    twx_slice base_text = text_at(c, "base");
    if (base_text.p) base = url_normal(NULL, base_text);
    assert_ok(twx_url_resolve(&url_cx, &url_arena, NULL, &base, text_at(c, "input"), ret_got));
    if (json_is_true(json_object_get(c, "failure"))) return ret_got->fault != TWX_URL_OK;
    want = url_normal(NULL, text_at(c, "href"));
    return ret_got->fault == TWX_URL_OK && want.fault == TWX_URL_OK &&
           twx_slice_eq(ret_got->whole, want.whole);
}

TEST(urls_are_read_as_the_standard_says) {
    json_t *all = suite("urltestdata.json",
                        "/usr/share/cargo/registry/url-*/tests/urltestdata.json"),
           *c = NULL;
    unsigned found[DEVIATIONS] = {0}, cases = 0;
    size_t i = 0;
    json_array_foreach(all, i, c) {
        twx_url got;
        if (!json_is_object(c)) continue;
        cases++;
        if (agrees(c, &got)) continue;
        deviation d = class_of(c, &got);
        found[d]++;
        twx_slice input = text_at(c, "input");
        if (d == UNEXPLAINED) printf("'%.*s' gives '%s'\n", (int)input.n, input.p, url_text(got));
    }
    for (size_t d = 0; d < DEVIATIONS; d++)
        printf("%u of %u: %s\n", found[d], cases, EXPECTED[d].reason);
    assert_int_equal(found[UNEXPLAINED], 0);
    for (size_t copy = 0; copy < COPIES; copy++)
        for (size_t d = 0; cases == CASES[copy] && d < DEVIATIONS; d++)
            assert_int_equal(found[d], EXPECTED[d].count[copy]);
    json_decref(all);
}

/* Twenty hosts: two whose long label or empty label no name server knows, and names that libidn2
 * refuses or maps as an older Unicode does (hyphens at places 3 and 4, symbols, unassigned
 * characters, capital sharp s). */
TEST(hosts_become_ascii_as_the_standard_says) {
    json_t *all = suite("toascii.json", NULL), *c = NULL;
    unsigned differ = 0, cases = 0, accepted = 0;
    size_t i = 0;
    json_array_foreach(all, i, c) {
        char text[4096];
        if (!json_is_object(c)) continue;
        twx_slice input = text_at(c, "input"), output = text_at(c, "output");
        int n = snprintf(text, sizeof text, "https://%.*s/x", (int)input.n, input.p);
        assert_in_range(n, 1, sizeof text - 1);
        twx_url got = url_normal(NULL, (twx_slice){text, (size_t)n});
        cases++;
        if (!output.p) accepted += got.fault == TWX_URL_OK;
        differ += output.p ? !twx_slice_eq(got.host, output) : got.fault == TWX_URL_OK;
    }
    printf("%u of %u differ\n", differ, cases);
    assert_int_equal(accepted, 0); /* what browsers refuse is refused */
    assert_int_equal(differ, 20);
    json_decref(all);
}

/* Pages in other encodings than UTF-8 encode queries in their own; a URL alone does not know its
 * page, so only UTF-8 is compared. */
TEST(queries_are_encoded_as_the_standard_says) {
    json_t *all = suite("percent-encoding.json", NULL), *c = NULL;
    size_t i = 0, cases = 0;
    json_array_foreach(all, i, c) {
        char text[4096], want[4096];
        if (!json_is_object(c)) continue;
        twx_slice input = text_at(c, "input"),
                  output = text_at(json_object_get(c, "output"), "utf-8");
        if (!output.p) continue;
        snprintf(text, sizeof text, "https://host.example/?%.*s#x", (int)input.n, input.p);
        snprintf(want, sizeof want, "https://host.example/?%.*s", (int)output.n, output.p);
        assert_string_equal(url_norm(0, text), url_norm(0, want));
        cases++;
    }
    assert_int_equal(cases, 7);
    json_decref(all);
}
