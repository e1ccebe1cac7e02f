/* What one numeric setting does: for each of its values, the stored signatures are judged, and the
 * verdict is measured as by `evaluate --findable`. Threads judge different values. Each keeps the
 * outcomes of its proofs (judge/near.c), and all share what was measured of hidden documents. For
 * the threshold of the near-duplicate method there are also the pairs nearest to a value, and the
 * value that labels of pairs recommend. */
#include <errno.h>
#include <pthread.h>

#include "lab/lab.h"
#include "search/search.h"

enum {
    VALUES_MAX = 200,
    STEPS_MAX = 40, /* of a range without a step */
    VALUE_BYTES = 24,
    NAME_BYTES = 64,
    THREADS_MAX = 16,
    MILLION = 1000000
};

typedef struct swept_value {
    uint64_t number; /* of a share: millionths */
    char text[VALUE_BYTES];
    char mark[VALUE_BYTES + 2]; /* the present value is marked */
    bool present;
    uint64_t near, hidden, clusters;
    twx_findable found;
} swept_value;

#define V(...) TWX_FIELD(swept_value, __VA_ARGS__)
static const twx_field VALUE[] = {TWX_FIELDS(
    TWX_FIELD_AS(swept_value, CHARS, "value", text), V("present", present),
    TWX_FIELD_AS(swept_value, CHARS, NULL, mark, "value", 8), V("near", near, "near", 8),
    V("hidden", hidden, "hidden", 8), V("clusters", clusters, "clusters", 8),
    V("hidden_own_text", found.hidden, "own text", 8), V("lost", found.lost, "title word lost", 16),
    V("things", found.things, "words changed", 16), V("substitutions", found.substitutions))},
                       VALUE_JSON[] = {TWX_FIELDS(V("present", present), V("hidden", hidden),
                                                  V("clusters", clusters), V("near", near))};

/* Of a thread: judges the stored signatures with one value after the other. */
typedef struct judging {
    twx_ctx cx;
    twx_settings settings;
    twx_job job;
    twx_opened o;
    bool opened;
    twx_proved proved;
    uint32_t *document; /* by index of the document set: the document of the evaluation */
    uint32_t *rep;      /* by document of the evaluation */
    size_t mapped;
    /* the documents that are being judged */
    twx_sign_plan sign;
    twx_judge_plan plan;
    twx_judged_texts texts;
    twx_doc_set j;
} judging;

typedef struct near_pair {
    uint32_t a, b; /* indexes of the document set; b represents a */
    int32_t ppm;
    uint64_t distance, lot; /* from the value that is asked for */
} near_pair;

typedef struct sweep {
    const twx_job *job;
    const twindex_sweep_options *options;
    char name[NAME_BYTES];
    twx_setting_row row;
    TWX_VEC(swept_value) values; /* ascending; one of them is the present one */
    uint64_t present;
    uint64_t fingerprint; /* of the stored signatures */
    twx_opened o;
    twx_params params;
    twx_url_rules *rules;
    twx_eval_documents documents;
    twx_eval_texts texts;
    twx_eval_finder *finder;
    pthread_mutex_t measuring; /* finder, o, job */
    size_t measured, threads;
    size_t similar[TWX_HUNDREDTHS]; /* pairs of the store, by similarity */
    judging thread[THREADS_MAX];
    /* with pairs or labels */
    TWX_VEC(near_pair) pairs;
    twx_similar_labels labels;
    twx_recommendation best;
} sweep;

/* ---- the values -------------------------------------------------------- */

static twx_read_fn *reader_of(const twx_setting_row *row) {
    switch (row->kind) {
    case TWX_KIND_SHARE: return twx_read_share;
    case TWX_KIND_SIZE: return twx_read_size;
    case TWX_KIND_COUNT:
    case TWX_KIND_COUNT32: return twx_read_count;
    default: return NULL;
    }
}

/* Adds a value once; it is checked like one in a configuration. */
static twx_rc add_value(sweep *s, uint64_t number) {
    const bool share = s->row.kind == TWX_KIND_SHARE;
    swept_value v = {.number = number};
    for (size_t i = 0; i < s->values.n; i++)
        if (s->values.at[i].number == number) return TWX_OK;
    if (s->values.n == VALUES_MAX)
        return twx_fail(s->job->cx, TWX_E_USAGE, "%s: more than %d values", s->name, VALUES_MAX);
    int n = share ? snprintf(v.text, sizeof v.text, "%" PRIu64 ".%06" PRIu64, number / MILLION,
                             number % MILLION)
                  : snprintf(v.text, sizeof v.text, "%" PRIu64, number);
    while (share && v.text[n - 1] == '0' && v.text[n - 3] != '.') v.text[--n] = '\0';
    twx_rc rc = twx_settings_set(s->job->cx, &s->thread[0].settings, s->name, v.text);
    return rc == TWX_OK && !TWX_VEC_PUSH(s->job->cx, &s->values, v) ? TWX_E_NOMEM : rc;
}

