#include "search/read_overview.h"

#include "run/open_store.h"
#include "search/rule_document.h"
#include "store/display.h"
#include "store/text_index.h"

enum { SUMMARY_BYTES = 64 << 20 };

void twx_overview_init(twx_overview *o) {
    *o = (twx_overview){0};
    twx_buf_init(&o->summary, SUMMARY_BYTES);
}

void twx_overview_done(twx_overview *o) {
    twx_buf_done(&o->summary);
}

static const char *kind_name(twx_rule_kind kind) {
    static const char *const NAMES[] = {
        [TWX_RULE_BOOL] = "bool", [TWX_RULE_NUMBER] = "number", [TWX_RULE_NAME] = "name",
        [TWX_RULE_ID] = "id",     [TWX_RULE_TEXT] = "text",     [TWX_RULE_REAL] = "real",
        [TWX_RULE_DATE] = "date"};
    return NAMES[kind];
}

static json_t *fields_json(const twx_rule_fields *f) {
    json_t *all = json_array();
    const size_t n = f->n + (f->properties ? TWX_RULE_PROPERTIES : 0);
    for (size_t i = 0; i < n; i++) {
        const twx_rule_field *field = twx_rule_field_of(f, i);
        json_array_append_new(
            all, json_pack("{s:s, s:s}", "name", field->name, "kind", kind_name(field->kind)));
    }
    return all;
}

static json_t *run_json(const twx_overview *o) {
    if (!o->run) return json_null();
    json_t *summary = json_loadb(twx_buf_slice(&o->summary).p, o->summary.n, 0, NULL);
    return json_pack("{s:I, s:I, s:o}", "id", (json_int_t)o->run, "published_at",
                     (json_int_t)o->published_at, "summary", summary ? summary : json_null());
}

twx_rc twx_overview_write(const twx_out *out, const twx_overview *o) {
    return twx_out_json(out, json_pack("{s:o, s:o, s:b, s:o}", "store", twx_json_text(o->store),
                                       "run", run_json(o), "indexed", o->indexed, "fields",
                                       fields_json(o->fields)));
}

/* ---- read overview ----------------------------------------------------- */

enum { RUNS = 1000, RUN = 0, ENDED_AT = 2, SUMMARY = 6 };

typedef struct reading {
    const twx_job *job;
    twx_overview *result;
} reading;

/* Of the ledger, newest first. */
static twx_rc take_run(void *arg, const twx_value *columns, size_t n) {
    const reading *r = arg;
    (void)n;
    if (columns[RUN].i != r->result->run) return TWX_OK;
    r->result->published_at = columns[ENDED_AT].i;
    twx_rc rc = columns[SUMMARY].type == TWX_TEXT
                    ? twx_buf_add_slice(r->job->cx, &r->result->summary, columns[SUMMARY].bytes)
                    : TWX_OK;
    return rc == TWX_OK ? TWX_DONE : rc;
}

static twx_rc read_run(const twx_job *job, twx_opened *o, twx_overview *result) {
    const twx_value limit = {.type = TWX_INT, .i = RUNS};
    const twx_display_query runs = {.sql = twx_display_runs(), .values = &limit, .n_values = 1};
    reading r = {job, result};
    twx_state state;
    twx_rc rc = twx_state_read(o->generations, &state);
    if (rc != TWX_OK || !state.generation) return rc;
    result->run = state.run[state.generation == 'b'];
    return twx_display(o->writer, &runs, take_run, &r);
}

twx_rc twx_read_overview(const twx_job *job, const twx_ranking_rules *rules,
                         twx_overview *ret_overview) {
    twx_opened o = {0};
    twx_text_index_state index = TWX_TEXT_NONE;
    twx_rc rc = twx_open_store(job, TWX_NEED_LOOK, &o);
    ret_overview->store = job->store;
    ret_overview->fields = twx_rules_fields(rules->rules);
    if (rc == TWX_OK && o.generations) rc = read_run(job, &o, ret_overview);
    if (rc == TWX_OK && o.generations) rc = twx_text_index_look(o.writer, &index);
    ret_overview->indexed = index == TWX_TEXT_READY;
    twx_opened_done(&o);
    return rc;
}
