#include "group/group.h"

/* ==== runs */

void twx_runs_done(twx_runs *r) {
    if (!r) return;
    TWX_VEC_DONE(&r->members);
    TWX_VEC_DONE(&r->ends);
}

twx_rc twx_runs_add(twx_ctx *cx, twx_runs *r, const uint32_t *members, size_t n) {
    if (!TWX_VEC_RESERVE(cx, &r->members, r->members.n + n)) return TWX_E_NOMEM;
    if (!TWX_VEC_PUSH(cx, &r->ends, r->members.n + n)) return TWX_E_NOMEM;
    if (n) memcpy(r->members.at + r->members.n, members, n * sizeof *members);
    r->members.n += n;
    return TWX_OK;
}

static bool is_run(const twx_runs *r, size_t run, const uint32_t *members, size_t n) {
    const uint64_t from = twx_runs_start(r, run);
    return r->ends.at[run] - from == n &&
           memcmp(r->members.at + from, members, n * sizeof *members) == 0;
}

static uint64_t run_key(const uint32_t *members, size_t n) {
    return twx_hash64((twx_slice){(const char *)members, n * sizeof *members}, 0);
}

twx_rc twx_runs_add_once(twx_ctx *cx, twx_runs *r, twx_map64 *known, const uint32_t *members,
                         size_t n, size_t *ret_run) {
    const uint64_t fresh = r->ends.n;
    for (uint64_t key = run_key(members, n);; key++) { /* another run may have the same hash */
        uint64_t run = fresh;
        const twx_rc rc = twx_map64_add(cx, known, key, fresh, &run);
        if (rc != TWX_OK) return rc;
        if (ret_run) *ret_run = (size_t)run;
        if (run == fresh) return twx_runs_add(cx, r, members, n);
        if (is_run(r, run, members, n)) return TWX_OK;
    }
}

bool twx_runs_find(const twx_runs *r, const twx_map64 *known, const uint32_t *members, size_t n,
                   size_t *ret_run) {
    uint64_t run = 0, key = run_key(members, n);
    for (; twx_map64_get(known, key, &run); key++) {
        *ret_run = (size_t)run;
        if (is_run(r, run, members, n)) return true;
    }
    return false;
}

int twx_by_rank(const void *left, const void *right, void *arg) {
    const uint32_t *rank = arg;
    const uint32_t a = rank[*(const uint32_t *)left], b = rank[*(const uint32_t *)right];
    return (a > b) - (a < b);
}

typedef struct ranked_runs {
    const twx_runs *runs;
    const uint32_t *rank;
} ranked_runs;

/* Compares two runs by the ranks of their members, which are in order. */
static int by_ranks(const void *left, const void *right, void *arg) {
    const ranked_runs *r = arg;
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    uint64_t x = twx_runs_start(r->runs, a), y = twx_runs_start(r->runs, b);
    for (; x < r->runs->ends.at[a] && y < r->runs->ends.at[b]; x++, y++) {
        const uint32_t p = r->rank[r->runs->members.at[x]], q = r->rank[r->runs->members.at[y]];
        if (p != q) return p < q ? -1 : 1;
    }
    return (x < r->runs->ends.at[a]) - (y < r->runs->ends.at[b]);
}

twx_rc twx_runs_order(twx_ctx *cx, twx_runs *runs, size_t n, const uint32_t *rank,
                      uint32_t **ret_order) {
    ranked_runs ranked = {runs, rank};
    uint32_t *order = twx_malloc(cx, (n + 1) * sizeof *order),
             *scratch = twx_malloc(cx, (n + 1) * sizeof *scratch);
    uint64_t *key = twx_malloc(cx, (n + 1) * sizeof *key);
    const bool has_room = order && scratch && key;
    for (uint32_t r = 0; has_room && r < n; r++) {
        uint32_t *members = &runs->members.at[twx_runs_start(runs, r)];
        const size_t count = (size_t)(runs->ends.at[r] - twx_runs_start(runs, r));
        if (count > 2 || rank[members[0]] > rank[members[1]])
            qsort_r(members, count, sizeof *members, twx_by_rank, (void *)(uintptr_t)rank);
        key[r] = (uint64_t)rank[members[0]] << 32 | rank[members[1]];
        order[r] = r;
    }
    if (has_room) twx_sort_by_key(order, scratch, n, key);
    for (size_t from = 0, to; has_room && from < n; from = to) {
        for (to = from + 1; to < n && key[order[to]] == key[order[from]];) to++;
        if (to > from + 1) qsort_r(order + from, to - from, sizeof *order, by_ranks, &ranked);
    }
    twx_free(scratch);
    twx_free(key);
    if (!has_room) twx_free(order);
    if (has_room) *ret_order = order;
    return has_room ? TWX_OK : TWX_E_NOMEM;
}

