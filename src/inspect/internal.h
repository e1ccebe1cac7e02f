/* inspect/internal.h: what files of this room and its tests share; others: inspect/inspect.h. */
#ifndef TWX_INSPECT_INTERNAL_H
#define TWX_INSPECT_INTERNAL_H

#include "inspect/inspect.h"

/* What a check found: facts, problems and advice, in the order in which they were found.
 * Memory: embedded struct, zeroed but for cx; bytes are in the arena. */
enum { TWX_FINDING_BYTES = 2048 };

typedef struct twx_findings {
    twx_ctx *cx; /* borrowed */
    twx_arena arena;
    const char *store;
    TWX_VEC(struct twx_finding) rows;
    uint64_t problems;
} twx_findings;

/* Texts are cut after TWX_FINDING_BYTES. name: a text of the program; NULL: advice, something that
 * would be better and does not count as a problem. */
TWX_CHECK twx_rc twx_findings_fact(twx_findings *f, const char *name, const char *fmt, ...)
    TWX_PRINTF(3, 4);

/* A problem that is already in the list is not added again: two steps can report it. */
TWX_CHECK twx_rc twx_findings_problem(twx_findings *f, const char *text);
TWX_CHECK twx_rc twx_findings_error(twx_findings *f); /* the error in f->cx, which is cleared */

/* One after the other; as JSON a list, if there are several. */
TWX_CHECK twx_rc twx_findings_write(const twx_out *out, const twx_findings *at, size_t n);

/* What has to be opened to look at a store: with --flags FILE, the file need not exist yet. */
unsigned twx_needs_to_look(const twx_job *job);
/* The command check, of one store (inspect/inspect.h). */
TWX_CHECK twx_rc twx_check(const twx_job *job, twx_findings *ret_findings);

/* Finds them and writes nothing. earlier: in the result before the published one. */
TWX_CHECK twx_rc twx_see_mirrors(const twx_job *job, bool earlier, twx_mirror_list *ret_list);

/* The documents whose flags differ between two results, for diff.
 * Memory: embedded struct, zeroed but for limit; twx_result_diff_done(). Bytes are in the arena. */
typedef struct twx_result_diff {
    twx_arena arena;
    size_t limit;                        /* number of rows; 0: all */
    uint64_t documents;                  /* that differ */
    TWX_VEC(struct twx_result_row) rows; /* the first ones */
    uint64_t changed_flags[TWX_FLAGS];   /* by flag: documents in which it changed */
    twx_change_list changes;
    twx_lock_state last; /* how the last run ended, if it published nothing */
    /* of the other result and of the published one; the other is later: it was undone */
    int64_t runs[2], started_at[2];
    uint64_t added, gone;      /* documents that only the published or the earlier one has */
    TWX_VEC(twx_slice) causes; /* "alignment.threshold: 0.8 -> 0.9" */
} twx_result_diff;

void twx_result_diff_done(twx_result_diff *d);

/* How the last run ended, which leaves no trace in the store if it published nothing. Of several
 * stores: the one that a guard stopped last. A lock file that cannot be read says nothing. */
TWX_CHECK twx_rc twx_outcome_read(const twx_job *job, twx_lock_state *ret_last);
/* If a guard stopped it, a line that says when and why. */
TWX_CHECK twx_rc twx_outcome_write(const twx_out *out, const twx_lock_state *last);
/* The job of one of its stores. */
twx_job twx_job_of_store(const twx_job *all, size_t i);
/* ret_diff: initialised, with its limit. */
TWX_CHECK twx_rc twx_compare_results(const twx_job *job, twx_result_diff *ret_diff);

typedef struct twx_host_figures {
    twx_slice name;
    /* copies: by relation: documents that another one represents */
    uint64_t documents, indexable, hidden, copies[TWX_RELATIONS];
    uint64_t shown;      /* of those that take part */
    double hidden_share; /* of them */
} twx_host_figures;

const char *twx_relation_name(size_t i);

/* A row of the log of runs. */
typedef struct twx_run_row {
    int64_t run, started_at;
    int64_t seconds, documents, indexable, hidden;          /* -1: not known */
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
    twx_lock_state last;             /* of a run that is not in the log: a guard stopped it */
} twx_store_report;

