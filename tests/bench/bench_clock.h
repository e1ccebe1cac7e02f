/* tests/bench/bench_clock.h: the time that benchmarks print. */
#ifndef TWINDEX_BENCH_CLOCK_H
#define TWINDEX_BENCH_CLOCK_H

#include <time.h>

static inline double bench_seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

#endif
