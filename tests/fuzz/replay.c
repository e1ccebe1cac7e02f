/* Replays seed files through a fuzz target, each as it is and in 400 seeded mutations, 100 with
 * TWINDEX_LONG_TESTS=some, so that every build runs the parsers on hostile input without a fuzzing
 * engine. Then checks that the cost of the target is linear in its input.
 * Usage: fuzz_x FOLDER; without a folder only the cost. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cost.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SEED_MAX = 1 << 20 };

static int mutations(void) {
    const char *cases = getenv("TWINDEX_LONG_TESTS");
    return cases && strcmp(cases, "some") == 0 ? 100 : 400;
}

static uint64_t next(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* One to four edits: flip a byte, cut the tail, repeat a piece, zero a byte. */
static size_t mutate(uint8_t *data, size_t size, uint64_t *state) {
    for (uint64_t edits = 1 + next(state) % 4; edits > 0 && size > 0; edits--) {
        size_t at = next(state) % size;
        switch (next(state) % 4) {
        case 0: data[at] = (uint8_t)next(state); break;
        case 1: size = at; break;
        case 2: {
            size_t length = size - at < 16 ? size - at : 16;
            if (size + length <= SEED_MAX) {
                memmove(data + size, data + at, length);
                size += length;
            }
            break;
        }
        default: data[at] = 0; break;
        }
    }
    return size;
}

static void replay(const char *path, int n) {
    static uint8_t seed[SEED_MAX], work[SEED_MAX];
    FILE *f = fopen(path, "rb");
    if (!f) {
        perror(path);
        exit(1);
    }
    size_t size = fread(seed, 1, sizeof seed, f);
    fclose(f);
    LLVMFuzzerTestOneInput(seed, size);
    uint64_t state = size;
    for (int i = 0; i < n; i++) {
        memcpy(work, seed, size);
        size_t mutated = mutate(work, size, &state);
        LLVMFuzzerTestOneInput(work, mutated);
    }
}

int main(int argc, char **argv) {
    const int n = mutations();
    int files = 0;
    const char *slash = strrchr(argv[0], '/'), *target = slash ? slash + 1 : argv[0];
    if (argc == 1) return check_cost(target) != 0;
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (!folder) {
        fprintf(stderr, "usage: %s FOLDER-OF-SEEDS (not readable: %s)\n", argv[0],
                argc == 2 ? argv[1] : "-");
        return 1;
    }
    for (struct dirent *e; (e = readdir(folder));) {
        if (e->d_name[0] == '.') continue;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", argv[1], e->d_name);
        replay(path, n);
        files++;
    }
    closedir(folder);
    if (files == 0) {
        printf("not ok - no seeds in %s\n", argv[1]);
        return 1;
    }
    printf("ok - %d seeds and %d mutations of each\n", files, n);
    return check_cost(target) != 0;
}
