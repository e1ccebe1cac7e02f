/* inspect/inspect.h: answers about results, and what writes them as text, JSON and HTML. Parts:
 * check, suggest, doctor, explain_print, explain, comparison, compare, similar, list_groups,
 * find_mirrors, detector_list, diff, digest, generation_line, remove, add_pin, store_report,
 * report, report_page, page_documents, collect_page, report_sheets, markup, fit_lines. */
#ifndef TWX_INSPECT_INSPECT_H
#define TWX_INSPECT_INSPECT_H

#include "run/run.h"

/* check.c: checks stores, one or several together, and collects what was found. */

/* What a check found: facts, problems and advice, in the order in which they
 * were found.
 * Memory: embedded struct; twx_findings_init(), _done(). Bytes are in the arena. */
enum { TWX_FINDING_BYTES = 2048 };

typedef struct twx_finding {
    twx_slice name; /* of a fact; absent: a problem, or advice */
    bool advice;
    twx_slice text;
} twx_finding;

typedef struct twx_findings {
    twx_ctx *cx; /* borrowed */
    twx_arena arena;
    const char *store;
    TWX_VEC(twx_finding) rows;
    uint64_t problems, advice;
} twx_findings;

/* Texts are cut after TWX_FINDING_BYTES. */
TWX_CHECK twx_rc twx_findings_fact(twx_findings *f, const char *name, const char *fmt, ...)
    TWX_PRINTF(3, 4);
/* A problem that is already in the list is not added again: two steps can report it. */
TWX_CHECK twx_rc twx_findings_problem(twx_findings *f, const char *text);
/* Something that would be better; it does not count as a problem. */
TWX_CHECK twx_rc twx_findings_advice(twx_findings *f, const char *fmt, ...) TWX_PRINTF(2, 3);
TWX_CHECK twx_rc twx_findings_write(const twx_out *out, const twx_findings *f);

/* The command check: the mapping, the schema, the health of the file, what a run
 * would do, and what would prevent a run. It writes nothing. */
TWX_CHECK twx_rc twx_check(const twx_job *job, twx_findings *ret_findings);

/* Check and doctor of several stores: of each one, and whether they fit
 * together. */
typedef twx_rc twx_check_fn(const twx_job *job, twx_findings *ret_findings);

/* Calls `check` for each store of the job, and writes what it finds. With several stores, what they
 * are together comes last: the flags of one run, and no reference to a store that is missing. */
TWX_CHECK twx_rc twx_check_set(const twx_job *job, twx_check_fn *check, const twx_out *out,
                               uint64_t *ret_problems);

/* suggest (check.c): suggests settings for a store. */

/* A configuration for a store, with comments that show its effect.
 * Memory: embedded struct; twx_suggestion_init(), _done(). Bytes are in the arena. */
enum { TWX_SUGGESTED_COLUMNS = 32 };

/* A row as it would be read: a value for each column; absent: NULL or not mapped. */
typedef struct twx_suggested_row {
    twx_slice value[TWX_SUGGESTED_COLUMNS];
} twx_suggested_row;

typedef struct twx_suggestion {
    twx_arena arena;
    const char *store, *preset; /* preset NULL: the mapping was guessed */
    twx_slice config;           /* text of the configuration file */
    struct {
        const char *name; /* NULL: not mapped */
        uint64_t filled;
    } columns[TWX_SUGGESTED_COLUMNS];
    uint64_t sampled; /* rows, of which `filled` have a value */
    TWX_VEC(twx_suggested_row) rows;
    TWX_VEC(twx_slice) warnings;
} twx_suggestion;

void twx_suggestion_init(twx_suggestion *s);
void twx_suggestion_done(twx_suggestion *s);
TWX_CHECK twx_rc twx_suggestion_write(const twx_out *out, const twx_suggestion *s);

/* `check --suggest`: prints a configuration for a store filled by another
 * program, with comments that show its effect: three sample rows, fill rates and warnings. It
 * writes nothing. */

