/* Groups, and clusters by alternating stars (Kiveris et al., Connected Components in MapReduce and
 * Beyond, SoCC 2014, section 3): ties are replaced by ties to smaller documents until each document
 * has one tie, to the smallest of its cluster, which is the survivor. */
#include "cluster/judging.h"
#include "sql_text.h"

enum { ROUNDS_MAX = 200 }; /* 14 for a path of 100 000 */

static twx_rc make_groups(twx_judging *j) {
    const twx_statement keys = TWX_JUDGING_STATEMENT("find_keys", FIND_KEYS);
    twx_statement groups = TWX_JUDGING_STATEMENT("find_groups", FIND_GROUPS);
    twx_rc rc = twx_judging_step(j, &keys);
    for (uint64_t i = 0; rc == TWX_OK && i < j->job->settings->cluster_ranges; i++) {
        groups.range = i;
        rc = twx_judging_step(j, &groups);
    }
    return rc;
}

static twx_rc one_round(twx_judging *j) {
    const struct {
        twx_work_table emptied;
        twx_statement step;
    } steps[] = {{TWX_WORK_BOTH, TWX_JUDGING_STATEMENT("turn_ties", TURN_TIES)},
                 {TWX_WORK_TIE_B, TWX_JUDGING_STATEMENT("large_stars", LARGE_STARS)},
                 {TWX_WORK_TIE_A, TWX_JUDGING_STATEMENT("small_stars", SMALL_STARS)}};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(steps); i++) {
        rc = twx_work_empty(j->nodes, j->run, steps[i].emptied);
        if (rc == TWX_OK) rc = twx_judging_step(j, &steps[i].step);
    }
    return rc;
}

/* Rounds until nothing changes. */
static twx_rc join_ties(twx_judging *j, uint64_t *ret_rounds) {
    const twx_statement begin = TWX_JUDGING_STATEMENT("begin_ties", BEGIN_TIES),
                        count = TWX_JUDGING_STATEMENT("count_ties", COUNT_TIES);
    enum { TIES, TIED, CHECKSUM, SUMS };
    uint64_t now[SUMS] = {0}, before[SUMS] = {0};
    uint64_t rounds = 0;
    twx_rc rc = twx_judging_step(j, &begin);
    if (rc == TWX_OK) rc = twx_judging_sums(j, &count, now, SUMS);
    while (rc == TWX_OK && memcmp(now, before, sizeof now) != 0) {
        memcpy(before, now, sizeof now);
        if (++rounds > ROUNDS_MAX)
            return twx_fail(j->job->cx, TWX_E_INTERNAL, "the clusters do not end to change");
        rc = one_round(j);
        if (rc == TWX_OK) rc = twx_judging_sums(j, &count, now, SUMS);
    }
    if (rc == TWX_OK && now[TIES] != now[TIED])
        rc = twx_fail(j->job->cx, TWX_E_INTERNAL, "a document has two survivors");
    *ret_rounds = rounds;
    return rc;
}

twx_rc twx_judging_groups(twx_judging *j, uint64_t *ret_rounds) {
    const twx_statement steps[] = {TWX_JUDGING_STATEMENT("turn_stars", TURN_STARS),
                                   TWX_JUDGING_STATEMENT("find_clusters", FIND_CLUSTERS),
                                   TWX_JUDGING_STATEMENT("ask_survivors", ASK_SURVIVORS),
                                   TWX_JUDGING_STATEMENT("find_survivors", FIND_SURVIVORS)};
    twx_rc rc = make_groups(j);
    if (rc == TWX_OK) rc = join_ties(j, ret_rounds);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(steps); i++)
        rc = twx_judging_step(j, &steps[i]);
    return rc;
}
