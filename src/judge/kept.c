/* What a judgement keeps for the next one. */
#include "judge/internal.h"

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
    *kept = (twx_kept){0};
}

void twx_kept_begin(twx_kept *kept, uint64_t of) {
    if (kept->of != of) twx_kept_done(kept);
    kept->of = of;
}

void twx_kept_take_texts(twx_near *near) {
    twx_kept *kept = near->kept;
    near->kept_of = kept->of;
    kept->of = 0;
    near->names.kept = &kept->learned;
    if (!kept->payloads.n) return;
    twx_pieces_done(&near->payloads);
    twx_pieces_done(&near->names.repeated);
    TWX_MOVE(near->payloads, kept->payloads);
    TWX_MOVE(near->names.repeated, kept->repeated);
    TWX_MOVE(near->nodes, kept->nodes);
    TWX_MOVE(near->scopes, kept->scopes);
    TWX_MOVE(near->compared_nodes, kept->compared_nodes);
}

/* ==== documents */

static int by_number(const void *left, const void *right, void *arg) {
    const twx_doc_row *at = arg, *a = &at[*(const uint32_t *)left],
                      *b = &at[*(const uint32_t *)right];
    return TWX_UP(doc);
}

twx_rc twx_kept_give_documents(twx_ctx *cx, twx_kept *kept, twx_doc_set *j) {
    const twx_doc_set *before = j->before = kept->before;
    kept->before = NULL;
    if (!before) return TWX_OK;
    const size_t n = before->docs.at.n;
    const twx_doc_row *at = before->docs.at.at;
    bool ordered = true;
    j->moved = twx_malloc(cx, (n + 1) * sizeof *j->moved);
    if (!j->moved) return TWX_E_NOMEM;
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

/* As they were unpacked, but for the URL. */
static twx_facts facts_of(const twx_doc_set *before, uint32_t was) {
    const twx_doc_table *p = &before->docs;
    const twx_doc_row *row = &p->at.at[was];
    const unsigned found = row->page & TWX_PAGE_FOUND ? TWX_PAGE_FOUND | TWX_PAGE_CLASS : 0;
    return (twx_facts){.bits = row->bits & ((1u << TWX_DOC_FORM) - 1),
                       .status = row->status,
                       .url_length = row->url_length,
                       .url_key = row->url_key,
                       .domain_key = twx_doc_domain(p, was),
                       .link_key = twx_doc_value(p, TWX_DOC_LINK, was),
                       .hreflang_key = twx_doc_value(p, TWX_DOC_HREFLANG, was),
                       .layout_key = twx_doc_value(p, TWX_DOC_LAYOUT, was),
                       .fetched_at = (int64_t)twx_doc_value(p, TWX_DOC_FETCHED_AT, was),
                       .score_order = twx_doc_value(p, TWX_DOC_SCORE, was),
                       .page = (uint8_t)(row->page & ~found),
                       .host = p->hosts.at[row->host].name};
}

/* The places of its URL that may name editions; those that were added by judging are left out. */
static twx_rc carry_editions(twx_ctx *cx, twx_doc_set *j, uint32_t was, uint32_t i) {
    twx_editions *e = &j->before->editions;
    twx_doc_unpacked u;
    u.n_slots = 0;
    for (; e->carried < e->candidates.n && e->candidates.at[e->carried].document <= was;
         e->carried++) {
        const twx_edition_candidate *c = &e->candidates.at[e->carried];
        const twx_edition_value *v = &e->values.at[c->value];
        if (c->document != was || v->edition.kind == TWX_EDITION_ABSENT) continue;
        u.slot[u.n_slots] = (twx_edition_slot){
            .value = twx_slice_of(v->text), .edition = v->edition, .key = e->slots.at[c->slot]};
        u.page[u.n_slots++] = c->page;
    }
    return u.n_slots ? twx_editions_add(cx, &j->editions, i, &u) : TWX_OK;
}

twx_rc twx_doc_set_carry(twx_ctx *cx, twx_doc_set *j, uint32_t was) {
    const twx_doc_set *before = j->before;
    const uint32_t i = (uint32_t)j->docs.at.n;
    const twx_doc_row *row = &before->docs.at.at[was];
    const twx_facts facts = facts_of(before, was);
    char room[TWX_PIECE_MAX];
    const struct {
        const twx_pieces *from;
        twx_pieces *to;
    } pieces[] = {{&before->signed_as, &j->signed_as},
                  {&before->near.pages, &j->near.pages},
                  {&before->near.names.payloads, &j->near.names.payloads}};
    twx_rc rc = twx_doc_table_add(cx, &j->docs, row->doc, row->store, &facts);
    if (rc == TWX_OK)
        rc = twx_doc_table_set(cx, &j->docs, TWX_DOC_PAGE, i,
                               twx_doc_value(&before->docs, TWX_DOC_PAGE, was));
    if (rc == TWX_OK) rc = carry_editions(cx, j, was, i);
    for (size_t k = 0; rc == TWX_OK && k < TWX_COUNTOF(pieces); k++)
        rc = twx_pieces_add(cx, pieces[k].to, twx_pieces_get(pieces[k].from, was, room));
    if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &j->near.made, before->near.made.at[was]))
        rc = TWX_E_NOMEM;
    j->near.node[i] = before->near.node[was];
    j->moved[was] = i;
    return rc;
}

