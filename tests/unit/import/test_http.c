/* import/extract.c: heads and bodies of responses as archives keep them. */
#include "support.h"

#include "import/import.h"

enum { MAX_BODY = 100, MAX_ROBOTS = 40 };

static twx_ctx cx;
static twx_buf room;
static twx_http http;

static void begin(void) {
    http = (twx_http){.robots = {.max = MAX_ROBOTS}};
}

static void parse(const char *response) {
    assert_ok(twx_http_parse(&cx, twx_slice_of(response), MAX_BODY, &room, &http));
}

static void end(void) {
    twx_buf_done(&room);
    twx_buf_done(&http.robots);
}

static void expect(twx_slice got, const char *wanted, const char *response) {
    if (!twx_slice_eq(got, twx_slice_of(wanted)))
        fail_msg("'%s': '%.*s', wanted '%s'", response, (int)got.n, got.n ? got.p : "", wanted);
}

/* ---- heads ------------------------------------------------------------- */

TEST(r1_heads_of_real_archives) {
    static const struct {
        const char *response;
        int status;
        const char *body;
    } ROWS[] = {
        {"HTTP/1.1 404 Not Found\r\nA: b\r\n\r\nbody", 404, "body"},
        {"HTTP/1.0 301\n\nbody", 301, "body"},
        {"http/2 204\r\r\n\r\r\nbody", 204, "body"},
        {"ICY 200 OK\r\n\r\nbody", 200, "body"},
        {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\n\r\nHTTP/1.1 500 x\r\n\r\nbody", 500,
         "body"},
        {"HTTP/1.1 100 Continue\r\n\r\nbody", 100, "body"},
        {"HTTP/1.1 200 OK\r\nno colon\r\n: no name\r\n\r\n", 200, ""},
        {"HTTP/1.1 200 OK", 200, ""},
        {"HTTP/1.1 20", 200, "HTTP/1.1 20"},
        {"HTTP/1.1 2x0 OK\r\n\r\n", 200, "HTTP/1.1 2x0 OK\r\n\r\n"},
        {"SIP/2.0 200 OK\r\n\r\n", 200, "SIP/2.0 200 OK\r\n\r\n"},
        {"<p>no head</p>", 200, "<p>no head</p>"},
        {"", 200, ""}};
    for (size_t i = 0; i < TWX_COUNTOF(ROWS); i++) {
        parse(ROWS[i].response);
        assert_int_equal(http.status, ROWS[i].status);
        assert_null(http.fault);
        expect(http.body, ROWS[i].body, ROWS[i].response);
    }
}

/* A server that only ever promises an answer. */
TEST(r1_heads_have_an_end) {
    enum { HEADS = 1000 };
    static const char HEAD[] = "HTTP/1.1 100 Continue\r\n\r\n";
    char *response = malloc(HEADS * sizeof HEAD);
    response[0] = '\0';
    for (size_t i = 0, n = 0; i < HEADS; i++, n += sizeof HEAD - 1)
        memcpy(response + n, HEAD, sizeof HEAD);
    parse(response);
    assert_int_equal(http.status, 100);
    assert_true(http.too_long);
    free(response);
}

TEST(the_type_and_its_charset) {
    static const struct {
        const char *value, *type, *charset;
    } ROWS[] = {{"text/html", "text/html", ""},
                {"text/html; charset=utf-8", "text/html", "utf-8"},
                {"text/html;level=1 ; Charset = \"utf-8\" ", "text/html", "utf-8"},
                {"text/html; charset='koi8-r'", "text/html", "koi8-r"},
                {"text/html; charset=\"utf-8", "text/html", "\"utf-8"},
                {"text/html; charset='utf-8\"", "text/html", "'utf-8\""},
                {"text/html; charset=\"", "text/html", "\""},
                {"text/html; charset", "text/html", ""},
                {"text/html; charset=", "text/html", ""},
                {";charset=x", "", "x"},
                {"", "", ""}};
    for (size_t i = 0; i < TWX_COUNTOF(ROWS); i++) {
        char response[200];
        snprintf(response, sizeof response, "HTTP/1.1 200 OK\r\ncontent-TYPE: %s\r\n\r\n",
                 ROWS[i].value);
        parse(response);
        expect(http.content_type, ROWS[i].type, response);
        expect(http.charset, ROWS[i].charset, response);
    }
}

