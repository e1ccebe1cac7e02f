/* The runs of equal keys are inverted: for each text, the runs it belongs to. Then the items are
 * processed in order of rank, and each run keeps a list of the items that later items are compared
 * with. The list of the first relation reuses the memory of the run's members, because it can never
 * be longer. The list of the second relation holds the representatives of copies that the first
 * list lacks.
 * With several threads, the items of a window of ranks are first compared, all at once, with what
 * the lists have before the window. Then they are processed in order, and each is compared with
 * what the items of the window before it have added.
 * What an earlier call has decided is decided again only where it may be different: for an item
 * whose runs have other members, or members of which something else is known, and for those that
 * come, in the runs of an item that has found another leader, after it. */
#include "group/group.h"

/* An item that the current item is similar to. */
typedef struct match {
    uint32_t item;
    int32_t similarity;
    unsigned contains; /* for copies */
} match;

/* May the item join the group of a leader? */
typedef struct answer {
    uint32_t leader;
    int32_t similarity; /* that was asked with */
    twx_confirmation is;
} answer;

enum { CONFIRMED_MAX = 4, SIBLINGS_MAX = 16, MARKS_MAX = 256, ALL_MARKED = UINT16_MAX };

/* What is known of an item while it waits for its turn, or has it. */
typedef struct found {
    TWX_VEC(match) matches[TWX_LIKENESSES];
    uint64_t compared;
    TWX_VEC(uint32_t) met; /* with `led`: the items that it may have to do with */
    size_t n_answers;      /* that were given ahead */
    answer answers[CONFIRMED_MAX + 1];
    bool is_compared; /* with what the lists have before the window */
} found;

/* What a thread needs to compare an item with others. */
typedef struct comparer {
    twx_ctx *cx;
    void *arg;              /* of the callbacks */
    uint64_t *met;          /* bit by item: the current item was compared with it */
    TWX_VEC(uint32_t) some; /* whose bits are set */
    /* The summary of the current item, with a sieve; room for it and for another one */
    const twx_summary_line *own;
    twx_summary_line room[2];
} comparer;

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
    uint32_t *runs_from; /* of text i in runs; one more at the end */
    uint32_t *runs;      /* the runs of each text, one text after the other */
    uint32_t *order;     /* items that have runs, in order of rank; the others stay alone */
    size_t ordered;
    size_t threads;
    comparer *comparers; /* by thread */
    /* The window, in `order`; what was found of its items; bit by run, modulo TOUCHED: may the
     * window have added to its lists? */
    size_t window, from, to;
    found *found;
    uint64_t *touched;
    twx_leaders made;
    /* With how->led. By text: a hash of all of its runs; bits: it shares a run with an item that may
     * concern it and has changed; several items share it */
    uint64_t *of_runs, *again, *shared;
    /* bit by item: something else is known of it than before, or it has another leader; the same
     * for what others could not have been compared with before */
    uint64_t *changed, *fresh;
    uint64_t *name;         /* by run: which one it is, whatever its number and members */
    twx_grouper *grouper;   /* whose runs are kept */
    TWX_VEC(uint64_t) keys; /* of runs of groupers and forms, from run l->first_key on */
    size_t first_key;
    uint16_t *marks;  /* by run: how often its members were looked at, or ALL_MARKED */
    twx_led made_led; /* of this call */
} leading;

enum { WINDOW = 1024, AT_ONCE = 8, TOUCHED = 1 << 16 };

static uint32_t text_of(const twx_leading *how, uint32_t item) {
    return how->text && item >= how->texts ? how->text[item - how->texts] : item;
}

static bool takes_part(const twx_leading *how, uint32_t item) {
    return how->rank[item] != TWX_LEADERS_OUT;
}

static bool has_runs(const leading *l, uint32_t item) {
    const uint32_t text = text_of(l->how, item);
    return l->runs_from[text] < l->runs_from[text + 1];
}

static size_t relations(const leading *l) {
    return l->how->contains ? TWX_LIKENESSES : 1;
}

/* ---- runs ---------------------------------------------------------------- */

/* n: runs, or members of all; their numbers have 32 bits. */
static twx_rc check_count(const leading *l, size_t n) {
    return n <= UINT32_MAX ? TWX_OK
                           : twx_fail(l->cx, TWX_E_LIMIT,
                                      "more than 4 billion candidates: near.scope = domain or host "
                                      "makes fewer");
}

static twx_rc keep_run(void *arg, uint32_t *members, size_t n) {
    leading *l = arg;
    size_t in = 0;
    for (size_t i = 0; i < n; i++)
        if (takes_part(l->how, members[i])) members[in++] = members[i];
    if (in >= 2 && !l->unsieved) in = twx_sieve_run(l->how->sieve, members, in);
    if (in < 2) return TWX_OK;
    const size_t before = l->all.ends.n;
    twx_rc rc = check_count(l, before + 1);
    if (rc == TWX_OK) rc = twx_runs_add_once(l->cx, &l->all, &l->known, members, in, NULL);
    const bool is_named = l->how->led && l->all.ends.n > before;
    return rc == TWX_OK && is_named && !TWX_VEC_PUSH(l->cx, &l->keys, twx_grouper_key(l->grouper))
               ? TWX_E_NOMEM
               : rc;
}

