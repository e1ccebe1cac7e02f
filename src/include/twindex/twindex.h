/* twindex.h: the public API of libtwindex. The program itself uses nothing else.
 *
 * A twindex handle holds settings, callbacks and the path of one store. A handle may be used by one
 * thread at a time; only twindex_stop() may be called from any thread or signal handler.
 *
 * Errors  Every int result is 0 (TWINDEX_OK) or another value of twindex_result; these are also the
 *         exit codes of the program. twindex_message() gives the reason, with the file, row,
 *         setting or URL concerned.
 * Output  Data goes to a twindex_sink in the requested format; the library prints nothing.
 * Memory String arguments are borrowed for the call; returned strings belong to the handle or are
 *         static, as noted.
 * Options A struct of options is zeroed by the caller before fields are set, as an initialiser
 *         does: `reserved` is the room for fields of later versions, in which 0 means what was
 *         done before, so programs need not be compiled again. NULL instead of a struct is allowed
 *         only where a function says so. */
#ifndef TWINDEX_H
#define TWINDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TWINDEX_API __attribute__((visibility("default")))
#else
#define TWINDEX_API
#endif

typedef enum twindex_result {
    TWINDEX_OK = 0,
    TWINDEX_DOUBT = 1, /* check, diff: the output needs attention */
    TWINDEX_GUARD = 3, /* a guard stopped the run before it published */
    TWINDEX_USAGE = 64,
    TWINDEX_BAD_DATA = 65, /* bad data or configuration, corrupt store */
    TWINDEX_NO_STORE = 66, /* no such store, no such document */
    TWINDEX_INTERNAL = 70,
    TWINDEX_NO_CREATE = 73,
    TWINDEX_IO = 74,
    TWINDEX_BUSY = 75, /* locked or busy: try later */
    TWINDEX_INTERRUPTED = 130,
    TWINDEX_TERMINATED = 143
} twindex_result;

typedef struct twindex twindex;

enum { TWINDEX_RESERVED = 8 };

TWINDEX_API const char *twindex_version(void);
TWINDEX_API twindex *twindex_new(void); /* NULL: out of memory */
TWINDEX_API void twindex_free(twindex *t);
/* A new handle with the same settings and store and no callbacks, for another thread; NULL: out of
 * memory */
TWINDEX_API twindex *twindex_copy(const twindex *t);
/* the error of the last failed call; "" if there was none */
TWINDEX_API const char *twindex_message(const twindex *t);

/* ---- settings ----------------------------------------------------------- */

typedef struct twindex_setting {
    const char *name; /* "fuzzy.quant_rate" */
    const char *default_value;
    /* accepted values: "0..1", "yes|no", "store|domain|host", "SQL expression" */
    const char *values;
    const char *help; /* one sentence */
} twindex_setting;

TWINDEX_API const twindex_setting *twindex_setting_at(size_t i); /* NULL after the last; static */
/* By its name, in any case; NULL: there is none */
TWINDEX_API const twindex_setting *twindex_setting_find(const char *name);
TWINDEX_API int twindex_set(twindex *t, const char *name, const char *value);
/* The value of a setting as twindex_set() takes it, valid until the next call on the handle; NULL:
 * there is no such setting (twindex_message()). */
TWINDEX_API const char *twindex_get(twindex *t, const char *name);
/* "section.key = value" lines of an INI file; unknown names are an error with file and line. */
TWINDEX_API int twindex_load_config(twindex *t, const char *path);
/* The same for a file that the user has not named, such as one beside the store: it need not exist,
 * and is an error if another user than root could have written it. */
TWINDEX_API int twindex_find_config(twindex *t, const char *path);

/* ---- callbacks ---------------------------------------------------------- */

typedef struct twindex_progress {
    const char *stage;    /* "read and sign", "write flags", ... */
    const char *unit;     /* "documents", "rows", "records" */
    uint64_t done, total; /* total 0: unknown */
} twindex_progress;
typedef void twindex_progress_fn(void *arg, const twindex_progress *progress);
TWINDEX_API void twindex_on_progress(twindex *t, twindex_progress_fn *fn, void *arg);

typedef enum twindex_level { TWINDEX_WARNING, TWINDEX_NOTE, TWINDEX_DETAIL } twindex_level;
typedef void twindex_message_fn(void *arg, twindex_level level, const char *text);
TWINDEX_API void twindex_on_message(twindex *t, twindex_message_fn *fn, void *arg);

