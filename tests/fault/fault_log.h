/* tests/fault/fault_log.h: what was written to a store, and what a power cut can make of it.
 *
 * The log has every change of three files: the store, its rollback journal and its WAL. A power cut
 * after event k keeps what was synced before; of each change after the last sync of its file it may
 * keep all, nothing, or any of its 512-byte sectors, independently of other changes and files.
 * A file that was created may be missing unless it or its folder was synced; one that was deleted
 * may still be there unless its folder was.
 * Memory: embedded structs, fault_log_done() and fault_cut_done() free what they hold. */
#ifndef TWINDEX_TEST_FAULT_LOG_H
#define TWINDEX_TEST_FAULT_LOG_H

#include "support.h"

enum { FAULT_FILES = 3, FAULT_SECTOR = 512, FAULT_PATH = 4400 };

typedef enum fault_change {
    FAULT_WRITE,
    FAULT_TRUNCATE,
    FAULT_CREATE,
    FAULT_DELETE,
    FAULT_SYNC,
    FAULT_SYNC_FOLDER
} fault_change;

typedef struct fault_event {
    fault_change change;
    int file;   /* an index of FAULT_TAILS */
    int64_t at; /* offset, or the new size */
    size_t n;
    unsigned char *bytes;
} fault_event;

typedef struct fault_log {
    char store[FAULT_PATH];
    fault_event *events;
    size_t n, room;
    /* planted bugs: syncs of files, or of folders, are reported as done and are not */
    bool ignores_sync, ignores_folder;
} fault_log;

/* A file as it is read after the power is back. */
typedef struct fault_image {
    bool exists;
    unsigned char *bytes;
    size_t n, room;
} fault_image;

/* The files at one moment: what is safe, and the events that are not. */
typedef struct fault_cut {
    const fault_log *log;
    size_t at; /* events before this one have happened */
    fault_image safe[FAULT_FILES];
    size_t *pending[FAULT_FILES], n_pending[FAULT_FILES];
} fault_cut;

extern const char *const FAULT_TAILS[FAULT_FILES]; /* what is added to the name of the store */

/* The index of the file, -1 if it does not belong to the store. */
int fault_log_file(const fault_log *log, const char *path);
void fault_log_add(fault_log *log, const fault_event *event); /* copies event->bytes */
void fault_log_done(fault_log *log);

/* Reads the files as they are now, before the events of the log happen: all of it is safe. */
void fault_cut_open(const fault_log *log, fault_cut *ret_cut);
void fault_cut_done(fault_cut *cut);
/* Goes on to the next event. false: there is none. */
bool fault_cut_next(fault_cut *cut);
/* Writes the files as one power cut at this moment leaves them. */
void fault_cut_write(const fault_cut *cut, test_rng *rng);

bool fault_image_read(const char *path, fault_image *image);
void fault_image_write(const char *path, const fault_image *image);
uint64_t fault_image_hash(const fault_image *image, uint64_t h);

#endif
