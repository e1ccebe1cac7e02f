#include "support.h"

#include "base/base.h"

TEST(spellings) {
    static const struct {
        const char *text;
        int64_t status; /* -1: none */
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
                 {"999999", 999999},
                 {"1000000", -1},
                 {"", -1},
                 {"-200", -1},
                 {"200x", -1},
                 {"200.0.1", -1},
                 {"HTTP/1.1", -1},
                 {"HTTP/1.1 OK", -1},
                 {"okay", -1},
                 {"not found", -1},
                 {"+200", -1}};
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        int64_t status = -1;
        const bool is = twx_http_status(twx_slice_of(CASES[i].text), &status);
        if (status != CASES[i].status || is != (status >= 0)) fail_msg("'%s'", CASES[i].text);
    }
}
