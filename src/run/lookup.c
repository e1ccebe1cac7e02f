#include "run/internal.h"

/* ==== document_label */

enum { TITLE_BYTES = 1 << 10 };

typedef struct labelling {
    twx_ctx *cx;
    twx_buf *url, *title; /* title NULL: not wanted */
} labelling;

static twx_rc take_names(void *arg, const twx_source_row *row, bool *ret_enough) {
    labelling *f = arg;
    const twx_value *url = &row->value[TWX_COL_URL];
    *ret_enough = true;
    bool text = url->type == TWX_TEXT || url->type == TWX_BLOB;
    twx_rc rc = twx_buf_add_slice(f->cx, f->url, text ? url->bytes : TWX_SLICE_LIT("(no URL)"));
    if (rc != TWX_OK || !f->title) return rc;
    const twx_slice title = twx_bytes_of(&row->value[TWX_COL_TITLE]);
    return twx_buf_add_slice(f->cx, f->title, twx_slice_sub(title, 0, TITLE_BYTES));
}

twx_rc twx_label_unreadable(twx_ctx *cx, twx_rc rc, twx_buf *url) {
    if (rc == TWX_DONE) return twx_buf_add_text(cx, url, TWX_LABEL_GONE);
    if (rc != TWX_E_LIMIT) return rc;
    twx_ctx_clear(cx);
    return twx_buf_add_text(cx, url, TWX_LABEL_TOO_LONG);
}

twx_rc twx_names_of(twx_opened *o, const twx_value *id, twx_buf *url, twx_buf *title) {
    twx_ctx *cx = twx_source_ctx(o->source);
    labelling f = {.cx = cx, .url = url, .title = title};
    return twx_label_unreadable(cx, twx_source_by_id(o->source, id, take_names, &f), url);
}

twx_rc twx_url_of(twx_opened *o, const twx_value *id, twx_buf *url) {
    return twx_names_of(o, id, url, NULL);
}

/* TWX_DONE: it is no document of another store. */
static twx_rc find_elsewhere(twx_opened *o, int64_t doc, twx_arena *bytes, twx_remote *ret_remote) {
    twx_state state;
    if (!twx_is_remote(doc) || !o->generations) return TWX_DONE;
    twx_rc rc = twx_state_read(o->generations, &state);
    if (rc == TWX_OK && !state.generation) rc = TWX_DONE;
    return rc == TWX_OK ? twx_remote_get(o->writer, state.generation, doc, bytes, ret_remote) : rc;
}

