/* The collection holds the parts that are asked for, and its fingerprint is theirs. */
#include "collection_fixture.h"

enum {
    ALL = TWX_NEED_LEXICON | TWX_NEED_TERM_SELECTION | TWX_NEED_LINK_SCORES | TWX_NEED_BOILERPLATE,
    PAGES = 5
};

/* The parts that are not empty for these pages; so few give neither selected terms nor
 * boilerplate. */
enum { FILLED = TWX_NEED_LEXICON | TWX_NEED_LINK_SCORES };

static const char *const URLS[PAGES] = {"http://a.example/", "http://a.example/b",
                                        "http://b.example/", "no url", "http://c.example/"};
static const char *const TEXTS[PAGES] = {"apple apple banana", "banana cherry", "", "cherry apple",
                                         "damson"};

/* The pages in this order, with a link from the first to the second. */
static twx_collection made(fixture *f, unsigned needs, const size_t order[PAGES]) {
    twx_collection_maker *maker = NULL;
    twx_collection c;
    assert_ok(TWX_COLLECTING.open(&f->cx, needs, COLLECTION_BYTES, &maker));
    for (size_t i = 0; i < PAGES; i++) {
        twx_url url;
        const twx_slice raw = twx_slice_of(URLS[order[i]]);
        assert_ok(twx_url_normalize(&f->cx, twx_workspace_scratch(f->w), NULL, raw, &url));
        const twx_document doc = {.url = i == 2 ? NULL : &url,
                                  .text = twx_slice_of(TEXTS[order[i]])};
        assert_ok(TWX_COLLECTING.add(maker, f->w, &doc));
        twx_workspace_reset(f->w);
    }
    assert_ok(TWX_COLLECTING.add_link(maker, twx_slice_of(URLS[0]), twx_slice_of(URLS[1])));
    assert_ok(TWX_COLLECTING.make(maker, &c));
    TWX_COLLECTING.close(maker);
    return c;
}

static const size_t FORTH[PAGES] = {0, 1, 2, 3, 4}, BACK[PAGES] = {4, 3, 2, 1, 0};

TEST(there_are_the_parts_that_are_needed) {
    for (unsigned needs = 0; needs <= ALL; needs++) {
        twx_collection c = made(*state, needs, FORTH);
        assert_int_equal(c.lexicon != NULL, (needs & TWX_NEED_LEXICON) != 0);
        assert_int_equal(c.term_selection != NULL, (needs & TWX_NEED_TERM_SELECTION) != 0);
        assert_int_equal(c.link_scores != NULL, (needs & TWX_NEED_LINK_SCORES) != 0);
        assert_int_equal(c.boilerplate != NULL, (needs & TWX_NEED_BOILERPLATE) != 0);
        twx_collection_done(&c);
        assert_null(c.lexicon);
    }
}

TEST(every_document_is_counted) {
    twx_collection c = made(*state, ALL, FORTH);
    assert_int_equal(c.lexicon->documents, PAGES);
    assert_int_equal(c.lexicon->length, 8);
    assert_int_equal(c.lexicon->n, 3); /* apple, banana, cherry */
    assert_int_equal(c.link_scores->links, 1);
    twx_collection_done(&c);
}

TEST(the_fingerprint_is_that_of_the_parts) {
    uint64_t seen[ALL + 1];
    for (unsigned needs = 0; needs <= ALL; needs++) {
        twx_collection forth = made(*state, needs, FORTH), back = made(*state, needs, BACK);
        seen[needs] = forth.fingerprint;
        assert_int_equal(forth.fingerprint, back.fingerprint);
        for (unsigned other = 0; other < needs; other++)
            if ((other ^ needs) & FILLED) assert_true(seen[other] != seen[needs]);
        twx_collection_done(&forth), twx_collection_done(&back);
    }
}

/* All parts, of two pages with a link; stops at the first failure. */
static twx_rc try_all(fixture *f) {
    twx_collection_maker *maker = NULL;
    twx_collection c = {0};
    twx_url url;
    twx_rc rc = TWX_COLLECTING.open(&f->cx, ALL, COLLECTION_BYTES, &maker);
    for (size_t i = 0; i < 2 && rc == TWX_OK; i++) {
        rc = twx_url_normalize(&f->cx, twx_workspace_scratch(f->w), NULL, twx_slice_of(URLS[i]),
                               &url);
        if (rc == TWX_OK)
            rc = TWX_COLLECTING.add(maker, f->w,
                                    &(twx_document){.url = &url, .text = twx_slice_of(TEXTS[i])});
        twx_workspace_reset(f->w);
    }
    if (rc == TWX_OK)
        rc = TWX_COLLECTING.add_link(maker, twx_slice_of(URLS[0]), twx_slice_of(URLS[1]));
    if (rc == TWX_OK) rc = TWX_COLLECTING.make(maker, &c);
    TWX_COLLECTING.close(maker);
    twx_collection_done(&c);
    return rc;
}

TEST_OF(every_allocation_may_fail, fixture *f) {
    twx_faults faults = {.fail_at = 0};
    twx_rc rc = TWX_E_NOMEM;
    f->cx.faults = &faults;
    for (uint64_t nth = 1; rc != TWX_OK; nth++) {
        faults = (twx_faults){.fail_at = nth};
        rc = try_all(f);
        if (rc != TWX_OK && rc != TWX_E_NOMEM)
            fail_msg("allocation %" PRIu64 ": %s", nth, test_rc_name(rc));
        twx_ctx_clear(&f->cx);
        assert_true(nth < 1000);
    }
    f->cx.faults = NULL;
}

TEST(null_is_fine) {
    twx_collection none = {0};
    twx_collection_done(NULL);
    twx_collection_done(&none);
    TWX_COLLECTING.close(NULL);
}
