#include "judge/internal.h"

/* ==== relations */

static const twx_relation RELATIONS[TWX_RELATIONS] = {
    [TWX_RELATION_SCHEME] = {"scheme", "scheme", -1, TWX_FLAG_scheme_count, TWX_FLAG_scheme_rep,
                             "the URL but for scheme and www."},
    [TWX_RELATION_WWW] = {"www", "www", -1, TWX_FLAG_www_count, TWX_FLAG_www_rep,
                          "the URL but for www."},
    [TWX_RELATION_EXACT] = {"exact", "exact", TWX_FLAG_exact_sig, TWX_FLAG_exact_count,
                            TWX_FLAG_exact_rep, "the text, byte for byte"},
    [TWX_RELATION_FUZZY] = {"fuzzy", "profile", TWX_FLAG_fuzzy_sig, TWX_FLAG_fuzzy_count,
                            TWX_FLAG_fuzzy_rep, "the text profile"},
    [TWX_RELATION_TITLE] = {"title", "title", TWX_FLAG_title_sig, TWX_FLAG_title_count,
                            TWX_FLAG_title_rep, "the title"},
    [TWX_RELATION_DESCRIPTION] = {"description", "description", TWX_FLAG_description_sig,
                                  TWX_FLAG_description_count, TWX_FLAG_description_rep,
                                  "the description"},
    [TWX_RELATION_NEAR] = {"near", NULL, -1, TWX_FLAG_near_count, TWX_FLAG_near_rep,
                           "nearly the same text"},
    [TWX_RELATION_COPY] = {"copy", NULL, -1, TWX_FLAG_copy_count, TWX_FLAG_copy_rep,
                           "the same or nearly the same text, and the name"},
    [TWX_RELATION_EDITION] = {"edition", NULL, -1, TWX_FLAG_edition_count, TWX_FLAG_edition_rep,
                              "the page, in several editions"},
    [TWX_RELATION_PARAMETERS] = {"parameters", NULL, -1, TWX_FLAG_parameters_count,
                                 TWX_FLAG_parameters_rep,
                                 "the URL but for parts that do not change the page"},
};

#define ONE(relation, similarity) +1
_Static_assert(TWX_RELATIONS == TWX_GROUP_TABLE(ONE), "each relation has groups in the views");
#undef ONE

const twx_relation *twx_relation_at(size_t relation) {
    return relation < TWX_RELATIONS ? &RELATIONS[relation] : 0;
}

twx_relation_id twx_relation_find(twx_slice name) {
    for (int i = 0; i < TWX_RELATIONS; i++)
        if (twx_slice_eq(name, twx_slice_of(RELATIONS[i].name)) ||
            (RELATIONS[i].detector && twx_slice_eq(name, twx_slice_of(RELATIONS[i].detector))))
            return (twx_relation_id)i;
    return TWX_RELATIONS;
}

/* ==== groups */

typedef struct maker {
    twx_ctx *cx;
    const twx_grouping *how;
    twx_union_find sets;
    uint64_t *hreflang; /* by index, when translations are kept separate */
    TWX_VEC(uint32_t) subgroup, first;
} maker;

static bool takes_part(const twx_grouping *how, uint32_t i) {
    return how->eligibility[i] == TWX_ELIGIBLE;
}

/* Joins the members of each subgroup with its first. */
static twx_rc join_separate(maker *m, uint32_t *members, size_t n) {
    if (!TWX_VEC_RESERVE(m->cx, &m->subgroup, n) || !TWX_VEC_RESERVE(m->cx, &m->first, n))
        return TWX_E_NOMEM;
    qsort_r(members, n, sizeof *members, twx_by_rank, (void *)(uintptr_t)m->how->rank);
    twx_rc rc = twx_keep_separate(m->cx, members, n, m->how->text, m->hreflang, m->subgroup.at);
    for (size_t i = 0; i < n; i++) m->first.at[i] = TWX_NO_DOCUMENT;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        uint32_t *first = &m->first.at[m->subgroup.at[i]];
        if (*first == TWX_NO_DOCUMENT)
            *first = members[i];
        else
            twx_union_find_join(&m->sets, *first, members[i]);
    }
    return rc;
}

