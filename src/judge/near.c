#include "judge/internal.h"

/* The hreflang groups of the documents of each item. */
typedef struct item_hreflang {
    TWX_VEC(uint64_t) keys; /* of all items, concatenated */
    uint64_t *from;         /* by item; one more at the end; NULL: no document has one */
} item_hreflang;

typedef struct maker {
    twx_ctx *cx;
    twx_near *near;
    const twx_grouping *how;
    twx_grouper *grouper, *named;
    size_t nodes;
    /* Items for copies: nodes, and beyond them the documents of a node that have another name than
     * its best document [R5] */
    size_t items;
    uint32_t *item; /* by document */
    twx_parked parked;
    TWX_VEC(uint32_t) text; /* by item beyond the nodes: its node */
    uint32_t *best; /* by item: its best document that takes part; TWX_NO_DOCUMENT: none does */
    uint32_t *rank; /* by item */
    uint64_t *known, *of_texts; /* twx_led; NULL: no decisions are kept */
    twx_name_digests *names;    /* by item; NULL under the same condition */
    /* Translations are kept separate, by the groups that each representative stands for */
    item_hreflang hreflang[TWX_LIKENESSES];
    twx_map64 taken; /* mix(relation, representative, hreflang key) */
    twx_proof proof;
    twx_near_candidates candidates;
    size_t threads;
    struct asker *askers; /* by thread */
    twx_rc rc;            /* of callbacks */
    const twx_leading *leading;
    twx_leaders leaders;
    twx_groups *groups[TWX_LIKENESSES]; /* results */
} maker;

/* What a thread needs for the callbacks. */
typedef struct asker {
    maker *m;
    twx_ctx cx;
    twx_proof ahead; /* proves ahead of the turn */
    /* The demands of the last node that was examined */
    uint32_t asked; /* TWX_NO_DOCUMENT: none yet */
    twx_demands demands;
    twx_rc rc;
} asker;

void twx_near_judged(twx_near *near) {
    twx_pieces_done(&near->payloads);
    twx_map64_done(&near->nodes);
    TWX_VEC_DONE(&near->scopes);
}

/* keeps: but for what the next judgement carries over of unchanged documents */
static void release_learned(twx_near *near, bool keeps) {
    twx_pieces payloads = {0};
    if (keeps)
        TWX_MOVE(payloads, near->names.payloads);
    else
        twx_pieces_done(&near->pages);
    twx_free(near->form);
    twx_pieces_done(&near->urls);
    twx_free(near->least);
    near->form = NULL;
    near->least = NULL;
    twx_names_done(&near->names);
    near->names.payloads = payloads;
}

void twx_near_done(twx_near *near) {
    if (!near) return;
    twx_near_judged(near);
    release_learned(near, false);
    twx_free(near->node);
    TWX_VEC_DONE(&near->made);
    TWX_VEC_DONE(&near->compared_nodes);
    twx_free(near->similarity);
    twx_free(near->siblings);
    *near = (twx_near){0};
}

/* [R6] */
static int32_t least_of(const twx_near *near, uint32_t a, uint32_t b, bool named) {
    const uint32_t x = near->least[a], y = near->least[b], least = x > y ? x : y;
    const uint32_t margin = named ? near->options->margin : 0;
    return (int32_t)(least > margin ? least - margin : 0);
}

int32_t twx_near_similarity(const twx_near *near, uint32_t a, uint32_t b, bool equal_names) {
    const twx_params *params = equal_names && near->options->named ? near->options->named
                                                                   : near->params;
    char room[2][TWX_PIECE_MAX];
    if (a == b) return TWX_LEADERS_SAME;
    const bool known = near->compared_nodes.at[a] && near->compared_nodes.at[b];
    if (!near->detector || !near->detector->verify || !known) return -1;
    const int32_t similarity = near->detector->verify(params,
                                                      twx_pieces_get(&near->payloads, a, room[0]),
                                                      twx_pieces_get(&near->payloads, b, room[1]));
    return near->thresholds && similarity < least_of(near, a, b, params == near->options->named)
               ? -1
               : similarity;
}

