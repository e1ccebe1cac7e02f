#include "inspect/internal.h"

/* ==== listed_document */

twx_rc twx_listed_document_copy(twx_ctx *cx, twx_arena *arena, const twx_value *id, twx_slice url,
                                twx_listed_document *ret_document) {
    twx_listed_document d = {.id = *id};
    twx_rc rc = twx_arena_copy(cx, arena, id->bytes, &d.id.bytes);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, arena, url, &d.url);
    if (rc == TWX_OK) *ret_document = d;
    return rc;
}

twx_rc twx_listed_document_write(const twx_out *out, const twx_listed_document *d, size_t most) {
    twx_rc rc = twx_out_value(out, &d->id);
    if (rc == TWX_OK) rc = twx_out_text(out, "  ");
    if (rc == TWX_OK) rc = twx_out_url(out, d->url, most);
    if (rc != TWX_OK || !d->store.p) return rc;
    return twx_out_text(out, " in " TWX_SLICE_FMT, TWX_SLICE_ARG(d->store));
}

twx_rc twx_out_mentions(const twx_out *out, twx_slice text, const twx_mention *at, size_t n) {
    size_t from = 0;
    twx_rc rc = TWX_OK;
    for (const twx_mention *m = at; rc == TWX_OK && m < at + n; m++) {
        rc = twx_out_line(out, twx_slice_sub(text, from, m->url));
        if (rc == TWX_OK) rc = twx_out_url(out, twx_slice_sub(text, m->url, m->to), 0);
        from = m->to;
    }
    return rc == TWX_OK ? twx_out_line(out, twx_slice_sub(text, from, text.n)) : rc;
}

json_t *twx_listed_document_json(const twx_listed_document *d) {
    return json_pack("{s:o, s:o, s:o*}", "id", twx_json_value(&d->id), "url",
                     twx_json_slice(d->url), "store", d->store.p ? twx_json_slice(d->store) : NULL);
}

/* The documents most similar to a given one.
 * Bytes are in the arena. */
typedef struct twx_similar_row {
    twx_listed_document document;
    int32_t text_similarity, similarity; /* millionths; -1: unknown */
    size_t shared_keys;
    bool pair;
    /* in which the last run put both into one group; the verdict is the last one */
    const char *relations[TWX_RELATIONS + 1];
    size_t n_relations;
} twx_similar_row;

static json_t *relations_json(const void *similar_row) {
    const twx_similar_row *row = similar_row;
    json_t *names = json_array();
    for (size_t i = 0; i < row->n_relations; i++)
        json_array_append_new(names, json_string(row->relations[i]));
    return names;
}

#define R(...) TWX_FIELD(twx_similar_row, __VA_ARGS__)
static const twx_field ROW[] = {TWX_FIELDS(
    R("id", document.id), R("url", document.url),
    TWX_FIELD_AS(twx_similar_row, OPTIONAL, "store", document.store),
    R("text_similarity", text_similarity), R("similarity", similarity),
    R("shared_keys", shared_keys), R("pair", pair), TWX_FIELD_GOT("relations", relations_json))};
/* "   97.10 %    95.31 %      21  pair  42  https://example.org/  (exact near)" */
static twx_rc write_row(const twx_out *out, const twx_similar_row *row) {
    twx_rc rc = twx_out_text(out, "%9s  %9s  %6zu  %-4s  ",
                             twx_ppm_text(row->text_similarity, (char[TWX_PPM_BYTES]){0}),
                             twx_ppm_text(row->similarity, (char[TWX_PPM_BYTES]){0}),
                             row->shared_keys, row->pair ? "pair" : "");
    if (rc == TWX_OK) rc = twx_listed_document_write(out, &row->document, TWX_LISTED_URL_SHOWN);
    for (size_t i = 0; rc == TWX_OK && i < row->n_relations; i++)
        rc = twx_out_text(out, "%s%s", i ? " " : "  (", row->relations[i]);
    return rc == TWX_OK ? twx_out_text(out, row->n_relations ? ")\n" : "\n") : rc;
}

/* Every other document is compared with the given one by the detector's signatures. The best ones
 * are kept, their texts are read and compared, and they are listed in order of text similarity. */

enum { REFINED = 20 /* documents whose texts are compared */ };
enum { POLL_ROWS = 4096, MILLION = 1000000, LONG_LEAST = 900000 };

