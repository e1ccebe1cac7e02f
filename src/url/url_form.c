#include "url/internal.h"
#include "url_words_table.h"

/* ==== url_form */

/* All lists are in lower case; the case of URLs is ignored. */
static const char *const HOST_LABELS[] = {VIEW_LABEL_ROWS NULL};
static const char *const SEGMENTS[] = {VIEW_SEGMENT_ROWS NULL};
/* Parameters that choose the view of a page, whatever their value is */
static const char *const VIEW_NAMES[] = {VIEW_NAME_ROWS NULL};
/* Parameters that say where a reader comes from, with the values that sites give them */
static const char *const ORIGIN_NAMES[] = {ORIGIN_NAME_ROWS NULL};
static const char *const ORIGINS[] = {ORIGIN_ROWS NULL};
/* Parameters that choose the order of a list */
static const char *const ORDER_NAMES[] = {ORDER_NAME_ROWS NULL};
/* Parameters that do so with these values */
static const char *const MODE_NAMES[] = {MODE_NAME_ROWS NULL};
static const char *const MODE_VALUES[] = {MODE_ROWS NULL};

/* The value of a session with a short name is long; "sid=12" is the number of a story. */
static bool is_session(twx_slice name, twx_slice value) {
    enum { NAME_MIN = 4, VALUE_MIN = 8 };
    return (name.n >= NAME_MIN || value.n >= VALUE_MIN) && twx_url_is_session_name(name);
}

/* Is the parameter no part of what identifies the page? */
static bool says_nothing(twx_slice parameter) {
    twx_slice value = parameter;
    const twx_slice name = twx_slice_cut(&value, '=');
    return parameter.n == 0 || is_session(name, value) || twx_url_is_tracking_name(name) ||
           twx_url_is_listed(name, VIEW_NAMES) ||
           (twx_url_is_listed(name, ORIGIN_NAMES) && twx_url_is_listed(value, ORIGINS)) ||
           (twx_url_is_listed(name, MODE_NAMES) && twx_url_is_listed(value, MODE_VALUES));
}

static uint64_t host_key(twx_slice authority) {
    for (;;) {
        const size_t dot = twx_slice_find(authority, '.', 0);
        const twx_slice rest = twx_slice_sub(authority, dot + 1, authority.n);
        const bool is_label = twx_url_is_listed(twx_slice_sub(authority, 0, dot), HOST_LABELS) &&
                              twx_slice_find(rest, '.', 0) < rest.n;
        if (!is_label) return twx_hash64(authority, 0);
        authority = rest;
    }
}

/* The next segment of a path that says something, without its parameters; empty: there is none. */
static twx_slice next_segment(twx_slice *path) {
    while (path->n) {
        twx_slice segment = twx_slice_cut(path, '/');
        segment = twx_slice_sub(segment, 0, twx_slice_find(segment, ';', 0));
        const bool is_last = path->n == 0;
        if (segment.n && !twx_url_is_listed(segment, SEGMENTS) &&
            !(is_last && twx_url_is_index_page(segment)))
            return segment;
    }
    return (twx_slice){NULL, 0};
}

typedef struct web_url {
    twx_slice authority, path, query;
} web_url;

/* false: it is not a URL of the web. */
static bool split(twx_slice normal, web_url *ret_url) {
    twx_slice rest = normal;
    const twx_slice scheme = twx_slice_cut(&rest, ':');
    const bool is_web = twx_slice_eq(scheme, TWX_SLICE_LIT("http")) ||
                        twx_slice_eq(scheme, TWX_SLICE_LIT("https"));
    if (!is_web || !twx_slice_starts(rest, TWX_SLICE_LIT("//"))) return false;
    rest = twx_slice_sub(rest, 2, rest.n);
    const size_t query = twx_slice_find(rest, '?', 0);
    ret_url->query = twx_slice_sub(rest, query + 1, rest.n);
    ret_url->path = twx_slice_sub(rest, 0, query);
    ret_url->authority = twx_slice_cut(&ret_url->path, '/');
    return true;
}

static bool is_year(twx_slice part) {
    return part.n == 4 && twx_is_number(part) &&
           (twx_slice_starts(part, TWX_SLICE_LIT("19")) ||
            twx_slice_starts(part, TWX_SLICE_LIT("20")));
}

/* Does it name something? A number that is no year does not, nor does what a machine has made: a
 * page is not looked for by them. */
