#include "cluster/cluster.h"

/* ==== document_row */

/* Bytes of the columns of a document that is gone: all 0. */
enum { TWX_NEAR_COLUMNS_NONE = 1 + 3 * 8 + 2 + 1 + 1 + 1 + 3 + 8 };

enum { BODY_BYTES = 1 << 22 }; /* of a row; ids may be long */

/* The columns of a row after `hash`. */
typedef struct body {
    twx_ctx *cx;
    const twx_judge_options *options;
    const twx_stored *stored;
    twx_value id;
    twx_facts facts;
    twx_key key[TWX_RELATIONS]; /* with bit of `known` */
    unsigned known;
    twx_signed_as signed_as; /* without scopes */
    unsigned char uid[TWX_UID_BYTES];
} body;

static twx_slice uid_of(const body *b) {
    return (twx_slice){(const char *)b->uid, sizeof b->uid};
}

static void set_key(body *b, unsigned relation, twx_key key) {
    const twx_relation_scope scope = b->options->scope[relation];
    b->signed_as.sig[relation] = key.key;
    b->signed_as.known |= (uint8_t)(1u << relation);
    if (scope != TWX_SCOPE_STORE) key.key = twx_mix64(key.key, twx_scope_key(&b->facts, scope));
    b->key[relation] = key;
    b->known |= 1u << relation;
}

static twx_rc read_entry(body *b, const twx_record_entry *entry) {
    const twx_judge_options *o = b->options;
    for (unsigned r = 0; r < TWX_RELATION_NEAR; r++) {
        if (!o->detectors[r] || o->detectors[r]->id != entry->id || entry->n_keys == 0 ||
            (twx_relation_is_of_url(r) && twx_twins_are_in_facts(&b->facts)))
            continue;
        const size_t place = twx_twin_place(r, twx_twins_are_whole(o->relations), entry->n_keys);
        if (entry->n_keys > 1 && !twx_relation_is_of_url(r))
            return twx_fail(b->cx, TWX_E_INTERNAL, "cluster: a document has several keys of %s",
                            o->detectors[r]->name);
        set_key(b, r, twx_record_key(entry, place));
    }
    return TWX_OK;
}

/* That of parameters (judge.c). check 0: which group of copies the document is in, decides besides
 * (find_copy_keys and find_near_keys in sql/cluster/judge.sql). */
static void make_page_key(body *b) {
    const twx_judge_options *o = b->options;
    if (!o->parameters || twx_is_no_page(b->facts.page & TWX_PAGE_CLASS)) return;
    const uint64_t page = twx_page_key(o->parameters, &b->facts, b->facts.url);
    const bool copies = o->detectors[TWX_RELATION_COPY] != NULL;
    if (page)
        set_key(b, TWX_RELATION_PARAMETERS, (twx_key){page, twx_text_class(&b->signed_as, copies)});
}

/* The keys of the relations that a detector makes groups of without comparing pairs: those of URL
 * twins are made from the URL, the others are stored. */
static twx_rc read_keys(body *b, const twx_record *record) {
    twx_key key;
    twx_rc rc = TWX_OK;
    const bool whole = twx_twins_are_whole(b->options->relations);
    for (unsigned r = 0; r < TWX_RELATION_NEAR; r++)
        if (b->options->detectors[r] && twx_relation_is_of_url(r) &&
            twx_twin_key(&b->facts, b->facts.url, r, whole, &key))
            set_key(b, r, key);
    for (size_t i = 0; rc == TWX_OK && i < record->n; i++) rc = read_entry(b, &record->at[i]);
    make_page_key(b);
    return rc;
}

static twx_rc add_facts(const body *b, twx_buf *out) {
    const twx_facts *f = &b->facts;
    const bool linked = twx_has_link(f);
    const uint64_t link = !linked ? 0 : f->bits & TWX_FACT_REDIRECT ? 1 : 2;
    const uint64_t row[] = {twx_eligible_by_itself(f, b->options->left_out),
                            link,
                            f->url_key,
                            linked ? f->link_key : 0,
                            f->domain_key,
                            twx_host_key(f),
                            f->layout_key};
    const twx_rc rc = twx_row_add_string(b->cx, out, uid_of(b));
    return rc == TWX_OK ? twx_row_add_numbers(b->cx, out, "1188888", row) : rc;
}

/* *ret_id_at: the place, from 1, of the id in it. */
static twx_rc add_rank(const body *b, twx_buf *out, size_t *ret_id_at) {
    const twx_preference *preference = &b->options->preference;
    const twx_order_values values = {0};
    twx_buf rank = {.max = BODY_BYTES};
    twx_rc rc = twx_order_key_criteria(b->cx, &b->facts, preference, &values, &rank);
    *ret_id_at = rank.n + 1;
    if (rc == TWX_OK) rc = twx_order_key_id(b->cx, &b->id, &rank);
    if (rc == TWX_OK) rc = twx_buf_add_slice(b->cx, &rank, uid_of(b));
    if (rc == TWX_OK) rc = twx_row_add_string(b->cx, out, twx_buf_slice(&rank));
    twx_buf_done(&rank);
    return rc;
}

