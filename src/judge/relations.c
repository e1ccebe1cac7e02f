#include "judge/relations.h"

#include "base/flag_table.h"

static const twx_relation SLOTS[TWX_RELATIONS] = {
    [TWX_RELATION_SCHEME] = {"scheme", "scheme", -1, TWX_FLAG_scheme_count, TWX_FLAG_scheme_rep,
                             "the URL but for scheme and www."},
    [TWX_RELATION_WWW] = {"www", "www", -1, TWX_FLAG_www_count, TWX_FLAG_www_rep,
                          "the URL but for www."},
    [TWX_RELATION_EXACT] = {"exact", "exact", TWX_FLAG_exact_sig, TWX_FLAG_exact_count,
                            TWX_FLAG_exact_rep, "the text, byte for byte"},
    [TWX_RELATION_FUZZY] = {"fuzzy", "profile", TWX_FLAG_fuzzy_sig, TWX_FLAG_fuzzy_count,
                            TWX_FLAG_fuzzy_rep, "the text profile"},
    [TWX_RELATION_TITLE] = {"title", "title", TWX_FLAG_title_sig, TWX_FLAG_title_count,
                            TWX_FLAG_title_rep, "the title"},
    [TWX_RELATION_DESCRIPTION] = {"description", "description", TWX_FLAG_description_sig,
                                  TWX_FLAG_description_count, TWX_FLAG_description_rep,
                                  "the description"},
    [TWX_RELATION_NEAR] = {"near", NULL, -1, TWX_FLAG_near_count, TWX_FLAG_near_rep,
                           "nearly the same text"},
    [TWX_RELATION_COPY] = {"copy", NULL, -1, TWX_FLAG_copy_count, TWX_FLAG_copy_rep,
                           "the same or nearly the same text, and the name"},
};

#define COUNT(relation, similarity) +1
_Static_assert(TWX_RELATIONS == TWX_GROUP_TABLE(COUNT), "each relation has groups in the views");
#undef COUNT

const twx_relation *twx_relation_at(size_t slot) {
    return slot < TWX_RELATIONS ? &SLOTS[slot] : 0;
}

twx_relation_id twx_relation_find(twx_slice name) {
    for (int i = 0; i < TWX_RELATIONS; i++)
        if (twx_slice_eq(name, twx_slice_of(SLOTS[i].name)) ||
            (SLOTS[i].detector && twx_slice_eq(name, twx_slice_of(SLOTS[i].detector))))
            return (twx_relation_id)i;
    return TWX_RELATIONS;
}
