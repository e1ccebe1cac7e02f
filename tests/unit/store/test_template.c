#include "store_fixture.h"

#include "store/internal.h"

static void expect_sql(const twx_template *t, const char *sql, const char *wanted) {
    twx_ctx cx = {0};
    twx_buf out = {.max = 1 << 12};
    expect_ok(&cx, twx_template_fill(&cx, &out, sql, t));
    assert_string_equal(out.p, wanted);
    twx_buf_done(&out);
}

TEST(places_depend_on_the_generation_and_the_kind_of_ids) {
    const twx_template direct = {.generation = 'a', .direct = true, .select = "SELECT 1"},
                       mapped = {.generation = 'b'};
    expect_sql(&direct, "SELECT {id}, {<}f.x{>} FROM {f}",
               "SELECT f.doc, f.x FROM (SELECT * FROM twindex_flag WHERE only_in <> 2)\n AS f");
    expect_sql(&direct, "x_{g} ({select})", "x_a (SELECT 1)");
    expect_sql(
        &mapped, "SELECT {id} FROM {f}",
        "SELECT d.id FROM twindex_document AS d JOIN (SELECT * FROM twindex_flag WHERE only_in "
        "<> 1)\n AS f ON f.doc = d.doc");
    expect_sql(&mapped, "{<}f.x{>}", "(SELECT id FROM twindex_document WHERE doc =\nf.x)");
    expect_sql(&mapped, "no place", "no place");
}

TEST(what_rules_are_compiled_to_is_put_in) {
    const twx_template t = {
        .generation = 'a', .filter = "x = 1", .parts = ", 2 AS p0", .sum = " + p0"};
    expect_sql(&t, "SELECT 1{parts}{names} WHERE {filter} {sum}",
               "SELECT 1, 2 AS p0 WHERE x = 1  + p0");
}

TEST(lists_of_flags_follow_the_table) {
    const twx_template now = {.generation = 'a', .direct = true};
    twx_ctx cx = {0};
    twx_buf out = {.max = 1 << 16};
    assert_int_equal(twx_template_fill(&cx, &out, "{columns}", &now), TWX_OK);
    assert_true(strstr(out.p, ", eligibility, link_state, ") == out.p);
    assert_non_null(strstr(out.p, ", duplicate_of, copy_sig, copy_count, copy_rep, sibling_count"));
    twx_buf_clear(&out);
    assert_int_equal(twx_template_fill(&cx, &out, "{flags}", &now), TWX_OK);
    assert_non_null(strstr(out.p, "f.eligibility = 0 AS indexable_b\n"));
    assert_non_null(strstr(out.p, ", f.exact_sig AS exact_signature_l\n"));
    twx_buf_clear(&out);
    assert_int_equal(twx_template_fill(&cx, &out, "{flag_names}", &now), TWX_OK);
    assert_true(strstr(out.p, ", f.indexable_b, f.http_unique_b, ") == out.p);
    twx_buf_done(&out);
}

TEST(an_unknown_place_is_an_error) {
    twx_ctx cx = {0};
    twx_buf out = {.max = 1 << 12};
    const twx_template t = {.generation = 'a', .direct = true};
    expect_fail(&cx, twx_template_fill(&cx, &out, "SELECT {wobble}", &t), TWX_E_INTERNAL,
                "{wobble}");
    twx_buf_done(&out);
}
