#include "group/bands.h"

/* Overlapping bands: offset set number k / 128 moved by a number of bytes, modulo 128. The
 * differences within all sets of one length are distinct modulo 128, so two bands have at most one
 * byte in common; of 5 bytes each difference is used up to three times. Found by random search. */
static const uint8_t OFFSETS3[][3] = {{0, 10, 91}, {0, 99, 1}};
static const uint8_t OFFSETS4[][4] = {
    {0, 81, 102, 126}, {0, 57, 37, 8}, {0, 113, 53, 18}, {0, 127, 77, 111}, {0, 92, 114, 44}};
static const uint8_t OFFSETS5[][5] = {
    {0, 94, 11, 4, 108},   {0, 85, 75, 20, 47},  {0, 34, 58, 62, 42},  {0, 33, 109, 102, 18},
    {0, 77, 127, 17, 102}, {0, 58, 59, 18, 27},  {0, 109, 17, 27, 14}, {0, 83, 37, 93, 91},
    {0, 72, 105, 3, 7},    {0, 119, 54, 15, 16}, {0, 98, 112, 62, 32}, {0, 119, 49, 80, 116}};

static const twx_band_plan PLANS[] = {
    {7900, {{3, true, 42, 0}, {2, true, 0, 64}}},
    {730000, {{3, true, 42, 0}, {3, false, 0, 128}}},
    {2800000, {{3, true, 42, 0}, {4, false, 0, 384}}},
    {43000000, {{4, false, 128, 512}}},
    {4500000000, {{5, false, 512, 1024}}},
    {UINT64_MAX, {{5, false, 512, 320}}},
};

enum { STEP = 37 /* odd: few bands of a set still take all bytes */ };

const twx_band_plan *twx_band_plan_for(uint64_t documents) {
    const twx_band_plan *plan = PLANS;
    while (plan->documents < documents) plan++;
    return plan;
}

static size_t bands_in(const twx_band_section *s) {
    return (size_t)s->all + s->more;
}

size_t twx_band_count(const twx_band_plan *plan) {
    size_t n = 0;
    for (size_t i = 0; i < TWX_BAND_SECTIONS; i++) n += bands_in(&plan->section[i]);
    return n;
}

static const uint8_t *offsets_of(size_t bytes, size_t set) {
    return bytes == 3 ? OFFSETS3[set] : bytes == 4 ? OFFSETS4[set] : OFFSETS5[set];
}

twx_band twx_band_of(const twx_band_plan *plan, size_t number) {
    const twx_band_section *s = plan->section;
    for (; number >= bands_in(s); s++) number -= bands_in(s);
    twx_band band = {.bytes = s->bytes, .of_short = number >= s->all};
    const size_t moved = number % TWX_SKETCH_BYTES * STEP % TWX_SKETCH_BYTES;
    for (size_t i = 0; i < s->bytes; i++)
        band.at[i] = (uint8_t)(s->disjoint
                                   ? number * s->bytes + i
                                   : (moved + offsets_of(s->bytes, number / TWX_SKETCH_BYTES)[i]) %
                                         TWX_SKETCH_BYTES);
    return band;
}

uint64_t twx_band_value(const twx_band *band, const unsigned char sketch[TWX_SKETCH_BYTES]) {
    uint64_t value = 0;
    for (size_t i = 0; i < band->bytes; i++) value = value << 8 | sketch[band->at[i]];
    return value;
}