/* The smallest of 1, 2, 5, 10, 20, ... with which a range has at most STEPS_MAX steps. */
static uint64_t step_for(uint64_t span) {
    uint64_t step = 1;
    for (int i = 0; span / step > STEPS_MAX; i++) step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    return step;
}

/* "LOW..HIGH" or "LOW..HIGH/STEP" */
static twx_rc add_range(sweep *s, twx_slice text) {
    twx_read_fn *read = reader_of(&s->row);
    const size_t slash = twx_slice_find(text, '/', 0);
    uint64_t low = 0, high = 0, step = 0;
    size_t dots = 0;
    while (dots + 1 < text.n && (text.p[dots] != '.' || text.p[dots + 1] != '.')) dots++;
    bool right = dots + 1 < text.n && read(twx_slice_trim(twx_slice_sub(text, 0, dots)), &low) &&
                 read(twx_slice_trim(twx_slice_sub(text, dots + 2, slash)), &high) && high > low;
    if (right && slash < text.n)
        right = read(twx_slice_trim(twx_slice_sub(text, slash + 1, text.n)), &step) && step > 0 &&
                step <= high - low;
    if (!right || (s->row.kind == TWX_KIND_SHARE && high > MILLION))
        return twx_fail(s->job->cx, TWX_E_USAGE,
                        "%s: '" TWX_SLICE_FMT "' is not LOW..HIGH or LOW..HIGH/STEP%s", s->name,
                        TWX_SLICE_ARG(text),
                        right ? ": HIGH is more than 1" : ", with a STEP within the range");
    if (step == 0) step = step_for(high - low);
    twx_rc rc = TWX_OK;
    for (uint64_t v = low; rc == TWX_OK && v <= high; v += step) rc = add_value(s, v);
    return rc;
}

TWX_ORDER_1(by_number, swept_value, number)

/* Is it the threshold of the near-duplicate method, which pairs and labels are about? */
static bool is_threshold(const sweep *s) {
    const twx_detector *near = twx_detector_find(s->job->settings->near_detector);
    for (size_t i = 0; near && near->verify && i < near->n_settings; i++)
        if (near->settings[i].is_threshold && s->row.kind == TWX_KIND_SHARE &&
            strcmp(near->settings[i].shown.name, s->name) == 0)
            return true;
    return false;
}

static twx_rc check_setting(sweep *s) {
    static const char *const OTHERS[] = {"run.",   "store.",   "import.", "index.",
                                         "guard.", "mirrors.", "cluster."};
    twx_ctx *cx = s->job->cx;
    for (size_t i = 0; i < TWX_COUNTOF(OTHERS); i++)
        if (strncmp(s->name, OTHERS[i], strlen(OTHERS[i])) == 0) /* style: a setting's name */
            return twx_fail(cx, TWX_E_USAGE, "%s does not decide what is a duplicate", s->name);
    if (!reader_of(&s->row))
        return twx_fail(cx, TWX_E_USAGE, "%s is not a number (%s)", s->name, s->row.shown.values);
    if (!is_threshold(s) && (s->options->pairs || s->options->labels))
        return twx_fail(cx, TWX_E_USAGE,
                        "pairs and labels are about the threshold of the near-duplicate method %s, "
                        "not about %s",
                        s->job->settings->near_detector, s->name);
    return TWX_OK;
}

