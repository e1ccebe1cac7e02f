/* Files of rules: what is wrong is told with line and column; what is right is a tree. */
#include "support.h"

#include "rule_scheme.h"

static const twx_rule_fields FIELDS = {
    .at = FIELD, .n = TWX_COUNTOF(FIELD), .columns = COLUMNS, .n_columns = 2};

static twx_rules *parse(const char *text) {
    twx_ctx cx = {0};
    twx_rules *rules = NULL;
    if (twx_rules_parse(&cx, "x", twx_slice_of(text), &FIELDS, &rules) != TWX_OK)
        fail_msg("%s\n%s", cx.message, text);
    return rules;
}

static void expect_refused(twx_slice text, const char *message) {
    twx_ctx cx = {0};
    twx_rules *rules = NULL;
    assert_int_equal(twx_rules_parse(&cx, "x", text, &FIELDS, &rules), TWX_E_CONFIG);
    assert_null(rules);
    if (strcmp(cx.message, message) != 0)
        fail_msg(TWX_SLICE_FMT "\n  says   %s\n  wanted %s", TWX_SLICE_ARG(text), cx.message,
                 message);
}

TEST(r5_errors_have_line_and_column) {
    static const struct {
        const char *text, *message;
    } CASES[] = {
        {"http_unique_b:true",
         "x:1:1: a section must come first: [boost] [filter] [function] [fields] or [numbers]"},
        {"[numbers] a 1\nb 2\n[boost] *:*^$bb", "x:3:13: no number 'bb'; did you mean b?"},
        {"[boost] *:*^$b", "x:1:13: no number 'b': [numbers] has to come first"},
        {"[boost] *:*^$", "x:1:13: the name of a number follows '$'"},
        {"[numbers] a", "x:1:12: a number is missing before the end of the line"},
        {"[numbers] a 1 b 2", "x:1:15: the end of the line is expected here, not 'b'"},
        {"[numbers] a 1\na 2", "x:2:1: this number is defined twice"},
        {"[numbers] 2a 1", "x:1:11: the name of a number has letters, digits and '_', and does not "
                           "begin with a digit"},
        {"[numbers] \xC3\xA4 1",
         "x:1:11: the name of a number has letters, digits and '_', and does not begin with a "
         "digit"},
        {"[numbers] \"a\" 1", "x:1:11: the name of a number is expected here, not '\"a\"'"},
        {"[filter] copycount_i:1*",
         "x:1:22: there are no wildcards: field:* asks whether it has a value"},
        {"[filter] copycount_i:?",
         "x:1:22: there are no wildcards: field:* asks whether it has a value"},
        {"[filter] copycount_i:-", "x:1:23: a value is missing before the end of the line"},
        {"[filter] http_unique_b:-true", "x:1:25: http_unique_b is true or false"},
        {"[filter] http_unique_b:\"-1\"", "x:1:24: http_unique_b is true or false"},
        {"[numbers] a 1\n[filter] copycount_i:$a", "x:2:22: a value is expected here, not '$a'"},
        {"[bost]", "x:1:1: no section 'bost'; did you mean boost?"},
        {"# c\n  [filter", "x:2:10: a section ends with ']'"},
        {"[filter] http_uniqe_b:true",
         "x:1:10: no field 'http_uniqe_b'; did you mean http_unique_b?"},
        {"[filter] telepathy:true", "x:1:10: no field 'telepathy'"},
        {"[filter]\n\xC3\xA4\xC3\xB6:1", "x:2:1: no field '\xC3\xA4\xC3\xB6'"},
        {"[filter] \"\xC3\xA4\" x",
         "x:1:10: a clause, field:value, is expected here, not '\"\xC3\xA4\"'"},
        {"[filter] duplicate_type:\"\xC3\xA4\xC3\xA4\" <",
         "x:1:25: no duplicate_type '\xC3\xA4\xC3\xA4'"},
        {"[filter] http_unique_b",
         "x:1:23: ':' after the field is missing before the end of the line"},
        {"[filter] http_unique_b:", "x:1:24: a value is missing before the end of the line"},
        {"[filter] http_unique_b:yes", "x:1:24: http_unique_b is true or false"},
        {"[filter] http_unique_b:2", "x:1:24: http_unique_b is true or false"},
        {"[filter] copycount_i:many", "x:1:22: copycount_i is a whole number of 64 bits"},
        {"[filter] copycount_i:9223372036854775808",
         "x:1:22: copycount_i is a whole number of 64 bits"},
        {"[filter] copycount_i:1.5", "x:1:22: copycount_i is a whole number of 64 bits"},
        {"[filter] http_unique_b:t*",
         "x:1:24: there are no wildcards: field:* asks whether it has a value"},
        {"[filter] duplicate_type:full-layot",
         "x:1:25: no duplicate_type 'full-layot'; did you mean full-layout?"},
        {"[filter] duplicate_type:[a TO b]",
         "x:1:25: duplicate_type has no order: there are no ranges of it"},
        {"[filter] duplicate_of:5",
         "x:1:23: duplicate_of holds ids: only duplicate_of:* is possible"},
        {"[filter] copycount_i:[1 2]", "x:1:25: TO is expected here, not '2'"},
        {"[filter] copycount_i:[1 TO 2",
         "x:1:29: ']' or '}' is missing before the end of the line"},
        {"[filter] copycount_i:[3 TO 2]",
         "x:1:22: this range is empty: its end is below its beginning"},
        {"[filter] copycount_i:>3", "x:1:22: '>' is not supported: a range is field:{a TO *]"},
        {"[filter] (copycount_i:1", "x:1:10: this '(' is not closed before the end of the line"},
        {"[filter] copycount_i:1)", "x:1:23: ')' without '('"},
        {"[filter] ()", "x:1:11: a clause is expected here, not ')'"},
        {"[filter] copycount_i:1 AND", "x:1:27: a clause is missing before the end of the line"},
        {"[filter] OR copycount_i:1", "x:1:10: a clause, field:value, is expected here, not 'OR'"},
        {"[filter] copycount_i:1 AND OR copycount_i:2",
         "x:1:28: a clause, field:value, is expected here, not 'OR'"},
        {"[filter] +copycount_i:1 OR copycount_i:2",
         "x:1:10: '+' beside OR: put the alternatives in parentheses, +(a OR b)"},
        {"[filter] 5", "x:1:10: a clause is field:value"},
        {"[filter] *:5", "x:1:12: '*' (everything is *:*) is expected here, not '5'"},
        {"[filter] copycount_i:\"1", "x:1:22: the quotes are not closed"},
        {"[filter] copycount_i:\"\\n\"", "x:1:23: in quotes only \\\" and \\\\ are known"},
        {"[filter] a & b", "x:1:12: AND is written AND or &&"},
        {"[filter] copycount_i:1~", "x:1:23: '~' is not supported: flags have no similar values"},
        {"[filter] copycount_i:1;", "x:1:23: ';' is not expected here"},
        {"[boost] copycount_i:1^", "x:1:23: a weight is missing before the end of the line"},
        {"[boost] copycount_i:1^x", "x:1:23: a weight is expected here, not 'x'"},
        {"[boost] copycount_i:1^1e99", "x:1:23: a weight is expected here, not '1e99'"},
        {"[boost] copycount_i:1\x01", "x:1:22: a control character"},
        {"[boost] copycount_i:1 \xFF", "x:1:23: this is not UTF-8"},
        {"[function] lg(1)", "x:1:12: no function 'lg'; did you mean log?"},
        {"[function] div(1)", "x:1:12: 1 arguments: it is called as div(x,y)"},
        {"[function] map(1,2,3)",
         "x:1:12: 3 arguments: it is called as map(x,min,max,target[,default])"},
        {"[function] sum(1,)", "x:1:18: a number, a field or a function is expected here, not ')'"},
        {"[function] sum(1", "x:1:17: ',' or ')' is missing before the end of the line"},
        {"[function] sum(1 2)", "x:1:18: ',' or ')' is expected here, not '2'"},
        {"[function] sum()", "x:1:16: a number, a field or a function is expected here, not ')'"},
        {"[function] log(duplicate_type)",
         "x:1:12: duplicate_type holds no numbers: only exists(duplicate_type) is possible"},
        {"[function] duplicate_of",
         "x:1:12: duplicate_of holds no numbers: only exists(duplicate_of) is possible"},
        {"[function] scale(copycount_i,copycount_i,1)",
         "x:1:12: the ends of scale(x,min,max) must be numbers"},
        {"[function] scale(sum(scale(copycount_i,0,1),1),0,1)",
         "x:1:12: scale depends on the whole result, so it cannot stand inside another scale"},
        {"[function] copycount_i^=2", "x:1:23: '^' is expected here, not '^='"},
        {"[fields] titel^3", "x:1:10: no column of the text index 'titel'; did you mean title?"},
        {"[fields] title^-1", "x:1:10: the weight of a column is ^number, 0 or more"},
        {"[filter] ((((((((((((( copycount_i:1", "x:1:22: parentheses are nested deeper than 12"},
        {"[function] abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(1",
         "x:1:64: parentheses are nested deeper than 12"},
    };
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++)
        expect_refused(twx_slice_of(CASES[i].text), CASES[i].message);
}