/* TWX_E_CONFIG: no documents were found. */
TWX_CHECK twx_rc twx_suggest(const twx_job *job, twx_suggestion *ret_suggestion);

/* doctor.c: `doctor`: everything that `check` reports, and the state of the files, the lock
 * and the versions, what programs that were killed have left, and what would make runs faster.
 * Writes nothing into the store. Errors those of check. */

TWX_CHECK twx_rc twx_doctor(const twx_job *job, twx_findings *ret_findings);

/* explain_print (explain.c): documents as they are listed, and the lines of an explanation. */

/* A document as results name it: its id, its URL and its store.
 * Memory: the bytes are borrowed; twx_listed_document_copy() copies them into an arena. */
typedef struct twx_listed_document {
    twx_value id;
    twx_slice url;   /* absent: it has none */
    twx_slice store; /* among several; absent: there is no other */
} twx_listed_document;

TWX_CHECK twx_rc twx_listed_document_copy(twx_ctx *cx, twx_arena *arena, const twx_value *id,
                                          twx_slice url, twx_listed_document *ret_document);
/* Writes "42  https://example.org/", the URL as it is stored, and " in STORE". */
TWX_CHECK twx_rc twx_listed_document_write(const twx_out *out, const twx_listed_document *d);
/* The same with the URL made safe for a terminal and cut off (excerpt). */
TWX_CHECK twx_rc twx_listed_document_excerpt(const twx_out *out, const twx_listed_document *d);
/* {"id": ..., "url": ..., "store": ...}; new reference, NULL: out of memory */
json_t *twx_listed_document_json(const twx_listed_document *d);

/* Why documents have the flags they have, for explain.
 * Memory: embedded struct; twx_explanation_init(), _done(). */

/* A flag, relation or pin, and its value with the reason. */
typedef struct twx_explained_line {
    twx_slice key, text;
} twx_explained_line;

typedef struct twx_explained {
    twx_listed_document document;
    twx_value url; /* as stored, of any type */
    TWX_VEC(twx_explained_line) lines;
} twx_explained;

typedef struct twx_explanation {
    twx_arena arena;
    TWX_VEC(twx_explained) documents;
} twx_explanation;

void twx_explanation_init(twx_explanation *e);
void twx_explanation_done(twx_explanation *e);
/* Adds a document; the lines that follow are about it. store: absent if there is no other. */
TWX_CHECK twx_rc twx_explanation_write(const twx_out *out, const twx_explanation *e);

/* explain.c: explains every flag of one document: its value, the rule, the representative
 * and the evidence. */

/* Errors TWX_E_NOTFOUND: no document has this id or URL. */
TWX_CHECK twx_rc twx_explain(const twx_job *job, const char *url_or_id,
                             twx_explanation *ret_explanation);

/* comparison (compare.c): two documents compared: their texts, what each detector finds, whether
 * one may represent the other, and the passages that differ.
 * Memory: embedded struct; twx_comparison_init(), _done(). Bytes are in the arena. */

/* The result of one detector. */
typedef struct twx_compared_keys {
    const char *detector;
    bool pair;
    int32_t similarity;     /* millionths; -1: unknown */
    size_t keys[2], shared; /* of both documents; in common */
} twx_compared_keys;

/* May one document be represented by the other? */
typedef struct twx_compared_copy {
    const char *which; /* "a behind b" */
    bool copy, name_contained;
    twx_slice reason;
} twx_compared_copy;

/* Text of one of the documents that the comparison did not take as its content. */
typedef struct twx_set_aside {
    int side;        /* 0: a */
    const char *why; /* "outside of the content area" */
    size_t blocks, words;
    twx_slice first; /* how the blocks begin, separated by " | " */
} twx_set_aside;

/* One or two passages between two common passages. */
typedef struct twx_compared_passage {
    twx_slice before; /* the common passage before it */
    twx_slice a, b;   /* n == 0: this text has nothing there */
} twx_compared_passage;
typedef TWX_VEC(twx_compared_passage) twx_compared_passages;

