/* Finds all pairs of simhash fingerprints within 3 bits among millions, through the masks of the
 * row simhash and the grouper; prints seconds and the peak of memory, and fails when a planted
 * pair was not found. Usage: bench_simhash [FINGERPRINTS, default 10000000] [MIB OF THE GROUPER,
 * default 1024] [THREADS, default 2] [FILE] FILE gets the pairs of different fingerprints, in
 * hexadecimal, the lower one first.
 *
 * The fingerprints are random with a fixed seed; every hundredth is a copy of one of the others
 * with 0, 1, 2 or 3 bits flipped, each original being copied once. */
#include <sys/resource.h>

#include "bench_clock.h"

#include "sign/sign.h"

enum { DISTANCE = 3, BITS = 64, COPIES_ARE_ONE_IN = 100 };

/* Pairs that verified: a << 32 | b with a < b, as often as they shared a key. */
typedef struct search {
    twx_ctx *cx;
    const uint64_t *fingerprints;
    TWX_VEC(uint64_t) pairs;
    uint64_t runs, compared;
} search;

static uint64_t next_random(uint64_t *state) { /* splitmix64 */
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* The last `copies` fingerprints are copies of the first ones. */
static void plant(uint64_t *fingerprints, size_t n, size_t copies) {
    uint64_t state = 1;
    for (size_t i = 0; i < n - copies; i++) fingerprints[i] = next_random(&state);
    for (size_t i = 0; i < copies; i++) {
        uint64_t copy = fingerprints[i];
        for (size_t bits = i % (DISTANCE + 1); twx_hamming64(copy, fingerprints[i]) < bits;)
            copy ^= UINT64_C(1) << next_random(&state) % BITS;
        fingerprints[n - copies + i] = copy;
    }
}

static twx_rc add_numbers(twx_grouper *g, const uint64_t *fingerprints, size_t n, size_t threads) {
    uint64_t masks[TWX_CANDIDATE_KEYS_MAX];
    const twx_params params = twx_params_default();
    const size_t n_masks = twx_detector_find("simhash")->masks(&params, masks);
    twx_rc rc = TWX_OK;
    twx_grouper_use_masks(g, masks, n_masks, threads);
    for (size_t i = 0; i < n && rc == TWX_OK; i++)
        rc = twx_grouper_add_number(g, fingerprints[i], (uint32_t)i);
    return rc;
}

static twx_rc verify_run(void *arg, uint32_t *members, size_t n) {
    search *s = arg;
    s->runs++;
    for (size_t i = 1; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            s->compared++;
            if (twx_hamming64(s->fingerprints[members[i]], s->fingerprints[members[j]]) > DISTANCE)
                continue;
            if (!TWX_VEC_PUSH(s->cx, &s->pairs, (uint64_t)members[j] << 32 | members[i]))
                return TWX_E_NOMEM;
        }
    return TWX_OK;
}

TWX_ORDER_0(by_number, uint64_t)

/* Sorts the pairs, each once; returns how many of the planted ones are among them. */
static size_t planted_found(search *s, size_t n, size_t copies) {
    size_t kept = 0, found = 0;
    if (s->pairs.n) qsort(s->pairs.at, s->pairs.n, sizeof *s->pairs.at, by_number);
    for (size_t i = 0; i < s->pairs.n; i++)
        if (kept == 0 || s->pairs.at[i] != s->pairs.at[kept - 1])
            s->pairs.at[kept++] = s->pairs.at[i];
    s->pairs.n = kept;
    for (size_t i = 0; i < kept; i++) {
        const uint64_t a = s->pairs.at[i] >> 32, b = s->pairs.at[i] & UINT32_MAX;
        found += a < copies && b == n - copies + a;
    }
    return found;
}

static void write_pairs(const search *s, const char *path) {
    FILE *file = fopen(path, "we");
    for (size_t i = 0; file && i < s->pairs.n; i++) {
        const uint64_t a = s->fingerprints[s->pairs.at[i] >> 32],
                       b = s->fingerprints[s->pairs.at[i] & UINT32_MAX];
        if (a != b) fprintf(file, "%016" PRIx64 " %016" PRIx64 "\n", a < b ? a : b, a < b ? b : a);
    }
    if (file && fclose(file) == 0) return;
    perror(path);
    exit(1);
}

static twx_rc measure(twx_ctx *cx, twx_grouper *g, search *s, size_t n, size_t threads) {
    const double start = bench_seconds(CLOCK_MONOTONIC);
    twx_rc rc = add_numbers(g, s->fingerprints, n, threads);
    const double added = bench_seconds(CLOCK_MONOTONIC);
    if (rc == TWX_OK) rc = twx_grouper_each(cx, g, verify_run, s);
    if (rc != TWX_OK) fprintf(stderr, "bench_simhash: %s\n", cx->message);
    printf("numbers added   %8.2f s (%zu parts on disk)\n", added - start,
           twx_grouper_sorted_bytes(g));
    printf("runs verified   %8.2f s (%" PRIu64 " runs, %" PRIu64 " comparisons)\n",
           bench_seconds(CLOCK_MONOTONIC) - added, s->runs, s->compared);
    printf("together        %8.2f s\n", bench_seconds(CLOCK_MONOTONIC) - start);
    return rc;
}

int main(int argc, char **argv) {
    const size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000000;
    const size_t mib = argc > 2 ? strtoul(argv[2], NULL, 10) : 1024;
    const size_t threads = argc > 3 ? strtoul(argv[3], NULL, 10) : 2;
    const size_t copies = n / COPIES_ARE_ONE_IN;
    uint64_t *fingerprints = n && mib && n < UINT32_MAX ? malloc(n * sizeof *fingerprints) : NULL;
    twx_ctx cx = {0};
    twx_grouper *g = NULL;
    struct rusage usage;
    if (!fingerprints) {
        fprintf(stderr, "usage: %s [FINGERPRINTS] [MIB] [THREADS] [FILE]\n", argv[0]);
        return 64;
    }
    plant(fingerprints, n, copies);
    search s = {.cx = &cx, .fingerprints = fingerprints};
    twx_rc rc = twx_grouper_open(&cx, mib << 20, NULL, &g);
    if (rc == TWX_OK) rc = measure(&cx, g, &s, n, threads);
    twx_grouper_close(g);
    const size_t found = planted_found(&s, n, copies);
    getrusage(RUSAGE_SELF, &usage);
    printf("fingerprints    %8zu, pairs within %d bits: %zu planted, %zu of them found, %zu found "
           "in all\n",
           n, DISTANCE, copies, found, s.pairs.n);
    printf("peak memory     %8.0f MiB\n", (double)usage.ru_maxrss / 1024);
    if (argc > 4) write_pairs(&s, argv[4]);
    TWX_VEC_DONE(&s.pairs);
    free(fingerprints);
    if (rc == TWX_OK && found == copies) return 0;
    fprintf(stderr, "bench_simhash: failed\n");
    return 1;
}
