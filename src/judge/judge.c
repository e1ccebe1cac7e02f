#include "judge/internal.h"

/* Values of duplicate_type: same text takes precedence over similar text (by the near detector,
 * otherwise by the profile); with or without another document of the group that has the same
 * markup. */
static const struct {
    twx_relation_id relation;
    int64_t layout, content;
} TYPED[] = {{TWX_RELATION_EXACT, 1, 2},
             {TWX_RELATION_COPY, 3, 4},
             {TWX_RELATION_NEAR, 5, 5},
             {TWX_RELATION_FUZZY, 3, 4}};

/* ---- parameters --------------------------------------------------------- */

twx_rc twx_relations_parse(twx_ctx *cx, twx_slice list, uint32_t *ret_relations) {
    uint32_t relations = 0;
    for (twx_slice word; twx_slice_next_item(&list, ",", &word);) {
        twx_relation_id relation = twx_relation_find(word);
        if (twx_slice_eq(word, TWX_SLICE_LIT("canonical")))
            relations |= TWX_JOIN_CANONICAL;
        else if (twx_slice_eq(word, TWX_SLICE_LIT("redirect")))
            relations |= TWX_JOIN_REDIRECT;
        else if (relation < TWX_RELATIONS)
            relations |= 1u << relation;
        else
            return twx_fail(cx, TWX_E_CONFIG,
                            "verdict.relations: '" TWX_SLICE_FMT
                            "' is not one of scheme www canonical redirect exact fuzzy title "
                            "description near copy edition parameters",
                            TWX_SLICE_ARG(word));
    }
    *ret_relations = relations;
    return TWX_OK;
}

