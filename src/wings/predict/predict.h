/* predict/predict.h: what URLs say about duplicates before a download. */
#ifndef TWX_PREDICT_PREDICT_H
#define TWX_PREDICT_PREDICT_H

#include "run/run.h"

/* model.c: a learned model, contexts with their trials and the keys of the URLs that were seen, and
 * its predictions.
 * [R1] The probability of a URL is the largest one of the hypotheses that apply (url/url.h); where
 * one that speaks of fewer URLs is contradicted (a parameter of this path), those that speak of
 * more (of the folder) do not apply.
 * [R2] A hypothesis applies to a URL when another URL was seen that differs from it as stated,
 * whichever of the two has the part that may not matter.
 * [R3] The order in which contexts are added and URLs are seen does not affect predictions, as long
 * as no limit is reached.
 * [R4] About 30 bytes a seen key. A key whose context cannot reach a probability of TWX_LIKELY is
 * not kept, so where a part of a URL matters, memory does not grow with its values. At its limit a
 * table of seen keys takes no more: URLs that were not recorded are fetched.
 * Memory: embedded structs, owned. Any number of threads may ask at once. */
#define TWX_LIKELY 0.5

typedef struct twx_model {
    TWX_VEC(twx_context) contexts;
    twx_map64 by_key;                     /* context key -> index */
    TWX_VEC(struct twx_partner) partners; /* by key, most likely first */
    twx_map64 partners_of;                /* partner's key -> index of the first */
    double best[TWX_VARIANT_KINDS];       /* the largest probability of any context of each kind */
    twx_map64 seen; /* keys of the documents that the model was learned from */
    twx_arena texts;
} twx_model;

typedef struct twx_prediction {
    double probability;     /* 0 when no hypothesis applies */
    const twx_context *why; /* NULL in that case */
} twx_prediction;

double twx_trial_probability(uint64_t dup, uint64_t nodup); /* [R1], without contradictions */

void twx_model_init(twx_model *m);
void twx_model_done(twx_model *m);
/* Copies the texts; the probability is computed. Errors TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_model_add_context(twx_ctx *cx, twx_model *m, const twx_context *context);
/* Called after the last context and before the first URL is seen or asked for. */
TWX_CHECK twx_rc twx_model_ready(twx_ctx *cx, twx_model *m);
const twx_context *twx_model_context(const twx_model *m, uint64_t key); /* NULL: none */
/* Counts one more pair that is evidence against it. */
void twx_model_contradict(twx_model *m, const twx_context *c);
/* Records that the document of this URL was fetched. `seen`: m->seen, or a table of the caller
 * besides it. */
TWX_CHECK twx_rc twx_model_add_seen(twx_ctx *cx, const twx_model *m, const twx_url_variants *page,
                                    twx_map64 *seen);
/* also: URLs seen besides; NULL: none. */
twx_prediction twx_model_predict(const twx_model *m, const twx_map64 *also,
                                 const twx_url_variants *page);
/* Is a likely duplicate fetched all the same? True for the given share of URLs, chosen by a hash.
 * url: in normal form. */
bool twx_explores(twx_slice url, double share);

/* answers (predict.c): reads lines of standard input for a co-process, which must answer every line
 * it has read before it blocks for more input.
 * [R1] A line ends with LF; a CR before it is removed; the last line may lack the LF.
 * [R2] A line longer than TWX_LINE_MAX is truncated and marked as cut.
 * [R3] A signal that requests a stop ends the waiting.
 * Memory: owned handle; a line is borrowed until the next call. */
enum { TWX_LINE_MAX = 2 << 20 };

typedef struct twx_line_reader twx_line_reader;
/* fd: borrowed. before_wait: called before the reader blocks for more input. */
TWX_CHECK twx_rc twx_line_reader_open(twx_ctx *cx, int fd, twx_rc (*before_wait)(void *arg),
                                      void *arg, twx_line_reader **ret_feed);
void twx_line_reader_close(twx_line_reader *f);
/* TWX_DONE: end of input. */
TWX_CHECK twx_rc twx_line_reader_next(twx_line_reader *f, twx_slice *ret_line, bool *ret_cut);

/* learner.c: learns a model from URLs and the content classes of their documents, in one
 * linear pass over sorted keys.
 *
 * Every URL gives its variants (hypotheses); sorting brings equal group keys together, the
 * counterpart among them. The k URLs of a group give k - 1 trials, each URL with the next one in
 * the order of the URLs' hashes; a trial is a duplicate when both are of one content class. So a
 * URL is compared with one counterpart, in effect a random one, as a crawler would encounter it: a
 * group of ten thousand weighs as much as ten thousand groups of two, not as fifty million pairs,
 * and the expected share of duplicates is that of all pairs.
 * What many pairs of one page, one path or one value say of others is little, so duplicates of each
 * of them are limited (twx_hypothesis.each); pairs that are no duplicates all count.
 * Of a path (1), a pair of duplicates counts when the second URL has a parameter that none before
 * had, because the hypothesis is about any parameter.
 * Hypotheses about an added part compare a URL that has it with the URL that does not: one trial
 * for each such pair. Pairs (8): neighbours that differ in one of the two parameters only are not a
 * trial, because that is hypothesis 2. Origins (10): each of the URLs of one path and query at
 * different origins, or with folders before that path, is compared with up to TWX_ORIGINS_PAIRED
 * that follow, unless both have such folders.
 *
 * At last the rules that would follow are applied to all URLs (rule_check).
 *
 * [R1] The model is a function of the set of (URL, class): neither the order of adding nor the
 * number of sessions affects it. A URL that is added again with another class counts with the
 * smaller class.
 * [R2] The memory limit covers URLs and sort buffers. When it is reached, half of the paths are
 * dropped, by a hash of the path without its origin, and so on; paths are kept or dropped as a
 * whole, so that counterparts stay together.
 * [R3] URLs longer than TWX_LEARN_URL_MAX are left out.
 * Memory: owned handle. */

