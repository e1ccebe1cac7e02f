#include "lab/lab.h"

/* ==== findability */

enum { TWX_FINDABLE_MAX = 48 };

typedef struct twx_findability {
    const char *store;
    uint64_t documents, not_taking_part;
    bool searchable; /* there is a text index */
    uint64_t known;  /* known copies in the store */
    size_t n;
    twx_findable at[TWX_FINDABLE_MAX];
} twx_findability;

#define FI(...) TWX_FIELD(twx_findable, __VA_ARGS__)
static const twx_field FINDABLE[] = {TWX_FIELDS(
    FI(NULL, name, "", -18), FI("hidden_own_text", hidden, "hidden", 8), FI("sampled", sampled),
    FI("compared", compared), FI("substitutions", substitutions), FI("searched", searched),
    FI("shared", shared), FI("same_title_sampled", titled_sampled),
    FI("known_sampled", known_sampled), FI("lost", lost, "title word lost", 18),
    FI("lost_without_numbers", lost_words, "but for numbers", 18),
    FI("heading_lost", lost_headings, "heading word lost", 18),
    FI("things", things, "words substituted", 18), FI("substitutes", substitutes, "or numbers", 18),
    FI("one_way", one_way, "one way", 18), FI("found", found, "found by title", 18),
    FI("titles_found", titles_found, "mean of titles", 18),
    FI("shared_titles", shared_titles, "shared titles", 18),
    FI("others_found", others_found, "found, others", 18),
    FI("same_title_alike", same_title, "same title, alike", 18),
    FI("known_visible", known_visible, "known, visible", 18))};

json_t *twx_findable_json(const twx_findable *f) {
    return twx_row_json(TWX_ROWS_AT(FINDABLE, f, 1));
}

static json_t *findable_json(const void *findability) {
    const twx_findability *all = findability;
    json_t *list = json_array();
    for (const twx_findable *f = all->at; f < all->at + all->n; f++) {
        json_t *o = f->missing ? json_pack("{s:s}", "not_evaluated", f->missing)
                               : twx_findable_json(f);
        json_object_set_new(o, "name", json_string(f->name));
        json_object_set_new(o, "kind", json_string(f->relation ? "relation" : "method"));
        json_array_append_new(list, o);
    }
    return list;
}

#define FN(...) TWX_FIELD(twx_findability, __VA_ARGS__)
static const twx_field FINDABILITY[] = {TWX_FIELDS(
    FN("store", store), FN("documents", documents), FN("not_taking_part", not_taking_part),
    FN("text_index", searchable), FN("known", known), TWX_FIELD_GOT("findable", findable_json))};

/* Writes text or JSON, as the sink requires. */
static twx_rc findability_write(const twx_out *out, const twx_findability *f) {
    if (twx_out_is_json(out))
        return twx_out_json(out, twx_row_json(TWX_ROWS_AT(FINDABILITY, f, 1)));
    twx_rc rc = twx_out_text(out,
                             "%s: %s documents, %s of them not taking part; shares in per cent\n\n",
                             f->store, TWX_N(f->documents), TWX_N(f->not_taking_part));
    if (rc == TWX_OK) rc = twx_rows_write(out, TWX_ROWS_AT(FINDABLE, f->at, 0), true);
    for (size_t i = 0; rc == TWX_OK && i < f->n; i++)
        rc = f->at[i].missing ? twx_out_text(out, "  %-18s %s\n", f->at[i].name, f->at[i].missing)
                              : twx_rows_write(out, TWX_ROWS_AT(FINDABLE, &f->at[i], 1), false);
    if (rc == TWX_OK) rc = twx_out_text(out, "\nwhat the columns count: twindex help evaluate\n");
    if (rc == TWX_OK && !f->searchable)
        rc = twx_out_text(out,
                          "found by title: not measured: 'twindex index' makes the text index\n");
    return rc;
}

/* ==== evaluate */

#define COUNT(name) +1
_Static_assert(0 TWX_METHOD_ROWS(COUNT) <= TWX_EVALUATED_MAX,
               "all detectors can be evaluated at once");
#undef COUNT

