/* What a judgement keeps for the next one. */
#include "judge/internal.h"

/* ==== texts */

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

/* ==== lessons */

enum { HOSTS_AT_ONCE = 64 };

/* What proofs have learned of a host, or of a section of it, from judgement to judgement. */
typedef struct twx_lesson {
    uint64_t of;              /* its key in twx_lessons.places */
    uint64_t inputs, learned; /* hashes: of what it is learned from, of what was learned */
    uint64_t seen;            /* twx_lessons.judged of the last judgement that had its documents */
    uint32_t version;         /* how often something else was learned */
    bool known;               /* it was learned; proofs may depend on it */
} twx_lesson;

/* What is to be learned in this judgement: a document of the host and section. */
typedef struct twx_lesson_now {
    uint32_t document, host;
    uint16_t section; /* 0: of the host */
    uint16_t pages;   /* in the sample */
    uint64_t inputs;
} twx_lesson_now;

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
    const size_t first = list->n;
    const uint32_t host = twx_doc_host(proof->p, docs[0]);
    twx_map64 sections = {0}; /* in the list */
    size_t sampled = 0, others = 0;
    twx_lesson_now of_host = {.document = docs[0], .host = host};
    of_host.inputs = n < TWX_SECTION_MIN ? n : TWX_SECTION_MIN;
    twx_rc rc = TWX_VEC_PUSH(cx, list, of_host) ? TWX_OK : TWX_E_NOMEM;
    for (size_t k = 0; rc == TWX_OK && k < n && (k < TWX_LOOKED_AT || others < TWX_FORM_PAGES);
         k++) {
        if (k > 0 && proof->form[docs[k]] == proof->form[docs[k - 1]]) continue;
        const uint64_t forms = others < TWX_FORM_PAGES ? forms_digest(d, docs[k]) : 0;
        list->at[first].inputs += forms ? twx_mix64(proof->form[docs[k]], forms) : 0;
        others += forms != 0;
        if (sampled++ < TWX_HOST_SAMPLED) list->at[first].inputs += page_digest(d, docs[k]);
        const uint16_t section = k < TWX_LOOKED_AT ? twx_proof_section(proof, docs[k]) : 0;
        const twx_lesson_now fresh = {.document = docs[k], .host = host, .section = section};
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
 * *place: that of the lesson before it; UINT64_MAX: it is the first */
static twx_rc find_place(twx_ctx *cx, twx_lessons *lessons, uint64_t key, uint64_t *place) {
    const uint64_t next = lessons->at.n;
    if (++*place < next && lessons->at.at[*place].of == key) return TWX_OK;
    const twx_rc rc = twx_map64_add(cx, &lessons->places, key, next, place);
    return rc == TWX_OK && *place == next &&
                   !TWX_VEC_PUSH(cx, &lessons->at, (twx_lesson){.of = key})
               ? TWX_E_NOMEM
               : rc;
}

static uint64_t key_of(const twx_proof *proof, uint32_t host, uint16_t section) {
    return twx_mix64(twx_names_host(proof->p, host), section);
}

/* One that nothing depends on yet is not learned. */
static twx_rc compare_one(twx_ctx *cx, twx_lesson *lesson, const twx_lesson_now *now,
                          twx_proof *proof) {
    uint64_t learned = 0;
    if (lesson->inputs == now->inputs || !lesson->known) return TWX_OK;
    const twx_rc rc = twx_proof_learn(cx, proof, now->document);
    if (rc == TWX_OK) (void)twx_proof_learned(proof, now->host, now->section, &learned);
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
        rc = find_place(cx, lessons, key_of(proof, now->host, now->section), &at);
        if (rc != TWX_OK) break;
        twx_lesson *lesson = &lessons->at.at[at];
        rc = compare_one(cx, lesson, now, proof);
        lesson->inputs = now->inputs;
        lesson->seen = lessons->judged;
        if (lesson->version) lessons->has_versions[now->host] = 1;
    }
    for (twx_lesson *l = lessons->at.at; l && l < lessons->at.at + lessons->at.n; l++) {
        if (l->seen == lessons->judged || !l->known) continue;
        l->known = false; /* no document has it any more */
        l->version++;
    }
    return rc;
}

static uint32_t version_of(const twx_lessons *lessons, const twx_proof *proof, uint32_t host,
                           uint16_t section) {
    uint64_t at = 0;
    return twx_map64_get(&lessons->places, key_of(proof, host, section), &at)
               ? lessons->at.at[at].version
               : 0;
}

uint64_t twx_lessons_version(const twx_lessons *lessons, const twx_proof *proof,
                             uint32_t document) {
    const uint32_t host = twx_doc_host(proof->p, document);
    if (!lessons->has_versions[host]) return (uint64_t)proof->depth[host] << 60;
    const uint16_t section = twx_proof_section(proof, document);
    const uint32_t of_host = version_of(lessons, proof, host, 0),
                   of_section = section ? version_of(lessons, proof, host, section) : 0;
    return ((uint64_t)of_host << 32 | of_section) + ((uint64_t)proof->depth[host] << 60);
}

void twx_lessons_note(twx_lessons *lessons, const twx_proof *proof) {
    for (size_t k = 0; k < lessons->now.n; k++) {
        const twx_lesson_now *now = &lessons->now.at[k];
        uint64_t at = 0, learned = 0;
        if (!twx_proof_learned(proof, now->host, now->section, &learned) ||
            !twx_map64_get(&lessons->places, key_of(proof, now->host, now->section), &at))
            continue;
        twx_lesson *lesson = &lessons->at.at[at];
        /* The text that was read now is not the one that decisions rest on which were taken over:
         * all are made again next time. */
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
