/* group_counts of store/flag_views.c: what all members of a large group share is stored once for
 * each generation, and read with each row. */
#include "generations_fixture.h"

enum { MEMBERS = 40, SMALL = 3 };

static const twx_publication DIRECT = {.direct = true, .summary = "{}"};

/* Member `doc` of a group of n, which document 1 represents. */
static twx_flag_row member_of(int64_t doc, int64_t n) {
    static const twx_flag_column COUNTS[] = {TWX_FLAG_exact_count, TWX_FLAG_near_count,
                                             TWX_FLAG_cluster_count},
                                 REPS[] = {TWX_FLAG_exact_rep, TWX_FLAG_near_rep};
    twx_flag_row row = {.doc = doc};
    twx_flag_set(&row, TWX_FLAG_eligibility, 0);
    twx_flag_set(&row, TWX_FLAG_link_state, 0);
    for (size_t i = 0; i < TWX_COUNTOF(COUNTS); i++) twx_flag_set(&row, COUNTS[i], n);
    for (size_t i = 0; i < TWX_COUNTOF(REPS); i++) twx_flag_set(&row, REPS[i], 1);
    twx_flag_set(&row, TWX_FLAG_sibling_count, n / 10);
    if (doc != 1) twx_flag_set(&row, TWX_FLAG_duplicate_of, 1);
    return row;
}

/* Publishes a group of n documents, and nothing else. */
static void publish(fixture *f, int64_t n) {
    twx_claim claim = {.token = 5, .base = f->base, .started_at = 1, .settings = "{}"};
    twx_group_counts counts = {0}, differ = {0};
    twx_flag_row rows[MEMBERS];
    int64_t gone[MEMBERS];
    for (int64_t i = n; i < MEMBERS; i++) gone[i] = i + 1;
    for (int64_t i = 0; i < n; i++) {
        rows[i] = member_of(i + 1, n);
        expect_ok(&f->cx, twx_group_counts_add(&f->cx, &counts, &rows[i]));
    }
    const char generation = twx_other_generation(f->base);
    expect_ok(&f->cx, twx_group_counts_differ(f->db, generation, &counts, &differ));
    twx_flag_edit edit = {.rows = rows,
                          .n_rows = (size_t)n,
                          .gone = gone + n,
                          .n_gone = (size_t)(MEMBERS - n),
                          .counts = differ.at.at,
                          .n_counts = differ.at.n};
    expect_ok(&f->cx, twx_generation_claim(f->g, &claim));
    while (!twx_flag_edit_is_done(&edit))
        expect_ok(&f->cx, twx_generation_write(f->g, &claim, &edit));
    expect_ok(&f->cx, twx_generation_publish(f->g, &claim, &DIRECT));
    f->base = generation;
    twx_group_counts_done(&counts);
    twx_group_counts_done(&differ);
}

/* Whoever reads a generation, it has the group of n documents. */
static void expect_group(fixture *f, char generation, int64_t n) {
    const twx_flag_row *read = NULL;
    twx_flags_cursor cursor;
    twx_flag_row row;
    expect_ok(&f->cx, twx_flags_cursor_init(&f->cx, f->g, generation, &cursor));
    for (int64_t doc = 1; doc <= n; doc++) {
        const twx_flag_row wanted = member_of(doc, n);
        expect_ok(&f->cx, twx_flags_get(f->g, generation, doc, &row));
        assert_true(twx_flag_row_eq(&row, &wanted));
        expect_ok(&f->cx, twx_flags_cursor_of(&cursor, doc, &read));
        assert_true(read && twx_flag_row_eq(read, &wanted));
    }
    twx_flags_cursor_done(&cursor);
}

static void expect_shown(const fixture *f, const char *sql, const char *wanted) {
    assert_string_equal(text_in(f->path, sql), wanted);
}

static const char SHOWN[] =
    "SELECT count(*) || ' ' || group_concat(DISTINCT exact_signature_copycount_i) || ' ' || "
    "group_concat(DISTINCT near_copycount_i) || ' ' || group_concat(DISTINCT sibling_count_i) "
    "FROM document_flags";
