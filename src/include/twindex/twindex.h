/* twindex.h: the public API of libtwindex. Everything the program does goes through it.
 *
 * A twindex handle holds settings, callbacks and the path of one store. Calls on one handle come
 * from one thread at a time; only twindex_stop() may be called from anywhere, a signal handler
 * included.
 *
 * Errors  Every int result is 0 (TWINDEX_OK) or one of twindex_result, which are also the exit
 * codes of the program.
 *         twindex_message() has the reason, with the file, row, setting or URL it is about.
 * Output  Data goes to a twindex_sink in the format asked for; nothing is printed by the library.
 * Memory  Strings given are borrowed for the call; strings returned belong to the handle or are
 * static, as noted. */
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
    TWINDEX_DOUBT = 1, /* check, diff: there is something to look at */
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

TWINDEX_API const char *twindex_version(void);
TWINDEX_API twindex *twindex_new(void); /* NULL: out of memory */
TWINDEX_API void twindex_free(twindex *t);
/* of the last failed call; "" when none */
TWINDEX_API const char *twindex_message(const twindex *t);

/* ---- settings ----------------------------------------------------------- */

typedef struct twindex_setting {
    const char *name; /* "fuzzy.quant_rate" */
    const char *default_value;
    /* what it takes: "0..1", "yes|no", "store|domain|host", "SQL expression" */
    const char *values;
    const char *help; /* one sentence */
} twindex_setting;

TWINDEX_API const twindex_setting *twindex_setting_at(size_t i); /* NULL behind the last; static */
TWINDEX_API int twindex_set(twindex *t, const char *name, const char *value);
/* "section.key = value" lines of an INI file; unknown names are an error with file and line. */
TWINDEX_API int twindex_load_config(twindex *t, const char *path);

/* ---- callbacks ---------------------------------------------------------- */

typedef struct twindex_progress {
    const char *stage;    /* "read and sign", "write flags", ... */
    const char *unit;     /* "documents", "rows", "records" */
    uint64_t done, total; /* total 0: not known */
} twindex_progress;
typedef void twindex_progress_fn(void *arg, const twindex_progress *progress);
TWINDEX_API void twindex_on_progress(twindex *t, twindex_progress_fn *fn, void *arg);

typedef enum twindex_level { TWINDEX_WARNING, TWINDEX_NOTE, TWINDEX_DETAIL } twindex_level;
typedef void twindex_message_fn(void *arg, twindex_level level, const char *text);
TWINDEX_API void twindex_on_message(twindex *t, twindex_message_fn *fn, void *arg);

/* Asks the call that runs to stop at its next safe point. Async-signal-safe. */
TWINDEX_API void twindex_stop(twindex *t, int signal_number);

/* Takes bytes of output; returns 0, or anything else to make the call end with TWINDEX_IO. */
typedef int twindex_write_fn(void *arg, const char *bytes, size_t n);
typedef enum twindex_format { TWINDEX_TEXT, TWINDEX_JSON } twindex_format;
typedef struct twindex_sink {
    twindex_write_fn *write;
    void *arg;
    twindex_format format;
    unsigned columns; /* of the terminal that text goes to: tables are cut to fit; 0: it is none */
} twindex_sink;

/* ---- the store ---------------------------------------------------------- */

/* Makes a store with our own schema; the file must not exist, or be an SQLite file without a
 * `documents` table. */
TWINDEX_API int twindex_init(twindex *t, const char *store);
/* Names the store of the calls below; fails when the file is not there. */
TWINDEX_API int twindex_open(twindex *t, const char *store);
/* Fills the store's documents from WARC, WARC.gz, WET and JSON Lines files; "-" is standard input.
 * Writes a summary. */
TWINDEX_API int twindex_import(twindex *t, const char *const *files, size_t n,
                               const twindex_sink *out);
/* Mapping, schema, health of the file, what a run would do and why nothing would run.
 * TWINDEX_DOUBT: look at it. */
TWINDEX_API int twindex_check(twindex *t, const twindex_sink *out);
/* A configuration for a store that another program fills: by presets of known programs, else by
 * what its columns hold, with three rows as they would be read, fill rates and warnings as
 * comments. TWINDEX_DOUBT: there are warnings. */
TWINDEX_API int twindex_suggest(twindex *t, const twindex_sink *out);

/* ---- the job ------------------------------------------------------------ */

typedef struct twindex_run_options {
    bool full;    /* sign every document anew */
    bool force;   /* publish although a guard says stop */
    bool dry_run; /* say what would flip, per flag and host; write nothing */
    /* with dry_run: name the documents that would be hidden, shown or moved, by URL */
    bool list;
    size_t limit; /* documents of each kind that are listed; 0: all */
    /* with dry_run: a file of ranking rules; say what its filter would hide; NULL: none */
    const char *rules;
} twindex_run_options;
TWINDEX_API int twindex_run(twindex *t, const twindex_run_options *options,
                            const twindex_sink *out);
/* Differences between the current generation of flags and the other: documents that were hidden,
 * shown or moved, by URL, and how many changed in each flag. limit: documents of each kind that are
 * listed; 0: all. TWINDEX_DOUBT: some. */
TWINDEX_API int twindex_diff(twindex *t, size_t limit, const twindex_sink *out);
/* Points back at the other generation. The next run goes forward again. */
TWINDEX_API int twindex_undo(twindex *t, const twindex_sink *out);
/* Order-free checksum of all current flags, 32 hex digits. */
TWINDEX_API int twindex_digest(twindex *t, const twindex_sink *out);

