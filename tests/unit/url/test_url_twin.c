#include "url_fixture.h"

static twx_slice key_of(twx_url_twin_fn *key, twx_slice text) {
    static char room[100];
    const twx_url u = url_normal(NULL, text);
    assert_true(u.whole.n < sizeof room);
    return key(&u, room);
}

TEST(r1_scheme_twins_share_a_key) {
    static const char *const ROWS[][2] = {
        {"http://h/a?b", "//h/a?b"},
        {"https://h/a?b", "//h/a?b"},
        {"HTTPS://H:443", "//h/"},
        {"http://u@h:81/", "//u@h:81/"},
        {"http://h:443/", "//h:443/"},
        {"ftp://h/", NULL},
        {"mailto:a@b", NULL},
        {"httpsx://h/", NULL},
        {"nonsense", NULL},
    };
    for (size_t i = 0; i < TWX_COUNTOF(ROWS); i++)
        assert_slice(key_of(twx_url_scheme_twin, twx_slice_of(ROWS[i][0])), ROWS[i][1]);
}

TEST(r3_the_four_forms_share_a_key) {
    static const char *const FORMS[] = {
        "http://example.com:8080/a?b", "https://example.com:8080/a?b",
        "http://www.example.com:8080/a?b", "https://www.example.com:8080/a?b"};
    char room[100];
    for (size_t i = 0; i < TWX_COUNTOF(FORMS); i++) {
        assert_slice(key_of(twx_url_forms_twin, twx_slice_of(FORMS[i])), "//example.com:8080/a?b");
        assert_slice(twx_url_twin_of(twx_url_forms_twin, twx_slice_of(FORMS[i]), room),
                     "//example.com:8080/a?b");
    }
    assert_slice(twx_url_twin_of(twx_url_forms_twin, TWX_SLICE_LIT("http://www.com/"), room),
                 "//www.com/");
    assert_null(
        twx_url_twin_of(twx_url_forms_twin, TWX_SLICE_LIT("ftp://www.example.com/"), room).p);
}

TEST(r2_www_twins_share_a_key) {
    static const char *const ROWS[][2] = {
        {"http://www.example.com/a?b", "http://example.com/a?b"},
        {"http://example.com/a?b", "http://example.com/a?b"},
        {"https://WWW.example.com", "https://example.com/"},
        {"http://u:p@www.example.com:8080/", "http://u:p@example.com:8080/"},
        {"http://www.www.example.com/", "http://www.example.com/"}, /* one is taken off */
        {"http://www.com/", "http://www.com/"},
        {"http://www/", "http://www/"},
        {"http://www.1.2.3.4.com/", "http://1.2.3.4.com/"},
        {"http://wwww.example.com/", "http://wwww.example.com/"},
        {"http://example.com/www.x.y", "http://example.com/www.x.y"},
        {"http://[::1]/", "http://[::1]/"},
        {"ftp://www.example.com/", NULL},
        {"nonsense", NULL},
    };
    for (size_t i = 0; i < TWX_COUNTOF(ROWS); i++)
        assert_slice(key_of(twx_url_www_twin, twx_slice_of(ROWS[i][0])), ROWS[i][1]);
}

TEST(the_forms_are_told_apart) {
    twx_url https = url_normal(NULL, TWX_SLICE_LIT("https://www.a.b/"));
    twx_url http = url_normal(NULL, TWX_SLICE_LIT("http://a.b/"));
    twx_url ftp = url_normal(NULL, TWX_SLICE_LIT("ftp://www.a.b/"));
    twx_url bad = url_normal(NULL, TWX_SLICE_LIT(""));
    assert_true(twx_url_is_https(&https) && twx_url_is_web(&https) && twx_url_is_www(&https));
    assert_true(!twx_url_is_https(&http) && twx_url_is_web(&http) && !twx_url_is_www(&http));
    assert_true(!twx_url_is_https(&ftp) && !twx_url_is_web(&ftp) && !twx_url_is_www(&ftp));
    assert_true(!twx_url_is_https(&bad) && !twx_url_is_web(&bad) && !twx_url_is_www(&bad));
}

