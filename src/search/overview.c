#include "search/overview.h"

#include "search/rule_document.h"

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
