#include "cluster/cluster.h"

/* ==== near_plan */

/* What the column `near` says of the text of a document. */
typedef enum twx_near_kind {
    TWX_NEAR_NONE,   /* it has no keys */
    TWX_NEAR_PLAIN,  /* its keys are in the row, or its payload is one that verifies with none */
    TWX_NEAR_LONG,   /* its payload has a sketch */
    TWX_NEAR_SHORT,  /* and is that of a short text (group/band_search.c) */
    TWX_NEAR_MASKED, /* its keys are its first key under masks */
    TWX_NEAR_TEXT,   /* it has a text that can only have copies */
    TWX_NEAR_KINDS
} twx_near_kind;

enum { KEYS_AT_ONCE = 96 }; /* of a statement */

twx_rc twx_near_plan_make(const twx_job *job, twx_near_plan *ret_plan) {
    twx_rc rc = twx_sign_plan_of_settings(job, &ret_plan->sign);
    return rc == TWX_OK ? twx_judge_plan_make(job, &ret_plan->sign, &ret_plan->judge) : rc;
}

void twx_near_plan_done(twx_near_plan *plan) {
    twx_judge_plan_done(&plan->judge);
    twx_sign_plan_done(&plan->sign);
}

static bool is_run(const twx_band *band) {
    for (size_t i = 1; i < band->bytes; i++)
        if (band->at[i] != band->at[0] + i) return false;
    return true;
}

/* The bytes of the band as a number, with the number of the band above them. */
static twx_rc add_band(twx_ctx *cx, const twx_band *band, size_t number, twx_buf *out) {
    twx_rc rc = twx_buf_printf(cx, out, "bitOr(toUInt64(%" PRIu64 "),reinterpretAsUInt64(",
                               (uint64_t)number << 8 * TWX_BAND_BYTES_MAX);
    if (rc == TWX_OK && is_run(band))
        return twx_buf_printf(cx, out, "substring(s,%u,%u)))", band->at[0] + 1u, band->bytes);
    if (rc == TWX_OK) rc = twx_buf_add_text(cx, out, "concat(");
    for (size_t i = 0; rc == TWX_OK && i < band->bytes; i++)
        rc = twx_buf_printf(cx, out, "%ssubstring(s,%u,1)", i ? "," : "", band->at[i] + 1u);
    return rc == TWX_OK ? twx_buf_add_text(cx, out, ")))") : rc;
}

static twx_rc add_key(twx_ctx *cx, twx_near_keys *keys, bool scoped, const twx_band *band,
                      size_t number, uint64_t mask) {
    twx_buf *out = &keys->list;
    twx_rc rc = out->n ? twx_buf_add_char(cx, out, ',') : TWX_OK;
    if (rc == TWX_OK && !band)
        return twx_buf_printf(
            cx, out, "cityHash64(scope,toUInt64(%" PRIu64 "),bitAnd(first,toUInt64(%" PRIu64 ")))",
            mask, mask);
    if (rc == TWX_OK && scoped) rc = twx_buf_add_text(cx, out, "cityHash64(scope,");
    if (rc == TWX_OK) rc = add_band(cx, band, number, out);
    return rc == TWX_OK && scoped ? twx_buf_add_char(cx, out, ')') : rc;
}

/* All bands of a list are of all texts, or all are of short ones. */
static twx_rc next_bands(twx_ctx *cx, const twx_band_plan *plan, bool scoped, size_t *at,
                         twx_near_keys *keys) {
    const size_t n = twx_band_count(plan), first = *at;
    twx_rc rc = first < n ? TWX_OK : TWX_DONE;
    keys->least = TWX_NEAR_LONG;
    keys->most = TWX_NEAR_SHORT;
    for (; rc == TWX_OK && *at < n && *at < first + KEYS_AT_ONCE; ++*at) {
        const twx_band band = twx_band_of(plan, *at);
        const unsigned least = band.of_short ? TWX_NEAR_SHORT : TWX_NEAR_LONG;
        if (*at > first && least != keys->least) break;
        keys->least = least;
        rc = add_key(cx, keys, scoped, &band, *at, 0);
    }
    return rc;
}

twx_rc twx_near_keys_next(twx_ctx *cx, const twx_near_plan *plan, uint64_t documents, size_t *at,
                          twx_near_keys *keys) {
    const twx_judge_options *o = &plan->judge.options;
    const twx_detector *d = o->detectors[TWX_RELATION_NEAR];
    uint64_t masks[TWX_CANDIDATE_KEYS_MAX];
    twx_buf_clear(&keys->list);
    if (d->sketch)
        return next_bands(cx, twx_band_plan_for(documents),
                          o->scope[TWX_RELATION_NEAR] != TWX_SCOPE_STORE, at, keys);
    const size_t n = d->masks ? d->masks(o->params, masks) : 0, first = *at;
    twx_rc rc = first < n ? TWX_OK : TWX_DONE;
    keys->least = keys->most = TWX_NEAR_MASKED;
    for (; rc == TWX_OK && *at < n && *at < first + KEYS_AT_ONCE; ++*at)
        rc = add_key(cx, keys, true, NULL, *at, masks[*at]);
    return rc;
}

