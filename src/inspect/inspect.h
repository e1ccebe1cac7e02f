/* inspect/inspect.h: answers about results, as text or JSON. TWX_E_DOUBT: they need attention. */
#ifndef TWX_INSPECT_INSPECT_H
#define TWX_INSPECT_INSPECT_H

#include "run/run.h"

/* doctor.c: the mapping, the schema, the health of the file, what a run would do, and what would
 * prevent it, of each store; with several stores, what they are together comes last: the flags of
 * one run, and no reference to a store that is missing. Writes nothing into a store.
 * thorough: also the state of the files, the lock and the versions, what programs that
 * were killed have left, and what would make runs faster. TWX_E_DOUBT: there are problems. */
TWX_CHECK twx_rc twx_check_stores(const twx_job *job, bool thorough, const twx_out *out);

/* suggest (check.c): a configuration for a store filled by another program, with comments that show
 * its effect: three sample rows, fill rates and warnings (TWX_E_DOUBT). Errors TWX_E_CONFIG: no
 * documents were found. */
TWX_CHECK twx_rc twx_suggest(const twx_job *job, const twx_out *out);

/* listed_document (similar.c) */

/* A document as results name it: its id, its URL and its store.
 * Memory: the bytes are borrowed; twx_listed_document_copy() copies them into an arena. */
typedef struct twx_listed_document {
    twx_value id;
    twx_slice url;   /* absent: it has none */
    twx_slice store; /* among several; absent: there is no other */
} twx_listed_document;

TWX_CHECK twx_rc twx_listed_document_copy(twx_ctx *cx, twx_arena *arena, const twx_value *id,
                                          twx_slice url, twx_listed_document *ret_document);
/* Writes "42  https://example.org/" and " in STORE". most: the URL is made safe for a terminal and
 * cut off after so many characters; 0: it is written as it is stored. */
enum { TWX_LISTED_URL_SHOWN = 2000 };
TWX_CHECK twx_rc twx_listed_document_write(const twx_out *out, const twx_listed_document *d,
                                           size_t most);
/* {"id": ..., "url": ..., "store": ...}; new reference, NULL: out of memory */
json_t *twx_listed_document_json(const twx_listed_document *d);

/* A line with the URLs of its documents, which are in this order. */
TWX_CHECK twx_rc twx_out_mentions(const twx_out *out, twx_slice text, const twx_mention *at,
                                  size_t n);

/* explain.c: every flag of one document: its value, the rule, the representative and the evidence.
 * Errors TWX_E_NOTFOUND: no document has this id or URL. */
TWX_CHECK twx_rc twx_explain(const twx_job *job, const char *url_or_id, const twx_out *out);

/* One or two passages between two common passages. */
typedef struct twx_compared_passage {
    twx_slice before; /* the common passage before it */
    twx_slice a, b;   /* n == 0: this text has nothing there */
} twx_compared_passage;
typedef TWX_VEC(twx_compared_passage) twx_compared_passages;

/* Counts all differing passages, and appends the first `limit` (0: all), copied into the arena. */
TWX_CHECK twx_rc twx_differences_list(twx_ctx *cx, const twx_text_diff *diff, size_t limit,
                                      twx_arena *arena, twx_compared_passages *passages,
                                      size_t *ret_differences);
/* As text, with the context before each; as JSON, a new reference. */
TWX_CHECK twx_rc twx_passages_write(const twx_out *out, const twx_compared_passages *passages);
json_t *twx_passages_json(const twx_compared_passages *passages);

/* compare.c: two documents (id or URL) compared: the similarity of their texts, what each detector
 * finds, whether one may represent the other, and the passages that differ. Errors TWX_E_NOTFOUND,
 * TWX_E_CONFIG, those of reading, and those of cancellation, because long texts take seconds. */
TWX_CHECK twx_rc twx_compare(const twx_job *job, const char *a, const char *b,
                             const twindex_compare_options *options, const twx_out *out);

/* similar.c: the documents most similar to one by one detector; the texts of the best are compared.
 * Signatures stored by a run are used if they were made with the current settings and this
 * detector; they reflect the state of that run. Otherwise every document is read and signed, once
 * (twice for global detectors). Errors TWX_E_NOTFOUND, TWX_E_USAGE (unknown detector), those of
 * reading, and those of cancellation. */
TWX_CHECK twx_rc twx_similar(const twx_job *job, const char *url_or_id,
                             const twindex_similar_options *options, const twx_out *out);

/* list_groups.c: the groups of two or more documents, largest first.
 * relation: the name of a relation (judge/groups.c) or of its detector, "verdict", or NULL for
 * the clusters. limit 0: all groups and all members. */
TWX_CHECK twx_rc twx_list_groups(const twx_job *job, const char *relation, size_t limit,
                                 const twx_out *out);
/* All documents of all clusters of the verdict as CSV, with what is kept in their place and why. */
TWX_CHECK twx_rc twx_list_groups_csv(const twx_job *job, const twx_out *out);

/* find_mirrors (list_groups.c): finds hosts that mirror another host according to the published
 * flags, and lists them. The result is stored in twindex_host_mirror for ranking rules.
 * [R1] A second call writes nothing.
 * [R2] If the store cannot be written or is locked by a run, a warning is issued; the mirrors are
 * found and printed nevertheless. */
TWX_CHECK twx_rc twx_find_mirrors(const twx_job *job, const twx_out *out);

