/* text/tokens.h: the words of a text, one by one: longest runs of letters and digits, lower-cased
 * (char_class.h).
 * [R1] Any bytes may come: NUL, invalid UTF-8 and code points from U+10000 separate words.
 * [R2] A word that is lower-case ASCII already is a slice of the text; others are put into `lower`.
 * Linear in the length of the text. */
#ifndef TWX_TEXT_TOKENS_H
#define TWX_TEXT_TOKENS_H

#include <stdint.h>

#include "base/buf.h"

/* Memory: embedded struct. text is borrowed; lower is owned and reused: init once, then start for
 * each text. */
typedef struct twx_tokens {
    const char *at, *end;
    const char *block, *stop; /* the bytes that were classified last: up to 64; stop <= end */
    uint64_t words, wide;     /* bit i: block[i] is an ASCII letter or digit; is not ASCII */
    twx_buf lower;
} twx_tokens;

typedef enum twx_token_kind {
    TWX_TOKEN_PLAIN,  /* lower-case ASCII, a slice of the text */
    TWX_TOKEN_ASCII,  /* ASCII, a slice of the text: may have capitals */
    TWX_TOKEN_LOWERED /* in tokens->lower, until the next call */
} twx_token_kind;

/* Shape  text is never empty. units: its length in UTF-16 code units
 * Memory borrowed as kind says */
typedef struct twx_token {
    twx_slice text;
    size_t units;
    twx_token_kind kind;
    const char *start; /* in the text, as it is written there */
} twx_token;

void twx_tokens_init(twx_tokens *t);
void twx_tokens_done(twx_tokens *t);
void twx_tokens_start(twx_tokens *t, twx_slice text);
/* TWX_DONE behind the last. Errors TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_tokens_next(twx_ctx *cx, twx_tokens *t, twx_token *ret_token);
/* For those who have a faster way to lower-case ASCII: also gives TWX_TOKEN_ASCII; lower() makes
 * the token one of the others. */
TWX_CHECK twx_rc twx_tokens_next_raw(twx_ctx *cx, twx_tokens *t, twx_token *ret_token);
TWX_CHECK twx_rc twx_tokens_lower(twx_ctx *cx, twx_tokens *t, twx_token *token);

#endif
