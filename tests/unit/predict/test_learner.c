/* predict/learner.c, model: every hypothesis, with the part in the URL that is asked for and
 * in the one that was seen; what is counted; laws of order. */
#include "predict_fixture.h"

#include <math.h>

enum { TOPICS = 100 };
static const double SURE = 0.9;

/* ---- the example of MaybeDont's README ---------------------------------- */

TEST(a_first_page_that_is_named_is_the_same_page) {
    for (unsigned t = 1; t <= TOPICS; t++) {
        document(t, "http://forum.example/view.php?topicId=%u", t);
        document(t, "http://forum.example/view.php?topicId=%u&start=0", t);
    }
    document(7000, "http://forum.example/view.php?topicId=7000");
    document(8000, "http://forum.example/view.php?topicId=8000&start=0");
    learn();
    expect_trials(context("path-added", NULL, "start", "0"), TOPICS, 0);
    assert_true(probability("http://forum.example/view.php?topicId=7000&start=0") > SURE);
    /* in any order */
    assert_true(probability("http://forum.example/view.php?start=0&topicId=7000") > SURE);
    /* the other way round */
    assert_true(probability("http://forum.example/view.php?topicId=8000") > SURE);
    /* no counterpart was seen */
    assert_true(probability("http://forum.example/view.php?topicId=9000&start=0") < 0.1);
    assert_true(probability("http://forum.example/view.php?topicId=9000") < 0.1);
}

/* ---- 1: the query of a path --------------------------------------------- */

TEST(h1_a_path_whose_query_does_not_matter) {
    for (unsigned i = 0; i < 200; i++) {
        document(1, "http://a.example/same?x%u=%u", i, i);
        document(100 + i, "http://a.example/other?x%u=%u", i, i);
    }
    learn();
    expect_trials(context("path", "http://a.example/same", NULL, NULL), 199, 0);
    expect_trials(context("path", "http://a.example/other", NULL, NULL), 0, 199);
    assert_true(probability("http://a.example/same?new=1") > SURE);
    assert_int_equal(TWX_HYPOTHESIS[ask("http://a.example/same?new=1").why->row].number, 1);
    assert_true(probability("http://a.example/same") > SURE);
    assert_true(probability("http://a.example/other?new=1") < 0.1);
    /* the scheme is part of the path */
    assert_true(probability("https://a.example/same?new=1") < 0.1);
}

/* ---- 2: a parameter, any path ------------------------------------------- */

TEST(h2_a_parameter_that_does_not_matter_on_any_path) {
    for (unsigned p = 0; p < TOPICS; p++) {
        document(p, "http://a.example/p%u?sid=a%u&k=1", p, p);
        document(p, "http://a.example/p%u?sid=b%u&k=1", p, p);
        document(p * 1000 + 7, "http://a.example/p%u?page=1", p);
        document(p * 1000 + 8, "http://a.example/p%u?page=2", p);
    }
    document(77777, "http://a.example/new?k=1&sid=zz");
    document(77778, "http://a.example/new2?k=1");
    document(77779, "http://a.example/new3?page=3");
    learn();
    expect_trials(context("parameter", NULL, "sid", NULL), TOPICS, 0);
    expect_trials(context("parameter", NULL, "page", NULL), 0, TOPICS);
    /* another value was seen */
    assert_true(probability("http://a.example/new?k=1&sid=yy") > SURE);
    /* the URL without it was seen */
    assert_true(probability("http://a.example/new2?k=1&sid=yy") > SURE);
    /* it is not there, and was seen with it */
    assert_true(probability("http://a.example/new?k=1") > SURE);
    assert_true(probability("http://a.example/new3?page=4") < 0.1);
    assert_true(probability("http://a.example/new?k=2&sid=yy") < 0.1); /* the rest differs, too */
}

/* ---- 3: a parameter of a path ------------------------------------------- */

TEST(h3_a_parameter_that_does_not_matter_on_one_path) {
    for (unsigned k = 0; k < TOPICS; k++) {
        document(k, "http://a.example/list?k=%u&v=1%u", k, k);
        document(k, "http://a.example/list?k=%u&v=2%u", k, k);
        document(k * 10 + 100001, "http://a.example/show?k=%u&v=1%u", k, k);
        document(k * 10 + 100002, "http://a.example/show?k=%u&v=2%u", k, k);
    }
    document(5, "http://a.example/list?k=x&v=3");
    document(6, "http://a.example/show?k=x&v=3");
    learn();
    expect_trials(context("path-parameter", "http://a.example/list", "v", NULL), TOPICS, 0);
    expect_trials(context("path-parameter", "http://a.example/show", "v", NULL), 0, TOPICS);
    assert_true(context("parameter", NULL, "v", NULL)->probability < 0.6);
    assert_true(probability("http://a.example/list?k=x&v=4") > SURE);
    assert_true(probability("http://a.example/list?k=x") > SURE);
    assert_true(probability("http://a.example/show?k=x&v=4") < 0.6); /* by hypothesis 2 */
}