static twx_rc join_run(void *arg, uint32_t *members, size_t n) {
    maker *m = arg;
    size_t in = 0;
    for (size_t i = 0; i < n; i++)
        if (takes_part(m->how, members[i])) members[in++] = members[i];
    if (in < 2) return TWX_OK;
    if (m->hreflang) return join_separate(m, members, in);
    for (size_t i = 1; i < in; i++) twx_union_find_join(&m->sets, members[0], members[i]);
    return TWX_OK;
}

/* The hreflang groups by index; stays NULL when no document has one. */
static twx_rc collect_hreflang(maker *m) {
    const twx_doc_table *p = m->how->p;
    const size_t n = p->at.n;
    size_t i = 0;
    while (i < n && !twx_doc_value(p, TWX_DOC_HREFLANG, i)) i++;
    if (i == n || !m->how->text) return TWX_OK;
    m->hreflang = twx_malloc(m->cx, n * sizeof *m->hreflang);
    if (!m->hreflang) return TWX_E_NOMEM;
    for (i = 0; i < n; i++) m->hreflang[i] = twx_doc_value(p, TWX_DOC_HREFLANG, i);
    return TWX_OK;
}

/* Makes each document's entry that of its best one in the set; of sets of one, TWX_NO_DOCUMENT.
 * best, alone: by root. */
static void find_representatives(const twx_grouping *how, twx_union_find *sets, uint32_t *best,
                                 bool *alone) {
    const uint32_t n = (uint32_t)how->p->at.n;
    for (size_t i = 0; i < n; i++) best[i] = TWX_NO_DOCUMENT;
    for (uint32_t i = 0; i < n; i++) {
        if (!takes_part(how, i)) continue;
        const uint32_t root = twx_union_find_root(sets, i);
        alone[root] = best[root] == TWX_NO_DOCUMENT;
        if (alone[root] || how->rank[i] < how->rank[best[root]]) best[root] = i;
    }
    /* a root is the smallest index of its set, so in descending order it is overwritten last */
    for (uint32_t i = n; i-- > 0;) {
        const uint32_t root = twx_union_find_root(sets, i);
        best[i] = takes_part(how, i) && !alone[root] ? best[root] : TWX_NO_DOCUMENT;
    }
}

twx_rc twx_groups_of_sets(twx_ctx *cx, const twx_grouping *how, twx_union_find *sets,
                          twx_groups *ret_groups) {
    const size_t n = how->p->at.n;
    twx_groups g = {.made = true};
    uint32_t *best = twx_malloc(cx, n * sizeof *best);
    bool *alone = twx_malloc(cx, n * sizeof *alone);
    twx_rc rc = best && alone ? TWX_OK : TWX_E_NOMEM;
    if (rc == TWX_OK) find_representatives(how, sets, best, alone);
    twx_free(alone);
    if (rc == TWX_OK) rc = twx_sparse_groups_make(cx, best, n, &g.of);
    twx_free(best);
    if (rc != TWX_OK) return rc;
    g.largest_rep = TWX_NO_DOCUMENT;
    for (size_t word = 0; word <= n / 64; word++) {
        for (uint64_t heads = g.of.heads[word]; heads; heads &= heads - 1) {
            const uint32_t i = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(heads);
            const uint32_t count = twx_groups_count(&g, i);
            g.groups++;
            g.copies += count - 1;
            if (count <= g.largest) continue;
            g.largest = count;
            g.largest_rep = i;
        }
    }
    *ret_groups = g;
    return TWX_OK;
}

twx_rc twx_groups_list(twx_ctx *cx, const twx_groups *g, size_t n, uint32_t **ret_rep) {
    uint32_t *rep = twx_malloc(cx, n * sizeof *rep);
    if (!rep) return TWX_E_NOMEM;
    for (uint32_t i = 0; i < n; i++) rep[i] = twx_groups_rep(g, i);
    *ret_rep = rep;
    return TWX_OK;
}

/* Ends adding to the grouper and joins the members of its runs that take part. */
static twx_rc groups_sets(twx_ctx *cx, const twx_grouping *how, twx_grouper *grouper,
                          twx_union_find *ret_sets) {
    maker m = {.cx = cx, .how = how};
    twx_rc rc = twx_union_find_init(cx, &m.sets, how->p->at.n);
    if (rc == TWX_OK) rc = collect_hreflang(&m);
    if (rc == TWX_OK) rc = twx_grouper_each(cx, grouper, join_run, &m);
    twx_free(m.hreflang);
    TWX_VEC_DONE(&m.subgroup);
    TWX_VEC_DONE(&m.first);
    TWX_HAND_OVER(rc, ret_sets, m.sets, twx_union_find_done(&m.sets));
    return rc;
}

