/* The keys under which URLs meet that differ in scheme, or in www., alone. */
#include "detect_fixture.h"

static const char *twin_hex(fixture *f, const twx_detector *d, twx_slice text) {
    twx_url url;
    assert_ok(twx_url_normalize(&f->cx, twx_workspace_scratch(f->w), NULL, text, &url));
    return fixture_hex(f, d, &(twx_document){.url = &url});
}

static void check_vector(fixture *f, char **fields) {
    const twx_slice url = fixture_unescape(fields[1]);
    const char *hex = twin_hex(f, &TWX_DETECTOR_SCHEME, url);
    if (strcmp(hex, fields[3]) != 0)
        fail_msg("scheme '%s': %s, expected %s", fields[0], hex, fields[3]);
    hex = twin_hex(f, &TWX_DETECTOR_WWW, url);
    if (strcmp(hex, fields[5]) != 0)
        fail_msg("www '%s': %s, expected %s", fields[0], hex, fields[5]);
}

TEST(vectors) {
    assert_true(fixture_vectors(*state, "url_twins.tsv", 6, check_vector) >= 10);
}

TEST(an_absent_or_unusable_url_has_no_twin) {
    const twx_url broken = {.fault = TWX_URL_BAD_HOST};
    assert_string_equal(fixture_hex(*state, &TWX_DETECTOR_SCHEME, &(twx_document){.url = NULL}),
                        "");
    assert_string_equal(fixture_hex(*state, &TWX_DETECTOR_WWW, &(twx_document){.url = &broken}),
                        "");
}

TEST_OF(a_change_of_steps_makes_stored_keys_stale, fixture *f) {
    twx_params steps = f->params;
    steps.url.steps = TWX_URL_STEP_SESSION;
    assert_true(twx_detector_fingerprint(&TWX_DETECTOR_WWW, &steps) !=
                twx_detector_fingerprint(&TWX_DETECTOR_WWW, &f->params));
}
