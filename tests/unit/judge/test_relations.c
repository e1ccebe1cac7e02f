#include "judge_fixture.h"

TEST(every_slot_has_a_detector_or_is_configured) {
    for (size_t i = 0; i < TWX_RELATIONS; i++) {
        const twx_relation *slot = twx_relation_at(i);
        assert_int_equal(twx_relation_find(twx_slice_of(slot->name)), i);
        if (i >= TWX_RELATION_NEAR) { /* also copies and editions */
            assert_null(slot->detector);
            continue;
        }
        assert_non_null(twx_detector_find(slot->detector));
        assert_int_equal(twx_relation_find(twx_slice_of(slot->detector)), i);
    }
    assert_null(twx_relation_at(TWX_RELATIONS));
    assert_int_equal(twx_relation_find(TWX_SLICE_LIT("wobble")), TWX_RELATIONS);
    assert_int_equal(twx_relation_find(TWX_SLICE_LIT("")), TWX_RELATIONS);
}

TEST(no_column_belongs_to_two_slots) {
    size_t used[TWX_FLAG_COLUMNS] = {0};
    for (size_t i = 0; i < TWX_RELATIONS; i++) {
        const twx_relation *slot = twx_relation_at(i);
        used[slot->count]++;
        used[slot->rep]++;
        if (slot->sig >= 0) used[slot->sig]++;
    }
    for (size_t c = 0; c < TWX_FLAG_COLUMNS; c++) assert_true(used[c] <= 1);
}
