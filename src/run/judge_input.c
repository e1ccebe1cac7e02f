/* What judging is given besides the settings that signing has: pins, the plan, the texts that it
 * asks for, and the signed documents themselves. */
#include "run/internal.h"

/* ==== pins_file */

enum { WARNINGS_MAX = 10, LINE_BYTES = 1 << 16 };

/* ---- reading ------------------------------------------------------------ */

static twx_rc load_pins(const twx_job *job, const twx_url_options *options, twx_pins **ret_pins) {
    const char *path = job->settings->verdict_pins;
    twx_buf text = {.max = TWX_PINS_BYTES_MAX};
    *ret_pins = NULL;
    if (!path || !path[0]) return TWX_OK;
    twx_rc rc = twx_file_read_named(job->cx, "verdict.pins", path, TWX_E_IO, &text);
    if (rc == TWX_OK) rc = twx_pins_parse(job->cx, options, path, twx_buf_slice(&text), ret_pins);
    twx_buf_done(&text);
    return rc;
}

static twx_rc load_parameters(const twx_job *job, const twx_url_options *options,
                              twx_parameters **ret_parameters) {
    const twx_parameters_from from = {.path = job->settings->parameters_model,
                                      .urls = twx_model_fingerprint(options),
                                      .least_ppm = job->settings->parameters_ppm};
    twx_buf text = {.max = TWX_PARAMETERS_BYTES_MAX};
    *ret_parameters = NULL;
    if (!from.path || !from.path[0]) return TWX_OK;
    twx_rc rc = twx_file_read_named(job->cx, "parameters.model", from.path, TWX_E_IO, &text);
    if (rc == TWX_OK)
        rc = twx_parameters_parse(job->cx, &from, twx_buf_slice(&text), ret_parameters);
    twx_buf_done(&text);
    return rc;
}

twx_rc twx_files_load(const twx_job *job, twx_pins **ret_pins, twx_parameters **ret_parameters) {
    twx_params params;
    twx_url_rules *rules = NULL;
    twx_rc rc = twx_params_make(job, &params, &rules);
    if (rc == TWX_OK) rc = load_pins(job, &params.url, ret_pins);
    if (rc == TWX_OK && ret_parameters) rc = load_parameters(job, &params.url, ret_parameters);
    twx_url_rules_close(rules);
    return rc;
}

/* ---- lines without effect ---------------------------------------------- */

typedef struct reporting {
    const twx_job *job;
    const twx_pins *pins;
    twx_summary *summary;
    uint64_t *documents; /* counts by pinned URL, followed by counts by prefix */
    uint64_t *taking_part;
    const twx_editions *editions;
} reporting;

static twx_rc report_line(reporting *r, const twx_pin *pin, const char *what, twx_slice name) {
    twx_buf line = {.max = LINE_BYTES};
    twx_rc rc = twx_buf_printf(r->job->cx, &line, "%s:%zu: %s " TWX_SLICE_FMT ": %s",
                               twx_pins_path(r->pins), pin->line, twx_pin_kind_name(pin->kind),
                               TWX_SLICE_ARG(name), what);
    if (rc == TWX_OK && r->summary->n_idle_pins++ < WARNINGS_MAX)
        twx_job_message(r->job, TWINDEX_WARNING, "%s", line.p);
    if (rc == TWX_OK) rc = twx_buf_printf(r->job->cx, &r->summary->idle_pins, "%s\n", line.p);
    twx_buf_done(&line);
    /* the list is full; further lines are only counted */
    return rc == TWX_E_LIMIT ? (twx_ctx_clear(r->job->cx), TWX_OK) : rc;
}

static twx_rc check_line(reporting *r, const twx_pin *pin) {
    const size_t urls = twx_pins_urls(r->pins);
    const uint32_t line = pin->number[0];
    twx_rc rc = TWX_OK;
    if (pin->kind == TWX_PIN_EDITION)
        return line < r->editions->has_line.n && r->editions->has_line.at[line]
                   ? TWX_OK
                   : report_line(r, pin, "no document has one of these values", pin->name[0]);
    for (int k = 0; rc == TWX_OK && k < 2 && pin->name[k].p; k++) {
        const size_t at = pin->kind == TWX_PIN_PREFER ? urls + pin->number[k] : pin->number[k];
        if (r->documents[at] == 0)
            rc = report_line(r, pin,
                             pin->kind == TWX_PIN_PREFER ? "no document is preferred by this line"
                                                         : "no document has this URL",
                             pin->name[k]);
        else if (pin->kind == TWX_PIN_KEEP && r->taking_part[at] == 0)
            rc = report_line(r, pin, "the document does not take part and stays hidden",
                             pin->name[k]);
    }
    return rc;
}