/* Products of two lengths in bytes: two seconds; minutes, even for near-duplicates. */
static const double CELLS_CHEAP = 1e11, CELLS_MOST = 1e13;

static const char DEFAULT_DETECTOR[] = "alignment"; /* if no near detector is configured */

/* A document that may be among the most similar. */
typedef struct found {
    twx_value key; /* the document's number if signatures are stored, else its scan key */
    char *bytes;   /* of the key; owned */
    twx_nearness near;
    uint64_t order;          /* position in reading order, which breaks ties */
    int32_t text_similarity; /* -1: not compared, or the texts are long and dissimilar */
} found;

typedef struct searching {
    twx_arena arena;
    twx_listed_document named; /* the given document */
    const char *by;            /* name of the detector */
    TWX_VEC(twx_similar_row) rows;

    const twx_job *job;
    const twindex_similar_options *options;
    twx_opened o;
    twx_state state;
    const twx_detector *detector;
    bool stored; /* signatures of the last run are used */
    twx_params params;
    twx_url_rules *rules;
    twx_collection collection;
    twx_memo *memo;
    twx_signing signing; /* by the detector */
    twx_workspace *workspace;
    twx_buf record;
    twx_lookup document;
    bool has_doc, has_flags;
    int64_t doc;        /* the given document's number */
    twx_flag_row flags; /* its flags */
    twx_probe probe;
    twx_similarity *similarity;
    TWX_VEC(found) at;
    size_t keep; /* number of documents to keep; 0: all */
    uint64_t seen, total;
} searching;

/* ---- the best so far ----------------------------------------------------- */

/* Sorts documents whose texts were compared first, by text similarity; then by the detector's
 * similarity; then in reading order. */
TWX_ORDER(by_likeness, found,
          TWX_DOWN_THEN(text_similarity,
                        TWX_DOWN_THEN(near.similarity, TWX_DOWN_THEN(near.shared, TWX_UP(order)))))

static void sort_and_cut(searching *s, size_t most) {
    if (s->at.n > 1) qsort(s->at.at, s->at.n, sizeof *s->at.at, by_likeness);
    while (most && s->at.n > most) twx_free(s->at.at[--s->at.n].bytes);
}

static twx_rc try_record(searching *s, twx_slice bytes, const twx_value *key) {
    twx_record record;
    const twx_rc rc = twx_record_read(s->job->cx, bytes, &record);
    const twx_record_entry *entry = rc == TWX_OK ? twx_record_find(&record, s->detector->id) : NULL;
    if (!entry) return rc;
    const twx_nearness near = twx_probe_try(&s->probe, entry);
    found f = {.key = *key, .near = near, .order = s->seen, .text_similarity = -1};
    if (near.similarity <= 0 && near.shared == 0) return TWX_OK;
    if (key->bytes.p) {
        f.bytes = twx_strndup(s->job->cx, key->bytes.p, key->bytes.n);
        if (!f.bytes) return TWX_E_NOMEM;
        f.key.bytes.p = f.bytes;
    }
    if (!TWX_VEC_PUSH(s->job->cx, &s->at, f)) {
        twx_free(f.bytes);
        return TWX_E_NOMEM;
    }
    if (s->keep && s->at.n >= 2 * s->keep) sort_and_cut(s, s->keep);
    return TWX_OK;
}

/* ---- comparing all documents --------------------------------------------- */

static twx_rc measure_stored(void *arg, const twx_stored *stored) {
    searching *s = arg;
    const twx_value doc = {.type = TWX_INT, .i = stored->doc};
    twx_rc rc = TWX_OK;
    if (++s->seen % POLL_ROWS == 0) {
        twx_job_progress(s->job, "compare signatures", "documents", s->seen, s->total);
        rc = twx_cancelled(s->job->cx);
    }
    if (rc != TWX_OK || (s->has_doc && stored->doc == s->doc)) return rc;
    return try_record(s, stored->record, &doc);
}

static twx_rc measure_row(void *arg, const twx_source_row *row) {
    searching *s = arg;
    s->seen++;
    if (twx_value_compare(&row->scan_key, &s->document.scan_key) == 0) return TWX_OK;
    const twx_lookup document = twx_lookup_of(row->value);
    twx_rc rc = twx_lookup_sign(s->job->cx, s->workspace, &s->signing, &document, &s->record);
    return rc == TWX_OK ? try_record(s, twx_buf_slice(&s->record), &row->scan_key) : rc;
}

