#include "judge/internal.h"

/* ==== origin */

enum { SEVERAL = UINT32_MAX };

uint8_t twx_origin_of(uint64_t texts) {
    uint8_t origin = 0;
    for (; texts; texts >>= 1) origin++;
    return origin;
}

/* Numbers the domains of the hosts. */
static twx_rc number_domains(twx_ctx *cx, const twx_doc_table *docs, uint32_t *ret_domain) {
    twx_map64 numbers = {0};
    twx_rc rc = TWX_OK;
    for (size_t h = 0; rc == TWX_OK && h < docs->hosts.n; h++) {
        uint64_t number = h;
        rc = twx_map64_add(cx, &numbers, docs->hosts.at[h].domain_key, h, &number);
        ret_domain[h] = (uint32_t)number;
    }
    twx_map64_done(&numbers);
    return rc;
}

/* Adds each text of each domain to the entries. */
static twx_rc list_texts(twx_ctx *cx, const twx_doc_set *j, const uint32_t *domain,
                         twx_entries *texts) {
    twx_rc rc = TWX_OK;
    for (uint32_t i = 0; rc == TWX_OK && i < j->docs.at.n; i++) {
        if (j->links.eligibility[i] != TWX_ELIGIBLE) continue;
        const twx_signed_as s = twx_signed_as_of(j, i);
        if (s.known >> TWX_RELATION_EXACT & 1)
            rc = twx_entries_add(cx, texts,
                                 (twx_entry){.key = s.sig[TWX_RELATION_EXACT],
                                             .index = domain[j->docs.at.at[i].host]});
    }
    return rc;
}

