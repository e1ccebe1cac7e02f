#include "group/group.h"

#include <pthread.h>

/* ==== bands */

/* Bytes of unrelated sketches agree once in 256, so in a collection of n texts a text shares a band
 * of b bytes with n / 256^b strangers, and with k bands it meets k n / 256^b. Therefore the number
 * of bytes grows with the collection, and the number of bands with it, because a band of more bytes
 * is shared less often by similar texts, too: bytes agree with probability p = J + (1 - J) / 256
 * for texts that share J of their shingles, and a band of b bytes is shared with p^b. There are not
 * enough bytes for that many disjoint bands, so the bands overlap: any two have at most one byte in
 * common (three at 5 bytes).
 *
 * A collection has the first plan that is large enough for the number of its documents, so the
 * plan changes at five sizes only. Short texts have more bands, because those at the threshold
 * share fewer shingles; sign/alignment.c says when a text is short. Strangers: simulated, for 5
 * bytes computed, for the largest collection of a plan, all of whose texts have 40 random words,
 * with the sketches of sign/sketch.c. Found, in percent: simulated with 20 000 pairs of
 * sketches of 39 shingles, of which the texts share J; for a long text J = .40. A change of the
 * plans bumps TWX_JUDGE_VERSION. The last row of short texts is interpolated between the
 * simulations of 768 and 1 024 bands.
 *
 *     documents, up to   bands of all   of short texts   strangers   J = .32   .37   .39   long .40
 *                7 900     42 of 3          64 of 2         7.9       99.97   100     100     95.4
 *              730 000     42 of 3         128 of 3         7.9       99.5    99.97   100     95.4
 *            2 800 000     42 of 3         384 of 4         7.8       98.9    99.9    99.98   95.4
 *           43 000 000    128 of 4         512 of 4         7.8       99.4    99.97   100     95.8
 *        4 500 000 000    512 of 5       1 024 of 5         7.9       97.3    99.8    99.97   98.2
 *             no limit    512 of 5         320 of 5   9.5 at 10^10    89      98.3    99.4    98.2
 */

/* Overlapping bands: offset set number k / 128 moved by a number of bytes, modulo 128. The
 * differences within all sets of one length are distinct modulo 128, so two bands have at most one
 * byte in common; of 5 bytes each difference is used up to three times. Found by random search. */
static const uint8_t OFFSETS3[][3] = {{0, 10, 91}, {0, 99, 1}};
static const uint8_t OFFSETS4[][4] = {
    {0, 81, 102, 126}, {0, 57, 37, 8}, {0, 113, 53, 18}, {0, 127, 77, 111}, {0, 92, 114, 44}};
static const uint8_t OFFSETS5[][5] = {
    {0, 94, 11, 4, 108},   {0, 85, 75, 20, 47},  {0, 34, 58, 62, 42},  {0, 33, 109, 102, 18},
    {0, 77, 127, 17, 102}, {0, 58, 59, 18, 27},  {0, 109, 17, 27, 14}, {0, 83, 37, 93, 91},
    {0, 72, 105, 3, 7},    {0, 119, 54, 15, 16}, {0, 98, 112, 62, 32}, {0, 119, 49, 80, 116}};

static const twx_band_plan PLANS[] = {
    {7900, {{3, true, 42, 0}, {2, true, 0, 64}}},
    {730000, {{3, true, 42, 0}, {3, false, 0, 128}}},
    {2800000, {{3, true, 42, 0}, {4, false, 0, 384}}},
    {43000000, {{4, false, 128, 512}}},
    {4500000000, {{5, false, 512, 1024}}},
    {UINT64_MAX, {{5, false, 512, 320}}},
};

enum { STEP = 37 /* odd: few bands of a set still take all bytes */ };

const twx_band_plan *twx_band_plan_for(uint64_t documents) {
    const twx_band_plan *plan = PLANS;
    while (plan->documents < documents) plan++;
    return plan;
}

static size_t bands_in(const twx_band_section *s) {
    return (size_t)s->all + s->more;
}