twx_rc twx_near_error(twx_ctx *cx, const twx_near *near) {
    const twx_rc rc = twx_pieces_error(cx, &near->payloads);
    return rc == TWX_OK ? twx_names_error(cx, &near->names) : rc;
}

static uint32_t text_of(const maker *m, uint32_t item) {
    return item < m->nodes ? item : m->text.at[item - m->nodes];
}

static int32_t similarity(void *arg, uint32_t a, uint32_t b) {
    const maker *m = ((const asker *)arg)->m;
    return twx_near_similarity(m->near, text_of(m, a), text_of(m, b), false);
}

static bool have_equal_names(const maker *m, uint32_t a, uint32_t b) {
    return twx_near_equal_names(m->near, m->best[a], m->best[b]);
}

/* Pairs that only their texts can prove to be copies, however few words they have in common. */
static bool may_prove(void *arg, uint32_t a, uint32_t b) {
    const maker *m = ((const asker *)arg)->m;
    return twx_proof_is_form(&m->proof, m->best[a], m->best[b]) || have_equal_names(m, a, b);
}

/* Of texts that only a proof may join. */
enum { UNLIKE = 0 };

static int32_t named_similarity(void *arg, uint32_t a, uint32_t b) {
    const maker *m = ((const asker *)arg)->m;
    const bool prove = m->near->texts && may_prove(arg, a, b);
    if (!prove && !(m->near->options->named && have_equal_names(m, a, b))) return -1;
    const int32_t similarity = twx_near_similarity(m->near, text_of(m, a), text_of(m, b), true);
    return similarity < 0 && prove ? UNLIKE : similarity;
}

/* ---- translations ------------------------------------------------------- */

static uint64_t hreflang_of(const maker *m, uint32_t document) {
    return twx_near_counts(m->near, m->how, document)
               ? twx_doc_value(m->how->p, TWX_DOC_HREFLANG, document)
               : 0;
}

/* item: by document; n: items; count: documents with a group. */
static twx_rc list_hreflang(maker *m, const uint32_t *item, size_t n, size_t count,
                            item_hreflang *ret_list) {
    ret_list->from = twx_calloc(m->cx, n + 1, sizeof *ret_list->from);
    if (!ret_list->from || !TWX_VEC_RESERVE(m->cx, &ret_list->keys, count)) return TWX_E_NOMEM;
    for (uint32_t i = 0; i < m->how->p->at.n; i++)
        if (hreflang_of(m, i)) ret_list->from[item[i]]++;
    uint64_t end = 0;
    for (size_t k = 0; k <= n; k++) {
        end += ret_list->from[k];
        ret_list->from[k] = end; /* each insertion moves it down */
    }
    for (uint32_t i = 0; i < m->how->p->at.n; i++)
        if (hreflang_of(m, i)) ret_list->keys.at[--ret_list->from[item[i]]] = hreflang_of(m, i);
    ret_list->keys.n = count;
    return TWX_OK;
}

static twx_rc collect_hreflang(maker *m) {
    size_t count = 0;
    for (uint32_t i = 0; i < m->how->p->at.n; i++) count += hreflang_of(m, i) != 0;
    if (count == 0 || !m->how->text) return TWX_OK;
    const twx_rc rc = list_hreflang(m, m->near->node, m->nodes, count, &m->hreflang[TWX_SIMILAR]);
    return rc == TWX_OK && m->near->copies
               ? list_hreflang(m, m->item, m->items, count, &m->hreflang[TWX_CONTAINED])
               : rc;
}

static uint64_t taken_key(twx_likeness relation, uint32_t representative, uint64_t hreflang) {
    return twx_mix64((uint64_t)relation << 32 | representative, hreflang);
}

static bool has_taken(const maker *m, twx_likeness relation, uint32_t representative,
                      uint32_t item) {
    const item_hreflang *list = &m->hreflang[relation];
    for (uint64_t k = list->from[item]; k < list->from[item + 1]; k++)
        if (twx_map64_has(&m->taken, taken_key(relation, representative, list->keys.at[k])))
            return true;
    return false;
}

static void take(maker *m, twx_likeness relation, uint32_t representative, uint32_t item) {
    const item_hreflang *list = &m->hreflang[relation];
    for (uint64_t k = list->from[item]; k < list->from[item + 1] && m->rc == TWX_OK; k++)
        m->rc = twx_map64_put(m->cx, &m->taken,
                              taken_key(relation, representative, list->keys.at[k]), 1);
}