/* What judging puts into the rank: it compares the forms of URLs, the digests of domains, and the
 * forms that the documents of a site have, if no setting prefers one. */
static twx_rc add_places(const body *b, twx_buf *out) {
    const twx_preference *p = &b->options->preference;
    const twx_facts *f = &b->facts;
    const bool by_site = p->www == TWX_WWW_AUTO && f->bits & TWX_FACT_WEB;
    const uint64_t site = by_site ? twx_hash64(twx_site_of_host(f->host, f->bits), 0) | 1 : 0;
    const uint64_t row[] = {b->signed_as.sig[TWX_RELATION_EXACT], site, twx_form_of(f->bits, p),
                            twx_order_key_at(p, TWX_BY_ORIGIN)};
    return twx_row_add_numbers(b->cx, out, "8811", row);
}

static twx_rc add_keys(const body *b, twx_buf *out) {
    twx_rc rc = TWX_OK;
    for (int column = 0; rc == TWX_OK && column < 3; column++) {
        rc = twx_buf_add_number(b->cx, out, (size_t)__builtin_popcount(b->known));
        for (unsigned r = 0; rc == TWX_OK && r < TWX_RELATIONS; r++) {
            if (!(b->known >> r & 1)) continue;
            const uint64_t v = column == 0 ? r : column == 1 ? b->key[r].key : b->key[r].check;
            rc = twx_row_add_number(b->cx, out, v, column == 0 ? 1 : 8);
        }
    }
    return rc;
}

/* The columns before `uid`. */
static twx_rc add_head(twx_ctx *cx, twx_buf *out, uint32_t shard, int64_t doc, uint64_t version,
                       bool gone, uint64_t hash) {
    const uint64_t row[] = {shard, (uint64_t)doc, version, gone, hash};
    return twx_row_add_numbers(cx, out, "28818", row);
}

/* Facts and signatures, if texts prove copies (judging_copies.c). */
static twx_rc add_stored(const body *b, twx_buf *out) {
    twx_buf stored = {.max = BODY_BYTES};
    twx_rc rc = TWX_OK;
    if (b->options->names.own) {
        rc = twx_row_add_string(b->cx, &stored, b->stored->facts);
        if (rc == TWX_OK) rc = twx_buf_add_slice(b->cx, &stored, b->stored->record);
    }
    if (rc == TWX_OK) rc = twx_row_add_string(b->cx, out, twx_buf_slice(&stored));
    twx_buf_done(&stored);
    return rc;
}

twx_rc twx_document_row_gone(twx_ctx *cx, uint32_t shard, int64_t doc, uint64_t version,
                             twx_buf *out) {
    /* own and link, keys, rank, arrays, number, columns of near-duplicates, host, places, stored */
    static const char NOTHING[2 + 5 * 8 + 1 + 3 + 8 + TWX_NEAR_COLUMNS_NONE + 1 + 2 * 8 + 2 + 1] = {
        0};
    unsigned char uid[TWX_UID_BYTES];
    twx_uid_write((twx_uid){shard, doc}, uid);
    twx_rc rc = add_head(cx, out, shard, doc, version, true, 0);
    if (rc == TWX_OK) rc = twx_row_add_string(cx, out, (twx_slice){(const char *)uid, sizeof uid});
    return rc == TWX_OK ? twx_buf_add(cx, out, NOTHING, sizeof NOTHING) : rc;
}

/* ==== shard_store */

twx_rc twx_shard_number_check(const twx_job *job) {
    if (job->settings->cluster_shard) return TWX_OK;
    return twx_fail(job->cx, TWX_E_CONFIG,
                    "cluster.shard is not set: give each store of the cluster its own number");
}

twx_rc twx_shard_store_open(const twx_job *job, unsigned needs, twx_shard_store *ret_store) {
    twx_shard_store *s = ret_store;
    twx_sign_summary summary;
    twx_state state;
    s->job = job;
    s->shard = job->settings->cluster_shard;
    twx_rc rc = twx_sign_store(job, false, &summary);
    if (rc == TWX_OK) rc = twx_lock_take(job, twx_own_path(job), &s->lock);
    if (rc == TWX_OK) rc = twx_open_store(job, TWX_NEED_SOURCE | needs, &s->o);
    if (rc == TWX_OK) rc = twx_sign_plan_make(job, &s->o, false, &s->sign);
    if (rc == TWX_OK) rc = twx_judge_plan_make(job, &s->sign, &s->plan);
    if (rc == TWX_OK) rc = twx_state_read(s->o.generations, &state);
    if (rc == TWX_OK && !(state.has_fingerprint && state.fingerprint == s->sign.fingerprint))
        rc = twx_fail(job->cx, TWX_E_BUSY,
                      "%s: another process has changed signatures meanwhile: try again",
                      job->store);
    if (rc == TWX_OK) rc = twx_store_key(s->o.writer, &s->key);
    return rc == TWX_OK ? twx_signatures_count(s->o.signatures, &s->documents) : rc;
}

