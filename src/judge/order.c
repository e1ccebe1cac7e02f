/* This is the only place that knows what comes first in a criterion: keys of the order (order_key),
 * clusters and explanations use it.
 * [R1] Because there is only one order, the best document of a cluster is also the best of each of
 * its groups.
 * [R2] A criterion compares a value that a document has by itself, or of its domain.
 *
 *   form        no better form of its own URL takes part; then the better form (forms)
 *   clean       nothing can be removed from the URL (TWX_FACT_EXTRAS)
 *   page        it is no form for print, AMP or mobile devices (TWX_FACT_VIEW)
 *   edition     fewer newer editions of its page (editions); 0 without editions
 *   score       the larger score; none comes last
 *   origin      more texts that no other domain has (origin)
 *   url_length  the shorter URL, http and https being equally long
 *   fetched_at  the older capture; without a date comes last
 *
 * Those of the first four that the configured list does not name precede it, in this order. `form`
 * always comes first, because a survivor passes the filters on the forms of URLs.
 *
 * [R3] A section of hosts may have a list of its own. The order stays one total order: in the order
 * of the store, the documents of the section take the places that documents of the section have
 * there, but among themselves in the order of their own list. So two documents of one section are
 * compared by its list, two documents without such sections by the store's, and a document of a
 * section and another one by the place. Pins and `form` begin every list, so documents that they
 * put first stay first. */
#include "judge/internal.h"

#include <math.h>

/* ==== order */

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

/* The place of a document in a criterion, smaller first. value: of the criterion: the form, the
 * steps, the length, the origin, the date, or what has the order of the score. bits: twx_fact_bit
 */
static uint64_t criterion_place(twx_criterion criterion, uint32_t bits, uint64_t value) {
    switch (criterion) {
    case TWX_BY_CLEAN: return (bits & TWX_FACT_EXTRAS) != 0;
    case TWX_BY_PAGE: return (bits & TWX_FACT_VIEW) != 0;
    case TWX_BY_SCORE: return bits & TWX_FACT_SCORED ? ~value : UINT64_MAX;
    case TWX_BY_FETCHED_AT: return bits & TWX_FACT_DATED ? value ^ UINT64_C(1) << 63 : UINT64_MAX;
    case TWX_BY_ORIGIN: return ~value;
    /* https is no demerit against the http URL of another page */
    case TWX_BY_URL_LENGTH: return bits & TWX_FACT_HTTPS && value ? value - 1 : value;
    default: return value;
    }
}

