#include "fault_log.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const FAULT_TAILS[FAULT_FILES] = {"", "-journal", "-wal"};

static void *grown(void *p, size_t bytes) {
    p = realloc(p, bytes);
    if (!p) abort();
    return p;
}

/* ---- images ------------------------------------------------------------- */

static void reserve(fault_image *image, size_t n) {
    if (n <= image->room) return;
    image->room = n * 2;
    image->bytes = grown(image->bytes, image->room);
}

/* Grown parts are zero. */
static void resize(fault_image *image, size_t n) {
    reserve(image, n);
    if (n > image->n) memset(image->bytes + image->n, 0, n - image->n);
    image->n = n;
}

static void copy_image(const fault_image *from, fault_image *to) {
    reserve(to, from->n);
    if (from->n) memcpy(to->bytes, from->bytes, from->n);
    to->n = from->n;
    to->exists = from->exists;
}

bool fault_image_read(const char *path, fault_image *image) {
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    image->exists = fd >= 0;
    image->n = 0;
    if (fd < 0) return false;
    if (fstat(fd, &st) != 0) abort();
    resize(image, (size_t)st.st_size);
    if (read(fd, image->bytes, image->n) != (ssize_t)image->n) abort();
    close(fd);
    return true;
}

void fault_image_write(const char *path, const fault_image *image) {
    if (!image->exists) {
        unlink(path);
        return;
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0 || ftruncate(fd, (off_t)image->n) != 0 ||
        write(fd, image->bytes, image->n) != (ssize_t)image->n)
        abort();
    close(fd);
}

