#include "judge/proof.h"

#include <stdlib.h>

#include "base/hash64.h"
#include "detect/plain_words.h"
#include "judge/eligible.h"

enum {
    SAMPLED = 64,           /* pages of a host from which its boilerplate is learned */
    BOILERPLATE_MIN = 4,    /* pages that have a sentence of boilerplate */
    BOILERPLATE_SHARE = 30, /* percent */
    PAIRS = 32,             /* of forms that are compared on a host */
    PLACE_MIN = 2,          /* pairs that differ at a place of machines */
    TEXT_MAX = 1 << 30
};

void twx_proof_init(twx_proof *proof, const twx_text_source *source) {
    *proof = (twx_proof){.source = source, .holds = {TWX_NO_DOCUMENT, TWX_NO_DOCUMENT}};
    for (int i = 0; i < 2; i++) twx_buf_init(&proof->text[i], TEXT_MAX);
    twx_map64_init(&proof->places, 0);
    twx_map64_init(&proof->follows, 0);
}

void twx_proof_done(twx_proof *proof) {
    if (!proof) return;
    for (int i = 0; i < 2; i++) twx_buf_done(&proof->text[i]);
    twx_difference_done(&proof->difference);
    twx_free(proof->by_host);
    twx_free(proof->host_ends);
    twx_free(proof->by_form);
    twx_free(proof->learned);
    twx_map64_done(&proof->places);
    twx_map64_done(&proof->follows);
    *proof = (twx_proof){0};
}

/* ---- reading --------------------------------------------------------------- */

/* Reads the text of a document into one of the two buffers; keep: the other document, whose text
 * stays. TWX_DONE: it cannot be read as it was signed. */
static twx_rc read_text(twx_ctx *cx, twx_proof *proof, uint32_t document, uint32_t keep,
                        twx_slice *ret_text) {
    (void)cx;
    for (int i = 0; i < 2; i++)
        if (proof->holds[i] == document) {
            *ret_text = twx_buf_slice(&proof->text[i]);
            return TWX_OK;
        }
    const int at = proof->holds[0] == keep ? 1 : 0;
    proof->holds[at] = TWX_NO_DOCUMENT;
    twx_buf_clear(&proof->text[at]);
    const twx_rc rc = proof->source->read(proof->source->arg, document, &proof->text[at]);
    if (rc != TWX_OK) return rc;
    proof->holds[at] = document;
    *ret_text = twx_buf_slice(&proof->text[at]);
    return TWX_OK;
}

/* Compares the texts of two documents; the result is in proof->difference. */
static twx_rc compare(twx_ctx *cx, twx_proof *proof, uint32_t a, uint32_t b,
                      twx_unit_ignored_fn *ignored, const void *arg) {
    twx_slice of_a = {NULL, 0}, of_b = {NULL, 0};
    twx_rc rc = read_text(cx, proof, a, b, &of_a);
    if (rc == TWX_OK) rc = read_text(cx, proof, b, a, &of_b);
    if (rc != TWX_OK) return rc;
    proof->compared++;
    return twx_difference_of(cx, of_a, of_b, ignored, arg, &proof->difference);
}

/* ---- the documents by host and by form --------------------------------------- */

static bool takes_part(const twx_proof *proof, uint32_t i) {
    return proof->eligibility[i] == TWX_ELIGIBLE && proof->node[i] != TWX_NO_DOCUMENT;
}

/* In an order that depends on their URLs alone, so that the first of them are a sample. */
static int by_sample(const void *left, const void *right, void *arg) {
    const twx_proof *proof = arg;
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const twx_doc_row *x = &proof->p->at.at[a], *y = &proof->p->at.at[b];
    const uint64_t of_a = twx_mix64(proof->form[a], 0), of_b = twx_mix64(proof->form[b], 0);
    if (x->host != y->host) return x->host < y->host ? -1 : 1;
    if (of_a != of_b) return of_a < of_b ? -1 : 1;
    return (a > b) - (a < b);
}

static int by_form(const void *left, const void *right, void *arg) {
    const twx_proof *proof = arg;
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    if (proof->form[a] != proof->form[b]) return proof->form[a] < proof->form[b] ? -1 : 1;
    return (a > b) - (a < b);
}

