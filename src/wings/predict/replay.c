#include "predict/predict.h"

/* What prediction would have saved and lost, for each threshold. */
enum { ROWS = 9 };

/* The result of one replay. */
typedef struct replay_row {
    double threshold;
    uint64_t saved, copies /* saved, and a copy of a fetched document */;
    uint64_t wrong /* saved, but not a copy of a document fetched before */, lost;
} replay_row;

/* What one model was learned from, and what it was asked for. */
typedef struct replay_part {
    size_t learned_from, predicted; /* documents */
    uint64_t unique, unique_rest;   /* pages: of all documents, of those only among the predicted */
    uint64_t copies;                /* among the predicted: copies of earlier documents */
    replay_row rows[ROWS];
} replay_part;

typedef struct replay_table {
    double exploration;
    replay_part by_time, by_page;
} replay_table;

static double percent(uint64_t part, uint64_t all) {
    return all ? 100.0 * (double)part / (double)all : 0;
}

static json_t *part_json(const replay_part *p) {
    json_t *list = json_array();
    for (size_t i = 0; i < ROWS; i++) {
        const replay_row *row = &p->rows[i];
        json_array_append_new(
            list, json_pack("{s:f, s:o, s:f, s:o, s:f, s:o, s:o, s:f}", "threshold", row->threshold,
                            "saved", twx_json_count(row->saved), "saved_share",
                            percent(row->saved, p->predicted) / 100, "copies_skipped",
                            twx_json_count(row->copies), "copies_skipped_share",
                            percent(row->copies, p->copies) / 100, "wrongly_skipped",
                            twx_json_count(row->wrong), "lost", twx_json_count(row->lost),
                            "lost_share", percent(row->lost, p->unique) / 100));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "learned_from",
                     twx_json_count(p->learned_from), "predicted", twx_json_count(p->predicted),
                     "unique_pages", twx_json_count(p->unique), "unique_pages_only_in_predicted",
                     twx_json_count(p->unique_rest), "copies", twx_json_count(p->copies),
                     "thresholds", list);
}

static twx_rc write_rows(const twx_out *out, const replay_part *p) {
    twx_rc rc = twx_out_text(out, "\nthreshold  downloads saved     of all  copies skipped  unique "
                                  "pages lost     of all  URLs skipped wrongly\n");
    for (size_t i = 0; rc == TWX_OK && i < ROWS; i++) {
        const replay_row *row = &p->rows[i];
        rc = twx_out_text(
            out,
            "%9.3f  %15" PRIu64 "  %7.2f %%  %12.2f %%  %17" PRIu64 "  %7.3f %%  %20" PRIu64 "\n",
            row->threshold, row->saved, percent(row->saved, p->predicted),
            percent(row->copies, p->copies), row->lost, percent(row->lost, p->unique), row->wrong);
    }
    return rc;
}

static twx_rc replay_table_write(const twx_out *out, const replay_table *t) {
    if (twx_out_is_json(out)) {
        json_t *all = part_json(&t->by_time);
        json_object_set_new(all, "exploration", json_real(t->exploration));
        json_object_set_new(all, "new_pages", part_json(&t->by_page));
        return twx_out_json(out, all);
    }
    twx_rc rc = twx_out_text(
        out,
        "learned from the first %zu documents, predicted the other %zu; %" PRIu64
        " unique pages, %" PRIu64
        " of them only among the predicted; %.3g %% of likely duplicates let through\n",
        t->by_time.learned_from, t->by_time.predicted, t->by_time.unique, t->by_time.unique_rest,
        100 * t->exploration);
    if (rc == TWX_OK) rc = write_rows(out, &t->by_time);
    if (rc == TWX_OK)
        rc = twx_out_text(out,
                          "\nlearned from the %zu documents of one half of the pages, predicted "
                          "%zu others, with %" PRIu64 " pages that are new\n",
                          t->by_page.learned_from, t->by_page.predicted, t->by_page.unique_rest);
    return rc == TWX_OK ? write_rows(out, &t->by_page) : rc;
}

enum {
    POLL = 4096,
    STEPS = 50 /* of a crawl, with a run after each */,
    TEXT_MOST = 1 << 30,
    NAMED_MOST = 20 /* for each threshold */
};

static const double THRESHOLDS[ROWS] = {0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999};

typedef struct fetched {
    int64_t at, doc;
    uint64_t content;
    bool rest;    /* of what is predicted */
    bool skipped; /* in the replay under way */
    size_t url_at;
    uint32_t url_n;
} fetched;