static void expect_texts(twx_rule_list list, const char *const *texts, size_t n) {
    assert_int_equal(list.n, n);
    for (size_t i = 0; i < n; i++)
        if (!twx_slice_eq(list.at[i].text, twx_slice_of(texts[i])))
            fail_msg("'%.*s', wanted '%s'", (int)list.at[i].text.n, list.at[i].text.p, texts[i]);
}

TEST(the_example_of_the_design_is_understood) {
    static const char *const BOOSTS[] = {"www_unique_b:true^10", "http_unique_b:true^2"},
                             *const FILTERS[] = {"http_unique_b:true AND www_unique_b:true"},
                             *const FUNCTIONS[] = {"recip(copycount_i,1,1,1)"};
    twx_rules *r = parse(
        "[boost]     www_unique_b:true^10  http_unique_b:true^2      # boost queries\n"
        "[filter]    http_unique_b:true AND www_unique_b:true         # filter query\r\n"
        "[function]  recip(copycount_i,1,1,1)                         # boost function\n"
        "[fields]    title^3 text^1");
    expect_texts(twx_rules_boosts(r), BOOSTS, 2);
    expect_texts(twx_rules_filters(r), FILTERS, 1);
    expect_texts(twx_rules_functions(r), FUNCTIONS, 1);
    assert_true(twx_rules_column(r, 0) == 3 && twx_rules_column(r, 1) == 1);
    assert_int_equal(twx_rules_filters(r).at[0].line, 2);
    twx_rules_close(r);
}

