#include "url_fixture.h"

#include <pthread.h>
#include <unistd.h>

static twx_url_rules *parsed(const char *text) {
    twx_url_rules *rules = NULL;
    if (twx_url_rules_parse(&url_cx, "r.txt", twx_slice_of(text), &rules) != TWX_OK)
        fail_msg("%s", url_cx.message);
    return rules;
}

/* The URL after the rules; *ret_skipped counts from 0. */
static twx_slice applied(const char *text, twx_slice url, uint64_t *ret_skipped) {
    twx_url_rules *rules = parsed(text);
    twx_slice made;
    *ret_skipped = 0;
    assert_ok(twx_url_rules_apply(&url_cx, &url_arena, rules, url, &made, ret_skipped));
    twx_url_rules_close(rules);
    return made;
}

TEST(r1_rules_rewrite) {
    static const char *const ROWS[][3] = {
        {"s/a/b/", "aaa", "baa"},
        {"s/a/b/g", "aaa", "bbb"},
        {"s/A/b/gi", "aAa", "bbb"},
        {"s/A/b/", "aaa", "aaa"},
        {"s#/old/#/new/#", "http://h/old/x", "http://h/new/x"},
        {"s/\\/old\\//\\/new\\//", "http://h/old/x", "http://h/new/x"},
        {"s/(a)(b)?/[$1$2]/g", "abac", "[ab][a]c"},
        {"s/(a)|(b)/<$2$1>/g", "ab", "<a><b>"},
        {"s/b/$0$0/", "abc", "abbc"},
        {"s/b/$$1\\$2\\\\/", "abc", "a$1$2\\c"},
        {"s/b//", "abc", "ac"},
        {"s/x*/-/g", "axb", "-a--b-"},
        {"s/$/!/", "ab", "ab!"},
        {"s/^/!/g", "ab", "!ab"},
        {"s/(?<=a)b/X/g", "abcb", "aXcb"},
        {"s/a\\Kb/X/g", "abab", "aXaX"},
        {"s|a\\|b|x|g", "abc", "xxc"},
        {"# a comment\n\n  s/a/b/  \r\ns/b/c/\n", "a", "c"},
        {"s/(((((((((((a)))))))))))/$9/", "a", "a"},
        {"", "a", "a"},
        {"s/q/r/", "", ""},
    };
    for (size_t i = 0; i < TWX_COUNTOF(ROWS); i++) {
        uint64_t skipped;
        assert_slice(applied(ROWS[i][0], twx_slice_of(ROWS[i][1]), &skipped), ROWS[i][2]);
        assert_int_equal(skipped, 0);
    }
}

TEST(r1_errors_name_line_and_column) {
    static const char *const ROWS[][2] = {
        {"x/a/b/", "r.txt:1:1: a rule begins with 's'"},
        {"# c\ns", "r.txt:2:2: a delimiter follows"},
        {"sab", "r.txt:1:2: a delimiter follows"},
        {"s/a", "r.txt:1:4: the regex has no end"},
        {"s/a\\/", "r.txt:1:6: the regex has no end"},
        {"s/a/b", "r.txt:1:6: the replacement has no end"},
        {"s/a/b/x", "r.txt:1:7: unknown flag"},
        {"s/a/b/g i", "r.txt:1:8: unknown flag"},
        {"s/a(/b/", "r.txt:1:5: missing closing parenthesis"},
        {"s/\\/\\/a(/b/", "r.txt:1:9: missing closing parenthesis"},
        {"s/a/$x/", "r.txt:1:5: '$' must be followed by a group"},
        {"s/a/b$/", "r.txt:1:6: '$' must be followed by a group"},
        {"s/(a)/$2/", "r.txt:1:7: the regex has no such group"},
        {"s/(*UTF)a/b/", "r.txt:1:3: a regex must not begin with (*"},
        {"s/\\C/b/", "r.txt:1:5: using \\C is disabled"},
    };
    for (size_t i = 0; i < TWX_COUNTOF(ROWS); i++) {
        twx_url_rules *rules = NULL;
        twx_ctx_clear(&url_cx);
        assert_int_equal(twx_url_rules_parse(&url_cx, "r.txt", twx_slice_of(ROWS[i][0]), &rules),
                         TWX_E_CONFIG);
        assert_null(rules);
        if (strncmp(url_cx.message, ROWS[i][1], strlen(ROWS[i][1])) != 0)
            fail_msg("'%s' gives '%s', not '%s'", ROWS[i][0], url_cx.message, ROWS[i][1]);
    }
}

