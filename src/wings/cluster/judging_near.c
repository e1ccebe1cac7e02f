/* Near-duplicates: the rule of group/leaders.h in rounds. There, texts are examined in order of
 * rank: a text joins the best of the representatives that are listed under its keys so far, at most
 * near.candidates for each key, or becomes a representative and is listed.
 *
 * Here keys that the same texts have are one set. In a round each set that is not full proposes
 * its best undecided texts, 16 or more when rounds decide few, more than its list has room for.
 * They are compared with each other, and the representatives of the last round with all undecided
 * texts after them.
 *   - A text that matches a listed representative before it is none.
 *   - A text is a representative if all undecided texts before it, in its sets that are not full,
 *     are among those proposed, and none that matches it is or may become a listed representative.
 *   - A representative is listed in a set when fewer undecided and waiting ones are before it than
 *     the list has room for; else it waits there, proposed again, until it is or the list is full.
 * The best one of all is proposed by all its sets with a place in their lists, so each round
 * decides or lists some. At last each text that is no representative is compared with all
 * representatives in the lists of its sets, and joins the best one.
 * Copies are a second pass over the same sets and those of names. A text that near-duplicates list
 * in a set is proposed there in each round, and if it represents copies, it is listed without
 * taking room.
 * Texts that match others are resolved in this program (near_resolve.h), which reads the numbers
 * of both; everything else stays on the nodes. */
#include "cluster/judging_copies.h"
#include "cluster/near_columns.h"
#include "cluster/near_pairs.h"
#include "cluster/near_resolve.h"
#include "cluster/row_binary.h"
#include "sql_text.h"

enum { BATCH = 16, BATCH_MAX = 256 };

typedef struct near_judging {
    twx_judging *j;
    twx_near_plan plan;
    twx_near_comparing compare;
    uint64_t base;  /* first round of the pass */
    uint64_t batch; /* texts that a set proposes in a round, at most */
    twx_near_summary *summary;
} near_judging;

static twx_rc step(near_judging *n, const char *name, const char *sql) {
    const twx_statement s = {.name = name,
                             .sql = sql,
                             .pass = n->compare.pass,
                             .round = n->compare.round,
                             .base = n->base,
                             .cap = n->plan.judge.options.candidates,
                             .batch = n->batch};
    return twx_judging_step(n->j, &s);
}

#define STEP(n, file, NAME) step((n), (file), TWX_SQL_CLUSTER_JUDGE_##NAME)

/* ---- candidates ---------------------------------------------------------- */