static twx_rc make_indexes(twx_ctx *cx, twx_proof *proof) {
    const size_t n = proof->p->at.n, hosts = proof->p->hosts.n;
    proof->by_host = twx_malloc(cx, (n + 1) * sizeof *proof->by_host);
    proof->by_form = twx_malloc(cx, (n + 1) * sizeof *proof->by_form);
    proof->host_ends = twx_calloc(cx, hosts + 1, sizeof *proof->host_ends);
    proof->learned = twx_calloc(cx, hosts + 1, 1);
    if (!proof->by_host || !proof->by_form || !proof->host_ends || !proof->learned)
        return TWX_E_NOMEM;
    for (uint32_t i = 0; i < n; i++)
        if (takes_part(proof, i)) proof->by_host[proof->counted++] = i;
    memcpy(proof->by_form, proof->by_host, proof->counted * sizeof *proof->by_form);
    qsort_r(proof->by_host, proof->counted, sizeof *proof->by_host, by_sample, proof);
    qsort_r(proof->by_form, proof->counted, sizeof *proof->by_form, by_form, proof);
    for (size_t k = 0; k < proof->counted; k++)
        proof->host_ends[proof->p->at.at[proof->by_host[k]].host] = (uint32_t)k + 1;
    for (size_t h = 1; h < hosts; h++) /* of a host without documents */
        if (proof->host_ends[h] < proof->host_ends[h - 1])
            proof->host_ends[h] = proof->host_ends[h - 1];
    proof->indexed = true;
    return TWX_OK;
}

/* The first document in by_form with the form of document i. */
static size_t first_of_form(const twx_proof *proof, uint32_t i) {
    size_t low = 0;
    for (size_t high = proof->counted; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (proof->form[proof->by_form[middle]] < proof->form[i])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- boilerplate -------------------------------------------------------------- */

/* The sentences of the sampled pages, one page after the other. */
typedef struct host_sample {
    TWX_VEC(uint64_t) units;
    TWX_VEC(size_t) ends; /* of the pages in units */
    twx_unit_list cut;    /* scratch */
} host_sample;

static uint64_t follow_key(uint64_t unit, uint64_t next) {
    return twx_mix64(twx_mix64(unit, 1), next);
}

static uint64_t of_host(uint32_t host, uint64_t key) {
    return twx_mix64(key, host);
}

static twx_rc sample_page(twx_ctx *cx, twx_proof *proof, uint32_t document, host_sample *s) {
    twx_slice text = {NULL, 0};
    twx_rc rc = read_text(cx, proof, document, TWX_NO_DOCUMENT, &text);
    if (rc != TWX_OK) return rc == TWX_DONE ? TWX_OK : rc;
    s->cut.at.n = 0;
    rc = twx_units_of(cx, text, &s->cut);
    for (size_t i = 0; rc == TWX_OK && i < s->cut.at.n; i++)
        if (!TWX_VEC_PUSH(cx, &s->units, s->cut.at.at[i].hash)) rc = TWX_E_NOMEM;
    if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &s->ends, s->units.n)) rc = TWX_E_NOMEM;
    return rc;
}

/* Counts each key once a page: the value is the count in the high half, the last page in the low
 * one. */
static twx_rc count_on_page(twx_ctx *cx, twx_map64 *counts, uint64_t key, uint32_t page) {
    uint64_t value = 0;
    (void)twx_map64_get(counts, key, &value);
    if ((uint32_t)value == page + 1) return TWX_OK;
    return twx_map64_put(cx, counts, key, ((value >> 32) + 1) << 32 | (page + 1));
}

static uint64_t pages_with(const twx_map64 *counts, uint64_t key) {
    uint64_t value = 0;
    (void)twx_map64_get(counts, key, &value);
    return value >> 32;
}

/* Of units[i] and units[i + 1]: does one of them follow (precede) the other wherever that is? */
static bool is_fixed(const twx_map64 *counts, uint64_t unit, uint64_t next, size_t pages) {
    const uint64_t both = pages_with(counts, follow_key(unit, next));
    return both >= BOILERPLATE_MIN && both * 100 >= pages * (uint64_t)BOILERPLATE_SHARE &&
           (both == pages_with(counts, unit) || both == pages_with(counts, next));
}