static bool may_join(void *arg, twx_likeness relation, uint32_t representative, uint32_t item) {
    maker *m = ((asker *)arg)->m;
    take(m, relation, representative, representative);
    if (text_of(m, representative) != text_of(m, item) &&
        has_taken(m, relation, representative, item))
        return false;
    take(m, relation, representative, item);
    return true;
}

/* ---- names -------------------------------------------------------------- */

/* [R6] */
static twx_rc find_least(twx_ctx *cx, twx_near *near, const twx_doc_table *p,
                         const uint8_t *eligibility) {
    if (!near->thresholds || near->least) return TWX_OK;
    near->least = twx_calloc(cx, near->payloads.n + 1, sizeof *near->least);
    if (!near->least) return TWX_E_NOMEM;
    for (uint32_t i = 0; i < p->at.n; i++) {
        const uint32_t least = near->thresholds[p->hosts.at[twx_doc_host(p, i)].section];
        const uint32_t node = near->node[i];
        if (node != TWX_NO_DOCUMENT && eligibility[i] == TWX_ELIGIBLE && least > near->least[node])
            near->least[node] = least;
    }
    return TWX_OK;
}

twx_rc twx_near_learn(twx_ctx *cx, twx_near *near, const twx_doc_table *p,
                      const uint8_t *eligibility) {
    twx_rc rc = find_least(cx, near, p, eligibility);
    if (rc == TWX_OK && near->texts && !near->form) rc = twx_near_read_pages(cx, near);
    if (rc != TWX_OK) return rc;
    near->names.threads = near->options->threads;
    near->names.page = near->texts ? near->form : NULL;
    near->names.urls = near->texts ? &near->urls : NULL;
    near->names.made = near->made.at;
    return twx_names_learn(cx, &near->names, p, near->node, eligibility);
}

/* Many representatives are compared with one item, so its demands are computed once. */
static const twx_demands *demands_of(asker *a, uint32_t item) {
    const maker *m = a->m;
    if (a->asked != item) twx_near_demands(m->near, m->how->p, m->best[item], &a->demands);
    a->asked = item;
    return &a->demands;
}

/* A mirror of a document joins that document, not another one of its name, equally similar. */
static unsigned contains(void *arg, uint32_t representative, uint32_t item) {
    const maker *m = ((asker *)arg)->m;
    const twx_names *names = &m->near->names;
    const uint32_t text = text_of(m, representative), best = m->best[representative];
    if (!twx_near_urls_agree(m->near, m->best[item], best) || /* the most frequent reason */
        twx_near_is_described_otherwise(m->near, best, m->best[item]) ||
        twx_near_is_shown_otherwise(m->near, m->how->p, best, m->best[item]) ||
        !twx_names_contain(names, text, best, demands_of(arg, item), NULL))
        return 0;
    const bool is_equal = m->near->texts ? twx_near_equal_names(m->near, best, m->best[item])
                                         : twx_names_equal(names, best, m->best[item]);
    return is_equal ? 2 : 1;
}

/* Is the difference of the texts harmless? What only the item's text has must not be its name. */
static twx_confirmation confirm(void *arg, uint32_t representative, uint32_t item,
                                int32_t similarity, bool ahead) {
    asker *a = arg;
    maker *m = a->m;
    const twx_names *names = &m->near->names;
    twx_objection objection = {0};
    const uint32_t best = m->best[representative], text = text_of(m, representative);
    const uint32_t own = m->best[item];
    if (text == text_of(m, item)) return TWX_CONFIRMED;
    if (m->rc != TWX_OK || a->rc != TWX_OK) return TWX_REFUSED;
    if (similarity < 0) similarity = twx_near_similarity(m->near, text, text_of(m, item), true);
    const bool unlike = similarity <= UNLIKE;
    if (!unlike && twx_proof_is_form(&m->proof, own, best)) return TWX_CONFIRMED;
    if (ahead && !twx_proof_may_ask_ahead(&a->ahead, own, best)) return TWX_LATER;
    a->rc = twx_proof_of(ahead ? &a->cx : m->cx, ahead ? &a->ahead : &m->proof, own, best, unlike,
                         &objection);
    if (a->rc != TWX_OK || objection.found) return TWX_REFUSED;
    return !objection.adds || !twx_names_is_in_url(names, own) ||
                   twx_names_text_contains(names, text, best, demands_of(a, item), NULL)
               ? TWX_CONFIRMED
               : TWX_REFUSED;
}

