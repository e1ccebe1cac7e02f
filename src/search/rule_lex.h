/* search/rule_lex.h: the tokens of a rules file, and its numbers. */
#ifndef TWX_SEARCH_RULE_LEX_H
#define TWX_SEARCH_RULE_LEX_H

#include "base/ctx.h"
#include "base/slice.h"

/* The lexer of rule files.
 * [R1] Tokens: words (letters, digits, '_', '.', '-', '*', '?' and non-ASCII characters; '-' does
 * not begin one), texts in double quotes (with \" and \\), names of numbers ($ and a word), the
 * operators of queries and functions,
 * the end of a line, the end of the file. '[name]' at the beginning of a line is a section. '#'
 * outside quotes begins a comment.
 * [R2] Invalid UTF-8 and control characters are errors.
 * [R3] Columns count characters, from 1.
 * Memory: embedded struct; the text is borrowed, tokens point into it. */
typedef enum twx_rule_token_kind {
    TWX_RULE_END,     /* of the file */
    TWX_RULE_LINE,    /* the end of a line */
    TWX_RULE_SECTION, /* text: the name */
    TWX_RULE_WORD,
    TWX_RULE_QUOTED,      /* text: between the quotes, escapes as written */
    TWX_RULE_NUMBER_NAME, /* $name; text: the name */
    TWX_RULE_AND,
    TWX_RULE_OR,
    TWX_RULE_NOT,
    TWX_RULE_PLUS,
    TWX_RULE_MINUS,
    TWX_RULE_OPEN, /* ( */
    TWX_RULE_CLOSE,
    TWX_RULE_FROM,   /* [ */
    TWX_RULE_BEHIND, /* { */
    TWX_RULE_UP_TO,  /* ] */
    TWX_RULE_BEFORE, /* } */
    TWX_RULE_COLON,
    TWX_RULE_COMMA,
    TWX_RULE_CARET,
    TWX_RULE_CARET_CONSTANT /* ^= */
} twx_rule_token_kind;

typedef struct twx_rule_token {
    twx_rule_token_kind kind;
    twx_slice text;
    size_t at, end;       /* byte offsets in the file */
    size_t line, line_at; /* its line, from 1, and where that begins */
} twx_rule_token;

typedef struct twx_rule_lexer {
    twx_ctx *cx;
    const char *name; /* of the file, for messages */
    twx_slice text;
    size_t at, line, line_at; /* line_at: where the line begins */
    bool begun;               /* a token of this line has been read */
} twx_rule_lexer;

twx_rule_lexer twx_rule_lexer_of(twx_ctx *cx, const char *name, twx_slice text);
/* Errors TWX_E_CONFIG with "name:line:column: reason". After the end it returns the end again. */
TWX_CHECK twx_rc twx_rule_next(twx_rule_lexer *lexer, twx_rule_token *ret_token);
/* The number of characters before the token on its line, plus one. It is counted only for messages:
 * a line may have as many tokens as bytes. */
size_t twx_rule_token_column(const twx_rule_lexer *lexer, const twx_rule_token *token);
/* Fails with "name:line:column: reason" for a token. */
twx_rc twx_rule_fail(const twx_rule_lexer *lexer, const twx_rule_token *token, const char *fmt, ...)
    TWX_PRINTF(3, 4);

/* The numbers of rules, independent of the locale: digits with an optional
 * fraction and exponent ("1", ".5", "2.5e-3"). The sign is a separate token. */
enum { TWX_RULE_NUMBER_BYTES = 32 };

/* false: not a number, more than 18 digits, or outside 1e-30 to 1e30 (and not 0). */
bool twx_rule_real(twx_slice text, double *ret_value);
/* An integer; negative: preceded by a minus sign. false: not an integer, or outside 64 bits. */
bool twx_rule_integer(twx_slice text, bool negative, int64_t *ret_value);
/* Formatted so that SQL reads back the same bits; a point or an exponent makes it a real number,
 * parentheses keep the sign. */
void twx_rule_real_sql(double value, char ret_text[TWX_RULE_NUMBER_BYTES]);

#endif