/* "NAME=VALUES"; the threshold of a method has values of its own. */
static twx_rc read_setting(sweep *s) {
    twx_ctx *cx = s->job->cx;
    const twx_slice all = twx_slice_of(s->options->setting);
    const size_t equals = twx_slice_find(all, '=', 0);
    const twx_slice name = twx_slice_trim(twx_slice_sub(all, 0, equals));
    twx_buf text = {.max = 1 << 12};
    snprintf(s->name, sizeof s->name, TWX_SLICE_FMT, TWX_SLICE_ARG(name));
    twx_rc rc = twx_settings_get(cx, s->job->settings, s->name, &text);
    if (rc == TWX_E_CONFIG) rc = cx->rc = TWX_E_USAGE; /* the name is from the command line */
    if (rc == TWX_OK && twx_setting_row_find(s->name, &s->row)) {
        snprintf(s->name, sizeof s->name, "%s", s->row.shown.name); /* in its own case */
        rc = check_setting(s);
    }
    if (rc == TWX_OK && equals < all.n)
        rc = add_range(s, twx_slice_sub(all, equals + 1, all.n));
    else if (rc == TWX_OK && is_threshold(s))
        rc = add_range(s, TWX_SLICE_LIT("0.4..1/0.02"));
    else if (rc == TWX_OK)
        rc = twx_fail(cx, TWX_E_USAGE, "no values are given: %s=LOW..HIGH", s->name);
    if (rc == TWX_OK && !reader_of(&s->row)(twx_buf_slice(&text), &s->present))
        rc = twx_fail(cx, TWX_E_INTERNAL, "%s is set to '%s'", s->name, text.p);
    if (rc == TWX_OK) rc = add_value(s, s->present);
    if (rc == TWX_OK) qsort(s->values.at, s->values.n, sizeof *s->values.at, by_number);
    for (size_t i = 0; rc == TWX_OK && i < s->values.n; i++) {
        swept_value *v = &s->values.at[i];
        v->present = v->number == s->present;
        snprintf(v->mark, sizeof v->mark, "%s%s", v->present ? "> " : "", v->text);
    }
    twx_buf_done(&text);
    return rc;
}

/* ---- judging ----------------------------------------------------------- */

/* The threads share the memory. */
static twx_rc open_judging(const sweep *s, judging *w) {
    twx_rc rc = twx_settings_copy(&w->cx, s->job->settings, &w->settings);
    if (rc != TWX_OK) return rc;
    w->opened = true;
    w->settings.run_jobs = 1;
    w->settings.run_memory = twx_job_memory(&w->settings) / s->threads;
    w->job = (twx_job){.cx = &w->cx, .settings = &w->settings, .store = s->job->store};
    return twx_open_store(&w->job, TWX_NEED_SOURCE | TWX_NEED_LOOK, &w->o);
}

static void end_judging(judging *w) {
    twx_doc_set_done(&w->j);
    twx_judged_texts_done(&w->texts);
    twx_judge_plan_done(&w->plan);
    twx_sign_plan_done(&w->sign);
}

/* Plans how to sign with a value, which must need the signatures that are stored. */
static twx_rc plan_value(const sweep *s, judging *w, const char *value) {
    w->sign = (twx_sign_plan){0};
    twx_rc rc = twx_settings_set(&w->cx, &w->settings, s->name, value);
    if (rc == TWX_OK) rc = twx_sign_plan_make(&w->job, &w->o, false, &w->sign);
    if (rc == TWX_OK && w->sign.fingerprint != s->fingerprint)
        rc = twx_fail(&w->cx, TWX_E_USAGE,
                      "%s = %s needs other signatures than those that are stored: 'twindex run "
                      "--dry-run --set %s=%s' makes them for one value",
                      s->name, value, s->name, value);
    return rc;
}

static twx_rc judge_value(const sweep *s, judging *w, const char *value) {
    const twx_load_store store = {&w->job, &w->o};
    size_t failed = 0;
    w->plan = (twx_judge_plan){0};
    w->texts = (twx_judged_texts){0};
    twx_doc_set_init(&w->j);
    twx_rc rc = plan_value(s, w, value);
    if (rc == TWX_OK) rc = twx_judge_plan_make(&w->job, &w->sign, &w->plan);
    w->plan.options.proved = &w->proved;
    if (rc == TWX_OK && w->settings.copy_proof == TWX_PROOF_TEXT) {
        rc = twx_judged_texts_init(&store, 1, &w->j, &w->sign.params, NULL, &w->texts);
        w->plan.options.texts = &w->texts.source;
    }
    if (rc == TWX_OK) rc = twx_load(&w->cx, &store, 1, &w->plan, &failed, &w->j);
    if (rc == TWX_OK) rc = twx_judge(&w->cx, &w->j, &w->plan.options);
    twx_judged_texts_rest(&w->texts);
    return rc;
}

/* The documents of the evaluation that those of the document set are. */
static twx_rc map_documents(const sweep *s, judging *w) {
    const size_t n = w->j.docs.at.n;
    twx_rc rc = TWX_OK;
    if (w->document && w->mapped == n) return TWX_OK;
    twx_free(w->document);
    twx_free(w->rep);
    w->mapped = n;
    w->document = twx_malloc(&w->cx, (n + 1) * sizeof *w->document);
    w->rep = twx_malloc(&w->cx, (s->documents.at.n + 1) * sizeof *w->rep);
    if (!w->document || !w->rep) return TWX_E_NOMEM;
    for (size_t i = 0; rc == TWX_OK && i < n; i++)
        rc = twx_eval_document_numbered(&w->o, &s->documents, w->j.docs.at.at[i].doc,
                                        &w->document[i]);
    return rc;
}