static twx_rc keep_runs(leading *l, twx_grouper *grouper) {
    l->grouper = grouper;
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
        if (rc == TWX_OK && l->how->led && !TWX_VEC_PUSH(l->cx, &l->keys, l->how->form_keys[r]))
            rc = TWX_E_NOMEM;
    }
    return rc;
}

/* Takes the members over without copying them: they can be most of the memory of judging. */
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
        if (takes_part(how, (uint32_t)i)) l->items[text_of(how, (uint32_t)i)]++;
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

static int by_rank(const void *left, const void *right, void *arg) {
    const uint32_t *rank = arg;
    const uint32_t a = rank[*(const uint32_t *)left], b = rank[*(const uint32_t *)right];
    return (a > b) - (a < b);
}

/* Compares two runs by the ranks of their members, which are in order. */
static int by_ranks(const void *left, const void *right, void *arg) {
    const leading *l = arg;
    const uint32_t *rank = l->how->rank, a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    uint64_t x = twx_runs_start(&l->all, a), y = twx_runs_start(&l->all, b);
    for (; x < l->all.ends.at[a] && y < l->all.ends.at[b]; x++, y++) {
        const uint32_t p = rank[l->all.members.at[x]], q = rank[l->all.members.at[y]];
        if (p != q) return p < q ? -1 : 1;
    }
    return (x < l->all.ends.at[a]) - (y < l->all.ends.at[b]);
}

/* [R1] An item that has found enough copies leaves out the rest of its runs, so these come in an
 * order that depends on the ranks of their members alone. */
static twx_rc order_runs(leading *l, uint32_t **ret_order) {
    const size_t n = l->similar_runs;
    const uint32_t *rank = l->how->rank;
    uint32_t *order = twx_malloc(l->cx, (n + 1) * sizeof *order),
             *scratch = twx_malloc(l->cx, (n + 1) * sizeof *scratch);
    uint64_t *key = twx_malloc(l->cx, (n + 1) * sizeof *key);
    for (uint32_t r = 0; order && scratch && key && r < n; r++) {
        uint32_t *members = &l->all.members.at[twx_runs_start(&l->all, r)];
        const size_t count = (size_t)(l->all.ends.at[r] - twx_runs_start(&l->all, r));
        if (count > 2 || rank[members[0]] > rank[members[1]])
            qsort_r(members, count, sizeof *members, by_rank, (void *)(uintptr_t)rank);
        key[r] = (uint64_t)rank[members[0]] << 32 | rank[members[1]];
        order[r] = r;
    }
    if (order && scratch && key) twx_sort_by_key(order, scratch, n, key);
    for (size_t from = 0, to; order && scratch && key && from < n; from = to) {
        for (to = from + 1; to < n && key[order[to]] == key[order[from]];) to++;
        if (to > from + 1) qsort_r(order + from, to - from, sizeof *order, by_ranks, l);
    }
    *ret_order = order;
    const bool has_room = order && scratch && key;
    twx_free(scratch);
    twx_free(key);
    return has_room ? TWX_OK : TWX_E_NOMEM;
}

/* Lists the runs of each text. order: of the runs of the first relation; NULL: as they are */
static twx_rc list_runs(leading *l, const uint32_t *order) {
    const size_t n = l->how->text ? l->how->texts : l->how->n;
    l->runs_from = twx_calloc(l->cx, n + 1, sizeof *l->runs_from);
    l->runs = twx_malloc(l->cx, (l->all.members.n + 1) * sizeof *l->runs);
    if (!l->runs_from || !l->runs) return TWX_E_NOMEM;
    for (size_t m = 0; m < l->all.members.n; m++) l->runs_from[l->all.members.at[m]]++;
    for (uint32_t i = 0, from = 0; i <= n; i++) {
        from += l->runs_from[i];
        l->runs_from[i] = from; /* where the item's runs end; each insertion moves it down */
    }
    for (size_t k = l->all.ends.n; k-- > 0;) {
        const uint32_t r = order && k < l->similar_runs ? order[k] : (uint32_t)k;
        for (uint64_t m = twx_runs_start(&l->all, r); m < l->all.ends.at[r]; m++)
            l->runs[--l->runs_from[l->all.members.at[m]]] = r;
    }
    return TWX_OK;
}

