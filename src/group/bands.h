/* group/bands.h: the bands of a sketch of 128 bytes. A band is a few of its bytes; two sketches
 * that are equal in all bytes of a band are candidates.
 *
 * Bytes of unrelated sketches agree once in 256, so in a collection of n texts a text shares a band
 * of b bytes with n / 256^b strangers, and with k bands it meets k n / 256^b. Therefore the number
 * of bytes grows with the collection, and the number of bands with it, because a band of more bytes
 * is shared less often by similar texts, too: bytes agree with probability p = J + (1 - J) / 256
 * for texts that share J of their shingles, and a band of b bytes is shared with p^b. There are not
 * enough bytes for that many disjoint bands, so the bands overlap: any two have at most one byte in
 * common (three at 5 bytes).
 *
 * A collection has the first plan that is large enough for the number of its documents, so the
 * plan changes at five sizes only. Short texts have more bands, because those at the threshold
 * share fewer shingles; sign/alignment.h says when a text is short. Strangers: simulated, for 5
 * bytes computed, for the largest collection of a plan, all of whose texts have 40 random words,
 * with the sketches of sign/pair_sketch.h. Found, in percent: simulated with 20 000 pairs of
 * sketches of 39 shingles, of which the texts share J; for a long text J = .40. A change of the
 * plans bumps TWX_JUDGE_VERSION. The last row of short texts is interpolated between the
 * simulations of 768 and 1 024 bands.
 *
 *     documents, up to   bands of all   of short texts   strangers   J = .32   .37   .39   long .40
 *                7 900     42 of 3          64 of 2         7.9       99.97   100     100     95.4
 *              730 000     42 of 3         128 of 3         7.9       99.5    99.97   100     95.4
 *            2 800 000     42 of 3         384 of 4         7.8       98.9    99.9    99.98   95.4
 *           43 000 000    128 of 4         512 of 4         7.8       99.4    99.97   100     95.8
 *        4 500 000 000    512 of 5       1 024 of 5         7.9       97.3    99.8    99.97   98.2
 *             no limit    512 of 5         320 of 5   9.5 at 10^10    89      98.3    99.4    98.2
 */
#ifndef TWX_GROUP_BANDS_H
#define TWX_GROUP_BANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TWX_SKETCH_BYTES = 128,
    TWX_BAND_BYTES_MAX = 5,
    TWX_BAND_SECTIONS = 2,
    TWX_BANDS_MAX = 1536 /* of a text */
};

/* Bands of one length. */
typedef struct twx_band_section {
    uint8_t bytes;      /* of a band */
    bool disjoint;      /* a band is a run of bytes */
    uint16_t all, more; /* bands of all texts, and those that only short texts have */
} twx_band_section;

typedef struct twx_band_plan {
    uint64_t documents; /* for at most so many */
    twx_band_section section[TWX_BAND_SECTIONS];
} twx_band_plan;

/* The places of a band's bytes. */
typedef struct twx_band {
    uint8_t bytes, at[TWX_BAND_BYTES_MAX];
    bool of_short; /* only short texts have it */
} twx_band;

/* [R1] The plan depends on the number of documents alone. */
const twx_band_plan *twx_band_plan_for(uint64_t documents);
/* The number of bands of a short text. */
size_t twx_band_count(const twx_band_plan *plan);
twx_band twx_band_of(const twx_band_plan *plan, size_t number);
/* The bytes of the band in a sketch, the first one highest. */
uint64_t twx_band_value(const twx_band *band, const unsigned char sketch[TWX_SKETCH_BYTES]);

#endif
