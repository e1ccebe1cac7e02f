#include "judge/internal.h"

/* The order, and the form, which is no fact, decide who represents others, not what is
 * represented. */
enum {
    BITS_OF_ORDER = TWX_FACT_SCORED | TWX_FACT_DATED | TWX_FACT_EXTRAS | TWX_FACT_VIEW |
                    3 << TWX_DOC_FORM
};

static bool represents(const twx_groups *g, uint32_t i) {
    return twx_groups_rep(g, i) == i && twx_groups_count(g, i) > 1;
}

bool twx_represents_others(const twx_doc_set *j, uint32_t i) {
    bool any = represents(&j->clusters, i);
    for (size_t r = 0; !any && r < TWX_RELATIONS; r++) any = represents(&j->groups[r], i);
    return any;
}

/* Compares the signatures of relations, which represent the content of a document: text, profile,
 * title, description. */
static twx_rc has_other_signatures(twx_ctx *cx, const twx_judge_options *o,
                                   const twx_signed_as *was, twx_slice bytes, bool *ret_other) {
    twx_record record;
    const twx_rc rc = twx_record_read(cx, bytes, &record);
    *ret_other = false;
    for (size_t r = 0; rc == TWX_OK && !*ret_other && r < TWX_RELATIONS; r++) {
        if (twx_relation_at(r)->sig < 0 || !o->detectors[r]) continue;
        const bool known = was->known >> r & 1;
        const twx_record_entry *entry = twx_record_find(&record, o->detectors[r]->id);
        const bool has = entry && entry->n_keys > 0;
        *ret_other = has != known || (has && twx_record_key(entry, 0).key != was->sig[r]);
    }
    return rc;
}

twx_rc twx_has_changed(twx_ctx *cx, const twx_doc_set *j, uint32_t i, twx_slice facts,
                       twx_slice record, bool *ret_changed) {
    const twx_doc_row *was = &j->docs.at.at[i];
    const twx_signed_as signed_as = twx_signed_as_of(j, i);
    twx_facts is = {0};
    *ret_changed = false;
    twx_rc rc = twx_doc_set_error(cx, j);
    if (rc != TWX_OK || twx_doc_set_hash(facts, record) == signed_as.made) return rc;
    rc = twx_facts_unpack(cx, facts, &is);
    if (rc != TWX_OK) return rc;
    if (((was->bits ^ is.bits) & ~(uint32_t)BITS_OF_ORDER) || was->status != is.status ||
        was->page != is.page || was->url_key != is.url_key ||
        twx_doc_value(&j->docs, TWX_DOC_LINK, i) != is.link_key) {
        *ret_changed = true;
        return TWX_OK;
    }
    return has_other_signatures(cx, j->options, &signed_as, record, ret_changed);
}

/* By representative: the best member that is not withdrawn, and the number of those that are and of
 * those that are not. */
typedef struct successors {
    uint32_t *best, *leave, *stay;
} successors;

static void find_successors(const twx_doc_set *j, const twx_groups *g, successors *s) {
    const size_t n = j->docs.at.n;
    for (size_t i = 0; i < n; i++) {
        s->best[i] = TWX_NO_DOCUMENT;
        s->leave[i] = s->stay[i] = 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t rep = twx_groups_rep(g, i);
        if (rep == TWX_NO_DOCUMENT) continue;
        uint32_t *best = &s->best[rep];
        if (j->withdrawn[i]) {
            s->leave[rep]++;
            continue;
        }
        s->stay[rep]++;
        if (*best == TWX_NO_DOCUMENT || j->rank[i] < j->rank[*best]) *best = i;
    }
}

/* [R1] A representative that is not withdrawn is kept, because a pin may have preferred it to
 * better members. A document that is alone is in no group. */
static void elect(const twx_doc_set *j, twx_groups *g, const successors *s, uint16_t divided) {
    for (uint32_t i = 0; i < j->docs.at.n; i++) {
        const uint32_t rep = twx_groups_rep(g, i);
        if (rep == TWX_NO_DOCUMENT || s->leave[rep] == 0) continue;
        if (j->withdrawn[i] || s->stay[rep] == 1) {
            twx_sparse_groups_leave(&g->of, i);
            continue;
        }
        const uint32_t head = j->withdrawn[rep] ? s->best[rep] : rep;
        if (i == head)
            twx_sparse_groups_head(&g->of, i, s->stay[rep]);
        else
            twx_sparse_groups_follow(&g->of, i, head);
        if (head != rep) j->divided[i] |= divided;
    }
}

static twx_rc make_room(twx_ctx *cx, twx_doc_set *j) {
    const size_t n = j->docs.at.n;
    if (!j->withdrawn) j->withdrawn = twx_calloc(cx, n + 1, 1);
    if (j->withdrawn && !j->divided) j->divided = twx_calloc(cx, n + 1, sizeof *j->divided);
    return j->withdrawn && j->divided ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_doc_set_withdraw(twx_ctx *cx, twx_doc_set *j, const uint32_t *indexes, size_t n) {
    const size_t documents = j->docs.at.n;
    twx_rc rc = make_room(cx, j);
    if (rc != TWX_OK) return rc;
    successors s = {.best = twx_malloc(cx, (documents + 1) * sizeof *s.best),
                    .leave = twx_malloc(cx, (documents + 1) * sizeof *s.leave),
                    .stay = twx_malloc(cx, (documents + 1) * sizeof *s.stay)};
    if (!s.best || !s.leave || !s.stay) rc = TWX_E_NOMEM;
    for (size_t k = 0; rc == TWX_OK && k < n; k++) j->withdrawn[indexes[k]] = 1;
    for (size_t r = 0; rc == TWX_OK && r <= TWX_RELATIONS; r++) {
        twx_groups *g = r < TWX_RELATIONS ? &j->groups[r] : &j->clusters;
        if (!g->made) continue;
        find_successors(j, g, &s);
        elect(j, g, &s, (uint8_t)(r < TWX_RELATIONS ? 1u << r : 0));
    }
    if (rc == TWX_OK && j->near.siblings)
        rc = twx_near_count_siblings(cx, &j->near, documents, &j->groups[TWX_RELATION_NEAR],
                                     &j->groups[TWX_RELATION_COPY]);
    twx_free(s.best);
    twx_free(s.leave);
    twx_free(s.stay);
    return rc;
}
