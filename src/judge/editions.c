#include "judge/internal.h"

/* ==== editions */

enum {
    VALUES_MAX = 400,    /* of a place: more are no editions */
    PAGES_MIN = 3,       /* in two editions or more */
    PLAIN_PAGES_MIN = 8, /* the same of numbers, years and dates, which may be anything */
    SAMPLE = 256,        /* pages of a place that are compared to learn whether it names editions */
    WORDS_MAX = 4,       /* of a value, such as "2" and "1" of "2_1" */
    SAME_PPM = 950000,   /* similarity of pages that did not change but for the edition's name */
    EQUAL_PPM = 990000,  /* of pages that did not change at all */
    HIGH_PPM = 800000,   /* of pages that changed little */
    YEAR_MIN = 1900,
    NAMED_MAX = 64,    /* documents of one name that a copy elsewhere is compared with */
    READ = 24,         /* pages of a place whose texts are read */
    TRIPLES = 6,       /* editions of such a page that are compared with both neighbours */
    FRESH_MIN = 100,   /* shingles that came new, so that the share of those that stayed counts */
    KEPT_PERCENT = 40, /* the least share */
    SURELY_KEPT_PERCENT = 60, /* whatever the titles say */
    SHINGLE_WORDS = 3,
    PARTS_MIN = 16,       /* pairs of titles of which one is part of the other */
    RELATED_PPM = 500000, /* of texts whose names differ */
    MILLION = 1000000
};

/* A value of a place. */
typedef struct place_value {
    uint32_t value;  /* into twx_editions.values */
    uint32_t stands; /* of a name of the newest release: the value it is; itself otherwise */
    uint64_t order;  /* after released: larger is newer */
    bool released;
} place_value;

/* A candidate of a page in the set of documents that are editions of each other. */
typedef struct joined {
    uint32_t candidate, set;
    const place_value *value;
} joined;

/* A document whose URL is that of a page without the place. */
typedef struct absent {
    uint32_t page, candidate;
} absent;

typedef struct learner {
    twx_ctx *cx;
    twx_doc_set *j;
    twx_editions *e;
    const twx_grouping *how;
    twx_params params;         /* of the detector, with the threshold of editions */
    twx_runs pages;            /* candidates of one page in one place */
    TWX_VEC(uint32_t) by_slot; /* pages, in order of their places */
    uint32_t *from;            /* by place: its first page in by_slot; one more at the end */
    TWX_VEC(absent) absent;    /* in order of pages */
    /* Of the place that is looked at */
    uint32_t slot;
    TWX_VEC(place_value) values;
    TWX_VEC(uint32_t) words; /* of its values, which titles may have */
    uint32_t *value_at;      /* by value: its place in `values`, if it has one */
    TWX_VEC(uint32_t) page;  /* candidates of one page */
    TWX_VEC(joined) joined;
    bool by_title;     /* pages with one title are editions, however their texts differ */
    twx_titles agreed; /* these and more agree */
    uint8_t *taken;    /* by document: it has its place */
} learner;

/* Is the part at least this percentage of all? */
static bool is_share(uint64_t part, uint64_t all, uint64_t percent) {
    return part * 100 >= all * percent;
}

/* ---- pages -------------------------------------------------------------- */

static bool takes_part(const learner *l, uint32_t document) {
    return l->how->eligibility[document] == TWX_ELIGIBLE;
}

/* [R5] */
static bool is_learned_from(const learner *l, uint32_t document) {
    return takes_part(l, document) || l->how->eligibility[document] == TWX_CANONICALISED;
}

static bool counts(const learner *l, uint32_t document) {
    const uint8_t e = l->how->eligibility[document];
    return (is_learned_from(l, document) || e == TWX_NOINDEX || e == TWX_REDIRECTED) &&
           l->j->near.node[document] != TWX_NO_DOCUMENT;
}

static twx_rc take_page(void *arg, uint32_t *members, size_t n) {
    learner *l = arg;
    const twx_edition_candidate *c = l->e->candidates.at;
    bool differ = false;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (!counts(l, c[members[i]].document)) continue;
        members[kept++] = members[i];
        differ |= c[members[i]].value != c[members[0]].value;
    }
    return differ ? twx_runs_add(l->cx, &l->pages, members, kept) : TWX_OK;
}

