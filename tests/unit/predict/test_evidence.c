/* predict/learner.c, rule_check: evidence does not speak of what it has not seen, neither other
 * pages, paths, values and sites, nor parameters that are left out together. */
#include "predict_fixture.h"

static const double SURE = 0.9;

TEST(one_page_is_no_evidence_of_other_pages) {
    /* a front page with codes in its links; the articles have a parameter of the same path */
    for (unsigned s = 0; s < 1000; s++) document(1, "http://a.example/?from=%u", s);
    document(2, "http://a.example/?p=1");
    document(3, "http://a.example/article?from=1");
    learn();
    expect_trials(context("parameter", "a.example/", "from", NULL), TWX_DUPLICATES_EACH, 0);
    assert_true(probability("http://a.example/?from=new") > SURE);
    assert_true(probability("http://a.example/?p=2") < 0.1);
    assert_true(probability("http://a.example/article?from=2") < 0.7);
}

TEST(one_path_is_no_evidence_of_another) {
    for (unsigned t = 1; t <= 300; t++) {
        document(t, "http://a.example/topic?t=%u&id=%u", t, t);
        document(t, "http://a.example/topic?t=%u&id=%u", t, 1000 + t);
    }
    document(5000, "http://a.example/topic?t=5000&id=1");
    document(5001, "http://a.example/offers?id=1");
    learn();
    assert_true(probability("http://a.example/topic?t=5000&id=2") > 0.98);
    assert_true(probability("http://a.example/offers?id=2") < 0.7);
    fixture_clear(&FIXTURE);
    for (unsigned t = 1; t <= 300; t++) { /* nor one folder, and what is added to its pages */
        document(t, "http://a.example/story/%u", t);
        document(t, "http://a.example/story/%u?id=%u&ref=feed", t, t);
        document(t, "http://a.example/story/%u?id=%u", t, 1000 + t);
    }
    document(5000, "http://a.example/story/new");
    document(5001, "http://a.example/offers");
    document(5002, "http://a.example/shop/offers?id=1");
    learn();
    assert_true(probability("http://a.example/story/new?id=2") > 0.98);
    assert_true(probability("http://a.example/story/new?id=2&ref=feed") > 0.98);
    assert_true(probability("http://a.example/offers?id=2") < 0.1);
    assert_true(probability("http://a.example/offers?id=2&ref=feed") < 0.1);
    assert_true(probability("http://a.example/shop/offers?id=2") < 0.1);
}

TEST(one_value_is_no_evidence_of_another) {
    for (unsigned k = 1; k <= 300; k++) {
        document(k, "http://a.example/list?k=%u", k);
        document(k, "http://a.example/list?k=%u&page=1", k);
        document(k, "http://a.example/list?k=%u&page=first", k);
    }
    document(5000, "http://a.example/list?k=5000&page=1");
    learn();
    assert_true(probability("http://a.example/list?k=5000") > 0.98);
    assert_true(probability("http://a.example/list?k=5000&page=first") > 0.98);
    assert_true(probability("http://a.example/list?k=5000&page=2") < 0.7);
}

TEST(a_contradiction_counts_where_it_stands) {
    for (unsigned p = 0; p < 1000; p++) {
        document(p, "http://a.example/p%u?v=a%u", p, p);
        document(p, "http://a.example/p%u?v=b%u", p, p);
    }
    for (unsigned v = 0; v < 6; v++) document(5000 + v, "http://a.example/news?v=%u", v);
    document(6000, "http://a.example/new?v=1");
    learn();
    assert_true(probability("http://a.example/news?v=9") < 0.1);
    assert_true(probability("http://a.example/new?v=2") <
                0.1); /* five of a thousand are too many */
    fixture_clear(&FIXTURE);
    for (unsigned p = 0; p < 300; p++) {
        document(p, "http://a.example/list?k=%u", p);
        for (unsigned v = 0; v < 4; v++)
            document(p < 299 ? p : 1000 + v, "http://a.example/list?k=%u&sort=%u", p, v);
    }
    document(6000, "http://a.example/list?k=x");
    learn();
    assert_true(probability("http://a.example/list?k=x&sort=1") < 0.1);
}

TEST(origins_may_differ_in_a_folder) {
    for (unsigned p = 0; p < 2000; p++) {
        document(p, "http://a.example/doc/p%u", p);
        document(p, "http://b.example/doc/p%u", p);
    }
    for (unsigned p = 0; p < 6; p++) {
        document(3000 + p, "http://a.example/own/p%u", p);
        document(4000 + p, "http://b.example/own/p%u", p);
    }
    document(5000, "http://a.example/doc/new");
    document(5001, "http://a.example/own/new");
    learn();
    assert_true(probability("http://b.example/doc/new") > 0.98);
    assert_true(probability("http://b.example/own/new") < 0.1);
}

/* Two parameters that never matter alone, but together: no rule may drop both. */
TEST(what_rules_would_make_equal_is_evidence) {
    for (unsigned p = 0; p < 300; p++) {
        document(p, "http://a.example/list?k=%u&s=1%u&x=0", p, p);
        document(p, "http://a.example/list?k=%u&s=2%u&x=0", p, p);
        document(p + 300, "http://a.example/show?k=%u&s=3%u&x=4%u", p, p, p);
        document(p + 300, "http://a.example/show?k=%u&s=3%u&x=5%u", p, p, p);
        document(p + 300, "http://a.example/show?k=%u&s=6%u&x=4%u", p, p, p);
        document(p == 7 ? 9999 : p + 300, "http://a.example/show?k=%u&s=6%u&x=9%u", p, p, p + 1000);
    }
    learn();
    const twx_context *s = context("path-parameter", "http://a.example/show", "s", NULL),
                      *x = context("path-parameter", "http://a.example/show", "x", NULL);
    assert_non_null(s);
    assert_non_null(x);
    assert_true(s->nodup + x->nodup > 0);
    assert_int_equal(context("path-parameter", "http://a.example/list", "s", NULL)->nodup, 0);
}
