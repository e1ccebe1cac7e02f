#include "fault_disk.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fault_places.h"

/* What an operation returns when it fails. */
static const int ERRORS[DISK_OPS] = {
    [DISK_OPEN] = SQLITE_CANTOPEN,        [DISK_DELETE] = SQLITE_IOERR_DELETE,
    [DISK_ACCESS] = SQLITE_IOERR_ACCESS,  [DISK_READ] = SQLITE_IOERR_READ,
    [DISK_WRITE] = SQLITE_IOERR_WRITE,    [DISK_TRUNCATE] = SQLITE_IOERR_TRUNCATE,
    [DISK_SYNC] = SQLITE_IOERR_FSYNC,     [DISK_SIZE] = SQLITE_IOERR_FSTAT,
    [DISK_LOCK] = SQLITE_IOERR_LOCK,      [DISK_UNLOCK] = SQLITE_IOERR_UNLOCK,
    [DISK_SHM_MAP] = SQLITE_IOERR_SHMMAP, [DISK_SHM_LOCK] = SQLITE_IOERR_SHMLOCK,
};

typedef struct disk_file {
    sqlite3_file base;
    int log_file; /* -1: not recorded */
    sqlite3_file *real;
} disk_file;

static sqlite3_vfs *real_vfs;
static disk_plan plan;
static uint64_t calls;
static bool fired;
static fault_log *recording;
static uint64_t random_state;

/* ---- the plan ----------------------------------------------------------- */

static bool fails(disk_op op) {
    if (!plan.ops || !(plan.ops >> op & 1)) return false;
    calls++;
    fault_places_note();
    if (!plan.at || (plan.forever ? calls < plan.at : calls != plan.at)) return false;
    fired = true;
    if (plan.failure == DISK_DIES) _exit(DISK_DEATH);
    return true;
}

/* To be returned by a call that failed, after `done` says whether it has taken effect. */
static int failure_of(disk_op op) {
    if (plan.failure == DISK_DIES_LATE) _exit(DISK_DEATH);
    return plan.failure == DISK_FULL   ? SQLITE_FULL
           : plan.failure == DISK_BUSY ? SQLITE_BUSY
                                       : ERRORS[op];
}

/* Does a failing call other than a write take effect? */
static bool takes_effect(void) {
    return plan.failure == DISK_LATE || plan.failure == DISK_DIES_LATE;
}

static void note(int file, fault_change change, int64_t at, const void *bytes, size_t n) {
    const fault_event e = {.change = change,
                           .file = file,
                           .at = at,
                           .n = n,
                           .bytes = (unsigned char *)(uintptr_t)bytes};
    if (recording && file >= 0) fault_log_add(recording, &e);
}

/* ---- files -------------------------------------------------------------- */

static disk_file *of(sqlite3_file *file) {
    return (disk_file *)file;
}

static int disk_close(sqlite3_file *file) {
    sqlite3_file *real = of(file)->real;
    return real->pMethods ? real->pMethods->xClose(real) : SQLITE_OK;
}

static int disk_read(sqlite3_file *file, void *to, int n, sqlite3_int64 at) {
    sqlite3_file *real = of(file)->real;
    if (fails(DISK_READ)) return failure_of(DISK_READ);
    return real->pMethods->xRead(real, to, n, at);
}

static int write_part(disk_file *f, const void *bytes, int n, sqlite3_int64 at) {
    int rc = n ? f->real->pMethods->xWrite(f->real, bytes, n, at) : SQLITE_OK;
    if (rc == SQLITE_OK && n) note(f->log_file, FAULT_WRITE, at, bytes, (size_t)n);
    return rc;
}

static int disk_write(sqlite3_file *file, const void *bytes, int n, sqlite3_int64 at) {
    if (!fails(DISK_WRITE)) return write_part(of(file), bytes, n, at);
    /* a disk that is full takes what still fits */
    const int part = plan.failure == DISK_REFUSES ? 0
                     : plan.failure == DISK_LATE  ? n
                     : plan.failure == DISK_FULL  ? (int)(calls % 3 * (uint64_t)n / 3)
                                                  : n / 2;
    const int rc = write_part(of(file), bytes, part, at);
    return rc == SQLITE_OK ? failure_of(DISK_WRITE) : rc;
}

