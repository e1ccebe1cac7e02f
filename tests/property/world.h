/* tests/property/world.h: private to the random stores: a world (store_maker.c), how the cells of a
 * page are drawn (page_maker.c), and how pages are written into files (store_files.c). */
#ifndef TWINDEX_TEST_WORLD_H
#define TWINDEX_TEST_WORLD_H

#include "store_maker.h"

enum { PAGES_MAX = 512, USED_MAX = 8192, TEST_HOSTS = 6, TEST_PATHS = 7 };

struct test_world {
    uint64_t seed;
    test_rng rng;
    test_shape shape;
    /* pages; how many hosts, paths and texts to draw from */
    size_t n, hosts, paths, texts;
    int collapse_host; /* all its pages link to one target; -1: none */
    int64_t version;   /* of the newest change, for the mapped column `changed` */
    test_page page[PAGES_MAX];
    const test_page *sorted[PAGES_MAX];
    /* hashes of the URLs stored so far: our own table has each URL once */
    uint64_t used[USED_MAX];
    size_t used_n;
};

static inline size_t test_world_below(test_world *w, size_t limit) {
    return test_rng_below(&w->rng, limit);
}

static inline bool test_world_percent(test_world *w, size_t share) {
    return test_world_below(w, 100) < share;
}

static inline bool test_integer_keys(test_shape shape) {
    return shape == TEST_OWN || shape == TEST_PAGES || shape == TEST_NARROW;
}

static inline uint64_t test_hash_bytes(const void *bytes, size_t n, uint64_t h) {
    const unsigned char *p = bytes;
    for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * UINT64_C(0x100000001B3);
    return h ^ n;
}

/* Draws a column anew: cell and meaning. */
void test_draw_column(test_world *w, test_page *page, test_column column);
/* Draws both links of a page; relative ones depend on its URL. */
void test_draw_links(test_world *w, test_page *page);

#endif