static twx_rc open_askers(maker *m) {
    m->threads = m->near->options->threads ? m->near->options->threads : 1;
    if (m->threads > TWX_PARALLEL_MAX) m->threads = TWX_PARALLEL_MAX;
    m->askers = twx_calloc(m->cx, m->threads, sizeof *m->askers);
    for (asker *a = m->askers; a && a < m->askers + m->threads; a++) {
        *a = (asker){.m = m, .asked = TWX_NO_DOCUMENT};
        a->cx.cancel = m->cx->cancel;
        a->cx.faults = m->cx->faults;
        twx_near_proof(m->near, m->how->p, m->how->eligibility, &a->ahead);
        a->ahead.learner = &m->proof;
    }
    return m->askers ? TWX_OK : TWX_E_NOMEM;
}

/* Returns the first error of the callbacks. */
static twx_rc close_askers(maker *m) {
    twx_rc rc = m->rc;
    for (asker *a = m->askers; a && a < m->askers + m->threads; a++) {
        if (rc == TWX_OK) rc = a->rc;
        (void)!twx_ctx_take(m->cx, &a->cx);
        m->proof.compared += a->ahead.compared;
        m->proof.unread += a->ahead.unread;
        for (size_t i = 0; rc == TWX_OK && i < a->ahead.missed.n; i++)
            if (!TWX_VEC_PUSH(m->cx, &m->proof.missed, a->ahead.missed.at[i])) rc = TWX_E_NOMEM;
        twx_proof_done(&a->ahead);
    }
    twx_free(m->askers);
    return rc;
}

/* ---- groups ------------------------------------------------------------- */

/* The best document of each item. Items before `from` keep theirs; their ranks are set again,
 * because the search for candidates has left out some of them. */
static twx_rc rank_items(maker *m, const uint32_t *item, size_t from) {
    uint32_t *best = twx_realloc(m->cx, m->best, m->items + 1, sizeof *best);
    if (best) m->best = best;
    uint32_t *rank = best ? twx_realloc(m->cx, m->rank, m->items + 1, sizeof *rank) : NULL;
    if (!rank) return TWX_E_NOMEM;
    m->rank = rank;
    for (size_t k = 0; k < m->items; k++) {
        if (k >= from) best[k] = TWX_NO_DOCUMENT;
        rank[k] = best[k] == TWX_NO_DOCUMENT ? TWX_LEADERS_OUT : m->how->rank[best[k]];
    }
    for (uint32_t i = 0; i < m->how->p->at.n; i++) {
        if (item[i] < from || !twx_near_counts(m->near, m->how, i) ||
            m->how->rank[i] >= m->rank[item[i]])
            continue;
        m->best[item[i]] = i;
        m->rank[item[i]] = m->how->rank[i];
    }
    return TWX_OK;
}

static uint64_t name_of(const maker *m, uint32_t i) {
    const twx_near *near = m->near;
    twx_document_name own = {0}, *known = near->kept ? &near->kept->document_names.at[i] : &own;
    if (near->kept) own.of = twx_mix64((uint64_t)m->how->p->at.at[i].doc, near->made.at[i]) | 1;
    if (known->of && known->of == own.of) return known->name;
    const twx_url_names names = twx_names_of_url(&near->urls, i);
    const twx_slice url = {(const char *)&names, sizeof names};
    own.name = twx_mix64(
        twx_mix64(twx_names_identity(&near->names, i), twx_near_description(near, i)),
        twx_hash64(url, 0));
    *known = own;
    return own.name;
}

