/* The runs of equal keys are inverted: for each text, the runs it belongs to. Then the items are
 * processed in order of rank, and each run keeps a list of the items that later items are compared
 * with. The list of the first relation reuses the memory of the run's members, because it can never
 * be longer. The list of the second relation holds the representatives of copies that the first
 * list lacks. */
#include "group/group.h"

/* An item that the current item is similar to. */
typedef struct match {
    uint32_t item;
    int32_t similarity;
    unsigned contains; /* for copies */
} match;

/* The lists of all runs for one relation. */
typedef struct run_lists {
    uint32_t *at;
    uint64_t *from;   /* of run r, where it begins in at; NULL: where it does in the members */
    uint32_t *listed; /* of run r: how many are in its list */
} run_lists;

typedef struct leading {
    bool unsieved; /* the runs that are kept are not sieved */
    /* runs from here on, of forms, list items that have joined others, too: an item may join the
     * representative of one of its forms; SIZE_MAX: there are none */
    size_t form_runs;
    twx_ctx *cx;
    const twx_leading *how;
    twx_runs all;        /* later the members are the first relation's lists */
    twx_map64 known;     /* runs of keys: each set of members is needed once for a relation */
    size_t similar_runs; /* the runs from here on serve the second relation only */
    run_lists lists[TWX_LIKENESSES];
    uint32_t *items;     /* by text: how many items share it besides the first; NULL: none do */
    uint64_t *runs_from; /* of text i in runs; one more at the end */
    uint32_t *runs;      /* the runs of each text, one text after the other */
    uint32_t *order;     /* items in order of rank */
    size_t ordered;
    uint32_t *met; /* by item: the last one it was compared with, plus 1 */
    /* The summary of the current item, with a sieve; room for it and for another one */
    const twx_summary_line *own;
    twx_summary_line room[2];
    TWX_VEC(match) matches[TWX_LIKENESSES];
    twx_leaders made;
} leading;

static uint32_t text_of(const twx_leading *how, uint32_t item) {
    return how->text ? how->text[item] : item;
}

static bool takes_part(const twx_leading *how, uint32_t item) {
    return how->rank[item] != TWX_LEADERS_OUT;
}

static size_t relations(const leading *l) {
    return l->how->contains ? TWX_LIKENESSES : 1;
}

/* ---- runs ---------------------------------------------------------------- */

/* n: runs; their numbers have 32 bits. */
static twx_rc check_count(const leading *l, size_t n) {
    return n <= UINT32_MAX
               ? TWX_OK
               : twx_fail(l->cx, TWX_E_LIMIT,
                          "more than 4 billion groups of candidates: near.scope = domain or host "
                          "makes fewer");
}

static twx_rc keep_run(void *arg, uint32_t *members, size_t n) {
    leading *l = arg;
    size_t in = 0;
    for (size_t i = 0; i < n; i++)
        if (takes_part(l->how, members[i])) members[in++] = members[i];
    if (in >= 2 && !l->unsieved) in = twx_sieve_run(l->how->sieve, members, in);
    if (in < 2) return TWX_OK;
    const twx_rc rc = check_count(l, l->all.ends.n + 1);
    return rc == TWX_OK ? twx_runs_add_once(l->cx, &l->all, &l->known, members, in) : rc;
}

static twx_rc keep_runs(leading *l, twx_grouper *grouper) {
    twx_map64_init(&l->known, 0);
    const twx_rc rc = twx_grouper_each(grouper, keep_run, l);
    twx_map64_done(&l->known);
    return rc;
}

/* Runs that are candidates for the second relation only. */
static twx_rc keep_more(leading *l, twx_grouper *more) {
    const twx_runs *forms = l->how->forms;
    l->unsieved = l->how->may_prove != NULL;
    twx_rc rc = more ? keep_runs(l, more) : TWX_OK;
    l->form_runs = l->all.ends.n;
    if (rc == TWX_OK && forms) rc = check_count(l, l->all.ends.n + forms->ends.n);
    for (size_t r = 0; rc == TWX_OK && forms && r < forms->ends.n; r++) {
        const uint64_t from = twx_runs_start(forms, r);
        rc = twx_runs_add(l->cx, &l->all, forms->members.at + from,
                          (size_t)(forms->ends.at[r] - from));
    }
    return rc;
}

