#include "inspect/similar_list.h"

void twx_similar_list_init(twx_similar_list *list) {
    *list = (twx_similar_list){0};
    twx_arena_init(&list->arena, 0);
}

void twx_similar_list_done(twx_similar_list *list) {
    TWX_VEC_DONE(&list->rows);
    twx_arena_done(&list->arena);
}

static json_t *row_json(const twx_similar_row *row) {
    json_t *names = json_array(), *o = twx_listed_document_json(&row->document);
    for (size_t i = 0; i < row->n_relations; i++)
        json_array_append_new(names, json_string(row->relations[i]));
    json_object_set_new(o, "text_similarity", twx_json_ppm(row->text_similarity));
    json_object_set_new(o, "similarity", twx_json_ppm(row->similarity));
    json_object_set_new(o, "shared_keys", twx_json_count(row->shared_keys));
    json_object_set_new(o, "pair", json_boolean(row->pair));
    json_object_set_new(o, "relations", names);
    return o;
}

static json_t *list_json(const twx_similar_list *list) {
    json_t *rows = json_array(), *o = twx_listed_document_json(&list->document);
    for (size_t i = 0; i < list->rows.n; i++)
        json_array_append_new(rows, row_json(&list->rows.at[i]));
    json_object_set_new(o, "detector", json_string(list->detector));
    json_object_set_new(o, "stored_signatures", json_boolean(list->stored));
    json_object_set_new(o, "similar", rows);
    return o;
}

/* "   97.10 %    95.31 %      21  pair  42  https://example.org/  (exact near)" */
static twx_rc write_row(const twx_out *out, const twx_similar_row *row) {
    char text[TWX_PPM_BYTES], signature[TWX_PPM_BYTES];
    twx_rc rc = twx_out_text(
        out, "%9s  %9s  %6zu  %-4s  ", twx_ppm_text(row->text_similarity, text),
        twx_ppm_text(row->similarity, signature), row->shared_keys, row->pair ? "pair" : "");
    if (rc == TWX_OK) rc = twx_listed_document_excerpt(out, &row->document);
    for (size_t i = 0; rc == TWX_OK && i < row->n_relations; i++)
        rc = twx_out_text(out, "%s%s", i ? " " : "  (", row->relations[i]);
    return rc == TWX_OK ? twx_out_text(out, row->n_relations ? ")\n" : "\n") : rc;
}

twx_rc twx_similar_list_write(const twx_out *out, const twx_similar_list *list) {
    if (twx_out_is_json(out)) return twx_out_json(out, list_json(list));
    twx_rc rc = twx_listed_document_excerpt(out, &list->document);
    if (rc == TWX_OK)
        rc = twx_out_text(out, "\nby %s, %s\n\n%s", list->detector,
                          list->stored ? "as the last run signed the documents" : "signed now",
                          list->any ? "     text  signature    keys        document\n"
                                    : "no document is similar\n");
    for (size_t i = 0; rc == TWX_OK && i < list->rows.n; i++)
        rc = write_row(out, &list->rows.at[i]);
    return rc;
}
