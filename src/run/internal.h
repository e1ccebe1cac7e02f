/* run/internal.h: what the files of this room share with each other and with its tests; other
 * rooms include run/run.h. */
#ifndef TWX_RUN_INTERNAL_H
#define TWX_RUN_INTERNAL_H

#include "run/run.h"

/* settings (settings.c) */
/* Of all settings but those of [run] and [cluster], which do not decide what a run finds. */
uint64_t twx_settings_fingerprint(const twx_settings *s);
/* What `compat` sets: {name, value} in order, NULL after the last. */
typedef struct twx_setting_value {
    const char *name, *value;
} twx_setting_value;
const twx_setting_value *twx_compat_at(size_t i);

/* host_settings (settings.c) */
/* The whole value. Errors TWX_E_CONFIG, naming section, setting and value. */
TWX_CHECK twx_rc twx_hosts_check(twx_ctx *cx, const char *value);
/* A pattern of a section; known: the sections before it. */
TWX_CHECK twx_rc twx_host_pattern_check(twx_ctx *cx, twx_slice pattern, twx_slice known);
/* A setting of a section; known: those before it, as in twx_host_section.values. On success the
 * setting is appended to `out`, as in a section. */
TWX_CHECK twx_rc twx_host_value_add(twx_ctx *cx, const char *name, const char *value,
                                    twx_slice known, twx_buf *out);

/* Does any section set near.text, and to `main`? */
typedef struct twx_host_texts {
    bool any, main;
    uint64_t fingerprint; /* of what sections say about near.text; 0: nothing */
} twx_host_texts;
twx_host_texts twx_host_texts_of(const twx_settings *s);

/* job (job.c) */
/* run.memory by default, of the memory of the machine and the limit of the control group. */
size_t twx_default_memory(uint64_t machine, uint64_t group);

/* lock (lock.c) */
/* Whether a check within the last seven days is recorded [R4]. */
bool twx_lock_is_checked(const twx_lock *held);
/* What release() records: that the store was checked now, or that nothing is known about it.
 * Without this call the record stays as it was before. */
void twx_lock_set_checked(twx_lock *held, bool checked);
/* The holder is a run. One that changes nothing (NULL), or that a guard has stopped (stopped: why),
 * leaves no trace in the store: release() records it for 'twindex diff', the first until the lock
 * is taken again, the second until another run has ended. "": the run has published. */
void twx_lock_set_outcome(twx_lock *held, const char *stopped);

/* open_store (open_store.c) */
/* Opens the source once more, for another thread: cx is that thread's context. o is only read. */
TWX_CHECK twx_rc twx_open_source_again(twx_ctx *cx, const twx_job *job, const twx_opened *o,
                                       twx_db **ret_db, twx_source **ret_source);
/* Errors TWX_E_FULL: the flags of this number of documents and `more` bytes do not fit. */
TWX_CHECK twx_rc twx_check_space(const twx_job *job, uint64_t documents, uint64_t more);

/* document_reader (job.c), document_label (lookup.c) */
/* Reads all documents with a key from `first` to `last`, one by one: for a range in which a row may
 * be too long. The source has ranges (store/source.c). */
TWX_CHECK twx_rc twx_document_reader_range(twx_document_reader *r, int64_t first, int64_t last);
/* As twx_url_of(), with the beginning of the title, as stored. title NULL: not wanted. */
TWX_CHECK twx_rc twx_names_of(twx_opened *o, const twx_value *id, twx_buf *url, twx_buf *title);

/* key_ranges (sign_batch.c): divides the integer keys of a source into ranges that workers read at
 * the same time, each on a connection of its own.
 * [R1] Every key is in exactly one range that was taken and not put back.
 * [R2] Ranges are taken in ascending order, except for what is put back.
 * How many rows a range has is not known beforehand: a worker that has read enough puts the rest
 * back. The width of a range follows from how many rows the last ones had.
 * Memory: embedded struct, owned; twx_key_ranges_done(). One thread. */

typedef struct twx_key_range {
    int64_t first, last; /* both included */
    bool whole;          /* outside of the keys that the source had: not divided */
} twx_key_range;

typedef struct twx_key_ranges {
    TWX_VEC(twx_key_range) left; /* ascending */
    uint64_t width;              /* keys of the next range */
} twx_key_ranges;