TEST(sections_have_several_lines_and_may_come_again) {
    static const char *const BOOSTS[] = {"(http_unique_b:1 www_unique_b:0)^2",
                                         "+http_unique_b:1 www_unique_b:0", "*:*^=3"},
                             *const FUNCTIONS[] = {"copycount_i^2", "-1.5", "log( copycount_i )"};
    twx_rules *r = parse("\xEF\xBB\xBF\n[ boost ]\n\n(http_unique_b:1 "
                         "www_unique_b:0)^2\n[function]copycount_i^2 -1.5 log( copycount_i )\n"
                         "[boost]\n+http_unique_b:1 www_unique_b:0\n\t*:*^=3");
    expect_texts(twx_rules_boosts(r), BOOSTS, 3);
    expect_texts(twx_rules_functions(r), FUNCTIONS, 3);
    twx_rules_close(r);
}

TEST(columns_that_are_not_named_count_nothing) {
    twx_rules *none = parse(""), *one = parse("[fields] text"),
              *two = parse("[fields]\ntext^0\ntitle^2.5");
    assert_true(twx_rules_column(none, 0) == 5 && twx_rules_column(none, 1) == 1);
    assert_true(twx_rules_column(one, 0) == 0 && twx_rules_column(one, 1) == 1);
    assert_true(twx_rules_column(two, 0) == 2.5 && twx_rules_column(two, 1) == 0);
    twx_rules_close(none);
    twx_rules_close(one);
    twx_rules_close(two);
}

