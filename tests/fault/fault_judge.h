/* tests/fault/fault_judge.h: what a fault may leave in a store, and the counts of what it may not.
 *
 * After each fault: flags are old or new, in the digest and in the views alike; source tables and
 * schema are unchanged; integrity_check finds nothing; the next call completes and gives what an
 * undisturbed one gives; a run after it publishes the same flags.
 * Tallies are in memory that is shared with child processes. */
#ifndef TWINDEX_TEST_FAULT_JUDGE_H
#define TWINDEX_TEST_FAULT_JUDGE_H

#include "fault_scene.h"

enum { FAULT_COMPLAINTS = 8 };

typedef struct fault_tally {
    uint64_t points;  /* calls, or moments, at which a fault is possible */
    uint64_t faults;  /* injected */
    uint64_t lost;    /* success was reported, and the result is not there */
    uint64_t mixed;   /* neither the old nor the new state */
    uint64_t damaged; /* the file is not sound, or source tables have changed */
    uint64_t wrong;   /* exit code, message or output */
    uint64_t stuck;   /* the next call or run does not complete as it should */
    uint64_t leaked, crashed;
    uint64_t reopened; /* COMMIT returned an error, and the new flags were found in the file */
    uint64_t distinct; /* different files that were judged */
    size_t complaints;
    char complaint[FAULT_COMPLAINTS][600];
} fault_tally;

typedef struct fault_case {
    const fault_scene *s;
    const fault_call *call;
    bool succeeded;  /* the call reported success */
    bool model_kept; /* and warned that the model of URLs is still the old one */
    char what[200];  /* for complaints */
    fault_tally *tally;
} fault_case;

/* Zero; never freed. */
fault_tally *fault_tally_new(void);
void fault_tally_add(fault_tally *to, const fault_tally *from);
/* The sum of what must not happen. */
uint64_t fault_tally_bad(const fault_tally *t);
void fault_tally_print(const fault_tally *t, const char *name);
void fault_tally_head(void);

/* Counts one bad event and keeps the text of the first ones. */
void fault_complain(const fault_case *c, uint64_t *count, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Judges the files of the store as they are. Files that were judged before are skipped. */
void fault_judge(const fault_case *c, bool twindex_first);
/* Files that were judged before are judged again. */
void fault_judge_anew(void);
/* The next call comes first, before any other program opens the store. */
void fault_judge_next(const fault_case *c);

#endif
