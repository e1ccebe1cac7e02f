/* store/shards.c: a run is committed when all of its stores are prepared, and not before.
 * store/shards.c: what a store has prepared is valid until another run begins. */
#include "store_fixture.h"

enum { RUN = 100 };
static const uint32_t SHARDS[] = {1, 2, 5};
static const char DIGEST[] = "0123456789abcdef0123456789abcdef";

typedef struct fixture {
    twx_ctx cx;
    const char *path;
    twx_vote_ledger *ledger;
} fixture;

static void setup(fixture *f) {
    f->path = test_file("ledger.db");
    expect_ok(&f->cx, twx_vote_ledger_open(&f->cx, f->path, 50, &f->ledger));
}

static void teardown(fixture *f) {
    twx_vote_ledger_close(f->ledger);
}

static void begin(fixture *f, int64_t run, uint32_t shard) {
    expect_ok(&f->cx, twx_vote_ledger_begin(f->ledger, run, shard, SHARDS, TWX_COUNTOF(SHARDS)));
}

static twx_rc vote(fixture *f, int64_t run, uint32_t shard, twx_vote_kind kind) {
    twx_vote v = {.shard = shard, .kind = kind, .documents = 4, .voted_at = 9};
    if (kind == TWX_VOTE_PREPARED) memcpy(v.digest, DIGEST, sizeof DIGEST);
    return twx_vote_ledger_vote(f->ledger, run, &v);
}

static bool committed(fixture *f, int64_t run) {
    twx_ballot ballot = {.run = 0};
    expect_ok(&f->cx, twx_vote_ledger_commit(f->ledger, run, 11, &ballot));
    TWX_VEC_DONE(&ballot.votes);
    return ballot.committed_at != 0;
}

TEST_OF(r1_all_have_to_be_prepared, fixture *f) {
    twx_ballot ballot = {.run = 0};
    int64_t newest = 0, last = 0;
    assert_false(committed(f, RUN)); /* there is no such run */
    for (size_t i = 0; i < TWX_COUNTOF(SHARDS); i++) {
        begin(f, RUN, SHARDS[i]);
        assert_false(committed(f, RUN));
        expect_ok(&f->cx, vote(f, RUN, SHARDS[i], TWX_VOTE_AGAIN));
        assert_false(committed(f, RUN));
        expect_ok(&f->cx, vote(f, RUN, SHARDS[i], TWX_VOTE_PREPARED));
    }
    expect_ok(&f->cx, twx_vote_ledger_newest(f->ledger, &newest, &last));
    assert_true(newest == RUN && last == 0);
    assert_true(committed(f, RUN));
    expect_ok(&f->cx, twx_vote_ledger_newest(f->ledger, &newest, &last));
    assert_true(newest == RUN && last == RUN);
    expect_ok(&f->cx, twx_vote_ledger_published(f->ledger, RUN, 2, 12));
    expect_ok(&f->cx, twx_vote_ledger_read(f->ledger, RUN, &ballot));
    assert_true(ballot.committed_at == 11 && ballot.votes.n == 3);
    assert_true(ballot.votes.at[1].published_at == 12 && ballot.votes.at[2].published_at == 0);
    for (size_t i = 0; i < TWX_COUNTOF(SHARDS); i++) {
        const twx_vote *v = &ballot.votes.at[i];
        assert_true(v->shard == SHARDS[i] && v->kind == TWX_VOTE_PREPARED);
        assert_true(v->documents == 4 && v->voted_at == 9);
        assert_string_equal(v->digest, DIGEST);
    }
    TWX_VEC_DONE(&ballot.votes);
}

TEST_OF(r3_another_database_gets_no_tables, fixture *f) {
    const char *path = store_of("no_ledger.db", "CREATE TABLE pages(id INTEGER PRIMARY KEY)");
    twx_vote_ledger *ledger = NULL;
    expect_fail(&f->cx, twx_vote_ledger_open(&f->cx, path, 50, &ledger), TWX_E_CONFIG,
                "not a ledger");
    assert_null(ledger);
    assert_int_equal(test_integer_in(path, "SELECT count(*) FROM sqlite_schema"), 1);
}

