#include "lab/methods/projection.h"

#include "base/hash64.h"

enum { MILLION = 1000000, DEVIATION = MILLION / 4, TF_MAX = UINT16_MAX, ROOT_BITS = 8 };

static const uint64_t SIGN_SEED = 0x7369676E; /* "sign" */

/* The largest r with r * r <= x. */
static uint64_t root(uint64_t x) {
    uint64_t r = 0;
    for (uint64_t bit = UINT64_C(1) << 31; bit > 0; bit >>= 1)
        if ((r | bit) * (r | bit) <= x) r |= bit;
    return r;
}

void twx_project(const twx_bag *bag, int32_t ret_values[TWX_LINK_SCORES]) {
    int64_t sums[TWX_LINK_SCORES] = {0};
    uint64_t squares = 0; /* below 2^46: tf is clipped, and a text has less than 2^30 words */
    for (size_t i = 0; i < bag->n; i++) {
        const uint32_t tf = bag->at[i].tf < TF_MAX ? bag->at[i].tf : TF_MAX;
        const uint64_t signs = twx_mix64(bag->at[i].hash, SIGN_SEED);
        for (int k = 0; k < TWX_LINK_SCORES; k++)
            sums[k] += signs >> k & 1 ? (int64_t)tf : -(int64_t)tf;
        squares += (uint64_t)tf * tf;
    }
    const int64_t length = (int64_t)root(squares << 2 * ROOT_BITS);
    for (int k = 0; k < TWX_LINK_SCORES; k++) {
        int64_t value = length ? sums[k] * DEVIATION * (1 << ROOT_BITS) / length : 0;
        if (value > MILLION) value = MILLION;
        if (value < -MILLION) value = -MILLION;
        ret_values[k] = (int32_t)value;
    }
}