size_t twx_band_count(const twx_band_plan *plan) {
    size_t n = 0;
    for (size_t i = 0; i < TWX_BAND_SECTIONS; i++) n += bands_in(&plan->section[i]);
    return n;
}

static const uint8_t *offsets_of(size_t bytes, size_t set) {
    return bytes == 3 ? OFFSETS3[set] : bytes == 4 ? OFFSETS4[set] : OFFSETS5[set];
}

twx_band twx_band_of(const twx_band_plan *plan, size_t number) {
    const twx_band_section *s = plan->section;
    for (; number >= bands_in(s); s++) number -= bands_in(s);
    twx_band band = {.bytes = s->bytes, .of_short = number >= s->all};
    const size_t moved = number % TWX_SKETCH_BYTES * STEP % TWX_SKETCH_BYTES;
    for (size_t i = 0; i < s->bytes; i++)
        band.at[i] = (uint8_t)(s->disjoint
                                   ? number * s->bytes + i
                                   : (moved + offsets_of(s->bytes, number / TWX_SKETCH_BYTES)[i]) %
                                         TWX_SKETCH_BYTES);
    return band;
}

uint64_t twx_band_value(const twx_band *band, const unsigned char sketch[TWX_SKETCH_BYTES]) {
    uint64_t value = 0;
    for (size_t i = 0; i < band->bytes; i++) value = value << 8 | sketch[band->at[i]];
    return value;
}

/* ==== band_search */

enum {
    CHUNK = 1024, /* texts whose bands are computed at once */
    AHEAD = 12,   /* edges between asking for summaries and using them */
    MEMORY_MIN = 1 << 16,
    BATCH = 2048,      /* bands entered into one table, about: it stays in the cache */
    NARROW_MAX = 2048, /* new texts that a filter of 2^16 bits distinguishes from others */
    BATCH_BITS_MAX = 10,
    TABLE_BITS_MIN = 4, /* of the number of cells */
    TABLE_BITS_MAX = 31
};

/* A cell of the table: the first text that has a band. */
typedef struct cell {
    uint32_t item;  /* its place in the batch; NONE: empty */
    uint32_t check; /* the lower 32 bits of the band's value */
} cell;

/* The band of a text. */
typedef struct item {
    uint32_t text, check, place; /* place: the upper 32 bits of a hash of the value */
} item;

static const uint32_t NONE = UINT32_MAX;
static const uint64_t SPREAD = UINT64_C(0x9E3779B97F4A7C15); /* 2^64 / golden ratio */

/* The search of all threads. */
typedef struct searching {
    const twx_band_search *how;
    unsigned part_bits;  /* each band is searched in 2^part_bits parts, by a hash, to save memory */
    unsigned batch_bits; /* a part is entered in 2^batch_bits batches, by another hash */
    /* The runs that were found, in order of the bands; with the lock */
    pthread_mutex_t lock;
    twx_runs *found; /* by band: those that wait for bands before them */
    bool *is_done;   /* by band */
    size_t next;     /* the first band whose runs are not in `runs` */
    twx_runs *runs;
    twx_map64 known;     /* the runs there */
    twx_kept_runs *kept; /* instead of both; NULL: runs are not kept */
    twx_runs *gone;      /* by band: runs that have become others; NULL: all texts are searched */
    struct searcher *searchers[TWX_PARALLEL_MAX]; /* by thread; NULL: has not begun */
} searching;

