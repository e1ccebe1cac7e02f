#include "group/band_search.h"

#include "base/alloc.h"
#include "base/hash64.h"
#include "base/parallel.h"
#include "group/sort_entries.h"

enum {
    CHUNK = 1024, /* texts whose bands are computed at once */
    AHEAD = 12,   /* texts between asking for a cell and using it */
    MEMORY_MIN = 1 << 20,
    BITS_MIN = 10, /* of the number of cells */
    LOAD = 2       /* cells for each text, at least */
};

/* A cell of the table: the first text that has a band. */
typedef struct cell {
    uint32_t text;  /* NONE: empty */
    uint32_t check; /* the lower 32 bits of the band's value */
} cell;

static const uint32_t NONE = UINT32_MAX;
static const uint64_t SPREAD = UINT64_C(0x9E3779B97F4A7C15); /* 2^64 / golden ratio */

/* The search of all threads. */
typedef struct searching {
    const twx_band_search *how;
    unsigned table_bits; /* the table of a thread has 2^table_bits cells */
    unsigned part_bits;  /* each band is searched in 2^part_bits parts, by a hash, or in more */
    twx_runs *found;     /* by band */
    struct searcher *searchers[TWX_PARALLEL_MAX]; /* by thread; NULL: has not begun */
} searching;

/* One thread. */
typedef struct searcher {
    twx_ctx *cx;
    const searching *all;
    twx_band band;
    cell *table;
    uint64_t used;            /* cells */
    unsigned part_bits;       /* of the current band */
    TWX_VEC(twx_entry) edges; /* key: the first text that has a band, then another one */
    TWX_VEC(twx_entry) scratch;
    TWX_VEC(uint32_t) members;
    uint64_t value[CHUNK], place[CHUNK]; /* of the texts of a chunk; place: hash */
    bool taken[CHUNK];
} searcher;

/* Is the band of an earlier text, which has the same check, equal in full? */
static bool same_band(const searcher *s, uint32_t first, uint32_t text, uint64_t value) {
    const twx_band_search *how = s->all->how;
    if (how->scope && how->scope[first] != how->scope[text]) return false;
    return s->band.bytes <= sizeof(uint32_t) ||
           twx_sketches_byte(how->sketches, first, s->band.at[0]) == value >> 32;
}

/* TWX_DONE: the table is full. */
static twx_rc enter(searcher *s, uint32_t text, uint64_t value, uint64_t place) {
    const uint64_t last = (UINT64_C(1) << s->all->table_bits) - 1;
    uint64_t at = place & last;
    for (; s->table[at].text != NONE; at = (at + 1) & last) {
        const uint32_t first = s->table[at].text;
        if (s->table[at].check != (uint32_t)value || !same_band(s, first, text, value)) continue;
        return TWX_VEC_PUSH(s->cx, &s->edges, (twx_entry){.key = (uint64_t)first << 32 | text})
                   ? TWX_OK
                   : TWX_E_NOMEM;
    }
    s->table[at] = (cell){text, (uint32_t)value};
    /* one cell stays empty, so that the search above ends */
    return ++s->used < last ? TWX_OK : TWX_DONE;
}

/* Computes value and place of the bands of texts from..from + n - 1, which are in one block. */
static void read_bands(searcher *s, size_t from, size_t n) {
    const twx_band_search *how = s->all->how;
    const twx_sketch_block *block = how->sketches->blocks.at[from / TWX_SKETCH_ROWS];
    const size_t row = from % TWX_SKETCH_ROWS;
    const uint8_t least = s->band.of_short ? TWX_SKETCH_SHORT : TWX_SKETCH_LONG;
    memset(s->value, 0, n * sizeof s->value[0]);
    for (size_t b = 0; b < s->band.bytes; b++) {
        const unsigned char *column = block->column[s->band.at[b]] + row;
        for (size_t i = 0; i < n; i++) s->value[i] = s->value[i] << 8 | column[i];
    }
    for (size_t i = 0; i < n; i++) s->place[i] = s->value[i] * SPREAD;
    for (size_t i = 0; how->scope && i < n; i++)
        s->place[i] = twx_mix64(s->place[i], how->scope[from + i]);
    /* the upper bits of the product depend on all bits of the value */
    for (size_t i = 0; i < n; i++) s->place[i] >>= 64 - s->all->table_bits - s->part_bits;
    for (size_t i = 0; i < n; i++)
        s->taken[i] = block->kind[row + i] >= least && how->rank[from + i] != TWX_BAND_SEARCH_OUT;
}

