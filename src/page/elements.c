#include "page/elements.h"

#include <string.h>

const twx_element TWX_ELEMENT[TWX_TAGS] = {[TWX_TAG_unknown] = {.name = ""},
#define ROW(id, bits, shown, on_start, on_end)       \
    [TWX_TAG_##id] = {.name = #id,                   \
                      .flags = bits,                 \
                      .display = TWX_##shown,        \
                      .start = TWX_START_##on_start, \
                      .end = TWX_END_##on_end},
                                           TWX_ELEMENTS(ROW)
#undef ROW
};

/* By the perfect hash of the names. */
static const unsigned char NAME_SLOT[TWX_ELEMENT_SLOTS] = {TWX_ELEMENT_SLOT_ROWS};

twx_tag twx_tag_of(twx_slice name) {
    char lower[TWX_ELEMENT_NAME_MAX];
    if (name.n == 0 || name.n > TWX_ELEMENT_NAME_MAX) return TWX_TAG_unknown;
    /* TWX_ELEMENTS writes annotation-xml with an underscore */
    for (size_t i = 0; i < name.n; i++) {
        const unsigned char c = (unsigned char)name.p[i];
        lower[i] = c == '-' ? '_' : (char)(c >= 'A' && c <= 'Z' ? c | 32 : c);
    }
    const unsigned slot = TWX_ELEMENT_HASH((unsigned char)lower[0],
                                           (unsigned char)lower[name.n / 2],
                                           (unsigned char)lower[name.n - 1], (unsigned)name.n);
    const twx_tag tag = (twx_tag)NAME_SLOT[slot];
    const char *known = TWX_ELEMENT[tag].name;
    /* a name may contain NUL bytes, so its length is compared first */
    if (strlen(known) != name.n || memcmp(known, lower, name.n) != 0) return TWX_TAG_unknown;
    return memchr(name.p, '_', name.n) ? TWX_TAG_unknown : tag;
}
