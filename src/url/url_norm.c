#include "url/internal.h"
#include "url_words_table.h"

/* ==== url_parse */

/* Where RFC 3986 (sections 2.2 to 3.4) allows a byte. A letter stands for a set of places; the
 * comment names the bytes that have it. */
enum {
    N = 0, /* nowhere */
    I = TWX_URL_IN_USERINFO | TWX_URL_IN_HOST | TWX_URL_IN_PATH |
        TWX_URL_IN_QUERY, /* the apostrophe */
    W = TWX_URL_IN_QUERY | TWX_URL_IN_WEB_QUERY,
    D = I | W,                                     /* the other sub-delims */
    P = D | TWX_URL_IN_SCHEME,                     /* '+' */
    T = D | TWX_URL_UNRESERVED,                    /* '_' and '~' */
    L = T | TWX_URL_IN_SCHEME,                     /* letter, digit, '-', '.' */
    C = TWX_URL_IN_USERINFO | TWX_URL_IN_PATH | W, /* ':' */
    A = TWX_URL_IN_PATH | W,                       /* '@' and '/' */
    Q = W                                          /* '?' */
};

/* clang-format off */
const unsigned char TWX_URL_PLACES[256] = {
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, /* controls */
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, D, N, N, D, N, D, I, D, D, D, P, D, L, L, A, /*   ! " # $ % & ' ( ) * + , - . / */
    L, L, L, L, L, L, L, L, L, L, C, D, N, D, N, Q, /* 0 1 2 3 4 5 6 7 8 9 : ; < = > ? */
    A, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, /* @ A B C D E F G H I J K L M N O */
    L, L, L, L, L, L, L, L, L, L, L, N, N, N, N, T, /* P Q R S T U V W X Y Z [ \ ] ^ _ */
    N, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, /* ` a b c d e f g h i j k l m n o */
    L, L, L, L, L, L, L, L, L, L, L, N, N, N, T, N, /* p q r s t u v w x y z { | } ~   */
};
/* clang-format on */

/* Length of the scheme without its colon; 0: there is none. */
static size_t scheme_length(twx_slice text) {
    if (text.n == 0 || !twx_is_alpha((unsigned char)text.p[0])) return 0;
    size_t i = 1;
    while (i < text.n && twx_url_may_stand(text.p[i], TWX_URL_IN_SCHEME)) i++;
    return i < text.n && text.p[i] == ':' ? i : 0;
}

static twx_slice from(twx_slice s, size_t at) {
    return twx_slice_sub(s, at, s.n);
}

/* Cuts s at the first `mark` and sets *ret_tail to the bytes after it; without a mark *ret_tail
 * stays absent. */
static twx_slice cut(twx_slice s, char mark, twx_slice *ret_tail) {
    size_t at = twx_slice_find(s, mark, 0);
    if (at < s.n) *ret_tail = from(s, at + 1);
    return twx_slice_sub(s, 0, at);
}

void twx_url_split(twx_slice text, twx_url_parts *ret_parts) {
    twx_url_parts parts = {.scheme = {NULL, 0}};
    if (!text.p) text = TWX_SLICE_LIT("");
    size_t scheme = scheme_length(text);
    if (scheme) {
        parts.scheme = twx_slice_sub(text, 0, scheme);
        text = from(text, scheme + 1);
    }
    text = cut(text, '#', &parts.fragment);
    text = cut(text, '?', &parts.query);
    if (twx_slice_starts(text, TWX_SLICE_LIT("//"))) {
        size_t end = twx_slice_find(text, '/', 2);
        parts.authority = twx_slice_sub(text, 2, end);
        text = from(text, end);
    }
    parts.path = text;
    *ret_parts = parts;
}

void twx_url_split_authority(twx_slice authority, twx_authority_parts *ret_parts) {
    twx_authority_parts parts = {.userinfo = {NULL, 0}};
    /* The last '@' ends the userinfo, as in browsers: a raw '@' in a password is common. */
    const char *at = NULL;
    for (size_t i = twx_slice_find(authority, '@', 0); i < authority.n;
         i = twx_slice_find(authority, '@', i + 1))
        at = authority.p + i;
    if (at) {
        size_t length = (size_t)(at - authority.p);
        parts.userinfo = twx_slice_sub(authority, 0, length);
        authority = from(authority, length + 1);
    }
    size_t search = authority.n && authority.p[0] == '[' ? twx_slice_find(authority, ']', 0) : 0;
    size_t colon = twx_slice_find(authority, ':', search);
    if (colon < authority.n) parts.port = from(authority, colon + 1);
    parts.host = twx_slice_sub(authority, 0, colon);
    *ret_parts = parts;
}

