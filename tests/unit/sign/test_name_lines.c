/* sign/name.c: which lines are names, and which say when and how a page was retrieved. */
#include "support.h"

#include "sign/sign.h"

TEST(lines_about_the_retrieval_are_no_names) {
    /* clang-format off */
    static const char *const NAMES[] = {
        "Red wooden chair", "Chapter 12", "Version 1.2.3", "ISO 8601-1", "1-800-555", "and/or",
        "3/4", "12.5.2 Overview", "1-2-3456789", "2020-05-171", "2020-05- Notes", "555-12-34 Road",
        "17.05.20 Overview", "2020-05", "5:3", "100:30", "a\u00a7 5"};
    /* dates, times, prices, counters, and no words */
    static const char *const OTHERS[] = {
        "2020-05-17", "on 2020/5/7 at home", "17.05.2020", "17-5-2020", "17/05/20", "5/7/2020",
        "at 10:30", "9:05", "$ 5", "5 \u20ac", "Visitors: 4711", "4 replies", ".2 Sekunden",
        "posted in March", "Monday", "", " -- "};
    /* clang-format on */
    twx_ctx cx = {0};
    twx_tokens tokens;
    twx_tokens_init(&tokens);
    for (size_t i = 0; i < TWX_COUNTOF(NAMES) + TWX_COUNTOF(OTHERS); i++) {
        const bool wanted = i < TWX_COUNTOF(NAMES);
        const char *line = wanted ? NAMES[i] : OTHERS[i - TWX_COUNTOF(NAMES)];
        uint32_t hash = 0;
        bool is = false;
        assert_ok(twx_name_line(&cx, &tokens, twx_slice_of(line), &hash, &is));
        if (is != wanted) fail_msg("'%s' is %s name", line, is ? "a" : "no");
    }
    twx_tokens_done(&tokens);
}