size_t twx_sieve_run(const twx_sieve *s, uint32_t *members, size_t n) {
    twx_summary_line room[TWX_SIEVED_MAX];
    const twx_summary_line *line[TWX_SIEVED_MAX];
    bool kept[TWX_SIEVED_MAX] = {false};
    size_t in = 0;
    if (!s || n > s->most || n > TWX_SIEVED_MAX) return n;
    for (size_t i = 0; i < n; i++) line[i] = twx_sieve_summary(s, members[i], &room[i]);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; !kept[i] && k < n; k++) {
            /* an earlier member that was not kept has been compared with all others */
            if (k == i || (k < i && !kept[k]) || !twx_sieve_may_pair(s, line[i], line[k])) continue;
            kept[i] = kept[k] = true;
        }
    for (size_t i = 0; i < n; i++)
        if (kept[i]) members[in++] = members[i];
    return in;
}

/* ==== masked_runs */

/* For one mask, each number becomes an entry of eight bytes: a 32-bit hash of its masked bits above
 * its position. The entries are sorted by a radix sort from the highest digit down: the first pass
 * writes parts that fit in the processor's cache, and the second leaves so few entries out of place
 * that an insertion sort ends it. All passes are stable, so entries of equal hash stay in order of
 * their positions. Neighbours of equal hash are compared by their masked bits, so that a collision
 * of hashes never joins two numbers. Each thread takes a mask at a time. */

enum {
    KEY_SHIFT = 32, /* the hash is the upper half of an entry */
    PART_ENTRIES = 4096 /* the first pass aims at parts of this size: 32 KiB */,
    FIRST_BITS_MAX = 12,
    DIGIT_BITS = 12,
    DIGITS = 1 << DIGIT_BITS,
    FEW = 24 /* entries that an insertion sort orders */
};

typedef struct sorter {
    uint64_t *entries; /* all, in parts */
    TWX_VEC(uint64_t) room;
} sorter;

/* How many members, and then the members, of each run of a mask. */
typedef TWX_VEC(uint32_t) run_list;

typedef struct search {
    const twx_masked *what;
    size_t first_mask; /* of this round */
    unsigned first_bits;
    sorter sorters[TWX_PARALLEL_MAX]; /* by thread */
    run_list found[TWX_PARALLEL_MAX]; /* by mask of this round */
} search;

static uint64_t hash_of(uint64_t masked) {
    const uint64_t h = masked * UINT64_C(0x9E3779B97F4A7C15);
    return (h ^ h >> 32) * UINT64_C(0xD6E8FEB86659FD93) >> 32;
}

/* Turns the counts of values into where each begins. */
static void to_starts(uint32_t *counts, size_t values) {
    uint32_t sum = 0;
    for (size_t v = 0; v < values; v++) {
        const uint32_t count = counts[v];
        counts[v] = sum;
        sum += count;
    }
}

/* The first pass: ends[v] is where the part of the first digit v ends. */
static void make_parts(const twx_masked *what, uint64_t mask, unsigned bits, uint64_t *entries,
                       uint32_t *ends) {
    const unsigned shift = 32 - bits;
    memset(ends, 0, sizeof *ends << bits);
    for (size_t i = 0; i < what->n; i++) ends[hash_of(what->numbers[i] & mask) >> shift]++;
    to_starts(ends, (size_t)1 << bits);
    for (size_t i = 0; i < what->n; i++) {
        const uint64_t hash = hash_of(what->numbers[i] & mask);
        entries[ends[hash >> shift]++] = hash << KEY_SHIFT | i;
    }
}

/* Sorts from[0..n), whose hashes agree from bit `bits` on, into `to`; overwrites `from`. The depth
 * of the recursion is the number of digits of a hash. */
