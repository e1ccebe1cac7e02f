#include "run/load.h"

#include "base/hash64.h"
#include "detect/record.h"
#include "job/pins_file.h"
#include "text/tokens.h"

typedef struct loader {
    const twx_job *job;
    const twx_sign_plan *sign;
    const twx_judge_plan *plan;
    twx_judgement *j;
    size_t capacity;
    /* identity of the document's text: its exact entry comes before that of near copies */
    uint64_t text;
    /* Of the row being read */
    bool new_node;            /* its text was not seen before */
    twx_slice repeated, name; /* payloads; absent: none */
} loader;

/* copy.ignore: words as a title has them. */
static twx_rc read_ignored(twx_ctx *cx, const char *list, twx_judge_plan *plan) {
    twx_tokens tokens;
    twx_token token;
    twx_rc rc = TWX_OK;
    twx_tokens_init(&tokens);
    twx_tokens_start(&tokens, twx_slice_of(list));
    while ((rc = twx_tokens_next(cx, &tokens, &token)) == TWX_OK) {
        if (plan->n_ignored == TWX_COPY_IGNORED_MAX) {
            rc = twx_fail(cx, TWX_E_CONFIG, "copy.ignore: more than %d words",
                          TWX_COPY_IGNORED_MAX);
            break;
        }
        plan->ignored[plan->n_ignored++] = twx_name_word(token.text);
    }
    twx_tokens_done(&tokens);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_judge_plan_make(const twx_job *job, const twx_sign_plan *sign,
                           twx_judge_plan *ret_plan) {
    const twx_settings *s = job->settings;
    twx_judge_plan plan = {
        .options = {.preference = {.https = s->prefer_https,
                                   .www = s->prefer_www,
                                   .newest = s->copy_versions == TWX_VERSIONS_NEWEST},
                    .collapse_min = s->canonical_collapse_min},
        .guard = {.max_hidden_ppm = s->guard_max_hidden_ppm,
                  .max_lost_ppm = s->guard_max_lost_ppm,
                  .min_documents = s->guard_min_documents,
                  .max_group = s->guard_max_group},
        .names = {.versions = s->copy_versions,
                  .common_ppm = s->copy_common_ppm,
                  .site_ppm = s->copy_site_ppm},
        .scope = {[TWX_RELATION_EXACT] = s->exact_scope,
                  [TWX_RELATION_FUZZY] = s->fuzzy_scope,
                  [TWX_RELATION_TITLE] = s->title_scope,
                  [TWX_RELATION_DESCRIPTION] = s->description_scope,
                  [TWX_RELATION_NEAR] = s->near_scope,
                  [TWX_RELATION_COPY] = s->near_scope},
    };
    for (size_t i = 0; i < TWX_RELATIONS; i++)
        if (sign->detectors[i] && sign->detectors[i]->translations_separate)
            plan.options.separate |= 1u << i;
    twx_rc rc = twx_relations_parse(job->cx, twx_slice_of(s->verdict_relations),
                                    &plan.options.relations);
    const twx_detector *near = sign->detectors[TWX_RELATION_NEAR];
    if (!near || !near->verify) /* pairs that were not verified hide nothing */
        plan.options.relations &= ~(1u << TWX_RELATION_NEAR | 1u << TWX_RELATION_COPY);
    if (rc == TWX_OK)
        rc = twx_criteria_parse(job->cx, twx_slice_of(s->verdict_order),
                                plan.options.preference.criteria);
    if (rc == TWX_OK) rc = read_ignored(job->cx, s->copy_ignore, &plan);
    if (rc == TWX_OK) rc = twx_pins_load(job, &sign->params.url, &plan.pins);
    plan.options.pins = plan.pins;
    if (rc == TWX_OK) *ret_plan = plan;
    return rc;
}

void twx_judge_plan_done(twx_judge_plan *plan) {
    twx_pins_close(plan->pins);
    plan->pins = NULL;
}

static twx_rc make_room_for_pins(twx_ctx *cx, twx_doc_table *p, size_t capacity) {
    p->pinned = twx_calloc(cx, capacity + 1, sizeof *p->pinned);
    p->preferred = twx_calloc(cx, capacity + 1, sizeof *p->preferred);
    return p->pinned && p->preferred ? TWX_OK : TWX_E_NOMEM;
}

static void match_pins(const loader *l, uint32_t index, twx_slice packed, const twx_facts *facts) {
    if (!l->plan->pins) return;
    const twx_pin_match match = twx_pins_match(l->plan->pins, facts->url_key,
                                               twx_facts_url(packed, facts));
    l->j->docs.pinned[index] = match.url;
    l->j->docs.preferred[index] = match.preferred;
}

/* A scope is mixed into the key: equal keys of two hosts are two keys. */
static uint64_t scoped(uint64_t key, twx_scope scope, const twx_facts *facts) {
    if (scope == TWX_SCOPE_HOST) return twx_mix64(key, twx_host_key(facts));
    if (scope == TWX_SCOPE_DOMAIN) return twx_mix64(key, facts->domain_key);
    return key;
}

static int slot_of(const loader *l, uint8_t detector_id) {
    for (int s = 0; s < TWX_RELATIONS; s++)
        if (l->sign->detectors[s] && l->sign->detectors[s]->id == detector_id) return s;
    return -1;
}

/* Near copies are looked for among texts: the keys of a text are added once, under the number of
 * its node. */
static twx_rc add_near(loader *l, const twx_record_entry *part, const twx_facts *facts,
                       uint32_t index, uint64_t text) {
    const twx_near *near = &l->j->near;
    const twx_scope scope = l->plan->scope[TWX_RELATION_NEAR];
    twx_key made[TWX_CANDIDATE_KEYS_MAX];
    const twx_signed from = {twx_record_key(part, 0), part->payload};
    bool is_new = false;
    l->new_node = false;
    /* a detector that looks at more than the text tells pages of one text apart */
    if (near->detector->basis == TWX_BASIS_PAGE) text = twx_mix64(text, from.first.key);
    twx_rc rc = twx_near_add(l->job->cx, &l->j->near, index, scoped(text, scope, facts),
                             part->payload, &is_new);
    if (rc != TWX_OK || !is_new) return rc;
    l->new_node = true;
    size_t n = near->detector->candidates ? near->detector->candidates(near->params, &from, made)
                                          : part->n_keys;
    for (size_t k = 0; rc == TWX_OK && k < n; k++) {
        twx_key key = near->detector->candidates ? made[k] : twx_record_key(part, k);
        rc = twx_grouper_add(l->j->grouper[TWX_RELATION_NEAR], scoped(key.key, scope, facts),
                             key.check, near->node[index]);
    }
    return rc;
}

static twx_rc add_keys(loader *l, const twx_record_entry *part, const twx_facts *facts,
                       uint32_t index) {
    int s = slot_of(l, part->id);
    twx_rc rc = TWX_OK;
    if (s == TWX_RELATION_COPY) l->repeated = part->payload;
    if (l->sign->name && part->id == l->sign->name->id) l->name = part->payload;
    if (s < 0 || s == TWX_RELATION_COPY || part->n_keys == 0) return TWX_OK;
    for (size_t k = 0; rc == TWX_OK && k < part->n_keys; k++) {
        twx_key key = twx_record_key(part, k);
        if (k == 0 && s == TWX_RELATION_EXACT) l->text = twx_mix64(key.key, key.check);
        if (k == 0 && l->j->sig[s]) {
            l->j->sig[s][index] = key.key;
            l->j->known_sig[index] |= (uint8_t)(1u << s);
        }
        if (s == TWX_RELATION_NEAR) return add_near(l, part, facts, index, l->text);
        rc = twx_grouper_add(l->j->grouper[s], scoped(key.key, l->plan->scope[s], facts), key.check,
                             index);
    }
    return rc;
}

/* The document's name, when all entries of its record were read. */
static twx_rc add_name(loader *l, const twx_facts *facts, uint32_t index) {
    twx_near *near = &l->j->near;
    uint64_t keys[TWX_NAME_KEYS_MAX];
    twx_name_words words = {0};
    size_t n = 0;
    if (!near->copies) return TWX_OK;
    twx_rc rc = l->new_node ? twx_names_add_text(l->job->cx, &near->names, l->repeated) : TWX_OK;
    if (rc == TWX_OK && l->name.p)
        rc = twx_names_add(l->job->cx, &near->names, index, near->node[index], l->name, keys, &n);
    twx_name_unpack(l->name, &words);
    l->j->docs.at.at[index].version = words.version;
    for (size_t k = 0; rc == TWX_OK && k < n; k++)
        rc = twx_grouper_add(l->j->grouper[TWX_RELATION_COPY],
                             scoped(keys[k], l->plan->scope[TWX_RELATION_NEAR], facts), 0,
                             near->node[index]);
    return rc;
}

uint64_t twx_stored_hash(const twx_stored *stored) {
    return twx_mix64(twx_hash64(stored->facts, 0), twx_hash64(stored->keys, 1));
}

static twx_rc load_row(void *arg, const twx_stored *stored) {
    loader *l = arg;
    twx_ctx *cx = l->job->cx;
    twx_doc_entry entry = {.doc = stored->doc, .made = twx_stored_hash(stored)};
    uint32_t index = (uint32_t)l->j->docs.at.n;
    if (index >= l->capacity)
        return twx_fail(cx, TWX_E_BUSY, "%s: signatures were added while they were read",
                        l->job->store);
    twx_rc rc = twx_facts_unpack(cx, stored->facts, &entry.facts);
    if (rc == TWX_OK) match_pins(l, index, stored->facts, &entry.facts);
    if (rc == TWX_OK) rc = twx_doc_table_add(cx, &l->j->docs, &entry);
    twx_slice rest = stored->keys;
    twx_record_entry part = {0};
    l->new_node = false;
    l->repeated = l->name = (twx_slice){NULL, 0};
    while (rc == TWX_OK) {
        rc = twx_record_next(cx, &rest, &part);
        if (rc != TWX_OK) break;
        rc = add_keys(l, &part, &entry.facts, index);
    }
    if (rc == TWX_DONE) rc = add_name(l, &entry.facts, index);
    if (rc == TWX_OK) rc = index % 4096 == 0 ? twx_cancelled(cx) : TWX_OK;
    return rc;
}

/* Three quarters of the memory are for sorting: half of it for near copies, who have many keys a
 * text. */
static size_t grouper_bytes(const twx_job *job, size_t used, size_t slot) {
    size_t memory = (size_t)job->settings->run_memory;
    return slot == TWX_RELATION_NEAR ? memory / 2 : memory / 4 / used;
}

twx_rc twx_load(const twx_job *job, twx_opened *o, const twx_sign_plan *sign,
                const twx_judge_plan *plan, twx_judgement *ret_judgement) {
    loader l = {.job = job, .sign = sign, .plan = plan, .j = ret_judgement};
    uint64_t n = 0;
    size_t used = 0;
    twx_rc rc = twx_signatures_count(o->signatures, &n);
    for (size_t s = 0; s < TWX_RELATIONS; s++) used += sign->detectors[s] != NULL;
    l.capacity = (size_t)n;
    if (rc == TWX_OK && !TWX_VEC_RESERVE(job->cx, &l.j->docs.at, l.capacity)) rc = TWX_E_NOMEM;
    if (rc == TWX_OK && plan->pins) rc = make_room_for_pins(job->cx, &l.j->docs, l.capacity);
    if (rc == TWX_OK && sign->detectors[TWX_RELATION_NEAR]) {
        l.j->near.detector = sign->detectors[TWX_RELATION_NEAR];
        l.j->near.params = &sign->params;
        l.j->near.join = job->settings->near_join;
        l.j->near.candidates = job->settings->near_candidates;
        l.j->near.copies = sign->name != NULL;
        l.j->near.names.rules = plan->names;
        l.j->near.names.rules.ignored = plan->ignored;
        l.j->near.names.rules.n_ignored = plan->n_ignored;
        rc = twx_near_init(job->cx, &l.j->near, l.capacity);
    }
    if (rc == TWX_OK) l.j->known_sig = twx_calloc(job->cx, l.capacity, 1);
    if (rc == TWX_OK && !l.j->known_sig) rc = TWX_E_NOMEM;
    for (size_t s = 0; rc == TWX_OK && s < TWX_RELATIONS; s++) {
        if (!sign->detectors[s]) continue;
        rc = twx_grouper_open(job->cx, grouper_bytes(job, used, s), NULL, &l.j->grouper[s]);
        if (rc != TWX_OK || twx_relation_at(s)->sig < 0) continue;
        l.j->sig[s] = twx_calloc(job->cx, l.capacity, sizeof(uint64_t));
        if (!l.j->sig[s]) rc = TWX_E_NOMEM;
    }
    return rc == TWX_OK
               ? twx_signatures_each(o->signatures, twx_source_is_direct(o->source), load_row, &l)
               : rc;
}
