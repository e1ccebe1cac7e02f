/* wings: import lab */
#include "support.h"

#include <sys/stat.h>
#include <unistd.h>

#include "run/internal.h"

typedef struct fixture {
    twx_ctx cx;
    twx_settings s;
} fixture;

static void setup(fixture *f) {
    assert_ok(twx_settings_init(&f->cx, &f->s));
}

static void teardown(fixture *f) {
    twx_settings_done(&f->s);
}

static void set(fixture *f, const char *name, const char *value) {
    if (twx_settings_set(&f->cx, &f->s, name, value) != TWX_OK)
        fail_msg("%s = %s: %s", name, value, f->cx.message);
}

static void refuse(fixture *f, const char *name, const char *value, const char *message) {
    assert_int_equal(twx_settings_set(&f->cx, &f->s, name, value), TWX_E_CONFIG);
    if (!strstr(f->cx.message, message)) fail_msg("'%s' is not in: %s", message, f->cx.message);
    twx_ctx_clear(&f->cx);
}

static void parse(fixture *f, const char *text) {
    if (twx_settings_parse(&f->cx, &f->s, "t.conf", twx_slice_of(text)) != TWX_OK)
        fail_msg("%s", f->cx.message);
}

static void refuse_text(fixture *f, const char *text, const char *message) {
    assert_int_equal(twx_settings_parse(&f->cx, &f->s, "t.conf", twx_slice_of(text)), TWX_E_CONFIG);
    assert_string_equal(f->cx.message, message);
    twx_ctx_clear(&f->cx);
}

TEST_OF(every_row_takes_its_own_default_and_has_a_sentence, fixture *f) {
    const twindex_setting *st = NULL;
    size_t n = 0;
    for (; (st = twx_settings_at(n)); n++) {
        set(f, st->name, st->default_value);
        assert_true(strlen(st->values) > 0);
        assert_int_equal(st->help[strlen(st->help) - 1], '.');
        for (size_t i = 0; i < n; i++) assert_string_not_equal(st->name, twx_settings_at(i)->name);
    }
    assert_true(n > 40);
    assert_string_equal(twx_settings_at(0)->name, "compat");
}

TEST_OF(the_ends_of_every_range_are_taken, fixture *f) {
    const twindex_setting *st = NULL;
    for (size_t i = 0; (st = twx_settings_at(i)); i++) {
        const char *dots = strstr(st->values, ".."), *zero = strstr(st->values, "0 or ");
        const char *range = zero ? zero + 5 : st->values;
        char low[32];
        if (!dots) continue;
        snprintf(low, sizeof low, "%.*s", (int)(dots - range), range);
        if (zero) set(f, st->name, "0");
        set(f, st->name, low);
        set(f, st->name, dots + 2);
        refuse(f, st->name, "", st->name);
        refuse(f, st->name, "-1", st->name);
        refuse(f, st->name, "99999999999999999999", st->name);
    }
}

TEST(defaults_are_those_of_the_design) {
    const twx_settings *s = &((fixture *)*state)->s;
    assert_true(s->prefer_https && s->prefer_www);
    assert_int_equal(s->run_check, TWX_CHECKED_AUTO);
    assert_int_equal(s->exact_scope, TWX_SCOPE_STORE);
    assert_int_equal(s->fuzzy_scope, TWX_SCOPE_STORE);
    assert_int_equal(s->title_scope, TWX_SCOPE_HOST);
    assert_int_equal(s->description_scope, TWX_SCOPE_HOST);
    assert_int_equal(s->methods.of[TWX_DETECTOR_PROFILE.id][TWX_PROFILE_MIN_TOKEN_LEN], 2);
    assert_int_equal(s->methods.of[TWX_DETECTOR_PROFILE.id][TWX_PROFILE_QUANT_RATE], 10000);
    assert_int_equal(s->methods.of[TWX_DETECTOR_PROFILE.id][TWX_PROFILE_DIGEST], 0);
    assert_string_equal(s->verdict_relations, "scheme www canonical redirect copy");
    assert_string_equal(s->store_feed, "auto");
    assert_int_equal(s->canonical_collapse_min, 10);
    assert_null(s->store_from);
    assert_null(s->flags_file);
}

TEST_OF(mapping_rows_are_the_columns_of_the_source_view, fixture *f) {
    char name[64];
    for (size_t i = 0; twx_column_name(i); i++) {
        snprintf(name, sizeof name, "store.%s", twx_column_name(i));
        set(f, name, name);
        assert_string_equal(f->s.store_map[i], name);
    }
}

