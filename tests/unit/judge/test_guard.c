#include "judge_fixture.h"

enum { N = 10 };

typedef struct fixture {
    twx_ctx cx;
    twx_doc_set j;
    twx_judge_options o;
    twx_buf lines, notes;
} fixture;

static void end(fixture *f) {
    twx_doc_set_done(&f->j);
    twx_buf_done(&f->lines);
    twx_buf_done(&f->notes);
}

TESTS_OF(fixture, TEST_NOTHING, end);

/* keys: of the documents' texts (or titles, by `relation`), which the verdict joins. 0: a text of
 * its own. */
static void begin_with(fixture *f, const entry *people, uint32_t n, twx_relation_id relation,
                       const uint64_t *keys) {
    end(f);
    memset(f, 0, sizeof *f);
    twx_buf_init(&f->lines, 1 << 16);
    twx_buf_init(&f->notes, 1 << 16);
    twx_doc_set_init(&f->j);
    populate(&f->cx, &f->j.docs, people, n);
    f->o = (twx_judge_options){
        .preference = USUAL, .collapse_min = 100, .relations = 1u << relation};
    assert_ok(twx_grouper_open(&f->cx, 0, NULL, &f->j.grouper[relation]));
    for (uint32_t i = 0; i < n; i++)
        if (keys[i]) assert_ok(twx_grouper_add(f->j.grouper[relation], keys[i], 0, i));
    assert_ok(twx_judge(&f->cx, &f->j, &f->o));
}

/* `copies` of the documents have one text; they are hidden but for one. */
static void begin(fixture *f, const entry people[N], uint32_t copies) {
    uint64_t keys[N];
    for (uint32_t i = 0; i < N; i++) keys[i] = i < copies;
    begin_with(f, people, N, TWX_RELATION_EXACT, keys);
}

static size_t findings(fixture *f, const twx_guard *guard) {
    twx_guard_findings says = {.stops = &f->lines, .notes = &f->notes, .n_stops = 99};
    twx_buf_clear(&f->lines);
    twx_buf_clear(&f->notes);
    assert_ok(twx_guard_check(&f->cx, &f->j, &f->o, guard, &says));
    return says.n_stops;
}

TEST_OF(a_host_that_would_lose_too_much_is_named, fixture *f) {
    entry people[N] = {{0}};
    twx_guard guard = {.max_hidden_ppm = 499999, .min_documents = 10, .max_group = 100};
    for (int i = 0; i < N; i++) people[i].host = "big.org";
    begin(f, people, 6); /* five are hidden */
    assert_int_equal(findings(f, &guard), 1);
    assert_string_equal(f->lines.p,
                        "host big.org would lose 5 of its 10 documents (guard.max_hidden)\n");
    guard.max_hidden_ppm = 500000;
    assert_int_equal(findings(f, &guard), 0);
    guard = (twx_guard){.max_hidden_ppm = 0, .min_documents = 11, .max_group = 100};
    assert_int_equal(findings(f, &guard), 0); /* small hosts are not guarded */
}

TEST_OF(a_host_counts_together_with_its_www_form, fixture *f) {
    entry people[N];
    const twx_guard guard = {.max_hidden_ppm = 600000, .min_documents = 1, .max_group = 100};
    for (int i = 0; i < N; i++)
        people[i] = (entry){.host = i < 5 ? "x.org" : "www.x.org",
                            .not_bits = i < 5 ? TWX_FACT_WWW : 0};
    begin(f, people, 6); /* all five of x.org, for one of www.x.org */
    assert_int_equal(findings(f, &guard), 0);
}

TEST_OF(who_does_not_take_part_is_not_lost, fixture *f) {
    entry people[N] = {{0}};
    const twx_guard guard = {.max_hidden_ppm = 500000, .min_documents = 1, .max_group = 100};
    for (int i = 5; i < N; i++) people[i].status = 404;
    begin(f, people, 4); /* three of five */
    assert_int_equal(findings(f, &guard), 1);
    assert_non_null(strstr(f->lines.p, "3 of its 5 documents"));
}

