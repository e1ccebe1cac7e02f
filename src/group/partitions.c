#include "group/group.h"

#include <unistd.h>

/* ==== union_find */

twx_rc twx_union_find_init(twx_ctx *cx, twx_union_find *u, size_t n) {
    uint32_t *parent = twx_malloc(cx, n * sizeof *parent);
    if (!parent) return TWX_E_NOMEM;
    for (size_t i = 0; i < n; i++) parent[i] = (uint32_t)i;
    *u = (twx_union_find){parent, n};
    return TWX_OK;
}

void twx_union_find_done(twx_union_find *u) {
    if (!u) return;
    twx_free(u->parent);
    *u = (twx_union_find){0};
}

uint32_t twx_union_find_root(twx_union_find *u, uint32_t item) {
    while (u->parent[item] != item) {
        u->parent[item] = u->parent[u->parent[item]];
        item = u->parent[item];
    }
    return item;
}

void twx_union_find_join(twx_union_find *u, uint32_t a, uint32_t b) {
    a = twx_union_find_root(u, a);
    b = twx_union_find_root(u, b);
    if (a < b) u->parent[b] = a;
    if (b < a) u->parent[a] = b;
}

/* ==== sparse_groups */

static void set_bit(uint64_t *bits, uint32_t item) {
    bits[item / 64] |= UINT64_C(1) << item % 64;
}

static void clear_bit(uint64_t *bits, uint32_t item) {
    bits[item / 64] &= ~(UINT64_C(1) << item % 64);
}

void twx_sparse_groups_done(twx_sparse_groups *g) {
    if (!g) return;
    twx_free(g->in);
    twx_free(g->heads);
    twx_free(g->before);
    twx_free(g->at);
    *g = (twx_sparse_groups){0};
}

/* Fills the bits; returns how many items are in groups. */
static size_t mark(twx_sparse_groups *g, const uint32_t *rep) {
    size_t members = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        if (i % 64 == 0) g->before[i / 64] = (uint32_t)members;
        if (rep[i] == TWX_IN_NO_GROUP) continue;
        set_bit(g->in, i);
        if (rep[i] == i) set_bit(g->heads, i);
        members++;
    }
    if (g->n % 64 == 0) g->before[g->n / 64] = (uint32_t)members;
    return members;
}

twx_rc twx_sparse_groups_make(twx_ctx *cx, const uint32_t *rep, size_t n,
                              twx_sparse_groups *ret_groups) {
    const size_t words = n / 64 + 1;
    twx_sparse_groups g = {.n = n,
                           .in = twx_calloc(cx, words, sizeof *g.in),
                           .heads = twx_calloc(cx, words, sizeof *g.heads),
                           .before = twx_calloc(cx, words, sizeof *g.before)};
    const bool room = g.in && g.heads && g.before;
    if (room) g.at = twx_calloc(cx, mark(&g, rep), sizeof *g.at);
    if (!g.at) {
        twx_sparse_groups_done(&g);
        return TWX_E_NOMEM;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (rep[i] == TWX_IN_NO_GROUP) continue;
        if (rep[i] != i) *twx_sparse_groups_place(&g, i) = rep[i];
        ++*twx_sparse_groups_place(&g, rep[i]);
    }
    *ret_groups = g;
    return TWX_OK;
}

void twx_sparse_groups_leave(twx_sparse_groups *g, uint32_t item) {
    clear_bit(g->heads, item);
    *twx_sparse_groups_place(g, item) = TWX_IN_NO_GROUP;
}

void twx_sparse_groups_follow(twx_sparse_groups *g, uint32_t item, uint32_t rep) {
    clear_bit(g->heads, item);
    *twx_sparse_groups_place(g, item) = rep;
}

void twx_sparse_groups_head(twx_sparse_groups *g, uint32_t item, uint32_t size) {
    set_bit(g->heads, item);
    *twx_sparse_groups_place(g, item) = size;
}

/* ==== separate */

/* Greedy colouring: texts are vertices, an edge joins two texts of one hreflang group, colours are
 * subgroups. A text takes the first subgroup in which none of its hreflang groups has a text yet.
 * The first free subgroup of each hreflang group is remembered, so that a group of n texts costs n
 * steps instead of n * n. */

typedef struct colouring {
    twx_ctx *cx;
    twx_entry *pairs; /* key: text, check: hreflang group; sorted, each pair once */
    size_t n_pairs;
    twx_map64 first_pair;  /* text -> index of its first pair */
    twx_map64 subgroup_of; /* text -> subgroup */
    twx_map64 taken;       /* (hreflang group, subgroup) has a text */
    twx_map64 free_from;   /* hreflang group -> its first free subgroup */
} colouring;

