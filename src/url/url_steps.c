/* The optional steps of url_norm.h. The names that they drop are in tables. */
#include <stdlib.h>
#include <string.h>

#include "url/url_draft.h"
#include "url/url_form.h"

/* Lower-case; a '*' at the end matches anything. ASCII case is ignored. */
static const char *const SESSION_NAMES[] = {
    "sid",        "sessid",        "sessionid", "session_id", "phpsessid",
    "jsessionid", "aspsessionid*", "cfid",      "cftoken",    "asp.net_sessionid",
    "zenid",      "oscsid",        "xtcsid",    NULL,
};
static const char *const TRACKING_NAMES[] = {
    "utm_*",     "gclid",       "gclsrc",     "dclid",      "gbraid",    "wbraid",     "_ga",
    "_gl",       "srsltid",     "fbclid",     "igshid",     "igsh",      "msclkid",    "twclid",
    "ttclid",    "yclid",       "ysclid",     "_openstat",  "li_fat_id", "mc_cid",     "mc_eid",
    "mkt_tok",   "_hsenc",      "_hsmi",      "__hstc",     "__hssc",    "__hsfp",     "vero_id",
    "vero_conv", "oly_anon_id", "oly_enc_id", "wickedid",   "s_cid",     "rb_clickid", "epik",
    "mtm_*",     "pk_campaign", "pk_kwd",     "pk_keyword", "pk_source", "pk_medium",  "pk_content",
    "pk_cid",    NULL,
};
static const char *const INDEX_PAGES[] = {
    "index.html",  "index.htm",   "index.xhtml",  "index.shtml", "index.php",
    "index.asp",   "index.aspx",  "index.jsp",    "index.cgi",   "default.html",
    "default.htm", "default.asp", "default.aspx", NULL,
};

static bool listed(twx_slice name, const char *const *names) {
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
    return listed(name, SESSION_NAMES);
}

bool twx_url_is_tracking_name(twx_slice name) {
    return listed(name, TRACKING_NAMES);
}

bool twx_url_is_index_page(twx_slice segment) {
    return listed(segment, INDEX_PAGES);
}

static twx_slice slice_of(const twx_url_text *text) {
    return (twx_slice){text->p, text->n};
}

static twx_slice name_of(twx_slice parameter) {
    return twx_slice_sub(parameter, 0, twx_slice_find(parameter, '=', 0));
}

/* Drops the parameters whose name is listed; a query without remaining parameters is dropped with
 * its '?'. */
static void drop_from_query(twx_url_text *query, const char *const *names) {
    if (!query->p) return;
    twx_slice all = slice_of(query);
    size_t n = 0, kept = 0;
    for (size_t at = 0, end; at <= all.n; at = end + 1) {
        end = twx_slice_find(all, '&', at);
        twx_slice parameter = twx_slice_sub(all, at, end);
        if (listed(name_of(parameter), names)) continue;
        if (kept++) query->p[n++] = '&';
        memmove(query->p + n, parameter.p, parameter.n);
        n += parameter.n;
    }
    query->n = n;
    if (kept == 0) query->p = NULL;
}

/* Drops ";name=value" from every segment of the path. */
static void drop_from_path(twx_url_text *path, const char *const *names) {
    twx_slice all = slice_of(path);
    size_t n = 0;
    for (size_t at = 0, end; at < all.n; at = end) {
        for (end = at + 1; end < all.n && all.p[end] != '/' && all.p[end] != ';';) end++;
        twx_slice piece = twx_slice_sub(all, at, end); /* with the '/' or ';' before it */
        if (piece.p[0] == ';' && listed(name_of(twx_slice_sub(piece, 1, piece.n)), names)) continue;
        memmove(path->p + n, piece.p, piece.n);
        n += piece.n;
    }
    path->n = n;
}

twx_rc twx_url_drop_session(twx_url_draft *draft, unsigned steps) {
    (void)steps;
    drop_from_query(&draft->query, SESSION_NAMES);
    if (twx_slice_find(slice_of(&draft->path), ';', 0) == draft->path.n) return TWX_OK;
    drop_from_path(&draft->path, SESSION_NAMES);
    twx_url_remove_dots(&draft->path); /* "/a/..;jsessionid=1" */
    return TWX_OK;
}

twx_rc twx_url_drop_tracking(twx_url_draft *draft, unsigned steps) {
    (void)steps;
    drop_from_query(&draft->query, TRACKING_NAMES);
    return TWX_OK;
}

static bool drop_index_page(twx_url_text *path) {
    size_t start = path->n;
    while (start > 0 && path->p[start - 1] != '/') start--;
    if (!listed(twx_slice_sub(slice_of(path), start, path->n), INDEX_PAGES)) return false;
    path->n = start;
    return true;
}

static bool drop_slashes(twx_url_text *path) {
    size_t n = path->n;
    while (n > 1 && path->p[n - 1] == '/') n--;
    bool dropped = n < path->n;
    path->n = n;
    return dropped;
}

/* Each of the two steps can make work for the other ("/index.html/index.html"), so they repeat
 * until neither changes anything. A round examines only what it drops and one more segment, so the
 * total work is linear. */
twx_rc twx_url_drop_tail(twx_url_draft *draft, unsigned steps) {
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

twx_rc twx_url_order_parameters(twx_url_draft *draft, unsigned steps) {
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
    draft->query = (twx_url_text){out, used};
    return TWX_OK;
}
