/* tests/fault/fault_sweep.h: one fault of a kind at every call of the disk or of malloc.
 *
 * Faults are injected in child processes, so that a crash is counted and the sweep goes on. */
#ifndef TWINDEX_TEST_FAULT_SWEEP_H
#define TWINDEX_TEST_FAULT_SWEEP_H

#include "fault_disk.h"
#include "fault_judge.h"

typedef struct fault_kind {
    const char *name;
    unsigned ops; /* of the disk; 0: allocations fail */
    disk_failure failure;
    bool forever;  /* from the chosen call on */
    uint64_t thin; /* in short sweeps every so many-th call is chosen */
} fault_kind;

enum { FAULT_KINDS = 14 };
extern const fault_kind FAULT_KIND[FAULT_KINDS];

/* Bugs that tests plant to see that they are found. */
typedef enum fault_bug {
    FAULT_BUG_NONE,
    FAULT_BUG_SUCCESS, /* every call reports success */
    FAULT_BUG_LEAK,    /* memory is lost after an error */
    FAULT_BUG_FILE,    /* a file stays open after an error */
    FAULT_BUG_CRASH,   /* a null pointer is followed after an error */
    FAULT_BUG_SILENT,  /* errors have no message */
    FAULT_BUG_COMMIT,  /* errors of COMMIT are ignored */
    FAULT_BUG_PIECES,  /* every statement is a transaction of its own */
    FAULT_BUG_SYNC,    /* the disk ignores syncs of files */
    FAULT_BUG_FOLDER   /* the disk ignores syncs of folders */
} fault_bug;
void fault_plant(fault_bug bug);

/* Fails every k-th call. */
void fault_sweep(const fault_scene *s, const fault_call *call, const fault_kind *kind,
                 uint64_t every, fault_tally *tally);
/* Fails the first call from each place of this depth (fault_places.h) that no call of this function
 * has met with this kind. */
void fault_sweep_places(const fault_scene *s, const fault_call *call, const fault_kind *kind,
                        unsigned depth, fault_tally *tally);
/* Makes `states` states of the files that a power cut during the call can leave. Returns how many
 * moments there are if states is 0. */
uint64_t fault_power_cuts(const fault_scene *s, const fault_call *call, uint64_t states,
                          uint64_t seed, fault_tally *tally);
/* At least `states` of them over all commands, in both journal modes (scenes: rollback, WAL), in
 * proportion to the moments that each has. */
void fault_power_cuts_of_all(const fault_scene scenes[2], uint64_t states, uint64_t seed,
                             fault_tally *tally);

#endif
