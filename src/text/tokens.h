/* text/tokens.h: splits a text into words: maximal runs of letters and digits, lower-cased
 * (char_class.h).
 * [R1] The text may hold any bytes: NUL, invalid UTF-8 and code points from U+10000 separate words.
 * [R2] A word that is already lower-case ASCII is a slice of the text; others are written to
 * `lower`. Time is linear in the length of the text. */
#ifndef TWX_TEXT_TOKENS_H
#define TWX_TEXT_TOKENS_H

#include "base/buf.h"
#include "base/byte_block.h"

enum {
    TWX_TOKENS_AHEAD = 4,  /* blocks that are read ahead */
    TWX_TOKENS_CHUNK = 12, /* values that are written at once */
    /* at most every second byte begins a word */
    TWX_TOKENS_MAX = TWX_TOKENS_AHEAD * TWX_BYTE_BLOCK / 2 + 1
};

/* Memory: embedded struct. text is borrowed; lower is owned and reused: init once, then start for
 * each text. */
typedef struct twx_tokens {
    const char *begin, *end; /* of the text */
    const char *at;          /* the end of the word returned last */
    const char *block;       /* the block to be classified next */
    const char *decoded;     /* the end of the character beyond ASCII that was decoded last */
    bool decoded_word;       /* that character is a letter or a digit */
    bool wide;               /* the words read ahead may not be all ASCII */
    uint64_t open;           /* 1: starts[n] is a word that did not end yet */
    size_t next, n;          /* words read ahead: starts[next..n), ends[next..n) */
    size_t starts[TWX_TOKENS_MAX + TWX_TOKENS_CHUNK]; /* offsets in the text */
    size_t ends[TWX_TOKENS_MAX + TWX_TOKENS_CHUNK];
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
 * converts into one of the other kinds. [R3] A word before a byte beyond ASCII is lower-cased too:
 * stored signatures of callers that keep capitals depend on it. */
TWX_CHECK twx_rc twx_tokens_next_raw(twx_ctx *cx, twx_tokens *t, twx_token *ret_token);
TWX_CHECK twx_rc twx_tokens_lower(twx_ctx *cx, twx_tokens *t, twx_token *token);

/* For callers that take many words at once: reads words ahead, and forgets those that were read
 * before. false: there are no more. */
bool twx_tokens_read_ahead(twx_tokens *t);
/* A word that was read ahead, as written; i < t->n. It may not be all ASCII, if t->wide. */
static inline twx_slice twx_tokens_word(const twx_tokens *t, size_t i) {
    return (twx_slice){t->begin + t->starts[i], t->ends[i] - t->starts[i]};
}
/* The lower case of such a word, as TWX_TOKEN_LOWERED. Errors TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_tokens_lower_wide(twx_ctx *cx, twx_tokens *t, twx_slice word,
                                       twx_token *ret_token);

#endif