twx_rc twx_pins_report(const twx_job *job, const twx_pins *pins, const twx_doc_set *j,
                       twx_summary *summary) {
    if (!pins) return TWX_OK;
    const size_t urls = twx_pins_urls(pins), n = urls + TWX_PINS_MAX;
    reporting r = {.job = job, .pins = pins, .summary = summary, .editions = &j->editions};
    r.documents = twx_calloc(job->cx, n, sizeof *r.documents);
    r.taking_part = twx_calloc(job->cx, n, sizeof *r.taking_part);
    twx_rc rc = r.documents && r.taking_part ? TWX_OK : TWX_E_NOMEM;
    for (uint32_t i = 0; rc == TWX_OK && i < j->docs.at.n; i++) {
        const uint32_t url = j->docs.pinned[i], prefix = j->docs.preferred[i];
        const bool in = j->links.eligibility[i] == TWX_ELIGIBLE;
        if (url) r.documents[url - 1]++, r.taking_part[url - 1] += in;
        if (prefix) r.documents[urls + prefix - 1]++;
    }
    twx_buf_clear(&summary->idle_pins);
    summary->n_idle_pins = 0;
    summary->pins_file = twx_pins_path(pins);
    summary->n_pins = 0;
    for (const twx_pin *pin; rc == TWX_OK && (pin = twx_pins_at(pins, summary->n_pins));
         summary->n_pins++)
        rc = check_line(&r, pin);
    if (rc == TWX_OK && summary->n_idle_pins > WARNINGS_MAX)
        twx_job_message(job, TWINDEX_WARNING,
                        "%s: %" PRIu64 " more pins concern no document (--json lists them)",
                        twx_pins_path(pins), (uint64_t)summary->n_idle_pins - WARNINGS_MAX);
    twx_free(r.documents);
    twx_free(r.taking_part);
    return rc;
}

/* ---- one document ------------------------------------------------------- */

twx_rc twx_pins_each_of(twx_ctx *cx, const twx_pins *pins, uint64_t url_key, twx_slice url,
                        twx_pin_line_fn *fn, void *arg) {
    const twx_pin_match match = twx_pins_match(pins, url_key, url);
    twx_edition_slot unused;
    uint32_t edition = 0;
    const bool has_edition = twx_pins_edition(pins, url, &unused, &edition);
    twx_rc rc = TWX_OK;
    const twx_pin *pin = NULL;
    for (size_t i = 0; rc == TWX_OK && (pin = twx_pins_at(pins, i)); i++) {
        twx_buf line = {.max = LINE_BYTES};
        const bool prefix = pin->kind == TWX_PIN_PREFER;
        const bool first = pin->kind == TWX_PIN_EDITION
                               ? has_edition && edition == pin->number[0]
                               : (prefix ? match.preferred : match.url) == pin->number[0] + 1;
        const bool second = pin->kind == TWX_PIN_SEPARATE && match.url == pin->number[1] + 1;
        const twx_slice shown = pin->name[first && pin->kind == TWX_PIN_SEPARATE];
        if (!first && !second) continue;
        rc = twx_buf_printf(cx, &line, "%s%s " TWX_SLICE_FMT " (%s:%zu)",
                            twx_pin_kind_name(pin->kind),
                            pin->kind == TWX_PIN_SEPARATE ? " from" : "", TWX_SLICE_ARG(shown),
                            twx_pins_path(pins), pin->line);
        if (rc == TWX_OK) rc = fn(arg, line.p);
        twx_buf_done(&line);
    }
    return rc;
}

/* ==== judge_plan */