static twx_rc list_pairs(colouring *c, const uint32_t *members, size_t n, const uint64_t *text,
                         const uint64_t *hreflang) {
    c->pairs = twx_calloc(c->cx, n, 2 * sizeof *c->pairs); /* the second half is scratch */
    if (!c->pairs) return TWX_E_NOMEM;
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        if (hreflang[members[i]])
            c->pairs[k++] = (twx_entry){.key = text[members[i]], .check = hreflang[members[i]]};
    twx_sort_entries(c->pairs, c->pairs + n, k);
    for (size_t i = 0; i < k; i++)
        if (i == 0 || twx_entry_cmp(&c->pairs[i - 1], &c->pairs[i]) != 0)
            c->pairs[c->n_pairs++] = c->pairs[i];
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < c->n_pairs; i++) {
        uint64_t first = 0;
        rc = twx_map64_add(c->cx, &c->first_pair, c->pairs[i].key, i, &first);
    }
    return rc;
}

/* The hreflang groups of a text: pairs[*ret_from .. return value). */
static size_t pairs_of(const colouring *c, uint64_t text, size_t *ret_from) {
    uint64_t from = 0;
    *ret_from = 0;
    if (!twx_map64_get(&c->first_pair, text, &from)) return 0;
    size_t to = (size_t)from;
    while (to < c->n_pairs && c->pairs[to].key == text) to++;
    *ret_from = (size_t)from;
    return to;
}

static bool is_taken(const colouring *c, uint64_t hreflang, uint64_t subgroup) {
    return twx_map64_has(&c->taken, twx_mix64(hreflang, subgroup));
}

static twx_rc take(colouring *c, uint64_t hreflang, uint64_t subgroup) {
    twx_rc rc = twx_map64_put(c->cx, &c->taken, twx_mix64(hreflang, subgroup), 1);
    uint64_t free = twx_map64_value(&c->free_from, hreflang, 0);
    while (is_taken(c, hreflang, free)) free++;
    return rc == TWX_OK ? twx_map64_put(c->cx, &c->free_from, hreflang, free) : rc;
}

static twx_rc colour(colouring *c, uint64_t text, uint64_t *ret_subgroup) {
    size_t from = 0, to = pairs_of(c, text, &from);
    uint64_t subgroup = 0;
    for (size_t i = from; i < to; i++) {
        const uint64_t free = twx_map64_value(&c->free_from, c->pairs[i].check, 0);
        if (free > subgroup) subgroup = free;
    }
    for (size_t i = from; i < to;) {
        bool taken = is_taken(c, c->pairs[i].check, subgroup);
        subgroup += taken;
        i = taken ? from : i + 1;
    }
    twx_rc rc = twx_map64_put(c->cx, &c->subgroup_of, text, subgroup);
    for (size_t i = from; rc == TWX_OK && i < to; i++) rc = take(c, c->pairs[i].check, subgroup);
    *ret_subgroup = subgroup;
    return rc;
}

twx_rc twx_keep_separate(twx_ctx *cx, const uint32_t *members, size_t n, const uint64_t *text,
                         const uint64_t *hreflang, uint32_t *ret_subgroup) {
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        ret_subgroup[i] = 0;
        any |= hreflang[members[i]] != 0;
    }
    if (!any) return TWX_OK;
    colouring c = {.cx = cx};
    twx_map64 *maps[] = {&c.first_pair, &c.subgroup_of, &c.taken, &c.free_from};
    twx_rc rc = list_pairs(&c, members, n, text, hreflang);
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        uint64_t subgroup = 0;
        if (!twx_map64_get(&c.subgroup_of, text[members[i]], &subgroup))
            rc = colour(&c, text[members[i]], &subgroup);
        ret_subgroup[i] = (uint32_t)subgroup;
    }
    for (size_t i = 0; i < TWX_COUNTOF(maps); i++) twx_map64_done(maps[i]);
    twx_free(c.pairs);
    return rc;
}

/* ==== sketches */

void twx_sketches_done(twx_sketches *s) {
    if (!s) return;
    for (size_t i = 0; i < s->blocks.n; i++) twx_free(s->blocks.at[i]);
    TWX_VEC_DONE(&s->blocks);
    TWX_VEC_DONE(&s->kind);
    if (s->written) close(s->fd);
    s->written = 0;
    s->n = 0;
}

static off_t place_of(size_t block) {
    return (off_t)(block * sizeof(twx_sketch_block));
}

/* Writes the blocks, all of them full, except that the last one's memory is kept for the next. */
static twx_rc write_blocks(twx_ctx *cx, twx_sketches *s) {
    twx_rc rc = s->written ? TWX_OK : twx_temporary_file_open(cx, NULL, &s->fd);
    const bool opened = rc == TWX_OK && !s->written;
    for (size_t i = 0; rc == TWX_OK && i < s->blocks.n; i++)
        rc = twx_temporary_file_write(cx, s->fd, s->blocks.at[i], sizeof(twx_sketch_block),
                                      place_of(s->written + i));
    if (rc != TWX_OK) {
        if (opened) close(s->fd);
        return rc;
    }
    s->written += s->blocks.n;
    while (s->blocks.n > 1) twx_free(s->blocks.at[--s->blocks.n]);
    return TWX_OK;
}