/* Eight bytes at a time. */
uint64_t fault_image_hash(const fault_image *image, uint64_t h) {
    size_t i = 0;
    h = (h ^ image->exists) * UINT64_C(0x9E3779B97F4A7C15) + image->n;
    for (; i + 8 <= image->n; i += 8) {
        uint64_t word;
        memcpy(&word, image->bytes + i, 8);
        h = (h ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        h ^= h >> 29;
    }
    for (; i < image->n; i++) h = (h ^ image->bytes[i]) * UINT64_C(0x100000001B3);
    return h;
}

/* ---- the log ------------------------------------------------------------ */

int fault_log_file(const fault_log *log, const char *path) {
    const size_t n = strlen(log->store);
    if (!path || strncmp(path, log->store, n) != 0) return -1;
    for (int i = 0; i < FAULT_FILES; i++)
        if (strcmp(path + n, FAULT_TAILS[i]) == 0) return i;
    return -1;
}

void fault_log_add(fault_log *log, const fault_event *event) {
    if (event->change == FAULT_SYNC && log->ignores_sync) return;
    if (event->change == FAULT_SYNC_FOLDER && log->ignores_folder) return;
    if (log->n == log->room) {
        log->room = log->room ? 2 * log->room : 256;
        log->events = grown(log->events, log->room * sizeof *log->events);
    }
    fault_event *to = &log->events[log->n++];
    *to = *event;
    if (!event->bytes) return;
    to->bytes = grown(NULL, event->n);
    memcpy(to->bytes, event->bytes, event->n);
}

void fault_log_done(fault_log *log) {
    for (size_t i = 0; i < log->n; i++) free(log->events[i].bytes);
    free(log->events);
    log->events = NULL;
    log->n = log->room = 0;
}

/* ---- one moment --------------------------------------------------------- */

static void apply(fault_image *image, const fault_event *e) {
    switch (e->change) {
    case FAULT_WRITE:
        if ((size_t)e->at + e->n > image->n) resize(image, (size_t)e->at + e->n);
        memcpy(image->bytes + e->at, e->bytes, e->n);
        break;
    case FAULT_TRUNCATE: resize(image, (size_t)e->at); break;
    case FAULT_CREATE:
        image->exists = true;
        image->n = 0;
        break;
    case FAULT_DELETE:
        image->exists = false;
        image->n = 0;
        break;
    case FAULT_SYNC:
    case FAULT_SYNC_FOLDER: break;
    }
}

void fault_cut_open(const fault_log *log, fault_cut *ret_cut) {
    *ret_cut = (fault_cut){.log = log};
    for (int i = 0; i < FAULT_FILES; i++) {
        char path[FAULT_PATH + 16];
        snprintf(path, sizeof path, "%s%s", log->store, FAULT_TAILS[i]);
        fault_image_read(path, &ret_cut->safe[i]);
        ret_cut->pending[i] = grown(NULL, (log->n + 1) * sizeof *ret_cut->pending[i]);
    }
}

void fault_cut_done(fault_cut *cut) {
    for (int i = 0; i < FAULT_FILES; i++) {
        free(cut->safe[i].bytes);
        free(cut->pending[i]);
    }
}

/* Which files there are is safe now; of what they hold, only what was safe before. A file whose
 * creation is followed by writes keeps these pending. */
static void sync_folder(fault_cut *cut) {
    for (int file = 0; file < FAULT_FILES; file++) {
        size_t kept = 0, *pending = cut->pending[file];
        for (size_t i = 0; i < cut->n_pending[file]; i++) {
            const fault_event *e = &cut->log->events[pending[i]];
            if (e->change == FAULT_CREATE || e->change == FAULT_DELETE) {
                apply(&cut->safe[file], e);
                kept = 0; /* what was pending belongs to the deleted file */
            } else {
                pending[kept++] = pending[i];
            }
        }
        cut->n_pending[file] = kept;
    }
}

/* With the first sync of a new journal or WAL SQLite also syncs the folder. */
static void sync_file(fault_cut *cut, int file) {
    bool made = false;
    for (size_t i = 0; i < cut->n_pending[file]; i++) {
        const fault_event *e = &cut->log->events[cut->pending[file][i]];
        made |= e->change == FAULT_CREATE && file > 0;
        apply(&cut->safe[file], e);
    }
    cut->n_pending[file] = 0;
    if (made && !cut->log->ignores_folder) sync_folder(cut);
}

bool fault_cut_next(fault_cut *cut) {
    if (cut->at == cut->log->n) return false;
    const fault_event *e = &cut->log->events[cut->at];
    if (e->change == FAULT_SYNC)
        sync_file(cut, e->file);
    else if (e->change == FAULT_SYNC_FOLDER)
        sync_folder(cut);
    else
        cut->pending[e->file][cut->n_pending[e->file]++] = cut->at;
    cut->at++;
    return true;
}

/* ---- what a power cut leaves -------------------------------------------- */

typedef enum loss { LOSE_ALL, LOSE_NONE, LOSE_SOME, LOSE_LATEST, LOSE_EARLIEST, TEAR, LOSSES } loss;

/* Does change i of n reach the disk as a whole? */
static bool kept(loss how, size_t i, size_t n, size_t border, test_rng *rng) {
    switch (how) {
    case LOSE_ALL: return false;
    case LOSE_NONE: return true;
    case LOSE_LATEST: return i < border;
    case LOSE_EARLIEST: return n - i <= border;
    default: return test_rng_below(rng, 2) == 0;
    }
}

/* Some sectors of a write reach the disk. Where a later one makes the file longer, what lies before
 * it is zero or garbage. */
static void tear(fault_image *image, const fault_event *e, test_rng *rng) {
    const bool garbage = test_rng_below(rng, 2) == 0;
    for (size_t from = 0, n; from < e->n; from += n) {
        const size_t at = (size_t)e->at + from, room = FAULT_SECTOR - at % FAULT_SECTOR;
        n = e->n - from < room ? e->n - from : room;
        const size_t before = image->n;
        if (test_rng_below(rng, 2) == 0) continue;
        if (at + n > image->n) resize(image, at + n);
        for (size_t i = before; garbage && i < at; i++)
            image->bytes[i] = (unsigned char)test_rng_next(rng);
        memcpy(image->bytes + at, e->bytes + from, n);
    }
}

/* The file under its name may be an older one, or missing: whether the folder has the last creation
 * or deletion. */
static size_t first_of_file(const fault_cut *cut, int file, loss how, fault_image *image,
                            test_rng *rng) {
    size_t first = 0;
    for (size_t i = 0; i < cut->n_pending[file]; i++) {
        const fault_event *e = &cut->log->events[cut->pending[file][i]];
        if (e->change != FAULT_CREATE && e->change != FAULT_DELETE) continue;
        if (how == LOSE_ALL || (how != LOSE_NONE && test_rng_below(rng, 2) == 0))
            return SIZE_MAX; /* the name still belongs to what was there before */
        apply(image, e);
        first = i + 1;
    }
    return first;
}

static void cut_file(const fault_cut *cut, int file, loss how, fault_image *image, test_rng *rng) {
    const size_t n = cut->n_pending[file], border = test_rng_below(rng, n + 1);
    copy_image(&cut->safe[file], image);
    for (size_t i = first_of_file(cut, file, how, image, rng); i < n; i++) {
        const fault_event *e = &cut->log->events[cut->pending[file][i]];
        const bool torn = e->change == FAULT_WRITE &&
                          (how == TEAR ? test_rng_below(rng, 3) == 0
                                       : how > LOSE_NONE && i == border);
        if (torn)
            tear(image, e, rng);
        else if (kept(how, i, n, border, rng))
            apply(image, e);
    }
}

void fault_cut_write(const fault_cut *cut, test_rng *rng) {
    static fault_image image; /* reused: a store has hundreds of kilobytes */
    char path[FAULT_PATH + 16];
    loss how = (loss)test_rng_below(rng, LOSSES);
    for (int i = 0; i < FAULT_FILES; i++) {
        if (test_rng_below(rng, 3) == 0) how = (loss)test_rng_below(rng, LOSSES);
        cut_file(cut, i, how, &image, rng);
        snprintf(path, sizeof path, "%s%s", cut->log->store, FAULT_TAILS[i]);
        fault_image_write(path, &image);
    }
    snprintf(path, sizeof path, "%s-shm", cut->log->store);
    unlink(path);
}
