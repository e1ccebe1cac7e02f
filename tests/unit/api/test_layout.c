/* twindex.h: programs that were compiled with an earlier version of libtwindex1 still fit. The
 * figures are those of version 1.0.0 on 64-bit systems; a new option takes its place from
 * `reserved`, so that the offset of what is left grows and the size stays. */
#include "support.h"

#include "twindex/twindex.h"

typedef struct layout {
    const char *name;
    size_t size, wanted;
} layout;

#define SIZE(type, wanted) \
    { #type, sizeof(type), wanted }

TEST(structs_keep_their_size) {
    static const layout LAYOUTS[] = {
        SIZE(twindex_setting, 32),
        SIZE(twindex_progress, 32),
        SIZE(twindex_sink, 24),
        SIZE(twindex_detector, 32),
        SIZE(twindex_rules_text, 24),
        SIZE(twindex_pin, 40),
        SIZE(twindex_run_options, 112),
        SIZE(twindex_compare_options, 80),
        SIZE(twindex_similar_options, 80),
        SIZE(twindex_search_options, 120),
        SIZE(twindex_try_options, 160),
        SIZE(twindex_tune_options, 128),
        SIZE(twindex_evaluate_options, 136),
        SIZE(twindex_sweep_options, 136),
        SIZE(twindex_predict_options, 112),
        SIZE(twindex_verify_options, 80),
    };
    if (sizeof(void *) != 8) skip();
    for (size_t i = 0; i < sizeof LAYOUTS / sizeof LAYOUTS[0]; i++)
        if (LAYOUTS[i].size != LAYOUTS[i].wanted)
            fail_msg("%s has %zu bytes, not %zu: take the place of a new field from reserved",
                     LAYOUTS[i].name, LAYOUTS[i].size, LAYOUTS[i].wanted);
}

/* the last field of each struct, which every earlier one precedes */
TEST(fields_keep_their_place) {
    if (sizeof(void *) != 8) skip();
    assert_int_equal(offsetof(twindex_run_options, metrics), 40);
    assert_int_equal(offsetof(twindex_compare_options, limit), 8);
    assert_int_equal(offsetof(twindex_similar_options, limit), 8);
    assert_int_equal(offsetof(twindex_search_options, fts5), 48);
    assert_int_equal(offsetof(twindex_try_options, judgements), 88);
    assert_int_equal(offsetof(twindex_tune_options, fts5), 56);
    assert_int_equal(offsetof(twindex_evaluate_options, also), 64);
    assert_int_equal(offsetof(twindex_sweep_options, csv), 64);
    assert_int_equal(offsetof(twindex_predict_options, evaluate), 42);
    assert_int_equal(offsetof(twindex_verify_options, named), 9);
}
