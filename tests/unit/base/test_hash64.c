/* base/hash: hashes that are stored on disk. Their values are pinned here: when a vector fails,
 * the hash has changed, and every store written before would have to be signed anew. */
#include "support.h"

#include "base/base.h"

#define SEED UINT64_C(0x123456789ABCDEF0)

/* Byte i of the vectors' input is i * 131 + 7; lengths lie around XXH3's changes of method. */
static const char *pattern(void) {
    static char bytes[2000];
    for (int i = 0; i < 2000; i++) bytes[i] = (char)(i * 131 + 7);
    return bytes;
}

static const struct {
    size_t n;
    uint64_t seed, hash, wide_lo, wide_hi;
} VECTORS[] = {
    {0, 0, UINT64_C(0x2D06800538D394C2), UINT64_C(0x6001C324468D497F),
     UINT64_C(0x99AA06D3014798D8)},
    {1, 0, UINT64_C(0x4C5CCA45D0F4811F), UINT64_C(0x4C5CCA45D0F4811F),
     UINT64_C(0x495B62073EF70CA4)},
    {3, 0, UINT64_C(0x6E3E2670E61106AC), UINT64_C(0x6E3E2670E61106AC),
     UINT64_C(0x390CDC5B4A895DD7)},
    {4, 0, UINT64_C(0x5C4C63133443D03F), UINT64_C(0x3D668AF6F2A44D77),
     UINT64_C(0xAA6E2F274640A3F4)},
    {8, 0, UINT64_C(0xF9FD4DD0B04D78F5), UINT64_C(0x61DDBE7F31A6100D),
     UINT64_C(0x6A86A3BDA6AF4E3D)},
    {9, 0, UINT64_C(0x7C20DF9712C26EDF), UINT64_C(0x8C7B67FD458A936B),
     UINT64_C(0x664C7CA18AFD6255)},
    {16, 0, UINT64_C(0x86ABF6BACCEA0858), UINT64_C(0xE2CE54A7C19C730D),
     UINT64_C(0x7F9A218B0425449A)},
    {17, 0, UINT64_C(0xB58BF5DC5022D071), UINT64_C(0x8D96EF110FCDEBB4),
     UINT64_C(0x66FC23F6439DBD77)},
    {128, 0, UINT64_C(0x10D17F72C0CCBA41), UINT64_C(0xFF361DEC1385710A),
     UINT64_C(0xAEC730751478556C)},
    {129, 0, UINT64_C(0x1648BDC3DB49D1A2), UINT64_C(0x4545B3A09738E31A),
     UINT64_C(0x98CD36CCBB557926)},
    {240, 0, UINT64_C(0xB6CFAF343FAB81E6), UINT64_C(0x3F2C53E72293711F),
     UINT64_C(0x5293E17BF553903D)},
    {241, 0, UINT64_C(0x956CAE592C67279E), UINT64_C(0x956CAE592C67279E),
     UINT64_C(0xB53840FE3FEDF161)},
    {512, 0, UINT64_C(0xA0E9790EB93990D7), UINT64_C(0xA0E9790EB93990D7),
     UINT64_C(0x7509D702D4519576)},
    {1024, 0, UINT64_C(0x70BD377D9574F4BB), UINT64_C(0x70BD377D9574F4BB),
     UINT64_C(0xF69630613F24324D)},
    {2000, 0, UINT64_C(0xF7D78023F8A2C2B7), UINT64_C(0xF7D78023F8A2C2B7),
     UINT64_C(0x2502E02DAC16CCE9)},
    {0, SEED, UINT64_C(0x8AA56C2C3D8317F6), UINT64_C(0xB950A1D9E9A4A947),
     UINT64_C(0xE7DA00845366B2F3)},
    {1, SEED, UINT64_C(0xB0EBECF0A0D6AF1C), UINT64_C(0xB0EBECF0A0D6AF1C),
     UINT64_C(0x58C72234726E7398)},
    {3, SEED, UINT64_C(0xEF5293154B22CE64), UINT64_C(0xEF5293154B22CE64),
     UINT64_C(0xAC48CF733DBE88F0)},
    {4, SEED, UINT64_C(0xDF815F184410B5AA), UINT64_C(0xCAB3F1BAA1397333),
     UINT64_C(0xD1367D733B45E767)},
    {8, SEED, UINT64_C(0x70D2302945BCE623), UINT64_C(0x9FA261B6A5131770),
     UINT64_C(0x7FB438AFB5533768)},
    {9, SEED, UINT64_C(0xA15208C98BC86461), UINT64_C(0x183F39DFCF443C48),
     UINT64_C(0x4A75BA94DA6268D4)},
    {16, SEED, UINT64_C(0x476CE9797FBF02EC), UINT64_C(0x99D1036518B0B8AA),
     UINT64_C(0x426F5BB848A8AB3F)},
    {17, SEED, UINT64_C(0x2B54407F443088B6), UINT64_C(0x0BACE05985C3574B),
     UINT64_C(0x4E48635DCB85A679)},
    {128, SEED, UINT64_C(0xC8382A98BCD1238D), UINT64_C(0xDAD3A705E953C5F3),
     UINT64_C(0x9218BD3CC93E565E)},
    {129, SEED, UINT64_C(0x9C68275A80A497B9), UINT64_C(0xF94E5CC0A1FEA8DD),
     UINT64_C(0x673043781D88F88F)},
    {240, SEED, UINT64_C(0xC1D2C0951408E76D), UINT64_C(0x713CEB44C1021DE9),
     UINT64_C(0x9BDC9CF19E58B2ED)},
    {241, SEED, UINT64_C(0xC31F5E922A74756B), UINT64_C(0xC31F5E922A74756B),
     UINT64_C(0x4FD704B2B21387BC)},
    {512, SEED, UINT64_C(0x2903578999186E66), UINT64_C(0x2903578999186E66),
     UINT64_C(0x510D1832DB6F23F1)},
    {1024, SEED, UINT64_C(0x5D2E81A970570236), UINT64_C(0x5D2E81A970570236),
     UINT64_C(0x7FF58AAB5A921686)},
    {2000, SEED, UINT64_C(0x7FCBE3FBE6A4281B), UINT64_C(0x7FCBE3FBE6A4281B),
     UINT64_C(0xC4000EFE15C061B8)},
};

