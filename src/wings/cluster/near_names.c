#include "cluster/near_names.h"

#include "base/alloc.h"

/* Memory for the names of a document, so that all of them stay in memory. */
enum { NAMES_BYTES = 2 * (TWX_NAME_BYTES + TWX_REPEATED_BYTES) };

/* ---- learning ------------------------------------------------------------ */

void twx_near_learned_init(twx_near_learned *l, const twx_name_rules *rules) {
    *l = (twx_near_learned){.rules = *rules};
    twx_map64_init(&l->hosts, 0);
    twx_map64_init(&l->common, 0);
    twx_map64_init(&l->constant, 0);
    twx_doc_table_init(&l->docs);
}

static void end_part(twx_near_learned *l) {
    twx_names_done(&l->part);
    twx_doc_table_done(&l->docs);
    twx_doc_table_init(&l->docs);
}

void twx_near_learned_done(twx_near_learned *l) {
    end_part(l);
    twx_map64_done(&l->hosts);
    twx_map64_done(&l->common);
    twx_map64_done(&l->constant);
}

/* Hosts of which nothing was learned have no number of their own: nothing is common there. */
static uint32_t host_of(const twx_near_learned *l, uint64_t key) {
    uint64_t number = UINT32_MAX;
    (void)twx_map64_get(&l->hosts, key, &number);
    return (uint32_t)number;
}

static twx_rc add_document(twx_ctx *cx, twx_doc_table *docs, uint32_t host, uint32_t *ret_doc) {
    *ret_doc = (uint32_t)docs->at.n;
    return TWX_VEC_PUSH(cx, &docs->at, (twx_doc_row){.host = host}) ? TWX_OK : TWX_E_NOMEM;
}

/* The document that was added last; an empty name: it has none. */
static twx_rc name_document(twx_ctx *cx, twx_names *names, uint32_t text, twx_slice name) {
    uint64_t keys[TWX_NAME_KEYS_MAX];
    size_t n = 0;
    if (name.n == 0) name.p = NULL;
    return twx_names_add(cx, names, text, name, keys, &n);
}

twx_rc twx_near_learned_begin(twx_ctx *cx, twx_near_learned *l, size_t documents) {
    end_part(l);
    l->part.rules = l->rules;
    return twx_names_init(cx, &l->part, documents * NAMES_BYTES);
}

twx_rc twx_near_learned_add(twx_ctx *cx, twx_near_learned *l, const twx_hosted_name *name,
                            twx_slice repeated) {
    const uint64_t next = l->hosts.n;
    uint64_t host = next;
    uint32_t doc = 0;
    twx_rc rc = twx_map64_add(cx, &l->hosts, name->host_key, next, &host);
    if (rc == TWX_OK) rc = add_document(cx, &l->docs, (uint32_t)host, &doc);
    if (rc == TWX_OK) rc = twx_names_add_text(cx, &l->part, repeated);
    return rc == TWX_OK ? name_document(cx, &l->part, doc, name->name) : rc;
}

twx_rc twx_near_learned_end(twx_ctx *cx, twx_near_learned *l) {
    const size_t n = l->docs.at.n;
    uint32_t *node = twx_malloc(cx, (n + 1) * sizeof *node);
    uint8_t *eligibility = twx_calloc(cx, n + 1, 1); /* all take part */
    twx_rc rc = node && eligibility ? TWX_OK : TWX_E_NOMEM;
    for (uint32_t i = 0; rc == TWX_OK && i < n; i++) node[i] = i;
    while (rc == TWX_OK && l->docs.hosts.n < l->hosts.n)
        if (!TWX_VEC_PUSH(cx, &l->docs.hosts, (twx_host){0})) rc = TWX_E_NOMEM;
    twx_names_loaded(&l->part);
    /* what earlier parts have learned is added to */
    twx_map64_done(&l->part.common);
    twx_map64_done(&l->part.constant);
    l->part.common = l->common;
    l->part.constant = l->constant;
    if (rc == TWX_OK) rc = twx_names_learn(cx, &l->part, &l->docs, node, eligibility);
    l->common = l->part.common;
    l->constant = l->part.constant;
    l->part.common = l->part.constant = (twx_map64){0};
    twx_free(node);
    twx_free(eligibility);
    end_part(l);
    return rc;
}

/* ---- texts --------------------------------------------------------------- */

twx_rc twx_named_texts_init(twx_ctx *cx, twx_named_texts *t, const twx_near_learned *l,
                            size_t documents) {
    *t = (twx_named_texts){.learned = l};
    twx_doc_table_init(&t->docs);
    t->names.rules = l->rules;
    return twx_names_init(cx, &t->names, documents * NAMES_BYTES);
}

void twx_named_texts_done(twx_named_texts *t) {
    t->names.common = t->names.constant = (twx_map64){0}; /* borrowed */
    t->names.docs_from = NULL;
    t->names.docs = NULL;
    twx_names_done(&t->names);
    twx_doc_table_done(&t->docs);
    TWX_VEC_DONE(&t->best);
    TWX_VEC_DONE(&t->from);
    TWX_VEC_DONE(&t->list);
}

static twx_rc add_hosted(twx_ctx *cx, twx_named_texts *t, uint32_t text,
                         const twx_hosted_name *name, uint32_t *ret_doc) {
    twx_rc rc = add_document(cx, &t->docs, host_of(t->learned, name->host_key), ret_doc);
    return rc == TWX_OK ? name_document(cx, &t->names, text, name->name) : rc;
}

twx_rc twx_named_texts_add(twx_ctx *cx, twx_named_texts *t, twx_slice repeated,
                           const twx_hosted_name *best, uint32_t *ret_text) {
    const uint32_t text = (uint32_t)t->best.n;
    uint32_t doc = 0;
    twx_rc rc = twx_names_add_text(cx, &t->names, repeated);
    if (rc == TWX_OK) rc = add_hosted(cx, t, text, best, &doc);
    if (rc != TWX_OK) return rc;
    *ret_text = text;
    return TWX_VEC_PUSH(cx, &t->best, doc) && TWX_VEC_PUSH(cx, &t->from, (uint32_t)t->list.n)
               ? TWX_OK
               : TWX_E_NOMEM;
}

twx_rc twx_named_texts_add_name(twx_ctx *cx, twx_named_texts *t, const twx_hosted_name *name) {
    uint32_t doc = 0;
    twx_rc rc = add_hosted(cx, t, (uint32_t)t->best.n - 1, name, &doc);
    return rc == TWX_OK && !TWX_VEC_PUSH(cx, &t->list, doc) ? TWX_E_NOMEM : rc;
}

twx_rc twx_named_texts_end(twx_ctx *cx, twx_named_texts *t) {
    twx_names_loaded(&t->names);
    t->names.common = t->learned->common;
    t->names.constant = t->learned->constant;
    if (!TWX_VEC_PUSH(cx, &t->from, (uint32_t)t->list.n)) return TWX_E_NOMEM;
    t->names.docs_from = t->from.at;
    t->names.docs = t->list.at;
    return TWX_OK;
}

void twx_named_texts_demands(const twx_named_texts *t, uint32_t b, twx_demands *ret_demands) {
    twx_names_demands(&t->names, &t->docs, b, t->best.at[b], ret_demands);
}

unsigned twx_named_texts_contain(const twx_named_texts *t, uint32_t a, uint32_t b,
                                 const twx_demands *of_b) {
    if (!twx_names_contain(&t->names, a, t->best.at[a], of_b, NULL)) return 0;
    return twx_names_equal(&t->names, t->best.at[a], t->best.at[b]) ? 2 : 1;
}