TEST_OF(a_group_too_large_to_be_true_is_named, fixture *f) {
    const entry people[N] = {{0}};
    twx_guard guard = {.max_hidden_ppm = 1000000, .min_documents = 1, .max_group = 5};
    begin(f, people, 6);
    assert_int_equal(findings(f, &guard), 1);
    assert_string_equal(f->lines.p, "a group of exact has 6 documents (guard.max_group)\n");
    guard.max_group = 6;
    assert_int_equal(findings(f, &guard), 0);
    guard.max_group = 5;
    f->o.relations =
        1u << TWX_RELATION_SCHEME; /* a relation that is not joined hides no document */
    assert_int_equal(findings(f, &guard), 0);
}

/* Five pages of one host and five of another, which is preferred. */
static void two_hosts(entry people[N]) {
    for (int i = 0; i < N; i++)
        people[i] = (entry){.host = i < 5 ? "mirror.org" : "first.org", .score = i < 5 ? 1 : 2};
}

static const twx_guard HALF = {.max_hidden_ppm = 500000, .min_documents = 5, .max_group = 100};

/* keys: of the texts or titles of two hosts. The guard stops the run, and says `line`, or notes. */
static void expect_of_two_hosts(fixture *f, const twx_guard *guard, twx_relation_id relation,
                                const uint64_t keys[N], const char *line, const char *note) {
    entry people[N];
    two_hosts(people);
    begin_with(f, people, N, relation, keys);
    assert_int_equal(findings(f, guard), line[0] != '\0');
    assert_string_equal(f->lines.n ? f->lines.p : "", line);
    assert_string_equal(f->notes.n ? f->notes.p : "", note);
}

static const uint64_t SAME[N] = {1, 2, 3, 4, 5, 5, 4, 3, 2, 1};

TEST_OF(r2_a_mirror_is_noted_and_does_not_stop_the_run, fixture *f) {
    expect_of_two_hosts(f, &HALF, TWX_RELATION_EXACT, SAME, "",
                        "host mirror.org is a mirror: 5 of its 5 documents are hidden, and their "
                        "texts are shown by other hosts, most of them by first.org\n");
}

/* A mirror that has its pages in two forms, as its original may have. */
TEST_OF(r1_each_text_of_a_mirror_counts_once, fixture *f) {
    static const uint64_t TEXTS[N] = {1, 1, 2, 2, 3, 1, 2, 3, 0, 0};
    expect_of_two_hosts(f, &HALF, TWX_RELATION_EXACT, TEXTS, "",
                        "host mirror.org is a mirror: 5 of its 5 documents are hidden, and their "
                        "texts are shown by other hosts, most of them by first.org\n");
    const twx_guard strict = {.max_hidden_ppm = 399999, .min_documents = 5, .max_group = 100};
    expect_of_two_hosts(f, &strict, TWX_RELATION_EXACT, TEXTS,
                        "host mirror.org would lose 2 of its 5 documents (guard.max_hidden)\n", "");
}

TEST_OF(r1_one_page_of_another_host_for_all_stops_the_run, fixture *f) {
    static const uint64_t NOT_FOUND[N] = {1, 1, 1, 1, 1, 1, 0, 0, 0, 0};
    expect_of_two_hosts(f, &HALF, TWX_RELATION_EXACT, NOT_FOUND,
                        "host mirror.org would lose 4 of its 5 documents (guard.max_hidden)\n", "");
}

TEST_OF(r3_titles_do_not_make_a_mirror, fixture *f) {
    expect_of_two_hosts(f, &HALF, TWX_RELATION_TITLE, SAME,
                        "host mirror.org would lose 5 of its 5 documents (guard.max_hidden)\n", "");
}