/* All keys; least and most: those of the source now. */
TWX_CHECK twx_rc twx_key_ranges_init(twx_ctx *cx, twx_key_ranges *r, int64_t least, int64_t most);
void twx_key_ranges_done(twx_key_ranges *r);
/* false: no range is left. */
bool twx_key_ranges_take(twx_key_ranges *r, twx_key_range *ret_range);
/* A worker has read the keys of `range` before `next`, or all of them if `ended`; they had so many
 * rows. The rest is put back. */
TWX_CHECK twx_rc twx_key_ranges_put(twx_ctx *cx, twx_key_ranges *r, const twx_key_range *range,
                                    bool ended, int64_t next, uint64_t rows);

/* batch (sign_batch.c): a batch of source rows for a worker: the rows read, then the facts and keys
 * computed from them. The rows are copied into it before, or the worker reads them itself from a
 * range of keys.
 * Memory: owned handle; it is reused for further batches. */

enum { TWX_BATCH_ROWS = 500 };

/* A document from when its row is read until its signatures are written. Bytes are in the arena of
 * its batch, then in that of the pass (sign.c). */
typedef struct twx_signed_row {
    bool has_doc;      /* false: the id has no number yet */
    twx_value id;      /* as the source has it */
    twx_stored stored; /* doc, if it has one, and token; the worker sets facts and record */
    size_t place;      /* among the rows that are to be written */
} twx_signed_row;

typedef struct twx_batch_row {
    twx_value column[TWX_COLUMNS];
    twx_signed_row made;
    unsigned oddities;
} twx_batch_row;

/* What a worker read of a range. */
typedef struct twx_range_read {
    twx_key_range range;
    bool ended;   /* no row is left in the range; otherwise the next key is `next` */
    bool stopped; /* a row from `next` on is longer than the row limit */
    int64_t next;
    uint64_t rows, bad_ids;
} twx_range_read;

typedef struct twx_batch {
    bool reads; /* the worker reads the rows */
    twx_range_read read;
    TWX_VEC(twx_batch_row) rows;
    twx_arena arena;
    size_t bytes; /* bytes read */
} twx_batch;

TWX_CHECK twx_rc twx_batch_open(twx_ctx *cx, twx_batch **ret_batch);
void twx_batch_close(twx_batch *b);
void twx_batch_clear(twx_batch *b);
/* Copies a row of the source into the batch. */
TWX_CHECK twx_rc twx_batch_add(twx_ctx *cx, twx_batch *b, const twx_source_row *row,
                               const twx_signed_row *made);
bool twx_batch_is_full(const twx_batch *b);
/* Hash of all columns of a row, which a scan compares with the stored one. */
uint64_t twx_row_token(const twx_value *columns);
/* Number and token of the document of a row, which has the columns that the feed needs. *ret_usable
 * false: its id cannot be that of a document: NULL, or INT64_MIN, after which reading of our own
 * tables starts. */
TWX_CHECK twx_rc twx_identify(const twx_opened *o, twx_feed feed, const twx_source_row *row,
                              bool *ret_usable, twx_signed_row *ret_made);
/* Adds a row to the batch, or to *bad_ids if its id is unusable. */
TWX_CHECK twx_rc twx_batch_take(twx_ctx *cx, twx_batch *b, const twx_opened *o, twx_feed feed,
                                const twx_source_row *row, uint64_t *bad_ids);

/* check_store (sign_store.c): checks a store before a run writes anything to it. */

/* Checks the mapping, the contents of its columns, and, if wanted, the file itself. Warns about
 * what looks unintended. ret_memo, if not NULL: all documents will be signed; while the file is
 * checked, another thread signs texts, and the memo knows them. NULL, or owned by the caller, also
 * after an error.
 * Errors TWX_E_CONFIG (more than one mapping fits), TWX_E_CORRUPT */
TWX_CHECK twx_rc twx_check_store(const twx_job *job, twx_opened *o, bool file, twx_summary *summary,
                                 twx_memo **ret_memo);
/* The parts of it (open_store.c): the mapping and the contents of its columns; and SQLite's
 * quick_check, unless the setting run.check is `no`. */
TWX_CHECK twx_rc twx_check_mapping(const twx_job *job, twx_opened *o);
/* In a damaged file, a page of a table can also be in the list of free pages. SQLite would use it
 * for the next row that is written and so overwrite rows of the user. Errors TWX_E_CORRUPT */
TWX_CHECK twx_rc twx_check_file(const twx_job *job, twx_db *db);
/* Whether the file is to be checked (run.check): after a check within the last days it is not read
 * again, unless `asked`. held: NULL in a dry run. */
