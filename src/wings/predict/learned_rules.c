#include "predict/learned_rules.h"

#include "predict/hypotheses.h"

twx_rc twx_learned_rules_write(const twx_out *out, const twx_learned_rules *r) {
    if (!twx_out_is_json(out)) return twx_out_bytes(out, r->file);
    json_t *list = json_array();
    for (size_t i = 0; i < r->n; i++) {
        const twx_context *c = r->at[i];
        json_array_append_new(
            list,
            json_pack("{s:i, s:o, s:o, s:o, s:f, s:I, s:I}", "hypothesis",
                      TWX_HYPOTHESIS[c->row].number, "path", twx_json_slice(c->path), "parameter",
                      twx_json_slice(c->name), "value", twx_json_slice(c->value), "probability",
                      c->probability, "dup", (json_int_t)c->dup, "nodup", (json_int_t)c->nodup));
    }
    return twx_out_json(out, json_pack("{s:f, s:o, s:o}", "threshold", r->threshold, "rules",
                                       twx_json_slice(r->file), "parameters", list));
}