enum { TWX_LEARN_URL_MAX = 8 << 10, TWX_ORIGINS_PAIRED = 8 };

typedef struct twx_learner twx_learner;

/* folder: of temporary files, borrowed; NULL: $TMPDIR or /tmp. */
TWX_CHECK twx_rc twx_learner_open(twx_ctx *cx, size_t bytes, const char *folder,
                                  twx_learner **ret_learner);
void twx_learner_close(twx_learner *l);
/* url: in normal form; borrowed for the call. content: equal for duplicates. */
TWX_CHECK twx_rc twx_learner_add(twx_learner *l, twx_slice url, uint64_t content);
/* One of this many paths is learned from [R2]. */
uint64_t twx_learner_share(const twx_learner *l);
uint64_t twx_learner_urls(const twx_learner *l); /* distinct ones; valid after making */
/* Ends adding. ret_model: initialised, empty; gets contexts and seen keys. */
TWX_CHECK twx_rc twx_learner_make(twx_learner *l, twx_model *ret_model);

/* url_model (learn_urls.c): reads and writes the tables of what `twindex learn` has learned
 * (url_hypothesis in sql/schema.sql); predict/model.c defines their meaning. The tables are
 * created by the first `twindex learn`.
 * [R1] Writing changes only rows that differ, in one transaction: a reader sees either the old
 * model or the new one.
 * [R2] Reading keeps no statement open between batches of keys.
 * Memory: slices of rows are borrowed for the callback. */

typedef struct twx_url_model_head {
    int64_t run;
    uint64_t fingerprint;
    uint64_t urls, share;
} twx_url_model_head;

static inline twx_slice twx_url_context_text(sqlite3_stmt *stmt, int column) {
    const char *p = (const char *)sqlite3_column_text(stmt, column);
    return (twx_slice){p, p ? (size_t)sqlite3_column_bytes(stmt, column) : 0};
}
static inline uint32_t twx_url_context_count(sqlite3_stmt *stmt, int column) {
    const int64_t n = sqlite3_column_int64(stmt, column);
    return n < 0 ? 0 : n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}
/* A row of contexts in sql/query/predict.sql, also in the extension, which reaches SQLite in
 * another way. A form that this program does not know, which the caller ignores, gives the row
 * TWX_HYPOTHESES. Memory: texts are borrowed from the statement. */
static inline twx_context twx_url_context_of(sqlite3_stmt *stmt) {
    return (twx_context){.key = (uint64_t)sqlite3_column_int64(stmt, 0),
                         .row = (uint32_t)twx_hypothesis_find(twx_url_context_text(stmt, 2)),
                         .path = twx_url_context_text(stmt, 3),
                         .name = twx_url_context_text(stmt, 4),
                         .second = twx_url_context_text(stmt, 5),
                         .value = twx_url_context_text(stmt, 6),
                         .dup = twx_url_context_count(stmt, 7),
                         .nodup = twx_url_context_count(stmt, 8)};
}

/* TWX_DONE: nothing has been learned yet. */
TWX_CHECK twx_rc twx_url_model_head_read(twx_db *db, twx_url_model_head *ret_head);
typedef twx_rc twx_url_context_fn(void *arg, const twx_context *row);
TWX_CHECK twx_rc twx_url_contexts_each(twx_db *db, twx_url_context_fn *fn, void *arg);
typedef twx_rc twx_url_seen_fn(void *arg, const twx_map64_slot *row);
TWX_CHECK twx_rc twx_url_seen_each(twx_db *db, twx_url_seen_fn *fn, void *arg);

/* Shape  contexts and seen are in ascending order of their keys (signed), each once */
typedef struct twx_url_model_rows {
    twx_url_model_head head;
    const twx_context *contexts;
    size_t contexts_n;
    const twx_map64_slot *seen;
    size_t seen_n;
} twx_url_model_rows;

/* Creates the tables if they do not exist. */
TWX_CHECK twx_rc twx_url_model_make(twx_db *db);
/* *ret_changed: number of rows written and deleted. */
TWX_CHECK twx_rc twx_url_model_write(twx_db *db, const twx_url_model_rows *rows,
                                     uint64_t *ret_changed);

/* learn_urls.c: learns from the documents of a store with their flags, and keeps the model. */