/* ==== url_norm */

/* A URL is split into parts, each part is normalised in a draft, the optional steps edit the draft,
 * and the parts are joined. The user's rules are applied to the joined text. */

/* Path and query are the draft's own copies in the arena and are only ever shortened in place. */
typedef struct url_text {
    char *p; /* NULL: absent */
    size_t n;
} url_text;

typedef struct url_draft {
    twx_ctx *cx;
    twx_arena *scratch;
    twx_url_fault fault;
    twx_slice scheme, userinfo, host, port; /* in normal form; host absent: no authority */
    url_text path, query;                   /* without '?' */
} url_draft;

/* The optional steps: each edits http and https drafts and is idempotent. */
typedef twx_rc step_fn(url_draft *draft, unsigned steps);
static step_fn drop_session, drop_tracking, drop_tail, order_parameters;

/* In the order in which they run, so that an earlier step cannot hide work from a later one. */
static const struct {
    const char *name;
    unsigned bit;
    step_fn *run;
} STEPS[] = {
    {"session_parameters", TWX_URL_STEP_SESSION, drop_session},
    {"tracking_parameters", TWX_URL_STEP_TRACKING, drop_tracking},
    {"index_page", TWX_URL_STEP_INDEX_PAGE, drop_tail},
    {"trailing_slash", TWX_URL_STEP_TRAILING_SLASH, drop_tail},
    {"parameter_order", TWX_URL_STEP_PARAMETER_ORDER, order_parameters},
};

static const struct {
    const char *scheme, *port;
} DEFAULT_PORTS[] = {{"http", "80"}, {"https", "443"}, {"ftp", "21"}, {"ws", "80"}, {"wss", "443"}};

static const char *const FAULT_TEXTS[] = {
    [TWX_URL_OK] = "usable",
    [TWX_URL_EMPTY] = "empty",
    [TWX_URL_RELATIVE] = "no scheme: not an absolute URL",
    [TWX_URL_NO_HOST] = "no host",
    [TWX_URL_BAD_HOST] = "not a host name or address",
    [TWX_URL_BAD_PORT] = "not a port number",
    [TWX_URL_TOO_LONG] = "longer than 1 MiB",
};

const char *twx_url_fault_text(twx_url_fault fault) {
    return (size_t)fault < TWX_COUNTOF(FAULT_TEXTS) ? FAULT_TEXTS[fault] : "unknown fault";
}

unsigned twx_url_step_of(const char *name) {
    for (size_t i = 0; i < TWX_COUNTOF(STEPS); i++)
        if (strcmp(STEPS[i].name, name) == 0) return STEPS[i].bit;
    return 0;
}

const char *twx_url_step_name(size_t i) {
    return i < TWX_COUNTOF(STEPS) ? STEPS[i].name : NULL;
}

static twx_slice trim_controls(twx_slice s) {
    while (s.n && (unsigned char)s.p[0] <= ' ') s = twx_slice_sub(s, 1, s.n);
    while (s.n && (unsigned char)s.p[s.n - 1] <= ' ') s.n--;
    return s;
}

/* [R3] Copies only when bytes inside must be dropped. */
static twx_rc clean(twx_ctx *cx, twx_arena *scratch, twx_slice text, twx_slice *ret_clean) {
    static const char DROPPED[] = {'\t', '\n', '\r'};
    bool dirty = false;
    text = trim_controls(text);
    for (size_t i = 0; i < sizeof DROPPED; i++)
        dirty = dirty || twx_slice_find(text, DROPPED[i], 0) < text.n;
    *ret_clean = text;
    if (!dirty) return TWX_OK;
    char *p = twx_arena_alloc(cx, scratch, text.n, 1);
    if (!p) return TWX_E_NOMEM;
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++)
        if (!memchr(DROPPED, text.p[i], sizeof DROPPED)) p[n++] = text.p[i];
    *ret_clean = (twx_slice){p, n};
    return TWX_OK;
}

