#include "predict/predict.h"

#include <math.h>

typedef struct twx_partner {
    uint64_t key; /* of a base and the shape of a query */
    twx_base other;
    const twx_context *why;
} twx_partner;

enum { TEXTS_KEPT = 1 << 16 };

/* Values of a seen key, for the whole key of a URL and for a group. The value of a reverse key is
 * the key of a context. */
enum { SEEN_ONCE = 0, SEEN_MORE = 1 };

double twx_trial_probability(uint64_t dup, uint64_t nodup) {
    if (dup + nodup < TWX_TRIALS_LEAST) return 0;
    const double n = (double)dup + (double)nodup + 2, p = ((double)dup + 1) / n;
    const double low = p - 1.96 * sqrt(p * (1 - p) / n);
    return low > 0 ? low : 0;
}

void twx_model_init(twx_model *m) {
    *m = (twx_model){0};
    twx_arena_init(&m->texts, TEXTS_KEPT);
}

void twx_model_done(twx_model *m) {
    if (!m) return;
    TWX_VEC_DONE(&m->contexts);
    TWX_VEC_DONE(&m->partners);
    twx_map64_done(&m->by_key);
    twx_map64_done(&m->partners_of);
    twx_map64_done(&m->seen);
    twx_arena_done(&m->texts);
}

static double probability_of(const twx_context *c) {
    return twx_context_is_contradicted(c) ? 0 : twx_trial_probability(c->dup, c->nodup);
}

twx_rc twx_model_add_context(twx_ctx *cx, twx_model *m, const twx_context *context) {
    twx_context c = *context;
    bool fresh = false;
    c.probability = probability_of(&c);
    twx_rc rc = twx_arena_copy(cx, &m->texts, context->path, &c.path);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, &m->texts, context->name, &c.name);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, &m->texts, context->second, &c.second);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, &m->texts, context->value, &c.value);
    if (rc == TWX_OK) rc = twx_map64_place(cx, &m->by_key, c.key, m->contexts.n, NULL, &fresh);
    if (rc != TWX_OK || !fresh) return rc;
    if (!TWX_VEC_PUSH(cx, &m->contexts, c)) return TWX_E_NOMEM;
    double *best = &m->best[TWX_HYPOTHESIS[c.row].kind];
    if (c.probability > *best) *best = c.probability;
    return TWX_OK;
}

const twx_context *twx_model_context(const twx_model *m, uint64_t key) {
    const uint64_t *at = twx_map64_at(&m->by_key, key);
    return at ? &m->contexts.at[*at] : NULL;
}

void twx_model_contradict(twx_model *m, const twx_context *c) {
    twx_context *own = &m->contexts.at[c - m->contexts.at];
    own->nodup += own->nodup < UINT32_MAX;
    own->probability = probability_of(own);
}

/* The key under which the partners of a URL are found. */
static uint64_t partner_key(uint64_t base, uint64_t shape) {
    return twx_mix64(base, shape);
}

TWX_ORDER(by_origin, twx_partner,
          TWX_UP_THEN(key, TWX_DOWN_THEN(why->probability, TWX_UP(other.key))))

twx_rc twx_model_ready(twx_ctx *cx, twx_model *m) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < m->contexts.n; i++) {
        const twx_context *c = &m->contexts.at[i];
        if (c->row != TWX_ORIGINS || c->probability < TWX_LIKELY) continue;
        const twx_base a = twx_base_of(c->path), b = twx_base_of(c->value);
        const uint64_t shape = twx_query_shape(c->name);
        if (!TWX_VEC_PUSH(cx, &m->partners, (twx_partner){partner_key(a.key, shape), b, c}) ||
            !TWX_VEC_PUSH(cx, &m->partners, (twx_partner){partner_key(b.key, shape), a, c}))
            rc = TWX_E_NOMEM;
    }
    if (rc == TWX_OK && m->partners.n)
        qsort(m->partners.at, m->partners.n, sizeof *m->partners.at, by_origin);
    for (size_t i = 0; rc == TWX_OK && i < m->partners.n; i++)
        rc = twx_map64_place(cx, &m->partners_of, m->partners.at[i].key, i, NULL, NULL);
    return rc;
}

/* The most likely context of a variant among the rows of one kind of trial: only those with the
 * counterpart, or any. [R1] */
static const twx_context *likeliest(const twx_model *m, const twx_url_variants *page,
                                    const twx_variant *v, bool groups_only) {
    const twx_context *best = NULL;
    for (size_t row = 0; row < TWX_HYPOTHESES; row++) {
        const twx_hypothesis *h = &TWX_HYPOTHESIS[row];
        if (h->kind != v->kind || (groups_only && h->added)) continue;
        const twx_context *c = twx_model_context(m, twx_context_key(row, page, v));
        if (c && twx_context_is_contradicted(c)) best = NULL;
        if (c && (!best || c->probability > best->probability)) best = c;
    }
    return best && best->probability >= TWX_LIKELY ? best : NULL;
}

/* Records for the counterpart what was added to it: of several contexts the most likely one, then
 * the one with the smallest key [R3]. */
static twx_rc see_reverse(twx_ctx *cx, const twx_model *m, uint64_t counterpart,
                          const twx_context *why, twx_map64 *seen) {
    uint64_t *at = NULL;
    bool fresh = false;
    twx_rc rc = twx_map64_place(cx, seen, twx_reverse_key(counterpart), why->key, &at, &fresh);
    if (rc != TWX_OK || !at || fresh) return rc;
    const twx_context *other = twx_model_context(m, *at);
    if (!other || why->probability > other->probability ||
        (why->probability == other->probability &&
         why->key < other->key)) /* style: the same computation gave both */
        *at = why->key;
    return TWX_OK;
}