/* Takes the members over without copying them: they can be most of the memory of a judgement. */
static twx_rc take_runs(leading *l, twx_runs *runs) {
    const twx_rc rc = check_count(l, runs->ends.n);
    if (rc != TWX_OK) return rc;
    l->all = *runs;
    *runs = (twx_runs){0};
    return TWX_OK;
}

/* Adds a run for each text that several items have: they share it, whatever its keys are. */
static twx_rc add_texts(leading *l) {
    const twx_leading *how = l->how;
    twx_rc rc = TWX_OK;
    if (!how->text || how->n == how->texts) return TWX_OK;
    l->items = twx_calloc(l->cx, how->texts + 1, sizeof *l->items);
    if (!l->items) return TWX_E_NOMEM;
    for (size_t i = how->texts; i < how->n; i++)
        if (takes_part(how, (uint32_t)i)) l->items[how->text[i]]++;
    for (uint32_t t = 0; rc == TWX_OK && t < how->texts; t++)
        if (l->items[t]) rc = twx_runs_add(l->cx, &l->all, &t, 1);
    return rc == TWX_OK ? check_count(l, l->all.ends.n) : rc;
}

/* Where the list of each run begins for the second relation, in which all items of its texts can
 * be: at most as many as a list may have. */
static twx_rc place_lists(leading *l, size_t runs, uint64_t *ret_room) {
    uint64_t *from = l->lists[TWX_CONTAINED].from = twx_malloc(l->cx, (runs + 1) * sizeof *from);
    uint64_t room = 0;
    if (!from) return TWX_E_NOMEM;
    for (size_t r = 0; r < runs; r++) {
        uint64_t items = 0;
        for (uint64_t m = twx_runs_start(&l->all, r); m < l->all.ends.at[r]; m++)
            items += 1 + (uint64_t)l->items[l->all.members.at[m]];
        from[r] = room;
        room += items < l->how->candidates ? items : l->how->candidates;
    }
    *ret_room = room;
    return TWX_OK;
}

static twx_rc turn_around(leading *l) {
    size_t n = l->how->n, runs = l->all.ends.n;
    l->runs_from = twx_calloc(l->cx, n + 1, sizeof *l->runs_from);
    l->runs = twx_malloc(l->cx, (l->all.members.n + 1) * sizeof *l->runs);
    if (!l->runs_from || !l->runs) return TWX_E_NOMEM;
    for (size_t m = 0; m < l->all.members.n; m++) l->runs_from[l->all.members.at[m]]++;
    for (size_t i = 0, from = 0; i <= n; i++) {
        from += l->runs_from[i];
        l->runs_from[i] = from; /* where the item's runs end; each insertion moves it down */
    }
    for (size_t r = runs; r-- > 0;)
        for (uint64_t m = twx_runs_start(&l->all, r); m < l->all.ends.at[r]; m++)
            l->runs[--l->runs_from[l->all.members.at[m]]] = (uint32_t)r;
    uint64_t room = l->all.members.n;
    l->lists[TWX_SIMILAR].at = l->all.members.at;
    if (l->how->contains) {
        const twx_rc rc = l->items ? place_lists(l, runs, &room) : TWX_OK;
        if (rc != TWX_OK) return rc;
        l->lists[TWX_CONTAINED].at = twx_malloc(l->cx, (room + 1) * sizeof(uint32_t));
        if (!l->lists[TWX_CONTAINED].at) return TWX_E_NOMEM;
    }
    for (size_t k = 0; k < relations(l); k++) {
        l->lists[k].listed = twx_calloc(l->cx, runs + 1, sizeof *l->lists[k].listed);
        if (!l->lists[k].listed) return TWX_E_NOMEM;
    }
    return TWX_OK;
}

