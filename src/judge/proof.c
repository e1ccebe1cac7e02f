#include "judge/internal.h"

/* [R1] Substituted words speak against a copy. So do a few words that only one document has inside
 * a sentence, which can reverse its meaning; a longer clause only adds to it. A passage that only
 * one document has speaks against a copy as well, but between hosts it may be a banner if it is
 * short, or stands before or after everything else. */

enum {
    INSIDE_WORDS = 3,
    INSIDE_CHARACTERS = 12, /* of scripts without spaces, where each is a word */
    PASSAGE_BYTES = 200,
    PASSAGE_ONE_HOST = 60 /* bytes, between words that both have */
};

static bool block_objects(const twx_block *block, bool one_host) {
    const twx_slice words = block->words_a ? block->a : block->b;
    const uint32_t n = block->words_a + block->words_b;
    if (block->kind == TWX_BLOCK_SUBSTITUTED) return true;
    if (block->kind == TWX_BLOCK_ADDED)
        return block->is_between && one_host
                   ? words.n >= PASSAGE_ONE_HOST
                   : (block->is_between || one_host) && words.n >= PASSAGE_BYTES;
    const bool is_spaced = words.n < 3 * (size_t)n || twx_slice_find(words, ' ', 0) < words.n;
    return n <= (uint32_t)(is_spaced ? INSIDE_WORDS : INSIDE_CHARACTERS);
}

enum {
    UNITS_MAX = 1 << 14,    /* sentences of a page that are looked at */
    BOILERPLATE_MIN = 4,    /* pages that have a sentence of boilerplate */
    BOILERPLATE_SHARE = 30, /* percent */
    EVERYWHERE_SHARE = 60,  /* percent of the pages that have a sentence on its own */
    ALONE_BYTES = 8,        /* of such a sentence, at least: a word alone may be a name */
    PLACE_MIN = 2,          /* pages whose forms differ at a place of machines */
    PLACE_SHARE = 8,        /* one of so many pages */
    COMMON_A = 60,          /* percent of a that b must have, if the texts are unlike */
    COMMON_B = 30,          /* the reverse */
    COMMON_BYTES = 30,      /* that it must have at least */
    IGNORED_TIMES = 4,      /* as much boilerplate may be left out */
    COMMON_FORM = 50,       /* percent of a that b must have, if they are forms of one page */
    TEXT_MAX = 1 << 30
};

void twx_proof_init(twx_proof *proof, const twx_text_source *source) {
    *proof = (twx_proof){.source = source, .holds = {TWX_NO_DOCUMENT, TWX_NO_DOCUMENT}};
    for (int i = 0; i < 2; i++) twx_buf_init(&proof->text[i], TEXT_MAX);
}

/* Drops the outcomes of other documents. */
static void proved_begin(twx_proved *proved, const uint8_t *eligibility, size_t documents) {
    const uint64_t of = twx_hash64((twx_slice){(const char *)eligibility, documents}, documents);
    if (proved->of == of) return;
    twx_map64_done(&proved->pairs);
    twx_map64_init(&proved->pairs, 0);
    proved->of = of;
}

void twx_near_proof(const twx_near *near, const twx_doc_table *p, const uint8_t *eligibility,
                    twx_proof *ret_proof) {
    twx_proof_init(ret_proof, near->texts);
    ret_proof->proved = near->options->proved;
    if (near->options->proved) proved_begin(near->options->proved, eligibility, p->at.n);
    ret_proof->p = p;
    ret_proof->node = near->node;
    ret_proof->form = near->form;
    ret_proof->urls = &near->urls;
    ret_proof->eligibility = eligibility;
}

void twx_proof_done(twx_proof *proof) {
    if (!proof) return;
    for (int i = 0; i < 2; i++) twx_buf_done(&proof->text[i]);
    twx_difference_done(&proof->difference);
    twx_free(proof->by_host);
    twx_free(proof->host_ends);
    twx_free(proof->depth);
    twx_free(proof->by_form);
    twx_free(proof->shares);
    twx_free(proof->learned);
    twx_map64_done(&proof->places);
    twx_map64_done(&proof->follows);
    twx_map64_done(&proof->sections);
    twx_map64_done(&proof->sums);
    TWX_VEC_DONE(&proof->missed);
    *proof = (twx_proof){0};
}

