#include "cluster/cluster_judge.h"

#include <inttypes.h>

#include "base/plural.h"
#include "cluster/cluster_publish.h"
#include "cluster/judging.h"
#include "cluster/manifests.h"
#include "cluster/row_binary.h"
#include "cluster/tables.h"
#include "sql_text.h"

/* ---- before --------------------------------------------------------------- */

/* [R2] */
static twx_rc check_manifests(twx_judging *j, const twx_manifests *m) {
    twx_ctx *cx = j->job->cx;
    if (m->n == 0)
        return twx_fail(cx, TWX_E_DATA, "no store has been pushed: run 'twindex cluster push'");
    for (size_t i = 0; i < m->n; i++) {
        const twx_manifest *e = &m->at[i];
        j->documents += e->documents;
        if (!twx_manifest_holds(e))
            return twx_fail(cx, TWX_E_DATA,
                            "shard %" PRIu32 ": the servers have %" PRIu64
                            " documents and not what its last push left (%" PRIu64
                            "): push it again",
                            e->shard, e->found_documents, e->documents);
        if (e->fingerprint != m->at[0].fingerprint)
            return twx_fail(
                cx, TWX_E_CONFIG,
                "shards %" PRIu32 " and %" PRIu32
                " were pushed with different settings or versions: push all stores with "
                "the same",
                m->at[0].shard, e->shard);
    }
    j->relations = m->at[0].relations;
    j->collapse_min = m->at[0].collapse_min;
    j->near = m->at[0].near;
    return TWX_OK;
}

/* A push may have begun meanwhile. */
static twx_rc check_copy(twx_judging *j, const twx_manifests *m) {
    twx_statement check = TWX_JUDGING_STATEMENT("check_document", CHECK_DOCUMENT);
    twx_manifests found = {0};
    twx_buf answers;
    check.run = j->run;
    twx_buf_init(&answers, TWX_ANSWER_BYTES);
    twx_rc rc = twx_nodes_run_all(j->nodes, &check, &answers);
    if (rc == TWX_OK) rc = twx_manifests_read_copy(j->job->cx, twx_buf_slice(&answers), &found);
    for (size_t i = 0; rc == TWX_OK && i < m->n; i++) {
        const twx_manifest *e = &m->at[i], *f = twx_manifest_of(&found, e->shard);
        if ((f ? f->found_documents : 0) != e->documents || (f ? f->found_hash : 0) != e->hash)
            rc = twx_fail(j->job->cx, TWX_E_BUSY,
                          "shard %" PRIu32 " was pushed meanwhile: judge again", e->shard);
    }
    twx_manifests_done(&found);
    twx_buf_done(&answers);
    return rc;
}

/* ---- after ---------------------------------------------------------------- */

/* [R3] One INSERT of rows that belong to one node. round: 0 unless `open` pairs have stopped it. */
static twx_rc put_run(twx_judging *j, const twx_manifests *m, bool stopped, uint64_t round,
                      uint64_t open) {
    const twx_statement put = TWX_CLUSTER_STATEMENT("put_run", PUT_RUN);
    twx_ctx *cx = j->job->cx;
    twx_rc rc = TWX_OK;
    twx_buf rows;
    twx_buf_init(&rows, TWX_ANSWER_BYTES);
    for (size_t i = 0; rc == TWX_OK && i < m->n; i++) {
        const twx_manifest *e = &m->at[i];
        rc = twx_row_add_number(cx, &rows, j->run, 8);
        if (rc == TWX_OK) rc = twx_row_add_number(cx, &rows, (uint64_t)twx_job_now(), 8);
        if (rc == TWX_OK) rc = twx_row_add_number(cx, &rows, e->shard, 2);
        if (rc == TWX_OK) rc = twx_row_add_number(cx, &rows, e->version, 8);
        if (rc == TWX_OK) rc = twx_row_add_number(cx, &rows, e->documents, 8);
        if (rc == TWX_OK) rc = twx_row_add_number(cx, &rows, e->hash, 8);
        if (rc == TWX_OK) rc = twx_row_add_number(cx, &rows, stopped, 1);
        if (rc == TWX_OK) rc = twx_row_add_number(cx, &rows, round, 4);
        if (rc == TWX_OK) rc = twx_row_add_number(cx, &rows, open, 8);
    }
    if (rc == TWX_OK) rc = twx_nodes_run(j->nodes, 0, &put, twx_buf_slice(&rows), NULL);
    twx_buf_done(&rows);
    return rc;
}