TEST_OF(shares_are_exact_millionths, fixture *f) {
    static const struct {
        const char *value;
        uint32_t ppm;
    } CASES[] = {{"0", 0},          {"1", 1000000},       {"0.5", 500000},         {"0.000001", 1},
                 {"0.01", 10000},   {"0.999999", 999999}, {"0.0100000000", 10000}, {".7", 700000},
                 {"1.000", 1000000}};
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        set(f, "fuzzy.quant_rate", CASES[i].value);
        assert_int_equal(f->s.methods.of[TWX_DETECTOR_PROFILE.id][TWX_PROFILE_QUANT_RATE],
                         CASES[i].ppm);
    }
    static const char *const BAD[] = {"",         ".",    "1.",   "0,5", "0.0000001",
                                      "1.000001", "2",    "0.5f", "-0",  "+0",
                                      " 0",       "1e-2", "0x1",  "nan", "0.5.5"};
    for (size_t i = 0; i < TWX_COUNTOF(BAD); i++)
        refuse(f, "fuzzy.quant_rate", BAD[i], "is not in 0..1");
    assert_int_equal(f->s.methods.of[TWX_DETECTOR_PROFILE.id][TWX_PROFILE_QUANT_RATE], 1000000);
}

TEST_OF(sizes_take_suffixes, fixture *f) {
    set(f, "run.memory", "16777216");
    assert_int_equal(f->s.run_memory, 16 << 20);
    set(f, "run.memory", "20000k");
    assert_int_equal(f->s.run_memory, 20000 << 10);
    set(f, "run.memory", "64M");
    assert_int_equal(f->s.run_memory, 64 << 20);
    set(f, "run.memory", "2g");
    assert_int_equal(f->s.run_memory, INT64_C(2) << 30);
    static const char *const BAD[] = {"15M", "1025G", "64MB", "64 M", "M", "18014398509481984K",
                                      "64T"};
    for (size_t i = 0; i < TWX_COUNTOF(BAD); i++)
        refuse(f, "run.memory", BAD[i], "is not 0 or 16M..1024G");
}

TEST_OF(words_are_checked_and_named, fixture *f) {
    refuse(f, "fuzzy.scope", "hots", "fuzzy.scope: 'hots' is not store|domain|host");
    refuse(f, "store.feed", "push", "store.feed: 'push' is not auto|trigger|column|scan");
    refuse(f, "run.check", "maybe", "run.check: 'maybe' is not auto|yes|no");
    refuse(f, "url.steps", "trailing_slash wobble", "url.steps: ");
    refuse(f, "verdict.relations", "exact wobble", "verdict.relations: 'wobble'");
    refuse(f, "verdict.order", "size", "verdict.order: 'size'");
    assert_string_equal(f->s.verdict_order, "score origin url_length fetched_at");
    set(f, "Fuzzy.Scope", "Domain");
    assert_int_equal(f->s.fuzzy_scope, TWX_SCOPE_DOMAIN);
    set(f, "store.feed", "scan");
    assert_string_equal(f->s.store_feed, "scan");
    set(f, "run.check", "No");
    assert_int_equal(f->s.run_check, TWX_CHECKED_NEVER);
    static const char *const YES[] = {"yes", "true", "on", "1"}, *const NO[] = {"no", "false",
                                                                                "off", "0"};
    for (size_t i = 0; i < 4; i++) {
        set(f, "run.notify_all", NO[i]);
        assert_false(f->s.run_notify_all);
        set(f, "run.notify_all", YES[i]);
        assert_true(f->s.run_notify_all);
    }
    set(f, "verdict.relations", "");
    assert_string_equal(f->s.verdict_relations, "");
}

TEST_OF(steps_are_those_of_the_url_folder, fixture *f) {
    const twindex_setting *st = NULL;
    unsigned all = 0;
    for (size_t i = 0; (st = twx_settings_at(i)) && strcmp(st->name, "url.steps") != 0; i++)
        continue;
    assert_non_null(st);
    for (size_t i = 0; twx_url_step_name(i); i++) {
        assert_non_null(strstr(st->values, twx_url_step_name(i)));
        set(f, "url.steps", twx_url_step_name(i));
        assert_int_equal(f->s.url_steps, twx_url_step_of(twx_url_step_name(i)));
        all |= f->s.url_steps;
    }
    set(f, "url.steps", st->values + strlen("list of "));
    assert_int_equal(f->s.url_steps, all);
    set(f, "url.steps", "");
    assert_int_equal(f->s.url_steps, 0);
}