/* The host that shows most of the pages is named, not the first. */
TEST_OF(r2_the_main_host_is_named, fixture *f) {
    static const uint64_t TEXTS[N] = {1, 2, 3, 4, 1, 2, 3, 4, 0, 0};
    entry people[N];
    for (int i = 0; i < N; i++)
        people[i] = (entry){.host = i < 4    ? "mirror.org"
                                    : i == 4 ? "few.org"
                                             : "most.org",
                            .score = i < 4 ? 1 : 2};
    begin_with(f, people, N, TWX_RELATION_EXACT, TEXTS);
    const twx_guard guard = {.max_hidden_ppm = 500000, .min_documents = 1, .max_group = 100};
    assert_int_equal(findings(f, &guard), 0);
    assert_non_null(strstr(f->notes.p, "host mirror.org is a mirror: 4 of its 4 documents"));
    assert_non_null(strstr(f->notes.p, "most of them by most.org"));
}

TEST_OF(no_more_than_ten_lines_are_added, fixture *f) {
    static const char *const HOSTS[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    enum { HOSTS_N = TWX_COUNTOF(HOSTS), PAGES = 2 * HOSTS_N };
    entry people[PAGES] = {{0}};
    uint64_t keys[PAGES];
    for (uint64_t i = 0; i < PAGES; i++) people[i].host = HOSTS[i / 2], keys[i] = 1 + i / 2;
    begin_with(f, people, PAGES, TWX_RELATION_EXACT, keys);
    const twx_guard guard = {.max_hidden_ppm = 100000, .min_documents = 1, .max_group = 100};
    size_t lines = 0;
    assert_int_equal(findings(f, &guard), HOSTS_N);
    for (size_t i = 0; i < f->lines.n; i++) lines += f->lines.p[i] == '\n';
    assert_int_equal(lines, 10);
}

/* ---- losses ------------------------------------------------------------- */

static twx_guard lost(const twx_site_before *before, size_t n) {
    return (twx_guard){.max_hidden_ppm = 1000000,
                       .max_lost_ppm = 500000,
                       .min_documents = 10,
                       .max_group = 100,
                       .before = before,
                       .n_before = n};
}

TEST_OF(a_host_that_takes_part_no_more_is_named_with_the_reason, fixture *f) {
    entry people[N] = {{0}};
    const twx_site_before before[] = {{TWX_SLICE_LIT("big.org"), 10}};
    const twx_guard guard = lost(before, 1);
    for (int i = 0; i < N; i++)
        people[i] = (entry){.host = i % 2 ? "www.big.org" : "big.org", .status = i < 5 ? 503 : 200};
    begin(f, people, 0);
    assert_int_equal(findings(f, &guard), 0); /* half of them is not more than half */
    people[5].status = 503;
    begin(f, people, 0);
    assert_int_equal(findings(f, &guard), 1);
    assert_string_equal(f->lines.p, "host big.org would lose 6 of its 10 documents that took part; "
                                    "6 documents: the HTTP status is not 200 (guard.max_lost)\n");
}

TEST_OF(pages_that_turn_into_errors_are_named, fixture *f) {
    entry people[N] = {{0}};
    const twx_site_before before[] = {{TWX_SLICE_LIT("h"), 10}};
    twx_guard guard = lost(before, 1);
    guard.max_turned_ppm = 100000;
    for (int turned = 0; turned < 3; turned++) {
        for (int i = 0; i < N; i++) people[i].page = i < turned ? TWX_PAGE_CHALLENGE : 0;
        begin(f, people, 0);
        f->j.docs.left_out = 1u << TWX_PAGE_CHALLENGE;
        twx_links_done(&f->j.links);
        assert_ok(twx_links_resolve(&f->cx, &f->j.docs, &USUAL, 100, &f->j.links));
        assert_int_equal(findings(f, &guard), turned == 2); /* a tenth of them is not more */
        if (turned == 2)
            assert_string_equal(f->lines.p,
                                "host h: 2 of its 10 documents that took part would be errors, "
                                "challenges, logins or questions for consent; 2 documents: check "
                                "for robots (guard.max_turned)\n");
    }
}

TEST_OF(a_host_that_is_gone_is_named, fixture *f) {
    entry people[N] = {{0}};
    const twx_site_before before[] = {
        {TWX_WHOLE_STORE, 19}, {TWX_SLICE_LIT("b.org"), 10}, {TWX_SLICE_LIT("small.org"), 9}};
    const twx_guard guard = lost(before, 3);
    for (int i = 0; i < N; i++) people[i].host = "a.org";
    begin(f, people, 0);
    assert_int_equal(findings(f, &guard), 1);
    assert_string_equal(
        f->lines.p,
        "host b.org would lose 10 of its 10 documents that took part (guard.max_lost)\n");
}

/* The share is that of the store from ten documents on; a smaller one stops the run only when it is
 * emptied. */
TEST_OF(r4_the_store_counts_as_a_whole, fixture *f) {
    static const struct {
        uint64_t before;
        int now, stops;
    } CASES[] = {{20, 10, 0}, {21, 10, 1}, {30, 0, 1}, {9, 1, 0},
                 {9, 0, 1},   {1, 0, 1},   {0, 0, 0},  {5, 10, 0}};
    for (size_t k = 0; k < TWX_COUNTOF(CASES); k++) {
        entry people[N] = {{0}};
        const twx_site_before before[] = {{TWX_WHOLE_STORE, CASES[k].before}};
        const twx_guard guard = lost(before, 1);
        for (int i = CASES[k].now; i < N; i++) people[i].status = 404;
        begin(f, people, 0);
        assert_int_equal(findings(f, &guard), CASES[k].stops);
    }
}

TEST_OF(r5_a_first_run_and_a_share_of_1_lose_nothing, fixture *f) {
    entry people[N] = {{0}};
    const twx_site_before before[] = {{TWX_WHOLE_STORE, 1000}, {TWX_SLICE_LIT("h"), 1000}};
    twx_guard guard = lost(before, 2);
    for (int i = 0; i < N; i++) people[i].status = 503;
    begin(f, people, 0);
    assert_int_equal(findings(f, &guard), 2);
    guard.max_lost_ppm = 1000000;
    assert_int_equal(findings(f, &guard), 0);
    for (int i = 0; i < N; i++) people[i].status = i < N / 2 ? 200 : 503;
    begin(f, people, 0);
    guard = lost(NULL, 0);
    assert_int_equal(findings(f, &guard), 0);
}

TEST_OF(r5_a_first_run_of_which_nothing_takes_part_stops, fixture *f) {
    entry people[N] = {{0}};
    twx_guard guard = lost(NULL, 0);
    for (int i = 0; i < N; i++) people[i].status = 503;
    begin(f, people, 0);
    guard.max_hidden_ppm = 990000;
    assert_int_equal(findings(f, &guard), 1);
    assert_non_null(strstr(f->lines.p, "documents would not take part; "));
    assert_non_null(
        strstr(f->lines.p, " documents: the HTTP status is not 200 (guard.max_hidden)"));
    guard.max_hidden_ppm = 1000000;
    assert_int_equal(findings(f, &guard), 0);
}

/* Every allocation that fails gives TWX_E_NOMEM. */
TEST_OF(failed_allocations_are_reported, fixture *f) {
    entry people[N];
    twx_rc rc = TWX_E_NOMEM;
    uint64_t fail_at = 0;
    two_hosts(people);
    begin(f, people, 6);
    while (rc == TWX_E_NOMEM) {
        twx_faults faults = {.fail_at = ++fail_at};
        twx_guard_findings says = {.stops = &f->lines, .notes = &f->notes};
        f->cx.faults = &faults;
        rc = twx_guard_check(&f->cx, &f->j, &f->o, &HALF, &says);
        f->cx.faults = NULL;
        twx_ctx_clear(&f->cx);
    }
    assert_ok(rc);
    assert_true(fail_at > 3);
}
