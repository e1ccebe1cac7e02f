#include "judge/flags.h"

enum {
    AS_STORED,
    IS_ZERO,
    IS_REPRESENTATIVE,
    OR_ONE,
    NEAR_REPRESENTATIVE,
    COPY_REPRESENTATIVE,
    IS_SURVIVOR
};

static const twx_flag FLAGS[TWX_FLAGS] = {
    {"indexable_b", TWX_FLAG_IS_BOOL, TWX_FLAG_eligibility, IS_ZERO},
    {"http_unique_b", TWX_FLAG_IS_BOOL, TWX_FLAG_http_unique, AS_STORED},
    {"www_unique_b", TWX_FLAG_IS_BOOL, TWX_FLAG_www_unique, AS_STORED},
    {"exact_signature_l", TWX_FLAG_IS_SIGNATURE, TWX_FLAG_exact_sig, AS_STORED},
    {"exact_signature_unique_b", TWX_FLAG_IS_BOOL, TWX_FLAG_exact_rep, IS_REPRESENTATIVE},
    {"exact_signature_copycount_i", TWX_FLAG_IS_COUNT, TWX_FLAG_exact_count, OR_ONE},
    {"fuzzy_signature_l", TWX_FLAG_IS_SIGNATURE, TWX_FLAG_fuzzy_sig, AS_STORED},
    {"fuzzy_signature_unique_b", TWX_FLAG_IS_BOOL, TWX_FLAG_fuzzy_rep, IS_REPRESENTATIVE},
    {"fuzzy_signature_copycount_i", TWX_FLAG_IS_COUNT, TWX_FLAG_fuzzy_count, OR_ONE},
    {"title_signature_l", TWX_FLAG_IS_SIGNATURE, TWX_FLAG_title_sig, AS_STORED},
    {"title_unique_b", TWX_FLAG_IS_BOOL, TWX_FLAG_title_rep, IS_REPRESENTATIVE},
    {"title_copycount_i", TWX_FLAG_IS_COUNT, TWX_FLAG_title_count, OR_ONE},
    {"description_signature_l", TWX_FLAG_IS_SIGNATURE, TWX_FLAG_description_sig, AS_STORED},
    {"description_unique_b", TWX_FLAG_IS_BOOL, TWX_FLAG_description_rep, IS_REPRESENTATIVE},
    {"description_copycount_i", TWX_FLAG_IS_COUNT, TWX_FLAG_description_count, OR_ONE},
    {"near_unique_b", TWX_FLAG_IS_BOOL, TWX_FLAG_near_rep, NEAR_REPRESENTATIVE},
    {"near_copycount_i", TWX_FLAG_IS_COUNT, TWX_FLAG_near_count, AS_STORED},
    {"near_cluster_l", TWX_FLAG_IS_SIGNATURE, TWX_FLAG_near_sig, AS_STORED},
    {"copy_unique_b", TWX_FLAG_IS_BOOL, TWX_FLAG_copy_rep, COPY_REPRESENTATIVE},
    {"copy_copycount_i", TWX_FLAG_IS_COUNT, TWX_FLAG_copy_count, AS_STORED},
    {"copy_cluster_l", TWX_FLAG_IS_SIGNATURE, TWX_FLAG_copy_sig, AS_STORED},
    {"sibling_count_i", TWX_FLAG_IS_COUNT, TWX_FLAG_sibling_count, AS_STORED},
    {"duplicate_type", TWX_FLAG_IS_TYPE, TWX_FLAG_duplicate_type, AS_STORED},
    {"representative_b", TWX_FLAG_IS_BOOL, TWX_FLAG_duplicate_of, IS_SURVIVOR},
    {"duplicate_of", TWX_FLAG_IS_DOC, TWX_FLAG_duplicate_of, AS_STORED},
};

const twx_flag *twx_flag_at(size_t i) {
    return i < TWX_FLAGS ? &FLAGS[i] : 0;
}

static bool takes_part(const twx_flag_row *row) {
    return row->v[TWX_FLAG_eligibility] == 0;
}

bool twx_flag_value(const twx_flag *flag, const twx_flag_row *row, int64_t *ret_value) {
    const bool known = twx_flag_known(row, flag->column),
               near = twx_flag_known(row, TWX_FLAG_near_count),
               copy = twx_flag_known(row, TWX_FLAG_copy_count);
    const int64_t v = row->v[flag->column];
    switch (flag->how) {
    case IS_ZERO: *ret_value = v == 0; return true;
    case IS_REPRESENTATIVE: *ret_value = !known || v == row->doc; return takes_part(row);
    case NEAR_REPRESENTATIVE: *ret_value = !known || v == row->doc; return near;
    case COPY_REPRESENTATIVE: *ret_value = !known || v == row->doc; return copy;
    case OR_ONE: *ret_value = known ? v : 1; return takes_part(row);
    case IS_SURVIVOR: *ret_value = !known; return takes_part(row);
    default: break;
    }
    if (known) *ret_value = v;
    return known;
}

bool twx_flag_differs(const twx_flag *flag, const twx_flag_row *a, const twx_flag_row *b) {
    int64_t x = 0, y = 0;
    const bool has_x = a && twx_flag_value(flag, a, &x), has_y = b && twx_flag_value(flag, b, &y);
    return has_x != has_y || (has_x && x != y);
}

const char *twx_duplicate_type_name(int64_t type) {
    static const char *const NAMES[] = {"full-layout", "full-content", "partial-layout",
                                        "partial-content", "sibling"};
    return type >= 1 && type <= 5 ? NAMES[type - 1] : "?";
}
