/* encoding: which encoding a page has, and what its bytes mean. */
#include "support.h"

#include "page/page.h"

static void decodes_to(bool html, const char *bytes, const char *charset, const char *wanted) {
    twx_ctx cx = {0};
    twx_buf room = {.max = 1 << 16};
    twx_decoded decoded;
    assert_ok(twx_decode(&cx, twx_slice_of(bytes), twx_slice_of(charset), html, &room, &decoded));
    if (!twx_slice_eq(decoded.text, twx_slice_of(wanted)))
        fail_msg("'%.*s', wanted '%s'", (int)decoded.text.n, decoded.text.p, wanted);
    twx_buf_done(&room);
}

TEST(r1_mark_then_header_then_meta_then_utf8) {
    decodes_to(true, "caf\xE9", NULL, "café");
    decodes_to(true, "caf\xC3\xA9", NULL, "café");
    decodes_to(true, "caf\xE9 \x80", "iso-8859-1", "café €");
    decodes_to(true, "\ufeffcaf\xC3\xA9", "latin1", "café");
    decodes_to(true, "<meta charset=utf-8>\xC0\xD2\xCF", "koi8-r", "<meta charset=utf-8>юро");
    decodes_to(true, "<meta charset=koi8-r>\xC0\xD2\xCF", NULL, "<meta charset=koi8-r>юро");
    decodes_to(false, "<meta charset=koi8-r>\xC3\xA9", NULL, "<meta charset=koi8-r>é");
    decodes_to(true, "caf\xC3\xA9", "no-such-charset", "café");
    decodes_to(true, "a\xFFz", "utf-8", "a\xEF\xBF\xBDz");
    decodes_to(true, "<meta charset=utf-16>caf\xC3\xA9", NULL, "<meta charset=utf-16>café");
    decodes_to(true, "<META http-equiv=content-type content='text/html; charset=KOI8-R'>\xC0", NULL,
               "<META http-equiv=content-type content='text/html; charset=KOI8-R'>ю");
    static const char *const METAS[] = {
        "<meta charset=x-user-defined content='charset=koi8-r'>\x80",
        "€",
        "<meta/charset=koi8-r>\xC0",
        "ю",
        "<meta http-equiv=content-type content='charset koi8-r; charset =\f\"koi8-r\" '>\xC0",
        "ю",
        "<meta http-equiv=content-type content='charset='>\xC3\xA9",
        "é",
        "<meta http-equiv=content-type content='charset=\"koi8-r'>\xC3\xA9",
        "é",
        "<meta http-equiv=refresh content='charset=koi8-r'>\xC3\xA9",
        "é",
        "<meta http-equiv=content-type content='charset=no-such'>\xC3\xA9",
        "é",
        "<metal charset=koi8-r></b charset=koi8-r><!charset=koi8-r><meta\rcharset=KOI8-R\n>\xC0",
        "ю"};
    for (size_t i = 0; i < TWX_COUNTOF(METAS); i += 2) {
        char wanted[200];
        snprintf(wanted, sizeof wanted, "%.*s%s", (int)(strrchr(METAS[i], '>') + 1 - METAS[i]),
                 METAS[i], METAS[i + 1]);
        decodes_to(true, METAS[i], NULL, wanted);
    }
    decodes_to(true, "<p>charset=koi8-r \xC3\xA9", NULL, "<p>charset=koi8-r é");
}
