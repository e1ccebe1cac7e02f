/* run/run.h: the job: settings, lock, workers; sign, judge, publish, in the order of a run. */
#ifndef TWX_RUN_RUN_H
#define TWX_RUN_RUN_H

#include <jansson.h>
#include <pthread.h>

#include "judge/judge.h"
#include "page/page.h"
#include "store/store.h"

/* ---- What every job has: settings, the lock, open stores ----------------- */
/* settings.c: the settings and their values. One table (settings.tsv) defines the name,
 * default, accepted values and help sentence of every setting: the configuration file, the
 * environment (TWINDEX_FUZZY_SCOPE), the command line (--set NAME=VALUE), --compat, the manual
 * pages and `twindex_setting_at()` all use it.
 * Memory: embedded struct; strings are owned by it. */

/* run.check, in the order of its words. AUTO: a run decides (run/run.c); other commands check. */
typedef enum twx_when_checked {
    TWX_CHECKED_AUTO,
    TWX_CHECKED_ALWAYS,
    TWX_CHECKED_NEVER
} twx_when_checked;

/* near.text */
typedef enum twx_signed_text { TWX_SIGNED_ALL, TWX_SIGNED_MAIN } twx_signed_text;

typedef struct twx_settings {
    /* [store] */
    char *store_from;             /* NULL: detect */
    char *store_where;            /* NULL: all rows */
    char *store_map[TWX_COLUMNS]; /* SQL expression of each column, NULL: not mapped */
    bool store_allow_view;
    bool store_joined_view;
    bool store_allow_rowid;
    bool store_accept_mapping;
    char *store_feed; /* "auto", "trigger", "column", "scan" */
    char *flags_file; /* --flags FILE; NULL: in the store */
    /* [search.ranking.uniqueheuristic] */
    bool prefer_https;
    twx_www prefer_www;
    /* [url] */
    unsigned url_steps;   /* url.steps: list of step names */
    char *url_rules_file; /* url.rules */
    /* [page_class] */
    char *pages_left_out;      /* a list of classes */
    char *pages_patterns_file; /* page_class.patterns */
    /* detectors */
    twx_relation_scope exact_scope, fuzzy_scope, title_scope, description_scope;
    char *near_detector; /* a name of sign/detectors.c, or "none" */
    twx_relation_scope near_scope;
    uint32_t near_min_words;
    twx_signed_text near_text;
    twx_join near_join;
    /* near.candidates: representatives that a document is compared with, per key */
    uint32_t near_candidates;
    twx_proofs copy_proof;
    uint32_t copy_margin_ppm, copy_common_ppm, copy_site_ppm;
    char *copy_ignore;         /* words, separated by blanks; NULL: none */
    bool edition_find;         /* edition.find */
    uint32_t edition_ppm;      /* edition.threshold */
    char *sentence_end;        /* PCRE2 pattern; NULL: the default */
    twx_method_values methods; /* the settings of methods, each in the file of its method */
    char *hosts;               /* sections [host NAME], as url/url_host.c reads them; NULL: none */
    /* [import] */
    bool import_links;
    char *import_triggers;      /* refuse, skip, run: the owner's, on documents */
    char *import_types;         /* what is a document: page/document_types.c */
    uint64_t import_page_bytes; /* longest page, unpacked */
    /* [index] */
    char *index_language; /* of documents without one; NULL: none */
    /* [verdict] */
    char *verdict_relations; /* names, separated by blanks */
    char *verdict_order;     /* list of criteria (judge/order.c) */
    char *verdict_pins;      /* a file (judge/pins.c); NULL: none */
    char *parameters_model;  /* a file (judge/parameters.c); NULL: none */
    uint32_t parameters_ppm; /* parameters.threshold */
    uint32_t canonical_collapse_min;
    /* [mirrors] */
    uint32_t mirrors_ratio_ppm;     /* mirrors.ratio, 0..1 */
    uint32_t mirrors_min_documents; /* hosts with fewer are not compared */
    /* [guard] */
    uint32_t guard_max_hidden_ppm; /* guard.max_hidden, 0..1 */
    uint32_t guard_max_lost_ppm;   /* guard.max_lost, 0..1 */
    uint32_t guard_max_turned_ppm; /* guard.max_turned, 0..1 */
    uint32_t guard_min_documents;  /* hosts with fewer are not guarded */
    uint64_t guard_max_group;
    /* [cluster]: how a cluster is reached, not what it finds */
    char *cluster_urls; /* of all nodes, separated by blanks; NULL: none */
    char *cluster_name, *cluster_database;
    uint32_t cluster_shard;      /* number of the store; 0: none */
    char *cluster_ledger;        /* path; NULL: none */
    char *cluster_user;          /* NULL: default */
    char *cluster_password_file; /* NULL: no password */
    char *cluster_ca_file;       /* NULL: those of the system */
    uint32_t cluster_ranges;     /* parts in which keys are grouped */
    uint32_t cluster_timeout;    /* seconds a statement may take */
    /* [run] */
    uint32_t run_jobs;          /* 0: one per core */
    uint64_t run_memory;        /* bytes; takes K, M, G; 0: twx_job_memory() decides */
    uint64_t run_sqlite_memory; /* bytes for SQLite in the whole process; 0: no limit */
    twx_when_checked run_check; /* quick_check of the file before a run */
    uint32_t run_batch_rows;    /* rows per write transaction */
    uint32_t run_pause_ms;      /* between write transactions */
    uint32_t run_busy_ms;       /* how long to wait for a lock of another connection */
    uint64_t run_row_bytes;     /* longest row that is read */
    bool run_notify_all;        /* -v: name each bad document */
    /* [follow] */
    uint32_t follow_every; /* seconds from the beginning of a run to that of the next one */
} twx_settings;

/* Every setting at its default. */
TWX_CHECK twx_rc twx_settings_init(twx_ctx *cx, twx_settings *s);
void twx_settings_done(twx_settings *s);
/* A copy that owns its strings. */
TWX_CHECK twx_rc twx_settings_copy(twx_ctx *cx, const twx_settings *from, twx_settings *ret_copy);
/* Appends the value of a setting as twx_settings_set() takes it; nothing for `compat`, which has
 * none. Errors TWX_E_CONFIG: there is no such setting. */
TWX_CHECK twx_rc twx_settings_get(twx_ctx *cx, const twx_settings *s, const char *name,
                                  twx_buf *out);
/* The order of documents that the settings describe. */
TWX_CHECK twx_rc twx_preference_of(twx_ctx *cx, const twx_settings *s, twx_preference *ret);
/* Accepts a name of the table in any case. "" unsets
 * settings that are free text: expressions, files, lists.
 * Errors TWX_E_CONFIG, naming the setting, the value and what is accepted; s is unchanged. */
TWX_CHECK twx_rc twx_settings_set(twx_ctx *cx, twx_settings *s, const char *name,
                                  const char *value);

enum { TWX_CONFIG_MAX = 1 << 20 }; /* bytes of a configuration file */

/* [R1] "[section]" and "key = value" lines set section.key, in the order of the file; above the
 * first section keys are full names.
 * [R2] '#' or ';' begins a comment line, and " ;" a comment at the end of a line. An indented line
 * continues the previous value; one that names a setting of the section is refused, because it was
 * probably meant as a setting.
 * [R3] A relative path in a setting is relative to the directory of the configuration file.
 * Errors TWX_E_CONFIG with "file:line: ...", TWX_E_IO; s is then partly set.
 * The file is one that the user named (base/trusted_file.c). */
TWX_CHECK twx_rc twx_settings_load(twx_ctx *cx, twx_settings *s, const char *path);
/* The same for a file that no option names: none is no error, and it has to be trusted. */
TWX_CHECK twx_rc twx_settings_load_found(twx_ctx *cx, twx_settings *s, const char *path);
/* The same for the text of the file; path is for messages and [R3]. */
TWX_CHECK twx_rc twx_settings_parse(twx_ctx *cx, twx_settings *s, const char *path, twx_slice text);
/* The table; NULL after the last row. `compat` is the first row: when several settings are applied
 * together (environment), it comes first, so that the others override it. */
const twindex_setting *twx_settings_at(size_t i);
/* By name, in any case; NULL: there is none. */
const twindex_setting *twx_settings_find(const char *name);

/* settings_table.c: the table of settings, private to run/ and to the settings_*.c of wings:
 * the name, accepted values, help and storage of each, from settings.tsv and those of the wings.
 * The settings of a method are defined in the method's own file (sign/detectors.c) and are part of
 * the table. */

