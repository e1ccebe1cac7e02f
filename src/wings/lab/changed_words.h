/* lab/changed_words.h: which words the text of a hidden document has that its representative
 * lacks, by a plain alignment (text/text_diff.h). No code is shared with judge/proof.h, whose
 * errors this measure shall see, so nothing is learned of hosts: banners, and what machines put in,
 * count like other words.
 * Words are runs of characters without white space, without the punctuation around them. A place
 * where up to CHANGED_MAX words of one text stand for as many of the other is a *substitution*. It
 * is one of *numbers* if each of the words on both sides has a digit or names a month or weekday,
 * and else one of *words*.
 * Memory: embedded struct, zeroed. */
#ifndef TWX_LAB_CHANGED_WORDS_H
#define TWX_LAB_CHANGED_WORDS_H

#include "lab/findability.h"
#include "lab/finding.h"
#include "text/text_diff.h"

typedef struct twx_changed_words {
    twx_text_diff diff;
    uint64_t words, numbers; /* substitutions */
    bool a_more, b_more;     /* one text has words in a place where the other has none */
    twx_slice a, b;          /* the first substitution of words, borrowed from the texts */
} twx_changed_words;

/* Overwrites all members. Errors TWX_E_NOMEM, those of twx_cancelled() */
TWX_CHECK twx_rc twx_changed_words_of(twx_ctx *cx, twx_slice a, twx_slice b, twx_changed_words *c);
void twx_changed_words_done(twx_changed_words *c);

/* Compares how->sample of the listed hidden documents with their representatives. Sets compared,
 * substitutes, things, substitutions and one_way of the result; lots is scratch afterwards. With -v
 * the words that are substituted are reported. Errors TWX_E_NOMEM, those of reading */
TWX_CHECK twx_rc twx_changed_texts_measure(const twx_job *job, twx_opened *o,
                                           const twx_eval_finding *how, const uint32_t *rep,
                                           twx_eval_lots *lots, twx_findable *result);

#endif
