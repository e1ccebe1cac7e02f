/* wings: import predict lab cluster */
/* 5 000 states that a power cut can leave of a store, a part of them unless all tests are long;
 * 100 000 are in tests/tools/prove_faults.c. A disk that ignores syncs is found. */
#include "fault_sweep.h"

#include <stdio.h>

enum { STATES = TEST_SANITIZED ? 200 : 5000, SEED = 11 };

static fault_scene scenes[2]; /* rollback journal, WAL */

static void prepare(void) {
    disk_install();
    for (int wal = 0; wal < 2; wal++) fault_scene_prepare(&scenes[wal], SEED, wal);
}

TEST(power_cuts_do_no_harm) {
    const size_t states = test_share_of(STATES, TEST_SANITIZED ? 3 : 8);
    fault_tally *t = fault_tally_new();
    fault_power_cuts_of_all(scenes, states, SEED, t);
    fault_tally_head();
    fault_tally_print(t, "power cut");
    assert_int_equal(fault_tally_bad(t), 0);
    assert_true(t->faults >= states);
}

/* It is the test that is tested here, which the debug build does. */
TEST(ignored_syncs_are_found) {
    static const struct {
        fault_bug bug;
        const char *name;
    } BUGS[] = {{FAULT_BUG_SYNC, "syncs of files are ignored"},
                {FAULT_BUG_FOLDER, "syncs of folders are ignored"}};
    if (TEST_SANITIZED || test_share_of(2, 1) < 2) skip();
    fault_tally_head();
    for (size_t i = 0; i < 4; i++) {
        const bool wal = i % 2;
        fault_tally *t = fault_tally_new();
        /* a store in WAL mode keeps its WAL: no folder has to be synced for a commit */
        if (wal && BUGS[i / 2].bug == FAULT_BUG_FOLDER) continue;
        fault_plant(BUGS[i / 2].bug);
        fault_power_cuts(&scenes[wal], fault_call_of("run"), 120, SEED, t);
        fault_plant(FAULT_BUG_NONE);
        t->complaints = 0;
        fault_tally_print(t, BUGS[i / 2].name);
        if (t->lost == 0) fail_msg("not found: %s", BUGS[i / 2].name);
        if (BUGS[i / 2].bug == FAULT_BUG_SYNC) assert_true(t->damaged + t->mixed > 0);
    }
}

TESTS_IN(prepare, TEST_NOTHING);