/* The schemes of DEFAULT_PORTS are the ones that browsers parse leniently. */
static bool is_special(twx_slice scheme) {
    for (size_t i = 0; i < TWX_COUNTOF(DEFAULT_PORTS); i++)
        if (twx_slice_eq_nocase(scheme, twx_slice_of(DEFAULT_PORTS[i].scheme))) return true;
    return false;
}

static bool is_slash(char c) {
    return c == '/' || c == '\\';
}

/* [R7] Rewrites a lenient spelling of a web URL in the syntax of RFC 3986. base NULL: there is no
 * base. */
static twx_rc repair(twx_ctx *cx, twx_arena *scratch, const twx_url *base, twx_slice text,
                     twx_slice *ret_text) {
    twx_url_parts parts;
    twx_url_split(text, &parts);
    const bool based = base && base->fault == TWX_URL_OK;
    const size_t at = parts.scheme.p ? parts.scheme.n + 1 : 0;
    *ret_text = text;
    if (!is_special(parts.scheme.p || !based ? parts.scheme : base->scheme)) return TWX_OK;
    size_t slashes = 0, end = twx_slice_find(text, '?', at), hash = twx_slice_find(text, '#', at);
    if (hash < end) end = hash;
    while (at + slashes < end && is_slash(text.p[at + slashes])) slashes++;
    /* "http:page" on a page of http is "page" (RFC 3986 section 5.2.2, for compatibility) */
    const bool relative = parts.scheme.p && based && slashes < 2 &&
                          twx_slice_eq_nocase(parts.scheme, base->scheme);
    const bool authority = (parts.scheme.p && !relative) || slashes >= 2;
    if (!relative && (!authority || slashes == 2) && twx_slice_find(text, '\\', at) >= end)
        return TWX_OK;
    char *p = twx_arena_alloc(cx, scratch, text.n + 2, 1);
    if (!p) return TWX_E_NOMEM;
    size_t n = relative ? 0 : at, from = authority ? at + slashes : at;
    memcpy(p, text.p, n);
    if (authority) p[n++] = '/', p[n++] = '/';
    for (size_t i = from; i < text.n; i++) p[n++] = i < end && text.p[i] == '\\' ? '/' : text.p[i];
    *ret_text = (twx_slice){p, n};
    return TWX_OK;
}

static char *put_percent(char *out, unsigned char c) {
    static const char HEX[] = "0123456789ABCDEF";
    *out++ = '%';
    *out++ = HEX[c >> 4];
    *out++ = HEX[c & 15];
    return out;
}

/* Normalises the encoding of a part in which the bytes of `place` may appear (RFC 3986 section
 * 6.2.2.1-2). An absent part stays absent. */
static twx_rc encode(url_draft *d, twx_slice part, unsigned place, url_text *ret_text) {
    *ret_text = (url_text){NULL, 0};
    if (!part.p) return TWX_OK;
    char *p = twx_arena_alloc(d->cx, d->scratch, part.n, 3);
    if (!p) return TWX_E_NOMEM;
    char *out = p;
    for (size_t i = 0; i < part.n; i++) {
        char c = part.p[i];
        int value = c == '%' ? twx_percent_value(part, i) : -1;
        if (twx_url_may_stand(c, place)) {
            *out++ = c;
        } else if (value < 0) {
            out = put_percent(out, (unsigned char)c);
        } else {
            if (twx_url_may_stand((char)value, TWX_URL_UNRESERVED))
                *out++ = (char)value;
            else
                out = put_percent(out, (unsigned char)value);
            i += 2;
        }
    }
    *ret_text = (url_text){p, (size_t)(out - p)};
    return TWX_OK;
}

/* p[at] is the '/' of the next segment; p[0..n) is resolved. Removing a segment costs no more than
 * writing it did. */
static void url_remove_dots(url_text *path) {
    char *p = path->p;
    twx_slice all = {p, path->n};
    size_t n = 0;
    for (size_t at = 0, end; at < all.n; at = end) {
        end = twx_slice_find(all, '/', at + 1);
        twx_slice segment = twx_slice_sub(all, at + 1, end);
        bool up = twx_slice_eq(segment, TWX_SLICE_LIT(".."));
        if (up || twx_slice_eq(segment, TWX_SLICE_LIT("."))) {
            while (up && n > 0 && p[--n] != '/') continue;
            if (end == all.n) p[n++] = '/';
        } else {
            memmove(p + n, p + at, end - at);
            n += end - at;
        }
    }
    path->n = n;
}

