#include "cluster/cluster.h"

#include <unistd.h>

#include "sql_text.h"

/* ==== judging_groups */

/* Groups, and those of the verdict by alternating stars (Kiveris et al., Connected Components in
 * MapReduce and Beyond, SoCC 2014, section 3): ties are replaced by ties to smaller documents until
 * each document has one tie, to the smallest of its group, which is the survivor. */

enum { ROUNDS_MAX = 200 }; /* 14 for a path of 100 000 */

/* Rounds until nothing changes. */
static twx_rc join_ties(twx_judging *j, uint64_t *ret_rounds) {
    const struct {
        twx_work_table emptied;
        twx_statement step;
    } steps[] = {{TWX_WORK_BOTH, TWX_JUDGING(TURN_TIES)},
                 {TWX_WORK_TIE_B, TWX_JUDGING(LARGE_STARS)},
                 {TWX_WORK_TIE_A, TWX_JUDGING(SMALL_STARS)}};
    const twx_statement count = TWX_JUDGING(COUNT_TIES);
    enum { TIES, TIED, CHECKSUM, SUMS };
    uint64_t now[SUMS] = {0}, before[SUMS] = {0};
    uint64_t rounds = 0;
    twx_rc rc = twx_judging_step(j, &TWX_JUDGING(BEGIN_TIES));
    if (rc == TWX_OK) rc = twx_judging_sums(j, &count, now, SUMS);
    while (rc == TWX_OK && memcmp(now, before, sizeof now) != 0) {
        memcpy(before, now, sizeof now);
        if (++rounds > ROUNDS_MAX)
            return twx_fail(j->job->cx, TWX_E_INTERNAL,
                            "the groups of the verdict do not stop changing");
        for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(steps); i++) {
            rc = twx_work_empty(j->nodes, j->run, steps[i].emptied);
            if (rc == TWX_OK) rc = twx_judging_step(j, &steps[i].step);
        }
        if (rc == TWX_OK) rc = twx_judging_sums(j, &count, now, SUMS);
    }
    if (rc == TWX_OK && now[TIES] != now[TIED])
        rc = twx_fail(j->job->cx, TWX_E_INTERNAL, "a document has two survivors");
    *ret_rounds = rounds;
    return rc;
}

/* Makes the groups of the relations, and joins those that the verdict counts. *ret_rounds: of
 * alternating stars. */
static twx_rc judging_groups(twx_judging *j, uint64_t *ret_rounds) {
    const twx_statement steps[] = {TWX_JUDGING(TURN_STARS), TWX_JUDGING(FIND_VERDICT),
                                   TWX_JUDGING(ASK_SURVIVORS), TWX_JUDGING(FIND_SURVIVORS)};
    twx_rc rc = twx_judging_step(j, &TWX_JUDGING(FIND_KEYS));
    if (rc == TWX_OK) rc = twx_judging_ranges(j, &TWX_JUDGING(FIND_GROUPS));
    if (rc == TWX_OK) rc = join_ties(j, ret_rounds);
    return rc == TWX_OK ? twx_judging_steps(j, steps, TWX_COUNTOF(steps)) : rc;
}

/* ==== judging_links */

/* Links by pointer doubling. A path begins as one link; each round appends to it the path that
 * begins at its goal, so after k rounds it is up to 2^k links long, or has ended at a document
 * without a link that counts.
 * Loops: in round k, the goals that have paths themselves are the documents that some path of 2^k
 * links leads to. These sets only shrink. When one has as many members as the one before, a path of
 * 2^k links leads from each of its members to another one of them, so all are in loops; and every
 * member of a loop is among them, because a path of that length leads to it around the loop. */

typedef struct path_table {
    const char *suffix; /* of its name */
    twx_work_table table;
} path_table;

typedef struct paths {
    twx_judging *j;
    path_table old, fresh; /* they take turns */
    uint64_t rounds;
    bool loops; /* some were found in the last traversal */
} paths;