static twx_rc keep_boilerplate(twx_ctx *cx, twx_proof *proof, uint32_t host, const host_sample *s) {
    twx_map64 counts;
    uint64_t unused;
    twx_rc rc = TWX_OK;
    twx_map64_init(&counts, 0);
    for (size_t page = 0, i = 0; rc == TWX_OK && page < s->ends.n; page++)
        for (const size_t end = s->ends.at[page]; rc == TWX_OK && i < end; i++) {
            rc = count_on_page(cx, &counts, s->units.at[i], (uint32_t)page);
            if (rc == TWX_OK && i + 1 < end)
                rc = count_on_page(cx, &counts, follow_key(s->units.at[i], s->units.at[i + 1]),
                                   (uint32_t)page);
        }
    for (size_t page = 0, i = 0; rc == TWX_OK && page < s->ends.n; page++)
        for (const size_t end = s->ends.at[page]; rc == TWX_OK && i < end; i++)
            if (i + 1 < end && is_fixed(&counts, s->units.at[i], s->units.at[i + 1], s->ends.n))
                rc = twx_map64_add(cx, &proof->follows,
                                   of_host(host, follow_key(s->units.at[i], s->units.at[i + 1])), 1,
                                   &unused);
    twx_map64_done(&counts);
    return rc;
}

/* docs[0..n): of the host, in the order of the sample. */
static twx_rc learn_boilerplate(twx_ctx *cx, twx_proof *proof, uint32_t host, const uint32_t *docs,
                                size_t n) {
    host_sample s = {0};
    twx_rc rc = TWX_OK;
    for (size_t k = 0; rc == TWX_OK && k < n && s.ends.n < SAMPLED; k++)
        if (k == 0 || proof->form[docs[k]] != proof->form[docs[k - 1]])
            rc = sample_page(cx, proof, docs[k], &s);
    if (rc == TWX_OK) rc = keep_boilerplate(cx, proof, host, &s);
    TWX_VEC_DONE(&s.units);
    TWX_VEC_DONE(&s.ends);
    TWX_VEC_DONE(&s.cut.at);
    return rc;
}

/* ---- places of machines --------------------------------------------------------- */

static bool is_suspicious(const twx_block *block) {
    return block->kind == TWX_BLOCK_SUBSTITUTED ||
           (block->kind == TWX_BLOCK_INSIDE && block->words_a + block->words_b <= TWX_PROOF_INSIDE);
}

/* Counts the places at which a and b, forms of one page, differ. */
static twx_rc count_places(twx_ctx *cx, twx_proof *proof, uint32_t a, uint32_t b, uint32_t pair,
                           twx_map64 *counts) {
    twx_rc rc = compare(cx, proof, a, b, NULL, NULL);
    for (size_t i = 0; rc == TWX_OK && i < proof->difference.at.n; i++)
        if (is_suspicious(&proof->difference.at.at[i]))
            rc = count_on_page(cx, counts, proof->difference.at.at[i].place, pair);
    return rc;
}

static twx_rc keep_places(twx_ctx *cx, twx_proof *proof, uint32_t host, const twx_block *blocks,
                          size_t n, const twx_map64 *counts, uint64_t pairs) {
    twx_rc rc = TWX_OK;
    uint64_t unused;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        const uint64_t differ = pages_with(counts, blocks[i].place);
        if (differ >= PLACE_MIN && 2 * differ >= pairs)
            rc = twx_map64_add(cx, &proof->places, of_host(host, blocks[i].place), 1, &unused);
    }
    return rc;
}

/* The next form of the page of document i with another text; TWX_NO_DOCUMENT: none. Each pair is
 * met once, from the document of lower index. */
static uint32_t other_form(const twx_proof *proof, uint32_t i) {
    for (size_t k = first_of_form(proof, i); k < proof->counted; k++) {
        const uint32_t other = proof->by_form[k];
        if (proof->form[other] != proof->form[i]) break;
        if (other != i && proof->node[other] != proof->node[i]) return other;
    }
    return TWX_NO_DOCUMENT;
}

static twx_rc learn_places(twx_ctx *cx, twx_proof *proof, uint32_t host, const uint32_t *docs,
                           size_t n) {
    struct {
        TWX_VEC(twx_block) at;
    } met = {0};
    twx_map64 counts;
    uint32_t pairs = 0;
    twx_rc rc = TWX_OK;
    twx_map64_init(&counts, 0);
    for (size_t k = 0; rc == TWX_OK && k < n && pairs < PAIRS; k++) {
        if (k > 0 && proof->form[docs[k]] == proof->form[docs[k - 1]]) continue;
        const uint32_t other = other_form(proof, docs[k]);
        if (other == TWX_NO_DOCUMENT) continue;
        rc = count_places(cx, proof, docs[k], other, pairs, &counts);
        if (rc == TWX_DONE) {
            rc = TWX_OK;
            continue;
        }
        pairs++;
        for (size_t i = 0; rc == TWX_OK && i < proof->difference.at.n; i++)
            if (is_suspicious(&proof->difference.at.at[i]) &&
                !TWX_VEC_PUSH(cx, &met.at, proof->difference.at.at[i]))
                rc = TWX_E_NOMEM;
    }
    if (rc == TWX_OK) rc = keep_places(cx, proof, host, met.at.at, met.at.n, &counts, pairs);
    TWX_VEC_DONE(&met.at);
    twx_map64_done(&counts);
    return rc;
}