static bool is_default_port(twx_slice scheme, twx_slice port) {
    for (size_t i = 0; i < TWX_COUNTOF(DEFAULT_PORTS); i++)
        if (twx_slice_eq(scheme, twx_slice_of(DEFAULT_PORTS[i].scheme)))
            return twx_slice_eq(port, twx_slice_of(DEFAULT_PORTS[i].port));
    return false;
}

/* Drops leading zeros, an empty port and the scheme's default. */
static void set_port(url_draft *d, twx_slice port) {
    enum { PORT_MAX = 65535 };
    unsigned value = 0;
    while (port.n > 1 && port.p[0] == '0') port = twx_slice_sub(port, 1, port.n);
    for (size_t i = 0; value <= PORT_MAX && twx_is_digit_at(port, i); i++)
        value = value * 10 + (unsigned)(port.p[i] - '0');
    if (port.n && (!twx_is_number(port) || value > PORT_MAX)) d->fault = TWX_URL_BAD_PORT;
    if (port.n && !is_default_port(d->scheme, port)) d->port = port;
}

static bool is_web(const url_draft *d) {
    return twx_slice_eq(d->scheme, TWX_SLICE_LIT("http")) ||
           twx_slice_eq(d->scheme, TWX_SLICE_LIT("https"));
}

static twx_rc set_authority(url_draft *d, twx_slice authority) {
    twx_authority_parts parts;
    url_text userinfo = {NULL, 0};
    if (!authority.p) return TWX_OK;
    twx_url_split_authority(authority, &parts);
    twx_rc rc = twx_url_host(d->cx, d->scratch, parts.host, &d->host);
    if (rc == TWX_OK) rc = encode(d, parts.userinfo, TWX_URL_IN_USERINFO, &userinfo);
    if (rc != TWX_OK) return rc;
    twx_slice user = {userinfo.p, userinfo.n};
    /* an empty password equals none */
    if (user.n && twx_slice_find(user, ':', 0) == user.n - 1) user.n--;
    if (user.n) d->userinfo = user;
    if (!d->host.p)
        d->fault = TWX_URL_BAD_HOST;
    else
        set_port(d, parts.port);
    return TWX_OK;
}

/* A path without authority must not begin with "//", which would parse as an authority: "x:/.//y"
 * keeps its "/.". There is room for it, because "//" can come to the front only when at least that
 * much was removed. */
static void guard_path(url_text *path) {
    if (path->n < 2 || path->p[0] != '/' || path->p[1] != '/') return;
    memmove(path->p + 2, path->p, path->n);
    path->p[1] = '.';
    path->n += 2;
}

static twx_rc set_path(url_draft *d, twx_slice path) {
    if (path.n == 0 && d->host.p) path = TWX_SLICE_LIT("/");
    twx_rc rc = encode(d, path, TWX_URL_IN_PATH, &d->path);
    if (rc != TWX_OK || d->path.n == 0 || d->path.p[0] != '/') return rc;
    url_remove_dots(&d->path);
    if (!d->host.p) guard_path(&d->path);
    return TWX_OK;
}

static twx_rc fill(url_draft *d, const twx_url_parts *parts) {
    const twx_slice scheme = parts->scheme;
    char *p = twx_arena_alloc(d->cx, d->scratch, scheme.n, 1);
    if (!p) return TWX_E_NOMEM;
    for (size_t i = 0; i < scheme.n; i++) p[i] = twx_lower(scheme.p[i]);
    d->scheme = (twx_slice){p, scheme.n};
    twx_rc rc = set_authority(d, parts->authority);
    if (rc != TWX_OK || d->fault != TWX_URL_OK) return rc;
    if (is_special(d->scheme) && d->host.n == 0) d->fault = TWX_URL_NO_HOST;
    if (d->fault != TWX_URL_OK) return TWX_OK;
    rc = set_path(d, parts->path);
    const unsigned query = is_special(d->scheme) ? TWX_URL_IN_WEB_QUERY : TWX_URL_IN_QUERY;
    if (rc == TWX_OK) rc = encode(d, parts->query, query, &d->query);
    return rc;
}

static twx_slice put(char **cursor, twx_slice s) {
    twx_slice placed = {*cursor, s.n};
    if (s.n) memcpy(*cursor, s.p, s.n);
    *cursor += s.n;
    return placed;
}