TEST_OF(yacy_is_a_set_of_defaults, fixture *f) {
    parse(f, "compat = yacy\n[title]\nscope = store\n");
    assert_false(f->s.prefer_https);
    assert_true(f->s.prefer_www);
    assert_int_equal(f->s.exact_scope, TWX_SCOPE_HOST);
    assert_int_equal(f->s.fuzzy_scope, TWX_SCOPE_HOST);
    assert_int_equal(f->s.description_scope, TWX_SCOPE_HOST);
    assert_int_equal(f->s.title_scope, TWX_SCOPE_STORE);
    assert_int_equal(f->s.methods.of[TWX_DETECTOR_PROFILE.id][TWX_PROFILE_MIN_TOKEN_LEN], 3);
    assert_int_equal(f->s.methods.of[TWX_DETECTOR_PROFILE.id][TWX_PROFILE_QUANT_RATE], 500000);
    set(f, "compat", "none");
    assert_int_equal(f->s.methods.of[TWX_DETECTOR_PROFILE.id][TWX_PROFILE_MIN_TOKEN_LEN], 3);
    refuse(f, "compat", "solr", "compat: 'solr' is not none|yacy");
}

TEST_OF(unknown_names_are_named_with_the_nearest, fixture *f) {
    refuse(f, "fuzzy.quantrate", "1",
           "no setting 'fuzzy.quantrate'; did you mean 'fuzzy.quant_rate'?");
    refuse(f, "wobble", "1", "no setting 'wobble'; 'twindex settings' lists them");
    refuse(f, "", "1", "no setting ''");
    refuse_text(f, "[run]\njobs=2\nmemroy = 2G\n",
                "t.conf:3: no setting 'run.memroy'; did you mean 'run.memory'?");
    refuse_text(f, "[run]\njobs=2\n\nmemory\n  = 2G\n",
                "t.conf:4: neither [section] nor name = value");
    refuse_text(f, "x\n[run]\njobs=no\n", "t.conf:1: neither [section] nor name = value");
    refuse_text(f, "[run\njobs=2\n", "t.conf:1: neither [section] nor name = value");
    refuse_text(f, "[run]\njobs = 1\n\nmemory = 2G\njobs = 2\n",
                "t.conf:5: run.jobs is given twice, first in line 2");
    refuse_text(f, "run.jobs = 1\n[run]\njobs = 1\n",
                "t.conf:3: run.jobs is given twice, first in line 1");
    refuse_text(f, "[near]\nmin_words = 7 # words\n",
                "t.conf:2: a comment needs a line of its own: '#' would be part of the value");
    refuse_text(f, "[store]\nurl = url\t# the address\n",
                "t.conf:2: a comment needs a line of its own: '#' would be part of the value");
    parse(f, "[store]\nwhere = url NOT LIKE '% #%' AND \"a # b\" <> 'it''s # x' AND "
             "a||'#'\n[text]\nsentence_end "
             "= [.] #\n");
    refuse_text(f, "[fuzzy]\n# c\nscope = hots",
                "t.conf:3: fuzzy.scope: 'hots' is not store|domain|host");
}

TEST_OF(a_file_is_read, fixture *f) {
    parse(f, "\ufeffFuzzy.QUANT_rate = 0.02\r\nsearch.ranking.uniqueheuristic.preferhttps=false\r\n"
             "# comment\n; comment\n\n[store]\nfrom = pages p ; which\n  JOIN texts t\n\n  ON t.id "
             "= p.id\nid: p.id\n"
             "url = '[' || \"url\" || '=;'\n[fuzzy]\n   min_token_len = 4\nscope\t=\thost\n"
             "[search.ranking.uniqueheuristic]\npreferwwwprefix = off\n[run]\njobs = 2");
    assert_int_equal(f->s.methods.of[TWX_DETECTOR_PROFILE.id][TWX_PROFILE_QUANT_RATE], 20000);
    assert_false(f->s.prefer_https);
    assert_int_equal(f->s.prefer_www, TWX_WWW_BARE);
    assert_string_equal(f->s.store_from, "pages p JOIN texts t ON t.id = p.id");
    assert_string_equal(f->s.store_map[0], "p.id");
    assert_string_equal(f->s.store_map[1], "'[' || \"url\" || '=;'");
    assert_int_equal(f->s.run_jobs, 2);
}