/* Reads copy.ignore, whose words are normalized like those of titles. */
static twx_rc read_ignored(twx_ctx *cx, const char *list, twx_judge_plan *plan) {
    twx_tokens tokens;
    twx_token token;
    twx_rc rc = TWX_OK;
    twx_tokens_init(&tokens);
    twx_tokens_start(&tokens, twx_slice_of(list));
    while ((rc = twx_tokens_next(cx, &tokens, &token)) == TWX_OK) {
        if (plan->n_ignored == TWX_COPY_IGNORED_MAX) {
            rc = twx_fail(cx, TWX_E_CONFIG, "copy.ignore: more than %d words",
                          TWX_COPY_IGNORED_MAX);
            break;
        }
        plan->ignored[plan->n_ignored++] = twx_name_word(token.text);
    }
    twx_tokens_done(&tokens);
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_judge_options options_of(const twx_settings *s, const twx_sign_plan *sign) {
    twx_judge_options o = {.name = sign->name,
                           .params = &sign->params,
                           .scope = {[TWX_RELATION_EXACT] = s->exact_scope,
                                     [TWX_RELATION_FUZZY] = s->fuzzy_scope,
                                     [TWX_RELATION_TITLE] = s->title_scope,
                                     [TWX_RELATION_DESCRIPTION] = s->description_scope,
                                     [TWX_RELATION_NEAR] = s->near_scope,
                                     [TWX_RELATION_COPY] = s->near_scope},
                           .hosts = s->hosts,
                           .join = s->near_join,
                           .candidates = s->near_candidates,
                           .threads = twx_job_threads(s),
                           .names = {.common_ppm = s->copy_common_ppm,
                                     .site_ppm = s->copy_site_ppm,
                                     .own = s->copy_proof == TWX_PROOF_TEXT},
                           .editions = s->edition_find && sign->name &&
                                       sign->detectors[TWX_RELATION_NEAR] &&
                                       sign->detectors[TWX_RELATION_NEAR]->verify,
                           .edition_ppm = s->edition_ppm,
                           .collapse_min = s->canonical_collapse_min};
    memcpy(o.detectors, sign->detectors, sizeof o.detectors);
    for (size_t r = 0; r < TWX_RELATIONS; r++)
        if (o.detectors[r] && o.detectors[r]->translations_separate) o.separate |= 1u << r;
    return o;
}

/* The parameters with the lowest threshold of any host: pairs that reach it are compared, and
 * judge/near.c rejects those that their hosts reject. */
static void set_thresholds(const twx_settings *s, const twx_params *params,
                           const twx_detector *near, twx_judge_plan *plan) {
    uint32_t lowest = UINT32_MAX;
    plan->lowest = *params;
    plan->options.thresholds = NULL;
    if (twx_host_thresholds(s, near, plan->thresholds)) {
        for (size_t i = 0; i < TWX_COUNTOF(plan->thresholds); i++)
            if (plan->thresholds[i] < lowest) lowest = plan->thresholds[i];
        twx_params_set_threshold(&plan->lowest, near, lowest);
        plan->options.thresholds = plan->thresholds;
        plan->options.params = &plan->lowest;
    }
    if (!near || !s->copy_margin_ppm) return;
    plan->named = twx_params_with_margin(plan->options.params, near, s->copy_margin_ppm);
    plan->options.named = &plan->named;
    plan->options.margin = s->copy_margin_ppm;
}

twx_rc twx_judge_plan_make(const twx_job *job, const twx_sign_plan *sign,
                           twx_judge_plan *ret_plan) {
    const twx_settings *s = job->settings;
    twx_judge_plan plan = {.options = options_of(s, sign),
                           .guard = {.max_hidden_ppm = s->guard_max_hidden_ppm,
                                     .max_lost_ppm = s->guard_max_lost_ppm,
                                     .max_turned_ppm = s->guard_max_turned_ppm,
                                     .min_documents = s->guard_min_documents,
                                     .max_group = s->guard_max_group}};
    const twx_detector *near = sign->detectors[TWX_RELATION_NEAR];
    twx_rc rc = twx_relations_parse(job->cx, twx_slice_of(s->verdict_relations),
                                    &plan.options.relations);
    if (!near || !near->verify) { /* pairs that are not verified hide nothing */
        plan.options.relations &= ~(1u << TWX_RELATION_NEAR);
        if (s->copy_proof == TWX_PROOF_NAMES) plan.options.relations &= ~(1u << TWX_RELATION_COPY);
    }
    if (rc == TWX_OK) rc = twx_preference_of(job->cx, s, &plan.options.preference);
    if (rc == TWX_OK)
        rc = twx_page_classes_parse(job->cx, twx_slice_of(s->pages_left_out),
                                    &plan.options.left_out);
    if (rc == TWX_OK) rc = read_ignored(job->cx, s->copy_ignore, &plan);
    if (rc == TWX_OK) rc = load_pins(job, &sign->params.url, &plan.pins);
    if (rc == TWX_OK) rc = load_parameters(job, &sign->params.url, &plan.parameters);
    if (rc != TWX_OK) {
        twx_judge_plan_done(&plan);
        return rc;
    }
    *ret_plan = plan;
    set_thresholds(s, &sign->params, near, ret_plan);
    ret_plan->options.pins = plan.pins;
    ret_plan->options.parameters = plan.parameters;
    ret_plan->options.names.ignored = ret_plan->ignored;
    ret_plan->options.names.n_ignored = plan.n_ignored;
    return TWX_OK;
}

void twx_judge_plan_warn(const twx_job *job, const twx_judge_plan *plan) {
    if (plan->options.relations >> TWX_RELATION_PARAMETERS & 1 && !plan->parameters)
        twx_job_message(job, TWINDEX_WARNING,
                        "verdict.relations has parameters, which hides nothing without a model: "
                        "name a file of 'twindex predict --model' in parameters.model");
}

void twx_judge_plan_done(twx_judge_plan *plan) {
    twx_pins_close(plan->pins);
    plan->pins = NULL;
    twx_parameters_close(plan->parameters);
    plan->parameters = NULL;
}

/* ==== judged_texts */

/* Several threads read at the same time, each on its own connections; one of them uses those of the
 * run. In rollback-journal mode all threads share these: a program that waits to commit keeps new
 * readers out until the readers that have begun have ended. */

enum {
    READS_AT_ONCE = 64, /* in one transaction, which takes and releases a lock, and pins the WAL */
    ALONE = 256         /* documents that one thread judges */
};

typedef struct read_store {
    twx_db *db;
    twx_source *source;
    int64_t signed_at;   /* data version while the rows are those that were signed; -1: unknown */
    int64_t compared_at; /* the same, since documents are marked in `compared` */
    uint8_t left;        /* reads until the transaction ends; 0: there is none */
    bool unchanged;      /* the version is signed_at, in this transaction */
} read_store;

typedef struct twx_text_reader {
    struct twx_text_reader *next;
    bool in_use;
    twx_ctx *cx, own; /* a reader that has connections of its own uses its own context */
    twx_workspace *workspace;
    uint64_t *compared;  /* bit by document: its digest was compared, and is the one signed */
    read_store stores[]; /* by number */
} twx_text_reader;

static bool is_of_run(const twx_text_reader *r) {
    return r->cx != &r->own;
}

static void end_reads(read_store *store) {
    if (store->left) twx_db_unpin(store->db);
    store->left = 0;
}

static twx_rc data_version(const twx_judged_texts *t, const twx_text_reader *r, uint16_t store,
                           int64_t *ret_version) {
    const twx_opened *o = t->stores[store].o;
    const bool by_writer = is_of_run(r) && !twx_is_separate(t->stores[store].job) && o->writer &&
                           !o->trial;
    return twx_db_data_version(by_writer ? o->writer : r->stores[store].db, ret_version);
}

/* Begins a transaction if there is none, and finds out whether another connection has written to
 * the store since its rows were signed. */
static twx_rc begin_reads(const twx_judged_texts *t, twx_text_reader *r, uint16_t number) {
    read_store *store = &r->stores[number];
    int64_t version = 0;
    if (!t->versions || store->left) return TWX_OK;
    twx_rc rc = twx_db_pin(store->db);
    store->left = READS_AT_ONCE;
    if (rc == TWX_OK) rc = data_version(t, r, number, &version);
    store->unchanged = version == store->signed_at;
    if (r->compared && version != store->compared_at)
        memset(r->compared, 0, (t->j->capacity / 64 + 1) * sizeof *r->compared);
    store->compared_at = version;
    if (rc != TWX_OK) end_reads(store);
    return rc;
}

static twx_rc is_signed(const twx_judged_texts *t, twx_text_reader *r, uint32_t i, twx_slice text,
                        bool *ret_signed) {
    unsigned char digest[TWX_SHA256_BYTES];
    const uint64_t bit = UINT64_C(1) << i % 64;
    if (!r->compared) r->compared = twx_calloc(r->cx, t->j->capacity / 64 + 1, sizeof bit);
    if (!r->compared) return TWX_E_NOMEM;
    *ret_signed = t->versions && r->compared[i / 64] & bit;
    if (*ret_signed) return TWX_OK;
    const twx_signed_as signed_as = twx_signed_as_of(t->j, i);
    const twx_rc rc = twx_sha256(r->cx, r->workspace, text, digest);
    *ret_signed = rc == TWX_OK && signed_as.known >> TWX_RELATION_EXACT & 1 &&
                  signed_as.sig[TWX_RELATION_EXACT] == twx_load_be64(digest);
    if (*ret_signed && t->versions) r->compared[i / 64] |= bit;
    return rc;
}

static twx_rc read_by(const twx_judged_texts *t, twx_text_reader *r, uint32_t i,
                      twx_buf *ret_text) {
    twx_doc_row row;
    twx_rc rc = twx_doc_row_of(r->cx, &t->j->docs, i, &row);
    if (rc != TWX_OK) return rc;
    twx_opened *o = t->stores[row.store].o;
    read_store *store = &r->stores[row.store];
    bool is = false;
    twx_value id = {.type = TWX_INT, .i = row.doc};
    rc = begin_reads(t, r, row.store);
    const bool unchanged = store->unchanged;
    if (rc == TWX_OK && !twx_source_is_direct(o->source)) rc = twx_id_of(o, row.doc, &id);
    if (rc == TWX_OK) rc = twx_source_text(store->source, &id, ret_text);
    if (is_of_run(r) && o->signatures)
        twx_signatures_release(o->signatures); /* the id pins the WAL */
    if (store->left && --store->left == 0) twx_db_unpin(store->db);
    if (rc != TWX_OK || unchanged) return rc;
    rc = is_signed(t, r, i, twx_buf_slice(ret_text), &is);
    return rc == TWX_OK && !is ? TWX_DONE : rc;
}

static void drop_reader(twx_judged_texts *t) {
    twx_text_reader *r = t->readers;
    for (size_t i = 0; !is_of_run(r) && i < t->n; i++) {
        twx_source_close(r->stores[i].source);
        twx_db_close(r->stores[i].db);
    }
    twx_workspace_close(r->workspace);
    twx_free(r->compared);
    t->readers = r->next;
    twx_free(r);
}

static twx_rc add_reader(twx_judged_texts *t, twx_ctx *cx, bool of_run) {
    twx_text_reader *r = twx_calloc(cx, 1, sizeof *r + t->n * sizeof *r->stores);
    if (!r) return TWX_E_NOMEM;
    r->cx = of_run ? cx : &r->own;
    r->own = (twx_ctx){.cancel = cx->cancel, .faults = cx->faults};
    r->next = t->readers;
    t->readers = r;
    return twx_workspace_open(r->cx, t->params, &r->workspace);
}

static twx_rc connect(const twx_judged_texts *t, twx_text_reader *r) {
    twx_rc rc = TWX_OK;
    for (uint16_t i = 0; rc == TWX_OK && i < t->n; i++) {
        read_store *store = &r->stores[i];
        rc = twx_open_source_again(r->cx, t->stores[i].job, t->stores[i].o, &store->db,
                                   &store->source);
        if (rc == TWX_OK) rc = twx_db_pin(store->db);
        if (rc == TWX_OK) rc = data_version(t, r, i, &store->signed_at);
        if (store->db) twx_db_unpin(store->db);
    }
    return rc;
}

/* Before the first text is read. Without memory or files for more there are fewer readers. */
static twx_rc add_readers(twx_judged_texts *t) {
    twx_text_reader *of_run = t->readers;
    twx_ctx cx = {.cancel = of_run->cx->cancel, .faults = of_run->cx->faults};
    size_t more = twx_job_threads(t->stores[0].job->settings) - 1;
    if (!t->versions || t->j->docs.at.n <= ALONE) more = 0;
    for (size_t i = 0; more && i < t->n; i++) {
        bool wal = false;
        const twx_rc rc = twx_db_is_wal(t->stores[i].o->reader, &wal);
        if (rc != TWX_OK) return rc;
        if (!wal || !twx_source_is_direct(t->stores[i].o->source)) more = 0;
    }
    for (; more; more--) {
        const twx_text_reader *last = t->readers;
        if (add_reader(t, &cx, false) == TWX_OK && connect(t, t->readers) == TWX_OK) continue;
        if (t->readers != last) drop_reader(t);
        break;
    }
    /* was the store as it was signed, when they looked? */
    for (uint16_t i = 0; t->readers != of_run && i < t->n; i++) {
        const twx_rc rc = begin_reads(t, of_run, i);
        if (rc != TWX_OK) return rc;
        for (twx_text_reader *r = t->readers; r != of_run; r = r->next)
            if (!of_run->stores[i].unchanged) r->stores[i].signed_at = -1;
    }
    t->opened = true;
    return TWX_OK;
}

static twx_rc read_text(void *arg, uint32_t i, twx_buf *ret_text) {
    twx_judged_texts *t = arg;
    twx_text_reader *r = NULL;
    pthread_mutex_lock(&t->lock);
    twx_rc rc = t->opened ? TWX_OK : add_readers(t);
    for (r = t->readers; r->in_use; r = r->next ? r->next : t->readers)
        if (!r->next) pthread_cond_wait(&t->free, &t->lock);
    r->in_use = true;
    pthread_mutex_unlock(&t->lock);
    if (rc == TWX_OK) rc = read_by(t, r, i, ret_text);
    pthread_mutex_lock(&t->lock);
    r->in_use = false;
    if (!is_of_run(r) && rc != TWX_OK) (void)!twx_ctx_take(t->stores[0].job->cx, r->cx);
    pthread_cond_signal(&t->free);
    pthread_mutex_unlock(&t->lock);
    return rc;
}

twx_rc twx_judged_texts_init(const twx_load_store *stores, size_t n, const twx_doc_set *j,
                             const twx_params *params, const int64_t *versions,
                             twx_judged_texts *ret_texts) {
    twx_judged_texts *t = ret_texts;
    *t = (twx_judged_texts){.source = {read_text, t, .any_thread = true},
                            .stores = stores,
                            .n = n,
                            .j = j,
                            .params = params,
                            .versions = versions,
                            .lock = PTHREAD_MUTEX_INITIALIZER,
                            .free = PTHREAD_COND_INITIALIZER};
    const twx_rc rc = add_reader(t, stores[0].job->cx, true);
    for (size_t i = 0; rc == TWX_OK && i < n; i++)
        t->readers->stores[i] = (read_store){.db = stores[i].o->reader,
                                             .source = stores[i].o->source,
                                             .signed_at = versions ? versions[i] : -1};
    return rc;
}

void twx_judged_texts_rest(twx_judged_texts *t) {
    for (twx_text_reader *r = t->readers; r; r = r->next)
        for (size_t i = 0; i < t->n; i++) end_reads(&r->stores[i]);
}

void twx_judged_texts_done(twx_judged_texts *t) {
    if (!t) return;
    twx_judged_texts_rest(t);
    while (t->readers) drop_reader(t);
    *t = (twx_judged_texts){0};
}

/* ==== load */

/* Rows of twindex_signature are read in order of the source's id and added to the set
 * unchanged: a heap has the next row of each store. The set reserves memory for the initial
 * number of rows; an additional row means that another process is signing documents at the same
 * time.
 * While the caller's thread adds a batch of documents, another one reads and unpacks the next ones.
 * It alone uses the connections of the stores meanwhile. Its error is reported after the rows
 * before it were added, as if rows were read and added one by one. */

enum { BATCHES = 3, BATCH_ROWS = 256, UNPACKED_ROWS = 64, BATCH_BYTES = 24 << 10 };

/* A store with its next row. */
typedef struct reading {
    twx_signatures_cursor *rows;
    twx_stored stored;
    twx_value id;
    uint16_t store;
} reading;

typedef struct doc_batch {
    size_t n;                 /* 0: all rows have been read */
    uint32_t was[BATCH_ROWS]; /* in the set before; TWX_NO_DOCUMENT: it is the next of docs */
    size_t unpacked;
    twx_doc_unpacked docs[UNPACKED_ROWS];
    twx_arena bytes; /* of their slices */
} doc_batch;

typedef struct loader {
    twx_ctx *cx;
    const twx_load_store *stores;
    size_t n;
    twx_doc_set *j;
    reading *readings; /* by store */
    reading **heap;    /* those that have a row; the first has the lowest id */
    size_t waiting, rows;
    size_t failed, failed_read;
    uint32_t next_before; /* document of the set before */
    doc_batch *batches;
} loader;

/* ---- the heap ------------------------------------------------------------ */

static void sift_down(loader *l, size_t at) {
    for (;;) {
        size_t least = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < l->waiting; child++) {
            const reading *a = l->heap[child], *b = l->heap[least];
            const int order = twx_value_compare(&a->id, &b->id);
            if (order ? order < 0 : a->store < b->store) least = child;
        }
        if (least == at) return;
        reading *moved = l->heap[at];
        l->heap[at] = l->heap[least];
        l->heap[least] = moved;
        at = least;
    }
}

