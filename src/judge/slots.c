#include "judge/slots.h"

static const twx_slot SLOTS[TWX_SLOTS] = {
    [TWX_SLOT_SCHEME] = {"scheme", "scheme", -1, TWX_FLAG_scheme_count, TWX_FLAG_scheme_rep,
                         "the URL but for its scheme"},
    [TWX_SLOT_WWW] = {"www", "www", -1, TWX_FLAG_www_count, TWX_FLAG_www_rep,
                      "the URL but for www."},
    [TWX_SLOT_EXACT] = {"exact", "exact", TWX_FLAG_exact_sig, TWX_FLAG_exact_count,
                        TWX_FLAG_exact_rep, "the text, byte for byte"},
    [TWX_SLOT_FUZZY] = {"fuzzy", "profile", TWX_FLAG_fuzzy_sig, TWX_FLAG_fuzzy_count,
                        TWX_FLAG_fuzzy_rep, "the text profile"},
    [TWX_SLOT_TITLE] = {"title", "title", TWX_FLAG_title_sig, TWX_FLAG_title_count,
                        TWX_FLAG_title_rep, "the title"},
    [TWX_SLOT_DESCRIPTION] = {"description", "description", TWX_FLAG_description_sig,
                              TWX_FLAG_description_count, TWX_FLAG_description_rep,
                              "the description"},
    [TWX_SLOT_NEAR] = {"near", NULL, -1, TWX_FLAG_near_count, TWX_FLAG_near_rep,
                       "nearly the same text"},
    [TWX_SLOT_COPY] = {"copy", NULL, -1, TWX_FLAG_copy_count, TWX_FLAG_copy_rep,
                       "nearly the same text, and the representative's own name"},
};

const twx_slot *twx_slot_at(size_t slot) {
    return slot < TWX_SLOTS ? &SLOTS[slot] : 0;
}

twx_slot_id twx_slot_find(twx_slice name) {
    for (int i = 0; i < TWX_SLOTS; i++)
        if (twx_slice_eq(name, twx_slice_of(SLOTS[i].name)) ||
            (SLOTS[i].detector && twx_slice_eq(name, twx_slice_of(SLOTS[i].detector))))
            return (twx_slot_id)i;
    return TWX_SLOTS;
}
