/* cluster/flag_text.c: flags are written and read, and answers that are damaged, or not those that
 * were asked for, are refused. */
#include "remote_fixture.h"

enum { OWN = 7, WIDTH = 16 };

static twx_ctx cx;
static twx_remote_list foreign;
static const twx_flag_home HOME = {OWN, &foreign};
static twx_buf out;

static void setup(void) {
    const twx_preference by_id = {0};
    const twx_value id = id_of(77);
    twx_buf rows = {.max = 1000};
    twx_ctx_clear(&cx);
    twx_buf_init(&out, 1 << 20);
    twx_remote_list_init(&foreign);
    add_remote(&cx, &rows, (twx_uid){9, 77}, &id, &by_id, 0);
    assert_ok(twx_remote_list_read(&cx, twx_buf_slice(&rows), OWN, &by_id, &foreign));
    twx_buf_done(&rows);
}

static void teardown(void) {
    twx_buf_done(&out);
    twx_remote_list_done(&foreign);
}

/* ---- texts --------------------------------------------------------------- */

/* As a server wrote it. */
static const char WRITTEN[] =
    "5,0,1,,00078000000000000003,3,2,,0,,0,0009800000000000004D,3,,0,,0,,0,,0,-7,,,0,9,2,,4";

TEST(a_text_of_the_servers_becomes_flags) {
    twx_flag_row row;
    assert_ok(twx_flag_text_read(&cx, &HOME, twx_slice_of(WRITTEN), &row));
    assert_true(row.doc == 5 && row.v[TWX_FLAG_link_state] == 1);
    assert_true(twx_flag_known(&row, TWX_FLAG_eligibility));
    assert_true(row.v[TWX_FLAG_duplicate_of] == 3 && row.v[TWX_FLAG_cluster_count] == 3);
    assert_true(row.v[TWX_FLAG_exact_rep] == foreign.at.at[0].remote.doc);
    assert_true(row.v[TWX_FLAG_exact_count] == 3 && row.v[TWX_FLAG_duplicate_type] == 2);
    assert_false(twx_flag_known(&row, TWX_FLAG_link_doc));
    assert_false(twx_flag_known(&row, TWX_FLAG_title_count));
    assert_false(twx_flag_known(&row, TWX_FLAG_exact_sig));
    assert_true(row.v[TWX_FLAG_near_sig] == -7 && row.v[TWX_FLAG_sibling_count] == 2);
    assert_false(twx_flag_known(&row, TWX_FLAG_near_similarity));
    assert_true(row.v[TWX_FLAG_parameters_count] == 4);
    assert_ok(twx_flag_text_write(&cx, &HOME, &row, &out));
    assert_string_equal(out.p, WRITTEN); /* [R1] */
}

/* Rows with one column each: what is written is read again. */
TEST(r1_each_column_is_written_and_read) {
    size_t columns = 0;
    for (int c = 0; c < TWX_FLAG_COLUMNS; c++) {
        twx_flag_row row = {.doc = -3}, part = {.doc = -3}, again;
        twx_flag_set(&row, TWX_FLAG_eligibility, 0);
        twx_flag_set(&row, TWX_FLAG_link_state, 0);
        part = row;
        twx_flag_set(&row, (twx_flag_column)c, 4);
        twx_flag_text_copy(&row, &part);
        twx_buf_clear(&out);
        assert_ok(twx_flag_text_write(&cx, &HOME, &row, &out));
        assert_ok(twx_flag_text_read(&cx, &HOME, twx_buf_slice(&out), &again));
        assert_true(twx_flag_row_eq(&part, &again));
        columns += twx_flag_row_eq(&row, &again);
    }
    assert_true(columns >= 28);
}

TEST(a_document_that_is_not_in_the_list_differs_from_all) {
    twx_flag_row row = {.doc = 1};
    twx_flag_set(&row, TWX_FLAG_link_doc, TWX_REMOTE_LAST - 5);
    assert_ok(twx_flag_text_write(&cx, &HOME, &row, &out));
    assert_non_null(strchr(out.p, '?'));
    assert_int_equal(twx_flag_text_read(&cx, &HOME, twx_buf_slice(&out), &row), TWX_E_DATA);
}