static const twx_edition_candidate *first_of(const learner *l, size_t page) {
    return &l->e->candidates.at[l->pages.members.at[twx_runs_start(&l->pages, page)]];
}

TWX_ORDER_2(by_page, absent, page, candidate)

static twx_rc list_pages(learner *l) {
    const size_t slots = l->e->slots.n, n = l->pages.ends.n;
    l->from = twx_calloc(l->cx, slots + 1, sizeof *l->from);
    if (!l->from || !TWX_VEC_RESERVE(l->cx, &l->by_slot, n)) return TWX_E_NOMEM;
    for (size_t p = 0; p < n; p++) l->from[first_of(l, p)->slot]++;
    for (size_t s = 1; s <= slots; s++) l->from[s] += l->from[s - 1];
    l->by_slot.n = n;
    /* each insertion moves the end of a place down to its beginning */
    for (size_t p = n; p-- > 0;) l->by_slot.at[--l->from[first_of(l, p)->slot]] = (uint32_t)p;
    return TWX_OK;
}

static size_t pages_of(const learner *l, uint32_t slot) {
    return l->from[slot + 1] - l->from[slot];
}

/* docs/tour is an edition of docs/2.0/tour, and docs/next/tour: usually the newest one. */
static twx_rc find_absent(learner *l) {
    twx_editions *e = l->e;
    const twx_near *near = &l->j->near;
    const uint32_t value = (uint32_t)e->values.n;
    const twx_edition_value none = {.edition = {.kind = TWX_EDITION_ABSENT}};
    twx_map64 page_of = {0}; /* form of a URL without the place -> page */
    uint64_t page;
    twx_rc rc = TWX_VEC_PUSH(l->cx, &e->values, none) ? TWX_OK : TWX_E_NOMEM;
    for (page = 0; rc == TWX_OK && page < l->pages.ends.n; page++)
        if (pages_of(l, first_of(l, page)->slot) >= PAGES_MIN)
            rc = twx_map64_put(l->cx, &page_of, first_of(l, page)->page, page);
    for (uint32_t i = 0; rc == TWX_OK && i < near->pages.n; i++) {
        if (!twx_map64_get(&page_of, twx_near_page_of(near, i).form, &page) || !counts(l, i))
            continue;
        const absent a = {(uint32_t)page, (uint32_t)e->candidates.n};
        twx_edition_candidate c = *first_of(l, page);
        c.document = i;
        c.value = value;
        if (!TWX_VEC_PUSH(l->cx, &l->absent, a) || !TWX_VEC_PUSH(l->cx, &e->candidates, c))
            rc = TWX_E_NOMEM;
    }
    if (l->absent.n) qsort(l->absent.at, l->absent.n, sizeof *l->absent.at, by_page);
    twx_map64_done(&page_of);
    return rc;
}

/* ---- the values of a place ---------------------------------------------- */

static const twx_edition *edition_of(const learner *l, uint32_t value) {
    return &l->e->values.at[value].edition;
}

static place_value *value_of(const learner *l, uint32_t value) {
    const uint32_t at = l->value_at[value];
    return at < l->values.n && l->values.at[at].value == value ? &l->values.at[at] : NULL;
}

/* The page's candidates, sorted by `by`. */
static twx_rc read_page(learner *l, size_t at, int (*by)(const void *, const void *, void *)) {
    const uint32_t page = l->by_slot.at[at];
    size_t from = 0, to = l->absent.n;
    l->page.n = 0;
    for (uint64_t k = twx_runs_start(&l->pages, page); k < l->pages.ends.at[page]; k++)
        if (!TWX_VEC_PUSH(l->cx, &l->page, l->pages.members.at[k])) return TWX_E_NOMEM;
    TWX_BISECT(from, to, l->absent.at[middle].page < page);
    for (; from < l->absent.n && l->absent.at[from].page == page; from++)
        if (!TWX_VEC_PUSH(l->cx, &l->page, l->absent.at[from].candidate)) return TWX_E_NOMEM;
    if (by) qsort_r(l->page.at, l->page.n, sizeof *l->page.at, by, l);
    return TWX_OK;
}

static uint32_t candidate_value(const learner *l, size_t k) {
    return l->e->candidates.at[l->page.at[k]].value;
}

