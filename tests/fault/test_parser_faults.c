/* wings: import lab */
/* Every allocation of every parser fails once, and then from one on all of them, on the seeds of
 * its fuzz target: the parser ends with TWX_E_NOMEM and a message, or does without what it could
 * not allocate; a second parse without failures gives the same result as before; nothing leaks
 * (under asan). Commands are tested as a whole by test_alloc_faults. */
#include "support.h"

#include <dirent.h>

#include "import/import.h"
#include "lab/lab.h"
#include "search/search.h"

enum { ALL = 60 /* so many allocations fail one by one, later ones more and more rarely */ };

typedef twx_rc parse_fn(twx_ctx *cx, twx_slice in);

static twx_rc parse_html(twx_ctx *cx, twx_slice in) {
    twx_arena arena = {0};
    twx_url url;
    twx_html html;
    twx_html_init(&html, 1 << 20);
    html.keep_links = true;
    twx_rc rc = twx_url_normalize(cx, &arena, NULL, TWX_SLICE_LIT("https://a.example/b"), &url);
    if (rc == TWX_OK) rc = twx_html_parse(cx, in, (twx_slice){0}, &url, &html);
    twx_html_done(&html);
    twx_arena_done(&arena);
    return rc;
}

static twx_rc parse_page_values(twx_ctx *cx, twx_slice in) {
    const twx_page_argument arguments[TWX_PAGE_ARGUMENTS_MAX] = {{in, true}, {in, true}};
    twx_page_memo *memo = NULL;
    twx_rc rc = TWX_OK;
    const twx_page_function *f;
    for (size_t i = 0; rc == TWX_OK && (f = twx_page_function_at(i)); i++) {
        twx_buf out = {.max = 1 << 20};
        twx_page_kind kind = TWX_PAGE_NONE;
        const twx_page_call call = {&memo, arguments, f->most};
        rc = f->call(cx, f, &call, &out, &kind);
        twx_buf_done(&out);
    }
    twx_page_memo_close(memo);
    return rc;
}

static twx_rc parse_encoding(twx_ctx *cx, twx_slice in) {
    const size_t line = twx_slice_find(in, '\n', 0);
    twx_buf out = {.max = 1 << 24};
    twx_decoded decoded;
    twx_rc rc = twx_decode(cx, twx_slice_sub(in, line, in.n), twx_slice_sub(in, 0, line), true,
                           &out, &decoded);
    twx_buf_done(&out);
    return rc;
}

static twx_rc parse_packed(twx_ctx *cx, twx_slice in) {
    twx_buf out = {.max = 1 << 20};
    twx_unpacked how = TWX_UNPACK_NONE;
    const twx_coding coding = in.n ? (twx_coding)((unsigned char)in.p[0] % (TWX_CODING_ZSTD + 1))
                                   : TWX_CODING_ANY;
    twx_rc rc = twx_unpack(cx, twx_slice_sub(in, in.n > 0, in.n), coding, &out, &how);
    twx_buf_done(&out);
    return rc;
}

static twx_rc parse_http(twx_ctx *cx, twx_slice in) {
    twx_buf room = {.max = 1 << 20};
    twx_http http = {0};
    twx_buf_init(&http.robots, 1 << 12);
    twx_rc rc = twx_http_parse(cx, in, 1 << 20, &room, &http);
    twx_buf_done(&http.robots);
    twx_buf_done(&room);
    return rc;
}

static twx_rc parse_warc(twx_ctx *cx, twx_slice in) {
    twx_input *input = NULL;
    twx_warc *warc = NULL;
    twx_rc rc = twx_input_of_bytes(cx, "seed", in, &input);
    if (rc == TWX_OK) rc = twx_warc_open(cx, input, 1 << 16, &warc);
    while (rc == TWX_OK || (rc == TWX_E_DATA && cx->rc == TWX_OK)) {
        twx_warc_record r;
        const char *fault = NULL;
        rc = twx_warc_next(warc, &r, &fault);
    }
    twx_warc_close(warc);
    twx_input_close(input);
    return rc;
}

static twx_rc parse_items(twx_ctx *cx, twx_slice in) {
    twx_arena arena = {0};
    twx_items *items = NULL;
    twx_item item;
    twx_csv_header header;
    const char *fault = NULL;
    twx_rc rc = twx_items_open(cx, &items);
    if (rc == TWX_OK) rc = twx_items_of_json(items, in, &item, &fault);
    if (rc == TWX_OK || (rc == TWX_E_DATA && cx->rc == TWX_OK) || rc == TWX_DONE)
        rc = twx_csv_header_read(cx, &arena, TWX_SLICE_LIT("url,text,title,headings"), &header);
    if (rc == TWX_OK) rc = twx_items_of_row(items, &header, in, &item, &fault);
    twx_items_close(items);
    twx_arena_done(&arena);
    return rc;
}

static twx_rc parse_labels(twx_ctx *cx, twx_slice in) {
    const twx_url_options options = {0};
    twx_input *input = NULL;
    twx_eval_labels labels;
    twx_rc rc = twx_input_of_bytes(cx, "labels", in, &input);
    if (rc == TWX_OK) rc = twx_eval_labels_read(cx, &options, input, &labels);
    if (rc == TWX_OK) twx_eval_labels_done(&labels);
    twx_input_close(input);
    return rc;
}

static twx_rc parse_pins(twx_ctx *cx, twx_slice in) {
    const twx_url_options options = {.steps = 31};
    twx_pins *pins = NULL;
    twx_rc rc = twx_pins_parse(cx, &options, "pins", in, &pins);
    twx_pins_close(pins);
    return rc;
}

