#include "judge_fixture.h"

TEST(every_relation_has_a_detector_or_is_configured) {
    for (size_t i = 0; i < TWX_RELATIONS; i++) {
        const twx_relation *relation = twx_relation_at(i);
        assert_int_equal(twx_relation_find(twx_slice_of(relation->name)), i);
        if (i >= TWX_RELATION_NEAR) { /* also copies and editions */
            assert_null(relation->detector);
            continue;
        }
        assert_non_null(twx_detector_find(relation->detector));
        assert_int_equal(twx_relation_find(twx_slice_of(relation->detector)), i);
    }
    assert_null(twx_relation_at(TWX_RELATIONS));
    assert_int_equal(twx_relation_find(TWX_SLICE_LIT("wobble")), TWX_RELATIONS);
    assert_int_equal(twx_relation_find(TWX_SLICE_LIT("")), TWX_RELATIONS);
}

TEST(no_column_belongs_to_two_relations) {
    size_t used[TWX_FLAG_COLUMNS] = {0};
    for (size_t i = 0; i < TWX_RELATIONS; i++) {
        const twx_relation *relation = twx_relation_at(i);
        used[relation->count]++;
        used[relation->rep]++;
        if (relation->sig >= 0) used[relation->sig]++;
    }
    for (size_t c = 0; c < TWX_FLAG_COLUMNS; c++) assert_true(used[c] <= 1);
}
