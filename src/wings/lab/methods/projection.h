/* lab/methods/projection.h: a bag of words as a few numbers: random projection (Johnson and
 * Lindenstrauss) with signs that are bits of each word's hash. Similar bags have similar numbers.
 * [R1] The order of the words does not matter.
 * [R2] Integers only.
 * Shape  value k = sum of tf * sign_k(word) over all words, divided by the root of the sum of tf^2:
 * for unrelated words it has a normal distribution with deviation 1. 1000000 stands for 4 such
 * deviations; values beyond are clipped.
 * Units  millionths, -1000000..1000000. An empty bag gives zeros. tf counts up to 65535. */
#ifndef TWX_LAB_METHODS_PROJECTION_H
#define TWX_LAB_METHODS_PROJECTION_H

#include "lab/methods/link_scores.h"

void twx_project(const twx_bag *bag, int32_t ret_values[TWX_LINK_SCORES]);

#endif