/* Reads the text of a document into one of the two buffers; keep: the other document, whose text
 * stays. TWX_DONE: it cannot be read as it was signed. */
static twx_rc read_text(twx_ctx *cx, twx_proof *proof, uint32_t document, uint32_t keep,
                        twx_slice *ret_text) {
    for (int i = 0; i < 2; i++)
        if (proof->holds[i] == document) {
            *ret_text = twx_buf_slice(&proof->text[i]);
            return TWX_OK;
        }
    const int at = proof->holds[0] == keep ? 1 : 0;
    proof->holds[at] = TWX_NO_DOCUMENT;
    twx_buf_clear(&proof->text[at]);
    const twx_rc rc = proof->source->read(proof->source->arg, document, &proof->text[at]);
    if (rc == TWX_DONE && !TWX_VEC_PUSH(cx, &proof->missed, document)) return TWX_E_NOMEM;
    if (rc != TWX_OK) return rc;
    proof->holds[at] = document;
    *ret_text = twx_buf_slice(&proof->text[at]);
    return TWX_OK;
}

static twx_rc compare(twx_ctx *cx, twx_proof *proof, uint32_t a, uint32_t b,
                      const twx_difference_rules *rules) {
    twx_slice of_a = {NULL, 0}, of_b = {NULL, 0};
    const twx_rc found = read_text(cx, proof, a, b, &of_a);
    /* both are asked for, also if one is missing: a source may have to fetch them */
    twx_rc rc = found == TWX_OK || found == TWX_DONE ? read_text(cx, proof, b, a, &of_b) : found;
    if (rc == TWX_OK) rc = found;
    if (rc != TWX_OK) return rc;
    proof->compared++;
    return twx_difference_of(cx, of_a, of_b, rules, &proof->difference);
}

/* ---- the documents by host and by form --------------------------------------- */

/* Lists the documents of each host in the order of by_form: forms are hashes of URLs, so the first
 * ones are a sample, which depends on nothing else. */
static void list_by_host(twx_proof *proof) {
    const size_t hosts = proof->p->hosts.n;
    uint32_t *ends = proof->host_ends;
    for (size_t k = 0; k < proof->counted; k++) ends[twx_doc_host(proof->p, proof->by_form[k])]++;
    for (size_t h = 1; h < hosts; h++) ends[h] += ends[h - 1];
    for (size_t k = proof->counted; k-- > 0;) /* each one moves the end down to the beginning */
        proof->by_host[--ends[twx_doc_host(proof->p, proof->by_form[k])]] = proof->by_form[k];
    for (size_t h = 0; h < hosts; h++)
        ends[h] = h + 1 < hosts ? ends[h + 1] : (uint32_t)proof->counted;
}

/* How many folders nearly all URLs of the host begin with, such as 2 of those in pub/docs/: what
 * follows them tells its documents apart. */
static uint8_t common_folders(const twx_proof *proof, const uint32_t *docs, size_t n) {
    enum { DEPTH_MAX = 4, ALL_BUT = 10 };
    uint8_t depth = 0;
    for (; depth < DEPTH_MAX; depth++) {
        uint16_t most = 0;
        size_t votes = 0, with = 0;
        for (size_t k = 0; k < n; k++) { /* Boyer and Moore's majority vote */
            const twx_url_names url = twx_names_of_url(proof->urls, docs[k]);
            const uint16_t name = url.segments > depth + 1 ? url.name[depth] : 0;
            if (votes == 0) most = name;
            votes += name == most ? 1 : (size_t)-1;
        }
        for (size_t k = 0; k < n; k++) {
            const twx_url_names url = twx_names_of_url(proof->urls, docs[k]);
            with += url.segments > depth + 1 && url.name[depth] == most;
        }
        if (most == 0 || with * ALL_BUT < n * (ALL_BUT - 1)) break;
    }
    return depth;
}