#define GROUPS ",,0,,0,,0,,0,,0,,0"
#define NEAR   ",,0,,,,0,,0,,0"
static const char GOOD[] = "5,0,1,,,0,0" GROUPS NEAR;

TEST(r2_damaged_texts_are_refused) {
    static const char *const TEXTS[] = {
        "",
        "5",
        "5,0,1",
        "x,0,1,,,0,0" GROUPS NEAR,
        "5,0,1,,,0,0" GROUPS,
        "5,0,1,,,0,0" GROUPS NEAR ",",
        "5,0,1,,,0,0" GROUPS ",,0,,,,0,,0,,",
        "5,,1,,,0,0" GROUPS NEAR,
        "5,0,1,,,-,0" GROUPS NEAR,
        "5,0,1,,,99999999999999999999,0" GROUPS NEAR,
        "5,0,1,0007800000000000000,,0,0" GROUPS NEAR,  /* 19 digits */
        "5,0,1,0007800000000000000G,,0,0" GROUPS NEAR, /* no digit */
        "5,0,1,00098000000000000001,,0,0" GROUPS NEAR, /* not among the remotes */
        "5,0,1,00070000000000000001,,0,0" GROUPS NEAR, /* a number of remotes */
        " 5,0,1,,,0,0" GROUPS NEAR,
        "5,0,1,,,0,0" GROUPS NEAR "\n"};
    twx_flag_row row;
    for (size_t i = 0; i < TWX_COUNTOF(TEXTS); i++) {
        const twx_rc rc = twx_flag_text_read(&cx, &HOME, twx_slice_of(TEXTS[i]), &row);
        if (rc != TWX_E_DATA) fail_msg("'%s': %s", TEXTS[i], test_rc_name(rc));
        twx_ctx_clear(&cx);
    }
    assert_ok(twx_flag_text_read(&cx, &HOME, twx_slice_of(GOOD), &row));
}

/* A document that is alone has the text of one that has no count. */
TEST(a_count_of_one_is_none) {
    twx_flag_row row;
    assert_ok(twx_flag_text_read(&cx, &HOME, twx_slice_of(GOOD), &row));
    assert_false(twx_flag_known(&row, TWX_FLAG_near_count));
    twx_flag_set(&row, TWX_FLAG_near_count, 1);
    twx_flag_set(&row, TWX_FLAG_copy_count, 1);
    twx_flag_set(&row, TWX_FLAG_sibling_count, 0);
    assert_ok(twx_flag_text_write(&cx, &HOME, &row, &out));
    assert_string_equal(out.p, GOOD);
}

/* ---- sums ---------------------------------------------------------------- */

static void add_sum(int64_t part, uint64_t sum) {
    assert_ok(twx_row_add_number(&cx, &out, (uint64_t)part, 8));
    assert_ok(twx_row_add_number(&cx, &out, sum, 8));
}

TEST(sums_of_nodes_are_added) {
    twx_pulled_parts parts = {0};
    add_sum(3, UINT64_MAX);
    add_sum(-2, 5);
    add_sum(3, 2);
    assert_ok(twx_pulled_parts_read(&cx, twx_buf_slice(&out), &parts));
    assert_int_equal(parts.n, 2);
    assert_true(parts.at[0].number == -2 && parts.at[0].sum == 5);
    assert_true(parts.at[1].number == 3 && parts.at[1].sum == 1);
    const twx_slice cut = {out.p, out.n - 1};
    assert_int_equal(twx_pulled_parts_read(&cx, cut, &parts), TWX_E_DATA);
    TWX_VEC_DONE(&parts);
}

/* ---- rows ---------------------------------------------------------------- */

static uint64_t add_row(int64_t doc) {
    const twx_flag_row row = {.doc = doc, .known = 3};
    twx_buf text = {.max = 1000};
    assert_ok(twx_flag_text_write(&cx, &HOME, &row, &text));
    assert_ok(twx_row_add_string(&cx, &out, twx_buf_slice(&text)));
    const uint64_t hash = twx_flag_text_hash(twx_buf_slice(&text));
    twx_buf_done(&text);
    return hash;
}

