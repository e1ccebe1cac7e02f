#include "judge_fixture.h"

static const twx_flag *flag_named(const char *name) {
    for (size_t i = 0; i < TWX_FLAGS; i++)
        if (strcmp(twx_flag_at(i)->name, name) == 0) return twx_flag_at(i);
    fail_msg("no flag %s", name);
    return NULL;
}

/* INT64_MIN: NULL */
static void expect(const twx_flag_row *row, const char *name, int64_t wanted) {
    int64_t v = INT64_MIN;
    if (!twx_flag_value(flag_named(name), row, &v)) v = INT64_MIN;
    if (v != wanted) fail_msg("%s is %" PRId64 ", not %" PRId64, name, v, wanted);
}

static const int64_t NONE = INT64_MIN;

TEST(a_document_alone_is_unique_and_counts_one) {
    twx_flag_row row = {.doc = 5};
    twx_flag_set(&row, TWX_FLAG_eligibility, TWX_ELIGIBLE);
    expect(&row, "indexable_b", 1);
    expect(&row, "exact_signature_l", NONE);
    expect(&row, "exact_signature_unique_b", 1);
    expect(&row, "exact_signature_copycount_i", 1);
    expect(&row, "title_unique_b", 1);
    expect(&row, "near_unique_b", NONE); /* no near detector is configured */
    expect(&row, "near_copycount_i", NONE);
    expect(&row, "representative_b", 1);
    expect(&row, "duplicate_of", NONE);
    expect(&row, "duplicate_type", NONE);
}

TEST(a_copy_is_not_and_its_representative_is) {
    twx_flag_row row = {.doc = 5};
    twx_flag_set(&row, TWX_FLAG_eligibility, TWX_ELIGIBLE);
    twx_flag_set(&row, TWX_FLAG_exact_rep, 3);
    twx_flag_set(&row, TWX_FLAG_exact_count, 4);
    twx_flag_set(&row, TWX_FLAG_fuzzy_rep, 5);
    twx_flag_set(&row, TWX_FLAG_fuzzy_count, 2);
    twx_flag_set(&row, TWX_FLAG_near_sig, 77);
    twx_flag_set(&row, TWX_FLAG_near_count, 1);
    twx_flag_set(&row, TWX_FLAG_duplicate_of, 3);
    twx_flag_set(&row, TWX_FLAG_duplicate_type, 2);
    expect(&row, "exact_signature_unique_b", 0);
    expect(&row, "exact_signature_copycount_i", 4);
    expect(&row, "fuzzy_signature_unique_b", 1);
    expect(&row, "fuzzy_signature_copycount_i", 2);
    expect(&row, "near_unique_b", 1);
    expect(&row, "near_copycount_i", 1);
    expect(&row, "near_cluster_l", 77);
    expect(&row, "representative_b", 0);
    expect(&row, "duplicate_of", 3);
    expect(&row, "duplicate_type", 2);
}

TEST(a_near_copy_is_known_by_its_count) {
    twx_flag_row row = {.doc = 5};
    twx_flag_set(&row, TWX_FLAG_eligibility, TWX_ELIGIBLE);
    twx_flag_set(&row, TWX_FLAG_near_count, 3);
    twx_flag_set(&row, TWX_FLAG_near_rep, 4);
    expect(&row, "near_unique_b", 0);
    expect(&row, "near_copycount_i", 3);
    expect(&row, "near_cluster_l", NONE);
    twx_flag_set(&row, TWX_FLAG_near_rep, 5);
    expect(&row, "near_unique_b", 1);
}

TEST(documents_that_do_not_take_part_have_no_flags_but_the_survivor) {
    twx_flag_row row = {.doc = 5};
    twx_flag_set(&row, TWX_FLAG_eligibility, TWX_CANONICALISED);
    twx_flag_set(&row, TWX_FLAG_exact_sig, -9);
    twx_flag_set(&row, TWX_FLAG_duplicate_of, 3);
    for (size_t i = 0; i < TWX_FLAGS; i++) {
        const twx_flag *f = twx_flag_at(i);
        int64_t v = 0;
        const bool shown = strcmp(f->name, "indexable_b") == 0 ||
                           strcmp(f->name, "exact_signature_l") == 0 ||
                           f->column == TWX_FLAG_page_class || strcmp(f->name, "duplicate_of") == 0;
        if (twx_flag_value(f, &row, &v) != shown) fail_msg("%s", f->name);
    }
    expect(&row, "indexable_b", 0);
    expect(&row, "exact_signature_l", -9);
    expect(&row, "duplicate_of", 3);
    expect(&row, "error_page_b", 0);
    twx_flag_set(&row, TWX_FLAG_page_class, TWX_PAGE_CONSENT);
    expect(&row, "error_page_b", 1);
    twx_flag_set(&row, TWX_FLAG_page_class, TWX_PAGE_LISTING);
    expect(&row, "error_page_b", 0);
}

TEST(types_have_names) {
    static const twx_flag TYPE = {.kind = TWX_FLAG_IS_TYPE}, COUNT = {.kind = TWX_FLAG_IS_COUNT};
    char room[TWX_EDITION_NUMBER_TEXT];
    assert_null(twx_flag_at(TWX_FLAGS));
    assert_null(twx_flag_word(&COUNT, 1, room));
    assert_string_equal(twx_flag_word(&TYPE, 1, room), "full-layout");
    assert_string_equal(twx_flag_word(&TYPE, 2, room), "full-content");
    assert_string_equal(twx_flag_word(&TYPE, 3, room), "partial-layout");
    assert_string_equal(twx_flag_word(&TYPE, 4, room), "partial-content");
    assert_string_equal(twx_flag_word(&TYPE, 0, room), "?");
    assert_string_equal(twx_flag_word(&TYPE, 5, room), "sibling");
    assert_string_equal(twx_flag_word(&TYPE, 6, room), "?");
    const twx_flag of_page = {.kind = TWX_FLAG_IS_TYPE, .column = TWX_FLAG_page_class};
    assert_string_equal(twx_flag_word(&of_page, 0, room), "page");
    assert_string_equal(twx_flag_word(&of_page, 6, room), "empty");
    assert_string_equal(twx_flag_word(&of_page, 7, room), "?");
}