/* Joins the parts (RFC 3986 section 5.3) and stores each as a slice of the whole. */
static twx_rc join(const url_draft *d, twx_url *ret_url) {
    twx_url u = {.fault = TWX_URL_OK};
    size_t room = d->scheme.n + d->userinfo.n + d->host.n + d->port.n + d->path.n + d->query.n + 6;
    char *start = twx_arena_alloc(d->cx, d->scratch, room, 1);
    if (!start) return TWX_E_NOMEM;
    char *cursor = start;
    u.scheme = put(&cursor, d->scheme);
    *cursor++ = ':';
    if (d->host.p) {
        put(&cursor, TWX_SLICE_LIT("//"));
        if (d->userinfo.p) u.userinfo = put(&cursor, d->userinfo), *cursor++ = '@';
        u.host = put(&cursor, d->host);
        if (d->port.p) *cursor++ = ':', u.port = put(&cursor, d->port);
    }
    u.path = put(&cursor, (twx_slice){d->path.p, d->path.n});
    if (d->query.p) *cursor++ = '?', u.query = put(&cursor, (twx_slice){d->query.p, d->query.n});
    u.whole = (twx_slice){start, (size_t)(cursor - start)};
    if (u.whole.n > TWX_URL_MAX) u = (twx_url){.fault = TWX_URL_TOO_LONG};
    *ret_url = u;
    return TWX_OK;
}

static twx_url_fault fault_of(twx_slice text, const twx_url_parts *parts) {
    if (text.n == 0) return TWX_URL_EMPTY;
    if (text.n > TWX_URL_MAX) return TWX_URL_TOO_LONG;
    return parts->scheme.p ? TWX_URL_OK : TWX_URL_RELATIVE;
}

/* Everything but the user's rules; text is clean. */
static twx_rc normalize_text(twx_ctx *cx, twx_arena *scratch, unsigned steps, twx_slice text,
                             twx_url *ret_url) {
    twx_url_parts parts;
    twx_url_split(text, &parts);
    url_draft d = {.cx = cx, .scratch = scratch, .fault = fault_of(text, &parts)};
    if (d.fault == TWX_URL_OK) {
        twx_rc rc = fill(&d, &parts);
        if (rc != TWX_OK) return rc;
    }
    if (d.fault != TWX_URL_OK) {
        *ret_url = (twx_url){.fault = d.fault};
        return TWX_OK;
    }
    for (size_t i = 0; i < TWX_COUNTOF(STEPS) && is_web(&d); i++) {
        twx_rc rc = steps & STEPS[i].bit ? STEPS[i].run(&d, steps) : TWX_OK;
        if (rc != TWX_OK) return rc;
    }
    return join(&d, ret_url);
}

/* Applies the user's rules to the normal form and normalises the result. */
static twx_rc rewrite(twx_ctx *cx, twx_arena *scratch, const twx_url_options *options,
                      twx_url *url) {
    twx_slice text;
    uint64_t skipped = 0;
    twx_url u = *url;
    twx_rc rc = twx_url_rules_apply(cx, scratch, options->rules, url->whole, &text, &skipped);
    if (rc == TWX_OK && text.p != url->whole.p) {
        rc = clean(cx, scratch, text, &text);
        if (rc == TWX_OK) rc = repair(cx, scratch, NULL, text, &text);
        if (rc == TWX_OK) rc = normalize_text(cx, scratch, options->steps, text, &u);
    }
    if (rc != TWX_OK) return rc;
    if (u.fault == TWX_URL_OK)
        *url = u;
    else
        skipped++;
    url->rules_skipped = skipped;
    return TWX_OK;
}

static twx_rc normalize_clean(twx_ctx *cx, twx_arena *scratch, const twx_url_options *options,
                              twx_slice text, twx_url *ret_url) {
    twx_url u;
    twx_rc rc = normalize_text(cx, scratch, options ? options->steps : 0, text, &u);
    if (rc == TWX_OK && u.fault == TWX_URL_OK && options && options->rules)
        rc = rewrite(cx, scratch, options, &u);
    if (rc == TWX_OK) *ret_url = u;
    return rc;
}