/* Keeps in by_form only the documents that share their form with another one. */
static twx_rc keep_shared_forms(twx_ctx *cx, twx_proof *proof) {
    uint32_t *docs = proof->by_form;
    size_t kept = 0;
    for (size_t from = 0, to = 0; from < proof->counted; from = to) {
        const uint64_t form = proof->form[docs[from]];
        while (to < proof->counted && proof->form[docs[to]] == form) to++;
        for (size_t k = from; to > from + 1 && k < to; k++) {
            proof->shares[docs[k] / 64] |= UINT64_C(1) << docs[k] % 64;
            docs[kept++] = docs[k];
        }
    }
    proof->counted = kept;
    docs = twx_realloc(cx, docs, kept + 1, sizeof *docs);
    if (docs) proof->by_form = docs;
    return docs ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_proof_index(twx_ctx *cx, twx_proof *proof) {
    if (proof->indexed) return TWX_OK;
    const size_t n = proof->p->at.n, hosts = proof->p->hosts.n;
    proof->by_host = twx_malloc(cx, (n + 1) * sizeof *proof->by_host);
    proof->by_form = twx_malloc(cx, (n + 1) * sizeof *proof->by_form);
    proof->host_ends = twx_calloc(cx, hosts + 1, sizeof *proof->host_ends);
    proof->learned = twx_calloc(cx, hosts + 1, 1);
    proof->depth = twx_calloc(cx, hosts + 1, 1);
    proof->shares = twx_calloc(cx, n / 64 + 1, sizeof *proof->shares);
    if (!proof->by_host || !proof->by_form || !proof->host_ends || !proof->learned ||
        !proof->depth || !proof->shares)
        return TWX_E_NOMEM;
    for (uint32_t i = 0; i < n; i++)
        if (proof->eligibility[i] == TWX_ELIGIBLE && proof->node[i] != TWX_NO_DOCUMENT)
            proof->by_form[proof->counted++] = i;
    twx_sort_by_key(proof->by_form, proof->by_host, proof->counted, proof->form);
    list_by_host(proof);
    for (uint32_t h = 0, from = 0; h < hosts; from = proof->host_ends[h++])
        proof->depth[h] = common_folders(proof, proof->by_host + from, proof->host_ends[h] - from);
    proof->indexed = true;
    return keep_shared_forms(cx, proof);
}

size_t twx_proof_first_of_form(const twx_proof *proof, uint32_t i) {
    size_t low = 0, high = proof->counted;
    if (!(proof->shares[i / 64] >> i % 64 & 1)) return high;
    TWX_BISECT(low, high, proof->form[proof->by_form[middle]] < proof->form[i]);
    return low;
}

static uint64_t dated_key(twx_slice sentence) {
    return twx_hash64(sentence, 3);
}

/* ---- boilerplate -------------------------------------------------------------- */

typedef struct sampled_unit {
    uint64_t hash;  /* twx_sentence_form() */
    uint64_t dated; /* of its text, if it has a date; else 0 */
    bool is_short;
} sampled_unit;

typedef struct host_sample {
    uint32_t host;
    uint16_t section;
    TWX_VEC(sampled_unit) units; /* one page after the other */
    TWX_VEC(size_t) ends;        /* of the pages in units */
    twx_unit_list cut;           /* scratch */
} host_sample;

static uint64_t follow_key(uint64_t unit, uint64_t next) {
    return twx_mix64(twx_mix64(unit, 1), next);
}

uint16_t twx_proof_section(const twx_proof *proof, uint32_t document) {
    const twx_url_names url = twx_names_of_url(proof->urls, document);
    const uint8_t depth = proof->depth[twx_doc_host(proof->p, document)];
    return url.segments > depth + 1 ? url.name[depth] : 0;
}

/* Boilerplate is that of a host or of a section of it; section 0: of the host. */
static uint64_t of_section(uint32_t host, uint16_t section, uint64_t key) {
    return twx_mix64(twx_mix64(key, section), host);
}

static twx_rc sample_page(twx_ctx *cx, twx_proof *proof, uint32_t document, host_sample *s) {
    twx_slice text = {NULL, 0};
    twx_rc rc = read_text(cx, proof, document, TWX_NO_DOCUMENT, &text);
    if (rc != TWX_OK) return rc == TWX_DONE ? TWX_OK : rc;
    s->cut.at.n = 0;
    rc = twx_units_of(cx, text, &s->cut);
    for (size_t i = 0; rc == TWX_OK && i < s->cut.at.n && i < UNITS_MAX; i++) {
        const twx_slice unit = s->cut.at.at[i].text;
        const sampled_unit sampled = {.hash = twx_sentence_form(unit),
                                      .dated = twx_dated_form(unit) ? dated_key(unit) : 0,
                                      .is_short = unit.n < ALONE_BYTES};
        if (!TWX_VEC_PUSH(cx, &s->units, sampled)) rc = TWX_E_NOMEM;
    }
    if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &s->ends, s->units.n)) rc = TWX_E_NOMEM;
    return rc;
}