twx_rc twx_model_add_seen(twx_ctx *cx, const twx_model *m, const twx_url_variants *page,
                          twx_map64 *seen) {
    bool fresh = false;
    twx_rc rc = twx_map64_place(cx, seen, page->whole, SEEN_ONCE, NULL, &fresh);
    if (rc != TWX_OK || !fresh) return rc;
    for (size_t i = 0; rc == TWX_OK && i < page->variants_n; i++) {
        const twx_variant *v = &page->variants[i];
        if (m->best[v->kind] < TWX_LIKELY || v->kind == TWX_VARIANT_QUERY ||
            v->kind == TWX_VARIANT_ORIGIN)
            continue;
        const twx_context *any = likeliest(m, page, v, false);
        const twx_context *of_group = any && v->group ? likeliest(m, page, v, true) : NULL;
        if (any && v->counterpart && v->counterpart != page->whole)
            rc = see_reverse(cx, m, v->counterpart, any, seen);
        uint64_t *at = NULL;
        if (rc == TWX_OK && of_group)
            rc = twx_map64_place(cx, seen, v->group, SEEN_ONCE, &at, &fresh);
        if (rc == TWX_OK && at && !fresh) *at = SEEN_MORE;
    }
    return rc;
}

/* A URL that is being predicted, and the tables of seen URLs. */
typedef struct asking {
    const twx_model *m;
    const twx_url_variants *page;
    const twx_map64 *tables[2];
    bool itself[2]; /* the table contains the URL itself */
    size_t n;
    twx_prediction best;
} asking;

static bool is_seen(const asking *a, uint64_t whole) {
    for (size_t i = 0; i < a->n; i++)
        if (twx_map64_at(a->tables[i], whole)) return true;
    return false;
}

/* Does the group have a URL other than the one that is being predicted? */
static bool is_group_seen(const asking *a, uint64_t group) {
    for (size_t i = 0; i < a->n; i++) {
        const uint64_t *value = twx_map64_at(a->tables[i], group);
        if (value && (*value == SEEN_MORE || !a->itself[i])) return true;
    }
    return false;
}

static bool applies(const asking *a, const twx_hypothesis *h, const twx_variant *v) {
    /* five trials took six URLs */
    if (v->kind == TWX_VARIANT_QUERY) return true;
    if (v->counterpart && v->counterpart != a->page->whole && is_seen(a, v->counterpart))
        return true;
    return !h->added && v->group && is_group_seen(a, v->group);
}

static void consider(asking *a, const twx_context *why) {
    if (why->probability > a->best.probability) a->best = (twx_prediction){why->probability, why};
}

/* [R1] */
static void ask_variant(asking *a, const twx_variant *v) {
    const twx_context *best = NULL;
    for (size_t row = 0; row < TWX_HYPOTHESES; row++) {
        const twx_hypothesis *h = &TWX_HYPOTHESIS[row];
        if (h->kind != v->kind) continue;
        const twx_context *c = twx_model_context(a->m, twx_context_key(row, a->page, v));
        if (c && twx_context_is_contradicted(c))
            best = NULL;
        else if (c && (!best || c->probability > best->probability) && applies(a, h, v))
            best = c;
    }
    if (best) consider(a, best);
}

/* The context of two bases, or that of the folder after them if it knows of pages that differ. */
static const twx_context *of_folder(const asking *a, const twx_variant *v, const twx_partner *p) {
    const uint64_t key = twx_origins_context(v->value, p->other.key, v->name);
    const twx_context *c = v->name ? twx_model_context(a->m, key) : NULL;
    return c && c->nodup ? c : p->why;
}

static void ask_origins(asking *a, const twx_variant *v) {
    const uint64_t key = partner_key(v->value, a->page->shape),
                   *first = twx_map64_at(&a->m->partners_of, key);
    if (!first) return;
    for (size_t i = (size_t)*first; i < a->m->partners.n; i++) {
        const twx_partner *p = &a->m->partners.at[i];
        if (p->key != key || p->why->probability <= a->best.probability) return;
        if (is_seen(a, twx_url_key_at(a->page, v, &p->other))) consider(a, of_folder(a, v, p));
    }
}

twx_prediction twx_model_predict(const twx_model *m, const twx_map64 *also,
                                 const twx_url_variants *page) {
    asking a = {.m = m, .page = page, .tables = {&m->seen, also}, .n = also ? 2 : 1};
    for (size_t i = 0; i < a.n; i++) a.itself[i] = twx_map64_at(a.tables[i], page->whole) != NULL;
    for (size_t i = 0; i < a.n; i++) {
        const uint64_t *context = twx_map64_at(a.tables[i], twx_reverse_key(page->whole));
        const twx_context *c = context ? twx_model_context(m, *context) : NULL;
        if (c) consider(&a, c);
    }
    /* a likely duplicate needs no weaker evidence */
    for (size_t i = 0; i < page->variants_n; i++)
        if (m->best[page->variants[i].kind] > a.best.probability)
            (page->variants[i].kind == TWX_VARIANT_ORIGIN ? ask_origins
                                                          : ask_variant)(&a, &page->variants[i]);
    return a.best;
}

bool twx_explores(twx_slice url, double share) {
    enum { SEED = 5 };
    /* 53 bits: 0 <= x < 1 */
    return (double)(twx_hash64(url, SEED) >> 11) / 9007199254740992.0 < share;
}