/* The verdict, by document of the evaluation. */
static void list_verdict(const sweep *s, judging *w, swept_value *v) {
    v->near = w->j.groups[TWX_RELATION_NEAR].copies;
    v->clusters = w->j.clusters.groups;
    for (size_t i = 0; i < s->documents.at.n; i++) w->rep[i] = TWX_NO_DOCUMENT;
    for (uint32_t i = 0; i < w->j.docs.at.n; i++) {
        const uint32_t rep = twx_groups_rep(&w->j.clusters, i);
        v->hidden += twx_is_hidden(&w->j, i);
        if (rep != TWX_NO_DOCUMENT && w->document[i] != TWX_NO_DOCUMENT)
            w->rep[w->document[i]] = w->document[rep];
    }
}

static twx_rc sweep_value(twx_ctx *cx, void *arg, size_t thread, size_t task) {
    sweep *s = arg;
    judging *w = &s->thread[thread];
    swept_value *v = &s->values.at[task];
    w->cx.cancel = cx->cancel;
    w->cx.faults = cx->faults;
    twx_rc rc = w->opened ? TWX_OK : open_judging(s, w);
    if (rc == TWX_OK) {
        rc = judge_value(s, w, v->text);
        if (rc == TWX_OK) rc = map_documents(s, w);
        if (rc == TWX_OK) list_verdict(s, w, v);
        end_judging(w);
    }
    (void)twx_ctx_take(cx, &w->cx);
    if (rc != TWX_OK) return rc;
    pthread_mutex_lock(&s->measuring);
    rc = twx_eval_find(s->finder, w->rep, true, &v->found);
    twx_job_progress(s->job, "judge", "values", ++s->measured, s->values.n);
    pthread_mutex_unlock(&s->measuring);
    return rc;
}

static twx_rc sweep_values(sweep *s) {
    const twx_job quiet = {.cx = s->job->cx, .settings = s->job->settings, .store = s->job->store};
    const twx_eval_reading reading = {.documents = &s->documents};
    const twx_eval_finding how = {.job = &quiet,
                                  .documents = &s->documents,
                                  .texts = &s->texts,
                                  .sample = s->options->hidden,
                                  .seed = s->options->seed};
    const twx_detector *near = twx_detector_find(s->job->settings->near_detector);
    twx_rc rc = TWX_OK;
    /* A wrong value is named before texts are read, unless a plan reads the whole store. */
    for (size_t i = 0; rc == TWX_OK && !(near && near->needs) && i < s->values.n; i++) {
        rc = plan_value(s, &s->thread[0], s->values.at[i].text);
        twx_sign_plan_done(&s->thread[0].sign);
    }
    (void)twx_ctx_take(s->job->cx, &s->thread[0].cx);
    if (rc == TWX_OK) rc = twx_eval_texts_read(&reading, &s->texts);
    if (rc == TWX_OK) rc = twx_eval_finder_open(&how, &s->finder);
    if (rc == TWX_OK) rc = twx_parallel(s->job->cx, s->threads, s->values.n, sweep_value, s);
    twx_eval_finder_close(s->finder);
    return rc;
}

/* ---- pairs of the store ------------------------------------------------ */

/* Of each text with a representative of another text: the best document, and the representative. */
static twx_rc list_pairs(sweep *s) {
    const judging *w = &s->thread[0];
    const twx_near *near = &w->j.near;
    const twx_groups *groups = &w->j.groups[TWX_RELATION_NEAR];
    const size_t n = w->j.docs.at.n, nodes = near->payloads.n;
    uint32_t *best = twx_malloc(s->job->cx, (nodes + 1) * sizeof *best);
    if (!best) return TWX_E_NOMEM;
    for (size_t k = 0; k < nodes; k++) best[k] = TWX_NO_DOCUMENT;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t rep = twx_groups_rep(groups, i), node = near->node[i];
        if (rep == TWX_NO_DOCUMENT || node == TWX_NO_DOCUMENT || near->node[rep] == node) continue;
        if (best[node] == TWX_NO_DOCUMENT || w->j.rank[i] < w->j.rank[best[node]]) best[node] = i;
    }
    twx_rc rc = TWX_OK;
    for (size_t k = 0; rc == TWX_OK && k < nodes; k++) {
        if (best[k] == TWX_NO_DOCUMENT || near->similarity[k] < 0 || near->similarity[k] > MILLION)
            continue;
        const near_pair pair = {
            .a = best[k],
            .b = twx_groups_rep(groups, best[k]),
            .ppm = near->similarity[k],
            .lot = twx_mix64(s->options->seed, w->j.docs.at.at[best[k]].url_key)};
        s->similar[((size_t)pair.ppm + 5000) / 10000]++;
        if (!TWX_VEC_PUSH(s->job->cx, &s->pairs, pair)) rc = TWX_E_NOMEM;
    }
    twx_free(best);
    return rc;
}

