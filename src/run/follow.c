/* What 'twindex follow' does, from top to bottom:
 *   watch   opens the store read-only. PRAGMA data_version says, without reading the file, that
 *           another connection has committed; with a change queue, its newest entry says whether
 *           documents have changed.
 *   run     a run like any other (run.c): it locks the store, signs what has changed, judges and
 *           publishes. The watch stays open, so what is committed meanwhile is seen afterwards.
 *   hold    after a guard or an undo, waits for a run that somebody else has published
 * Nothing is kept between two starts: the first thing is a run. */
#include "run/internal.h"

#include <errno.h>
#include <sys/stat.h>
#include <time.h>

enum {
    LOOK_MS = 100,
    FREE_MS = 40,          /* between two runs the store is unlocked; who waits looks each 5 ms */
    HELD_MS = 60000,       /* until the next attempt after a guard */
    GONE_SECONDS = 10,     /* for a store that is being replaced by removing and copying */
    BUSY_MS = 500,         /* until the next attempt */
    LEDGER_SECONDS = 3600, /* between two runs that the ledger keeps [R5] */
    KEPT_SECONDS = 3600    /* what is kept of judging is forgotten: a text may change unseen */
};

typedef enum hold { HOLD_NOT, HOLD_GUARD, HOLD_UNDO } hold;

/* A run that was published here. */
typedef struct ours {
    int64_t run, at;
} ours;

typedef struct follower {
    twx_job job; /* its context is `cx`: that of the caller belongs to the runs */
    twx_ctx cx;
    const twx_follow *how;
    twx_opened o; /* without a reader: there is no watch */
    dev_t device;
    ino_t inode;
    twx_feed feed;
    int64_t version; /* of the data that were looked at */
    int64_t seen;    /* number of the newest run that is known to be published */
    bool changed;    /* there is something to run for */
    bool settled;    /* the last run has published nothing */
    bool busy;       /* the store was found locked, and no run has succeeded since */
    hold hold;
    int64_t next_ms, gone_ms; /* when a run may begin; since when there is no store, 0: there is */
    ours last, before;
    int64_t kept_at;  /* time of the last run that the ledger keeps */
    int64_t whole_at; /* since when judgements are kept (judge/judge.h) */
} follower;

void twx_say_once(void *arg, twindex_level level, const char *text) {
    twx_said *said = arg;
    const uint64_t hash = twx_hash64(twx_slice_of(text), 0);
    for (size_t i = 0; i < said->n && i < TWX_SAID_MAX; i++)
        if (said->hashes[i] == hash) return;
    said->hashes[said->n++ % TWX_SAID_MAX] = hash;
    if (said->message) said->message(said->arg, level, text);
}

/* [R1] */
static twx_rc check_feed(follower *f) {
    twx_sign_plan plan = {0};
    const twx_rc rc = twx_feed_find(&f->job, &f->o, &plan);
    f->feed = plan.feed;
    if (rc != TWX_OK || plan.feed != TWX_FEED_SCAN) return rc;
    return twx_fail(&f->cx, TWX_E_CONFIG,
                    "%s: only reading every row would show which documents have changed (change "
                    "feed scan; 'twindex check' gives the reason): map store.changed, or use "
                    "'twindex run' after each crawl",
                    f->job.store);
}

/* The tables of an older version are migrated by the first run. */
static twx_rc open_watch(follower *f) {
    const unsigned look = twx_is_separate(&f->job) ? 0 : TWX_NEED_LOOK;
    twx_rc rc = twx_open_store(&f->job, TWX_NEED_SOURCE | look, &f->o);
    if (rc == TWX_E_DATA) {
        twx_ctx_clear(&f->cx);
        rc = twx_open_store(&f->job, TWX_NEED_SOURCE, &f->o);
    }
    if (rc == TWX_OK) rc = check_feed(f);
    if (rc == TWX_OK) rc = twx_db_data_version(f->o.reader, &f->version);
    f->changed = true;
    return rc;
}

/* Opens the store unless it is open; another file in its place is opened instead of it [R4]. */
static twx_rc open_current(follower *f) {
    struct stat st;
    if (stat(f->job.store, &st) != 0)
        return twx_fail(&f->cx, TWX_E_NOSTORE, "%s: %s", f->job.store, strerror(errno));
    const bool other = st.st_dev != f->device || st.st_ino != f->inode;
    if (f->o.reader && !other) return TWX_OK;
    twx_opened_done(&f->o);
    if (other && f->inode) {
        twx_job_message(&f->job, TWINDEX_NOTE, "%s is another file now, which is followed",
                        f->job.store);
        twx_kept_done(f->job.kept);
        f->seen = f->last.run = f->before.run = 0;
        f->settled = false;
        f->hold = HOLD_NOT;
    }
    f->device = st.st_dev;
    f->inode = st.st_ino;
    return open_watch(f);
}