/* Loads the model. ret_model: initialised, empty; ready afterwards. with_seen false: contexts only,
 * which suffice for rules. Errors TWX_E_DATA: no model was learned, or by another version. */
TWX_CHECK twx_rc twx_model_load(const twx_job *job, twx_db *db, bool with_seen,
                                twx_model *ret_model, twx_url_model_head *ret_head);

/* Reads every document of the store as prediction needs it: its URL in normal form, its fetch date,
 * and its content class, which follows from the flags of the last run. Documents that take part and
 * have a text have a class: copies of each other have one, all others one of their own. Whatever
 * else the flags say of two documents is no evidence (that they are alike, have the same text, are
 * forms of one URL, or one leads to the other): pages of one form are alike, and an equal text may
 * stand under other names. Documents that take no part or have no text have no class.
 * [R1] Texts are not read.
 * [R2] Documents that are newer than the last run, or have no usable URL, are left out and
 * counted. */
enum { TWX_NO_CLASS = 0 };

typedef struct twx_learn_document {
    twx_slice url;      /* borrowed for the call */
    uint64_t content;   /* TWX_NO_CLASS: none */
    int64_t fetched_at; /* INT64_MAX: unknown */
    int64_t doc;
} twx_learn_document;

typedef struct twx_learn_counts {
    uint64_t documents, unjudged; /* unjudged: newer than the run */
    uint64_t no_page, contents;   /* without a class, with one */
    bool judged;                  /* the run looked for copies */
} twx_learn_counts;

/* Calls fn for each document in order of scan_key. state: of o->generations; a generation must be
 * published. */
typedef twx_rc twx_learn_document_fn(void *arg, const twx_learn_document *page);
typedef struct twx_page_reading {
    const twx_url_options *urls;
    twx_state state;
    twx_learn_document_fn *fn;
    void *arg;
} twx_page_reading;
TWX_CHECK twx_rc twx_learn_documents_each(const twx_job *job, twx_opened *o,
                                          const twx_page_reading *reading,
                                          twx_learn_counts *ret_counts);

/* Learns from the published flags which parts of URLs do not matter, and stores the model in the
 * store's tables.
 * [R1] Writes nothing when nothing differs. out: for the summary; NULL: neither that nor warnings,
 * after a run, which has checked the file. Errors TWX_E_DATA: no run has been published yet;
 * TWX_E_BUSY: a run is in progress. */
TWX_CHECK twx_rc twx_learn(const twx_job *job, const twx_out *out);

/* After a run: learns again if a model exists and another run is published now. Failures are
 * reported as warnings, because the run itself succeeded. Errors: those of twx_cancelled() only. */
TWX_CHECK twx_rc twx_learn_again(const twx_job *job);

static inline int64_t twx_published_run(const twx_state *state) {
    return state->run[state->generation == 'b'];
}
/* Warns of what limits learning: no near detector, documents newer than the run. */
void twx_warn_learn_counts(const twx_job *job, const twx_learn_counts *counts);

/* predict.c: predicts the probability that a URL leads to a duplicate, for URLs given as arguments
 * or streamed on standard input. The model is loaded once; nothing is written to the store.
 * [R1] One answer for each URL, in order. Every line that has been read is answered before the
 * program blocks for more input, so a crawler can use it as a co-process.
 * [R2] Filtering: only URLs worth fetching are printed, and count as seen from then on. Some of the
 * likely duplicates are printed all the same (exploration), chosen by a hash of the URL.
 * Errors TWX_E_DATA: no model has been learned yet. */
TWX_CHECK twx_rc twx_predict(const twx_job *job, const twindex_predict_options *options,
                             const twx_out *out);

/* Appends the rules of `twindex predict --rules`, or sets *ret_why to the reason why there are
 * none, a text of the program. */
TWX_CHECK twx_rc twx_rules_text(const twx_job *job, twx_buf *text, const char **ret_why);

/* replay.c: replays the crawl to measure how many downloads prediction would have saved, and how
 * many pages it would have lost.
 *
 * The documents are ordered by fetched_at, then number; the first part is learned from, the rest
 * is predicted. After each fiftieth of the documents, what was fetched so far is learned from
 * again, as runs during a crawl do. In the rest, a URL whose probability reaches the threshold is
 * skipped (unless exploration selects it); the others are fetched and count as seen. A skipped URL
 * is a saved download; it is wrong when no document fetched before was its copy. A page is lost
 * when a URL was skipped and no document that was fetched, before or after, is its copy. Documents
 * without a class (predict/learn_urls.c) are neither copies nor lost.
 * Since what was fetched first and what is fetched later are often the same pages, this does not
 * show what happens to pages that are new. So there is a second replay: of a half of all *pages*,
 * chosen by a hash, every document is learned from, once, and those of the other half are
 * predicted.
 * Each threshold is a separate replay, because skipped URLs are not seen. Nothing is written. */
TWX_CHECK twx_rc twx_replay(const twx_job *job, twx_opened *o, const twx_url_options *urls,
                            const twindex_predict_options *options, const twx_out *out);

#endif
