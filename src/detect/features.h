/* detect/features.h: the words that describe documents, with their thresholds, for descriptive_words (Ilyinsky, Kuzmin,
 * Melkov, Segalovich 2002). Chosen from statistics of the collection: see features.c.
 * [R1] The order of adding never shows. Memory: owned handles; maker: one thread, features: any number. */
#ifndef TWX_DETECT_FEATURES_H
#define TWX_DETECT_FEATURES_H

#include "detect/bag.h"

typedef struct twx_features_maker twx_features_maker;
typedef struct twx_features twx_features;

TWX_CHECK twx_rc twx_features_maker_open(twx_ctx *cx, size_t max_bytes, twx_features_maker **ret_maker);
void twx_features_maker_close(twx_features_maker *m);
TWX_CHECK twx_rc twx_features_maker_add(twx_features_maker *m, const twx_bag *bag);
TWX_CHECK twx_rc twx_features_make(twx_features_maker *m, twx_features **ret_features);
void twx_features_close(twx_features *f);
size_t twx_features_words(const twx_features *f);
/* Number of the word's feature, 0-based, and its threshold in millionths of normalised tf; false: the word is none. */
bool twx_features_find(const twx_features *f, uint64_t word_hash, uint32_t *ret_feature, uint32_t *ret_threshold_ppm);
uint64_t twx_features_fingerprint(const twx_features *f);

#endif
