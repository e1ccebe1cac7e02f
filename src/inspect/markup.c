#include "inspect/markup.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/print.h"
#include "base/utf8.h"
#include "run/excerpt.h"

enum { LINK_BYTES = 2000, URL_SHOWN = 200, EXCERPT_BYTES = 1 << 24, PUT_BYTES = 1 << 11 };

void twx_markup_raw(twx_markup *h, const char *markup) {
    if (h->rc == TWX_OK) h->rc = twx_out_bytes(h->out, twx_slice_of(markup));
}

void twx_markup_put(twx_markup *h, const char *fmt, ...) {
    char text[PUT_BYTES];
    va_list args;
    if (h->rc != TWX_OK) return;
    va_start(args, fmt);
    const int n = twx_vprint(text, sizeof text, fmt, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof text)
        h->rc = twx_fail(h->out->cx, TWX_E_INTERNAL, "cannot format '%.80s'", fmt);
    else
        h->rc = twx_out_bytes(h->out, (twx_slice){text, (size_t)n});
}

static const char *escape_of(char c) {
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    case '\0': return "\xEF\xBF\xBD"; /* U+FFFD */
    default: return NULL;
    }
}

void twx_markup_text(twx_markup *h, twx_slice text) {
    size_t from = 0;
    for (size_t i = 0; h->rc == TWX_OK && i < text.n; i++) {
        const char *as = escape_of(text.p[i]);
        if (!as) continue;
        h->rc = twx_out_bytes(h->out, twx_slice_sub(text, from, i));
        from = i + 1;
        twx_markup_raw(h, as);
    }
    if (h->rc == TWX_OK) h->rc = twx_out_bytes(h->out, twx_slice_sub(text, from, text.n));
}

void twx_markup_excerpt(twx_markup *h, twx_slice text, size_t most) {
    twx_buf shown;
    if (h->rc != TWX_OK) return;
    twx_buf_init(&shown, EXCERPT_BYTES);
    h->rc = twx_excerpt(h->out->cx, text, most, &shown);
    if (h->rc == TWX_OK) twx_markup_text(h, twx_buf_slice(&shown));
    twx_buf_done(&shown);
}

/* Can the URL be the target of a link? A browser would follow other schemes, or read around control
 * characters in them. */
static bool is_linkable(twx_slice url) {
    const bool web = twx_slice_starts_nocase(url, TWX_SLICE_LIT("http://")) ||
                     twx_slice_starts_nocase(url, TWX_SLICE_LIT("https://"));
    if (!web || url.n > LINK_BYTES || !twx_utf8_valid(url)) return false;
    for (size_t i = 0; i < url.n; i++)
        if ((unsigned char)url.p[i] <= ' ' || url.p[i] == 0x7f) return false;
    return true;
}

void twx_markup_url(twx_markup *h, twx_slice url) {
    const bool linked = is_linkable(url);
    if (linked) {
        twx_markup_raw(h, "<a class=\"u\" rel=\"noopener noreferrer\" href=\"");
        twx_markup_text(h, url);
        twx_markup_raw(h, "\">");
    } else {
        twx_markup_raw(h, "<span class=\"u\">");
    }
    if (url.n)
        twx_markup_excerpt(h, url, URL_SHOWN);
    else
        twx_markup_raw(h, "(no URL)");
    twx_markup_raw(h, linked ? "</a>" : "</span>");
}

const char *twx_number_text(uint64_t n, char room[TWX_NUMBER_BYTES]) {
    char digits[TWX_NUMBER_BYTES];
    const size_t count = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, n);
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        if (i && (count - i) % 3 == 0) room[at++] = ',';
        room[at++] = digits[i];
    }
    room[at] = '\0';
    return room;
}

const char *twx_short_number(double v, char room[TWX_NUMBER_BYTES]) {
    static const struct {
        double unit;
        const char *suffix;
    } UNITS[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    for (size_t i = 0; i < TWX_COUNTOF(UNITS); i++)
        if (v >= UNITS[i].unit) {
            twx_print(room, TWX_NUMBER_BYTES, "%.4g%s", v / UNITS[i].unit, UNITS[i].suffix);
            return room;
        }
    twx_print(room, TWX_NUMBER_BYTES, "%.4g", v);
    return room;
}

void twx_markup_number(twx_markup *h, uint64_t n) {
    char room[TWX_NUMBER_BYTES];
    twx_markup_raw(h, twx_number_text(n, room));
}

void twx_markup_share(twx_markup *h, uint64_t part, uint64_t whole) {
    const double percent = whole ? 100.0 * (double)part / (double)whole : 0;
    if (whole == 0)
        twx_markup_raw(h, "\xE2\x80\x93");
    else if (part > 0 && percent < 0.05)
        twx_markup_raw(h, "&lt;0.1&nbsp;%");
    else if (part < whole && percent > 99.95)
        twx_markup_raw(h, "&gt;99.9&nbsp;%");
    else
        twx_markup_put(h, "%.1f&nbsp;%%", percent);
}
