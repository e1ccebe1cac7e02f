#include "page/elements.h"

#include <string.h>

#include "page/elements_data.h"

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

twx_tag twx_tag_of(twx_slice name) {
    char lower[NAME_MAX_BYTES];
    if (name.n == 0 || name.n > NAME_MAX_BYTES) return TWX_TAG_unknown;
    /* the table writes annotation-xml with an underscore */
    for (size_t i = 0; i < name.n; i++) {
        const unsigned char c = (unsigned char)name.p[i];
        lower[i] = c == '-' ? '_' : (char)(c >= 'A' && c <= 'Z' ? c | 32 : c);
    }
    const unsigned slot = NAME_HASH((unsigned char)lower[0], (unsigned char)lower[name.n / 2],
                                    (unsigned char)lower[name.n - 1], (unsigned)name.n);
    const twx_tag tag = (twx_tag)NAME_SLOT[slot];
    const char *known = TWX_ELEMENT[tag].name;
    /* a name may contain NUL bytes, so its length is compared first */
    if (strlen(known) != name.n || memcmp(known, lower, name.n) != 0) return TWX_TAG_unknown;
    return memchr(name.p, '_', name.n) ? TWX_TAG_unknown : tag;
}
