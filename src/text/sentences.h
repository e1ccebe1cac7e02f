/* text/sentences.h: the sentences of a text, one by one. A sentence ends where the pattern matches,
 * by default at . ! ? and line breaks, runs of them at once.
 * [R1] Any bytes may come. [R2] Sentences are slices of the text in its order, without ASCII white
 * space at both ends, never empty; between two of them, and around them, lies nothing but white
 * space and what ended a sentence.
 * [R3] Linear in the length of the text: the default is a scan of its own; a pattern looks at
 * windows of TWX_SENTENCE_WINDOW bytes, of which it begins its matches in all but the last
 * TWX_SENTENCE_END_MAX. So a match with what it looks ahead at is found for certain when it is no
 * longer than that.
 * [R4] A text cannot fail a run: where a pattern hits PCRE2's limits, the default parts the rest of
 * that text.
 *
 * Patterns are PCRE2 in UTF mode: [.\x{3002}] and a literal U+3002 mean that character, and bytes
 * that are no UTF-8 match nothing. \s, \w and \d are ASCII, a line ends at LF, an empty match ends
 * nothing, lookbehinds see the whole text before.
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
/* TWX_DONE behind the last. Errors TWX_E_NOMEM (a pattern alone). */
TWX_CHECK twx_rc twx_sentences_next(twx_ctx *cx, twx_sentences *s, twx_slice *ret_sentence);
/* Of the pattern as it is spelled; NULL, "" and the default spelled out have one. */
uint64_t twx_sentences_fingerprint(const char *pattern);

#endif
