#include "inspect/group_list.h"

#include <inttypes.h>

enum { MEMBERS_SHOWN = 5 };

void twx_group_list_done(twx_group_list *list) {
    json_decref(list->list);
}

static twx_rc out_of_memory(const twx_group_list *list) {
    return twx_fail(list->out->cx, TWX_E_NOMEM, "out of memory for JSON");
}

static twx_rc write_line(const twx_out *out, const twx_listed_document *d) {
    twx_rc rc = twx_listed_document_write(out, d);
    return rc == TWX_OK ? twx_out_text(out, "\n") : rc;
}

twx_rc twx_group_list_begin(twx_group_list *list, const twx_listed_document *representative,
                            int64_t documents) {
    list->groups++;
    list->shown = 0;
    list->documents = documents;
    if (twx_out_is_json(list->out)) {
        if (!list->list) list->list = json_array();
        json_t *group = json_pack("{s:o, s:I, s:[]}", "representative",
                                  twx_listed_document_json(representative), "size",
                                  (json_int_t)documents, "documents");
        return json_array_append_new(list->list, group) == 0 ? TWX_OK : out_of_memory(list);
    }
    twx_rc rc = twx_out_text(list->out, "%8" PRId64 "  ", documents);
    return rc == TWX_OK ? write_line(list->out, representative) : rc;
}

bool twx_group_list_wants_url(const twx_group_list *list) {
    return !twx_out_is_json(list->out) && (list->all || list->shown < MEMBERS_SHOWN);
}

twx_rc twx_group_list_add(twx_group_list *list, const twx_listed_document *d,
                          bool is_representative) {
    twx_rc rc = TWX_OK;
    if (twx_out_is_json(list->out)) {
        json_t *group = json_array_get(list->list, json_array_size(list->list) - 1);
        json_t *id = twx_json_value(&d->id);
        if (d->store.p) id = json_pack("{s:o, s:o}", "id", id, "store", twx_json_slice(d->store));
        return json_array_append_new(json_object_get(group, "documents"), id) == 0
                   ? TWX_OK
                   : out_of_memory(list);
    }
    if (is_representative) return TWX_OK; /* it is at the head of the group */
    if (list->all || list->shown < MEMBERS_SHOWN) {
        rc = twx_out_text(list->out, "            ");
        if (rc == TWX_OK) rc = write_line(list->out, d);
    } else if (list->shown == MEMBERS_SHOWN) {
        rc = twx_out_text(list->out, "            ... and %" PRId64 " more\n",
                          list->documents - 1 - MEMBERS_SHOWN);
    }
    list->shown++;
    return rc;
}

twx_rc twx_group_list_end(twx_group_list *list) {
    if (!twx_out_is_json(list->out))
        return list->groups
                   ? TWX_OK
                   : twx_out_text(list->out, "no groups of two or more (%s)\n", list->relation);
    json_t *groups = list->list ? json_incref(list->list) : json_array();
    return twx_out_json(list->out,
                        json_pack("{s:s, s:o}", "detector", list->relation, "groups", groups));
}
