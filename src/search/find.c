#include "search/internal.h"

/* ==== find */

/* Documents found by a part of their URL or by words, for the workbench. JSON
 * only.
 * Bytes are in the arena. */
typedef struct twx_found {
    twx_listed_document document;
    twx_slice title;
    bool judged;     /* a run has seen it */
    bool takes_part; /* in judging (judge/eligible.c) */
    bool hidden;     /* another document represents it: `survivor` */
    twx_listed_document survivor;
} twx_found;

/* Matching documents are first listed by their ids and then read, because only one row of the
 * source can be read at a time. */
typedef struct finding {
    const twx_job *job;
    size_t limit; /* 0: none */
    twx_opened o;
    twx_state state;
    twx_slice words;
    twx_arena arena;
    const char *by;         /* "name": by id or URL; "part of the URL"; "words" */
    TWX_VEC(twx_value) ids; /* of the documents found */
    TWX_VEC(twx_found) documents;
} finding;

static json_t *found_json(const twx_found *f) {
    json_t *o = json_pack("{s:o, s:o, s:o, s:b, s:b, s:b}", "id", twx_json_value(&f->document.id),
                          "url", twx_json_slice(f->document.url), "title", twx_json_slice(f->title),
                          "judged", f->judged, "takes_part", f->takes_part, "hidden", f->hidden);
    if (f->hidden) json_object_set_new(o, "survivor", twx_listed_document_json(&f->survivor));
    return o;
}

enum { TITLE_SHOWN = 1000, URL_BYTES = 1 << 21 };

static bool is_full(const finding *f) {
    return f->limit && f->ids.n >= f->limit;
}

static twx_rc add_id(finding *f, const twx_value *id) {
    twx_value copy = *id;
    twx_rc rc = twx_arena_copy(f->job->cx, &f->arena, id->bytes, &copy.bytes);
    return rc == TWX_OK && !TWX_VEC_PUSH(f->job->cx, &f->ids, copy) ? TWX_E_NOMEM : rc;
}

static twx_rc take_named(void *arg, const twx_source_row *row, bool *ret_enough) {
    finding *f = arg;
    twx_rc rc = add_id(f, &row->value[TWX_COL_ID]);
    *ret_enough = is_full(f);
    return rc;
}

static bool is_part_of_url(twx_slice words) {
    bool point = false, slash = false, space = false;
    for (size_t i = 0; i < words.n; i++) {
        point = point || words.p[i] == '.';
        slash = slash || words.p[i] == '/';
        space = space || twx_is_space((unsigned char)words.p[i]);
    }
    return slash || (point && !space);
}

/* No row is wanted complete. TWX_DONE ends the scan. */
static twx_rc see_url(void *arg, const twx_source_row *row, bool *ret_wanted) {
    finding *f = arg;
    *ret_wanted = false;
    if (is_full(f)) return TWX_DONE;
    const twx_slice url = twx_bytes_of(&row->value[TWX_COL_URL]);
    for (size_t i = 0; i + f->words.n <= url.n; i++)
        if (twx_slice_starts_nocase(twx_slice_sub(url, i, url.n), f->words))
            return add_id(f, &row->value[TWX_COL_ID]);
    return TWX_OK;
}

static twx_rc read_urls(finding *f) {
    twx_document_reader reader = {.job = f->job,
                                  .source = f->o.source,
                                  .stage = "read URLs",
                                  .too_long = "it is not searched",
                                  .want = TWX_WANT_OUTSIDE,
                                  .select = see_url,
                                  .arg = f};
    f->by = "part of the URL";
    return twx_document_reader_scan(&reader);
}