static twx_rc step(const paths *p, twx_statement s) {
    s.old = p->old.suffix;
    s.fresh = p->fresh.suffix;
    return twx_judging_step(p->j, &s);
}

static void take_turns(paths *p) {
    const path_table old = p->old;
    p->old = p->fresh;
    p->fresh = old;
}

/* Follows all paths to their ends, or finds the loops. */
static twx_rc follow(paths *p, bool find_loops) {
    enum { ASKED, GOALS, SUMS }; /* paths that have not ended; their goals that have paths */
    uint64_t sums[SUMS] = {0}, before = 0;
    p->loops = false;
    twx_rc rc = twx_work_empty(p->j->nodes, p->j->run, p->old.table);
    if (rc == TWX_OK) rc = step(p, TWX_JUDGING(BEGIN_PATHS));
    while (rc == TWX_OK) {
        const twx_statement open = TWX_JUDGING_WITH(OPEN_PATHS, .old = p->old.suffix);
        rc = twx_work_empty(p->j->nodes, p->j->run, TWX_WORK_ASK);
        if (rc == TWX_OK) rc = step(p, TWX_JUDGING(ASK_PATHS));
        if (rc == TWX_OK) rc = twx_judging_sums(p->j, &open, sums, SUMS);
        if (rc != TWX_OK || sums[ASKED] == 0) break;
        if (find_loops && sums[GOALS] > 0 && sums[GOALS] == before) {
            p->loops = true;
            return step(p, TWX_JUDGING(FIND_LOOPS));
        }
        before = sums[GOALS];
        p->rounds++;
        rc = twx_work_empty(p->j->nodes, p->j->run, p->fresh.table);
        if (rc == TWX_OK) rc = step(p, TWX_JUDGING(KEEP_PATHS));
        if (rc == TWX_OK) rc = step(p, TWX_JUDGING(FOLLOW_PATHS));
        if (rc == TWX_OK) take_turns(p);
    }
    return rc;
}

/* Finds the outcome of each link (judge/eligible.c). *ret_rounds: doublings of paths. */
static twx_rc judging_links(twx_judging *j, uint64_t *ret_rounds) {
    const twx_statement targets[] = {TWX_JUDGING(FIND_CLAIMS),   TWX_JUDGING(FIND_LINKS),
                                     TWX_JUDGING(JOIN_LINKS),    TWX_JUDGING(COUNT_HOSTS),
                                     TWX_JUDGING(SUSPECT_HOSTS), TWX_JUDGING(CLEAR_HOSTS),
                                     TWX_JUDGING(KEEP_SUSPECTS)};
    paths p = {.j = j, .old = {"a", TWX_WORK_PATH_A}, .fresh = {"b", TWX_WORK_PATH_B}};
    twx_rc rc = twx_judging_steps(j, targets, TWX_COUNTOF(targets));
    if (rc == TWX_OK) rc = follow(&p, true);
    if (p.old.table != TWX_WORK_PATH_A && p.loops) take_turns(&p); /* begin_paths fills a */
    if (rc == TWX_OK && p.loops) rc = follow(&p, false);
    if (rc == TWX_OK) rc = step(&p, TWX_JUDGING(DECIDE_LINKS));
    *ret_rounds = p.rounds;
    return rc;
}

/* ==== judging_places */

/* After the links: gives documents their places in the total order, which depend on the forms that
 * the URLs of others have (judge/groups.c), and on the texts of all domains (judge/document_set.c).
 * Questions go to the nodes of keys, and answers to the nodes of documents; then the ranks are made
 * (asked and said in sql/cluster/work.sql). */