/* One thread. */
typedef struct searcher {
    twx_ctx *cx;
    const searching *all;
    twx_band band;
    TWX_VEC(item) items;   /* of the part in order of the texts, */
    TWX_VEC(item) batched; /* and in order of the batches */
    TWX_VEC(cell) table;
    size_t ends[1 << BATCH_BITS_MAX]; /* of the batches */
    TWX_VEC(twx_entry) edges;         /* key: the first text that has a band, then another one */
    TWX_VEC(twx_entry) scratch;
    TWX_VEC(uint32_t) members;
    twx_map64 pairs;            /* runs of two that the sieve has left: they occur in many bands */
    uint64_t hash[CHUNK];       /* of the texts of a chunk */
    uint32_t low[CHUNK];        /* the last four bytes of their bands */
    twx_sketch_columns columns; /* of the band, of one block */
    /* When more texts are searched: the bands of the new ones, with numbers; bits that say
     * where there may be one; a copy of members */
    twx_map64 fresh;
    bool is_wide;
    TWX_VEC(uint64_t) filter;
    TWX_VEC(uint32_t) sieved;
} searcher;

/* Computes the bands of CHUNK texts from `from` on; what is beyond the last text is not used. The
 * number of steps is constant, so the compiler makes several at once. */
static void read_bands(searcher *s, size_t from) {
    const twx_band_search *how = s->all->how;
    const size_t row = from % TWX_SKETCH_ROWS, high = s->band.bytes > sizeof(uint32_t);
    memset(s->low, 0, sizeof s->low);
    for (size_t b = high; b < s->band.bytes; b++) {
        const unsigned char *column = s->columns.at[b] + row;
        for (size_t i = 0; i < CHUNK; i++) s->low[i] = s->low[i] << 8 | column[i];
    }
    for (size_t i = 0; i < CHUNK; i++) s->hash[i] = s->low[i] * SPREAD;
    const unsigned char *first = s->columns.at[0] + row;
    for (size_t i = 0; high && i < CHUNK; i++) s->hash[i] += ((uint64_t)first[i] << 32) * SPREAD;
    const size_t n = how->sketches->n - from < CHUNK ? how->sketches->n - from : CHUNK;
    for (size_t i = 0; how->scope && i < n; i++)
        s->hash[i] = twx_mix64(s->hash[i], how->scope[from + i]);
}

_Static_assert(TWX_SKETCH_ROWS % CHUNK == 0, "a chunk is in one block");

/* The batch of an item; shifts in two steps, because one by 32 bits is undefined. */
static size_t batch_of(const searcher *s, uint32_t place) {
    return place >> 1 >> (31 - s->all->batch_bits);
}

/* Lists the texts from `from` to `to`, of one chunk, that have the band, if it is in the part, and
 * counts their batches. */
static void list_chunk(searcher *s, uint64_t part, size_t from, size_t to) {
    const uint64_t parts = UINT64_C(1) << s->all->part_bits;
    const uint8_t least = s->band.of_short ? TWX_SKETCH_SHORT : TWX_SKETCH_LONG;
    const uint8_t *kind = s->all->how->sketches->kind.at + from;
    read_bands(s, from);
    item *next = s->items.at + s->items.n;
    for (size_t i = 0; i < to - from; i++) {
        const bool listed = (kind[i] >= least) & ((s->hash[i] >> 16 & (parts - 1)) == part);
        *next = (item){(uint32_t)(from + i), s->low[i], (uint32_t)(s->hash[i] >> 32)};
        s->ends[batch_of(s, next->place)] += listed;
        next += listed;
    }
    s->items.n = (size_t)(next - s->items.at);
}

/* Lists all texts that have the band, if it is in the part. */
static twx_rc list_items(searcher *s, uint64_t part) {
    const twx_sketches *sketches = s->all->how->sketches;
    memset(s->ends, 0, sizeof s->ends[0] << s->all->batch_bits);
    s->items.n = 0;
    for (size_t from = 0; from < sketches->n; from += CHUNK) {
        const size_t to = sketches->n - from < CHUNK ? sketches->n : from + CHUNK;
        if (from % TWX_SKETCH_ROWS == 0) {
            const twx_rc rc = twx_sketches_get(s->cx, sketches, from / TWX_SKETCH_ROWS, &s->band,
                                               &s->columns);
            if (rc != TWX_OK) return rc;
        }
        if (!TWX_VEC_RESERVE(s->cx, &s->items, s->items.n + CHUNK)) return TWX_E_NOMEM;
        list_chunk(s, part, from, to);
    }
    return TWX_OK;
}