/* The result, and its figures. */
static twx_rc make_result(twx_judging *j, twx_judge_summary *s) {
    const twx_statement steps[] = {TWX_JUDGING_STATEMENT("fill_result", FILL_RESULT),
                                   TWX_JUDGING_STATEMENT("find_references", FIND_REFERENCES),
                                   TWX_JUDGING_STATEMENT("find_remotes", FIND_REMOTES)},
                        count = TWX_JUDGING_STATEMENT("count_result", COUNT_RESULT);
    uint64_t sums[4] = {0};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(steps); i++)
        rc = twx_judging_step(j, &steps[i]);
    if (rc == TWX_OK) rc = twx_judging_sums(j, &count, sums, TWX_COUNTOF(sums));
    s->documents = sums[0];
    s->indexable = sums[1];
    s->hidden = sums[2];
    s->linked = sums[3];
    return rc;
}

static void write_lines(const twx_judging *j, twindex_level level, twx_slice lines) {
    while (lines.n > 0) {
        const twx_slice line = twx_slice_next_line(&lines);
        twx_job_message(j->job, level, "%.*s", (int)line.n, line.p);
    }
}

static twx_rc fail_guard(const twx_judging *j, const twx_guard_findings *says) {
    const twx_slice all = twx_buf_slice(says->stops),
                    first = twx_slice_sub(all, 0, twx_slice_find(all, '\n', 0));
    if (says->n_stops > 1) write_lines(j, TWINDEX_WARNING, all);
    return twx_fail(j->job->cx, TWX_E_GUARD,
                    "a guard stopped run %" PRIu64 " (%zu %s: " TWX_SLICE_FMT
                    "%s), its result is not to be published; --force judges again and accepts it",
                    j->run, says->n_stops, twx_plural(says->n_stops, "finding", "findings"),
                    TWX_SLICE_ARG(first), says->n_stops > 1 ? " ..." : "");
}

/* A run that a guard stops is kept beside the last one that none has stopped, until the next. */
static twx_rc finish(twx_judging *j, const twx_manifests *m, uint64_t last, bool force,
                     twx_judge_summary *s) {
    twx_buf stops, notes;
    twx_guard_findings says = {.stops = &stops, .notes = &notes};
    twx_buf_init(&stops, 1 << 16);
    twx_buf_init(&notes, 1 << 16);
    twx_rc rc = make_result(j, s);
    if (rc == TWX_OK) rc = twx_judging_guard(j, last, &says);
    const bool stopped = says.n_stops > 0 && !force;
    if (rc == TWX_OK) write_lines(j, TWINDEX_NOTE, twx_buf_slice(&notes));
    if (rc == TWX_OK && says.n_stops && force) write_lines(j, TWINDEX_NOTE, twx_buf_slice(&stops));
    if (rc == TWX_OK) rc = put_run(j, m, stopped, 0, 0);
    for (int t = 0; rc == TWX_OK && t < TWX_WORK_RESULT; t++)
        rc = twx_work_drop(j->nodes, j->run, (twx_work_table)t);
    if (rc == TWX_OK) rc = twx_work_sweep(j->nodes, j->run, stopped ? last : 0);
    if (rc == TWX_OK && stopped) rc = fail_guard(j, &says);
    twx_buf_done(&stops);
    twx_buf_done(&notes);
    return rc;
}

/* ---- open pairs ------------------------------------------------------------ */

/* "1 (12 texts), 4 (3 texts)", of up to ten shards. versions: of the judgement that has asked, so
 * that only shards are listed that have not been pushed since; NULL: all are. */
static twx_rc list_owing(twx_ctx *cx, const twx_owed_list *owed, const twx_manifests *now,
                         const twx_manifests *versions, twx_buf *ret_list) {
    enum { NAMED = 10 };
    twx_rc rc = TWX_OK;
    size_t n = 0;
    for (size_t i = 0; rc == TWX_OK && i < owed->n; i++) {
        const twx_owed *e = &owed->at[i];
        const twx_manifest *is = twx_manifest_of(now, e->shard),
                           *was = versions ? twx_manifest_of(versions, e->shard) : is;
        if (!is || !was || is->version != was->version || ++n > NAMED) continue;
        rc = twx_buf_printf(cx, ret_list, "%s%" PRIu32 " (%" PRIu64 " %s)", n > 1 ? ", " : "",
                            e->shard, e->texts, twx_plural(e->texts, "text", "texts"));
    }
    return rc == TWX_OK && n > NAMED ? twx_buf_add_text(cx, ret_list, ", ...") : rc;
}

/* Nothing new can be judged while a store has not been pushed since it was asked for texts. */
static twx_rc check_owed(const twx_judging *j, const twx_manifests *m,
                         const twx_cluster_runs *runs) {
    twx_owed_list owed = {0};
    twx_buf list;
    twx_buf_init(&list, 1 << 12);
    twx_rc rc = twx_owed_read(j->job->cx, j->nodes, runs, &owed);
    if (rc == TWX_OK) rc = list_owing(j->job->cx, &owed, m, &runs->open, &list);
    if (rc == TWX_OK && list.n)
        rc = twx_fail(j->job->cx, TWX_E_BUSY,
                      "stores owe texts of round %" PRIu64
                      ", by which copies are proved: push shard %s, then judge",
                      runs->round, list.p);
    twx_buf_done(&list);
    TWX_VEC_DONE(&owed);
    return rc;
}