/* The real URLs of the corpus: 95 scheme twins and 84 www twins as the lines are written. The
 * normal form finds four and one more, in which one of the two lacks the '/' after the host. */
typedef TWX_VEC(uint64_t) hashes;
typedef TWX_VEC(twx_url) url_list;

TWX_ORDER_0(by_value, uint64_t)

static size_t distinct(hashes *h) {
    size_t n = 0;
    qsort(h->at, h->n, sizeof *h->at, by_value);
    for (size_t i = 0; i < h->n; i++) n += i == 0 || h->at[i - 1] != h->at[i];
    TWX_VEC_DONE(h);
    return n;
}

/* Groups are pairs, so there are as many as distinct URLs less distinct keys. */
static size_t twins_by(const url_list *urls, twx_url_twin_fn *key) {
    static char room[16384];
    hashes wholes = {0}, keys = {0};
    for (size_t i = 0; i < urls->n; i++) {
        const twx_url *u = &urls->at[i];
        assert_true(u->whole.n <= sizeof room);
        assert_true(TWX_VEC_PUSH(&url_cx, &wholes, twx_hash64(u->whole, 0)));
        assert_true(TWX_VEC_PUSH(&url_cx, &keys, twx_hash64(key(u, room), 0)));
    }
    size_t n = distinct(&wholes);
    return n - distinct(&keys);
}

/* The parts of a line that is left as it is. */
static twx_url as_written(twx_slice text) {
    twx_url_parts parts;
    twx_authority_parts authority;
    twx_url_split(text, &parts);
    twx_url_split_authority(parts.authority, &authority);
    return (twx_url){.whole = text, .scheme = parts.scheme, .host = authority.host};
}

static void read_corpus(const char *path, url_list *written, url_list *normal) {
    char command[4200], line[16384];
    snprintf(command, sizeof command, "zcat '%s'", path);
    FILE *in = popen(command, "re");
    assert_non_null(in);
    while (fgets(line, sizeof line, in)) {
        twx_slice text;
        assert_ok(twx_arena_copy(&url_cx, &url_arena, twx_slice_trim(twx_slice_of(line)), &text));
        twx_url u = url_normal(NULL, text);
        assert_true(TWX_VEC_PUSH(&url_cx, written, as_written(text)));
        if (u.fault == TWX_URL_OK)
            assert_true(TWX_VEC_PUSH(&url_cx, normal, u));
        else
            assert_int_equal(text.p[0], '"'); /* 24 lines begin with a stray quote */
    }
    assert_int_equal(pclose(in), 0);
}

TEST(twins_of_the_corpus_are_counted) {
    const char *path = test_corpus("urls/userbait.txt.gz");
    url_list written = {0}, normal = {0};
    hashes lines = {0};
    if (!path) skip();
    read_corpus(path, &written, &normal);
    for (size_t i = 0; i < written.n; i++) {
        assert_true(TWX_VEC_PUSH(&url_cx, &lines, twx_hash64(written.at[i].whole, 0)));
    }
    assert_int_equal(written.n - normal.n, 24);
    assert_int_equal(distinct(&lines), 11426);
    assert_int_equal(twins_by(&normal, twx_url_scheme_twin), 95 + 4);
    assert_int_equal(twins_by(&normal, twx_url_www_twin), 84 + 1);
    size_t web = 0; /* only web URLs have keys */
    for (size_t i = 0; i < written.n; i++)
        if (twx_url_is_web(&written.at[i])) written.at[web++] = written.at[i];
    written.n = web;
    assert_int_equal(twins_by(&written, twx_url_scheme_twin), 95);
    assert_int_equal(twins_by(&written, twx_url_www_twin), 84);
    TWX_VEC_DONE(&written);
    TWX_VEC_DONE(&normal);
}
