/* Sections of hosts: which one applies, and how its text is cut. */
#include "support.h"

#include "url/url.h"

static void expect(const char *sections, const char *host, unsigned number) {
    const unsigned found = twx_host_section_of(twx_slice_of(sections), twx_slice_of(host), NULL);
    if (found != number)
        fail_msg("'%s' of '%s': section %u, not %u", host, sections, found, number);
}

TEST(r1_the_most_specific_section_applies) {
    static const char ALL[] = ".example | a.example | *.a.example | .b.a.example x=y";
    expect(ALL, "a.example", 2);
    expect(ALL, "c.a.example", 3);
    expect(ALL, "b.a.example", 4);
    expect(ALL, "c.b.a.example", 4);
    expect(ALL, "example", 1);
    expect(ALL, "ba.example", 1);
    expect(ALL, "an-example", 0);
    expect(ALL, "", 0);
    expect("", "a.example", 0);
    expect(NULL, "a.example", 0);
    expect("a.example", "b.a.example", 0);
    expect("a.example", "a.exampl", 0);
    expect(".a.example", "a.example", 1);
    expect(" |  | a.example", "a.example", 1); /* empty ones are ignored */
}

TEST(values_are_cut_at_blanks) {
    twx_host_section s;
    twx_slice text = TWX_SLICE_LIT(
                  " *.a.example  near.text=main\tverdict.order=a,b  x | b.example"),
              name, value;
    assert_true(twx_host_section_next(&text, &s));
    assert_true(s.below && twx_slice_eq(s.host, TWX_SLICE_LIT("a.example")) &&
                twx_slice_eq(s.pattern, TWX_SLICE_LIT("*.a.example")));
    assert_true(twx_slice_eq(twx_host_section_value(&s, "Near.Text"), TWX_SLICE_LIT("main")));
    assert_true(twx_slice_eq(twx_host_section_value(&s, "verdict.order"), TWX_SLICE_LIT("a,b")));
    assert_null(twx_host_section_value(&s, "x").p);
    assert_null(twx_host_section_value(&s, "near.tex").p);
    size_t n = 0;
    for (twx_slice values = s.values; twx_host_value_next(&values, &name, &value);) n++;
    assert_int_equal(n, 3);
    assert_true(twx_host_section_next(&text, &s));
    assert_true(!s.below && s.values.n == 0);
    assert_false(twx_host_section_next(&text, &s));
}
