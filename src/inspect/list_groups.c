#include "inspect/list_groups.h"

#include <string.h>

#include "base/hash64.h"
#include "job/document_label.h"
#include "judge/relations.h"
#include "report/group_list.h"
#include "store/display.h"

enum { URL_BYTES = 1 << 21, KINDS_BYTES = 1 << 10 };

typedef struct listing {
    const twx_job *job;
    twx_opened o;
    size_t limit;
    uint64_t group_hash; /* of the current group's representative */
    twx_group_list *list;
} listing;

/* Names a document. url: holds the URL. */
static twx_rc name_document(listing *l, const twx_value *id, twx_buf *url,
                            twx_listed_document *ret_document) {
    twx_rc rc = twx_url_of(&l->o, id, url);
    *ret_document = (twx_listed_document){*id, twx_buf_slice(url)};
    return rc;
}

/* shard: the store of the representative; TWX_NULL: this one. */
static uint64_t hash_of(const twx_value *representative, const twx_value *shard) {
    return twx_mix64(twx_value_hash(representative, 0), twx_value_hash(shard, 0));
}

static twx_rc begin_group(listing *l, const twx_value *representative, const twx_value *shard,
                          int64_t documents) {
    twx_listed_document d;
    twx_buf url;
    twx_buf_init(&url, URL_BYTES);
    l->group_hash = hash_of(representative, shard);
    twx_rc rc = TWX_OK;
    if (shard->type == TWX_NULL) {
        rc = name_document(l, representative, &url, &d);
    } else {
        rc = twx_buf_printf(l->job->cx, &url, "(in " TWX_SLICE_FMT ")",
                            TWX_SLICE_ARG(shard->bytes));
        d = (twx_listed_document){*representative, twx_buf_slice(&url)};
    }
    if (rc == TWX_OK) rc = twx_group_list_begin(l->list, &d, documents);
    twx_buf_done(&url);
    return rc;
}

static twx_rc take_member(void *arg, const twx_value *columns, size_t n) {
    listing *l = arg;
    twx_group_list *list = l->list;
    twx_listed_document d = {.id = columns[2]};
    twx_buf url;
    (void)n;
    twx_rc rc = TWX_OK;
    const bool first = list->groups == 0 || hash_of(&columns[0], &columns[3]) != l->group_hash ||
                       columns[1].i != list->documents;
    if (first && l->limit && list->groups == l->limit) return TWX_DONE;
    if (first) rc = begin_group(l, &columns[0], &columns[3], columns[1].i);
    static const twx_value HERE = {.type = TWX_NULL};
    const bool is_representative = hash_of(&columns[2], &HERE) == l->group_hash;
    twx_buf_init(&url, URL_BYTES);
    if (rc == TWX_OK && !is_representative && twx_group_list_wants_url(list))
        rc = name_document(l, &columns[2], &url, &d);
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
    if (rc == TWX_OK) rc = twx_open_store(job, TWX_NEED_SOURCE | TWX_NEED_RESULTS, &l.o);
    if (rc == TWX_OK) {
        const twx_value values[] = {{.type = TWX_TEXT, .bytes = twx_slice_of(list.relation)}};
        const twx_display_query question = {
            .sql = twx_display_groups(), .values = values, .n_values = 1};
        rc = twx_display(l.o.writer, &question, take_member, &l);
    }
    if (rc == TWX_OK) rc = twx_group_list_end(&list);
    twx_group_list_done(&list);
    twx_opened_done(&l.o);
    return rc;
}
