/* cluster/flag_text.c: documents of other shards get numbers; damaged answers are refused. */
#include "remote_fixture.h"

static const twx_preference BY_ID = {.https = true};
enum { OWN = 7 };

static twx_ctx cx;
static twx_buf answer;
static twx_remote_list list;

static void setup(void) {
    twx_ctx_clear(&cx);
    twx_buf_init(&answer, 1 << 20);
    twx_remote_list_init(&list);
}

static void teardown(void) {
    twx_buf_done(&answer);
    twx_remote_list_done(&list);
}

static void add(uint32_t shard, int64_t doc, twx_value id, uint32_t bits) {
    add_remote(&cx, &answer, (twx_uid){shard, doc}, &id, &BY_ID, bits);
}

static twx_rc read_all(twx_slice rows) {
    twx_remote_list_done(&list);
    twx_remote_list_init(&list);
    twx_ctx_clear(&cx);
    return twx_remote_list_read(&cx, rows, OWN, &BY_ID, &list);
}

TEST(uids_are_written_and_read) {
    static const twx_uid UIDS[] = {{1, 0}, {65535, -1}, {258, INT64_MAX}, {3, INT64_MIN + 1}};
    unsigned char bytes[TWX_UID_BYTES];
    for (size_t i = 0; i < TWX_COUNTOF(UIDS); i++) {
        twx_uid_write(UIDS[i], bytes);
        const twx_uid read = twx_uid_read((const char *)bytes);
        assert_true(read.shard == UIDS[i].shard && read.doc == UIDS[i].doc);
    }
    twx_uid_write((twx_uid){0x0102, 5}, bytes); /* as sql/cluster has it */
    assert_memory_equal(bytes, "\x01\x02\x80\0\0\0\0\0\0\5", TWX_UID_BYTES);
}

TEST(documents_have_the_numbers_of_their_ids) {
    const twx_value key = {.type = TWX_TEXT, .bytes = TWX_SLICE_LIT("key\0 5")};
    add(9, 5, key, TWX_FACT_WEB | TWX_FACT_HTTPS);
    add(2, 41, id_of(41), TWX_FACT_WEB | TWX_FACT_WWW);
    assert_ok(read_all(twx_buf_slice(&answer)));
    const twx_remote_entry *a = twx_remote_list_of_uid(&list, (twx_uid){9, 5}),
                           *b = twx_remote_list_of_uid(&list, (twx_uid){2, 41});
    assert_true(a && b && twx_remote_list_of_uid(&list, (twx_uid){2, 5}) == NULL);
    assert_true(a->remote.doc == twx_remote_number(TWX_SLICE_LIT("9"), &key));
    assert_true(twx_slice_eq(a->remote.id.bytes, key.bytes) && !a->remote.url.p);
    assert_true(twx_slice_eq(b->remote.shard, TWX_SLICE_LIT("2")) && b->remote.id.i == 41);
    assert_true(a->form == 0 && b->form == (TWX_FORM_SCHEME | TWX_FORM_WWW));
    assert_true(twx_remote_list_of_number(&list, b->remote.doc) == b);
    assert_true(twx_remote_list_of_number(&list, 41) == NULL);
    const twx_remote_rows rows = twx_remote_list_rows(&list);
    twx_remote row, last = {.doc = INT64_MIN};
    for (int pass = 0; pass < 2; pass++) {
        assert_ok(rows.rewind(rows.arg));
        for (size_t i = 0; i < 2; i++) {
            assert_ok(rows.next(rows.arg, &row));
            assert_true(i == 0 || row.doc > last.doc);
            last = row;
        }
        assert_int_equal(rows.next(rows.arg, &row), TWX_DONE);
    }
}

/* Two uids with one id: nothing but a server that is wrong sends them. */
TEST(numbers_are_distinct) {
    for (int64_t doc = 1; doc <= 3; doc++) add(9, doc, id_of(1), 0);
    assert_ok(read_all(twx_buf_slice(&answer)));
    const int64_t number = twx_remote_number(TWX_SLICE_LIT("9"), &(twx_value){TWX_INT, 1, 0, {0}});
    for (int64_t k = 0; k < 3; k++) assert_non_null(twx_remote_list_of_number(&list, number - k));
}

TEST(r2_answers_that_are_cut_are_refused) {
    size_t good = 0;
    add(9, 5, id_of(5), 0);
    const size_t first = answer.n;
    add(9, 6, id_of(6), 0);
    for (size_t n = 0; n <= answer.n; n++) {
        const twx_rc rc = read_all((twx_slice){answer.p, n});
        const bool whole = n == 0 || n == first || n == answer.n;
        if (rc != (whole ? TWX_OK : TWX_E_DATA)) fail_msg("%zu bytes: %s", n, test_rc_name(rc));
        good += rc == TWX_OK;
    }
    assert_int_equal(good, 3);
}

TEST(r2_wrong_rows_are_refused) {
    add(OWN, 5, id_of(5), 0); /* not of another shard */
    assert_int_equal(read_all(twx_buf_slice(&answer)), TWX_E_DATA);
    twx_buf_clear(&answer);
    add(9, 5, id_of(5), 0);
    add(9, 5, id_of(5), 0); /* twice */
    assert_int_equal(read_all(twx_buf_slice(&answer)), TWX_E_DATA);
    twx_buf_clear(&answer);
    add(9, 5, id_of(5), 0);
    answer.p[3] ^= 1; /* the rank ends with another uid */
    assert_int_equal(read_all(twx_buf_slice(&answer)), TWX_E_DATA);
    /* an error that follows the rows */
    answer.p[3] ^= 1;
    assert_ok(twx_buf_add_text(&cx, &answer, "Code: 241, e.displayText() = DB::Exception"));
    assert_int_equal(read_all(twx_buf_slice(&answer)), TWX_E_DATA);
}

TESTS_WITH(setup, teardown);