static twx_rc parse_settings(twx_ctx *cx, twx_slice in) {
    twx_settings settings;
    twx_rc rc = twx_settings_init(cx, &settings);
    if (rc == TWX_OK) rc = twx_settings_parse(cx, &settings, "/d/t.conf", in);
    twx_settings_done(&settings);
    return rc;
}

static twx_rc parse_rules(twx_ctx *cx, twx_slice in) {
    static const twx_rule_column COLUMNS[] = {{"title", 5}, {"text", 1}};
    static const twx_rule_field FIELD[] = {{"http_unique_b", TWX_RULE_BOOL, NULL},
                                           {"copycount_i", TWX_RULE_NUMBER, NULL},
                                           {"duplicate_of", TWX_RULE_ID, NULL}};
    static const twx_rule_fields FIELDS = {.at = FIELD, .n = 3, .columns = COLUMNS, .n_columns = 2};
    twx_rules *rules = NULL;
    twx_rule_sql sql = {0};
    twx_rc rc = twx_rules_parse(cx, "rules", in, &FIELDS, &rules);
    if (rc == TWX_OK) rc = twx_rule_sql_make(cx, "rules", rules, &sql);
    twx_rule_sql_done(&sql);
    twx_rules_close(rules);
    return rc;
}

static twx_rc parse_url_rules(twx_ctx *cx, twx_slice in) {
    twx_url_rules *rules = NULL;
    const size_t nul = twx_slice_find(in, '\0', 0);
    twx_rc rc = twx_url_rules_parse(cx, "rules", twx_slice_sub(in, 0, nul), &rules);
    twx_url_rules_close(rules);
    return rc;
}

/* A parser, and the folder of its seeds. */
static const struct {
    const char *seeds;
    parse_fn *parse;
} PARSERS[] = {{"fuzz_html", parse_html},
               {"fuzz_html_tokens", parse_html},
               {"fuzz_page_values", parse_page_values},
               {"fuzz_encoding", parse_encoding},
               {"fuzz_unpack", parse_packed},
               {"fuzz_http", parse_http},
               {"fuzz_warc", parse_warc},
               {"fuzz_item", parse_items},
               {"fuzz_eval_labels", parse_labels},
               {"fuzz_pins", parse_pins},
               {"fuzz_settings", parse_settings},
               {"fuzz_rules", parse_rules},
               {"fuzz_url_rules", parse_url_rules}};

static twx_rc plain(size_t parser, twx_slice in, char ret_message[TWX_MESSAGE_MAX]) {
    twx_ctx cx = {0};
    twx_rc rc = PARSERS[parser].parse(&cx, in);
    memcpy(ret_message, cx.message, TWX_MESSAGE_MAX);
    return rc;
}

/* true: the allocation was reached */
static bool fail_nth(size_t parser, twx_slice in, uint64_t nth, bool forever, twx_rc expected) {
    twx_faults faults = {.fail_at = nth, .forever = forever};
    twx_ctx cx = {0};
    cx.faults = &faults;
    twx_rc rc = PARSERS[parser].parse(&cx, in);
    const bool reached = atomic_load(&faults.count) >= nth;
    if (rc != TWX_E_NOMEM && rc != expected)
        fail_msg("%s, allocation %" PRIu64 ": ends with %s", PARSERS[parser].seeds, nth,
                 test_rc_name(rc));
    if (rc == TWX_E_NOMEM && (!cx.message[0] || cx.rc != TWX_E_NOMEM))
        fail_msg("%s, allocation %" PRIu64 ": no message", PARSERS[parser].seeds, nth);
    return reached;
}

static uint64_t fail_all(size_t parser, twx_slice in) {
    char message[TWX_MESSAGE_MAX], again[TWX_MESSAGE_MAX];
    const twx_rc expected = plain(parser, in, message);
    uint64_t failed = 0;
    for (int forever = 0; forever < 2; forever++)
        for (uint64_t nth = 1; fail_nth(parser, in, nth, forever, expected); nth += 1 + nth / ALL)
            failed++;
    assert_int_equal(plain(parser, in, again), expected);
    assert_string_equal(again, message);
    return failed;
}

static twx_slice read_seed(const char *folder, const char *name) {
    char path[4900];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    size_t n = 0;
    char *bytes = test_read_file(path, &n);
    return (twx_slice){bytes, n};
}

static uint64_t total;

static uint64_t fail_seeds(size_t parser, const char *path) {
    char folder[4400];
    uint64_t failed = 0;
    snprintf(folder, sizeof folder, "%s/%s", TWINDEX_SOURCE_DIR, path);
    DIR *d = opendir(folder);
    if (!d) fail_msg("%s: no seeds", folder);
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.') continue;
        const twx_slice in = read_seed(folder, e->d_name);
        failed += fail_all(parser, in);
        free((void *)(uintptr_t)in.p);
    }
    closedir(d);
    total += failed;
    return failed;
}

TEST(allocations_of_parsers_fail_one_after_the_other) {
    for (size_t i = 0; i < sizeof PARSERS / sizeof *PARSERS; i++) {
        char folder[256];
        snprintf(folder, sizeof folder, "tests/fuzz/seeds/%s", PARSERS[i].seeds);
        const uint64_t failed = fail_seeds(i, folder);
        print_message("%s: %" PRIu64 " allocations failed\n", PARSERS[i].seeds, failed);
        assert_true(failed > 0);
    }
}

TEST(allocations_of_whole_pages_fail_one_after_the_other) {
    const uint64_t failed = fail_seeds(0, "tests/golden/pages");
    print_message("pages: %" PRIu64 " allocations failed, %" PRIu64 " in all parsers\n", failed,
                  total);
    assert_true(failed > 100);
}