/* Asks the running call to stop at its next safe point. Async-signal-safe. */
TWINDEX_API void twindex_stop(twindex *t, int signal_number);
/* The number given to twindex_stop(); 0: it was not called. Async-signal-safe. */
TWINDEX_API int twindex_stopped(const twindex *t);
/* For SIGTSTP (Ctrl-Z): calls `stop`, which stops the process, now or, if the running call keeps
 * others from writing to a store, when that ends: a stopped process would keep them from it until
 * it continues. Any thread may call `stop`. Async-signal-safe. */
TWINDEX_API void twindex_suspend(twindex *t, void (*stop)(void));

/* Receives bytes of output; returns 0, or any other value to end the call with TWINDEX_IO. */
typedef int twindex_write_fn(void *arg, const char *bytes, size_t n);
typedef enum twindex_format {
    TWINDEX_TEXT,
    TWINDEX_JSON,
    /* of twindex_diff(), twindex_groups() and dry runs with a list: what is hidden, what is kept,
     * and why, as of twindex_report_sheet(); elsewhere as TWINDEX_TEXT */
    TWINDEX_CSV
} twindex_format;
typedef struct twindex_sink {
    twindex_write_fn *write;
    void *arg;
    twindex_format format;
    /* width of the terminal, to which tables are fitted and at which long lines of lists are cut;
     * 0: not a terminal, or all is wanted */
    unsigned columns;
} twindex_sink;
/* What is written next, up to a call with n == 0, is a link to this http or https URL, whose bytes
 * are as a crawl found them. Of text only; returns as twindex_write_fn. fn NULL: not marked. */
typedef int twindex_link_fn(void *arg, const char *url, size_t n);
TWINDEX_API void twindex_on_link(twindex *t, twindex_link_fn *fn, void *arg);

/* ---- the store ---------------------------------------------------------- */

/* Creates a store with Twindex's own schema; the file must not exist, or must be an SQLite file
 * without a `documents` table. */
TWINDEX_API int twindex_init(twindex *t, const char *store);
/* Sets the store for the calls below; fails if the file does not exist. */
TWINDEX_API int twindex_open(twindex *t, const char *store);
/* Sets several stores, in any order. twindex_run() judges them as one collection; twindex_digest(),
 * _groups(), _explain(), _report(), _report_page(), _report_sheet(), _mirrors(), _diff(),
 * _search(), _check() and _doctor() then answer as for one store with all documents. Other calls
 * refuse more than one. The files are looked at by these calls. */
TWINDEX_API int twindex_open_several(twindex *t, const char *const *stores, size_t n);
/* Fills the store's documents from WARC, WARC.gz, WET and JSON Lines files; "-" is standard input.
 * Writes a summary. */
TWINDEX_API int twindex_import(twindex *t, const char *const *files, size_t n,
                               const twindex_sink *out);
/* Reports the mapping, the schema, the integrity of the file, what a run would do, and what would
 * prevent it. TWINDEX_DOUBT: the report has warnings. */
TWINDEX_API int twindex_check(twindex *t, const twindex_sink *out);
/* The same, and the state of the files, the lock and the versions, what killed programs have left,
 * and what would make runs faster. TWINDEX_DOUBT: there are problems. */
TWINDEX_API int twindex_doctor(twindex *t, const twindex_sink *out);
/* Writes a configuration for a store that another program fills: from presets of known programs,
 * else from the contents of its columns. Comments show three rows as they would be read, fill rates
 * and warnings. TWINDEX_DOUBT: there are warnings. */
TWINDEX_API int twindex_suggest(twindex *t, const twindex_sink *out);

/* ---- the job ------------------------------------------------------------ */

typedef struct twindex_run_options {
    bool full;    /* sign every document again */
    bool force;   /* publish even if a guard would stop the run */
    bool dry_run; /* report what would change, per flag and host; write nothing */
    /* with dry_run: name the documents that would be hidden, shown or moved, by URL */
    bool list;
    size_t limit; /* documents of each kind that are listed; 0: all */
    /* with dry_run: judge the stored signatures as they are, without looking for changed documents;
     * if the settings need other signatures, all documents are signed */
    bool stored;
    /* with dry_run: a file of ranking rules: report what its filter would hide; NULL: none */
    const char *rules;
    /* judge also if no document has changed, and fail if the flags differ from those published */
    bool verify;
    /* gets the figures of the run as text for Prometheus, also after a failure; NULL: none */
    const twindex_sink *metrics;
    /* of several stores: leave out those that cannot be locked, opened or read, with a warning;
     * without it nothing is published anywhere if there is one */
    bool skip_broken;
    /* the name of the store in the metrics; NULL: its path */
    const char *label;
    void *reserved[TWINDEX_RESERVED - 2];
} twindex_run_options;
/* Brings the signatures up to date, judges all documents, and publishes their flags. Several stores
 * (twindex_open_several()) are judged as one collection, and each gets the flags of its documents.
 * TWINDEX_DOUBT: a store was left out. */
