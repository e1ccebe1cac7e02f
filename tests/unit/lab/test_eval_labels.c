/* lab/eval_labels: both kinds of files, and what is wrong with a line. */
#include "support.h"

#include "lab/lab.h"

static twx_rc read_labels(twx_ctx *cx, const char *text, twx_eval_labels *ret_labels) {
    twx_input *in = NULL;
    const twx_url_options options = {0};
    twx_ctx_init(cx);
    assert_ok(twx_input_of_bytes(cx, "labels.tsv", twx_slice_of(text), &in));
    twx_rc rc = twx_eval_labels_read(cx, &options, in, ret_labels);
    twx_input_close(in);
    return rc;
}

TEST(pairs_are_read) {
    twx_ctx cx;
    twx_eval_labels l;
    assert_ok(read_labels(&cx,
                          "\xEF\xBB\xBFhttp://a.test/1\thttp://a.test/2\t1\r\n# by hand\n\n"
                          "http://a.test/2 \t http://A.test:80/1\t1\nhttp://a.test/1\tbare name\t0",
                          &l));
    assert_false(l.clusters);
    assert_int_equal(l.urls.n, 3);
    assert_int_equal(l.pairs.n, 2); /* the second says the same as the first */
    assert_true(l.pairs.at[0].same && !l.pairs.at[1].same);
    assert_int_equal(l.pairs.at[1].a, 0);
    assert_int_equal(l.pairs.at[1].b, 2);
    twx_eval_labels_done(&l);
}

/* A label is about the first document whose URL has the same normal form. */
TEST(documents_are_met_by_their_normal_url) {
    twx_ctx cx;
    twx_eval_labels l;
    assert_ok(read_labels(&cx,
                          "http://a.test/%7Ex\tred\nhttp://a.test/y\tred\nnot a "
                          "url\tblue\nhttp://a.test/z\tred\n",
                          &l));
    assert_true(l.clusters);
    assert_int_equal(l.n_clusters, 2);
    static const struct {
        const char *url;
        uint32_t text;
    } DOCUMENTS[] = {{"HTTP://A.TEST:80/~x#top", 5},
                     {"http://a.test/~x", 6},
                     {"not a url", 5},
                     {"http://a.test/y", TWX_EVAL_NO_TEXT},
                     {"http://a.test/unlabelled", 7}};
    for (size_t i = 0; i < TWX_COUNTOF(DOCUMENTS); i++)
        assert_ok(twx_eval_labels_meet(&cx, &l, twx_slice_of(DOCUMENTS[i].url), DOCUMENTS[i].text));
    assert_ok(twx_eval_labels_meet(&cx, &l, (twx_slice){NULL, 0}, 9));
    assert_int_equal(l.urls.at[0].text, 5);
    assert_true(l.urls.at[1].met && l.urls.at[1].text == TWX_EVAL_NO_TEXT);
    assert_int_equal(l.urls.at[2].text, 5);
    assert_false(l.urls.at[3].met);

    twx_eval_shares s;
    assert_ok(twx_eval_shares_make(&cx, &l, 8, &s));
    assert_int_equal(s.at.n, 2); /* text 5 once in red, once in blue */
    assert_int_equal(s.from.n, 9);
    assert_int_equal(s.from.at[5], 0);
    assert_int_equal(s.from.at[6], 2);
    assert_int_equal(s.at.at[0].cluster, 0);
    assert_int_equal(s.at.at[1].cluster, 1);
    twx_eval_shares_done(&s);
    twx_eval_labels_done(&l);
}

TEST(documents_of_one_text_and_cluster_are_counted) {
    twx_ctx cx;
    twx_eval_labels l;
    twx_eval_shares s;
    assert_ok(read_labels(&cx, "u:1\tx\nu:2\ty\nu:3\tx\nu:4\tx\n", &l));
    for (size_t i = 0; i < 4; i++)
        assert_ok(twx_eval_labels_meet(&cx, &l, l.urls.at[i].url, i == 3 ? 1 : 0));
    assert_ok(twx_eval_shares_make(&cx, &l, 2, &s));
    assert_int_equal(s.at.n, 3);
    assert_int_equal(s.at.at[0].documents, 2);
    assert_int_equal(s.at.at[1].documents, 1);
    assert_int_equal(s.at.at[2].text, 1);
    twx_eval_shares_done(&s);
    twx_eval_labels_done(&l);
}

/* [R1] File, line, reason. */
TEST(what_is_wrong_is_named) {
    static const struct {
        const char *text, *message;
    } CASES[] = {
        {"", "labels.tsv has no labels"},
        {"# nothing\n\n", "labels.tsv has no labels"},
        {"u:1\tu:2\t1\nu:1\n", "labels.tsv:2: neither 'url TAB url TAB 1|0' nor 'url TAB cluster'"},
        {"u:1\tu:2\t1\tmore\n", "labels.tsv:1: more than three fields"},
        {"u:1\tu:2\tyes\n", "labels.tsv:1: the third field is neither 1 nor 0"},
        {"u:1\t\t1\n", "labels.tsv:1: a URL is empty"},
        {"u:1\tu:1\t1\n", "labels.tsv:1: both URLs are the same"},
        {"u:1\tu:2\t1\n\nu:2\tu:1\t0\n",
         "labels.tsv:3: an earlier line says the opposite of this pair"},
        {"u:1\tred\nu:2\tu:1\t0\n", "labels.tsv:2: pairs and clusters in one file"},
        {"u:1\tu:2\t0\nu:1\tred\n", "labels.tsv:2: pairs and clusters in one file"},
        {"u:1\tred\nu:1\tblue\n",
         "labels.tsv:2: an earlier line puts this URL into another cluster"},
        {"u:1\t \n", "labels.tsv:1: the name of the cluster is empty"},
    };
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        twx_ctx cx;
        twx_eval_labels l;
        assert_int_equal(read_labels(&cx, CASES[i].text, &l), TWX_E_DATA);
        assert_string_equal(cx.message, CASES[i].message);
    }
}

TEST(a_label_is_appended_whole) {
    char path[600], url[2][400];
    twx_slice urls[2];
    twx_ctx cx;
    twx_ctx_init(&cx);
    snprintf(path, sizeof path, "%s/labels.tsv", test_folder());
    for (size_t i = 0; i < 2; i++) {
        memset(url[i], "ab"[i], sizeof url[i]);
        urls[i] = (twx_slice){url[i], sizeof url[i]};
    }
    for (int same = 0; same < 2; same++) assert_ok(twx_label_append(&cx, path, urls, same));
    size_t n;
    char *bytes = test_read_file(path, &n);
    assert_int_equal(n, 2 * (2 * 400 + 4));
    assert_memory_equal(bytes + 400, "\tbbb", 4);
    assert_memory_equal(bytes + 801, "\t0\naaa", 6);
    free(bytes);
    assert_int_equal(twx_label_append(&cx, "/dev/full", urls, true), TWX_E_IO);
    assert_string_equal(cx.message, "write /dev/full: No space left on device");
    for (const char *bad = "\t\r\n"; *bad; bad++) {
        url[1][9] = *bad;
        twx_ctx_clear(&cx);
        assert_int_equal(twx_label_append(&cx, path, urls, true), TWX_E_DATA);
    }
    free(test_read_file(path, &n));
    assert_int_equal(n, 2 * (2 * 400 + 4));
}