/* ---- rows ---------------------------------------------------------------- */

/* Errors concern this store. TWX_DONE: it has no more rows. */
static twx_rc read_next(twx_ctx *cx, loader *l, reading *r) {
    const twx_load_store *from = &l->stores[r->store];
    l->failed_read = r->store;
    const twx_rc rc = twx_signatures_cursor_next(r->rows, &r->stored, &r->id);
    if (rc == TWX_OK && l->n > 1 && twx_is_remote(r->stored.doc))
        return twx_fail(cx, TWX_E_DATA,
                        "%s: the id %" PRId64
                        " is not possible in a run over several stores: documents of other stores "
                        "have numbers from -2^62 down",
                        from->job->store, r->stored.doc);
    return rc;
}

static twx_rc begin_all(twx_ctx *cx, void *arg, void **ret_state) {
    loader *l = *ret_state = arg;
    for (size_t m = 0; cx->rc == TWX_OK && m < l->n; m++) {
        const twx_opened *o = l->stores[m].o;
        reading *r = &l->readings[m];
        r->store = (uint16_t)m;
        l->failed_read = m;
        twx_rc rc = twx_signatures_cursor_open(o->signatures, twx_source_is_direct(o->source), cx,
                                               &r->rows);
        if (rc == TWX_OK) rc = read_next(cx, l, r);
        if (rc == TWX_OK) l->heap[l->waiting++] = r;
    }
    for (size_t at = l->waiting / 2; at-- > 0;) sift_down(l, at);
    return cx->rc;
}