/* Makes the items of names that are not those of their text's best document. [R5] */
static twx_rc split_nodes(maker *m) {
    const size_t n = m->how->p->at.n;
    /* of the best document; 0: no other one has the text so far, as most texts have one only */
    uint64_t *name = twx_calloc(m->cx, m->nodes + 1, sizeof *name);
    twx_kept *kept = m->near->kept;
    twx_map64 own_items = {0}, *known = kept ? &kept->items : &own_items;
    if (kept) TWX_MOVE(m->text, kept->item_texts);
    m->item = twx_malloc(m->cx, (n + 1) * sizeof *m->item);
    twx_rc rc = name && m->item ? TWX_OK : TWX_E_NOMEM;
    while (rc == TWX_OK && kept && kept->document_names.n < n)
        if (!TWX_VEC_PUSH(m->cx, &kept->document_names, (twx_document_name){0})) rc = TWX_E_NOMEM;
    for (uint32_t i = 0; rc == TWX_OK && i < n; i++) {
        const uint32_t node = m->near->node[i];
        m->item[i] = node;
        if (!twx_near_counts(m->near, m->how, i) || i == m->best[node]) continue;
        const uint64_t own = name_of(m, i);
        uint64_t item = m->text.n;
        if (!name[node]) name[node] = name_of(m, m->best[node]);
        if (own == name[node]) continue;
        rc = twx_map64_add(m->cx, known, twx_mix64(own, node), item, &item);
        if (rc == TWX_OK && item == m->text.n && !TWX_VEC_PUSH(m->cx, &m->text, node))
            rc = TWX_E_NOMEM;
        m->item[i] = (uint32_t)(m->nodes + item);
    }
    m->items = m->nodes + m->text.n;
    twx_map64_done(&own_items);
    twx_free(name);
    return rc == TWX_OK ? rank_items(m, m->item, m->nodes) : rc;
}

/* Joins each document with the best document of its item's representative. item: by document. */
static twx_rc groups_of_documents(twx_ctx *cx, const maker *m, const uint32_t *item,
                                  const uint32_t *leader, bool near_only, twx_groups *ret_groups) {
    twx_union_find sets = {0};
    twx_rc rc = twx_union_find_init(cx, &sets, m->how->p->at.n);
    for (uint32_t i = 0; rc == TWX_OK && i < m->how->p->at.n; i++)
        if (twx_near_counts(m->near, m->how, i) && (!near_only || twx_near_has(m->near, i)))
            twx_union_find_join(&sets, m->best[leader[item[i]]], i);
    if (rc == TWX_OK) rc = twx_groups_of_sets(cx, m->how, &sets, ret_groups);
    twx_union_find_done(&sets);
    return rc;
}

static twx_rc take_relation(twx_ctx *cx, void *arg, size_t thread, size_t relation) {
    const maker *m = arg;
    const bool similar = relation == TWX_SIMILAR;
    (void)thread;
    return m->leaders.of[relation] && (!similar || m->near->detector)
               ? groups_of_documents(cx, m, similar ? m->near->node : m->item,
                                     m->leaders.of[relation], similar, m->groups[relation])
               : TWX_OK;
}

/* Computes each relation's groups of documents, one after the other if memory is scarce; moves the
 * similarities to near. */
static twx_rc take_groups(maker *m, twx_near *near) {
    twx_rc rc = twx_parallel(m->cx, m->how->p->host ? 1 : m->threads, TWX_LIKENESSES, take_relation,
                             m);
    near->similarity = m->leaders.similarity;
    m->leaders.similarity = NULL;
    if (rc == TWX_OK && near->copies && near->detector)
        rc = twx_near_count_siblings(m->cx, near, m->how->p->at.n, m->groups[TWX_SIMILAR],
                                     m->groups[TWX_CONTAINED]);
    return rc;
}

TWX_ORDER_0(by_number, int64_t)

/* What was decided without the text of a document is decided again: it counts as another one. */
static bool was_missed(const twx_kept *kept, int64_t doc) {
    return kept->missed.n &&
           bsearch(&doc, kept->missed.at, kept->missed.n, sizeof doc, by_number) != NULL;
}

