/* Items on a line, to be grouped by group/leaders.c. */
#ifndef TWINDEX_TEST_LEADERS_FIXTURE_H
#define TWINDEX_TEST_LEADERS_FIXTURE_H

#include "support.h"

#include "group/group.h"

enum { ITEMS_MAX = 4000, ENTRIES_MAX = 40000, SMALL = 30 };

typedef struct entry {
    uint64_t key, check;
    uint32_t item;
} entry;

/* Items are on a line; their similarity decreases with their distance. */
typedef struct line {
    int32_t at[ITEMS_MAX];
    int32_t reach; /* at a larger distance: not a pair */
    /* may_join: representative and item: not these two; those it was asked for last */
    uint32_t no_join[2], asked[2];
    int32_t names; /* items whose numbers are equal modulo this contain each other; 0: all do */
    uint64_t calls;
    bool disorder; /* similarity was asked for a pair in the wrong order */
    const uint32_t *rank;
    const uint32_t *id; /* by item: what it is, whatever its number; NULL: the number */
    uint32_t refused;   /* confirm() refuses all but one of so many pairs; 0: one of three */
} line;

static inline uint32_t id_of(const line *l, uint32_t item) {
    return l->id ? l->id[item] : item;
}

static inline int32_t nearness(const line *l, uint32_t a, uint32_t b) {
    int32_t apart = abs(l->at[a] - l->at[b]);
    return apart > l->reach ? -1 : TWX_LEADERS_SAME - apart;
}

static inline int32_t similarity(void *arg, uint32_t a, uint32_t b) {
    line *l = arg;
    l->calls++;
    l->disorder |= l->rank[a] >= l->rank[b];
    return nearness(l, a, b);
}

static inline bool may_join(void *arg, twx_likeness relation, uint32_t representative,
                            uint32_t item) {
    line *l = arg;
    if (relation != TWX_SIMILAR) return true;
    l->asked[0] = representative, l->asked[1] = item;
    return representative != l->no_join[0] || item != l->no_join[1];
}

static inline unsigned contains(void *arg, uint32_t representative, uint32_t item) {
    const line *l = arg;
    return l->names == 0 ||
           id_of(l, representative) % (uint32_t)l->names == id_of(l, item) % (uint32_t)l->names;
}

/* Groups `n` items by the entries, added as they stand. Owned result; *ret_spilled: parts in
 * temporary files. */
static inline twx_leaders lead(const twx_leading *how, const entry *entries, size_t n, size_t bytes,
                               size_t *ret_spilled) {
    twx_ctx cx = {0};
    twx_grouper *g = NULL;
    twx_leaders made = {0};
    assert_ok(twx_grouper_open(&cx, bytes, test_folder(), &g));
    for (size_t i = 0; i < n; i++)
        assert_ok(twx_grouper_add(g, entries[i].key, entries[i].check, entries[i].item));
    *ret_spilled = twx_grouper_sorted_bytes(g);
    assert_ok(twx_leaders_make(&cx, how, g, NULL, &made));
    twx_grouper_close(g);
    return made;
}

/* Five items in order of rank that share one key, at these places. */
static inline twx_leaders lead_five(twx_leading how, line *l) {
    static const uint32_t RANK[] = {0, 1, 2, 3, 4};
    static const entry ENTRIES[] = {{7, 7, 0}, {7, 7, 1}, {7, 7, 2}, {7, 7, 3}, {7, 7, 4}};
    size_t spilled;
    if (!how.rank) how.rank = RANK;
    how.n = 5;
    how.similarity = similarity;
    how.arg = l;
    l->rank = how.rank;
    if (!how.candidates) how.candidates = 64;
    twx_leaders made = lead(&how, ENTRIES, 5, 0, &spilled);
    assert_false(l->disorder);
    return made;
}

static inline void expect(twx_leaders *made, const uint32_t *of, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (made->of[TWX_SIMILAR][i] != of[i])
            fail_msg("item %zu follows %u, not %u", i, made->of[TWX_SIMILAR][i], of[i]);
}

static inline int32_t named_similarity(void *arg, uint32_t a, uint32_t b) {
    const line *l = arg;
    const int32_t apart = abs(l->at[a] - l->at[b]);
    return apart > 2 * l->reach ? -1 : TWX_LEADERS_SAME - apart;
}

#endif