static twx_rc cut_bands(near_judging *n) {
    twx_ctx *cx = n->j->job->cx;
    twx_near_keys keys = {0};
    size_t at = 0;
    twx_rc rc = TWX_OK;
    twx_buf_init(&keys.list, TWX_STATEMENT_BYTES);
    while (rc == TWX_OK) {
        rc = twx_near_keys_next(cx, &n->plan, n->j->documents, &at, &keys);
        if (rc == TWX_OK) rc = twx_buf_add_char(cx, &keys.list, '\0');
        if (rc != TWX_OK) break;
        twx_statement cut = TWX_JUDGING_STATEMENT("cut_bands", CUT_BANDS);
        cut.key = keys.list.p;
        cut.base = keys.least;
        cut.cap = keys.most;
        rc = twx_judging_step(n->j, &cut);
    }
    twx_buf_done(&keys.list);
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc find_sets(near_judging *n) {
    twx_statement find = TWX_JUDGING_STATEMENT("find_sets", FIND_SETS);
    twx_rc rc = TWX_OK;
    for (uint64_t i = 0; rc == TWX_OK && i < n->j->job->settings->cluster_ranges; i++) {
        find.range = i;
        rc = twx_judging_step(n->j, &find);
    }
    return rc == TWX_OK ? STEP(n, "find_places", FIND_PLACES) : rc;
}

static twx_rc find_candidates(near_judging *n) {
    twx_rc rc = STEP(n, "find_near_docs", FIND_NEAR_DOCS);
    if (rc == TWX_OK) rc = STEP(n, "find_near_parts", FIND_NEAR_PARTS);
    if (rc == TWX_OK) rc = STEP(n, "make_near_texts", MAKE_NEAR_TEXTS);
    if (rc == TWX_OK) rc = cut_bands(n);
    if (rc == TWX_OK) rc = STEP(n, "take_keys", TAKE_KEYS);
    if (rc == TWX_OK) rc = STEP(n, "take_name_keys", TAKE_NAME_KEYS);
    return rc == TWX_OK ? find_sets(n) : rc;
}

/* ---- decisions ----------------------------------------------------------- */

static twx_rc fail_cut(const near_judging *n, const char *name) {
    return twx_fail(n->j->job->cx, TWX_E_DATA, "cluster: the answer to '%s' is cut", name);
}

typedef struct deciding {
    TWX_VEC(twx_near_match) matches;
    twx_map64 blocked;
    twx_near_saids said;
    twx_buf bytes;
} deciding;

static twx_rc read_matches(near_judging *n, deciding *d) {
    twx_statement read = TWX_JUDGING_STATEMENT("read_matches", READ_MATCHES);
    read.pass = n->compare.pass;
    read.round = n->compare.round;
    twx_rc rc = twx_judging_ask(n->j, &read, &d->bytes);
    twx_row_reader r = {.rest = twx_buf_slice(&d->bytes)};
    while (rc == TWX_OK && r.rest.n > 0) {
        twx_near_match m = {.a = twx_row_number(&r, 8)};
        m.b = twx_row_number(&r, 8);
        const uint64_t rep = twx_row_number(&r, 1); /* near_first in sql/cluster/work.sql */
        m.rep = rep & 2;
        m.sure = rep & 1;
        if (r.broken) return fail_cut(n, "read_matches");
        if (!TWX_VEC_PUSH(n->j->job->cx, &d->matches, m)) rc = TWX_E_NOMEM;
    }
    twx_buf_clear(&d->bytes);
    return rc;
}

static twx_rc read_blocked(near_judging *n, deciding *d) {
    twx_statement read = TWX_JUDGING_STATEMENT("read_blocked", READ_BLOCKED);
    read.round = n->compare.round;
    twx_rc rc = twx_judging_ask(n->j, &read, &d->bytes);
    twx_row_reader r = {.rest = twx_buf_slice(&d->bytes)};
    while (rc == TWX_OK && r.rest.n > 0) {
        const uint64_t text = twx_row_number(&r, 8);
        if (r.broken) return fail_cut(n, "read_blocked");
        rc = twx_map64_put(n->j->job->cx, &d->blocked, text, 1);
    }
    twx_buf_clear(&d->bytes);
    return rc;
}

static twx_rc put_said(near_judging *n, deciding *d) {
    const twx_statement put = TWX_JUDGING_STATEMENT("put_said", PUT_SAID);
    twx_ctx *cx = n->j->job->cx;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < d->said.n; i++) {
        rc = twx_row_add_number(cx, &d->bytes, n->compare.round, 4);
        if (rc == TWX_OK) rc = twx_row_add_number(cx, &d->bytes, d->said.at[i].text, 8);
        if (rc == TWX_OK) rc = twx_row_add_number(cx, &d->bytes, d->said.at[i].state, 1);
    }
    return rc == TWX_OK && d->said.n ? twx_judging_put(n->j, &put, twx_buf_slice(&d->bytes)) : rc;
}

/* Resolves the texts that match a better one. */
static twx_rc decide_matched(near_judging *n) {
    deciding d = {0};
    twx_buf_init(&d.bytes, (size_t)TWX_ANSWER_BYTES);
    twx_map64_init(&d.blocked, 0);
    twx_rc rc = read_matches(n, &d);
    if (rc == TWX_OK && d.matches.n) rc = read_blocked(n, &d);
    if (rc == TWX_OK)
        rc = twx_near_resolve(n->j->job->cx, d.matches.at, d.matches.n, &d.blocked, &d.said);
    if (rc == TWX_OK) rc = put_said(n, &d);
    twx_buf_done(&d.bytes);
    twx_map64_done(&d.blocked);
    TWX_VEC_DONE(&d.matches);
    TWX_VEC_DONE(&d.said);
    return rc;
}

/* ---- rounds -------------------------------------------------------------- */

static twx_rc count_open(near_judging *n, uint64_t *ret_open) {
    twx_statement count = TWX_JUDGING_STATEMENT("count_open", COUNT_OPEN);
    count.round = n->compare.round;
    return twx_judging_sums(n->j, &count, ret_open, 1);
}

static twx_rc one_round(near_judging *n) {
    twx_rc rc = STEP(n, "choose_firsts", CHOOSE_FIRSTS);
    if (rc == TWX_OK && n->compare.pass == 1) rc = STEP(n, "add_listed", ADD_LISTED);
    if (rc == TWX_OK) rc = STEP(n, "add_fresh", ADD_FRESH);
    if (rc == TWX_OK) rc = STEP(n, "ask_pairs", ASK_PAIRS);
    if (rc == TWX_OK) rc = STEP(n, "block_texts", BLOCK_TEXTS);
    if (rc == TWX_OK) rc = twx_near_pairs_compare(&n->compare);
    if (rc == TWX_OK) rc = decide_matched(n);
    if (rc == TWX_OK) rc = STEP(n, "decide_said", DECIDE_SAID);
    if (rc == TWX_OK) rc = STEP(n, "decide_alone", DECIDE_ALONE);
    if (rc == TWX_OK) rc = STEP(n, "tell_sets", TELL_SETS);
    return rc == TWX_OK ? STEP(n, "close_round", CLOSE_ROUND) : rc;
}