typedef struct twx_comparison {
    twx_arena arena;
    twx_listed_document document[2];
    size_t bytes[2]; /* of their texts */
    int32_t similarity;
    bool at_least; /* it is that of the passages: the texts are too long for more */
    bool same_bytes;
    TWX_VEC(twx_compared_keys) detectors;
    TWX_VEC(const char *) left_out; /* detectors that must read the whole store */
    TWX_VEC(twx_compared_copy) copies;
    bool copies_known, copies_learned; /* learned: with what the last run knows of the site */
    TWX_VEC(twx_set_aside) set_aside;
    const char *near_detector;      /* as configured */
    size_t differences;             /* number of all differing passages */
    bool coarse;                    /* too much differs to find every difference */
    twx_compared_passages passages; /* the first of them */
    twx_slice after; /* the common passage after the last difference, if all are listed */
} twx_comparison;

void twx_comparison_init(twx_comparison *c);
void twx_comparison_done(twx_comparison *c);
TWX_CHECK twx_rc twx_comparison_write(const twx_out *out, const twx_comparison *c);

/* compare.c: compares two documents: the similarity of their texts, the result of each
 * detector, and the differences. It writes nothing. */

/* a, b: id or URL. Errors TWX_E_NOTFOUND, TWX_E_CONFIG, those of reading, and those of
 * cancellation, because long texts take seconds. */
TWX_CHECK twx_rc twx_compare(const twx_job *job, const char *a, const char *b,
                             const twindex_compare_options *options,
                             twx_comparison *ret_comparison);

/* similar.c: the documents most similar to one, found and listed. */

/* The documents most similar to a given one.
 * Memory: embedded struct; twx_similar_list_init(), _done(). Bytes are in the arena. */
typedef struct twx_similar_row {
    twx_listed_document document;
    int32_t text_similarity, similarity; /* millionths; -1: unknown */
    size_t shared_keys;
    bool pair;
    /* in which the last run put both into one group; the verdict is the last one */
    const char *relations[TWX_RELATIONS + 1];
    size_t n_relations;
} twx_similar_row;

typedef struct twx_similar_list {
    twx_arena arena;
    twx_listed_document document;
    const char *detector;
    bool stored; /* the signatures are those of the last run */
    bool any;    /* some document was similar, even if it is gone meanwhile */
    TWX_VEC(twx_similar_row) rows;
} twx_similar_list;

void twx_similar_list_init(twx_similar_list *list);
void twx_similar_list_done(twx_similar_list *list);
TWX_CHECK twx_rc twx_similar_list_write(const twx_out *out, const twx_similar_list *list);

/* Finds the documents most similar to a given one by one detector, and compares
 * the texts of the best ones. It writes nothing. Signatures stored by a run are used if they were
 * made with the current settings and this detector; they reflect the state of that run. Otherwise
 * every document is read and signed, once (twice for global detectors). */
enum { TWX_SIMILAR_REFINED = 20 /* documents whose texts are compared */ };

/* Errors TWX_E_NOTFOUND, TWX_E_USAGE (unknown detector), those of reading, and those of
 * cancellation. */
TWX_CHECK twx_rc twx_similar(const twx_job *job, const char *url_or_id,
                             const twindex_similar_options *options, twx_similar_list *ret_list);

/* list_groups.c: the groups of a detector, read and listed. */

/* The groups of two or more documents. There may be more of them than fit
 * into memory, so the writer is given one document after the other and writes text as it comes;
 * JSON is collected.
 * Memory: embedded struct; twx_group_list_done(). */
typedef struct twx_group_list {
    const twx_out *out;
    const char *relation; /* whose groups are listed, or "verdict" */
    bool all;             /* all documents of each group are shown */
    uint64_t groups;
    int64_t documents; /* of the current group */
    int64_t shown;     /* of them; the representative does not count */
    json_t *list;
} twx_group_list;

/* Adds a document to the group. is_representative: it is in the list of JSON as well. */

/* Lists the groups of two or more documents, largest first. */