/* ---- 4: a parameter of a path and the rest of the query ----------------- */

TEST(h4_a_parameter_that_does_not_matter_beside_one_query) {
    for (unsigned v = 0; v < 200; v++) {
        document(1, "http://a.example/q?mode=short&v=%u", v);
        document(1000 + v, "http://a.example/q?mode=long&v=%u", v);
    }
    learn();
    const twx_prediction p = ask("http://a.example/q?mode=short&v=new");
    assert_true(p.probability > SURE);
    assert_int_equal(TWX_HYPOTHESIS[p.why->row].number, 4);
    expect_trials(p.why, 199, 0);
    assert_true(probability("http://a.example/q?mode=short") > SURE);
    assert_true(probability("http://a.example/q?v=new&mode=long") < 0.6);
}

/* ---- 5 and 6: an added value -------------------------------------------- */

TEST(h5_a_value_that_changes_nothing_where_it_is_added) {
    for (unsigned p = 0; p < TOPICS; p++) {
        document(p, "http://a.example/p%u", p);
        document(p, "http://a.example/p%u?view=full", p);
        document(1000 + p, "http://a.example/p%u?view=short", p);
    }
    document(5000, "http://a.example/new");
    document(5001, "http://www.a.example/seen?view=full");
    document(5002, "http://b.example/new");
    learn();
    expect_trials(context("added", NULL, "view", "full"), TOPICS, 0);
    expect_trials(context("added", NULL, "view", "short"), 0, TOPICS);
    assert_true(probability("http://a.example/new?view=full") > SURE);
    assert_true(probability("http://www.a.example/seen") > SURE);
    assert_true(probability("http://a.example/new?view=short") < 0.6);
    assert_true(probability("http://a.example/none?view=full") < 0.1);
    /* what one site does is no evidence of another one */
    assert_true(probability("http://b.example/new?view=full") < 0.1);
}

TEST(h6_a_value_that_changes_nothing_on_one_path) {
    for (unsigned k = 0; k < TOPICS; k++) {
        document(k, "http://a.example/list?k=%u", k);
        document(k, "http://a.example/list?k=%u&n=1", k);
        document(k + 1000, "http://a.example/list?k=%u&n=2", k);
        document(k + 2000, "http://a.example/show?k=%u", k);
        document(k + 3000, "http://a.example/show?k=%u&n=1", k);
    }
    document(9000, "http://a.example/list?k=x");
    document(9001, "http://a.example/list?k=y&n=1");
    document(9002, "http://a.example/show?k=x");
    learn();
    expect_trials(context("path-added", "http://a.example/list", "n", "1"), TOPICS, 0);
    expect_trials(context("path-added", "http://a.example/list", "n", "2"), 0, TOPICS);
    expect_trials(context("added", NULL, "n", "1"), TWX_DUPLICATES_EACH, TOPICS);
    assert_true(probability("http://a.example/list?k=x&n=1") > SURE);
    assert_true(probability("http://a.example/list?k=y") > SURE);
    assert_true(probability("http://a.example/list?k=x&n=2") < 0.6);
    assert_true(probability("http://a.example/show?k=x&n=1") < 0.6);
}

/* ---- 7 to 10: beyond MaybeDont ------------------------------------------ */

TEST(h7_an_added_value_whatever_else_is_there) {
    for (unsigned p = 0; p < TOPICS; p++) {
        document(p, "http://a.example/p%u", p);
        /* no URL with one of them was seen */
        document(p, "http://a.example/p%u?ref=feed&t=%u", p, p);
    }
    document(9000, "http://a.example/new");
    document(9001, "http://a.example/seen?ref=feed&t=9");
    learn();
    expect_trials(context("added-to-bare", NULL, "ref", "feed"), TOPICS, 0);
    const twx_prediction p = ask("http://a.example/new?t=x&ref=feed");
    assert_true(p.probability > SURE);
    assert_int_equal(TWX_HYPOTHESIS[p.why->row].number, 7);
    /* z may name a page */
    assert_true(probability("http://a.example/new?z=1&ref=feed") < 0.1);
    assert_true(probability("http://a.example/seen") > SURE);
    assert_true(probability("http://a.example/none?ref=feed") < 0.1);
}