typedef enum twx_setting_kind {
    TWX_KIND_COMPAT,      /* no field: sets other settings */
    TWX_KIND_TEXT,        /* char *, NULL when empty */
    TWX_KIND_FILE,        /* the same; relative to the configuration file that contains it */
    TWX_KIND_WORD,        /* char *, one of the values */
    TWX_KIND_LIST,        /* char *, words that `check` accepts */
    TWX_KIND_STEPS,       /* unsigned, bits of twx_url_step */
    TWX_KIND_CHOICE,      /* an enum whose values count from 0 in the order of the words */
    TWX_KIND_SWITCH,      /* bool */
    TWX_KIND_SWITCH32,    /* uint32_t, 0 or 1 */
    TWX_KIND_SWITCH_AUTO, /* an enum: 0 no, 1 yes, 2 auto */
    TWX_KIND_COUNT32,     /* uint32_t */
    TWX_KIND_COUNT,       /* uint64_t */
    TWX_KIND_SHARE,       /* uint32_t, millionths */
    TWX_KIND_SIZE         /* uint64_t, bytes */
} twx_setting_kind;

typedef struct twx_setting_row {
    twindex_setting shown;
    twx_setting_kind kind;
    size_t field;                                    /* offset in twx_settings */
    twx_rc (*check)(twx_ctx *cx, const char *value); /* TWX_KIND_LIST */
} twx_setting_row;

/* A part of the table: the rows "settings" of settings.rows and of the wings. */
typedef struct twx_setting_rows {
    const twx_setting_row *at;
    size_t n;
} twx_setting_rows;

#define TWX_SETTINGS_DECLARE(name) extern const twx_setting_rows TWX_SETTINGS_##name;
TWX_SETTINGS_ROWS(TWX_SETTINGS_DECLARE)

/* false: after the last row. *ret_shown, NULL allowed: the public part, static. */
bool twx_setting_row_at(size_t i, twx_setting_row *ret_row, const twindex_setting **ret_shown);
/* Finds a row by its name, in any case. */
bool twx_setting_row_find(const char *name, twx_setting_row *ret_row);

/* host_settings (settings.c): the setting `hosts`: settings of single hosts (url/url_host.c).
 * [R1] A section may set near.text, verdict.order and the thresholds of methods that are shares. */

/* The thresholds of a method by section, ret[0] that of the store. false: all are that of the
 * store. detector: NULL: none. */
bool twx_host_thresholds(const twx_settings *s, const twx_detector *detector,
                         uint32_t ret[TWX_HOST_SECTIONS_MAX + 1]);

/* Sets the thresholds that count between two documents, by their URLs. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_host_pair_params(twx_ctx *cx, const twx_settings *s, twx_slice url,
                                      twx_slice other, twx_params *params);
/* Appends the section that applies to a host, if any: "[host .example.org] near.text=main". */
TWX_CHECK twx_rc twx_host_section_show(twx_ctx *cx, const twx_settings *s, twx_slice host,
                                       twx_buf *out);

/* job.c: the context of every job of the library: one store, its settings, and the caller's
 * callbacks. Jobs over several stores have a list of them.
 * Memory: everything is borrowed from the caller (api/). */

typedef struct twx_job {
    twx_ctx *cx;
    const twx_settings *settings;
    const char *store;         /* path; of several stores the first */
    const char *const *stores; /* n_stores of them; 0: only `store` */
    size_t n_stores;
    const char *config; /* the configuration file; NULL: none */
    twindex_progress_fn *progress;
    void *progress_arg;
    twindex_message_fn *message;
    void *message_arg;
    /* what runs one after the other keep of judging (judge/judge.h); NULL: nothing */
    twx_kept *kept;
} twx_job;

void twx_job_progress(const twx_job *job, const char *stage, const char *unit, uint64_t done,
                      uint64_t total);
/* In one line: control characters become '?'. */
void twx_job_message(const twx_job *job, twindex_level level, const char *fmt, ...)
    TWX_PRINTF(3, 4);
/* What the stores are called in messages and results: "a.db", "a.db and 2 more stores". Owned by
 * the caller; NULL: out of memory. */
char *twx_job_title(const twx_job *job);
/* The first: seconds of a monotonic clock. The second: seconds since 1970, for the ledger. */
double twx_job_clock(void);
int64_t twx_job_now(void);
/* run.jobs, or one per processor. */
size_t twx_job_threads(const twx_settings *settings);
/* run.memory in bytes, or an eighth of what the machine or its control group has, 256M to 4G. */
size_t twx_job_memory(const twx_settings *settings);

/* lock.c: a lock that allows one run at a time: flock(2) on a file next to the store, which the
 * kernel releases when its holder ends. The database file itself is never opened here, because
 * closing it would drop SQLite's POSIX locks.
 * [R1] A lock file created by another user does not get in the way: its owner becomes that of the
 * store, read permission suffices to lock it, and the owner of the store replaces one that cannot
 * be read.
 * [R2] A lock file that is a link, hard or symbolic, is refused and its target is not changed. [R3]
 * A store that is opened through a symbolic link uses the lock of its target.
 * [R4] The lock file records when the store was last checked. The record is removed while the lock
 * is held, so a holder that is killed leaves none, and a record that cannot be removed (the lock
 * file is read-only) does not count. It is valid for one file (inode) and until the next boot;
 * where the boot is not known, there is none. A file of a user who is neither the runner, nor root,
 * nor the owner of the store has none.
 * [R5] Looking whether the lock is held never makes a run fail: it uses a shared lock, and a run
 * that meets one tries again.
 * Memory: owned handle. */

typedef struct twx_lock twx_lock;

/* Locks PATH-twindex-lock. While runs of 'twindex follow' have the lock, which release it after
 * each, waits up to run.busy_ms; 'follow' itself does not wait. Errors TWX_E_BUSY, naming its
 * holder and since when; TWX_E_CREATE; TWX_E_INTERRUPTED, TWX_E_TERMINATED. */
TWX_CHECK twx_rc twx_lock_take(const twx_job *job, const char *path, twx_lock **ret_lock);
/* Checks whether the lock could be taken now. Creates no file. Errors as above. */
TWX_CHECK twx_rc twx_lock_try(twx_ctx *cx, const char *path);
/* What the lock file says. Creates no file. Errors TWX_E_CREATE: it cannot be used. */
enum { TWX_HOLDER_BYTES = 128, TWX_STOPPED_BYTES = 1000 };
typedef struct twx_lock_state {
    bool exists, held;
    char holder[TWX_HOLDER_BYTES]; /* "process 7 since ...", if it is held */
    int64_t checked_at; /* when the file was last checked [R4], in seconds since 1970; 0: unknown */
    int64_t unchanged_at; /* when the last run began if it changed nothing; 0: it did, or unknown */
    int64_t stopped_at;   /* the same if a guard stopped it */
    char stopped[TWX_STOPPED_BYTES]; /* and why */
} twx_lock_state;
TWX_CHECK twx_rc twx_lock_look(twx_ctx *cx, const char *path, twx_lock_state *ret_state);
/* rc: how the work on the store ended. After a result that can be the consequence of a damaged file
 * nothing is recorded, so that the next run checks. A lock file made for failed work is removed. */
void twx_lock_release(twx_lock *held, twx_rc rc);
/* Releases the lock and removes the file. */
void twx_lock_remove(twx_lock *held);

/* open_store.c: opens and hardens the connections of a job in the right order.
 * Memory: embedded struct, all handles owned; twx_opened_done() closes what is open. */

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
    twx_db *changes; /* reader or writer, by which the change queue is used; NULL: there is none */
    bool trial;      /* a dry run: the writer is a scratch file, the store is only read */
    char *scratch;   /* its path, in a folder of its own; owned; both are removed at the end */
    /* in a trial: the file with the published result, read-only; NULL: nothing is published */
    twx_db *published_db;
    twx_generations *published;
} twx_opened;

typedef enum twx_need {
    TWX_NEED_SOURCE = 1,  /* mapping and source view */
    TWX_NEED_RESULTS = 2, /* Twindex's tables; TWX_E_DATA "no run yet" if there are none */
    TWX_NEED_TABLES = 4,  /* the same, created if missing */
    TWX_NEED_TRIAL = 8,   /* the same in a scratch file, initialized from the store */
    TWX_NEED_LOOK = 16,   /* Twindex's tables if there are any */
    /* with TWX_NEED_TABLES: the file that is written is checked first (run/open_store.c) */
    TWX_NEED_SOUND = 32
} twx_need;

/* Creates a store with our own schema (init). */
TWX_CHECK twx_rc twx_init_store(const twx_job *job);
/* needs: bits of twx_need. twx_own_path() is the path of the file with Twindex's tables. */
TWX_CHECK twx_rc twx_open_store(const twx_job *job, unsigned needs, twx_opened *ret_opened);
void twx_opened_done(twx_opened *o);
/* The mapping that the settings define. m: zeroed by the caller, twx_mapping_done() at the end. */
TWX_CHECK twx_rc twx_mapping_of(const twx_job *job, twx_mapping *m);
const char *twx_own_path(const twx_job *job);
/* Makes an error about a stored signature name this file and say what to do. Returns rc. */
twx_rc twx_name_damaged(twx_ctx *cx, const twx_job *job, twx_rc rc);
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

