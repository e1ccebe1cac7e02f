/* predict/learn_urls.h: learns from a store: its documents with their flags, the stored model, and
 * what is said of it. */
#ifndef TWX_PREDICT_LEARN_URLS_H
#define TWX_PREDICT_LEARN_URLS_H

#include "predict/hypotheses.h"
#include "predict/learner.h"
#include "predict/model.h"
#include "predict/url_model.h"
#include "run/job.h"
#include "run/open_store.h"
#include "run/out.h"
#include "url/url_rules.h"

/* Converts the learned model between memory (predict/model.h) and the
 * store's tables (predict/url_model.h). */

/* Writes what differs; creates the tables if necessary. db: a writer. */
TWX_CHECK twx_rc twx_model_store(const twx_job *job, twx_db *db, const twx_model *m,
                                 const twx_url_model_head *head, uint64_t *ret_changed);
/* Loads the model. ret_model: initialised, empty; ready afterwards. with_seen false: contexts only,
 * which suffice for rules. Errors TWX_E_DATA: no model was learned, or by another version. */
TWX_CHECK twx_rc twx_model_load(const twx_job *job, twx_db *db, bool with_seen,
                                twx_model *ret_model, twx_url_model_head *ret_head);

/* What was learned from the URLs of a store, for learn. */

/* Of a hypothesis: its contexts; those with a high probability; trials by result. */
typedef struct twx_learned_row {
    uint64_t contexts, confident, dup, nodup;
} twx_learned_row;

typedef struct twx_learn_summary {
    const char *store;
    int64_t run;
    uint64_t urls, share; /* one in `share` of all paths was learned from */
    uint64_t seen_keys, rows_written, no_page;
    twx_learned_row rows[TWX_HYPOTHESES];
} twx_learn_summary;

TWX_CHECK twx_rc twx_learn_summary_write(const twx_out *out, const twx_learn_summary *s);

/* Reads every document of the store as prediction needs it: its URL in
 * normal form, its fetch date, and its content class, which follows from the flags of the last run.
 *
 * Documents that take part and have a text have a class: copies of each other have one, all others
 * one of their own. Whatever else the flags say of two documents is no evidence (that they are
 * alike, have the same text, are forms of one URL, or one leads to the other): pages of one form
 * are alike, and an equal text may stand under other names. Documents that take no part or have no
 * text have no class.
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
    uint64_t documents, unjudged /* newer than the run */, unusable /* no URL */;
    uint64_t no_page, contents; /* without a class, with one */
    bool judged;                /* the run looked for copies */
} twx_learn_counts;

/* How URLs are normalised, and the fingerprint of a model of such URLs. Memory: embedded struct;
 * twx_learn_normalizer_done(). */
typedef struct twx_learn_normalizer {
    twx_url_options options;
    twx_url_rules *rules;
    uint64_t fingerprint;
} twx_learn_normalizer;

TWX_CHECK twx_rc twx_learn_normalizer_make(const twx_job *job, twx_learn_normalizer *ret_urls);
void twx_learn_normalizer_done(twx_learn_normalizer *u);

/* Calls fn for each document in order of scan_key. state: of o->generations; a generation must be
 * published. */
typedef twx_rc twx_learn_document_fn(void *arg, const twx_learn_document *page);
typedef struct twx_page_reading {
    const twx_learn_normalizer *urls;
    twx_state state;
    twx_learn_document_fn *fn;
    void *arg;
} twx_page_reading;
TWX_CHECK twx_rc twx_learn_documents_each(const twx_job *job, twx_opened *o,
                                          const twx_page_reading *reading,
                                          twx_learn_counts *ret_counts);

/* Learns from the published flags which parts of URLs do not matter, and
 * stores the model in the store's tables. */

/* [R1] Writes nothing when nothing differs. Errors TWX_E_DATA: no run has been published yet;
 * TWX_E_BUSY: a run is in progress. */
TWX_CHECK twx_rc twx_learn(const twx_job *job, twx_learn_summary *ret_summary);

/* After a run: learns again if a model exists and another run is published now. Failures are
 * reported as warnings, because the run itself succeeded. Errors: those of twx_cancelled() only. */
TWX_CHECK twx_rc twx_learn_again(const twx_job *job);

/* Reads the state, which must have a published generation. Errors TWX_E_DATA. */
TWX_CHECK twx_rc twx_published_state(const twx_job *job, twx_opened *o, twx_state *ret_state);
static inline int64_t twx_published_run(const twx_state *state) {
    return state->run[state->generation == 'b'];
}
/* Warns of what limits learning: no near detector, documents newer than the run. */
void twx_warn_learn_counts(const twx_job *job, const twx_learn_counts *counts);

#endif
