#include "url/url.h"

static twx_slice after(twx_slice s, size_t at) {
    return twx_slice_sub(s, at, s.n);
}

static void split_path(twx_url_pieces *p) {
    twx_slice rest = p->path;
    p->segments_n = 0;
    p->more_path = (twx_slice){NULL, 0};
    if (rest.n == 0 || rest.p[0] != '/') {
        p->segments[p->segments_n++] = rest;
        return;
    }
    while (rest.n > 0) { /* rest begins with '/' */
        if (p->segments_n == TWX_URL_SEGMENTS) {
            p->more_path = rest;
            return;
        }
        size_t end = twx_slice_find(rest, '/', 1);
        p->segments[p->segments_n++] = twx_slice_sub(rest, 1, end);
        rest = after(rest, end);
    }
}

/* Sets query, parameters and more_query only. */
static void query_pieces_of(twx_slice query, twx_url_pieces *ret_parts) {
    twx_url_pieces *p = ret_parts;
    twx_slice rest = query;
    p->query = query;
    p->parameters_n = 0;
    p->more_query = (twx_slice){NULL, 0};
    while (rest.n > 0) {
        size_t end = twx_slice_find(rest, '&', 0);
        if (end > 0) {
            if (p->parameters_n == TWX_URL_PARAMETERS) {
                p->more_query = rest;
                return;
            }
            twx_slice piece = twx_slice_sub(rest, 0, end);
            size_t equals = twx_slice_find(piece, '=', 0);
            p->parameters[p->parameters_n++] = (twx_parameter){
                .name = twx_slice_sub(piece, 0, equals),
                .value = equals < end ? after(piece, equals + 1) : (twx_slice){NULL, 0}};
        }
        rest = after(rest, end + 1);
    }
}

void twx_url_pieces_of(twx_slice url, twx_url_pieces *ret_parts) {
    twx_url_parts parts;
    twx_url_split(url, &parts);
    ret_parts->path = parts.path;
    ret_parts->origin = url.p ? twx_slice_sub(url, 0, (size_t)(parts.path.p - url.p)) : url;
    split_path(ret_parts);
    query_pieces_of(parts.query, ret_parts);
}

/* ---- hypotheses -------------------------------------------------------- */

/* clang-format off */
const twx_hypothesis TWX_HYPOTHESIS[TWX_HYPOTHESES] = {
    {1, "path", TWX_VARIANT_QUERY, TWX_OF_PATH, 0, false},
    {2, "parameter", TWX_VARIANT_PARAMETER, TWX_OF_AREA | TWX_OF_NAME, TWX_OF_PATH, false},
    {3, "path-parameter", TWX_VARIANT_PARAMETER, TWX_OF_PATH | TWX_OF_NAME, TWX_OF_GROUP, false},
    {4, "query-parameter", TWX_VARIANT_PARAMETER, TWX_OF_GROUP | TWX_OF_NAME, 0, false},
    {5, "added", TWX_VARIANT_PARAMETER, TWX_OF_AREA | TWX_OF_NAME | TWX_OF_VALUE, TWX_OF_PATH,
     true},
    {6, "path-value", TWX_VARIANT_PARAMETER, TWX_OF_PATH | TWX_OF_NAME | TWX_OF_VALUE, 0, false},
    {6, "path-added", TWX_VARIANT_PARAMETER, TWX_OF_PATH | TWX_OF_NAME | TWX_OF_VALUE, 0, true},
    {7, "added-to-bare", TWX_VARIANT_BARE, TWX_OF_AREA | TWX_OF_NAME | TWX_OF_VALUE, TWX_OF_PATH,
     true},
    {8, "pair", TWX_VARIANT_PAIR, TWX_OF_AREA | TWX_OF_NAME, TWX_OF_PATH, false},
    {8, "path-pair", TWX_VARIANT_PAIR, TWX_OF_PATH | TWX_OF_NAME, TWX_OF_GROUP, false},
    {9, "segment", TWX_VARIANT_SEGMENT, TWX_OF_SITE | TWX_OF_NAME, 0, true},
    {9, "session-segment", TWX_VARIANT_SESSION, TWX_OF_SITE | TWX_OF_NAME, TWX_OF_GROUP, false},
    {9, "path-suffix", TWX_VARIANT_PATH_SUFFIX, TWX_OF_SITE | TWX_OF_NAME, TWX_OF_GROUP, false},
    {10, "origin", TWX_VARIANT_ORIGIN, 0, TWX_OF_CONTENT, false},
    {10, "origin-folder", TWX_VARIANT_ORIGIN, 0, TWX_OF_CONTENT, false},
};
/* clang-format on */