static void sort_part(uint64_t *from, uint64_t *to, size_t n, unsigned bits) {
    uint32_t ends[DIGITS] = {0};
    const unsigned digit_bits = bits < DIGIT_BITS ? bits : DIGIT_BITS;
    const unsigned shift = KEY_SHIFT + bits - digit_bits, last = (1U << digit_bits) - 1;
    if (n <= FEW || bits == 0) { /* entries of equal hash are in order */
        memcpy(to, from, n * sizeof *to);
        if (bits > 0) twx_sort_few(to, n);
        return;
    }
    for (size_t i = 0; i < n; i++) ends[from[i] >> shift & last]++;
    to_starts(ends, (size_t)last + 1);
    for (size_t i = 0; i < n; i++) to[ends[from[i] >> shift & last]++] = from[i];
    for (size_t v = 0, start = 0; v <= last; start = ends[v++]) {
        const size_t count = ends[v] - start;
        if (count <= FEW) continue;
        sort_part(to + start, from + start, count, bits - digit_bits);
        memcpy(to + start, from + start, count * sizeof *to);
    }
    twx_sort_few(to, n);
}

static twx_rc keep_run(twx_ctx *cx, const uint64_t *entries, size_t n, run_list *ret_found) {
    if (n < 2) return TWX_OK;
    if (!TWX_VEC_RESERVE(cx, ret_found, ret_found->n + n + 1)) return TWX_E_NOMEM;
    ret_found->at[ret_found->n++] = (uint32_t)n;
    for (size_t i = 0; i < n; i++) ret_found->at[ret_found->n++] = (uint32_t)entries[i];
    return TWX_OK;
}

typedef struct masked_order {
    const uint64_t *numbers;
    uint64_t mask;
} masked_order;

static uint64_t masked(const masked_order *order, uint64_t entry) {
    return order->numbers[(uint32_t)entry] & order->mask;
}

static int by_masked_bits(const void *left, const void *right, void *arg) {
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    const uint64_t x = masked(arg, a), y = masked(arg, b);
    return x != y ? (x > y) - (x < y) : (a > b) - (a < b);
}

/* Keeps the runs among entries of equal hash. */
static twx_rc keep_runs(twx_ctx *cx, masked_order *order, uint64_t *at, size_t n,
                        run_list *ret_found) {
    twx_rc rc = TWX_OK;
    size_t equal = 1;
    while (equal < n && masked(order, at[equal]) == masked(order, at[0])) equal++;
    if (equal == n) return keep_run(cx, at, n, ret_found);
    qsort_r(at, n, sizeof *at, by_masked_bits, order);
    for (size_t from = 0, to; rc == TWX_OK && from < n; from = to) {
        for (to = from + 1; to < n && masked(order, at[to]) == masked(order, at[from]);) to++;
        rc = keep_run(cx, at + from, to - from, ret_found);
    }
    return rc;
}

static twx_rc search_part(twx_ctx *cx, masked_order *order, uint64_t *at, size_t n,
                          run_list *ret_found) {
    twx_rc rc = TWX_OK;
    for (size_t from = 0, to; rc == TWX_OK && from < n; from = to) {
        for (to = from + 1; to < n && at[to] >> KEY_SHIFT == at[from] >> KEY_SHIFT;) to++;
        if (to - from > 1) rc = keep_runs(cx, order, at + from, to - from, ret_found);
    }
    return rc;
}

static twx_rc search_mask(twx_ctx *cx, void *arg, size_t thread, size_t task) {
    search *s = arg;
    sorter *mine = &s->sorters[thread];
    masked_order order = {s->what->numbers, s->what->masks[s->first_mask + task]};
    uint32_t ends[1 << FIRST_BITS_MAX];
    twx_rc rc = TWX_OK;
    if (!mine->entries) mine->entries = twx_malloc(cx, (s->what->n + 1) * sizeof *mine->entries);
    if (!mine->entries) return TWX_E_NOMEM;
    make_parts(s->what, order.mask, s->first_bits, mine->entries, ends);
    for (size_t v = 0, start = 0; rc == TWX_OK && v >> s->first_bits == 0; start = ends[v++]) {
        const size_t n = ends[v] - start;
        if (n < 2) continue;
        if (!TWX_VEC_RESERVE(cx, &mine->room, n)) return TWX_E_NOMEM;
        sort_part(mine->entries + start, mine->room.at, n, 32 - s->first_bits);
        rc = search_part(cx, &order, mine->room.at, n, &s->found[task]);
    }
    return rc;
}

