#include "judge/internal.h"

/* ==== parameters */

enum { FIELDS = 3, PASSES_MAX = 16 /* over a URL, of which each may leave out several parts */ };

/* A beginning of URLs that is as good as another one (hypothesis 10), and shorter. */
typedef struct place {
    twx_slice base;
    const twx_context *why;
} place;

struct twx_parameters {
    char *path;
    twx_arena texts;
    uint32_t least_ppm;
    TWX_VEC(twx_context) contexts;
    twx_map64 by_key; /* key of a context -> its index */
    TWX_VEC(place) places;
    twx_map64 by_base; /* mix(base, parameters) -> its index */
    uint64_t fingerprint;
    unsigned kinds; /* 1 << twx_variant_kind: there are contexts of it */
    /* scratch */
    char url[TWX_FACTS_URL_MAX];
    twx_url_variants page;
};

typedef struct parser {
    twx_ctx *cx;
    twx_parameters *m;
    size_t line;
} parser;

static twx_rc fail_at(const parser *p, const char *what, twx_slice word) {
    return twx_fail(p->cx, TWX_E_CONFIG, "%s:%zu: '" TWX_SLICE_FMT "' %s", p->m->path, p->line,
                    TWX_SLICE_ARG(word), what);
}

/* "form duplicates others path=... name=... value=...", of which each may be absent. */
static twx_rc parse_fields(const parser *p, twx_slice line, twx_context *ret_context) {
    static const char *const NAMES[FIELDS] = {"path=", "name=", "value="};
    twx_context c = {0};
    twx_slice *const texts[FIELDS] = {&c.path, &c.name, &c.value}, word = {0};
    uint64_t counts[2] = {0};
    if (!twx_slice_next_word(&line, &word) ||
        (c.row = (uint32_t)twx_hypothesis_find(word)) == TWX_HYPOTHESES)
        return fail_at(p, "is not a form of a hypothesis", word);
    for (size_t i = 0; i < TWX_COUNTOF(counts); i++)
        if (!twx_slice_next_word(&line, &word) || !twx_read_count(word, &counts[i]) ||
            counts[i] > UINT32_MAX)
            return fail_at(p, "is not a number of pairs", word);
    c.dup = (uint32_t)counts[0];
    c.nodup = (uint32_t)counts[1];
    while (twx_slice_next_word(&line, &word)) {
        size_t i = 0;
        while (i < FIELDS && !twx_slice_starts(word, twx_slice_of(NAMES[i]))) i++;
        if (i == FIELDS) return fail_at(p, "is not path=, name= or value=", word);
        const twx_slice text = twx_slice_sub(word, strlen(NAMES[i]), word.n);
        const twx_rc rc = twx_arena_copy(p->cx, &p->m->texts, text, texts[i]);
        if (rc != TWX_OK) return rc;
    }
    c.key = twx_context_key_of_texts(&c);
    if (!c.key) return fail_at(p, "is of another form, or lacks its path or name", word);
    *ret_context = c;
    return TWX_OK;
}

static twx_rc parse_line(const parser *p, twx_slice line) {
    twx_parameters *m = p->m;
    twx_context c;
    uint64_t at = m->contexts.n;
    const twx_slice whole = line;
    if (line.n == 0 || line.p[0] == '#') return TWX_OK;
    twx_rc rc = parse_fields(p, line, &c);
    if (rc == TWX_OK) rc = twx_map64_add(p->cx, &m->by_key, c.key, at, &at);
    if (rc == TWX_OK && at != m->contexts.n) rc = fail_at(p, "is repeated", whole);
    if (rc == TWX_OK && !TWX_VEC_PUSH(p->cx, &m->contexts, c)) rc = TWX_E_NOMEM;
    if (rc == TWX_OK) m->kinds |= 1u << TWX_HYPOTHESIS[c.row].kind;
    return rc;
}

/* "twindex-url-model FINGERPRINT" */
static twx_rc parse_head(const parser *p, twx_slice line, uint64_t urls) {
    char head[sizeof TWX_PARAMETERS_BEGIN + 16];
    snprintf(head, sizeof head, TWX_PARAMETERS_BEGIN "%016" PRIx64, urls);
    if (twx_slice_eq(line, twx_slice_of(head))) return TWX_OK;
    if (twx_slice_starts(line, TWX_SLICE_LIT(TWX_PARAMETERS_BEGIN)))
        return fail_at(p, "is of another version, or other url.* settings: learn again", line);
    return fail_at(p, "is not the first line of a model: 'twindex predict --model' writes one",
                   twx_slice_sub(line, 0, sizeof head));
}

/* Sub-domains of one registrable domain, and folders of them. */
static bool are_of_one_domain(twx_slice a, twx_slice b) {
    const twx_slice of[] = {twx_site_of(a), twx_site_of(b)};
    twx_slice domain[2];
    for (size_t i = 0; i < TWX_COUNTOF(of); i++)
        domain[i] = twx_registrable_domain(twx_slice_sub(of[i], 0, twx_slice_find(of[i], ':', 0)));
    return twx_slice_eq(domain[0], domain[1]);
}