/* Arbitrary numbers that separate the kinds of keys. */
enum {
    TAG_NAME = 0x11,
    TAG_VALUE,
    TAG_NO_VALUE,
    TAG_MORE,
    TAG_SEGMENT,
    TAG_ORIGIN,
    TAG_SESSION,
    TAG_SUFFIX,
    TAG_REVERSE,
    TAG_SHAPE,
    TAG_GROUP = 0x1000,
    TAG_CONTEXT = 0x2000
};

/* The key of a path is a polynomial in BASE whose coefficients are the hashes of its segments, so
 * that a segment can be removed or changed without reading the others again. An odd base has an
 * inverse modulo 2^64. */
static const uint64_t BASE = UINT64_C(0x9E3779B97F4A7C15),
                      BASE_INVERSE = UINT64_C(0xF1DE83E19937733D);

static uint64_t group_key(uint64_t counterpart, twx_variant_kind kind, uint64_t name) {
    return twx_mix64(counterpart, name + TAG_GROUP + (uint64_t)kind);
}

static uint64_t origin_key(twx_slice origin) {
    return twx_hash64(origin, TAG_ORIGIN);
}

twx_slice twx_site_of(twx_slice url) {
    const twx_slice www = TWX_SLICE_LIT("www.");
    size_t from = twx_slice_find(url, ':', 0), to = 0;
    from = twx_slice_starts(twx_slice_sub(url, from, url.n), TWX_SLICE_LIT("://")) ? from + 3 : 0;
    if (twx_slice_starts(twx_slice_sub(url, from, url.n), www)) from += www.n;
    to = from;
    while (to < url.n && url.p[to] != '/' && url.p[to] != '?') to++;
    return twx_slice_sub(url, from, to);
}

twx_slice twx_area_of(twx_slice url) {
    const twx_slice site = twx_site_of(url);
    const size_t from = (size_t)(site.p - url.p) + site.n; /* of the path */
    size_t to = from + 1;
    while (to < url.n && url.p[to] != '/' && url.p[to] != '?') to++;
    const bool folder = to < url.n && url.p[to] == '/';
    return twx_slice_sub(url, from - site.n, folder ? to + 1 : from + 1);
}

uint64_t twx_origins_context(uint64_t a, uint64_t b, uint64_t what) {
    return twx_mix64(twx_mix64(a < b ? a : b, a < b ? b : a), what + TAG_CONTEXT);
}

uint64_t twx_reverse_key(uint64_t whole) {
    return twx_mix64(whole, TAG_REVERSE);
}

static uint64_t path_key(const twx_url_variants *p, uint64_t route) {
    return twx_mix64(p->origin, route);
}

uint64_t twx_url_key_of(uint64_t path, uint64_t query) {
    return twx_mix64(path, query);
}

uint64_t twx_parameter_key(const twx_variant *v) {
    return twx_mix64(v->name, v->value);
}

uint64_t twx_url_key_at(const twx_url_variants *page, const twx_variant *v, const twx_base *base) {
    const uint64_t route = base->sum + v->second_value * base->power;
    return twx_url_key_of(twx_mix64(base->origin, route), page->query);
}

static twx_variant *add(twx_url_variants *p, twx_variant_kind kind, uint64_t counterpart) {
    twx_variant *v = &p->variants[p->variants_n++];
    *v = (twx_variant){.kind = (uint8_t)kind, .counterpart = counterpart};
    return v;
}

/* ---- parameters --------------------------------------------------------- */

/* A name with all its values. */
typedef struct named {
    uint64_t name, value;
    uint64_t share; /* its contribution to the key of the query */
    size_t at;      /* index of its first parameter */
    bool repeated;
} named;

static uint64_t value_hash(twx_slice value) {
    return value.p ? twx_hash64(value, TAG_VALUE) : TAG_NO_VALUE;
}