/* ---- items --------------------------------------------------------------- */

static int by_rank(const void *left, const void *right, void *arg) {
    const uint32_t *rank = arg;
    uint32_t a = rank[*(const uint32_t *)left], b = rank[*(const uint32_t *)right];
    return (a > b) - (a < b);
}

static twx_rc alone_at_first(leading *l, size_t relation) {
    size_t n = l->how->n;
    uint32_t *of = l->made.of[relation] = twx_malloc(l->cx, (n + 1) * sizeof *of);
    int32_t *similarity = l->made.similarity[relation] = twx_malloc(l->cx,
                                                                    (n + 1) * sizeof *similarity);
    if (!of || !similarity) return TWX_E_NOMEM;
    for (uint32_t i = 0; i < n; i++) {
        of[i] = i;
        similarity[i] = TWX_LEADERS_SAME;
    }
    return TWX_OK;
}

static twx_rc put_in_order(leading *l) {
    size_t n = l->how->n;
    twx_rc rc = TWX_OK;
    l->order = twx_malloc(l->cx, (n + 1) * sizeof *l->order);
    l->met = twx_calloc(l->cx, n + 1, sizeof *l->met);
    if (!l->order || !l->met) return TWX_E_NOMEM;
    for (size_t k = 0; rc == TWX_OK && k < relations(l); k++) rc = alone_at_first(l, k);
    for (uint32_t i = 0; rc == TWX_OK && i < n; i++)
        if (takes_part(l->how, i)) l->order[l->ordered++] = i;
    if (rc == TWX_OK && l->ordered)
        qsort_r(l->order, l->ordered, sizeof *l->order, by_rank, (void *)(uintptr_t)l->how->rank);
    return rc;
}

/* Does the sieve leave the pair? The item's summary is made for its first pair. */
static bool may_pair(leading *l, uint32_t item, uint32_t other) {
    const twx_sieve *sieve = l->how->sieve;
    const uint32_t own = text_of(l->how, item), text = text_of(l->how, other);
    if (!sieve || own == text) return true;
    if (!l->own) l->own = twx_sieve_summary(sieve, own, &l->room[0]);
    return twx_sieve_may_pair(sieve, twx_sieve_summary(sieve, text, &l->room[1]), l->own);
}

/* The similarity of a pair; -1: it is none. *ret_is_pair: it is one of the first relation. Of a
 * pair that only the second relation may join, the larger threshold of the first says no more. */
static int32_t similarity_of(const twx_leading *how, uint32_t item, uint32_t other, bool similar,
                             bool copies, bool *ret_is_pair) {
    if (!similar && how->similarity && how->named_similarity) {
        const int32_t named = how->named_similarity(how->arg, other, item);
        if (named >= 0) return named;
    }
    const int32_t similarity = how->similarity ? how->similarity(how->arg, other, item)
                                               : TWX_LEADERS_SAME;
    *ret_is_pair = similar && similarity >= 0;
    return similarity < 0 && similar && copies && how->named_similarity
               ? how->named_similarity(how->arg, other, item)
               : similarity;
}

/* Compares the item with one from a list, unless it already has, and records the result. similar:
 * the other item is in the first relation's list; otherwise only copies matter, and what refuses
 * most of them comes first. */
static twx_rc compare_with(leading *l, uint32_t item, uint32_t other, uint32_t run, bool similar) {
    const twx_leading *how = l->how;
    match r = {other, TWX_LEADERS_SAME, 0};
    if (l->met[other] == item + 1) return TWX_OK;
    l->met[other] = item + 1;
    const bool copies = how->contains &&
                        (l->made.of[TWX_CONTAINED][other] == other || run >= l->form_runs);
    if (!similar && copies) r.contains = how->contains(how->arg, other, item);
    if (!similar && r.contains == 0) return TWX_OK;
    if (!may_pair(l, item, other) && !(how->may_prove && how->may_prove(how->arg, other, item)))
        return TWX_OK;
    l->made.compared++;
    bool is_pair = false;
    r.similarity = similarity_of(how, item, other, similar, copies, &is_pair);
    if (r.similarity < 0) return TWX_OK;
    if (is_pair && !TWX_VEC_PUSH(l->cx, &l->matches[TWX_SIMILAR], r))
        return TWX_E_NOMEM; /* contains is 0 there */
    if (similar && copies) r.contains = how->contains(how->arg, other, item);
    return r.contains == 0 || TWX_VEC_PUSH(l->cx, &l->matches[TWX_CONTAINED], r) ? TWX_OK
                                                                                 : TWX_E_NOMEM;
}