static twx_rc sort_into_batches(searcher *s) {
    size_t sum = 0;
    if (!TWX_VEC_RESERVE(s->cx, &s->batched, s->items.n)) return TWX_E_NOMEM;
    for (size_t b = 0; b >> s->all->batch_bits == 0; b++) {
        const size_t count = s->ends[b];
        s->ends[b] = sum; /* each insertion moves it up */
        sum += count;
    }
    for (size_t i = 0; i < s->items.n; i++) {
        const item *it = &s->items.at[i];
        s->batched.at[s->ends[batch_of(s, it->place)]++] = *it;
    }
    return TWX_OK;
}

/* Is the band of an earlier text, which has the same check, equal in full? If it has a fifth byte,
 * the check and 32 bits of the hash determine it; in a scope they hardly ever fail to. */
static bool same_band(const searcher *s, const item *first, const item *other) {
    const uint64_t *scope = s->all->how->scope;
    if (scope && scope[first->text] != scope[other->text]) return false;
    return s->band.bytes <= sizeof(uint32_t) || first->place == other->place;
}

/* Finds the edges between the n items of a batch. */
static twx_rc enter_batch(searcher *s, const item *at, size_t n) {
    unsigned bits = TABLE_BITS_MIN;
    while (bits <= TABLE_BITS_MAX && UINT64_C(1) << bits < 4 * (uint64_t)n) bits++;
    if (bits > TABLE_BITS_MAX)
        return twx_fail(s->cx, TWX_E_LIMIT,
                        "%zu texts share a part of their sketches, more than can be compared: "
                        "near.scope = domain or host makes smaller sets",
                        n);
    const uint32_t last = (uint32_t)((UINT64_C(1) << bits) - 1);
    if (!TWX_VEC_RESERVE(s->cx, &s->table, (size_t)last + 1)) return TWX_E_NOMEM;
    cell *table = s->table.at;
    memset(table, 0xFF, ((size_t)last + 1) * sizeof *table);
    for (size_t i = 0; i < n; i++) {
        /* the upper bits are equal within a batch */
        uint32_t k = (uint32_t)((uint64_t)at[i].place << s->all->batch_bits >> (32 - bits)) & last;
        while (table[k].item != NONE &&
               (table[k].check != at[i].check || !same_band(s, &at[table[k].item], &at[i])))
            k = (k + 1) & last;
        if (table[k].item == NONE) {
            table[k] = (cell){(uint32_t)i, at[i].check};
            continue;
        }
        const uint64_t first = at[table[k].item].text;
        if (!TWX_VEC_PUSH(s->cx, &s->edges, (twx_entry){.key = first << 32 | at[i].text}))
            return TWX_E_NOMEM;
    }
    return TWX_OK;
}

/* Finds the edges of the current band. */
static twx_rc find_edges(searcher *s) {
    twx_rc rc = TWX_OK;
    for (uint64_t part = 0; rc == TWX_OK && part >> s->all->part_bits == 0; part++) {
        rc = list_items(s, part);
        if (rc == TWX_OK) rc = sort_into_batches(s);
        for (size_t b = 0, from = 0; rc == TWX_OK && b >> s->all->batch_bits == 0;
             from = s->ends[b++])
            rc = enter_batch(s, s->batched.at + from, s->ends[b] - from);
        if (rc == TWX_OK) rc = twx_cancelled(s->cx);
    }
    return rc;
}

static void ask_for_summaries(const searcher *s, size_t edge) {
    const twx_sieve *sieve = s->all->how->sieve;
    if (!sieve || !sieve->summary || edge >= s->edges.n) return;
    const uint64_t key = s->edges.at[edge].key;
    __builtin_prefetch(sieve->summary[key >> 32].at);
    __builtin_prefetch(sieve->summary[(uint32_t)key].at);
}

/* Keeps what the sieve leaves of the members, unless it is a pair that this thread has kept: then
 * its bands are counted. */