TEST_OF(keys_may_be_indented_below_a_section_but_continue_a_value_after_a_key, fixture *f) {
    parse(f, "[run]\n  jobs = 3\n");
    assert_int_equal(f->s.run_jobs, 3);
    refuse_text(
        f, "[run]\n  jobs = 3\n  busy_ms = 4\n",
        "t.conf:3: a setting must not be indented: an indented line continues the value above it");
    refuse_text(
        f, "[store]\nfrom = pages\n  id = rowid\n",
        "t.conf:3: a setting must not be indented: an indented line continues the value above it");
    parse(f, "[store]\nwhere = a = 1\n  AND title = 2\n");
    assert_string_equal(f->s.store_where, "a = 1 AND title = 2");
    refuse_text(f, "[run]\njobs = 3\n  x = 4\n", "t.conf:2: run.jobs: '3 x = 4' is not in 0..256");
}

TEST_OF(names_have_their_form, fixture *f) {
    static const char *const GOOD[] = {"a", "_", "Twindex_2", "a1"};
    static const char *const BAD[] = {"", "1a", "a-b", "a b", "a.b", "\u00E4", "a;DROP"};
    char long_name[66];
    for (size_t i = 0; i < TWX_COUNTOF(GOOD); i++) set(f, "cluster.name", GOOD[i]);
    for (size_t i = 0; i < TWX_COUNTOF(BAD); i++)
        refuse(f, "cluster.database", BAD[i], "is not a name of at most 64 letters");
    memset(long_name, 'n', sizeof long_name);
    long_name[64] = '\0';
    set(f, "cluster.name", long_name);
    long_name[64] = 'n', long_name[65] = '\0';
    refuse(f, "cluster.name", long_name, "is not a name of at most 64 letters");
}

TEST_OF(a_method_that_does_not_exist_is_refused_with_one_that_does, fixture *f) {
    refuse(f, "near.detector", "simhsah", "did you mean 'simhash'?");
    refuse(f, "near.detector", "quantum-entanglement", "'twindex detectors' lists those that do");
    refuse(f, "near.detector", "title", "does not find near-duplicates");
    set(f, "near.detector", "none");
}

TEST_OF(long_lines_are_refused_and_can_be_broken, fixture *f) {
    char text[600], value[400];
    memset(value, 'x', sizeof value);
    snprintf(text, sizeof text, "[store]\ntext = %.180s\n  %.190s\n", value, value);
    parse(f, text);
    assert_int_equal(strlen(f->s.store_map[2]), 371);
    snprintf(text, sizeof text, "[store]\ntext = %.191s\n", value);
    parse(f, text);
    assert_int_equal(strlen(f->s.store_map[2]), 191);
    snprintf(text, sizeof text, "[store]\ntext = %.194s\n", value);
    refuse_text(f, text,
                "t.conf:2: the line is too long; a value can continue on the next line, indented");
    snprintf(text, sizeof text, "# %.300s\n[run]\njobs = 9\n", value);
    parse(f, text);
    assert_int_equal(f->s.run_jobs, 9);
    assert_int_equal(twx_settings_parse(&f->cx, &f->s, "t", TWX_SLICE_LIT("[run]\njobs = 1\0 2")),
                     TWX_E_CONFIG);
    assert_string_equal(f->cx.message, "t:2: a NUL byte");
}

TEST_OF(files_are_meant_from_the_folder_of_the_config, fixture *f) {
    assert_ok(twx_settings_parse(&f->cx, &f->s, "/etc/tw/t.conf",
                                 TWX_SLICE_LIT("url.rules=r.txt\nstore.flags=/f")));
    assert_string_equal(f->s.url_rules_file, "/etc/tw/r.txt");
    assert_string_equal(f->s.flags_file, "/f");
    parse(f, "url.rules=r.txt\nstore.flags=\n");
    assert_string_equal(f->s.url_rules_file, "r.txt");
    assert_null(f->s.flags_file);
}

TEST_OF(a_file_that_cannot_be_read_is_named, fixture *f) {
    assert_int_equal(twx_settings_load(&f->cx, &f->s, "/none/x.conf"), TWX_E_NOTFOUND);
    assert_string_equal(f->cx.message, "cannot read '/none/x.conf': No such file or directory");
    twx_ctx_clear(&f->cx);
    assert_int_equal(twx_settings_load(&f->cx, &f->s, test_folder()), TWX_E_IO);
    twx_ctx_clear(&f->cx);
    char path[256];
    snprintf(path, sizeof path, "%s/big.conf", test_folder());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i <= TWX_CONFIG_MAX / 16; i++) fputs("# 3456789012345\n", file);
    fclose(file);
    assert_int_equal(twx_settings_load(&f->cx, &f->s, path), TWX_E_CONFIG);
    assert_non_null(strstr(f->cx.message, "longer than 1024 KiB"));
}