TEST(hashes_of_the_pattern_never_change) {
    for (size_t i = 0; i < TWX_COUNTOF(VECTORS); i++) {
        const twx_slice s = {pattern(), VECTORS[i].n};
        const twx_hash128 wide = twx_hash_wide(s, VECTORS[i].seed);
        if (twx_hash64(s, VECTORS[i].seed) != VECTORS[i].hash || wide.lo != VECTORS[i].wide_lo ||
            wide.hi != VECTORS[i].wide_hi)
            fail_msg("%zu bytes, seed %" PRIx64, VECTORS[i].n, VECTORS[i].seed);
    }
}

/* Published values of XXH3, so that the pinned ones are those of the real algorithm. */
TEST(published_values_of_xxh3) {
    assert_true(twx_hash64(TWX_SLICE_LIT(""), 0) == UINT64_C(0x2D06800538D394C2));
    assert_true(twx_hash64(TWX_SLICE_LIT("abc"), 0) == UINT64_C(0x78AF5F94892F3950));
    const twx_hash128 wide = twx_hash_wide(TWX_SLICE_LIT(""), 0);
    assert_true(wide.hi == UINT64_C(0x99AA06D3014798D8) && wide.lo == UINT64_C(0x6001C324468D497F));
}

TEST(an_absent_slice_hashes_like_an_empty_one) {
    const twx_slice absent = {NULL, 0};
    assert_true(twx_hash64(absent, 5) == twx_hash64(TWX_SLICE_LIT(""), 5));
    assert_true(twx_hash_wide(absent, 5).hi == twx_hash_wide(TWX_SLICE_LIT(""), 5).hi);
}