typedef struct evaluating {
    const twx_job *job;
    const twindex_evaluate_options *options;
    twx_opened o;
    twx_params params;
    twx_url_rules *rules;
    twx_collection collection;
    bool labelled; /* truth is read from a file */
    twx_eval_labels labels;
    twx_eval_documents documents;
    twx_eval_texts texts;
    twx_eval_finding finding;
    TWX_VEC(uint64_t) place;   /* of each text */
    TWX_VEC(uint32_t) has_key; /* by text: bit d: detector d gives the text a key */
    twx_eval_pool pool;
    twx_evaluation e;
} evaluating;

/* ---- which detectors ---------------------------------------------------- */

static bool is_of_texts(const twx_detector *d) {
    return (d->basis == TWX_BASIS_TEXT || d->basis == TWX_BASIS_PAGE) && !d->describes_name;
}

static twx_rc add_detector(evaluating *v, const twx_detector *d) {
    for (size_t i = 0; i < v->e.n; i++)
        if (v->e.at[i].detector == d) return TWX_OK;
    if (v->e.n == TWX_EVALUATED_MAX)
        return twx_fail(v->job->cx, TWX_E_USAGE, "at most %d detectors are compared at once",
                        TWX_EVALUATED_MAX);
    v->e.at[v->e.n++].detector = d;
    return TWX_OK;
}

static twx_rc fail_name(const evaluating *v, const char *name) {
    twx_nearest near = twx_nearest_of(name);
    for (size_t i = 0; twx_detector_at(i); i++)
        if (is_of_texts(twx_detector_at(i))) twx_nearest_try(&near, twx_detector_at(i)->name);
    if (near.name)
        return twx_fail(v->job->cx, TWX_E_USAGE, "no detector '%.60s'; did you mean %s?", name,
                        near.name);
    return twx_fail(v->job->cx, TWX_E_USAGE, "no detector '%.60s': 'twindex detectors' lists them",
                    name);
}

static twx_rc add_named(evaluating *v, twx_slice name) {
    char *word = twx_strndup(v->job->cx, name.p, name.n);
    if (!word) return TWX_E_NOMEM;
    const twx_detector *d = twx_detector_find(word);
    twx_rc rc = TWX_OK;
    if (!d)
        rc = fail_name(v, word);
    else if (!is_of_texts(d))
        rc = twx_fail(v->job->cx, TWX_E_USAGE,
                      "%s does not compare texts, so it cannot be evaluated", word);
    else
        rc = add_detector(v, d);
    twx_free(word);
    return rc;
}

static twx_rc choose_detectors(evaluating *v) {
    twx_slice list = twx_slice_of(v->options->detectors ? v->options->detectors : "all");
    twx_rc rc = TWX_OK;
    if (twx_slice_eq(list, TWX_SLICE_LIT("all"))) {
        for (size_t i = 0; rc == TWX_OK && twx_detector_at(i); i++)
            if (is_of_texts(twx_detector_at(i))) rc = add_detector(v, twx_detector_at(i));
        return rc;
    }
    for (size_t from = 0; rc == TWX_OK && from <= list.n;) {
        size_t comma = twx_slice_find(list, ',', from);
        twx_slice name = twx_slice_trim(twx_slice_sub(list, from, comma));
        rc = name.n ? add_named(v, name)
                    : twx_fail(v->job->cx, TWX_E_USAGE,
                               "a name is missing in the list of detectors '%.100s'", list.p);
        from = comma + 1;
    }
    return rc;
}

/* ---- truth by labels ----------------------------------------------------- */

static twx_rc read_labels(evaluating *v) {
    twx_input *in = NULL;
    v->e.truth = v->options->truth ? v->options->truth : "similarity";
    v->e.kind = TWX_TRUTH_SIMILARITY;
    if (strcmp(v->e.truth, "similarity") == 0) return TWX_OK;
    twx_rc rc = twx_input_open_list(v->job->cx, v->e.truth, TWX_INPUT_LIST_BYTES, &in);
    if (rc == TWX_OK) rc = twx_eval_labels_read(v->job->cx, &v->params.url, in, &v->labels);
    twx_input_close(in);
    if (rc != TWX_OK) return rc;
    v->labelled = true;
    v->e.kind = v->labels.clusters ? TWX_TRUTH_CLUSTERS : TWX_TRUTH_PAIRS;
    v->e.labelled_urls = v->labels.urls.n;
    v->e.clusters = v->labels.n_clusters;
    return TWX_OK;
}

