/* detect/name_lines.h: the short lines of a text, which is where headings and labelled values
 * stand. Where titles say nothing ("My shop"), the lines right before the body name the thing: a
 * frame's menu may come long before, and differs from view to view.
 *
 * A line is a hash of its words. Session ids are left out. A line with a date, a time, a price or a
 * counter ("Visitors: 4711") is no name: it differs from one retrieval of a page to the next.
 * [R1] The lines depend on the text alone. Linear in the part of the text that is looked at. */
#ifndef TWX_DETECT_NAME_LINES_H
#define TWX_DETECT_NAME_LINES_H

#include "text/tokens.h"

/* The hash of a line, as name_words.h keeps it; *ret_is: it may be a name. */
TWX_CHECK twx_rc twx_name_line(twx_ctx *cx, twx_tokens *tokens, twx_slice line, uint32_t *ret_line,
                               bool *ret_is);
/* Those of a text: first the short lines before the body, the nearest first, then labelled values
 * after it ("Colour: red"); of a text without a body the first; of a text with markup
 * (markup_words.h) its first heading alone. At most `most` into ret_lines. */
TWX_CHECK twx_rc twx_name_lines(twx_ctx *cx, twx_tokens *tokens, twx_slice text, size_t most,
                                uint32_t *ret_lines, uint8_t *ret_n);

#endif