TEST(robots_for_all_agents_are_joined) {
    static const struct {
        const char *headers, *robots;
    } ROWS[] = {
        {"X-Robots-Tag: noindex\r\nx-robots-tag: nofollow\r\n", "noindex, nofollow"},
        {"X-Robots-Tag: googlebot: noindex\r\n", ""},
        {"X-Robots-Tag: googlebot: noindex\r\nX-Robots-Tag: none\r\n", "none"},
        {"X-Robots-Tag: max-snippet: 5, noindex\r\n", "max-snippet: 5, noindex"},
        {"X-Robots-Tag: Unavailable_After: 1 Jan 2027\r\n", "Unavailable_After: 1 Jan 2027"},
        {"X-Robots-Tag: noindex, max-image-preview: large\r\n",
         "noindex, max-image-preview: large"},
        {"X-Robots-Tag: max-video-preview:-1\r\n", "max-video-preview:-1"},
        {"X-Robots-Tag:\r\n", ""},
        {"X-Robots-Tag: noindex\r\nX-Robots-Tag: 0123456789012345678901234567890123456789\r\n",
         "noindex"}};
    for (size_t i = 0; i < TWX_COUNTOF(ROWS); i++) {
        char response[300];
        snprintf(response, sizeof response, "HTTP/1.1 200 OK\r\n%s\r\n", ROWS[i].headers);
        parse(response);
        expect(twx_buf_slice(&http.robots), ROWS[i].robots, response);
    }
}

/* ---- bodies ------------------------------------------------------------ */

TEST(chunks_are_joined) {
    static const struct {
        const char *chunked, *body;
        bool fault, too_long;
    } ROWS[] = {
        {"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "abcde", false, false},
        {"3;name=value\nabc\n0\n\n", "abc", false, false},
        {"A\r\n0123456789\r\n0\r\n", "0123456789", false, false},
        {"3\r\nabc\r\n0\r\nTrailer: x\r\n\r\n", "abc", false, false},
        {"0\r\n\r\n", "", false, false},
        {"3\r\nab", "ab", true, false},
        {"3\r\nabc", "abc", true, false},
        {"3\r\nabc\r\n", "abc", true, false},
        {"3\r\nabcd\r\n0\r\n\r\n", "abc", true, false},
        {"3\r\nabc\r\nx\r\n", "abc", true, false},
        {"3\r\nabc\r\n123456789\r\nx", "abc", true, false},
        {"60\r\n01234567890123456789012345678901234567890123456789012345678901234567890123456789012"
         "3456789012345\r\n"
         "5\r\nabcde\r\n0\r\n\r\n",
         "01234567890123456789012345678901234567890123456789012345678901234567890123456789012345678"
         "9012345",
         false, true},
        /* not chunked any more */
        {"<p>abc</p>", "<p>abc</p>", false, false},
        {";3\r\nabc", ";3\r\nabc", false, false},
        {"0000000000000000000000000000000000000000000000000000000000000000003\r\nabc",
         "0000000000000000000000000000000000000000000000000000000000000000003\r\nabc", false,
         false},
        {"", "", false, false}};
    for (size_t i = 0; i < TWX_COUNTOF(ROWS); i++) {
        char response[500];
        snprintf(response, sizeof response,
                 "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n%s", ROWS[i].chunked);
        parse(response);
        expect(http.body, ROWS[i].body, response);
        assert_int_equal(http.fault != NULL, ROWS[i].fault);
        assert_int_equal(http.too_long, ROWS[i].too_long);
    }
}

TEST(a_body_that_is_not_packed_is_used_as_it_is) {
    static const struct {
        const char *coding;
        bool fault;
    } ROWS[] = {
        {"identity", false}, {"IDENTITY", false}, {"", false}, {"gzip", false}, {"sdch", true}};
    for (size_t i = 0; i < TWX_COUNTOF(ROWS); i++)
        for (int chunked = 0; chunked < 2; chunked++) {
            char response[200];
            snprintf(response, sizeof response, "HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\n%s",
                     ROWS[i].coding,
                     chunked ? "Transfer-Encoding: chunked\r\n\r\n5\r\nplain\r\n0\r\n\r\n"
                             : "\r\nplain");
            parse(response);
            expect(http.body, "plain", response);
            assert_int_equal(http.fault != NULL, ROWS[i].fault);
            assert_false(http.too_long);
        }
}

TESTS_WITH(begin, end);