/* Counts each key once a page: the high half is the count, the low half the last page. */
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

static uint64_t alone_key(uint64_t unit) {
    return twx_mix64(unit, 2);
}

/* Keeps a key that was learned of a host, or of a section of it, in one of the maps. */
static twx_rc keep_key(twx_ctx *cx, twx_proof *proof, twx_map64 *map, const host_sample *of,
                       uint64_t key) {
    bool is_new = false;
    uint64_t *sum = NULL;
    const uint64_t own = of_section(of->host, of->section, key);
    twx_rc rc = twx_map64_place(cx, map, own, 1, NULL, &is_new);
    if (rc == TWX_OK && is_new)
        rc = twx_map64_place(cx, &proof->sums, of_section(of->host, of->section, 0), 0, &sum, NULL);
    if (sum) *sum += twx_mix64(key, 1);
    return rc;
}

bool twx_proof_learned(const twx_proof *proof, uint32_t host, uint16_t section, uint64_t *ret_sum) {
    const uint64_t of = of_section(host, section, 0);
    *ret_sum = 0;
    if (!proof->learned[host] || (section && !twx_map64_has(&proof->sections, of))) return false;
    (void)twx_map64_get(&proof->sums, of, ret_sum);
    return true;
}

/* Keeps unit i of the sample, alone or with the next one, if it is boilerplate. */
static twx_rc keep_unit(twx_ctx *cx, twx_proof *proof, const host_sample *s,
                        const twx_map64 *counts, size_t i, bool has_next) {
    const sampled_unit *unit = &s->units.at[i];
    const size_t pages = s->ends.n;
    const uint64_t dated = unit->dated ? pages_with(counts, unit->dated) : 0,
                   on = pages_with(counts, unit->hash);
    twx_rc rc = TWX_OK;
    if (has_next && is_fixed(counts, unit->hash, unit[1].hash, pages))
        rc = keep_key(cx, proof, &proof->follows, s, follow_key(unit->hash, unit[1].hash));
    if (rc == TWX_OK && dated >= TWX_SECTION_MIN &&
        dated * 100 >= pages * (uint64_t)BOILERPLATE_SHARE)
        rc = keep_key(cx, proof, &proof->follows, s, unit->dated);
    if (rc == TWX_OK && !unit->is_short && on >= BOILERPLATE_MIN &&
        on * 100 >= pages * (uint64_t)EVERYWHERE_SHARE)
        rc = keep_key(cx, proof, &proof->follows, s, alone_key(unit->hash));
    return rc;
}