static twx_rc meet_document(void *arg, twx_slice url, uint32_t text) {
    evaluating *v = arg;
    return twx_eval_labels_meet(v->job->cx, &v->labels, url, text);
}

/* Counts the labels that match no text of the store. */
static void count_unknown(evaluating *v) {
    for (size_t i = 0; i < v->labels.urls.n; i++) {
        const twx_eval_label_url *url = &v->labels.urls.at[i];
        if (url->met) {
            v->e.urls_without_text += url->text == TWX_EVAL_NO_TEXT;
            continue;
        }
        if (v->e.unknown_urls < TWX_MISSING_SHOWN) v->e.unknown[v->e.unknown_urls] = url->url;
        v->e.unknown_urls++;
    }
    if (v->e.unknown_urls)
        twx_job_message(v->job, TWINDEX_WARNING,
                        "%" PRIu64 " %s not in the store, the first is " TWX_SLICE_FMT,
                        v->e.unknown_urls,
                        twx_plural(v->e.unknown_urls, "labelled URL is", "labelled URLs are"),
                        TWX_SLICE_ARG(v->e.unknown[0]));
}

/* ---- before the detectors ------------------------------------------------ */

static twx_rc read_texts(evaluating *v) {
    twx_ctx *cx = v->job->cx;
    const twx_eval_reading how = {&v->documents, v->labelled ? meet_document : NULL, v};
    twx_rc rc = twx_eval_documents_read(v->job, &v->o, &v->params.url, &v->documents);
    if (rc == TWX_OK) rc = twx_eval_texts_read(&how, &v->texts);
    if (rc != TWX_OK) return rc;
    size_t n = v->texts.at.n;
    if (!TWX_VEC_RESERVE(cx, &v->place, n) || !TWX_VEC_RESERVE(cx, &v->has_key, n))
        return TWX_E_NOMEM;
    for (size_t i = 0; i < n; i++) {
        v->place.at[i] = v->texts.at.at[i].place;
        v->has_key.at[i] = 0;
    }
    v->pool = (twx_eval_pool){.cx = cx, .place = v->place.at, .limit = TWX_EVAL_PAIRS_MAX};
    v->params.documents = v->e.documents = v->texts.documents;
    v->e.not_taking_part = v->texts.not_taking_part;
    v->e.without_text = v->texts.without_text;
    v->e.threshold_ppm = twx_method_value(&v->params, &TWX_DETECTOR_ALIGNMENT, 0);
    v->e.texts = n;
    v->e.text_bytes = v->texts.bytes;
    count_unknown(v);
    return TWX_OK;
}

/* Reads the collection for those detectors that need it; each is charged an equal share of the
 * time. */
static twx_rc collect(evaluating *v) {
    unsigned needs = 0;
    size_t sharers = 0;
    for (size_t d = 0; d < v->e.n; d++) {
        needs |= v->e.at[d].detector->needs;
        sharers += v->e.at[d].detector->needs != 0;
    }
    if (needs == 0) return TWX_OK;
    double begun = twx_job_clock();
    twx_rc rc = twx_collect(v->job, &v->o, &v->params, needs, &v->collection);
    if (rc != TWX_OK) return rc;
    v->params.collection = &v->collection;
    v->e.collection_seconds = twx_job_clock() - begun;
    for (size_t d = 0; d < v->e.n; d++)
        if (v->e.at[d].detector->needs)
            v->e.at[d].collection_seconds = v->e.collection_seconds / (double)sharers;
    return TWX_OK;
}