/* obstacles (open_store.c): finds what would make a run fail although the command is correct:
 * permissions, space, the lock, names, ids. For `check`; a run itself fails on each of them.
 * [R1] Nothing is changed; no file is created or written. */

/* Called for each obstacle; the text describes it and what to do. */
typedef twx_rc twx_obstacle_fn(void *arg, const char *text);

/* Obstacles in the file and its directory; needs no open store. */
TWX_CHECK twx_rc twx_file_obstacles(const twx_job *job, twx_obstacle_fn *fn, void *arg);
/* Obstacles in the contents of the store, opened with its source; reads ids of documents. */
TWX_CHECK twx_rc twx_store_obstacles(const twx_job *job, twx_opened *o, twx_obstacle_fn *fn,
                                     void *arg);

/* Errors TWX_E_DATA: the file has a foreign object with the name of one of Twindex's
 * (store/schema.c); TWX_E_CORRUPT: the state of this file has no published generation, but views
 * of one exist. db: the file that receives the flags. */
TWX_CHECK twx_rc twx_check_names(const twx_job *job, twx_db *db, const twx_state *state);

/* store_set.c: the stores of a job, opened together, so that their published results are read
 * as those of one collection. One store is a set of one.
 * [R1] Several stores must hold the results of one run over all of them.
 * [R2] The order of the stores is that of their names in that run, whatever the order in which the
 * stores were given.
 * Memory: embedded struct, which must not move; twx_store_set_done(). */

typedef struct twx_set_store {
    twx_job job; /* of this store */
    twx_opened o;
    twx_state state;
    twx_store_place place;
    twx_slice shard; /* its name; absent: the set has no other store */
} twx_set_store;

/* A document, whichever store refers to it. */
typedef struct twx_set_document {
    int64_t doc;    /* its number in the store; outside: its number in flags */
    uint32_t store; /* TWX_SET_OUTSIDE: its store is not in the set, or it is gone */
} twx_set_document;
#define TWX_SET_OUTSIDE UINT32_MAX

typedef struct twx_store_set {
    const twx_job *job;
    twx_set_store *at;
    size_t n;
    twx_arena names;
    twx_map64 known; /* representatives in other stores -> index into `resolved` */
    TWX_VEC(twx_set_document) resolved;
} twx_store_set;

/* needs: as of twx_open_store(); TWX_NEED_RESULTS is added.
 * Errors TWX_E_DATA: a store has no result, or their results are of different runs */
TWX_CHECK twx_rc twx_store_set_open(const twx_job *job, unsigned needs, twx_store_set *ret_set);
void twx_store_set_done(twx_store_set *s);
/* Reads the state, which must have a published generation. Errors TWX_E_DATA. */
TWX_CHECK twx_rc twx_published_state(const twx_job *job, twx_opened *o, twx_state *ret_state);
/* From here on all reads of Twindex's tables see one state of each store. */
TWX_CHECK twx_rc twx_store_set_pin(twx_store_set *s);
/* twx_result_kept() for each store. */
TWX_CHECK twx_rc twx_store_set_kept(const twx_store_set *s);

/* Whether each store has a complete result besides the published one. */
bool twx_store_set_has_earlier(const twx_store_set *s);

/* Calls fn for each store that is not in the set and has representatives of documents of a store in
 * it: the set is a part of the collection. TWX_DONE from fn ends the calls. */
typedef twx_rc twx_missing_fn(void *arg, uint32_t store, twx_slice shard, int64_t documents);
TWX_CHECK twx_rc twx_store_set_missing(const twx_store_set *s, twx_missing_fn *fn, void *arg);

/* Warns if there is one: figures leave out its documents. */
TWX_CHECK twx_rc twx_store_set_warn(const twx_store_set *s);

/* twx_signatures_each() of a store of the set; an error about a row names the store. */
TWX_CHECK twx_rc twx_set_signatures_each(const twx_set_store *m, twx_stored_fn *fn, void *arg);
/* The store with this name; TWX_SET_OUTSIDE: none. An absent name is that of `own`. */
uint32_t twx_store_set_find(const twx_store_set *s, twx_slice shard, uint32_t own);
/* The document that a number in the flags of a store stands for. */
TWX_CHECK twx_rc twx_store_set_resolve(twx_store_set *s, uint32_t store, int64_t doc,
                                       twx_set_document *ret_document);
/* For maps; equal for equal documents. In a set of one it is the number. */
uint64_t twx_store_set_key(const twx_store_set *s, twx_set_document document);
/* A document that a line of text names. */
typedef struct twx_mention {
    twx_arena *arena; /* for the bytes of the id; NULL: it is not wanted */
    twx_value id;
    size_t from, url, to; /* where it is: "ID URL", its URL, the end; url == to: it has none */
} twx_mention;

/* Appends "ID URL" for a document that flags of a store refer to, and " in STORE" if it lies in
 * another one. mention: as of twx_add_document(). */
TWX_CHECK twx_rc twx_store_set_add_document(twx_store_set *s, uint32_t store, int64_t doc,
                                            twx_buf *line, twx_mention *mention);

/* A statement for display (store/stmt.c), whose rows come from all stores, merged. */
typedef struct twx_set_query {
    twx_display_query display;
    bool named; /* one more value is bound: the name of the store; NULL in a set of one */
    /* The order of the rows of each store: columns from 1, negative: descending; 0 ends. Rows that
     * are equal by them come in order of the stores. */
    const int *order;
} twx_set_query;

typedef twx_rc twx_set_row_fn(void *arg, uint32_t store, const twx_value *columns);
TWX_CHECK twx_rc twx_store_set_display(twx_store_set *s, const twx_set_query *query,
                                       twx_set_row_fn *fn, void *arg);

/* ---- What is read -------------------------------------------------------- */
/* input.c: the bytes of a file or standard input, decompressed if they are gzip or zstd
 * (also with several members or frames).
 * [R1] The format is recognized by the first bytes, not by the name. [R2] A truncated or broken
 * compressed stream gives what could be decompressed, then TWX_E_DATA. [R3] Memory does not grow
 * with the file; it is a window of TWX_INPUT_WINDOW bytes.
 * [R4] The cancel switch of its context ends a wait for a pipe within 50 ms.
 * [R5] WARC.zst: a dictionary at the beginning is used (IIPC, Zstandard Compression for WARC Files
 * 1.0).
 * Memory: owned handle. */

enum {
    TWX_INPUT_WINDOW = 1 << 18,
    TWX_INPUT_LIST_BYTES = 1 << 30 /* limit for a list of labels or rules */
};

typedef struct twx_input twx_input;

/* path "-": standard input. Errors TWX_E_NOSTORE (cannot be opened), with the path. */
TWX_CHECK twx_rc twx_input_open(twx_ctx *cx, const char *path, twx_input **ret_input);
/* The same for a list written by the user: a regular file (TWX_E_NOSTORE otherwise) of at most
 * `most` decompressed bytes; a line beyond them gives TWX_E_DATA. The cancel switch ends a line. */
TWX_CHECK twx_rc twx_input_open_list(twx_ctx *cx, const char *path, uint64_t most,
                                     twx_input **ret_input);
/* The same for bytes in memory, for tests and fuzzing; bytes are borrowed. */
TWX_CHECK twx_rc twx_input_of_bytes(twx_ctx *cx, const char *name, twx_slice bytes,
                                    twx_input **ret_input);
/* A source of bytes that are neither in a file nor in memory; *ret_n 0: the end. */
typedef struct twx_input_source {
    twx_rc (*read)(void *arg, void *to, size_t room, size_t *ret_n);
    void *arg;
} twx_input_source;
TWX_CHECK twx_rc twx_input_of_source(twx_ctx *cx, const char *name, const twx_input_source *source,
                                     twx_input **ret_input);
/* fn is called before each read that would block. */
void twx_input_on_wait(twx_input *in, twx_rc (*fn)(void *arg), void *arg);
/* Reading beyond this number of decompressed bytes gives TWX_E_CORRUPT; what: the end of the
 * message, "more than ..."; borrowed. */
void twx_input_bound(twx_input *in, uint64_t bytes, const char *what);
void twx_input_close(twx_input *in);
const char *twx_input_name(const twx_input *in); /* path, or "standard input" */
/* The number of decompressed bytes taken so far, which is the offset of the next one. */
uint64_t twx_input_offset(const twx_input *in);
/* Bytes of the file read so far and its size (0: unknown), for progress. */
void twx_input_progress(const twx_input *in, uint64_t *ret_done, uint64_t *ret_total);
/* Shows `want` (<= TWX_INPUT_WINDOW / 2) bytes, borrowed, not taken; fewer only at the end. */
TWX_CHECK twx_rc twx_input_peek(twx_input *in, size_t want, twx_slice *ret_bytes);
/* Shows the bytes in the window without reading more; at least what a peek has shown. */
TWX_CHECK twx_rc twx_input_window(twx_input *in, twx_slice *ret_bytes);
/* Shows the first line that is not blank and whatever was read with it, at most `most` bytes.
 * Blocks only until that line is complete. */
