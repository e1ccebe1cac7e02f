#include "lab/eval_signed.h"

#include "sign/sign_document.h"

enum { RECORD_MAX = 64 << 20 };

typedef struct signing {
    const twx_job *job;
    twx_workspace *workspace;
    twx_buf record;
    twx_eval_signed *made;
} signing;

/* Marks the end of the last text's keys and payload, where those of the next text begin. */
static twx_rc mark_begin(twx_ctx *cx, twx_eval_signed *s) {
    bool marked = TWX_VEC_PUSH(cx, &s->keys_from, s->keys.n) &&
                  TWX_VEC_PUSH(cx, &s->payload_from, s->payloads.n);
    return marked ? TWX_OK : TWX_E_NOMEM;
}

/* Texts that are left out, because they have changed, have no signature. */
static twx_rc mark_until(twx_ctx *cx, twx_eval_signed *s, size_t text) {
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && s->keys_from.n <= text) rc = mark_begin(cx, s);
    return rc;
}

static twx_rc keep(signing *g) {
    twx_ctx *cx = g->job->cx;
    twx_eval_signed *s = g->made;
    twx_record_entry entry;
    twx_rc rc = twx_record_find(cx, twx_buf_slice(&g->record), s->detector->id, &entry);
    if (rc != TWX_OK) return rc == TWX_DONE ? mark_begin(cx, s) : rc; /* TWX_DONE: no signature */
    for (size_t i = 0; i < entry.n_keys; i++)
        if (!TWX_VEC_PUSH(cx, &s->keys, twx_record_key(&entry, i))) return TWX_E_NOMEM;
    if (s->keys.n * sizeof *s->keys.at + s->payloads.n + entry.payload.n >
        g->job->settings->run_memory)
        return TWX_E_LIMIT; /* not an error of the evaluation: it continues without this detector */
    rc = twx_buf_add_slice(cx, &s->payloads, entry.payload);
    return rc == TWX_OK ? mark_begin(cx, s) : rc;
}

static twx_rc sign_text(void *arg, uint32_t i, const twx_source_row *row) {
    signing *g = arg;
    twx_ctx *cx = g->job->cx;
    twx_eval_signed *s = g->made;
    twx_url url = {.fault = TWX_URL_EMPTY};
    twx_slice stored = twx_bytes_of(&row->value[TWX_COL_URL]);
    twx_rc rc = mark_until(cx, s, i);
    if (rc == TWX_OK && stored.p)
        rc = twx_url_normalize(cx, twx_workspace_scratch(g->workspace), &s->params->url, stored,
                               &url);
    const twx_document doc = {.url = &url, .text = twx_bytes_of(&row->value[TWX_COL_TEXT])};
    const twx_signing how = {.params = s->params, .detectors = &s->detector, .n = 1};
    double begun = twx_job_clock();
    if (rc == TWX_OK) rc = twx_sign_document(cx, g->workspace, &how, &doc, &g->record);
    s->seconds += twx_job_clock() - begun;
    if (rc == TWX_OK) rc = keep(g);
    twx_workspace_reset(g->workspace);
    return rc;
}

twx_rc twx_eval_sign(const twx_job *job, twx_opened *o, const twx_eval_texts *texts,
                     const twx_params *params, const twx_detector *detector,
                     twx_eval_signed *ret_signed) {
    twx_eval_signed s = {.detector = detector, .params = params};
    signing g = {.job = job, .made = &s};
    twx_buf_init(&g.record, RECORD_MAX);
    twx_buf_init(&s.payloads, SIZE_MAX / 2);
    twx_rc rc = twx_workspace_open(job->cx, params, &g.workspace);
    if (rc == TWX_OK) rc = twx_eval_texts_each(job, o, texts, sign_text, &g);
    if (rc == TWX_OK) rc = mark_until(job->cx, &s, texts->at.n);
    twx_workspace_close(g.workspace);
    twx_buf_done(&g.record);
    if (rc == TWX_OK)
        *ret_signed = s;
    else
        twx_eval_signed_done(&s);
    return rc;
}

void twx_eval_signed_done(twx_eval_signed *s) {
    if (!s) return;
    TWX_VEC_DONE(&s->keys);
    TWX_VEC_DONE(&s->keys_from);
    TWX_VEC_DONE(&s->payload_from);
    twx_buf_done(&s->payloads);
}

/* ---- results ------------------------------------------------------------- */

twx_slice twx_eval_payload(const twx_eval_signed *s, uint32_t i) {
    return twx_slice_sub(twx_buf_slice(&s->payloads), s->payload_from.at[i],
                         s->payload_from.at[i + 1]);
}

bool twx_eval_has_key(const twx_eval_signed *s, uint32_t i) {
    return s->keys_from.at[i] < s->keys_from.at[i + 1];
}

int32_t twx_eval_alike(const twx_eval_signed *s, uint32_t a, uint32_t b) {
    return s->detector->verify
               ? s->detector->verify(s->params, twx_eval_payload(s, a), twx_eval_payload(s, b))
               : 1000000;
}

/* The candidate keys of text i; stored in room if they must be computed. */
const twx_key *twx_eval_candidate_keys(const twx_eval_signed *s, uint32_t i,
                                       twx_key room[TWX_CANDIDATE_KEYS_MAX], size_t *ret_n) {
    *ret_n = s->keys_from.at[i + 1] - s->keys_from.at[i];
    if (*ret_n == 0) return room;
    const twx_key *stored = &s->keys.at[s->keys_from.at[i]];
    if (!s->detector->candidates) return stored;
    const twx_signed from = {.first = stored[0], .payload = twx_eval_payload(s, i)};
    *ret_n = s->detector->candidates(s->params, &from, room);
    return room;
}

bool twx_eval_is_pair(const twx_eval_signed *s, uint32_t a, uint32_t b) {
    twx_key room_a[TWX_CANDIDATE_KEYS_MAX], room_b[TWX_CANDIDATE_KEYS_MAX];
    size_t n_a = 0, n_b = 0;
    if (a == b) return twx_eval_has_key(s, a);
    const twx_key *of_a = twx_eval_candidate_keys(s, a, room_a, &n_a),
                  *of_b = twx_eval_candidate_keys(s, b, room_b, &n_b);
    for (size_t i = 0; i < n_a; i++)
        for (size_t j = 0; j < n_b; j++)
            if (of_a[i].key == of_b[j].key && of_a[i].check == of_b[j].check)
                return twx_eval_alike(s, a, b) >= 0;
    return false;
}

twx_rc twx_eval_give_keys(const twx_eval_signed *s, twx_grouper *grouper) {
    twx_key room[TWX_CANDIDATE_KEYS_MAX];
    twx_rc rc = TWX_OK;
    for (uint32_t i = 0; rc == TWX_OK && i + 1 < s->keys_from.n; i++) {
        size_t n = 0;
        const twx_key *keys = twx_eval_candidate_keys(s, i, room, &n);
        for (size_t k = 0; rc == TWX_OK && k < n; k++)
            rc = twx_grouper_add(grouper, keys[k].key, keys[k].check, i);
    }
    return rc;
}