static double weight_of(const twx_rules *r, size_t boost) {
    size_t n = 0;
    return twx_rules_nodes(r, &n)[twx_rules_boosts(r).at[boost].root].weight;
}

TEST(r7_names_stand_for_numbers) {
    static const char TEXT[] = "[numbers] low 0.5\n high -3e2 # a comment\n[boost] *:*^$low "
                               "*:*^$high *:*^-$high\n[function] sum($low,-$low)^$high\n"
                               "[fields] title^$low";
    const twx_rule_number other[] = {{"high", 7}}, unknown[] = {{"hig", 7}};
    twx_rule_fields fields = FIELDS;
    twx_rules *r = parse(TEXT);
    twx_ctx cx = {0};
    size_t n = 0;
    assert_true(weight_of(r, 0) == 0.5 && weight_of(r, 1) == -300 && weight_of(r, 2) == 300);
    assert_true(twx_rules_column(r, 0) == 0.5);
    assert_true(twx_rules_numbers(r, &n)[1].value == -300 && n == 2);
    twx_rules_close(r);
    fields.numbers = other;
    fields.n_numbers = 1;
    assert_int_equal(twx_rules_parse(&cx, "x", twx_slice_of(TEXT), &fields, &r), TWX_OK);
    assert_true(weight_of(r, 0) == 0.5 && weight_of(r, 1) == 7 && weight_of(r, 2) == -7);
    twx_rules_close(r);
    fields.numbers = unknown;
    assert_int_equal(twx_rules_parse(&cx, "x", twx_slice_of(TEXT), &fields, &r), TWX_E_CONFIG);
    assert_string_equal(cx.message, "x: there is no number 'hig' in [numbers]; did you mean high?");
}

/* "[boost] *:*   *:*   ...": so many clauses, of six characters each. */
static twx_slice clauses(const char *section, size_t n) {
    static char text[TWX_RULES_BYTES + 2];
    const size_t begin = strlen(section);
    memcpy(text, section, begin);
    for (size_t i = 0; i < n; i++) memcpy(text + begin + i * 6, "*:*   ", 6);
    return (twx_slice){text, begin + n * 6};
}

TEST(r6_limits_are_told) {
    static char blanks[TWX_RULES_BYTES + 1];
    memset(blanks, ' ', sizeof blanks);
    expect_refused((twx_slice){blanks, sizeof blanks}, "x: longer than 256 KiB");
    expect_refused(clauses("[boost] ", TWX_RULES_PARTS + 1),
                   "x:1:399: at most 64 of a kind are allowed");
    expect_refused(clauses("[filter] ", TWX_RULES_NODES + 1),
                   "x:1:12016: too many rules: at most 2000 clauses and arguments are allowed");
}

TEST(integers_can_be_quoted) {
    static const struct {
        const char *text;
        int64_t low;
    } CASES[] = {{"copycount_i:-5", -5},        {"copycount_i:\"-5\"", -5},
                 {"copycount_i:\"7\"", 7},      {"http_unique_b:TRUE", 1},
                 {"http_unique_b:\"True\"", 1}, {"http_unique_b:False", 0},
                 {"http_unique_b:0", 0}};
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        char text[80];
        size_t n = 0;
        snprintf(text, sizeof text, "[filter] %s", CASES[i].text);
        twx_rules *r = parse(text);
        const twx_rule_node *node = &twx_rules_nodes(r, &n)[twx_rules_filters(r).at[0].root];
        if (node->low != CASES[i].low) fail_msg("%s: %" PRId64, text, node->low);
        twx_rules_close(r);
    }
}

TEST(r7_there_are_at_most_64_numbers) {
    char text[20 * (TWX_RULES_NUMBERS + 1) + 20] = "[numbers]\n", line[32];
    for (int i = 0; i < TWX_RULES_NUMBERS; i++) {
        snprintf(line, sizeof line, "n_%d %d\n", i, i);
        strcat(text, line);
    }
    twx_rules_close(parse(text));
    strcat(text, "more 1\n");
    expect_refused(twx_slice_of(text), "x:66:1: at most 64 numbers are allowed");
}
