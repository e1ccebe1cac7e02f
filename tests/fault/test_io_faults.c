/* wings: import predict lab cluster */
/* Each command meets each kind of fault of the disk and of malloc: those that pass at the first
 * call from each place in the code; those that last, deaths, and all under a sanitizer at every so
 * many-th call. All of them are in the long run (tests/tools/prove_faults.c). Planted bugs are
 * found. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault_memory.h"
#include "fault_places.h"
#include "fault_sweep.h"

/* Of the pairs of a kind and a command: each has a fault, after which leaks are looked for */
enum { THIN = TEST_SANITIZED ? 12 : 1, PAIRS = 16, SEED = 5 };

static fault_scene scenes[2]; /* rollback journal, WAL */

static void prepare(void) {
    disk_install();
    for (int wal = 0; wal < 2; wal++) fault_scene_prepare(&scenes[wal], SEED, wal);
}

static const fault_kind *kind_of(const char *name) {
    for (size_t k = 0; k < FAULT_KINDS; k++)
        if (strcmp(FAULT_KIND[k].name, name) == 0) return &FAULT_KIND[k];
    fail_msg("no kind '%s'", name);
    return NULL;
}

static void sweep(size_t call, const fault_kind *kind, fault_tally *t) {
    const fault_scene *s = &scenes[call % 2];
    const bool dies = kind->failure == DISK_DIES || kind->failure == DISK_DIES_LATE;
    if (TEST_SANITIZED || kind->forever || dies)
        fault_sweep(s, &FAULT_CALL[call / 2], kind, kind->thin * THIN, t);
    else
        fault_sweep_places(s, &FAULT_CALL[call / 2], kind, FAULT_PLACES_SOME, t);
}

TEST(no_fault_does_harm) {
    fault_tally *all = fault_tally_new();
    const size_t pairs = TEST_SANITIZED ? PAIRS / 4 : test_share_of(PAIRS, 8);
    fault_tally_head();
    for (size_t k = 0; k < FAULT_KINDS; k++) {
        fault_tally *t = fault_tally_new();
        for (size_t i = 0; i < 2 * FAULT_CALLS; i++)
            if ((FAULT_CALL[i / 2].shown || !TEST_SANITIZED) && (i + k) * pairs % PAIRS < pairs)
                sweep(i, &FAULT_KIND[k], t);
        fault_tally_print(t, FAULT_KIND[k].name);
        fault_tally_add(all, t);
    }
    assert_int_equal(fault_tally_bad(all), 0);
    assert_true(all->faults > (TEST_SANITIZED ? 50 : 3000 / PAIRS * pairs));
}

/* A deletion of the journal that was done and is reported as failed makes COMMIT return an error
 * after the new flags have reached the file: the run finds them. */
TEST(the_state_counts_and_not_the_result_of_commit) {
    const fault_kind late = {"deletion reported as failed", 1 << DISK_DELETE, DISK_LATE, false, 1};
    fault_tally *t = fault_tally_new();
    fault_sweep(&scenes[0], fault_call_of("run"), &late, 1, t);
    fault_tally_head();
    fault_tally_print(t, "deletion reported as failed");
    assert_int_equal(fault_tally_bad(t), 0);
    assert_true(t->reopened > 0);
}

/* A parser that ran out of memory was taken for one that met a broken record, which is skipped. */
TEST(an_import_without_memory_skips_no_record) {
    fault_tally *t = fault_tally_new();
    if (!memory_can_fail()) skip();
    fault_sweep(&scenes[1], fault_call_of("import"), kind_of("allocation"), 97, t);
    fault_tally_head();
    fault_tally_print(t, "import, allocation");
    assert_int_equal(fault_tally_bad(t), 0);
    assert_true(t->faults > 10);
}

/* It is the test that is tested here, which the debug build does; so few faults as a sanitizer has
 * time for would miss some. */
TEST(planted_bugs_are_found) {
    static const struct {
        fault_bug bug;
        const char *name, *kind;
        size_t count; /* offset of the count that must not be zero */
    } BUGS[] = {
        {FAULT_BUG_SUCCESS, "errors are hidden", "I/O error", offsetof(fault_tally, lost)},
        {FAULT_BUG_COMMIT, "errors of COMMIT are ignored", "I/O error",
         offsetof(fault_tally, lost)},
        {FAULT_BUG_PIECES, "published in pieces", "death in a call", offsetof(fault_tally, mixed)},
        {FAULT_BUG_LEAK, "memory is lost", "I/O error", offsetof(fault_tally, leaked)},
        {FAULT_BUG_FILE, "a file stays open", "I/O error", offsetof(fault_tally, leaked)},
        {FAULT_BUG_CRASH, "a crash", "I/O error", offsetof(fault_tally, crashed)},
        {FAULT_BUG_SILENT, "no message", "I/O error", offsetof(fault_tally, wrong)},
    };
    if (TEST_SANITIZED || test_share_of(PAIRS, PAIRS) < PAIRS) skip();
    fault_tally_head();
    for (size_t i = 0; i < sizeof BUGS / sizeof *BUGS; i++) {
        fault_tally *t = fault_tally_new();
        uint64_t found = 0;
        fault_plant(BUGS[i].bug);
        /* one COMMIT alone publishes: faults far apart may miss it */
        const bool publishes = BUGS[i].bug == FAULT_BUG_PIECES || BUGS[i].bug == FAULT_BUG_COMMIT;
        const uint64_t every = publishes ? 7 : 37;
        fault_sweep(&scenes[0], fault_call_of("run"), kind_of(BUGS[i].kind), every, t);
        fault_plant(FAULT_BUG_NONE);
        t->complaints = 0;
        fault_tally_print(t, BUGS[i].name);
        memcpy(&found, (const char *)t + BUGS[i].count, sizeof found);
        if (!found) fail_msg("not found: %s", BUGS[i].name);
    }
}

TESTS_IN(prepare, TEST_NOTHING);