/* Names are compared by their hashes; there are at most TWX_URL_PARAMETERS. */
static size_t collect_names(const twx_url_pieces *parts, named *ret_names) {
    size_t n = 0;
    for (size_t i = 0; i < parts->parameters_n; i++) {
        const uint64_t name = twx_hash64(parts->parameters[i].name, TAG_NAME);
        const uint64_t value = value_hash(parts->parameters[i].value);
        size_t k = 0;
        while (k < n && ret_names[k].name != name) k++;
        if (k == n)
            ret_names[n++] = (named){.name = name, .value = value, .at = i};
        else
            ret_names[k] = (named){name, twx_mix64(ret_names[k].value, value), 0, ret_names[k].at,
                                   true};
    }
    for (size_t k = 0; k < n; k++)
        ret_names[k].share = twx_mix64(ret_names[k].name, ret_names[k].value);
    return n;
}

static uint64_t shape_of(const named *names, size_t n) {
    uint64_t shape = 0;
    for (size_t i = 0; i < n; i++) shape += twx_mix64(names[i].name, TAG_SHAPE);
    return shape;
}

uint64_t twx_query_shape(twx_slice query) {
    named names[TWX_URL_PARAMETERS];
    twx_url_pieces parts;
    query_pieces_of(query, &parts);
    return shape_of(names, collect_names(&parts, names));
}

static void describe(const twx_url_variants *p, const named *x, twx_variant *v) {
    v->name = x->name;
    v->value = x->value;
    v->repeated = x->repeated;
    v->first = p->parts.parameters[x->at].name;
    v->text = p->parts.parameters[x->at].value;
}

static void add_parameters(twx_url_variants *p, const named *names, size_t n) {
    for (size_t i = 0; i < n; i++) {
        twx_variant *v = add(p, TWX_VARIANT_PARAMETER,
                             twx_url_key_of(p->path, p->query - names[i].share));
        describe(p, &names[i], v);
        v->group = group_key(v->counterpart, TWX_VARIANT_PARAMETER, v->name);
    }
    for (size_t i = 0; i < n; i++) {
        twx_variant *v = add(p, TWX_VARIANT_BARE, twx_url_key_of(p->path, 0));
        describe(p, &names[i], v);
        v->name = twx_mix64(v->name, p->shape); /* of queries with these parameters */
    }
}

static void add_pair(twx_url_variants *p, const named *x, const named *y) {
    twx_variant *v = add(p, TWX_VARIANT_PAIR,
                         twx_url_key_of(p->path, p->query - x->share - y->share));
    v->name = twx_mix64(x->name, y->name);
    v->value = x->value;
    v->second_value = y->value;
    v->group = group_key(v->counterpart, TWX_VARIANT_PAIR, v->name);
    v->repeated = x->repeated || y->repeated;
    v->first = p->parts.parameters[x->at].name;
    v->second = p->parts.parameters[y->at].name;
}

static void add_pairs(twx_url_variants *p, const named *names, size_t n) {
    const size_t most = n < TWX_PAIRED_MAX ? n : TWX_PAIRED_MAX;
    for (size_t i = 0; i < most; i++)
        for (size_t k = i + 1; k < most; k++) {
            const bool in_order = names[i].name < names[k].name;
            add_pair(p, in_order ? &names[i] : &names[k], in_order ? &names[k] : &names[i]);
        }
}

/* ---- the path ----------------------------------------------------------- */

static uint64_t segment_hash(twx_slice segment) {
    return twx_hash64(segment, TAG_SEGMENT);
}

/* Long, with letters and digits mixed as in generated ids: at least 8 hexadecimal digits, or at
 * least 16 letters and digits. */
static bool is_session(twx_slice s) {
    bool digit = false, hex = true;
    if (s.n < 8 || s.n > 128) return false;
    for (size_t i = 0; i < s.n; i++) {
        const unsigned char c = (unsigned char)s.p[i];
        if (!twx_is_digit(c) && !twx_is_alpha(c)) return false;
        digit = digit || twx_is_digit(c);
        hex = hex && twx_hex_value(c) >= 0;
    }
    return digit && (hex || s.n >= 16);
}

