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
    BATCH = 2048,          /* bands entered into one table, about: it stays in the cache */
    FILTER_BITS = 1 << 24, /* for the last bytes of a band: three are as good as a hash */
    MASKED = 64,           /* texts whose bytes have their masks at once */
    MASK_BITS = 16,
    MASK_TEXTS = 256, /* new texts of one set of masks */
    MASKS_MAX = 4,    /* sets; more new texts are found sooner by a filter */
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

/* Some new texts: each bit of a mask is about MASK_TEXTS / MASK_BITS of them. */
typedef struct masks {
    bool has_short;
    uint16_t of[TWX_SKETCH_BYTES][UINT8_MAX + 1]; /* those that have the byte at this place */
} masks;

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
    masks *masks;        /* of a few new texts; NULL: there are many */
    TWX_VEC(twx_entry) listed; /* with masks: by band, a new text and one that shares the band */
    size_t listed_max;         /* by one thread */
    size_t *ends;              /* by band, in `listed` */
    twx_band bands[TWX_BANDS_MAX];
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
    /* When more texts are searched: bits that say which bands the new ones may have; what the sieve
     * has left; with masks, those of the bytes of MASKED texts, and by band the bits of these that
     * share it with a new text */
    TWX_VEC(uint64_t) filter;
    TWX_VEC(uint32_t) sieved;
    bool is_full; /* more were listed than there is memory for */
    uint16_t masks[TWX_SKETCH_BYTES][MASKED];
    uint64_t met[TWX_BANDS_MAX];
} searcher;

/* NULL: there is no memory. */
static searcher *searcher_of(twx_ctx *cx, searching *all, size_t thread) {
    searcher *s = all->searchers[thread];
    if (!s) s = all->searchers[thread] = twx_calloc(cx, 1, sizeof *s);
    if (!s) return NULL;
    s->cx = cx;
    s->all = all;
    return s;
}

/* The kind from which on texts have the band. */
static uint8_t least_kind(const twx_band *band) {
    return band->of_short ? TWX_SKETCH_SHORT : TWX_SKETCH_LONG;
}

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
static inline void list_chunk(searcher *s, uint64_t part, size_t from, size_t to,
                              const uint64_t *filter) {
    const uint64_t parts = UINT64_C(1) << s->all->part_bits;
    const uint8_t least = least_kind(&s->band);
    const uint8_t *kind = s->all->how->sketches->kind.at + from;
    item *next = s->items.at + s->items.n;
    for (size_t i = 0; i < to - from; i++) {
        const uint32_t bit = s->low[i] % FILTER_BITS;
        if (filter && !(filter[bit / 64] >> bit % 64 & 1)) continue;
        const bool listed = (kind[i] >= least) & ((s->hash[i] >> 16 & (parts - 1)) == part);
        *next = (item){(uint32_t)(from + i), s->low[i], (uint32_t)(s->hash[i] >> 32)};
        s->ends[batch_of(s, next->place)] += listed;
        next += listed;
    }
    s->items.n = (size_t)(next - s->items.at);
}

/* Lists all texts that have the band, if it is in the part and a new text may have it. */
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
        read_bands(s, from);
        /* two calls, so that a search without a filter does not ask for one in its loop */
        if (s->filter.at)
            list_chunk(s, part, from, to, s->filter.at);
        else
            list_chunk(s, part, from, to, NULL);
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

/* Adds what the sieve leaves of the first n members. */
static twx_rc add_sieved(searcher *s, size_t n, twx_runs *ret_runs) {
    if (!TWX_VEC_RESERVE(s->cx, &s->sieved, n)) return TWX_E_NOMEM;
    if (n) memcpy(s->sieved.at, s->members.at, n * sizeof *s->members.at);
    n = n < 2 ? 0 : twx_sieve_run(s->all->how->sieve, s->sieved.at, n);
    return n < 2 ? TWX_OK : twx_runs_add(s->cx, ret_runs, s->sieved.at, n);
}

