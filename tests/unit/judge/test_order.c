#include "judge_fixture.h"

/* Ranks of the people under a preference, best first, as their indexes: "2 0 1". */
static void expect_order(const entry *people, size_t n, const twx_preference *p,
                         const char *wanted) {
    twx_ctx cx = {0};
    twx_doc_table docs;
    uint32_t *rank = NULL;
    char got[100] = "";
    docs = (twx_doc_table){0};
    populate(&cx, &docs, people, n);
    assert_int_equal(twx_total_order(&cx, &docs, p, &rank), TWX_OK);
    for (uint32_t place = 0; place < n; place++)
        for (size_t i = 0; i < n; i++)
            if (rank[i] == place)
                snprintf(got + strlen(got), sizeof got - strlen(got), "%s%zu", place ? " " : "", i);
    assert_string_equal(got, wanted);
    twx_free(rank);
    twx_doc_table_done(&docs);
}

TEST(r2_a_form_that_no_better_one_beats_comes_first) {
    const entry people[] = {{.form = 3, .score = 9},
                            {.form = 1, .score = 8},
                            {.score = 1},
                            {.form = 2},
                            {.not_bits = TWX_FACT_HTTPS}};
    /* http by itself is no worse form: 4 has no twin */
    expect_order(people, 5, &USUAL, "2 4 1 3 0");
}

TEST(then_a_url_with_nothing_to_remove_and_a_page) {
    const entry people[] = {{.bits = TWX_FACT_EXTRAS, .score = 9},
                            {.bits = TWX_FACT_VIEW, .score = 8},
                            {.score = 1},
                            {.bits = TWX_FACT_EXTRAS | TWX_FACT_VIEW}};
    twx_preference other = USUAL;
    expect_order(people, 4, &USUAL, "2 1 0 3");
    other.criteria[1] = TWX_BY_SCORE;
    other.criteria[4] = TWX_BY_CLEAN;
    expect_order(people, 4, &other, "0 1 2 3");
}

TEST(an_origin_precedes_copies) {
    const entry people[] = {{.host = "copy", .url_length = 5},
                            {.host = "origin", .url_length = 90},
                            {.host = "copy", .score = 1}};
    twx_ctx cx = {0};
    twx_doc_table docs;
    twx_criterion by = TWX_BY_NOTHING;
    docs = (twx_doc_table){0};
    populate(&cx, &docs, people, 3);
    assert_true(twx_order_compare(&docs, &USUAL, 0, 1, &by) < 0 && by == TWX_BY_URL_LENGTH);
    docs.hosts.at[1].origin = 3;
    docs.hosts.at[0].origin = 2;
    assert_true(twx_order_compare(&docs, &USUAL, 0, 1, &by) > 0 && by == TWX_BY_ORIGIN);
    assert_true(twx_order_compare(&docs, &USUAL, 2, 1, &by) < 0 && by == TWX_BY_SCORE);
    assert_true(twx_order_compare(&docs, &USUAL, 1, 1, &by) == 0 && by == TWX_BY_ID);
    twx_doc_table_done(&docs);
}

TEST(then_the_list_in_its_order) {
    const entry people[] = {{.score = 1, .url_length = 5, .fetched_at = 3},
                            {.score = 2, .url_length = 9, .fetched_at = 2},
                            {.url_length = 1, .fetched_at = 1},
                            {.score = 2, .url_length = 8}};
    const twx_preference by_length = {.criteria = {TWX_BY_URL_LENGTH}},
                         by_date = {.criteria = {TWX_BY_FETCHED_AT, TWX_BY_SCORE}}, by_id = {0};
    expect_order(people, 4, &USUAL, "3 1 0 2"); /* no score comes last */
    expect_order(people, 4, &by_length, "2 0 3 1");
    expect_order(people, 4, &by_date, "2 1 0 3"); /* older first, no date last */
    expect_order(people, 4, &by_id, "0 1 2 3");
}

TEST(negative_scores_are_scores) {
    const entry people[] = {
        {.url_length = 1}, {.score = -5, .url_length = 9}, {.score = -1, .url_length = 9}};
    expect_order(people, 3, &USUAL, "2 1 0");
}

TEST(newer_editions_come_first_after_the_url) {
    const entry people[] = {
        {.steps = 4}, {.steps = 3, .score = 5}, {.steps = 1}, {.steps = 2, .score = 2},
        {.form = 2},  {.steps = 1, .score = 1}, {.score = -9}};
    expect_order(people, 7, &USUAL, "6 5 2 3 1 0 4");
}

TEST(criteria_have_names) {
    twx_criterion list[TWX_CRITERIA];
    twx_ctx cx = {0};
    for (int c = TWX_BY_FORM; c <= TWX_CRITERIA; c++)
        assert_int_equal(twx_criterion_of(twx_slice_of(twx_criterion_name((twx_criterion)c))), c);
    assert_int_equal(twx_criterion_of(TWX_SLICE_LIT("size")), TWX_BY_NOTHING);
    assert_int_equal(twx_criterion_of(TWX_SLICE_LIT("id")), TWX_BY_NOTHING);
    assert_int_equal(twx_criteria_parse(&cx, TWX_SLICE_LIT(TWX_CRITERIA_TEXT), list), TWX_OK);
    for (int c = TWX_BY_FORM; c <= TWX_CRITERIA; c++) assert_int_equal(list[c - 1], c);
}