/* sum[i]: the polynomial of the first i segments; power[i]: BASE to the i. */
typedef struct path_sums {
    uint64_t sum[TWX_URL_SEGMENTS + 1], power[TWX_URL_SEGMENTS + 1];
} path_sums;

static void sum_path(twx_url_variants *p, path_sums *ret_sums) {
    const twx_url_pieces *parts = &p->parts;
    ret_sums->sum[0] = 0;
    ret_sums->power[0] = 1;
    for (size_t i = 0; i < parts->segments_n; i++) {
        ret_sums->sum[i + 1] = ret_sums->sum[i] +
                               segment_hash(parts->segments[i]) * ret_sums->power[i];
        ret_sums->power[i + 1] = ret_sums->power[i] * BASE;
    }
    p->route = ret_sums->sum[parts->segments_n];
    if (parts->more_path.p)
        p->route += twx_hash64(parts->more_path, TAG_MORE) * ret_sums->power[parts->segments_n];
    p->path = path_key(p, p->route);
}

/* The polynomial without segment i. Without the last segment the folder remains ("/a/b" is "/a/"),
 * unless the segment is empty ("/a/" is "/a"). */
static uint64_t route_without(const twx_url_variants *p, const path_sums *s, size_t i) {
    const size_t n = p->parts.segments_n;
    if (i + 1 < n) return s->sum[i] + (s->sum[n] - s->sum[i + 1]) * BASE_INVERSE;
    return p->parts.segments[i].n ? s->sum[i] + segment_hash(TWX_SLICE_LIT("")) * s->power[i]
                                  : s->sum[i];
}

static void add_suffix(twx_url_variants *p, const path_sums *s, size_t i) {
    const twx_slice segment = p->parts.segments[i];
    const size_t mark = twx_slice_find(segment, ';', 0);
    if (mark == segment.n) return;
    const twx_slice suffix = twx_slice_sub(segment, mark + 1, segment.n);
    const uint64_t plain = segment_hash(twx_slice_sub(segment, 0, mark));
    const uint64_t route = p->route + (plain - segment_hash(segment)) * s->power[i];
    twx_variant *v = add(p, TWX_VARIANT_PATH_SUFFIX, twx_url_key_of(path_key(p, route), p->query));
    v->first = twx_slice_sub(suffix, 0, twx_slice_find(suffix, '=', 0));
    v->name = twx_hash64(v->first, TAG_SUFFIX);
    v->value = twx_hash64(suffix, TAG_VALUE);
    v->group = group_key(v->counterpart, TWX_VARIANT_PATH_SUFFIX, v->name);
}

static void add_session(twx_url_variants *p, const path_sums *s, size_t i) {
    if (!is_session(p->parts.segments[i])) return;
    const uint64_t route = p->route +
                           (TAG_SESSION - segment_hash(p->parts.segments[i])) * s->power[i];
    twx_variant *v = add(p, TWX_VARIANT_SESSION, 0);
    v->name = twx_mix64(s->sum[i], i + 1);
    v->first = p->parts.segments[i];
    v->value = twx_hash64(v->first, TAG_VALUE);
    v->group = group_key(twx_url_key_of(path_key(p, route), p->query), TWX_VARIANT_SESSION,
                         v->name);
}

/* Of a path with more segments than are split, none is removed, because the rest would shift. */
static void add_segments(twx_url_variants *p, const path_sums *s) {
    const size_t n = p->parts.segments_n;
    if (p->parts.more_path.p || p->parts.path.n < 2 || p->parts.path.p[0] != '/') return;
    for (size_t i = 0; i < n; i++) {
        twx_variant *v = add(p, TWX_VARIANT_SEGMENT,
                             twx_url_key_of(path_key(p, route_without(p, s, i)), p->query));
        v->first = p->parts.segments[i];
        v->name = segment_hash(v->first);
        add_suffix(p, s, i);
        add_session(p, s, i);
    }
}

/* ---- what precedes the rest of the path --------------------------------- */

static uint64_t base_key(uint64_t origin, uint64_t sum, size_t folders) {
    return folders ? twx_mix64(twx_mix64(origin, sum), folders) : origin;
}

