/* lab/eval_signed and eval_groups: what a method says of the texts of a small store, and which
 * documents it would hide. */
#include "eval_store.h"

#define SENTENCES                                                                                \
    "the hare and the hedgehog ran a race across the long field of turnips behind the old mill " \
    "and the hedgehog won it with the help of a wife who looked like him in every way "

static const test_row ROWS[] = {
    {"http://a.example/hare", SENTENCES "on monday", 200, NULL},
    {"https://a.example/hare", SENTENCES "on tuesday", 200, NULL},
    {"https://a.example/fish",
     "once a fisherman lived with his wife in a pot by the sea and went "
     "out every day to fish and he fished and fished",
     200, NULL},
    {"http://b.example/hare", SENTENCES "on monday", 200, NULL},
    {"http://c.example/hare", SENTENCES "on friday", 404, NULL},
    {"http://d.example/none", NULL, 200, NULL},
    {"http://e.example/igel", SENTENCES "on sunday", 200, "hares"},
    {"http://e.example/hare", SENTENCES "on a sunday", 200, "hares"},
};

typedef struct fixture {
    eval_store store;
    twx_eval_signed made;
} fixture;

static void setup(fixture *f) {
    eval_store_open(&f->store, ROWS, TWX_COUNTOF(ROWS), NULL);
    assert_ok(twx_eval_sign(&f->store.texts, &f->store.params, &TWX_DETECTOR_ALIGNMENT, &f->made));
}

static void teardown(fixture *f) {
    twx_eval_signed_done(&f->made);
    eval_store_close(&f->store);
}

/* Texts: 0 monday, 1 tuesday, 2 fish, 3 sunday, 4 a sunday. */
TEST_OF(pairs_are_what_shares_a_key_and_verifies, const fixture *f) {
    twx_key room[TWX_CANDIDATE_KEYS_MAX];
    size_t n = 0;
    assert_int_equal(f->store.texts.at.n, 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_true(twx_eval_has_key(&f->made, i));
        assert_true(twx_eval_payload(&f->made, i).n > 0);
        assert_non_null(twx_eval_candidate_keys(&f->made, i, room, &n));
        assert_true(n > 1);
        for (uint32_t k = 0; k < 5; k++) {
            const bool wanted = i == k || (i != 2 && k != 2);
            assert_int_equal(twx_eval_is_pair(&f->made, i, k), wanted);
            assert_int_equal(twx_eval_alike(&f->made, i, k) >= 800000, wanted);
        }
    }
}

/* https is preferred; what is gone, has no text or resembles nothing is alone; of two translations
 * of one page both stay. */
TEST_OF(documents_are_duplicates_of_the_preferred_one, fixture *f) {
    twx_eval_grouped groups = {0};
    assert_ok(twx_eval_groups_of(&f->store.documents, &f->made, &groups));
    assert_int_equal(groups.rep[0], 1);
    assert_int_equal(groups.rep[1], 1);
    assert_int_equal(groups.rep[3], 1);
    assert_int_equal(groups.rep[2], TWX_NO_DOCUMENT);
    assert_int_equal(groups.rep[4], TWX_NO_DOCUMENT);
    assert_int_equal(groups.rep[5], TWX_NO_DOCUMENT);
    assert_true((groups.rep[6] == 1) + (groups.rep[7] == 1) <= 1);
    assert_true(groups.rep[6] == TWX_NO_DOCUMENT || groups.rep[6] != groups.rep[7]);
    assert_int_equal(groups.groups, 1);
    twx_free(groups.rep);
}

/* Keys and payloads that do not fit are refused without a message: the caller leaves the method
 * out. */
TEST_OF(a_method_that_needs_more_memory_is_refused, fixture *f) {
    twx_eval_signed s = {0};
    f->store.settings.run_memory = 64;
    assert_int_equal(twx_eval_sign(&f->store.texts, &f->store.params, &TWX_DETECTOR_ALIGNMENT, &s),
                     TWX_E_LIMIT);
    assert_ok(f->store.cx.rc);
    twx_eval_signed_done(&s);
}

TESTS_OF(fixture, setup, teardown);