bool twx_is_check_due(const twx_job *job, const twx_lock *held, bool asked);

/* Sets feed and queued of the plan: the feed that is configured, but a scan, with a warning, if the
 * queue or one of its triggers is missing. */
TWX_CHECK twx_rc twx_feed_find(const twx_job *job, const twx_opened *o, twx_sign_plan *ret_plan);

/* sign (sign.c) */
/* ret_changed: gets the documents whose signature was written or deleted; NULL: not wanted. */
TWX_CHECK twx_rc twx_sign(const twx_job *job, twx_opened *o, const twx_sign_plan *plan,
                          twx_docs *ret_changed, twx_sign_counts *ret_counts);
/* Compares numbers of rows alone, which indexes give; nothing with store.where. *ret_agree false:
 * there may be such documents. */
TWX_CHECK twx_rc twx_queue_agrees(twx_opened *o, const twx_sign_plan *plan, bool *ret_agree);
void twx_sign_counts_add(twx_sign_counts *to, const twx_sign_counts *counts);

/* summary (summary.c) */
/* Adds a store; the texts of the line are copied. */
TWX_CHECK twx_rc twx_summary_add_store(twx_ctx *cx, twx_summary *s, const twx_summary_store *line);
/* Forgets those that were not left out. */
void twx_summary_forget_stores(twx_summary *s);
/* Adds to the time of a stage. name: a literal. */
void twx_summary_stage(twx_summary *s, const char *name, double seconds);
/* Replaces the counts by those of a judged document set. */
TWX_CHECK twx_rc twx_summary_judged(twx_ctx *cx, twx_summary *s, const twx_doc_set *j);
/* Appends these counts to `out`: 64-bit numbers, big endian, and the collapsed hosts. Equal counts
 * have equal bytes. Appends nothing if hosts were left out. */
TWX_CHECK twx_rc twx_summary_pack(twx_ctx *cx, const twx_summary *s, twx_buf *out);
/* Reads them. *ret_complete false: these are not all of them; *s is unchanged. */
TWX_CHECK twx_rc twx_summary_unpack(twx_ctx *cx, twx_slice packed, twx_summary *s,
                                    bool *ret_complete);
json_t *twx_summary_json(const twx_summary *s); /* new reference, NULL: out of memory */
/* Warns about lines that concern none of the judged documents, and about kept documents that do not
 * take part; adds both to the summary. */
TWX_CHECK twx_rc twx_pins_report(const twx_job *job, const twx_pins *pins, const twx_doc_set *j,
                                 twx_summary *summary);

/* flag_changes (flag_changes.c): what differs (run.h). */
/* The documents of each of n stores: ret_judged[0..n), zeroed by the caller, who calls
 * twx_judged_done() for each also after an error. */
TWX_CHECK twx_rc twx_judged_order(twx_ctx *cx, const twx_doc_set *j,
                                  const twx_judge_options *options, twx_judged *const *ret_judged,
                                  size_t n);
void twx_judged_done(twx_judged *judged);
/* row: as twx_flag_row_stored() makes it. */
twx_published_row twx_published_row_of(const twx_flag_row *row);
/* Makes the hashes of rows, with the run 0. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_published_read(twx_ctx *cx, const twx_flag_rows *rows,
                                    twx_published *ret_published);
/* The flags of documents that were not withdrawn. judged is borrowed; one reader at a time. */
twx_flag_rows twx_judged_rows(twx_judged *judged);

/* As twx_flag_changes(), of the documents of other stores. */
typedef twx_rc twx_remote_change_fn(void *arg, const twx_remote *stored, const twx_remote *fresh);
TWX_CHECK twx_rc twx_remote_changes(const twx_remote_rows *rows, twx_db *db, char generation,
                                    twx_remote_change_fn *fn, void *arg);

/* losses (flag_changes.c): the input of the guard against losses: how many documents of each site
 * take part in the published result and in the one to come (judge/guard.c, store/flag_views.c). */

/* Memory: embedded struct, names and rows owned; twx_losses_done(). */
typedef struct twx_losses {
    TWX_VEC(twx_site_before) before;
    TWX_VEC(twx_site_count) now; /* its names are borrowed from the document set */
} twx_losses;

/* Adds the counts of a generation to those of the published result. */
TWX_CHECK twx_rc twx_losses_read(twx_ctx *cx, twx_generations *g, char generation,
                                 twx_losses *losses);
