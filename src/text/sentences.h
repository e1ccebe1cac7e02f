/* text/sentences.h: the sentences of a text, one by one. A sentence ends where the pattern matches, by default at . ! ? and
 * line breaks, runs of them at once.
 * [R1] Any bytes may come. [R2] Sentences are slices of the text, without white space at both ends, never empty.
 * [R3] Linear in the length of the text for the default pattern; a pattern that hits PCRE2's match limit is an error that
 * names it. Memory: owned handle, used by one thread at a time; sentences are borrowed from the text. */
#ifndef TWX_TEXT_SENTENCES_H
#define TWX_TEXT_SENTENCES_H

#include "base/ctx.h"
#include "base/slice.h"

typedef struct twx_sentences twx_sentences;

/* pattern NULL or "": the default. Errors TWX_E_CONFIG (text.sentence_end, with the offset and PCRE2's reason), TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_sentences_open(twx_ctx *cx, const char *pattern, twx_sentences **ret_sentences);
void twx_sentences_close(twx_sentences *s);
void twx_sentences_start(twx_sentences *s, twx_slice text);
/* TWX_DONE behind the last. Errors TWX_E_LIMIT. */
TWX_CHECK twx_rc twx_sentences_next(twx_ctx *cx, twx_sentences *s, twx_slice *ret_sentence);
uint64_t twx_sentences_fingerprint(const char *pattern);

#endif
