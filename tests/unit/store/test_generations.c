#include "generations_fixture.h"

static const twx_publication DIRECT = {.direct = true, .summary = "{}", .ended_at = 2};

static twx_flag_row row_of(int64_t doc, int64_t signature) {
    twx_flag_row row = {.doc = doc};
    twx_flag_set(&row, TWX_FLAG_eligibility, 0);
    twx_flag_set(&row, TWX_FLAG_link_state, 0);
    twx_flag_set(&row, TWX_FLAG_exact_sig, signature);
    return row;
}

static twx_claim claim(fixture *f, char base, int64_t token) {
    twx_claim c = {.token = token, .base = base, .started_at = 1, .settings = "{}"};
    expect_ok(&f->cx, twx_generation_claim(f->g, &c));
    assert_true(c.run > 0);
    return c;
}

static twx_rc write_row(fixture *f, const twx_claim *c, int64_t doc, int64_t signature) {
    const twx_flag_row row = row_of(doc, signature);
    twx_flag_edit edit = {.rows = &row, .n_rows = 1};
    return twx_generation_write(f->g, c, &edit);
}

/* Publishes one document with this signature. */
static void publish(fixture *f, char base, int64_t signature) {
    const twx_claim c = claim(f, base, 100 + signature);
    expect_ok(&f->cx, write_row(f, &c, 1, signature));
    expect_ok(&f->cx, twx_generation_publish(f->g, &c, &DIRECT));
}

static int64_t shown(const fixture *f) {
    return test_integer_in(f->path, "SELECT exact_signature_l FROM document_flags WHERE id = 1");
}

static twx_state state_of(fixture *f) {
    twx_state s;
    expect_ok(&f->cx, twx_state_read(f->g, &s));
    return s;
}

/* What twx_state_judged() returns; 1: not known. */
static uint64_t judged(fixture *f) {
    uint64_t fingerprint = 0;
    twx_buf summary = {.max = 1000};
    const twx_rc rc = twx_state_judged(f->g, &fingerprint, &summary);
    twx_buf_done(&summary);
    assert_true(rc == TWX_OK || rc == TWX_DONE);
    return rc == TWX_OK ? fingerprint : 1;
}

static void publish_judged(fixture *f, char base, uint64_t fingerprint) {
    twx_publication p = DIRECT;
    p.judged = &fingerprint;
    const twx_claim c = claim(f, base, 7);
    expect_ok(&f->cx, write_row(f, &c, 1, 10));
    expect_ok(&f->cx, twx_generation_publish(f->g, &c, &p));
}

TEST_OF(r5_a_fingerprint_is_kept_only_if_nothing_changed_since_judging_began, fixture *f) {
    const uint64_t unknown = 1;
    bool known = true;
    sqlite3 *other = test_open(f->path);
    expect_ok(&f->cx, twx_state_begin_judging(f->g, &known));
    assert_false(known);
    publish_judged(f, 0, 50);
    assert_int_equal(judged(f), 50);
    expect_ok(&f->cx, twx_state_begin_judging(f->g, &known));
    assert_true(known);
    assert_int_equal(judged(f), 50); /* still true */
    publish_judged(f, 'a', 51);
    assert_int_equal(judged(f), 51);
    expect_ok(&f->cx, twx_state_begin_judging(f->g, &known));
    test_exec(other, "UPDATE twindex_flag SET exact_count = 99");
    publish_judged(f, 'b', 52);
    assert_int_equal(judged(f), unknown);
    expect_ok(&f->cx, twx_state_begin_judging(f->g, &known));
    assert_int_equal(judged(f), 0);                      /* the fingerprint of no settings */
    expect_ok(&f->cx, twx_state_set_judged(f->g, NULL)); /* as the run does that signs */
    expect_ok(&f->cx, twx_state_note(f->g));             /* something is not noted already */
    publish_judged(f, 'a', 53);
    assert_int_equal(judged(f), unknown);
    expect_ok(&f->cx, twx_state_begin_judging(f->g, &known));
    expect_ok(&f->cx, twx_state_note(f->g));
    assert_int_equal(judged(f), 0);
    test_exec(other, "UPDATE twindex_flag SET exact_count = 98");
    assert_int_equal(judged(f), unknown);
    sqlite3_close(other);
}