/* Adds the counts of another store's published result to those of `losses`. */
TWX_CHECK twx_rc twx_losses_add(twx_ctx *cx, twx_losses *losses, const twx_losses *other);
/* Counts the documents of one store that are judged: all of them, and those of each site that has
 * min_documents or more in all stores together. */
TWX_CHECK twx_rc twx_losses_count(twx_ctx *cx, const twx_judged *judged, uint32_t min_documents,
                                  twx_losses *losses);
void twx_losses_done(twx_losses *losses);

/* run_store (run_stores.c): one store of a run: its connections, its lock, what signs it, and its
 * published result. A run has one or more (run/run_stores.c).
 * Memory: the list of stores allocates it and closes what is open. Jobs and plans point into it, so
 * it does not move. */

typedef struct twx_run_store {
    twx_job job; /* of this store */
    const twindex_run_options *options;
    char *path;     /* canonical; owned */
    twx_lock *lock; /* NULL in a dry run */
    twx_opened o;
    twx_sign_plan sign;
    bool checks;            /* the file is checked for damage first */
    bool stored;            /* the signatures of the store are judged as they are */
    int64_t data_version;   /* data version of the store when its documents were read */
    bool whole;             /* all of its rows were read then */
    twx_sign_counts counts; /* of all passes */
    twx_state state;        /* the state when the run began */
    twx_store_place place;  /* the same, of its place in the collection */
    twx_slice shard;        /* its name in this run; absent: the run has no other store */
    twx_arena names;        /* holds these two */
    twx_losses losses;
    twx_judged judged; /* its documents of the set */
    uint64_t changed;  /* documents whose flags differ from the published ones */
    /* those whose rows differ, too: not only what large groups share; empty if nothing is
     * published, and in a dry run */
    twx_docs differ;
    twx_group_counts counts_of_groups;
} twx_run_store;

/* The published result and its reader; NULL in a dry run of a store without one. */
twx_generations *twx_run_store_published(const twx_run_store *m);
twx_db *twx_run_store_published_db(const twx_run_store *m);
/* ret_changed: gets the documents whose signature is new, changed or gone; NULL: not wanted. */
TWX_CHECK twx_rc twx_run_store_sign(twx_run_store *m, twx_docs *ret_changed, twx_summary *summary);
TWX_CHECK twx_rc twx_run_store_data_version(const twx_run_store *m, int64_t *ret_version);
TWX_CHECK twx_rc twx_run_store_begin_judging(twx_run_store *m);
/* Whether all views of the results exist; publishing recreates those that were dropped. */
TWX_CHECK twx_rc twx_run_store_has_views(twx_run_store *m, bool *ret_there);
/* Cleanup after publishing. Neither a signal nor an error here turns the run into a failed one. */
void twx_run_store_sweep(twx_run_store *m);

/* run_stores.c: the stores of a run.
 * [R1] Locks are taken in order of the files' paths, so two runs of the same stores never wait for
 * each other. [R2] One file named twice is an error, also by a link.
 * [R3] Each store has a name among the others, which it keeps when the file is moved: it is stored
 * by the first run over several stores, as the shortest end of the file's path that no other store
 * of that run has, usually the name of the file.
 * [R4] The order of the stores is that of their names, whatever the order in which they were given.
 * [R5] With skip_broken, a store that cannot be locked, opened or read is left out, with a warning;
 * without it, its error ends the run.
 * Memory: embedded struct; twx_run_stores_done(). */

typedef struct twx_run_stores {
    const twx_job *job;
    const twindex_run_options *options;
    twx_summary *summary;
    TWX_VEC(twx_run_store *) at; /* owned */
} twx_run_stores;

/* Lists and locks the stores of the job. */
TWX_CHECK twx_rc twx_run_stores_begin(const twx_job *job, const twindex_run_options *options,
                                      twx_summary *summary, twx_run_stores *all);
/* Opens all, names them and brings them into order. */
TWX_CHECK twx_rc twx_run_stores_open(twx_run_stores *all);
TWX_CHECK twx_rc twx_run_stores_sign(twx_run_stores *all);
/* rc: the error of store i. TWX_OK: it was left out, and the next store has its place; otherwise
 * rc. [R5] */
TWX_CHECK twx_rc twx_run_stores_leave_out(twx_run_stores *all, size_t i, twx_rc rc);
void twx_run_stores_done(twx_run_stores *all, twx_rc rc);

/* count_changes (flag_changes.c): counts what a result would change in the published ones,
 * for the summary. */