/* Also by another process, and when the store begins another run. */
TEST_OF(r2_a_store_takes_back_what_is_not_committed, fixture *f) {
    twx_vote_ledger *other = NULL;
    for (size_t i = 0; i < TWX_COUNTOF(SHARDS); i++) {
        begin(f, RUN, SHARDS[i]);
        expect_ok(&f->cx, vote(f, RUN, SHARDS[i], TWX_VOTE_PREPARED));
    }
    expect_ok(&f->cx, twx_vote_ledger_open(&f->cx, f->path, 50, &other));
    expect_ok(&f->cx, twx_vote_ledger_begin(other, RUN + 1, 5, SHARDS, TWX_COUNTOF(SHARDS)));
    assert_false(committed(f, RUN));
    expect_ok(&f->cx, vote(f, RUN, 5, TWX_VOTE_PREPARED));
    assert_true(committed(f, RUN));
    expect_ok(&f->cx, twx_vote_ledger_begin(other, RUN + 1, 5, SHARDS, TWX_COUNTOF(SHARDS)));
    assert_true(committed(f, RUN)); /* [R1] */
    expect_fail(&f->cx, vote(f, RUN, 5, TWX_VOTE_AGAIN), TWX_E_DATA, "run 100 is committed");
    expect_ok(&f->cx, vote(f, RUN, 5, TWX_VOTE_PREPARED));
    twx_vote_ledger_close(other);
}

TEST_OF(a_store_that_was_not_judged_has_no_vote, fixture *f) {
    begin(f, RUN, 1);
    expect_fail(&f->cx, vote(f, RUN, 3, TWX_VOTE_PREPARED), TWX_E_DATA,
                "no vote of shard 3 on run 100");
}

TEST_OF(damaged_votes_are_refused, fixture *f) {
    static const char *const CHANGES[] = {"digest = 'x'", "digest = NULL", "documents = -1",
                                          "shard = 70000", "shard = 0"};
    for (size_t i = 0; i < TWX_COUNTOF(CHANGES); i++) {
        twx_ballot ballot = {.run = 0};
        char sql[200];
        sqlite3 *db = test_open(f->path);
        test_exec(db, "DELETE FROM twindex_vote");
        begin(f, RUN, 1);
        expect_ok(&f->cx, vote(f, RUN, 2, TWX_VOTE_PREPARED));
        snprintf(sql, sizeof sql, "UPDATE twindex_vote SET %s WHERE shard = 2", CHANGES[i]);
        test_exec(db, sql);
        sqlite3_close(db);
        expect_fail(&f->cx, twx_vote_ledger_commit(f->ledger, RUN, 1, &ballot), TWX_E_CORRUPT,
                    "twindex_vote has an invalid row");
    }
}

TEST(digests_are_written_and_read) {
    static const char *const WRONG[] = {"", "0", "0123456789abcdef0123456789abcde",
                                        "0123456789abcdef0123456789abcdeg",
                                        "0123456789abcdef0123456789abcdef0"};
    const twx_hash128 digest = {.lo = UINT64_C(0x00000000000000ff), .hi = UINT64_C(0xabc) << 52};
    twx_hash128 read = {0, 0};
    char text[TWX_DIGEST_TEXT_BYTES];
    twx_digest_text(&digest, text);
    assert_string_equal(text, "abc000000000000000000000000000ff");
    assert_true(twx_digest_read(twx_slice_of(text), &read));
    assert_true(read.lo == digest.lo && read.hi == digest.hi);
    for (size_t i = 0; i < TWX_COUNTOF(WRONG); i++)
        assert_false(twx_digest_read(twx_slice_of(WRONG[i]), &read));
}

/* The same votes, each allocation of reading them failing in turn. */
TEST_OF(an_allocation_that_fails_commits_nothing, fixture *f) {
    twx_rc rc = TWX_E_NOMEM;
    uint64_t fail_at = 1;
    for (size_t i = 0; i < TWX_COUNTOF(SHARDS); i++) {
        begin(f, RUN, SHARDS[i]);
        expect_ok(&f->cx, vote(f, RUN, SHARDS[i], TWX_VOTE_PREPARED));
    }
    for (; rc == TWX_E_NOMEM && fail_at < 100; fail_at++) {
        twx_faults faults = {.fail_at = fail_at};
        twx_ballot ballot = {.run = 0};
        twx_ctx_clear(&f->cx);
        f->cx.faults = &faults;
        rc = twx_vote_ledger_commit(f->ledger, RUN, 11, &ballot);
        f->cx.faults = NULL;
        TWX_VEC_DONE(&ballot.votes);
        assert_int_equal(
            test_integer_in(f->path, "SELECT count(committed_at) FROM twindex_judgement"),
            rc == TWX_OK);
    }
    expect_ok(&f->cx, rc);
    assert_true(fail_at > 2);
}

