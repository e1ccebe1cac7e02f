#include "cluster/near_columns.h"

#include "base/hash64.h"
#include "cluster/row_binary.h"
#include "group/bands.h"
#include "judge/judge.h"
#include "sign/record.h"

typedef struct near_reading {
    twx_ctx *cx;
    const twx_judge_options *o;
    const twx_facts *facts;
    bool has; /* the near-duplicate detector has signed the text */
    uint64_t text, number, title, description;
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
    f = twx_mix64(f, (uint64_t)o->names.own << 8 | o->names.versions);
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
                       *copy = o->detectors[TWX_RELATION_COPY],
                       *title = o->detectors[TWX_RELATION_TITLE],
                       *description = o->detectors[TWX_RELATION_DESCRIPTION];
    if (o->name && e->id == o->name->id) r->name = e->payload;
    if (copy && e->id == copy->id) r->repeated = e->payload;
    if (e->n_keys == 0) return;
    if (exact && e->id == exact->id) {
        const twx_key first = twx_record_key(e, 0);
        r->text = twx_mix64(first.key, first.check);
        r->number = first.key;
    }
    if (title && e->id == title->id) r->title = twx_record_key(e, 0).key;
    if (description && e->id == description->id) r->description = twx_record_key(e, 0).key;
    if (near && e->id == near->id) {
        r->has = true;
        r->entry = *e;
    }
}

static twx_rc read_record(near_reading *r, twx_slice record) {
    twx_record_entry entry = {0};
    twx_rc rc = TWX_OK;
    while ((rc = twx_record_next(r->cx, &record, &entry)) == TWX_OK) take_entry(r, &entry);
    return rc == TWX_DONE ? TWX_OK : rc;
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
    twx_rc rc = twx_row_add_length(cx, out, n);
    for (size_t k = 0; rc == TWX_OK && k < n; k++) rc = twx_row_add_number(cx, out, keys[k], 8);
    return rc;
}

static twx_rc add_payload(const near_reading *r, const keys_from *from, twx_buf *out) {
    const twx_slice sketch = {(const char *)from->sketch, from->made ? TWX_SKETCH_BYTES : 0};
    if (!is_sent(r)) return twx_row_add_length(r->cx, out, 0);
    twx_rc rc = twx_row_add_length(r->cx, out, 1 + sketch.n + r->entry.payload.n);
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
    const uint64_t first = sent ? twx_record_key(&r->entry, 0).key : 0;
    rc = twx_row_add_number(cx, out, from.kind, 1);
    if (rc == TWX_OK) rc = twx_row_add_number(cx, out, sent ? scoped(r, r->text) : 0, 8);
    if (rc == TWX_OK) rc = twx_row_add_number(cx, out, sent ? scope_of(r) : 0, 8);
    if (rc == TWX_OK) rc = twx_row_add_number(cx, out, first, 8);
    if (rc == TWX_OK) rc = twx_row_add_number(cx, out, from.sketch_at, 2);
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

/* Of the cluster that the document would represent, as the flags have it (judge/judge.c). */
static uint64_t number_of(const near_reading *r) {
    const uint64_t number = twx_mix64(r->number, r->facts->url_key);
    return r->o->names.own ? twx_mix64(twx_mix64(number, r->title), r->description) : number;
}

twx_rc twx_near_columns_add(twx_ctx *cx, const twx_judge_options *options, const twx_facts *facts,
                            twx_slice record, size_t id_at, twx_buf *out) {
    near_reading r = {.cx = cx, .o = options, .facts = facts};
    twx_rc rc = read_record(&r, record);
    if (rc == TWX_OK) rc = add_text(&r, out);
    if (rc == TWX_OK) rc = twx_row_add_number(cx, out, number_of(&r), 8);
    return rc == TWX_OK ? add_name(&r, id_at, out) : rc;
}

twx_rc twx_near_version(twx_ctx *cx, const twx_judge_options *options, twx_slice record,
                        uint64_t *ret_version) {
    near_reading r = {.cx = cx, .o = options};
    twx_name_words name = {0};
    *ret_version = 0;
    if (!options->name || !options->preference.newest) return TWX_OK;
    twx_rc rc = read_record(&r, record);
    twx_name_unpack(r.name, &name);
    if (rc == TWX_OK) *ret_version = name.version;
    return rc;
}