static twx_rc pass_on(twx_ctx *cx, run_list *found, twx_run_fn *fn, void *arg) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0, n; rc == TWX_OK && i < found->n; i += n + 1) {
        n = found->at[i];
        rc = fn(arg, &found->at[i + 1], n);
        if (rc == TWX_OK) rc = twx_cancelled(cx);
    }
    found->n = 0;
    return rc;
}

twx_rc twx_masked_runs(twx_ctx *cx, const twx_masked *what, twx_run_fn *fn, void *arg) {
    size_t threads = what->threads < TWX_PARALLEL_MAX ? what->threads : TWX_PARALLEL_MAX;
    search *s = twx_calloc(cx, 1, sizeof *s);
    twx_rc rc = s ? TWX_OK : TWX_E_NOMEM;
    if (!s) return rc;
    s->what = what;
    s->first_bits = 1;
    while (s->first_bits < FIRST_BITS_MAX && what->n >> s->first_bits > PART_ENTRIES)
        s->first_bits++;
    if (threads == 0) threads = 1;
    while (rc == TWX_OK && s->first_mask < what->n_masks) {
        const size_t left = what->n_masks - s->first_mask, now = left < threads ? left : threads;
        rc = twx_parallel(cx, threads, now, search_mask, s);
        for (size_t k = 0; rc == TWX_OK && k < now; k++) rc = pass_on(cx, &s->found[k], fn, arg);
        s->first_mask += now;
    }
    for (size_t i = 0; i < TWX_PARALLEL_MAX; i++) {
        twx_free(s->sorters[i].entries);
        TWX_VEC_DONE(&s->sorters[i].room);
        TWX_VEC_DONE(&s->found[i]);
    }
    twx_free(s);
    return rc;
}

/* ==== grouper */

enum { TWX_MASKED_BYTES = 16, TWX_GROUPER_MASKS_MAX = 256, BYTES_MIN = 1 << 20 };

/* Numbers that are grouped by their bits in some masks. */
typedef struct masked_numbers {
    uint64_t masks[TWX_GROUPER_MASKS_MAX];
    size_t n_masks, threads;
    bool are_entries; /* there were too many for memory */
    TWX_VEC(uint64_t) at;
    TWX_VEC(uint32_t) index;
} masked_numbers;

struct twx_grouper {
    twx_ctx *cx;
    size_t bytes;
    masked_numbers numbers;
    twx_entries entries;
    bool is_sorted;
    TWX_VEC(uint32_t) members; /* of the current run */
    uint64_t key;              /* the same */
};

twx_rc twx_grouper_open(twx_ctx *cx, size_t bytes, const char *folder, twx_grouper **ret_grouper) {
    twx_grouper *g = twx_calloc(cx, 1, sizeof *g);
    if (!g) return TWX_E_NOMEM;
    g->cx = cx;
    g->bytes = bytes < BYTES_MIN ? BYTES_MIN : bytes;
    g->entries.limit = g->bytes / (2 * sizeof(twx_entry));
    g->entries.folder = folder;
    *ret_grouper = g;
    return TWX_OK;
}

void twx_grouper_close(twx_grouper *g) {
    if (!g) return;
    twx_entries_done(&g->entries);
    TWX_VEC_DONE(&g->members);
    TWX_VEC_DONE(&g->numbers.at);
    TWX_VEC_DONE(&g->numbers.index);
    twx_free(g);
}

uint64_t twx_grouper_key(const twx_grouper *g) {
    return g->key;
}

size_t twx_grouper_sorted_bytes(const twx_grouper *g) {
    return g->entries.on_disk ? twx_external_sort_parts(g->entries.on_disk) : 0;
}

twx_rc twx_grouper_add(twx_grouper *g, uint64_t key, uint64_t check, uint32_t index) {
    return twx_entries_add(g->cx, &g->entries,
                           (twx_entry){.key = key, .check = check, .index = index});
}

/* ---- numbers under masks ------------------------------------------------ */

enum { NUMBER_BYTES = sizeof(uint64_t) + sizeof(uint32_t) };

void twx_grouper_use_masks(twx_grouper *g, const uint64_t *masks, size_t n_masks, size_t threads) {
    masked_numbers *m = &g->numbers;
    m->n_masks = n_masks < TWX_GROUPER_MASKS_MAX ? n_masks : TWX_GROUPER_MASKS_MAX;
    memcpy(m->masks, masks, m->n_masks * sizeof *masks);
    m->threads = threads;
}