static twx_rc keep_run(searcher *s, twx_runs *ret_runs) {
    uint32_t *members = s->members.at;
    uint64_t pair = s->members.n == 2 ? (uint64_t)members[0] << 32 | members[1] : 0, bands = 0;
    if (pair && twx_map64_get(&s->pairs, pair, &bands))
        return s->all->kept ? twx_map64_put(s->cx, &s->pairs, pair, bands + 1) : TWX_OK;
    const size_t n = twx_sieve_run(s->all->how->sieve, members, s->members.n);
    twx_rc rc = n >= 2 && pair ? twx_map64_put(s->cx, &s->pairs, pair, 1) : TWX_OK;
    return n >= 2 && rc == TWX_OK ? twx_runs_add(s->cx, ret_runs, members, n) : rc;
}

/* Keeps the runs of the current band. */
static twx_rc keep_runs(searcher *s, twx_runs *ret_runs) {
    twx_rc rc = TWX_OK;
    if (!TWX_VEC_RESERVE(s->cx, &s->scratch, s->edges.n)) return TWX_E_NOMEM;
    twx_sort_entries(s->edges.at, s->scratch.at, s->edges.n);
    for (size_t i = 0; rc == TWX_OK && i < s->edges.n;) {
        const uint64_t first = s->edges.at[i].key >> 32;
        s->members.n = 0;
        if (!TWX_VEC_PUSH(s->cx, &s->members, (uint32_t)first)) return TWX_E_NOMEM;
        for (; i < s->edges.n && s->edges.at[i].key >> 32 == first; i++) {
            ask_for_summaries(s, i + AHEAD);
            if (!TWX_VEC_PUSH(s->cx, &s->members, (uint32_t)s->edges.at[i].key)) return TWX_E_NOMEM;
        }
        rc = keep_run(s, ret_runs);
    }
    s->edges.n = 0;
    return rc;
}

/* ---- more texts ------------------------------------------------------------ */

/* The band of a text, in its scope. */
static uint64_t value_of(const searcher *s, size_t text) {
    const uint64_t *scope = s->all->how->scope;
    uint64_t value = 0;
    for (size_t b = 0; b < s->band.bytes; b++)
        value = value << 8 | s->columns.at[b][text % TWX_SKETCH_ROWS];
    return scope ? twx_mix64(value, scope[text]) : value;
}

/* The bit for the last two bytes of a band, or three: they are as good as a hash. */
static size_t filter_bit(const searcher *s, size_t row) {
    const unsigned char *const *last = &s->columns.at[s->band.bytes - 2];
    const size_t bit = (size_t)last[0][row] << 8 | last[1][row];
    return s->is_wide ? (size_t)last[-1][row] << 16 | bit : bit;
}

static twx_rc get_columns(searcher *s, size_t text) {
    return twx_sketches_get(s->cx, s->all->how->sketches, text / TWX_SKETCH_ROWS, &s->band,
                            &s->columns);
}

/* Numbers the bands of the new texts in s->fresh. */
static twx_rc number_new(searcher *s, size_t first, size_t n) {
    const uint8_t least = s->band.of_short ? TWX_SKETCH_SHORT : TWX_SKETCH_LONG;
    const uint8_t *kind = s->all->how->sketches->kind.at;
    twx_rc rc = get_columns(s, first);
    for (size_t i = first; rc == TWX_OK && i < n; i++) {
        if (i % TWX_SKETCH_ROWS == 0) rc = get_columns(s, i);
        if (rc != TWX_OK || kind[i] < least) continue;
        const size_t bit = filter_bit(s, i % TWX_SKETCH_ROWS);
        const uint64_t next = s->fresh.n;
        uint64_t number = next;
        s->filter.at[bit / 64] |= UINT64_C(1) << bit % 64;
        rc = twx_map64_add(s->cx, &s->fresh, value_of(s, i), next, &number);
    }
    return rc;
}

