/* encoding: what the bytes of each legacy encoding mean, at the borders of its ranges and where
 * it is broken. The expected texts are those of Chromium's TextDecoder; the two-character codes of
 * Big5, in which it deviates from the Encoding Standard, are those of Python's big5hkscs. */
#include "support.h"

#include "page/page.h"

/* clang-format off */
static const struct {
    const char *label, *hex, *text;
} VECTORS[] = {
    {"big5", "8862886488a388a5", "\u00CA\u0304\u00CA\u030C\u00EA\u0304\u00EA\u030C"},
    {"big5", "a4a4a4e5", "中文"},
    {"big5", "8740", "䏰"},
    {"big5", "fefe", "秔"},
    {"big5", "80", "\uFFFD"},
    {"big5", "ff41", "\uFFFDA"},
    {"big5", "a4", "\uFFFD"},
    {"big5", "a430", "\uFFFD0"},
    {"big5", "a4ff", "\uFFFD"},
    {"big5", "8130", "\uFFFD0"},
    {"euc-kr", "b0a1c7d1", "가한"},
    {"euc-kr", "8141", "갂"},
    {"euc-kr", "80", "\uFFFD"},
    {"euc-kr", "ff", "\uFFFD"},
    {"euc-kr", "b0", "\uFFFD"},
    {"euc-kr", "b020", "\uFFFD "},
    {"euc-kr", "fe41", "\uFFFDA"},
    {"euc-kr", "b0ff", "\uFFFD"},
    {"euc-kr", "ffa1", "\uFFFD\uFFFD"},
    {"iso-2022-jp", "1b2442467c1b2842", "日"},
    {"iso-2022-jp", "1b2849315f607e20", "\uFF71\uFF9F\uFFFD\uFFFD\uFFFD"},
    {"iso-2022-jp", "1b284a5c7e41", "\u00A5\u203EA"},
    {"iso-2022-jp", "0e410f80", "\uFFFDA\uFFFD\uFFFD"},
    {"iso-2022-jp", "1b244246", "\uFFFD"},
    {"iso-2022-jp", "1b2442ff46", "\uFFFD\uFFFD"},
    {"iso-2022-jp", "1b24424680", "\uFFFD"},
    {"iso-2022-jp", "1b2442461b2842", "\uFFFD"},
    {"iso-2022-jp", "1b41", "\uFFFDA"},
    {"iso-2022-jp", "1b28421b284241", "\uFFFDA"},
    {"iso-2022-jp", "1b", "\uFFFD"},
    {"iso-2022-jp", "1b2440467c", "日"},
    {"euc-jp", "8fb0a18eb1c6fc", "丂\uFF71日"},
    {"euc-jp", "8e", "\uFFFD"},
    {"euc-jp", "8fb0", "\uFFFD"},
    {"euc-jp", "8fb020", "\uFFFD "},
    {"euc-jp", "8fa041", "\uFFFDA"},
    {"euc-jp", "8fff41", "\uFFFDA"},
    {"euc-jp", "8fb0ff", "\uFFFD"},
    {"euc-jp", "a1ff", "\uFFFD"},
    {"euc-jp", "a0", "\uFFFD"},
    {"euc-jp", "8eff", "\uFFFD"},
    {"euc-jp", "a120", "\uFFFD "},
    {"euc-jp", "ffff", "\uFFFD\uFFFD"},
    {"euc-jp", "8fa120", "\uFFFD "},
    {"euc-jp", "c6", "\uFFFD"},
    {"gb18030", "80", "\u20AC"},
    {"gb18030", "ff", "\uFFFD"},
    {"gb18030", "81308130c4e3", "\xC2\x80\xE4\xBD\xA0"},
    {"gb18030", "90308130", "\U00010000"},
    {"gb18030", "e3329a35", "\U0010FFFF"},
    {"gb18030", "e3329a36", "\uFFFD"},
    {"gb18030", "8431a530", "\uFFFD"},
    {"gb18030", "81", "\uFFFD"},
    {"gb18030", "817f", "\xEF\xBF\xBD\x7F"},
    {"gb18030", "81ff", "\uFFFD"},
    {"gb18030", "8130", "\uFFFD"},
    {"gb18030", "81308041", "\uFFFD0\u20ACA"},
    {"gb18030", "813081ff", "\uFFFD0\uFFFD"},
    {"gb18030", "8130ff30", "\uFFFD0\uFFFD0"},
    {"gb18030", "8135f437", "\uE7C7"},
    {"shift_jis", "93fab1", "日\uFF71"},
    {"shift_jis", "f040", "\uE000"},
    {"shift_jis", "80", "\xC2\x80"},
    {"shift_jis", "a0", "\uFFFD"},
    {"shift_jis", "fd", "\uFFFD"},
    {"shift_jis", "93", "\uFFFD"},
    {"shift_jis", "9320", "\uFFFD "},
    {"shift_jis", "81ad", "\uFFFD"},
    {"shift_jis", "fcfc", "\uFFFD"},
    {"utf-16le", "3dd800de", "\U0001F600"},
    {"utf-16le", "3dd84100", "\uFFFDA"},
    {"utf-16le", "00de", "\uFFFD"},
    {"utf-16le", "3dd8", "\uFFFD"},
    {"utf-16le", "410042", "A\uFFFD"},
    {"utf-16be", "d83dde00", "\U0001F600"},
    {"utf-16le", "3dd83dd800de", "\uFFFD\U0001F600"},
    {"utf-16le", "3dd800e0", "\uFFFD\uE000"},
    {"x-user-defined", "4180ff", "A\uF780\uF7FF"},
    {"windows-1252", "8081", "\xE2\x82\xAC\xC2\x81"},
    {"koi8-r", "c0d2cf", "\u044E\u0440\u043E"},
};
/* clang-format on */

static size_t bytes_of(const char *hex, char *ret_bytes) {
    size_t n = 0;
    for (; hex[0]; hex += 2) {
        unsigned byte = 0;
        assert_int_equal(sscanf(hex, "%2x", &byte), 1);
        ret_bytes[n++] = (char)byte;
    }
    return n;
}

TEST(bytes_of_legacy_encodings_mean_what_a_browser_makes_of_them) {
    for (size_t i = 0; i < sizeof VECTORS / sizeof *VECTORS; i++) {
        char bytes[64];
        twx_ctx cx = {0};
        twx_buf room = {.max = 1 << 16};
        twx_decoded decoded;
        const twx_slice in = {bytes, bytes_of(VECTORS[i].hex, bytes)};
        assert_ok(twx_decode(&cx, in, twx_slice_of(VECTORS[i].label), false, &room, &decoded));
        if (!twx_slice_eq(decoded.text, twx_slice_of(VECTORS[i].text)))
            fail_msg("%s %s: '%.*s', wanted '%s'", VECTORS[i].label, VECTORS[i].hex,
                     (int)decoded.text.n, decoded.text.p, VECTORS[i].text);
        twx_buf_done(&room);
    }
}

/* "replacement" stands for encodings that are unsafe to read: all of the page is one U+FFFD. */
TEST(an_unsafe_encoding_gives_one_replacement) {
    twx_ctx cx = {0};
    twx_buf room = {.max = 1 << 16};
    twx_decoded decoded;
    assert_ok(
        twx_decode(&cx, TWX_SLICE_LIT("abc"), TWX_SLICE_LIT("iso-2022-kr"), true, &room, &decoded));
    assert_true(twx_slice_eq(decoded.text, TWX_SLICE_LIT("\uFFFD")));
    assert_string_equal(decoded.encoding, "replacement");
    twx_buf_done(&room);
}
