/* Links by pointer doubling. A path begins as one link; each round appends to it the path that
 * begins at its goal, so after k rounds it is up to 2^k links long, or has ended at a document
 * without a link that counts.
 * Loops: in round k, the goals that have paths themselves are the documents that some path of 2^k
 * links leads to. These sets only shrink. When one has as many members as the one before, a path of
 * 2^k links leads from each of its members to another one of them, so all are in loops; and every
 * member of a loop is among them, because a path of that length leads to it around the loop. */
#include "cluster/judging.h"
#include "sql_text.h"

typedef struct paths {
    twx_judging *j;
    const char *old, *fresh; /* the tables that take turns */
    twx_work_table old_table, fresh_table;
    uint64_t rounds;
    bool loops; /* some were found in the last traversal */
} paths;

static twx_rc step(const paths *p, const char *name, const char *sql) {
    const twx_statement s = {.name = name, .sql = sql, .old = p->old, .fresh = p->fresh};
    return twx_judging_step(p->j, &s);
}

static twx_rc find_targets(twx_judging *j) {
    const twx_statement steps[] = {TWX_JUDGING_STATEMENT("find_claims", FIND_CLAIMS),
                                   TWX_JUDGING_STATEMENT("find_links", FIND_LINKS),
                                   TWX_JUDGING_STATEMENT("join_links", JOIN_LINKS),
                                   TWX_JUDGING_STATEMENT("count_hosts", COUNT_HOSTS),
                                   TWX_JUDGING_STATEMENT("suspect_hosts", SUSPECT_HOSTS),
                                   TWX_JUDGING_STATEMENT("clear_hosts", CLEAR_HOSTS),
                                   TWX_JUDGING_STATEMENT("keep_suspects", KEEP_SUSPECTS)};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(steps); i++)
        rc = twx_judging_step(j, &steps[i]);
    return rc;
}

static void take_turns(paths *p) {
    const char *name = p->old;
    const twx_work_table table = p->old_table;
    p->old = p->fresh;
    p->old_table = p->fresh_table;
    p->fresh = name;
    p->fresh_table = table;
}

static twx_rc double_paths(paths *p) {
    twx_rc rc = twx_work_empty(p->j->nodes, p->j->run, p->fresh_table);
    if (rc == TWX_OK) rc = step(p, "keep_paths", TWX_SQL_CLUSTER_JUDGE_KEEP_PATHS);
    if (rc == TWX_OK) rc = step(p, "follow_paths", TWX_SQL_CLUSTER_JUDGE_FOLLOW_PATHS);
    if (rc == TWX_OK) take_turns(p);
    return rc;
}

/* *ret_asked: paths that have not ended; *ret_goals: their goals that have paths. */
static twx_rc ask(paths *p, uint64_t *ret_asked, uint64_t *ret_goals) {
    const twx_statement open = {
        .name = "open_paths", .sql = TWX_SQL_CLUSTER_JUDGE_OPEN_PATHS, .old = p->old};
    uint64_t sums[2] = {0};
    twx_rc rc = twx_work_empty(p->j->nodes, p->j->run, TWX_WORK_ASK);
    if (rc == TWX_OK) rc = step(p, "ask_paths", TWX_SQL_CLUSTER_JUDGE_ASK_PATHS);
    if (rc == TWX_OK) rc = twx_judging_sums(p->j, &open, sums, TWX_COUNTOF(sums));
    *ret_asked = sums[0];
    *ret_goals = sums[1];
    return rc;
}

/* Follows all paths to their ends, or finds the loops. */
static twx_rc follow(paths *p, bool find_loops) {
    uint64_t asked = 1, goals = 0, before = 0;
    p->loops = false;
    twx_rc rc = twx_work_empty(p->j->nodes, p->j->run, p->old_table);
    if (rc == TWX_OK) rc = step(p, "begin_paths", TWX_SQL_CLUSTER_JUDGE_BEGIN_PATHS);
    while (rc == TWX_OK) {
        rc = ask(p, &asked, &goals);
        if (rc != TWX_OK || asked == 0) break;
        if (find_loops && goals > 0 && goals == before) {
            p->loops = true;
            return step(p, "find_loops", TWX_SQL_CLUSTER_JUDGE_FIND_LOOPS);
        }
        before = goals;
        p->rounds++;
        rc = double_paths(p);
    }
    return rc;
}

twx_rc twx_judging_links(twx_judging *j, uint64_t *ret_rounds) {
    paths p = {.j = j,
               .old = "a",
               .fresh = "b",
               .old_table = TWX_WORK_PATH_A,
               .fresh_table = TWX_WORK_PATH_B};
    twx_rc rc = find_targets(j);
    if (rc == TWX_OK) rc = follow(&p, true);
    if (p.old_table != TWX_WORK_PATH_A && p.loops) take_turns(&p); /* begin_paths fills a */
    if (rc == TWX_OK && p.loops) rc = follow(&p, false);
    if (rc == TWX_OK) rc = step(&p, "decide_links", TWX_SQL_CLUSTER_JUDGE_DECIDE_LINKS);
    *ret_rounds = p.rounds;
    return rc;
}