/* What proofs learn is compared with the judgement before. */
static twx_rc compare_lessons(maker *m) {
    const twx_doc_table *p = m->how->p;
    twx_kept *kept = m->near->kept;
    uint32_t *texts = twx_malloc(m->cx, (p->at.n + 1) * sizeof *texts);
    if (!texts) return TWX_E_NOMEM;
    for (uint32_t i = 0; i < p->at.n; i++)
        texts[i] = was_missed(kept, p->at.at[i].doc) ? (uint32_t)twx_mix64(i, kept->judged)
                                                     : m->near->node[i];
    const twx_rc rc = twx_lessons_compare(m->cx, &kept->lessons, &m->proof, texts, m->threads);
    twx_free(texts);
    return rc;
}

/* What is learned of a host or a domain concerns few of its names: they are looked at if it has
 * changed. */
static twx_name_digests digests_of_name(const maker *m, uint32_t item) {
    const twx_kept *kept = m->near->kept;
    const twx_led *led = &kept->led;
    const size_t at = item < m->nodes ? item : item - m->nodes + led->texts;
    const bool was = kept->names && at < (item < m->nodes ? led->texts : led->n);
    const uint32_t best = m->best[item];
    const uint64_t of = twx_mix64((uint64_t)m->how->p->at.at[best].doc, m->near->made.at[best]),
                   host = twx_names_digest(&m->near->names, m->how->p, best);
    return was && kept->names[at].host == host && kept->names[at].of == of
               ? kept->names[at]
               : (twx_name_digests){of, host, twx_near_name_digest(m->near, m->how->p, best)};
}

enum { KNOWN_AT_ONCE = 1 << 14 };

static twx_rc list_known_part(twx_ctx *cx, void *arg, size_t thread, size_t part) {
    const maker *m = arg;
    const twx_near *near = m->near;
    const twx_doc_table *p = m->how->p;
    (void)cx, (void)thread;
    for (size_t k = part * KNOWN_AT_ONCE; k < m->items && k < (part + 1) * KNOWN_AT_ONCE; k++) {
        const uint32_t i = m->best[k], text = text_of(m, (uint32_t)k);
        if (i == TWX_NO_DOCUMENT) continue;
        m->names[k] = digests_of_name(m, (uint32_t)k);
        const uint64_t parts[] = {m->of_texts[text],
                                  (uint64_t)p->at.at[i].doc,
                                  near->names.marks[i],
                                  m->names[k].own,
                                  twx_lessons_version(&near->kept->lessons, &m->proof, i),
                                  near->least ? near->least[text] : 0};
        m->known[k] = twx_hash64((twx_slice){(const char *)parts, sizeof parts}, 0) | 1;
    }
    return TWX_OK;
}

/* What decides which items a text has, and their ranks (twx_led.of_texts). */
static twx_rc sum_texts(twx_ctx *cx, maker *m) {
    const twx_near *near = m->near;
    const twx_doc_table *p = m->how->p;
    m->of_texts = twx_calloc(cx, m->nodes + 1, sizeof *m->of_texts);
    for (uint32_t i = 0; m->of_texts && i < p->at.n; i++) {
        const twx_doc_row *row = &p->at.at[i];
        const uint64_t parts[] = {near->made.at[i], (uint64_t)row->doc,
                                  (uint64_t)row->bits << 32 | p->hosts.at[row->host].origin,
                                  twx_doc_value(p, TWX_DOC_EDITION, i),
                                  was_missed(near->kept, row->doc) ? near->kept->judged : 0};
        if (twx_near_counts(near, m->how, i))
            m->of_texts[near->node[i]] += twx_hash64((twx_slice){(const char *)parts, sizeof parts},
                                                     0);
    }
    return m->of_texts ? TWX_OK : TWX_E_NOMEM;
}

/* All that the callbacks know of the items (twx_led.known). */
static twx_rc list_known(maker *m) {
    m->known = twx_calloc(m->cx, m->items + 1, sizeof *m->known);
    m->names = twx_calloc(m->cx, m->items + 1, sizeof *m->names);
    const twx_rc rc = m->known && m->names ? compare_lessons(m) : TWX_E_NOMEM;
    return rc == TWX_OK
               ? twx_parallel(m->cx, m->threads, m->items / KNOWN_AT_ONCE + 1, list_known_part, m)
               : rc;
}

/* Decisions are kept if they depend on what is known of items alone, not on which of several
 * translations joins first. */
