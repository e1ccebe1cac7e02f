#include "inspect/removal_summary.h"

#include "base/plural.h"

void twx_removal_summary_init(twx_removal_summary *s) {
    *s = (twx_removal_summary){0};
    twx_arena_init(&s->arena, 0);
}

void twx_removal_summary_done(twx_removal_summary *s) {
    TWX_VEC_DONE(&s->removed);
    TWX_VEC_DONE(&s->referring);
    twx_arena_done(&s->arena);
}

twx_rc twx_removal_summary_add(twx_ctx *cx, twx_removal_summary *s, twx_schema_objects *to,
                               twx_slice type, twx_slice name) {
    twx_schema_object object = {{NULL, 0}, {NULL, 0}};
    twx_rc rc = twx_arena_copy(cx, &s->arena, type, &object.type);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, &s->arena, name, &object.name);
    return rc == TWX_OK && !TWX_VEC_PUSH(cx, to, object) ? TWX_E_NOMEM : rc;
}

static json_t *objects_json(const twx_schema_objects *list) {
    json_t *all = json_array();
    for (size_t i = 0; i < list->n; i++)
        json_array_append_new(all, json_pack("{s:o, s:o}", "type", twx_json_slice(list->at[i].type),
                                             "name", twx_json_slice(list->at[i].name)));
    return all;
}

static twx_rc write_objects(const twx_out *out, const twx_schema_objects *list) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < list->n; i++)
        rc = twx_out_text(out, "  %-8s" TWX_SLICE_FMT "\n", list->at[i].type.p,
                          TWX_SLICE_ARG(list->at[i].name));
    return rc;
}

twx_rc twx_removal_summary_write(const twx_out *out, const twx_removal_summary *s) {
    if (twx_out_is_json(out))
        return twx_out_json(out,
                            json_pack("{s:o, s:b, s:b, s:o, s:o}", "file", twx_json_text(s->path),
                                      "dry_run", (int)s->dry_run, "file_removed",
                                      (int)s->file_removed, "removed", objects_json(&s->removed),
                                      "cannot_be_used", objects_json(&s->referring)));
    if (s->removed.n == 0 && !s->file_removed)
        return twx_out_text(out, "%s: there is nothing of Twindex in it\n", s->path);
    twx_rc rc = twx_out_text(out, "%s: %zu %s%s\n", s->path, s->removed.n,
                             twx_plural(s->removed.n, "object", "objects"),
                             s->dry_run ? " would be removed:" : " removed:");
    if (rc == TWX_OK) rc = write_objects(out, &s->removed);
    if (rc == TWX_OK && s->file_removed) rc = twx_out_text(out, "and the file itself\n");
    if (rc == TWX_OK && s->referring.n)
        rc = twx_out_text(out, "these name what is removed, and fail if they read it: drop them\n");
    return rc == TWX_OK ? write_objects(out, &s->referring) : rc;
}