/* ==== near_names */

/* Memory for the names of a document, so that all of them stay in memory. */
enum { NAMES_BYTES = 2 * (TWX_NAME_BYTES + TWX_REPEATED_BYTES) };

/* ---- learning ------------------------------------------------------------ */

void twx_near_learned_init(twx_near_learned *l, const twx_name_rules *rules) {
    *l = (twx_near_learned){.rules = *rules};
}

static void end_part(twx_near_learned *l) {
    twx_names_done(&l->part);
    twx_doc_table_done(&l->docs);
    l->docs = (twx_doc_table){0};
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

/* ==== near_columns */

typedef struct near_reading {
    twx_ctx *cx;
    const twx_judge_options *o;
    const twx_facts *facts;
    bool has; /* the near-duplicate detector has signed the text */
    uint64_t text;
    twx_record_entry entry; /* of that detector */
    twx_slice repeated, name;
} near_reading;

/* ---- settings ------------------------------------------------------------ */

static uint64_t mix_methods(uint64_t f, const twx_params *params, const twx_detector *d) {
    for (size_t i = 0; params && i < d->n_settings; i++)
        f = twx_mix64(f, twx_method_value(params, d, i));
    return f;
}

uint64_t twx_near_fingerprint(const twx_judge_options *o) {
    const twx_detector *d = o->detectors[TWX_RELATION_NEAR];
    if (!d && !o->names.own) return 0;
    uint64_t f = twx_mix64(TWX_JUDGE_VERSION, d ? (uint64_t)d->id << 16 | d->version : 0);
    if (d) f = mix_methods(f, o->params, d);
    if (d) f = mix_methods(f, o->named, d);
    f = twx_mix64(f, (uint64_t)o->candidates << 8 | (uint64_t)o->join << 4 |
                         o->scope[TWX_RELATION_NEAR]);
    f = twx_mix64(f, (uint64_t)o->names.common_ppm << 32 | o->names.site_ppm);
    f = twx_mix64(f, (uint64_t)o->names.own << 8);
    for (size_t i = 0; i < o->names.n_ignored; i++) f = twx_mix64(f, o->names.ignored[i]);
    return f ? f : 1;
}

const char *twx_near_refusal(const twx_judge_options *o) {
    const twx_detector *d = o->detectors[TWX_RELATION_NEAR];
    if (!d) return NULL;
    if (twx_detector_needs(d, o->params))
        return "needs, with these settings, statistics of the whole collection";
    if (d->basis != TWX_BASIS_TEXT || !d->verify) return "does not compare pairs of texts";
    return o->join == TWX_JOIN_LINK ? "with near.join = link depends on the order of all texts"
                                    : NULL;
}

/* ---- reading ------------------------------------------------------------- */

static void take_entry(near_reading *r, const twx_record_entry *e) {
    const twx_judge_options *o = r->o;
    const twx_detector *exact = o->detectors[TWX_RELATION_EXACT],
                       *near = o->detectors[TWX_RELATION_NEAR],
                       *copy = o->detectors[TWX_RELATION_COPY];
    if (o->name && e->id == o->name->id) r->name = e->payload;
    if (copy && e->id == copy->id) r->repeated = e->payload;
    if (e->n_keys == 0) return;
    if (exact && e->id == exact->id) {
        const twx_key first = twx_record_key(e, 0);
        r->text = twx_mix64(first.key, first.check);
    }
    if (near && e->id == near->id) {
        r->has = true;
        r->entry = *e;
    }
}

/* Do servers look for candidates of the text? */
static bool is_sent(const near_reading *r) {
    return r->has && !r->o->names.own;
}

static uint64_t scope_of(const near_reading *r) {
    return twx_scope_key(r->facts, r->o->scope[TWX_RELATION_NEAR]);
}

static uint64_t scoped(const near_reading *r, uint64_t key) {
    return r->o->scope[TWX_RELATION_NEAR] == TWX_SCOPE_STORE ? key : twx_mix64(key, scope_of(r));
}

/* ---- columns ------------------------------------------------------------- */

/* Where keys of candidates come from. */
typedef struct keys_from {
    twx_near_kind kind;
    /* A sketch that is not in the payload precedes it. sketch_at: in the column, after a byte that
     * says whether one does */
    size_t sketch_at;
    bool made;
    unsigned char sketch[TWX_SKETCH_BYTES];
    size_t n;
    uint64_t keys[TWX_CANDIDATE_KEYS_MAX];
} keys_from;

static twx_rc find_keys(const near_reading *r, keys_from *ret_from) {
    const twx_detector *d = r->o->detectors[TWX_RELATION_NEAR];
    twx_key made[TWX_CANDIDATE_KEYS_MAX];
    bool is_short = false;
    ret_from->n = ret_from->sketch_at = 0;
    ret_from->made = false;
    ret_from->kind = r->has ? TWX_NEAR_PLAIN : TWX_NEAR_NONE;
    if (r->o->names.own && !r->has && r->text) ret_from->kind = TWX_NEAR_TEXT;
    if (!is_sent(r)) return TWX_OK;
    if (d->masks) {
        ret_from->kind = TWX_NEAR_MASKED;
        return TWX_OK;
    }
    if (d->sketch) {
        const unsigned char *sketch = d->sketch(r->entry.payload, ret_from->sketch, &is_short);
        if (!sketch) return TWX_OK;
        ret_from->kind = is_short ? TWX_NEAR_SHORT : TWX_NEAR_LONG;
        ret_from->made = sketch == ret_from->sketch;
        ret_from->sketch_at = 1 + (ret_from->made
                                       ? 0
                                       : (size_t)((const char *)sketch - r->entry.payload.p));
        return TWX_OK;
    }
    const twx_signed from = {twx_record_key(&r->entry, 0), r->entry.payload};
    const size_t n = d->candidates ? d->candidates(r->o->params, &from, made) : r->entry.n_keys;
    if (n > TWX_CANDIDATE_KEYS_MAX)
        return twx_fail(r->cx, TWX_E_LIMIT, "a text has %zu keys of %s", n, d->name);
    for (size_t k = 0; k < n; k++) {
        const twx_key key = d->candidates ? made[k] : twx_record_key(&r->entry, k);
        ret_from->keys[ret_from->n++] = scoped(r, twx_mix64(key.key, key.check));
    }
    return TWX_OK;
}

static twx_rc add_keys(twx_ctx *cx, twx_buf *out, const uint64_t *keys, size_t n) {
    twx_rc rc = twx_buf_add_number(cx, out, n);
    for (size_t k = 0; rc == TWX_OK && k < n; k++) rc = twx_row_add_number(cx, out, keys[k], 8);
    return rc;
}

static twx_rc add_payload(const near_reading *r, const keys_from *from, twx_buf *out) {
    const twx_slice sketch = {(const char *)from->sketch, from->made ? TWX_SKETCH_BYTES : 0};
    if (!is_sent(r)) return twx_buf_add_number(r->cx, out, 0);
    twx_rc rc = twx_buf_add_number(r->cx, out, 1 + sketch.n + r->entry.payload.n);
    if (rc == TWX_OK) rc = twx_row_add_number(r->cx, out, from->made, 1);
    if (rc == TWX_OK) rc = twx_buf_add_slice(r->cx, out, sketch);
    return rc == TWX_OK ? twx_buf_add_slice(r->cx, out, r->entry.payload) : rc;
}

twx_slice twx_near_payload(twx_slice column) {
    const size_t before = column.n && column.p[0] ? 1 + TWX_SKETCH_BYTES : 1;
    return twx_slice_sub(column, before < column.n ? before : column.n, column.n);
}

static twx_rc add_text(const near_reading *r, twx_buf *out) {
    twx_ctx *cx = r->cx;
    keys_from from;
    twx_rc rc = find_keys(r, &from);
    if (rc != TWX_OK) return rc;
    const bool sent = is_sent(r);
    const uint64_t row[] = {from.kind, sent ? scoped(r, r->text) : 0, sent ? scope_of(r) : 0,
                            sent ? twx_record_key(&r->entry, 0).key : 0, from.sketch_at};
    rc = twx_row_add_numbers(cx, out, "18882", row);
    if (rc == TWX_OK) rc = add_payload(r, &from, out);
    return rc == TWX_OK ? add_keys(cx, out, from.keys, from.n) : rc;
}

static twx_rc add_name(const near_reading *r, size_t id_at, twx_buf *out) {
    uint64_t keys[TWX_NAME_KEYS_MAX];
    twx_name_words name = {0}, text = {0};
    const twx_slice none = {"", 0};
    const bool sent = is_sent(r);
    size_t n = 0;
    if (sent && r->name.p && r->o->name) {
        twx_name_unpack(r->name, &name);
        twx_repeated_unpack(r->repeated, &text);
        n = twx_names_keys(&name, &text, keys);
    }
    for (size_t k = 0; k < n; k++) keys[k] = scoped(r, keys[k]);
    twx_rc rc = twx_row_add_number(r->cx, out, id_at, 1);
    if (rc == TWX_OK) rc = twx_row_add_string(r->cx, out, sent ? r->name : none);
    if (rc == TWX_OK) rc = twx_row_add_string(r->cx, out, sent ? r->repeated : none);
    if (rc == TWX_OK) rc = add_keys(r->cx, out, keys, n);
    return rc == TWX_OK ? twx_row_add_number(r->cx, out, n ? twx_names_key_of(&name) : 0, 8) : rc;
}

twx_rc twx_near_columns_add(twx_ctx *cx, const twx_judge_options *options, const twx_facts *facts,
                            twx_slice record, size_t id_at, twx_buf *out) {
    near_reading r = {.cx = cx, .o = options, .facts = facts};
    twx_record_entry entry = {0};
    twx_rc rc = TWX_OK;
    while ((rc = twx_record_next(cx, &record, &entry)) == TWX_OK) take_entry(&r, &entry);
    if (rc == TWX_DONE) rc = add_text(&r, out);
    return rc == TWX_OK ? add_name(&r, id_at, out) : rc;
}
