/* page/char_refs.h: character references: "&eacute;", "&#233;", "&#xE9;" (HTML standard, sections
 * 13.2.5.72 to 13.2.5.80).
 * [R1] All 2231 names are known; the longest match wins.
 * [R2] In an attribute, a name without a semicolon that is followed by '=', a letter or a digit is
 * not a reference.
 * [R3] The numbers 0x80 to 0x9F stand for windows-1252 characters; zero, surrogates and numbers
 * beyond Unicode stand for U+FFFD. */
#ifndef TWX_PAGE_CHAR_REFS_H
#define TWX_PAGE_CHAR_REFS_H

#include "base/slice.h"

enum { TWX_CHAR_REF_BYTES = 8 }; /* two code points at most */

/* p[0] is '&'. Returns the length of the reference in bytes, or 0 if there is none. Its UTF-8 text
 * is in ret_text[0..*ret_n). */
size_t twx_char_ref(const char *p, const char *end, bool in_attribute,
                    char ret_text[TWX_CHAR_REF_BYTES], size_t *ret_n);

#endif
