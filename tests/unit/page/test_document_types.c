/* page/document_types.c: which responses are documents. What begins like HTML is decided as
 * browsers do it: the table of the MIME Sniffing standard, section 7.1. */
#include "support.h"

#include "page/page.h"

TEST(r1_lists_that_are_read) {
    static const struct {
        const char *types;
        bool good;
    } ROWS[] = {{"html", true},     {" HTML|xhtml,\tplain\nmarkdown ", true},
                {"text/csv", true}, {"text/*", true},
                {"htlm", false},    {"html pdf", false},
                {"", false},        {" ,| ", false}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        twx_ctx cx = {0};
        assert_int_equal(twx_document_types_check(&cx, ROWS[i].types),
                         ROWS[i].good ? TWX_OK : TWX_E_CONFIG);
    }
}

TEST(types_of_a_list) {
    static const struct {
        const char *types, *type, *body;
        twx_document_type content;
    } ROWS[] = {{"html", "text/html", "", TWX_TYPE_HTML},
                {"html", " Text/HTML ; charset=utf-8", "", TWX_TYPE_HTML},
                {"html", "text/html,text/html", "", TWX_TYPE_HTML},
                {"plain", "text/html", "<html>", TWX_TYPE_OTHER},
                {"plain", "text/plain", "", TWX_TYPE_PLAIN},
                {"text/*", "text/csv", "", TWX_TYPE_PLAIN},
                {"text/*", "text/html", "", TWX_TYPE_HTML},
                {"*", "text/csv", "", TWX_TYPE_OTHER},
                {"text/csv", "TEXT/CSV", "", TWX_TYPE_PLAIN},
                {"text/csv", "text/tab-separated-values", "", TWX_TYPE_OTHER},
                /* [R2] */
                {"html", "", "<!doctype html>", TWX_TYPE_HTML},
                {"html", "unknown/unknown", "<p>", TWX_TYPE_HTML},
                {"html", "Application/Unknown", "<p>", TWX_TYPE_HTML},
                {"html", "*/*", "<p>", TWX_TYPE_HTML},
                {"html", "*/*; q=1", "<p>", TWX_TYPE_HTML},
                {"html", "", "text", TWX_TYPE_OTHER},
                {"plain", "", "<p>", TWX_TYPE_OTHER}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        if (twx_document_type_of(ROWS[i].types, twx_slice_of(ROWS[i].type),
                                 twx_slice_of(ROWS[i].body)) != ROWS[i].content)
            fail_msg("list '%s', type '%s', body '%s'", ROWS[i].types, ROWS[i].type, ROWS[i].body);
}

TEST(what_is_packed) {
    static const struct {
        const char *bytes;
        twx_content content;
    } ROWS[] = {{"\x1f\x8b\x08page", TWX_CONTENT_PACKED},
                {"\x1f\x8b\x07page", TWX_CONTENT_PLAIN},
                {"\x28\xb5\x2f\xfdpage", TWX_CONTENT_PACKED},
                {"\x28\xb5\x2fpage", TWX_CONTENT_PLAIN},
                {"x\x01page", TWX_CONTENT_PACKED},
                {"x\x9cpage", TWX_CONTENT_PACKED},
                {"x\xdapage", TWX_CONTENT_PACKED},
                {"x\x9dpage", TWX_CONTENT_PLAIN},
                {"x page", TWX_CONTENT_PLAIN}, /* it would need a dictionary */
                {"x\x01pag", TWX_CONTENT_PLAIN}};
    for (size_t i = 0; i < TWX_COUNTOF(ROWS); i++)
        if (twx_looks_like(twx_slice_of(ROWS[i].bytes)) != ROWS[i].content) fail_msg("row %zu", i);
}

TEST(r2_what_begins_like_html) {
    static const char *const TAGS[] = {
        "!DOCTYPE HTML", "HTML", "HEAD",  "SCRIPT", "IFRAME", "H1",   "DIV", "FONT",
        "TABLE",         "A",    "STYLE", "TITLE",  "B",      "BODY", "BR",  "P"};
    static const struct {
        const char *text;
        bool is;
    } ROWS[] = {{"<!-- a comment", true},
                {"\xEF\xBB\xBF <p>", true},
                {" \t\r\n<p>", true},
                {"<p", true},
                {"<br/>", true},
                {"<a\nhref=x>", true},
                {"<abc>", false},
                {"<pq", false},
                {"<", false},
                {"", false},
                {"p>", false},
                {"<?xml version='1.0'?>", false},
                {"\xEF\xBB<p>", false}};
    for (size_t i = 0; i < sizeof TAGS / sizeof *TAGS; i++)
        for (int lower = 0; lower < 2; lower++)
            for (const char *after = "> "; *after; after++) {
                char text[40];
                size_t n = 0;
                text[n++] = '<';
                for (const char *c = TAGS[i]; *c; c++) text[n++] = lower ? twx_lower(*c) : *c;
                text[n++] = *after;
                if (!twx_looks_like_html((twx_slice){text, n}))
                    fail_msg("'%.*s' is HTML", (int)n, text);
            }
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        if (twx_looks_like_html(twx_slice_of(ROWS[i].text)) != ROWS[i].is)
            fail_msg("'%s'", ROWS[i].text);
}