static int disk_truncate(sqlite3_file *file, sqlite3_int64 size) {
    disk_file *f = of(file);
    const bool failing = fails(DISK_TRUNCATE);
    if (failing && !takes_effect()) return failure_of(DISK_TRUNCATE);
    int rc = f->real->pMethods->xTruncate(f->real, size);
    if (rc == SQLITE_OK) note(f->log_file, FAULT_TRUNCATE, size, NULL, 0);
    return failing ? failure_of(DISK_TRUNCATE) : rc;
}

static int disk_sync(sqlite3_file *file, int flags) {
    disk_file *f = of(file);
    const bool failing = fails(DISK_SYNC);
    if (failing && !takes_effect()) return failure_of(DISK_SYNC);
    int rc = f->real->pMethods->xSync(f->real, flags);
    if (rc == SQLITE_OK) note(f->log_file, FAULT_SYNC, 0, NULL, 0);
    return failing ? failure_of(DISK_SYNC) : rc;
}

static int disk_size(sqlite3_file *file, sqlite3_int64 *ret_size) {
    sqlite3_file *real = of(file)->real;
    if (fails(DISK_SIZE)) return failure_of(DISK_SIZE);
    return real->pMethods->xFileSize(real, ret_size);
}

static int disk_lock(sqlite3_file *file, int level) {
    sqlite3_file *real = of(file)->real;
    if (fails(DISK_LOCK)) return failure_of(DISK_LOCK);
    return real->pMethods->xLock(real, level);
}

/* Closing a file releases its locks even if this failed. */
static int disk_unlock(sqlite3_file *file, int level) {
    sqlite3_file *real = of(file)->real;
    const bool failing = fails(DISK_UNLOCK);
    int rc = real->pMethods->xUnlock(real, level);
    return failing ? failure_of(DISK_UNLOCK) : rc;
}

static int disk_check_reserved(sqlite3_file *file, int *ret_held) {
    sqlite3_file *real = of(file)->real;
    return real->pMethods->xCheckReservedLock(real, ret_held);
}

static int disk_control(sqlite3_file *file, int op, void *arg) {
    sqlite3_file *real = of(file)->real;
    return real->pMethods->xFileControl(real, op, arg);
}

static int disk_sector_size(sqlite3_file *file) {
    sqlite3_file *real = of(file)->real;
    return real->pMethods->xSectorSize(real);
}

static int disk_characteristics(sqlite3_file *file) {
    sqlite3_file *real = of(file)->real;
    return real->pMethods->xDeviceCharacteristics(real);
}

static int disk_shm_map(sqlite3_file *file, int page, int size, int extend,
                        void volatile **ret_memory) {
    sqlite3_file *real = of(file)->real;
    if (fails(DISK_SHM_MAP)) return failure_of(DISK_SHM_MAP);
    return real->pMethods->xShmMap(real, page, size, extend, ret_memory);
}

static int disk_shm_lock(sqlite3_file *file, int offset, int n, int flags) {
    sqlite3_file *real = of(file)->real;
    if ((flags & SQLITE_SHM_LOCK) && fails(DISK_SHM_LOCK)) return failure_of(DISK_SHM_LOCK);
    return real->pMethods->xShmLock(real, offset, n, flags);
}

static void disk_shm_barrier(sqlite3_file *file) {
    sqlite3_file *real = of(file)->real;
    real->pMethods->xShmBarrier(real);
}

static int disk_shm_unmap(sqlite3_file *file, int delete) {
    sqlite3_file *real = of(file)->real;
    return real->pMethods->xShmUnmap(real, delete);
}