/* Lists all texts that have one of the bands in s->fresh. */
static twx_rc list_with_new(searcher *s, size_t n) {
    const uint8_t least = s->band.of_short ? TWX_SKETCH_SHORT : TWX_SKETCH_LONG;
    const uint8_t *kind = s->all->how->sketches->kind.at;
    const uint64_t *filter = s->filter.at;
    for (size_t from = 0; from < n; from += TWX_SKETCH_ROWS) {
        const size_t rows = n - from < TWX_SKETCH_ROWS ? n - from : TWX_SKETCH_ROWS;
        const twx_rc rc = get_columns(s, from);
        if (rc != TWX_OK) return rc;
        for (size_t row = 0; row < rows; row++) {
            const size_t bit = filter_bit(s, row), i = from + row;
            uint64_t number = 0;
            if (!(filter[bit / 64] >> bit % 64 & 1) || kind[i] < least ||
                !twx_map64_get(&s->fresh, value_of(s, i), &number))
                continue;
            if (!TWX_VEC_PUSH(s->cx, &s->edges, (twx_entry){.key = number << 32 | i}))
                return TWX_E_NOMEM;
        }
    }
    return twx_cancelled(s->cx);
}

/* Adds what the sieve leaves of the members. */
static twx_rc add_sieved(searcher *s, size_t n, twx_runs *ret_runs) {
    if (!TWX_VEC_RESERVE(s->cx, &s->sieved, n)) return TWX_E_NOMEM;
    if (n) memcpy(s->sieved.at, s->members.at, n * sizeof *s->members.at);
    n = n < 2 ? 0 : twx_sieve_run(s->all->how->sieve, s->sieved.at, n);
    return n < 2 ? TWX_OK : twx_runs_add(s->cx, ret_runs, s->sieved.at, n);
}

/* Finds the runs of the current band that have new members, and what they were before. */
static twx_rc find_changes(searcher *s, size_t number) {
    const searching *all = s->all;
    const size_t n = all->how->sketches->n, first = all->kept->texts;
    s->is_wide = n - first > NARROW_MAX && s->band.bytes > 2;
    const size_t words = (size_t)1 << (s->is_wide ? 24 : 16) >> 6;
    if (!TWX_VEC_RESERVE(s->cx, &s->filter, words)) return TWX_E_NOMEM;
    memset(s->filter.at, 0, words * sizeof *s->filter.at);
    twx_map64_done(&s->fresh);
    twx_map64_init(&s->fresh, 0);
    s->edges.n = 0;
    twx_rc rc = number_new(s, first, n);
    if (rc == TWX_OK && s->fresh.n) rc = list_with_new(s, n);
    if (rc == TWX_OK && !TWX_VEC_RESERVE(s->cx, &s->scratch, s->edges.n)) rc = TWX_E_NOMEM;
    if (rc == TWX_OK) twx_sort_entries(s->edges.at, s->scratch.at, s->edges.n);
    for (size_t i = 0; rc == TWX_OK && i < s->edges.n;) {
        const uint64_t band = s->edges.at[i].key >> 32;
        size_t before = 0;
        s->members.n = 0;
        for (; rc == TWX_OK && i < s->edges.n && s->edges.at[i].key >> 32 == band; i++) {
            const uint32_t text = (uint32_t)s->edges.at[i].key;
            before += text < first;
            if (!TWX_VEC_PUSH(s->cx, &s->members, text)) rc = TWX_E_NOMEM;
        }
        if (rc == TWX_OK) rc = add_sieved(s, s->members.n, &all->found[number]);
        if (rc == TWX_OK) rc = add_sieved(s, before, &all->gone[number]);
    }
    return rc;
}

static void close_searcher(searcher *s) {
    if (!s) return;
    TWX_VEC_DONE(&s->filter);
    TWX_VEC_DONE(&s->sieved);
    twx_map64_done(&s->fresh);
    TWX_VEC_DONE(&s->items);
    TWX_VEC_DONE(&s->batched);
    TWX_VEC_DONE(&s->table);
    TWX_VEC_DONE(&s->edges);
    TWX_VEC_DONE(&s->scratch);
    TWX_VEC_DONE(&s->members);
    twx_map64_done(&s->pairs);
    twx_free(s);
}