typedef struct replaying {
    const twx_job *job;
    const twindex_predict_options *options;
    replay_table *table;
    TWX_VEC(fetched) pages;
    twx_buf urls;
    size_t train;      /* documents that are learned from */
    bool learns_again; /* after each step */
    twx_model model;
    twx_learn_counts counts;
    twx_url_variants page;
} replaying;

static twx_slice url_of(const replaying *r, const fetched *f) {
    return (twx_slice){r->urls.p + f->url_at, f->url_n};
}

static twx_rc take_page(void *arg, const twx_learn_document *page) {
    replaying *r = arg;
    const fetched f = {.at = page->fetched_at,
                       .doc = page->doc,
                       .content = page->content,
                       .url_at = r->urls.n,
                       .url_n = (uint32_t)page->url.n};
    twx_rc rc = twx_buf_add_slice(r->job->cx, &r->urls, page->url);
    if (rc == TWX_E_LIMIT)
        return twx_fail(r->job->cx, TWX_E_LIMIT,
                        "the URLs of the store are more than %d bytes: too many to replay",
                        TEXT_MOST);
    return rc == TWX_OK && !TWX_VEC_PUSH(r->job->cx, &r->pages, f) ? TWX_E_NOMEM : rc;
}

TWX_ORDER_2(by_time, fetched, at, doc)

TWX_ORDER(by_part, fetched, TWX_UP_THEN(rest, by_time(a, b)))

/* Learns from what was fetched of the first n documents. */
static twx_rc learn(replaying *r, size_t n, twx_model *model) {
    twx_learner *l = NULL;
    twx_job_progress(r->job, "learn", "", 0, 0);
    twx_model_init(model);
    twx_rc rc = twx_learner_open(r->job->cx, twx_job_memory(r->job->settings) / 2, NULL, &l);
    for (size_t i = 0; rc == TWX_OK && i < n; i++)
        if (r->pages.at[i].content != TWX_NO_CLASS && !r->pages.at[i].skipped)
            rc = twx_learner_add(l, url_of(r, &r->pages.at[i]), r->pages.at[i].content);
    if (rc == TWX_OK) rc = twx_learner_make(l, model);
    twx_learner_close(l);
    return rc;
}

/* Adds the class to a set of fetched (or missing) classes. */
static twx_rc note(replaying *r, twx_map64 *classes, uint64_t content, bool *ret_fresh) {
    return twx_map64_place(r->job->cx, classes, content, 0, NULL, ret_fresh);
}

static twx_rc note_train(replaying *r, twx_map64 *had) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < r->train; i++)
        if (r->pages.at[i].content != TWX_NO_CLASS) rc = note(r, had, r->pages.at[i].content, NULL);
    return rc;
}

static twx_rc count_unique(replaying *r, replay_part *part) {
    twx_map64 had = {0};
    bool fresh = false;
    twx_rc rc = note_train(r, &had);
    for (size_t i = r->train; rc == TWX_OK && i < r->pages.n; i++) {
        if (r->pages.at[i].content == TWX_NO_CLASS) continue;
        rc = note(r, &had, r->pages.at[i].content, &fresh);
        part->unique_rest += fresh;
        part->copies += !fresh;
    }
    part->unique = had.n;
    twx_map64_done(&had);
    return rc;
}

typedef struct run {
    replaying *r;
    replay_row *row;
    twx_model *model, own; /* own: after learning again */
    twx_map64 seen, had, missing;
} run;

static twx_rc skip(run *v, uint64_t content, twx_slice url, const twx_context *why) {
    v->row->saved++;
    const bool copy = content != TWX_NO_CLASS && twx_map64_at(&v->had, content);
    v->row->copies += copy;
    if (copy || content == TWX_NO_CLASS) return TWX_OK;
    if (++v->row->wrong <= NAMED_MOST)
        twx_job_message(v->r->job, TWINDEX_DETAIL,
                        "at %g, skipped wrongly: " TWX_SLICE_FMT " (hypothesis %d: %" PRIu32
                        " duplicates, %" PRIu32 " others)",
                        v->row->threshold, TWX_SLICE_ARG(url), TWX_HYPOTHESIS[why->row].number,
                        why->dup, why->nodup);
    return note(v->r, &v->missing, content, NULL);
}

static twx_rc replay_page(run *v, fetched *f) {
    replaying *r = v->r;
    const twx_slice url = url_of(r, f);
    twx_url_variants_of(url, &r->page);
    const twx_prediction p = twx_model_predict(v->model, &v->seen, &r->page);
    f->skipped = p.why && p.probability >= v->row->threshold &&
                 !twx_explores(url, r->options->exploration);
    if (f->skipped) return skip(v, f->content, url, p.why);
    if (f->content == TWX_NO_CLASS) return TWX_OK;
    twx_rc rc = note(r, &v->had, f->content, NULL);
    return rc == TWX_OK ? twx_model_add_seen(r->job->cx, v->model, &r->page, &v->seen) : rc;
}