/* Signs all texts. TWX_DONE: *ret_missing is why this detector cannot be evaluated. */
static twx_rc sign_texts(evaluating *v, const twx_detector *d, const char **ret_missing,
                         twx_eval_signed *ret_signed) {
    twx_rc rc = TWX_DONE;
    if (d->needs & TWX_NEED_LINK_SCORES && v->collection.n_links == 0) {
        *ret_missing = "needs a link table";
        return rc;
    }
    twx_job_message(v->job, TWINDEX_DETAIL, "%s", d->name);
    rc = twx_eval_sign(&v->texts, &v->params, d, ret_signed);
    if (rc != TWX_E_LIMIT || v->job->cx->rc != TWX_OK) return rc;
    *ret_missing = "needs more memory (--memory)";
    return TWX_DONE;
}

/* ---- one detector ------------------------------------------------------- */

/* Groups texts by their candidate keys. */
static twx_rc open_grouper(const evaluating *v, const twx_eval_signed *s,
                           twx_grouper **ret_grouper) {
    twx_grouper *grouper = NULL;
    twx_rc rc = twx_grouper_open(v->job->cx, twx_job_memory(v->job->settings) / 4, NULL, &grouper);
    if (rc == TWX_OK) rc = twx_eval_give_keys(s, grouper);
    TWX_HAND_OVER(rc, ret_grouper, grouper, twx_grouper_close(grouper));
    return rc;
}

static twx_rc count_run(void *arg, uint32_t *members, size_t n) {
    (void)members;
    *(double *)arg += (double)n * (double)(n - 1) / 2;
    return TWX_OK;
}

static bool is_pair(void *arg, uint32_t a, uint32_t b) {
    return twx_eval_alike(arg, a, b) >= 0;
}

/* The candidates are counted first, so that a very large run is never enumerated pair by pair. */
static twx_rc find_pairs(evaluating *v, twx_eval_signed *s, unsigned d) {
    twx_grouper *grouper = NULL;
    double candidates = 0;
    twx_eval_collector c = {.cx = v->job->cx,
                            .place = v->place.at,
                            .is_pair = s->detector->verify ? is_pair : NULL,
                            .arg = s,
                            .halvings = v->pool.halvings,
                            .limit = v->pool.limit};
    twx_rc rc = open_grouper(v, s, &grouper);
    if (rc == TWX_OK) rc = twx_grouper_each(v->job->cx, grouper, count_run, &candidates);
    twx_grouper_close(grouper);
    grouper = NULL;
    unsigned needed = twx_eval_halvings_for(candidates);
    if (needed > c.halvings) c.halvings = needed;
    if (rc == TWX_OK) rc = open_grouper(v, s, &grouper);
    if (rc == TWX_OK) rc = twx_grouper_each(v->job->cx, grouper, twx_eval_collect_run, &c);
    if (rc == TWX_OK) rc = twx_eval_settle(&c);
    if (rc == TWX_OK) rc = twx_eval_pool_add(&v->pool, &c, d);
    twx_grouper_close(grouper);
    twx_eval_collector_done(&c);
    return rc;
}

/* Counts the groups of two or more documents that a run with this method would make. */
static twx_rc make_groups(evaluating *v, const twx_eval_signed *s, twx_evaluated *result) {
    twx_eval_grouped groups = {0};
    double begun = twx_job_clock();
    twx_rc rc = twx_eval_groups_of(&v->documents, s, &groups);
    result->group_seconds = twx_job_clock() - begun;
    result->groups = groups.groups;
    result->largest_group = groups.largest;
    /* hidden and visible documents are examined if the method is in the list or configured */
    const twx_detector *d = result->detector;
    const char *list = v->options->detectors;
    const bool wanted = (list && strcmp(list, "all") != 0) ||
                        strcmp(v->job->settings->near_detector, d->name) == 0;
    if (rc == TWX_OK && v->options->hidden && d->near && wanted)
        rc = twx_eval_hiding_measure(&v->finding, groups.rep, v->e.threshold_ppm, &result->hiding);
    twx_free(groups.rep);
    return rc;
}