twx_rc twx_groups_make(twx_ctx *cx, const twx_grouping *how, twx_grouper *grouper,
                       twx_groups *ret_groups) {
    twx_union_find sets = {0};
    twx_rc rc = groups_sets(cx, how, grouper, &sets);
    if (rc == TWX_OK) rc = twx_groups_of_sets(cx, how, &sets, ret_groups);
    twx_union_find_done(&sets);
    return rc;
}

void twx_groups_done(twx_groups *g) {
    if (!g) return;
    twx_sparse_groups_done(&g->of);
    *g = (twx_groups){0};
}

/* ==== near_siblings */

/* A sibling is a near-duplicate of the same group that is not a copy. Groups of copies are counted,
 * not documents. */
twx_rc twx_near_count_siblings(twx_ctx *cx, twx_near *near, size_t n, const twx_groups *similar,
                               const twx_groups *copies) {
    /* groups of copies within a near-duplicate group that their representatives are not in */
    twx_map64 seen = {0};
    if (!near->siblings) near->siblings = twx_calloc(cx, n + 1, sizeof *near->siblings);
    /* by representative of near-duplicates */
    uint32_t *names = twx_calloc(cx, n + 1, sizeof *names);
    twx_rc rc = near->siblings && names ? TWX_OK : TWX_E_NOMEM;
    for (uint32_t i = 0; rc == TWX_OK && i < n; i++) {
        const uint32_t group = twx_groups_rep(similar, i), copy = twx_groups_rep(copies, i);
        uint64_t first = copy == TWX_NO_DOCUMENT ? i : copy;
        if (group == TWX_NO_DOCUMENT) continue;
        if (first != i && twx_groups_rep(similar, copy) != group)
            rc = twx_map64_add(cx, &seen, (uint64_t)group << 32 | copy, i, &first);
        names[group] += rc == TWX_OK && first == i;
    }
    for (uint32_t i = 0; rc == TWX_OK && i < n; i++) {
        const uint32_t group = twx_groups_rep(similar, i);
        near->siblings[i] = group == TWX_NO_DOCUMENT ? 0 : names[group] - 1;
    }
    twx_map64_done(&seen);
    twx_free(names);
    return rc;
}

/* ==== twin_keys */

bool twx_twin_key(const twx_facts *facts, twx_slice url, twx_relation_id relation, bool whole,
                  twx_key *ret_key) {
    char room[TWX_FACTS_URL_MAX];
    if (!(facts->bits & TWX_FACT_USABLE) || !twx_twins_are_in_facts(facts)) return false;
    twx_url_twin_fn *const twin_of = relation != TWX_RELATION_SCHEME ? twx_url_www_twin
                                     : whole                         ? twx_url_forms_twin
                                                                     : twx_url_scheme_twin;
    const twx_slice twin = twx_url_twin_of(twin_of, url, room);
    if (!twin.p) return false;
    const twx_hash128 hash = twx_url_twin_hash(twin);
    *ret_key = (twx_key){hash.hi, hash.lo};
    return true;
}

/* ==== forms */

_Static_assert(TWX_RELATION_SCHEME == 0 && TWX_RELATION_WWW == 1, "places in twx_forms.of");

unsigned twx_form_of(uint32_t bits, const twx_preference *preference) {
    if (!(bits & TWX_FACT_WEB)) return 0;
    const bool https = (bits & TWX_FACT_HTTPS) != 0, www = (bits & TWX_FACT_WWW) != 0;
    return (https != preference->https ? TWX_FORM_SCHEME : 0) |
           (www != (preference->www != TWX_WWW_BARE) ? TWX_FORM_WWW : 0);
}

static unsigned form_of(const twx_doc_table *docs, const twx_preference *preference, uint32_t i) {
    const twx_doc_row *row = &docs->at.at[i];
    const unsigned form = twx_form_of(row->bits, preference);
    return docs->hosts.at[row->host].bare && row->bits & TWX_FACT_WEB ? form ^ TWX_FORM_WWW : form;
}

twx_slice twx_site_of_host(twx_slice host, uint32_t bits) {
    return twx_slice_sub(host, bits & TWX_FACT_WWW ? strlen("www.") : 0, host.n);
}

/* [R2] Documents with www. and without it, by site */
typedef struct votes {
    uint32_t www, bare;
} votes;