TEST(h8_two_parameters_that_do_not_matter_together) {
    for (unsigned p = 0; p < TOPICS; p++) {
        document(p, "http://a.example/p%u?C=N%u&O=A&k=1", p, p);
        document(p, "http://a.example/p%u?C=S%u&O=D&k=1", p, p);
    }
    document(9000, "http://a.example/new?k=1&O=A&C=N");
    document(9001, "http://a.example/bare?k=1");
    learn();
    expect_trials(context("pair", NULL, NULL, NULL), TOPICS, 0);
    const twx_prediction p = ask("http://a.example/new?k=1&C=M&O=D");
    assert_true(p.probability > SURE);
    assert_int_equal(TWX_HYPOTHESIS[p.why->row].number, 8);
    assert_true(probability("http://a.example/bare?C=M&O=D&k=1") > SURE);
    assert_true(probability("http://a.example/new?k=1") > SURE);
    assert_true(probability("http://a.example/new?k=2&C=M&O=D") < 0.1);
}

TEST(h9_index_pages_slashes_and_print_versions) {
    for (unsigned p = 0; p < TOPICS; p++) {
        document(p, "http://a.example/d%u/", p);
        document(p, "http://a.example/d%u/index.html", p);
        document(1000 + p, "http://a.example/d%u/about.html", p);
        document(2000 + p, "http://a.example/e%u/x", p);
        document(2000 + p, "http://a.example/e%u/x/", p);
        document(3000 + p, "http://a.example/news/%u.html", p);
        document(3000 + p, "http://a.example/print/news/%u.html", p);
    }
    document(9000, "http://a.example/new/");
    document(9001, "http://a.example/new2/index.html");
    document(9002, "http://a.example/f/x");
    document(9003, "http://a.example/g/x/");
    document(9004, "http://a.example/news/new.html?a=1");
    document(9005, "http://a.example/print/news/new2.html");
    learn();
    expect_trials(context("segment", NULL, "index.html", NULL), TOPICS, 0);
    expect_trials(context("segment", NULL, "about.html", NULL), 0, TOPICS);
    expect_trials(context("segment", NULL, "print", NULL), TOPICS, 0);
    assert_true(probability("http://a.example/new/index.html") > SURE);
    assert_true(probability("http://a.example/new2/") > SURE);
    assert_true(probability("http://a.example/new/about.html") < 0.1);
    assert_true(probability("http://a.example/f/x/") > SURE);
    assert_true(probability("http://a.example/g/x") > SURE);
    assert_true(probability("http://a.example/print/news/new.html?a=1") > SURE);
    /* the query is another one */
    assert_true(probability("http://a.example/print/news/new.html") < 0.1);
    assert_true(probability("http://a.example/news/new2.html") > SURE);
}

TEST(h9_sessions_in_the_path) {
    for (unsigned p = 0; p < TOPICS; p++) {
        document(p, "http://a.example/s/%08x/p%u", p * 7919 + 0x10000000u, p);
        document(p, "http://a.example/s/%08x/p%u", p * 7919 + 0x20000000u, p);
        document(1000 + p, "http://a.example/shop/p%u;jsessionid=%u", p, p);
        document(1000 + p, "http://a.example/shop/p%u;jsessionid=%u", p, p + 500);
        document(2000 + p, "http://b.example/id/%08x/p%u", p * 7919 + 0x10000000u, p);
        document(3000 + p, "http://b.example/id/%08x/p%u", p * 7919 + 0x20000000u, p);
    }
    document(9000, "http://a.example/s/0badcafe/new");
    document(9004, "http://a.example/u/0badcafe/new");
    document(9001, "http://a.example/shop/new");
    document(9002, "http://a.example/shop/new2;jsessionid=5");
    document(9003, "http://b.example/id/0badcafe1/new");
    learn();
    expect_trials(context("session-segment", "a.example/s/", NULL, NULL), TOPICS, 0);
    expect_trials(context("session-segment", "b.example/id/", NULL, NULL), 0, TOPICS);
    expect_trials(context("path-suffix", NULL, "jsessionid", NULL), TOPICS, 0);
    assert_true(probability("http://a.example/s/12345678/new") > SURE);
    assert_true(probability("http://b.example/id/12345678/new") < 0.1);
    /* after another beginning of the path, it may name a page */
    assert_true(probability("http://a.example/u/12345678/new") < 0.1);
    assert_true(probability("http://a.example/shop/new;jsessionid=x") > SURE);
    assert_true(probability("http://a.example/shop/new2;jsessionid=x") > SURE);
    assert_true(probability("http://a.example/shop/new2") > SURE);
}