/* A URL only becomes shorter, or earlier in the order of bytes. */
static bool is_shorter(twx_slice a, twx_slice b) {
    return a.n != b.n ? a.n < b.n : twx_slice_cmp(a, b) < 0;
}

static twx_rc add_place(twx_ctx *cx, twx_parameters *m, const twx_context *c, twx_slice from,
                        twx_slice to) {
    uint64_t at = m->places.n;
    const uint64_t key = twx_mix64(twx_base_of(from).key, twx_query_shape(c->name));
    if (!is_shorter(to, from)) return TWX_OK;
    const twx_rc rc = twx_map64_add(cx, &m->by_base, key, at, &at);
    if (rc != TWX_OK) return rc;
    if (at == m->places.n)
        return TWX_VEC_PUSH(cx, &m->places, (place){to, c}) ? TWX_OK : TWX_E_NOMEM;
    if (is_shorter(to, m->places.at[at].base)) m->places.at[at] = (place){to, c};
    return TWX_OK;
}

static twx_rc list_places(twx_ctx *cx, twx_parameters *m) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < m->contexts.n; i++) {
        const twx_context *c = &m->contexts.at[i];
        if (c->row != TWX_ORIGINS || !twx_context_is_sure(c, m->least_ppm) ||
            !are_of_one_domain(c->path, c->value))
            continue;
        rc = add_place(cx, m, c, c->path, c->value);
        if (rc == TWX_OK) rc = add_place(cx, m, c, c->value, c->path);
    }
    return rc;
}

twx_rc twx_parameters_parse(twx_ctx *cx, const twx_parameters_from *from, twx_slice text,
                            twx_parameters **ret_parameters) {
    twx_parameters *m = twx_calloc(cx, 1, sizeof *m);
    parser p = {.cx = cx, .m = m, .line = 1};
    if (!m) return TWX_E_NOMEM;
    m->least_ppm = from->least_ppm;
    m->fingerprint = twx_hash64(text, 0);
    m->path = twx_strdup(cx, from->path);
    const bool whole = text.n && text.p[text.n - 1] == '\n';
    twx_slice line = twx_slice_trim(twx_slice_next_line(&text));
    twx_rc rc = m->path ? parse_head(&p, line, from->urls) : TWX_E_NOMEM;
    while (rc == TWX_OK && text.n) {
        p.line++;
        line = twx_slice_trim(twx_slice_next_line(&text));
        rc = parse_line(&p, line);
    }
    if (rc == TWX_OK && !whole) rc = fail_at(&p, "is the last line, which was cut off", line);
    if (rc == TWX_OK) rc = list_places(cx, m);
    TWX_HAND_OVER(rc, ret_parameters, m, twx_parameters_close(m));
    return rc;
}

void twx_parameters_close(twx_parameters *m) {
    if (!m) return;
    twx_free(m->path);
    twx_arena_done(&m->texts);
    TWX_VEC_DONE(&m->contexts);
    TWX_VEC_DONE(&m->places);
    twx_map64_done(&m->by_key);
    twx_map64_done(&m->by_base);
    twx_free(m);
}

uint64_t twx_parameters_fingerprint(const twx_parameters *m) {
    return m ? m->fingerprint : 0;
}

const char *twx_parameters_path(const twx_parameters *m) {
    return m->path;
}

size_t twx_parameters_count(const twx_parameters *m) {
    return m->contexts.n;
}

/* The context after which this part of m->page does not matter; NULL: it does. Where one that
 * speaks of fewer URLs is contradicted, those that speak of more do not apply. */
static const twx_context *rule_of(const twx_parameters *m, const twx_variant *v) {
    const twx_context *best = NULL;
    if (!(m->kinds >> v->kind & 1) || v->kind == TWX_VARIANT_ORIGIN) return NULL;
    for (size_t row = 0; row < TWX_HYPOTHESES; row++) {
        const twx_hypothesis *h = &TWX_HYPOTHESIS[row];
        uint64_t at;
        if (h->kind != v->kind ||
            !twx_map64_get(&m->by_key, twx_context_key(row, &m->page, v), &at))
            continue;
        const twx_context *c = &m->contexts.at[at];
        /* one value may be as good as another, and the page still need one */
        const bool drops = h->added || !(h->of & TWX_OF_VALUE);
        if (twx_context_is_contradicted(c))
            best = NULL;
        else if (drops && twx_context_is_sure(c, m->least_ppm))
            best = c;
    }
    return best;
}

/* Replaces url[from, to) of *n bytes. */
static void replace(twx_parameters *m, size_t *n, const char *from, const char *to, twx_slice by) {
    const size_t at = (size_t)(from - m->url), end = (size_t)(to - m->url);
    memmove(m->url + at + by.n, m->url + end, *n - end);
    memcpy(m->url + at, by.p, by.n);
    *n += at + by.n - end;
}