/* relation: the name of a relation (judge/groups.c) or of its detector, "verdict", or NULL for
 * the clusters. limit 0: all groups and all members. */
TWX_CHECK twx_rc twx_list_groups(const twx_job *job, const char *relation, size_t limit,
                                 const twx_out *out);

/* find_mirrors (list_groups.c): finds hosts that mirror each other, and lists them. */

/* The hosts that mirror another host.
 * Memory: embedded struct; twx_mirror_list_init(), _done(). */
typedef struct twx_mirror_list {
    const char *store;
    uint32_t ratio_ppm, min_documents; /* as configured */
    twx_arena names;
    twx_mirror_hosts hosts; /* in names */
    twx_mirrors found;
    bool kept; /* they are in twindex_host_mirror */
} twx_mirror_list;

void twx_mirror_list_init(twx_mirror_list *list);
void twx_mirror_list_done(twx_mirror_list *list);
TWX_CHECK twx_rc twx_mirror_list_write(const twx_out *out, const twx_mirror_list *list);

/* Finds hosts that mirror another host according to the published flags.
 * The result is stored in twindex_host_mirror for ranking rules.
 * [R1] A second call writes nothing.
 * [R2] If the store cannot be written or is locked by a run, a warning is issued; the mirrors are
 * found and printed nevertheless. */

/* Finds them and writes nothing. */
TWX_CHECK twx_rc twx_see_mirrors(const twx_job *job, twx_mirror_list *ret_list);
TWX_CHECK twx_rc twx_find_mirrors(const twx_job *job, twx_mirror_list *ret_list);

/* detector_list (list_groups.c): the table of the detectors. */

/* at(i): the rows; NULL after the last. */
TWX_CHECK twx_rc twx_detector_list_write(const twx_out *out, const twx_detector *(*at)(size_t i));

/* diff.c: what a run would change, and the documents in which two results differ. */

/* The documents whose flags differ between two results, for diff.
 * Memory: embedded struct; twx_result_diff_init(), _done(). Bytes are in the arena. */
typedef struct twx_result_diff {
    twx_arena arena;
    size_t limit;            /* number of rows; 0: all */
    uint64_t documents;      /* that differ */
    TWX_VEC(twx_slice) rows; /* "42 https://example.org/  exact_unique_b 1 -> 0", the first ones */
    uint64_t changed_flags[TWX_FLAGS]; /* by flag: documents in which it changed */
    twx_change_list changes;
    int64_t unchanged_at; /* of the last run, if it changed nothing; seconds since 1970, else 0 */
} twx_result_diff;

void twx_result_diff_init(twx_result_diff *d, size_t limit);
void twx_result_diff_done(twx_result_diff *d);
TWX_CHECK twx_rc twx_result_diff_write(const twx_out *out, const twx_result_diff *d);

/* The differences of two texts (text/text_diff.c) as the passages that a
 * result lists. */

/* Counts all differing passages, and appends the first `limit` of them (0: all), copied into the
 * arena. */
TWX_CHECK twx_rc twx_differences_list(twx_ctx *cx, const twx_text_diff *diff, size_t limit,
                                      twx_arena *arena, twx_compared_passages *passages,
                                      size_t *ret_differences);

/* Compares the published generation of flags with the other one. */

/* ret_diff: initialised, with its limit. */
TWX_CHECK twx_rc twx_diff(const twx_job *job, twx_result_diff *ret_diff);

/* digest (remove.c): the digest of the published flags (store/generations.c); of several stores,
 * the sum of their digests: that of one store with all documents, if their ids differ. */

TWX_CHECK twx_rc twx_digest_flags(const twx_job *job, twx_hash128 *ret_digest);

/* generation_line (remove.c): the one line that undo and digest write about the published flags. */

/* The generation that undo published, and its run. */
typedef struct twx_restored {
    char generation;
    int64_t run;
} twx_restored;

TWX_CHECK twx_rc twx_restored_write(const twx_out *out, const twx_restored *r);
TWX_CHECK twx_rc twx_digest_write(const twx_out *out, const twx_hash128 *digest);