TEST_OF(rows_come_back_with_their_nulls, fixture *f) {
    twx_flag_row rows[3], one;
    size_t n = 0;
    const twx_claim c = claim(f, 0, 5);
    for (int64_t doc = -1; doc < 6; doc++) expect_ok(&f->cx, write_row(f, &c, doc, doc * 10));
    twx_flag_row full = {.doc = 6};
    for (int k = 0; k < TWX_FLAG_COLUMNS; k++)
        twx_flag_set(&full, (twx_flag_column)k,
                     k < TWX_FLAG_link_doc || k % 2 == 0 ? k % TWX_LARGE_GROUP : INT64_MIN + k);
    const int64_t gone = 3;
    twx_flag_edit edit = {.rows = &full, .n_rows = 1, .gone = &gone, .n_gone = 1};
    expect_ok(&f->cx, twx_generation_write(f->g, &c, &edit));
    expect_ok(&f->cx, twx_flags_get(f->g, 'a', 6, &one));
    assert_true(twx_flag_row_eq(&one, &full));
    assert_int_equal(twx_flags_get(f->g, 'a', 3, &one), TWX_DONE);
    expect_ok(&f->cx, twx_flags_get(f->g, 'b', 6, &one)); /* nothing is published yet */
    assert_true(twx_flag_row_eq(&one, &full));
    twx_flags_cursor cursor = {0};
    expect_ok(&f->cx, twx_flags_cursor_init(&f->cx, f->g, 'a', &cursor));
    expect_ok(&f->cx, twx_flags_cursor_fill(&f->cx, &cursor, rows, 3, &n));
    expect_ok(&f->cx, twx_flags_cursor_fill(&f->cx, &cursor, rows, 3, &n));
    assert_int_equal(n, 3);
    const twx_flag_row two = row_of(2, 20), four = row_of(4, 40);
    assert_true(twx_flag_row_eq(&rows[0], &two) && twx_flag_row_eq(&rows[1], &four));
    expect_ok(&f->cx, twx_flags_cursor_fill(&f->cx, &cursor, rows, 3, &n));
    assert_int_equal(n, 1);
    twx_flags_cursor_done(&cursor);
}

TEST_OF(written_rows_are_found_again_until_one_differs, fixture *f) {
    twx_flag_row rows[4] = {row_of(-7, 1), row_of(2, 1), row_of(5, 1), row_of(9, 1)};
    const twx_claim c = claim(f, 0, 5);
    size_t equal = 9;
    for (int64_t doc = -7; doc < 12; doc++) expect_ok(&f->cx, write_row(f, &c, doc, 1));
    expect_ok(&f->cx, twx_flags_match(f->g, 'a', rows, 4, &equal));
    assert_int_equal(equal, 4);
    expect_ok(&f->cx, twx_flags_match(f->g, 'a', rows, 0, &equal));
    assert_int_equal(equal, 0);
    expect_ok(&f->cx, write_row(f, &c, 5, 2));
    expect_ok(&f->cx, twx_flags_match(f->g, 'a', rows, 4, &equal));
    assert_int_equal(equal, 2);
    rows[2] = row_of(5, 2);
    rows[3].doc = 12; /* not there */
    expect_ok(&f->cx, twx_flags_match(f->g, 'a', rows, 4, &equal));
    assert_int_equal(equal, 3);
    const int64_t gone = 5;
    twx_flag_edit edit = {.gone = &gone, .n_gone = 1};
    expect_ok(&f->cx, twx_generation_write(f->g, &c, &edit));
    expect_ok(&f->cx, twx_flags_match(f->g, 'a', rows, 4, &equal));
    assert_int_equal(equal, 2);
}

/* R1 */
TEST_OF(r1_readers_see_the_old_flags_until_the_new_are_published, fixture *f) {
    publish(f, 0, 1);
    assert_int_equal(shown(f), 1);
    const twx_claim c = claim(f, 'a', 7);
    expect_ok(&f->cx, write_row(f, &c, 1, 2));
    assert_int_equal(shown(f), 1);
    expect_ok(&f->cx, twx_generation_publish(f->g, &c, &DIRECT));
    assert_int_equal(shown(f), 2);
    const twx_state s = state_of(f);
    assert_int_equal(s.generation, 'b');
    assert_true(s.run[0] > 0 && s.run[1] == c.run && s.token == 0);
    assert_string_equal(s.id_kind, "direct");
    assert_int_equal(
        test_integer_in(f->path, "SELECT count(*) FROM twindex_run WHERE state = 'published'"), 2);
}

/* R2 */
TEST_OF(r2_a_superseded_run_writes_and_publishes_nothing, fixture *f) {
    publish(f, 0, 1);
    const twx_claim old = claim(f, 'a', 7);
    expect_ok(&f->cx, write_row(f, &old, 1, 2));
    const twx_claim fresh = claim(f, 'a', 8);
    expect_fail(&f->cx, write_row(f, &old, 1, 3), TWX_E_SUPERSEDED, "another run took over");
    expect_fail(&f->cx, twx_generation_publish(f->g, &old, &DIRECT), TWX_E_SUPERSEDED,
                "another run took over");
    assert_int_equal(shown(f), 1);
    expect_ok(&f->cx, write_row(f, &fresh, 1, 4));
    expect_ok(&f->cx, twx_generation_publish(f->g, &fresh, &DIRECT));
    assert_int_equal(shown(f), 4);
    /* it started from what was published before */
    twx_claim late = {.token = 9, .base = 'a', .settings = "{}"};
    expect_fail(&f->cx, twx_generation_claim(f->g, &late), TWX_E_SUPERSEDED,
                "another run took over");
    assert_int_equal(
        test_integer_in(f->path, "SELECT count(*) FROM twindex_run WHERE state = 'died'"), 1);
}