static twx_rc begin_block(twx_ctx *cx, twx_sketches *s) {
    const size_t fit = s->written ? 1 : s->limit / sizeof(twx_sketch_block);
    if (s->blocks.n && s->blocks.n >= fit) return write_blocks(cx, s);
    twx_sketch_block *fresh = twx_calloc(cx, 1, sizeof *fresh);
    if (fresh && TWX_VEC_PUSH(cx, &s->blocks, fresh)) return TWX_OK;
    twx_free(fresh);
    return TWX_E_NOMEM;
}

void twx_sketches_set(twx_sketches *s, size_t text, const unsigned char *sketch, bool is_short) {
    const size_t row = text % TWX_SKETCH_ROWS;
    twx_sketch_block *block = s->blocks.at[text / TWX_SKETCH_ROWS - s->written];
    s->kind.at[text] = !sketch ? TWX_SKETCH_NONE : is_short ? TWX_SKETCH_SHORT : TWX_SKETCH_LONG;
    for (size_t i = 0; i < TWX_SKETCH_BYTES; i++) block->column[i][row] = sketch ? sketch[i] : 0;
}

twx_rc twx_sketches_add(twx_ctx *cx, twx_sketches *s, const unsigned char *sketch, bool is_short) {
    const twx_rc rc = s->n % TWX_SKETCH_ROWS == 0 ? begin_block(cx, s) : TWX_OK;
    if (rc != TWX_OK) return rc;
    if (!TWX_VEC_PUSH(cx, &s->kind, TWX_SKETCH_NONE)) return TWX_E_NOMEM;
    twx_sketches_set(s, s->n++, sketch, is_short);
    return TWX_OK;
}

twx_rc twx_sketches_reserve(twx_ctx *cx, twx_sketches *s, size_t n) {
    if (n > s->limit / sizeof(twx_sketch_block) * TWX_SKETCH_ROWS) return TWX_DONE;
    if (!TWX_VEC_RESERVE(cx, &s->kind, n)) return TWX_E_NOMEM;
    for (size_t k = 0; k < n; k += TWX_SKETCH_ROWS) {
        const twx_rc rc = begin_block(cx, s);
        if (rc != TWX_OK) return rc;
    }
    if (n) memset(s->kind.at, TWX_SKETCH_NONE, n);
    s->kind.n = s->n = n;
    return TWX_OK;
}

twx_rc twx_sketches_get(twx_ctx *cx, const twx_sketches *s, size_t block, const twx_band *band,
                        twx_sketch_columns *ret_columns) {
    twx_sketch_columns *c = ret_columns;
    for (size_t b = 0; b < band->bytes; b++) {
        const size_t place = band->at[b];
        c->at[b] = c->room[b];
        if (block >= s->written) {
            c->at[b] = s->blocks.at[block - s->written]->column[place];
            continue;
        }
        const int error = twx_temporary_file_read(
            s->fd, c->room[b], TWX_SKETCH_ROWS, place_of(block) + (off_t)(place * TWX_SKETCH_ROWS));
        if (error) return twx_temporary_file_failed(cx, error);
    }
    return TWX_OK;
}

/* ==== kept_runs */

twx_rc twx_kept_runs_add(twx_ctx *cx, twx_kept_runs *kept, const uint32_t *members, size_t n,
                         uint32_t bands) {
    size_t run = 0;
    const twx_rc rc = twx_runs_add_once(cx, &kept->runs, &kept->known, members, n, &run);
    if (rc != TWX_OK) return rc;
    if (run == kept->bands.n && !TWX_VEC_PUSH(cx, &kept->bands, 0)) return TWX_E_NOMEM;
    kept->bands.at[run] += bands;
    return TWX_OK;
}

twx_rc twx_kept_runs_compact(twx_ctx *cx, twx_kept_runs *kept) {
    twx_kept_runs left = {.plan = kept->plan, .texts = kept->texts};
    size_t gone = 0;
    twx_rc rc = TWX_OK;
    for (size_t r = 0; r < kept->bands.n; r++) gone += kept->bands.at[r] == 0;
    if (2 * gone <= kept->bands.n) return TWX_OK;
    for (size_t r = 0; rc == TWX_OK && r < kept->bands.n; r++) {
        const uint64_t from = twx_runs_start(&kept->runs, r);
        if (kept->bands.at[r])
            rc = twx_kept_runs_add(cx, &left, kept->runs.members.at + from,
                                   (size_t)(kept->runs.ends.at[r] - from), kept->bands.at[r]);
    }
    twx_kept_runs_done(rc == TWX_OK ? kept : &left);
    if (rc == TWX_OK) *kept = left;
    return rc;
}

void twx_kept_runs_done(twx_kept_runs *kept) {
    if (!kept) return;
    twx_runs_done(&kept->runs);
    TWX_VEC_DONE(&kept->bands);
    twx_map64_done(&kept->known);
    *kept = (twx_kept_runs){0};
}
