/* text/tokens.h: splits a text into words: maximal runs of letters and digits, lower-cased
 * (char_class.h).
 * [R1] The text may hold any bytes: NUL, invalid UTF-8 and code points from U+10000 separate words.
 * [R2] A word that is already lower-case ASCII is a slice of the text; others are written to
 * `lower`. Time is linear in the length of the text. */
#ifndef TWX_TEXT_TOKENS_H
#define TWX_TEXT_TOKENS_H

#include <stdint.h>

#include "base/buf.h"

/* Memory: embedded struct. text is borrowed; lower is owned and reused: init once, then start for
 * each text. */
typedef struct twx_tokens {
    const char *at, *end;
    const char *block, *stop; /* the block of up to 64 bytes classified last; stop <= end */
    uint64_t words, wide; /* bit i: block[i] is an ASCII letter or digit; block[i] is not ASCII */
    twx_buf lower;
} twx_tokens;

typedef enum twx_token_kind {
    TWX_TOKEN_PLAIN,  /* lower-case ASCII, a slice of the text */
    TWX_TOKEN_ASCII,  /* ASCII, a slice of the text that may have capitals */
    TWX_TOKEN_LOWERED /* in tokens->lower, until the next call */
} twx_token_kind;

/* Shape  text is never empty. units: its length in UTF-16 code units
 * Memory borrowed, as kind states */
typedef struct twx_token {
    twx_slice text;
    size_t units;
    twx_token_kind kind;
    const char *start; /* the word as written in the text */
} twx_token;

void twx_tokens_init(twx_tokens *t);
void twx_tokens_done(twx_tokens *t);
void twx_tokens_start(twx_tokens *t, twx_slice text);
/* TWX_DONE after the last one. Errors TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_tokens_next(twx_ctx *cx, twx_tokens *t, twx_token *ret_token);
/* For callers with a faster way to lower-case ASCII: may also return TWX_TOKEN_ASCII, which lower()
 * converts into one of the other kinds. */
TWX_CHECK twx_rc twx_tokens_next_raw(twx_ctx *cx, twx_tokens *t, twx_token *ret_token);
TWX_CHECK twx_rc twx_tokens_lower(twx_ctx *cx, twx_tokens *t, twx_token *token);

#endif