static uint32_t candidate_document(const learner *l, size_t k) {
    return l->e->candidates.at[l->page.at[k]].document;
}

static int by_value(const void *left, const void *right, void *arg) {
    const learner *l = arg;
    const twx_edition_candidate *c = l->e->candidates.at;
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return c[a].value != c[b].value ? (c[a].value < c[b].value ? -1 : 1) : (a > b) - (a < b);
}

/* [R5] Leaves in l->page what is learned from; nothing if that is one edition only. */
static bool keep_learned(learner *l) {
    const twx_edition_candidate *c = l->e->candidates.at, *last = NULL;
    bool differ = false;
    size_t kept = 0;
    for (size_t k = 0; k < l->page.n; k++) {
        const twx_edition_candidate *own = &c[l->page.at[k]];
        if (!is_learned_from(l, own->document)) continue;
        l->page.at[kept++] = l->page.at[k];
        if (edition_of(l, own->value)->kind == TWX_EDITION_ABSENT) continue;
        differ |= last && last->value != own->value;
        last = own;
    }
    l->page.n = differ ? kept : 0;
    return differ;
}

/* false in *ret_few: there are too many. *ret_pages: those that are learned from. */
static twx_rc list_values(learner *l, bool *ret_few, size_t *ret_pages) {
    twx_rc rc = TWX_OK;
    l->values.n = *ret_pages = 0;
    for (uint32_t at = l->from[l->slot]; rc == TWX_OK && at < l->from[l->slot + 1]; at++) {
        rc = read_page(l, at, by_value);
        for (size_t k = 0; rc == TWX_OK && k < l->page.n && l->values.n <= VALUES_MAX; k++) {
            const uint32_t value = candidate_value(l, k);
            const place_value fresh = {.value = value,
                                       .stands = value,
                                       .order = edition_of(l, value)->order,
                                       .released = edition_of(l, value)->kind !=
                                                   TWX_EDITION_UNRELEASED};
            if (value_of(l, value)) continue;
            l->value_at[value] = (uint32_t)l->values.n;
            if (!TWX_VEC_PUSH(l->cx, &l->values, fresh)) rc = TWX_E_NOMEM;
        }
        *ret_pages += keep_learned(l);
    }
    *ret_few = l->values.n <= VALUES_MAX;
    return rc;
}

/* Which release a name such as `latest`, or "3" among versions, stands for: the one with which it
 * shares most texts, if these are half of the pages that both have; otherwise it is newer than all.
 */
static twx_rc resolve_name(learner *l, place_value *name, bool is_series) {
    const twx_edition_kind kind = edition_of(l, name->value)->kind;
    const bool is_name = is_series ? kind == TWX_EDITION_PLAIN
                                   : kind == TWX_EDITION_LATEST || kind == TWX_EDITION_ABSENT;
    if (!is_name) return TWX_OK;
    struct shared {
        uint32_t pages, same;
    } *with = twx_calloc(l->cx, l->values.n, sizeof *with);
    twx_rc rc = with ? TWX_OK : TWX_E_NOMEM;
    for (uint32_t at = l->from[l->slot]; rc == TWX_OK && at < l->from[l->slot + 1]; at++) {
        rc = read_page(l, at, by_value);
        (void)keep_learned(l);
        for (size_t k = 0; rc == TWX_OK && k < l->page.n; k++) {
            if (candidate_value(l, k) != name->value) continue;
            const uint32_t node = l->j->near.node[candidate_document(l, k)];
            for (size_t m = 0; m < l->page.n; m++) {
                const uint32_t value = candidate_value(l, m);
                if (value == name->value) continue;
                const size_t place = (size_t)(value_of(l, value) - l->values.at);
                with[place].pages++;
                with[place].same += l->j->near.node[candidate_document(l, m)] == node;
            }
            break;
        }
    }
    const place_value *best = NULL;
    for (size_t k = 0; rc == TWX_OK && k < l->values.n; k++) {
        const place_value *v = &l->values.at[k];
        const twx_edition_kind of = edition_of(l, v->value)->kind;
        if (v == name || (of != TWX_EDITION_VERSION && (is_series || of != TWX_EDITION_PLAIN)) ||
            !is_share(with[k].same, with[k].pages, 50) || with[k].same == 0)
            continue;
        const uint32_t same = with[k].same, most = best ? with[best - l->values.at].same : 0;
        if (!best || same > most ||
            (same == most &&
             (v->order > best->order ||
              (v->order == best->order &&
               strcmp(l->e->values.at[v->value].text, l->e->values.at[best->value].text) < 0))))
            best = v;
    }
    if (best || !is_series) name->order = best ? best->order : UINT64_MAX;
    if (best) name->stands = best->stands;
    twx_free(with);
    return rc;
}