void twx_kept_take_documents(twx_ctx *cx, twx_kept *kept, twx_doc_set *j) {
    bool keeps = j->near.keeps_documents && kept->of && !j->short_pages.on_disk;
    for (size_t r = 0; r < TWX_RELATIONS; r++)
        keeps = keeps && !(j->grouper[r] && twx_grouper_sorted_bytes(j->grouper[r]));
    kept->before = keeps ? twx_calloc(cx, 1, sizeof *j) : NULL;
    if (keeps && !kept->before) twx_ctx_clear(cx); /* then they are unpacked again */
    if (!kept->before) return;
    twx_doc_set_forget_result(j);
    *kept->before = *j;
    *j = (twx_doc_set){0};
}

/* ==== lessons */

enum { HOSTS_AT_ONCE = 64 };

typedef TWX_VEC(twx_lesson_now) lesson_list;

typedef struct digesting {
    const twx_proof *proof;
    const uint32_t *texts;
    lesson_list of_thread[TWX_PARALLEL_MAX];
} digesting;

/* A hash of the texts of other forms of a page that are compared with it; 0: there are none. */
static uint64_t forms_digest(const digesting *d, uint32_t i) {
    const twx_proof *proof = d->proof;
    uint32_t texts[TWX_FORMS + 1] = {d->texts[i]};
    size_t n = 1;
    for (size_t k = twx_proof_first_of_form(proof, i); k < proof->counted && n <= TWX_FORMS; k++) {
        const uint32_t other = proof->by_form[k];
        bool known = false;
        if (proof->form[other] != proof->form[i]) break;
        for (size_t t = 0; t < n; t++) known |= texts[t] == d->texts[other];
        if (!known) texts[n++] = d->texts[other];
    }
    return n > 1 ? twx_hash64((twx_slice){(const char *)texts, n * sizeof *texts}, 0) | 1 : 0;
}

/* A page of the sample of a host or a section. */
static uint64_t page_digest(const digesting *d, uint32_t i) {
    const uint64_t parts[] = {d->proof->form[i], d->texts[i], (uint64_t)d->proof->p->at.at[i].doc};
    return twx_hash64((twx_slice){(const char *)parts, sizeof parts}, 0);
}

/* Lists the host and its sections, with hashes of what twx_proof_learn() looks at. docs[0..n): of
 * the host, n > 0 */