void twx_shard_store_close(twx_shard_store *s, twx_rc rc) {
    twx_judge_plan_done(&s->plan);
    twx_sign_plan_done(&s->sign);
    twx_opened_done(&s->o);
    twx_lock_release(s->lock, rc);
    *s = (twx_shard_store){0};
}

static uint64_t signing_fingerprint(const twx_sign_plan *plan) {
    uint64_t f = twx_mix64(twx_mix64(TWX_FACTS_VERSION, TWX_RECORD_VERSION), TWX_URL_NORM_VERSION);
    f = twx_mix64(f, plan->params.url.steps);
    f = twx_mix64(f, twx_url_rules_fingerprint(plan->rules));
    f = twx_mix64(f, twx_domain_fingerprint());
    for (size_t r = 0; r < TWX_RELATIONS; r++)
        if (plan->detectors[r])
            f = twx_mix64(f, twx_detector_fingerprint(plan->detectors[r], &plan->params));
    return f;
}

/* Of everything that decides what a row contains and how it is judged: stores whose rows have
 * different fingerprints cannot be judged together. */
uint64_t twx_shard_store_fingerprint(const twx_shard_store *s) {
    const twx_judge_options *options = &s->plan.options;
    const twx_preference *p = &options->preference;
    const uint64_t signing = signing_fingerprint(&s->sign),
                   model = twx_parameters_fingerprint(options->parameters);
    uint64_t f = twx_mix64(signing, twx_mix64(TWX_DOCUMENT_ROW_VERSION, TWX_JUDGE_VERSION));
    f = twx_mix64(f, (uint64_t)p->https << 3 | (uint64_t)p->www << 1);
    for (size_t i = 0; i < TWX_CRITERIA; i++) f = twx_mix64(f, p->criteria[i]);
    for (size_t r = 0; r < TWX_RELATIONS; r++)
        f = twx_mix64(f, options->detectors[r] ? 1 + (uint64_t)options->scope[r] : 0);
    f = twx_mix64(f, (uint64_t)options->collapse_min << 32 | options->relations);
    f = twx_mix64(f, twx_near_fingerprint(options));
    f = twx_mix64(f, model ? twx_mix64(model, s->job->settings->parameters_ppm) : 0);
    return twx_mix64(twx_mix64(f, options->separate), options->left_out);
}

static twx_rc read_id(twx_shard_store *s, int64_t doc, twx_value *ret_id) {
    *ret_id = (twx_value){.type = TWX_INT, .i = doc};
    if (twx_source_is_direct(s->o.source)) return TWX_OK;
    twx_rc rc = twx_document_id(s->o.signatures, doc, ret_id);
    return rc == TWX_DONE
               ? twx_fail(s->job->cx, TWX_E_CORRUPT,
                          "%s: twindex_document has no document %" PRId64, s->job->store, doc)
               : rc;
}

twx_rc twx_shard_store_row(twx_shard_store *s, const twx_stored *stored, uint64_t version,
                           twx_buf *out, uint64_t *ret_hash) {
    twx_ctx *cx = s->job->cx;
    const twx_judge_options *options = &s->plan.options;
    body b = {.cx = cx, .options = options, .stored = stored};
    size_t id_at = 0;
    twx_record record;
    twx_buf columns = {.max = BODY_BYTES};
    twx_uid_write((twx_uid){s->shard, stored->doc}, b.uid);
    twx_rc rc = read_id(s, stored->doc, &b.id);
    if (rc == TWX_OK) rc = twx_facts_unpack(cx, stored->facts, &b.facts);
    if (rc == TWX_OK) rc = twx_record_read(cx, stored->record, &record);
    if (rc == TWX_OK) rc = read_keys(&b, &record);
    if (rc == TWX_OK) rc = add_facts(&b, &columns);
    if (rc == TWX_OK) rc = add_rank(&b, &columns, &id_at);
    if (rc == TWX_OK) rc = add_keys(&b, &columns);
    if (rc == TWX_OK)
        rc = twx_row_add_number(
            cx, &columns, twx_group_number(&b.signed_as, b.facts.url_key, options->names.own), 8);
    if (rc == TWX_OK) rc = twx_near_columns_add(cx, options, &b.facts, &record, id_at, &columns);
    if (rc == TWX_OK) rc = twx_row_add_string(cx, &columns, b.facts.host);
    if (rc == TWX_OK) rc = add_places(&b, &columns);
    if (rc == TWX_OK) rc = add_stored(&b, &columns);
    const uint64_t hash = twx_hash64(twx_buf_slice(&columns), TWX_DOCUMENT_ROW_VERSION);
    if (rc == TWX_OK) rc = add_head(cx, out, s->shard, stored->doc, version, false, hash);
    if (rc == TWX_OK) rc = twx_buf_add_slice(cx, out, twx_buf_slice(&columns));
    twx_buf_done(&columns);
    if (rc == TWX_OK) *ret_hash = hash;
    return rc;
}