TWX_ORDER_2(by_distance, near_pair, distance, lot)

/* Keeps the pairs nearest to the value that have no label. */
static twx_rc choose_pairs(sweep *s) {
    const uint32_t *node = s->thread[0].j.near.node;
    uint64_t value = 0;
    size_t kept = 0;
    if (!reader_of(&s->row)(twx_slice_of(s->options->pairs), &value) || value > MILLION)
        return twx_fail(s->job->cx, TWX_E_USAGE, "--pairs: '%.60s' is not a similarity from 0 to 1",
                        s->options->pairs);
    for (size_t i = 0; i < s->pairs.n; i++) {
        near_pair p = s->pairs.at[i];
        const uint64_t ppm = (uint64_t)p.ppm;
        if (twx_map64_has(&s->labels.texts, twx_eval_pair_of(node[p.a], node[p.b]))) continue;
        p.distance = ppm > value ? ppm - value : value - ppm;
        s->pairs.at[kept++] = p;
    }
    s->pairs.n = kept;
    if (kept) qsort(s->pairs.at, kept, sizeof *s->pairs.at, by_distance);
    if (s->options->limit && kept > s->options->limit) s->pairs.n = s->options->limit;
    return TWX_OK;
}

/* ---- the table --------------------------------------------------------- */

static size_t right_at(const sweep *s, uint64_t value) {
    return twx_labels_right(s->labels.at.at, s->labels.at.n, value);
}

static double shown(const sweep *s, uint64_t number) {
    return s->row.kind == TWX_KIND_SHARE ? (double)number / MILLION : (double)number;
}

static json_t *number_json(const sweep *s, uint64_t number) {
    return s->row.kind == TWX_KIND_SHARE ? json_real(shown(s, number)) : twx_json_count(number);
}

static json_t *labels_json(const sweep *s) {
    const twx_recommendation *r = &s->best;
    size_t same = 0;
    for (size_t i = 0; i < s->labels.at.n; i++) same += s->labels.at.at[i].same;
    json_t *o = json_pack("{s:I, s:I, s:n}", "labels", (json_int_t)s->labels.at.n, "same",
                          (json_int_t)same, "recommended");
    if (r->made)
        json_object_set_new(o, "recommended",
                            json_pack("{s:f, s:f, s:f, s:f, s:I, s:I}", "value", shown(s, r->value),
                                      "low", shown(s, r->low), "high", shown(s, r->high), "next",
                                      shown(s, r->next), "right", (json_int_t)right_at(s, r->value),
                                      "right_now", (json_int_t)right_at(s, s->present)));
    return o;
}

static json_t *sweep_json(const sweep *s) {
    json_t *values = json_array();
    for (size_t i = 0; i < s->values.n; i++) {
        const swept_value *v = &s->values.at[i];
        json_t *o = twx_findable_json(&v->found);
        json_object_set_new(o, "value", number_json(s, v->number));
        twx_row_put(o, TWX_ROWS_AT(VALUE_JSON, v, 1));
        json_array_append_new(values, o);
    }
    return json_pack("{s:o, s:s, s:o, s:I, s:I, s:o, s:o}", "store", twx_json_text(s->job->store),
                     "setting", s->name, "present", number_json(s, s->present), "documents",
                     (json_int_t)s->texts.documents, "not_taking_part",
                     (json_int_t)s->texts.not_taking_part, "values", values, "answers",
                     s->options->labels ? labels_json(s) : json_null());
}