/* own: by number of the domain, the texts that no other one has. */
static twx_rc count_texts(twx_ctx *cx, const twx_doc_set *j, const uint32_t *domain,
                          uint64_t *own) {
    twx_entries texts = {.limit = j->memory / 8 / (2 * sizeof(twx_entry))};
    twx_entry text, last = {.index = SEVERAL}; /* SEVERAL: more than one domain has the text */
    bool any = false;
    twx_rc rc = list_texts(cx, j, domain, &texts);
    if (rc == TWX_OK) rc = twx_entries_sort(cx, &texts);
    while (rc == TWX_OK && (rc = twx_entries_next(&texts, &text)) == TWX_OK) {
        const bool same = any && text.key == last.key;
        if (!same && last.index != SEVERAL) own[last.index]++;
        if (same && text.index != last.index) text.index = SEVERAL;
        last = text;
        any = true;
    }
    if (last.index != SEVERAL) own[last.index]++;
    twx_entries_done(&texts);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_find_origins(twx_ctx *cx, twx_doc_set *j) {
    twx_doc_table *docs = &j->docs;
    uint32_t *domain = twx_malloc(cx, (docs->hosts.n + 1) * sizeof *domain);
    uint64_t *own = twx_calloc(cx, docs->hosts.n + 1, sizeof *own);
    twx_rc rc = domain && own ? number_domains(cx, docs, domain) : TWX_E_NOMEM;
    if (rc == TWX_OK) rc = count_texts(cx, j, domain, own);
    for (size_t h = 0; rc == TWX_OK && h < docs->hosts.n; h++)
        docs->hosts.at[h].origin = twx_origin_of(own[domain[h]]);
    twx_free(domain);
    twx_free(own);
    return rc == TWX_OK ? twx_doc_set_error(cx, j) : rc;
}

/* ==== edition_intake */

TWX_ORDER_1(by_document, twx_edition_member, document)

void twx_editions_loaded(twx_editions *e, bool keeps) {
    twx_grouper_close(e->pages);
    e->pages = NULL;
    twx_map64_done(&e->slot_of);
    twx_map64_done(&e->value_of);
    if (e->members.n) qsort(e->members.at, e->members.n, sizeof *e->members.at, by_document);
    if (keeps) return;
    TWX_VEC_DONE(&e->candidates);
    TWX_VEC_DONE(&e->slots);
    TWX_VEC_DONE(&e->pinned);
}

const twx_edition_member *twx_edition_member_of(const twx_editions *e, uint32_t document) {
    const twx_edition_member key = {.document = document};
    return e->members.n ? bsearch(&key, e->members.at, e->members.n, sizeof key, by_document)
                        : NULL;
}

static twx_rc number_value(twx_ctx *cx, twx_editions *e, const twx_edition_slot *slot,
                           uint64_t *ret_value) {
    twx_edition_value v = {.edition = slot->edition};
    for (size_t i = 0; i < slot->value.n && i < sizeof v.text - 1; i++)
        v.text[i] = twx_lower(slot->value.p[i]);
    const uint64_t fresh = e->values.n;
    *ret_value = fresh;
    const uint64_t key = twx_hash64(twx_slice_of(v.text), slot->is_pinned ? slot->key : 0);
    const twx_rc rc = twx_map64_add(cx, &e->value_of, key, fresh, ret_value);
    if (rc != TWX_OK || *ret_value != fresh) return rc;
    return TWX_VEC_PUSH(cx, &e->values, v) ? TWX_OK : TWX_E_NOMEM;
}

/* The form of a URL; default.html beside index.html is a page of its own. */
static uint64_t page_of(twx_slice url) {
    twx_url_names unused;
    const uint64_t form = twx_url_form_of(url, &unused);
    size_t slash = url.n;
    while (slash > 0 && url.p[slash - 1] != '/') slash--;
    const bool other = twx_slice_starts_nocase(twx_slice_sub(url, slash, url.n),
                                               TWX_SLICE_LIT("default."));
    return other ? twx_mix64(form, 1) : form;
}

/* A place that a line of the pins names takes that of others that overlap it. */
static void find_pinned(const twx_pins *pins, twx_doc_unpacked *u) {
    twx_edition_slot pinned;
    size_t kept = 0;
    if (!pins || !twx_pins_edition(pins, u->facts.url, &pinned, &u->pin)) return;
    for (size_t k = 0; k < u->n_slots; k++)
        if (u->slot[k].to <= pinned.from || pinned.to <= u->slot[k].from)
            u->slot[kept++] = u->slot[k];
    u->slot[kept++] = pinned;
    u->n_slots = kept;
}

static void find_slots(const twx_judge_options *options, twx_doc_unpacked *u) {
    const twx_slice url = u->facts.url;
    char text[TWX_FACTS_URL_MAX];
    if (!options->editions || url.n >= sizeof text) return;
    u->n_slots = twx_url_edition_slots(url, u->slot);
    find_pinned(options->pins, u);
    for (size_t k = 0; k < u->n_slots; k++) {
        const twx_edition_slot *s = &u->slot[k];
        memcpy(text, url.p, s->from);
        memcpy(text + s->from, url.p + s->to, url.n - s->to);
        u->page[k] = page_of((twx_slice){text, url.n - (s->to - s->from)});
    }
}

twx_rc twx_editions_add(twx_ctx *cx, twx_editions *e, uint32_t document,
                        const twx_doc_unpacked *u) {
    twx_rc rc = TWX_OK;
    for (size_t k = 0; rc == TWX_OK && k < u->n_slots; k++) {
        const twx_edition_slot *s = &u->slot[k];
        uint64_t slot = e->slots.n, value = 0;
        while (s->is_pinned && e->has_line.n <= u->pin)
            if (!TWX_VEC_PUSH(cx, &e->has_line, false)) return TWX_E_NOMEM;
        if (s->is_pinned) e->has_line.at[u->pin] = true;
        rc = twx_map64_add(cx, &e->slot_of, s->key, slot, &slot);
        if (rc == TWX_OK && slot == e->slots.n &&
            (!TWX_VEC_PUSH(cx, &e->slots, s->key) || !TWX_VEC_PUSH(cx, &e->pinned, s->is_pinned)))
            rc = TWX_E_NOMEM;
        if (rc == TWX_OK) rc = number_value(cx, e, s, &value);
        if (rc != TWX_OK) return rc;
        const twx_edition_candidate c = {.page = u->page[k],
                                         .document = document,
                                         .slot = (uint32_t)slot,
                                         .value = (uint32_t)value};
        rc = twx_grouper_add(e->pages, c.page, s->key, (uint32_t)e->candidates.n);
        if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &e->candidates, c)) rc = TWX_E_NOMEM;
    }
    return rc;
}

