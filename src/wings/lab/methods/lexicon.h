/* lab/methods/lexicon.h: in how many documents each word occurs (df), how often it occurs in all
 * (cf), the number of documents (N) and their average length (dl_avg). Words are those of
 * sign/bag.h.
 * [R1] The order of adding does not affect the result.
 * [R2] Memory while collecting stays below max_bytes: partial counts go to unnamed temporary files,
 * sorted, and are merged. Words of a single document are not kept: a word that is not found has df
 * 1.
 * Memory: owned handles. One thread at a time uses a maker, any number use a lexicon. */
#ifndef TWX_LAB_METHODS_LEXICON_H
#define TWX_LAB_METHODS_LEXICON_H

#include "sign/bag.h"

typedef struct twx_lexicon_maker twx_lexicon_maker;
typedef struct twx_lexicon twx_lexicon;

typedef struct twx_word_stats {
    uint64_t df, cf;
} twx_word_stats;

/* folder: of temporary files, borrowed; NULL: $TMPDIR or /tmp */
TWX_CHECK twx_rc twx_lexicon_maker_open(twx_ctx *cx, size_t max_bytes, const char *folder,
                                        twx_lexicon_maker **ret_maker);
void twx_lexicon_maker_close(twx_lexicon_maker *m);
/* Adds the words of one document. */
TWX_CHECK twx_rc twx_lexicon_maker_add(twx_lexicon_maker *m, const twx_bag *bag);
/* Ends adding. Errors TWX_E_LIMIT: the words of two or more documents alone exceed max_bytes; the
 * message states how much would suffice. */
TWX_CHECK twx_rc twx_lexicon_make(twx_lexicon_maker *m, twx_lexicon **ret_lexicon);
void twx_lexicon_close(twx_lexicon *l);

uint64_t twx_lexicon_documents(const twx_lexicon *l); /* N */
uint64_t twx_lexicon_words(const twx_lexicon *l);     /* distinct words with df >= 2 */
uint64_t twx_lexicon_length(const twx_lexicon *l);    /* sum of all dl; dl_avg = length / N */
/* An unknown word has df 1 and cf = tf, which the caller passes. */
twx_word_stats twx_lexicon_find(const twx_lexicon *l, const twx_bag_word *word);
/* The words with df >= 2, in order of hash: i < twx_lexicon_words(). */
uint64_t twx_lexicon_at(const twx_lexicon *l, size_t i, twx_word_stats *ret_stats);
/* of all statistics, because the keys depend on them */
uint64_t twx_lexicon_fingerprint(const twx_lexicon *l);

#endif