/* "s/", n times c, "/", m times d, "/" */
static twx_rc parse_sizes(size_t n, size_t m) {
    static char text[3 * TWX_URL_RULE_PATTERN_MAX];
    twx_url_rules *rules = NULL;
    memcpy(text, "s/", 2);
    memset(text + 2, 'a', n);
    text[2 + n] = '/';
    memset(text + 3 + n, 'b', m);
    text[3 + n + m] = '/';
    twx_ctx_clear(&url_cx);
    twx_rc rc = twx_url_rules_parse(&url_cx, "r.txt", (twx_slice){text, 4 + n + m}, &rules);
    twx_url_rules_close(rules);
    return rc;
}

TEST(r2_sizes_are_limited) {
    static char url[TWX_URL_RULE_SUBJECT_MAX + 1];
    uint64_t skipped;
    assert_ok(parse_sizes(TWX_URL_RULE_PATTERN_MAX, TWX_URL_RULE_PATTERN_MAX));
    assert_int_equal(parse_sizes(TWX_URL_RULE_PATTERN_MAX + 1, 1), TWX_E_CONFIG);
    assert_int_equal(parse_sizes(1, TWX_URL_RULE_PATTERN_MAX + 1), TWX_E_CONFIG);
    twx_ctx_clear(&url_cx);
    memset(url, 'a', sizeof url);
    twx_slice longest = {url, TWX_URL_RULE_SUBJECT_MAX},
              longer = {url, TWX_URL_RULE_SUBJECT_MAX + 1};
    assert_int_equal(applied("s/^a/bb/", longest, &skipped).n, longest.n + 1);
    assert_int_equal(skipped, 0);
    assert_ptr_equal(applied("s/^a/bb/", longer, &skipped).p, url);
    assert_int_equal(skipped, 1);
    assert_int_equal(applied("s/a/12345678/g", longest, &skipped).n, TWX_URL_RULE_RESULT_MAX);
    assert_int_equal(skipped, 0);
    assert_ptr_equal(applied("s/a/123456789/g", longest, &skipped).p, url);
    assert_int_equal(skipped, 1);
    assert_ok(url_cx.rc); /* a limit is a count, not an error */
}

TEST(r2_a_rule_that_hits_a_limit_is_skipped) {
    uint64_t skipped;
    static const char *const SLOW[] = {"s/(a+)+$/x/", "s/^(?:[^&]*a)*$/x/", "s/^(?:(a)|b)*!$/x/",
                                       "s/(?:a|aa)+$/x/"};
    static char url[4000];
    memset(url, 'a', sizeof url);
    url[sizeof url - 1] = '!';
    for (size_t i = 0; i < TWX_COUNTOF(SLOW); i++) {
        applied(SLOW[i], (twx_slice){url, sizeof url}, &skipped);
        assert_int_equal(skipped, 1);
    }
    assert_slice(applied("s/(a+)+$/x/\ns/a/b/", TWX_SLICE_LIT("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"),
                         &skipped),
                 "baaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"); /* the next rule still runs */
    assert_int_equal(skipped, 1);
}

TEST(rules_have_a_count_and_a_fingerprint) {
    twx_url_rules *a = parsed("s/a/b/\ns/c/d/\n"), *b = parsed("# comment\n s/a/b/\ns/c/d/"),
                  *c = parsed("s/c/d/\ns/a/b/"), *none = parsed("");
    assert_int_equal(twx_url_rules_count(a), 2);
    assert_int_equal(twx_url_rules_count(NULL), 0);
    assert_true(twx_url_rules_fingerprint(a) == twx_url_rules_fingerprint(b));
    assert_true(twx_url_rules_fingerprint(a) != twx_url_rules_fingerprint(c)); /* order matters */
    assert_true(twx_url_rules_fingerprint(none) != twx_url_rules_fingerprint(NULL));
    assert_true(twx_url_rules_fingerprint(NULL) == 0);
    twx_url_rules_close(a), twx_url_rules_close(b), twx_url_rules_close(c),
        twx_url_rules_close(none);
    twx_url_rules_close(NULL);
}