TEST(h10_hosts_that_serve_the_same_pages) {
    for (unsigned p = 0; p < TOPICS; p++) {
        document(p, "http://a.example/p%u?q=%u", p, p);
        document(p, "https://www.a.example/p%u?q=%u", p, p);
        document(1000 + p, "http://b.example/p%u?q=%u", p, p);
    }
    document(9000, "http://a.example/new?q=1");
    document(9001, "https://www.a.example/new2?q=2");
    document(9002, "http://a.example/new3");
    document(9003, "http://a.example/new4?print=1");
    learn();
    expect_trials(context("origin", "http://a.example", NULL, "https://www.a.example"), TOPICS, 0);
    expect_trials(context("origin", "http://a.example", NULL, "http://b.example"), 0, TOPICS);
    assert_true(probability("https://www.a.example/new?q=1") > SURE);
    assert_true(probability("http://a.example/new2?q=2") > SURE);
    assert_true(probability("http://b.example/new2?q=2") < 0.1);
    assert_true(probability("http://a.example/new2?q=3") < 0.1);
    /* of pages without a query nothing is known */
    assert_true(probability("https://www.a.example/new3") < 0.1);
    assert_true(probability("https://www.a.example/new4?print=1") < 0.1);
}

TEST(h10_a_folder_that_serves_the_pages_of_an_origin) {
    for (unsigned p = 0; p < TOPICS; p++) {
        document(p, "http://a.example/m/p%u", p);
        document(p, "http://mirror.example/pub/docs/m/p%u", p);
        /* one of these differs */
        document(1000 + p, "http://a.example/n/p%u", p);
        document(p ? 1000 + p : 1, "http://old.example/a/n/p%u", p);
        /* all are one page, which says nothing of others */
        document(7, "http://a.example/o/p%u", p);
        document(7, "http://walls.example/a/o/p%u", p);
    }
    document(9000, "http://a.example/m/new");
    document(9001, "http://mirror.example/pub/docs/m/new2");
    document(9002, "http://a.example/n/new");
    document(9003, "http://a.example/o/new");
    learn();
    expect_trials(context("origin", "http://a.example", NULL, "http://mirror.example/pub/docs"),
                  TOPICS, 0);
    expect_trials(context("origin", "http://a.example", NULL, "http://old.example/a"), TOPICS - 1,
                  1);
    expect_trials(context("origin", "http://a.example", NULL, "http://walls.example/a"),
                  TWX_DUPLICATES_EACH, 0);
    assert_true(probability("http://mirror.example/pub/docs/m/new") > SURE);
    assert_true(probability("http://a.example/m/new2") > SURE);
    assert_true(probability("http://mirror.example/pub/m/new") < 0.1);
    assert_true(probability("http://mirror.example/m/new") < 0.1);
    assert_true(probability("http://mirror.example/pub/docs/m/new3") < 0.1);
    assert_true(probability("http://old.example/a/n/new") < 0.1);
    assert_true(probability("http://walls.example/a/o/new") < 0.7);
}

/* ---- what is counted ---------------------------------------------------- */

TEST(r1_the_probability_is_the_lower_end_of_the_interval) {
    assert_true(twx_trial_probability(4, 0) == 0);
    assert_true(twx_trial_probability(2, 2) == 0);
    /* p = 6/7: 0.857142857 - 1.96 sqrt(0.122448980 / 7) = 0.597917 */
    assert_true(fabs(twx_trial_probability(5, 0) - 0.597917) < 1e-5);
    /* p = 101/112: 0.901785714 - 1.96 sqrt(0.0885682398 / 112) = 0.846669 */
    assert_true(fabs(twx_trial_probability(100, 10) - 0.846669) < 1e-5);
    assert_true(twx_trial_probability(0, 1000) == 0); /* not below 0 */
    assert_true(twx_trial_probability(UINT32_MAX, 0) < 1);
}