TWINDEX_API int twindex_run(twindex *t, const twindex_run_options *options,
                            const twindex_sink *out);
/* Runs one twindex_run() or more; returns its result. */
typedef int twindex_follow_fn(void *arg);
/* Calls `run` at once and whenever documents have changed, at most once in follow.every seconds,
 * until twindex_stop(), which is no error: then it returns TWINDEX_OK. It waits when `run` finds
 * the store busy and after a guard has stopped it, and ends with any other result of `run`. While
 * it runs, a message of the library that was given before is not given again. */
TWINDEX_API int twindex_follow(twindex *t, twindex_follow_fn *run, void *arg);
/* Writes the differences between the current generation of flags and the other one: documents that
 * were hidden, shown or moved, by URL, and how many changed in each flag. limit: documents listed
 * of each kind; 0: all. TWINDEX_DOUBT: there are differences. */
TWINDEX_API int twindex_diff(twindex *t, size_t limit, const twindex_sink *out);
/* Publishes the other generation again, until the next run. */
TWINDEX_API int twindex_undo(twindex *t, const twindex_sink *out);
/* Takes everything of Twindex out of the store, in one transaction, and lists it; the table
 * documents of twindex_init() stays. A file that the setting store.flags names is removed.
 * dry_run: only lists it. */
TWINDEX_API int twindex_remove(twindex *t, bool dry_run, const twindex_sink *out);
/* Writes a checksum of all current flags, independent of row order, as 32 hex digits. That of
 * several stores is the sum of theirs. */
TWINDEX_API int twindex_digest(twindex *t, const twindex_sink *out);
/* Brings the stored signatures up to date and publishes nothing; full: signs every document again.
 * Writes a summary. */
TWINDEX_API int twindex_sign(twindex *t, bool full, const twindex_sink *out);
typedef struct twindex_verify_options {
    const char *format; /* "RowBinary", "TabSeparated" or "TSV" */
    bool numbered;      /* rows begin with a number, which the answer repeats */
    bool named;         /* rows end with a UInt8: the documents have equal names */
    void *reserved[TWINDEX_RESERVED];
} twindex_verify_options;
/* Reads pairs of payloads from standard input and writes the similarity of each pair by
 * near.detector, in millionths, -1 below the threshold. Needs no store. */
TWINDEX_API int twindex_verify(twindex *t, const twindex_verify_options *options,
                               const twindex_sink *out);

typedef enum twindex_cluster_action {
    TWINDEX_CLUSTER_INIT,    /* makes the tables on the servers */
    TWINDEX_CLUSTER_PUSH,    /* signs the store and sends what the servers have not */
    TWINDEX_CLUSTER_STATUS,  /* what the servers have of each store */
    TWINDEX_CLUSTER_DROP,    /* drops the tables */
    TWINDEX_CLUSTER_JUDGE,   /* finds duplicates among all stores; publishes nothing */
    TWINDEX_CLUSTER_MIRRORS, /* hosts that mirror another one, by the last result */
    /* prepares the flags that were judged of the store, and votes in the ledger */
    TWINDEX_CLUSTER_PULL,
    /* commits the run if all stores have voted; publishes what the open stores have prepared */
    TWINDEX_CLUSTER_PUBLISH,
    TWINDEX_CLUSTER_DIGEST /* the digest of the flags of all stores, from the votes */
} twindex_cluster_action;
typedef struct twindex_cluster_options {
    /* TWINDEX_CLUSTER_JUDGE: accept a result that a guard would stop. TWINDEX_CLUSTER_PUSH: replace
     * the store from which the shard was pushed before, if it is another one */
    bool force;
    /* TWINDEX_CLUSTER_JUDGE: run even if some stores have not published the committed result, which
     * they then cannot pull again */
    bool discard;
    void *reserved[TWINDEX_RESERVED];
} twindex_cluster_options;
/* A step with the ClickHouse servers, or the ledger, that the settings cluster.* name.
 * TWINDEX_CLUSTER_PUSH and _PULL need a store, TWINDEX_CLUSTER_PUBLISH can have several or none.
 * options NULL: all false. Writes a summary. */
