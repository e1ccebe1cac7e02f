#include "judge/order.h"

#include <stdlib.h>

static const struct {
    const char *name, *reason;
    size_t bytes;
} CRITERIA[] = {[TWX_BY_NOTHING] = {"", "", 0},
#define CRITERION(id, name, bytes, reason) [TWX_BY_##id] = {#name, reason, bytes},
                TWX_CRITERION_TABLE(CRITERION)
#undef CRITERION
};

twx_criterion twx_criterion_of(twx_slice name) {
    for (int i = TWX_BY_FORM; i <= TWX_CRITERIA; i++)
        if (twx_slice_eq(name, twx_slice_of(CRITERIA[i].name))) return (twx_criterion)i;
    return TWX_BY_NOTHING;
}

const char *twx_criterion_name(twx_criterion criterion) {
    return CRITERIA[criterion].name;
}

const char *twx_criterion_reason(twx_criterion criterion) {
    return CRITERIA[criterion].reason;
}

size_t twx_criterion_bytes(twx_criterion criterion) {
    return CRITERIA[criterion].bytes;
}

uint64_t twx_criterion_place(twx_criterion criterion, uint32_t bits, uint64_t value) {
    switch (criterion) {
    case TWX_BY_CLEAN: return (bits & TWX_FACT_EXTRAS) != 0;
    case TWX_BY_PAGE: return (bits & TWX_FACT_VIEW) != 0;
    case TWX_BY_SCORE: return bits & TWX_FACT_SCORED ? ~value : UINT64_MAX;
    case TWX_BY_FETCHED_AT: return bits & TWX_FACT_DATED ? value ^ UINT64_C(1) << 63 : UINT64_MAX;
    case TWX_BY_VERSION:
    case TWX_BY_ORIGIN: return ~value;
    /* https is no demerit against the http URL of another page */
    case TWX_BY_URL_LENGTH: return bits & TWX_FACT_HTTPS && value ? value - 1 : value;
    default: return value;
    }
}

static uint64_t place_of(const twx_doc_table *p, const twx_preference *preference,
                         twx_criterion criterion, uint32_t i) {
    const twx_doc_row *row = &p->at.at[i];
    uint64_t value = 0;
    switch (criterion) {
    case TWX_BY_FORM: value = twx_doc_form(row); break;
    case TWX_BY_VERSION:
        value = preference->newest ? twx_doc_value(p, TWX_DOC_VERSION, i) : 0;
        break;
    case TWX_BY_SCORE: value = twx_doc_value(p, TWX_DOC_SCORE, i); break;
    case TWX_BY_ORIGIN: value = p->hosts.at[row->host].origin; break;
    case TWX_BY_URL_LENGTH: value = row->url_length; break;
    case TWX_BY_FETCHED_AT: value = twx_doc_value(p, TWX_DOC_FETCHED_AT, i); break;
    default: break;
    }
    return twx_criterion_place(criterion, row->bits, value);
}

/* The first line of the file is the strongest; 0, no line, comes after all lines. */
static uint32_t pin_place(const twx_doc_table *p, uint32_t i) {
    return p->preferred ? p->preferred[i] - 1 : 0;
}

static bool has(const twx_criterion *list, twx_criterion criterion) {
    size_t k = 0;
    while (k < TWX_CRITERIA && list[k] != TWX_BY_NOTHING && list[k] != criterion) k++;
    return k < TWX_CRITERIA && list[k] == criterion;
}

bool twx_order_has(const twx_preference *preference, twx_criterion criterion) {
    bool found = has(preference->criteria, criterion);
    for (size_t s = 1; preference->has_sections && s <= TWX_HOST_SECTIONS_MAX; s++)
        found |= has(preference->of_section[s], criterion);
    return found;
}

/* The section with a list of its own that applies to a document; 0: none. */
static unsigned ordered_section(const twx_doc_table *p, const twx_preference *preference,
                                uint32_t i) {
    const unsigned section = preference->has_sections ? p->hosts.at[p->at.at[i].host].section : 0;
    return section && preference->of_section[section][0] != TWX_BY_NOTHING ? section : 0;
}

const twx_criterion *twx_order_list(const twx_doc_table *p, const twx_preference *preference,
                                    uint32_t i, uint32_t j) {
    const unsigned section = ordered_section(p, preference, i);
    return section && section == ordered_section(p, preference, j) ? preference->of_section[section]
                                                                   : preference->criteria;
}

bool twx_order_is_placed(const twx_doc_table *p, const twx_preference *preference, uint32_t i,
                         uint32_t j) {
    return ordered_section(p, preference, i) != ordered_section(p, preference, j);
}

