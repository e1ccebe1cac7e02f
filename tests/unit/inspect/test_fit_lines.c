/* Lines are cut at the width of the terminal, by columns and not by bytes. */
#include "support.h"

#include <string.h>

#include "inspect/inspect.h"

static char written[400];

#define URL "https://a.example/bc" /* where a text has @ */

static int keep(void *arg, const char *bytes, size_t n) {
    (void)arg;
    strncat(written, bytes, n);
    return 0;
}

/* A link is <URL>text<>. */
static int keep_link(void *arg, const char *url, size_t n) {
    return keep(arg, "<", 1) || keep(arg, url, n) || keep(arg, ">", 1);
}

static void expect(unsigned columns, twindex_format format, const char *text, const char *wanted) {
    twx_ctx cx;
    twx_fit_lines f;
    const twindex_sink sink = {.write = keep, .format = format, .columns = columns};
    const twx_out out = {&cx, &sink, keep_link, NULL};
    twx_ctx_init(&cx);
    written[0] = '\0';
    twx_fit_lines_init(&f, &out);
    for (size_t i = 0; text[i]; i++)
        if (text[i] == '@')
            assert_int_equal(twx_out_url(&f.out, twx_slice_of(URL), 0), TWX_OK);
        else
            assert_int_equal(twx_out_bytes(&f.out, (twx_slice){text + i, 1}), TWX_OK);
    assert_int_equal(twx_fit_lines_end(&f), TWX_OK);
    twx_fit_lines_done(&f);
    assert_string_equal(written, wanted);
}

#define TWENTY "12345678901234567890"

TEST(lines_are_cut_at_the_width) {
    expect(20, TWINDEX_TEXT, TWENTY "\n\n" TWENTY "1\nshort",
           TWENTY "\n\n1234567890123456789\xE2\x80\xA6\nshort");
    expect(20, TWINDEX_TEXT, "123456789012345678\xE6\x97\xA5\n123456789012345678\xE6\x97\xA5x\n",
           "123456789012345678\xE6\x97\xA5\n123456789012345678\xE2\x80\xA6\n"); /* two columns */
    expect(20, TWINDEX_TEXT, "e\xCC\x81" TWENTY "\n", "e\u0301123456789012345678\xE2\x80\xA6\n");
    expect(3, TWINDEX_TEXT, TWENTY "\n", TWENTY "\n"); /* no terminal is that narrow */
}

TEST(links_take_no_columns_and_lead_to_the_whole_url) {
    expect(26, TWINDEX_TEXT, "  @ @\n", "  <" URL ">" URL "<> <" URL ">ht<>\xE2\x80\xA6\n");
    expect(20, TWINDEX_TEXT, "See @, @\n", "See\n  <" URL ">https://a.example<>\xE2\x80\xA6\n");
    expect(24, TWINDEX_TEXT, "See @, @\n", "See\n  <" URL ">" URL "<>,\n  <" URL ">" URL "<>\n");
    expect(0, TWINDEX_TEXT, "@\n", "<" URL ">" URL "<>\n");
}

TEST(files_and_json_are_whole) {
    expect(0, TWINDEX_TEXT, TWENTY TWENTY "\nx", TWENTY TWENTY "\nx");
    expect(20, TWINDEX_JSON, TWENTY TWENTY "\nx", TWENTY TWENTY "\nx");
}