TEST(fewer_than_five_trials_say_nothing) {
    for (unsigned p = 0; p < 4; p++) {
        document(p, "http://a.example/p%u", p);
        document(p, "http://a.example/p%u?z=1", p);
    }
    document(100, "http://a.example/new");
    learn();
    assert_null(context("added", NULL, "z", "1"));
    assert_true(probability("http://a.example/new?z=1") == 0);
    assert_null(ask("http://a.example/new?z=1").why);
    document(4, "http://a.example/p4");
    document(4, "http://a.example/p4?z=1");
    learn();
    expect_trials(context("added", NULL, "z", "1"), 5, 0);
    assert_true(probability("http://a.example/new?z=1") > 0.5);
}

/* Neither parameter matters anywhere; without both, two pages would be one: the rule of the weaker
 * one is given up, whichever of the two URLs is met first. */
TEST(rules_together_make_no_two_pages_one) {
    for (unsigned q = 0; q < 16; q++) {
        fixture_clear(&FIXTURE);
        for (unsigned p = 0; p < TOPICS; p++) {
            document(p, "http://a.example/p%u", p);
            document(p, "http://a.example/p%u?b=%u", p, p);
            if (p % 4 == 0) document(p, "http://a.example/p%u?a=%u", p, p);
        }
        document(9000, q % 2 ? "http://a.example/q%u" : "http://a.example/q%u?a=x", q);
        document(9001, q % 2 ? "http://a.example/q%u?a=x&b=y" : "http://a.example/q%u?b=y", q);
        learn();
        expect_trials(context("parameter", NULL, "a", NULL), TOPICS / 4, 1);
        expect_trials(context("parameter", NULL, "b", NULL), TOPICS, 0);
        assert_true(probability("http://a.example/p1?b=new") > SURE);
    }
}

TEST(a_group_of_k_urls_is_k_minus_one_trials) {
    for (unsigned s = 0; s < 1000; s++) document(1, "http://a.example/p?sid=%u", s);
    for (unsigned p = 0; p < 500; p++) {
        document(p * 2 + 10, "http://b.example/p%u?sid=1", p);
        document(p * 2 + 11, "http://b.example/p%u?sid=2", p);
    }
    learn();
    expect_trials(context("query-parameter", NULL, "sid", NULL), 999, 0);
    expect_trials(context("parameter", "b.example/", "sid", NULL), 0, 500);
    fixture_clear(&FIXTURE);
    document(1, "http://a.example/p"); /* the URL without the parameter is one of the group */
    for (unsigned s = 0; s < 9; s++) document(1, "http://a.example/p?sid=%u", s);
    learn();
    expect_trials(context("query-parameter", NULL, "sid", NULL), 9, 0);
}

TEST(a_url_is_no_counterpart_of_itself) {
    for (unsigned p = 0; p < TOPICS; p++) {
        document(p, "http://a.example/p%u?sid=1%u", p, p);
        document(p, "http://a.example/p%u?sid=2%u", p, p);
    }
    document(9000, "http://a.example/alone?sid=1");
    learn();
    assert_true(probability("http://a.example/alone?sid=1") < 0.1);
    assert_true(probability("http://a.example/alone?sid=2") > SURE);
    assert_true(probability("http://a.example/p1?sid=11") > SURE);
}

TEST(what_is_seen_since_counts_as_seen) {
    twx_map64 since = {0};
    for (unsigned p = 0; p < TOPICS; p++) {
        document(p, "http://a.example/p%u", p);
        document(p, "http://a.example/p%u?sid=2", p);
        document(p, "http://a.example/p%u?sid=1%u", p, p);
    }
    learn();
    static const char *const SEEN[] = {"http://a.example/new?sid=1", "http://a.example/new2"};
    for (size_t i = 0; i < 2; i++) {
        twx_url_variants_of(twx_slice_of(SEEN[i]), &FIXTURE_PAGE);
        assert_int_equal(twx_model_add_seen(&FIXTURE.cx, &FIXTURE.model, &FIXTURE_PAGE, &since),
                         TWX_OK);
    }
    static const struct {
        const char *url;
        bool likely;
    } CASES[] = {{"http://a.example/new?sid=1", false},
                 {"http://a.example/new?sid=3", true},
                 {"http://a.example/new", true},
                 {"http://a.example/new2?sid=2", true},
                 {"http://a.example/new2", false}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        twx_url_variants_of(twx_slice_of(CASES[i].url), &FIXTURE_PAGE);
        if ((twx_model_predict(&FIXTURE.model, &since, &FIXTURE_PAGE).probability > SURE) !=
            CASES[i].likely)
            fail_msg("%s", CASES[i].url);
    }
    twx_map64_done(&since);
}