static twx_rc evaluate_detector(evaluating *v, unsigned d) {
    twx_evaluated *result = &v->e.at[d];
    twx_eval_signed s = {0};
    twx_rc rc = sign_texts(v, result->detector, &result->missing, &s);
    if (rc != TWX_OK) return rc == TWX_DONE ? TWX_OK : rc;
    result->sign_seconds = s.seconds;
    if (s.seconds > 0) result->megabytes_a_second = (double)v->texts.bytes / 1e6 / s.seconds;
    for (uint32_t i = 0; i < v->texts.at.n; i++)
        if (twx_eval_has_key(&s, i)) v->has_key.at[i] |= UINT32_C(1) << d;
    rc = find_pairs(v, &s, d);
    for (size_t i = 0; rc == TWX_OK && i < v->labels.pairs.n; i++) {
        twx_eval_label_pair *pair = &v->labels.pairs.at[i];
        const uint32_t a = v->labels.urls.at[pair->a].text, b = v->labels.urls.at[pair->b].text;
        if (a != TWX_EVAL_NO_TEXT && b != TWX_EVAL_NO_TEXT && twx_eval_is_pair(&s, a, b))
            pair->found |= UINT32_C(1) << d;
    }
    if (rc == TWX_OK) rc = make_groups(v, &s, result);
    twx_eval_signed_done(&s);
    return rc;
}

/* ---- published relations ------------------------------------------------ */

/* One published relation. */
typedef struct relation_groups {
    const char *name; /* of the relation, or "verdict" */
    uint32_t *rep;    /* by document: its representative; TWX_NO_DOCUMENT: it is in no group */
} relation_groups;

typedef struct published_relations {
    relation_groups at[TWX_RELATIONS + 1];
    size_t n;          /* 0: there are no published flags */
    uint64_t unmarked; /* documents without flags: added since the last run */
} published_relations;

typedef struct loading {
    const twx_eval_documents *documents;
    twx_flag_column column[TWX_RELATIONS + 1];
    published_relations made;
} loading;

static twx_rc add_relation(loading *l, const char *name, twx_flag_column column) {
    const size_t n = l->documents->at.n;
    relation_groups *r = &l->made.at[l->made.n];
    r->rep = twx_malloc(l->documents->job->cx, (n + 1) * sizeof *r->rep);
    if (!r->rep) return TWX_E_NOMEM;
    for (size_t i = 0; i < n; i++) r->rep[i] = TWX_NO_DOCUMENT;
    r->name = name;
    l->column[l->made.n++] = column;
    return TWX_OK;
}

static twx_rc take_row(void *arg, const twx_flag_row *row) {
    loading *l = arg;
    const twx_eval_documents *d = l->documents;
    uint32_t document;
    twx_rc rc = twx_eval_document_numbered(d->o, d, row->doc, &document);
    if (rc != TWX_OK || document == TWX_NO_DOCUMENT) return rc;
    l->made.unmarked--;
    if (!twx_eval_takes_part(d, document)) return TWX_OK;
    for (size_t r = 0; rc == TWX_OK && r < l->made.n; r++)
        if (twx_flag_known(row, l->column[r]))
            rc = twx_eval_document_numbered(d->o, d, row->v[l->column[r]],
                                            &l->made.at[r].rep[document]);
    return rc;
}

static void relations_done(published_relations *r) {
    for (size_t i = 0; i < r->n; i++) twx_free(r->at[i].rep);
    r->n = 0;
}

/* The relations whose method is configured (near, copy) and the verdict. */
static twx_rc read_relations(const twx_eval_documents *documents,
                             published_relations *ret_relations) {
    twx_generations *generations = documents->o->generations;
    loading l = {.documents = documents};
    twx_state state = {0};
    twx_rc rc = TWX_OK;
    l.made.unmarked = documents->at.n;
    if (generations) rc = twx_state_read(generations, &state);
    if (rc == TWX_OK && state.generation) {
        for (size_t s = 0; rc == TWX_OK && twx_relation_at(s); s++) {
            const twx_relation *relation = twx_relation_at(s);
            if (!relation->detector) rc = add_relation(&l, relation->name, relation->rep);
        }
        if (rc == TWX_OK) rc = add_relation(&l, "verdict", TWX_FLAG_duplicate_of);
        if (rc == TWX_OK)
            rc = twx_flags_each(documents->job->cx, generations, state.generation, take_row, &l);
    }
    TWX_HAND_OVER(rc, ret_relations, l.made, relations_done(&l.made));
    return rc;
}