/* The run ends without a result: its table of texts that are wanted is for the next pushes. */
static twx_rc finish_open(twx_judging *j, const twx_manifests *m, const twx_cluster_runs *before,
                          const twx_near_summary *near) {
    const twx_cluster_runs now = {.newest = j->run, .round = before->round + 1};
    twx_owed_list owed = {0};
    twx_buf list;
    twx_buf_init(&list, 1 << 12);
    twx_rc rc = put_run(j, m, true, now.round, near->open);
    for (int t = 0; rc == TWX_OK && t < TWX_WORK_TABLES; t++)
        if (t != TWX_WORK_WANTED) rc = twx_work_drop(j->nodes, j->run, (twx_work_table)t);
    if (rc == TWX_OK) rc = twx_work_sweep(j->nodes, j->run, before->last);
    if (rc == TWX_OK) rc = twx_owed_read(j->job->cx, j->nodes, &now, &owed);
    if (rc == TWX_OK) rc = list_owing(j->job->cx, &owed, m, NULL, &list);
    if (rc == TWX_OK)
        rc = twx_fail(j->job->cx, TWX_E_BUSY,
                      "round %" PRIu64 ": copies are proved by their texts, %" PRIu64
                      " %s open and %" PRIu64 " texts are not on the servers: push shard %s, then "
                      "judge again (the result before stays until then)",
                      now.round, near->open, twx_plural(near->open, "pair is", "pairs are"),
                      near->wanted, list.n ? list.p : "after shard");
    twx_buf_done(&list);
    TWX_VEC_DONE(&owed);
    return rc;
}

/* ---- the run --------------------------------------------------------------- */

static twx_rc judge(twx_judging *j, const twx_manifests *m, twx_near_summary *near,
                    twx_judge_summary *s) {
    const twx_statement fill = TWX_JUDGING_STATEMENT("fill_document", FILL_DOCUMENT),
                        list = TWX_JUDGING_STATEMENT("list_ids", LIST_IDS);
    twx_rc rc = TWX_OK;
    for (int t = 0; rc == TWX_OK && t < TWX_WORK_TABLES; t++)
        rc = twx_work_make(j->nodes, j->run, (twx_work_table)t);
    if (rc == TWX_OK) rc = twx_judging_step(j, &fill);
    if (rc == TWX_OK) rc = check_copy(j, m);
    if (rc == TWX_OK && twx_judging_by_texts(j)) rc = twx_judging_step(j, &list);
    if (rc == TWX_OK) rc = twx_judging_links(j, &s->link_rounds);
    if (rc == TWX_OK) rc = twx_judging_places(j);
    if (rc == TWX_OK) rc = twx_judging_near(j, near);
    s->near_rounds = near->rounds[0];
    s->copy_rounds = near->rounds[1];
    s->compared = near->compared;
    s->read = near->read;
    if (rc != TWX_OK || near->wanted) return rc;
    rc = twx_judging_groups(j, &s->cluster_rounds);
    return rc == TWX_OK ? twx_judging_near_flags(j) : rc;
}

twx_rc twx_cluster_judge(const twx_job *job, twx_nodes *nodes, bool force, bool discard,
                         twx_judge_summary *ret_summary) {
    const double began = twx_job_clock();
    twx_judging j = {.job = job, .nodes = nodes, .run = (uint64_t)twx_job_now()};
    twx_manifests manifests = {0};
    twx_cluster_runs runs = {0};
    twx_near_summary near = {0};
    *ret_summary = (twx_judge_summary){0};
    twx_rc rc = twx_cluster_check_tables(job, nodes);
    if (rc == TWX_OK) rc = twx_manifests_read(job->cx, nodes, &manifests);
    if (rc == TWX_OK) rc = check_manifests(&j, &manifests);
    if (rc == TWX_OK) rc = twx_cluster_runs_read(job->cx, nodes, &runs);
    if (rc == TWX_OK && !discard) rc = twx_cluster_check_published(job, runs.last);
    if (rc == TWX_OK) rc = check_owed(&j, &manifests, &runs);
    if (rc == TWX_OK) rc = twx_work_sweep(nodes, runs.last, runs.round ? runs.newest : 0);
    j.asked = runs.round ? runs.newest : 0;
    if (j.run <= runs.newest) j.run = runs.newest + 1;
    if (rc == TWX_OK) rc = judge(&j, &manifests, &near, ret_summary);
    if (rc == TWX_OK)
        rc = near.wanted ? finish_open(&j, &manifests, &runs, &near)
                         : finish(&j, &manifests, runs.last, force, ret_summary);
    ret_summary->run = j.run;
    ret_summary->shards = manifests.n;
    ret_summary->statements = j.statements;
    ret_summary->seconds = twx_job_clock() - began;
    twx_cluster_runs_done(&runs);
    twx_manifests_done(&manifests);
    return rc;
}