static twx_rc use_led(maker *m, twx_led **ret_led) {
    twx_kept *kept = m->near->kept;
    if (kept && m->hreflang[TWX_SIMILAR].from) {
        twx_led_done(&kept->led);
        twx_lessons_done(&kept->lessons);
        return TWX_OK;
    }
    if (!kept) return TWX_OK;
    *ret_led = &kept->led;
    const twx_rc rc = list_known(m);
    kept->led.known = m->known;
    kept->led.of_texts = m->of_texts;
    return rc;
}

static twx_rc lead_or_beside(twx_ctx *cx, void *arg, size_t thread, size_t task) {
    maker *m = arg;
    const twx_tasks *beside = &m->near->beside;
    if (task > 0) return beside->fn(cx, beside->arg, thread, task - 1);
    m->cx = cx;
    return twx_leaders_make(cx, m->leading, m->grouper, m->named, &m->leaders);
}

/* Finds the representative of each item, and does beside it what needs none. */
static twx_rc lead(twx_ctx *cx, maker *m) {
    const twx_near *near = m->near;
    const twx_judge_options *o = near->options;
    twx_led *led = NULL;
    twx_rc rc = open_askers(m);
    if (rc == TWX_OK) rc = use_led(m, &led);
    const twx_leading leading = {
        .led = led,
        .rank = m->rank,
        .n = m->items,
        .text = m->text.at,
        .texts = m->nodes,
        .join = o->join,
        .candidates = o->candidates,
        .similarity = !near->detector || near->detector->verify ? similarity : NULL,
        .named_similarity = near->copies && (o->named || near->texts) ? named_similarity : NULL,
        .may_prove = near->texts ? may_prove : NULL,
        .may_join = m->hreflang[TWX_SIMILAR].from ? may_join : NULL,
        .contains = near->copies ? contains : NULL,
        .confirm = near->texts ? confirm : NULL,
        .arg = m->askers,
        .arg_bytes = sizeof *m->askers,
        .threads = m->threads,
        .text_of_more = near->node,
        .runs = &m->candidates.runs,
        .forms = &m->candidates.forms,
        .form_keys = m->candidates.form_keys.at,
        .sieve = m->candidates.sieve.may_pair ? &m->candidates.sieve : NULL};
    m->leading = &leading;
    if (rc == TWX_OK) rc = twx_parallel(cx, m->threads, 1 + near->beside.n, lead_or_beside, m);
    m->cx = cx;
    const twx_rc asked = close_askers(m);
    if (rc == TWX_OK) rc = asked;
    return rc == TWX_OK ? twx_near_error(cx, near) : rc;
}

/* If a quarter of the items is no longer there, all is forgotten: kept->of stays 0. */
static twx_rc keep_texts(maker *m, twx_near *near) {
    twx_kept *kept = near->kept;
    const size_t n = near->compared_nodes.n;
    size_t there = 0;
    if (!kept) return TWX_OK;
    for (size_t k = 0; k < m->items; k++) there += m->best[k] != TWX_NO_DOCUMENT;
    if (4 * there < 3 * m->items) return TWX_OK;
    if (!TWX_VEC_RESERVE(m->cx, &kept->compared_nodes, n)) return TWX_E_NOMEM;
    if (n) memcpy(kept->compared_nodes.at, near->compared_nodes.at, n);
    kept->compared_nodes.n = n;
    TWX_MOVE(kept->payloads, near->payloads);
    TWX_MOVE(kept->repeated, near->names.repeated);
    TWX_MOVE(kept->nodes, near->nodes);
    TWX_MOVE(kept->scopes, near->scopes);
    kept->missed.n = 0;
    for (size_t i = 0; m->known && i < m->proof.missed.n; i++)
        if (!TWX_VEC_PUSH(m->cx, &kept->missed, m->how->p->at.at[m->proof.missed.at[i]].doc))
            return TWX_E_NOMEM;
    if (kept->missed.n > 1)
        qsort(kept->missed.at, kept->missed.n, sizeof *kept->missed.at, by_number);
    kept->judged++;
    twx_free(kept->names);
    kept->names = m->names;
    m->names = NULL;
    twx_lessons_note(&kept->lessons, &m->proof);
    kept->led.known = kept->led.of_texts = NULL;
    kept->of = near->kept_of;
    return TWX_OK;
}