static twx_rc judging_places(twx_judging *j) {
    const twx_statement sites[] = {TWX_JUDGING(ASK_SITES), TWX_JUDGING(SAY_SITES),
                                   TWX_JUDGING(ASK_FORMS)},
                        places[] = {TWX_JUDGING(ASK_DOMAINS), TWX_JUDGING(SAY_ORIGINS),
                                    TWX_JUDGING(PLACE_DOCUMENTS)};
    twx_rc rc = twx_judging_steps(j, sites, TWX_COUNTOF(sites));
    if (rc == TWX_OK) rc = twx_judging_ranges(j, &TWX_JUDGING(SAY_FORMS));
    if (rc == TWX_OK) rc = twx_judging_step(j, &TWX_JUDGING(ASK_TEXTS));
    if (rc == TWX_OK) rc = twx_judging_ranges(j, &TWX_JUDGING(COUNT_TEXTS));
    if (rc == TWX_OK) rc = twx_judging_steps(j, places, TWX_COUNTOF(places));
    return rc == TWX_OK ? twx_work_empty(j->nodes, j->run, TWX_WORK_PUSHED) : rc;
}

/* ==== judging_guard */

/* Guards (judge/guard.c) on the result of a run over the cluster. Sites are counted on the servers;
 * only those that may have a finding are read. What took part before is that of the last run that
 * no guard has stopped. */

typedef struct guarding {
    twx_judging *j;
    uint64_t before; /* the run to compare with; 0: none */
    twx_guard guard;
    twx_guard_findings *says;
} guarding;

static twx_rc site_row(void *arg, twx_row_reader *r) {
    const guarding *g = arg;
    twx_guard_site site = {.name = twx_row_string(r)};
    site.documents = twx_row_number(r, 8);
    site.hidden = twx_row_number(r, 8);
    site.elsewhere = twx_row_number(r, 8);
    site.main_site = twx_row_string(r);
    return r->broken ? TWX_OK : twx_guard_site_check(r->cx, &g->guard, &site, g->says);
}

/* ---- losses -------------------------------------------------------------- */

static twx_rc kind_row(void *counts, twx_row_reader *r) {
    const uint64_t kind = twx_row_number(r, 1), n = twx_row_number(r, 8);
    r->broken |= kind >= TWX_ELIGIBILITIES;
    if (!r->broken) ((uint64_t *)counts)[kind] += n;
    return TWX_OK;
}

static twx_rc count_kinds(guarding *g, uint64_t run, uint64_t ret_counts[TWX_ELIGIBILITIES]) {
    return twx_judging_read(g->j, &TWX_JUDGING_WITH(COUNT_KINDS, .base = run), kind_row,
                            ret_counts);
}

static twx_rc check_all(guarding *g) {
    uint64_t before[TWX_ELIGIBILITIES] = {0}, now[TWX_ELIGIBILITIES] = {0};
    twx_rc rc = count_kinds(g, g->j->run, now);
    if (rc == TWX_OK && g->before == 0)
        return twx_guard_first_check(g->j->job->cx, &g->guard, now, g->says);
    if (rc == TWX_OK) rc = count_kinds(g, g->before, before);
    const twx_guard_loss loss = {TWX_WHOLE_STORE, before[TWX_ELIGIBLE], now[TWX_ELIGIBLE], now};
    return rc == TWX_OK ? twx_guard_loss_check(g->j->job->cx, &g->guard, &loss, g->says) : rc;
}

static twx_rc loss_row(void *arg, twx_row_reader *r) {
    const guarding *g = arg;
    uint8_t kinds[TWX_ELIGIBILITIES];
    uint64_t out[TWX_ELIGIBILITIES] = {0};
    twx_guard_loss loss = {.name = twx_row_string(r), .out = out};
    loss.before = twx_row_number(r, 8);
    loss.now = twx_row_number(r, 8);
    const uint64_t n = twx_row_length(r);
    r->broken |= n > TWX_ELIGIBILITIES;
    for (uint64_t i = 0; !r->broken && i < n; i++) kinds[i] = (uint8_t)twx_row_number(r, 1);
    r->broken |= twx_row_length(r) != n;
    for (uint64_t i = 0; !r->broken && i < n; i++) {
        const uint64_t documents = twx_row_number(r, 8);
        if (kinds[i] < TWX_ELIGIBILITIES) out[kinds[i]] = documents;
    }
    return r->broken ? TWX_OK : twx_guard_loss_check(r->cx, &g->guard, &loss, g->says);
}

