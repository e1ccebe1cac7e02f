/* store/remotes.c: documents of other stores that flags refer to, and what the views show of
 * them. */
#include "generations_fixture.h"

static twx_remote remote_of(const char *shard, twx_value id, const char *url) {
    const twx_slice name = twx_slice_of(shard);
    return (twx_remote){.doc = twx_remote_number(name, &id),
                        .shard = name,
                        .id = id,
                        .url = url ? twx_slice_of(url) : (twx_slice){NULL, 0}};
}

static twx_value text(const char *s) {
    return (twx_value){.type = TWX_TEXT, .bytes = twx_slice_of(s)};
}

/* [R1] */
TEST(r1_numbers_lie_in_their_range_and_depend_on_shard_and_id) {
    const twx_value seven = twx_int(7), text_seven = text("7"), eight = twx_int(8);
    const int64_t a = twx_remote_number(TWX_SLICE_LIT("a"), &seven);
    assert_int_equal(a, twx_remote_number(TWX_SLICE_LIT("a"), &seven));
    assert_true(a != twx_remote_number(TWX_SLICE_LIT("b"), &seven));
    assert_true(a != twx_remote_number(TWX_SLICE_LIT("a"), &eight));
    assert_true(a != twx_remote_number(TWX_SLICE_LIT("a"), &text_seven));
    for (int64_t i = 0; i < 10000; i++) {
        const twx_value id = twx_int(i);
        const int64_t doc = twx_remote_number(TWX_SLICE_LIT("shard"), &id);
        assert_true(twx_is_remote(doc) && doc > INT64_MIN);
    }
    assert_false(twx_is_remote(-(INT64_C(1) << 62) + 1));
}

/* What a store of a collection publishes: document 1 stands for itself, 2 and 3 are copies of
 * documents of other stores. */
static void publish(fixture *f, char base, const twx_remote *remotes, size_t n, int64_t run) {
    twx_claim claim = {.token = 1 + run, .base = base, .started_at = 1, .settings = "{}"};
    twx_publication p = {
        .direct = true, .summary = "{}", .collection_run = run, .shard = TWX_SLICE_LIT("here")};
    twx_flag_row rows[3] = {{.doc = 1}, {.doc = 2}, {.doc = 3}};
    for (size_t i = 0; i < 3; i++) {
        twx_flag_set(&rows[i], TWX_FLAG_eligibility, 0);
        twx_flag_set(&rows[i], TWX_FLAG_link_state, 0);
        if (i == 0 || i > n) continue;
        twx_flag_set(&rows[i], TWX_FLAG_duplicate_of, remotes[i - 1].doc);
        twx_flag_set(&rows[i], TWX_FLAG_cluster_count, 2);
        twx_flag_set(&rows[i], TWX_FLAG_exact_rep, remotes[i - 1].doc);
        twx_flag_set(&rows[i], TWX_FLAG_exact_count, 2);
    }
    twx_flag_edit edit = {.rows = rows, .n_rows = 3, .remotes = remotes, .n_remotes = n};
    expect_ok(&f->cx, twx_generation_claim(f->g, &claim));
    while (!twx_flag_edit_is_done(&edit))
        expect_ok(&f->cx, twx_generation_write(f->g, &claim, &edit));
    expect_ok(&f->cx, twx_generation_publish(f->g, &claim, &p));
}

/* Document 2 is a copy of document 2 of another store: the ids collide. */
TEST_OF(the_views_show_the_id_and_the_store_of_a_representative, fixture *f) {
    const twx_remote remotes[] = {remote_of("there", twx_int(2), "https://there/"),
                                  remote_of("elsewhere", text("x'y"), NULL)};
    publish(f, 0, remotes, 2, 70);
    assert_string_equal(text_in(f->path,
                                "SELECT group_concat(id || ':' || coalesce(quote(duplicate_of) || "
                                "'@' || duplicate_of_shard, '-'), ' ') FROM document_flags"),
                        "1:- 2:2@there 3:'x''y'@elsewhere");
    assert_string_equal(text_in(f->path, "SELECT group_concat(exact_signature_unique_b || "
                                         "representative_b, ' ') FROM document_flags"),
                        "11 00 00");
    assert_string_equal(
        text_in(f->path,
                "SELECT group_concat(detector || ' ' || quote(representative) || ' ' || "
                "document || ' ' || representative_shard, ', ') FROM twindex_group_member"),
        "exact 2 2 there, exact 'x''y' 3 elsewhere, verdict 2 2 there, verdict 'x''y' 3 elsewhere");
    assert_string_equal(text_in(f->path, "SELECT count(*) FROM duplicate_groups"), "0");
    assert_string_equal(text_in(f->path, "SELECT group_concat(id || ' ' || quote(alternate_id) || "
                                         "' ' || alternate_shard, ', ') FROM document_alternates"),
                        "2 2 there, 3 'x''y' elsewhere");
}

