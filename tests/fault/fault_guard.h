/* tests/fault/fault_guard.h: trials in child processes that may crash or hang. */
#ifndef TWINDEX_TEST_FAULT_GUARD_H
#define TWINDEX_TEST_FAULT_GUARD_H

#include "fault_judge.h"

/* Does trial number n; false: there are no more. */
typedef bool fault_trial_fn(void *arg, uint64_t n);

/* Does the trials first, first + every, ... in a child process; after a crash in another one. */
void fault_guard(const fault_case *c, fault_trial_fn *fn, void *arg, uint64_t first,
                 uint64_t every);

#endif
