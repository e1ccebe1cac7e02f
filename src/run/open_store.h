/* run/open_store.h: opens and hardens the connections of a job in the right order.
 * Memory: embedded struct, all handles owned; twx_opened_done() closes what is open. */
#ifndef TWX_RUN_OPEN_STORE_H
#define TWX_RUN_OPEN_STORE_H

#include "run/job.h"
#include "store/changes.h"
#include "store/generations.h"
#include "store/signatures.h"
#include "store/source.h"

typedef struct twx_opened {
    twx_db *reader; /* the store, read-only, with the source view */
    twx_db *writer; /* the store, or the file of --flags; NULL if only the source is needed */
    twx_mapping mapping;
    twx_source *source;
    twx_signatures *signatures; /* NULL if Twindex has no tables there yet */
    /* The same records, read while rows of the source are read. If both are in one file, this is
     * the reader's connection, which has its lock already. With a rollback journal, another
     * connection would have to wait for a program that waits to commit until the reader ends. */
    twx_signatures *lookup;
    twx_generations *generations;
    twx_changes *changes; /* NULL: the store has no change queue */
    bool trial;           /* a dry run: the writer is a scratch file, the store is only read */
    char *scratch;        /* its path, in a folder of its own; owned; both are removed at the end */
    twx_db *
        /* in a trial: the file with the published result, read-only; NULL: nothing is published */
        published_db;
    twx_generations *published;
} twx_opened;

typedef enum twx_need {
    TWX_NEED_SOURCE = 1,  /* mapping and source view */
    TWX_NEED_RESULTS = 2, /* Twindex's tables; TWX_E_DATA "no run yet" if there are none */
    TWX_NEED_TABLES = 4,  /* the same, created if missing */
    TWX_NEED_TRIAL = 8,   /* the same in a scratch file, initialized from the store */
    TWX_NEED_LOOK = 16,   /* Twindex's tables if there are any */
    /* with TWX_NEED_TABLES: the file that is written is checked first (run/file_check.h) */
    TWX_NEED_SOUND = 32
} twx_need;

/* Creates a store with our own schema (init). */
TWX_CHECK twx_rc twx_init_store(const twx_job *job);
/* needs: bits of twx_need. twx_own_path() is the path of the file with Twindex's tables. */
TWX_CHECK twx_rc twx_open_store(const twx_job *job, unsigned needs, twx_opened *ret_opened);
void twx_opened_done(twx_opened *o);
/* Opens the source once more, for another thread: cx is that thread's context. o is only read. */
TWX_CHECK twx_rc twx_open_source_again(twx_ctx *cx, const twx_job *job, const twx_opened *o,
                                       twx_db **ret_db, twx_source **ret_source);
/* The mapping that the settings define. m: zeroed by the caller, twx_mapping_done() at the end. */
TWX_CHECK twx_rc twx_mapping_of(const twx_job *job, twx_mapping *m);
const char *twx_own_path(const twx_job *job);
bool twx_is_separate(const twx_job *job); /* --flags */
/* The SELECT that the view flagged_documents joins with the flags; NULL: the file has no such view.
 * A view that names a table of another program would make that program's migrations fail: SQLite
 * refuses ALTER TABLE RENAME while any view of the schema names a table that is missing.
 * Borrowed. */
const char *twx_joined_select(const twx_job *job, const twx_opened *o);

/* An answer is read in several statements. If two runs have published a result since `before` was
 * read, the second one has overwritten the flags of that state: TWX_E_BUSY, with advice. */
TWX_CHECK twx_rc twx_result_kept(const twx_job *job, const twx_opened *o, const twx_state *before);

typedef enum twx_feed { TWX_FEED_TRIGGER, TWX_FEED_COLUMN, TWX_FEED_SCAN } twx_feed;
const char *twx_feed_name(twx_feed feed);
/* How changes are detected; TWX_E_CONFIG if the configured way is impossible for this store.
 * ret_queued: NULL, or whether the change queue should have every change. If a value depends on
 * more than its row, it has not, and the feed is a scan. */
TWX_CHECK twx_rc twx_choose_feed(const twx_job *job, const twx_opened *o, twx_feed *ret_feed,
                                 bool *ret_queued);

#endif
