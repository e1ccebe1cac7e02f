#include "predict/rule_check.h"

#include "base/alloc.h"

enum { POLL = 4096 };

typedef struct checking {
    twx_ctx *cx;
    twx_model *model;
    const twx_classed_urls *urls;
    twx_url_variants page; /* scratch */
} checking;

/* Does a rule follow from contexts of this row? */
static bool makes_rules(const twx_hypothesis *h) {
    return h->kind == TWX_VARIANT_PARAMETER && !(h->of & TWX_OF_GROUP) &&
           (h->added || !(h->of & TWX_OF_VALUE));
}

/* The context after which a rule would leave out the parameter of a variant of k->page, among those
 * that no pair contradicts: the most likely one. NULL: it stays. */
static const twx_context *rule_of(const checking *k, const twx_variant *v) {
    const twx_context *best = NULL;
    for (size_t row = 0; v->kind == TWX_VARIANT_PARAMETER && row < TWX_HYPOTHESES; row++) {
        if (!makes_rules(&TWX_HYPOTHESIS[row])) continue;
        const twx_context *c = twx_model_context(k->model, twx_context_key(row, &k->page, v));
        if (c && c->nodup == 0 && c->probability >= TWX_LIKELY &&
            (!best || c->probability > best->probability))
            best = c;
    }
    return best;
}

/* The key of a URL without the parameters that rules leave out, and the context of the least likely
 * of these rules; NULL: none. */
static uint64_t key_by_rules(checking *k, size_t i, const twx_context **ret_weakest) {
    *ret_weakest = NULL;
    twx_url_variants_of(k->urls->url(k->urls->arg, i), &k->page);
    uint64_t query = k->page.query;
    for (size_t at = 0; at < k->page.variants_n; at++) {
        const twx_variant *v = &k->page.variants[at];
        const twx_context *c = rule_of(k, v);
        if (!c) continue;
        query -= twx_parameter_key(v);
        if (!*ret_weakest || c->probability < (*ret_weakest)->probability) *ret_weakest = c;
    }
    return twx_url_key_of(k->page.path, query);
}

static bool have_one_class(const checking *k, size_t a, size_t b) {
    return k->urls->content(k->urls->arg, a) == k->urls->content(k->urls->arg, b);
}

/* One round: contradicts one context for each URL that rules make equal to one of another class. */
static twx_rc check(checking *k, bool *ret_any) {
    twx_key_table by_rules = {0};
    twx_rc rc = TWX_OK;
    *ret_any = false;
    for (size_t i = 0; rc == TWX_OK && i < k->urls->n; i++) {
        const twx_context *own = NULL, *other = NULL;
        uint64_t *at = NULL;
        bool fresh = false;
        if (i % POLL == 0) rc = twx_cancelled(k->cx);
        const uint64_t key = key_by_rules(k, i, &own);
        if (rc == TWX_OK) rc = twx_key_table_place(k->cx, &by_rules, key, i, &at, &fresh);
        if (rc != TWX_OK || fresh || have_one_class(k, i, (size_t)*at)) continue;
        (void)key_by_rules(k, (size_t)*at, &other);
        if (!own || (other && other->probability < own->probability)) own = other;
        if (own) twx_model_contradict(k->model, own);
        *ret_any = *ret_any || own;
    }
    twx_key_table_done(&by_rules);
    return rc;
}

twx_rc twx_check_by_rules(twx_ctx *cx, twx_model *m, const twx_classed_urls *urls) {
    checking *k = twx_calloc(cx, 1, sizeof *k); /* the scratch is large */
    twx_rc rc = k ? TWX_OK : TWX_E_NOMEM;
    if (k) *k = (checking){.cx = cx, .model = m, .urls = urls};
    for (bool any = true; rc == TWX_OK && any;) rc = check(k, &any);
    twx_free(k);
    return rc;
}
