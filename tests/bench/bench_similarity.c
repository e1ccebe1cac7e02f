/* Speed of the similarity and the passages of two texts: unlike texts, and near copies, of 10 KB to
 * 1 MB. Cells are pairs of characters, one of each text; of near copies most are never looked at.
 */
#include "bench_clock.h"

#include "text/text.h"

enum { LARGEST = 1000000, EDITS_PERCENT = 2 };

typedef struct numbers {
    uint64_t state;
} numbers;

static uint64_t next(numbers *n, uint64_t limit) { /* Marsaglia's xorshift64 */
    n->state ^= n->state << 13;
    n->state ^= n->state >> 7;
    n->state ^= n->state << 17;
    return n->state % limit;
}

static char letter(numbers *n) {
    return "etaoin shrdlu cmfwyp. "[next(n, 22)];
}

static size_t copy_with_edits(numbers *n, const char *from, size_t bytes, char *to) {
    size_t made = 0;
    for (size_t i = 0; i < bytes; i++) {
        uint64_t what = next(n, 100);
        if (what >= EDITS_PERCENT) to[made++] = from[i];
        if (what == 0) to[made++] = letter(n);
    }
    return made;
}

static void measure(const char *what, twx_slice a, twx_slice b) {
    twx_ctx cx = {0};
    twx_similarity *s = NULL;
    twx_text_diff p = {0};
    int32_t ppm = 0;
    if (twx_similarity_open(&cx, &s) != TWX_OK) exit(1);
    double start = bench_seconds(CLOCK_THREAD_CPUTIME_ID);
    if (twx_similarity_of(&cx, s, a, b, 0, &ppm) != TWX_OK) exit(1);
    double similarity = bench_seconds(CLOCK_THREAD_CPUTIME_ID) - start;
    if (twx_text_diff_of(&cx, a, b, &p) != TWX_OK) exit(1);
    double passages = bench_seconds(CLOCK_THREAD_CPUTIME_ID) - start - similarity;
    printf("%-12s %8zu bytes: similarity %5.1f %%, %9.5f s, %8.1f G cells/s; %6zu passages, %8.5f "
           "s%s\n",
           what, a.n, ppm / 10000.0, similarity, (double)a.n * (double)b.n / similarity / 1e9,
           p.at.n, passages, p.coarse ? ", coarse" : "");
    twx_text_diff_done(&p);
    twx_similarity_close(s);
}

int main(void) {
    numbers n = {88172645463325252};
    char *a = malloc(LARGEST), *b = malloc(2 * LARGEST);
    if (!a || !b) return 1;
    for (size_t bytes = 10000; bytes <= LARGEST; bytes *= 10) {
        for (size_t i = 0; i < bytes; i++) a[i] = letter(&n);
        for (size_t i = 0; i < bytes; i++) b[i] = letter(&n);
        measure("unlike", (twx_slice){a, bytes}, (twx_slice){b, bytes});
        measure("near copies", (twx_slice){a, bytes},
                (twx_slice){b, copy_with_edits(&n, a, bytes, b)});
    }
    free(a);
    free(b);
    return 0;
}