static twx_rc digest_host(twx_ctx *cx, const digesting *d, const uint32_t *docs, size_t n,
                          lesson_list *list) {
    const twx_proof *proof = d->proof;
    const size_t host = list->n;
    twx_map64 sections = {0}; /* in the list */
    size_t sampled = 0, others = 0;
    twx_lesson_now of_host = {.document = docs[0]};
    of_host.inputs = n < TWX_SECTION_MIN ? n : TWX_SECTION_MIN;
    twx_rc rc = TWX_VEC_PUSH(cx, list, of_host) ? TWX_OK : TWX_E_NOMEM;
    for (size_t k = 0; rc == TWX_OK && k < n && (k < TWX_LOOKED_AT || others < TWX_FORM_PAGES);
         k++) {
        if (k > 0 && proof->form[docs[k]] == proof->form[docs[k - 1]]) continue;
        const uint64_t forms = others < TWX_FORM_PAGES ? forms_digest(d, docs[k]) : 0;
        list->at[host].inputs += forms ? twx_mix64(proof->form[docs[k]], forms) : 0;
        others += forms != 0;
        if (sampled++ < TWX_HOST_SAMPLED) list->at[host].inputs += page_digest(d, docs[k]);
        const uint16_t section = k < TWX_LOOKED_AT ? twx_proof_section(proof, docs[k]) : 0;
        const twx_lesson_now fresh = {.document = docs[k], .section = section};
        const uint64_t next = list->n;
        uint64_t at = 0;
        if (!section) continue;
        rc = twx_map64_add(cx, &sections, section, next, &at);
        if (rc == TWX_OK && at == next && !TWX_VEC_PUSH(cx, list, fresh)) rc = TWX_E_NOMEM;
        if (rc != TWX_OK || list->at[at].pages == TWX_SECTION_SAMPLED) continue;
        list->at[at].pages++;
        list->at[at].inputs += page_digest(d, docs[k]);
    }
    twx_map64_done(&sections);
    return rc;
}

static twx_rc digest_hosts(twx_ctx *cx, void *arg, size_t thread, size_t task) {
    digesting *d = arg;
    const twx_proof *proof = d->proof;
    const size_t end = (task + 1) * HOSTS_AT_ONCE;
    twx_rc rc = TWX_OK;
    for (size_t h = task * HOSTS_AT_ONCE; rc == TWX_OK && h < proof->p->hosts.n && h < end; h++) {
        const uint32_t from = h ? proof->host_ends[h - 1] : 0, to = proof->host_ends[h];
        if (from < to)
            rc = digest_host(cx, d, proof->by_host + from, to - from, &d->of_thread[thread]);
    }
    return rc;
}

static twx_rc list_now(twx_ctx *cx, twx_lessons *lessons, twx_proof *proof, const uint32_t *texts,
                       size_t threads) {
    digesting d = {.proof = proof, .texts = texts};
    twx_rc rc = twx_parallel(cx, threads, proof->p->hosts.n / HOSTS_AT_ONCE + 1, digest_hosts, &d);
    lessons->now.n = 0;
    for (size_t t = 0; t < TWX_PARALLEL_MAX; t++) {
        for (size_t k = 0; rc == TWX_OK && k < d.of_thread[t].n; k++)
            if (!TWX_VEC_PUSH(cx, &lessons->now, d.of_thread[t].at[k])) rc = TWX_E_NOMEM;
        TWX_VEC_DONE(&d.of_thread[t]);
    }
    return rc;
}

/* The place of a lesson, which may be new. Most of them come in the order of the judgement before.
 * *place: that of the lesson before it; SIZE_MAX: it is the first */
static twx_rc find_place(twx_ctx *cx, twx_lessons *lessons, uint64_t key, uint64_t *place) {
    const uint64_t next = lessons->at.n;
    if (++*place < next && lessons->at.at[*place].of == key) return TWX_OK;
    const twx_rc rc = twx_map64_add(cx, &lessons->places, key, next, place);
    return rc == TWX_OK && *place == next &&
                   !TWX_VEC_PUSH(cx, &lessons->at, (twx_lesson){.of = key})
               ? TWX_E_NOMEM
               : rc;
}

static uint64_t key_of(const twx_proof *proof, uint32_t document, uint16_t section) {
    return twx_mix64(twx_names_host(proof->p, twx_doc_host(proof->p, document)), section);
}

