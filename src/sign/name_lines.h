/* sign/name_lines.h: the short lines of a text, where headings and labelled values are found. If
 * titles are uninformative ("My shop"), the lines immediately before the body name the subject; the
 * menu of a frame may come long before and differs from view to view.
 *
 * A line is represented by a hash of its words, without session ids. A line with a date, a time, a
 * price or a counter ("Visitors: 4711") is not a name, because it differs between retrievals of the
 * page.
 * [R1] The lines depend on the text alone. Time is linear in the part of the text that is
 * searched. */
#ifndef TWX_SIGN_NAME_LINES_H
#define TWX_SIGN_NAME_LINES_H

#include "text/tokens.h"

/* The hash of a line, as name_words.h stores it; *ret_is: the line may be a name. */
TWX_CHECK twx_rc twx_name_line(twx_ctx *cx, twx_tokens *tokens, twx_slice line, uint32_t *ret_line,
                               bool *ret_is);
/* The lines of a text, at most `most` of them: first the short lines before the body, nearest
 * first, then labelled values after it ("Colour: red"). For a text without a body, its first short
 * lines; for a text with markup (markup_words.h), only its first heading. */
TWX_CHECK twx_rc twx_name_lines(twx_ctx *cx, twx_tokens *tokens, twx_slice text, size_t most,
                                uint32_t *ret_lines, uint8_t *ret_n);

#endif
