/* Greedy colouring: texts are vertices, an edge joins two texts of one hreflang group, colours are
 * subgroups. A text takes the first subgroup in which none of its hreflang groups has a text yet.
 * The first free subgroup of each hreflang group is remembered, so that a group of n texts costs n
 * steps instead of n * n. */
#include "group/separate.h"

#include "base/alloc.h"
#include "base/hash64.h"
#include "base/map64.h"
#include "group/sort_entries.h"

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
    uint64_t yes = 0;
    return twx_map64_get(&c->taken, twx_mix64(hreflang, subgroup), &yes);
}

static twx_rc take(colouring *c, uint64_t hreflang, uint64_t subgroup) {
    uint64_t free = 0;
    twx_rc rc = twx_map64_put(c->cx, &c->taken, twx_mix64(hreflang, subgroup), 1);
    (void)twx_map64_get(&c->free_from, hreflang, &free);
    while (is_taken(c, hreflang, free)) free++;
    return rc == TWX_OK ? twx_map64_put(c->cx, &c->free_from, hreflang, free) : rc;
}

static twx_rc colour(colouring *c, uint64_t text, uint64_t *ret_subgroup) {
    size_t from = 0, to = pairs_of(c, text, &from);
    uint64_t subgroup = 0;
    for (size_t i = from; i < to; i++) {
        uint64_t free = 0;
        if (twx_map64_get(&c->free_from, c->pairs[i].check, &free) && free > subgroup)
            subgroup = free;
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
    for (size_t i = 0; i < TWX_COUNTOF(maps); i++) twx_map64_init(maps[i], 0);
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
