#include "lab/eval_groups.h"

#include "base/alloc.h"
#include "judge/near.h"
#include "run/document_label.h"
#include "store/generations.h"
#include "store/signatures.h"

enum { FLAG_ROWS = 1000 };

/* ---- methods ------------------------------------------------------------- */

static twx_rc add_document(const twx_job *job, const twx_eval_documents *d,
                           const twx_eval_signed *s, uint32_t i, twx_near *near,
                           twx_grouper *grouper) {
    twx_key room[TWX_CANDIDATE_KEYS_MAX];
    const uint32_t text = d->at.at[i].text;
    bool is_new = false;
    size_t n = 0;
    if (text == TWX_EVAL_NO_TEXT || !twx_eval_has_key(s, text)) return TWX_OK;
    const twx_near_text near_text = {
        .text = text, .payload = twx_eval_payload(s, text), .is_compared = true};
    twx_rc rc = twx_near_add(job->cx, near, i, &near_text, &is_new);
    if (rc != TWX_OK || !is_new || s->detector->sketch) return rc;
    const twx_key *keys = twx_eval_candidate_keys(s, text, room, &n);
    for (size_t k = 0; rc == TWX_OK && k < n; k++)
        rc = twx_grouper_add(grouper, keys[k].key, keys[k].check, near->node[i]);
    return rc;
}

twx_rc twx_eval_groups_of(const twx_job *job, const twx_eval_documents *documents,
                          const twx_eval_signed *s, twx_eval_grouped *ret_groups) {
    twx_ctx *cx = job->cx;
    twx_near near = {.detector = s->detector,
                     .params = s->params,
                     .join = job->settings->near_join,
                     .candidates = job->settings->near_candidates,
                     .documents = s->params->documents,
                     .threads = twx_job_threads(job->settings),
                     .memory = (size_t)job->settings->run_memory / 4};
    twx_grouper *grouper = NULL;
    twx_groups groups = {0};
    const size_t n = documents->at.n;
    TWX_VEC(uint64_t) text = {0}; /* only presence matters: translations are kept separate */
    twx_grouping how = {.p = &documents->docs,
                        .rank = documents->rank,
                        .eligibility = documents->links.eligibility};
    twx_rc rc = twx_near_init(cx, &near, n);
    if (rc == TWX_OK)
        rc = twx_grouper_open(cx, (size_t)job->settings->run_memory / 4, NULL, &grouper);
    for (uint32_t i = 0; rc == TWX_OK && i < n; i++) {
        rc = add_document(job, documents, s, i, &near, grouper);
        if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &text, documents->at.at[i].text)) rc = TWX_E_NOMEM;
    }
    if (s->detector->translations_separate) how.text = text.at;
    if (rc == TWX_OK) rc = twx_near_groups(cx, &near, &how, grouper, NULL, &groups, NULL);
    if (rc == TWX_OK) rc = twx_groups_list(cx, &groups, n, &ret_groups->rep);
    ret_groups->groups = groups.groups;
    ret_groups->largest = groups.largest;
    twx_groups_done(&groups);
    twx_grouper_close(grouper);
    twx_near_done(&near);
    TWX_VEC_DONE(&text);
    return rc;
}

/* ---- relations ----------------------------------------------------------- */

typedef struct loading {
    const twx_job *job;
    twx_opened *o;
    const twx_eval_documents *documents;
    twx_flag_column column[TWX_EVAL_RELATIONS];
    twx_eval_relations made;
} loading;

static twx_rc add_relation(loading *l, const char *name, twx_flag_column column) {
    const size_t n = l->documents->at.n;
    twx_eval_relation *r = &l->made.at[l->made.n];
    r->rep = twx_malloc(l->job->cx, (n + 1) * sizeof *r->rep);
    if (!r->rep) return TWX_E_NOMEM;
    for (size_t i = 0; i < n; i++) r->rep[i] = TWX_NO_DOCUMENT;
    r->name = name;
    l->column[l->made.n++] = column;
    return TWX_OK;
}

static twx_rc document_of(const loading *l, int64_t doc, uint32_t *ret_document) {
    twx_value id;
    twx_rc rc = twx_id_of(l->o, doc, &id);
    if (rc == TWX_OK) *ret_document = twx_eval_document_of(l->documents, &id);
    twx_signatures_release(l->o->signatures);
    if (rc != TWX_DONE) return rc;
    *ret_document = TWX_NO_DOCUMENT;
    return TWX_OK;
}

static twx_rc take_row(loading *l, const twx_flag_row *row) {
    uint32_t document = TWX_NO_DOCUMENT, representative = TWX_NO_DOCUMENT;
    twx_rc rc = document_of(l, row->doc, &document);
    if (rc != TWX_OK || document == TWX_NO_DOCUMENT) return rc;
    l->made.unmarked--;
    if (!twx_eval_takes_part(l->documents, document)) return TWX_OK;
    for (size_t r = 0; rc == TWX_OK && r < l->made.n; r++) {
        if (!twx_flag_known(row, l->column[r])) continue;
        rc = document_of(l, row->v[l->column[r]], &representative);
        if (rc == TWX_OK) l->made.at[r].rep[document] = representative;
    }
    return rc;
}

static twx_rc read_flags(loading *l, char generation) {
    twx_flag_row *rows = twx_malloc(l->job->cx, FLAG_ROWS * sizeof *rows);
    int64_t after = INT64_MIN;
    size_t n = FLAG_ROWS;
    twx_rc rc = rows ? TWX_OK : TWX_E_NOMEM;
    while (rc == TWX_OK && n == FLAG_ROWS) {
        rc = twx_flags_read(l->o->generations, generation, after, rows, FLAG_ROWS, &n);
        for (size_t i = 0; rc == TWX_OK && i < n; i++) rc = take_row(l, &rows[i]);
        if (rc == TWX_OK && n) after = rows[n - 1].doc;
    }
    twx_free(rows);
    return rc;
}

twx_rc twx_eval_relations_read(const twx_job *job, twx_opened *o,
                               const twx_eval_documents *documents,
                               twx_eval_relations *ret_relations) {
    loading l = {.job = job, .o = o, .documents = documents};
    twx_state state = {0};
    twx_rc rc = TWX_OK;
    l.made.unmarked = documents->at.n;
    if (o->generations) rc = twx_state_read(o->generations, &state);
    if (rc == TWX_OK && state.generation) {
        for (size_t s = 0; rc == TWX_OK && twx_relation_at(s); s++) {
            const twx_relation *slot = twx_relation_at(s);
            if (!slot->detector) rc = add_relation(&l, slot->name, slot->rep);
        }
        if (rc == TWX_OK) rc = add_relation(&l, "verdict", TWX_FLAG_duplicate_of);
        if (rc == TWX_OK) rc = read_flags(&l, state.generation);
    }
    if (rc == TWX_OK)
        *ret_relations = l.made;
    else
        twx_eval_relations_done(&l.made);
    return rc;
}

void twx_eval_relations_done(twx_eval_relations *r) {
    if (!r) return;
    for (size_t i = 0; i < r->n; i++) twx_free(r->at[i].rep);
    *r = (twx_eval_relations){0};
}