/* remove.c: takes twindex out of a store, or one run back, and says what was done. */

/* What `remove` took out of a store.
 * Memory: embedded struct; twx_removal_summary_init(), _done(). */
typedef struct twx_schema_object {
    twx_slice type, name;
} twx_schema_object;

typedef TWX_VEC(twx_schema_object) twx_schema_objects;

typedef struct twx_removal_summary {
    twx_arena arena;
    const char *path; /* the file: the store, or that of --flags */
    bool dry_run;
    bool file_removed; /* the file of --flags, which had nothing else */
    twx_schema_objects removed, referring;
} twx_removal_summary;

void twx_removal_summary_init(twx_removal_summary *s);
void twx_removal_summary_done(twx_removal_summary *s);
TWX_CHECK twx_rc twx_removal_summary_write(const twx_out *out, const twx_removal_summary *s);

/* Takes everything of Twindex out of a store, and removes the lock file; a file
 * of --flags is removed as a whole.
 * [R1] What is not Twindex's is unchanged: rows, schema, settings of the file.
 * [R2] A process that is killed leaves all objects or none. */

/* dry_run: only lists what would be removed. Errors TWX_E_BUSY: a run is at work. */
TWX_CHECK twx_rc twx_remove(const twx_job *job, bool dry_run, twx_removal_summary *ret_summary);

/* Publishes the generation of flags that was published before. */
TWX_CHECK twx_rc twx_undo(const twx_job *job, twx_restored *ret_restored);

/* add_pin (remove.c): a line for the file of pins (judge/pins.c) about documents of the store. */

/* Writes {"line": ..., "added": ...}: the line with the normal URLs of the documents, and what has
 * to be appended to pin->text so that the line is in it; "" if it is there already. The text itself
 * is not written: its comments may be in any encoding, and JSON is UTF-8.
 * Errors TWX_E_USAGE: no such kind, or a document too few or too many; TWX_E_NOTFOUND;
 * TWX_E_DATA: a document without a usable URL; TWX_E_CONFIG: the text as it is has an error. */
TWX_CHECK twx_rc twx_add_pin(const twx_job *job, const twindex_pin *pin, const twx_out *out);

/* store_report.c: totals of a store or of several together, figures by detector and by
 * host, and the last runs.
 * Memory: embedded struct; twx_store_report_init(), _done(). Bytes are in the arena. */

typedef struct twx_host_figures {
    twx_slice name;
    /* copies: by relation: documents that another one represents */
    uint64_t documents, indexable, hidden, copies[TWX_RELATIONS];
} twx_host_figures;

typedef struct twx_relation_figures {
    twx_slice name;
    int64_t groups, copies, largest;
} twx_relation_figures;

/* A row of the log of runs. */
typedef struct twx_run_row {
    int64_t run, started_at, ended_at;
    bool ended;
    int64_t documents, indexable, hidden;                   /* -1: not known */
    twx_slice state, generation, version, summary, message; /* summary: JSON; absent: none */
    twx_slice store; /* of several; absent: the run was over all, or there is no other store */
} twx_run_row;

typedef struct twx_store_report {
    twx_arena arena;
    const char *store;         /* what it is about: "a.db", "a.db and 2 more stores" */
    const char *const *stores; /* n_stores of them, borrowed */
    size_t n_stores;
    twx_host_figures all;
    uint64_t eligibility[TWX_ELIGIBILITIES], links[TWX_LINK_STATES];
    TWX_VEC(twx_relation_figures) relations;
    TWX_VEC(twx_host_figures) hosts; /* most documents first */
    size_t runs_most;                /* how many runs are listed */
    TWX_VEC(twx_run_row) runs;       /* the last one first */
} twx_store_report;

void twx_store_report_init(twx_store_report *r);
void twx_store_report_done(twx_store_report *r);
TWX_CHECK twx_rc twx_store_report_write(const twx_out *out, const twx_store_report *r);

/* report.c: the report: totals of the store, figures per detector and per host, and the
 * history of runs. It reads no texts. */