/* ---- groups -------------------------------------------------------------- */

static twx_rc largest_row(void *arg, twx_row_reader *r) {
    uint64_t *largest = arg;
    const uint64_t relation = twx_row_number(r, 1), n = twx_row_number(r, 8);
    r->broken |= relation >= TWX_RELATIONS;
    if (!r->broken && n > largest[relation]) largest[relation] = n;
    return TWX_OK;
}

static twx_rc check_groups(guarding *g) {
    uint64_t largest[TWX_RELATIONS] = {0};
    twx_rc rc = twx_judging_read(g->j, &TWX_JUDGING(LARGEST_GROUPS), largest_row, largest);
    for (size_t i = 0; rc == TWX_OK && i < TWX_RELATIONS; i++)
        if (g->j->relations >> i & 1)
            rc = twx_guard_group_check(g->j->job->cx, &g->guard, i, largest[i], g->says);
    return rc;
}

/* Asks the guards about the result, compared with run `before` (0: none), and keeps the counts of
 * its sites for the next run. */
static twx_rc judging_guard(twx_judging *j, uint64_t before, twx_guard_findings *ret_says) {
    const twx_settings *s = j->job->settings;
    const twx_statement steps[] = {TWX_JUDGING(COUNT_SITES), TWX_JUDGING(FIND_SHOWN),
                                   TWX_JUDGING(FIND_ELSEWHERE)};
    guarding g = {.j = j,
                  .before = before,
                  .guard = {.max_hidden_ppm = s->guard_max_hidden_ppm,
                            .max_lost_ppm = s->guard_max_lost_ppm,
                            .max_turned_ppm = s->guard_max_turned_ppm,
                            .min_documents = s->guard_min_documents,
                            .max_group = s->guard_max_group},
                  .says = ret_says};
    ret_says->n_stops = ret_says->n_notes = 0;
    twx_rc rc = twx_judging_steps(j, steps, TWX_COUNTOF(steps));
    if (rc == TWX_OK) rc = check_all(&g);
    if (rc == TWX_OK && before)
        rc = twx_judging_read(j, &TWX_JUDGING_WITH(READ_LOSSES, .base = before), loss_row, &g);
    if (rc == TWX_OK)
        rc = twx_judging_read(j,
                              &TWX_JUDGING_WITH(READ_SITES, .base = g.guard.min_documents,
                                                .cap = g.guard.max_hidden_ppm),
                              site_row, &g);
    return rc == TWX_OK ? check_groups(&g) : rc;
}

/* ==== cluster_judge */

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
                " were pushed with different settings or versions: push all stores with the same",
                m->at[0].shard, e->shard);
    }
    j->relations = m->at[0].relations;
    j->collapse_min = m->at[0].collapse_min;
    j->near = m->at[0].near;
    return TWX_OK;
}

/* A push may have begun meanwhile. */
static twx_rc check_copy(twx_judging *j, const twx_manifests *m) {
    const twx_statement check = TWX_JUDGING_WITH(CHECK_DOCUMENT, .run = j->run);
    twx_manifests found = {0};
    twx_rc rc = twx_nodes_read(j->nodes, &check, twx_contents_row, &found);
    twx_manifests_merge(&found);
    for (size_t i = 0; rc == TWX_OK && i < m->n; i++) {
        const twx_manifest *e = &m->at[i], *f = twx_manifest_of(&found, e->shard);
        if ((f ? f->found_documents : 0) != e->documents || (f ? f->found_hash : 0) != e->hash)
            rc = twx_fail(j->job->cx, TWX_E_BUSY,
                          "shard %" PRIu32 " was pushed meanwhile: judge again", e->shard);
    }
    twx_manifests_done(&found);
    return rc;
}