static void expect_read(fixture *f, char generation, size_t n) {
    twx_remotes_cursor c;
    const twx_remote *row = NULL;
    size_t got = 0;
    int64_t last = INT64_MIN;
    expect_ok(&f->cx, twx_remotes_cursor_init(f->db, generation, &c));
    for (;; got++) {
        expect_ok(&f->cx, twx_remotes_cursor_next(&c, &row));
        if (!row) break;
        assert_true(row->doc > last);
        last = row->doc;
    }
    assert_int_equal(got, n);
    twx_remotes_cursor_done(&c);
}

TEST_OF(rows_come_in_order_and_belong_to_a_generation, fixture *f) {
    enum { MANY = 3000 };
    static twx_remote remotes[MANY];
    twx_remote got = {0};
    twx_claim claim = {.token = 5, .settings = "{}"};
    expect_read(f, 0, 0);
    expect_read(f, 'a', 0);
    for (int64_t i = 0; i < MANY; i++) remotes[i] = remote_of("there", twx_int(i), "https://x/");
    expect_ok(&f->cx, twx_generation_claim(f->g, &claim));
    twx_flag_edit edit = {.remotes = remotes, .n_remotes = MANY};
    while (!twx_flag_edit_is_done(&edit))
        expect_ok(&f->cx, twx_generation_write(f->g, &claim, &edit));
    expect_read(f, 'a', MANY);
    expect_read(f, 'b', 0);
    expect_ok(&f->cx, twx_remote_get(f->db, 'a', remotes[7].doc, &f->bytes, &got));
    assert_true(twx_remote_eq(&got, &remotes[7]));
    assert_int_equal(twx_remote_get(f->db, 'b', remotes[7].doc, &f->bytes, &got), TWX_DONE);
    assert_int_equal(twx_remote_get(f->db, 'a', 7, &f->bytes, &got), TWX_DONE);
    const int64_t gone[] = {remotes[7].doc, remotes[8].doc};
    edit = (twx_flag_edit){.gone_remotes = gone, .n_gone_remotes = 2};
    expect_ok(&f->cx, twx_generation_write(f->g, &claim, &edit));
    expect_read(f, 'a', MANY - 2);
}

/* Another program may have dropped one of them. */
TEST_OF(tables_that_are_missing_are_made, fixture *f) {
    static const char *const TABLES[] = {"twindex_remote", "twindex_collection"};
    const twx_remote remote = remote_of("there", twx_int(9), "https://there/");
    twx_store_place m;
    publish(f, 0, &remote, 1, 70);
    for (size_t i = 0; i < TWX_COUNTOF(TABLES); i++) {
        char sql[100];
        snprintf(sql, sizeof sql, "DROP TABLE %s", TABLES[i]);
        test_exec_in(f->path, sql);
        expect_ok(&f->cx, twx_remotes_put(f->db, 'a', &remote, 1));
        expect_ok(&f->cx, twx_store_place_set(f->db, 'a', TWX_SLICE_LIT("here"), 70));
        expect_read(f, 'a', 1);
        expect_ok(&f->cx, twx_store_place_read(f->db, &f->bytes, &m));
        assert_int_equal(m.run[0], 70);
    }
}