static twx_rc learn(twx_ctx *cx, twx_proof *proof, uint32_t host) {
    twx_rc rc = proof->indexed ? TWX_OK : make_indexes(cx, proof);
    if (rc != TWX_OK || proof->learned[host]) return rc;
    const uint32_t from = host ? proof->host_ends[host - 1] : 0;
    const uint32_t *docs = proof->by_host + from;
    const size_t n = proof->host_ends[host] - from;
    proof->learned[host] = 1;
    rc = learn_boilerplate(cx, proof, host, docs, n);
    return rc == TWX_OK ? learn_places(cx, proof, host, docs, n) : rc;
}

/* ---- deciding --------------------------------------------------------------------- */

/* Is there a word, and does each look like a session id or a digest? */
static bool is_id(twx_slice words) {
    return words.n > 0 && twx_looks_like_id(words);
}

/* places NULL: nothing was learned. */
static bool is_harmless(const twx_block *block, const twx_map64 *places, const uint32_t hosts[2]) {
    uint64_t unused;
    if (!is_suspicious(block)) return true;
    if (block->words_a == 1 && block->words_b == 1 && is_id(block->a) && is_id(block->b))
        return true;
    for (int i = 0; places && i < 2; i++)
        if (twx_map64_get(places, of_host(hosts[i], block->place), &unused)) return true;
    return false;
}

static void decide(const twx_difference *d, const twx_map64 *places, const uint32_t hosts[2],
                   twx_objection *ret_objection) {
    *ret_objection = (twx_objection){0};
    for (size_t i = 0; !ret_objection->found && i < d->at.n; i++)
        if (!is_harmless(&d->at.at[i], places, hosts))
            *ret_objection = (twx_objection){.found = true, .block = d->at.at[i]};
}

typedef struct masking {
    const twx_proof *proof;
    uint32_t hosts[2]; /* of a and of b */
} masking;

/* [R3] */
static bool is_boilerplate(const void *arg, bool in_a, uint64_t before, uint64_t unit,
                           uint64_t after) {
    const masking *m = arg;
    const uint32_t host = m->hosts[in_a ? 0 : 1];
    const twx_map64 *follows = &m->proof->follows;
    uint64_t unused;
    return (before && twx_map64_get(follows, of_host(host, follow_key(before, unit)), &unused)) ||
           (after && twx_map64_get(follows, of_host(host, follow_key(unit, after)), &unused));
}

twx_rc twx_proof_of(twx_ctx *cx, twx_proof *proof, uint32_t a, uint32_t b,
                    twx_objection *ret_objection) {
    const masking m = {proof, {proof->p->at.at[a].host, proof->p->at.at[b].host}};
    *ret_objection = (twx_objection){0};
    if (proof->form[a] && proof->form[a] == proof->form[b]) return TWX_OK; /* [R4] */
    twx_rc rc = compare(cx, proof, a, b, NULL, NULL);
    if (rc == TWX_OK) decide(&proof->difference, NULL, m.hosts, ret_objection);
    if (rc == TWX_OK && ret_objection->found) {
        rc = learn(cx, proof, m.hosts[0]);
        if (rc == TWX_OK) rc = learn(cx, proof, m.hosts[1]);
        if (rc == TWX_OK) rc = compare(cx, proof, a, b, is_boilerplate, &m);
        if (rc == TWX_OK) decide(&proof->difference, &proof->places, m.hosts, ret_objection);
    }
    if (rc != TWX_DONE) return rc;
    *ret_objection = (twx_objection){.found = true, .unread = true};
    return TWX_OK;
}

twx_rc twx_proof_of_texts(twx_ctx *cx, twx_difference *difference, twx_slice a, twx_slice b,
                          twx_objection *ret_objection) {
    static const uint32_t ANY[2] = {0, 0};
    const twx_rc rc = twx_difference_of(cx, a, b, NULL, NULL, difference);
    if (rc == TWX_OK) decide(difference, NULL, ANY, ret_objection);
    return rc;
}
