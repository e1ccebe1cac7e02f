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

/* ==== near_columns */

typedef struct near_reading {
    twx_ctx *cx;
    const twx_judge_options *o;
    const twx_facts *facts;
    uint64_t text;
    const twx_record_entry *entry; /* of the near-duplicate detector; NULL: it has no keys */
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
    f = twx_mix64(f, TWX_DOCUMENT_ROW_VERSION); /* rows of another form cannot be read */
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

/* Do servers look for candidates of the text? */
static bool is_sent(const near_reading *r) {
    return r->entry && !r->o->names.own;
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
    ret_from->kind = r->entry ? TWX_NEAR_PLAIN : TWX_NEAR_NONE;
    if (r->o->names.own && !r->entry && r->text) ret_from->kind = TWX_NEAR_TEXT;
    if (!is_sent(r)) return TWX_OK;
    if (d->masks) {
        ret_from->kind = TWX_NEAR_MASKED;
        return TWX_OK;
    }
    if (d->sketch) {
        const unsigned char *sketch = d->sketch(r->entry->payload, ret_from->sketch, &is_short);
        if (!sketch) return TWX_OK;
        ret_from->kind = is_short ? TWX_NEAR_SHORT : TWX_NEAR_LONG;
        ret_from->made = sketch == ret_from->sketch;
        ret_from->sketch_at = 1 + (ret_from->made
                                       ? 0
                                       : (size_t)((const char *)sketch - r->entry->payload.p));
        return TWX_OK;
    }
    const twx_signed from = {twx_record_key(r->entry, 0), r->entry->payload};
    const size_t n = d->candidates ? d->candidates(r->o->params, &from, made) : r->entry->n_keys;
    if (n > TWX_CANDIDATE_KEYS_MAX)
        return twx_fail(r->cx, TWX_E_LIMIT, "a text has %zu keys of %s", n, d->name);
    for (size_t k = 0; k < n; k++) {
        const twx_key key = d->candidates ? made[k] : twx_record_key(r->entry, k);
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
    twx_rc rc = twx_buf_add_number(r->cx, out, 1 + sketch.n + r->entry->payload.n);
    if (rc == TWX_OK) rc = twx_row_add_number(r->cx, out, from->made, 1);
    if (rc == TWX_OK) rc = twx_buf_add_slice(r->cx, out, sketch);
    return rc == TWX_OK ? twx_buf_add_slice(r->cx, out, r->entry->payload) : rc;
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
                            sent ? twx_record_key(r->entry, 0).key : 0, from.sketch_at};
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

/* The detector's entry, if there is one and it has keys. */
static const twx_record_entry *keys_of(const twx_record *record, const twx_detector *d) {
    const twx_record_entry *entry = d ? twx_record_find(record, d->id) : NULL;
    return entry && entry->n_keys ? entry : NULL;
}

static twx_slice payload_of(const twx_record *record, const twx_detector *d) {
    const twx_record_entry *entry = d ? twx_record_find(record, d->id) : NULL;
    return entry ? entry->payload : (twx_slice){NULL, 0};
}

twx_rc twx_near_columns_add(twx_ctx *cx, const twx_judge_options *o, const twx_facts *facts,
                            const twx_record *record, size_t id_at, twx_buf *out) {
    near_reading r = {.cx = cx,
                      .o = o,
                      .facts = facts,
                      .entry = keys_of(record, o->detectors[TWX_RELATION_NEAR]),
                      .repeated = payload_of(record, o->detectors[TWX_RELATION_COPY]),
                      .name = payload_of(record, o->name)};
    const twx_record_entry *exact = keys_of(record, o->detectors[TWX_RELATION_EXACT]);
    if (exact) {
        const twx_key first = twx_record_key(exact, 0);
        r.text = twx_mix64(first.key, first.check);
    }
    const twx_rc rc = add_text(&r, out);
    return rc == TWX_OK ? add_name(&r, id_at, out) : rc;
}

/* ==== near_resolve */

/* The pairs are edges from the better text to the other one. A text is examined when all texts with
 * an edge to it have been: the order of ranks is not needed. */

typedef struct vertex {
    uint64_t text, edges; /* edges: end of those from it, while they are sorted; then the first */
    uint32_t waiting;     /* texts with an edge to it that were not examined */
    bool follows, unsure; /* matches a listed representative; matches one that may become one */
    bool is_b, is_rep;
} vertex;

typedef struct resolving {
    twx_ctx *cx;
    twx_map64 index; /* of texts */
    TWX_VEC(vertex) at;
    uint32_t *to; /* ends of the edges, by beginning; doubled, plus 1 if the edge is sure */
    uint32_t *queue;
    size_t queued;
} resolving;

static twx_rc index_of(resolving *r, uint64_t text, uint64_t *ret_index) {
    *ret_index = r->at.n;
    twx_rc rc = twx_map64_add(r->cx, &r->index, text, r->at.n, ret_index);
    if (rc == TWX_OK && *ret_index == r->at.n &&
        !TWX_VEC_PUSH(r->cx, &r->at, (vertex){.text = text}))
        rc = TWX_E_NOMEM;
    return rc;
}

static twx_rc add_edges(resolving *r, const twx_near_match *matches, size_t n) {
    uint64_t end = 0;
    r->to = twx_malloc(r->cx, (n + 1) * sizeof *r->to);
    r->queue = twx_malloc(r->cx, (r->at.n + 1) * sizeof *r->queue);
    if (!r->to || !r->queue) return TWX_E_NOMEM;
    for (size_t i = 0; i < r->at.n; i++) {
        end += r->at.at[i].edges;
        r->at.at[i].edges = end; /* each insertion moves it down */
    }
    for (size_t i = 0; i < n; i++) {
        const uint64_t a = twx_map64_value(&r->index, matches[i].a, 0),
                       b = twx_map64_value(&r->index, matches[i].b, 0);
        r->to[--r->at.at[a].edges] = (uint32_t)(b << 1 | matches[i].sure);
    }
    return TWX_OK;
}

static twx_near_state state_of(const vertex *v, const twx_map64 *blocked) {
    if (v->is_rep) return TWX_NEAR_LEADS;
    if (v->follows) return TWX_NEAR_FOLLOWS;
    return v->unsure || twx_map64_has(blocked, v->text) ? TWX_NEAR_OPEN : TWX_NEAR_LEADS;
}

static twx_rc examine(resolving *r, size_t n, const twx_map64 *blocked, twx_near_saids *said) {
    for (size_t i = 0; i < r->at.n; i++)
        if (r->at.at[i].waiting == 0) r->queue[r->queued++] = (uint32_t)i;
    for (size_t q = 0; q < r->queued; q++) {
        const uint32_t i = r->queue[q];
        const vertex *v = &r->at.at[i];
        const twx_near_state state = state_of(v, blocked);
        const uint64_t end = i + 1 < r->at.n ? v[1].edges : n;
        if (v->is_b && !TWX_VEC_PUSH(r->cx, said, ((twx_near_said){v->text, state})))
            return TWX_E_NOMEM;
        for (uint64_t e = v->edges; e < end; e++) {
            const bool sure = r->to[e] & 1;
            vertex *to = &r->at.at[r->to[e] >> 1];
            to->follows |= state == TWX_NEAR_LEADS && sure;
            to->unsure |= state == TWX_NEAR_OPEN || (state == TWX_NEAR_LEADS && !sure);
            if (--to->waiting == 0) r->queue[r->queued++] = r->to[e] >> 1;
        }
    }
    return r->queued == r->at.n
               ? TWX_OK
               : twx_fail(r->cx, TWX_E_DATA, "cluster: pairs of texts are not in their order");
}

twx_rc twx_near_resolve(twx_ctx *cx, const twx_near_match *matches, size_t n,
                        const twx_map64 *blocked, twx_near_saids *ret_said) {
    resolving r = {.cx = cx};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        uint64_t a = 0, b = 0;
        rc = index_of(&r, matches[i].a, &a);
        if (rc == TWX_OK) rc = index_of(&r, matches[i].b, &b);
        if (rc != TWX_OK) break;
        r.at.at[a].is_rep |= matches[i].rep;
        r.at.at[a].edges++;
        r.at.at[b].is_b = true;
        r.at.at[b].waiting++;
    }
    if (rc == TWX_OK) rc = add_edges(&r, matches, n);
    if (rc == TWX_OK) rc = examine(&r, n, blocked, ret_said);
    twx_map64_done(&r.index);
    TWX_VEC_DONE(&r.at);
    twx_free(r.to);
    twx_free(r.queue);
    return rc;
}