TWINDEX_API int twindex_cluster(twindex *t, twindex_cluster_action action,
                                const twindex_cluster_options *options, const twindex_sink *out);

/* ---- inspection --------------------------------------------------------- */

/* Explains every flag of one document, named by URL or id: the rule, the representative, the
 * evidence. */
TWINDEX_API int twindex_explain(twindex *t, const char *url_or_id, const twindex_sink *out);
/* Lists groups of two or more documents, largest first. detector NULL: clusters of the verdict.
 * limit 0: all. */
TWINDEX_API int twindex_groups(twindex *t, const char *detector, size_t limit,
                               const twindex_sink *out);
enum { TWINDEX_COMPARE_LIMIT = 20, TWINDEX_SIMILAR_LIMIT = 10 };
typedef struct twindex_compare_options {
    /* also ask detectors that need the whole collection, which is then read */
    bool all;
    size_t limit; /* passages shown; 0: all */
    void *reserved[TWINDEX_RESERVED];
} twindex_compare_options;
/* Compares two documents, named by URL or id: the similarity of their texts, the result of each
 * detector, and the passages that differ. */
TWINDEX_API int twindex_compare(twindex *t, const char *a, const char *b,
                                const twindex_compare_options *options, const twindex_sink *out);
typedef struct twindex_similar_options {
    /* NULL: the near detector of the settings; alignment if there is none */
    const char *detector;
    size_t limit; /* documents listed; 0: all that have anything in common */
    void *reserved[TWINDEX_RESERVED];
} twindex_similar_options;
/* Lists the documents most similar to one, which is named by URL or id. */
TWINDEX_API int twindex_similar(twindex *t, const char *url_or_id,
                                const twindex_similar_options *options, const twindex_sink *out);
/* Reports documents and copies per host and per detector, and the ledger of runs. */
TWINDEX_API int twindex_report(twindex *t, const twindex_sink *out);
/* Writes the same and more as one self-contained HTML page, whatever the format of the sink:
 * largest groups with the differences of texts, mirrors, suspects, changes, plots. */
TWINDEX_API int twindex_report_page(twindex *t, const twindex_sink *out);
typedef enum twindex_sheet {
    TWINDEX_SHEET_GROUPS, /* the clusters of the verdict with all members */
    TWINDEX_SHEET_HOSTS,
    TWINDEX_SHEET_CHANGES, /* as of twindex_diff(); no rows if there is no earlier result */
    /* tables of the page, with all rows that it could list */
    TWINDEX_SHEET_FLOW, /* what becomes of the documents */
    TWINDEX_SHEET_LINKS,
    TWINDEX_SHEET_RELATIONS,
    TWINDEX_SHEET_SIZES,        /* of clusters */
    TWINDEX_SHEET_SIMILARITIES, /* of near-duplicates */
    TWINDEX_SHEET_MIRRORS,
    TWINDEX_SHEET_NO_PAGES,   /* the 20 hosts and classes with most of them */
    TWINDEX_SHEET_SAME_TITLE, /* the 20 titles with most documents */
    TWINDEX_SHEET_EDITIONS,
    TWINDEX_SHEET_RUNS, /* the last 60 */
    TWINDEX_SHEETS
} twindex_sheet;
/* Writes a table as CSV for spreadsheets: UTF-8 with a byte order mark, a line of headings, CRLF. A
 * text that a spreadsheet would take for a formula begins with an apostrophe. */
TWINDEX_API int twindex_report_sheet(twindex *t, twindex_sheet sheet, const twindex_sink *out);
/* "groups", "hosts", "changes", "flow", ...: the name of its file; NULL: there is no such table */
TWINDEX_API const char *twindex_sheet_name(twindex_sheet sheet);
/* Lists hosts that mirror another, from the groups of the last run; stored in twindex_host_mirror
 * if the store is writable. */
TWINDEX_API int twindex_mirrors(twindex *t, const twindex_sink *out);
/* Lists the detectors: name, id, version, source. */
TWINDEX_API int twindex_detectors(twindex *t, const twindex_sink *out);
typedef struct twindex_detector {
    const char *name, *summary, *source; /* static */
    bool near;                           /* can be the value of near.detector */
} twindex_detector;
/* false: after the last */
TWINDEX_API bool twindex_detector_at(size_t i, twindex_detector *ret_detector);

