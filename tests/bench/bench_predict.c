/* wings: predict */
/* Learns from URLs and predicts each of them again, on one thread; prints seconds of its processor,
 * URLs a second, and the contexts with most trials.
 * Usage: bench_predict [FILE [ROUNDS, default 10]] FILE has lines of URL TAB CONTENT (any text that
 * is equal for duplicates); without it URLs are made up: a forum of 5 000 topics with sessions,
 * sort orders, first pages and pages that differ. */
#include <sys/resource.h>

#include "bench_clock.h"

#include "predict/predict.h"

enum { TOPICS = 5000, LINE_BYTES = 1 << 21, MEMORY = 1 << 29, SHOWN = 30 };

typedef struct bench {
    twx_ctx cx;
    twx_arena arena;         /* of the URLs */
    TWX_VEC(twx_slice) urls; /* in normal form */
    TWX_VEC(uint64_t) contents;
    twx_model model;
} bench;

static void check(twx_rc rc, const bench *b) {
    if (rc == TWX_OK) return;
    fprintf(stderr, "%s\n", b->cx.message);
    exit(1);
}

static void add(bench *b, const char *url, uint64_t content) {
    twx_url u;
    check(twx_url_normalize(&b->cx, &b->arena, NULL, twx_slice_of(url), &u), b);
    if (u.fault != TWX_URL_OK) return;
    if (!TWX_VEC_PUSH(&b->cx, &b->urls, u.whole) || !TWX_VEC_PUSH(&b->cx, &b->contents, content))
        check(TWX_E_NOMEM, b);
}

static void read_file(bench *b, const char *path) {
    FILE *file = fopen(path, "re");
    char *line = malloc(LINE_BYTES);
    if (!file || !line) {
        perror(path);
        exit(1);
    }
    while (fgets(line, LINE_BYTES, file)) {
        char *tab = strchr(line, '\t');
        if (tab) *tab = '\0';
        add(b, line, tab ? twx_hash64(twx_slice_of(tab + 1), 0) : b->urls.n);
    }
    free(line);
    fclose(file);
}

static void make_urls(bench *b) {
    static const char *const TAILS[] = {
        "", "&start=0", "&sort=date", "&sid=8d2f01c7", "&sid=11aa22bb&sort=date", "&start=15"};
    char url[200];
    for (uint64_t topic = 1; topic <= TOPICS; topic++)
        for (uint64_t i = 0; i < TWX_COUNTOF(TAILS); i++) {
            snprintf(url, sizeof url, "https://forum.example/view.php?topic=%" PRIu64 "%s", topic,
                     TAILS[i]);
            add(b, url, topic * 2 + (i == TWX_COUNTOF(TAILS) - 1));
        }
}

static void learn(bench *b) {
    twx_learner *l = NULL;
    const double from = bench_seconds(CLOCK_PROCESS_CPUTIME_ID); /* others use the machine, too */
    check(twx_learner_open(&b->cx, MEMORY, NULL, &l), b);
    for (size_t i = 0; i < b->urls.n; i++)
        check(twx_learner_add(l, b->urls.at[i], b->contents.at[i]), b);
    check(twx_learner_make(l, &b->model), b);
    printf("learned from %" PRIu64 " URLs (one path in %" PRIu64
           ") in %.3f s: %zu contexts, %zu seen keys\n",
           twx_learner_urls(l), twx_learner_share(l),
           bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - from, b->model.contexts.n, b->model.seen.n);
    twx_learner_close(l);
}

/* With and without bringing the URL into normal form, as a crawler's URLs have to be. */
static void predict(bench *b, int rounds, bool normalise) {
    static twx_url_variants page;
    twx_arena scratch = {.keep = 1 << 16};
    size_t likely = 0;
    const double from = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int round = 0; round < rounds; round++) {
        for (size_t i = 0; i < b->urls.n; i++) {
            twx_slice whole = b->urls.at[i];
            twx_url u;
            if (normalise) {
                check(twx_url_normalize(&b->cx, &scratch, NULL, whole, &u), b);
                whole = u.whole;
            }
            twx_url_variants_of(whole, &page);
            likely += twx_model_predict(&b->model, NULL, &page).probability >= 0.98;
            if (normalise) twx_arena_reset(&scratch);
        }
    }
    twx_arena_done(&scratch);
    const double took = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - from,
                 asked = (double)b->urls.n * rounds;
    printf("%s: %.0f predictions a second, %.2f %% at 0.98 or more\n",
           normalise ? "as given" : "in normal form", asked / took, 100.0 * (double)likely / asked);
}

static int by_trials(const void *a, const void *b) {
    const twx_context *x = a, *y = b;
    const uint64_t m = (uint64_t)x->dup + x->nodup, n = (uint64_t)y->dup + y->nodup;
    return m > n ? -1 : m < n;
}

static void show(bench *b) {
    qsort(b->model.contexts.at, b->model.contexts.n, sizeof *b->model.contexts.at, by_trials);
    for (size_t i = 0; i < b->model.contexts.n && i < SHOWN; i++) {
        const twx_context *c = &b->model.contexts.at[i];
        printf("%.4f %8" PRIu32 " %8" PRIu32 "  %-16s " TWX_SLICE_FMT " " TWX_SLICE_FMT
               " " TWX_SLICE_FMT " " TWX_SLICE_FMT "\n",
               c->probability, c->dup, c->nodup, TWX_HYPOTHESIS[c->row].form,
               TWX_SLICE_ARG(c->path), TWX_SLICE_ARG(c->name), TWX_SLICE_ARG(c->second),
               TWX_SLICE_ARG(c->value));
    }
}

int main(int argc, char **argv) {
    bench b = {.urls = {0}};
    struct rusage usage;
    const int rounds = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 10;
    twx_ctx_init(&b.cx);
    twx_arena_init(&b.arena, 0);
    twx_model_init(&b.model);
    if (argc > 1)
        read_file(&b, argv[1]);
    else
        make_urls(&b);
    learn(&b);
    predict(&b, rounds, false);
    predict(&b, rounds, true);
    show(&b);
    getrusage(RUSAGE_SELF, &usage);
    printf("peak of memory: %ld MB\n", usage.ru_maxrss / 1024);
    twx_model_done(&b.model);
    twx_arena_done(&b.arena);
    TWX_VEC_DONE(&b.urls);
    TWX_VEC_DONE(&b.contents);
    return 0;
}
