/* text/sentences.h: splits a text into sentences. A sentence ends where a pattern matches, by
 * default at runs of . ! ? and line breaks.
 * [R1] The text may hold any bytes.
 * [R2] Sentences are slices of the text in its order, trimmed of ASCII white space, never empty.
 * Only white space and sentence ends lie between and around them.
 * [R3] Time is linear in the length of the text. The default is a plain scan. A pattern is matched
 * within windows of TWX_SENTENCE_WINDOW bytes; a match may begin anywhere in a window except in
 * its last TWX_SENTENCE_END_MAX bytes. So every match that, with its lookahead, is no longer than
 * that is found.
 * [R4] A text cannot fail a run: where a pattern exceeds PCRE2's limits, the default splits the
 * rest of that text.
 *
 * Patterns are PCRE2 in UTF mode: [.\x{3002}] and a literal U+3002 match that character, and
 * invalid UTF-8 matches nothing. \s, \w and \d are ASCII, a line ends at LF, an empty match is
 * ignored, lookbehinds see all of the preceding text.
 * Memory: owned handle, used by one thread at a time; sentences are borrowed from the text. */
#ifndef TWX_TEXT_SENTENCES_H
#define TWX_TEXT_SENTENCES_H

#include "base/ctx.h"
#include "base/slice.h"

enum { TWX_SENTENCE_PATTERN_MAX = 4096, TWX_SENTENCE_WINDOW = 4096, TWX_SENTENCE_END_MAX = 1024 };

typedef struct twx_sentences twx_sentences;

/* pattern NULL or "": the default. Errors TWX_E_CONFIG (text.sentence_end, with the offset and
 * PCRE2's reason; longer than TWX_SENTENCE_PATTERN_MAX; begins with "(*"), TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_sentences_open(twx_ctx *cx, const char *pattern,
                                    twx_sentences **ret_sentences);
void twx_sentences_close(twx_sentences *s);
void twx_sentences_start(twx_sentences *s, twx_slice text);
/* TWX_DONE after the last one. Errors TWX_E_NOMEM (with a pattern only). */
TWX_CHECK twx_rc twx_sentences_next(twx_ctx *cx, twx_sentences *s, twx_slice *ret_sentence);
/* Fingerprint of the pattern text; NULL, "" and the default pattern have the same one. */
uint64_t twx_sentences_fingerprint(const char *pattern);

#endif