static twx_rc count_votes(twx_ctx *cx, const twx_grouping *how, twx_doc_table *docs) {
    TWX_VEC(votes) sites = {0};
    uint32_t *site = twx_malloc(cx, (docs->hosts.n + 1) * sizeof *site);
    twx_rc rc = site ? TWX_OK : TWX_E_NOMEM;
    twx_map64 places = {0};
    for (size_t h = 0; rc == TWX_OK && h < docs->hosts.n; h++) site[h] = UINT32_MAX;
    for (uint32_t i = 0; rc == TWX_OK && i < docs->at.n; i++) {
        const twx_doc_row *row = &docs->at.at[i];
        uint64_t place = sites.n;
        if (!(row->bits & TWX_FACT_WEB)) continue;
        const twx_slice name = twx_site_of_host(docs->hosts.at[row->host].name, row->bits);
        rc = twx_map64_add(cx, &places, twx_hash64(name, 0), place, &place);
        if (rc == TWX_OK && place == sites.n && !TWX_VEC_PUSH(cx, &sites, (votes){0, 0}))
            rc = TWX_E_NOMEM;
        if (rc != TWX_OK) break;
        site[row->host] = (uint32_t)place;
        if (how->eligibility[i] != TWX_ELIGIBLE) continue;
        sites.at[place].www += (row->bits & TWX_FACT_WWW) != 0;
        sites.at[place].bare += !(row->bits & TWX_FACT_WWW);
    }
    for (size_t h = 0; rc == TWX_OK && h < docs->hosts.n; h++)
        docs->hosts.at[h].bare = site[h] != UINT32_MAX &&
                                 sites.at[site[h]].bare > sites.at[site[h]].www;
    twx_map64_done(&places);
    TWX_VEC_DONE(&sites);
    twx_free(site);
    return rc;
}

/* Marks the documents of the other form in whose set a document that takes part has the preferred
 * one. beaten: by index. */
static twx_rc find_beaten(twx_ctx *cx, const twx_grouping *how, const twx_preference *preference,
                          twx_union_find *sets, unsigned bit, uint8_t *beaten) {
    const uint32_t n = (uint32_t)how->p->at.n;
    uint8_t *preferred = twx_calloc(cx, n, 1); /* by root */
    if (!preferred) return TWX_E_NOMEM;
    for (uint32_t i = 0; i < n; i++)
        if (how->eligibility[i] == TWX_ELIGIBLE && !(form_of(how->p, preference, i) & bit))
            preferred[twx_union_find_root(sets, i)] = 1;
    for (uint32_t i = 0; i < n; i++)
        if (form_of(how->p, preference, i) & bit && preferred[twx_union_find_root(sets, i)])
            beaten[i] = 1;
    twx_free(preferred);
    return TWX_OK;
}

twx_rc twx_forms_find(twx_ctx *cx, const twx_grouping *how, twx_doc_table *docs,
                      const twx_preference *preference, twx_grouper *const groupers[2],
                      twx_forms *ret_forms) {
    static const unsigned BITS[] = {TWX_FORM_SCHEME, TWX_FORM_WWW};
    twx_forms forms = {0};
    uint8_t *beaten = twx_calloc(cx, docs->at.n, 1);
    twx_rc rc = beaten ? TWX_OK : TWX_E_NOMEM;
    if (rc == TWX_OK && preference->www == TWX_WWW_AUTO) rc = count_votes(cx, how, docs);
    for (size_t s = 0; rc == TWX_OK && s < TWX_COUNTOF(BITS); s++) {
        if (!groupers[s]) continue;
        rc = groups_sets(cx, how, groupers[s], &forms.of[s].sets);
        forms.of[s].made = true;
        if (rc == TWX_OK) rc = find_beaten(cx, how, preference, &forms.of[s].sets, BITS[s], beaten);
    }
    for (uint32_t i = 0; rc == TWX_OK && i < docs->at.n; i++)
        twx_doc_row_set_form(&docs->at.at[i], beaten[i] ? form_of(docs, preference, i) : 0);
    twx_free(beaten);
    TWX_HAND_OVER(rc, ret_forms, forms, twx_forms_done(&forms));
    return rc;
}