TWX_CHECK twx_rc twx_input_peek_line(twx_input *in, size_t most, twx_slice *ret_bytes);
/* Takes a line without its LF or CRLF. TWX_DONE: the end. A line longer than line's max is skipped:
 * TWX_E_LIMIT without a message; the next call continues after it. */
TWX_CHECK twx_rc twx_input_line(twx_input *in, twx_buf *line);
/* Takes n bytes into `to` (NULL: discards them). TWX_DONE: the input ended before n bytes;
 * *ret_taken is the number taken. */
TWX_CHECK twx_rc twx_input_take(twx_input *in, uint64_t n, twx_buf *to, uint64_t *ret_taken);

/* document_reader (job.c): the one way in which jobs read the documents of a store, which other
 * programs may change at any time.
 * [R1] A row longer than the row limit is named in a warning and left out; all others are read.
 * [R2] Each row is given once, in order of scan_key; a row that was listed and then deleted is
 * skipped, or reported to gone().
 * [R3] No statement of the reader is open while prepare() runs, so it may write to the store, also
 * with a rollback journal. */

enum { TWX_READER_ROWS = 500 /* complete rows read by one statement */ };

/* Sets *ret_wanted, which is true before the call, for a row that take() shall have. */
typedef twx_rc twx_document_reader_select_fn(void *arg, const twx_source_row *row,
                                             bool *ret_wanted);
/* Sets *ret_wait if prepare() must run before the next row. The row is borrowed for the call. */
typedef twx_rc twx_document_reader_take_fn(void *arg, const twx_source_row *row, bool *ret_wait);

/* A reading of the source. An error of any function ends it.
 * Memory: filled by the caller, everything borrowed. */
typedef struct twx_document_reader {
    const twx_job *job;
    twx_source *source;
    const char *stage;    /* name for progress */
    const char *too_long; /* what the warning says about a document that is too long [R1] */
    /* the columns of the rows that are scanned: if select() is given, those that it needs, and
     * take() gets the rows that it wants complete */
    twx_source_want want;
    twx_document_reader_select_fn *select; /* NULL: all rows are wanted */
    twx_document_reader_take_fn *take;
    twx_rc (*prepare)(void *arg); /* before each statement; may be NULL */
    twx_rc (*gone)(void *arg,
                   const twx_value *scan_key); /* of twx_document_reader_fetch(); may be NULL */
    void *arg;
    uint64_t total; /* of twx_document_reader_fetch(), for progress; 0: not known */
    /* set by the reader: rows read; rows that were too long; a function of the caller failed */
    uint64_t read, left_out;
    bool refused;
} twx_document_reader;

/* Reads all documents. */
TWX_CHECK twx_rc twx_document_reader_scan(twx_document_reader *r);
/* Reads the n documents with these keys completely, whatever select() would say. */
TWX_CHECK twx_rc twx_document_reader_fetch(twx_document_reader *r, const twx_value *scan_keys,
                                           size_t n);

/* The same in short, for jobs that examine every document once: all columns, nothing to prepare. */
typedef twx_rc twx_scan_documents_fn(void *arg, const twx_source_row *row);
TWX_CHECK twx_rc twx_scan_documents(const twx_job *job, twx_opened *o, const char *stage,
                                    twx_scan_documents_fn *fn, void *arg);

/* The bytes of a text or blob; absent for anything else. */
twx_slice twx_bytes_of(const twx_value *v);
/* What detectors see of a row; columns that were not read are absent. url: in normal form; all
 * borrowed */
twx_document twx_document_of(const twx_value *columns, const twx_url *url);
/* The number of the document with this id. TWX_DONE: it has none, because no run has seen it. */
TWX_CHECK twx_rc twx_document_number(const twx_opened *o, const twx_value *id, int64_t *ret_doc);

/* content_sample (open_store.c): samples the contents of the mapped columns: fill rates, and
 * warnings about a mapping that is valid but unlikely to be intended ("text looks like HTML",
 * "status is never 200"). Memory: embedded struct, nothing to free. */

enum { TWX_LOOK_ROWS = 200 };

typedef struct twx_content_sample {
    uint64_t rows, filled[TWX_COLUMNS]; /* filled: neither NULL nor empty */
    uint64_t text[TWX_CONTENTS], hex_digits;
    uint64_t url_absolute, status_ok;
} twx_content_sample;

/* Reads the first TWX_LOOK_ROWS rows; a row that is too long ends the sample. */
TWX_CHECK twx_rc twx_content_sample_read(twx_opened *o, twx_content_sample *ret_sample);
/* Calls fn for each warning. */
typedef twx_rc twx_content_warning_fn(void *arg, const char *warning);
TWX_CHECK twx_rc twx_content_warnings(const twx_content_sample *sample, const twx_mapping *m,
                                      twx_content_warning_fn *fn, void *arg);

/* lookup.c: finds the document that the user names, reads it completely, and computes its
 * signatures. */

/* A document as it is read. Memory: embedded struct. What was found by twx_lookup_find() owns its
 * bytes; otherwise they are those of the row, and there is nothing to free. */
typedef struct twx_lookup {
    twx_arena bytes;
    twx_value scan_key, id;
    twx_slice url;
    twx_document texts; /* without its URL */
} twx_lookup;

/* columns: of a row that was read completely; borrowed */
twx_lookup twx_lookup_of(const twx_value *columns);
/* Finds a document by id or URL as typed, else the one whose URL is nearly that (run/lookup.c).
 * Of several documents with one URL the first is used, and a note is written.
 * Errors TWX_E_NOTFOUND, naming the argument; those of reading */
TWX_CHECK twx_rc twx_lookup_find(const twx_job *job, twx_opened *o, const char *url_or_id,
                                 twx_lookup *ret_lookup);
void twx_lookup_done(twx_lookup *p);
/* Signs with signing->detectors; ret_record as in twx_sign_document(); resets the workspace. */
TWX_CHECK twx_rc twx_lookup_sign(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                                 const twx_lookup *p, twx_buf *ret_record);

enum { TWX_LOOKUP_RECORD_MAX = 64 << 20 }; /* longest record in bytes */

/* near_url (lookup.c): the stored URL that a person means who did not type it exactly: without the
 * scheme, with or without www., with another case, a slash or a fragment. If there is none, the
 * nearest URL, for a message.
 * [R1] A URL that differs less counts: in its normal form not at all, then by scheme and www., then
 * by a slash at the end, then by case. Of equal ones the first read counts.
 * [R2] Reads the URL of every document once.
 * Memory: embedded struct; twx_near_url_done(). */

typedef struct twx_near_url {
    twx_slice url;   /* as stored; absent: none is near */
    uint64_t others; /* URLs that are as near, besides this one */
    /* private */
    twx_ctx *cx;
    unsigned nearness; /* twx_url_nearness */
    twx_arena bytes, typed_bytes, scratch;
    twx_slice normal, bare;
    size_t in_common; /* bytes, of an OTHER_URL */
} twx_near_url;

/* typed: borrowed for the call. TWX_DONE: it does not look like a URL. */
TWX_CHECK twx_rc twx_near_url_init(twx_ctx *cx, twx_slice typed, twx_near_url *ret_near);
void twx_near_url_done(twx_near_url *n);
/* Looks in one more store. */
TWX_CHECK twx_rc twx_near_url_search(twx_near_url *n, twx_source *source);
/* After the searches: the URL that is meant; a note says so. TWX_DONE: none is. */
TWX_CHECK twx_rc twx_near_url_take(const twx_near_url *n, const twx_job *job, const char *typed,
                                   twx_slice *ret_url);
/* No document has the URL: TWX_E_NOTFOUND with the nearest one, if one is near. */
twx_rc twx_near_url_fail(const twx_near_url *n, const twx_job *job, const char *typed);

/* document_label (lookup.c): the names of documents for display: id, URL and title. */

/* In place of the URL of a document that cannot be read, which must not end a list of others. */
#define TWX_LABEL_GONE     "(not in the store)"
#define TWX_LABEL_TOO_LONG "(its row is longer than run.row_bytes)"

/* rc: of reading a document. If it is gone (TWX_DONE) or its row is too long (TWX_E_LIMIT), appends
 * the text above to url, and clears the error; otherwise returns rc. */