/* As a run does after a part of the crawl. */
static twx_rc learn_again(run *v, size_t n) {
    twx_model_done(&v->own);
    twx_map64_done(&v->seen);
    v->model = &v->own;
    return learn(v->r, n, &v->own);
}

static twx_rc replay(replaying *r, replay_row *ret_row) {
    run v = {.r = r, .row = ret_row, .model = &r->model};
    const size_t step = r->pages.n / STEPS + 1;
    for (size_t i = 0; i < r->pages.n; i++) r->pages.at[i].skipped = false;
    twx_model_init(&v.own);
    twx_rc rc = note_train(r, &v.had);
    for (size_t i = r->train; rc == TWX_OK && i < r->pages.n; i++) {
        if (i % POLL == 0) rc = twx_cancelled(r->job->cx);
        if (rc == TWX_OK && r->learns_again && i > r->train && (i - r->train) % step == 0)
            rc = learn_again(&v, i);
        if (rc == TWX_OK) rc = replay_page(&v, &r->pages.at[i]);
    }
    twx_map64_slot *missing = NULL; /* those that were not fetched later either are lost */
    if (rc == TWX_OK) rc = twx_map64_list(r->job->cx, &v.missing, &missing);
    for (size_t i = 0; rc == TWX_OK && i < v.missing.n; i++)
        ret_row->lost += !twx_map64_at(&v.had, missing[i].key);
    twx_free(missing);
    twx_map64_done(&v.seen);
    twx_map64_done(&v.had);
    twx_map64_done(&v.missing);
    twx_model_done(&v.own);
    return rc;
}

/* Learns from the first r->train documents and predicts the others, at each threshold. */
static twx_rc replay_thresholds(replaying *r, replay_part *part) {
    part->learned_from = r->train;
    part->predicted = r->pages.n - r->train;
    for (size_t i = 0; i < r->train; i++) r->pages.at[i].skipped = false;
    twx_rc rc = learn(r, r->train, &r->model);
    if (rc == TWX_OK) rc = count_unique(r, part);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(THRESHOLDS); i++) {
        twx_job_progress(r->job, "replay", "thresholds", i, TWX_COUNTOF(THRESHOLDS));
        part->rows[i].threshold = THRESHOLDS[i];
        rc = replay(r, &part->rows[i]);
    }
    twx_model_done(&r->model);
    return rc;
}

static twx_rc replay_by_time(replaying *r) {
    if (r->pages.n) qsort(r->pages.at, r->pages.n, sizeof *r->pages.at, by_time);
    r->train = (size_t)((double)r->pages.n * r->options->train);
    r->learns_again = r->train > 0;
    return replay_thresholds(r, &r->table->by_time);
}

static twx_rc replay_by_page(replaying *r) {
    enum { SEED = 7 };
    r->train = 0;
    r->learns_again = false;
    for (size_t i = 0; i < r->pages.n; i++) {
        fetched *f = &r->pages.at[i];
        f->rest = f->content == TWX_NO_CLASS || twx_mix64(f->content, SEED) & 1;
        r->train += !f->rest;
    }
    if (r->pages.n) qsort(r->pages.at, r->pages.n, sizeof *r->pages.at, by_part);
    return replay_thresholds(r, &r->table->by_page);
}

twx_rc twx_replay(const twx_job *job, twx_opened *o, const twx_url_options *urls,
                  const twindex_predict_options *options, const twx_out *out) {
    replay_table table = {.exploration = options->exploration};
    replaying *r = twx_calloc(job->cx, 1, sizeof *r);
    if (!r) return TWX_E_NOMEM;
    r->job = job;
    r->options = options;
    r->table = &table;
    twx_buf_init(&r->urls, TEXT_MOST);
    twx_page_reading reading = {.urls = urls, .fn = take_page, .arg = r};
    twx_rc rc = twx_published_state(job, o, &reading.state);
    if (rc == TWX_OK) rc = twx_learn_documents_each(job, o, &reading, &r->counts);
    if (rc == TWX_OK) twx_warn_learn_counts(job, &r->counts);
    if (rc == TWX_OK) rc = replay_by_time(r);
    if (rc == TWX_OK) rc = replay_by_page(r);
    if (rc == TWX_OK) rc = replay_table_write(out, &table);
    TWX_VEC_DONE(&r->pages);
    twx_buf_done(&r->urls);
    twx_free(r);
    return rc;
}