/* Keeps the run and what it was before, if it has new members. */
static twx_rc keep_change(searcher *s, size_t number) {
    const size_t n = s->members.n, texts = s->all->kept->texts;
    size_t before = n;
    while (before && s->members.at[before - 1] >= texts) before--;
    const twx_rc rc = before < n ? add_sieved(s, n, &s->all->found[number]) : TWX_OK;
    return rc == TWX_OK && before < n ? add_sieved(s, before, &s->all->gone[number]) : rc;
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
static twx_rc keep_runs(searcher *s, size_t number) {
    twx_rc rc = TWX_OK;
    if (!TWX_VEC_RESERVE(s->cx, &s->scratch, s->edges.n)) return TWX_E_NOMEM;
    twx_sort_entries(s->edges.at, s->scratch.at, s->edges.n);
    for (size_t i = 0; rc == TWX_OK && i < s->edges.n;) {
        const uint64_t first = s->edges.at[i].key >> 32;
        s->members.n = 0;
        /* with masks the first one is new, and among the others */
        if (!s->all->masks && !TWX_VEC_PUSH(s->cx, &s->members, (uint32_t)first))
            return TWX_E_NOMEM;
        for (; i < s->edges.n && s->edges.at[i].key >> 32 == first; i++) {
            ask_for_summaries(s, i + AHEAD);
            if (!TWX_VEC_PUSH(s->cx, &s->members, (uint32_t)s->edges.at[i].key)) return TWX_E_NOMEM;
        }
        rc = s->all->gone ? keep_change(s, number) : keep_run(s, &s->all->found[number]);
    }
    s->edges.n = 0;
    return rc;
}

/* ---- more texts ------------------------------------------------------------ */

/* Notes the bands of the new texts. */
static twx_rc fill_filter(searcher *s) {
    const twx_sketches *sketches = s->all->how->sketches;
    const size_t first = s->all->kept->texts;
    twx_rc rc = TWX_OK;
    if (!TWX_VEC_RESERVE(s->cx, &s->filter, FILTER_BITS / 64)) return TWX_E_NOMEM;
    memset(s->filter.at, 0, FILTER_BITS / 8);
    for (size_t i = first; rc == TWX_OK && i < sketches->n; i++) {
        if (i == first || i % TWX_SKETCH_ROWS == 0)
            rc = twx_sketches_get(s->cx, sketches, i / TWX_SKETCH_ROWS, &s->band, &s->columns);
        if (rc == TWX_OK && (i == first || i % CHUNK == 0)) read_bands(s, i / CHUNK * CHUNK);
        const uint32_t bit = s->low[i % CHUNK] % FILTER_BITS;
        if (sketches->kind.at[i] >= least_kind(&s->band))
            s->filter.at[bit / 64] |= UINT64_C(1) << bit % 64;
    }
    return rc;
}

/* A few new texts are compared with all texts in all bands at once, while the sketches are read
 * once. Each byte of a text has a mask; a bit that is in the masks of all bytes of a band is about
 * new texts that may have it. The compiler makes several texts at once. */

static unsigned char byte_of(const twx_sketches *s, size_t text, size_t place) {
    return s->blocks.at[text / TWX_SKETCH_ROWS]->column[place][text % TWX_SKETCH_ROWS];
}

static twx_rc make_masks(twx_ctx *cx, searching *all) {
    const twx_sketches *sketches = all->how->sketches;
    all->masks = twx_calloc(cx, MASKS_MAX, sizeof *all->masks);
    if (!all->masks) return TWX_E_NOMEM;
    for (size_t text = all->kept->texts, k = 0; text < sketches->n; text++, k++) {
        masks *m = &all->masks[k / MASK_TEXTS];
        const uint16_t bit = (uint16_t)(1 << k % MASK_TEXTS / (MASK_TEXTS / MASK_BITS));
        m->has_short |= sketches->kind.at[text] == TWX_SKETCH_SHORT;
        for (size_t p = 0; sketches->kind.at[text] && p < TWX_SKETCH_BYTES; p++)
            m->of[p][byte_of(sketches, text, p)] |= bit;
    }
    return TWX_OK;
}

/* Is there a new text from `new` on, in the mask, that has the band of the text? */
static bool find_first(const searching *all, const twx_band *band, unsigned mask, size_t text,
                       size_t *new) {
    const twx_sketches *sketches = all->how->sketches;
    const uint64_t *scope = all->how->scope;
    for (; mask; mask >>= 1, *new += MASK_TEXTS / MASK_BITS)
        for (size_t i = *new; mask & 1 && i < *new + MASK_TEXTS / MASK_BITS &&i < sketches->n;
             i++) {
            size_t equal = 0;
            while (equal < band->bytes && byte_of(sketches, i, band->at[equal]) ==
                                              byte_of(sketches, text, band->at[equal]))
                equal++;
            if (equal < band->bytes || sketches->kind.at[i] < least_kind(band) ||
                (scope && scope[i] != scope[text]))
                continue;
            *new = i;
            return true;
        }
    return false;
}

/* Lists those of the MASKED texts that share the band with a new text of a set, the first one. */
static twx_rc list_masked(searcher *s, size_t set, size_t number, size_t from) {
    const searching *all = s->all;
    const twx_band *band = &all->bands[number];
    const size_t n = all->how->sketches->n, last = band->bytes - 1u;
    const uint8_t *kind = all->how->sketches->kind.at;
    /* the last byte stands for those that are missing; a fifth one is compared only */
    const uint16_t *a = s->masks[band->at[0]], *b = s->masks[band->at[1]];
    const uint16_t *c = s->masks[band->at[last < 2 ? last : 2]];
    const uint16_t *d = s->masks[band->at[last < 3 ? last : 3]];
    uint16_t any = 0;
    for (size_t i = 0; i < MASKED; i++) any |= a[i] & b[i] & c[i] & d[i];
    for (size_t i = 0; any && i < MASKED && from + i < n; i++) {
        size_t first = all->kept->texts + set * MASK_TEXTS;
        const unsigned mask = a[i] & b[i] & c[i] & d[i];
        if (kind[from + i] < least_kind(band) || s->met[number] >> i & 1 ||
            !find_first(all, band, mask, from + i, &first))
            continue;
        s->met[number] |= UINT64_C(1) << i;
        s->is_full = s->edges.n >= all->listed_max;
        if (s->is_full) return TWX_OK;
        const twx_entry edge = {.key = (uint64_t)first << 32 | (from + i),
                                .index = (uint32_t)number};
        if (!TWX_VEC_PUSH(s->cx, &s->edges, edge)) return TWX_E_NOMEM;
    }
    return TWX_OK;
}

/* Lists the texts of a block that share bands with new texts. */
static twx_rc list_block(twx_ctx *cx, void *arg, size_t thread, size_t block) {
    searching *all = arg;
    searcher *s = searcher_of(cx, all, thread);
    twx_rc rc = s ? TWX_OK : TWX_E_NOMEM;
    const size_t bands = twx_band_count(all->how->plan), to = (block + 1) * TWX_SKETCH_ROWS;
    for (size_t from = block * TWX_SKETCH_ROWS; rc == TWX_OK && !s->is_full && from < to;
         from += MASKED) {
        memset(s->met, 0, bands * sizeof *s->met);
        for (size_t set = 0; all->kept->texts + set * MASK_TEXTS < all->how->sketches->n; set++) {
            const masks *m = &all->masks[set];
            for (size_t p = 0; p < TWX_SKETCH_BYTES; p++) {
                const unsigned char *column = all->how->sketches->blocks.at[block]->column[p];
                column += from % TWX_SKETCH_ROWS;
                for (size_t i = 0; i < MASKED; i++) s->masks[p][i] = m->of[p][column[i]];
                __builtin_prefetch(column + MASKED);
            }
            for (size_t b = 0; rc == TWX_OK && b < bands; b++)
                if (m->has_short || !all->bands[b].of_short) rc = list_masked(s, set, b, from);
        }
    }
    return rc == TWX_OK ? twx_cancelled(cx) : rc;
}

/* So many share bands with new texts that a filter has to find them, band by band. */
static bool forget_if_full(searching *all) {
    bool is_full = false;
    for (size_t t = 0; t < TWX_PARALLEL_MAX; t++)
        is_full |= all->searchers[t] && all->searchers[t]->is_full;
    for (size_t t = 0; is_full && t < TWX_PARALLEL_MAX; t++)
        if (all->searchers[t]) TWX_VEC_DONE(&all->searchers[t]->edges);
    if (!is_full) return false;
    twx_free(all->masks);
    all->masks = NULL;
    return true;
}

/* Lists all texts that share bands with new texts, by band. */
static twx_rc list_by_masks(twx_ctx *cx, searching *all) {
    const size_t bands = twx_band_count(all->how->plan);
    const size_t blocks = all->how->sketches->blocks.n;
    size_t sum = 0;
    all->ends = twx_calloc(cx, bands, sizeof *all->ends);
    twx_rc rc = all->ends ? make_masks(cx, all) : TWX_E_NOMEM;
    if (rc == TWX_OK) rc = twx_parallel(cx, all->how->threads, blocks, list_block, all);
    if (rc == TWX_OK && forget_if_full(all)) return TWX_OK;
    for (size_t t = 0; rc == TWX_OK && t < TWX_PARALLEL_MAX; t++)
        for (size_t i = 0; all->searchers[t] && i < all->searchers[t]->edges.n; i++)
            all->ends[all->searchers[t]->edges.at[i].index]++;
    for (size_t b = 0; rc == TWX_OK && b < bands; b++) {
        sum += all->ends[b];
        all->ends[b] = sum - all->ends[b]; /* each insertion moves it up */
    }
    if (rc != TWX_OK || !TWX_VEC_RESERVE(cx, &all->listed, sum)) return rc ? rc : TWX_E_NOMEM;
    for (size_t t = 0; t < TWX_PARALLEL_MAX; t++) {
        searcher *s = all->searchers[t];
        for (size_t i = 0; s && i < s->edges.n; i++)
            all->listed.at[all->ends[s->edges.at[i].index]++] = s->edges.at[i];
        if (s) s->edges.n = 0;
    }
    return TWX_OK;
}

/* Takes what was listed of the current band for its edges. */
static twx_rc take_listed(searcher *s, size_t number) {
    const size_t from = number ? s->all->ends[number - 1] : 0, n = s->all->ends[number] - from;
    if (!TWX_VEC_RESERVE(s->cx, &s->edges, n)) return TWX_E_NOMEM;
    if (n) memcpy(s->edges.at, s->all->listed.at + from, n * sizeof *s->edges.at);
    s->edges.n = n;
    return TWX_OK;
}

static void close_searcher(searcher *s) {
    if (!s) return;
    TWX_VEC_DONE(&s->filter);
    TWX_VEC_DONE(&s->sieved);
    TWX_VEC_DONE(&s->items);
    TWX_VEC_DONE(&s->batched);
    TWX_VEC_DONE(&s->table);
    TWX_VEC_DONE(&s->edges);
    TWX_VEC_DONE(&s->scratch);
    TWX_VEC_DONE(&s->members);
    twx_map64_done(&s->pairs);
    twx_free(s);
}

/* Adds the runs of one band that no band before it has. */
static twx_rc take_runs(twx_ctx *cx, searching *all, const twx_runs *found) {
    twx_rc rc = TWX_OK;
    for (size_t r = 0; rc == TWX_OK && r < found->ends.n; r++) {
        const uint64_t from = twx_runs_start(found, r);
        const uint32_t *members = found->members.at + from;
        const size_t n = found->ends.at[r] - from;
        rc = all->kept ? twx_kept_runs_add(cx, all->kept, members, n, 1)
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
    searcher *s = searcher_of(cx, all, thread);
    if (!s) return TWX_E_NOMEM;
    s->band = all->bands[number];
    twx_rc rc = all->masks ? take_listed(s, number) : TWX_OK;
    if (!all->masks && all->gone) rc = fill_filter(s);
    if (!all->masks && rc == TWX_OK) rc = find_edges(s);
    if (rc == TWX_OK) rc = keep_runs(s, number);
    return rc == TWX_OK ? end_band(cx, all, number) : rc;
}

/* A part has its items twice, and vectors may be twice as large as needed. */
static void choose_sizes(searching *all) {
    const twx_band_search *how = all->how;
    const size_t threads = how->threads ? how->threads : 1;
    const size_t bytes = how->memory / threads < MEMORY_MIN ? MEMORY_MIN : how->memory / threads;
    const size_t texts = how->sketches->n;
    all->listed_max = bytes / (2 * sizeof(twx_entry)); /* they are copied in order of the bands */
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
    for (size_t b = 0; b < bands; b++) all->bands[b] = twx_band_of(search->plan, b);
    if (rc == TWX_OK && all->gone && !search->sketches->written &&
        search->sketches->n - all->kept->texts <= MASKS_MAX * MASK_TEXTS)
        rc = list_by_masks(cx, all);
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
    TWX_VEC_DONE(&all->listed);
    twx_free(all->masks);
    twx_free(all->ends);
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
            rc = twx_kept_runs_add(cx, all->kept, pair, 2, (uint32_t)pairs[i].value - 1);
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

twx_rc twx_band_search_more(twx_ctx *cx, const twx_band_search *search, twx_kept_runs *kept) {
    searching all = {.how = search, .lock = PTHREAD_MUTEX_INITIALIZER, .kept = kept};
    const size_t bands = twx_band_count(search->plan), texts = search->sketches->n;
    const bool is_more = kept->texts && kept->plan == search->plan;
    if (is_more && kept->texts == texts) return TWX_OK;
    twx_rc rc = TWX_OK;
    if (!is_more) twx_kept_runs_done(kept);
    if (is_more) rc = twx_kept_runs_compact(cx, kept);
    if (rc == TWX_OK && is_more) all.gone = twx_calloc(cx, bands, sizeof *all.gone);
    if (rc == TWX_OK) rc = is_more && !all.gone ? TWX_E_NOMEM : search_all(cx, &all);
    if (rc == TWX_OK && is_more) rc = drop_gone(&all, bands);
    if (rc == TWX_OK && !is_more) rc = count_pairs(cx, &all);
    for (size_t b = 0; all.gone && b < bands; b++) twx_runs_done(&all.gone[b]);
    twx_free(all.gone);
    close_search(&all);
    kept->plan = search->plan;
    kept->texts = rc == TWX_OK ? texts : 0;
    return rc == TWX_DONE ? twx_band_search_more(cx, search, kept) : rc;
}