twx_base twx_base_of(twx_slice base) {
    twx_url_pieces parts;
    twx_base b = {.power = 1};
    twx_url_pieces_of(base, &parts);
    const size_t folders = parts.path.n ? parts.segments_n : 0;
    for (size_t i = 0; i < folders; i++, b.power *= BASE)
        b.sum += segment_hash(parts.segments[i]) * b.power;
    b.origin = origin_key(parts.origin);
    b.key = base_key(b.origin, b.sum, folders);
    return b;
}

static void add_bases(twx_url_variants *p, const path_sums *s) {
    const twx_slice *at = p->parts.segments, origin = p->parts.origin;
    const size_t n = p->parts.segments_n;
    uint64_t rest = p->route;
    for (size_t k = 0; k <= TWX_FOLDERS_MAX && k < n && (k == 0 || k + 1 < n || at[k].n); k++) {
        if (k) rest = (rest - segment_hash(at[k - 1])) * BASE_INVERSE;
        twx_variant *v = add(p, TWX_VARIANT_ORIGIN, 0);
        v->group = group_key(twx_url_key_of(rest, p->query), TWX_VARIANT_ORIGIN, 0);
        v->name = k + 1 < n ? twx_mix64(p->shape, segment_hash(at[k])) | 1 : 0;
        v->value = base_key(p->origin, s->sum[k], k);
        v->second_value = rest;
        v->first = origin;
        if (k) v->first.n = (size_t)(at[k - 1].p - origin.p) + at[k - 1].n;
        v->text = at[k];
    }
}

/* ---- all of it ---------------------------------------------------------- */

void twx_url_variants_of(twx_slice url, twx_url_variants *ret_page) {
    twx_url_variants *p = ret_page;
    named names[TWX_URL_PARAMETERS];
    path_sums sums;
    twx_url_pieces_of(url, &p->parts);
    p->variants_n = 0;
    p->origin = origin_key(p->parts.origin);
    p->site = origin_key(twx_site_of(url));
    p->area = origin_key(twx_area_of(url));
    sum_path(p, &sums);
    const size_t n = collect_names(&p->parts, names);
    p->query = p->parts.more_query.p ? twx_hash64(p->parts.more_query, TAG_MORE) : 0;
    for (size_t i = 0; i < n; i++) p->query += names[i].share;
    p->whole = twx_url_key_of(p->path, p->query);
    p->shape = shape_of(names, n);
    add(p, TWX_VARIANT_QUERY, 0)->group = group_key(p->path, TWX_VARIANT_QUERY, 0);
    add_bases(p, &sums);
    add_parameters(p, names, n);
    add_pairs(p, names, n);
    add_segments(p, &sums);
}

size_t twx_hypothesis_find(twx_slice form) {
    size_t row = 0;
    while (row < TWX_HYPOTHESES && !twx_slice_eq(form, twx_slice_of(TWX_HYPOTHESIS[row].form)))
        row++;
    return row;
}

uint64_t twx_each_key(size_t row, const twx_url_variants *page, const twx_variant *v) {
    const unsigned each = TWX_HYPOTHESIS[row].each;
    return each == TWX_OF_PATH ? page->route : each == TWX_OF_GROUP ? v->group : 0;
}

/* What a context is counted under, as keys. */
typedef struct context_parts {
    uint64_t site, area, path, group, name, value;
} context_parts;

static uint64_t context_key(size_t row, const context_parts *p) {
    const unsigned of = TWX_HYPOTHESIS[row].of;
    uint64_t key = TAG_CONTEXT + row;
    if (of & TWX_OF_SITE) key = twx_mix64(key, p->site);
    if (of & TWX_OF_AREA) key = twx_mix64(key, p->area);
    if (of & TWX_OF_PATH) key = twx_mix64(key, p->path);
    if (of & TWX_OF_GROUP) key = twx_mix64(key, p->group);
    if (of & TWX_OF_NAME) key = twx_mix64(key, p->name);
    if (of & TWX_OF_VALUE) key = twx_mix64(key, p->value);
    return key;
}

uint64_t twx_context_key(size_t row, const twx_url_variants *page, const twx_variant *v) {
    const context_parts p = {page->site, page->area, page->path, v->group, v->name, v->value};
    return context_key(row, &p);
}