/* One that nothing depends on yet is not learned. */
static twx_rc compare_one(twx_ctx *cx, twx_lesson *lesson, const twx_lesson_now *now,
                          twx_proof *proof) {
    uint64_t learned = 0;
    if (lesson->inputs == now->inputs || !lesson->known) return TWX_OK;
    const twx_rc rc = twx_proof_learn(cx, proof, now->document);
    if (rc == TWX_OK)
        (void)twx_proof_learned(proof, twx_doc_host(proof->p, now->document), now->section,
                                &learned);
    lesson->version += learned != lesson->learned;
    lesson->learned = learned;
    return rc;
}

twx_rc twx_lessons_compare(twx_ctx *cx, twx_lessons *lessons, twx_proof *proof,
                           const uint32_t *texts, size_t threads) {
    twx_rc rc = twx_proof_index(cx, proof);
    if (rc == TWX_OK) rc = list_now(cx, lessons, proof, texts, threads);
    twx_free(lessons->has_versions);
    lessons->has_versions = twx_calloc(cx, proof->p->hosts.n + 1, 1);
    if (!lessons->has_versions) rc = TWX_E_NOMEM;
    lessons->judged++;
    uint64_t at = UINT64_MAX;
    for (size_t k = 0; rc == TWX_OK && k < lessons->now.n; k++) {
        const twx_lesson_now *now = &lessons->now.at[k];
        rc = find_place(cx, lessons, key_of(proof, now->document, now->section), &at);
        if (rc != TWX_OK) break;
        twx_lesson *lesson = &lessons->at.at[at];
        rc = compare_one(cx, lesson, now, proof);
        lesson->inputs = now->inputs;
        lesson->seen = lessons->judged;
        if (lesson->version) lessons->has_versions[twx_doc_host(proof->p, now->document)] = 1;
    }
    for (twx_lesson *l = lessons->at.at; l && l < lessons->at.at + lessons->at.n; l++) {
        if (l->seen == lessons->judged || !l->known) continue;
        l->known = false; /* no document has it any more */
        l->version++;
    }
    return rc;
}

static uint32_t version_of(const twx_lessons *lessons, const twx_proof *proof, uint32_t document,
                           uint16_t section) {
    uint64_t at = 0;
    return twx_map64_get(&lessons->places, key_of(proof, document, section), &at)
               ? lessons->at.at[at].version
               : 0;
}

uint64_t twx_lessons_version(const twx_lessons *lessons, const twx_proof *proof,
                             uint32_t document) {
    const uint32_t host = twx_doc_host(proof->p, document);
    if (!lessons->has_versions[host]) return (uint64_t)proof->depth[host] << 60;
    const uint16_t section = twx_proof_section(proof, document);
    const uint32_t of_host = version_of(lessons, proof, document, 0),
                   of_section = section ? version_of(lessons, proof, document, section) : 0;
    return ((uint64_t)of_host << 32 | of_section) + ((uint64_t)proof->depth[host] << 60);
}

void twx_lessons_note(twx_lessons *lessons, const twx_proof *proof) {
    for (size_t k = 0; k < lessons->now.n; k++) {
        const twx_lesson_now *now = &lessons->now.at[k];
        uint64_t at = 0, learned = 0;
        if (!twx_proof_learned(proof, twx_doc_host(proof->p, now->document), now->section,
                               &learned) ||
            !twx_map64_get(&lessons->places, key_of(proof, now->document, now->section), &at))
            continue;
        twx_lesson *lesson = &lessons->at.at[at];
        /* A text of the sample was another one when it was read: decisions that were taken over have
         * the lesson before it, those that were made now this one. */
        lesson->version += lesson->known && learned != lesson->learned;
        lesson->known = true;
        lesson->learned = learned;
    }
}

void twx_lessons_done(twx_lessons *lessons) {
    TWX_VEC_DONE(&lessons->at);
    TWX_VEC_DONE(&lessons->now);
    twx_map64_done(&lessons->places);
    twx_free(lessons->has_versions);
    *lessons = (twx_lessons){0};
}