static uint64_t place_of(const twx_doc_table *p, twx_criterion criterion, uint32_t i) {
    const twx_doc_row *row = &p->at.at[i];
    uint64_t value = 0;
    switch (criterion) {
    /* the first line of the file is the strongest; 0, no line, comes after all lines */
    case TWX_BY_PIN: value = p->preferred ? p->preferred[i] - 1 : 0; break;
    case TWX_BY_FORM: value = row->bits >> TWX_DOC_FORM; break; /* judge/groups.c */
    case TWX_BY_EDITION: value = twx_doc_value(p, TWX_DOC_EDITION, i); break;
    case TWX_BY_SCORE: value = twx_doc_value(p, TWX_DOC_SCORE, i); break;
    case TWX_BY_ORIGIN: value = p->hosts.at[row->host].origin; break;
    case TWX_BY_URL_LENGTH: value = row->url_length; break;
    case TWX_BY_FETCHED_AT: value = twx_doc_value(p, TWX_DOC_FETCHED_AT, i); break;
    default: break;
    }
    return criterion_place(criterion, row->bits, value);
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

/* Criterion k of a list, after the pins, which always come first. */
static twx_criterion criterion_at(const twx_criterion *list, size_t k) {
    return k == 0 ? TWX_BY_PIN : k <= TWX_CRITERIA ? list[k - 1] : TWX_BY_NOTHING;
}

static int compare_by(const twx_doc_table *p, const twx_criterion *list, uint32_t i, uint32_t j,
                      twx_criterion *ret_by) {
    for (size_t k = 0; (*ret_by = criterion_at(list, k)) != TWX_BY_NOTHING; k++) {
        const uint64_t a = place_of(p, *ret_by, i), b = place_of(p, *ret_by, j);
        if (a != b) return a < b ? -1 : 1;
    }
    *ret_by = TWX_BY_ID;
    return (i > j) - (i < j);
}

int twx_order_compare(const twx_doc_table *p, const twx_preference *preference, uint32_t i,
                      uint32_t j, twx_criterion *ret_by) {
    return compare_by(p, twx_order_list(p, preference, i, j), i, j, ret_by);
}

typedef struct ordering {
    const twx_doc_table *p;
    const twx_criterion *list;
} ordering;

/* Packs the places of the criteria into one key each, by document, the strongest one first, each
 * with as many bits as its values need; of the last one only the upper bits may fit. Do all fit? */
static bool make_keys(const ordering *o, uint64_t *key) {
    const size_t n = o->p->at.n;
    unsigned left = 64;
    twx_criterion by;
    for (size_t k = 0; (by = criterion_at(o->list, k)) != TWX_BY_NOTHING; k++) {
        uint64_t least = UINT64_MAX, most = 0;
        for (uint32_t i = 0; i < n; i++) {
            const uint64_t place = place_of(o->p, by, i);
            if (place < least) least = place;
            if (place > most) most = place;
        }
        if (n == 0 || least == most) continue;
        const unsigned bits = 64 - (unsigned)__builtin_clzll(most - least);
        const unsigned cut = bits > left ? bits - left : 0;
        left -= bits - cut;
        for (uint32_t i = 0; i < n; i++) key[i] |= (place_of(o->p, by, i) - least) >> cut << left;
        if (left == 0) return false;
    }
    return true;
}

static int compare(const void *left, const void *right, void *arg) {
    const ordering *o = arg;
    twx_criterion unused;
    return compare_by(o->p, o->list, *(const uint32_t *)left, *(const uint32_t *)right, &unused);
}

static void sort(const ordering *o, uint32_t *documents, size_t n) {
    if (n > 1) qsort_r(documents, n, sizeof *documents, compare, (void *)(uintptr_t)o);
}

/* Sorts all by their keys, and those with equal keys by what did not fit into these. room: for all
 * documents. */
static void sort_all(const ordering *o, uint64_t *key, uint32_t *sorted, uint32_t *room) {
    const size_t n = o->p->at.n;
    const bool fit = make_keys(o, key);
    for (size_t i = 0; i < n; i++) sorted[i] = (uint32_t)i;
    twx_sort_by_key(sorted, room, n, key);
    for (size_t from = 0, to; !fit && from < n; from = to) {
        for (to = from + 1; to < n && key[sorted[to]] == key[sorted[from]];) to++;
        sort(o, sorted + from, to - from);
    }
}

/* [R3] room: for all documents. */
static void sort_section(const twx_doc_table *p, const twx_preference *preference, unsigned section,
                         uint32_t *sorted, uint32_t *room) {
    const ordering o = {p, preference->of_section[section]};
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
    const ordering o = {p, preference->criteria};
    uint64_t *key = twx_calloc(cx, n, sizeof *key);
    uint32_t *sorted = twx_malloc(cx, n * sizeof *sorted), *rank = twx_malloc(cx, n * sizeof *rank);
    const bool has_room = key && sorted && rank;
    if (has_room) {
        sort_all(&o, key, sorted, rank);
        for (unsigned s = 1; preference->has_sections && s <= TWX_HOST_SECTIONS_MAX; s++)
            if (preference->of_section[s][0] != TWX_BY_NOTHING)
                sort_section(p, preference, s, sorted, rank);
        for (size_t i = 0; i < n; i++) rank[sorted[i]] = (uint32_t)i;
        *ret_rank = rank;
    } else {
        twx_free(rank);
    }
    twx_free(key);
    twx_free(sorted);
    return has_room ? TWX_OK : TWX_E_NOMEM;
}

/* ==== order_key */

/* First bytes of ids, in their order. */
enum { BELOW_INTEGERS = 0x0F, INTEGERS = 0x10, ABOVE_INTEGERS = 0x11, TEXT = 0x20, BLOB = 0x30 };

static const double TWO_63 = 9223372036854775808.0;

static twx_rc add_big(twx_ctx *cx, twx_buf *out, uint64_t v) {
    char bytes[8];
    twx_store_be64(bytes, v);
    return twx_buf_add(cx, out, bytes, sizeof bytes);
}

/* An integer and the equal real are the same key, as they are the same id for SQLite. */
static twx_rc add_integer(twx_ctx *cx, twx_buf *out, int64_t whole, bool has_fraction) {
    twx_rc rc = twx_buf_add_char(cx, out, INTEGERS);
    if (rc == TWX_OK) rc = add_big(cx, out, (uint64_t)whole ^ UINT64_C(1) << 63);
    return rc == TWX_OK ? twx_buf_add_char(cx, out, has_fraction) : rc;
}

static twx_rc add_real(twx_ctx *cx, twx_buf *out, double r) {
    const double whole = floor(r);
    const bool among_integers = whole >= -TWO_63 && whole < TWO_63;
    twx_rc rc = among_integers
                    ? add_integer(cx, out, (int64_t)whole, r != whole)
                    : twx_buf_add_char(cx, out, whole < 0 ? BELOW_INTEGERS : ABOVE_INTEGERS);
    if (among_integers && r == whole) return rc;
    /* the number itself: a difference to `whole` would be rounded */
    return rc == TWX_OK ? add_big(cx, out, twx_score_order(r)) : rc;
}

/* 0 becomes 0 0xFF; the end is 0 0, which is smaller than anything that could follow. */
static twx_rc add_bytes(twx_ctx *cx, twx_buf *out, char type, twx_slice bytes) {
    twx_rc rc = twx_buf_add_char(cx, out, type);
    for (size_t i = 0; rc == TWX_OK && i < bytes.n; i++) {
        rc = twx_buf_add_char(cx, out, bytes.p[i]);
        if (rc == TWX_OK && bytes.p[i] == '\0') rc = twx_buf_add_char(cx, out, (char)0xFF);
    }
    return rc == TWX_OK ? twx_buf_add(cx, out, "\0\0", 2) : rc;
}

twx_rc twx_order_key_id(twx_ctx *cx, const twx_value *id, twx_buf *out) {
    switch (id->type) {
    case TWX_INT: return add_integer(cx, out, id->i, false);
    case TWX_REAL: return add_real(cx, out, id->r);
    case TWX_TEXT: return add_bytes(cx, out, TEXT, id->bytes);
    default: return add_bytes(cx, out, BLOB, id->bytes);
    }
}

static size_t width_before(const twx_preference *preference, twx_criterion criterion,
                           bool *ret_has) {
    size_t n = 0;
    *ret_has = false;
    for (size_t k = 0; k < TWX_CRITERIA; k++) {
        *ret_has = preference->criteria[k] == criterion;
        if (*ret_has || preference->criteria[k] == TWX_BY_NOTHING) break;
        n += CRITERIA[preference->criteria[k]].bytes;
    }
    return n;
}

size_t twx_order_key_at(const twx_preference *preference, twx_criterion criterion) {
    bool has = false;
    const size_t n = width_before(preference, criterion, &has);
    return has ? n + 1 : 0;
}

static twx_rc add_criterion(twx_ctx *cx, twx_buf *out, twx_criterion criterion, const twx_facts *f,
                            const twx_order_values *values) {
    const size_t n = CRITERIA[criterion].bytes;
    char bytes[8];
    uint64_t value = 0;
    switch (criterion) {
    case TWX_BY_FORM: value = values->form + 1u; break; /* no byte that may change is 0 */
    case TWX_BY_SCORE: value = f->score_order; break;
    case TWX_BY_ORIGIN: value = values->origin; break;
    case TWX_BY_URL_LENGTH: value = f->url_length; break;
    case TWX_BY_FETCHED_AT: value = (uint64_t)f->fetched_at; break;
    default: break;
    }
    twx_store_be64(bytes, criterion_place(criterion, f->bits, value));
    return twx_buf_add(cx, out, bytes + sizeof bytes - n, n);
}

twx_rc twx_order_key_criteria(twx_ctx *cx, const twx_facts *facts, const twx_preference *preference,
                              const twx_order_values *values, twx_buf *out) {
    twx_rc rc = TWX_OK;
    for (size_t k = 0; rc == TWX_OK && k < TWX_CRITERIA; k++)
        rc = add_criterion(cx, out, preference->criteria[k], facts, values);
    return rc;
}

/* Each reader advances *rest; false: the bytes are not what was written. */

static bool take_byte(twx_slice *rest, unsigned char *ret_byte) {
    if (rest->n == 0) return false;
    *ret_byte = (unsigned char)rest->p[0];
    *rest = twx_slice_sub(*rest, 1, rest->n);
    return true;
}

static bool skip(twx_slice *rest, size_t n) {
    if (rest->n < n) return false;
    *rest = twx_slice_sub(*rest, n, rest->n);
    return true;
}

static bool take_big(twx_slice *rest, uint64_t *ret_v) {
    if (rest->n < 8) return false;
    *ret_v = twx_load_be64(rest->p);
    return skip(rest, 8);
}

/* The number whose place in the order this is (twx_score_order()). */
static double score_at(uint64_t order) {
    const uint64_t bits = order >> 63 ? order & ~(UINT64_C(1) << 63) : ~order;
    double score = 0;
    memcpy(&score, &bits, sizeof score);
    return score;
}

static bool take_integer(twx_slice *rest, twx_value *ret_id) {
    uint64_t place = 0, order = 0;
    unsigned char has_fraction = 0;
    if (!take_big(rest, &place) || !take_byte(rest, &has_fraction) || has_fraction > 1)
        return false;
    const int64_t whole = (int64_t)(place ^ UINT64_C(1) << 63);
    *ret_id = (twx_value){.type = TWX_INT, .i = whole};
    if (!has_fraction) return true;
    if (!take_big(rest, &order)) return false;
    *ret_id = (twx_value){.type = TWX_REAL, .r = score_at(order)};
    return floor(ret_id->r) == (double)whole && ret_id->r != (double)whole;
}

static bool take_outer_real(twx_slice *rest, twx_value *ret_id) {
    uint64_t order = 0;
    if (!take_big(rest, &order)) return false;
    *ret_id = (twx_value){.type = TWX_REAL, .r = score_at(order)};
    return !isnan(ret_id->r);
}

/* ret_bytes: room for rest->n bytes */
static bool take_bytes(twx_slice *rest, char *ret_bytes, size_t *ret_n) {
    size_t n = 0;
    for (size_t i = 0; i + 1 < rest->n; i++) {
        const char c = rest->p[i];
        if (c == '\0' && rest->p[i + 1] == '\0') {
            *ret_n = n;
            return skip(rest, i + 2);
        }
        ret_bytes[n++] = c;
        if (c == '\0' && rest->p[++i] != (char)0xFF) return false;
    }
    return false;
}

static twx_rc read_bytes(twx_ctx *cx, twx_arena *a, twx_type type, twx_slice *rest,
                         twx_value *ret_id, bool *ret_whole) {
    char *bytes = twx_arena_alloc(cx, a, rest->n + 1, 1);
    size_t n = 0;
    if (!bytes) return TWX_E_NOMEM;
    *ret_whole = take_bytes(rest, bytes, &n);
    *ret_id = (twx_value){.type = type, .bytes = {bytes, n}};
    return TWX_OK;
}

static twx_rc read_id(twx_ctx *cx, twx_arena *a, twx_slice *rest, twx_value *ret_id,
                      bool *ret_whole) {
    unsigned char type = 0;
    *ret_whole = take_byte(rest, &type);
    switch (*ret_whole ? type : 0) {
    case INTEGERS: *ret_whole = take_integer(rest, ret_id); return TWX_OK;
    case BELOW_INTEGERS:
    case ABOVE_INTEGERS: *ret_whole = take_outer_real(rest, ret_id); return TWX_OK;
    case TEXT: return read_bytes(cx, a, TWX_TEXT, rest, ret_id, ret_whole);
    case BLOB: return read_bytes(cx, a, TWX_BLOB, rest, ret_id, ret_whole);
    default: *ret_whole = false; return TWX_OK;
    }
}

twx_rc twx_order_key_read(twx_ctx *cx, const twx_preference *preference, twx_arena *a,
                          twx_slice *bytes, twx_value *ret_id) {
    twx_slice rest = *bytes;
    twx_value id = {.type = TWX_NULL};
    bool unused = false;
    twx_rc rc = TWX_OK;
    bool whole = skip(&rest, width_before(preference, TWX_BY_ID, &unused));
    if (whole) rc = read_id(cx, a, &rest, &id, &whole);
    if (rc == TWX_OK && !whole)
        rc = twx_fail(cx, TWX_E_DATA, "the place of a document in the order is damaged");
    if (rc != TWX_OK) return rc;
    *bytes = rest;
    *ret_id = id;
    return TWX_OK;
}
