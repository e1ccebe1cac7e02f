/* Laws of the table of detectors. */
#include "detect_fixture.h"

TEST(ids_ascend_and_names_are_unique) {
    const twx_detector *d;
    size_t i = 0;
    for (uint8_t last = 0; (d = twx_detector_at(i)); last = d->id, i++) {
        assert_true(d->id > last);
        for (size_t j = 0; j < i; j++) assert_string_not_equal(twx_detector_at(j)->name, d->name);
    }
    assert_true(i >= 6);
    assert_null(twx_detector_at(i + 1));
}

TEST(a_name_finds_its_row) {
    const twx_detector *d;
    for (size_t i = 0; (d = twx_detector_at(i)); i++)
        assert_ptr_equal(twx_detector_find(d->name), d);
    assert_null(twx_detector_find("igel"));
    assert_null(twx_detector_find(""));
}

TEST(every_row_is_whole) {
    const twx_detector *d;
    for (size_t i = 0; (d = twx_detector_at(i)); i++) {
        assert_true(d->version > 0);
        assert_non_null(d->sign);
        assert_true(d->summary[0] && d->source[0] && d->name[0]);
        for (const char *p = d->name; *p; p++)
            assert_true((*p >= 'a' && *p <= 'z') || *p == '_' || (*p >= '0' && *p <= '9'));
    }
}

TEST(stored_ids_are_what_they_always_were) {
    static const char *const NAMES[] = {"scheme",  "www",   "exact",
                                        "profile", "title", "description"};
    for (size_t i = 0; i < TWX_COUNTOF(NAMES); i++)
        assert_int_equal(twx_detector_find(NAMES[i])->id, i + 1);
}

TEST_OF(fingerprints_differ_by_row_and_by_parameter, fixture *f) {
    const twx_detector *d;
    for (size_t i = 0; (d = twx_detector_at(i)); i++)
        for (size_t j = 0; j < i; j++)
            assert_true(twx_detector_fingerprint(d, &f->params) !=
                        twx_detector_fingerprint(twx_detector_at(j), &f->params));
    twx_params other[3] = {f->params, f->params, f->params};
    other[0].methods.of[TWX_DETECTOR_PROFILE.id][TWX_PROFILE_MIN_TOKEN_LEN] = 3;
    other[1].methods.of[TWX_DETECTOR_PROFILE.id][TWX_PROFILE_QUANT_RATE] = 20000;
    other[2].methods.of[TWX_DETECTOR_PROFILE.id][TWX_PROFILE_DIGEST] = 1;
    for (size_t i = 0; i < TWX_COUNTOF(other); i++) {
        assert_true(twx_detector_fingerprint(&TWX_DETECTOR_PROFILE, &other[i]) !=
                    twx_detector_fingerprint(&TWX_DETECTOR_PROFILE, &f->params));
        assert_true(twx_detector_fingerprint(&TWX_DETECTOR_EXACT, &other[i]) ==
                    twx_detector_fingerprint(&TWX_DETECTOR_EXACT, &f->params));
    }
}

/* Shares are lowered, at most to 0; a distance in bits is not. */
TEST(a_margin_lowers_thresholds) {
    static const struct {
        uint32_t margin, threshold;
    } CASES[] = {{0, 800000}, {50000, 750000}, {800000, 0}, {1000000, 0}};
    const twx_params params = twx_params_default();
    const twx_detector *alignment = twx_detector_find("alignment"),
                       *simhash = twx_detector_find("simhash");
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        const twx_params lower = twx_params_with_margin(&params, alignment, CASES[i].margin);
        assert_int_equal(lower.methods.of[alignment->id][0], CASES[i].threshold);
        const twx_params same = twx_params_with_margin(&params, simhash, CASES[i].margin);
        assert_memory_equal(&same.methods, &params.methods, sizeof same.methods);
    }
}
