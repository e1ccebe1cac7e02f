/* text/plain_query.h: the query language for people, translated to an expression of FTS5.
 *
 *     some words      all of them have to occur
 *     "some words"    the words next to each other, in this order; “ ” « » „ “ are quotes, too
 *     -word -"..."    the word or phrase must not occur
 *     a OR b          at least one side has to match; words without OR bind more tightly
 *     wor*            any word that begins with these letters
 *     title:word      the word has to occur in the title; text:word: in the text
 *
 * [R1] There is no syntax error: any other character separates words, and a quote that is not
 * closed is such a character. [R2] A query without a word that has to occur matches nothing. */
#ifndef TWX_TEXT_PLAIN_QUERY_H
#define TWX_TEXT_PLAIN_QUERY_H

#include "base/buf.h"
#include "text/terms.h"

/* Replaces *out by the expression. */
TWX_CHECK twx_rc twx_plain_query(twx_ctx *cx, twx_terms *terms, twx_slice query, twx_buf *out);
/* The same phrases in the same order, but the expression matches whatever has one of them, excluded
 * ones too. */
TWX_CHECK twx_rc twx_plain_phrases(twx_ctx *cx, twx_terms *terms, twx_slice query, twx_buf *out);

#endif