static int compare_by(const twx_doc_table *p, const twx_preference *preference,
                      const twx_criterion *list, uint32_t i, uint32_t j, twx_criterion *ret_by) {
    const uint32_t pin_i = pin_place(p, i), pin_j = pin_place(p, j);
    *ret_by = TWX_BY_PIN;
    if (pin_i != pin_j) return pin_i < pin_j ? -1 : 1;
    for (size_t k = 0; k < TWX_CRITERIA && list[k] != TWX_BY_NOTHING; k++) {
        const twx_criterion by = list[k];
        const uint64_t a = place_of(p, preference, by, i), b = place_of(p, preference, by, j);
        *ret_by = by;
        if (a != b) return a < b ? -1 : 1;
    }
    *ret_by = TWX_BY_ID;
    return (i > j) - (i < j);
}

int twx_order_compare(const twx_doc_table *p, const twx_preference *preference, uint32_t i,
                      uint32_t j, twx_criterion *ret_by) {
    return compare_by(p, preference, twx_order_list(p, preference, i, j), i, j, ret_by);
}

typedef struct ordering {
    const twx_doc_table *p;
    const twx_preference *preference;
    const twx_criterion *list;
    uint64_t *key; /* by document: the first criteria, as far as they fit; NULL: not made */
} ordering;

/* Packs the places of the criteria into one key each, the strongest one first, each with as many
 * bits as its values need; of the last one only the upper bits may fit. */
static void make_keys(const ordering *o) {
    const size_t n = o->p->at.n;
    unsigned left = 64;
    for (size_t k = 0; k < TWX_CRITERIA && o->list[k] != TWX_BY_NOTHING; k++) {
        const twx_criterion by = o->list[k];
        uint64_t least = UINT64_MAX, most = 0;
        for (uint32_t i = 0; i < n; i++) {
            const uint64_t place = place_of(o->p, o->preference, by, i);
            if (place < least) least = place;
            if (place > most) most = place;
        }
        if (n == 0 || least == most) continue;
        const unsigned bits = 64 - (unsigned)__builtin_clzll(most - least);
        const unsigned cut = bits > left ? bits - left : 0;
        left -= bits - cut;
        for (uint32_t i = 0; i < n; i++)
            o->key[i] |= (place_of(o->p, o->preference, by, i) - least) >> cut << left;
        if (left == 0) return;
    }
}

static int compare(const void *left, const void *right, void *arg) {
    const ordering *o = arg;
    const uint32_t i = *(const uint32_t *)left, j = *(const uint32_t *)right;
    twx_criterion unused;
    if (o->key && !o->p->preferred && o->key[i] != o->key[j]) return o->key[i] < o->key[j] ? -1 : 1;
    return compare_by(o->p, o->preference, o->list, i, j, &unused);
}

static void sort(const ordering *o, uint32_t *documents, size_t n) {
    qsort_r(documents, n, sizeof *documents, compare, (void *)(uintptr_t)o);
}

/* [R1] room: for all documents. */
static void sort_section(const twx_doc_table *p, const twx_preference *preference, unsigned section,
                         uint32_t *sorted, uint32_t *room) {
    const ordering o = {p, preference, preference->of_section[section], NULL};
    size_t n = 0;
    for (size_t i = 0; i < p->at.n; i++)
        if (p->hosts.at[p->at.at[sorted[i]].host].section == section) room[n++] = sorted[i];
    sort(&o, room, n);
    n = 0;
    for (size_t i = 0; i < p->at.n; i++)
        if (p->hosts.at[p->at.at[sorted[i]].host].section == section) sorted[i] = room[n++];
}

twx_rc twx_total_order(twx_ctx *cx, const twx_doc_table *p, const twx_preference *preference,
                       uint32_t **ret_rank) {
    const size_t n = p->at.n;
    const ordering o = {p, preference, preference->criteria, twx_calloc(cx, n, sizeof *o.key)};
    uint32_t *sorted = twx_malloc(cx, n * sizeof *sorted), *rank = twx_malloc(cx, n * sizeof *rank);
    const bool has_room = o.key && sorted && rank;
    if (has_room) {
        make_keys(&o);
        for (size_t i = 0; i < n; i++) sorted[i] = (uint32_t)i;
        sort(&o, sorted, n);
        for (unsigned s = 1; preference->has_sections && s <= TWX_HOST_SECTIONS_MAX; s++)
            if (preference->of_section[s][0] != TWX_BY_NOTHING)
                sort_section(p, preference, s, sorted, rank);
        for (size_t i = 0; i < n; i++) rank[sorted[i]] = (uint32_t)i;
        *ret_rank = rank;
    } else {
        twx_free(rank);
    }
    twx_free(o.key);
    twx_free(sorted);
    return has_room ? TWX_OK : TWX_E_NOMEM;
}