static uint32_t *list_of(const leading *l, uint32_t run, twx_likeness relation) {
    const run_lists *lists = &l->lists[relation];
    return &lists->at[lists->from ? lists->from[run] : twx_runs_start(&l->all, run)];
}

/* Compares the item with all items that its runs list for a relation. The first relation comes
 * first, because an item in both lists must count for it. */
static twx_rc compare_listed(leading *l, uint32_t item, twx_likeness relation) {
    enum { SIBLINGS_MAX = 16 };
    const run_lists *lists = &l->lists[relation];
    const uint32_t text = text_of(l->how, item);
    twx_rc rc = TWX_OK;
    for (uint64_t k = l->runs_from[text]; k < l->runs_from[text + 1]; k++) {
        const uint32_t run = l->runs[k];
        const uint32_t *list = list_of(l, run, relation);
        /* of a large family of similar pages; forms and equal names have runs of their own */
        const bool is_enough = relation == TWX_CONTAINED && run < l->similar_runs &&
                               l->matches[TWX_CONTAINED].n >= SIBLINGS_MAX;
        if (is_enough && l->how->may_prove) continue;
        for (uint32_t i = 0; rc == TWX_OK && i < lists->listed[run]; i++)
            rc = compare_with(l, item, list[i], run, relation == TWX_SIMILAR);
    }
    return rc;
}

/* The best match first; ties go to the better rank. */
static int better_match(const void *left, const void *right, void *arg) {
    const match *a = left, *b = right;
    const uint32_t *rank = ((const leading *)arg)->how->rank;
    if (a->contains != b->contains) return a->contains > b->contains ? -1 : 1;
    if (a->similarity != b->similarity) return a->similarity > b->similarity ? -1 : 1;
    return rank[a->item] < rank[b->item] ? -1 : rank[a->item] > rank[b->item];
}

/* A page of a thousand that share all but a sentence would be compared with each of its candidates:
 * the best ones are enough, and the others are not hidden. */
static void join_best(leading *l, uint32_t item, twx_likeness relation) {
    enum { CONFIRMED_MAX = 4 };
    const twx_leading *how = l->how;
    const match *matches = l->matches[relation].at;
    const size_t n = l->matches[relation].n;
    uint32_t refused[CONFIRMED_MAX];
    size_t asked = 0;
    if (n > 1) qsort_r(l->matches[relation].at, n, sizeof *matches, better_match, l);
    for (size_t i = 0; i < n; i++) {
        const match r = matches[i];
        const uint32_t leader = l->made.of[relation][r.item];
        if (relation == TWX_CONTAINED && leader != r.item &&
            how->contains(how->arg, leader, item) == 0)
            continue;
        if (relation == TWX_CONTAINED && how->confirm) {
            bool known = false;
            for (size_t k = 0; k < asked; k++) known |= refused[k] == leader;
            if (known) continue;
            if (asked == CONFIRMED_MAX) return;
            if (!how->confirm(how->arg, leader, item, leader == r.item ? r.similarity : -1)) {
                refused[asked++] = leader;
                continue;
            }
        }
        if (how->may_join && !how->may_join(how->arg, relation, leader, item)) continue;
        l->made.of[relation][item] = leader;
        l->made.similarity[relation][item] = r.similarity;
        return;
    }
}