static twx_rc keep_boilerplate(twx_ctx *cx, twx_proof *proof, const host_sample *s) {
    const sampled_unit *units = s->units.at;
    twx_map64 counts = {0};
    twx_rc rc = TWX_OK;
    for (size_t page = 0, i = 0; rc == TWX_OK && page < s->ends.n; page++)
        for (const size_t end = s->ends.at[page]; rc == TWX_OK && i < end; i++) {
            rc = count_on_page(cx, &counts, units[i].hash, (uint32_t)page);
            if (rc == TWX_OK && units[i].dated)
                rc = count_on_page(cx, &counts, units[i].dated, (uint32_t)page);
            if (rc == TWX_OK && i + 1 < end)
                rc = count_on_page(cx, &counts, follow_key(units[i].hash, units[i + 1].hash),
                                   (uint32_t)page);
        }
    for (size_t page = 0, i = 0; rc == TWX_OK && page < s->ends.n; page++)
        for (const size_t end = s->ends.at[page]; rc == TWX_OK && i < end; i++)
            rc = keep_unit(cx, proof, s, &counts, i, i + 1 < end);
    twx_map64_done(&counts);
    return rc;
}

/* docs[0..n): of the host, in the order of the sample. */
static twx_rc learn_boilerplate(twx_ctx *cx, twx_proof *proof, uint32_t host, uint16_t section,
                                const uint32_t *docs, size_t n) {
    const size_t most = section ? TWX_SECTION_SAMPLED : TWX_HOST_SAMPLED;
    host_sample s = {.host = host, .section = section};
    twx_rc rc = TWX_OK;
    if (n < (section ? TWX_SECTION_MIN : BOILERPLATE_MIN)) return TWX_OK;
    if (section && n > TWX_LOOKED_AT) n = TWX_LOOKED_AT;
    for (size_t k = 0; rc == TWX_OK && k < n && s.ends.n < most; k++)
        if ((k == 0 || proof->form[docs[k]] != proof->form[docs[k - 1]]) &&
            (!section || twx_proof_section(proof, docs[k]) == section))
            rc = sample_page(cx, proof, docs[k], &s);
    if (rc == TWX_OK && (!section || s.ends.n >= TWX_SECTION_MIN))
        rc = keep_boilerplate(cx, proof, &s);
    TWX_VEC_DONE(&s.units);
    TWX_VEC_DONE(&s.ends);
    TWX_VEC_DONE(&s.cut.at);
    return rc;
}

/* ---- places of machines --------------------------------------------------------- */

typedef struct host_places {
    uint32_t pages;
    TWX_VEC(uint64_t) met;
    twx_map64 counts; /* pages by place */
} host_places;

/* Counts the places at which a and b, forms of one page, differ. TWX_DONE: one cannot be read. */
static twx_rc count_places(twx_ctx *cx, twx_proof *proof, uint32_t a, uint32_t b, host_places *h) {
    twx_rc rc = compare(cx, proof, a, b, &(twx_difference_rules){0});
    for (size_t i = 0; rc == TWX_OK && i < proof->difference.at.n; i++)
        for (size_t k = 0; rc == TWX_OK && k < TWX_PLACES; k++) {
            const uint64_t place = proof->difference.at.at[i].place[k];
            if (!place) continue;
            rc = count_on_page(cx, &h->counts, place, h->pages);
            if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &h->met, place)) rc = TWX_E_NOMEM;
        }
    return rc;
}

static twx_rc keep_places(twx_ctx *cx, twx_proof *proof, uint32_t host, const host_places *h) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < h->met.n; i++) {
        const uint64_t differ = pages_with(&h->counts, h->met.at[i]);
        if (differ >= PLACE_MIN && PLACE_SHARE * differ >= h->pages)
            rc = keep_key(cx, proof, &proof->places, &(host_sample){.host = host}, h->met.at[i]);
    }
    return rc;
}

/* Compares the page of document i with other forms of it that have other texts. */
static twx_rc compare_forms(twx_ctx *cx, twx_proof *proof, uint32_t i, host_places *h) {
    uint32_t compared[TWX_FORMS + 1] = {proof->node[i]}; /* their texts */
    size_t n = 1;
    twx_rc rc = TWX_OK;
    for (size_t k = twx_proof_first_of_form(proof, i);
         rc == TWX_OK && k < proof->counted && n <= TWX_FORMS; k++) {
        const uint32_t other = proof->by_form[k];
        bool known = false;
        if (proof->form[other] != proof->form[i]) break;
        for (size_t t = 0; t < n; t++) known |= compared[t] == proof->node[other];
        if (known) continue;
        compared[n] = proof->node[other];
        rc = count_places(cx, proof, i, other, h);
        n += rc == TWX_OK;
        if (rc == TWX_DONE) rc = TWX_OK;
    }
    h->pages += n > 1;
    return rc;
}

