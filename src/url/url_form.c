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

/* The parts of a web URL after its scheme. false: it is another URL. */
static bool split_web(twx_slice normal, twx_slice *ret_authority, twx_slice *ret_path,
                      twx_slice *ret_query) {
    twx_slice rest = normal;
    const twx_slice scheme = cut(&rest, ':');
    const bool is_web = twx_slice_eq(scheme, TWX_SLICE_LIT("http")) ||
                        twx_slice_eq(scheme, TWX_SLICE_LIT("https"));
    if (!is_web || !twx_slice_starts(rest, TWX_SLICE_LIT("//"))) return false;
    rest = twx_slice_sub(rest, 2, rest.n);
    const size_t query_at = twx_slice_find(rest, '?', 0);
    *ret_query = twx_slice_sub(rest, query_at + 1, rest.n);
    *ret_path = twx_slice_sub(rest, 0, query_at);
    *ret_authority = cut(ret_path, '/');
    return true;
}

uint64_t twx_url_form_key(twx_slice normal) {
    twx_slice authority, path, query;
    if (normal.n == 0) return 0;
    if (!split_web(normal, &authority, &path, &query)) return twx_hash64(normal, 2);
    const uint64_t page = twx_mix64(host_key(authority), path_key(path));
    return twx_mix64(page, query_key(query));
}

/* ---- what a URL is by itself ---------------------------------------------- */

static unsigned bits_of_host(twx_slice authority) {
    for (;;) {
        const twx_slice label = cut(&authority, '.');
        if (twx_slice_find(authority, '.', 0) == authority.n || !is_listed(label, HOST_LABELS))
            return 0;
        if (!twx_slice_eq_nocase(label, TWX_SLICE_LIT("www"))) return TWX_URL_IS_VIEW;
    }
}

static unsigned bits_of_path(twx_slice path) {
    unsigned bits = 0;
    while (path.n) {
        twx_slice rest = cut(&path, '/');
        if (is_listed(cut(&rest, ';'), SEGMENTS)) bits |= TWX_URL_IS_VIEW;
        while (rest.n) {
            twx_slice parameter = cut(&rest, ';');
            if (twx_url_is_session_name(cut(&parameter, '='))) bits |= TWX_URL_HAS_EXTRAS;
        }
    }
    return bits;
}

static unsigned bits_of_query(twx_slice query) {
    unsigned bits = 0;
    while (query.n) {
        const twx_slice parameter = cut(&query, '&');
        twx_slice value = parameter;
        const twx_slice name = cut(&value, '=');
        if (twx_url_is_session_name(name) || twx_url_is_tracking_name(name))
            bits |= TWX_URL_HAS_EXTRAS;
        else if (parameter.n && says_nothing(parameter))
            bits |= TWX_URL_IS_VIEW;
    }
    return bits;
}

unsigned twx_url_form_bits(twx_slice normal) {
    twx_slice authority, path, query;
    if (!split_web(normal, &authority, &path, &query)) return 0;
    return bits_of_host(authority) | bits_of_path(path) | bits_of_query(query);
}