/* ---- two editions of a page --------------------------------------------- */

static const place_value *standing(const learner *l, size_t k) {
    return value_of(l, candidate_value(l, k));
}

static bool are_one(const place_value *a, const place_value *b) {
    return a->released == b->released && a->order == b->order;
}

/* A name that stands for a release. */
static bool is_name(const place_value *v) {
    return v->stands != v->value;
}

/* Released ones first, then by order, names before what they stand for, then by document. */
static int newest_first(const void *left, const void *right, void *arg) {
    const learner *l = arg;
    const twx_edition_candidate *c = l->e->candidates.at;
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const place_value *x = value_of(l, c[a].value), *y = value_of(l, c[b].value);
    if (x->released != y->released) return x->released ? -1 : 1;
    if (x->order != y->order) return x->order > y->order ? -1 : 1;
    if (is_name(x) != is_name(y)) return is_name(x) ? -1 : 1;
    return (c[a].document > c[b].document) - (c[a].document < c[b].document);
}

/* In the order in which texts are edited: what is not released yet is the last step. */
static int latest_first(const void *left, const void *right, void *arg) {
    const learner *l = arg;
    const twx_edition_candidate *c = l->e->candidates.at;
    const uint64_t x = value_of(l, c[*(const uint32_t *)left].value)->order,
                   y = value_of(l, c[*(const uint32_t *)right].value)->order;
    return x != y ? (x > y ? -1 : 1) : newest_first(left, right, arg);
}

static twx_titles titles_of(const learner *l, uint32_t a, uint32_t b) {
    return l->j->near.copies ? twx_names_agree_without(&l->j->near.names, l->how->p, a, b,
                                                       l->words.at, l->words.n)
                             : TWX_TITLES_UNKNOWN;
}

/* -1: they cannot be compared, because one of the texts is short. */
static int32_t similarity(const learner *l, uint32_t a, uint32_t b) {
    const twx_near *near = &l->j->near;
    const uint32_t x = near->node[a], y = near->node[b];
    char room[2][TWX_PIECE_MAX];
    if (x == y) return MILLION;
    if (!twx_near_has(near, a) || !twx_near_has(near, b)) return -1;
    const int32_t found = near->detector->verify(&l->params,
                                                 twx_pieces_get(&near->payloads, x, room[0]),
                                                 twx_pieces_get(&near->payloads, y, room[1]));
    return found < 0 ? 0 : found;
}

static bool are_related(const learner *l, twx_titles titles, int32_t found) {
    if (found < 0) return titles == TWX_TITLES_EQUAL;
    return found >= (int32_t)(titles >= l->agreed ? l->j->options->edition_ppm : RELATED_PPM);
}

static bool are_editions(const learner *l, uint32_t a, uint32_t b) {
    const twx_titles titles = titles_of(l, a, b);
    return (l->by_title && titles == TWX_TITLES_EQUAL) ||
           are_related(l, titles, similarity(l, a, b));
}

/* ---- places that name editions ------------------------------------------ */

/* What pairs of neighbouring editions of its pages say about a place. */
typedef struct evidence {
    size_t pairs, related, same, equal, high; /* by similarity */
    size_t titled, agree;      /* both have titles; they are equal but for the edition */
    size_t part, part_related; /* one is part of the other; the texts are related as well */
    uint64_t fresh, kept;      /* shingles */
} evidence;