/* What the stores of a job are called together: "a.db and 2 more stores". */
TWX_CHECK twx_rc twx_title_keep(const twx_job *job, twx_arena *arena, const char **ret_title);
void twx_store_report_done(twx_store_report *r);

TWX_CHECK twx_rc twx_store_report_write(const twx_out *out, const twx_store_report *r);

enum {
    TWX_PAGE_GROUPS = 20,
    TWX_PAGE_MEMBERS = 10,
    TWX_PAGE_SUSPECTS = 20,
    TWX_PAGE_TITLES_LEAST = 3, /* documents with one title */
    TWX_PAGE_CHANGES = 25,
    TWX_PAGE_RUNS = 60
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

/* Pages without content of one host and class, or shown documents of one title. */
typedef struct twx_page_suspect {
    uint64_t documents, fresh; /* fresh: those that were pages in the earlier result, or new */
    uint8_t class;             /* twx_page_class */
    twx_slice host;
    twx_page_document examples[2];
    twx_slice excerpt; /* of the text */
} twx_page_suspect;

/* An edition in one place of the URLs of a host, as lines of the pins name it. */
typedef struct twx_page_edition {
    twx_slice host, place; /* "/docs/" "*" */
    int64_t value;         /* twx_edition_number() */
    uint64_t documents, newest;
    uint64_t steps; /* newer editions of the page, summed over the documents */
} twx_page_edition;

typedef struct twx_report_page {
    twx_arena arena;
    int64_t made_at; /* seconds since 1970 */
    twx_store_report figures;
    uint64_t clusters;      /* of the verdict: documents that represent others */
    uint32_t threshold_ppm; /* of the near-duplicate method; 0: it has none that is a share */
    twx_page_counts sizes, similarities;
    TWX_VEC(twx_page_group) groups;          /* the largest */
    twx_mirror_list mirrors, mirrors_before; /* before: of the earlier result */
    size_t suspects_most;                    /* how many of each kind are listed; 0: all */
    TWX_VEC(twx_page_suspect) no_pages, same_title;
    uint64_t no_pages_n, same_title_n;  /* all there are */
    uint64_t no_pages_fresh;            /* their documents that are new */
    TWX_VEC(twx_page_edition) editions; /* by host and place, the oldest first */
    twx_result_diff diff;
    bool has_diff;        /* an earlier complete result exists */
    twx_slice rules;      /* what was learned of parameters, as a file for url.rules */
    const char *no_rules; /* why there are none; NULL: there are */
} twx_report_page;

typedef struct twx_listed_reading {
    const twx_job *job;
    twx_store_set *set;
    twx_arena *arena;
} twx_listed_reading;

/* Reads id, URL and title, and the first text_most bytes of the text if ret_text is given: absent
 * when it is longer than TWX_PAGE_TEXT_BYTES. A document that is gone, or whose row is too long to
 * be read, has a note in place of its URL. */
TWX_CHECK twx_rc twx_page_document_read(const twx_listed_reading *r, uint32_t store,
                                        const twx_value *id, twx_page_document *ret_document,
                                        size_t text_most, twx_slice *ret_text);

/* page_groups */
TWX_CHECK twx_rc twx_page_groups_read(const twx_listed_reading *r, twx_report_page *p);

/* page_suspects (suspects.c): hosts with pages without content, titles of many shown documents,
 * and places of editions: those of TWX_READ_... that are in `reads`. */
TWX_CHECK twx_rc twx_page_suspects_read(const twx_listed_reading *r, unsigned reads,
                                        twx_report_page *p);

/* copy_check.c: decides whether a document is a copy of another (judge/names.c,
 * judge/proof.c) and gives the reason, for commands that explain decisions. Names are stored as
 * hashes, so the words are looked up in the document itself. The words that a site uses everywhere
 * are known from the signatures of the last run, which are loaded for the first question.
 * twx_copy_check_pair() works without them, for documents that have not been signed.
 * Memory: owned handle. */

typedef struct twx_copy_check twx_copy_check;

/* May the document be represented by the other one?
 * contained: the other has its name, and harmless: their texts differ in nothing that makes them
 * different pages; a copy needs both, and a similarity
 * similarity: millionths, as estimated by the near-duplicate method; -1: not a pair
 * demands: the words of the document's name that were asked for; missing: the first of them that
 * the other document lacks
 * difference: the words that make the texts different pages; borrowed until the next question */
typedef struct twx_copy_answer {
    /* false: the near-duplicate method that is configured verifies no pairs, names alone decide and
     * there is none, or one of the documents has no signature */
    bool known;
    bool contained, harmless, unlimited;
    bool equal_texts;
    bool described_otherwise; /* equal texts, which have different descriptions */
    bool named_otherwise;     /* only the URLs have names, and these are different */
    bool shown_otherwise;     /* their images or structured data have other names */
    int32_t similarity;
    twx_demand missing;
    twx_demands demands;
    twx_slice difference;
} twx_copy_answer;

/* stores[0..n): in the order of a document set (run/judge_input.c); borrowed. Reads nothing yet. */
TWX_CHECK twx_rc twx_copy_check_open(const twx_load_store *stores, size_t n,
                                     twx_copy_check **ret_check);
void twx_copy_check_close(twx_copy_check *check);

/* A document by its number, and the place of its store in the list. */
typedef struct twx_copy_place {
    uint32_t store;
    int64_t doc;
} twx_copy_place;

/* With the words learned from the signatures of all stores. !ret_answer->known: the
 * signatures of one of the two are missing or were made with other settings. Considers the
 * documents' own names and those of documents with the same text. */
TWX_CHECK twx_rc twx_copy_check_stored(twx_copy_check *check, twx_copy_place document,
                                       twx_copy_place other, twx_copy_answer *ret_answer);
/* Compares two documents alone, by their fields; no word is excluded as common. */
TWX_CHECK twx_rc twx_copy_check_pair(twx_copy_check *check, const twx_lookup *document,
                                     const twx_lookup *other, twx_copy_answer *ret_answer);

/* The sentences of a text that are known as boilerplate of the document's host, after
 * twx_copy_check_stored() has answered; none if texts are not compared. */
TWX_CHECK twx_rc twx_copy_check_boilerplate(twx_copy_check *check, twx_copy_place document,
                                            twx_slice text, twx_unit_list *ret_units);

/* Appends the reason, as the fields of the document spell it: "'vsrc' in its title is not in the
 * other", "its name is there: 'llvm'". */
TWX_CHECK twx_rc twx_copy_reason(twx_copy_check *check, const twx_lookup *document,
                                 const twx_copy_answer *answer, twx_buf *out);

/* plot.c: plots as inline SVG. The first part maps values to coordinates and chooses ticks;
 * it is pure. The second part writes one svg element for a given width in pixels. Colours and type
 * are classes of share/report/report.css; an svg has no style of its own, so that a strict
 * Content-Security-Policy allows it.
 * [R1] An axis begins at 0 and ends at a tick: a multiple of 1, 2 or 5 times a power of ten. */

enum { TWX_TICKS_MAX = 16 };

typedef struct twx_scale {
    double low, high; /* values */
    double from, to;  /* coordinates of low and high */
} twx_scale;

/* The smallest step of 1, 2 or 5 times a power of ten that divides `span` into at most `most`
 * parts; never below 1, because all values are counts, unless `fine`. */
double twx_tick_step(double span, size_t most, bool fine);
/* An axis for values of 0 to highest. */
twx_scale twx_scale_linear(double highest, size_t most_ticks, double from, double to);
double twx_scale_at(const twx_scale *s, double value);
/* Returns their number, at most TWX_TICKS_MAX. */
size_t twx_scale_ticks(const twx_scale *s, size_t most, double ret_ticks[TWX_TICKS_MAX]);

typedef struct twx_plot_bar {
    const char *label; /* a text of the program */
    uint64_t value;
} twx_plot_bar;

typedef struct twx_plot {
    const char *id;    /* of the svg; unique in the report */
    const char *title; /* for screen readers */
    const char *x, *y; /* titles of the axes, with units */
    int width;
    double mark;           /* of columns: where a line stands, counted in columns from the left */
    const char *mark_text; /* NULL: no line */
} twx_plot;

/* Columns side by side: a histogram. Labels and values are drawn where there is room. */
void twx_plot_columns(twx_markup *h, const twx_plot *p, const twx_plot_bar *bars, size_t n);
/* A line over time; value < 0: none at this point. */
typedef struct twx_plot_line {
    const char *name, *class;
    const double *values;
} twx_plot_line;
/* labels: of the n points, which are equally spaced. */
void twx_plot_lines(twx_markup *h, const twx_plot *p, const twx_plot_line *lines, size_t lines_n,
                    const char (*labels)[TWX_NUMBER_BYTES], size_t n);

/* markup_parts (markup.c): the parts that sections of the report page are made of: tables of
 * numbers, and how a figure is obtained. */

/* A row of a table: the fields of the table say which members it has.
 * Memory: texts are borrowed, from the report or from the arena of the rows. */
typedef struct twx_page_row {
    twx_slice text[5];
    int64_t n[5]; /* below 0: not known */
    int32_t ppm;
    double share;      /* below 0: of none */
    const char *class; /* of the colour of its share */
} twx_page_row;

#define TWX_ROW_OF_SUMS "all" /* the class of a last row with sums */

typedef struct twx_page_rows {
    twx_ctx *cx; /* borrowed */
    twx_rc rc;   /* the first failure; no row is added after it */
    twx_arena arena;
    twx_page_row *at; /* as of TWX_VEC */
    size_t n, cap;
} twx_page_rows;

void twx_page_rows_done(twx_page_rows *rows);

/* How a text of the report looks: the width of its field. NUMBER: as the numbers of its column. */
enum { TWX_LOOK_PLAIN, TWX_LOOK_NUMBER, TWX_LOOK_NAME, TWX_LOOK_WIDE, TWX_LOOK_CODE };

/* What of a report is read. */
enum {
    TWX_READ_FIGURES = 1,
    TWX_READ_COUNTS = 2,
    TWX_READ_GROUPS = 4,
    TWX_READ_NO_PAGES = 8,
    TWX_READ_TITLES = 16,
    TWX_READ_EDITIONS = 32,
    TWX_READ_MIRRORS = 64,
    TWX_READ_CHANGES = 128
};

/* A table of the report: in its HTML NAME-table, as a file NAME.csv. Its list is complete, except
 * for what is not read. The fields have the names of its columns in CSV and their headings. */
typedef struct twx_page_table {
    const char *name, *caption;
    const twx_field *fields; /* of a twx_page_row */
    size_t n_fields;
    void (*list)(const twx_report_page *p, twx_page_rows *rows);
    unsigned reads;   /* TWX_READ_... */
    size_t most;      /* rows in the HTML; 0: all */
    bool sortable;    /* by a click on a heading */
    const char *none; /* what the HTML says if there are no rows */
} twx_page_table;

const twx_page_table *twx_page_table_of(twindex_sheet sheet);
/* The table stands in a region that scrolls sideways. */
void twx_table_write(twx_markup *h, const twx_page_table *t, const twx_page_rows *rows);

/* A number as an argument of twx_markup_put(): "12,345". */
#define TWX_COMMAS(n) twx_number_text((uint64_t)(n), ',', (char[TWX_NUMBER_BYTES]){0})

/* How a figure is obtained: `twindex` with these arguments around the store's path, or a
 * statement, shown without its comments. Either may be NULL. limit: of the command and, in place of
 * ?1, of the statement; 0: none. */
typedef struct twx_markup_source {
    const char *command, *options; /* "groups", " --detector exact" */
    const char *sql;
    int limit;
    const char *note;
} twx_markup_source;
void twx_source_note(twx_markup *h, const twx_store_report *r, const twx_markup_source *source);

/* The seconds since 1970 as "2026-11-22 09:20", or as "2026-11-22T09:20:41Z"; "" if they are out of
 * range. */
enum { TWX_TIME_BYTES = 32 };
const char *twx_minute_text(int64_t seconds, char room[TWX_TIME_BYTES]);
const char *twx_second_text(int64_t seconds, char room[TWX_TIME_BYTES]);

/* precedence.c: which criterion of the total order (judge/order.c) made one document
 * precede another. Values that no document has by itself are those of the last run: the form of the
 * URL is known from the flags; origins of texts are counted in the signatures of all stores, which
 * are read for the first pair of two domains that nothing before `origin` decides.
 * Memory: owned handle. */

typedef struct twx_precedence twx_precedence;

/* set, stores (of the set, in its order) and pins (NULL: none) are borrowed. */
TWX_CHECK twx_rc twx_precedence_open(const twx_job *job, twx_store_set *set,
                                     const twx_load_store *stores, const twx_pins *pins,
                                     twx_precedence **ret_precedence);
void twx_precedence_close(twx_precedence *p);

/* first: the document that precedes the other one. */
TWX_CHECK twx_rc twx_precedence_ask(twx_precedence *p, twx_set_document first,
                                    twx_set_document second, twx_criterion *ret_by);

/* The stored facts of a document, in `room`. Errors TWX_E_DATA: there are none */
TWX_CHECK twx_rc twx_set_facts(const twx_store_set *set, twx_set_document document, twx_buf *room,
                               twx_facts *ret_facts);
/* " but for: REASON; REASON": what is left out of the URL of a; if nothing is, of that of b. */
TWX_CHECK twx_rc twx_parameters_why(const twx_store_set *set, twx_parameters *m, twx_set_document a,
                                    twx_set_document b, twx_buf *line);

/* presets (list_groups.c): mappings for known programs, share/presets/NAME.conf. A preset is
 * data: its first comment lines name the program and the tables and columns by which it is
 * recognized ("# needs: table(column, column), table(column)"); the rest is a configuration.
 * Presets are embedded at build time, so that a new program needs a file but no code. */

typedef struct twx_preset {
    const char *name;
    twx_slice about, config; /* the first line; the text after the "# needs:" line */
} twx_preset;

/* The preset all of whose tables and columns exist in the store; if there are several, the one with
 * most columns. TWX_DONE: none. */
TWX_CHECK twx_rc twx_preset_find(twx_db *reader, twx_preset *ret_preset);

/* probe (copy_check.c): compares one detector's signature of a document with its signatures of
 * others.
 * [R1] Symmetric: probing b from a and a from b gives the same, but for the order of the keys. */

/* Memory: embedded struct; params are borrowed, the rest is owned. */
typedef struct twx_probe {
    const twx_detector *detector;
    const twx_params *params;
    twx_params any;        /* params with which every pair passes verification */
    TWX_VEC(twx_key) keys; /* by which candidates are found; sorted */
    twx_buf payload;
} twx_probe;

typedef struct twx_nearness {
    size_t keys, other_keys, shared; /* number of candidate keys of each, and of those in common */
    /* millionths, ignoring thresholds: as computed by verify, else 2 * shared / (keys +
     * other_keys); -1: unknown */
    int32_t similarity;
    /* a run that uses the detector would make them a pair (scopes and translations aside) */
    bool pair;
} twx_nearness;

/* entry NULL: the document has no signature. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_probe_open(twx_ctx *cx, const twx_detector *detector, const twx_params *params,
                                const twx_record_entry *entry, twx_probe *ret_probe);
void twx_probe_done(twx_probe *y);
/* other NULL: the other document has no signature. */
twx_nearness twx_probe_try(const twx_probe *y, const twx_record_entry *other);

/* report_sections: the sections of the report page, each without its heading. */
#define TWX_NO_CLUSTERS "<p class=\"none\">There are no clusters of two or more documents.</p>\n"

/* figure_sections.c: a figure with the table, or with what it says without rows; how many are
 * listed of `total`, if it is not all; and where it comes from (NULL: no figure, but the table
 * alone). Returns the rows. */
size_t twx_section_table(twx_markup *h, const twx_report_page *p, twindex_sheet sheet, size_t total,
                         const twx_markup_source *source);
void twx_section_flow(twx_markup *h, const twx_report_page *p);
void twx_section_relations(twx_markup *h, const twx_report_page *p);
void twx_section_sizes(twx_markup *h, const twx_report_page *p);
void twx_section_runs(twx_markup *h, const twx_report_page *p);
/* host_sections */
void twx_section_hosts(twx_markup *h, const twx_report_page *p);
void twx_section_mirrors(twx_markup *h, const twx_report_page *p);
/* Lists mirrors that are new, up to TWX_PAGE_CHANGES; h NULL: counts all. */
size_t twx_new_mirrors(twx_markup *h, const twx_report_page *p);
/* document_sections.c */
void twx_section_groups(twx_markup *h, const twx_report_page *p);
void twx_section_editions(twx_markup *h, const twx_report_page *p);
void twx_section_suspects(twx_markup *h, const twx_report_page *p);
void twx_section_since(twx_markup *h, const twx_report_page *p);

#endif