static twx_rc take_hit(void *arg, const twx_hit *hit) {
    finding *f = arg;
    twx_value id;
    twx_rc rc = twx_id_of(&f->o, hit->doc, &id);
    if (rc == TWX_OK) rc = add_id(f, &id);
    twx_signatures_release(f->o.signatures);
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc search(finding *f) {
    twx_ranking_rules none = {0};
    twx_buf expression = {.max = TWX_EXPRESSION_BYTES};
    f->by = "words";
    twx_rc rc = twx_text_index_require(f->o.writer);
    if (rc == TWX_OK) rc = twx_ranking_rules_load(f->job->cx, NULL, &none);
    if (rc == TWX_OK) rc = twx_text_query(f->o.writer, f->words, false, &expression);
    const twx_search by_text = {.query = twx_buf_slice(&expression),
                                .generation = f->state.generation,
                                .direct = twx_source_is_direct(f->o.source),
                                .ranking = &none.ranking,
                                .limit = f->limit ? f->limit : INT64_MAX};
    if (rc == TWX_OK) rc = twx_text_search(f->o.writer, &by_text, take_hit, f);
    twx_buf_done(&expression);
    twx_ranking_rules_done(&none);
    return rc;
}

typedef struct reading {
    finding *f;
    twx_found *found;
} reading;

static twx_rc take_document(void *arg, const twx_source_row *row, bool *ret_enough) {
    const reading *r = arg;
    twx_ctx *cx = r->f->job->cx;
    twx_arena *arena = &r->f->arena;
    const twx_slice title = twx_bytes_of(&row->value[TWX_COL_TITLE]);
    *ret_enough = true;
    twx_rc rc = twx_listed_document_copy(cx, arena, &row->value[TWX_COL_ID],
                                         twx_bytes_of(&row->value[TWX_COL_URL]),
                                         &r->found->document);
    return rc == TWX_OK && title.p
               ? twx_arena_copy(cx, arena, twx_slice_sub(title, 0, TITLE_SHOWN), &r->found->title)
               : rc;
}

static twx_rc name_survivor(finding *f, int64_t doc, twx_found *found) {
    twx_buf url = {.max = URL_BYTES};
    twx_value id;
    found->hidden = true;
    twx_rc rc = twx_id_of(&f->o, doc, &id);
    if (rc == TWX_OK) rc = twx_url_of(&f->o, &id, &url);
    if (rc == TWX_DONE) {
        id = (twx_value){.type = TWX_NULL};
        rc = twx_label_unreadable(f->job->cx, rc, &url);
    }
    if (rc == TWX_OK)
        rc = twx_listed_document_copy(f->job->cx, &f->arena, &id, twx_buf_slice(&url),
                                      &found->survivor);
    twx_signatures_release(f->o.signatures);
    twx_buf_done(&url);
    return rc;
}

static twx_rc read_flags(finding *f, const twx_value *id, twx_found *found) {
    twx_flag_row row;
    int64_t doc = 0;
    if (!f->state.generation) return TWX_OK;
    twx_rc rc = twx_document_number(&f->o, id, &doc);
    if (rc == TWX_OK) rc = twx_flags_get(f->o.generations, f->state.generation, doc, &row);
    if (rc != TWX_OK) return rc == TWX_DONE ? TWX_OK : rc;
    found->judged = true;
    found->takes_part = row.v[TWX_FLAG_eligibility] == TWX_ELIGIBLE;
    return twx_flag_known(&row, TWX_FLAG_duplicate_of)
               ? name_survivor(f, row.v[TWX_FLAG_duplicate_of], found)
               : TWX_OK;
}

/* A document that has been deleted since it was found is left out. */
static twx_rc read_found(finding *f) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < f->ids.n; i++) {
        twx_found found = {.title = {NULL, 0}};
        reading r = {f, &found};
        rc = twx_source_by_id(f->o.source, &f->ids.at[i], take_document, &r);
        if (rc == TWX_E_LIMIT) { /* one row that is too long does not end the list */
            twx_ctx_clear(f->job->cx);
            rc = twx_listed_document_copy(f->job->cx, &f->arena, &f->ids.at[i],
                                          TWX_SLICE_LIT(TWX_LABEL_TOO_LONG), &found.document);
        }
        if (rc == TWX_OK) rc = read_flags(f, &f->ids.at[i], &found);
        if (rc == TWX_OK && !TWX_VEC_PUSH(f->job->cx, &f->documents, found)) rc = TWX_E_NOMEM;
        if (rc == TWX_DONE) rc = TWX_OK;
        if (rc == TWX_OK) rc = twx_cancelled(f->job->cx);
    }
    return rc;
}

