/* lab/methods/imatch.h: the words of a text that distinguish it without being too rare, which
 * imatch and lexrand hash.
 *
 * They are the words of middle idf: normalised idf, ln(N / df) / ln N, from 0.2 to 0.8. That is
 * N^0.2 <= df <= N^0.8; with a, the integer part of the fifth root of N but at least 2: a <= df <=
 * N / a. Of 1 000 documents 3 to 333 hold such a word, of a million 15 to 66 666. A word of a
 * single document is as likely as not a typing error; with fewer than four documents the band is
 * empty.
 * Source: Chowdhury, Frieder, Grossman, McCabe, TOIS 20(2), 2002; its filter also keeps terms by
 * normalised idf. */
#ifndef TWX_LAB_METHODS_IMATCH_H
#define TWX_LAB_METHODS_IMATCH_H

#include "lab/methods/lexicon.h"

/* A text with fewer words of the band has no key, because too many unrelated texts would share
 * it. */
enum { TWX_IMATCH_WORDS_MIN = 5 };

typedef struct twx_df_band {
    uint64_t df_min, df_max; /* empty when df_min > df_max */
} twx_df_band;

twx_df_band twx_middle_band(uint64_t documents);

/* Shape  at[0..n) in byte order; joined: room for their texts and n more bytes, overwritten by each
 * twx_imatch_key()
 * Memory in the workspace's scratch */
typedef struct twx_imatch {
    twx_bag_word *at;
    size_t n;
    char *joined;
} twx_imatch;

/* The text's words of the middle band. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_imatch_words(twx_ctx *cx, twx_workspace *w, const twx_lexicon *lexicon,
                                  twx_slice text, twx_imatch *ret_words);
/* The key is the first 16 bytes of the SHA-256 of the words joined by one space. (The original uses
 * SHA-1.) TWX_DONE: there are fewer than TWX_IMATCH_WORDS_MIN. Errors TWX_E_INTERNAL (OpenSSL
 * failed) */
TWX_CHECK twx_rc twx_imatch_key(twx_ctx *cx, twx_workspace *w, const twx_imatch *words,
                                twx_key *ret_key);

/* Further keys made of the words of the middle band. */
typedef twx_rc twx_imatch_more(twx_ctx *cx, twx_workspace *w, const twx_imatch *words,
                               twx_signature *signature);
/* Adds the key of the text's words and the keys of `more` (NULL: none), unless there is no lexicon
 * or there are too few words. Errors of the two functions above and of more */
TWX_CHECK twx_rc twx_imatch_sign(twx_ctx *cx, twx_workspace *w, const twx_params *params,
                                 twx_slice text, twx_imatch_more *more,
                                 twx_signature *ret_signature);

#endif
