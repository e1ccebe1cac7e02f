#include "predict/stored_model.h"

#include <stdlib.h>

/* ---- keeping ------------------------------------------------------------ */

static int by_context(const void *a, const void *b) {
    const twx_url_context_row *x = a, *y = b;
    return x->context < y->context ? -1 : x->context > y->context;
}

static twx_rc list_contexts(const twx_job *job, const twx_model *m,
                            twx_url_context_row **ret_rows) {
    twx_url_context_row *rows = twx_calloc(job->cx, m->contexts.n + 1, sizeof *rows);
    if (!rows) return TWX_E_NOMEM;
    for (size_t i = 0; i < m->contexts.n; i++) {
        const twx_context *c = &m->contexts.at[i];
        rows[i] = (twx_url_context_row){.context = (int64_t)c->key,
                                        .hypothesis = TWX_HYPOTHESIS[c->row].number,
                                        .form = twx_slice_of(TWX_HYPOTHESIS[c->row].form),
                                        .path = c->path,
                                        .name = c->name,
                                        .second = c->second,
                                        .value = c->value,
                                        .dup = c->dup,
                                        .nodup = c->nodup};
    }
    qsort(rows, m->contexts.n, sizeof *rows, by_context);
    *ret_rows = rows;
    return TWX_OK;
}

/* A slot has the layout of a row: two 64-bit numbers. */
static twx_rc list_seen(const twx_job *job, const twx_model *m, twx_url_seen_row **ret_rows) {
    twx_key_slot *slots = NULL;
    twx_url_seen_row *rows = twx_calloc(job->cx, m->seen.n + 1, sizeof *rows);
    twx_rc rc = rows ? twx_key_table_list(job->cx, &m->seen, &slots) : TWX_E_NOMEM;
    for (size_t i = 0; rc == TWX_OK && i < m->seen.n; i++)
        rows[i] = (twx_url_seen_row){(int64_t)slots[i].key, (int64_t)slots[i].value};
    twx_free(slots);
    *ret_rows = rows;
    return rc;
}

twx_rc twx_model_store(const twx_job *job, twx_db *db, const twx_model *m,
                       const twx_url_model_head *head, uint64_t *ret_changed) {
    twx_url_context_row *contexts = NULL;
    twx_url_seen_row *seen = NULL;
    twx_rc rc = twx_url_model_make(db);
    if (rc == TWX_OK) rc = list_contexts(job, m, &contexts);
    if (rc == TWX_OK) rc = list_seen(job, m, &seen);
    if (rc == TWX_OK) {
        const twx_url_model_rows rows = {.head = *head,
                                         .contexts = contexts,
                                         .contexts_n = m->contexts.n,
                                         .seen = seen,
                                         .seen_n = m->seen.n};
        twx_job_progress(job, "write what was learned", "", 0, 0);
        rc = twx_url_model_write(db, &rows, ret_changed);
    }
    twx_free(contexts);
    twx_free(seen);
    return rc;
}

/* ---- recalling ---------------------------------------------------------- */

typedef struct recalling {
    twx_ctx *cx;
    twx_model *model;
} recalling;

static uint32_t count_of(int64_t n) {
    return n < 0 ? 0 : n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

/* A form that this program does not know is ignored. */
static twx_rc take_context(void *arg, const twx_url_context_row *row) {
    recalling *r = arg;
    const size_t form = twx_hypothesis_find(row->form);
    if (form == TWX_HYPOTHESES) return TWX_OK;
    const twx_context c = {.key = (uint64_t)row->context,
                           .row = (uint32_t)form,
                           .dup = count_of(row->dup),
                           .nodup = count_of(row->nodup),
                           .path = row->path,
                           .name = row->name,
                           .second = row->second,
                           .value = row->value};
    return twx_model_add_context(r->cx, r->model, &c);
}

static twx_rc take_seen(void *arg, const twx_url_seen_row *row) {
    recalling *r = arg;
    uint64_t *at = NULL;
    bool fresh = false;
    return twx_key_table_place(r->cx, &r->model->seen, (uint64_t)row->key, (uint64_t)row->value,
                               &at, &fresh);
}

twx_rc twx_model_load(const twx_job *job, twx_db *db, bool with_seen, twx_model *ret_model,
                      twx_url_model_head *ret_head) {
    recalling r = {job->cx, ret_model};
    twx_rc rc = twx_url_model_head_read(db, ret_head);
    if (rc == TWX_DONE)
        return twx_fail(job->cx, TWX_E_DATA,
                        "%s: no model has been learned yet: run 'twindex learn', after a run",
                        twx_db_path(db));
    if (rc == TWX_OK && !twx_model_is_current(ret_head->fingerprint))
        return twx_fail(job->cx, TWX_E_DATA,
                        "%s: the model was learned by another version of twindex, with other "
                        "evidence: run 'twindex learn' to replace it",
                        twx_db_path(db));
    if (rc == TWX_OK) rc = twx_url_contexts_each(db, take_context, &r);
    if (rc == TWX_OK) rc = twx_model_ready(job->cx, ret_model);
    return rc == TWX_OK && with_seen ? twx_url_seen_each(db, take_seen, &r) : rc;
}