static twx_rc write_recommendation(const twx_out *out, const sweep *s) {
    const twx_recommendation *r = &s->best;
    const size_t n = s->labels.at.n;
    if (!s->options->labels) return TWX_OK;
    if (!r->made)
        return twx_out_text(out, "\n%zu %s: a recommendation needs %d (--pairs VALUE --ask)\n", n,
                            twx_plural(n, "label", "labels"), TWX_RECOMMEND_LABELS);
    return twx_out_text(out,
                        "\n%zu labels: at %.2f, %zu agree; at the current value %.2f, %zu\n"
                        "recommended: %s = %.2f; the best value is probably (80 %%) from %.2f to "
                        "%.2f\nmore labels narrow it: --pairs %.2f --ask\n",
                        n, shown(s, r->value), right_at(s, r->value), shown(s, s->present),
                        right_at(s, s->present), s->name, shown(s, r->value), shown(s, r->low),
                        shown(s, r->high), shown(s, r->next));
}

static twx_rc write_table(const twx_out *out, const sweep *s) {
    if (twx_out_is_json(out)) return twx_out_json(out, sweep_json(s));
    if (s->options->csv) return twx_rows_csv(out, TWX_ROWS(VALUE, s->values), true);
    twx_rc rc = twx_out_text(out, "%s in %s: %s documents, %s of them not taking part\n\n", s->name,
                             s->job->store, TWX_N(s->texts.documents),
                             TWX_N(s->texts.not_taking_part));
    if (rc == TWX_OK) rc = twx_rows_write(out, TWX_ROWS(VALUE, s->values), true);
    if (rc != TWX_OK) return rc;
    rc = twx_out_text(
        out, "\n> the current value\nnear: documents that near_unique_b hides; hidden: by "
             "the verdict; own text:\nthose of them whose text no visible document has; of "
             "these, in per cent: a title\nword that the representative lacks; other words "
             "in the place of its words\n");
    return rc == TWX_OK ? write_recommendation(out, s) : rc;
}

/* ---- pairs ------------------------------------------------------------- */

enum { PASSAGES = 4, LINE_SHOWN = 200 };

/* Two documents; their bytes are in the arena. */
typedef struct shown_pair {
    const near_pair *pair;
    twx_ctx *cx;
    twx_arena arena;
    twx_slice url[2], title[2], text[2];
    int found; /* how many of them */
    twx_compared_passages passages;
    size_t differences;
} shown_pair;

static twx_rc take_side(void *arg, const twx_source_row *row, bool *ret_wait) {
    shown_pair *p = arg;
    const int k = p->found++;
    const twx_value *v = row->value;
    (void)ret_wait;
    twx_rc rc = twx_arena_copy(p->cx, &p->arena, twx_bytes_of(&v[TWX_COL_URL]), &p->url[k]);
    if (rc == TWX_OK)
        rc = twx_arena_copy(p->cx, &p->arena, twx_bytes_of(&v[TWX_COL_TITLE]), &p->title[k]);
    return rc == TWX_OK
               ? twx_arena_copy(p->cx, &p->arena, twx_bytes_of(&v[TWX_COL_TEXT]), &p->text[k])
               : rc;
}

/* TWX_DONE: one of them is gone. */
static twx_rc read_pair(sweep *s, shown_pair *p) {
    const uint32_t *document = s->thread[0].document;
    const uint32_t both[] = {document[p->pair->a], document[p->pair->b]};
    twx_text_diff diff = {0};
    twx_rc rc = TWX_OK;
    for (int k = 0; rc == TWX_OK && k < 2; k++)
        if (both[k] != TWX_NO_DOCUMENT && p->found == k)
            rc = twx_eval_document_fetch(&s->documents, both[k], take_side, p);
    if (rc != TWX_OK || p->found < 2) return rc == TWX_OK ? TWX_DONE : rc;
    rc = twx_text_diff_of(p->cx, p->text[0], p->text[1], &diff);
    if (rc == TWX_OK)
        rc = twx_differences_list(p->cx, &diff, PASSAGES, &p->arena, &p->passages, &p->differences);
    twx_text_diff_done(&diff);
    return rc;
}

static twx_rc write_pair(const twx_out *out, const shown_pair *p, size_t number) {
    char ppm[TWX_PPM_BYTES];
    twx_rc rc = twx_out_text(out, "%s%zu. similarity %s, %zu %s\n", number > 1 ? "\n" : "", number,
                             twx_ppm_text(p->pair->ppm, ppm), p->differences,
                             twx_plural(p->differences, "passage differs", "passages differ"));
    for (int k = 0; rc == TWX_OK && k < 2; k++) {
        rc = twx_out_text(out, "  %c ", "ab"[k]);
        if (rc == TWX_OK) rc = twx_out_url(out, p->url[k], LINE_SHOWN);
        if (rc == TWX_OK) rc = twx_out_text(out, "\n    ");
        if (rc == TWX_OK) rc = twx_out_excerpt(out, p->title[k], LINE_SHOWN);
        if (rc == TWX_OK) rc = twx_out_text(out, "\n");
    }
    return rc == TWX_OK ? twx_passages_write(out, &p->passages) : rc;
}