static twx_rc rate_relations(evaluating *v) {
    published_relations relations = {0};
    bool *joined = twx_calloc(v->job->cx, v->labels.pairs.n + 1, sizeof *joined);
    twx_rc rc = joined ? read_relations(&v->documents, &relations) : TWX_E_NOMEM;
    for (size_t r = 0; rc == TWX_OK && r < relations.n && r < TWX_RELATIONS_MAX; r++) {
        const uint32_t *rep = relations.at[r].rep;
        for (size_t i = 0; i < v->labels.pairs.n; i++) {
            const twx_eval_label_pair *pair = &v->labels.pairs.at[i];
            const uint32_t a = v->labels.urls.at[pair->a].text, b = v->labels.urls.at[pair->b].text;
            /* the first document of each text represents it */
            joined[i] = a != TWX_EVAL_NO_TEXT && b != TWX_EVAL_NO_TEXT &&
                        twx_finding_shown(rep, v->texts.at.at[a].document) ==
                            twx_finding_shown(rep, v->texts.at.at[b].document);
        }
        v->e.relation[v->e.n_relations++] = (twx_evaluated_relation){
            relations.at[r].name, twx_eval_rate_pairs(&v->labels, joined, 0)};
    }
    relations_done(&relations);
    twx_free(joined);
    return rc;
}

/* ---- findable ----------------------------------------------------------- */

static twx_rc find_relations(evaluating *v, twx_eval_finder *finder, twx_findability *f) {
    published_relations relations = {0};
    twx_rc rc = read_relations(&v->documents, &relations);
    for (size_t r = 0; rc == TWX_OK && r < relations.n; r++) {
        twx_findable *result = &f->at[f->n++];
        *result = (twx_findable){.name = relations.at[r].name, .relation = true};
        rc = twx_eval_find(finder, relations.at[r].rep, false, result);
    }
    if (rc == TWX_OK && relations.n == 0)
        twx_job_message(
            v->job, TWINDEX_NOTE,
            "%s: no run has published flags yet, so methods are compared and relations are not",
            v->job->store);
    if (rc == TWX_OK && relations.n && relations.unmarked)
        twx_job_message(v->job, TWINDEX_WARNING,
                        "%" PRIu64 " documents were added since the last run", relations.unmarked);
    relations_done(&relations);
    return rc;
}

static twx_rc find_method(evaluating *v, const twx_evaluated *method, twx_eval_finder *finder,
                          twx_findable *result) {
    twx_eval_signed s = {0};
    twx_eval_grouped groups = {0};
    *result = (twx_findable){.name = method->detector->name};
    twx_rc rc = sign_texts(v, method->detector, &result->missing, &s);
    if (rc == TWX_DONE) return TWX_OK;
    if (rc == TWX_OK) rc = twx_eval_groups_of(&v->documents, &s, &groups);
    twx_eval_signed_done(&s);
    if (rc == TWX_OK) rc = twx_eval_find(finder, groups.rep, false, result);
    twx_free(groups.rep);
    return rc;
}

static twx_rc evaluate_findable(evaluating *v, const twx_out *out) {
    twx_eval_finder *finder = NULL;
    twx_findability f = {.store = v->job->store,
                         .documents = v->e.documents,
                         .not_taking_part = v->e.not_taking_part};
    twx_rc rc = twx_eval_finder_open(&v->finding, &finder);
    if (rc == TWX_OK) rc = find_relations(v, finder, &f);
    for (size_t d = 0; rc == TWX_OK && d < v->e.n; d++)
        rc = find_method(v, &v->e.at[d], finder, &f.at[f.n++]);
    if (rc == TWX_OK) {
        f.searchable = twx_eval_finder_searches(finder);
        f.known = twx_eval_finder_known(finder);
        rc = findability_write(out, &f);
    }
    const twx_out also = {.cx = v->job->cx, .sink = v->options->also};
    if (rc == TWX_OK && also.sink) rc = findability_write(&also, &f);
    twx_eval_finder_close(finder);
    return rc;
}