/* Sets ret_set to the shingles of document i; a text that cannot be read has none. */
static twx_rc read_shingles(learner *l, uint32_t i, twx_arena *scratch, twx_shingles *ret_set) {
    const twx_shingling how = {.words = SHINGLE_WORDS};
    twx_buf text;
    twx_buf_init(&text, TWX_WORD_COUNTS_TEXT_MAX);
    *ret_set = (twx_shingles){0};
    twx_rc rc = l->j->near.texts->read(l->j->near.texts->arg, i, &text);
    if (rc == TWX_OK) rc = twx_shingles_of(l->cx, scratch, &how, twx_buf_slice(&text), ret_set);
    if (rc == TWX_OK) rc = twx_shingles_unique(l->cx, scratch, ret_set);
    twx_buf_done(&text);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* Of the shingles that an edition of l->page has and the one before has not, how many has the one
 * after? Whoever edits a text keeps most of what came new; the texts of two buses have nothing to
 * do with a third one. */
static twx_rc count_kept(learner *l, evidence *e) {
    twx_arena scratch;
    twx_shingles set[TRIPLES + 2];
    size_t n = 0;
    twx_rc rc = TWX_OK;
    twx_arena_init(&scratch, 0);
    for (size_t k = 0, last = 0; rc == TWX_OK && k < l->page.n && n < TRIPLES + 2; k++) {
        if (k > 0 && are_one(standing(l, last), standing(l, k))) continue;
        last = k;
        rc = read_shingles(l, candidate_document(l, k), &scratch, &set[n++]);
    }
    for (size_t k = 1; rc == TWX_OK && k + 1 < n; k++) /* the newest is set[0] */
        if (set[k - 1].n && set[k + 1].n)
            twx_shingles_kept(&set[k + 1], &set[k], &set[k - 1], &e->fresh, &e->kept);
    twx_arena_done(&scratch);
    return rc;
}

static twx_rc collect_evidence(learner *l, evidence *e) {
    twx_rc rc = TWX_OK;
    size_t sample = 0;
    for (uint32_t at = l->from[l->slot]; rc == TWX_OK && at < l->from[l->slot + 1]; at++) {
        rc = read_page(l, at, latest_first);
        if (!keep_learned(l)) continue;
        for (size_t k = 1; rc == TWX_OK && k < l->page.n; k++) {
            const uint32_t a = candidate_document(l, k - 1), b = candidate_document(l, k);
            if (are_one(standing(l, k), standing(l, k - 1))) continue;
            const int32_t found = similarity(l, a, b);
            const twx_titles titles = titles_of(l, a, b);
            e->pairs++;
            e->related += are_related(l, titles, found);
            e->same += found >= SAME_PPM;
            e->equal += found >= EQUAL_PPM;
            e->high += found >= HIGH_PPM;
            e->titled += titles != TWX_TITLES_UNKNOWN;
            e->agree += titles == TWX_TITLES_EQUAL;
            e->part += titles == TWX_TITLES_CONTAINED;
            e->part_related += titles == TWX_TITLES_CONTAINED && found >= RELATED_PPM;
        }
        if (rc == TWX_OK && l->j->near.texts && sample < READ) rc = count_kept(l, e);
        if (rc == TWX_OK) rc = twx_cancelled(l->cx);
        if (++sample == SAMPLE) break;
    }
    return rc;
}

/* [R2] The percentages are those that its sentences name; plain: of numbers, years and dates. */
static bool is_evident(const evidence *e, bool plain, bool dated) {
    const bool copied = plain ? is_share(e->same, e->pairs, 40) : e->same * 3 >= e->pairs;
    const bool titled = is_share(e->agree, e->titled, 60);
    if (e->pairs == 0) return false;
    if (e->fresh >= FRESH_MIN)
        return (titled || is_share(e->kept, e->fresh, SURELY_KEPT_PERCENT)) &&
               is_share(e->kept, e->fresh, KEPT_PERCENT) && (!dated || copied);
    return titled && copied && is_share(e->high, e->pairs, 90) &&
           is_share(e->equal, e->pairs, plain ? 40 : 30);
}

/* Does the place name editions? Then its values are in order. */
static twx_rc learn_place(learner *l, bool *ret_named) {
    size_t pages = 0, of[TWX_EDITION_ABSENT + 1] = {0}; /* values, by kind */
    bool few = false, dated = false; /* years name other pages rather than other editions of one */
    const bool is_pinned = l->e->pinned.at[l->slot];
    *ret_named = false;
    twx_rc rc = list_values(l, &few, &pages);
    if (rc != TWX_OK || !few) return rc;
    for (size_t k = 0; k < l->values.n; k++) {
        const twx_edition *v = edition_of(l, l->values.at[k].value);
        of[v->kind]++;
        dated |= v->kind == TWX_EDITION_PLAIN && v->order >> 48 >= YEAR_MIN;
    }
    const size_t versions = of[TWX_EDITION_VERSION], numbers = of[TWX_EDITION_PLAIN];
    const bool names = l->values.n > versions + numbers; /* numbers may be anything */
    const bool plain = versions < 2 && versions + names < 2 + (numbers > versions);
    if (!is_pinned &&
        (pages < l->values.n * (plain ? 2 : 1) || pages < (plain ? PLAIN_PAGES_MIN : PAGES_MIN)))
        return TWX_OK;
    for (int series = !plain; rc == TWX_OK && series >= 0; series--) /* names of a series first */
        for (size_t k = 0; rc == TWX_OK && k < l->values.n; k++)
            rc = resolve_name(l, &l->values.at[k], series);
    if (rc == TWX_OK && !TWX_VEC_RESERVE(l->cx, &l->words, l->values.n * TWX_EDITION_WORDS_MAX))
        rc = TWX_E_NOMEM;
    l->words.n = 0;
    for (size_t k = 0; rc == TWX_OK && k < l->values.n; k++)
        l->words.n += twx_edition_words(l->e->values.at[l->values.at[k].value].text,
                                        l->words.at + l->words.n);
    evidence e = {0};
    l->agreed = TWX_TITLES_EQUAL;
    if (rc == TWX_OK && !is_pinned) rc = collect_evidence(l, &e);
    *ret_named = is_pinned || is_evident(&e, plain, plain && dated);
    /* where an eighth of the titles became part of the others, half of them with related texts, and
     * few others changed (these are three quarters), the form of titles has changed */
    if (!plain && e.part >= PARTS_MIN && e.part * 8 >= e.titled &&
        is_share(e.part_related, e.part, 50) && is_share(e.part, e.titled - e.agree, 75)) {
        l->agreed = TWX_TITLES_CONTAINED;
        e.agree += e.part;
    }
    /* where half of the pairs have titles, nearly all of which agree, and most texts are related,
     * the others were rewritten */
    l->by_title = !plain && e.fresh >= FRESH_MIN && is_share(e.titled, e.pairs, 50) &&
                  is_share(e.agree, e.titled, 90) && is_share(e.related, e.pairs, 75);
    return rc;
}

/* ---- members ------------------------------------------------------------ */

static int by_set(const void *left, const void *right, void *arg) {
    const joined *a = left, *b = right;
    if (a->set != b->set) return a->set < b->set ? -1 : 1;
    return newest_first(&a->candidate, &b->candidate, arg);
}

/* One page in editions, the newest first; nothing if there is one only. */
static twx_rc take_set(learner *l, const joined *at, size_t n) {
    const twx_edition_candidate *c = l->e->candidates.at;
    uint64_t least = UINT64_MAX; /* key of its URLs */
    bool differ = false;
    uint32_t steps = 0;
    size_t first = 0; /* that takes part */
    twx_rc rc = TWX_OK;
    while (first < n && !takes_part(l, c[at[first].candidate].document)) first++;
    for (; first < n && !are_one(at->value, at[first].value); first--) at++, n--;
    for (size_t k = 0; k < n; k++) {
        const uint64_t key = l->how->p->at.at[c[at[k].candidate].document].url_key;
        if (key < least) least = key;
        differ |= at[k].value != at[0].value;
    }
    for (size_t k = 0; rc == TWX_OK && differ && k < n; k++) {
        const uint32_t document = c[at[k].candidate].document;
        const place_value *own = at[k].value, *before = at[k ? k - 1 : 0].value;
        /* `latest` is ahead on pages that have changed since the release that it stands for */
        const bool is_ahead = is_name(before) && !is_name(own) &&
                              similarity(l, c[at[k - 1].candidate].document, document) < EQUAL_PPM;
        if (!are_one(own, before) || is_ahead) steps++;
        const twx_edition_member member = {.document = document,
                                           .value = own->stands,
                                           .steps = steps,
                                           .page = twx_mix64(least, l->e->slots.at[l->slot])};
        l->taken[document] = 1;
        twx_union_find_join(&l->e->sets, c[at[0].candidate].document, document);
        if (!TWX_VEC_PUSH(l->cx, &l->e->members, member)) rc = TWX_E_NOMEM;
        if (rc == TWX_OK)
            rc = twx_doc_table_set(l->cx, &l->j->docs, TWX_DOC_EDITION, document, steps);
    }
    return rc;
}

/* [R4] Joins the candidates of l->page: each to the next newer one, or to the newest. */
static twx_rc take_members(learner *l) {
    const size_t n = l->page.n;
    twx_rc rc = TWX_OK;
    if (n) qsort_r(l->page.at, n, sizeof *l->page.at, latest_first, l);
    l->joined.n = 0;
    for (size_t k = 0; k < n; k++) {
        joined one = {l->page.at[k], (uint32_t)k, standing(l, k)};
        const uint32_t a = candidate_document(l, k);
        size_t newer = k > 0 ? k - 1 : 0;
        while (newer > 0 && takes_part(l, a) && !takes_part(l, candidate_document(l, newer)))
            newer--;
        if (k > 0 && are_editions(l, a, candidate_document(l, newer)))
            one.set = l->joined.at[newer].set;
        else if (newer > 0 && are_editions(l, a, candidate_document(l, 0)))
            one.set = 0;
        if (!TWX_VEC_PUSH(l->cx, &l->joined, one)) return TWX_E_NOMEM;
    }
    if (n) qsort_r(l->joined.at, n, sizeof *l->joined.at, by_set, l);
    for (size_t from = 0, to; rc == TWX_OK && from < n; from = to) {
        for (to = from; to < n && l->joined.at[to].set == l->joined.at[from].set;) to++;
        rc = take_set(l, l->joined.at + from, to - from);
    }
    return rc == TWX_OK ? twx_cancelled(l->cx) : rc;
}

static twx_rc take_place(learner *l) {
    twx_rc rc = TWX_OK;
    for (uint32_t at = l->from[l->slot]; rc == TWX_OK && at < l->from[l->slot + 1]; at++) {
        rc = read_page(l, at, NULL);
        size_t kept = 0;
        for (size_t k = 0; rc == TWX_OK && k < l->page.n; k++)
            if (!l->taken[candidate_document(l, k)]) l->page.at[kept++] = l->page.at[k];
        l->page.n = kept;
        if (rc == TWX_OK) rc = take_members(l);
    }
    return rc;
}

/* Pinned places, then those with most pages, so that "2.0" and not "v2" is the edition in
 * docs/2.0/api/v2/. */
static int by_pages(const void *left, const void *right, void *arg) {
    const learner *l = arg;
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const size_t x = pages_of(l, a), y = pages_of(l, b);
    const uint64_t p = l->e->slots.at[a], q = l->e->slots.at[b];
    if (l->e->pinned.at[a] != l->e->pinned.at[b]) return l->e->pinned.at[a] ? -1 : 1;
    return x != y ? (x > y ? -1 : 1) : (p > q) - (p < q);
}

static twx_rc take_places(learner *l) {
    const size_t n = l->e->slots.n;
    uint32_t *slots = twx_malloc(l->cx, (n + 1) * sizeof *slots);
    l->taken = twx_calloc(l->cx, l->how->p->at.n + 1, 1);
    l->value_at = twx_calloc(l->cx, l->e->values.n + 1, sizeof *l->value_at);
    twx_rc rc = slots && l->taken && l->value_at ? TWX_OK : TWX_E_NOMEM;
    for (size_t s = 0; rc == TWX_OK && s < n; s++) slots[s] = (uint32_t)s;
    if (rc == TWX_OK) qsort_r(slots, n, sizeof *slots, by_pages, l);
    for (size_t k = 0; rc == TWX_OK && k < n; k++) {
        bool named = false;
        if (pages_of(l, slots[k]) < (l->e->pinned.at[slots[k]] ? 1 : PAGES_MIN)) continue;
        l->slot = slots[k];
        rc = learn_place(l, &named);
        if (rc == TWX_OK && named) rc = take_place(l);
    }
    twx_free(slots);
    return rc;
}

/* ---- copies on other hosts ------------------------------------------------ */

/* A member by the hash of its name and version; url_key: of its URL. */
typedef struct named_member {
    uint64_t name, url_key;
    uint32_t document, steps;
} named_member;

TWX_ORDER_3(by_name, named_member, name, url_key, document)

static uint64_t name_of(const learner *l, uint32_t document) {
    twx_name_words w = {0};
    twx_names_read(&l->j->near.names, document, &w);
    const uint64_t key = twx_names_key_of(&w);
    return key ? twx_mix64(key, w.version) : 0;
}

/* The steps of the member with that name whose text is most like the document's, of the first
 * NAMED_MAX; 0: none. */
static uint32_t steps_of_name(const learner *l, const named_member *at, size_t n,
                              uint32_t document) {
    const uint64_t name = name_of(l, document);
    size_t from = 0, to = n;
    int32_t most = SAME_PPM - 1;
    uint32_t steps = 0;
    TWX_BISECT(from, to, at[middle].name < name);
    for (size_t k = 0; name && k < NAMED_MAX && from < n && at[from].name == name; k++, from++) {
        const int32_t found = similarity(l, document, at[from].document);
        if (found < most || (found == most && at[from].steps >= steps)) continue;
        most = found;
        steps = at[from].steps;
    }
    return steps;
}

/* [R6] */
static twx_rc follow_copies(learner *l) {
    const size_t n = l->e->members.n;
    twx_map64 steps_of = {0}; /* node -> steps */
    TWX_VEC(named_member) named = {0};
    twx_rc rc = TWX_OK;
    for (size_t k = 0; rc == TWX_OK && k < n; k++) {
        const twx_edition_member *m = &l->e->members.at[k];
        const uint32_t node = l->j->near.node[m->document];
        uint64_t steps = m->steps;
        const named_member one = {name_of(l, m->document), l->how->p->at.at[m->document].url_key,
                                  m->document, m->steps};
        if (!TWX_VEC_PUSH(l->cx, &named, one)) rc = TWX_E_NOMEM;
        if (rc == TWX_OK) rc = twx_map64_add(l->cx, &steps_of, node, steps, &steps);
        if (rc == TWX_OK && m->steps < steps) rc = twx_map64_put(l->cx, &steps_of, node, m->steps);
    }
    if (rc == TWX_OK && named.n) qsort(named.at, named.n, sizeof *named.at, by_name);
    for (uint32_t i = 0; rc == TWX_OK && n && i < l->how->p->at.n; i++) {
        uint64_t steps = 0;
        if (l->taken[i] || !counts(l, i)) continue;
        rc = twx_cancelled(l->cx);
        if (!twx_map64_get(&steps_of, l->j->near.node[i], &steps))
            steps = steps_of_name(l, named.at, named.n, i);
        if (rc == TWX_OK && steps)
            rc = twx_doc_table_set(l->cx, &l->j->docs, TWX_DOC_EDITION, i, steps);
    }
    twx_map64_done(&steps_of);
    TWX_VEC_DONE(&named);
    return rc;
}

twx_rc twx_editions_find(twx_ctx *cx, twx_doc_set *j, const twx_grouping *how) {
    twx_editions *e = &j->editions;
    learner l = {.cx = cx, .j = j, .e = e, .how = how};
    if (!e->used) return TWX_OK;
    if (j->options->params) l.params = *j->options->params;
    if (j->near.detector) twx_params_set_threshold(&l.params, j->near.detector, 0);
    twx_rc rc = twx_union_find_init(cx, &e->sets, how->p->at.n);
    if (rc == TWX_OK) rc = twx_grouper_each(cx, e->pages, take_page, &l);
    if (rc == TWX_OK) rc = list_pages(&l);
    if (rc == TWX_OK && l.pages.ends.n) rc = find_absent(&l);
    if (rc == TWX_OK) rc = take_places(&l);
    if (rc == TWX_OK) rc = follow_copies(&l);
    twx_editions_loaded(e, j->near.keeps_documents);
    twx_runs_done(&l.pages);
    TWX_VEC_DONE(&l.by_slot);
    TWX_VEC_DONE(&l.absent);
    TWX_VEC_DONE(&l.values);
    TWX_VEC_DONE(&l.words);
    TWX_VEC_DONE(&l.page);
    TWX_VEC_DONE(&l.joined);
    twx_free(l.value_at);
    twx_free(l.from);
    twx_free(l.taken);
    return rc;
}