static twx_rc all_rounds(near_judging *n) {
    uint64_t open = 0, rounds = 0;
    n->batch = BATCH;
    twx_rc rc = count_open(n, &open);
    while (rc == TWX_OK && open > 0) {
        const uint64_t before = open;
        rc = one_round(n);
        n->compare.round++;
        rounds++;
        if (rc == TWX_OK) rc = count_open(n, &open);
        if (open > before / 2 && n->batch < BATCH_MAX) n->batch *= 2;
        if (rc == TWX_OK && open >= before)
            rc = twx_fail(n->j->job->cx, TWX_E_INTERNAL, "a round has decided no text");
    }
    n->summary->rounds[n->compare.pass] = rounds;
    return rc;
}

/* Joins the texts that are no representatives to the best of them. */
static twx_rc join_best(near_judging *n) {
    twx_rc rc = STEP(n, "ask_last", ASK_LAST);
    if (rc == TWX_OK) rc = twx_near_pairs_compare(&n->compare);
    n->compare.round++;
    if (rc == TWX_OK) rc = STEP(n, "find_best", FIND_BEST);
    if (rc == TWX_OK) rc = STEP(n, "find_leaders", FIND_LEADERS);
    return rc == TWX_OK ? STEP(n, "add_leaders", ADD_LEADERS) : rc;
}

static twx_rc judge_near(near_judging *n) {
    twx_rc rc = find_candidates(n);
    if (rc == TWX_OK) rc = STEP(n, "open_sets", OPEN_SETS);
    if (rc == TWX_OK) rc = all_rounds(n);
    if (rc == TWX_OK) rc = join_best(n);
    if (rc == TWX_OK) rc = STEP(n, "find_similarities", FIND_SIMILARITIES);
    return rc == TWX_OK ? STEP(n, "find_near_keys", FIND_NEAR_KEYS) : rc;
}

/* ---- copies -------------------------------------------------------------- */

/* The sets of near-duplicates are taken up as the round `last` has left them. */
static twx_rc open_for_copies(near_judging *n, uint64_t last) {
    n->base = last;
    twx_rc rc = STEP(n, "open_again", OPEN_AGAIN);
    if (rc == TWX_OK) rc = STEP(n, "open_sets", OPEN_SETS);
    n->base = n->compare.round;
    return rc;
}

/* last: the round after which near-duplicates were decided. */
static twx_rc judge_copies(near_judging *n, uint64_t last) {
    twx_near_learned learned;
    twx_near_learned_init(&learned, &n->plan.judge.options.names);
    twx_rc rc = twx_near_names_learn(n->j, &learned);
    n->compare.learned = &learned;
    n->compare.pass = 1;
    if (rc == TWX_OK) rc = open_for_copies(n, last);
    if (rc == TWX_OK) rc = all_rounds(n);
    if (rc == TWX_OK) rc = join_best(n);
    if (rc == TWX_OK) rc = STEP(n, "find_near_keys", FIND_NEAR_KEYS);
    twx_near_learned_done(&learned);
    return rc;
}

static twx_rc check_settings(const near_judging *n) {
    if (twx_near_fingerprint(&n->plan.judge.options) == n->j->near) return TWX_OK;
    return twx_fail(n->j->job->cx, TWX_E_CONFIG,
                    "the settings of near-duplicates and copies (sections [near] and [copy], and "
                    "that of the method) are not those of the pushes: judge with the same");
}

bool twx_judging_by_texts(const twx_judging *j) {
    return j->near && j->job->settings->copy_proof == TWX_PROOF_TEXT;
}

twx_rc twx_judging_near(twx_judging *j, twx_near_summary *ret_summary) {
    near_judging n = {.j = j, .summary = ret_summary};
    *ret_summary = (twx_near_summary){0};
    n.compare = (twx_near_comparing){.j = j, .plan = &n.plan};
    twx_rc rc = twx_near_plan_make(j->job, &n.plan);
    if (rc == TWX_OK) rc = check_settings(&n);
    if (rc == TWX_OK && twx_judging_by_texts(j)) {
        rc = twx_judging_copies(j, &n.plan, ret_summary);
    } else if (rc == TWX_OK && j->near) {
        rc = judge_near(&n);
        if (rc == TWX_OK) rc = judge_copies(&n, n.compare.round - 1);
        ret_summary->compared = n.compare.compared;
    }
    twx_near_plan_done(&n.plan);
    return rc;
}

twx_rc twx_judging_near_flags(twx_judging *j) {
    const twx_statement steps[] = {TWX_JUDGING_STATEMENT("ask_siblings", ASK_SIBLINGS),
                                   TWX_JUDGING_STATEMENT("count_siblings", COUNT_SIBLINGS),
                                   TWX_JUDGING_STATEMENT("fill_near_flags", FILL_NEAR_FLAGS)};
    const bool with_names = j->near && !twx_judging_by_texts(j);
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && with_names && i < TWX_COUNTOF(steps); i++)
        rc = twx_judging_step(j, &steps[i]);
    return rc;
}
