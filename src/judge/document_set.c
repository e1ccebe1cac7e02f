#include "judge/internal.h"

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

static twx_rc editions_add(twx_ctx *cx, twx_editions *e, uint32_t document,
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

/* Releases what judging has made. */
static void forget_result(twx_doc_set *j) {
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
    twx_free(j->moved_hosts);
    twx_free(j->by_number);
    j->before = NULL;
    j->moved = j->moved_hosts = j->by_number = NULL;
}

void twx_doc_set_done(twx_doc_set *j) {
    if (!j) return;
    forget_result(j);
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

static int by_number(const void *left, const void *right, void *arg) {
    const twx_doc_row *at = arg, *a = &at[*(const uint32_t *)left],
                      *b = &at[*(const uint32_t *)right];
    return TWX_UP(doc);
}

/* Gives the set the one before, if that is kept and there is memory for it. */
static twx_rc take_before(twx_ctx *cx, twx_kept *kept, twx_doc_set *j) {
    const twx_doc_set *before = j->before = kept->before;
    kept->before = NULL;
    if (!j->near.keeps_documents) twx_doc_set_forget_before(j);
    if (!j->before) return TWX_OK;
    const size_t n = before->docs.at.n;
    const twx_doc_row *at = before->docs.at.at;
    bool ordered = true;
    j->moved = twx_malloc(cx, (n + 1) * sizeof *j->moved);
    j->moved_hosts = twx_calloc(cx, before->docs.hosts.n + 1, sizeof *j->moved_hosts);
    if (!j->moved || !j->moved_hosts) return TWX_E_NOMEM;
    for (size_t i = 0; i < n; i++) {
        j->moved[i] = TWX_NO_DOCUMENT;
        ordered &= i == 0 || at[i - 1].doc < at[i].doc;
    }
    if (ordered) return TWX_OK;
    j->by_number = twx_malloc(cx, (n + 1) * sizeof *j->by_number);
    if (!j->by_number) return TWX_E_NOMEM;
    for (uint32_t i = 0; i < n; i++) j->by_number[i] = i;
    qsort_r(j->by_number, n, sizeof *j->by_number, by_number, (void *)(uintptr_t)at);
    return TWX_OK;
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

enum { KEPT_BYTES = 1536 /* of memory for a document, while its old and new copies coexist */ };

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
    near->keeps_documents = near->kept && j->capacity <= memory / KEPT_BYTES;
    if (o->kept && take_before(cx, o->kept, j) != TWX_OK) return TWX_E_NOMEM;
    return twx_near_init(cx, near, j->capacity);
}

/* Are candidate pairs of near-duplicates found by bit masks of one key, and not by equal keys? Not
 * in a scope, which is mixed into the keys. */
static bool has_masks(const twx_judge_options *o) {
    const twx_detector *near = o->detectors[TWX_RELATION_NEAR];
    return near && near->masks && o->scope[TWX_RELATION_NEAR] == TWX_SCOPE_STORE;
}

/* Half of the memory is for near-duplicates, which have many keys a text; the other relations share
 * a quarter, and an eighth is for signatures. Of sets that are carried over, the limit of documents
 * (KEPT_BYTES) is one of all together. */
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
    if (rc == TWX_OK) rc = editions_add(cx, &j->editions, a.index, doc);
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

/* ==== kept */

void twx_kept_done(twx_kept *kept) {
    if (!kept) return;
    twx_doc_set_done(kept->before);
    twx_free(kept->before);
    twx_pieces_done(&kept->payloads);
    twx_pieces_done(&kept->repeated);
    twx_map64_done(&kept->nodes);
    TWX_VEC_DONE(&kept->scopes);
    TWX_VEC_DONE(&kept->compared_nodes);
    twx_sketches_done(&kept->sketches);
    twx_kept_runs_done(&kept->runs);
    twx_map64_done(&kept->items);
    TWX_VEC_DONE(&kept->item_texts);
    TWX_VEC_DONE(&kept->document_names);
    twx_led_done(&kept->led);
    twx_free(kept->names);
    twx_names_kept_done(&kept->learned);
    twx_lessons_done(&kept->lessons);
    TWX_VEC_DONE(&kept->missed);
    TWX_VEC_DONE(&kept->published.rows);
    TWX_VEC_DONE(&kept->changes);
    TWX_VEC_DONE(&kept->unshared);
    *kept = (twx_kept){0};
}

void twx_kept_begin(twx_kept *kept, uint64_t of) {
    const uint64_t holder = kept->holder;
    if (kept->of != of) twx_kept_done(kept);
    kept->of = of;
    kept->holder = holder;
}

/* ---- what is carried over ------------------------------------------------- */

static uint32_t at_number(const twx_doc_set *j, size_t k) {
    return j->by_number ? j->by_number[k] : (uint32_t)k;
}

uint32_t twx_doc_set_find_unchanged(const twx_doc_set *j, int64_t doc, uint64_t made,
                                    uint32_t *next) {
    const twx_doc_set *before = j->before;
    if (!before) return TWX_NO_DOCUMENT;
    const twx_doc_row *at = before->docs.at.at;
    const size_t n = before->docs.at.n;
    uint32_t found = *next;
    if (found == n || at[found].doc != doc) { /* others are gone or new */
        size_t low = 0, high = n;
        TWX_BISECT(low, high, at[at_number(j, middle)].doc < doc);
        if (low == n) return TWX_NO_DOCUMENT;
        found = at_number(j, low);
    }
    if (at[found].doc != doc || found < *next || before->near.made.at[found] != made)
        return TWX_NO_DOCUMENT;
    *next = found + 1;
    return found;
}

/* The places of URLs that may name editions; those that were added by judging are left out. */
static twx_rc carry_editions(twx_ctx *cx, twx_doc_set *j, uint32_t first, uint32_t n) {
    twx_editions *e = &j->before->editions;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && e->carried < e->candidates.n) {
        const uint32_t was = e->candidates.at[e->carried].document;
        twx_doc_unpacked u;
        u.n_slots = 0;
        if (was >= first + n) break;
        for (; e->carried < e->candidates.n && e->candidates.at[e->carried].document == was;
             e->carried++) {
            const twx_edition_candidate *c = &e->candidates.at[e->carried];
            const twx_edition_value *v = &e->values.at[c->value];
            if (v->edition.kind == TWX_EDITION_ABSENT) continue;
            u.slot[u.n_slots] = (twx_edition_slot){
                .value = twx_slice_of(v->text), .edition = v->edition, .key = e->slots.at[c->slot]};
            u.page[u.n_slots++] = c->page;
        }
        if (was >= first && u.n_slots) rc = editions_add(cx, &j->editions, j->moved[was], &u);
    }
    return rc;
}

twx_rc twx_doc_set_carry(twx_ctx *cx, twx_doc_set *j, uint32_t was, uint32_t n) {
    const twx_doc_set *before = j->before;
    const uint32_t i = (uint32_t)j->docs.at.n;
    const struct {
        const twx_pieces *from;
        twx_pieces *to;
    } pieces[] = {{&before->signed_as, &j->signed_as},
                  {&before->near.pages, &j->near.pages},
                  {&before->near.names.payloads, &j->near.names.payloads}};
    for (uint32_t k = 0; k < n; k++) {
        if (!TWX_VEC_PUSH(cx, &j->near.made, before->near.made.at[was + k])) return TWX_E_NOMEM;
        j->near.node[i + k] = before->near.node[was + k];
        j->moved[was + k] = i + k;
    }
    twx_rc rc = twx_doc_table_carry(cx, &j->docs, &before->docs, was, n, j->moved_hosts);
    if (rc == TWX_OK) rc = carry_editions(cx, j, was, n);
    for (size_t k = 0; rc == TWX_OK && k < TWX_COUNTOF(pieces); k++)
        rc = twx_pieces_add_from(cx, pieces[k].to, pieces[k].from, was, n);
    return rc;
}

void twx_kept_take_documents(twx_kept *kept, twx_doc_set *j) {
    bool keeps = j->near.keeps_documents && j->near.node && kept->of && !j->short_pages.on_disk;
    twx_ctx cx = {0}; /* that of the run may have its error */
    for (size_t r = 0; r < TWX_RELATIONS; r++)
        keeps = keeps && !(j->grouper[r] && twx_grouper_sorted_bytes(j->grouper[r]));
    twx_doc_set *before = keeps ? twx_calloc(&cx, 1, sizeof *before) : NULL;
    if (!before) return;
    forget_result(j);
    twx_free(j->near.similarity);
    twx_free(j->near.siblings);
    TWX_VEC_DONE(&j->near.compared_nodes);
    j->near.similarity = NULL;
    j->near.siblings = NULL;
    *before = *j;
    kept->before = before;
    *j = (twx_doc_set){0};
}