/* ---- ranking rules ------------------------------------------------------ */

/* Checks a rules file and writes an explanation or, with sql, the compiled statement. Needs no
 * store. */
TWINDEX_API int twindex_rules(twindex *t, const char *path, bool sql, const twindex_sink *out);
/* Creates or updates the text index of the store; drop: removes it. */
TWINDEX_API int twindex_index(twindex *t, bool drop, const twindex_sink *out);
enum { TWINDEX_SEARCH_LIMIT = 10 };
typedef struct twindex_search_options {
    const char *query;   /* in the language of docs/ranking.md; NULL: those of the file */
    const char *queries; /* a file with one query per line: figures over all of them */
    /* with queries: a file of relevance judgements, lines of query TAB URL TAB grade; NULL: none */
    const char *judgements;
    const char *rules;   /* a file of ranking rules; NULL: rank by text alone */
    const char *compare; /* another rules file to compare with; NULL: none */
    size_t limit;        /* hits shown; 0: all */
    bool fts5;           /* queries are expressions of FTS5 */
    void *reserved[TWINDEX_RESERVED];
} twindex_search_options;
/* Writes the hits of a query in the order of the rules, with the contribution of each rule; or how
 * a second rules file would change that order. */
TWINDEX_API int twindex_search(twindex *t, const twindex_search_options *options,
                               const twindex_sink *out);

/* ---- for workbenches: JSON, whatever the format of the sink -------------- */

/* Ranking rules that are not in a file. */
typedef struct twindex_rules_text {
    const char *name; /* for messages */
    const char *text;
    size_t n; /* bytes of text */
} twindex_rules_text;
enum { TWINDEX_SIDES = 2 };
typedef struct twindex_try_options {
    const char *const *queries;
    size_t n_queries;
    twindex_rules_text sides[TWINDEX_SIDES];
    size_t n_sides;
    size_t limit;           /* hits of each query and side; 0: 1000, which is also the most */
    bool fts5;              /* queries are expressions of FTS5 */
    const char *judgements; /* of relevance: a file, as in twindex_search_options; NULL: none */
    void *reserved[TWINDEX_RESERVED];
} twindex_try_options;
/* Writes the hits of each query, ranked by each side, as of one state of the flags, and of two
 * sides the first hits of clusters that the second one has lost. */
TWINDEX_API int twindex_try_rules(twindex *t, const twindex_try_options *options,
                                  const twindex_sink *out);
/* Checks rules and writes the error with its line and column, or the SQL. Needs no store. */
TWINDEX_API int twindex_check_rules(twindex *t, const twindex_rules_text *rules,
                                    const twindex_sink *out);
/* Finds documents by id, by URL, by a part of the URL, or by words of the text index, and writes
 * whether they are hidden and which document represents them. */
TWINDEX_API int twindex_find(twindex *t, const char *words, size_t limit, const twindex_sink *out);
typedef struct twindex_pin {
    const char *kind;  /* "separate", "prefer" or "keep" */
    const char *a, *b; /* documents, named by URL or id; b of "separate" only, else NULL */
    const char *text;  /* of the file of pins so far */
    size_t n;          /* bytes of it */
} twindex_pin;
/* Writes the line for the pin as `line`, and as `added` what has to be appended to the text of the
 * file: "" if it has the line already. Writes no file. */
TWINDEX_API int twindex_add_pin(twindex *t, const twindex_pin *pin, const twindex_sink *out);
/* Writes the state of the store: the last published run with its counts, whether there is a text
 * index, and the names that rules may use. */
TWINDEX_API int twindex_overview(twindex *t, const twindex_sink *out);

enum { TWINDEX_TUNE_LIMIT = 10 };
typedef struct twindex_tune_options {
    const char *rules;       /* a file of ranking rules with a section [numbers] */
    const char *const *vary; /* n_vary texts "NAME=VALUE,VALUE,..." */
    size_t n_vary;
    const char *queries, *judgements; /* files, as of twindex_search() */
    double max_duplicates; /* largest mean share of duplicates in the first 10 hits; 1: any */
    size_t limit;          /* combinations shown; 0: all */
    bool fts5;             /* queries are expressions of FTS5 */
    void *reserved[TWINDEX_RESERVED];
} twindex_tune_options;
/* Tries all combinations of the values and writes them with their nDCG@10, best first.
 * TWINDEX_DOUBT: all have more duplicates than allowed. */