twx_rc twx_find(const twx_job *job, const char *words, size_t limit, const twx_out *out) {
    finding f = {
        .job = job, .limit = limit, .by = "name", .words = twx_slice_trim(twx_slice_of(words))};
    twx_rc rc = twx_open_store(job, TWX_NEED_SOURCE | TWX_NEED_RESULTS, &f.o);
    if (rc == TWX_OK) rc = twx_state_read(f.o.generations, &f.state);
    if (rc == TWX_OK && f.words.n == 0) rc = TWX_DONE;
    if (rc == TWX_OK) rc = twx_source_find(f.o.source, f.words, take_named, &f);
    if (rc == TWX_DONE && f.words.n) rc = is_part_of_url(f.words) ? read_urls(&f) : search(&f);
    if (rc == TWX_OK) rc = read_found(&f);
    if (rc == TWX_OK) rc = twx_result_kept(job, &f.o, &f.state);
    TWX_VEC_DONE(&f.ids);
    twx_opened_done(&f.o);
    if (rc == TWX_OK || rc == TWX_DONE) {
        json_t *all = json_array();
        for (size_t i = 0; i < f.documents.n; i++)
            json_array_append_new(all, found_json(&f.documents.at[i]));
        rc = twx_out_json(out, json_pack("{s:s, s:o}", "by", f.by, "documents", all));
    }
    TWX_VEC_DONE(&f.documents);
    twx_arena_done(&f.arena);
    return rc;
}

/* ==== overview */

typedef struct overview {
    int64_t run;          /* that published the flags; 0: none */
    int64_t published_at; /* seconds since 1970 */
    json_t *summary;      /* of this run; NULL: the ledger has lost it */
} overview;

static json_t *fields_json(const twx_rule_fields *f) {
    static const char *const KINDS[] = {
        [TWX_RULE_BOOL] = "bool", [TWX_RULE_NUMBER] = "number", [TWX_RULE_NAME] = "name",
        [TWX_RULE_ID] = "id",     [TWX_RULE_TEXT] = "text",     [TWX_RULE_REAL] = "real",
        [TWX_RULE_DATE] = "date"};
    json_t *all = json_array();
    const size_t n = f->n + (f->properties ? TWX_RULE_PROPERTIES : 0);
    for (size_t i = 0; i < n; i++) {
        const twx_rule_field *field = twx_rule_field_of(f, i);
        json_array_append_new(
            all, json_pack("{s:s, s:s}", "name", field->name, "kind", KINDS[field->kind]));
    }
    return all;
}

enum { RUNS = 1000, RUN = 0, ENDED_AT = 2, SUMMARY = 6 };

/* Of the ledger, newest first. */
static twx_rc take_run(void *arg, const twx_value *columns) {
    overview *result = arg;
    const twx_slice summary = twx_bytes_of(&columns[SUMMARY]);
    if (columns[RUN].i != result->run) return TWX_OK;
    result->published_at = columns[ENDED_AT].i;
    result->summary = json_loadb(summary.n ? summary.p : "", summary.n, 0, NULL);
    return TWX_DONE;
}

static twx_rc read_run(twx_opened *o, overview *result) {
    const twx_display_query runs = {twx_display_runs, TWX_VALUES(twx_int(RUNS))};
    twx_state state;
    twx_rc rc = twx_state_read(o->generations, &state);
    if (rc != TWX_OK || !state.generation) return rc;
    result->run = state.run[state.generation == 'b'];
    return twx_display(o->writer, &runs, take_run, result);
}

twx_rc twx_overview(const twx_job *job, const twx_out *out) {
    overview result = {0};
    twx_ranking_rules none = {0};
    twx_opened o = {0};
    twx_text_index_state index = TWX_TEXT_NONE;
    twx_rc rc = twx_ranking_rules_load(job->cx, NULL, &none);
    if (rc == TWX_OK) rc = twx_open_store(job, TWX_NEED_LOOK, &o);
    if (rc == TWX_OK && o.generations) rc = read_run(&o, &result);
    if (rc == TWX_OK && o.generations) rc = twx_text_index_look(o.writer, &index);
    twx_opened_done(&o);
    if (rc == TWX_OK) {
        json_t *run = !result.run ? json_null()
                                  : json_pack("{s:I, s:I, s:O?}", "id", (json_int_t)result.run,
                                              "published_at", (json_int_t)result.published_at,
                                              "summary", result.summary);
        rc = twx_out_json(out, json_pack("{s:o, s:o, s:b, s:o}", "store", twx_json_text(job->store),
                                         "run", run, "indexed", index == TWX_TEXT_READY, "fields",
                                         fields_json(twx_rules_fields(none.rules))));
    }
    json_decref(result.summary);
    twx_ranking_rules_done(&none);
    return rc;
}
