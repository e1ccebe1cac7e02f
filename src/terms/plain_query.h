/* terms/plain_query.h: the query language for people, translated to an expression of FTS5.
 *
 *     words           all of them have to occur
 *     "some words"    next to each other, in this order; “ ” « » „ “ are quotes, too
 *     -word -"..."    must not occur
 *     a OR b          one side is enough; words side by side bind closer
 *     wor*            words that begin like this
 *     title:word      in the title; text:word, in the text
 *
 * [R1] There is no syntax error: any other character separates words, and a quote that is not
 * closed is such a character. [R2] A query without a word that has to occur matches nothing. */
#ifndef TWX_TERMS_PLAIN_QUERY_H
#define TWX_TERMS_PLAIN_QUERY_H

#include "base/buf.h"
#include "terms/terms.h"

/* Replaces *out by the expression. */
TWX_CHECK twx_rc twx_plain_query(twx_ctx *cx, twx_terms *terms, twx_slice query, twx_buf *out);

#endif