/* ==== document_set */

/* A record is a list of entries, one for each detector that signed the document. The relation whose
 * groups the detector makes determines what an entry is used for:
 *   - most keys go straight to the relation's grouper; the first one is also the signature that is
 *     shown in the flags;
 *   - the keys of the near-duplicate detector go to its grouper once for each text, under the
 *     number of the text's node (near);
 *   - the payloads of TWX_RELATION_COPY and of the names have no keys: names (names) are made of
 *     both after the whole record is read. */

/* ---- life --------------------------------------------------------------- */

void twx_doc_set_init(twx_doc_set *j) {
    *j = (twx_doc_set){0};
}

void twx_doc_set_forget_result(twx_doc_set *j) {
    for (int r = 0; r < TWX_RELATIONS; r++) twx_groups_done(&j->groups[r]);
    TWX_VEC_DONE(&j->editions.members);
    twx_union_find_done(&j->editions.sets);
    twx_free(j->shared_layout);
    twx_free(j->divided);
    twx_free(j->withdrawn);
    twx_free(j->rank);
    j->shared_layout = NULL;
    j->withdrawn = NULL;
    j->divided = NULL;
    j->rank = NULL;
    twx_links_done(&j->links);
    twx_groups_done(&j->clusters);
    TWX_VEC_DONE(&j->elsewhere);
}

void twx_doc_set_forget_before(twx_doc_set *j) {
    twx_doc_set_done(j->before);
    twx_free(j->before);
    twx_free(j->moved);
    twx_free(j->by_number);
    j->before = NULL;
    j->moved = j->by_number = NULL;
}

void twx_doc_set_done(twx_doc_set *j) {
    if (!j) return;
    twx_doc_set_forget_result(j);
    twx_doc_set_forget_before(j);
    twx_doc_table_done(&j->docs);
    for (int r = 0; r < TWX_RELATIONS; r++) twx_grouper_close(j->grouper[r]);
    twx_near_done(&j->near);
    twx_editions_loaded(&j->editions, false);
    TWX_VEC_DONE(&j->editions.values);
    TWX_VEC_DONE(&j->editions.has_line);
    twx_pieces_done(&j->signed_as);
    twx_entries_done(&j->short_pages);
    *j = (twx_doc_set){0};
}