static bool finds(fixture *f, const char *shard, twx_value id, const twx_remote *remote) {
    twx_remote got = {0};
    const twx_rc rc = twx_remote_find(f->db, 'a', twx_slice_of(shard), &id, &f->bytes, &got);
    if (rc == TWX_OK) assert_true(twx_remote_eq(&got, remote));
    return rc == TWX_OK;
}

/* Values of different types are different ids, whatever SQL takes for equal. */
TEST_OF(rows_are_found_by_ids_of_all_types, fixture *f) {
    const twx_remote remotes[] = {
        remote_of("there", twx_int(1), "https://there/1"),
        remote_of("there", text("1"), "https://there/2"),
        remote_of("there", (twx_value){.type = TWX_REAL, .r = 1.0}, "https://there/3"),
        remote_of("there", (twx_value){.type = TWX_REAL, .r = -0.5}, NULL),
        remote_of("there", (twx_value){.type = TWX_BLOB, .bytes = TWX_SLICE_LIT("1")}, NULL)};
    publish(f, 0, remotes, 0, 70);
    expect_ok(&f->cx, twx_remotes_put(f->db, 'a', remotes, TWX_COUNTOF(remotes)));
    for (size_t i = 0; i < TWX_COUNTOF(remotes); i++) {
        assert_true(finds(f, "there", remotes[i].id, &remotes[i]));
        assert_false(finds(f, "elsewhere", remotes[i].id, &remotes[i]));
        for (size_t k = 0; k < TWX_COUNTOF(remotes); k++)
            assert_int_equal(twx_remote_eq(&remotes[i], &remotes[k]), i == k);
    }
    assert_false(finds(f, "there", twx_int(2), NULL));
    assert_false(finds(f, "there", (twx_value){.type = TWX_REAL, .r = 0.5}, NULL));
}

TEST_OF(a_store_that_is_run_alone_again_is_a_plain_store, fixture *f) {
    const twx_remote remote = remote_of("there", twx_int(9), "https://there/");
    const int64_t gone = remote.doc;
    twx_store_place m;
    expect_ok(&f->cx, twx_store_place_read(f->db, &f->bytes, &m));
    assert_null(m.shard.p);
    publish(f, 0, &remote, 1, 70);
    publish(f, 'a', &remote, 1, 71);
    expect_ok(&f->cx, twx_store_place_read(f->db, &f->bytes, &m));
    assert_true(twx_slice_eq(m.shard, TWX_SLICE_LIT("here")));
    assert_true(m.run[0] == 70 && m.run[1] == 71);
    twx_claim claim = {.token = 5, .base = 'b', .settings = "{}"};
    twx_flag_edit edit = {.gone_remotes = &gone, .n_gone_remotes = 1};
    expect_ok(&f->cx, twx_generation_claim(f->g, &claim));
    expect_ok(&f->cx, twx_generation_write(f->g, &claim, &edit));
    const twx_publication alone = {.direct = true, .summary = "{}"};
    expect_ok(&f->cx, twx_generation_publish(f->g, &claim, &alone));
    expect_ok(&f->cx, twx_store_place_read(f->db, &f->bytes, &m));
    assert_true(m.run[0] == 0 && m.run[1] == 71 && m.shard.n == 4);
    assert_string_equal(text_in(f->path, "SELECT instr(sql, 'twindex_remote') FROM sqlite_schema "
                                         "WHERE name = 'document_flags'"),
                        "0");
}

TEST_OF(what_another_program_has_put_there_is_no_document, fixture *f) {
    twx_remote got;
    const twx_remote remote = remote_of("there", twx_int(9), NULL);
    publish(f, 0, &remote, 1, 70);
    expect_ok(&f->cx,
              twx_db_script(f->db, "INSERT INTO twindex_remote VALUES ('a', 3, 's', 1, 0)"));
    twx_remotes_cursor c;
    const twx_remote *row = NULL;
    expect_ok(&f->cx, twx_remotes_cursor_init(f->db, 'a', &c));
    expect_fail(&f->cx, twx_remotes_cursor_next(&c, &row), TWX_E_CORRUPT, "invalid row (doc 3)");
    twx_remotes_cursor_done(&c);
    expect_ok(&f->cx, twx_remote_get(f->db, 'a', remote.doc, &f->bytes, &got));
}
