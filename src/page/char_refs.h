/* page/char_refs.h: character references: "&eacute;", "&#233;", "&#xE9;" (HTML standard, sections
 * 13.2.5.72 to 13.2.5.80).
 * [R1] All 2231 names; the longest one wins. [R2] Without a semicolon, a name in an attribute that
 * is followed by '=' or a letter or digit is no reference. [R3] Numbers: 0x80 to 0x9F mean
 * windows-1252; zero, surrogates and what is beyond Unicode mean U+FFFD. */
#ifndef TWX_PAGE_CHAR_REFS_H
#define TWX_PAGE_CHAR_REFS_H

#include "base/slice.h"

enum { TWX_CHAR_REF_BYTES = 8 }; /* two code points at most */

/* p[0] is '&'. Returns the bytes of the reference, 0: it is none; its UTF-8 is in
 * ret_text[0..*ret_n). */
size_t twx_char_ref(const char *p, const char *end, bool in_attribute,
                    char ret_text[TWX_CHAR_REF_BYTES], size_t *ret_n);

#endif
