#include "run/near_url.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/plural.h"
#include "url/url_twin.h"

enum { SHOWN_BYTES = 300 };

/* Without scheme and www., which are alike whatever a person types. */
static twx_rc make_bare(twx_ctx *cx, twx_arena *arena, const twx_url *url, twx_slice *ret_bare) {
    twx_slice key = {NULL, 0};
    twx_rc rc = twx_url_www_twin(cx, arena, url, &key);
    if (rc != TWX_OK) return rc;
    *ret_bare = twx_url_scheme_twin_of(key.p ? key : url->whole);
    if (!ret_bare->p) *ret_bare = url->whole;
    return TWX_OK;
}

/* The URL, or what is one with a scheme before it. */
static twx_rc parse(twx_ctx *cx, twx_arena *arena, twx_slice typed, twx_url *ret_url) {
    twx_rc rc = twx_url_normalize(cx, arena, NULL, typed, ret_url);
    const bool bare = twx_slice_find(typed, '.', 0) < typed.n &&
                      twx_slice_find(typed, ' ', 0) == typed.n;
    if (rc != TWX_OK || ret_url->fault == TWX_URL_OK || !bare) return rc;
    const size_t slashes = twx_slice_starts(typed, TWX_SLICE_LIT("//")) ? 2 : 0;
    const twx_slice rest = twx_slice_sub(typed, slashes, typed.n);
    char *text = twx_sprintf(cx, "https://%.*s", (int)rest.n, rest.p);
    rc = text ? twx_url_normalize(cx, arena, NULL, twx_slice_of(text), ret_url) : TWX_E_NOMEM;
    twx_free(text);
    return rc;
}

twx_rc twx_near_url_init(twx_ctx *cx, twx_slice typed, twx_near_url *ret_near) {
    twx_url url;
    twx_near_url *n = ret_near;
    *n = (twx_near_url){.nearness = TWX_OTHER_URL, .cx = cx};
    twx_arena_init(&n->bytes, 0);
    twx_arena_init(&n->typed_bytes, 0);
    twx_arena_init(&n->scratch, 1 << 14);
    twx_rc rc = parse(cx, &n->typed_bytes, twx_slice_trim(typed), &url);
    if (rc == TWX_OK && url.fault != TWX_URL_OK) return TWX_DONE;
    n->normal = url.whole;
    return rc == TWX_OK ? make_bare(cx, &n->typed_bytes, &url, &n->bare) : rc;
}

void twx_near_url_done(twx_near_url *n) {
    if (!n) return;
    twx_arena_done(&n->bytes);
    twx_arena_done(&n->typed_bytes);
    twx_arena_done(&n->scratch);
}

static twx_slice without_slash(twx_slice s) {
    return s.n && s.p[s.n - 1] == '/' ? twx_slice_sub(s, 0, s.n - 1) : s;
}

/* The bytes at the beginning and at the end that both have, whatever their case. */
static size_t common(twx_slice a, twx_slice b) {
    const size_t least = a.n < b.n ? a.n : b.n;
    size_t before = 0, after = 0;
    while (before < least && twx_lower(a.p[before]) == twx_lower(b.p[before])) before++;
    while (before + after < least &&
           twx_lower(a.p[a.n - 1 - after]) == twx_lower(b.p[b.n - 1 - after]))
        after++;
    return before + after;
}

static twx_url_nearness compare(const twx_near_url *n, const twx_url *url, twx_slice bare) {
    const twx_slice mine = without_slash(n->bare), theirs = without_slash(bare);
    if (twx_slice_eq(url->whole, n->normal)) return TWX_SAME_URL;
    if (twx_slice_eq(bare, n->bare)) return TWX_SAME_BUT_SCHEME;
    if (twx_slice_eq(mine, theirs)) return TWX_SAME_BUT_SLASH;
    return twx_slice_eq_nocase(mine, theirs) ? TWX_SAME_BUT_CASE : TWX_OTHER_URL;
}

static twx_rc take(twx_near_url *n, twx_slice stored, const twx_url *url) {
    twx_slice bare;
    const twx_rc rc = make_bare(n->cx, &n->scratch, url, &bare);
    if (rc != TWX_OK) return rc;
    const twx_url_nearness nearness = compare(n, url, bare);
    const size_t both = nearness == TWX_OTHER_URL ? common(n->bare, bare) : 0;
    if (nearness == n->nearness && nearness != TWX_OTHER_URL) n->others++;
    if (nearness > n->nearness || (nearness == n->nearness && both <= n->in_common)) return TWX_OK;
    n->nearness = nearness;
    n->in_common = both;
    n->others = 0;
    twx_arena_reset(&n->bytes);
    return twx_arena_copy(n->cx, &n->bytes, stored, &n->url);
}

static twx_rc take_url(void *arg, twx_slice stored) {
    twx_near_url *n = arg;
    twx_url url;
    twx_rc rc = twx_url_normalize(n->cx, &n->scratch, NULL, stored, &url);
    if (rc == TWX_OK && url.fault == TWX_URL_OK) rc = take(n, stored, &url);
    twx_arena_reset(&n->scratch);
    return rc;
}

twx_rc twx_near_url_search(twx_near_url *n, twx_source *source) {
    return twx_source_urls(source, take_url, n);
}

twx_rc twx_near_url_take(const twx_near_url *n, const twx_job *job, const char *typed,
                         twx_slice *ret_url) {
    char others[64] = "";
    if (n->nearness == TWX_OTHER_URL) return TWX_DONE;
    if (n->others)
        snprintf(others, sizeof others, " (%" PRIu64 " %s fit, too)", n->others,
                 twx_plural(n->others, "other would", "others would"));
    twx_job_message(job, TWINDEX_NOTE, "no document has the URL '%.300s': '%.*s' is taken%s", typed,
                    (int)twx_slice_sub(n->url, 0, SHOWN_BYTES).n, n->url.p, others);
    *ret_url = n->url;
    return TWX_OK;
}

twx_rc twx_near_url_fail(const twx_near_url *n, const twx_job *job, const char *typed) {
    char hint[SHOWN_BYTES + 32] = "";
    char *title = twx_job_title(job);
    if (!title) return TWX_E_NOMEM;
    if (n->url.p && n->in_common * 4 >= n->bare.n * 3 && n->url.n <= SHOWN_BYTES)
        snprintf(hint, sizeof hint, "; did you mean '%.*s'?", (int)n->url.n, n->url.p);
    const twx_rc rc = twx_fail(job->cx, TWX_E_NOTFOUND,
                               "%s: no document has the id or the URL '%.300s'%s", title, typed,
                               hint);
    twx_free(title);
    return rc;
}
