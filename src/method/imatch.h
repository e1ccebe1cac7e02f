/* method/imatch.h: the words of a text that tell it from others without being too rare: what imatch
 * and lexrand hash.
 *
 * The band of middle idf: normalised idf, ln(N / df) / ln N, from 0.2 to 0.8. That is N^0.2 <= df
 * <= N^0.8; with a, the whole part of the fifth root of N but at least 2: a <= df <= N / a. Of 1
 * 000 documents 3 to 333 hold such a word, of a million 15 to 66 666. A word of one document is a
 * typing error as often as not; with fewer than four documents there is no band.
 * Source: Chowdhury, Frieder, Grossman, McCabe, TOIS 20(2), 2002; its filter keeps terms by
 * normalised idf as well. */
#ifndef TWX_METHOD_IMATCH_H
#define TWX_METHOD_IMATCH_H

#include "corpus/lexicon.h"

/* Texts with fewer words of the band have no key: too many strangers would share it. */
enum { TWX_IMATCH_WORDS_MIN = 5 };

typedef struct twx_band {
    uint64_t df_min, df_max; /* empty when df_min > df_max */
} twx_band;

twx_band twx_middle_band(uint64_t documents);

/* Shape  at[0..n) in order of bytes; joined: room for their texts and n bytes more, overwritten by
 * each twx_imatch_key()
 * Memory in the workspace's scratch */
typedef struct twx_imatch {
    twx_bag_word *at;
    size_t n;
    char *joined;
} twx_imatch;

/* The text's words of the middle band. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_imatch_words(twx_ctx *cx, twx_workspace *w, const twx_lexicon *lexicon,
                                  twx_slice text, twx_imatch *ret_words);
/* Of the first 16 bytes of the SHA-256 of the words joined by one space. (The original takes
 * SHA-1.) TWX_DONE: there are fewer than TWX_IMATCH_WORDS_MIN. Errors TWX_E_INTERNAL (OpenSSL
 * failed) */
TWX_CHECK twx_rc twx_imatch_key(twx_ctx *cx, twx_workspace *w, const twx_imatch *words,
                                twx_key *ret_key);

#endif