TWX_CHECK twx_rc twx_label_unreadable(twx_ctx *cx, twx_rc rc, twx_buf *url);
/* The URL of a document of the source, or a text above. Appends to url. */
TWX_CHECK twx_rc twx_url_of(twx_opened *o, const twx_value *id, twx_buf *url);
/* Appends "ID URL", or "ID URL in STORE" for a representative in another store; "(gone)" if there
 * is no such document. mention: gets where; NULL: not wanted. Its id is copied into its arena. */
TWX_CHECK twx_rc twx_add_document(twx_opened *o, int64_t doc, twx_buf *line, twx_mention *mention);
/* The source's id of a document number; its bytes are borrowed until the next call. TWX_DONE:
 * none, or it is a document of another store. */
TWX_CHECK twx_rc twx_id_of(twx_opened *o, int64_t doc, twx_value *ret_id);

/* ---- What is written for people and programs ----------------------------- */
/* out.c: writes data to the caller's sink, as text or JSON. The first failed write is
 * recorded and ends the output. Every result of a command has a file of its own, with the struct
 * that its job fills in and one function that writes it in the sink's format.
 * Memory: embedded struct; the sink is borrowed. */

typedef struct twx_out {
    twx_ctx *cx;
    const twindex_sink *sink;
    twindex_link_fn *link; /* NULL: links are not marked */
    void *link_arg;
} twx_out;

bool twx_out_is_json(const twx_out *out);
bool twx_out_is_csv(const twx_out *out);
TWX_CHECK twx_rc twx_out_text(const twx_out *out, const char *fmt, ...) TWX_PRINTF(2, 3);
TWX_CHECK twx_rc twx_out_bytes(const twx_out *out, twx_slice bytes);
/* Text of the store, such as a URL or an id, as a part of a line: characters that would end it
 * become '?'. What else a terminal must not get is replaced where the terminal is written. */
TWX_CHECK twx_rc twx_out_line(const twx_out *out, twx_slice text);
/* The URL of a document; on a terminal a link, if it is of http or https. most: as of
 * twx_out_excerpt(), or 0: all of it, as of twx_out_line(). */
TWX_CHECK twx_rc twx_out_url(const twx_out *out, twx_slice url, size_t most);
bool twx_is_web_url(twx_slice url);
/* Begins a link of the sink, if it has links; n == 0: ends it. */
TWX_CHECK twx_rc twx_out_link(const twx_out *out, twx_slice url);
/* As an SQL literal (base/slice.c), in one line. */
TWX_CHECK twx_rc twx_out_value(const twx_out *out, const twx_value *v);
/* Crawled text as a part of a line: its beginning, or its end (excerpt). */
TWX_CHECK twx_rc twx_out_excerpt(const twx_out *out, twx_slice text, size_t most);
TWX_CHECK twx_rc twx_out_excerpt_end(const twx_out *out, twx_slice text, size_t most);
/* Writes a JSON value, of which it takes ownership (NULL: out of memory), and a line feed. */
TWX_CHECK twx_rc twx_out_json(const twx_out *out, json_t *value);

/* rows (out.c): rows of a result, whose fields are described (base.h), as JSON, as a table of text
 * and as CSV. Memory: borrowed. */

typedef struct twx_rows {
    const twx_field *fields;
    size_t n_fields;
    const void *at;
    size_t n, bytes; /* bytes: of a row */
} twx_rows;

#define TWX_ROWS(fields, vec) TWX_ROWS_AT(fields, (vec).at, (vec).n)
#define TWX_ROWS_AT(fields, at, n) \
    (&(const twx_rows){fields, TWX_COUNTOF(fields), at, n, sizeof *(at)})

/* The text of a cell; a number is written into room. */
enum { TWX_CELL_BYTES = 96 };
twx_slice twx_field_text(const twx_field *f, const void *row, char room[TWX_CELL_BYTES]);
/* Set the members of the first row, or make an object of it, or a list of all rows: new references,
 * NULL without memory; `to` is returned. */
json_t *twx_row_put(json_t *to, const twx_rows *rows);
json_t *twx_row_json(const twx_rows *rows);
json_t *twx_rows_json(const twx_rows *rows);
/* A line for each row, with heads after one of headings. Numbers and their headings are
 * right-aligned; a text is left-aligned, after two blanks; on a terminal it is cut to fit. */
TWX_CHECK twx_rc twx_rows_write(const twx_out *out, const twx_rows *rows, bool heads);
/* CSV (RFC 4180) for spreadsheets: UTF-8 with a byte order mark, and CRLF.
 * [R1] Texts are quoted and one line, without control characters; those of CHARS are plain.
 * [R2] A text whose first character after blanks is = + - @ or the full-width form of one of them
 * would be taken for a formula: it begins with an apostrophe. [R3] Numbers are plain. */
TWX_CHECK twx_rc twx_rows_csv(const twx_out *out, const twx_rows *rows, bool heads);

/* count_rows (out.c): the counts of a result, by their names in JSON and their words in text. */

typedef struct twx_count_row {
    const char *name;       /* in JSON; NULL: not there */
    const char *one, *many; /* after the number, in text; many NULL: one is for any number */
    uint64_t n;
    uint64_t bytes;         /* in text, with has_bytes: "(1.5 MB)" */
    bool has_bytes, always; /* always: in text also if it is 0 */
} twx_count_row;

/* Sets a member for each. */
void twx_count_rows_put(json_t *to, const twx_count_row *rows, size_t n);
/* Writes a line for each that has words. */
TWX_CHECK twx_rc twx_count_rows_write(const twx_out *out, const twx_count_row *rows, size_t n);

/* Counts with names of their own, from `from` on, without those that are 0, with a prefix. */
TWX_CHECK twx_rc twx_counts_write(const twx_out *out, const uint64_t *counts, size_t from, size_t n,
                                  const char *prefix, const char *(*name)(size_t));

/* A result that is nothing else: "STORE: what", the lines, and the seconds. */
TWX_CHECK twx_rc twx_count_result_write(const twx_out *out, const char *store, const char *what,
                                        const twx_count_row *rows, size_t n, double seconds);

/* json_values (out.c): the values of which JSON output is made. Each function returns a new
 * reference, or NULL without memory. */

json_t *twx_json_count(uint64_t n);
/* Rounded to six decimal places, the most that a sample can justify. */
json_t *twx_json_share(double share);
/* A string of any bytes; invalid UTF-8 is replaced. NULL slice: null. */
json_t *twx_json_slice(twx_slice s);
json_t *twx_json_text(const char *text); /* NULL: null */
/* Blobs and infinite numbers: as text (twx_value_print). */
json_t *twx_json_value(const twx_value *v);

/* Checks that no allocation has failed while values were made; jansson leaves out a member then.
 * Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_json_made(twx_ctx *cx);
/* Appends a value, of which it takes ownership; checks as twx_json_made(). Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_json_append(twx_ctx *cx, json_t *list, json_t *value);

/* ---- Signing ------------------------------------------------------------- */
/* detector_params (sign_store.c): the parameters of the detectors, from the settings. */

/* Also loads the file of url.rules: params borrow the rules (NULL: none), and the caller closes
 * them after the last use of params.
 * Errors TWX_E_CONFIG, naming file and line of an invalid rule. */
TWX_CHECK twx_rc twx_params_make(const twx_job *job, twx_params *ret_params,
                                 twx_url_rules **ret_rules);
/* The patterns of pages without content: those of page_class.patterns, then our own
 * (share/patterns/pages.tsv). Errors TWX_E_CONFIG */
TWX_CHECK twx_rc twx_pages_load(const twx_job *job, twx_page_patterns **ret_patterns);
/* Sets the number of documents that a run judges, which decides by which keys candidates are found;
 * before the first run it stays 0. */
TWX_CHECK twx_rc twx_params_count_documents(twx_opened *o, twx_params *params);

/* sign_store.c: what signing computes for each document: the detectors of the run, their
 * parameters, and how changes are noticed. A record made under another plan is stale. */

/* Memory: embedded struct; rules, pages and collection owned. */
typedef struct twx_sign_plan {
    twx_params params;
    struct twx_url_rules *rules;
    twx_page_patterns *pages;  /* NULL: without a store */
    twx_collection collection; /* filled if the near detector is global; params point to it */
    const twx_detector *detectors[TWX_RELATIONS]; /* NULL: the relation is not used */
    /* signs the names of documents, for the relation copy; NULL: not used */
    const twx_detector *name;
    const twx_detector *signing[TWX_RELATIONS + 1]; /* all of the above in order of id */
    size_t n_signing;
    twx_feed feed;
    bool queued;          /* the change queue should have every change (run/open_store.c) */
    bool full;            /* sign every document again */
    bool look;            /* with full: write nothing, only list what differs */
    uint64_t fingerprint; /* of all of the above and the mapping */
    twx_memo *memo;       /* texts that were signed ahead; NULL: none. Owned */
} twx_sign_plan;

