/* lab/methods/term_selection.h: the words that describe documents, with their thresholds, for
 * descriptive_words (Ilyinsky, Kuzmin, Melkov, Segalovich 2002). They are chosen from statistics of
 * the collection: see term_selection.c.
 * [R1] The order of adding does not affect the result.
 * Memory: owned handles; one thread at a time uses a maker, any number use a selection. */
#ifndef TWX_LAB_METHODS_TERM_SELECTION_H
#define TWX_LAB_METHODS_TERM_SELECTION_H

#include "sign/bag.h"

typedef struct twx_term_selection_maker twx_term_selection_maker;
typedef struct twx_term_selection twx_term_selection;

TWX_CHECK twx_rc twx_term_selection_maker_open(twx_ctx *cx, size_t max_bytes,
                                               twx_term_selection_maker **ret_maker);
void twx_term_selection_maker_close(twx_term_selection_maker *m);
TWX_CHECK twx_rc twx_term_selection_maker_add(twx_term_selection_maker *m, const twx_bag *bag);
TWX_CHECK twx_rc twx_term_selection_make(twx_term_selection_maker *m,
                                         twx_term_selection **ret_selection);
void twx_term_selection_close(twx_term_selection *f);
size_t twx_term_selection_words(const twx_term_selection *f);
/* The index of the word in the selection, from 0, and its threshold in millionths of normalised tf;
 * false: the word was not selected. */
bool twx_term_selection_find(const twx_term_selection *f, uint64_t word_hash, uint32_t *ret_feature,
                             uint32_t *ret_threshold_ppm);
uint64_t twx_term_selection_fingerprint(const twx_term_selection *f);

#endif
