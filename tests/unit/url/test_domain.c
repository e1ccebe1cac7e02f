#include "url_fixture.h"

TEST(registrable_domains) {
    static const char *const ROWS[][2] = {
        {"www.example.com", "example.com"},
        {"example.com", "example.com"},
        {"a.b.c.example.co.uk", "example.co.uk"},
        {"co.uk", "co.uk"}, /* a public suffix is its own domain */
        {"com", "com"},
        {"localhost", "localhost"},
        {"a.b.unlisted-suffix", "b.unlisted-suffix"},
        {"www.ck", "www.ck"}, /* the list's exception to *.ck */
        {"x.www.ck", "www.ck"},
        {"a.b.ck", "a.b.ck"},
        {"user.github.io", "user.github.io"},
        {"www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"},
        {"192.168.0.1", "192.168.0.1"},
        {"[2001:db8::1]", "[2001:db8::1]"},
        {"1.2.3.example.com", "example.com"},
        {"", ""},
    };
    for (size_t i = 0; i < TWX_COUNTOF(ROWS); i++)
        assert_slice(twx_registrable_domain(twx_slice_of(ROWS[i][0])), ROWS[i][1]);
}

TEST(the_result_is_a_slice_of_the_host) {
    static const char TEXT[] = "www.example.com/more";
    twx_slice domain = twx_registrable_domain((twx_slice){TEXT, 15});
    assert_ptr_equal(domain.p, TEXT + 4);
    assert_int_equal(domain.n, 11);
}

TEST(what_is_no_host_is_its_own_domain) {
    static char long_host[1000];
    twx_slice absent = twx_registrable_domain((twx_slice){NULL, 0});
    assert_null(absent.p);
    memset(long_host, 'a', sizeof long_host);
    assert_int_equal(twx_registrable_domain((twx_slice){long_host, sizeof long_host}).n,
                     sizeof long_host);
    assert_int_equal(twx_registrable_domain(TWX_SLICE_LIT("a.b\0.example.com")).n, 16);
}

TEST(the_list_has_a_fingerprint) {
    assert_true(twx_domain_fingerprint() != 0);
    assert_true(twx_domain_fingerprint() == twx_domain_fingerprint());
}
