#include "fault_clock.h"

#include <stdatomic.h>
#include <sys/random.h>
#include <time.h>

#include "support.h"

enum { START = 1700000000 };

static atomic_uint_fast64_t looks;
static atomic_uint_fast64_t drawn;

void clock_reset(void) {
    atomic_store(&looks, 0);
    atomic_store(&drawn, 0);
}

#define REPLACES __attribute__((visibility("default")))

REPLACES time_t time(time_t *ret_time) {
    if (ret_time) *ret_time = START;
    return START;
}

REPLACES int clock_gettime(clockid_t clock, struct timespec *ret_time) {
    (void)clock;
    const uint64_t ms = atomic_fetch_add(&looks, 1);
    *ret_time = (struct timespec){.tv_sec = START + (time_t)(ms / 1000),
                                  .tv_nsec = (long)(ms % 1000) * 1000000};
    return 0;
}

REPLACES int nanosleep(const struct timespec *wanted, struct timespec *left) {
    (void)wanted, (void)left;
    return 0;
}

REPLACES ssize_t getrandom(void *to, size_t n, unsigned flags) {
    (void)flags;
    test_rng rng = test_rng_seed(42 + atomic_fetch_add(&drawn, 1));
    for (size_t i = 0; i < n; i++) ((unsigned char *)to)[i] = (unsigned char)test_rng_next(&rng);
    return (ssize_t)n;
}