static void end_all(void *state) {
    const loader *l = state;
    for (size_t m = 0; m < l->n; m++) twx_signatures_cursor_close(l->readings[m].rows);
}

static twx_rc unpack(twx_ctx *cx, loader *l, const reading *r, doc_batch *b) {
    twx_signed_document doc = {.store = r->store, .doc = r->stored.doc};
    l->failed_read = r->store;
    if (l->rows++ == l->j->capacity)
        return twx_fail(cx, TWX_E_BUSY, "%s: signatures were added while they were read",
                        l->stores[r->store].job->store);
    uint32_t *was = &b->was[b->n];
    *was = l->j->before
               ? twx_doc_set_find_unchanged(l->j, doc.doc,
                                            twx_doc_set_hash(r->stored.facts, r->stored.record),
                                            &l->next_before)
               : TWX_NO_DOCUMENT;
    b->n += *was != TWX_NO_DOCUMENT;
    if (*was != TWX_NO_DOCUMENT) return TWX_OK;
    twx_rc rc = twx_arena_copy(cx, &b->bytes, r->stored.facts, &doc.facts);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, &b->bytes, r->stored.record, &doc.record);
    if (rc == TWX_OK) rc = twx_doc_unpack(cx, l->j->options, &doc, &b->docs[b->unpacked]);
    b->unpacked += rc == TWX_OK;
    b->n += rc == TWX_OK;
    return rc;
}