/* Leaves out the part of a variant of m->page; of a repeated name, the first parameter. */
static void cut(twx_parameters *m, size_t *n, const twx_variant *v) {
    const char *const url_end = m->url + *n, *from = v->first.p, *to = from + v->first.n;
    const twx_url_pieces *parts = &m->page.parts;
    switch ((twx_variant_kind)v->kind) {
    case TWX_VARIANT_QUERY:
        from = parts->query.p - 1;
        to = url_end;
        break;
    case TWX_VARIANT_PARAMETER:
        if (v->text.p) to = v->text.p + v->text.n;
        if (to < url_end && *to == '&')
            to++;
        else
            from--;
        break;
    case TWX_VARIANT_PATH_SUFFIX:
        for (from--; to < url_end && *to != '/' && *to != '?';) to++;
        break;
    case TWX_VARIANT_SEGMENT: /* without the last one, its folder remains */
        if (from != parts->segments[parts->segments_n - 1].p)
            to++;
        else if (from == to)
            from--;
        break;
    default: break;
    }
    replace(m, n, from, to,
            v->kind == TWX_VARIANT_SESSION ? TWX_SLICE_LIT("~") : (twx_slice){"", 0});
}

/* What the longest base of the page is replaced by; NULL: it stays. */
static const place *place_of(const twx_parameters *m, const twx_variant **ret_variant) {
    const place *found = NULL;
    for (size_t i = 0; m->places.n && i < m->page.variants_n; i++) {
        const twx_variant *v = &m->page.variants[i];
        uint64_t at;
        if (v->kind != TWX_VARIANT_ORIGIN ||
            !twx_map64_get(&m->by_base, twx_mix64(v->value, m->page.shape), &at))
            continue;
        if (!is_shorter(m->places.at[at].base, v->first)) continue; /* a file may say anything */
        *ret_variant = v;
        found = &m->places.at[at];
    }
    return found;
}

uint64_t twx_parameters_key(twx_parameters *m, twx_slice url,
                            const twx_context *ret_why[TWX_PARAMETERS_WHY], size_t *ret_n) {
    size_t n = url.n, reasons = 0;
    memcpy(m->url, url.p, n);
    for (size_t pass = 0; pass < PASSES_MAX; pass++) {
        const twx_variant *drop[TWX_URL_PARAMETERS], *v = NULL;
        size_t dropped = 0;
        twx_url_variants_of((twx_slice){m->url, n}, &m->page);
        for (size_t i = 0; i < m->page.variants_n; i++) {
            v = &m->page.variants[i];
            if (v->kind == TWX_VARIANT_QUERY && !m->page.parts.query.p) continue;
            /* what is known of a parameter does not depend on the others */
            if (dropped && v->kind != TWX_VARIANT_PARAMETER) break;
            const twx_context *why = rule_of(m, v);
            if (!why) continue;
            drop[dropped++] = v;
            if (ret_why && reasons < TWX_PARAMETERS_WHY) ret_why[reasons++] = why;
            if (v->kind != TWX_VARIANT_PARAMETER) break;
        }
        const place *to = dropped ? NULL : place_of(m, &v);
        if (!dropped && !to) break;
        if (to) {
            replace(m, &n, m->url, m->url + v->first.n, to->base);
            if (ret_why && reasons < TWX_PARAMETERS_WHY) ret_why[reasons++] = to->why;
        }
        while (dropped > 0) cut(m, &n, drop[--dropped]); /* the last one first: others stay */
    }
    if (ret_n) *ret_n = reasons;
    return m->page.whole | 1; /* never 0 */
}

uint64_t twx_page_key(twx_parameters *m, const twx_facts *facts, twx_slice url) {
    return url.n && url.n < TWX_FACTS_URL_MAX ? twx_parameters_key(m, url, NULL, NULL)
                                              : facts->url_key;
}

twx_rc twx_parameters_reason(twx_ctx *cx, const twx_context *c, twx_buf *out) {
    const bool origin = c->row == TWX_ORIGINS;
    twx_rc rc = twx_buf_printf(cx, out, "%s ", TWX_HYPOTHESIS[c->row].form);
    if (rc == TWX_OK && c->name.p && !origin)
        rc = twx_buf_printf(cx, out, TWX_SLICE_FMT "%s" TWX_SLICE_FMT " of ",
                            TWX_SLICE_ARG(c->name), c->value.p ? "=" : "", TWX_SLICE_ARG(c->value));
    if (rc == TWX_OK && origin)
        rc = twx_buf_printf(cx, out, TWX_SLICE_FMT " in place of ", TWX_SLICE_ARG(c->value));
    return rc == TWX_OK
               ? twx_buf_printf(cx, out,
                                TWX_SLICE_FMT " changes nothing, %" PRIu32 " of %" PRIu64 " pairs",
                                TWX_SLICE_ARG(c->path), c->dup, (uint64_t)c->dup + c->nodup)
               : rc;
}