/* With a global near detector this reads the whole store for its statistics. */
TWX_CHECK twx_rc twx_sign_plan_make(const twx_job *job, twx_opened *o, bool full,
                                    twx_sign_plan *ret_plan);
/* The detectors and their parameters alone, without a store and its statistics. ret_plan: zeroed by
 * the caller, who releases it also after an error. */
TWX_CHECK twx_rc twx_sign_plan_of_settings(const twx_job *job, twx_sign_plan *ret_plan);
void twx_sign_plan_done(twx_sign_plan *plan);

/* collect (sign_store.c): the pass over the store for global detectors, which reads every
 * document once, with progress. */

/* needs: bits of twx_detector_need; 0 gives an empty collection without reading. Documents without
 * a usable URL or without text are left out. Memory: bounded by run.memory. The caller assigns the
 * result to params->collection and calls twx_collection_done(). Errors TWX_E_LIMIT: the setting. */
TWX_CHECK twx_rc twx_collect(const twx_job *job, twx_opened *o, const twx_params *params,
                             unsigned needs, twx_collection *ret_collection);

/* row_facts (sign_batch.c): converts a row of the source to the facts that judging needs
 * (judge/facts.c). Pure except for allocation. */

/* Invalid values in a row, counted in the summary. */
typedef enum twx_oddity {
    TWX_ODD_URL = 1,
    TWX_ODD_UTF8 = 2,
    TWX_ODD_STATUS = 4,
    TWX_ODD_DATE = 8
} twx_oddity;

/* ret_url: the normal form, or in its fault why it is not usable; in scratch, like facts->host. */
TWX_CHECK twx_rc twx_facts_of(twx_ctx *cx, twx_arena *scratch, const twx_url_options *options,
                              const twx_value *columns, twx_url *ret_url, twx_facts *ret_facts,
                              unsigned *ret_oddities);

/* workers (sign_batch.c): a bounded work queue between one thread that reads and writes and N
 * threads that compute.
 * Memory: owned handle; items belong to the caller. [R1] The first error of a worker stops the
 * queue and is returned to the caller. */

typedef struct twx_workers twx_workers;

/* The work on an item. Each worker has its own state, which open() creates; without open() and
 * close() it is arg. */
typedef struct twx_work_kind {
    twx_rc (*open)(twx_ctx *cx, void *arg, void **ret_state);
    twx_rc (*work)(twx_ctx *cx, void *state, void *item);
    void (*close)(void *state);
    void *arg;
    bool inline_if_one; /* with one thread, work is done in twx_workers_give(), by the caller */
    bool in_order; /* of one worker: its error is returned after the items that were done before */
} twx_work_kind;

/* items: the largest number in the queue at once. */
TWX_CHECK twx_rc twx_workers_open(twx_ctx *cx, size_t threads, size_t items,
                                  const twx_work_kind *kind, twx_workers **ret_workers);
/* Stops the threads; items still in the queue are dropped (they belong to the caller). */
void twx_workers_close(twx_workers *w);
TWX_CHECK twx_rc twx_workers_give(twx_workers *w, void *item);
/* Returns a finished item; with `wait`, waits for one if work is under way. NULL: none. */
TWX_CHECK twx_rc twx_workers_take(twx_workers *w, bool wait, void **ret_item);
/* Gives *item back, unless it is NULL, and takes the next one. */
TWX_CHECK twx_rc twx_workers_next(twx_workers *w, void **item);

/* sign_summary (summary.c): what signing a store has read and written, for sign and run. */

typedef struct twx_sign_counts {
    uint64_t read, signed_now, written, deleted, text_bytes;
    /* documents that were not signed, or not as they are */
    uint64_t bad_urls, bad_ids, bad_utf8, odd_values, too_long;
    bool whole; /* all rows were read, not those of a queue alone */
} twx_sign_counts;

typedef struct twx_sign_summary {
    const char *store;
    uint64_t documents; /* with signatures */
    twx_sign_counts counts;
    double seconds;
} twx_sign_summary;

TWX_CHECK twx_rc twx_sign_summary_write(const twx_out *out, const twx_sign_summary *s);

/* sign.c: updates twindex_signature from the source: new and changed documents are signed on
 * all cores, signatures of deleted ones are removed. [R1] The resulting table does not depend on
 * the feed, the number of threads, the batch sizes or previous runs. [R2] Work is committed
 * incrementally: after a killed run the next one continues where it stopped. */

/* sign_store (sign_store.c): the command sign: the first half of a run, which brings the stored
 * signatures up to date and publishes nothing. */

/* full: signs every document again. Errors as of a run. */
TWX_CHECK twx_rc twx_sign_store(const twx_job *job, bool full, twx_sign_summary *ret_summary);

/* silent_changes (sign_store.c): documents that differ from what is signed although the change
 * queue does not have them. The queue has what its triggers see: no other table and no clock
 * that an expression of the mapping reads, no writer whose triggers are off or dropped, and no
 * row that INSERT OR REPLACE deletes because of an index of the owner's. Concerns stores of
 * which sign_plan.queued is true and whose signatures are those of the plan, in no others. */

enum { TWX_SILENT_BYTES = 600 };

typedef struct twx_silent_changes {
    uint64_t n;
    char first[TWX_SILENT_BYTES]; /* "3 https://a/, 7 https://b/, ..." */
} twx_silent_changes;

/* Reads and signs every document, and compares the records; writes nothing. */
TWX_CHECK twx_rc twx_silent_changes_find(const twx_job *job, twx_opened *o,
                                         const twx_sign_plan *plan, twx_silent_changes *ret);

/* ---- Judging ------------------------------------------------------------- */
/* pins_file (settings_file.c): reads the file of the setting verdict.pins (judge/pins.c), and
 * reports its lines that concern no document. */

/* Reads it, and the file of parameters.model (judge/parameters.c) unless ret_parameters is NULL.
 * NULL is returned for settings that are empty. Errors TWX_E_CONFIG naming file and line; TWX_E_IO.
 */
TWX_CHECK twx_rc twx_files_load(const twx_job *job, twx_pins **ret_pins,
                                twx_parameters **ret_parameters);
/* "keep https://... (pins.txt:3)" for each line that names the URL. Errors: those of fn. */
typedef twx_rc twx_pin_line_fn(void *arg, const char *text);
TWX_CHECK twx_rc twx_pins_each_of(twx_ctx *cx, const twx_pins *pins, uint64_t url_key,
                                  twx_slice url, twx_pin_line_fn *fn, void *arg);

/* judge_plan (settings_file.c): the settings of judging. */

enum { TWX_COPY_IGNORED_MAX = 256 };

/* Memory: embedded struct, which borrows the sign plan; do not copy; twx_judge_plan_done(). */
typedef struct twx_judge_plan {
    twx_judge_options options;
    twx_guard guard;
    twx_params lowest, named;                       /* options.params and named point to them */
    uint32_t thresholds[TWX_HOST_SECTIONS_MAX + 1]; /* options.thresholds */
    uint32_t ignored[TWX_COPY_IGNORED_MAX];
    size_t n_ignored;
    twx_pins *pins;             /* owned; NULL: none */
    twx_parameters *parameters; /* the same */
} twx_judge_plan;

TWX_CHECK twx_rc twx_judge_plan_make(const twx_job *job, const twx_sign_plan *sign,
                                     twx_judge_plan *ret_plan);
/* Warns if a relation of the verdict joins nothing for want of a file. */
void twx_judge_plan_warn(const twx_job *job, const twx_judge_plan *plan);
void twx_judge_plan_done(twx_judge_plan *plan);

/* load (judge_input.c): reads every signed document of some stores into a document set: a merge by
 * id, so that the order does not depend on which store a document is in. */

typedef struct twx_load_store {
    const twx_job *job;
    twx_opened *o;
} twx_load_store;

/* stores[0..n), in order of their names, have the numbers 0 to n - 1 in the document set.
 * ret_set: initialised by the caller; filled here, but not judged yet. ret_failed: after an
 * error the number of the store that it concerns; n: none.
 * Errors TWX_E_BUSY (documents were signed meanwhile), TWX_E_CORRUPT; TWX_E_DATA: an id is in the
 * range of numbers that documents of other stores have (store/remotes.c) */
TWX_CHECK twx_rc twx_load(twx_ctx *cx, const twx_load_store *stores, size_t n,
                          const twx_judge_plan *plan, size_t *ret_failed, twx_doc_set *ret_set);

/* judged_texts (judge_input.c): reads the texts of documents while they are judged (judge/proof.c),
 * by several threads at the same time.
 * [R1] A text is read as it was signed: when other programs have written to the store since then,
 * its digest is compared, and a document whose text differs, or that is gone, is reported as such.
 * Memory: embedded struct; twx_judged_texts_done(). */