static twx_rc read_batch(twx_ctx *cx, void *state, void *item) {
    loader *l = state;
    doc_batch *b = item;
    size_t bytes = 0;
    b->n = b->unpacked = 0;
    twx_arena_reset(&b->bytes);
    while (cx->rc == TWX_OK && l->waiting && b->n < BATCH_ROWS && b->unpacked < UNPACKED_ROWS &&
           bytes < BATCH_BYTES) {
        reading *r = l->heap[0];
        const size_t unpacked = b->unpacked;
        twx_rc rc = unpack(cx, l, r, b);
        if (b->unpacked > unpacked) bytes += r->stored.facts.n + r->stored.record.n;
        if (rc == TWX_OK) rc = read_next(cx, l, r);
        if (rc == TWX_DONE) l->heap[0] = l->heap[--l->waiting];
        if (l->waiting) sift_down(l, 0);
    }
    return b->n ? TWX_OK : cx->rc;
}

static twx_rc add_all(loader *l, twx_workers *reader) {
    twx_rc rc = TWX_OK;
    void *item = NULL;
    for (size_t i = 0; rc == TWX_OK && i < BATCHES; i++)
        rc = twx_workers_give(reader, &l->batches[i]);
    while (rc == TWX_OK) {
        rc = twx_workers_next(reader, &item);
        if (rc != TWX_OK) l->failed = l->failed_read;
        const doc_batch *b = item;
        if (rc != TWX_OK || b->n == 0) break;
        rc = twx_cancelled(l->cx);
        for (size_t i = 0, next = 0; rc == TWX_OK && i < b->n; i++) {
            const bool is_new = b->was[i] == TWX_NO_DOCUMENT;
            const twx_doc_unpacked *doc = is_new ? &b->docs[next++] : NULL;
            l->failed = doc ? doc->from.store : 0; /* sets of one store are carried over */
            rc = doc ? twx_doc_set_add_unpacked(l->cx, l->j, doc)
                     : twx_doc_set_carry(l->cx, l->j, b->was[i]);
        }
    }
    return rc;
}

