#include "text/stem_language.h"

#include <string.h>

#include "stem_languages_table.h"

/* Codes of ISO 639-1, 639-2/T and 639-2/B, separated by blanks. */
static const struct { const char *name, *codes; } LANGUAGES[TWX_LANGUAGES] = {LANGUAGE_ROWS};

/* The part of a tag before its region or script. */
static twx_slice primary(twx_slice tag) {
    size_t n = 0;
    tag = twx_slice_trim(tag);
    while (n < tag.n && twx_is_alpha((unsigned char)tag.p[n])) n++;
    return twx_slice_sub(tag, 0, n);
}

static bool has_code(const char *codes, twx_slice code) {
    const twx_slice all = twx_slice_of(codes);
    for (size_t from = 0, to; from < all.n; from = to + 1) {
        to = twx_slice_find(all, ' ', from);
        if (twx_slice_eq_nocase(twx_slice_sub(all, from, to), code)) return true;
    }
    return false;
}

unsigned twx_stem_language(twx_slice declared) {
    const twx_slice code = primary(declared);
    for (unsigned i = 0; code.n > 1 && i < TWX_LANGUAGES; i++)
        if (has_code(LANGUAGES[i].codes, code) ||
            twx_slice_eq_nocase(twx_slice_of(LANGUAGES[i].name), code))
            return i + 1;
    return TWX_LANGUAGE_NONE;
}

const char *twx_stem_language_name(unsigned language) {
    return language && language <= TWX_LANGUAGES ? LANGUAGES[language - 1].name : NULL;
}