static const twx_proof *learner(const twx_proof *proof) {
    return proof->learner ? proof->learner : proof;
}

static bool has_learned(const twx_proof *asked, uint32_t document) {
    const twx_proof *proof = learner(asked);
    const uint32_t host = twx_doc_host(proof->p, document);
    if (!proof->indexed || !proof->learned[host]) return false;
    const uint16_t section = twx_proof_section(proof, document);
    return !section || twx_map64_has(&proof->sections, of_section(host, section, 0));
}

twx_rc twx_proof_learn(twx_ctx *cx, twx_proof *proof, uint32_t document) {
    if (has_learned(proof, document)) return TWX_OK;
    const uint32_t host = twx_doc_host(proof->p, document);
    const uint16_t section = twx_proof_section(proof, document);
    twx_rc rc = TWX_OK;
    const uint32_t from = host ? proof->host_ends[host - 1] : 0;
    const uint32_t *docs = proof->by_host + from;
    const size_t n = proof->host_ends[host] - from;
    const size_t missed = proof->missed.n;
    if (!proof->learned[host]) {
        proof->learned[host] = 1;
        rc = learn_boilerplate(cx, proof, host, 0, docs, n);
        if (rc == TWX_OK) {
            host_places h = {0};
            for (size_t k = 0; rc == TWX_OK && k < n && h.pages < TWX_FORM_PAGES; k++)
                if (k == 0 || proof->form[docs[k]] != proof->form[docs[k - 1]])
                    rc = compare_forms(cx, proof, docs[k], &h);
            if (rc == TWX_OK) rc = keep_places(cx, proof, host, &h);
            TWX_VEC_DONE(&h.met);
            twx_map64_done(&h.counts);
        }
    }
    const uint64_t next = proof->sections.n;
    uint64_t number = 0;
    if (rc == TWX_OK && section)
        rc = twx_map64_add(cx, &proof->sections, of_section(host, section, 0), next, &number);
    if (rc == TWX_OK && section && number == next)
        rc = learn_boilerplate(cx, proof, host, section, docs, n);
    if (proof->missed.n > missed) proof->learned[host] = 2;
    return rc;
}

/* ---- deciding --------------------------------------------------------------------- */

static bool is_id(twx_slice words) { /* "2024-05-19" is not one */
    twx_word_reader reader = {.rest = words};
    twx_text_word first;
    return twx_written_word_next(&reader, &first) && !first.is_number && twx_looks_like_id(words);
}

static bool is_learned(const twx_proof *proof, const uint32_t hosts[2], uint64_t place) {
    const twx_map64 *places = &learner(proof)->places;
    return place && (twx_map64_has(places, of_section(hosts[0], 0, place)) ||
                     twx_map64_has(places, of_section(hosts[1], 0, place)));
}

/* Do machines put words in where the block stands? */
static bool is_of_machines(const twx_proof *proof, const twx_block *block,
                           const uint32_t hosts[2]) {
    const bool begins_a = is_learned(proof, hosts, block->place[TWX_PLACE_BEGINS_A]),
               begins_b = is_learned(proof, hosts, block->place[TWX_PLACE_BEGINS_B]);
    if (block->words_a == 1 && block->words_b == 1 && is_id(block->a) && is_id(block->b))
        return true;
    if ((begins_a || !block->words_a) && (begins_b || !block->words_b)) return true;
    for (int k = TWX_PLACE_AROUND; k <= TWX_PLACE_BEFORE; k++)
        if (is_learned(proof, hosts, block->place[k])) return true;
    return false;
}