TEST(rules_come_from_a_file) {
    char path[4200];
    twx_url_rules *rules = NULL;
    snprintf(path, sizeof path, "%s/rules.txt", test_folder());
    test_write_file(path, "# one\ns/a/b/\n", 13);
    assert_ok(twx_url_rules_load(&url_cx, path, &rules));
    assert_int_equal(twx_url_rules_count(rules), 1);
    twx_url_rules_close(rules);
    rules = NULL;
    assert_int_equal(twx_url_rules_load(&url_cx, test_folder(), &rules),
                     TWX_E_CONFIG); /* a folder */
    assert_null(rules);
    twx_ctx_clear(&url_cx);
    assert_int_equal(truncate(path, TWX_URL_RULES_FILE_MAX + 1), 0);
    assert_int_equal(twx_url_rules_load(&url_cx, path, &rules), TWX_E_CONFIG);
    twx_ctx_clear(&url_cx);
    remove(path);
    assert_int_equal(twx_url_rules_load(&url_cx, path, &rules), TWX_E_CONFIG);
    assert_non_null(strstr(url_cx.message, "url.rules: cannot read"));
}

static twx_url rewritten(const twx_url_rules *rules, const char *text) {
    const twx_url_options options = {.steps = TWX_URL_STEP_TRAILING_SLASH, .rules = rules};
    return url_normal(&options, twx_slice_of(text));
}

TEST(the_normal_form_runs_the_rules) {
    twx_url_rules *rules = parsed(
        "s#/m/#/./#\ns#^http://old[.]#HTTP://NEW.#\ns#/nothing$##i\ns/(b+)+$/x/");
    twx_url u = rewritten(rules, "http://old.example/m/a/");
    assert_slice(u.whole, "http://new.example/a"); /* in normal form again */
    assert_slice(u.host, "new.example");
    assert_int_equal(u.rules_skipped, 0);
    u = rewritten(rules, "http://h/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb!");
    assert_int_equal(u.rules_skipped, 1);
    twx_url_rules_close(rules);
    rules = parsed("s/^http:.*/gone/");
    u = rewritten(rules, "http://h/a"); /* no usable URL: as it was */
    assert_slice(u.whole, "http://h/a");
    assert_int_equal(u.rules_skipped, 1);
    assert_int_equal(rewritten(rules, "gone").fault, TWX_URL_RELATIVE);
    twx_url_rules_close(rules);
}

/* [R3] One handle, four threads, each with its own context and arena. */
static void *apply_often(void *argument) {
    const twx_url_rules *rules = argument;
    twx_ctx cx = {0};
    twx_arena arena = {.keep = 1 << 16};
    bool good = true;
    for (int i = 0; i < 2000; i++) {
        twx_slice made = {NULL, 0};
        uint64_t skipped = 0;
        twx_rc rc = twx_url_rules_apply(&cx, &arena, rules, TWX_SLICE_LIT("http://h/a/b?c"), &made,
                                        &skipped);
        good = good && rc == TWX_OK && skipped == 0 &&
               twx_slice_eq(made, TWX_SLICE_LIT("http://h/b/a?c"));
        twx_arena_reset(&arena);
    }
    twx_arena_done(&arena);
    return good ? argument : NULL;
}

TEST(r3_threads_share_a_handle) {
    twx_url_rules *rules = parsed("s#/(a)/(b)#/$2/$1#");
    pthread_t threads[4];
    for (size_t i = 0; i < TWX_COUNTOF(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, apply_often, rules), 0);
    for (size_t i = 0; i < TWX_COUNTOF(threads); i++) {
        void *result = NULL;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_ptr_equal(result, rules);
    }
    twx_url_rules_close(rules);
}

static twx_rc parse_and_apply(twx_ctx *cx, twx_arena *arena) {
    twx_url_rules *rules = NULL;
    twx_slice made;
    uint64_t skipped = 0;
    twx_rc rc = twx_url_rules_parse(cx, "r", TWX_SLICE_LIT("s/(a)b/x$1y$1/g\ns/c/d/"), &rules);
    if (rc == TWX_OK)
        rc = twx_url_rules_apply(cx, arena, rules, TWX_SLICE_LIT("abcab"), &made, &skipped);
    twx_url_rules_close(rules);
    return rc;
}

TEST(every_allocation_may_fail) {
    twx_faults faults = {.fail_at = 1};
    int failures = 0;
    for (twx_rc rc = TWX_E_NOMEM; failures < 100; faults.fail_at++) {
        twx_ctx cx = {0};
        twx_arena arena = {0};
        cx.faults = &faults;
        atomic_store(&faults.count, 0);
        rc = parse_and_apply(&cx, &arena);
        twx_arena_done(&arena);
        if (atomic_load(&faults.count) < faults.fail_at) {
            assert_ok(rc);
            break;
        }
        failures++;
        if (rc != TWX_OK) assert_int_equal(rc, TWX_E_NOMEM); /* without the JIT it goes on */
    }
    assert_in_range(failures, 10, 99);
}
