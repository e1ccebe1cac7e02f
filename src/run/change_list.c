#include "run/change_list.h"

#include <inttypes.h>

static const struct {
    const char *key, *heading;
} KINDS[TWX_CHANGE_KINDS] = {
    [TWX_NEWLY_HIDDEN] = {"hidden", "newly hidden"},
    [TWX_NEWLY_SHOWN] = {"shown", "newly shown"},
    [TWX_MOVED] = {"moved", "hidden by another document than before"},
    [TWX_GONE] = {"gone", "no longer in the store"},
};

const char *twx_change_kind_text(twx_change_kind kind) {
    return KINDS[kind].heading;
}

const char *twx_change_kind_key(twx_change_kind kind) {
    return KINDS[kind].key;
}

void twx_change_list_done(twx_change_list *list) {
    for (size_t k = 0; k < TWX_CHANGE_KINDS; k++) {
        for (size_t i = 0; i < list->rows[k].n; i++) {
            twx_listed_change *row = &list->rows[k].at[i];
            char *const texts[] = {row->id,     row->url,   row->title,
                                   row->before, row->after, row->why};
            for (size_t t = 0; t < TWX_COUNTOF(texts); t++) twx_free(texts[t]);
        }
        TWX_VEC_DONE(&list->rows[k]);
    }
}

json_t *twx_change_list_json(const twx_change_list *list) {
    json_t *all = json_object();
    for (size_t k = 0; k < TWX_CHANGE_KINDS; k++) {
        json_t *rows = json_array();
        for (size_t i = 0; i < list->rows[k].n; i++) {
            const twx_listed_change *row = &list->rows[k].at[i];
            json_array_append_new(
                rows,
                json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "id", twx_json_text(row->id), "url",
                          twx_json_text(row->url), "title", twx_json_text(row->title),
                          "representative_before", twx_json_text(row->before), "representative",
                          twx_json_text(row->after), "why", twx_json_text(row->why)));
        }
        json_object_set_new(
            all, KINDS[k].key,
            json_pack("{s:I, s:o}", "documents", (json_int_t)list->documents[k], "rows", rows));
    }
    return all;
}

static twx_rc write_row(const twx_out *out, const twx_listed_change *row) {
    const struct {
        const char *label, *text;
    } parts[] = {
        {"  ", row->url},
        {row->after ? "\n      by " : NULL, row->after},
        {row->before ? row->after ? "\n      before by " : "\n      before hidden by " : NULL,
         row->before},
        {"\n      ", row->why}};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(parts); i++) {
        if (!parts[i].label || !parts[i].text || !parts[i].text[0]) continue;
        rc = twx_out_text(out, "%s", parts[i].label);
        if (rc == TWX_OK) rc = twx_out_line(out, twx_slice_of(parts[i].text));
    }
    return rc == TWX_OK ? twx_out_text(out, "\n") : rc;
}

twx_rc twx_change_list_write(const twx_out *out, const twx_change_list *list) {
    twx_rc rc = TWX_OK;
    for (size_t k = 0; rc == TWX_OK && k < TWX_CHANGE_KINDS; k++) {
        const uint64_t rest = list->documents[k] - list->rows[k].n;
        if (list->documents[k] == 0) continue;
        rc = twx_out_text(out, "\n%s (%" PRIu64 "):\n", KINDS[k].heading, list->documents[k]);
        for (size_t i = 0; rc == TWX_OK && i < list->rows[k].n; i++)
            rc = write_row(out, &list->rows[k].at[i]);
        if (rc == TWX_OK && rest)
            rc = twx_out_text(out, "  ... and %" PRIu64 " more (--limit)\n", rest);
    }
    return rc;
}