/* ---- what a store has prepared ------------------------------------------- */

TEST_OF(what_is_prepared_is_valid_until_another_run_begins, fixture *f) {
    const char *path = store_of("prepared.db", "CREATE TABLE pages(id INTEGER PRIMARY KEY, url)");
    const twx_db_options reader = {.mode = TWX_DB_READER, .busy_ms = 50};
    twx_db *db = open_migrated(&f->cx, path);
    twx_generations *g = NULL;
    twx_arena bytes = {0};
    twx_claim claim = {.token = 77, .settings = "{}"};
    const twx_flag_row row = {.doc = 3, .known = 3};
    twx_flag_edit edit = {.rows = &row, .n_rows = 1};
    twx_prepared p = {.judge_run = 0}, q;
    twx_hash128 prepared, published;
    expect_ok(&f->cx, twx_generations_open(db, &g));
    assert_int_equal(twx_prepared_read(g, db, &bytes, &q), TWX_DONE); /* no table */
    expect_ok(&f->cx, twx_generation_claim(g, &claim));
    expect_ok(&f->cx, twx_generation_write(g, &claim, &edit));
    expect_ok(&f->cx, twx_flags_digest_of(&f->cx, path, &reader, 'a', true, &prepared));
    p = (twx_prepared){
        .claim = claim, .judge_run = RUN, .shard = 5, .documents = 1, .summary = "{\"a\":1}"};
    twx_digest_text(&prepared, p.digest);
    expect_ok(&f->cx, twx_prepared_keep(g, db, &p, 8));
    assert_int_equal(test_integer_in(path, "SELECT base IS NULL FROM twindex_prepared"), 1);
    expect_ok(&f->cx, twx_prepared_read(g, db, &bytes, &q));
    assert_true(q.judge_run == RUN && q.shard == 5 && q.documents == 1 && q.claim.base == 0);
    assert_true(q.claim.run == claim.run && q.claim.run != RUN && q.claim.token == claim.token);
    assert_string_equal(q.digest, p.digest);
    assert_string_equal(q.summary, "{\"a\":1}");
    assert_int_equal(test_integer_in(path, "SELECT state = 'prepared' FROM twindex_run"), 1);
    const twx_publication publication = {.direct = true, .collection_run = RUN, .shard = {"5", 1}};
    expect_ok(&f->cx, twx_generation_publish(g, &q.claim, &publication));
    assert_int_equal(twx_prepared_read(g, db, &bytes, &q), TWX_DONE); /* used up */
    expect_ok(&f->cx, twx_flags_digest(db, &published));
    assert_true(published.lo == prepared.lo && published.hi == prepared.hi);
    /* another run takes over */
    claim = (twx_claim){.token = 78, .base = 'a', .settings = "{}"};
    expect_ok(&f->cx, twx_generation_claim(g, &claim));
    p.claim = claim;
    expect_ok(&f->cx, twx_prepared_keep(g, db, &p, 9));
    expect_ok(&f->cx, twx_prepared_read(g, db, &bytes, &q));
    assert_true(q.claim.base == 'a' && q.claim.token == 78);
    claim.token = 79;
    expect_ok(&f->cx, twx_generation_claim(g, &claim));
    assert_int_equal(twx_prepared_read(g, db, &bytes, &q), TWX_DONE);
    expect_fail(&f->cx, twx_prepared_keep(g, db, &p, 9), TWX_E_SUPERSEDED, "another run took over");
    expect_fail(&f->cx, twx_generation_publish(g, &p.claim, &publication), TWX_E_SUPERSEDED,
                "another run took over");
    expect_ok(&f->cx, twx_db_script(db, "UPDATE twindex_prepared SET digest = 'x'"));
    expect_fail(&f->cx, twx_prepared_read(g, db, &bytes, &q), TWX_E_CORRUPT,
                "twindex_prepared has an invalid row");
    twx_arena_done(&bytes);
    twx_generations_close(g);
    twx_db_close(db);
}

TESTS_OF(fixture, setup, teardown);