twx_rc twx_criteria_parse(twx_ctx *cx, twx_slice list, twx_criterion ret_criteria[TWX_CRITERIA]) {
    twx_criterion named[TWX_CRITERIA] = {TWX_BY_NOTHING};
    bool has[TWX_CRITERIA + 1] = {false};
    size_t n = 0, at = 0;
    for (twx_slice word; twx_slice_next_item(&list, ",", &word);) {
        const twx_criterion c = twx_criterion_of(word);
        if (c == TWX_BY_NOTHING || has[c])
            return twx_fail(cx, TWX_E_CONFIG,
                            "verdict.order: '" TWX_SLICE_FMT "' is not one of " TWX_CRITERIA_TEXT
                            ", or is repeated",
                            TWX_SLICE_ARG(word));
        if (c == TWX_BY_FORM && n > 0)
            return twx_fail(cx, TWX_E_CONFIG,
                            "verdict.order: 'form' precedes all others, so that a survivor passes "
                            "http_unique_b and www_unique_b: put it first, or leave it out");
        if (c != TWX_BY_FORM) named[n++] = c;
        has[c] = true;
    }
    ret_criteria[at++] = TWX_BY_FORM;
    for (int c = TWX_BY_CLEAN; c <= TWX_BY_EDITION; c++)
        if (!has[c]) ret_criteria[at++] = (twx_criterion)c;
    for (size_t i = 0; i < n; i++) ret_criteria[at++] = named[i];
    while (at < TWX_CRITERIA) ret_criteria[at++] = TWX_BY_NOTHING;
    return TWX_OK;
}

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
static twx_rc list_domain_texts(twx_ctx *cx, const twx_doc_set *j, const uint32_t *domain,
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
    twx_rc rc = list_domain_texts(cx, j, domain, &texts);
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

/* ---- judging ------------------------------------------------------------ */

/* The combined verdict: a cluster is what any of its relations joins. Links are not joined here: a
 * document with an honoured link does not take part, it only refers to the survivor. */
static twx_rc make_clusters(twx_ctx *cx, twx_doc_set *j, const twx_judge_options *o,
                            const twx_grouping *how) {
    twx_union_find sets = {0};
    twx_rc rc = twx_union_find_init(cx, &sets, j->docs.at.n);
    for (int s = 0; rc == TWX_OK && s < TWX_RELATIONS; s++) {
        if (!(o->relations >> s & 1)) continue;
        for (uint32_t i = 0; i < sets.n; i++) {
            const uint32_t rep = twx_groups_rep(&j->groups[s], i);
            if (rep != TWX_NO_DOCUMENT) twx_union_find_join(&sets, i, rep);
        }
    }
    if (rc == TWX_OK) rc = twx_groups_of_sets(cx, how, &sets, &j->clusters);
    twx_union_find_done(&sets);
    return rc;
}

/* Replaces the groups of a relation by those that pins allow. */
static twx_rc divide(twx_ctx *cx, twx_doc_set *j, int s, const twx_pinning *pinning,
                     bool by_cluster) {
    const twx_groups *groups = &j->groups[s];
    twx_groups fresh;
    twx_rc rc = by_cluster ? twx_pinned_divide(cx, pinning, groups, &j->clusters, &fresh)
                           : twx_pinned_join(cx, pinning, &groups, 1, &fresh);
    if (rc != TWX_OK) return rc;
    for (uint32_t i = 0; i < j->docs.at.n; i++)
        if (twx_groups_rep(&fresh, i) != twx_groups_rep(groups, i))
            j->divided[i] |= (uint16_t)(1u << s);
    twx_groups_done(&j->groups[s]);
    j->groups[s] = fresh;
    return TWX_OK;
}

/* The clusters, and the groups of each relation, that the pins allow (pinned). */
static twx_rc obey_pins(twx_ctx *cx, twx_doc_set *j, const twx_judge_options *o,
                        const twx_grouping *how) {
    const twx_pinning pinning = {o->pins, how};
    const twx_groups *parts[TWX_RELATIONS];
    size_t n = 0;
    for (int s = 0; s < TWX_RELATIONS; s++)
        if (o->relations >> s & 1 && j->groups[s].made) parts[n++] = &j->groups[s];
    j->divided = twx_calloc(cx, j->docs.at.n, sizeof *j->divided);
    twx_rc rc = j->divided ? twx_pinned_join(cx, &pinning, parts, n, &j->clusters) : TWX_E_NOMEM;
    for (int s = 0; rc == TWX_OK && s < TWX_RELATIONS; s++)
        if (j->groups[s].made) rc = divide(cx, j, s, &pinning, (o->relations >> s & 1) != 0);
    return rc;
}

/* The key of a markup within a group; 0 when the document has no layout digest or no group. */
static uint64_t layout_in_group(const twx_doc_set *j, twx_relation_id relation, uint32_t i) {
    uint64_t layout = twx_doc_value(&j->docs, TWX_DOC_LAYOUT, i);
    uint32_t rep = twx_groups_rep(&j->groups[relation], i);
    return rep == TWX_NO_DOCUMENT || layout == 0 ? 0 : twx_mix64(layout, rep);
}

/* Marks the documents whose markup is shared by another document of their group. Any thread, for
 * one relation each. */
static twx_rc share_layouts(twx_ctx *cx, twx_doc_set *j, twx_relation_id relation) {
    twx_map64 first = {0}; /* markup in a group -> the first document that has it */
    twx_rc rc = TWX_OK;
    for (uint32_t i = 0; rc == TWX_OK && i < j->docs.column[TWX_DOC_LAYOUT].n; i++) {
        uint64_t layout = layout_in_group(j, relation, i), holder = i;
        if (layout) rc = twx_map64_add(cx, &first, layout, i, &holder);
        if (holder == i) continue;
        atomic_fetch_or(&j->shared_layout[i], (uint8_t)(1u << relation));
        atomic_fetch_or(&j->shared_layout[holder], (uint8_t)(1u << relation));
    }
    twx_map64_done(&first);
    return rc;
}

/* The identities of texts, if translations are kept separate and there are any. */
static twx_rc list_texts(twx_ctx *cx, const twx_doc_set *j, const twx_judge_options *o,
                         uint64_t **ret_texts) {
    const size_t n = j->docs.at.n;
    if (!o->separate || j->docs.column[TWX_DOC_HREFLANG].n == 0) return TWX_OK;
    uint64_t *texts = twx_malloc(cx, n * sizeof *texts);
    if (!texts) return TWX_E_NOMEM;
    for (uint32_t i = 0; i < n; i++) texts[i] = twx_signed_as_of(j, i).sig[TWX_RELATION_EXACT];
    *ret_texts = texts;
    return twx_doc_set_error(cx, j);
}

uint64_t twx_text_class(const twx_signed_as *s, bool copies) {
    const uint64_t named = twx_mix64(s->sig[TWX_RELATION_TITLE], s->sig[TWX_RELATION_DESCRIPTION]);
    const bool has_text = (s->known >> TWX_RELATION_EXACT & 1) != 0;
    return has_text && copies ? 0 : twx_mix64(named, s->sig[TWX_RELATION_EXACT]) | 1;
}

/* 0: it is like no other. */
static uint64_t text_class_of(const twx_doc_set *j, uint32_t i) {
    const twx_groups *copies = &j->groups[TWX_RELATION_COPY];
    const twx_signed_as own = twx_signed_as_of(j, i);
    if (!j->options->detectors[TWX_RELATION_EXACT]) return 0;
    const uint64_t class = twx_text_class(&own, copies->made);
    if (class) return class;
    const uint32_t rep = twx_groups_rep(copies, i);
    return rep == TWX_NO_DOCUMENT ? 0 : twx_mix64(rep, 1) | 1;
}

/* The groups of parameters, after those of copies. */
static twx_rc parameters_groups(twx_ctx *cx, twx_doc_set *j, const twx_grouping *how) {
    twx_union_find sets = {0};
    twx_map64 first = {0}; /* mix(page, class) -> the first document that has it */
    twx_rc rc = twx_union_find_init(cx, &sets, j->docs.at.n);
    for (uint32_t i = 0; rc == TWX_OK && i < j->docs.at.n; i++) {
        const uint64_t page = twx_doc_value(&j->docs, TWX_DOC_PAGE, i);
        const unsigned kind = j->docs.at.at[i].page & TWX_PAGE_CLASS;
        uint64_t holder = i;
        if (how->eligibility[i] != TWX_ELIGIBLE || !page || twx_is_no_page(kind)) continue;
        const uint64_t class = text_class_of(j, i);
        if (!class) continue;
        rc = twx_map64_add(cx, &first, twx_mix64(page, class), i, &holder);
        if (rc == TWX_OK) twx_union_find_join(&sets, (uint32_t)holder, i);
    }
    if (rc == TWX_OK) rc = twx_doc_set_error(cx, j);
    if (rc == TWX_OK) rc = twx_groups_of_sets(cx, how, &sets, &j->groups[TWX_RELATION_PARAMETERS]);
    twx_union_find_done(&sets);
    twx_map64_done(&first);
    return rc;
}

static bool is_large(const twx_doc_set *j) {
    return twx_is_large(j->docs.at.n, j->memory);
}

/* address: of the pointer to an array that has `size` bytes a document. */
static twx_rc park(twx_ctx *cx, const twx_doc_set *j, twx_parked *parked, void *address,
                   size_t size) {
    return is_large(j) ? twx_park(cx, parked, address, j->docs.at.n * size) : TWX_OK;
}

/* The groups of near-duplicates and of copies. They need the hosts of the documents, for a while
 * their ranks, and none of the other groups. */
static twx_rc near_groups(twx_ctx *cx, twx_doc_set *j, twx_grouping *how) {
    twx_parked groups = {0};
    twx_rc rc = is_large(j) ? twx_doc_table_park(cx, &j->docs) : TWX_OK;
    for (int s = 0; rc == TWX_OK && is_large(j) && s < TWX_RELATIONS; s++) {
        twx_sparse_groups *of = &j->groups[s].of;
        rc = twx_park(cx, &groups, &of->at, twx_sparse_groups_places(of) * sizeof *of->at);
    }
    if (rc == TWX_OK)
        rc = twx_near_groups(cx, &j->near, how, j->grouper[TWX_RELATION_NEAR],
                             j->grouper[TWX_RELATION_COPY], &j->groups[TWX_RELATION_NEAR],
                             &j->groups[TWX_RELATION_COPY]);
    j->rank = (uint32_t *)(uintptr_t)how->rank;
    if (rc == TWX_OK) rc = twx_parked_take(cx, &groups);
    twx_parked_done(&groups);
    return rc == TWX_OK ? twx_doc_table_take(cx, &j->docs) : rc;
}

/* What the tasks of judging have in common. */
typedef struct judging {
    twx_doc_set *j;
    const twx_judge_options *o;
    twx_grouping how;
    twx_forms forms;
    uint64_t *texts; /* of list_texts() */
} judging;

/* One task after the other if memory is short, and if two could have errors of temporary files. */
static size_t threads_of(const judging *g) {
    bool alone = is_large(g->j);
    for (size_t s = 0; s < TWX_RELATION_NEAR; s++) /* the others come alone */
        alone |= g->j->grouper[s] && twx_grouper_sorted_bytes(g->j->grouper[s]) > 0;
    return alone ? 1 : g->o->threads;
}

/* Unless the next judgement carries its entries over. */
static void close_grouper(twx_doc_set *j, size_t relation) {
    if (j->near.keeps_documents) return;
    twx_grouper_close(j->grouper[relation]);
    j->grouper[relation] = NULL;
}

/* The groups of a relation, but for near-duplicates, copies and parameters. Editions and forms come
 * first, so that their sets are released. */
static twx_rc group_relation(twx_ctx *cx, void *arg, size_t thread, size_t task) {
    judging *g = arg;
    twx_doc_set *j = g->j;
    const size_t s = (task + TWX_RELATION_EDITION) % TWX_RELATIONS;
    const bool by_form = s < TWX_COUNTOF(g->forms.of);
    twx_grouping how = g->how;
    twx_rc rc = TWX_OK;
    (void)thread;
    how.text = g->o->separate >> s & 1 ? g->texts : NULL;
    if (by_form || s == TWX_RELATION_EDITION) {
        twx_union_find *sets = by_form ? &g->forms.of[s].sets : &j->editions.sets;
        if (by_form ? g->forms.of[s].made : j->editions.used)
            rc = twx_groups_of_sets(cx, &how, sets, &j->groups[s]);
        twx_union_find_done(sets);
    } else if (j->grouper[s] && s != TWX_RELATION_NEAR && s != TWX_RELATION_COPY) {
        rc = twx_groups_make(cx, &how, j->grouper[s], &j->groups[s]);
        close_grouper(j, s);
    }
    return rc;
}

static twx_rc make_groups(twx_ctx *cx, judging *g) {
    twx_doc_set *j = g->j;
    twx_rc rc = list_texts(cx, j, g->o, &g->texts);
    if (j->near.keeps_documents) /* then memory is not short, and nothing is on disk */
        j->near.beside = (twx_tasks){group_relation, g, TWX_RELATIONS};
    else if (rc == TWX_OK)
        rc = twx_parallel(cx, threads_of(g), TWX_RELATIONS, group_relation, g);
    g->how.text = g->o->separate >> TWX_RELATION_NEAR & 1 ? g->texts : NULL;
    if (rc == TWX_OK && j->near.node) rc = near_groups(cx, j, &g->how); /* copies as well */
    j->near.beside = (twx_tasks){0};
    close_grouper(j, TWX_RELATION_NEAR);
    close_grouper(j, TWX_RELATION_COPY);
    g->how.text = NULL;
    twx_free(g->texts);
    return rc == TWX_OK && g->o->parameters ? parameters_groups(cx, j, &g->how) : rc;
}

/* What the order needs of documents that take part: forms of their URLs and editions, and origins
 * of texts. */
static twx_rc prepare_order(twx_ctx *cx, void *arg, size_t thread, size_t task) {
    judging *g = arg;
    const twx_preference *preference = &g->o->preference;
    (void)thread;
    if (task > 0)
        return twx_order_has(preference, TWX_BY_ORIGIN) ? twx_find_origins(cx, g->j) : TWX_OK;
    twx_rc rc = twx_forms_find(cx, &g->how, &g->j->docs, preference, g->j->grouper, &g->forms);
    for (size_t s = 0; s < TWX_COUNTOF(g->forms.of); s++) close_grouper(g->j, s);
    return rc == TWX_OK ? twx_editions_find(cx, g->j, &g->how) : rc;
}

static twx_rc make_order(twx_ctx *cx, judging *g) {
    twx_doc_set *j = g->j;
    uint32_t **const sets[] = {&g->forms.of[0].sets.parent, &g->forms.of[1].sets.parent,
                               &j->editions.sets.parent};
    twx_parked parked = {0};
    twx_rc rc = twx_parallel(cx, threads_of(g), 2, prepare_order, g);
    for (size_t k = 0; rc == TWX_OK && k < TWX_COUNTOF(sets); k++)
        rc = park(cx, j, &parked, sets[k], sizeof **sets[k]);
    if (rc == TWX_OK) rc = twx_total_order(cx, &j->docs, &g->o->preference, &j->rank);
    if (rc == TWX_OK) rc = twx_parked_take(cx, &parked);
    twx_parked_done(&parked);
    return rc;
}

/* What needs no other stage: finding pages without content, and sorting the keys of a relation. */
static twx_rc prepare(twx_ctx *cx, void *arg, size_t thread, size_t task) {
    twx_doc_set *j = arg;
    (void)thread;
    if (task == 0) return twx_pages_find(cx, j);
    const twx_grouper *before = j->before ? j->before->grouper[task - 1] : NULL;
    return j->grouper[task - 1] ? twx_grouper_sort(cx, j->grouper[task - 1], before, j->moved)
                                : TWX_OK;
}

/* What is made of all groups: the clusters, unless pins have decided them, and where markup is
 * shared. */
static twx_rc finish(twx_ctx *cx, void *arg, size_t thread, size_t task) {
    judging *g = arg;
    (void)thread;
    if (task > 0) return share_layouts(cx, g->j, TYPED[task - 1].relation);
    return g->j->clusters.made ? TWX_OK : make_clusters(cx, g->j, g->o, &g->how);
}

twx_rc twx_judge(twx_ctx *cx, twx_doc_set *j, const twx_judge_options *o) {
    judging g = {.j = j, .o = o};
    twx_near_loaded(&j->near);
    twx_rc rc = twx_parallel(cx, o->threads, 1 + TWX_RELATIONS, prepare, j);
    twx_doc_set_forget_before(j);
    if (rc == TWX_OK)
        rc = twx_links_resolve(cx, &j->docs, &o->preference, o->collapse_min, &j->links);
    g.how = (twx_grouping){.p = &j->docs, .eligibility = j->links.eligibility};
    twx_parked links = {0};
    if (rc == TWX_OK) rc = park(cx, j, &links, &j->links.target, sizeof *j->links.target);
    if (rc == TWX_OK) rc = park(cx, j, &links, &j->links.state, sizeof *j->links.state);
    if (rc == TWX_OK) rc = make_order(cx, &g);
    g.how.rank = j->rank;
    if (rc == TWX_OK) rc = make_groups(cx, &g);
    twx_forms_done(&g.forms);
    if (rc == TWX_OK) rc = twx_parked_take(cx, &links);
    twx_parked_done(&links);
    if (rc == TWX_OK && o->pins && j->docs.pinned) rc = obey_pins(cx, j, o, &g.how);
    if (rc == TWX_OK) j->shared_layout = twx_calloc(cx, j->docs.at.n, 1);
    if (rc == TWX_OK && !j->shared_layout) rc = TWX_E_NOMEM;
    return rc == TWX_OK ? twx_parallel(cx, threads_of(&g), 1 + TWX_COUNTOF(TYPED), finish, &g) : rc;
}

bool twx_is_hidden(const twx_doc_set *j, uint32_t i) {
    const uint32_t survivor = twx_groups_rep(&j->clusters, i);
    return survivor != TWX_NO_DOCUMENT && survivor != i;
}

/* ---- rows --------------------------------------------------------------- */

/* The number of `other` in the store of document i. */
static int64_t doc_of(const twx_doc_set *j, uint32_t i, uint32_t other) {
    const twx_doc_row *at = j->docs.at.at;
    return at[i].store == at[other].store ? at[other].doc : twx_elsewhere_number(j, other);
}

static void set_groups(const twx_doc_set *j, uint32_t i, const twx_signed_as *own,
                       twx_flag_row *row) {
    for (int s = 0; s < TWX_RELATIONS; s++) {
        const twx_relation *relation = twx_relation_at((size_t)s);
        if (own->known >> s & 1)
            twx_flag_set(row, (twx_flag_column)relation->sig, (int64_t)own->sig[s]);
        const uint32_t rep = twx_groups_rep(&j->groups[s], i);
        if (rep == TWX_NO_DOCUMENT) continue;
        twx_flag_set(row, relation->count, twx_groups_count(&j->groups[s], i));
        twx_flag_set(row, relation->rep, doc_of(j, i, rep));
    }
}

uint64_t twx_group_number(const twx_signed_as *rep, uint64_t url_key, bool named) {
    const uint64_t number = twx_mix64(rep->sig[TWX_RELATION_EXACT], url_key);
    return named ? twx_mix64(twx_mix64(number, rep->sig[TWX_RELATION_TITLE]),
                             rep->sig[TWX_RELATION_DESCRIPTION])
                 : number;
}

/* own: of rep; NULL: it is read. */
static int64_t cluster_number(const twx_doc_set *j, uint32_t rep, const twx_signed_as *own) {
    const twx_signed_as read = own ? *own : twx_signed_as_of(j, rep);
    return (int64_t)twx_group_number(&read, j->docs.at.at[rep].url_key, j->near.texts != NULL);
}

/* The flags of near-duplicates and of copies. */
static void set_likeness(const twx_doc_set *j, uint32_t i, const twx_signed_as *own,
                         twx_flag_row *row) {
    static const struct {
        twx_relation_id relation;
        twx_flag_column sig, count;
    } BOTH[TWX_LIKENESSES] = {{TWX_RELATION_NEAR, TWX_FLAG_near_sig, TWX_FLAG_near_count},
                              {TWX_RELATION_COPY, TWX_FLAG_copy_sig, TWX_FLAG_copy_count}};
    const twx_groups *near = &j->groups[TWX_RELATION_NEAR];
    uint32_t numbered = TWX_NO_DOCUMENT; /* `number` is that of the groups that it represents */
    int64_t number = 0;
    for (size_t k = 0; k < TWX_COUNTOF(BOTH); k++) {
        const twx_groups *g = &j->groups[BOTH[k].relation];
        if (!g->made) continue;
        /* set_groups() has counted those of a group */
        if (!twx_flag_known(row, BOTH[k].count)) twx_flag_set(row, BOTH[k].count, 1);
        if (!(k == TWX_SIMILAR || !j->near.texts ? twx_near_has(&j->near, i)
                                                 : j->near.node[i] != TWX_NO_DOCUMENT))
            continue;
        const uint32_t group = twx_groups_rep(g, i), rep = group == TWX_NO_DOCUMENT ? i : group;
        if (rep != numbered) number = cluster_number(j, rep, rep == i ? own : NULL);
        numbered = rep;
        twx_flag_set(row, BOTH[k].sig, number);
    }
    /* for this representative */
    const bool measured = !j->divided || !(j->divided[i] >> TWX_RELATION_NEAR & 1);
    if (twx_groups_rep(near, i) != TWX_NO_DOCUMENT && twx_near_has(&j->near, i) && measured)
        twx_flag_set(row, TWX_FLAG_near_similarity, j->near.similarity[j->near.node[i]]);
    if (j->groups[TWX_RELATION_PARAMETERS].made && !twx_flag_known(row, TWX_FLAG_parameters_count))
        twx_flag_set(row, TWX_FLAG_parameters_count, 1);
    if (j->near.siblings) twx_flag_set(row, TWX_FLAG_sibling_count, j->near.siblings[i]);
}

/* A URL is unique when it has the form of the representative: the preferred form if any member has
 * it, because it is the best one in the order, or the form of the member that a pin prefers. */
static void set_url_flags(const twx_doc_set *j, uint32_t i, twx_flag_row *row) {
    static const struct {
        twx_relation_id relation;
        uint32_t bit;
        twx_flag_column unique;
    } OF_URL[] = {{TWX_RELATION_SCHEME, TWX_FACT_HTTPS, TWX_FLAG_http_unique},
                  {TWX_RELATION_WWW, TWX_FACT_WWW, TWX_FLAG_www_unique}};
    const twx_doc_row *docs = j->docs.at.at;
    for (size_t k = 0; k < TWX_COUNTOF(OF_URL); k++) {
        const twx_groups *g = &j->groups[OF_URL[k].relation];
        if (!g->made) continue;
        const uint32_t rep = twx_groups_rep(g, i);
        twx_flag_set(row, OF_URL[k].unique,
                     rep == TWX_NO_DOCUMENT || !((docs[i].bits ^ docs[rep].bits) & OF_URL[k].bit));
    }
}

/* Also of a document that names another edition as canonical. */
static void set_edition(const twx_doc_set *j, uint32_t i, twx_flag_row *row) {
    const twx_edition_member *m = twx_edition_member_of(&j->editions, i);
    if (!m) return;
    const char *text = j->editions.values.at[m->value].text;
    twx_flag_set(row, TWX_FLAG_edition_sig, (int64_t)m->page);
    twx_flag_set(row, TWX_FLAG_edition_steps, m->steps);
    if (text[0]) twx_flag_set(row, TWX_FLAG_edition_value, twx_edition_number(text));
}

static void set_type(const twx_doc_set *j, uint32_t i, twx_flag_row *row) {
    for (size_t k = 0; k < TWX_COUNTOF(TYPED); k++) {
        const twx_groups *g = &j->groups[TYPED[k].relation];
        if (twx_groups_rep(g, i) == TWX_NO_DOCUMENT) continue;
        bool layout = (j->shared_layout[i] >> TYPED[k].relation & 1) != 0;
        twx_flag_set(row, TWX_FLAG_duplicate_type, layout ? TYPED[k].layout : TYPED[k].content);
        return;
    }
}

/* [R3] */
static void set_link(const twx_doc_set *j, const twx_judge_options *o, uint32_t i,
                     twx_flag_row *row) {
    uint32_t target = j->links.target[i];
    twx_flag_set(row, TWX_FLAG_link_state, j->links.state[i]);
    if (target != TWX_NO_DOCUMENT) twx_flag_set(row, TWX_FLAG_link_doc, doc_of(j, i, target));
    if (j->links.state[i] != TWX_LINK_HONOURED || j->links.eligibility[i] == TWX_ELIGIBLE) return;
    bool redirect = (j->docs.at.at[i].bits & TWX_FACT_REDIRECT) != 0;
    if (!(o->relations & (redirect ? TWX_JOIN_REDIRECT : TWX_JOIN_CANONICAL))) return;
    if (twx_is_withdrawn(j, target)) return;
    uint32_t survivor = twx_groups_rep(&j->clusters, target);
    if (survivor == TWX_NO_DOCUMENT) survivor = target;
    twx_flag_set(row, TWX_FLAG_duplicate_of, doc_of(j, i, survivor));
}

void twx_judged_row(const twx_doc_set *j, const twx_judge_options *o, uint32_t i,
                    twx_flag_row *ret_row) {
    *ret_row = (twx_flag_row){.doc = j->docs.at.at[i].doc};
    const unsigned class = j->docs.at.at[i].page & TWX_PAGE_CLASS;
    twx_flag_set(ret_row, TWX_FLAG_eligibility, j->links.eligibility[i]);
    if (class) twx_flag_set(ret_row, TWX_FLAG_page_class, class);
    set_link(j, o, i, ret_row);
    const twx_signed_as own = twx_signed_as_of(j, i);
    set_groups(j, i, &own, ret_row);
    set_edition(j, i, ret_row);
    if (j->links.eligibility[i] != TWX_ELIGIBLE) return;
    set_url_flags(j, i, ret_row);
    set_likeness(j, i, &own, ret_row);
    set_type(j, i, ret_row);
    const uint32_t survivor = twx_groups_rep(&j->clusters, i);
    if (survivor == TWX_NO_DOCUMENT) return;
    twx_flag_set(ret_row, TWX_FLAG_cluster_count, twx_groups_count(&j->clusters, i));
    if (survivor != i) twx_flag_set(ret_row, TWX_FLAG_duplicate_of, doc_of(j, i, survivor));
}

/* ==== withdraw */

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
