/* Items are processed in order of rank. An item joins the most similar representative (ties: the
 * better rank) among those it shares a key with; an item that is similar to none becomes a
 * representative. So every member was compared with its representative, and no chain of weak pairs
 * can join most of the collection. With TWX_JOIN_LINK an item is also compared with members and
 * joins the group of the most similar one.
 * [R1] The result depends only on the items, their keys and ranks.
 * [R2] Every member verifies against its representative (TWX_JOIN_REPRESENTATIVE); a copy that was
 * found through a form of its page is contained in it and confirmed, but need not be similar to it.
 * [R3] For each key, items are compared with the `candidates` best-ranked ones only; the items left
 * out are counted. Keys that the same items have are one key: near-duplicates share many.
 * With `contains` the same search computes a second relation: an item may be a *copy* of another
 * only if the other contains it, as the caller defines it. Representatives of copies are chosen in
 * the same order, but an item that is similar to a representative without being contained in it
 * represents itself.
 * [R4] The first relation is the same with and without the second.
 * [R5] Items of one text are in one group of the first relation.
 * [R6] Neither the result nor its counts depend on the number of threads. */

/* The runs of equal keys are inverted: for each text, the runs it belongs to. Then the items are
 * processed in order of rank, and each run keeps a list of the items that later items are compared
 * with. The list of the first relation reuses the memory of the run's members, because it can never
 * be longer. The list of the second relation holds the representatives of copies that the first
 * list lacks.
 * With several threads, the items of a window of ranks are first compared, all at once, with what
 * the lists have before the window. Then they are processed in order, and each is compared with
 * what the items of the window before it have added.
 * What an earlier call has decided is decided again where it may be different (led.c). */
#include "group/internal.h"

enum { WINDOW = 1024, AT_ONCE = 8, TOUCHED = 1 << 16 };

static bool has_runs(const twx_leads *l, uint32_t item) {
    const uint32_t text = twx_leads_text(l->how, item);
    return l->runs_from[text] < l->runs_from[text + 1];
}

/* ---- runs ---------------------------------------------------------------- */

/* n: runs, or members of all; their numbers have 32 bits. */
static twx_rc check_count(const twx_leads *l, size_t n) {
    return n <= UINT32_MAX ? TWX_OK
                           : twx_fail(l->cx, TWX_E_LIMIT,
                                      "more than 4 billion candidates: near.scope = domain or host "
                                      "makes fewer");
}

TWX_ORDER_0(by_number, uint32_t)

/* Replaces members by their texts, each once; returns how many these are. */
static size_t list_texts(const uint32_t *text_of, uint32_t *members, size_t n) {
    size_t kept = 0;
    bool sorted = true; /* most are */
    for (size_t i = 0; i < n; i++) {
        members[i] = text_of[members[i]];
        sorted &= i == 0 || members[i - 1] <= members[i];
    }
    if (!sorted) qsort(members, n, sizeof *members, by_number);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || members[i] != members[kept - 1]) members[kept++] = members[i];
    return kept;
}