TWX_CHECK twx_rc twx_report(const twx_job *job, twx_store_report *ret_report);

/* report_page (report.c): the report as one HTML page: the figures of store_report, and what a
 * reader looks at to judge them: groups with their members, mirrors, suspects, changes.
 * [R1] The page requests nothing: styles, script and plots are in it, and its
 * Content-Security-Policy allows only these, by their hashes.
 * [R2] Lists are cut off at the limits below, and the page says so.
 * Memory: embedded struct; twx_report_page_init(), _done(). Bytes are in the arena. */

enum {
    TWX_PAGE_HOSTS = 1000,
    TWX_PAGE_GROUPS = 20,
    TWX_PAGE_MEMBERS = 10,
    TWX_PAGE_PASSAGES = 12,
    TWX_PAGE_SUSPECTS = 20,
    TWX_PAGE_TITLES_LEAST = 3, /* documents with one title */
    TWX_PAGE_CHANGES = 25,
    TWX_PAGE_RUNS = 60,
    TWX_PAGE_MATRIX = 24, /* rows and columns */
    TWX_PAGE_MIRRORS = 300
};

typedef struct twx_page_document {
    twx_slice id, url, title; /* id: as an SQL literal */
    twx_slice store;          /* among several; absent: there is no other */
    bool unreadable;          /* it is gone, or its row is too long; url: a note that says so */
} twx_page_document;

/* value: a number of documents, or a percentage; n: how many have it. */
typedef struct twx_page_count {
    int64_t value, n;
} twx_page_count;
typedef TWX_VEC(twx_page_count) twx_page_counts;

typedef enum twx_page_texts {
    TWX_TEXTS_EQUAL, /* of all members */
    TWX_TEXTS_COMPARED,
    TWX_TEXTS_TOO_LONG,
    TWX_TEXTS_UNREADABLE /* of a member */
} twx_page_texts;

typedef struct twx_page_group {
    int64_t documents;
    TWX_VEC(twx_page_document) members; /* the first is the representative */
    twx_page_texts texts;
    size_t other;       /* the member whose text is compared with the representative's */
    int32_t similarity; /* millionths; -1: not measured */
    size_t differences; /* of which the first are listed */
    bool coarse;
    twx_compared_passages passages;
} twx_page_group;

/* Documents of one text at many paths, or shown documents of one title. */
typedef struct twx_page_suspect {
    uint64_t documents, paths, hosts;
    bool says_so; /* its title or text begins like an error page */
    twx_page_document examples[2];
    size_t examples_n;
    twx_slice excerpt; /* of the text */
} twx_page_suspect;
typedef TWX_VEC(twx_page_suspect) twx_page_suspects;

typedef struct twx_report_page {
    twx_arena arena;
    int64_t made_at; /* seconds since 1970 */
    twx_store_report figures;
    uint64_t clusters; /* of the verdict: documents that represent others */
    twx_page_counts sizes, similarities;
    TWX_VEC(twx_page_group) groups; /* the largest */
    twx_mirror_list mirrors;
    twx_page_suspects same_text, same_title;
    uint64_t same_text_n; /* of which the largest are listed */
    twx_result_diff diff;
    bool has_diff;        /* an earlier complete result exists */
    twx_slice rules;      /* what was learned of parameters, as a file for url.rules */
    const char *no_rules; /* why there are none; NULL: there are */
    /* the statements of the figures, with comments */
    const char *sizes_sql, *similarities_sql, *groups_sql, *titles_sql, *totals_sql;
} twx_report_page;

void twx_report_page_init(twx_report_page *p);
void twx_report_page_done(twx_report_page *p);
TWX_CHECK twx_rc twx_report_page_write(const twx_out *out, const twx_report_page *p);

/* page_documents (store_report.c): reads documents of the stores for the report page. */

enum { TWX_PAGE_TEXT_BYTES = 1 << 18 /* longest text that is compared or quoted */ };

typedef struct twx_listed_reading {
    const twx_job *job;
    twx_store_set *set;
    twx_arena *arena;
} twx_listed_reading;

