#include "judge_fixture.h"

#include "base/alloc.h"
#include "judge/guard.h"

enum { N = 10 };

typedef struct fixture {
    twx_ctx cx;
    twx_judgement j;
    twx_judge_options o;
    twx_buf lines;
} fixture;

/* Ten documents of a host, `copies` of which have one text; they are hidden but for one. */
static void begin(fixture *f, const person people[N], uint32_t copies) {
    memset(f, 0, sizeof *f);
    twx_ctx_init(&f->cx);
    twx_buf_init(&f->lines, 1 << 16);
    twx_judgement_init(&f->j);
    populate(&f->cx, &f->j.population, people, N);
    f->o = (twx_judge_options){.preference = USUAL, .collapse_min = 100, .relations = 1u << TWX_SLOT_EXACT};
    f->j.known_sig = twx_calloc(&f->cx, N, 1);
    assert_int_equal(twx_grouper_open(&f->cx, 0, NULL, &f->j.grouper[TWX_SLOT_EXACT]), TWX_OK);
    for (uint32_t i = 0; i < copies; i++)
        assert_int_equal(twx_grouper_add(f->j.grouper[TWX_SLOT_EXACT], 1, 0, i), TWX_OK);
    assert_int_equal(twx_judge(&f->cx, &f->j, &f->o), TWX_OK);
}

static size_t findings(fixture *f, const twx_guard *guard) {
    size_t n = 99;
    twx_buf_clear(&f->lines);
    assert_int_equal(twx_guard_check(&f->cx, &f->j, &f->o, guard, &f->lines, &n), TWX_OK);
    return n;
}

static void end(fixture *f) {
    twx_judgement_done(&f->j);
    twx_buf_done(&f->lines);
}

static void a_host_that_would_lose_too_much_is_named(void **state) {
    const person people[N] = {{.host = "big.org"}, {.host = "big.org"}, {.host = "big.org"}, {.host = "big.org"},
                              {.host = "big.org"}, {.host = "big.org"}, {.host = "big.org"}, {.host = "big.org"},
                              {.host = "big.org"}, {.host = "big.org"}};
    twx_guard guard = {.max_hidden_ppm = 499999, .min_documents = 10, .max_group = 100};
    fixture f;
    (void)state;
    begin(&f, people, 6); /* five are hidden */
    assert_int_equal(findings(&f, &guard), 1);
    assert_string_equal(f.lines.p, "host big.org would lose 5 of its 10 documents (guard.max_hidden)\n");
    guard.max_hidden_ppm = 500000;
    assert_int_equal(findings(&f, &guard), 0);
    guard = (twx_guard){.max_hidden_ppm = 0, .min_documents = 11, .max_group = 100};
    assert_int_equal(findings(&f, &guard), 0); /* small hosts are not guarded */
    end(&f);
}

static void a_host_counts_together_with_its_www_form(void **state) {
    person people[N];
    const twx_guard guard = {.max_hidden_ppm = 600000, .min_documents = 1, .max_group = 100};
    fixture f;
    (void)state;
    for (int i = 0; i < N; i++) people[i] = (person){.host = i < 5 ? "x.org" : "www.x.org", .not_bits = i < 5 ? TWX_FACT_WWW : 0};
    begin(&f, people, 6); /* all five of x.org, for one of www.x.org */
    assert_int_equal(findings(&f, &guard), 0);
    end(&f);
}

static void who_does_not_take_part_is_not_lost(void **state) {
    person people[N] = {{0}};
    const twx_guard guard = {.max_hidden_ppm = 500000, .min_documents = 1, .max_group = 100};
    fixture f;
    (void)state;
    for (int i = 5; i < N; i++) people[i].status = 404;
    begin(&f, people, 4); /* three of five */
    assert_int_equal(findings(&f, &guard), 1);
    assert_non_null(strstr(f.lines.p, "3 of its 5 documents"));
    end(&f);
}

static void a_group_too_large_to_be_true_is_named(void **state) {
    const person people[N] = {{0}};
    twx_guard guard = {.max_hidden_ppm = 1000000, .min_documents = 1, .max_group = 5};
    fixture f;
    (void)state;
    begin(&f, people, 6);
    assert_int_equal(findings(&f, &guard), 1);
    assert_string_equal(f.lines.p, "a group of exact has 6 documents (guard.max_group)\n");
    guard.max_group = 6;
    assert_int_equal(findings(&f, &guard), 0);
    guard.max_group = 5;
    f.o.relations = 1u << TWX_SLOT_SCHEME; /* what is not joined hides nobody */
    assert_int_equal(findings(&f, &guard), 0);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_that_would_lose_too_much_is_named),
        cmocka_unit_test(a_host_counts_together_with_its_www_form),
        cmocka_unit_test(who_does_not_take_part_is_not_lost),
        cmocka_unit_test(a_group_too_large_to_be_true_is_named),
    };
    return cmocka_run_group_tests_name("guard", tests, NULL, NULL);
}
