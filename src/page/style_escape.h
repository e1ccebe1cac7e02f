/* page/style_escape.h: characters of CSS with their escapes (W3C Syntax 3, section 4.3.7). */
#ifndef TWX_PAGE_STYLE_ESCAPE_H
#define TWX_PAGE_STYLE_ESCAPE_H

#include "base/slice.h"

/* Reads the character or escape at s.p[*at], which must be there, and moves *at behind it. Writes
 * UTF-8 and returns its length; a byte of a longer character counts by itself. */
size_t twx_css_unescape(twx_slice s, size_t *at, char ret_bytes[4]);

#endif