static void maker_done(maker *m) {
    twx_runs_done(&m->candidates.runs);
    twx_runs_done(&m->candidates.forms);
    TWX_VEC_DONE(&m->candidates.form_keys);
    twx_free(m->candidates.summaries);
    if (m->item != m->near->node) twx_free(m->item);
    twx_parked_done(&m->parked);
    if (m->near->kept && m->near->kept->of) TWX_MOVE(m->near->kept->item_texts, m->text);
    TWX_VEC_DONE(&m->text);
    twx_free(m->best);
    twx_free(m->rank);
    twx_free(m->known);
    twx_free(m->names);
    twx_free(m->of_texts);
    for (size_t k = 0; k < TWX_LIKENESSES; k++) {
        twx_free(m->hreflang[k].from);
        TWX_VEC_DONE(&m->hreflang[k].keys);
    }
    twx_proof_done(&m->proof);
    twx_leaders_done(&m->leaders);
    twx_map64_done(&m->taken);
}

/* Lists the documents by form, and the nodes whose documents are forms of one page. */
static twx_rc list_forms(twx_ctx *cx, maker *m) {
    twx_near *near = m->near;
    twx_rc rc = near->form ? TWX_OK : twx_near_read_pages(cx, near);
    m->proof.form = near->form;
    if (rc == TWX_OK) rc = twx_proof_index(cx, &m->proof);
    return rc == TWX_OK ? twx_near_find_forms(cx, near, &m->proof, &m->candidates) : rc;
}

/* Candidates, and beside them, unless memory is scarce, what only one thread can do. */
static twx_rc find(twx_ctx *cx, void *arg, size_t thread, size_t task) {
    maker *m = arg;
    (void)thread;
    if (task == 0) return twx_near_find_candidates(cx, m->near, m->rank, &m->candidates);
    if (task == 2) return m->near->kept ? sum_texts(cx, m) : TWX_OK;
    return m->near->texts && !m->how->p->host ? list_forms(cx, m) : TWX_OK;
}

/* Candidates are nodes; which items they are divided into is known after names were learned. */
twx_rc twx_near_groups(twx_ctx *cx, twx_near *near, twx_grouping *how, twx_grouper *grouper,
                       twx_grouper *named, twx_groups *ret_near, twx_groups *ret_copies) {
    maker m = {.cx = cx,
               .near = near,
               .how = how,
               .grouper = grouper,
               .named = named,
               .groups = {ret_near, ret_copies}};
    m.items = m.nodes = near->payloads.n;
    m.item = near->node;
    twx_near_loaded(near);
    twx_rc rc = rank_items(&m, near->node, 0);
    twx_near_proof(near, how->p, how->eligibility, &m.proof);
    if (rc == TWX_OK) rc = twx_parallel(cx, near->options->threads, 3, find, &m);
    if (rc == TWX_OK)
        rc = near->copies ? twx_near_learn(cx, near, how->p, how->eligibility)
                          : find_least(cx, near, how->p, how->eligibility);
    if (rc == TWX_OK && near->texts) rc = split_nodes(&m);
    if (rc == TWX_OK) rc = collect_hreflang(&m);
    if (rc == TWX_OK && near->texts && how->p->host) /* leading needs items only */
        rc = twx_park(cx, &m.parked, &m.item, how->p->at.n * sizeof *m.item);
    if (rc == TWX_OK && how->p->host)
        rc = twx_park(cx, &m.parked, &how->rank, how->p->at.n * sizeof *how->rank);
    if (rc == TWX_OK && near->texts && !m.proof.indexed) rc = list_forms(cx, &m);
    if (rc == TWX_OK) rc = lead(cx, &m);
    near->compared = m.leaders.compared;
    near->capped = m.leaders.capped;
    near->decided = m.leaders.decided;
    near->read = m.proof.compared;
    near->unread = m.proof.unread;
    if (rc == TWX_OK) rc = keep_texts(&m, near);
    twx_proof_done(&m.proof);
    release_learned(near, near->keeps_documents);
    if (rc == TWX_OK) rc = twx_parked_take(cx, &m.parked);
    if (rc == TWX_OK) rc = take_groups(&m, near);
    maker_done(&m);
    return rc;
}