static void decide(const twx_proof *proof, const uint32_t hosts[2], twx_objection *ret_objection) {
    const twx_difference *d = &proof->difference;
    *ret_objection = (twx_objection){0};
    for (size_t i = 0; !ret_objection->found && i < d->at.n; i++) {
        const twx_block *block = &d->at.at[i];
        const bool found = block_objects(block, hosts[0] == hosts[1]),
                   adds = block->words_a && !ret_objection->adds;
        if ((found || adds) && !is_of_machines(proof, block, hosts))
            *ret_objection = (twx_objection){.found = found, .adds = !found, .block = *block};
    }
}

typedef struct masking {
    const twx_proof *proof;
    uint32_t hosts[2]; /* of a and of b */
    uint16_t sections[2];
} masking;

/* Is the key boilerplate of the section that this side's page is in? */
static bool is_of_section(const masking *m, int side, uint64_t key) {
    return m->sections[side] &&
           twx_map64_has(&m->proof->follows, of_section(m->hosts[side], m->sections[side], key));
}

static bool is_boilerplate(const masking *m, int side, uint64_t key) {
    return twx_map64_has(&m->proof->follows, of_section(m->hosts[side], 0, key)) ||
           is_of_section(m, side, key);
}

/* [R3] */
static twx_unit_use use_of(const void *arg, bool in_a, uint64_t before, uint64_t unit,
                           uint64_t after) {
    const masking *m = arg;
    const int side = in_a ? 0 : 1;
    if ((before && is_boilerplate(m, side, follow_key(before, unit))) ||
        (after && is_boilerplate(m, side, follow_key(unit, after))))
        return TWX_UNIT_IGNORED;
    /* of one host: a line in the place of another may be a name that most pages list */
    const bool is_banner = m->hosts[0] != m->hosts[1] && is_boilerplate(m, side, alone_key(unit));
    return is_banner ? TWX_UNIT_ANNOUNCED : TWX_UNIT_COMPARED;
}

/* Is the key boilerplate of the edition that this side's page belongs to? Editions have a host or,
 * on one host, a section of their own. */
static bool is_of_edition(const masking *m, int side, uint64_t key) {
    return m->hosts[0] != m->hosts[1] ? is_boilerplate(m, side, key) : is_of_section(m, side, key);
}

/* [R6] A date that the pages of both have is not that of an edition: it is one of a list. */
static uint64_t exchanged(const void *arg, bool in_a, twx_slice sentence) {
    const uint64_t form = twx_dated_form(sentence), key = dated_key(sentence);
    return form && is_of_edition(arg, !in_a, key) && !is_of_edition(arg, in_a, key) ? form : 0;
}

twx_rc twx_proof_boilerplate(twx_ctx *cx, twx_proof *proof, uint32_t document,
                             twx_unit_list *units) {
    twx_rc rc = twx_proof_index(cx, proof);
    if (rc != TWX_OK) return rc;
    const masking m = {
        proof, {twx_doc_host(proof->p, document)}, {twx_proof_section(proof, document)}};
    uint64_t before = 0, unit = 0, after = 0;
    size_t kept = 0;
    rc = twx_proof_learn(cx, proof, document);
    for (size_t i = 0; rc == TWX_OK && i < units->at.n; i++, before = unit) {
        unit = i ? after : twx_sentence_form(units->at.at[i].text);
        after = i + 1 < units->at.n ? twx_sentence_form(units->at.at[i + 1].text) : 0;
        if (use_of(&m, true, before, unit, after) == TWX_UNIT_IGNORED)
            units->at.at[kept++] = units->at.at[i];
    }
    if (rc == TWX_OK) units->at.n = kept;
    return rc;
}

static bool is_objection(const void *arg, const twx_block *block) {
    const masking *m = arg;
    return block_objects(block, m->hosts[0] == m->hosts[1]) &&
           !is_of_machines(m->proof, block, m->hosts);
}

bool twx_proof_is_form(const twx_proof *proof, uint32_t a, uint32_t b) {
    return proof->form[a] && proof->form[a] == proof->form[b];
}

