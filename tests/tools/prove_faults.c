/* The long run of the fault tests: every fault of every kind on every call, and as many power cuts
 * as asked for. Prints a table; ends with 1 if anything was lost, mixed, damaged, leaked or
 * crashed.
 *
 *   prove_faults [SEED [STATES [EVERY [KIND [CALL]]]]]
 *
 * Of allocations also the first from each place in the code fails (fault_places.h).
 * SEED (1) makes the store and the power cuts, STATES (100000) is the number of power cuts. Only
 * every EVERY-th (1) call fails, with 0 none. KIND is a part of the names of the kinds that are
 * swept (all), CALL is the name of the one call that is made (all). Allocations are many: every
 * (101 * EVERY)-th of them fails, from a number that depends on SEED, unless there is a CALL;
 * test_alloc_faults has each of Twindex's own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fault_places.h"
#include "fault_sweep.h"

static fault_scene scenes[2];

static uint64_t seed = 1, states = 100000, every = 1;
static const char *kind; /* NULL: all */
static const fault_call *only;

static void sweep_all(fault_tally *all) {
    for (size_t k = 0; k < FAULT_KINDS; k++) {
        fault_tally *t = fault_tally_new();
        const uint64_t thin = FAULT_KIND[k].ops || only ? every : 101 * every;
        if (kind && !strstr(FAULT_KIND[k].name, kind)) continue;
        for (size_t i = 0; i < 2 * FAULT_CALLS; i++)
            if (!only || only == &FAULT_CALL[i / 2]) {
                if (!FAULT_KIND[k].ops)
                    fault_sweep_places(&scenes[i % 2], &FAULT_CALL[i / 2], &FAULT_KIND[k],
                                       FAULT_PLACES_ALL, t);
                fault_sweep(&scenes[i % 2], &FAULT_CALL[i / 2], &FAULT_KIND[k], thin, t);
            }
        fault_tally_print(t, FAULT_KIND[k].name);
        fault_tally_add(all, t);
    }
}

static void no_fault_does_harm(void **state) {
    fault_tally *all = fault_tally_new(), *cuts = fault_tally_new();
    (void)state;
    disk_install();
    for (int wal = 0; wal < 2; wal++) fault_scene_prepare(&scenes[wal], seed, wal);
    fault_tally_head();
    if (every) sweep_all(all);
    if (states) {
        fault_power_cuts_of_all(scenes, states, seed, cuts);
        fault_tally_print(cuts, "power cut");
        fault_tally_add(all, cuts);
    }
    all->complaints = 0;
    fault_tally_print(all, "all");
    assert_int_equal(fault_tally_bad(all), 0);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_fault_does_harm)};
    uint64_t *const values[] = {&seed, &states, &every};
    for (int i = 1; i < argc && i <= 3; i++) *values[i - 1] = strtoull(argv[i], NULL, 10);
    if (argc > 4) kind = argv[4];
    if (argc > 5) only = fault_call_of(argv[5]);
    /* in memory if possible: nothing depends on a real disk */
    if (!getenv("TMPDIR") && access("/dev/shm", W_OK) == 0) setenv("TMPDIR", "/dev/shm", 1);
    return cmocka_run_group_tests_name("prove faults", tests, NULL, NULL);
}
