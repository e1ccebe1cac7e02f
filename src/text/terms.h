/* text/terms.h: the terms under which a text is indexed and a query looked up.
 * [R1] A word of a document with a language (text/stem_language.h) is indexed as its stem, folded,
 * followed by a byte that is the number of the language; also as the stem of the folded word if
 * that is another, so that a query without accents finds it. A word of a document without a
 * language, and a number, is indexed as it is, folded. A word of more than 64 bytes is not stemmed,
 * but has the byte of the language.
 * [R2] A word of a query is looked up as it is, and as the stems that it has in each language of
 * the index. Stems of different languages are never equal, because of that byte.
 * [R3] A Chinese, Japanese or Korean character is indexed alone and together with the next one; in
 * a query, characters that follow each other are looked up in such pairs, the last one alone.
 * [R4] A word before "++" or "#" is also indexed with it (C++, C#), and in a query looked up with
 * it.
 * [R5] All terms of a word have one position; a query and a text with the same words have the same
 * number of positions.
 * Memory: owned handle. One thread at a time. */
#ifndef TWX_TEXT_TERMS_H
#define TWX_TEXT_TERMS_H

#include "base/ctx.h"
#include "base/slice.h"
#include "text/stem_language.h"

/* A change of the terms of any text has to increase it. */
enum { TWX_TERMS_VERSION = 1 };

typedef struct twx_terms twx_terms;

/* Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_terms_open(twx_ctx *cx, twx_terms **ret_terms);
void twx_terms_close(twx_terms *terms);

/* The language of the texts that follow. */
void twx_terms_set_language(twx_terms *terms, unsigned language);
/* The languages in which words of queries are stemmed: bit n for number n. */
enum { TWX_LANGUAGES_ALL = (1 << (TWX_LANGUAGES + 1)) - 2 };
void twx_terms_set_languages(twx_terms *terms, uint32_t languages);
uint32_t twx_terms_languages(const twx_terms *terms);

/* text: borrowed for the call. [from, to): the bytes it stands for. */
typedef struct twx_term {
    twx_slice text;
    size_t from, to;
    bool same_place; /* has the position of the term before it */
} twx_term;

/* Anything but TWX_OK ends the call of twx_terms_each(), which returns it. */
typedef twx_rc twx_term_fn(void *arg, const twx_term *term);
/* The terms of a text or of a part of a query. Errors TWX_E_NOMEM without a message, because FTS5
 * passes on only a number and the terms have no context: a caller with a context adds the message;
 * what fn returns. */
TWX_CHECK twx_rc twx_terms_each(twx_terms *terms, twx_slice text, bool is_query, twx_term_fn *fn,
                                void *arg);

/* Identifies the terms that this program makes: the version, the tables of Unicode, and what the
 * stemmers make of sample words, because libstemmer has no version. Errors TWX_E_NOMEM without a
 * message. */
enum { TWX_TERMS_FINGERPRINT = 48 };
TWX_CHECK twx_rc twx_terms_fingerprint(twx_terms *terms, char ret_text[TWX_TERMS_FINGERPRINT]);

#endif