TEST(mixed_keys_never_change) {
    const uint64_t vectors[][3] = {
        {UINT64_C(0x0), UINT64_C(0x0), UINT64_C(0xD0A66A65C7528968)},
        {UINT64_C(0x0), UINT64_C(0x1), UINT64_C(0x0CFBAEA74A8CC0E5)},
        {UINT64_C(0x1), UINT64_C(0x0), UINT64_C(0x26F2A1148CF52011)},
        {UINT64_C(0x1), UINT64_C(0x2), UINT64_C(0x07EE86C281446BEF)},
        {UINT64_C(0xFFFFFFFFFFFFFFFF), UINT64_C(0xFFFFFFFFFFFFFFFF), UINT64_C(0x722A202F07A4B313)},
        {UINT64_C(0x123456789ABCDEF), UINT64_C(0xFEDCBA9876543210), UINT64_C(0xB5FD91FEB4C92044)},
    };
    for (size_t i = 0; i < TWX_COUNTOF(vectors); i++)
        if (twx_mix64(vectors[i][0], vectors[i][1]) != vectors[i][2])
            fail_msg("mix(%" PRIx64 ", %" PRIx64 ")", vectors[i][0], vectors[i][1]);
}

/* What is mixed is the 16 bytes of a and b, least significant first, on every machine. */
TEST(mixing_is_hashing_the_pair) {
    test_rng rng = test_rng_seed(1);
    for (int i = 0; i < 1000; i++) {
        const uint64_t a = test_rng_next(&rng), b = test_rng_next(&rng);
        char pair[16];
        for (int k = 0; k < 8; k++) {
            pair[k] = (char)(a >> 8 * k);
            pair[8 + k] = (char)(b >> 8 * k);
        }
        assert_true(twx_mix64(a, b) == twx_hash64((twx_slice){pair, sizeof pair}, 0));
    }
}

TEST(order_matters_when_mixing) {
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        test_rng rng = test_rng_seed(seed);
        const uint64_t a = test_rng_next(&rng), b = test_rng_next(&rng);
        if (twx_mix64(a, b) == twx_mix64(b, a)) fail_msg("seed %" PRIu64, seed);
    }
}

TEST(every_bit_of_input_and_seed_counts) {
    char bytes[200];
    memcpy(bytes, pattern(), sizeof bytes);
    const twx_slice s = {bytes, sizeof bytes};
    const uint64_t before = twx_hash64(s, SEED);
    for (size_t bit = 0; bit < 8 * sizeof bytes; bit++) {
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
        if (twx_hash64(s, SEED) == before) fail_msg("bit %zu", bit);
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
    }
    for (int bit = 0; bit < 64; bit++)
        assert_true(twx_hash64(s, SEED ^ UINT64_C(1) << bit) != before);
}

TEST(stored_numbers_have_a_fixed_byte_order) {
    const unsigned char bytes[] = {0xFF, 0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF};
    const void *at = bytes + 1; /* not aligned */
    assert_true(twx_load_be64(at) == UINT64_C(0x0123456789ABCDEF));
    assert_true(twx_load_le64(at) == UINT64_C(0xEFCDAB8967452301));
    assert_true(twx_load_le32(at) == UINT32_C(0x67452301));
    unsigned char out[10];
    memset(out, 0xEE, sizeof out);
    twx_store_be64(out + 1, UINT64_C(0x0123456789ABCDEF));
    assert_memory_equal(out + 1, at, 8);
    twx_store_le64(out + 1, UINT64_C(0xEFCDAB8967452301));
    assert_memory_equal(out + 1, at, 8);
    assert_int_equal(out[0], 0xEE);
    assert_int_equal(out[9], 0xEE);
    memset(out, 0xEE, sizeof out);
    twx_store_le32(out + 1, UINT32_C(0x67452301));
    assert_memory_equal(out + 1, at, 4);
    assert_int_equal(out[5], 0xEE);
}
