/* Time is that of the processor. One measurement can be disturbed, so it is repeated when it is too
 * large: what is quadratic is so every time. */
#include "cost.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cost_shapes.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define RUNNING_ON_VALGRIND        0
#define CALLGRIND_ZERO_STATS       (void)0
#define CALLGRIND_DUMP_STATS_AT(s) (void)(s)
#endif

typedef struct cost_part {
    const char *p;
    size_t n;
} cost_part;

typedef struct cost_shape {
    const char *target;
    cost_part begin, repeat, end;
} cost_shape;

#define PART(text) \
    { text, sizeof text - 1 }
#define SHAPE(target, begin, repeat, end) \
    { "fuzz_" #target, PART(begin), PART(repeat), PART(end) }
static const cost_shape COST_SHAPES[] = {COST_SHAPE_ROWS};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Four times the input may cost eight times as much, because of logarithms and of caches that are
 * too small for the larger input. Quadratic cost is 16 times as much. */
enum {
    SMALL = 1 << 14,
    LARGE = 4 * SMALL,
    FACTOR = 8,
    TRIES = 4,
    SLACK_MS = 15,
    HOPELESS_MS = 2000,
    NUMBER = 16
};
enum { COUNTED_SMALL = 1 << 12 }; /* under callgrind, which is 50 times slower */

static size_t add(char *to, size_t n, cost_part part, unsigned count) {
    for (size_t i = 0; i < part.n; i++) {
        if (part.p[i] == '#')
            n += (size_t)snprintf(to + n, NUMBER, "%u", count);
        else
            to[n++] = part.p[i];
    }
    return n;
}

/* An input of at most `size` bytes; room: those of the parts besides. */
static size_t fill(char *to, size_t size, const cost_shape *shape) {
    memcpy(to, shape->begin.p, shape->begin.n);
    size_t n = shape->begin.n;
    for (unsigned count = 1; n + shape->repeat.n * NUMBER + shape->end.n <= size; count++)
        n = add(to, n, shape->repeat, count);
    memcpy(to + n, shape->end.p, shape->end.n);
    return n + shape->end.n;
}

static double milliseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1000 + (double)t.tv_nsec / 1e6;
}

static double cost(char *room, size_t size, const cost_shape *shape) {
    const size_t n = fill(room, size, shape);
    const double from = milliseconds();
    LLVMFuzzerTestOneInput((const uint8_t *)room, n);
    return milliseconds() - from;
}

static bool grows_too_fast(char *room, const cost_shape *shape) {
    double small = 1e9, large = 1e9;
    for (int i = 0; i < TRIES; i++) {
        const double a = cost(room, SMALL, shape), b = cost(room, LARGE, shape);
        small = a < small ? a : small;
        large = b < large ? b : large;
        if (large <= FACTOR * small + SLACK_MS) return false;
        if (large > HOPELESS_MS) break;
    }
    printf("# %s: '%.*s' and then '%.*s' again and again: %.1f ms for %d bytes, %.1f ms for %d\n",
           shape->target, (int)shape->begin.n, shape->begin.p, (int)shape->repeat.n,
           shape->repeat.p, small, SMALL, large, LARGE);
    return true;
}

/* The dump's name is that of the size; the first call is for what is made once. */
static void count_instructions(char *room, const cost_shape *shape, size_t number) {
    char name[80];
    for (size_t times = 1; times <= 4; times *= 2) {
        const size_t n = fill(room, COUNTED_SMALL * times, shape);
        snprintf(name, sizeof name, "cost %s %zu %zu", shape->target, number, n);
        if (times == 1) LLVMFuzzerTestOneInput((const uint8_t *)room, n);
        CALLGRIND_ZERO_STATS;
        LLVMFuzzerTestOneInput((const uint8_t *)room, n);
        CALLGRIND_DUMP_STATS_AT(name);
    }
}

int check_cost(const char *target) {
    int shapes = 0, wrong = 0;
    char *room = malloc(LARGE + 4096);
    if (!room) abort();
    for (size_t i = 0; i < sizeof COST_SHAPES / sizeof *COST_SHAPES; i++) {
        if (strcmp(COST_SHAPES[i].target, target) != 0) continue;
        shapes++;
        if (RUNNING_ON_VALGRIND)
            count_instructions(room, &COST_SHAPES[i], i);
        else
            wrong += grows_too_fast(room, &COST_SHAPES[i]);
    }
    free(room);
    printf("%s - the cost of %d shapes is linear\n", wrong ? "not ok" : "ok", shapes);
    return wrong;
}