/* Percent of a text (0: a, 1: b) without boilerplate that the other has, too. */
static size_t common_share(const twx_proof *proof, int side, uint32_t document) {
    const twx_difference *d = &proof->difference;
    const size_t size = proof->holds[0] == document ? proof->text[0].n : proof->text[1].n;
    const size_t body = size > d->ignored[side] ? size - d->ignored[side] : 0;
    const size_t common = body > d->differ[side] ? body - d->differ[side] : 0;
    if (common < COMMON_BYTES || d->ignored[side] > IGNORED_TIMES * common) return 0;
    return common * 100 / body;
}

/* Compares the texts with what is known of the hosts. */
static twx_rc compare_learned(twx_ctx *cx, twx_proof *proof, uint32_t a, uint32_t b,
                              const masking *m) {
    twx_rc rc = twx_proof_learn(cx, proof, a);
    if (rc == TWX_OK) rc = twx_proof_learn(cx, proof, b);
    const bool is_form = twx_proof_is_form(proof, a, b);
    const twx_difference_rules rules = {use_of, exchanged, is_form ? NULL : is_objection, m};
    if (rc == TWX_OK) rc = compare(cx, proof, a, b, &rules);
    const uint8_t *learned = learner(proof)->learned;
    proof->unread += rc == TWX_DONE ||
                     (rc == TWX_OK && (learned[m->hosts[0]] == 2 || learned[m->hosts[1]] == 2));
    return rc;
}

static twx_rc prove(twx_ctx *cx, twx_proof *proof, uint32_t a, uint32_t b, bool unlike,
                    twx_objection *ret_objection) {
    const twx_proof *known = learner(proof);
    twx_rc rc = known->indexed ? TWX_OK : twx_proof_index(cx, proof);
    if (rc != TWX_OK) return rc;
    const masking m = {known,
                       {twx_doc_host(proof->p, a), twx_doc_host(proof->p, b)},
                       {twx_proof_section(known, a), twx_proof_section(known, b)}};
    const bool is_form = twx_proof_is_form(proof, a, b);
    *ret_objection = (twx_objection){0};
    if (is_form && !unlike) return TWX_OK; /* [R4] */
    rc = compare_learned(cx, proof, a, b, &m);
    if (rc == TWX_OK && !is_form) decide(proof, m.hosts, ret_objection);
    const size_t common = rc == TWX_OK ? common_share(proof, 0, a) : 0;
    const bool enough = is_form ? common >= COMMON_FORM
                                : common >= COMMON_A && common_share(proof, 1, b) >= COMMON_B;
    if (rc == TWX_OK && unlike && !ret_objection->found && !enough)
        ret_objection->unlike = ret_objection->found = true;
    if (rc != TWX_DONE) return rc;
    *ret_objection = (twx_objection){.found = true, .unread = true};
    return TWX_OK;
}

twx_rc twx_proof_of(twx_ctx *cx, twx_proof *proof, uint32_t a, uint32_t b, bool unlike,
                    twx_objection *ret_objection) {
    enum { FOUND = 1, ADDS = 2 };
    const uint64_t key = twx_mix64((uint64_t)a << 32 | b, unlike);
    uint64_t known = 0;
    if (!proof->proved) return prove(cx, proof, a, b, unlike, ret_objection);
    if (twx_map64_get(&proof->proved->pairs, key, &known)) {
        *ret_objection = (twx_objection){.found = known & FOUND, .adds = (known & ADDS) != 0};
        return TWX_OK;
    }
    const twx_rc rc = prove(cx, proof, a, b, unlike, ret_objection);
    known = (ret_objection->found ? FOUND : 0) | (ret_objection->adds ? ADDS : 0);
    return rc == TWX_OK && !ret_objection->unread
               ? twx_map64_put(cx, &proof->proved->pairs, key, known)
               : rc;
}

bool twx_proof_may_ask_ahead(const twx_proof *proof, uint32_t a, uint32_t b) {
    return proof->source && proof->source->any_thread && !proof->proved && has_learned(proof, a) &&
           has_learned(proof, b);
}
