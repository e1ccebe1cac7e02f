/* lab/eval_documents and eval_texts: which documents take part, and their different texts. */
#include "eval_store.h"

static const test_row ROWS[] = {
    {"https://a.example/1", "one text", 200, NULL}, {"https://a.example/2", "another", 0, NULL},
    {"http://a.example/1", "one text", 200, NULL},  {"https://a.example/3", NULL, 200, NULL},
    {"https://a.example/4", "gone", 404, NULL},     {"https://b.example/1", "one text", 200, NULL},
    {"https://a.example/5", "", 200, NULL},
};

static void setup(eval_store *s) {
    eval_store_open(s, ROWS, TWX_COUNTOF(ROWS), NULL);
}

/* The page that is gone takes no part; two pages have no text. */
TEST_OF(equal_texts_are_one_and_what_takes_no_part_is_counted, const eval_store *s) {
    static const uint32_t TEXT[] = {
        0, 1, 0, TWX_EVAL_NO_TEXT, TWX_EVAL_NO_TEXT, 0, TWX_EVAL_NO_TEXT};
    assert_int_equal(s->documents.at.n, 7);
    assert_int_equal(s->documents.taking_part, 6);
    for (uint32_t i = 0; i < 7; i++) {
        assert_int_equal(twx_eval_takes_part(&s->documents, i), i != 4);
        assert_int_equal(s->documents.at.at[i].text, TEXT[i]);
    }
    assert_int_equal(s->texts.documents, 7);
    assert_int_equal(s->texts.not_taking_part, 1);
    assert_int_equal(s->texts.without_text, 2);
    assert_int_equal(s->texts.at.n, 2);
    assert_int_equal(s->texts.bytes, strlen("one text") + strlen("another"));
    assert_int_equal(s->texts.at.at[0].documents, 3);
    assert_true(twx_eval_pairs_within(&s->texts, 0) == 3);
    assert_true(twx_eval_pairs_within(&s->texts, 1) == 0);
}

TEST_OF(a_document_is_found_by_its_id, const eval_store *s) {
    for (int64_t id = 0; id <= 8; id++) {
        const twx_value value = {.type = TWX_INT, .i = id};
        const uint32_t wanted = id >= 1 && id <= 7 ? (uint32_t)(id - 1) : TWX_NO_DOCUMENT;
        assert_int_equal(twx_eval_document_of(&s->documents, &value), wanted);
    }
}

static twx_rc meet_text(void *arg, uint32_t i, const twx_source_row *row) {
    uint32_t *next = arg;
    assert_int_equal(i, *next);
    assert_true(twx_slice_eq(twx_bytes_of(&row->value[TWX_COL_TEXT]),
                             twx_slice_of(i == 0 ? "one text" : "another")));
    ++*next;
    return TWX_OK;
}

TEST_OF(texts_are_read_again_in_order_and_one_by_one, eval_store *s) {
    uint32_t met = 0;
    twx_buf out = {.max = 1000};
    assert_ok(twx_eval_texts_each(&s->texts, meet_text, &met));
    assert_int_equal(met, 2);
    assert_ok(twx_eval_text_fetch(&s->texts, 1, &out));
    assert_ok(twx_eval_text_fetch(&s->texts, 0, &out));
    assert_true(twx_slice_eq(twx_buf_slice(&out), TWX_SLICE_LIT("anotherone text")));
    twx_buf_done(&out);
}

/* A figure of a mixture of old and new texts would be wrong without a sign of it. */
TEST_OF(a_text_that_changed_meanwhile_is_left_out, eval_store *s) {
    uint32_t met = 0;
    twx_buf out = {.max = 1000};
    eval_store_sql(s, "UPDATE pages SET content = 'changed' WHERE id = 2");
    assert_ok(twx_eval_text_fetch(&s->texts, 0, &out));
    assert_int_equal(twx_eval_text_fetch(&s->texts, 1, &out), TWX_DONE);
    assert_int_equal(out.n, strlen("one text"));
    assert_ok(twx_eval_texts_each(&s->texts, meet_text, &met));
    assert_int_equal(met, 1);
    assert_int_equal(twx_eval_texts_changed(&s->texts), 1);
    assert_false(twx_eval_text_changed(&s->texts, 0));
    assert_true(twx_eval_text_changed(&s->texts, 1));
    twx_buf_done(&out);
}

/* Row 1 is the first of the first text; the text has two other documents, which are not tried. */
TEST_OF(rows_that_come_and_go_do_not_move_the_others, eval_store *s) {
    uint32_t met = 1; /* the next text that meet_text() expects */
    eval_store_sql(s, "DELETE FROM pages WHERE id = 1; INSERT INTO pages(id, url, content) VALUES "
                      "(-1, 'https://a.example/new', 'another'), (9, 'https://a.example/9', 'x')");
    assert_ok(twx_eval_texts_each(&s->texts, meet_text, &met));
    assert_int_equal(met, 2);
    assert_true(twx_eval_text_changed(&s->texts, 0));
    assert_false(twx_eval_text_changed(&s->texts, 1));
}

/* The texts are read after the documents. */
TEST_OF(documents_that_went_before_the_texts_were_read_have_none, eval_store *s) {
    twx_eval_texts texts = {0};
    const twx_eval_reading how = {.documents = &s->documents};
    eval_store_sql(s, "DELETE FROM pages WHERE id IN (1, 7); INSERT INTO pages(id, url, content) "
                      "VALUES (8, 'https://a.example/8', 'a third')");
    assert_ok(twx_eval_texts_read(&how, &texts));
    assert_int_equal(texts.documents, 5);
    assert_int_equal(texts.at.n, 2);
    assert_int_equal(texts.at.at[0].document, 1); /* 'another' */
    assert_int_equal(texts.at.at[1].document, 2); /* 'one text' */
    assert_int_equal(s->documents.at.at[2].text, 1);
    twx_eval_texts_done(&texts);
}

TEST_OF(a_text_that_is_left_out_has_no_signature, eval_store *s) {
    twx_eval_signed made;
    eval_store_sql(s, "UPDATE pages SET content = 'changed' WHERE id = 1");
    assert_ok(twx_eval_sign(&s->texts, &s->params, twx_detector_find("exact"), &made));
    assert_false(twx_eval_has_key(&made, 0));
    assert_true(twx_eval_has_key(&made, 1));
    twx_eval_signed_done(&made);
}

TESTS_OF(eval_store, setup, eval_store_close);