twx_rc twx_url_normalize(twx_ctx *cx, twx_arena *scratch, const twx_url_options *options,
                         twx_slice url, twx_url *ret_url) {
    twx_slice text = url;
    twx_rc rc = TWX_OK;
    if (url.n <= TWX_URL_MAX) rc = clean(cx, scratch, url, &text);
    if (rc == TWX_OK && url.n <= TWX_URL_MAX) rc = repair(cx, scratch, NULL, text, &text);
    return rc == TWX_OK ? normalize_clean(cx, scratch, options, text, ret_url) : rc;
}

/* Completes a reference (RFC 3986 section 5.2.2-3): returns how many bytes of the base precede it.
 * Normalisation resolves the dots. */
static size_t base_prefix(const twx_url *base, const twx_url_parts *reference) {
    size_t path = (size_t)(base->path.p - base->whole.p);
    if (reference->authority.p) return base->scheme.n + 1;
    if (reference->path.n == 0) return reference->query.p ? path + base->path.n : base->whole.n;
    if (reference->path.p[0] == '/') return path;
    size_t folder = base->path.n;
    while (folder > 0 && base->path.p[folder - 1] != '/') folder--;
    return path + folder;
}

twx_rc twx_url_resolve(twx_ctx *cx, twx_arena *scratch, const twx_url_options *options,
                       const twx_url *base, twx_slice reference, twx_url *ret_url) {
    twx_url_parts parts;
    if (!reference.p || reference.n > TWX_URL_MAX || base->fault != TWX_URL_OK)
        return twx_url_normalize(cx, scratch, options, reference, ret_url);
    twx_rc rc = clean(cx, scratch, reference, &reference);
    if (rc == TWX_OK) rc = repair(cx, scratch, base, reference, &reference);
    if (rc != TWX_OK) return rc;
    twx_url_split(reference, &parts);
    if (parts.scheme.p) return normalize_clean(cx, scratch, options, reference, ret_url);
    size_t prefix = base_prefix(base, &parts);
    char *text = twx_arena_alloc(cx, scratch, prefix + reference.n, 1);
    if (!text) return TWX_E_NOMEM;
    memcpy(text, base->whole.p, prefix);
    if (reference.n) memcpy(text + prefix, reference.p, reference.n);
    return normalize_clean(cx, scratch, options, (twx_slice){text, prefix + reference.n}, ret_url);
}

/* ==== url_steps */

/* The optional steps of url_norm. The names that they drop are in tables. */

static const char *const SESSION_NAMES[] = {SESSION_NAME_ROWS NULL};
static const char *const TRACKING_NAMES[] = {TRACKING_NAME_ROWS NULL};
static const char *const INDEX_PAGES[] = {INDEX_PAGE_ROWS NULL};

bool twx_url_is_listed(twx_slice name, const char *const *names) {
    if (name.n == 0) return false;
    for (const char first = twx_lower(name.p[0]); *names; names++) {
        if (first != **names) continue;
        twx_slice want = twx_slice_of(*names);
        bool prefix = want.p[want.n - 1] == '*';
        if (prefix) want.n--;
        if (twx_slice_starts_nocase(name, want) && (prefix || name.n == want.n)) return true;
    }
    return false;
}

bool twx_url_is_session_name(twx_slice name) {
    return twx_url_is_listed(name, SESSION_NAMES);
}

bool twx_url_is_tracking_name(twx_slice name) {
    return twx_url_is_listed(name, TRACKING_NAMES);
}

bool twx_url_is_index_page(twx_slice segment) {
    return twx_url_is_listed(segment, INDEX_PAGES);
}

static twx_slice slice_of(const url_text *text) {
    return (twx_slice){text->p, text->n};
}

static twx_slice name_of(twx_slice parameter) {
    return twx_slice_sub(parameter, 0, twx_slice_find(parameter, '=', 0));
}

/* Drops the parameters whose name is listed; a query without remaining parameters is dropped with
 * its '?'. */
static void drop_from_query(url_text *query, const char *const *names) {
    if (!query->p) return;
    twx_slice all = slice_of(query);
    size_t n = 0, kept = 0;
    for (size_t at = 0, end; at <= all.n; at = end + 1) {
        end = twx_slice_find(all, '&', at);
        twx_slice parameter = twx_slice_sub(all, at, end);
        if (twx_url_is_listed(name_of(parameter), names)) continue;
        if (kept++) query->p[n++] = '&';
        memmove(query->p + n, parameter.p, parameter.n);
        n += parameter.n;
    }
    query->n = n;
    if (kept == 0) query->p = NULL;
}

