/* base/hash.c against the values of its authors, and against those of a ClickHouse server. */
#include "support.h"

#include "base/base.h"

/* Appendix A of the paper, and the first of the vectors that its authors publish with their code:
 * key 00 01 ... 0f, message 00 01 ... of n bytes. */
TEST(values_of_the_authors) {
    static const struct {
        size_t n;
        uint64_t hash;
    } VECTORS[] = {{0, UINT64_C(0x726fdb47dd0e0e31)},
                   {1, UINT64_C(0x74f839c593dc67fd)},
                   {7, UINT64_C(0xab0200f58b01d137)},
                   {8, UINT64_C(0x93f5f5799a932462)},
                   {15, UINT64_C(0xa129ca6149be45e5)}};
    char message[16];
    for (size_t i = 0; i < sizeof message; i++) message[i] = (char)i;
    for (size_t i = 0; i < TWX_COUNTOF(VECTORS); i++)
        assert_true(twx_sip_hash((twx_slice){message, VECTORS[i].n}, UINT64_C(0x0706050403020100),
                                 UINT64_C(0x0f0e0d0c0b0a0908)) == VECTORS[i].hash);
}

/* SELECT sipHash64('abc') */
TEST(values_of_clickhouse) {
    assert_true(twx_sip_hash(TWX_SLICE_LIT("abc"), 0, 0) == UINT64_C(4596069200710135518));
}