/* While a store is being replaced, there may be none, or a part of one. */
static twx_rc watch(follower *f) {
    const int64_t now = twx_db_clock_ms();
    const bool was_open = f->inode != 0;
    const twx_rc rc = open_current(f);
    if (rc == TWX_OK) f->gone_ms = 0;
    const bool may_pass = rc == TWX_E_NOSTORE || rc == TWX_E_CORRUPT || rc == TWX_E_BUSY ||
                          rc == TWX_E_IO;
    if (!was_open || !may_pass) return rc;
    if (!f->gone_ms) f->gone_ms = now;
    if (now - f->gone_ms >= GONE_SECONDS * 1000) return rc;
    twx_opened_done(&f->o);
    twx_ctx_clear(&f->cx);
    return TWX_OK;
}

/* Whether other connections have committed, and what follows from it. */
static twx_rc look(follower *f) {
    int64_t version = 0, mark = 1;
    twx_rc rc = twx_db_data_version(f->o.reader, &version);
    if (rc != TWX_OK || version == f->version) return rc;
    f->version = version;
    if (f->feed == TWX_FEED_TRIGGER && f->o.changes) rc = twx_changes_mark(f->o.changes, &mark);
    f->changed = f->changed || mark > 0;
    if (rc != TWX_OK || f->changed || f->settled || !f->o.generations) return rc;
    /* Whether there are signatures that no published run has judged: a run signs what changes while
     * it publishes, and 'twindex sign' publishes nothing. Of some runs that is never known: after
     * one that has found nothing new, it does not count. */
    uint64_t judged = 0;
    twx_buf counts = {.max = SIZE_MAX - 1};
    rc = twx_state_judged(f->o.generations, &judged, &counts);
    twx_buf_done(&counts);
    f->changed = rc == TWX_DONE || judged == 0;
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* Run numbers grow, so that of the published one is the largest, except after an undo [R3]. */
static twx_rc look_at_published(follower *f) {
    twx_state state = {0};
    if (!f->o.generations) return TWX_OK;
    const twx_rc rc = twx_state_read(f->o.generations, &state);
    if (rc != TWX_OK || !state.generation) return rc;
    const int64_t published = state.run[state.generation == 'b'],
                  other = state.run[state.generation != 'b'];
    if (other > f->seen) f->seen = other;
    if (published > f->seen || (published == f->seen && f->hold == HOLD_UNDO)) {
        f->seen = published;
        if (f->hold == HOLD_GUARD) f->next_ms = 0;
        f->hold = HOLD_NOT;
    } else if (published < f->seen && f->hold == HOLD_NOT) {
        f->hold = HOLD_UNDO;
        twx_job_message(&f->job, TWINDEX_WARNING,
                        "%s: the flags of an earlier run are published again (undo): nothing is "
                        "published until 'twindex run' has",
                        f->job.store);
    }
    return rc;
}

static twx_rc thin_ledger(follower *f, int64_t run) {
    const twx_db_options own = {.mode = TWX_DB_WRITER, .busy_ms = f->job.settings->run_busy_ms};
    twx_db *db = NULL;
    twx_rc rc = twx_db_open(&f->cx, f->job.store, &own, &db);
    if (rc == TWX_OK) rc = twx_ledger_drop(db, run);
    twx_db_close(db);
    if (rc != TWX_E_BUSY) return rc;
    twx_ctx_clear(&f->cx); /* then it stays */
    return TWX_OK;
}

/* [R5] Generations refer to the last two, so the one before them goes. */
static twx_rc note_published(follower *f, int64_t before) {
    f->settled = f->seen == before;
    if (f->settled) return TWX_OK;
    const ours gone = f->before;
    f->before = f->last;
    f->last = (ours){f->seen, twx_job_now()};
    if (!gone.run) return TWX_OK;
    if (gone.at - f->kept_at < LEDGER_SECONDS) return thin_ledger(f, gone.run);
    f->kept_at = gone.at;
    return TWX_OK;
}

/* Commands by hand wait for a run to end (twx_lock_take()). Where runs take longer than they wait,
 * the store is unlocked for a third of the time [R2]. */
static void set_next(follower *f, int64_t began) {
    const twx_settings *s = f->job.settings;
    const int64_t now = twx_db_clock_ms(), took = now - began,
                  every = began + (int64_t)s->follow_every * 1000,
                  rest = took > s->run_busy_ms ? took / 2 : 0,
                  gap = now + rest + (f->busy ? BUSY_MS : FREE_MS);
    f->next_ms = every > gap ? every : gap;
}

/* *ret_result: TWINDEX_OK: go on. */
static twx_rc run_once(follower *f, const twx_ctx *of_runs, int *ret_result) {
    const int64_t before = f->seen;
    const int64_t began = twx_db_clock_ms();
    if (twx_job_now() - f->whole_at >= KEPT_SECONDS) {
        twx_kept_done(f->job.kept);
        f->whole_at = twx_job_now();
    }
    f->changed = false;
    const int result = f->how->run(f->how->arg);
    const bool was_busy = f->busy;
    f->busy = result == TWINDEX_BUSY;
    set_next(f, began);
    if (result == TWINDEX_BUSY) {
        if (!was_busy)
            twx_job_message(&f->job, TWINDEX_NOTE, "%s; it is tried again", of_runs->message);
        f->changed = true;
        return TWX_OK;
    }
    if (result == TWINDEX_GUARD) {
        twx_job_message(&f->job, TWINDEX_WARNING,
                        "%s; nothing is published until another run has published, or the cause "
                        "is gone, which is tried once a minute",
                        of_runs->message);
        f->hold = HOLD_GUARD;
        f->next_ms += HELD_MS;
        f->changed = true;
        return TWX_OK;
    }
    /* an error can be that of a file which is no longer the store */
    struct stat st;
    const bool same = stat(f->job.store, &st) == 0 && st.st_dev == f->device &&
                      st.st_ino == f->inode;
    if (result != TWINDEX_OK && (same || twx_cancelled(&f->cx) != TWX_OK)) {
        *ret_result = result;
        return TWX_OK;
    }
    if (!same) return TWX_OK;
    f->hold = HOLD_NOT;
    twx_rc rc = TWX_OK;
    if (!f->o.generations) { /* the run has made the tables */
        twx_opened_done(&f->o);
        rc = open_watch(f);
    }
    if (rc == TWX_OK) rc = look_at_published(f);
    return rc == TWX_OK ? note_published(f, before) : rc;
}

/* A crawler with a rollback journal locks the store for as long as it writes, at any point. What
 * was to be read then is not known, so there is something to run for. */
static twx_rc step(follower *f, const twx_ctx *of_runs, int *ret_result) {
    twx_rc rc = watch(f);
    if (rc == TWX_OK && !f->gone_ms) rc = look(f);
    if (rc == TWX_OK && !f->gone_ms && f->changed) rc = look_at_published(f);
    const int64_t left = f->next_ms - twx_db_clock_ms();
    const bool may_run = rc == TWX_OK && !f->gone_ms && f->changed && f->hold != HOLD_UNDO &&
                         left <= 0;
    if (may_run) rc = run_once(f, of_runs, ret_result);
    const long pause = f->changed && left > 0 && left < LOOK_MS ? (long)left : LOOK_MS;
    /* returns early when a signal comes */
    if (!may_run) (void)nanosleep(&(struct timespec){.tv_nsec = pause * 1000000}, NULL);
    if (rc != TWX_E_BUSY) return rc;
    if (!f->busy) twx_job_message(&f->job, TWINDEX_NOTE, "%s; it is tried again", f->cx.message);
    twx_ctx_clear(&f->cx);
    f->busy = f->changed = true;
    return TWX_OK;
}

twx_rc twx_follow_store(const twx_job *job, const twx_follow *how, int *ret_result) {
    follower f = {.job = *job, .how = how};
    int result = TWINDEX_OK;
    twx_ctx_init(&f.cx);
    f.cx.cancel = job->cx->cancel;
    f.cx.faults = job->cx->faults;
    f.cx.suspension = job->cx->suspension;
    f.job.cx = &f.cx;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && result == TWINDEX_OK && (rc = twx_cancelled(&f.cx)) == TWX_OK)
        rc = step(&f, job->cx, &result);
    twx_opened_done(&f.o);
    if (rc == TWX_E_INTERRUPTED || rc == TWX_E_TERMINATED) rc = TWX_OK;
    if (result == TWINDEX_INTERRUPTED || result == TWINDEX_TERMINATED) result = TWINDEX_OK;
    *ret_result = result;
    if (rc != TWX_OK || result == TWINDEX_OK) twx_ctx_clear(job->cx);
    return rc == TWX_OK ? rc : twx_ctx_take(job->cx, &f.cx);
}
