/* sign/name.c: which lines are names, and which say when and how a page was retrieved. */
#include "support.h"

#include "sign/sign.h"

TEST(lines_about_the_retrieval_are_no_names) {
    static const struct {
        const char *line;
        bool is;
    } ROWS[] = {
        {"Red wooden chair", true},
        {"Chapter 12", true},
        {"Version 1.2.3", true},
        {"ISO 8601-1", true},
        {"1-800-555", true},
        {"and/or", true},
        {"3/4", true},
        {"12.5.2 Overview", true},
        {"1-2-3456789", true},
        {"2020-05-171", true},
        {"2020-05- Notes", true},
        {"555-12-34 Road", true},
        {"17.05.20 Overview", true},
        {"2020-05", true},
        {"5:3", true},
        {"100:30", true},
        {"a\xC2\xA7 5", true},
        /* dates, times, prices, counters */
        {"2020-05-17", false},
        {"on 2020/5/7 at home", false},
        {"17.05.2020", false},
        {"17-5-2020", false},
        {"17/05/20", false},
        {"5/7/2020", false},
        {"at 10:30", false},
        {"9:05", false},
        {"$ 5", false},
        {"5 \xE2\x82\xAC", false},
        {"\xC2\xA3"
         "5",
         false},
        {"Visitors: 4711", false},
        {"4 replies", false},
        {"posted in March", false},
        {"Monday", false},
        /* no words */
        {"", false},
        {" -- ", false},
    };
    twx_ctx cx = {0};
    twx_tokens tokens;
    twx_tokens_init(&tokens);
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        uint32_t hash = 0;
        bool is = false;
        assert_int_equal(twx_name_line(&cx, &tokens, twx_slice_of(ROWS[i].line), &hash, &is),
                         TWX_OK);
        if (is != ROWS[i].is) fail_msg("'%s' is %s name", ROWS[i].line, is ? "a" : "no");
    }
    twx_tokens_done(&tokens);
}
