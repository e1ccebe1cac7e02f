#include "support.h"

#include "base/base.h"

TEST(spellings) {
    static const struct {
        const char *text;
        int64_t status;
    } CASES[] = {{"200", 200},
                 {" 404\n", 404},
                 {"200 OK", 200},
                 {"200-OK", 200},
                 {"200: OK", 200},
                 {"200,", 200},
                 {"200.0", 200},
                 {"200.", 200},
                 {"HTTP/1.1 301 Moved", 301},
                 {"http/2 200", 200},
                 {"ok", 200},
                 {"OK", 200},
                 {"0", 0},
                 {"999999", 999999}};
    static const char *const OTHERS[] = {"1000000",   "",         "-200",        "200x",
                                         "200.0.1",   "HTTP/1.1", "HTTP/1.1 OK", "okay",
                                         "not found", "+200"};
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        int64_t status = -1;
        if (!twx_http_status(twx_slice_of(CASES[i].text), &status) || status != CASES[i].status)
            fail_msg("'%s'", CASES[i].text);
    }
    for (size_t i = 0; i < TWX_COUNTOF(OTHERS); i++) {
        int64_t status = -1;
        if (twx_http_status(twx_slice_of(OTHERS[i]), &status) || status != -1)
            fail_msg("'%s' is %" PRId64, OTHERS[i], status);
    }
}