static twx_rc add_masked_keys(twx_grouper *g, uint64_t number, uint32_t index) {
    const masked_numbers *m = &g->numbers;
    twx_rc rc = TWX_OK;
    for (size_t k = 0; rc == TWX_OK && k < m->n_masks; k++)
        rc = twx_grouper_add(g, twx_mix64(number & m->masks[k], m->masks[k]), 0, index);
    return rc;
}

twx_rc twx_grouper_add_number(twx_grouper *g, uint64_t number, uint32_t index) {
    masked_numbers *m = &g->numbers;
    if (!m->are_entries && m->at.n == g->bytes / (NUMBER_BYTES + TWX_MASKED_BYTES)) {
        twx_rc rc = TWX_OK;
        m->are_entries = true;
        for (size_t i = 0; rc == TWX_OK && i < m->at.n; i++)
            rc = add_masked_keys(g, m->at.at[i], m->index.at[i]);
        TWX_VEC_DONE(&m->at);
        TWX_VEC_DONE(&m->index);
        if (rc != TWX_OK) return rc;
    }
    if (m->are_entries) return add_masked_keys(g, number, index);
    return TWX_VEC_PUSH(g->cx, &m->at, number) && TWX_VEC_PUSH(g->cx, &m->index, index)
               ? TWX_OK
               : TWX_E_NOMEM;
}

typedef struct renamed_runs {
    const uint32_t *index;
    twx_run_fn *fn;
    void *arg;
} renamed_runs;

static twx_rc rename_run(void *arg, uint32_t *members, size_t n) {
    const renamed_runs *r = arg;
    for (size_t i = 0; i < n; i++) members[i] = r->index[members[i]];
    return r->fn(r->arg, members, n);
}

/* As many threads as fit into the limit. */
static twx_rc each_masked_run(twx_ctx *cx, twx_grouper *g, twx_run_fn *fn, void *arg) {
    const masked_numbers *m = &g->numbers;
    if (m->at.n == 0) return TWX_OK;
    const size_t room = (g->bytes / m->at.n - NUMBER_BYTES) / TWX_MASKED_BYTES;
    renamed_runs renamed = {m->index.at, fn, arg};
    const twx_masked what = {m->at.at, m->at.n, m->masks, m->n_masks,
                             room < m->threads ? room : m->threads};
    return twx_masked_runs(cx, &what, rename_run, &renamed);
}

/* ---- runs --------------------------------------------------------------- */

twx_rc twx_grouper_sort(twx_ctx *cx, twx_grouper *g, const twx_grouper *before,
                        const uint32_t *moved) {
    if (g->entries.on_disk && !before) return TWX_OK; /* it is sorted when it is read */
    g->is_sorted = true;
    return twx_entries_sort_with(cx, &g->entries, before ? &before->entries : NULL, moved);
}

static twx_rc end_run(twx_grouper *g, twx_run_fn *fn, void *arg) {
    twx_rc rc = g->members.n >= 2 ? fn(arg, g->members.at, g->members.n) : TWX_OK;
    g->members.n = 0;
    return rc;
}

static twx_rc each_entry_run(twx_ctx *cx, twx_grouper *g, twx_run_fn *fn, void *arg) {
    twx_entry entry, run = {0};
    twx_rc rc = g->is_sorted ? TWX_OK : twx_entries_sort(cx, &g->entries);
    while (rc == TWX_OK) {
        rc = twx_entries_next(&g->entries, &entry);
        if (rc == TWX_DONE) return end_run(g, fn, arg);
        if (rc != TWX_OK) break;
        bool same = g->members.n > 0 && entry.key == run.key && entry.check == run.check;
        if (same && entry.index == g->members.at[g->members.n - 1])
            continue; /* a document that has the key twice */
        if (!same) rc = end_run(g, fn, arg);
        if (rc == TWX_OK && !same) rc = twx_cancelled(cx);
        run = entry;
        g->key = entry.key;
        if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &g->members, entry.index)) rc = TWX_E_NOMEM;
    }
    return rc;
}

twx_rc twx_grouper_each(twx_ctx *cx, twx_grouper *g, twx_run_fn *fn, void *arg) {
    twx_rc rc = each_entry_run(cx, g, fn, arg);
    return rc == TWX_OK ? each_masked_run(cx, g, fn, arg) : rc;
}