typedef struct twx_judged_texts {
    twx_text_source source; /* for twx_judge_options.texts */
    const twx_load_store *stores;
    size_t n;
    const twx_doc_set *j;
    const twx_params *params;
    /* by store: its data version when its rows are known to be those that were signed; NULL: not
     * known, every digest is compared */
    const int64_t *versions;
    struct twx_text_reader *readers; /* that of the run last */
    bool opened;                     /* the others */
    pthread_mutex_t lock;            /* of readers */
    pthread_cond_t free;             /* one of them */
} twx_judged_texts;

/* stores[0..n): by number in the document set. All are borrowed. Errors TWX_E_NOMEM, TWX_E_CONFIG
 */
TWX_CHECK twx_rc twx_judged_texts_init(const twx_load_store *stores, size_t n, const twx_doc_set *j,
                                       const twx_params *params, const int64_t *versions,
                                       twx_judged_texts *ret_texts);
/* Ends transactions of reading, which pin the WAL: when no text will be read for a while. */
void twx_judged_texts_rest(twx_judged_texts *t);
void twx_judged_texts_done(twx_judged_texts *t);

/* ---- What differs, and publishing it ------------------------------------- */
/* flag_changes.c: the differences between a result and a generation of what is stored, one at a
 * time, in order of doc: of flags, and of the documents of other stores that flags refer to
 * (store/remotes.c). The result is a judged document set, or rows from elsewhere. The function
 * that a difference is passed to may write to the generation: earlier rows are not read again. */

/* The rows of a result, in order of doc. Memory: the caller owns what arg points to. */
typedef struct twx_flag_rows {
    void *arg;
    /* The next row is the first again. */
    twx_rc (*rewind)(void *arg);
    /* TWX_DONE after the last one, also when called again. ret_index: of the document in its set,
     * if there is one */
    twx_rc (*next)(void *arg, twx_flag_row *ret_row, uint32_t *ret_index);
    /* The row of a document after the rows that were returned since rewind; the next row is the one
     * after it. TWX_DONE: it has none. NULL: rows can only be read one after the other. */
    twx_rc (*find)(void *arg, int64_t doc, twx_flag_row *ret_row);
} twx_flag_rows;

/* What differs: the row that is stored, and that of the result; NULL: the document is new, or gone.
 * Memory: rows are borrowed for the call. */
typedef struct twx_flag_change {
    const twx_flag_row *stored, *fresh;
    uint32_t index; /* of fresh; TWX_NO_DOCUMENT if fresh is NULL */
} twx_flag_change;
typedef twx_rc twx_flag_change_fn(void *arg, const twx_flag_change *change);

/* What is stored. With more than one thread, another one reads it, or with `published` the rows of
 * the result, ahead: then neither these nor fn may use the connection of g. */
typedef struct twx_flag_base {
    twx_generations *g;
    char generation; /* 0: nothing is stored, and g may be NULL */
    size_t threads;
    /* NULL, or hashes of what is stored: then only rows that differ are read. Gets those of the
     * result, with the run 0. */
    twx_published *published;
} twx_flag_base;

/* Calls fn for each difference, until it fails. counts: gets those of the large groups of the
 * result; NULL: not wanted.
 * Errors: those of a stop, of reading, and of fn */
TWX_CHECK twx_rc twx_flag_changes(twx_ctx *cx, const twx_flag_rows *rows, const twx_flag_base *base,
                                  twx_group_counts *counts, twx_flag_change_fn *fn, void *arg);

/* The documents of other stores that a result refers to, each once; as twx_flag_rows, but a row is
 * valid until the next call. */
typedef struct twx_remote_rows {
    void *arg;
    twx_rc (*rewind)(void *arg);
    twx_rc (*next)(void *arg, twx_remote *ret_row);
} twx_remote_rows;

/* The documents of one store in a judged document set, in order of doc. Memory: by_doc owned. */
typedef struct twx_judged {
    const twx_doc_set *j;
    const twx_judge_options *options;
    size_t n;         /* its documents */
    uint32_t *by_doc; /* their indexes in order of doc; NULL: these are 0, 1, ... */
    size_t at;        /* of the next row */
} twx_judged;

static inline uint32_t twx_judged_index(const twx_judged *judged, size_t at) {
    return judged->by_doc ? judged->by_doc[at] : (uint32_t)at;
}

/* change_list (out.c): documents that a result newly hides, shows, or assigns to another
 * representative, by URL, with the reason; for dry runs and diff. */

typedef enum twx_change_kind {
    /* was shown, or is new; is now hidden by a representative, or no longer takes part */
    TWX_NEWLY_HIDDEN,
    TWX_NEWLY_SHOWN,
    TWX_MOVED, /* is hidden by another representative than before */
    TWX_GONE,  /* was shown; is no longer in the store */
    TWX_CHANGE_KINDS
} twx_change_kind;

const char *twx_change_kind_text(twx_change_kind kind); /* "newly hidden" */
const char *twx_change_kind_key(twx_change_kind kind);  /* "hidden", as in JSON */

/* Memory: strings are owned by the list. */
typedef struct twx_listed_change {
    const char *change;     /* twx_change_kind_key() */
    char *id, *url, *title; /* title: its beginning; "": none */
    char *before, *after;   /* URL of the representative; NULL: none */
    char *why;
} twx_listed_change;

typedef struct twx_change_list {
    size_t limit; /* number of rows of each kind; 0: all */
    uint64_t documents[TWX_CHANGE_KINDS];
    TWX_VEC(twx_listed_change) rows[TWX_CHANGE_KINDS];
} twx_change_list;

void twx_change_list_done(twx_change_list *list);
json_t *twx_change_list_json(const twx_change_list *list); /* new reference, NULL: out of memory */
TWX_CHECK twx_rc twx_change_list_write(const twx_out *out, const twx_change_list *list);
/* A line for each row. */
TWX_CHECK twx_rc twx_change_list_csv(const twx_out *out, const twx_change_list *list);
/* "12 documents newly hidden, 3 newly shown" */
TWX_CHECK twx_rc twx_change_list_sentence(const twx_out *out, const twx_change_list *list);

/* list_changes.c: lists the documents that one result shows and another does not, by URL and
 * with the reason (run/out.c). Without flags, a document that takes part counts as shown. */

typedef struct twx_change_notes {
    twx_ctx *cx;
    uint32_t relations; /* relations of the verdict: 1 << relation */
    size_t limit;       /* of each kind; 0: all */
    uint16_t store;     /* whose documents are noted now */
    uint64_t documents[TWX_CHANGE_KINDS];
    TWX_VEC(struct twx_noted_change) noted[TWX_CHANGE_KINDS];
} twx_change_notes;

/* was NULL: the document is new; is NULL: it is gone. */
TWX_CHECK twx_rc twx_change_note(twx_change_notes *notes, const twx_flag_row *was,
                                 const twx_flag_row *is);
void twx_change_notes_done(twx_change_notes *notes);
/* Appends "same by copy": which of the relations join a hidden document and its representative. */
TWX_CHECK twx_rc twx_why_hidden(twx_ctx *cx, const twx_flag_row *row, uint32_t relations,
                                twx_buf *why);
/* Where documents of a store are looked up. */
typedef struct twx_listing_store {
    twx_opened *o;     /* with source and signatures */
    twx_db *published; /* has the published flags; NULL: there are none */
    twx_slice shard;   /* name of the store among others */
} twx_listing_store;
typedef struct twx_listing {
    const twx_listing_store *stores; /* by number in the document set */
    const twx_doc_set *j; /* of these stores, whose `elsewhere` is numbered; NULL: none */
    const twx_pins *pins; /* NULL: none */
} twx_listing;
/* Looks up URLs and reasons. */
TWX_CHECK twx_rc twx_change_notes_list(const twx_change_notes *notes, const twx_listing *where,
                                       twx_change_list *ret_list);

/* ledger (flag_changes.c): the settings that flags depend on, for the ledger of runs: those that
 * are not at their defaults, by name, as twx_settings_set() takes them; the file of pins with its
 * fingerprint; and, as "signatures", what these are made with: it also changes with the contents of
 * other files and with the mapping. New reference; NULL: out of memory. */
json_t *twx_ledger_settings(const twx_settings *settings, const twx_judge_options *options,
                            uint64_t signatures);

/* publish.c: publishes a result in two steps: prepare updates the inactive generation, commit
 * makes it visible to readers. Between the two the caller checks whether the result is still valid,
 * and amends it (docs/internals.md). The result is a judged document set (twx_judged_rows()) or
 * rows from elsewhere; a set of several stores has a publisher for each, all of which are prepared
 * before the first one commits. Rows that refer to documents of other stores have a number from
 * twx_remote_number() there, and `remotes` says which documents these are (store/remotes.c).
 * [R1] Until commit succeeds, readers see the whole old result. [R2] A publisher that is closed
 * without a commit is recorded in the ledger as stopped, with the message of the context. */