/* Version 2: no memory-mapped I/O, which would bypass disk_read(). */
static const sqlite3_io_methods METHODS = {
    .iVersion = 2,
    .xClose = disk_close,
    .xRead = disk_read,
    .xWrite = disk_write,
    .xTruncate = disk_truncate,
    .xSync = disk_sync,
    .xFileSize = disk_size,
    .xLock = disk_lock,
    .xUnlock = disk_unlock,
    .xCheckReservedLock = disk_check_reserved,
    .xFileControl = disk_control,
    .xSectorSize = disk_sector_size,
    .xDeviceCharacteristics = disk_characteristics,
    .xShmMap = disk_shm_map,
    .xShmLock = disk_shm_lock,
    .xShmBarrier = disk_shm_barrier,
    .xShmUnmap = disk_shm_unmap,
};

/* ---- the file system ---------------------------------------------------- */

static int disk_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags,
                     int *ret_flags) {
    disk_file *f = of(file);
    (void)vfs;
    memset(f, 0, sizeof *f);
    f->real = (sqlite3_file *)(f + 1);
    f->log_file = recording ? fault_log_file(recording, path) : -1;
    const bool failing = fails(DISK_OPEN), fresh = path && access(path, F_OK) != 0;
    if (failing && !takes_effect()) return failure_of(DISK_OPEN);
    int rc = real_vfs->xOpen(real_vfs, path, f->real, flags, ret_flags);
    if (rc == SQLITE_OK && fresh && (flags & SQLITE_OPEN_CREATE))
        note(f->log_file, FAULT_CREATE, 0, NULL, 0);
    if (failing) {
        if (rc == SQLITE_OK) f->real->pMethods->xClose(f->real);
        return failure_of(DISK_OPEN);
    }
    if (rc == SQLITE_OK) f->base.pMethods = &METHODS;
    return rc;
}

static int disk_delete(sqlite3_vfs *vfs, const char *path, int sync_folder) {
    (void)vfs;
    const bool failing = fails(DISK_DELETE);
    if (failing && !takes_effect()) return failure_of(DISK_DELETE);
    int rc = real_vfs->xDelete(real_vfs, path, sync_folder);
    const int file = recording ? fault_log_file(recording, path) : -1;
    if (rc == SQLITE_OK) note(file, FAULT_DELETE, 0, NULL, 0);
    if (rc == SQLITE_OK && sync_folder) note(file, FAULT_SYNC_FOLDER, 0, NULL, 0);
    return failing ? failure_of(DISK_DELETE) : rc;
}

static int disk_access(sqlite3_vfs *vfs, const char *path, int flags, int *ret_allowed) {
    (void)vfs;
    if (fails(DISK_ACCESS)) return failure_of(DISK_ACCESS);
    return real_vfs->xAccess(real_vfs, path, flags, ret_allowed);
}

static int disk_randomness(sqlite3_vfs *vfs, int n, char *to) {
    (void)vfs;
    test_rng rng = test_rng_seed(random_state++);
    for (int i = 0; i < n; i++) to[i] = (char)test_rng_next(&rng);
    return n;
}

static int disk_sleep(sqlite3_vfs *vfs, int microseconds) {
    (void)vfs;
    return microseconds;
}

void disk_install(void) {
    static sqlite3_vfs vfs;
    if (real_vfs) return;
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); /* much of the time of a small store */
    real_vfs = sqlite3_vfs_find(NULL);
    if (!real_vfs) abort();
    vfs = *real_vfs; /* what does not take a file is passed on */
    vfs.zName = "fault-disk";
    vfs.pNext = NULL;
    vfs.szOsFile = (int)sizeof(disk_file) + real_vfs->szOsFile;
    vfs.xOpen = disk_open;
    vfs.xDelete = disk_delete;
    vfs.xAccess = disk_access;
    vfs.xRandomness = disk_randomness;
    vfs.xSleep = disk_sleep;
    if (sqlite3_vfs_register(&vfs, 1) != SQLITE_OK) abort();
}

void disk_arm(const disk_plan *next) {
    plan = *next;
    calls = 0;
    fired = false;
    random_state = 1;
    sqlite3_randomness(0, NULL); /* the generator is seeded anew */
}

uint64_t disk_disarm(void) {
    plan.ops = 0;
    return calls;
}

bool disk_fired(void) {
    return fired;
}

void disk_record(fault_log *log) {
    recording = log;
}
