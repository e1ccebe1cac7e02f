#include "search/found_list.h"

void twx_found_list_init(twx_found_list *list) {
    *list = (twx_found_list){0};
    twx_arena_init(&list->arena, 0);
}

void twx_found_list_done(twx_found_list *list) {
    TWX_VEC_DONE(&list->documents);
    twx_arena_done(&list->arena);
}

static json_t *found_json(const twx_found *f) {
    json_t *o = json_pack("{s:o, s:o, s:o, s:b, s:b, s:b}", "id", twx_json_value(&f->document.id),
                          "url", twx_json_slice(f->document.url), "title", twx_json_slice(f->title),
                          "judged", f->judged, "takes_part", f->takes_part, "hidden", f->hidden);
    if (f->hidden) json_object_set_new(o, "survivor", twx_listed_document_json(&f->survivor));
    return o;
}

twx_rc twx_found_list_write(const twx_out *out, const twx_found_list *list) {
    json_t *all = json_array();
    for (size_t i = 0; i < list->documents.n; i++)
        json_array_append_new(all, found_json(&list->documents.at[i]));
    return twx_out_json(out, json_pack("{s:s, s:o}", "by", list->by, "documents", all));
}