static twx_rc begin_documents(twx_ctx *cx, twx_doc_set *j, size_t memory) {
    twx_doc_table *docs = &j->docs;
    docs->sections = j->options->hosts;
    docs->left_out = j->options->left_out;
    if (!TWX_VEC_RESERVE(cx, &docs->at, j->capacity)) return TWX_E_NOMEM;
    if (twx_pieces_init(cx, &j->signed_as, memory / 8) != TWX_OK) return TWX_E_NOMEM;
    j->memory = memory;
    j->short_pages.limit = j->memory / 16 / (2 * sizeof(twx_entry));
    if (!j->options->pins) return TWX_OK;
    docs->pinned = twx_calloc(cx, j->capacity + 1, sizeof *docs->pinned);
    docs->preferred = twx_calloc(cx, j->capacity + 1, sizeof *docs->preferred);
    return docs->pinned && docs->preferred ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc begin_near(twx_ctx *cx, twx_doc_set *j, size_t memory) {
    const twx_judge_options *o = j->options;
    twx_near *near = &j->near;
    if (!o->detectors[TWX_RELATION_NEAR] && !o->texts) return TWX_OK;
    near->options = o;
    near->detector = o->detectors[TWX_RELATION_NEAR];
    near->params = o->params;
    near->thresholds = o->thresholds;
    near->scoped = o->scope[TWX_RELATION_NEAR] != TWX_SCOPE_STORE;
    near->documents = j->capacity;
    near->memory = memory / 2;
    near->copies = o->name != NULL;
    near->texts = near->copies ? o->texts : NULL;
    near->names.rules = o->names;
    near->names.rules.own = near->texts != NULL;
    const bool may_keep = near->texts && near->detector && near->detector->sketch && !o->pins &&
                          !o->preference.has_sections && !twx_is_large(j->capacity, memory);
    near->kept = may_keep ? o->kept : NULL;
    near->keeps_documents = near->kept && twx_is_carried(j->capacity, memory);
    if (near->keeps_documents && twx_kept_give_documents(cx, near->kept, j) != TWX_OK)
        return TWX_E_NOMEM;
    return twx_near_init(cx, near, j->capacity);
}

/* Are candidate pairs of near-duplicates found by bit masks of one key, and not by equal keys? Not
 * in a scope, which is mixed into the keys. */
static bool has_masks(const twx_judge_options *o) {
    const twx_detector *near = o->detectors[TWX_RELATION_NEAR];
    return near && near->masks && o->scope[TWX_RELATION_NEAR] == TWX_SCOPE_STORE;
}

/* Half of the memory is for near-duplicates, which have many keys a text; the other relations share
 * a quarter, and an eighth is for signatures. */
static twx_rc begin_groupers(twx_ctx *cx, twx_doc_set *j, size_t memory) {
    const twx_judge_options *o = j->options;
    uint64_t masks[TWX_CANDIDATE_KEYS_MAX];
    size_t used = o->editions;
    twx_rc rc = TWX_OK;
    for (size_t r = 0; r < TWX_RELATIONS; r++) used += o->detectors[r] != NULL;
    for (size_t r = 0; rc == TWX_OK && r < TWX_RELATIONS; r++) {
        if (!o->detectors[r]) continue;
        const size_t bytes = r == TWX_RELATION_NEAR    ? memory / 2
                             : j->near.keeps_documents ? memory /* it is never full */
                                                       : memory / 4 / used;
        rc = twx_grouper_open(cx, bytes, NULL, &j->grouper[r]);
    }
    if (rc == TWX_OK && o->editions) {
        j->editions.used = true;
        twx_map64_init(&j->editions.slot_of, 0);
        twx_map64_init(&j->editions.value_of, 0);
        rc = twx_grouper_open(cx, memory / 4 / used, NULL, &j->editions.pages);
    }
    if (rc == TWX_OK && has_masks(o))
        twx_grouper_use_masks(j->grouper[TWX_RELATION_NEAR], masks,
                              o->detectors[TWX_RELATION_NEAR]->masks(o->params, masks), o->threads);
    return rc;
}

twx_rc twx_doc_set_begin(twx_ctx *cx, twx_doc_set *j, const twx_judge_options *options,
                         size_t documents, size_t memory) {
    j->options = options;
    j->capacity = documents;
    twx_rc rc = begin_documents(cx, j, memory);
    if (rc == TWX_OK) rc = begin_near(cx, j, memory);
    return rc == TWX_OK ? begin_groupers(cx, j, memory) : rc;
}

/* ---- signatures --------------------------------------------------------- */

enum { NUMBER = sizeof(uint64_t) };

/* Packed: known, made, then the signatures that are known. */
twx_rc twx_signed_as_add(twx_ctx *cx, twx_doc_set *j, const twx_signed_as *s) {
    char bytes[1 + NUMBER + TWX_RELATIONS * NUMBER];
    size_t n = 1 + NUMBER;
    bytes[0] = (char)s->known;
    twx_store_le64(bytes + 1, s->made);
    for (int r = 0; r < TWX_RELATIONS; r++) {
        if (!(s->known >> r & 1)) continue;
        twx_store_le64(bytes + n, s->sig[r]);
        n += NUMBER;
    }
    return twx_pieces_add(cx, &j->signed_as, (twx_slice){bytes, n});
}

twx_signed_as twx_signed_as_of(const twx_doc_set *j, uint32_t i) {
    char room[TWX_PIECE_MAX];
    const twx_slice bytes = twx_pieces_get(&j->signed_as, i, room);
    twx_signed_as s = {0};
    if (bytes.n == 0) return s;
    s.known = (uint8_t)bytes.p[0];
    s.made = twx_load_le64(bytes.p + 1);
    for (size_t r = 0, at = 1 + NUMBER; r < TWX_RELATIONS; r++) {
        if (!(s.known >> r & 1)) continue;
        s.sig[r] = twx_load_le64(bytes.p + at);
        at += NUMBER;
    }
    return s;
}

twx_rc twx_doc_set_error(twx_ctx *cx, const twx_doc_set *j) {
    return twx_pieces_error(cx, &j->signed_as);
}

/* ---- one document ------------------------------------------------------- */

/* The document that is added. */
typedef struct adding {
    twx_ctx *cx;
    twx_doc_set *j;
    uint32_t index;
    twx_facts facts;
    /* From the entries read so far, which are in order of the detectors' ids */
    uint64_t text; /* identity of the text: exact has a lower id than any near-duplicate detector */
    bool new_node; /* its text is new */
    twx_slice repeated, name; /* payloads; absent: none */
    twx_signed_as signed_as;
} adding;

static uint64_t scope_of(const adding *a, twx_relation_id relation) {
    return twx_scope_key(&a->facts, a->j->options->scope[relation]);
}

/* The scope is mixed into the key, so that equal keys of two hosts differ. */
static uint64_t scoped(const adding *a, uint64_t key, twx_relation_id relation) {
    return a->j->options->scope[relation] == TWX_SCOPE_STORE
               ? key
               : twx_mix64(key, scope_of(a, relation));
}

static twx_relation_id relation_of(const twx_judge_options *o, uint8_t detector_id) {
    for (int r = 0; r < TWX_RELATIONS; r++)
        if (o->detectors[r] && o->detectors[r]->id == detector_id) return (twx_relation_id)r;
    return TWX_RELATIONS;
}

/* Near-duplicates are searched among texts: the keys of a text are added once, under its node. */
static twx_rc add_near(adding *a, const twx_record_entry *entry) {
    twx_near *near = &a->j->near;
    const twx_detector *detector = near->detector;
    twx_key made[TWX_CANDIDATE_KEYS_MAX];
    const twx_signed from = {twx_record_key(entry, 0), entry->payload};
    uint64_t text = a->text;
    bool is_new = false;
    /* a detector that depends on more than the text may distinguish pages with one text */
    if (detector->basis == TWX_BASIS_PAGE) text = twx_mix64(text, from.first.key);
    /* so do content areas of pages with one text */
    if (near->params && (near->params->near_main || near->params->hosts))
        text = twx_mix64(twx_mix64(text, from.first.key), twx_hash64(entry->payload, 0));
    const twx_near_text near_text = {scoped(a, text, TWX_RELATION_NEAR),
                                     scope_of(a, TWX_RELATION_NEAR), entry->payload, true};
    twx_rc rc = twx_near_add(a->cx, near, a->index, &near_text, &is_new);
    if (rc != TWX_OK || !is_new) return rc;
    a->new_node = true;
    if (detector->sketch) return TWX_OK;
    if (has_masks(a->j->options))
        return twx_grouper_add_number(a->j->grouper[TWX_RELATION_NEAR], from.first.key,
                                      near->node[a->index]);
    const size_t n = detector->candidates ? detector->candidates(near->params, &from, made)
                                          : entry->n_keys;
    for (size_t k = 0; rc == TWX_OK && k < n; k++) {
        const twx_key key = detector->candidates ? made[k] : twx_record_key(entry, k);
        rc = twx_grouper_add(a->j->grouper[TWX_RELATION_NEAR],
                             scoped(a, key.key, TWX_RELATION_NEAR), key.check,
                             near->node[a->index]);
    }
    return rc;
}

static twx_rc add_keys(adding *a, const twx_record_entry *entry, twx_relation_id relation) {
    twx_doc_set *j = a->j;
    twx_rc rc = TWX_OK;
    const twx_key first = twx_record_key(entry, 0);
    if (relation == TWX_RELATION_EXACT) a->text = twx_mix64(first.key, first.check);
    if (twx_relation_at(relation)->sig >= 0) {
        a->signed_as.sig[relation] = first.key;
        a->signed_as.known |= (uint8_t)(1u << relation);
    }
    const bool of_url = twx_relation_is_of_url(relation),
               whole = twx_twins_are_whole(j->options->relations);
    for (size_t k = 0; rc == TWX_OK && k < entry->n_keys; k++) {
        if (of_url && k != twx_twin_place(relation, whole, entry->n_keys)) continue;
        const twx_key key = twx_record_key(entry, k);
        rc = twx_grouper_add(j->grouper[relation], scoped(a, key.key, relation), key.check,
                             a->index);
    }
    return rc;
}

static twx_rc add_entry(adding *a, const twx_record_entry *entry) {
    const twx_judge_options *o = a->j->options;
    const twx_relation_id relation = relation_of(o, entry->id);
    if (twx_relation_is_of_url(relation) && twx_twins_are_in_facts(&a->facts)) return TWX_OK;
    if (o->name && entry->id == o->name->id) a->name = entry->payload;
    if (relation == TWX_RELATION_COPY) {
        a->repeated = entry->payload;
        return TWX_OK;
    }
    if (relation == TWX_RELATIONS || entry->n_keys == 0) return TWX_OK;
    return relation == TWX_RELATION_NEAR ? add_near(a, entry) : add_keys(a, entry, relation);
}

/* What proofs need of a document besides its name: the form of its URL, its description, and a node
 * for a text that has no near-duplicates. */
static twx_rc add_for_proof(adding *a, twx_near_page page) {
    twx_near *near = &a->j->near;
    if (a->signed_as.known >> TWX_RELATION_DESCRIPTION & 1)
        page.described = (uint32_t)(a->signed_as.sig[TWX_RELATION_DESCRIPTION] >> 32);
    const size_t n = offsetof(twx_near_page, url) + twx_names_of_url_packed(&page.url).n;
    const twx_rc rc = twx_pieces_add(a->cx, &near->pages, (twx_slice){(const char *)&page, n});
    if (rc != TWX_OK) return rc;
    if (near->node[a->index] != TWX_NO_DOCUMENT || !a->text) return TWX_OK;
    const twx_near_text text = {.text = scoped(a, a->text, TWX_RELATION_NEAR),
                                .scope = scope_of(a, TWX_RELATION_NEAR)};
    return twx_near_add(a->cx, near, a->index, &text, &a->new_node);
}

static twx_rc add_name(adding *a, const twx_near_page *page) {
    twx_near *near = &a->j->near;
    uint64_t keys[TWX_NAME_KEYS_MAX];
    twx_name_words words = {0};
    size_t n = 0;
    if (!near->copies) return TWX_OK;
    twx_rc rc = near->texts ? add_for_proof(a, *page) : TWX_OK;
    if (rc != TWX_OK) return rc;
    const uint32_t node = near->node[a->index];
    if (a->new_node) rc = twx_names_add_text(a->cx, &near->names, a->repeated);
    if (rc == TWX_OK) rc = twx_names_add(a->cx, &near->names, node, a->name, keys, &n);
    twx_name_unpack(a->name, &words);
    if (!near->texts && !twx_near_has(near, a->index)) return rc; /* there are no keys for it */
    const uint64_t formless = n > 0 && near->texts ? twx_names_formless_key(&near->names, &words)
                                                   : 0;
    if (rc == TWX_OK && formless)
        rc = twx_grouper_add(a->j->grouper[TWX_RELATION_COPY],
                             scoped(a, formless, TWX_RELATION_NEAR), 0, a->index);
    for (size_t k = 0; rc == TWX_OK && k < n; k++)
        rc = twx_grouper_add(a->j->grouper[TWX_RELATION_COPY],
                             scoped(a, keys[k], TWX_RELATION_NEAR), 0, a->index);
    return rc;
}

/* What twx_pages_find() compares. */
static twx_rc add_short_page(const adding *a) {
    const bool is_compared = a->facts.page & TWX_PAGE_SHORT && a->text &&
                             a->j->docs.left_out >> TWX_PAGE_ERROR & 1;
    if (!is_compared) return TWX_OK;
    const size_t end = twx_slice_find(a->facts.url, '?', 0);
    size_t at = end;
    while (at > 0 && (at >= end - 1 || a->facts.url.p[at - 1] != '/')) at--;
    const uint64_t name = twx_hash64(twx_slice_sub(a->facts.url, at, end), 0),
                   folder = twx_hash64(twx_slice_sub(a->facts.url, 0, at), 0),
                   text = twx_mix64(a->text, a->signed_as.sig[TWX_RELATION_TITLE]);
    return twx_entries_add(a->cx, &a->j->short_pages,
                           (twx_entry){.key = twx_mix64(text, twx_host_key(&a->facts)),
                                       .check = name << 32 | (uint32_t)folder,
                                       .index = a->index});
}

uint64_t twx_doc_set_hash(twx_slice facts, twx_slice record) {
    return twx_mix64(twx_hash64(facts, 0), twx_hash64(record, 1));
}

twx_rc twx_doc_unpack(twx_ctx *cx, const twx_judge_options *options, const twx_signed_document *doc,
                      twx_doc_unpacked *ret_unpacked) {
    twx_doc_unpacked *u = ret_unpacked;
    const bool whole = twx_twins_are_whole(options->relations);
    *u = (twx_doc_unpacked){.from = *doc, .made = twx_doc_set_hash(doc->facts, doc->record)};
    const twx_rc rc = twx_facts_unpack(cx, doc->facts, &u->facts);
    if (rc != TWX_OK) return rc;
    if (options->pins) u->pins = twx_pins_match(options->pins, u->facts.url_key, u->facts.url);
    for (size_t r = 0; r < TWX_COUNTOF(u->twin); r++)
        u->has_twin[r] = options->detectors[r] &&
                         twx_twin_key(&u->facts, u->facts.url, (twx_relation_id)r, whole,
                                      &u->twin[r]);
    find_slots(options, u);
    if (options->texts) u->near_page.form = twx_url_form_of(u->facts.url, &u->near_page.url);
    if (u->facts.url.n >= TWX_FACTS_URL_MAX) u->near_page.form = u->facts.url_key;
    return TWX_OK;
}

twx_rc twx_doc_set_add_unpacked(twx_ctx *cx, twx_doc_set *j, const twx_doc_unpacked *doc) {
    adding a = {.cx = cx, .j = j, .index = (uint32_t)j->docs.at.n, .facts = doc->facts};
    twx_record record;
    if (j->docs.at.n >= j->capacity)
        return twx_fail(cx, TWX_E_LIMIT, "more than %zu documents to judge", j->capacity);
    a.signed_as.made = doc->made;
    twx_rc rc = twx_record_read(cx, doc->from.record, &record);
    if (rc != TWX_OK) return rc;
    if (j->options->pins) {
        j->docs.pinned[a.index] = doc->pins.url;
        j->docs.preferred[a.index] = doc->pins.preferred;
    }
    rc = twx_doc_table_add(cx, &j->docs, doc->from.doc, doc->from.store, &a.facts);
    for (size_t r = 0; rc == TWX_OK && r < TWX_COUNTOF(doc->twin); r++)
        if (doc->has_twin[r])
            rc = twx_grouper_add(j->grouper[r], scoped(&a, doc->twin[r].key, (twx_relation_id)r),
                                 doc->twin[r].check, a.index);
    if (rc == TWX_OK) rc = twx_editions_add(cx, &j->editions, a.index, doc);
    if (rc == TWX_OK && j->options->parameters)
        rc = twx_doc_table_set(cx, &j->docs, TWX_DOC_PAGE, a.index,
                               twx_page_key(j->options->parameters, &a.facts, a.facts.url));
    for (size_t i = 0; rc == TWX_OK && i < record.n; i++) rc = add_entry(&a, &record.at[i]);
    if (rc == TWX_OK) rc = twx_signed_as_add(cx, j, &a.signed_as);
    if (rc == TWX_OK && j->near.kept && !TWX_VEC_PUSH(cx, &j->near.made, doc->made))
        rc = TWX_E_NOMEM;
    if (rc == TWX_OK) rc = add_short_page(&a);
    return rc == TWX_OK ? add_name(&a, &doc->near_page) : rc;
}

twx_rc twx_doc_set_add(twx_ctx *cx, twx_doc_set *j, const twx_signed_document *doc) {
    twx_doc_unpacked unpacked;
    const twx_rc rc = twx_doc_unpack(cx, j->options, doc, &unpacked);
    return rc == TWX_OK ? twx_doc_set_add_unpacked(cx, j, &unpacked) : rc;
}

/* ==== elsewhere */

enum { REFERENCES_MAX = TWX_RELATIONS + 3 };

/* Documents that a row of document i may refer to, of which some may be in the same store. */
static size_t references_of(const twx_doc_set *j, uint32_t i, uint32_t ret[REFERENCES_MAX]) {
    size_t n = 0;
    for (size_t r = 0; r < TWX_RELATIONS; r++)
        if (j->groups[r].made) ret[n++] = twx_groups_rep(&j->groups[r], i);
    const uint32_t target = j->links.target[i];
    ret[n++] = twx_groups_rep(&j->clusters, i);
    ret[n++] = target;
    if (target != TWX_NO_DOCUMENT) ret[n++] = twx_groups_rep(&j->clusters, target);
    return n;
}

/* Calls fn for each reference of document i to another store. */
static void each_elsewhere(const twx_doc_set *j, uint32_t i,
                           void (*fn)(const twx_doc_set *j, uint32_t index, uint8_t *marks),
                           uint8_t *marks) {
    const twx_doc_row *at = j->docs.at.at;
    uint32_t refers[REFERENCES_MAX];
    const size_t n = references_of(j, i, refers);
    for (size_t k = 0; k < n; k++)
        if (refers[k] != TWX_NO_DOCUMENT && at[refers[k]].store != at[i].store)
            fn(j, refers[k], marks);
}

static void mark_index(const twx_doc_set *j, uint32_t index, uint8_t *marks) {
    (void)j;
    marks[index / 8] |= (uint8_t)(1u << index % 8);
}

twx_rc twx_find_elsewhere(twx_ctx *cx, twx_doc_set *j) {
    const size_t n = j->docs.at.n;
    uint8_t *marks = twx_calloc(cx, n / 8 + 1, 1);
    twx_rc rc = marks ? TWX_OK : TWX_E_NOMEM;
    j->elsewhere.n = 0;
    for (uint32_t i = 0; rc == TWX_OK && i < n; i++) each_elsewhere(j, i, mark_index, marks);
    for (uint32_t i = 0; rc == TWX_OK && i < n; i++)
        if (marks[i / 8] >> i % 8 & 1 &&
            !TWX_VEC_PUSH(cx, &j->elsewhere, (twx_elsewhere){.index = i}))
            rc = TWX_E_NOMEM;
    twx_free(marks);
    return rc;
}

static const twx_elsewhere *find(const twx_doc_set *j, uint32_t index) {
    size_t from = 0, to = j->elsewhere.n;
    while (to - from > 1) {
        const size_t middle = from + (to - from) / 2;
        if (j->elsewhere.at[middle].index <= index)
            from = middle;
        else
            to = middle;
    }
    return &j->elsewhere.at[from];
}

static void mark_place(const twx_doc_set *j, uint32_t index, uint8_t *marks) {
    marks[find(j, index) - j->elsewhere.at] = 1;
}

void twx_mark_elsewhere(const twx_doc_set *j, uint32_t i, uint8_t *used) {
    each_elsewhere(j, i, mark_place, used);
}

int64_t twx_elsewhere_number(const twx_doc_set *j, uint32_t index) {
    return find(j, index)->number;
}