static twx_rc measure_all(searching *s) {
    if (s->probe.keys.n == 0) {
        twx_job_message(
            s->job, TWINDEX_NOTE,
            "the document has no signature of %s (fewer than near.min_words words, or the method "
            "needs links and the store has none): try another with --detector, or twindex compare",
            s->detector->name);
        return TWX_OK;
    }
    if (!s->stored) return twx_scan_documents(s->job, &s->o, "sign and compare", measure_row, s);
    twx_rc rc = twx_signatures_count(s->o.signatures, &s->total);
    return rc == TWX_OK ? twx_signatures_each(s->o.signatures, twx_source_is_direct(s->o.source),
                                              measure_stored, s)
                        : rc;
}

/* ---- preparation: detector, signatures, the document --------------------- */

static twx_rc choose_detector(searching *s) {
    const char *name = s->options->detector, *configured = s->job->settings->near_detector;
    if (!name) name = configured && twx_detector_find(configured) ? configured : DEFAULT_DETECTOR;
    twx_nearest near = twx_nearest_of(name);
    s->detector = twx_detector_find(name);
    if (s->detector && s->detector->describes_name)
        return twx_fail(s->job->cx, TWX_E_USAGE,
                        "%s finds no similar documents: it distinguishes copies from siblings",
                        name);
    if (s->detector) return TWX_OK;
    for (size_t i = 0; twx_detector_at(i); i++)
        if (!twx_detector_at(i)->describes_name) twx_nearest_try(&near, twx_detector_at(i)->name);
    if (near.name)
        return twx_fail(s->job->cx, TWX_E_USAGE, "no detector '%.60s'; did you mean %s?", name,
                        near.name);
    return twx_fail(s->job->cx, TWX_E_USAGE, "no detector '%.60s': 'twindex detectors' lists them",
                    name);
}

/* Stored signatures are used if a run signed every document with the current settings. With a
 * global near detector, the whole store would have to be read to check that. */
static twx_rc look_for_stored(searching *s) {
    const char *configured = s->job->settings->near_detector;
    const twx_detector *near = configured ? twx_detector_find(configured) : NULL;
    twx_sign_plan plan = {0};
    bool used = false;
    if (!s->o.signatures || !s->state.has_fingerprint) return TWX_OK;
    if (near && twx_detector_needs(near, &s->params)) return TWX_OK;
    twx_rc rc = twx_sign_plan_make(s->job, &s->o, false, &plan);
    if (rc != TWX_OK) return rc;
    /* stored records have no keys of URLs */
    for (size_t i = 0; i < TWX_RELATIONS; i++)
        used = used || (plan.detectors[i] == s->detector && s->detector->basis != TWX_BASIS_URL);
    s->stored = used && s->state.fingerprint == plan.fingerprint;
    twx_sign_plan_done(&plan);
    return TWX_OK;
}

static twx_rc prepare_signing(searching *s) {
    const unsigned needs = twx_detector_needs(s->detector, &s->params);
    twx_rc rc = twx_collect(s->job, &s->o, &s->params, needs, &s->collection);
    if (rc == TWX_OK && needs) s->params.collection = &s->collection;
    if (rc == TWX_OK) rc = twx_workspace_open(s->job->cx, &s->params, &s->workspace);
    if (rc == TWX_OK && !s->stored)
        rc = twx_memo_open(s->job->cx, twx_job_memory(s->job->settings) / 4, &s->memo);
    s->signing = (twx_signing){
        .params = &s->params, .detectors = &s->detector, .n = 1, .memo = s->memo};
    return rc;
}

static twx_rc take_measure(searching *s) {
    twx_record record;
    twx_rc rc = twx_lookup_sign(s->job->cx, s->workspace, &s->signing, &s->document, &s->record);
    if (rc == TWX_OK) rc = twx_record_read(s->job->cx, twx_buf_slice(&s->record), &record);
    if (rc != TWX_OK) return rc;
    return twx_probe_open(s->job->cx, s->detector, &s->params,
                          twx_record_find(&record, s->detector->id), &s->probe);
}