/* One more band, or several, have the run. */
static twx_rc keep_in(twx_ctx *cx, twx_kept_runs *kept, const uint32_t *members, size_t n,
                      uint32_t bands) {
    size_t run = 0;
    const twx_rc rc = twx_runs_add_once(cx, &kept->runs, &kept->known, members, n, &run);
    if (rc != TWX_OK) return rc;
    if (run == kept->bands.n && !TWX_VEC_PUSH(cx, &kept->bands, 0)) return TWX_E_NOMEM;
    kept->bands.at[run] += bands;
    return TWX_OK;
}

/* Adds the runs of one band that no band before it has. */
static twx_rc take_runs(twx_ctx *cx, searching *all, const twx_runs *found) {
    twx_rc rc = TWX_OK;
    for (size_t r = 0; rc == TWX_OK && r < found->ends.n; r++) {
        const uint64_t from = twx_runs_start(found, r);
        const uint32_t *members = found->members.at + from;
        const size_t n = found->ends.at[r] - from;
        rc = all->kept ? keep_in(cx, all->kept, members, n, 1)
                       : twx_runs_add_once(cx, all->runs, &all->known, members, n, NULL);
    }
    return rc;
}

/* Near-duplicates are in the same runs of many bands, so runs are not kept until the end. */
static twx_rc end_band(twx_ctx *cx, searching *all, size_t number) {
    twx_rc rc = TWX_OK;
    pthread_mutex_lock(&all->lock);
    all->is_done[number] = true;
    for (; rc == TWX_OK && all->is_done[all->next]; all->next++) {
        rc = take_runs(cx, all, &all->found[all->next]);
        twx_runs_done(&all->found[all->next]);
    }
    pthread_mutex_unlock(&all->lock);
    return rc;
}

static twx_rc search_band(twx_ctx *cx, void *arg, size_t thread, size_t number) {
    searching *all = arg;
    searcher *s = all->searchers[thread];
    if (!s) s = all->searchers[thread] = twx_calloc(cx, 1, sizeof *s);
    if (!s) return TWX_E_NOMEM;
    s->cx = cx;
    s->all = all;
    s->band = twx_band_of(all->how->plan, number);
    twx_rc rc = all->gone ? find_changes(s, number) : find_edges(s);
    if (rc == TWX_OK && !all->gone) rc = keep_runs(s, &all->found[number]);
    return rc == TWX_OK ? end_band(cx, all, number) : rc;
}

/* A part has its items twice, and vectors may be twice as large as needed. */
static void choose_sizes(searching *all) {
    const twx_band_search *how = all->how;
    const size_t threads = how->threads ? how->threads : 1;
    const size_t bytes = how->memory / threads < MEMORY_MIN ? MEMORY_MIN : how->memory / threads;
    const size_t texts = how->sketches->n;
    while (3 * sizeof(item) * texts >> all->part_bits > bytes && all->part_bits < 16)
        all->part_bits++;
    while (texts >> all->part_bits >> all->batch_bits > BATCH && all->batch_bits < BATCH_BITS_MAX)
        all->batch_bits++;
}

static twx_rc search_all(twx_ctx *cx, searching *all) {
    const twx_band_search *search = all->how;
    const size_t bands = twx_band_count(search->plan);
    all->found = twx_calloc(cx, bands, sizeof *all->found);
    all->is_done = twx_calloc(cx, bands + 1, sizeof *all->is_done); /* never the last one */
    twx_rc rc = all->found && all->is_done ? TWX_OK : TWX_E_NOMEM;
    choose_sizes(all);
    if (rc == TWX_OK && search->sketches->n > 1)
        rc = twx_parallel(cx, search->threads, bands, search_band, all);
    for (size_t i = 0; all->found && i < bands; i++) twx_runs_done(&all->found[i]);
    twx_free(all->found);
    twx_free(all->is_done);
    return rc;
}