static twx_rc make_lists(leading *l) {
    const size_t runs = l->all.ends.n;
    uint64_t room = l->all.members.n;
    l->lists[TWX_SIMILAR].at = l->all.members.at;
    if (l->how->led) { /* the members are still needed */
        uint32_t *copy = twx_malloc(l->cx, (room + 1) * sizeof *copy);
        l->lists[TWX_SIMILAR].at = copy;
        if (!copy) return TWX_E_NOMEM;
    }
    if (l->how->contains) {
        const twx_rc rc = l->items ? place_lists(l, runs, &room) : TWX_OK;
        twx_free(l->items);
        l->items = NULL;
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

static twx_rc alone_at_first(leading *l) {
    const size_t n = l->how->n;
    int32_t *similarity = l->made.similarity = twx_malloc(l->cx, (n + 1) * sizeof *similarity);
    if (!similarity) return TWX_E_NOMEM;
    for (size_t i = 0; i < n; i++) similarity[i] = TWX_LEADERS_SAME;
    for (size_t k = 0; k < relations(l); k++) {
        uint32_t *of = l->made.of[k] = twx_malloc(l->cx, (n + 1) * sizeof *of);
        if (!of) return TWX_E_NOMEM;
        for (uint32_t i = 0; i < n; i++) of[i] = i;
    }
    return TWX_OK;
}

static twx_rc put_in_order(leading *l) {
    const uint32_t n = (uint32_t)l->how->n, *rank = l->how->rank;
    size_t ranks = 0;
    for (uint32_t i = 0; i < n; i++)
        if (takes_part(l->how, i) && rank[i] >= ranks) ranks = (size_t)rank[i] + 1;
    l->order = twx_malloc(l->cx, (ranks + 1) * sizeof *l->order);
    if (!l->order) return TWX_E_NOMEM;
    for (size_t k = 0; k < ranks; k++) l->order[k] = n;
    for (uint32_t i = 0; i < n; i++)
        if (takes_part(l->how, i) && has_runs(l, i)) l->order[rank[i]] = i;
    for (size_t k = 0; k < ranks; k++)
        if (l->order[k] < n) l->order[l->ordered++] = l->order[k];
    uint32_t *smaller = twx_realloc(l->cx, l->order, l->ordered + 1, sizeof *smaller);
    if (!smaller) return TWX_E_NOMEM;
    l->order = smaller;
    return alone_at_first(l);
}

/* Of few items, one thread compares all. */
static twx_rc open_comparers(leading *l) {
    const twx_leading *how = l->how;
    l->threads = how->threads && l->ordered > WINDOW ? how->threads : 1;
    l->comparers = twx_calloc(l->cx, l->threads, sizeof *l->comparers);
    if (!l->comparers) return TWX_E_NOMEM;
    for (size_t t = 0; t < l->threads; t++) {
        comparer *c = &l->comparers[t];
        c->cx = l->cx;
        c->arg = (char *)how->arg + t * how->arg_bytes;
        c->met = twx_calloc(l->cx, how->n / 64 + 1, sizeof *c->met);
        if (!c->met) return TWX_E_NOMEM;
    }
    l->window = l->threads > 1 ? WINDOW : 1;
    l->found = twx_calloc(l->cx, l->window, sizeof *l->found);
    l->touched = twx_calloc(l->cx, TOUCHED / 64, sizeof *l->touched);
    return l->found && l->touched ? TWX_OK : TWX_E_NOMEM;
}

static void close_comparers(leading *l) {
    for (size_t t = 0; l->comparers && t < l->threads; t++) {
        TWX_VEC_DONE(&l->comparers[t].some);
        twx_free(l->comparers[t].met);
    }
    for (found *f = l->found; f && f < l->found + l->window; f++) {
        for (size_t k = 0; k < TWX_LIKENESSES; k++) TWX_VEC_DONE(&f->matches[k]);
        TWX_VEC_DONE(&f->met);
    }
    twx_free(l->comparers);
    twx_free(l->found);
    twx_free(l->touched);
}

/* Does the sieve leave the pair? The item's summary is made for its first pair. */
static bool may_pair(const leading *l, comparer *c, uint32_t item, uint32_t other) {
    const twx_sieve *sieve = l->how->sieve;
    const uint32_t own = text_of(l->how, item), text = text_of(l->how, other);
    if (!sieve || own == text) return true;
    if (!c->own) c->own = twx_sieve_summary(sieve, own, &c->room[0]);
    return twx_sieve_may_pair(sieve, twx_sieve_summary(sieve, text, &c->room[1]), c->own);
}

/* The similarity of a pair; -1: the two are not similar. *ret_is_pair: the first relation joins it.
 * Of a pair that only the second relation may join, the larger threshold of the first says no more.
 */
static int32_t similarity_of(const twx_leading *how, void *arg, const uint32_t pair[2],
                             bool similar, bool copies, bool *ret_is_pair) {
    if (!similar && how->similarity && how->named_similarity) {
        const int32_t named = how->named_similarity(arg, pair[0], pair[1]);
        if (named >= 0) return named;
    }
    const int32_t similarity = how->similarity ? how->similarity(arg, pair[0], pair[1])
                                               : TWX_LEADERS_SAME;
    *ret_is_pair = similar && similarity >= 0;
    return similarity < 0 && similar && copies && how->named_similarity
               ? how->named_similarity(arg, pair[0], pair[1])
               : similarity;
}

/* Compares the item with one from a list, unless it already has, and records the result. similar:
 * the other item is in the first relation's list; otherwise only copies matter, and what refuses
 * most of them comes first. */
static twx_rc compare_with(const leading *l, comparer *c, found *f, const uint32_t pair[2],
                           uint32_t run, bool similar) {
    const twx_leading *how = l->how;
    const uint32_t other = pair[0], item = pair[1];
    const uint64_t bit = UINT64_C(1) << other % 64;
    match r = {other, TWX_LEADERS_SAME, 0};
    if (c->met[other / 64] & bit) return TWX_OK;
    if (!TWX_VEC_PUSH(c->cx, &c->some, other)) return TWX_E_NOMEM;
    c->met[other / 64] |= bit;
    const bool copies = how->contains &&
                        (l->made.of[TWX_CONTAINED][other] == other || run >= l->form_runs);
    if (!similar && copies) r.contains = how->contains(c->arg, other, item);
    const bool is_answered = !similar && r.contains == 0;
    if (is_answered && !how->led) return TWX_OK;
    if (!may_pair(l, c, item, other) && !(how->may_prove && how->may_prove(c->arg, other, item)))
        return TWX_OK;
    if (how->led && !TWX_VEC_PUSH(c->cx, &f->met, other)) return TWX_E_NOMEM;
    if (is_answered) return TWX_OK;
    f->compared++;
    bool is_pair = false;
    r.similarity = similarity_of(how, c->arg, pair, similar, copies, &is_pair);
    if (r.similarity < 0) return TWX_OK;
    if (is_pair && !TWX_VEC_PUSH(c->cx, &f->matches[TWX_SIMILAR], r))
        return TWX_E_NOMEM; /* contains is 0 there */
    if (similar && copies) r.contains = how->contains(c->arg, other, item);
    return r.contains == 0 || TWX_VEC_PUSH(c->cx, &f->matches[TWX_CONTAINED], r) ? TWX_OK
                                                                                 : TWX_E_NOMEM;
}

/* ---- what an earlier call has decided -------------------------------------- */

/* An item is decided again if
 *   - something else is known of it, or of an item that it has met: of two that share a run, the
 *     sieve or a proof let them be compared. They are few;
 *   - one of these has found another leader, or other lists have room for it;
 *   - an item that is new in this sense comes before it in one of its runs, and they would meet;
 *   - it left out runs because it had found enough, and its runs are not the same. */

static void set_bit(uint64_t *bits, size_t i) {
    bits[i / 64] |= UINT64_C(1) << i % 64;
}

static bool has_bit(const uint64_t *bits, size_t i) {
    return bits[i / 64] >> i % 64 & 1;
}

/* The number that an item had in the earlier call, and back: those beyond the texts have moved.
 * SIZE_MAX: it had none. */
static size_t earlier(const leading *l, uint32_t item) {
    const twx_led *led = l->how->led;
    const size_t texts = l->how->texts, at = item < texts ? item : item - texts + led->texts;
    return (item < texts ? at < led->texts : at < led->n) ? at : SIZE_MAX;
}

static uint32_t now(const leading *l, uint32_t item) {
    const twx_led *led = l->how->led;
    return item < led->texts ? item : (uint32_t)(item - led->texts + l->how->texts);
}

static uint64_t known_of(const leading *l, uint32_t item) {
    return takes_part(l->how, item) ? l->how->led->known[item] : 0;
}

static twx_rc make_led(leading *l, size_t texts) {
    const size_t n = l->how->n, runs = l->all.ends.n;
    twx_led *led = &l->made_led;
    *led = (twx_led){.n = n, .texts = l->how->texts};
    led->texts_were = twx_malloc(l->cx, (texts + 1) * sizeof *led->texts_were);
    led->items = twx_calloc(l->cx, n + 1, sizeof *led->items);
    l->of_runs = twx_calloc(l->cx, texts + 1, sizeof *l->of_runs);
    l->again = twx_calloc(l->cx, texts / 64 + 1, sizeof *l->again);
    l->shared = twx_calloc(l->cx, texts / 64 + 1, sizeof *l->shared);
    l->changed = twx_calloc(l->cx, n / 64 + 1, sizeof *l->changed);
    l->fresh = twx_calloc(l->cx, n / 64 + 1, sizeof *l->fresh);
    l->name = twx_malloc(l->cx, (runs + 1) * sizeof *l->name);
    l->marks = twx_calloc(l->cx, runs + 1, sizeof *l->marks);
    return led->texts_were && led->items && l->of_runs && l->again && l->shared && l->changed &&
                   l->fresh && l->name && l->marks
               ? TWX_OK
               : TWX_E_NOMEM;
}

static void close_led(leading *l) {
    twx_led_done(&l->made_led);
    twx_free(l->of_runs);
    twx_free(l->again);
    twx_free(l->shared);
    twx_free(l->changed);
    twx_free(l->fresh);
    twx_free(l->name);
    TWX_VEC_DONE(&l->keys);
    twx_free(l->marks);
    if (l->how->led) twx_free(l->lists[TWX_SIMILAR].at); /* a copy of the members */
}

void twx_led_done(twx_led *led) {
    if (!led) return;
    twx_free(led->texts_were);
    twx_free(led->items);
    TWX_VEC_DONE(&led->met);
    *led = (twx_led){0};
}

static bool is_other_text(const twx_led *led, uint32_t text) {
    return text >= led->texts || led->texts_were[text] != led->of_texts[text];
}

/* What has changed, and the hashes of runs, before members become lists. */
static twx_rc prepare_led(leading *l) {
    const twx_leading *how = l->how;
    const twx_led *led = how->led;
    const size_t texts = how->texts;
    uint64_t *of_text = twx_calloc(l->cx, texts + 1, sizeof *of_text);
    const twx_rc rc = of_text ? make_led(l, texts) : TWX_E_NOMEM;
    if (rc == TWX_OK) memcpy(l->made_led.texts_were, led->of_texts, texts * sizeof *of_text);
    for (uint32_t i = 0; rc == TWX_OK && i < how->n; i++) {
        const size_t was = earlier(l, i);
        const uint64_t known = known_of(l, i);
        const uint32_t text = text_of(how, i);
        of_text[text] += twx_mix64(known, 1);
        if (i >= texts) set_bit(l->shared, text);
        if (was == SIZE_MAX || led->items[was].known != known) set_bit(l->changed, i);
        if (was == SIZE_MAX || is_other_text(led, text)) {
            set_bit(l->changed, i);
            set_bit(l->fresh, i);
        }
        l->made_led.items[i].known = known;
    }
    for (size_t r = 0; rc == TWX_OK && r < l->all.ends.n; r++) {
        const uint32_t *m = &l->all.members.at[twx_runs_start(&l->all, r)],
                       *end = &l->all.members.at[l->all.ends.at[r]];
        const uint64_t kind = (r >= l->similar_runs) + (r >= l->form_runs);
        uint64_t hash = kind, least[2] = {UINT64_MAX, UINT64_MAX};
        for (const uint32_t *k = m; k < end; k++) {
            hash += twx_mix64(of_text[*k], *k);
            least[1] = *k < least[0] ? least[0] : *k < least[1] ? *k : least[1];
            least[0] = *k < least[0] ? *k : least[0];
        }
        for (const uint32_t *k = m; k < end; k++) l->of_runs[*k] += twx_mix64(hash, 2);
        const bool has_key = r >= l->first_key && r < l->first_key + l->keys.n;
        l->name[r] = twx_mix64(kind, has_key ? l->keys.at[r - l->first_key]
                                             : twx_mix64(least[0], least[1]));
    }
    twx_free(of_text);
    return rc;
}

/* A hash of the item's leaders. */
static uint64_t outcome_of(const leading *l, uint32_t item) {
    uint64_t outcome = 0;
    for (size_t k = 0; k < relations(l); k++)
        outcome = twx_mix64(outcome, known_of(l, l->made.of[k][item]));
    return outcome;
}

/* Is nothing known, so far, that makes another decision? */
static bool is_settled(const leading *l, uint32_t item) {
    const twx_led *led = l->how->led;
    if (!led || has_bit(l->changed, item) || has_bit(l->again, text_of(l->how, item))) return false;
    const twx_led_item *was = &led->items[earlier(l, item)];
    if (was->of_runs && was->of_runs != (l->of_runs[text_of(l->how, item)] | 1)) return false;
    for (uint64_t k = was->from; k < was->from + was->met; k++) {
        const uint32_t other = now(l, led->met.at[k]);
        if (has_bit(l->changed, other) || !takes_part(l->how, other)) return false;
    }
    return true;
}

static twx_rc keep_met(leading *l, twx_led_item *made, uint32_t other) {
    made->met++;
    return TWX_VEC_PUSH(l->cx, &l->made_led.met, other) ? TWX_OK : TWX_E_NOMEM;
}

/* Decides as the earlier call has, if nothing has changed. */
static twx_rc decide_as_before(leading *l, uint32_t item, bool *ret_decided) {
    const twx_led *led = l->how->led;
    twx_led_item *made = &l->made_led.items[item];
    twx_rc rc = TWX_OK;
    *ret_decided = is_settled(l, item);
    if (!*ret_decided) return TWX_OK;
    const twx_led_item *was = &led->items[earlier(l, item)];
    for (size_t k = 0; k < relations(l); k++) l->made.of[k][item] = now(l, was->of[k]);
    *ret_decided = outcome_of(l, item) == was->outcome;
    for (size_t k = 0; !*ret_decided && k < relations(l); k++) l->made.of[k][item] = item;
    if (!*ret_decided) return TWX_OK;
    l->made.similarity[item] = was->similarity;
    l->made.compared += was->compared;
    made->outcome = was->outcome;
    made->of_runs = was->of_runs;
    made->similarity = was->similarity;
    made->compared = was->compared;
    made->from = l->made_led.met.n;
    for (size_t k = 0; k < relations(l); k++) made->of[k] = l->made.of[k][item];
    for (uint64_t k = was->from; rc == TWX_OK && k < was->from + was->met; k++)
        rc = keep_met(l, made, now(l, led->met.at[k]));
    return rc;
}

static twx_rc note_decision(leading *l, const found *f, uint32_t item) {
    const twx_led *led = l->how->led;
    twx_rc rc = TWX_OK;
    l->made.compared += f->compared;
    if (!led) return rc;
    const size_t was = earlier(l, item);
    twx_led_item *made = &l->made_led.items[item];
    if (l->how->may_prove && f->matches[TWX_CONTAINED].n >= SIBLINGS_MAX)
        made->of_runs = l->of_runs[text_of(l->how, item)] | 1;
    made->outcome = outcome_of(l, item);
    made->similarity = l->made.similarity[item];
    made->compared = (uint32_t)f->compared;
    made->from = l->made_led.met.n;
    l->made.decided++;
    for (size_t k = 0; k < relations(l); k++) made->of[k] = l->made.of[k][item];
    for (size_t k = 0; rc == TWX_OK && k < f->met.n; k++) rc = keep_met(l, made, f->met.at[k]);
    if (was != SIZE_MAX && led->items[was].outcome != made->outcome) set_bit(l->changed, item);
    for (size_t k = 0; was != SIZE_MAX && k < relations(l); k++)
        if (now(l, led->items[was].of[k]) != made->of[k]) set_bit(l->fresh, item);
    return rc;
}

/* ---- lists --------------------------------------------------------------- */

static uint32_t *list_of(const leading *l, uint32_t run, twx_likeness relation) {
    const run_lists *lists = &l->lists[relation];
    return &lists->at[lists->from ? lists->from[run] : twx_runs_start(&l->all, run)];
}

static uint64_t *touched_word(const leading *l, uint32_t run) {
    return &l->touched[run % TOUCHED / 64];
}

/* Compares the item with all items that its runs list for a relation, or those of the window alone.
 * The first relation comes first, because an item in both lists must count for it. */
static twx_rc compare_listed(const leading *l, comparer *c, found *f, uint32_t item,
                             twx_likeness relation, bool of_window) {
    const run_lists *lists = &l->lists[relation];
    const uint32_t *rank = l->how->rank;
    const uint32_t text = text_of(l->how, item), first = rank[l->order[l->from]];
    twx_rc rc = TWX_OK;
    for (uint32_t k = l->runs_from[text]; k < l->runs_from[text + 1]; k++) {
        const uint32_t run = l->runs[k];
        if (of_window && !(*touched_word(l, run) >> run % 64 & 1)) continue;
        const uint32_t *list = list_of(l, run, relation);
        /* of a large family of similar pages; forms and equal names have runs of their own */
        const bool is_enough = relation == TWX_CONTAINED && run < l->similar_runs && !of_window &&
                               f->matches[TWX_CONTAINED].n >= SIBLINGS_MAX;
        if (is_enough && l->how->may_prove) continue;
        uint32_t i = of_window ? lists->listed[run] : 0;
        while (of_window && i && rank[list[i - 1]] >= first) i--;
        for (; rc == TWX_OK && i < lists->listed[run]; i++)
            rc = compare_with(l, c, f, (const uint32_t[2]){list[i], item}, run,
                              relation == TWX_SIMILAR);
    }
    return rc;
}

static twx_rc compare_item(const leading *l, comparer *c, found *f, uint32_t item, bool of_window) {
    twx_rc rc = TWX_OK;
    for (size_t k = 0; k < c->some.n; k++) c->met[c->some.at[k] / 64] = 0;
    c->some.n = 0;
    c->own = NULL;
    for (size_t k = 0; !of_window && k < TWX_LIKENESSES; k++) f->matches[k].n = 0;
    if (!of_window) f->compared = f->met.n = 0;
    for (size_t k = 0; rc == TWX_OK && k < relations(l); k++)
        rc = compare_listed(l, c, f, item, (twx_likeness)k, of_window);
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

/* May the item join the leader of its match? */
static answer ask(const leading *l, const comparer *c, const found *f, uint32_t item,
                  const match *r, bool is_ahead) {
    const twx_leading *how = l->how;
    const uint32_t leader = l->made.of[TWX_CONTAINED][r->item];
    answer a = {leader, leader == r->item ? r->similarity : -1, TWX_CONFIRMED};
    for (size_t k = 0; k < f->n_answers; k++)
        if (f->answers[k].leader == leader && f->answers[k].similarity == a.similarity)
            return f->answers[k];
    if (leader != r->item && how->contains(c->arg, leader, item) == 0)
        a.is = TWX_NOT_CONTAINED;
    else if (how->confirm)
        a.is = how->confirm(c->arg, leader, item, a.similarity, is_ahead);
    return a;
}

/* A page of a thousand that share all but a sentence would be compared with each of its candidates:
 * the best ones are enough, and the others are not hidden. is_ahead: nothing is joined, but answers
 * are kept. */
static void join_best(leading *l, const comparer *c, found *f, uint32_t item, twx_likeness relation,
                      bool is_ahead) {
    const twx_leading *how = l->how;
    const match *matches = f->matches[relation].at;
    const size_t n = f->matches[relation].n;
    uint32_t refused[CONFIRMED_MAX];
    size_t asked = 0;
    if (n > 1) qsort_r(f->matches[relation].at, n, sizeof *matches, better_match, l);
    for (size_t i = 0; i < n; i++) {
        const match r = matches[i];
        const uint32_t leader = l->made.of[relation][r.item];
        if (relation == TWX_CONTAINED) {
            bool known = false;
            for (size_t k = 0; k < asked; k++) known |= refused[k] == leader;
            if (known) continue;
            if (asked == CONFIRMED_MAX) return;
            const answer a = ask(l, c, f, item, &r, is_ahead);
            if (is_ahead && a.is != TWX_LATER && f->n_answers < TWX_COUNTOF(f->answers))
                f->answers[f->n_answers++] = a;
            if (a.is == TWX_REFUSED) refused[asked++] = leader;
            if (is_ahead && (a.is == TWX_CONFIRMED || a.is == TWX_LATER)) return;
            if (a.is != TWX_CONFIRMED) continue;
        }
        if (how->may_join && !how->may_join(c->arg, relation, leader, item)) continue;
        l->made.of[relation][item] = leader;
        if (relation == TWX_SIMILAR) l->made.similarity[item] = r.similarity;
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
    *touched_word(l, run) |= UINT64_C(1) << run % 64;
    return true;
}

/* Adds the item to the lists, so that later items are compared with it. Returns a hash of those
 * that had no room, if decisions are kept. */
static uint64_t list(leading *l, uint32_t item) {
    const bool similar = text_of(l->how, item) == item &&
                         (l->how->join == TWX_JOIN_LINK || l->made.of[TWX_SIMILAR][item] == item);
    const bool copied = l->how->contains && l->made.of[TWX_CONTAINED][item] == item;
    const uint32_t text = text_of(l->how, item);
    uint64_t refused = 0;
    for (uint32_t k = l->runs_from[text]; k < l->runs_from[text + 1]; k++) {
        const uint32_t run = l->runs[k];
        const bool asks = similar && run < l->similar_runs;
        const bool listed = asks && list_in(l, item, run, TWX_SIMILAR);
        const bool asks_too = (copied || run >= l->form_runs) && !listed;
        const bool listed_too = asks_too && list_in(l, item, run, TWX_CONTAINED);
        if (l->how->led && ((asks && !listed) || (asks_too && !listed_too)))
            refused += twx_mix64(l->name[run],
                                 (uint64_t)(asks && !listed) << 1 | (asks_too && !listed_too));
    }
    return refused;
}

static bool is_last(const leading *l, uint32_t run, twx_likeness relation, uint32_t item) {
    const uint32_t listed = l->lists[relation].listed ? l->lists[relation].listed[run] : 0;
    return listed && list_of(l, run, relation)[listed - 1] == item;
}

/* Of the items after a new one that was just listed, those that would meet it. Where very many are
 * new, all. */
static void mark_others(leading *l, comparer *c, uint32_t item) {
    const twx_leading *how = l->how;
    const uint32_t text = text_of(how, item);
    c->own = NULL; /* another one may have been compared last */
    for (uint32_t k = l->runs_from[text]; k < l->runs_from[text + 1]; k++) {
        const uint32_t run = l->runs[k];
        if (l->marks[run] == ALL_MARKED ||
            (!is_last(l, run, TWX_SIMILAR, item) && !is_last(l, run, TWX_CONTAINED, item)))
            continue;
        const bool all = ++l->marks[run] > MARKS_MAX;
        if (all) l->marks[run] = ALL_MARKED;
        for (uint64_t m = twx_runs_start(&l->all, run); m < l->all.ends.at[run]; m++) {
            const uint32_t other = l->all.members.at[m];
            if (!has_bit(l->again, other) &&
                (all || other == text || has_bit(l->shared, other) ||
                 (how->rank[other] > how->rank[item] &&
                  (may_pair(l, c, item, other) ||
                   (how->may_prove && how->may_prove(c->arg, item, other))))))
                set_bit(l->again, other);
        }
    }
}

/* After the item was listed. refused: a hash of the lists that had no room */
static void note_listed(leading *l, comparer *c, uint32_t item, uint64_t refused) {
    const twx_led *led = l->how->led;
    const size_t was = earlier(l, item);
    l->made_led.items[item].refused = refused;
    if (was == SIZE_MAX || led->items[was].refused != refused) set_bit(l->fresh, item);
    if (!has_bit(l->fresh, item)) return;
    set_bit(l->changed, item);
    if (led->n) mark_others(l, c, item);
}

/* [R5] The text's first item has found the group. */
static void follow_text(leading *l, found *f, uint32_t item) {
    const uint32_t first = text_of(l->how, item);
    l->made.of[TWX_SIMILAR][item] = l->made.of[TWX_SIMILAR][first];
    l->made.similarity[item] = l->made.similarity[first];
    f->matches[TWX_SIMILAR].n = 0;
}

static twx_rc turn_around(leading *l) {
    uint32_t *order = NULL;
    twx_rc rc = check_count(l, l->all.members.n);
    if (rc == TWX_OK && l->how->may_prove) rc = order_runs(l, &order);
    if (rc == TWX_OK && l->how->led) rc = prepare_led(l);
    if (rc == TWX_OK) rc = list_runs(l, order);
    twx_free(order);
    return rc == TWX_OK ? make_lists(l) : rc;
}

/* Compares some items of the window with what the lists have before it. */
static twx_rc look_ahead(twx_ctx *cx, void *arg, size_t thread, size_t part) {
    leading *l = arg;
    comparer *c = &l->comparers[thread];
    const size_t end = l->from + (part + 1) * AT_ONCE;
    twx_rc rc = TWX_OK;
    c->cx = cx;
    for (size_t i = l->from + part * AT_ONCE; rc == TWX_OK && i < l->to && i < end; i++) {
        found *f = &l->found[i - l->from];
        if (!f->is_compared) continue;
        rc = compare_item(l, c, f, l->order[i], false);
        if (rc == TWX_OK) join_best(l, c, f, l->order[i], TWX_CONTAINED, true);
    }
    return rc;
}

/* Adds what the window has added to the lists since the item was compared. Others may be left out
 * then because there are enough, so it is compared again. */
static twx_rc complete(const leading *l, comparer *c, found *f, uint32_t item) {
    const twx_rc rc = compare_item(l, c, f, item, true);
    return rc == TWX_OK && c->some.n && l->how->may_prove &&
                   f->matches[TWX_CONTAINED].n >= SIBLINGS_MAX
               ? compare_item(l, c, f, item, false)
               : rc;
}

static twx_rc begin_window(leading *l, size_t from) {
    const size_t parts = (l->window + AT_ONCE - 1) / AT_ONCE;
    l->from = from;
    l->to = from + l->window < l->ordered ? from + l->window : l->ordered;
    if (l->threads == 1) return TWX_OK;
    memset(l->touched, 0, TOUCHED / 8);
    size_t open = 0; /* items that are not settled */
    for (size_t i = l->from; i < l->to; i++) {
        l->found[i - l->from].n_answers = 0;
        l->found[i - l->from].is_compared = !is_settled(l, l->order[i]);
        open += l->found[i - l->from].is_compared;
    }
    if (open < AT_ONCE) {
        for (size_t i = l->from; i < l->to; i++) l->found[i - l->from].is_compared = false;
        return TWX_OK;
    }
    const twx_rc rc = twx_parallel(l->cx, l->threads, parts, look_ahead, l);
    l->comparers->cx = l->cx;
    return rc;
}

static twx_rc decide(leading *l, comparer *c, found *f, uint32_t item) {
    const twx_rc rc = l->threads > 1 && f->is_compared ? complete(l, c, f, item)
                                                       : compare_item(l, c, f, item, false);
    if (text_of(l->how, item) != item) follow_text(l, f, item);
    for (size_t k = 0; rc == TWX_OK && k < relations(l); k++)
        join_best(l, c, f, item, (twx_likeness)k, false);
    return rc == TWX_OK ? note_decision(l, f, item) : rc;
}

static twx_rc lead(leading *l) {
    comparer *c = l->comparers;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < l->ordered; i++) {
        const uint32_t item = l->order[i];
        if (i == l->to) rc = begin_window(l, i);
        if (rc == TWX_OK && i % 1024 == 0) rc = twx_cancelled(l->cx);
        if (rc != TWX_OK) break;
        bool decided = false;
        rc = decide_as_before(l, item, &decided);
        if (rc == TWX_OK && !decided) rc = decide(l, c, &l->found[i - l->from], item);
        if (rc != TWX_OK) break;
        const uint64_t refused = list(l, item);
        if (l->how->led) note_listed(l, c, item, refused);
    }
    return rc;
}

twx_rc twx_leaders_make(twx_ctx *cx, const twx_leading *how, twx_grouper *grouper,
                        twx_grouper *more, twx_leaders *ret_leaders) {
    leading l = {.cx = cx, .how = how, .form_runs = SIZE_MAX};
    twx_rc rc = how->runs ? take_runs(&l, how->runs) : TWX_OK;
    l.first_key = l.all.ends.n;
    if (rc == TWX_OK && grouper) rc = keep_runs(&l, grouper);
    l.similar_runs = l.all.ends.n;
    if (rc == TWX_OK && how->contains) rc = keep_more(&l, more);
    if (rc == TWX_OK) rc = add_texts(&l);
    if (rc == TWX_OK) rc = turn_around(&l);
    if (rc == TWX_OK) rc = put_in_order(&l);
    if (rc == TWX_OK) rc = open_comparers(&l);
    if (rc == TWX_OK) rc = lead(&l);
    if (rc == TWX_OK && how->led) {
        twx_led_done(how->led);
        TWX_MOVE(*how->led, l.made_led);
    }
    twx_runs_done(&l.all);
    close_comparers(&l);
    for (size_t k = 0; k < TWX_LIKENESSES; k++) twx_free(l.lists[k].listed);
    twx_free(l.lists[TWX_CONTAINED].at);
    twx_free(l.lists[TWX_CONTAINED].from);
    twx_free(l.items);
    twx_free(l.runs_from);
    twx_free(l.runs);
    twx_free(l.order);
    close_led(&l);
    if (rc == TWX_OK)
        *ret_leaders = l.made;
    else
        twx_leaders_done(&l.made);
    return rc;
}

void twx_leaders_done(twx_leaders *l) {
    if (!l) return;
    for (size_t k = 0; k < TWX_LIKENESSES; k++) twx_free(l->of[k]);
    twx_free(l->similarity);
    *l = (twx_leaders){0};
}