/* ---- the evaluation ------------------------------------------------------ */

static void warn_of_changes(const evaluating *v) {
    const uint64_t changed = twx_eval_texts_changed(&v->texts);
    if (changed)
        twx_job_message(v->job, TWINDEX_WARNING,
                        "%s: %" PRIu64 " of %zu texts %s changed or deleted during the evaluation "
                        "and left out; to compare methods on the same texts, evaluate a copy",
                        v->job->store, changed, v->texts.at.n, twx_plural(changed, "was", "were"));
}

static twx_rc score(evaluating *v) {
    const twx_eval_found found = {
        .texts = &v->texts, .pool = &v->pool, .has_key = v->has_key.at, .n = v->e.n};
    twx_eval_verified verified = {0};
    twx_eval_count(&found, &v->e);
    v->e.share = twx_eval_chance(v->pool.halvings);
    v->e.pool = v->pool.at.n;
    if (v->e.kind == TWX_TRUTH_CLUSTERS)
        return twx_eval_score_clusters(v->job->cx, &found, &v->labels, &v->e);
    if (v->e.kind == TWX_TRUTH_PAIRS) {
        twx_eval_score_pairs(&v->labels, &v->e);
        return rate_relations(v);
    }
    const twx_eval_draw draw = twx_eval_draw_of(&v->texts, &v->pool, v->options->sample);
    twx_rc rc = twx_eval_verify(&v->texts, &draw, &v->pool, &verified);
    if (rc != TWX_OK) return rc;
    v->e.verified = verified.pairs;
    v->e.too_long = verified.too_long;
    twx_eval_score_similarity(&found, &draw, &v->e);
    return TWX_OK;
}

static void done(evaluating *v) {
    TWX_VEC_DONE(&v->pool.at);
    TWX_VEC_DONE(&v->place);
    TWX_VEC_DONE(&v->has_key);
    twx_eval_texts_done(&v->texts);
    twx_eval_documents_done(&v->documents);
    if (v->labelled) twx_eval_labels_done(&v->labels);
    twx_collection_done(&v->collection);
    twx_url_rules_close(v->rules);
    twx_opened_done(&v->o);
    twx_free(v);
}

twx_rc twx_evaluate(const twx_job *job, const twindex_evaluate_options *options,
                    const twx_out *out) {
    evaluating *v = twx_calloc(job->cx, 1, sizeof *v); /* too large for the stack: Dice matrix */
    if (!v) return TWX_E_NOMEM;
    v->job = job;
    v->options = options;
    v->e.store = job->store;
    v->e.settings = job->settings;
    v->e.whole = options->detectors != NULL;
    v->finding = (twx_eval_finding){.job = job,
                                    .documents = &v->documents,
                                    .texts = &v->texts,
                                    .sample = options->hidden,
                                    .seed = options->seed,
                                    .known = options->known};
    twx_rc rc = choose_detectors(v);
    if (rc == TWX_OK) rc = twx_params_make(job, &v->params, &v->rules);
    if (rc == TWX_OK) rc = read_labels(v);
    if (rc == TWX_OK) rc = twx_open_store(job, TWX_NEED_SOURCE | TWX_NEED_LOOK, &v->o);
    if (rc == TWX_OK) rc = read_texts(v);
    if (rc == TWX_OK) rc = collect(v);
    if (rc == TWX_OK && options->findable) rc = evaluate_findable(v, out);
    if (rc == TWX_OK && options->findable) warn_of_changes(v);
    if (rc != TWX_OK || options->findable) {
        done(v);
        return rc;
    }
    for (unsigned d = 0; rc == TWX_OK && d < v->e.n; d++) rc = evaluate_detector(v, d);
    if (rc == TWX_OK) rc = score(v);
    if (rc == TWX_OK) warn_of_changes(v);
    if (rc == TWX_OK) rc = twx_evaluation_write(out, &v->e, options->html);
    const twx_out also = {.cx = job->cx, .sink = options->also};
    if (rc == TWX_OK && also.sink) rc = twx_evaluation_write(&also, &v->e, false);
    done(v);
    return rc;
}