/* Reads id, URL and title, and the text if ret_text is given: absent when it is longer than
 * TWX_PAGE_TEXT_BYTES. A document that is gone, or whose row is too long to be read, has a note in
 * place of its URL. */
TWX_CHECK twx_rc twx_page_document_read(const twx_listed_reading *r, uint32_t member,
                                        const twx_value *id, twx_page_document *ret_document,
                                        twx_slice *ret_text);

/* collect_page (report.c): collects what the report page shows (inspect/report.c). Nothing is
 * written to the store.
 * [R1] Texts are read of the documents that are shown, and of no others. */

/* Everything but what was learned of parameters. */
TWX_CHECK twx_rc twx_report_page_collect(const twx_job *job, twx_report_page *ret_page);

/* page_groups */
TWX_CHECK twx_rc twx_page_groups_read(const twx_listed_reading *r, twx_report_page *p);
/* page_suspects (suspects.c): texts that stand at many paths, and titles of many shown
 * documents. */
TWX_CHECK twx_rc twx_page_suspects_read(const twx_listed_reading *r, twx_report_page *p);

/* report_sheets (report.c): tables of the report as CSV (inspect/markup.c): groups, hosts,
 * changes. */

TWX_CHECK twx_rc twx_report_sheet(const twx_job *job, twindex_sheet sheet, const twx_out *out);

/* markup.c: writes HTML to the caller's sink.
 * [R1] Text that comes from a crawl, a file or a name is only written by twx_markup_text() and
 * twx_markup_excerpt(): whatever its bytes are, it becomes text, never markup. twx_markup_excerpt()
 * also replaces control characters, bidirectional controls and invalid UTF-8 (run/out.c).
 * [R2] A failed write is kept in rc, and everything after it is skipped.
 * Memory: embedded struct, no resources; out is borrowed. */

typedef struct twx_markup {
    const twx_out *out;
    twx_rc rc;
} twx_markup;

/* Markup. An argument of %s must be a constant of the program. */
void twx_markup_put(twx_markup *h, const char *fmt, ...) TWX_PRINTF(2, 3);
/* A string of the program without formatting. */
void twx_markup_raw(twx_markup *h, const char *markup);
/* Text with & < > " ' escaped, so that it can also stand in a quoted attribute. */
void twx_markup_text(twx_markup *h, twx_slice text);
/* The same, cleaned, and cut off after `most` characters. */
void twx_markup_excerpt(twx_markup *h, twx_slice text, size_t most);
/* A crawled URL: a link if it is an http or https URL of ordinary length, else text. */
void twx_markup_url(twx_markup *h, twx_slice url);
void twx_markup_number(twx_markup *h, uint64_t n); /* 12,345 */
/* 92.6 %; "<0.1 %" and ">99.9 %" for what would be rounded to none or all; "–" of none. */
void twx_markup_share(twx_markup *h, uint64_t part, uint64_t whole);

enum { TWX_NUMBER_BYTES = 32 };
/* 12,345 */
const char *twx_number_text(uint64_t n, char room[TWX_NUMBER_BYTES]);
/* 1.2k, 34M: for the ticks of an axis. */
const char *twx_short_number(double v, char room[TWX_NUMBER_BYTES]);

/* fit_lines (markup.c): a sink that cuts the lines of a text at the width of the terminal; a cut
 * line ends with an ellipsis. Output that is not for a terminal, and JSON, pass unchanged.
 * Memory: embedded struct; twx_fit_lines_init(), _done(). The outer output is borrowed. */

typedef struct twx_fit_lines {
    const twx_out *outer;
    twindex_sink sink;
    twx_out out; /* to be written to */
    twx_buf line;
} twx_fit_lines;

void twx_fit_lines_init(twx_fit_lines *f, const twx_out *outer);
/* Writes what follows the last line feed. */
TWX_CHECK twx_rc twx_fit_lines_end(twx_fit_lines *f);
void twx_fit_lines_done(twx_fit_lines *f);

#endif