static json_t *pair_json(const shown_pair *p) {
    return json_pack("{s:f, s:I, s:o, s:{s:o, s:o}, s:{s:o, s:o}}", "similarity",
                     (double)p->pair->ppm / MILLION, "differences", (json_int_t)p->differences,
                     "passages", twx_passages_json(&p->passages), "a", "url",
                     twx_json_slice(p->url[0]), "title", twx_json_slice(p->title[0]), "b", "url",
                     twx_json_slice(p->url[1]), "title", twx_json_slice(p->title[1]));
}

/* Asks, and adds the label to the file. TWX_DONE: no more pairs are wanted. */
static twx_rc ask(const sweep *s, const shown_pair *p) {
    const twindex_answer answer = s->options->answer(s->options->answer_arg);
    if (twx_cancelled(p->cx) != TWX_OK) return p->cx->rc;
    if (answer == TWINDEX_ANSWER_END) return TWX_DONE;
    if (answer == TWINDEX_ANSWER_NONE) return TWX_OK;
    const bool same = answer == TWINDEX_ANSWER_SAME;
    const twx_rc rc = twx_label_append(p->cx, s->options->labels, p->url, same);
    if (rc != TWX_E_DATA) return rc;
    twx_job_message(s->job, TWINDEX_NOTE, "%s", p->cx->message); /* the next pair */
    twx_ctx_clear(p->cx);
    return TWX_OK;
}

static twx_rc show_pairs(sweep *s, const twx_out *out) {
    json_t *list = twx_out_is_json(out) ? json_array() : NULL;
    twx_rc rc = TWX_OK;
    for (size_t i = 0, n = 0; rc == TWX_OK && i < s->pairs.n; i++) {
        shown_pair p = {.pair = &s->pairs.at[i], .cx = s->job->cx};
        rc = read_pair(s, &p);
        const bool gone = rc == TWX_DONE;
        if (rc == TWX_OK && list) rc = twx_json_append(p.cx, list, pair_json(&p));
        if (rc == TWX_OK && !list) rc = write_pair(out, &p, ++n);
        if (rc == TWX_OK && !list && s->options->answer) rc = ask(s, &p);
        if (gone) rc = TWX_OK;
        TWX_VEC_DONE(&p.passages);
        twx_arena_done(&p.arena);
    }
    if (rc == TWX_DONE) rc = TWX_OK;
    if (rc == TWX_OK && list)
        return twx_out_json(
            out, json_pack("{s:o, s:s, s:o, s:o, s:o}", "store", twx_json_text(s->job->store),
                           "setting", s->name, "present", number_json(s, s->present), "pairs", list,
                           "answers", s->options->labels ? labels_json(s) : json_null()));
    json_decref(list);
    return rc;
}

/* ---- the command ------------------------------------------------------- */

static twx_rc learn(sweep *s) {
    const twx_rc rc = twx_similar_labels_read(s->job, s->options->labels, &s->params.url,
                                              &s->thread[0].j, &s->labels);
    if (rc == TWX_OK) s->best = twx_recommend(s->labels.at.at, s->labels.at.n, s->similar);
    return rc;
}

/* Pairs are those found with a low threshold, whatever values are asked for. */
static twx_rc examine_pairs(sweep *s, const twx_out *out) {
    judging *w = &s->thread[0];
    twx_ctx *cx = s->job->cx;
    const char *least = s->values.at[0].text, *low = "0.4";
    twx_rc rc = judge_value(s, w, strcmp(least, low) < 0 ? least : low);
    if (rc == TWX_OK && s->options->pairs) rc = map_documents(s, w);
    (void)twx_ctx_take(cx, &w->cx);
    if (rc == TWX_OK) rc = list_pairs(s);
    if (rc == TWX_OK) rc = learn(s);
    if (rc == TWX_OK && s->options->pairs) rc = choose_pairs(s);
    if (rc == TWX_OK && s->options->pairs) rc = show_pairs(s, out);
    if (rc == TWX_OK && s->options->answer) rc = learn(s);
    if (rc == TWX_OK && s->options->pairs && !twx_out_is_json(out))
        rc = write_recommendation(out, s);
    end_judging(w);
    return rc;
}