void twx_forms_done(twx_forms *forms) {
    for (size_t s = 0; s < TWX_COUNTOF(forms->of); s++) twx_union_find_done(&forms->of[s].sets);
    *forms = (twx_forms){0};
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
    size_t low = 0, high = j->elsewhere.n;
    TWX_BISECT(low, high, j->elsewhere.at[middle].index < index);
    return &j->elsewhere.at[low];
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

/* ==== flags */

/* What a flag's value is made of its column v in row; each is also an expression, flag_NAME in
 * sql/part.sql. */
typedef enum rule {
    STORED,
    SIZE,             /* v, which may be stored once for all members of the group */
    SIBLINGS,         /* the same */
    STORED_OR_BESIDE, /* v; 0: that of the column beside it */
    TYPE,
    EDITION,
    DOC,
    ZERO,                 /* v = 0 */
    COUNT,                /* v, or 1; for documents that take part */
    REPRESENTATIVE,       /* v is the document itself, or NULL; for documents that take part */
    KNOWN_REPRESENTATIVE, /* the same, where the column beside it is known */
    SURVIVOR,             /* v is NULL; for documents that take part */
    CLASS,                /* v, or 0 */
    NO_PAGE               /* v is the class of a page without content */
} rule;

#define FLAG(name, kind, column, rule, beside) \
    {#name, TWX_FLAG_IS_##kind, TWX_FLAG_##column, rule, TWX_FLAG_##beside},
static const twx_flag FLAGS[TWX_FLAGS] = {TWX_SHOWN_FLAG_TABLE(FLAG)};
#undef FLAG

const twx_flag *twx_flag_at(size_t i) {
    return i < TWX_FLAGS ? &FLAGS[i] : 0;
}

static bool row_takes_part(const twx_flag_row *row) {
    return row->v[TWX_FLAG_eligibility] == 0;
}

bool twx_flag_value(const twx_flag *flag, const twx_flag_row *row, int64_t *ret_value) {
    const bool known = twx_flag_known(row, flag->column);
    const int64_t v = row->v[flag->column];
    switch ((rule)flag->rule) {
    case ZERO: *ret_value = v == 0; return known;
    case COUNT: *ret_value = known ? v : 1; return row_takes_part(row);
    case REPRESENTATIVE: *ret_value = !known || v == row->doc; return row_takes_part(row);
    case KNOWN_REPRESENTATIVE:
        *ret_value = !known || v == row->doc;
        return twx_flag_known(row, flag->beside);
    case SURVIVOR: *ret_value = !known; return row_takes_part(row);
    case CLASS: *ret_value = known ? v : 0; return true;
    case NO_PAGE: *ret_value = known && twx_is_no_page(v); return true;
    case STORED_OR_BESIDE:
        if (!known || v) break;
        *ret_value = row->v[flag->beside];
        return twx_flag_known(row, flag->beside);
    case STORED:
    case SIZE:
    case SIBLINGS:
    case TYPE:
    case EDITION:
    case DOC: break;
    }
    if (known) *ret_value = v;
    return known;
}

bool twx_flag_differs(const twx_flag *flag, const twx_flag_row *a, const twx_flag_row *b) {
    int64_t x = 0, y = 0;
    const uint64_t columns = UINT64_C(1) << flag->column | UINT64_C(1) << flag->beside;
    if (a && b && a->doc == b->doc && !((a->known ^ b->known) & columns) &&
        a->v[flag->column] == b->v[flag->column] && a->v[flag->beside] == b->v[flag->beside] &&
        row_takes_part(a) == row_takes_part(b))
        return false; /* that is all that twx_flag_value() reads */
    const bool has_x = a && twx_flag_value(flag, a, &x), has_y = b && twx_flag_value(flag, b, &y);
    return has_x != has_y || (has_x && x != y);
}

const char *const *twx_flag_words(const twx_flag *flag) {
    static const char *const TYPES[] = {"full-layout",     "full-content", "partial-layout",
                                        "partial-content", "sibling",      NULL};
    return flag->column == TWX_FLAG_page_class ? TWX_PAGE_NAMES : TYPES;
}

const char *twx_flag_word(const twx_flag *flag, int64_t value, char room[TWX_EDITION_NUMBER_TEXT]) {
    const char *const *words = twx_flag_words(flag);
    if (flag->kind == TWX_FLAG_IS_TYPE) {
        for (int64_t i = words != TWX_PAGE_NAMES; i <= value && *words; i++, words++)
            if (i == value) return *words;
        return "?";
    }
    if (flag->kind != TWX_FLAG_IS_EDITION) return NULL;
    twx_edition_text(value, room);
    return room;
}
