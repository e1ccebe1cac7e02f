#include "run/count_changes.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "run/list_changes.h"

typedef struct counting {
    twx_ctx *cx;
    const twx_judgement *j;
    twx_summary *summary;
    uint64_t *by_host;       /* changed flags, by index of the host; NULL: not counted */
    twx_change_notes *notes; /* NULL: not listed */
    twx_docs *differ;        /* gets the documents with changes; NULL: not wanted */
} counting;

/* As twx_is_hidden(), of a row; NULL: the document has no flags. */
static bool is_hidden(const twx_flag_row *row) {
    return row && row->v[TWX_FLAG_eligibility] == TWX_ELIGIBLE &&
           twx_flag_known(row, TWX_FLAG_duplicate_of);
}

static twx_rc count(counting *c, const twx_flag_change *change) {
    twx_summary *s = c->summary;
    s->changed++;
    s->hidden_before += is_hidden(change->stored);
    s->hidden_before -= is_hidden(change->fresh);
    for (size_t i = 0; i < TWX_FLAGS; i++) {
        if (!twx_flag_differs(twx_flag_at(i), change->stored, change->fresh)) continue;
        s->changed_flags[i]++;
        if (c->by_host && change->fresh) c->by_host[c->j->docs.at.at[change->index].host]++;
    }
    if (c->differ &&
        !TWX_VEC_PUSH(c->cx, c->differ, change->fresh ? change->fresh->doc : change->stored->doc))
        return TWX_E_NOMEM;
    return c->notes ? twx_change_note(c->notes, change->stored, change->fresh) : TWX_OK;
}

static int by_changed_flags(const void *a, const void *b) {
    const twx_host_flag_changes *x = a, *y = b;
    if (x->changed_flags == y->changed_flags) return strcmp(x->host, y->host);
    return x->changed_flags < y->changed_flags ? 1 : -1;
}

static twx_rc list_hosts(counting *c) {
    const twx_doc_table *p = &c->j->docs;
    TWX_VEC(twx_host_flag_changes) all = {0};
    twx_rc rc = TWX_OK;
    for (size_t h = 0; rc == TWX_OK && h < p->hosts.n; h++) {
        twx_host_flag_changes row = {
            .host = twx_strndup(c->cx, p->hosts.at[h].name, p->hosts.at[h].name_length),
            .changed_flags = c->by_host[h]};
        if (!row.host || !TWX_VEC_PUSH(c->cx, &all, row)) {
            rc = TWX_E_NOMEM;
            twx_free(row.host);
        }
    }
    for (uint32_t i = 0; rc == TWX_OK && i < p->at.n; i++) {
        all.at[p->at.at[i].host].documents++;
        all.at[p->at.at[i].host].hidden += twx_is_hidden(c->j, i);
    }
    if (rc == TWX_OK && all.n) qsort(all.at, all.n, sizeof *all.at, by_changed_flags);
    for (size_t h = 0; h < all.n; h++) {
        bool shown = rc == TWX_OK && all.at[h].changed_flags > 0;
        if (shown && !TWX_VEC_PUSH(c->cx, &c->summary->hosts, all.at[h])) rc = TWX_E_NOMEM;
        if (!shown || rc != TWX_OK) twx_free(all.at[h].host);
    }
    TWX_VEC_DONE(&all);
    return rc;
}

static twx_rc count_member(counting *c, twx_member *m) {
    twx_flag_changes changes;
    twx_flag_change change;
    const twx_flag_rows rows = twx_judged_rows(&m->judged);
    const uint64_t before = c->summary->changed;
    m->differ.n = 0;
    c->differ = m->state.generation && !m->options->dry_run ? &m->differ : NULL;
    twx_rc rc = twx_flag_changes_init(c->cx, &rows, twx_member_published(m), m->state.generation,
                                      &changes);
    while (rc == TWX_OK) {
        rc = twx_flag_changes_next(&changes, &change);
        if (rc == TWX_OK) rc = count(c, &change);
    }
    twx_flag_changes_done(&changes);
    m->changed = c->summary->changed - before;
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc count_all(counting *c, twx_members *members) {
    twx_rc rc = TWX_OK;
    for (size_t m = 0; rc == TWX_OK && m < members->at.n; m++) {
        if (c->notes) c->notes->member = (uint16_t)m;
        rc = count_member(c, members->at.at[m]);
    }
    return rc;
}

static twx_rc list_changes(counting *c, twx_members *members, const twx_judge_options *how) {
    twx_listing_store *stores = twx_calloc(c->cx, members->at.n, sizeof *stores);
    if (!stores) return TWX_E_NOMEM;
    for (size_t i = 0; i < members->at.n; i++) {
        twx_member *m = members->at.at[i];
        stores[i] = (twx_listing_store){&m->o, twx_member_published_db(m), m->shard};
    }
    const twx_listing where = {.stores = stores, .j = c->j, .pins = how->pins};
    const twx_rc rc = twx_change_notes_list(c->notes, &where, &c->summary->changes);
    twx_free(stores);
    return rc;
}

twx_rc twx_count_changes(twx_members *members, const twx_judgement *j, const twx_judge_options *how,
                         twx_summary *ret_summary) {
    const twindex_run_options *options = members->options;
    twx_ctx *cx = members->job->cx;
    twx_summary *summary = ret_summary;
    twx_change_notes notes = {.cx = cx, .relations = how->relations, .limit = options->limit};
    counting c = {.cx = cx, .j = j, .summary = summary, .notes = options->list ? &notes : NULL};
    summary->changed = 0;
    summary->hidden_before = summary->hidden; /* count() subtracts the differences */
    memset(summary->changed_flags, 0, sizeof summary->changed_flags);
    summary->listed = options->list;
    if (options->dry_run) {
        c.by_host = twx_calloc(cx, j->docs.hosts.n, sizeof *c.by_host);
        if (!c.by_host) return TWX_E_NOMEM;
    }
    twx_rc rc = count_all(&c, members);
    if (rc == TWX_OK) rc = twx_judgement_error(cx, j);
    if (rc == TWX_OK && c.by_host) rc = list_hosts(&c);
    if (rc == TWX_OK && options->list) rc = list_changes(&c, members, how);
    twx_change_notes_done(&notes);
    twx_free(c.by_host);
    return rc;
}