/* The list. Memory: embedded struct, zeroed; twx_mirror_list_done(). */
typedef struct twx_mirror_list {
    const char *store;
    uint32_t ratio_ppm, min_documents; /* as configured */
    twx_arena names;
    twx_mirror_hosts hosts; /* in names */
    twx_mirrors found;
    bool kept; /* they are in twindex_host_mirror */
} twx_mirror_list;

void twx_mirror_list_done(twx_mirror_list *list);
TWX_CHECK twx_rc twx_mirror_list_write(const twx_out *out, const twx_mirror_list *list);

/* detector_list (list_groups.c): the table of the detectors. at(i): a row; NULL after the last. */
TWX_CHECK twx_rc twx_detector_list_write(const twx_out *out, const twx_detector *(*at)(size_t i));

/* diff.c: the documents whose flags differ between the published generation and the other one, of
 * which `limit` are listed (0: all). TWX_E_DOUBT: there are some. */
TWX_CHECK twx_rc twx_diff(const twx_job *job, size_t limit, const twx_out *out);

/* digest (remove.c): the digest of the published flags (store/generations.c); of several stores,
 * the sum of their digests: that of one store with all documents, if their ids differ. */
TWX_CHECK twx_rc twx_digest_flags(const twx_job *job, const twx_out *out);
TWX_CHECK twx_rc twx_digest_write(const twx_out *out, const twx_hash128 *digest);

/* remove.c: takes everything of Twindex out of a store, and removes the lock file; a file of
 * --flags is removed as a whole. dry_run: only lists what would be removed.
 * [R1] What is not Twindex's is unchanged: rows, schema, settings of the file.
 * [R2] A process that is killed leaves all objects or none. Errors TWX_E_BUSY: a run is at work. */
TWX_CHECK twx_rc twx_remove(const twx_job *job, bool dry_run, const twx_out *out);
/* Publishes the generation of flags that was published before. */
TWX_CHECK twx_rc twx_undo(const twx_job *job, const twx_out *out);

/* add_pin (remove.c): a line for the file of pins (judge/pins.c) about documents of the store.
 * Writes {"line": ..., "added": ...}: the line with the normal URLs of the documents, and what has
 * to be appended to pin->text so that the line is in it; "" if it is there already. The text itself
 * is not written: its comments may be in any encoding, and JSON is UTF-8.
 * Errors TWX_E_USAGE: no such kind, or a document too few or too many; TWX_E_NOTFOUND;
 * TWX_E_DATA: a document without a usable URL; TWX_E_CONFIG: the text as it is has an error. */
TWX_CHECK twx_rc twx_add_pin(const twx_job *job, const twindex_pin *pin, const twx_out *out);

/* report.c: totals of a store or of several together, figures by detector and by host, and the
 * history of runs. It reads no texts. */
TWX_CHECK twx_rc twx_report(const twx_job *job, const twx_out *out);

/* report_page (report.c): the report as one HTML page, and what a reader looks at to judge the
 * figures: groups with their members, mirrors, suspects, changes.
 * [R1] The report requests nothing: styles, script and plots are in it, and its
 * Content-Security-Policy allows only these, by their hashes.
 * [R2] Lists are cut off at the limits of TWX_PAGE_..., and the page says so.
 * [R3] Texts are read of the documents that are shown, and of no others. */

/* Adds what was learned of parameters, as a file for url.rules, or says why there is nothing. */
typedef twx_rc twx_rules_fn(const twx_job *job, twx_buf *text, const char **ret_why);
TWX_CHECK twx_rc twx_report_as_page(const twx_job *job, twx_rules_fn *rules, const twx_out *out);

/* report_sheets (report.c): tables of the report as CSV. */
TWX_CHECK twx_rc twx_report_sheet(const twx_job *job, twindex_sheet sheet, const twx_out *out);
const char *twx_sheet_name(twindex_sheet sheet); /* NULL: there is no such table */

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
/* A name of a host, which may be broken after a dot. */
void twx_markup_host(twx_markup *h, twx_slice name, size_t most);
/* A crawled URL: a link if it is an http or https URL of ordinary length, else text. */
void twx_markup_url(twx_markup *h, twx_slice url);
/* 92.6 %; "<0.1 %" and ">99.9 %" for what would be rounded to none or all; "–" below 0. */
void twx_markup_share(twx_markup *h, double share);

/* 1.2k, 34M: for the ticks of an axis. */
const char *twx_short_number(double v, char room[TWX_NUMBER_BYTES]);

/* fit_lines (markup.c): a sink that fits a text to the width of the terminal: prose, which
 * begins with a letter, is continued in the next line; rows are cut and end with an ellipsis.
 * Output that is not for a terminal, and JSON, pass unchanged.
 * Memory: embedded struct; twx_fit_lines_init(), _done(). The outer output is borrowed. */

typedef struct twx_fit_lines {
    const twx_out *outer;
    size_t hanging; /* all lines are continued, the rows of a list with this indentation; 0: cut */
    twindex_sink sink;
    twx_out out; /* to be written to */
    twx_buf line, urls;
    TWX_VEC(struct twx_fit_link) links; /* of the line */
} twx_fit_lines;

void twx_fit_lines_init(twx_fit_lines *f, const twx_out *outer);
/* Writes what follows the last line feed. */
TWX_CHECK twx_rc twx_fit_lines_end(twx_fit_lines *f);
void twx_fit_lines_done(twx_fit_lines *f);

#endif