TWINDEX_API int twindex_tune(twindex *t, const twindex_tune_options *options,
                             const twindex_sink *out);

enum { TWINDEX_EVALUATE_SAMPLE = 20000, TWINDEX_EVALUATE_HIDDEN = 500 };
typedef struct twindex_evaluate_options {
    const char *detectors; /* names separated by commas; NULL or "all": all that use texts */
    /* NULL or "similarity": similarity of the texts; else a file of labels (docs/looking.md) */
    const char *truth;
    uint64_t sample; /* pairs to compare by similarity; 0: all */
    /* hidden and visible documents to examine for each method; 0: none */
    uint64_t hidden;
    uint64_t seed; /* seed of these samples */
    /* instead measure whether the representatives contain the titles of hidden documents */
    bool findable;
    /* findable: a file of relations between URLs of known copies; NULL: none */
    const char *known;
    bool html;                /* write an HTML page, whatever the sink's format */
    const twindex_sink *also; /* a second output of the same result; NULL: none */
    void *reserved[TWINDEX_RESERVED];
} twindex_evaluate_options;
/* Compares detectors on the store: recall, precision, F, pairs, groups, cost, and overlap. Does not
 * write to the store. */
TWINDEX_API int twindex_evaluate(twindex *t, const twindex_evaluate_options *options,
                                 const twindex_sink *out);

/* What a person says of two pages. */
typedef enum twindex_answer {
    TWINDEX_ANSWER_OTHER, /* they are not the same page */
    TWINDEX_ANSWER_SAME,
    TWINDEX_ANSWER_NONE, /* of this pair */
    TWINDEX_ANSWER_END
} twindex_answer;
enum { TWINDEX_SWEEP_PAIRS = 12 };
typedef struct twindex_sweep_options {
    /* "NAME=LOW..HIGH", "NAME=LOW..HIGH/STEP" or "NAME=VALUE,VALUE,..."; the threshold of the
     * near-duplicate method may be named alone */
    const char *setting;
    uint64_t hidden; /* hidden documents to examine for each value; 0: all */
    uint64_t seed;   /* of this sample, and of pairs that are equally near */
    /* instead list the pairs of texts whose similarity is nearest to this value; NULL: none */
    const char *pairs;
    size_t limit; /* pairs; 0: all */
    /* labels of pairs, as in twindex_evaluate_options.truth, which recommend a value; a missing or
     * empty file has none yet; NULL: none */
    const char *labels;
    /* is called after each pair that is written as text; the answer is added to the labels; NULL:
     * nothing is asked */
    twindex_answer (*answer)(void *arg);
    void *answer_arg;
    bool csv; /* in place of text */
    void *reserved[TWINDEX_RESERVED];
} twindex_sweep_options;
/* Judges the stored signatures with each value of a numeric setting, and writes what is hidden, and
 * what is lost and substituted there. Does not write to the store. TWINDEX_USAGE: the setting needs
 * other signatures. */
TWINDEX_API int twindex_sweep(twindex *t, const twindex_sweep_options *options,
                              const twindex_sink *out);

/* ---- prediction before a page is fetched -------------------------------- */

/* Learns from the published flags which parts of URLs do not matter, and stores the result in the
 * store. Writes a summary. */
TWINDEX_API int twindex_learn(twindex *t, const twindex_sink *out);
typedef struct twindex_predict_options {
    const char *const *urls; /* n of them; n 0: the lines of standard input */
    size_t n;
    /* a URL with at least this probability is not worth fetching; with rules, a parameter is
     * dropped */
    double threshold;
    double exploration; /* share of likely duplicates that are fetched nevertheless */
    double train;       /* evaluate: share of the documents used for learning */
    bool filter;        /* write only URLs worth fetching */
    bool rules;         /* instead write what was learned as a file for the setting url.rules */
    bool evaluate;      /* instead write what prediction would have saved and lost */
    bool model;         /* instead write what was learned as a file for parameters.model */
    void *reserved[TWINDEX_RESERVED];
} twindex_predict_options;
/* Writes for each URL the probability that it leads to a duplicate, one line per URL. Answers every
 * line it has read before it waits for more standard input. */
TWINDEX_API int twindex_predict(twindex *t, const twindex_predict_options *options,
                                const twindex_sink *out);

#ifdef __cplusplus
}
#endif

#endif