/* Adds the item to a run's list; false: there is no room. */
static bool list_in(leading *l, uint32_t item, uint32_t run, twx_likeness relation) {
    run_lists *lists = &l->lists[relation];
    if (lists->listed[run] >= l->how->candidates) {
        l->made.capped += relation == TWX_SIMILAR;
        return false;
    }
    list_of(l, run, relation)[lists->listed[run]++] = item;
    return true;
}

/* Adds the item to the lists, so that later items are compared with it. */
static void list(leading *l, uint32_t item) {
    const bool similar = text_of(l->how, item) == item &&
                         (l->how->join == TWX_JOIN_LINK || l->made.of[TWX_SIMILAR][item] == item);
    const bool copied = l->how->contains && l->made.of[TWX_CONTAINED][item] == item;
    const uint32_t text = text_of(l->how, item);
    for (uint64_t k = l->runs_from[text]; k < l->runs_from[text + 1]; k++) {
        const uint32_t run = l->runs[k];
        const bool listed = similar && run < l->similar_runs && list_in(l, item, run, TWX_SIMILAR);
        if ((copied || run >= l->form_runs) && !listed) (void)list_in(l, item, run, TWX_CONTAINED);
    }
}

/* [R5] The text's first item has found the group. */
static void follow_text(leading *l, uint32_t item) {
    const uint32_t first = text_of(l->how, item);
    l->made.of[TWX_SIMILAR][item] = l->made.of[TWX_SIMILAR][first];
    l->made.similarity[TWX_SIMILAR][item] = l->made.similarity[TWX_SIMILAR][first];
    l->matches[TWX_SIMILAR].n = 0;
}

static twx_rc lead(leading *l) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < l->ordered; i++) {
        uint32_t item = l->order[i];
        if (i % 1024 == 0) rc = twx_cancelled(l->cx);
        l->own = NULL;
        for (size_t k = 0; rc == TWX_OK && k < relations(l); k++) l->matches[k].n = 0;
        for (size_t k = 0; rc == TWX_OK && k < relations(l); k++)
            rc = compare_listed(l, item, (twx_likeness)k);
        if (text_of(l->how, item) != item) follow_text(l, item);
        for (size_t k = 0; rc == TWX_OK && k < relations(l); k++)
            join_best(l, item, (twx_likeness)k);
        if (rc == TWX_OK) list(l, item);
    }
    return rc;
}

twx_rc twx_leaders_make(twx_ctx *cx, const twx_leading *how, twx_grouper *grouper,
                        twx_grouper *more, twx_leaders *ret_leaders) {
    leading l = {.cx = cx, .how = how, .form_runs = SIZE_MAX};
    twx_rc rc = how->runs ? take_runs(&l, how->runs) : TWX_OK;
    if (rc == TWX_OK && grouper) rc = keep_runs(&l, grouper);
    l.similar_runs = l.all.ends.n;
    if (rc == TWX_OK && how->contains) rc = keep_more(&l, more);
    if (rc == TWX_OK) rc = add_texts(&l);
    if (rc == TWX_OK) rc = turn_around(&l);
    if (rc == TWX_OK) rc = put_in_order(&l);
    if (rc == TWX_OK) rc = lead(&l);
    twx_runs_done(&l.all);
    for (size_t k = 0; k < TWX_LIKENESSES; k++) {
        TWX_VEC_DONE(&l.matches[k]);
        twx_free(l.lists[k].listed);
    }
    twx_free(l.lists[TWX_CONTAINED].at);
    twx_free(l.lists[TWX_CONTAINED].from);
    twx_free(l.items);
    twx_free(l.runs_from);
    twx_free(l.runs);
    twx_free(l.order);
    twx_free(l.met);
    if (rc == TWX_OK)
        *ret_leaders = l.made;
    else
        twx_leaders_done(&l.made);
    return rc;
}

void twx_leaders_done(twx_leaders *l) {
    if (!l) return;
    for (size_t k = 0; k < TWX_LIKENESSES; k++) {
        twx_free(l->of[k]);
        twx_free(l->similarity[k]);
    }
    *l = (twx_leaders){0};
}
