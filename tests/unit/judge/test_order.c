#include "judge_fixture.h"

#include "base/alloc.h"

/* Ranks of the people under a preference, best first, as their indexes: "2 0 1". */
static void expect_order(const entry *people, size_t n, const twx_preference *p,
                         const char *wanted) {
    twx_ctx cx;
    twx_doc_table docs;
    uint32_t *rank = NULL;
    char got[100] = "";
    twx_ctx_init(&cx);
    twx_doc_table_init(&docs);
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

static void the_preferred_scheme_decides_first(void **state) {
    const entry people[] = {{.not_bits = TWX_FACT_HTTPS, .score = 9},
                            {.not_bits = TWX_FACT_WWW},
                            {.not_bits = TWX_FACT_WEB | TWX_FACT_HTTPS |
                                         TWX_FACT_WWW}}; /* ftp has no URL twins to prefer */
    twx_preference http = USUAL;
    (void)state;
    expect_order(people, 3, &USUAL, "2 1 0");
    http.https = false;
    expect_order(people, 3, &http, "0 2 1");
}

static void then_the_preferred_www_form(void **state) {
    const entry people[] = {{.not_bits = TWX_FACT_WWW, .score = 9}, {.score = 1}};
    twx_preference bare = USUAL;
    (void)state;
    expect_order(people, 2, &USUAL, "1 0");
    bare.www = false;
    expect_order(people, 2, &bare, "0 1");
}

static void then_the_list_in_its_order(void **state) {
    const entry people[] = {{.score = 1, .url_length = 5, .fetched_at = 3},
                            {.score = 2, .url_length = 9, .fetched_at = 2},
                            {.url_length = 1, .fetched_at = 1},
                            {.score = 2, .url_length = 8}};
    const twx_preference by_length = {.https = true, .www = true, .criteria = {TWX_BY_URL_LENGTH}},
                         by_date = {.https = true,
                                    .www = true,
                                    .criteria = {TWX_BY_FETCHED_AT, TWX_BY_SCORE}},
                         by_id = {.https = true, .www = true};
    (void)state;
    expect_order(people, 4, &USUAL, "3 1 0 2"); /* no score comes last */
    expect_order(people, 4, &by_length, "2 0 3 1");
    expect_order(people, 4, &by_date, "2 1 0 3"); /* older first, no date last */
    expect_order(people, 4, &by_id, "0 1 2 3");
}

static void negative_scores_are_scores(void **state) {
    const entry people[] = {
        {.url_length = 1}, {.score = -5, .url_length = 9}, {.score = -1, .url_length = 9}};
    (void)state;
    expect_order(people, 3, &USUAL, "2 1 0");
}

/* copy.versions = newest */
static void newer_versions_come_first_after_scheme_and_www(void **state) {
    const entry people[] = {{.score = 9},
                            {.version = 1, .score = 5},
                            {.version = 3},
                            {.version = 2, .score = 2},
                            {.version = 9, .not_bits = TWX_FACT_HTTPS},
                            {.version = 3, .score = 1}};
    twx_preference newest = USUAL;
    (void)state;
    expect_order(people, 6, &USUAL, "0 1 3 5 2 4"); /* versions do not count */
    newest.newest = true;
    expect_order(people, 6, &newest, "5 2 3 1 0 4"); /* without a version: the oldest */
}

static void criteria_have_names(void **state) {
    (void)state;
    assert_int_equal(twx_criterion_of(TWX_SLICE_LIT("score")), TWX_BY_SCORE);
    assert_int_equal(twx_criterion_of(TWX_SLICE_LIT("url_length")), TWX_BY_URL_LENGTH);
    assert_int_equal(twx_criterion_of(TWX_SLICE_LIT("fetched_at")), TWX_BY_FETCHED_AT);
    assert_int_equal(twx_criterion_of(TWX_SLICE_LIT("size")), TWX_BY_NOTHING);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_preferred_scheme_decides_first),
        cmocka_unit_test(then_the_preferred_www_form),
        cmocka_unit_test(then_the_list_in_its_order),
        cmocka_unit_test(negative_scores_are_scores),
        cmocka_unit_test(criteria_have_names),
        cmocka_unit_test(newer_versions_come_first_after_scheme_and_www),
    };
    return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