/* Memory: borrowed until the publisher is closed. */
typedef struct twx_publishing {
    const twx_flag_rows *rows;
    uint64_t documents;             /* about as many rows; for the check of space, and progress */
    const twx_remote_rows *remotes; /* documents of other stores that the rows refer to */
    int64_t collection_run;         /* as in twx_publication */
    twx_slice shard;
    char base; /* the published generation, 0: none */
    /* Documents whose rows differ from those of the published generation, ascending, the counts of
     * large groups, and the run that published it; NULL: not known */
    const twx_docs *differ;
    const twx_group_counts *counts;
    int64_t base_run;
    /* Documents whose rows the generations do not share, ascending; NULL: they are looked for */
    const twx_docs *unshared;
    const twx_site_count *sites; /* counts of the result, n_sites of them */
    size_t n_sites;
    const char *settings; /* JSON for the ledger, as is the next one */
    const char *summary;
    const twx_run_figures *figures; /* NULL: none */
} twx_publishing;

typedef struct twx_publisher twx_publisher;

TWX_CHECK twx_rc twx_publisher_open(const twx_job *job, twx_opened *o,
                                    const twx_publishing *publishing,
                                    twx_publisher **ret_publisher);
/* Claims the right to write, writes the flags, reads them back and compares them with the result.
 * Errors TWX_E_SUPERSEDED: another run has claimed it since. */
TWX_CHECK twx_rc twx_publisher_prepare(twx_publisher *p);
/* Instead of commit: keeps what was prepared for a later process (store/shards.c). prepared: its
 * claim is set here. One transaction. Errors TWX_E_SUPERSEDED */
TWX_CHECK twx_rc twx_publisher_keep(twx_publisher *p, twx_prepared *prepared);
void twx_publisher_close(twx_publisher *p);

/* ---- The run ------------------------------------------------------------- */
/* summary.c: the summary of a run, as text and as JSON (which is also stored in the ledger),
 * and the counts of its result in bytes, which the ledger keeps for the next run. */

enum {
    TWX_STAGES_MAX = 8,
    TWX_HOSTS_SHOWN = 20,
    TWX_COLLAPSED_BYTES = 1 << 16,
    TWX_COUNTS_BYTES = 1 << 17
};

/* Changes of the flags of one host. */
typedef struct twx_host_flag_changes {
    char *host; /* owned by the summary */
    uint64_t documents, hidden, changed_flags;
} twx_host_flag_changes;

/* Documents of one host that the filter of a rules file would leave out. */
typedef struct twx_host_filtered {
    char *host;                              /* owned by the summary */
    uint64_t documents, hidden, hidden_part; /* hidden_part: of those that take part */
} twx_host_filtered;

/* Groups of a relation, or of the verdict. */
typedef struct twx_relation_figures {
    twx_slice name;
    int64_t groups, copies, largest;
} twx_relation_figures;

const char *twx_flag_name(size_t i); /* i < TWX_FLAGS */
/* An empty line, a table of the first hosts, and how many more there are; hint: where they are.
 * Errors of both: those of the output. */
TWX_CHECK twx_rc twx_hosts_write(const twx_out *out, twx_rows rows, size_t most, const char *hint);
TWX_CHECK twx_rc twx_relation_figures_write(const twx_out *out, const twx_relation_figures *at,
                                            size_t n);

/* One of several stores. */
typedef struct twx_summary_store {
    char *store;    /* owned by the summary, and so is the next */
    char *left_out; /* why it was left out; NULL: it was not */
    uint64_t documents, changed, hidden, read, signed_now, deleted;
} twx_summary_store;

/* Memory: embedded struct; twx_summary_done(). */
typedef struct twx_summary {
    const char *store, *outcome;       /* store: what the run is called in the output */
    char *title;                       /* owned; the same */
    TWX_VEC(twx_summary_store) stores; /* those of a run over several; empty: one */
    uint64_t documents, indexable, hidden, linked;
    twx_sign_counts counts;
    uint64_t hidden_before; /* in a dry run: hidden by the published flags */
    uint64_t changed;       /* documents whose flags differ from the previously published ones */
    uint64_t changed_flags[TWX_FLAGS]; /* by flag: documents in which it changed */
    uint64_t eligibility[TWX_ELIGIBILITIES], link_state[TWX_LINK_STATES];
    struct {
        bool used;
        uint64_t groups, copies, largest;
    } relation[TWX_RELATIONS + 1]; /* the last one: the verdict */
    /* pairs of texts compared; texts left out because a key was full (near.candidates); items
     * (judge/near.c) that `follow` has decided, not taken over from its run before */
    uint64_t near_compared, near_capped, near_decided;
    struct {
        const char *name;
        double seconds;
    } stage[TWX_STAGES_MAX];
    size_t n_stages;
    /* in a dry run: hosts with changed flags, most changes first */
    TWX_VEC(twx_host_flag_changes) hosts;
    const char *rules; /* of a dry run; NULL: none */
    uint64_t filtered, filtered_part;
    TWX_VEC(twx_host_filtered) filtered_hosts; /* hosts with hidden documents, most first */
    bool dry_run, listed;                      /* listed: `changes` is filled */
    twx_change_list changes;
    /* hosts whose links are ignored (canonical.collapse_min), one per line; more than
     * TWX_COLLAPSED_BYTES are left out and not in JSON */
    twx_buf collapsed;
    bool collapsed_left_out;
    twx_buf guards;        /* findings, one per line */
    const char *pins_file; /* NULL: none */
    size_t n_pins, n_idle_pins;
    twx_buf idle_pins; /* pins that concern no document, one per line */
} twx_summary;

void twx_summary_init(twx_summary *s);
void twx_summary_done(twx_summary *s);
bool twx_summary_has_left_out(const twx_summary *s);
TWX_CHECK twx_rc twx_summary_write(const twx_out *out, const twx_summary *s);

/* run.c: the job: lock, check, sign, load, judge, guard, publish. */

/* Finds, in a dry run, the documents that the filter of a rules file would hide
 * (search/ranking.c). */
typedef struct twx_rules_try {
    /* checks the file before the run begins */
    TWX_CHECK twx_rc (*check)(const twx_job *job, const char *path);
    /* o: opened with TWX_NEED_TRIAL; fills in the part of the summary about rules */
    TWX_CHECK twx_rc (*judge)(const twx_job *job, twx_opened *o, const twx_judged *judged,
                              const char *path, twx_summary *summary);
} twx_rules_try;

/* rules: tries options->rules. ret_summary: initialised by the caller; filled as far as the run
 * got. Errors TWX_E_GUARD (nothing was published), TWX_E_BUSY, TWX_E_SUPERSEDED, ... */
TWX_CHECK twx_rc twx_run(const twx_job *job, const twindex_run_options *options,
                         const twx_rules_try *rules, twx_summary *ret_summary);

/* follow.c: runs whenever the documents of a store have changed, until it is stopped.
 * [R1] Needs a change feed: a store whose changes only a scan finds is refused.
 * [R2] Holds no lock between two runs; other commands wait for a run to end. A run that finds the
 * store locked is repeated later.
 * [R3] After a guard has stopped a run, and after an undo, runs nothing until another run has
 * published.
 * [R4] Another file in the place of the store is followed from then on; if there is none for some
 * seconds, that is an error.
 * [R5] The ledger keeps one an hour of the runs that were published here, and the last ones. */

typedef struct twx_follow {
    int (*run)(void *arg); /* one run; returns a twindex_result */
    void *arg;
} twx_follow;

/* Errors TWX_E_CONFIG [R1], TWX_E_NOSTORE [R4]; ret_result: of a run that failed, whose message is
 * in the context of the job, else TWINDEX_OK. A request to stop is no error. */
TWX_CHECK twx_rc twx_follow_store(const twx_job *job, const twx_follow *how, int *ret_result);

/* Passes messages on, but each one only once: the same warning would follow each run.
 * Memory: embedded struct, nothing to free. */
enum { TWX_SAID_MAX = 64 };
typedef struct twx_said {
    twindex_message_fn *message;
    void *arg;
    uint64_t hashes[TWX_SAID_MAX];
    size_t n;
} twx_said;

/* A twindex_message_fn; arg is a twx_said. */
void twx_say_once(void *arg, twindex_level level, const char *text);

/* metrics (summary.c): the figures of a run in the text format of Prometheus, for the textfile
 * collector of node_exporter.
 * Source: prometheus.io, "Exposition formats", text format 0.0.4. */

typedef struct twx_run_metrics {
    const twx_summary *summary;
    const char *label; /* the name of the store; NULL: its path */
    /* the counts are those of the published flags; false: only exit code and times are written */
    bool complete;
    int exit_code;
    int64_t ended_at; /* seconds since 1970 */
    double seconds;
} twx_run_metrics;

TWX_CHECK twx_rc twx_metrics_write(const twx_out *out, const twx_run_metrics *m);

#endif
