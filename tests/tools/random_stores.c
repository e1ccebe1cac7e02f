/* Makes the stores of the property tests as files: random_stores FOLDER COUNT PAGES. Store N.db is
 * drawn from seed N; its shape is N modulo TEST_SHAPES (store_maker.h). A file that exists is
 * filled, so another program can have made it. For scripts/compare-programs. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store_maker.h"

int main(int argc, char **argv) {
    char path[600];
    if (argc != 4) {
        fprintf(stderr, "usage: random_stores FOLDER COUNT PAGES\n");
        return 64;
    }
    const uint64_t count = strtoull(argv[2], NULL, 10), pages = strtoull(argv[3], NULL, 10);
    for (uint64_t seed = 1; seed <= count; seed++) {
        test_world *w = test_world_new(seed, (test_shape)(seed % TEST_SHAPES));
        snprintf(path, sizeof path, "%s/%llu.db", argv[1], (unsigned long long)seed);
        test_world_grow(w, pages);
        if (access(path, F_OK) != 0) test_store_make(w, path);
        test_store_sync(w, path);
        test_world_free(w);
    }
    return 0;
}
