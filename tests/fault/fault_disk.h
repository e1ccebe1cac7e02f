/* tests/fault/fault_disk.h: an SQLite VFS around the default one, which fails, dies or records.
 *
 * Calls of the operations that a plan names are counted from 1; the call with the number `at` (and,
 * with `forever`, every one after it) fails in the way that the plan says. Without a plan each is
 * passed on. The VFS also makes SQLite's random numbers repeatable and does not sleep.
 * One thread at a time; nothing to free. */
#ifndef TWINDEX_TEST_FAULT_DISK_H
#define TWINDEX_TEST_FAULT_DISK_H

#include "fault_log.h"

typedef enum disk_op {
    DISK_OPEN,
    DISK_DELETE,
    DISK_ACCESS,
    DISK_READ,
    DISK_WRITE,
    DISK_TRUNCATE,
    DISK_SYNC,
    DISK_SIZE,
    DISK_LOCK,
    DISK_UNLOCK,
    DISK_SHM_MAP,
    DISK_SHM_LOCK, /* not the release of one, whose result SQLite does not look at */
    DISK_OPS
} disk_op;

enum {
    DISK_ALL = (1 << DISK_OPS) - 1,
    DISK_CHANGES = 1 << DISK_OPEN | 1 << DISK_DELETE | 1 << DISK_WRITE | 1 << DISK_TRUNCATE |
                   1 << DISK_SYNC,
    DISK_LOCKS = 1 << DISK_LOCK | 1 << DISK_SHM_LOCK,
    DISK_DEATH = 99 /* exit code of a process that the disk ended */
};

typedef enum disk_failure {
    DISK_REFUSES,  /* an I/O error, nothing was done */
    DISK_LATE,     /* it was done, and then an I/O error is returned */
    DISK_SHORT,    /* a part of a write was done, then an I/O error */
    DISK_FULL,     /* a part of a write was done, then the disk is full */
    DISK_BUSY,     /* another process has the lock */
    DISK_DIES,     /* the process ends before the call */
    DISK_DIES_LATE /* the process ends in the middle of a write, after any other call */
} disk_failure;

typedef struct disk_plan {
    unsigned ops; /* a bit for each disk_op that counts */
    disk_failure failure;
    uint64_t at; /* 0: only count */
    bool forever;
} disk_plan;

/* Registers the VFS as the default. To be called before SQLite opens anything. */
void disk_install(void);
void disk_arm(const disk_plan *plan);
/* Returns the number of calls counted since disk_arm(). */
uint64_t disk_disarm(void);
/* Has the planned failure happened? Valid until the next disk_arm(). */
bool disk_fired(void);
/* Records changes of the files of log->store until disk_record(NULL). */
void disk_record(fault_log *log);

#endif
