/* lab/eval_findable, titled_texts, finding: the query of a title, what counts as found, how
 * many visible texts have a title. */
#include "support.h"

#include "lab/lab.h"

enum { DOCUMENTS = 16 };

/* Documents with given texts and titles; nothing else of a store. */
typedef struct fixture {
    twx_eval_document document[DOCUMENTS];
    twx_doc_row row[DOCUMENTS];
    twx_eval_documents documents;
    twx_eval_finding how;
    uint32_t rep[DOCUMENTS];
} fixture;

static void make(fixture *f, const uint32_t *texts, const uint64_t *titles, size_t n) {
    *f = (fixture){.how = {.documents = &f->documents, .seed = 5}};
    for (size_t i = 0; i < n; i++) {
        f->document[i] = (twx_eval_document){.text = texts[i], .title = titles[i]};
        f->row[i].url_key = i * 1000 + 1;
        f->rep[i] = TWX_NO_DOCUMENT;
    }
    f->documents.at.at = f->document;
    f->documents.at.n = n;
    f->documents.docs.at.at = f->row;
    f->documents.docs.at.n = n;
}

TEST(every_word_of_a_title_stands_in_quotes) {
    const struct {
        const char *title, *query;
    } CASES[] = {{"", ""},
                 {" \"AND\" (NEAR* title:", "\"and\" \"near\" \"title\" "},
                 {"mod_proxy \xE2\x80\x94 v2.4", "\"mod\" \"proxy\" \"v2\" \"4\" "}};
    static char words[TWX_QUERY_BYTES * 2];
    twx_tokens tokens;
    twx_buf out = {.max = 1 << 16};
    twx_ctx cx = {0};
    twx_tokens_init(&tokens);
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        assert_int_equal(twx_title_query(&cx, &tokens, twx_slice_of(CASES[i].title), &out), TWX_OK);
        assert_true(twx_slice_eq(twx_buf_slice(&out), twx_slice_of(CASES[i].query)));
    }
    for (size_t i = 0; i < sizeof words; i++) words[i] = i % 5 ? 'x' : ' ';
    assert_int_equal(twx_title_query(&cx, &tokens, (twx_slice){words, sizeof words}, &out), TWX_OK);
    assert_true(out.n <= TWX_QUERY_BYTES && out.n > TWX_QUERY_BYTES - 10 && out.n % 7 == 0);
    twx_buf_done(&out);
    twx_tokens_done(&tokens);
}

/* 0 is represented by 1; 2 has the text of 0, 3 that of 1; 4 is represented by 5; 6 to 9 are
 * others. */
TEST(the_representative_or_an_equal_text_is_found) {
    const uint32_t texts[] = {10, 11, 10, 11, 14, 15, 16, 17, TWX_EVAL_NO_TEXT, 19};
    const uint64_t titles[10] = {0};
    const struct {
        uint32_t hits[6];
        size_t n, top;
        bool found;
    } CASES[] = {{{1}, 1, 10, true},           {{0}, 0, 10, false},
                 {{6, 7, 1}, 3, 3, true},      {{6, 7, 1}, 3, 2, false},
                 {{6, 4, 7, 1}, 4, 3, true}, /* 4 is hidden: it takes no place */
                 {{6, 2}, 2, 10, true},        {{6, 3}, 2, 10, true},
                 {{0, 4, 8, 9}, 4, 10, false}, /* the hidden document itself is not shown */
                 {{6, 7, 9, 5}, 4, 10, false}};
    fixture f;
    make(&f, texts, titles, 10);
    f.rep[0] = f.rep[1] = 1;
    f.rep[4] = f.rep[5] = 5;
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        const twx_title_hits hits = {CASES[i].hits, CASES[i].n};
        if (twx_title_found(&f.how, f.rep, 0, &hits, CASES[i].top) != CASES[i].found)
            fail_msg("case %zu", i);
    }
}

static size_t sharing(const twx_titled_texts *list, uint64_t title) {
    size_t from, to;
    twx_titled_texts_of(list, title, &from, &to);
    for (size_t i = from; i < to; i++) assert_int_equal(list->at[i].title, title);
    return to - from;
}

TEST(visible_texts_of_a_title_are_counted_once) {
    /*                         0  1  2  3  4  5                 6  7 */
    const uint32_t texts[] = {1, 1, 2, 3, 4, TWX_EVAL_NO_TEXT, 6, 1};
    const uint64_t titles[] = {7, 7, 7, 7, 0, 7, 9, 8};
    twx_titled_texts list = {0};
    fixture f;
    twx_ctx cx = {0};
    make(&f, texts, titles, 8);
    f.rep[3] = f.rep[2] = 2;
    assert_int_equal(twx_titled_texts_list(&cx, &f.how, f.rep, &list), TWX_OK);
    assert_int_equal(list.n, 4);
    assert_int_equal(sharing(&list, 7), 2); /* texts 1 and 2; 3 is hidden */
    assert_int_equal(sharing(&list, 8), 1);
    assert_int_equal(sharing(&list, 9), 1);
    assert_int_equal(sharing(&list, 0), 0);
    assert_int_equal(sharing(&list, UINT64_MAX), 0);
    TWX_VEC_DONE(&list);
    make(&f, texts, titles, 0);
    assert_int_equal(twx_titled_texts_list(&cx, &f.how, f.rep, &list), TWX_OK);
    assert_int_equal(sharing(&list, 7), 0);
    TWX_VEC_DONE(&list);
}

TEST(shares_have_an_interval_when_they_are_of_a_sample) {
    assert_false(twx_finding_share(0, 0, 0).known);
    const twx_measure all = twx_finding_share(3, 4, 4), drawn = twx_finding_share(3, 4, 100);
    assert_true(all.known && all.value == 0.75 && all.low == 0.75 && all.high == 0.75);
    assert_true(drawn.known && drawn.value == 0.75 && drawn.low < 0.75 && drawn.high > 0.75);
}