static void close_search(searching *all) {
    for (size_t i = 0; i < TWX_PARALLEL_MAX; i++) close_searcher(all->searchers[i]);
    twx_map64_done(&all->known);
    pthread_mutex_destroy(&all->lock);
}

twx_rc twx_band_search_runs(twx_ctx *cx, const twx_band_search *search, twx_runs *ret_runs) {
    searching all = {.how = search, .lock = PTHREAD_MUTEX_INITIALIZER, .runs = ret_runs};
    const twx_rc rc = search_all(cx, &all);
    close_search(&all);
    return rc;
}

/* Counts the bands of pairs that were not kept because the thread knew them. */
static twx_rc count_pairs(twx_ctx *cx, const searching *all) {
    twx_rc rc = TWX_OK;
    for (size_t t = 0; t < TWX_PARALLEL_MAX; t++) {
        twx_map64_slot *pairs = NULL;
        const size_t n = all->searchers[t] ? all->searchers[t]->pairs.n : 0;
        if (rc == TWX_OK && n) rc = twx_map64_list(cx, &all->searchers[t]->pairs, &pairs);
        for (size_t i = 0; rc == TWX_OK && i < n; i++) {
            const uint32_t pair[2] = {(uint32_t)(pairs[i].key >> 32), (uint32_t)pairs[i].key};
            rc = keep_in(cx, all->kept, pair, 2, (uint32_t)pairs[i].value - 1);
        }
        twx_free(pairs);
    }
    return rc;
}

/* The runs that have become others. TWX_DONE: one is not known, so all must be searched again. */
static twx_rc drop_gone(const searching *all, size_t bands) {
    twx_kept_runs *kept = all->kept;
    for (size_t b = 0; b < bands; b++)
        for (size_t r = 0; r < all->gone[b].ends.n; r++) {
            const uint64_t from = twx_runs_start(&all->gone[b], r);
            size_t run = 0;
            if (!twx_runs_find(&kept->runs, &kept->known, all->gone[b].members.at + from,
                               (size_t)(all->gone[b].ends.at[r] - from), &run) ||
                kept->bands.at[run] == 0)
                return TWX_DONE;
            kept->bands.at[run]--;
        }
    return TWX_OK;
}

void twx_kept_runs_done(twx_kept_runs *kept) {
    if (!kept) return;
    twx_runs_done(&kept->runs);
    TWX_VEC_DONE(&kept->bands);
    twx_map64_done(&kept->known);
    *kept = (twx_kept_runs){0};
}

twx_rc twx_band_search_more(twx_ctx *cx, const twx_band_search *search, twx_kept_runs *kept) {
    searching all = {.how = search, .lock = PTHREAD_MUTEX_INITIALIZER, .kept = kept};
    const size_t bands = twx_band_count(search->plan), texts = search->sketches->n;
    size_t gone = 0;
    for (size_t r = 0; r < kept->bands.n; r++) gone += kept->bands.at[r] == 0;
    const bool is_more = kept->texts && kept->plan == search->plan && 2 * gone <= kept->bands.n;
    if (is_more && kept->texts == texts) return TWX_OK;
    if (!is_more) twx_kept_runs_done(kept);
    if (is_more) all.gone = twx_calloc(cx, bands, sizeof *all.gone);
    twx_rc rc = is_more && !all.gone ? TWX_E_NOMEM : search_all(cx, &all);
    if (rc == TWX_OK && is_more) rc = drop_gone(&all, bands);
    if (rc == TWX_OK && !is_more) rc = count_pairs(cx, &all);
    for (size_t b = 0; all.gone && b < bands; b++) twx_runs_done(&all.gone[b]);
    twx_free(all.gone);
    close_search(&all);
    kept->plan = search->plan;
    kept->texts = rc == TWX_OK ? texts : 0;
    return rc == TWX_DONE ? twx_band_search_more(cx, search, kept) : rc;
}