/* The flags of the last run if the document has any. */
static twx_rc flags_of(searching *s, const twx_value *id, bool *ret_has, twx_flag_row *ret_flags) {
    int64_t doc = 0;
    *ret_has = false;
    if (!s->state.generation) return TWX_OK;
    twx_rc rc = twx_document_number(&s->o, id, &doc);
    if (rc == TWX_OK) rc = twx_flags_get(s->o.generations, s->state.generation, doc, ret_flags);
    *ret_has = rc == TWX_OK;
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc open_search(searching *s, const char *url_or_id) {
    twx_rc rc = twx_params_make(s->job, &s->params, &s->rules);
    if (rc == TWX_OK) rc = twx_open_store(s->job, TWX_NEED_SOURCE | TWX_NEED_LOOK, &s->o);
    if (rc == TWX_OK && s->o.generations) rc = twx_state_read(s->o.generations, &s->state);
    if (rc == TWX_OK) rc = twx_params_count_documents(&s->o, &s->params);
    if (rc == TWX_OK) rc = twx_lookup_find(s->job, &s->o, url_or_id, &s->document);
    if (rc == TWX_OK) {
        rc = twx_document_number(&s->o, &s->document.id, &s->doc);
        s->has_doc = rc == TWX_OK;
        if (rc == TWX_DONE) rc = TWX_OK;
    }
    if (rc == TWX_OK) rc = flags_of(s, &s->document.id, &s->has_flags, &s->flags);
    if (rc == TWX_OK) rc = look_for_stored(s);
    if (rc == TWX_OK) rc = prepare_signing(s);
    return rc == TWX_OK ? take_measure(s) : rc;
}

/* ---- the most similar documents ------------------------------------------ */

/* Calls fn with the document's row, unless it is gone or its row is too long. */
static twx_rc fetch(searching *s, found *f, twx_source_fn *fn, void *arg) {
    twx_value id;
    twx_rc rc = TWX_OK;
    if (s->stored) {
        rc = twx_id_of(&s->o, f->key.i, &id);
        if (rc == TWX_OK) rc = twx_source_by_id(s->o.source, &id, fn, arg);
        twx_signatures_release(s->o.signatures);
    } else {
        rc = twx_source_fetch(s->o.source, &f->key, fn, arg);
    }
    if (rc == TWX_E_LIMIT) {
        twx_ctx_clear(s->job->cx);
        twx_job_message(s->job, TWINDEX_WARNING,
                        "%s: the row of a document that may be similar is longer than "
                        "run.row_bytes: it is left out",
                        s->job->store);
        rc = TWX_DONE;
    }
    return rc == TWX_DONE ? TWX_OK : rc;
}

typedef struct looking {
    searching *s;
    found *f;
} looking;

/* The smallest text similarity worth computing: long texts are compared only as near-duplicates,
 * very long ones only for equality. */
static int32_t least_worth(size_t a, size_t b) {
    const double cells = (double)a * (double)b;
    return cells <= CELLS_CHEAP ? 0 : cells <= CELLS_MOST ? LONG_LEAST : MILLION;
}

static twx_rc compare_text(void *arg, const twx_source_row *row, bool *ret_enough) {
    looking *l = arg;
    const twx_slice own = l->s->document.texts.text,
                    other = twx_bytes_of(&row->value[TWX_COL_TEXT]);
    *ret_enough = true;
    return twx_similarity_of(l->s->job->cx, l->s->similarity, own, other,
                             least_worth(own.n, other.n), &l->f->text_similarity);
}

static twx_rc refine(searching *s) {
    const size_t n = s->at.n < REFINED ? s->at.n : REFINED;
    twx_rc rc = twx_similarity_open(s->job->cx, &s->similarity);
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        looking l = {s, &s->at.at[i]};
        twx_job_progress(s->job, "compare texts", "documents", i, n);
        rc = fetch(s, l.f, compare_text, &l);
    }
    sort_and_cut(s, s->options->limit);
    return rc;
}

/* ---- the result ------------------------------------------------------------- */

static int64_t survivor_of(const twx_flag_row *row) {
    return twx_flag_known(row, TWX_FLAG_duplicate_of) ? row->v[TWX_FLAG_duplicate_of] : row->doc;
}

/* The relations in which the last run put both into one group. */
static size_t list_relations(const twx_flag_row *a, const twx_flag_row *b,
                             const char *ret_names[TWX_RELATIONS + 1]) {
    size_t n = 0;
    for (size_t i = 0; i < TWX_RELATIONS; i++) {
        const twx_relation *relation = twx_relation_at(i);
        const bool grouped = twx_flag_known(a, relation->rep) && twx_flag_known(b, relation->rep);
        if (grouped && a->v[relation->rep] == b->v[relation->rep]) ret_names[n++] = relation->name;
    }
    if (survivor_of(a) == survivor_of(b)) ret_names[n++] = "verdict";
    return n;
}