static twx_rc read_rows(twx_slice rows, const twx_pulled_part *parts, size_t n,
                        twx_flag_row_list *list) {
    twx_ctx_clear(&cx);
    return twx_pulled_rows_read(&cx, &HOME, rows, parts, n, WIDTH, list);
}

TEST(r2_rows_have_the_sums_of_their_parts) {
    twx_flag_row_list list = {0};
    const uint64_t last = add_row(40);
    const size_t one = out.n;
    const uint64_t others = add_row(17) + add_row(16);
    twx_pulled_part parts[] = {{.number = 1, .sum = others}, {.number = 2, .sum = last}};
    const twx_slice all = twx_buf_slice(&out);
    assert_ok(read_rows(all, parts, 2, &list));
    assert_int_equal(list.n, 3);
    assert_true(list.at[0].doc == 16 && list.at[1].doc == 17 && list.at[2].doc == 40);
    for (size_t n = 0; n < all.n; n++)
        assert_int_equal(read_rows((twx_slice){all.p, n}, parts, 2, &list), TWX_E_DATA);
    assert_int_equal(read_rows(all, parts, 1, &list), TWX_E_DATA); /* not asked for */
    parts[1].sum++;
    assert_int_equal(read_rows(all, parts, 2, &list), TWX_E_DATA);
    assert_non_null(strstr(cx.message, "pull again"));
    /* a row twice */
    assert_ok(twx_buf_add(&cx, &out, all.p, one));
    parts[1].sum--;
    assert_int_equal(read_rows(twx_buf_slice(&out), parts, 2, &list), TWX_E_DATA);
    /* an error after the rows */
    out.n = all.n;
    assert_ok(twx_buf_add_text(&cx, &out, "Code: 241, e.displayText() = DB::Exception"));
    assert_int_equal(read_rows(twx_buf_slice(&out), parts, 2, &list), TWX_E_DATA);
    TWX_VEC_DONE(&list);
}

/* The answers of all statements, each allocation of reading them failing in turn. */
static twx_rc read_answers(twx_slice remotes, twx_slice sums, twx_slice rows) {
    const twx_preference by_id = {0};
    twx_remote_list list;
    twx_pulled_parts parts = {0};
    twx_flag_row_list flags = {0};
    twx_remote_list_init(&list);
    const twx_flag_home home = {OWN, &list};
    twx_rc rc = twx_remote_list_read(&cx, remotes, OWN, &by_id, &list);
    if (rc == TWX_OK) rc = twx_pulled_parts_read(&cx, sums, &parts);
    if (rc == TWX_OK) rc = twx_pulled_rows_read(&cx, &home, rows, parts.at, parts.n, WIDTH, &flags);
    if (rc == TWX_OK) assert_int_equal(flags.n, 2);
    twx_remote_list_done(&list);
    TWX_VEC_DONE(&parts);
    TWX_VEC_DONE(&flags);
    return rc;
}

TEST(an_allocation_that_fails_is_an_error) {
    const twx_preference by_id = {0};
    const twx_value id = {.type = TWX_TEXT, .bytes = TWX_SLICE_LIT("key")};
    twx_buf remotes = {.max = 1000}, sums;
    twx_rc rc = TWX_E_NOMEM;
    uint64_t fail_at = 1;
    twx_buf_init(&sums, 1000);
    add_remote(&cx, &remotes, (twx_uid){9, 77}, &id, &by_id, 0);
    add_remote(&cx, &remotes, (twx_uid){4, 1}, &id, &by_id, 0);
    const uint64_t first = add_row(17), second = add_row(40);
    const uint64_t numbers[] = {1, first, 2, second};
    for (size_t i = 0; i < TWX_COUNTOF(numbers); i++)
        assert_ok(twx_row_add_number(&cx, &sums, numbers[i], 8));
    for (; rc == TWX_E_NOMEM && fail_at < 100; fail_at++) {
        twx_faults faults = {.fail_at = fail_at};
        twx_ctx_clear(&cx);
        cx.faults = &faults;
        rc = read_answers(twx_buf_slice(&remotes), twx_buf_slice(&sums), twx_buf_slice(&out));
        cx.faults = NULL;
    }
    assert_ok(rc);
    assert_true(fail_at > 5);
    twx_buf_done(&remotes);
    twx_buf_done(&sums);
}

TESTS_WITH(setup, teardown);