/* ---- after ---------------------------------------------------------------- */

/* [R3] One INSERT of rows that belong to one node. round: 0 unless `open` pairs have stopped it. */
static twx_rc put_run(twx_judging *j, const twx_manifests *m, bool stopped, uint64_t round,
                      uint64_t open) {
    const twx_statement put = TWX_CLUSTER_STATEMENT(PUT_RUN);
    twx_ctx *cx = j->job->cx;
    twx_rc rc = TWX_OK;
    twx_buf rows = {.max = TWX_ANSWER_BYTES};
    for (size_t i = 0; rc == TWX_OK && i < m->n; i++) {
        const twx_manifest *e = &m->at[i];
        const uint64_t row[] = {j->run,       (uint64_t)twx_job_now(),
                                e->shard,     e->version,
                                e->documents, e->hash,
                                stopped,      round,
                                open};
        rc = twx_row_add_numbers(cx, &rows, "882888148", row);
    }
    if (rc == TWX_OK) rc = twx_nodes_run(j->nodes, 0, &put, twx_buf_slice(&rows), NULL);
    twx_buf_done(&rows);
    return rc;
}

static void write_lines(const twx_judging *j, twindex_level level, twx_slice lines) {
    while (lines.n > 0) {
        const twx_slice line = twx_slice_next_line(&lines);
        twx_job_message(j->job, level, "%.*s", (int)line.n, line.p);
    }
}

static twx_rc fail_guard(const twx_judging *j, const twx_guard_findings *says) {
    twx_slice all = twx_buf_slice(says->stops);
    if (says->n_stops > 1) write_lines(j, TWINDEX_WARNING, all);
    const twx_slice first = twx_slice_next_line(&all);
    return twx_fail(j->job->cx, TWX_E_GUARD,
                    "a guard stopped run %" PRIu64 " (%zu %s: " TWX_SLICE_FMT
                    "%s), its result is not to be published; --force judges again and accepts it",
                    j->run, says->n_stops, twx_plural(says->n_stops, "finding", "findings"),
                    TWX_SLICE_ARG(first), says->n_stops > 1 ? " ..." : "");
}

