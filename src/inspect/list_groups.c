#include "inspect/list_groups.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "job/document_label.h"
#include "judge/relations.h"
#include "store/look.h"

enum { MEMBERS_SHOWN = 5 };

typedef struct listing {
    const twx_job *job;
    const twx_out *out;
    twx_opened o;
    size_t limit;
    uint64_t groups, shown; /* members printed of the current group */
    int64_t documents;      /* of the current group */
    uint64_t group_hash;
    json_t *all, *members; /* members: of the current group, borrowed */
} listing;

/* "42  https://example.org/" */
static twx_rc describe(listing *l, const twx_value *id, twx_buf *line) {
    twx_rc rc = twx_value_print(l->job->cx, line, id);
    if (rc == TWX_OK) rc = twx_buf_add_text(l->job->cx, line, "  ");
    return rc == TWX_OK ? twx_url_of(&l->o, id, line) : rc;
}

static json_t *document_json(listing *l, const twx_value *id) {
    twx_buf url;
    twx_buf_init(&url, 1 << 21);
    twx_rc rc = twx_url_of(&l->o, id, &url);
    json_t *value = rc == TWX_OK ? json_pack("{s:o, s:o}", "id", twx_json_value(id), "url",
                                             twx_json_slice(twx_buf_slice(&url)))
                                 : NULL;
    twx_buf_done(&url);
    return value;
}

static twx_rc write_line(listing *l, const char *indent, const twx_value *id, const char *behind) {
    twx_buf line;
    twx_buf_init(&line, 1 << 21);
    twx_rc rc = describe(l, id, &line);
    if (rc == TWX_OK) rc = twx_out_text(l->out, "%s", indent);
    if (rc == TWX_OK) rc = twx_out_bytes(l->out, twx_buf_slice(&line));
    if (rc == TWX_OK) rc = twx_out_text(l->out, "%s\n", behind);
    twx_buf_done(&line);
    return rc;
}

static twx_rc begin_group(listing *l, const twx_value *representative, int64_t documents) {
    char indent[32];
    l->groups++;
    l->shown = 0;
    l->documents = documents;
    l->group_hash = twx_value_hash(representative, 0);
    if (twx_out_is_json(l->out)) {
        json_t *representative_json = document_json(l, representative);
        json_t *group = json_pack("{s:o, s:I, s:[]}", "representative", representative_json, "size",
                                  (json_int_t)documents, "documents");
        l->members = json_object_get(group, "documents");
        json_array_append_new(l->all, group);
        return l->members ? TWX_OK : twx_fail(l->job->cx, TWX_E_NOMEM, "out of memory for JSON");
    }
    snprintf(indent, sizeof indent, "%8" PRId64 "  ", documents);
    return write_line(l, indent, representative, "");
}

static twx_rc take_member(void *arg, const twx_value *columns, size_t n) {
    listing *l = arg;
    (void)n;
    twx_rc rc = TWX_OK;
    bool first = l->groups == 0 || twx_value_hash(&columns[0], 0) != l->group_hash ||
                 columns[1].i != l->documents;
    if (first && l->limit && l->groups == l->limit) return TWX_DONE;
    if (first) rc = begin_group(l, &columns[0], columns[1].i);
    if (rc != TWX_OK) return rc;
    if (twx_out_is_json(l->out)) {
        json_array_append_new(l->members, twx_json_value(&columns[2]));
        return TWX_OK;
    }
    if (twx_value_hash(&columns[2], 0) == l->group_hash)
        return TWX_OK; /* the representative was printed first */
    bool all = l->limit == 0;
    if (all || l->shown < MEMBERS_SHOWN) rc = write_line(l, "            ", &columns[2], "");
    if (rc == TWX_OK && !all && l->shown == MEMBERS_SHOWN)
        rc = twx_out_text(l->out, "            ... and %" PRId64 " more\n",
                          l->documents - 1 - MEMBERS_SHOWN);
    l->shown++;
    return rc;
}

static twx_rc detector_name(const twx_job *job, const char *slot, const char **ret_name) {
    *ret_name = "verdict";
    if (!slot || strcmp(slot, "verdict") == 0) return TWX_OK;
    twx_relation_id id = twx_relation_find(twx_slice_of(slot));
    if (id == TWX_RELATIONS)
        return twx_fail(job->cx, TWX_E_USAGE,
                        "no such kind of groups: '%s'; there are verdict scheme www exact fuzzy "
                        "title description near",
                        slot);
    *ret_name = twx_relation_at(id)->name;
    return TWX_OK;
}

twx_rc twx_list_groups(const twx_job *job, const char *slot, size_t limit, const twx_out *out) {
    listing l = {.job = job, .out = out, .limit = limit, .all = json_array()};
    const char *name = NULL;
    twx_rc rc = detector_name(job, slot, &name);
    if (rc == TWX_OK) rc = twx_open_store(job, TWX_NEED_SOURCE | TWX_NEED_RESULTS, &l.o);
    const twx_value values[] = {{.type = TWX_TEXT, .bytes = twx_slice_of(name)}};
    const twx_question question = {.sql = twx_look_groups(), .values = values, .n_values = 1};
    if (rc == TWX_OK) rc = twx_look(l.o.writer, &question, take_member, &l);
    if (rc == TWX_OK && twx_out_is_json(out))
        rc = twx_out_json(out, json_pack("{s:s, s:O}", "detector", name, "groups", l.all));
    else if (rc == TWX_OK && l.groups == 0)
        rc = twx_out_text(out, "no groups of two or more (%s)\n", name);
    json_decref(l.all);
    twx_opened_done(&l.o);
    return rc;
}