twx_rc twx_id_of(twx_opened *o, int64_t doc, twx_value *ret_id) {
    twx_arena bytes = {0};
    twx_remote remote = {0};
    if (!twx_source_is_direct(o->source)) return twx_document_id(o->signatures, doc, ret_id);
    /* the number may stand for a document of another store in the published flags */
    const twx_rc rc = find_elsewhere(o, doc, &bytes, &remote);
    twx_arena_done(&bytes);
    *ret_id = (twx_value){.type = TWX_INT, .i = doc};
    return rc == TWX_OK ? TWX_DONE : rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_add_document(twx_opened *o, int64_t doc, twx_buf *line, twx_mention *mention) {
    twx_ctx *cx = twx_source_ctx(o->source);
    twx_mention unused = {NULL}, *m = mention ? mention : &unused;
    twx_arena bytes = {0};
    twx_remote remote = {0};
    m->from = m->url = m->to = line->n;
    twx_rc rc = find_elsewhere(o, doc, &bytes, &remote);
    const bool elsewhere = rc == TWX_OK;
    if (rc == TWX_DONE) rc = twx_id_of(o, doc, &remote.id);
    if (rc == TWX_OK) {
        m->id = remote.id;
        if (m->arena) rc = twx_arena_copy(cx, m->arena, remote.id.bytes, &m->id.bytes);
        if (rc == TWX_OK) rc = twx_value_print(cx, line, &remote.id);
        if (rc == TWX_OK) rc = twx_buf_add_char(cx, line, ' ');
        m->url = line->n;
        if (rc == TWX_OK)
            rc = elsewhere ? twx_buf_add_slice(cx, line, remote.url)
                           : twx_url_of(o, &remote.id, line);
        m->to = line->n;
        if (rc == TWX_OK && elsewhere)
            rc = twx_buf_printf(cx, line, " in " TWX_SLICE_FMT, TWX_SLICE_ARG(remote.shard));
    } else if (rc == TWX_DONE) {
        rc = twx_buf_add_text(cx, line, "(gone)");
    }
    twx_arena_done(&bytes);
    return rc;
}

/* ==== near_url */

enum { SHOWN_BYTES = 300 };

typedef enum twx_url_nearness {
    TWX_SAME_URL,
    TWX_SAME_BUT_SCHEME,
    TWX_SAME_BUT_SLASH,
    TWX_SAME_BUT_CASE,
    TWX_OTHER_URL
} twx_url_nearness;

/* Without scheme and www., which are alike whatever a person types. */
static twx_rc make_bare(twx_ctx *cx, twx_arena *arena, const twx_url *url, twx_slice *ret_bare) {
    char *room = twx_arena_alloc(cx, arena, url->whole.n, 1);
    if (!room) return TWX_E_NOMEM;
    const twx_slice key = twx_url_forms_twin(url, room);
    *ret_bare = key.p ? key : url->whole;
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

/* ==== lookup */

typedef struct finding {
    const twx_job *job;
    twx_lookup *document;
    uint64_t found;
} finding;

twx_lookup twx_lookup_of(const twx_value *columns) {
    return (twx_lookup){.id = columns[TWX_COL_ID],
                        .url = twx_bytes_of(&columns[TWX_COL_URL]),
                        .texts = twx_document_of(columns, NULL)};
}

static twx_rc take_row(void *arg, const twx_source_row *row, bool *ret_enough) {
    finding *p = arg;
    twx_lookup *to = p->document;
    (void)ret_enough;
    if (p->found++ > 0) return TWX_OK;
    *to = twx_lookup_of(row->value);
    to->scan_key = row->scan_key;
    twx_document *texts = &to->texts;
    twx_slice *const owned[] = {&to->scan_key.bytes, &to->id.bytes,    &to->url,
                                &texts->text,        &texts->main,     &texts->title,
                                &texts->names,       &texts->headings, &texts->description};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(owned); i++)
        rc = twx_arena_copy(p->job->cx, &to->bytes, *owned[i], owned[i]);
    return rc;
}

/* Finds the document that was typed almost as it is stored. */
static twx_rc find_near(finding *p, twx_opened *o, const char *typed) {
    twx_near_url near;
    twx_slice url;
    twx_rc rc = twx_near_url_init(p->job->cx, twx_slice_of(typed), &near);
    if (rc == TWX_OK) rc = twx_near_url_search(&near, o->source);
    if (rc == TWX_OK) rc = twx_near_url_take(&near, p->job, typed, &url);
    if (rc == TWX_OK) rc = twx_source_find(o->source, url, take_row, p);
    if (rc == TWX_DONE) rc = twx_near_url_fail(&near, p->job, typed);
    twx_near_url_done(&near);
    return rc;
}

twx_rc twx_lookup_find(const twx_job *job, twx_opened *o, const char *url_or_id,
                       twx_lookup *ret_lookup) {
    twx_lookup document = {0};
    finding p = {.job = job, .document = &document};
    twx_rc rc = twx_source_find(o->source, twx_slice_of(url_or_id), take_row, &p);
    if (rc == TWX_DONE) rc = find_near(&p, o, url_or_id);
    if (rc == TWX_OK && p.found > 1)
        twx_job_message(
            job, TWINDEX_NOTE,
            "%" PRIu64
            " documents are named '%.300s': the first is used; to choose another one, give its id",
            p.found, url_or_id);
    TWX_HAND_OVER(rc, ret_lookup, document, twx_lookup_done(&document));
    return rc;
}

void twx_lookup_done(twx_lookup *p) {
    if (p) twx_arena_done(&p->bytes);
}

twx_rc twx_lookup_sign(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                       const twx_lookup *p, twx_buf *ret_record) {
    twx_url normal = {.fault = TWX_URL_EMPTY};
    twx_document doc = p->texts;
    doc.url = &normal;
    twx_rc rc = TWX_OK;
    if (p->url.p)
        rc = twx_url_normalize(cx, twx_workspace_scratch(w), &signing->params->url, p->url,
                               &normal);
    if (rc == TWX_OK) rc = twx_sign_document(cx, w, signing, &doc, ret_record);
    twx_workspace_reset(w);
    return rc;
}