/* A run that a guard stops is kept beside the last one that none has stopped, until the next. */
static twx_rc finish(twx_judging *j, const twx_manifests *m, uint64_t last, bool force,
                     twx_judge_summary *s) {
    twx_buf stops = {.max = 1 << 16}, notes = {.max = 1 << 16};
    twx_guard_findings says = {.stops = &stops, .notes = &notes};
    const twx_statement steps[] = {TWX_JUDGING(FILL_RESULT), TWX_JUDGING(FIND_REFERENCES),
                                   TWX_JUDGING(FIND_REMOTES)},
                        count = TWX_JUDGING(COUNT_RESULT);
    uint64_t sums[4] = {0};
    twx_rc rc = twx_judging_steps(j, steps, TWX_COUNTOF(steps));
    if (rc == TWX_OK) rc = twx_judging_sums(j, &count, sums, TWX_COUNTOF(sums));
    s->documents = sums[0];
    s->indexable = sums[1];
    s->hidden = sums[2];
    s->linked = sums[3];
    if (rc == TWX_OK) rc = judging_guard(j, last, &says);
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

/* "1 (12 texts), 4 (3 texts)", of up to ten shards. versions: of the run that has asked, so
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
    twx_buf list = {.max = 1 << 12};
    twx_rc rc = twx_owed_read(j->nodes, runs, &owed);
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
    twx_buf list = {.max = 1 << 12};
    twx_rc rc = put_run(j, m, true, now.round, near->open);
    for (int t = 0; rc == TWX_OK && t < TWX_WORK_TABLES; t++)
        if (t != TWX_WORK_WANTED) rc = twx_work_drop(j->nodes, j->run, (twx_work_table)t);
    if (rc == TWX_OK) rc = twx_work_sweep(j->nodes, j->run, before->last);
    if (rc == TWX_OK) rc = twx_owed_read(j->nodes, &now, &owed);
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
    twx_rc rc = TWX_OK;
    for (int t = 0; rc == TWX_OK && t < TWX_WORK_TABLES; t++)
        rc = twx_work_make(j->nodes, j->run, (twx_work_table)t);
    if (rc == TWX_OK) rc = twx_judging_step(j, &TWX_JUDGING(FILL_DOCUMENT));
    if (rc == TWX_OK) rc = check_copy(j, m);
    if (rc == TWX_OK && twx_judging_by_texts(j)) rc = twx_judging_step(j, &TWX_JUDGING(LIST_IDS));
    if (rc == TWX_OK) rc = judging_links(j, &s->link_rounds);
    if (rc == TWX_OK) rc = judging_places(j);
    if (rc == TWX_OK) rc = twx_judging_near(j, near);
    s->near_rounds = near->rounds[0];
    s->copy_rounds = near->rounds[1];
    s->compared = near->compared;
    s->read = near->read;
    if (rc != TWX_OK || near->wanted) return rc;
    rc = judging_groups(j, &s->group_rounds);
    return rc == TWX_OK ? twx_judging_near_flags(j) : rc;
}

twx_rc twx_votes_read(const twx_job *job, uint64_t run, twx_ballot *ret_ballot) {
    const char *path = job->settings->cluster_ledger;
    twx_vote_ledger *ledger = NULL;
    if (!path || !path[0] || access(path, F_OK) != 0) return TWX_OK;
    twx_rc rc = twx_vote_ledger_open(job->cx, path, job->settings->run_busy_ms, &ledger);
    if (rc == TWX_OK) rc = twx_vote_ledger_read(ledger, (int64_t)run, ret_ballot);
    twx_vote_ledger_close(ledger);
    return rc;
}

/* Fails if the ledger has committed `run` and a store has not published it: its result is about to
 * be dropped. Without a ledger nothing is checked. */
static twx_rc check_published(const twx_job *job, uint64_t run) {
    enum { NAMED = 10 };
    size_t n = 0;
    twx_ballot ballot = {.run = 0};
    twx_buf list = {.max = (size_t)1 << 10};
    twx_rc rc = twx_votes_read(job, run, &ballot);
    for (size_t i = 0; rc == TWX_OK && ballot.committed_at && i < ballot.votes.n; i++)
        if (ballot.votes.at[i].published_at == 0 && n++ < NAMED)
            rc = twx_buf_printf(job->cx, &list, "%s%" PRIu32, n > 1 ? ", " : "",
                                ballot.votes.at[i].shard);
    if (rc == TWX_OK && n > NAMED) rc = twx_buf_printf(job->cx, &list, " and %zu more", n - NAMED);
    if (rc == TWX_OK && n)
        rc = twx_fail(job->cx, TWX_E_BUSY,
                      "run %" PRId64 " is committed, and %s " TWX_SLICE_FMT
                      " %s not published it: run 'twindex cluster publish STORE' for each, or "
                      "judge with --discard, after which they cannot pull it again",
                      ballot.run, twx_plural(n, "shard", "shards"),
                      TWX_SLICE_ARG(twx_buf_slice(&list)), twx_plural(n, "has", "have"));
    twx_buf_done(&list);
    TWX_VEC_DONE(&ballot.votes);
    return rc;
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
    if (rc == TWX_OK) rc = twx_manifests_read(nodes, &manifests);
    if (rc == TWX_OK) rc = check_manifests(&j, &manifests);
    if (rc == TWX_OK) rc = twx_cluster_runs_read(nodes, &runs);
    if (rc == TWX_OK && !discard) rc = check_published(job, runs.last);
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
