#include "inspect/list_groups.h"

#include <inttypes.h>
#include <string.h>

#include "base/hash64.h"
#include "judge/relations.h"
#include "run/document_label.h"
#include "run/store_set.h"

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

/* ---- list groups ------------------------------------------------------- */

enum { URL_BYTES = 1 << 21, KINDS_BYTES = 1 << 10 };

/* A group is known by its representative: its id and its store. */
typedef struct listing {
    const twx_job *job;
    twx_store_set set;
    size_t limit;
    uint64_t group_hash; /* of the current group's representative */
    twx_group_list *list;
} listing;

/* The name of a member as the list shows it. */
static twx_slice store_of(const listing *l, uint32_t member) {
    return l->set.at[member].shard;
}

/* Names a document. url: holds the URL. */
static twx_rc name_document(listing *l, uint32_t member, const twx_value *id, twx_buf *url,
                            twx_listed_document *ret_document) {
    twx_rc rc = twx_url_of(&l->set.at[member].o, id, url);
    *ret_document = (twx_listed_document){*id, twx_buf_slice(url), store_of(l, member)};
    return rc;
}

/* Names a document of a store that is not in the set, by what a member knows of it. */
static twx_rc name_outside(listing *l, uint32_t member, const twx_value *id, twx_slice shard,
                           twx_buf *url, twx_listed_document *ret_document) {
    const twx_set_member *m = &l->set.at[member];
    twx_arena bytes;
    twx_remote remote = {0};
    twx_arena_init(&bytes, 0);
    twx_rc rc = twx_remote_find(m->o.writer, m->state.generation, shard, id, &bytes, &remote);
    if (rc == TWX_DONE) rc = TWX_OK;
    if (rc == TWX_OK) rc = twx_buf_add_slice(l->job->cx, url, remote.url);
    twx_arena_done(&bytes);
    *ret_document = (twx_listed_document){*id, twx_buf_slice(url), shard};
    return rc;
}

/* shard: absent in a set of one. */
static uint64_t hash_of(const twx_value *id, twx_slice shard) {
    return twx_mix64(twx_value_hash(id, 0), twx_hash64(shard, shard.p != NULL));
}

static twx_rc begin_group(listing *l, uint32_t member, const twx_value *columns) {
    const twx_slice shard = columns[3].bytes;
    const uint32_t home = twx_store_set_find(&l->set, shard, member);
    twx_listed_document d;
    twx_buf url;
    twx_buf_init(&url, URL_BYTES);
    l->group_hash = hash_of(&columns[0], shard);
    twx_rc rc = home == TWX_SET_OUTSIDE ? name_outside(l, member, &columns[0], shard, &url, &d)
                                        : name_document(l, home, &columns[0], &url, &d);
    if (rc == TWX_OK) rc = twx_group_list_begin(l->list, &d, columns[1].i);
    twx_buf_done(&url);
    return rc;
}

static twx_rc take_member(void *arg, uint32_t member, const twx_value *columns, size_t n) {
    listing *l = arg;
    twx_group_list *list = l->list;
    twx_listed_document d = {.id = columns[2], .store = store_of(l, member)};
    twx_buf url;
    (void)n;
    twx_rc rc = TWX_OK;
    const bool first = list->groups == 0 ||
                       hash_of(&columns[0], columns[3].bytes) != l->group_hash ||
                       columns[1].i != list->documents;
    if (first && l->limit && list->groups == l->limit) return TWX_DONE;
    if (first) rc = begin_group(l, member, columns);
    const bool is_representative = hash_of(&columns[2], d.store) == l->group_hash;
    twx_buf_init(&url, URL_BYTES);
    if (rc == TWX_OK && !is_representative && twx_group_list_wants_url(list))
        rc = name_document(l, member, &columns[2], &url, &d);
    if (rc == TWX_OK) rc = twx_group_list_add(list, &d, is_representative);
    twx_buf_done(&url);
    return rc;
}

static twx_rc fail_unknown(const twx_job *job, const char *relation) {
    twx_buf kinds;
    twx_buf_init(&kinds, KINDS_BYTES);
    twx_rc rc = twx_buf_add_text(job->cx, &kinds, "verdict");
    for (size_t i = 0; rc == TWX_OK && twx_relation_at(i); i++)
        rc = twx_buf_printf(job->cx, &kinds, " %s", twx_relation_at(i)->name);
    if (rc == TWX_OK)
        rc = twx_fail(job->cx, TWX_E_USAGE, "no groups of the kind '%.60s'; the kinds are %s",
                      relation, kinds.p);
    twx_buf_done(&kinds);
    return rc;
}

static twx_rc relation_name(const twx_job *job, const char *relation, const char **ret_name) {
    *ret_name = "verdict";
    if (!relation || strcmp(relation, "verdict") == 0) return TWX_OK;
    twx_relation_id id = twx_relation_find(twx_slice_of(relation));
    if (id == TWX_RELATIONS) return fail_unknown(job, relation);
    *ret_name = twx_relation_at(id)->name;
    return TWX_OK;
}

twx_rc twx_list_groups(const twx_job *job, const char *relation, size_t limit, const twx_out *out) {
    twx_group_list list = {.out = out, .all = limit == 0};
    listing l = {.job = job, .limit = limit, .list = &list};
    twx_rc rc = relation_name(job, relation, &list.relation);
    if (rc == TWX_OK) rc = twx_store_set_open(job, TWX_NEED_SOURCE, &l.set);
    if (rc == TWX_OK) {
        const twx_value detector = {.type = TWX_TEXT, .bytes = twx_slice_of(list.relation)};
        const twx_set_query question = {
            {.sql = twx_display_groups(), .values = &detector, .n_values = 1},
            true,
            twx_display_groups_order};
        rc = twx_store_set_display(&l.set, &question, take_member, &l);
    }
    if (rc == TWX_OK) rc = twx_group_list_end(&list);
    twx_group_list_done(&list);
    twx_store_set_done(&l.set);
    return rc;
}