static twx_rc read_fingerprint(sweep *s) {
    twx_state state = {0};
    twx_sign_plan plan = {0};
    twx_rc rc = twx_sign_plan_make(s->job, &s->o, false, &plan);
    if (rc == TWX_OK && s->o.generations) rc = twx_state_read(s->o.generations, &state);
    if (rc == TWX_OK && (!state.has_fingerprint || state.fingerprint != plan.fingerprint))
        rc = twx_fail(s->job->cx, TWX_E_DATA,
                      "%s: its signatures are not complete, or not those of these settings: "
                      "'twindex run' makes them",
                      s->job->store);
    s->fingerprint = plan.fingerprint;
    twx_sign_plan_done(&plan);
    return rc;
}

static twx_rc check_options(const sweep *s, bool json) {
    const twindex_sweep_options *o = s->options;
    if ((o->csv && (json || o->pairs || o->labels)) || (o->answer && json))
        return twx_fail(s->job->cx, TWX_E_USAGE,
                        "--csv goes without --json, --pairs and --labels; --ask without --json");
    if (!o->setting) return twx_fail(s->job->cx, TWX_E_USAGE, "no setting is named");
    if (o->answer && (!o->pairs || !o->labels))
        return twx_fail(s->job->cx, TWX_E_USAGE, "--ask needs --pairs VALUE and --labels FILE");
    if ((o->pairs || o->labels) && s->job->settings->near_join != TWX_JOIN_REPRESENTATIVE)
        return twx_fail(s->job->cx, TWX_E_USAGE,
                        "pairs and labels need near.join = representative");
    FILE *file = o->answer ? fopen(o->labels, "ae") : NULL; /* before the first question */
    if (o->answer && !file)
        return twx_fail(s->job->cx, TWX_E_IO, "write %.300s: %s", o->labels, strerror(errno));
    if (file) fclose(file);
    return TWX_OK;
}

static void done(sweep *s) {
    for (size_t i = 0; i < TWX_COUNTOF(s->thread); i++) {
        judging *w = &s->thread[i];
        twx_opened_done(&w->o);
        twx_settings_done(&w->settings);
        twx_map64_done(&w->proved.pairs);
        twx_free(w->document);
        twx_free(w->rep);
    }
    TWX_VEC_DONE(&s->values);
    TWX_VEC_DONE(&s->pairs);
    twx_similar_labels_done(&s->labels);
    twx_eval_texts_done(&s->texts);
    twx_eval_documents_done(&s->documents);
    twx_url_rules_close(s->rules);
    twx_opened_done(&s->o);
    pthread_mutex_destroy(&s->measuring);
    twx_free(s);
}

twx_rc twx_sweep(const twx_job *job, const twindex_sweep_options *options, const twx_out *out) {
    sweep *s = twx_calloc(job->cx, 1, sizeof *s);
    if (!s) return TWX_E_NOMEM;
    s->job = job;
    s->options = options;
    s->threads = twx_job_threads(job->settings);
    if (s->threads > THREADS_MAX) s->threads = THREADS_MAX;
    pthread_mutex_init(&s->measuring, NULL);
    s->thread[0].cx.cancel = job->cx->cancel;
    int64_t before = 0, after = 0; /* rows of one table are of one state of the store */
    twx_rc rc = check_options(s, twx_out_is_json(out));
    if (rc == TWX_OK) rc = open_judging(s, &s->thread[0]);
    (void)twx_ctx_take(job->cx, &s->thread[0].cx);
    if (rc == TWX_OK) rc = read_setting(s);
    if (rc == TWX_OK) rc = twx_params_make(job, &s->params, &s->rules);
    if (rc == TWX_OK) rc = twx_open_store(job, TWX_NEED_SOURCE | TWX_NEED_LOOK, &s->o);
    if (rc == TWX_OK) rc = twx_db_data_version(s->o.reader, &before);
    if (rc == TWX_OK) rc = read_fingerprint(s);
    if (rc == TWX_OK) rc = twx_eval_documents_read(job, &s->o, &s->params.url, &s->documents);
    if (rc == TWX_OK && !options->pairs) rc = sweep_values(s);
    if (rc == TWX_OK && (options->pairs || options->labels)) rc = examine_pairs(s, out);
    if (rc == TWX_OK) rc = twx_db_data_version(s->o.reader, &after);
    if (rc == TWX_OK && after != before)
        rc = twx_fail(job->cx, TWX_E_BUSY,
                      "%s has changed while its values were tried: try again, or with a copy",
                      job->store);
    if (rc == TWX_OK && !options->pairs) rc = write_table(out, s);
    done(s);
    return rc;
}