static bool is_name(twx_slice part) {
    enum { ID_MIN = 12 };
    size_t digits = 0, hex = 0;
    for (size_t i = 0; i < part.n; i++) {
        const char c = twx_lower(part.p[i]);
        digits += c >= '0' && c <= '9';
        hex += (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || c == '-';
    }
    return is_year(part) || (part.n > digits && !(part.n >= ID_MIN && hex == part.n && digits > 0));
}

static void add_name(twx_url_names *names, uint8_t *count, uint64_t part) {
    const size_t at = (size_t)names->segments + names->parameters;
    uint16_t *last = &names->name[TWX_COUNTOF(names->name) - 1];
    if (at < TWX_COUNTOF(names->name)) {
        names->name[at] = (uint16_t)part;
        ++*count;
    } else {
        *last = (uint16_t)twx_mix64(*last, part);
    }
}

static uint64_t read_path(twx_slice path, twx_url_names *names) {
    uint64_t key = 0;
    for (twx_slice segment; (segment = next_segment(&path)).n;) {
        const uint64_t hash = twx_hash64(segment, 0);
        const bool is_folder = path.n && twx_is_number(segment);
        key = twx_mix64(key, hash);
        if ((is_name(segment) || is_folder) && /* not a mirror's folder for a host */
            !(path.n && twx_slice_find(segment, '.', 0) < segment.n))
            add_name(names, &names->segments, hash);
    }
    return key;
}

/* The sum of the keys of parameters does not depend on their order. */
static uint64_t read_query(twx_slice query, twx_url_names *names) {
    uint64_t key = 0;
    while (query.n) {
        const twx_slice parameter = twx_slice_cut(&query, '&');
        twx_slice value = parameter;
        if (says_nothing(parameter)) continue;
        const uint64_t hash = twx_hash64(parameter, 0);
        key += twx_mix64(hash, 1);
        if (!twx_url_is_listed(twx_slice_cut(&value, '='), ORDER_NAMES) && is_name(value))
            add_name(names, &names->parameters, hash);
    }
    return key;
}

uint64_t twx_url_form_of(twx_slice normal, twx_url_names *ret_names) {
    web_url url;
    *ret_names = (twx_url_names){0};
    if (normal.n == 0) return 0;
    if (!split(normal, &url)) return twx_hash64(normal, 2);
    const uint64_t page = twx_mix64(host_key(url.authority), read_path(url.path, ret_names));
    return twx_mix64(page, read_query(url.query, ret_names));
}

/* Are the names at a in their order among those at b, or the reverse? */
static bool is_within(const uint16_t *a, size_t n, const uint16_t *b, size_t m) {
    size_t met = 0;
    if (n > m) return is_within(b, m, a, n);
    for (size_t i = 0; met < n && n - met <= m - i; i++) met += a[met] == b[i];
    return met == n;
}

bool twx_url_names_agree(const twx_url_names *a, const twx_url_names *b) {
    const uint16_t *of_a = a->name + a->segments, *of_b = b->name + b->segments;
    return is_within(a->name, a->segments, b->name, b->segments) &&
           is_within(of_a, a->parameters, of_b, b->parameters);
}

static unsigned bits_of_host(twx_slice authority) {
    for (;;) {
        const twx_slice label = twx_slice_cut(&authority, '.');
        if (twx_slice_find(authority, '.', 0) == authority.n ||
            !twx_url_is_listed(label, HOST_LABELS))
            return 0;
        if (!twx_slice_eq_nocase(label, TWX_SLICE_LIT("www"))) return TWX_URL_IS_VIEW;
    }
}

static unsigned bits_of_path(twx_slice path) {
    unsigned bits = 0;
    while (path.n) {
        twx_slice rest = twx_slice_cut(&path, '/');
        if (twx_url_is_listed(twx_slice_cut(&rest, ';'), SEGMENTS)) bits |= TWX_URL_IS_VIEW;
        while (rest.n) {
            twx_slice parameter = twx_slice_cut(&rest, ';');
            if (twx_url_is_session_name(twx_slice_cut(&parameter, '='))) bits |= TWX_URL_HAS_EXTRAS;
        }
    }
    return bits;
}

static unsigned bits_of_query(twx_slice query) {
    unsigned bits = 0;
    while (query.n) {
        const twx_slice parameter = twx_slice_cut(&query, '&');
        twx_slice value = parameter;
        const twx_slice name = twx_slice_cut(&value, '=');
        if (is_session(name, value) || twx_url_is_tracking_name(name))
            bits |= TWX_URL_HAS_EXTRAS;
        else if (parameter.n && says_nothing(parameter))
            bits |= TWX_URL_IS_VIEW;
    }
    return bits;
}

unsigned twx_url_form_bits(twx_slice normal) {
    web_url url;
    if (!split(normal, &url)) return 0;
    return bits_of_host(url.authority) | bits_of_path(url.path) | bits_of_query(url.query);
}

/* ==== url_twin */

enum { WWW = 4 }; /* bytes of "www." */

bool twx_url_is_https(const twx_url *url) {
    return twx_slice_eq(url->scheme, TWX_SLICE_LIT("https"));
}

bool twx_url_is_web(const twx_url *url) {
    return twx_url_is_https(url) || twx_slice_eq(url->scheme, TWX_SLICE_LIT("http"));
}

bool twx_url_is_www(const twx_url *url) {
    if (!twx_url_is_web(url) || !twx_slice_starts(url->host, TWX_SLICE_LIT("www."))) return false;
    twx_slice name = twx_slice_sub(url->host, WWW, url->host.n);
    return twx_slice_find(name, '.', 0) < name.n && !twx_url_host_is_address(name);
}

twx_slice twx_url_scheme_twin(const twx_url *url, char *room) {
    (void)room; /* all functions of keys have one signature */
    return twx_url_is_web(url) ? twx_slice_sub(url->whole, url->scheme.n + 1, url->whole.n)
                               : (twx_slice){NULL, 0};
}

twx_slice twx_url_www_twin(const twx_url *url, char *room) {
    if (!twx_url_is_web(url)) return (twx_slice){NULL, 0};
    if (!twx_url_is_www(url)) return url->whole;
    const size_t n = url->whole.n - WWW, head = (size_t)(url->host.p - url->whole.p);
    memcpy(room, url->whole.p, head);
    memcpy(room + head, url->host.p + WWW, n - head);
    return (twx_slice){room, n};
}

twx_slice twx_url_forms_twin(const twx_url *url, char *room) {
    const twx_slice key = twx_url_www_twin(url, room);
    return key.p ? twx_slice_sub(key, url->scheme.n + 1, key.n) : key;
}

twx_slice twx_url_twin_of(twx_url_twin_fn *twin, twx_slice normal, char *room) {
    twx_url_parts parts;
    twx_authority_parts authority;
    twx_url_split(normal, &parts);
    twx_url_split_authority(parts.authority, &authority);
    const twx_url url = {.whole = normal, .scheme = parts.scheme, .host = authority.host};
    return twin(&url, room);
}

twx_hash128 twx_url_twin_hash(twx_slice key) {
    return twx_hash_wide(key, 0);
}
