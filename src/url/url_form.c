#include "url/url_form.h"

#include "base/hash64.h"

/* All lists are in lower case; the case of URLs is ignored. */
static const char *const HOST_LABELS[] = {"www", "m", "mobile", "amp", "print", NULL};
static const char *const SEGMENTS[] = {"print", "amp", "mobile", "printable", "print.html", NULL};
/* Parameters that choose the view of a page, whatever their value is */
static const char *const VIEW_NAMES[] = {"print",        "printable", "printer",   "printview",
                                         "printversion", "amp",       "mobile",    "fullscreen",
                                         "highlight",    "nocache",   "cachebust", NULL};
/* Parameters that do so with these values */
static const char *const MODE_NAMES[] = {"view",   "format", "mode",       "output", "outputtype",
                                         "layout", "style",  "action",     "tmpl",   "display",
                                         "type",   "do",     "theme_type", NULL};
static const char *const MODE_VALUES[] = {"print",     "printable", "printer", "amp",
                                          "mobile",    "plain",     "text",    "printview",
                                          "component", "printpage", "lofi",    NULL};

static bool is_listed(twx_slice word, const char *const *list) {
    for (; *list; list++)
        if (twx_slice_eq_nocase(word, twx_slice_of(*list))) return true;
    return false;
}

/* Is the parameter no part of what identifies the page? */
static bool says_nothing(twx_slice parameter) {
    const size_t equals = twx_slice_find(parameter, '=', 0);
    const twx_slice name = twx_slice_sub(parameter, 0, equals),
                    value = twx_slice_sub(parameter, equals + 1, parameter.n);
    return parameter.n == 0 || twx_url_is_session_name(name) || twx_url_is_tracking_name(name) ||
           is_listed(name, VIEW_NAMES) ||
           (is_listed(name, MODE_NAMES) && is_listed(value, MODE_VALUES));
}

/* The end of the first part of s, which the character ends. */
static twx_slice cut(twx_slice *s, char at) {
    const size_t end = twx_slice_find(*s, at, 0);
    const twx_slice part = twx_slice_sub(*s, 0, end);
    *s = twx_slice_sub(*s, end + 1, s->n);
    return part;
}

static uint64_t host_key(twx_slice authority) {
    for (;;) {
        const size_t dot = twx_slice_find(authority, '.', 0);
        const twx_slice rest = twx_slice_sub(authority, dot + 1, authority.n);
        const bool is_label = is_listed(twx_slice_sub(authority, 0, dot), HOST_LABELS) &&
                              twx_slice_find(rest, '.', 0) < rest.n;
        if (!is_label) return twx_hash64(authority, 0);
        authority = rest;
    }
}

/* Segments that say nothing, and empty ones, are left out. */
static uint64_t path_key(twx_slice path) {
    uint64_t key = 0;
    while (path.n) {
        twx_slice segment = cut(&path, '/');
        segment = twx_slice_sub(segment, 0, twx_slice_find(segment, ';', 0));
        const bool is_last = path.n == 0;
        if (segment.n == 0 || is_listed(segment, SEGMENTS) ||
            (is_last && twx_url_is_index_page(segment)))
            continue;
        key = twx_mix64(key, twx_hash64(segment, 0));
    }
    return key;
}

/* The sum of the keys of parameters does not depend on their order. */
static uint64_t query_key(twx_slice query) {
    uint64_t key = 0;
    while (query.n) {
        const twx_slice parameter = cut(&query, '&');
        if (!says_nothing(parameter)) key += twx_mix64(twx_hash64(parameter, 0), 1);
    }
    return key;
}

uint64_t twx_url_form_key(twx_slice normal) {
    if (normal.n == 0) return 0;
    twx_slice rest = normal;
    twx_slice scheme = cut(&rest, ':');
    const bool is_web = twx_slice_eq(scheme, TWX_SLICE_LIT("http")) ||
                        twx_slice_eq(scheme, TWX_SLICE_LIT("https"));
    if (!is_web || !twx_slice_starts(rest, TWX_SLICE_LIT("//"))) return twx_hash64(normal, 2);
    rest = twx_slice_sub(rest, 2, rest.n);
    const size_t query_at = twx_slice_find(rest, '?', 0);
    const twx_slice query = twx_slice_sub(rest, query_at + 1, rest.n);
    twx_slice path = twx_slice_sub(rest, 0, query_at);
    const twx_slice authority = cut(&path, '/');
    const uint64_t page = twx_mix64(host_key(authority), path_key(path));
    return twx_mix64(page, query_key(query));
}