static twx_rc enter_part(searcher *s, uint64_t part) {
    const size_t texts = s->all->how->sketches->n;
    const unsigned bits = s->all->table_bits;
    const uint64_t last = (UINT64_C(1) << bits) - 1;
    twx_rc rc = twx_cancelled(s->cx);
    memset(s->table, 0xFF, (last + 1) * sizeof *s->table);
    s->used = 0;
    for (size_t from = 0; rc == TWX_OK && from < texts; from += CHUNK) {
        const size_t n = texts - from < CHUNK ? texts - from : CHUNK;
        read_bands(s, from, n);
        for (size_t i = 0; rc == TWX_OK && i < n; i++) {
            if (i + AHEAD < n) __builtin_prefetch(&s->table[s->place[i + AHEAD] & last], 1);
            if (s->taken[i] && s->place[i] >> bits == part)
                rc = enter(s, (uint32_t)(from + i), s->value[i], s->place[i]);
        }
    }
    return rc;
}

/* Finds the edges of the current band. Its parts are about equal; if one has more different bands
 * than the table has room for nevertheless, all are halved. */
static twx_rc find_edges(searcher *s) {
    twx_rc rc = TWX_DONE;
    for (s->part_bits = s->all->part_bits; rc == TWX_DONE; s->part_bits++) {
        s->edges.n = 0;
        rc = TWX_OK;
        for (uint64_t part = 0; rc == TWX_OK && part >> s->part_bits == 0; part++)
            rc = enter_part(s, part);
    }
    return rc;
}

static void ask_for_summaries(const searcher *s, size_t edge) {
    const twx_sieve *sieve = s->all->how->sieve;
    if (!sieve || edge >= s->edges.n) return;
    const uint64_t key = s->edges.at[edge].key;
    __builtin_prefetch(sieve->summary[key >> 32].at);
    __builtin_prefetch(sieve->summary[(uint32_t)key].at);
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
        const size_t n = twx_sieve_run(s->all->how->sieve, s->members.at, s->members.n);
        if (n >= 2) rc = twx_runs_add(s->cx, ret_runs, s->members.at, n);
    }
    s->edges.n = 0;
    return rc;
}

static twx_rc open_searcher(twx_ctx *cx, const searching *all, searcher **ret_searcher) {
    searcher *s = *ret_searcher = twx_calloc(cx, 1, sizeof *s);
    if (!s) return TWX_E_NOMEM;
    s->cx = cx;
    s->all = all;
    s->table = twx_malloc(cx, sizeof *s->table << all->table_bits);
    return s->table ? TWX_OK : TWX_E_NOMEM;
}

static void close_searcher(searcher *s) {
    if (!s) return;
    TWX_VEC_DONE(&s->edges);
    TWX_VEC_DONE(&s->scratch);
    TWX_VEC_DONE(&s->members);
    twx_free(s->table);
    twx_free(s);
}

static twx_rc search_band(twx_ctx *cx, void *arg, size_t thread, size_t number) {
    searching *all = arg;
    searcher **s = &all->searchers[thread];
    twx_rc rc = *s ? TWX_OK : open_searcher(cx, all, s);
    if (rc == TWX_OK) {
        (*s)->band = twx_band_of(all->how->plan, number);
        rc = find_edges(*s);
    }
    return rc == TWX_OK ? keep_runs(*s, &all->found[number]) : rc;
}

/* A table has LOAD cells for each text of its part, or more; the parts are as large as the memory
 * of a thread allows. */
static void choose_sizes(searching *all) {
    const twx_band_search *how = all->how;
    const size_t threads = how->threads ? how->threads : 1;
    const size_t bytes = how->memory / threads < MEMORY_MIN ? MEMORY_MIN : how->memory / threads;
    all->table_bits = BITS_MIN;
    while ((UINT64_C(1) << all->table_bits) < LOAD * (uint64_t)how->sketches->n) all->table_bits++;
    while (sizeof(cell) << all->table_bits > bytes) {
        all->table_bits--;
        all->part_bits++;
    }
}

twx_rc twx_band_search_runs(twx_ctx *cx, const twx_band_search *search, twx_runs *ret_runs) {
    const size_t bands = twx_band_count(search->plan);
    searching all = {.how = search};
    if (search->sketches->n < 2) return TWX_OK;
    all.found = twx_calloc(cx, bands, sizeof *all.found);
    if (!all.found) return TWX_E_NOMEM;
    choose_sizes(&all);
    twx_rc rc = twx_parallel(cx, search->threads, bands, search_band, &all);
    for (size_t i = 0; i < TWX_PARALLEL_MAX; i++) close_searcher(all.searchers[i]);
    for (size_t i = 0; i < bands; i++) {
        if (rc == TWX_OK) rc = twx_runs_take(cx, ret_runs, &all.found[i]);
        twx_runs_done(&all.found[i]);
    }
    twx_free(all.found);
    return rc;
}