/* Fills in changed, changed_flags, hosts and changes of the summary, and `changed` of each store.
 */
TWX_CHECK twx_rc twx_count_changes(twx_run_stores *all, const twx_doc_set *j,
                                   const twx_judge_options *how, twx_summary *ret_summary);

/* foreign (run_stores.c): the documents of other stores that flags refer to
 * (judge/document_set.c): their numbers, and their rows in twindex_remote. */

/* Finds and numbers them; again after documents were withdrawn. Nothing to do for one store. */
TWX_CHECK twx_rc twx_foreign_find(const twx_run_stores *all, twx_doc_set *j);

/* Those that the documents of one store refer to. Memory: embedded struct; twx_foreign_done(). */
typedef struct twx_foreign {
    const twx_run_stores *all;
    const twx_doc_set *j;
    const twx_run_store *of;
    TWX_VEC(twx_elsewhere) used; /* in order of number */
    size_t at;
    twx_arena bytes; /* of the row that was returned last */
} twx_foreign;

void twx_foreign_init(const twx_run_stores *all, const twx_doc_set *j, const twx_run_store *of,
                      twx_foreign *ret_foreign);
void twx_foreign_done(twx_foreign *f);
twx_remote_rows twx_foreign_rows(twx_foreign *f);
/* Whether the rows are those of the published generation. */
TWX_CHECK twx_rc twx_foreign_is_published(twx_foreign *f, bool *ret_published);

/* publish_stores (publish.c): publishes a result to all stores of a run: prepares all,
 * withdraws representatives that changed meanwhile, and commits one store after the other.
 * [R1] If a store cannot be prepared, nothing is published anywhere.
 * [R2] After a run that was killed between two commits, some stores have its result and the others
 * that of the run before; the number of the run over all stores tells (store/remotes.c), and the
 * next run publishes to all. */

typedef struct twx_publish_plan {
    uint32_t min_documents; /* of a site, to be counted for the guard against losses */
    uint64_t fingerprint;   /* for twx_state_judged() */
    const char *settings;   /* JSON for the ledgers */
    const char *summary;    /* JSON for the ledgers */
    twx_run_figures figures;
} twx_publish_plan;

TWX_CHECK twx_rc twx_publish_stores(twx_run_stores *all, twx_doc_set *j,
                                    const twx_publish_plan *plan);

/* sign_batch.c: the part of signing that runs in workers: computes the facts and keys of each
 * row of a batch. If the batch is a range of keys, the worker first reads its rows, on a connection
 * of its own; the statement ends before the rows are signed, so that no read transaction lasts
 * long. */

typedef struct twx_signer_shared {
    const twx_job *job;
    const twx_opened *opened; /* workers only read its mapping */
    const twx_sign_plan *plan;
    twx_memo *memo; /* texts that were signed before; shared by all workers */
} twx_signer_shared;

/* The work kind for twx_workers; items are twx_batch. shared is borrowed. */
twx_work_kind twx_signer_kind(twx_signer_shared *shared);

/* unchanged (flag_changes.c): whether judging would find what is published: no signature has
 * changed since the published flags were judged, and the settings are the same.
 * [R1] Everything that the result depends on is part of the fingerprint, is a stored signature, or
 * makes the answer "not known". A file of pins does, because the run reports which of its lines
 * have no effect.
 * [R3] A run that does not judge prints the counts and warnings that judging would print.
 * Errors those of reading the store; TWX_E_NOMEM. */

/* Of all settings that decide a result, of the program's version, and of the names of the stores
 * if there are several. */
uint64_t twx_judged_fingerprint(const twx_run_stores *all);
/* Whether the results that the stores have published are those of one run over all of them. */
bool twx_is_one_result(const twx_run_stores *all);
/* Whether the published flags are those of the stored signatures with these settings. If so, the
 * counts of that result are copied from the ledger to ret_summary. */
TWX_CHECK twx_rc twx_is_judged(const twx_run_stores *all, const twx_judge_plan *plan,
                               uint64_t fingerprint, bool *ret_judged, twx_summary *ret_summary);
/* After judging has found the published flags again: records that they are those of these
 * settings. [R2] Records nothing if the ledger has other counts than this run (near.candidates
 * changes the pairs compared, but perhaps no flag), because a run that does not judge prints those
 * of the ledger; nor if signatures have changed since twx_state_begin_judging(). */
TWX_CHECK twx_rc twx_keep_judged(const twx_run_stores *all, uint64_t fingerprint,
                                 const twx_summary *summary);

#endif