static twx_rc list_row(void *arg, const twx_source_row *row, bool *ret_enough) {
    const looking *l = arg;
    searching *s = l->s;
    twx_similar_row found_row = {.text_similarity = l->f->text_similarity,
                                 .similarity = l->f->near.similarity,
                                 .shared_keys = l->f->near.shared,
                                 .pair = l->f->near.pair};
    twx_flag_row flags;
    bool has_flags = false;
    *ret_enough = true;
    twx_rc rc = flags_of(s, &row->value[TWX_COL_ID], &has_flags, &flags);
    if (rc == TWX_OK)
        rc = twx_listed_document_copy(s->job->cx, &s->arena, &row->value[TWX_COL_ID],
                                      twx_bytes_of(&row->value[TWX_COL_URL]), &found_row.document);
    if (rc != TWX_OK) return rc;
    if (has_flags && s->has_flags)
        found_row.n_relations = list_relations(&s->flags, &flags, found_row.relations);
    return TWX_VEC_PUSH(s->job->cx, &s->rows, found_row) ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc list_rows(searching *s) {
    s->by = s->detector->name;
    twx_rc rc = twx_listed_document_copy(s->job->cx, &s->arena, &s->document.id, s->document.url,
                                         &s->named);
    for (size_t i = 0; rc == TWX_OK && i < s->at.n; i++) {
        looking l = {s, &s->at.at[i]};
        rc = fetch(s, l.f, list_row, &l);
    }
    return rc;
}

#define L(...) TWX_FIELD(searching, __VA_ARGS__)
static const twx_field LIST[] = {TWX_FIELDS(L("id", named.id), L("url", named.url),
                                            TWX_FIELD_AS(searching, OPTIONAL, "store", named.store),
                                            L("detector", by), L("stored_signatures", stored),
                                            TWX_FIELD_ROWS_OF(searching, "similar", rows, ROW))};

/* Documents that were similar may be gone meanwhile. */
static twx_rc write_list(const twx_out *out, const searching *s) {
    if (twx_out_is_json(out)) return twx_out_json(out, twx_row_json(TWX_ROWS_AT(LIST, s, 1)));
    twx_rc rc = twx_listed_document_write(out, &s->named, TWX_LISTED_URL_SHOWN);
    if (rc == TWX_OK)
        rc = twx_out_text(out, "\nby %s, %s\n\n%s", s->by,
                          s->stored ? "as the last run signed the documents" : "signed now",
                          s->at.n ? "     text  signature    keys        document\n"
                                  : "no document is similar\n");
    for (size_t i = 0; rc == TWX_OK && i < s->rows.n; i++) rc = write_row(out, &s->rows.at[i]);
    return rc;
}

twx_rc twx_similar(const twx_job *job, const char *url_or_id,
                   const twindex_similar_options *options, const twx_out *out) {
    searching s = {.job = job, .options = options};
    if (options->limit) s.keep = options->limit > REFINED ? options->limit : REFINED;
    twx_buf_init(&s.record, TWX_LOOKUP_RECORD_MAX);
    twx_rc rc = choose_detector(&s);
    if (rc == TWX_OK) rc = open_search(&s, url_or_id);
    if (rc == TWX_OK) rc = measure_all(&s);
    if (rc == TWX_OK) {
        sort_and_cut(&s, s.keep);
        rc = refine(&s);
    }
    if (rc == TWX_OK) rc = list_rows(&s);
    twx_similarity_close(s.similarity);
    twx_probe_done(&s.probe);
    twx_buf_done(&s.record);
    twx_memo_close(s.memo);
    twx_workspace_close(s.workspace);
    twx_collection_done(&s.collection);
    twx_url_rules_close(s.rules);
    twx_lookup_done(&s.document);
    twx_opened_done(&s.o);
    if (rc == TWX_OK) rc = write_list(out, &s);
    for (size_t i = 0; i < s.at.n; i++) twx_free(s.at.at[i].bytes);
    TWX_VEC_DONE(&s.at);
    TWX_VEC_DONE(&s.rows);
    twx_arena_done(&s.arena);
    return rc;
}