/* R3 */
TEST_OF(r3_undo_never_points_at_a_mixture, fixture *f) {
    char generation = 0;
    expect_fail(&f->cx, twx_generation_undo(f->g, &DIRECT, &generation), TWX_E_DATA,
                "no run has published yet");
    publish(f, 0, 1);
    expect_fail(&f->cx, twx_generation_undo(f->g, &DIRECT, &generation), TWX_E_DATA,
                "not the complete result");
    publish(f, 'a', 2);
    expect_ok(&f->cx, twx_generation_undo(f->g, &DIRECT, &generation));
    assert_int_equal(generation, 'a');
    assert_int_equal(shown(f), 1);
    expect_ok(&f->cx, twx_generation_undo(f->g, &DIRECT, &generation));
    assert_int_equal(shown(f), 2);
    const twx_claim c = claim(f, 'b', 9); /* begins to write a */
    expect_fail(&f->cx, twx_generation_undo(f->g, &DIRECT, &generation), TWX_E_DATA,
                "not the complete result");
    expect_ok(&f->cx, twx_generation_abandon(f->g, &c, 3, "why it stopped"));
    expect_fail(&f->cx, twx_generation_undo(f->g, &DIRECT, &generation), TWX_E_DATA,
                "not the complete result");
    assert_int_equal(shown(f), 2);
    assert_int_equal(test_integer_in(f->path,
                                     "SELECT count(*) FROM twindex_run WHERE state = 'stopped' "
                                     "AND message = 'why it stopped' AND ended_at = 3"),
                     1);
}

TEST_OF(undo_makes_a_run_that_works_lose, fixture *f) {
    char generation = 0;
    publish(f, 0, 1);
    publish(f, 'a', 2);
    publish(f, 'b', 3);
    expect_ok(&f->cx, twx_generation_undo(f->g, &DIRECT, &generation));
    assert_int_equal(shown(f), 2);
    twx_claim stale = {.token = 5, .base = 'a', .settings = "{}"};
    expect_fail(&f->cx, twx_generation_claim(f->g, &stale), TWX_E_SUPERSEDED, "another run");
}

TEST_OF(ids_numbered_another_way_end_the_other_generation, fixture *f) {
    char generation = 0;
    const twx_publication mapped = {.direct = false, .summary = "{}"};
    publish(f, 0, 1);
    const twx_claim c = claim(f, 'a', 7);
    expect_ok(&f->cx, twx_generation_publish(f->g, &c, &mapped));
    assert_string_equal(state_of(f).id_kind, "mapped");
    expect_fail(&f->cx, twx_generation_undo(f->g, &DIRECT, &generation), TWX_E_DATA,
                "not the complete result");
}

TEST_OF(the_source_is_joined_when_it_is_there, fixture *f) {
    const twx_publication with = {
        .direct = true,
        .summary = "{}",
        .select = "SELECT id, url, 1 AS title, 2 AS description, 3 AS http_status, 4 AS failure, 5 "
                  "AS robots, 6 AS canonical_url, 7 AS redirect_url, 8 AS hreflang_group, 9 AS "
                  "fetched_at, 10 AS score, 11 AS layout_digest, 12 AS content_type, 13 AS "
                  "language, 14 AS crawl_id, 15 AS text FROM pages"};
    test_exec_in(f->path, "INSERT INTO pages VALUES (1, 'u'), (2, 'not judged yet')");
    const twx_claim c = claim(f, 0, 7);
    expect_ok(&f->cx, write_row(f, &c, 1, 5));
    expect_ok(&f->cx, twx_generation_publish(f->g, &c, &with));
    assert_int_equal(test_integer_in(f->path, "SELECT count(*) FROM flagged_documents"), 2);
    assert_int_equal(
        test_integer_in(f->path, "SELECT count(*) FROM flagged_documents WHERE indexable_b"), 1);
    /* --flags: the view is not there */
    const twx_claim next = claim(f, 'a', 8);
    expect_ok(&f->cx, twx_generation_publish(f->g, &next, &DIRECT));
    assert_int_equal(
        test_integer_in(f->path,
                        "SELECT count(*) FROM sqlite_schema WHERE name = 'flagged_documents'"),
        0);
}

TEST_OF(the_fingerprint_says_whether_all_is_signed, fixture *f) {
    const uint64_t fingerprint = UINT64_MAX - 3;
    assert_false(state_of(f).has_fingerprint);
    expect_ok(&f->cx, twx_state_signed(f->g, &fingerprint));
    assert_true(state_of(f).has_fingerprint && state_of(f).fingerprint == fingerprint);
    test_exec_in(f->path, "INSERT INTO twindex_signature VALUES (1, NULL, 1, x''); DELETE FROM "
                          "twindex_signature");
    assert_false(state_of(f).has_fingerprint); /* somebody else has dropped rows of the cache */
    /* the end of a pass that has not seen this does not write over it */
    expect_ok(&f->cx, twx_state_finish(f->g, 5, fingerprint));
    assert_false(state_of(f).has_fingerprint);
    expect_ok(&f->cx, twx_state_signed(f->g, &fingerprint));
    expect_ok(&f->cx, twx_state_finish(f->g, 5, fingerprint));
    assert_true(state_of(f).has_fingerprint && state_of(f).fingerprint == 5);
}