/* Drops ";name=value" from every segment of the path. */
static void drop_from_path(url_text *path, const char *const *names) {
    twx_slice all = slice_of(path);
    size_t n = 0;
    for (size_t at = 0, end; at < all.n; at = end) {
        for (end = at + 1; end < all.n && all.p[end] != '/' && all.p[end] != ';';) end++;
        twx_slice piece = twx_slice_sub(all, at, end); /* with the '/' or ';' before it */
        if (piece.p[0] == ';' &&
            twx_url_is_listed(name_of(twx_slice_sub(piece, 1, piece.n)), names))
            continue;
        memmove(path->p + n, piece.p, piece.n);
        n += piece.n;
    }
    path->n = n;
}

static twx_rc drop_session(url_draft *draft, unsigned steps) {
    (void)steps;
    drop_from_query(&draft->query, SESSION_NAMES);
    if (twx_slice_find(slice_of(&draft->path), ';', 0) == draft->path.n) return TWX_OK;
    drop_from_path(&draft->path, SESSION_NAMES);
    url_remove_dots(&draft->path); /* "/a/..;jsessionid=1" */
    return TWX_OK;
}

static twx_rc drop_tracking(url_draft *draft, unsigned steps) {
    (void)steps;
    drop_from_query(&draft->query, TRACKING_NAMES);
    return TWX_OK;
}

static bool drop_index_page(url_text *path) {
    size_t start = path->n;
    while (start > 0 && path->p[start - 1] != '/') start--;
    if (!twx_url_is_listed(twx_slice_sub(slice_of(path), start, path->n), INDEX_PAGES))
        return false;
    path->n = start;
    return true;
}

static bool drop_slashes(url_text *path) {
    size_t n = path->n;
    while (n > 1 && path->p[n - 1] == '/') n--;
    bool dropped = n < path->n;
    path->n = n;
    return dropped;
}

/* Each of the two steps can make work for the other ("/index.html/index.html"), so they repeat
 * until neither changes anything. A round examines only what it drops and one more segment, so the
 * total work is linear. */
static twx_rc drop_tail(url_draft *draft, unsigned steps) {
    bool again;
    do {
        again = (steps & TWX_URL_STEP_INDEX_PAGE) && drop_index_page(&draft->path);
        again = ((steps & TWX_URL_STEP_TRAILING_SLASH) && drop_slashes(&draft->path)) || again;
    } while (again);
    return TWX_OK;
}

typedef struct parameter {
    twx_slice name, rest; /* rest: from '=' to the end */
} parameter;

/* Returns 0 for equal bytes only, so the result depends neither on the original order nor on
 * qsort. */
static int compare_parameters(const void *a, const void *b) {
    const parameter *pa = a, *pb = b;
    int order = twx_slice_cmp(pa->name, pb->name);
    return order ? order : twx_slice_cmp(pa->rest, pb->rest);
}

static size_t count_of(twx_slice s, char c) {
    size_t count = 0;
    for (size_t i = 0; i < s.n; i++) count += s.p[i] == c;
    return count;
}

static twx_rc order_parameters(url_draft *draft, unsigned steps) {
    (void)steps;
    twx_slice all = slice_of(&draft->query);
    size_t n = all.p ? count_of(all, '&') + 1 : 0;
    if (n < 2) return TWX_OK;
    parameter *list = twx_arena_alloc(draft->cx, draft->scratch, n, sizeof *list);
    char *out = twx_arena_alloc(draft->cx, draft->scratch, all.n, 1);
    if (!list || !out) return TWX_E_NOMEM;
    for (size_t i = 0, at = 0, end; i < n; i++, at = end + 1) {
        end = twx_slice_find(all, '&', at);
        twx_slice whole = twx_slice_sub(all, at, end);
        list[i].name = name_of(whole);
        list[i].rest = twx_slice_sub(whole, list[i].name.n, whole.n);
    }
    qsort(list, n, sizeof *list, compare_parameters);
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        if (i) out[used++] = '&';
        memcpy(out + used, list[i].name.p, list[i].name.n);
        used += list[i].name.n;
        memcpy(out + used, list[i].rest.p, list[i].rest.n);
        used += list[i].rest.n;
    }
    draft->query = (url_text){out, used};
    return TWX_OK;
}