twx_rc twx_load(twx_ctx *cx, const twx_load_store *stores, size_t n, const twx_judge_plan *plan,
                size_t *ret_failed, twx_doc_set *ret_set) {
    loader l = {.cx = cx, .stores = stores, .n = n, .j = ret_set};
    const twx_work_kind kind = {.open = begin_all,
                                .work = read_batch,
                                .close = end_all,
                                .arg = &l,
                                .inline_if_one = plan->options.threads <= 1,
                                .in_order = true};
    twx_workers *reader = NULL;
    size_t documents = 0;
    l.readings = twx_calloc(cx, n, sizeof *l.readings);
    l.heap = twx_calloc(cx, n, sizeof *l.heap);
    l.batches = twx_calloc(cx, BATCHES, sizeof *l.batches);
    twx_rc rc = l.readings && l.heap && l.batches ? TWX_OK : TWX_E_NOMEM;
    for (size_t m = 0; rc == TWX_OK && m < n; m++) {
        uint64_t more = 0;
        l.failed = m;
        rc = twx_signatures_count(stores[m].o->signatures, &more);
        documents += (size_t)more;
    }
    if (rc == TWX_OK) {
        l.failed = n;
        rc = twx_doc_set_begin(cx, ret_set, &plan->options, documents,
                               twx_job_memory(stores[0].job->settings));
    }
    if (rc == TWX_OK) rc = twx_workers_open(cx, 1, BATCHES, &kind, &reader);
    if (rc == TWX_OK) rc = add_all(&l, reader);
    twx_workers_close(reader);
    for (size_t i = 0; l.batches && i < BATCHES; i++) twx_arena_done(&l.batches[i].bytes);
    twx_free(l.batches);
    twx_free(l.readings);
    twx_free(l.heap);
    *ret_failed = l.failed;
    return rc != TWX_OK && l.failed < n ? twx_name_damaged(cx, stores[l.failed].job, rc) : rc;
}