/* Each allocation fails once: the settings that were are still there, or the new ones. */
TEST(a_failed_allocation_leaves_no_leak_and_no_half_value) {
    for (uint64_t nth = 1; nth < 200; nth++) {
        twx_faults faults = {.fail_at = nth};
        twx_ctx cx = {.faults = &faults};
        twx_settings s;
        twx_rc rc = twx_settings_init(&cx, &s);
        if (rc == TWX_OK)
            rc = twx_settings_parse(
                &cx, &s, "/a/b.conf",
                TWX_SLICE_LIT(
                    "compat=yacy\n[store]\nfrom = a\n b\nfeed=scan\nflags=f\n[run]\njobs=3"));
        if (rc == TWX_OK) {
            assert_string_equal(s.flags_file, "/a/f");
            twx_settings_done(&s);
            assert_true(nth > 6);
            return;
        }
        assert_int_equal(rc, TWX_E_NOMEM);
        if (s.store_feed)
            assert_true(strcmp(s.store_feed, "auto") == 0 || strcmp(s.store_feed, "scan") == 0);
        twx_settings_done(&s);
    }
    fail_msg("no end of allocations");
}

TEST_OF(a_copy_has_the_same_values_and_strings_of_its_own, fixture *f) {
    twx_settings copy;
    set(f, "near.detector", "minhash");
    set(f, "alignment.threshold", "0.7");
    for (uint64_t nth = 1;; nth++) {
        twx_faults faults = {.fail_at = nth};
        f->cx.faults = &faults;
        const twx_rc rc = twx_settings_copy(&f->cx, &f->s, &copy);
        f->cx.faults = NULL;
        if (rc == TWX_OK) break;
        assert_int_equal(rc, TWX_E_NOMEM);
        twx_ctx_clear(&f->cx);
        assert_true(nth < 1000);
    }
    set(f, "follow.every", "9"); /* no result depends on it */
    assert_true(twx_settings_fingerprint(&copy) == twx_settings_fingerprint(&f->s));
    set(f, "near.detector", "simhash");
    assert_string_equal(copy.near_detector, "minhash");
    assert_true(twx_settings_fingerprint(&copy) != twx_settings_fingerprint(&f->s));
    twx_settings_done(&copy);
}

/* What is printed is accepted, and prints the same again. */
TEST_OF(a_printed_value_sets_the_same_value, fixture *f) {
    const twindex_setting *row = NULL;
    twx_buf once = {.max = 1 << 16}, twice;
    set(f, "exact.scope", "host");
    set(f, "fuzzy.quant_rate", "0.0125");
    set(f, "run.memory", "3G");
    set(f, "url.steps", "index_page, trailing_slash");
    set(f, "search.ranking.uniqueheuristic.preferhttps", "no");
    set(f, "verdict.relations", "scheme exact");
    const uint64_t before = twx_settings_fingerprint(&f->s);
    twx_buf_init(&twice, 1 << 16);
    for (size_t i = 0; (row = twx_settings_at(i)); i++) {
        twx_buf_clear(&once);
        twx_buf_clear(&twice);
        assert_ok(twx_settings_get(&f->cx, &f->s, row->name, &once));
        if (strcmp(row->name, "compat") == 0) continue;
        const char *text = twx_buf_slice(&once).p;
        assert_ok(twx_settings_set(&f->cx, &f->s, row->name, text));
        assert_ok(twx_settings_get(&f->cx, &f->s, row->name, &twice));
        assert_string_equal(text, twx_buf_slice(&twice).p);
    }
    assert_true(before == twx_settings_fingerprint(&f->s));
    twx_buf_clear(&once);
    assert_ok(twx_settings_get(&f->cx, &f->s, "fuzzy.quant_rate", &once));
    assert_string_equal(once.p, "0.0125");
    twx_buf_clear(&once);
    assert_ok(twx_settings_get(&f->cx, &f->s, "exact.scope", &once));
    assert_string_equal(once.p, "host");
    assert_int_equal(twx_settings_get(&f->cx, &f->s, "no.such", &once), TWX_E_CONFIG);
    twx_ctx_clear(&f->cx);
    twx_buf_done(&once);
    twx_buf_done(&twice);
}

TESTS_OF(fixture, setup, teardown);