/* ---- looking ------------------------------------------------------------ */

/* Every flag of one document, by URL or id: the rule, the representative, the evidence. */
TWINDEX_API int twindex_explain(twindex *t, const char *url_or_id, const twindex_sink *out);
/* Groups of two or more, largest first. detector NULL: clusters of the verdict. limit 0: all. */
TWINDEX_API int twindex_groups(twindex *t, const char *detector, size_t limit,
                               const twindex_sink *out);
enum { TWINDEX_COMPARE_LIMIT = 20, TWINDEX_SIMILAR_LIMIT = 10 };
typedef struct twindex_compare_options {
    /* ask the detectors that look at the whole collection, too: it is read for that */
    bool all;
    size_t limit; /* passages shown; 0: all */
} twindex_compare_options;
/* Two documents, by URL or id: how alike their texts are, what each detector says, and the passages
 * in which they differ. */
TWINDEX_API int twindex_compare(twindex *t, const char *a, const char *b,
                                const twindex_compare_options *options, const twindex_sink *out);
typedef struct twindex_similar_options {
    /* NULL: the near detector of the settings; alignment when there is none */
    const char *detector;
    size_t limit; /* documents; 0: all that have anything in common */
} twindex_similar_options;
/* The documents most like one, which is named by URL or id. */
TWINDEX_API int twindex_similar(twindex *t, const char *url_or_id,
                                const twindex_similar_options *options, const twindex_sink *out);
/* Documents and copies per host and per detector; the ledger of runs. */
TWINDEX_API int twindex_report(twindex *t, const twindex_sink *out);
/* Hosts that mirror another, by the last run's groups; kept in twindex_host_mirror when the store
 * can be written. */
TWINDEX_API int twindex_mirrors(twindex *t, const twindex_sink *out);
/* The detectors twindex knows: name, id, version, source. */
TWINDEX_API int twindex_detectors(twindex *t, const twindex_sink *out);

/* ---- ranking rules ------------------------------------------------------ */

/* Checks a file of rules and writes what it means, or, with sql, the statement it becomes. Needs no
 * store. */
TWINDEX_API int twindex_rules(twindex *t, const char *path, bool sql, const twindex_sink *out);
/* Makes the text index of the store and brings it up to date; drop: takes it away. */
TWINDEX_API int twindex_index(twindex *t, bool drop, const twindex_sink *out);
enum { TWINDEX_SEARCH_LIMIT = 10 };
typedef struct twindex_search_options {
    const char *query;   /* in the syntax of FTS5; NULL: those of the file */
    const char *queries; /* a file, a query a line: figures over all of them */
    const char *rules;   /* a file of ranking rules; NULL: the text alone */
    const char *compare; /* another one, to be compared with it; NULL: none */
    size_t limit;        /* hits shown; 0: all */
} twindex_search_options;
/* Hits of a query in the order of rules, with what each rule adds; or what a second file of rules
 * would do to that order. */
TWINDEX_API int twindex_search(twindex *t, const twindex_search_options *options,
                               const twindex_sink *out);

enum { TWINDEX_EVALUATE_SAMPLE = 20000, TWINDEX_EVALUATE_HIDDEN = 500 };
typedef struct twindex_evaluate_options {
    const char *detectors; /* names parted by commas; NULL or "all": all that look at texts */
    /* NULL or "similarity": resemblance of the texts; else a file of labels (docs/manual.md) */
    const char *truth;
    uint64_t sample; /* pairs that are compared by similarity; 0: all */
    /* hidden and visible documents that are looked at, for each method; 0: none */
    uint64_t hidden;
    uint64_t seed; /* of these samples */
    /* ask instead whether the representatives contain the names of what is hidden */
    bool findable;
    /* findable: a file of relations between URLs of known copies; NULL: none */
    const char *known;
    bool html;                /* write a page of HTML, whatever the sink's format */
    const twindex_sink *also; /* a second output of the same result; NULL: none */
} twindex_evaluate_options;
/* Compares detectors on the store: recall, precision, F, pairs, groups, cost, and what they have in
 * common. Writes nothing into it. */
TWINDEX_API int twindex_evaluate(twindex *t, const twindex_evaluate_options *options,
                                 const twindex_sink *out);

/* ---- prediction before a page is fetched -------------------------------- */

/* Learns from the published flags which parts of URLs do not matter, into the store's tables.
 * Writes a summary. */
TWINDEX_API int twindex_learn(twindex *t, const twindex_sink *out);
typedef struct twindex_predict_options {
    const char *const *urls; /* n of them; n 0: the lines of standard input */
    size_t n;
    /* from this probability on a URL is not worth fetching; rules: and a parameter dropped */
    double threshold;
    double exploration; /* share of likely duplicates that are worth fetching all the same */
    double train;       /* evaluate: share of the documents that is learned from */
    bool filter;        /* write only URLs worth fetching */
    bool rules;         /* write what was learned as a file for the setting url.rules, instead */
    bool evaluate;      /* write what prediction would have saved and lost, instead */
} twindex_predict_options;
/* Writes for each URL how likely it leads to a duplicate: one line a URL, before more of standard
 * input is waited for. */
TWINDEX_API int twindex_predict(twindex *t, const twindex_predict_options *options,
                                const twindex_sink *out);

#ifdef __cplusplus
}
#endif

#endif