static const char GROUPS[] =
    "SELECT group_concat(detector || documents, ' ') FROM (SELECT DISTINCT "
    "detector, documents FROM twindex_group_member ORDER BY detector)";
static const char WRITTEN[] = "SELECT (SELECT count(*) FROM twindex_flag WHERE only_in) || ' ' || "
                              "(SELECT count(*) FROM twindex_group_count WHERE generation = 'b')";

TEST_OF(r1_a_document_more_in_a_large_group_is_one_row, fixture *f) {
    publish(f, 30);
    expect_group(f, 'a', 30);
    publish(f, 31);
    expect_group(f, 'a', 30);
    expect_group(f, 'b', 31);
    expect_shown(f, SHOWN, "31 31 31 3");
    expect_shown(f, GROUPS, "exact31 near31 verdict31");
    expect_shown(f, WRITTEN, "1 4");
    publish(f, 40);
    expect_shown(f, SHOWN, "40 40 40 4");
    expect_ok(&f->cx, twx_generation_undo(f->g, &DIRECT, &f->base));
    expect_shown(f, SHOWN, "31 31 31 3");
    publish(f, SMALL); /* which the rows themselves state; the numbers of the others go */
    expect_group(f, f->base, SMALL);
    expect_shown(f, SHOWN, "3 3 3 0");
    expect_shown(
        f, "SELECT count(*) FROM twindex_group_count JOIN twindex_state USING (generation)", "0");
}

TEST_OF(r2_rows_may_state_the_number_until_it_changes, fixture *f) {
    twx_flag_row row;
    publish(f, 30);
    sqlite3 *user = test_open(f->path);
    test_exec(user, "UPDATE twindex_flag SET exact_count = 30, near_count = 30, sibling_count = 3, "
                    "cluster_count = 30; DELETE FROM twindex_group_count");
    sqlite3_close(user);
    expect_group(f, 'a', 30);
    expect_shown(f, SHOWN, "30 30 30 3");
    expect_ok(&f->cx, twx_flags_get(f->g, 'a', 7, &row));
    assert_true(row.known & TWX_FLAG_STATED);
    publish(f, 31);
    expect_group(f, 'a', 30);
    expect_group(f, 'b', 31);
    expect_ok(&f->cx, twx_flags_get(f->g, 'b', 7, &row));
    assert_false(row.known & TWX_FLAG_STATED);
}

/* So a run that compares finds it. */
TEST_OF(a_number_that_is_missing_is_not_the_right_one, fixture *f) {
    static const char *const DAMAGED[] = {"DELETE FROM twindex_group_count",
                                          "UPDATE twindex_group_count SET value = 'x'",
                                          "UPDATE twindex_group_count SET value = 29"};
    twx_flag_row row;
    const twx_flag_row right = member_of(7, 30);
    publish(f, 30);
    for (size_t i = 0; i < TWX_COUNTOF(DAMAGED); i++) {
        sqlite3 *user = test_open(f->path);
        test_exec(user, DAMAGED[i]);
        sqlite3_close(user);
        expect_ok(&f->cx, twx_flags_get(f->g, 'a', 7, &row));
        assert_false(twx_flag_row_eq(&row, &right));
        publish(f, 30);
        publish(f, 30);
        expect_group(f, 'a', 30);
    }
}

TEST_OF(members_of_a_group_have_one_number, fixture *f) {
    twx_group_counts counts = {0};
    const twx_flag_row one = member_of(2, 30), other = member_of(3, 31);
    expect_ok(&f->cx, twx_group_counts_add(&f->cx, &counts, &one));
    expect_ok(&f->cx, twx_group_counts_add(&f->cx, &counts, &one));
    expect_fail(&f->cx, twx_group_counts_add(&f->cx, &counts, &other), TWX_E_INTERNAL,
                "the group of document number 1 have different numbers as exact_count");
    twx_group_counts_done(&counts);
}
