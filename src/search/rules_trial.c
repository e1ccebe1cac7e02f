#include "search/rules_trial.h"

#include <stdlib.h>
#include <string.h>

#include "base/map64.h"
#include "search/ranking.h"

enum { CHUNK_ROWS = 10000 };

typedef struct trial {
    const twx_job *job;
    twx_opened *o;
    const twx_judged *judged;
    twx_map64 index; /* index of each document in the judgement */
    TWX_VEC(twx_host_filtered) hosts;
    uint64_t hidden, hidden_part;
} trial;

static twx_rc check(const twx_job *job, const char *path) {
    twx_ranking_rules rules = {0};
    twx_rc rc = twx_ranking_rules_load(job->cx, path, &rules);
    twx_ranking_rules_done(&rules);
    return rc;
}

/* ---- the flags, in the scratch file ------------------------------------- */

static twx_rc write_rows(trial *t, const twx_claim *claim) {
    const twx_judged *judged = t->judged;
    twx_flag_row *rows = twx_calloc(t->job->cx, CHUNK_ROWS, sizeof *rows);
    twx_rc rc = rows ? TWX_OK : TWX_E_NOMEM;
    for (size_t from = 0; rc == TWX_OK && from < judged->n; from += CHUNK_ROWS) {
        const size_t n = judged->n - from < CHUNK_ROWS ? judged->n - from : CHUNK_ROWS;
        for (size_t i = 0; i < n; i++)
            twx_judged_row(judged->j, judged->options, twx_judged_index(judged, from + i),
                           &rows[i]);
        twx_flag_edit edit = {.rows = rows, .n_rows = n};
        while (rc == TWX_OK && !twx_flag_edit_is_done(&edit))
            rc = twx_generation_write(t->o->generations, claim, &edit);
        if (rc == TWX_OK) rc = twx_cancelled(t->job->cx);
    }
    twx_free(rows);
    return rc == TWX_OK ? twx_judgement_error(t->job->cx, judged->j) : rc;
}

static twx_rc write_flags(trial *t) {
    twx_claim claim = {.token = 1, .started_at = twx_job_now(), .settings = "{}"};
    const twx_publication publication = {
        .direct = twx_source_is_direct(t->o->source), .ended_at = twx_job_now(), .summary = "{}"};
    twx_rc rc = twx_generation_claim(t->o->generations, &claim);
    if (rc == TWX_OK) rc = write_rows(t, &claim);
    return rc == TWX_OK ? twx_generation_publish(t->o->generations, &claim, &publication) : rc;
}

/* ---- documents that the filter leaves out ----------------------------------------- */

static twx_rc list_hosts(trial *t) {
    const twx_doc_table *p = &t->judged->j->docs;
    twx_rc rc = TWX_OK;
    for (size_t h = 0; rc == TWX_OK && h < p->hosts.n; h++) {
        twx_host_filtered row = {
            .host = twx_strndup(t->job->cx, p->hosts.at[h].name, p->hosts.at[h].name_length)};
        if (row.host && TWX_VEC_PUSH(t->job->cx, &t->hosts, row)) continue;
        twx_free(row.host);
        rc = TWX_E_NOMEM;
    }
    for (uint32_t i = 0; rc == TWX_OK && i < p->at.n; i++) {
        t->hosts.at[p->at.at[i].host].documents++;
        rc = twx_map64_put(t->job->cx, &t->index, (uint64_t)p->at.at[i].doc, i);
    }
    return rc;
}

static twx_rc count_hidden(void *arg, int64_t doc, bool takes_part) {
    trial *t = arg;
    uint64_t i = 0;
    if (!twx_map64_get(&t->index, (uint64_t)doc, &i)) return TWX_OK;
    twx_host_filtered *host = &t->hosts.at[t->judged->j->docs.at.at[i].host];
    host->hidden++;
    host->hidden_part += takes_part;
    t->hidden++;
    t->hidden_part += takes_part;
    return TWX_OK;
}

static int by_hidden(const void *a, const void *b) {
    const twx_host_filtered *x = a, *y = b;
    if (x->hidden_part != y->hidden_part) return x->hidden_part > y->hidden_part ? -1 : 1;
    if (x->hidden != y->hidden) return x->hidden > y->hidden ? -1 : 1;
    return strcmp(x->host, y->host);
}

/* Adds the hosts with hidden documents to the summary, most first; the summary owns their names. */
static twx_rc hand_over(trial *t, const char *path, twx_summary *summary) {
    twx_rc rc = TWX_OK;
    summary->rules = path;
    summary->filtered = t->hidden;
    summary->filtered_part = t->hidden_part;
    if (t->hosts.n > 1) qsort(t->hosts.at, t->hosts.n, sizeof *t->hosts.at, by_hidden);
    for (size_t h = 0; rc == TWX_OK && h < t->hosts.n; h++) {
        if (!t->hosts.at[h].hidden) continue;
        if (!TWX_VEC_PUSH(t->job->cx, &summary->filtered_hosts, t->hosts.at[h])) return TWX_E_NOMEM;
        t->hosts.at[h].host = NULL;
    }
    return rc;
}

static twx_rc judge(const twx_job *job, twx_opened *o, const twx_judged *judged, const char *path,
                    twx_summary *summary) {
    trial t = {.job = job, .o = o, .judged = judged};
    twx_ranking_rules rules = {0};
    twx_rule_documents *documents = NULL;
    twx_map64_init(&t.index, 0);
    twx_rc rc = twx_ranking_rules_load(job->cx, path, &rules);
    if (rc == TWX_OK) rc = write_flags(&t);
    if (rc == TWX_OK) rc = list_hosts(&t);
    const twx_search search = {
        .generation = 'a', .direct = twx_source_is_direct(o->source), .ranking = &rules.ranking};
    if (rc == TWX_OK) rc = twx_rule_documents_use(job, o, &rules, &documents);
    if (rc == TWX_OK) rc = twx_search_hidden(o->writer, &search, count_hidden, &t);
    if (rc == TWX_OK) rc = hand_over(&t, path, summary);
    for (size_t h = 0; h < t.hosts.n; h++) twx_free(t.hosts.at[h].host);
    TWX_VEC_DONE(&t.hosts);
    twx_map64_done(&t.index);
    twx_rule_documents_close(documents);
    twx_ranking_rules_done(&rules);
    return rc;
}

const twx_rules_try TWX_RULES_TRIAL = {.check = check, .judge = judge};