/* ---- contexts ----------------------------------------------------------- */

/* The variant's name of a session segment, from the path that precedes it. */
static uint64_t session_name(twx_slice path) {
    twx_url_pieces parts;
    uint64_t sum = 0, power = 1;
    twx_url_pieces_of(path, &parts);
    for (size_t i = 0; i + 1 < parts.segments_n; i++, power *= BASE)
        sum += segment_hash(parts.segments[i]) * power;
    return twx_mix64(sum, parts.segments_n);
}

uint64_t twx_context_key_of_texts(const twx_context *c) {
    const twx_hypothesis *h = &TWX_HYPOTHESIS[c->row];
    if (h->kind == TWX_VARIANT_ORIGIN && c->row == TWX_ORIGINS && c->path.n && c->value.n)
        return twx_origins_context(twx_base_of(c->path).key, twx_base_of(c->value).key,
                                   twx_query_shape(c->name));
    const bool session = h->kind == TWX_VARIANT_SESSION,
               wants_name = h->of & TWX_OF_NAME && !session;
    const bool other = h->kind == TWX_VARIANT_ORIGIN || h->kind == TWX_VARIANT_BARE ||
                       h->kind == TWX_VARIANT_PAIR || h->of & TWX_OF_GROUP;
    if (other || !c->path.n || (wants_name && !c->name.p)) return 0;
    const twx_base base = twx_base_of(c->path);
    const size_t slash = twx_slice_find(c->path, '/', 0);
    const uint32_t tag = h->kind == TWX_VARIANT_PARAMETER ? TAG_NAME
                         : h->kind == TWX_VARIANT_SEGMENT ? TAG_SEGMENT
                                                          : TAG_SUFFIX;
    const context_parts p = {.site = origin_key(twx_slice_sub(c->path, 0, slash)),
                             .area = origin_key(c->path),
                             .path = twx_mix64(base.origin, base.sum),
                             .name = session ? session_name(after(c->path, slash))
                                             : twx_hash64(c->name, tag),
                             .value = value_hash(c->value)};
    return context_key(c->row, &p);
}

bool twx_context_is_contradicted(const twx_context *c) {
    if (TWX_HYPOTHESIS[c->row].kind != TWX_VARIANT_ORIGIN)
        return c->nodup > c->dup / TWX_DUPLICATES_FOR_ONE;
    /* of origins the interval alone decides, unless one of the two bases has folders */
    return c->nodup && twx_base_of(c->path).power * twx_base_of(c->value).power != 1;
}

__extension__ typedef unsigned __int128 uwide;

/* p - 1.96 sqrt(p q / n) >= t, multiplied so that it is one of whole numbers. */
bool twx_context_is_sure(const twx_context *c, uint32_t least_ppm) {
    enum { MILLION = 1000000, MOST = 1 << 20, Z_SQUARED = 38416 }; /* 1.96^2, ten thousandths */
    uint64_t dup = c->dup, nodup = c->nodup;
    if (dup + nodup < TWX_TRIALS_LEAST || twx_context_is_contradicted(c)) return false;
    for (; dup + nodup > MOST; dup /= 2) nodup -= nodup / 2; /* fewer trials of the same share */
    const uint64_t n = dup + nodup + 2, a = dup + 1;
    if (a * MILLION < n * least_ppm) return false;
    const uwide over = a * MILLION - n * least_ppm;
    return over * over * n >= (uwide)Z_SQUARED * (MILLION / 100) * (MILLION / 100) * a * (n - a);
}

/* The version is in the lower bits, so that it can be told from other settings. */
enum { VERSION_BITS = 16 };

uint64_t twx_model_fingerprint(const twx_url_options *urls) {
    const uint64_t steps = twx_mix64(TWX_URL_NORM_VERSION, urls->steps);
    const uint64_t of = twx_mix64(steps, twx_url_rules_fingerprint(urls->rules));
    return twx_mix64(of, TWX_MODEL_VERSION) << VERSION_BITS | TWX_MODEL_VERSION;
}

bool twx_model_is_current(uint64_t fingerprint) {
    return (fingerprint & ((1u << VERSION_BITS) - 1)) == TWX_MODEL_VERSION;
}