static twx_rc keep_run(void *arg, uint32_t *members, size_t n) {
    twx_leads *l = arg;
    size_t in = 0;
    if (l->text_of) n = list_texts(l->text_of, members, n);
    for (size_t i = 0; i < n; i++)
        if (twx_leads_has(l->how, members[i])) members[in++] = members[i];
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

static twx_rc keep_runs(twx_leads *l, twx_grouper *grouper) {
    l->grouper = grouper;
    const twx_rc rc = twx_grouper_each(l->cx, grouper, keep_run, l);
    twx_map64_done(&l->known);
    return rc;
}

/* Runs that are candidates for the second relation only. */
static twx_rc keep_more(twx_leads *l, twx_grouper *more) {
    const twx_runs *forms = l->how->forms;
    l->unsieved = l->how->may_prove != NULL;
    l->text_of = l->how->text_of_more;
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
static twx_rc take_runs(twx_leads *l, twx_runs *runs) {
    const twx_rc rc = check_count(l, runs->ends.n);
    if (rc != TWX_OK) return rc;
    l->all = *runs;
    *runs = (twx_runs){0};
    return TWX_OK;
}

/* Adds a run for each text that several items have: they share it, whatever its keys are. */
static twx_rc add_texts(twx_leads *l) {
    const twx_leading *how = l->how;
    twx_rc rc = TWX_OK;
    if (!how->text || how->n == how->texts) return TWX_OK;
    l->items = twx_calloc(l->cx, how->texts + 1, sizeof *l->items);
    if (!l->items) return TWX_E_NOMEM;
    for (size_t i = how->texts; i < how->n; i++)
        if (twx_leads_has(how, (uint32_t)i)) l->items[twx_leads_text(how, (uint32_t)i)]++;
    for (uint32_t t = 0; rc == TWX_OK && t < how->texts; t++)
        if (l->items[t]) rc = twx_runs_add(l->cx, &l->all, &t, 1);
    return rc == TWX_OK ? check_count(l, l->all.ends.n) : rc;
}

/* Where the list of each run begins for the second relation, in which all items of its texts can
 * be: at most as many as a list may have. */
static twx_rc place_lists(twx_leads *l, size_t runs, uint64_t *ret_room) {
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

/* Lists the runs of each text. order: of the runs of the first relation; NULL: as they are */
static twx_rc list_runs(twx_leads *l, const uint32_t *order) {
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

static twx_rc make_lists(twx_leads *l) {
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
    for (size_t k = 0; k < twx_leads_relations(l); k++) {
        l->lists[k].listed = twx_calloc(l->cx, runs + 1, sizeof *l->lists[k].listed);
        if (!l->lists[k].listed) return TWX_E_NOMEM;
    }
    return TWX_OK;
}

/* ---- items --------------------------------------------------------------- */

static twx_rc alone_at_first(twx_leads *l) {
    const size_t n = l->how->n;
    int32_t *similarity = l->made.similarity = twx_malloc(l->cx, (n + 1) * sizeof *similarity);
    if (!similarity) return TWX_E_NOMEM;
    for (size_t i = 0; i < n; i++) similarity[i] = TWX_LEADERS_SAME;
    for (size_t k = 0; k < twx_leads_relations(l); k++) {
        uint32_t *of = l->made.of[k] = twx_malloc(l->cx, (n + 1) * sizeof *of);
        if (!of) return TWX_E_NOMEM;
        for (uint32_t i = 0; i < n; i++) of[i] = i;
    }
    return TWX_OK;
}

static twx_rc put_in_order(twx_leads *l) {
    const uint32_t n = (uint32_t)l->how->n, *rank = l->how->rank;
    size_t ranks = 0;
    for (uint32_t i = 0; i < n; i++)
        if (twx_leads_has(l->how, i) && rank[i] >= ranks) ranks = (size_t)rank[i] + 1;
    l->order = twx_malloc(l->cx, (ranks + 1) * sizeof *l->order);
    if (!l->order) return TWX_E_NOMEM;
    for (size_t k = 0; k < ranks; k++) l->order[k] = n;
    for (uint32_t i = 0; i < n; i++)
        if (twx_leads_has(l->how, i) && has_runs(l, i)) l->order[rank[i]] = i;
    for (size_t k = 0; k < ranks; k++)
        if (l->order[k] < n) l->order[l->ordered++] = l->order[k];
    uint32_t *smaller = twx_realloc(l->cx, l->order, l->ordered + 1, sizeof *smaller);
    if (!smaller) return TWX_E_NOMEM;
    l->order = smaller;
    return alone_at_first(l);
}

/* Of few items, one thread compares all. */
static twx_rc open_comparers(twx_leads *l) {
    const twx_leading *how = l->how;
    l->threads = how->threads && l->ordered > WINDOW ? how->threads : 1;
    l->comparers = twx_calloc(l->cx, l->threads, sizeof *l->comparers);
    if (!l->comparers) return TWX_E_NOMEM;
    for (size_t t = 0; t < l->threads; t++) {
        twx_comparer *c = &l->comparers[t];
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

static void close_comparers(twx_leads *l) {
    for (size_t t = 0; l->comparers && t < l->threads; t++) {
        TWX_VEC_DONE(&l->comparers[t].some);
        twx_free(l->comparers[t].met);
    }
    for (twx_found *f = l->found; f && f < l->found + l->window; f++) {
        for (size_t k = 0; k < TWX_LIKENESSES; k++) TWX_VEC_DONE(&f->matches[k]);
        TWX_VEC_DONE(&f->met);
    }
    twx_free(l->comparers);
    twx_free(l->found);
    twx_free(l->touched);
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
static twx_rc compare_with(const twx_leads *l, twx_comparer *c, twx_found *f,
                           const uint32_t pair[2], uint32_t run, bool similar) {
    const twx_leading *how = l->how;
    const uint32_t other = pair[0], item = pair[1];
    const uint64_t bit = UINT64_C(1) << other % 64;
    twx_match r = {other, TWX_LEADERS_SAME, 0};
    if (c->met[other / 64] & bit) return TWX_OK;
    if (!TWX_VEC_PUSH(c->cx, &c->some, other)) return TWX_E_NOMEM;
    c->met[other / 64] |= bit;
    const bool copies = how->contains &&
                        (l->made.of[TWX_CONTAINED][other] == other || run >= l->form_runs);
    if (!similar && copies) r.contains = how->contains(c->arg, other, item);
    const bool is_answered = !similar && r.contains == 0;
    if (is_answered && !how->led) return TWX_OK;
    if (!twx_leads_may_pair(l, c, item, other) &&
        !(how->may_prove && how->may_prove(c->arg, other, item)))
        return TWX_OK;
    if (how->led && !TWX_VEC_PUSH(c->cx, &f->met, other)) return TWX_E_NOMEM;
    if (is_answered) return TWX_OK;
    f->compared += twx_leads_text(how, other) != twx_leads_text(how, item);
    bool is_pair = false;
    r.similarity = similarity_of(how, c->arg, pair, similar, copies, &is_pair);
    if (r.similarity < 0) return TWX_OK;
    if (is_pair && !TWX_VEC_PUSH(c->cx, &f->matches[TWX_SIMILAR], r))
        return TWX_E_NOMEM; /* contains is 0 there */
    if (similar && copies) r.contains = how->contains(c->arg, other, item);
    return r.contains == 0 || TWX_VEC_PUSH(c->cx, &f->matches[TWX_CONTAINED], r) ? TWX_OK
                                                                                 : TWX_E_NOMEM;
}

/* ---- lists --------------------------------------------------------------- */

static uint64_t *touched_word(const twx_leads *l, uint32_t run) {
    return &l->touched[run % TOUCHED / 64];
}

/* Compares the item with all items that its runs list for a relation, or those of the window alone.
 * The first relation comes first, because an item in both lists must count for it. */
static twx_rc compare_listed(const twx_leads *l, twx_comparer *c, twx_found *f, uint32_t item,
                             twx_likeness relation, bool of_window) {
    const twx_run_lists *lists = &l->lists[relation];
    const uint32_t *rank = l->how->rank;
    const uint32_t text = twx_leads_text(l->how, item), first = rank[l->order[l->from]];
    twx_rc rc = TWX_OK;
    for (uint32_t k = l->runs_from[text]; k < l->runs_from[text + 1]; k++) {
        const uint32_t run = l->runs[k];
        if (of_window && !(*touched_word(l, run) >> run % 64 & 1)) continue;
        const uint32_t *list = twx_leads_list(l, run, relation);
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

static twx_rc compare_item(const twx_leads *l, twx_comparer *c, twx_found *f, uint32_t item,
                           bool of_window) {
    twx_rc rc = TWX_OK;
    twx_comparer_begin(c);
    for (size_t k = 0; !of_window && k < TWX_LIKENESSES; k++) f->matches[k].n = 0;
    if (!of_window) f->compared = f->met.n = 0;
    for (size_t k = 0; rc == TWX_OK && k < twx_leads_relations(l); k++)
        rc = compare_listed(l, c, f, item, (twx_likeness)k, of_window);
    return rc;
}

/* The best match first; ties go to the better rank. */
static int better_match(const void *left, const void *right, void *arg) {
    const twx_match *a = left, *b = right;
    const uint32_t *rank = ((const twx_leads *)arg)->how->rank;
    if (a->contains != b->contains) return a->contains > b->contains ? -1 : 1;
    if (a->similarity != b->similarity) return a->similarity > b->similarity ? -1 : 1;
    return rank[a->item] < rank[b->item] ? -1 : rank[a->item] > rank[b->item];
}

/* May the item join the leader of its match? */
static twx_answer ask(const twx_leads *l, const twx_comparer *c, const twx_found *f, uint32_t item,
                      const twx_match *r, bool is_ahead) {
    const twx_leading *how = l->how;
    const uint32_t leader = l->made.of[TWX_CONTAINED][r->item];
    twx_answer a = {leader, leader == r->item ? r->similarity : -1, TWX_CONFIRMED};
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
static void join_best(twx_leads *l, const twx_comparer *c, twx_found *f, uint32_t item,
                      twx_likeness relation, bool is_ahead) {
    const twx_leading *how = l->how;
    const twx_match *matches = f->matches[relation].at;
    const size_t n = f->matches[relation].n;
    uint32_t refused[CONFIRMED_MAX];
    size_t asked = 0;
    if (n > 1) qsort_r(f->matches[relation].at, n, sizeof *matches, better_match, l);
    for (size_t i = 0; i < n; i++) {
        const twx_match r = matches[i];
        const uint32_t leader = l->made.of[relation][r.item];
        if (relation == TWX_CONTAINED) {
            bool known = false;
            for (size_t k = 0; k < asked; k++) known |= refused[k] == leader;
            if (known) continue;
            if (asked == CONFIRMED_MAX) return;
            const twx_answer a = ask(l, c, f, item, &r, is_ahead);
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
static bool list_in(twx_leads *l, uint32_t item, uint32_t run, twx_likeness relation) {
    twx_run_lists *lists = &l->lists[relation];
    if (lists->listed[run] >= l->how->candidates) {
        l->made.capped += relation == TWX_SIMILAR;
        return false;
    }
    twx_leads_list(l, run, relation)[lists->listed[run]++] = item;
    *touched_word(l, run) |= UINT64_C(1) << run % 64;
    return true;
}

/* Adds the item to the lists, so that later items are compared with it. Returns, if decisions are
 * kept, a hash of those that had no room and those that had; 0: all had. */
static uint64_t list(twx_leads *l, uint32_t item) {
    const bool similar = twx_leads_text(l->how, item) == item &&
                         (l->how->join == TWX_JOIN_LINK || l->made.of[TWX_SIMILAR][item] == item);
    const bool copied = l->how->contains && l->made.of[TWX_CONTAINED][item] == item;
    const uint32_t text = twx_leads_text(l->how, item);
    uint64_t refused = 0, accepted = 0;
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
    for (uint32_t k = l->runs_from[text]; refused && k < l->runs_from[text + 1]; k++)
        accepted += twx_mix64(
            l->name[l->runs[k]],
            4 | (uint64_t)twx_leads_is_last(l, l->runs[k], TWX_SIMILAR, item) << 1 |
                twx_leads_is_last(l, l->runs[k], TWX_CONTAINED, item));
    return refused ? refused + accepted : 0;
}

/* [R5] The text's first item has found the group. */
static void follow_text(twx_leads *l, twx_found *f, uint32_t item) {
    const uint32_t first = twx_leads_text(l->how, item);
    l->made.of[TWX_SIMILAR][item] = l->made.of[TWX_SIMILAR][first];
    l->made.similarity[item] = l->made.similarity[first];
    f->matches[TWX_SIMILAR].n = 0;
}

static twx_rc turn_around(twx_leads *l) {
    uint32_t *order = NULL;
    twx_rc rc = check_count(l, l->all.members.n);
    /* [R1] An item that has found enough copies leaves out the rest of its runs, so these come in
     * an order that depends on the ranks of their members alone. */
    if (rc == TWX_OK && l->how->may_prove)
        rc = twx_runs_order(l->cx, &l->all, l->similar_runs, l->how->rank, &order);
    if (rc == TWX_OK && l->how->led) rc = twx_led_prepare(l);
    if (rc == TWX_OK) rc = list_runs(l, order);
    twx_free(order);
    return rc == TWX_OK ? make_lists(l) : rc;
}

/* Compares some items of the window with what the lists have before it. */
static twx_rc look_ahead(twx_ctx *cx, void *arg, size_t thread, size_t part) {
    twx_leads *l = arg;
    twx_comparer *c = &l->comparers[thread];
    const size_t end = l->from + (part + 1) * AT_ONCE;
    twx_rc rc = TWX_OK;
    c->cx = cx;
    for (size_t i = l->from + part * AT_ONCE; rc == TWX_OK && i < l->to && i < end; i++) {
        twx_found *f = &l->found[i - l->from];
        if (!f->is_compared) continue;
        rc = compare_item(l, c, f, l->order[i], false);
        if (rc == TWX_OK) join_best(l, c, f, l->order[i], TWX_CONTAINED, true);
    }
    return rc;
}

/* Adds what the window has added to the lists since the item was compared. Others may be left out
 * then because there are enough, so it is compared again. */
static twx_rc complete(const twx_leads *l, twx_comparer *c, twx_found *f, uint32_t item) {
    const twx_rc rc = compare_item(l, c, f, item, true);
    return rc == TWX_OK && c->some.n && l->how->may_prove &&
                   f->matches[TWX_CONTAINED].n >= SIBLINGS_MAX
               ? compare_item(l, c, f, item, false)
               : rc;
}

/* The order of ranks goes anywhere in memory: fetches what the items after place i need, in three
 * steps, each of which follows what the one before has fetched. */
static void fetch_ahead(const twx_leads *l, size_t i) {
    enum { STEP = 6, RUNS = 4 };
    if (i + 3 * STEP >= l->ordered) return;
    const uint32_t item = l->order[i + 3 * STEP];
    const uint32_t *from = &l->runs_from[twx_leads_text(l->how, l->order[i + STEP])];
    twx_led_fetch(l, item);
    __builtin_prefetch(&l->runs_from[twx_leads_text(l->how, item)]);
    __builtin_prefetch(&l->runs[l->runs_from[twx_leads_text(l->how, l->order[i + 2 * STEP])]]);
    for (size_t k = 0; k < twx_leads_relations(l); k++) {
        __builtin_prefetch(&l->made.of[k][item], 1);
        for (uint32_t r = from[0]; r < from[1] && r < from[0] + RUNS; r++)
            __builtin_prefetch(&l->lists[k].listed[l->runs[r]], 1);
    }
}

static twx_rc begin_window(twx_leads *l, size_t from) {
    const size_t parts = (l->window + AT_ONCE - 1) / AT_ONCE;
    l->from = from;
    l->to = from + l->window < l->ordered ? from + l->window : l->ordered;
    if (l->threads == 1) return TWX_OK;
    memset(l->touched, 0, TOUCHED / 8);
    size_t open = 0; /* items that are not settled */
    for (size_t i = l->from; i < l->to; i++) {
        fetch_ahead(l, i);
        l->found[i - l->from].n_answers = 0;
        l->found[i - l->from].is_compared = !twx_led_is_settled(l, l->order[i]);
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

static twx_rc decide(twx_leads *l, twx_comparer *c, twx_found *f, uint32_t item) {
    const twx_rc rc = l->threads > 1 && f->is_compared ? complete(l, c, f, item)
                                                       : compare_item(l, c, f, item, false);
    if (twx_leads_text(l->how, item) != item) follow_text(l, f, item);
    for (size_t k = 0; rc == TWX_OK && k < twx_leads_relations(l); k++)
        join_best(l, c, f, item, (twx_likeness)k, false);
    return rc == TWX_OK ? twx_led_note(l, f, item) : rc;
}

static twx_rc lead(twx_leads *l) {
    twx_comparer *c = l->comparers;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < l->ordered; i++) {
        const uint32_t item = l->order[i];
        if (i == l->to) rc = begin_window(l, i);
        if (rc == TWX_OK && i % 1024 == 0) rc = twx_cancelled(l->cx);
        if (rc != TWX_OK) break;
        bool decided = false;
        rc = twx_led_decide(l, item, &decided);
        if (rc == TWX_OK && !decided) rc = decide(l, c, &l->found[i - l->from], item);
        if (rc != TWX_OK) break;
        const uint64_t places = list(l, item);
        if (l->how->led) rc = twx_led_note_listed(l, c, item, places);
    }
    return rc;
}

twx_rc twx_leaders_make(twx_ctx *cx, const twx_leading *how, twx_grouper *grouper,
                        twx_grouper *more, twx_leaders *ret_leaders) {
    twx_leads l = {.cx = cx, .how = how, .form_runs = SIZE_MAX};
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
    twx_led_close(&l);
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
