#include "judge_fixture.h"

#include <math.h>

static void facts_survive_packing(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        twx_ctx cx;
        twx_buf packed, again;
        twx_facts facts, back;
        test_rng rng = test_rng_seed(seed);
        uint64_t words[10];
        for (size_t i = 0; i < 10; i++) words[i] = test_rng_next(&rng);
        facts = (twx_facts){.bits = (uint32_t)words[0],
                            .status = (int32_t)words[1],
                            .url_length = (uint32_t)words[2],
                            .url_key = words[3],
                            .domain_key = words[4],
                            .link_key = words[5],
                            .hreflang_key = words[6],
                            .layout_key = words[7],
                            .fetched_at = (int64_t)words[8],
                            .score_order = words[9],
                            .host = {"www.example.com", seed % 16}};
        twx_ctx_init(&cx);
        twx_buf_init(&packed, 1 << 12);
        assert_int_equal(twx_facts_pack(&cx, &facts, TWX_SLICE_LIT("https://h/x"), &packed),
                         TWX_OK);
        assert_int_equal(twx_facts_unpack(&cx, twx_buf_slice(&packed), &back), TWX_OK);
        twx_buf_init(&again, 1 << 12);
        assert_int_equal(
            twx_facts_pack(&cx, &back, twx_facts_url(twx_buf_slice(&packed), &back), &again),
            TWX_OK);
        assert_true(twx_slice_eq(twx_buf_slice(&again), twx_buf_slice(&packed)));
        assert_true(twx_slice_eq(back.host, facts.host) && back.score_order == facts.score_order);
        assert_true(back.status == facts.status && back.fetched_at == facts.fetched_at);
        twx_buf_done(&again);
        for (size_t cut = 0; cut < 72; cut++)
            assert_int_equal(
                twx_facts_unpack(&cx, twx_slice_sub(twx_buf_slice(&packed), 0, cut), &back),
                TWX_E_CORRUPT);
        twx_buf_done(&packed);
    }
}

/* The bytes are stored: another machine has to read the same. */
static void the_layout_is_little_endian(void **state) {
    static const char WANTED[] =
        "\x01\x02\0\0\xff\xff\xff\xff\x03\0\0\0\x08\x07\x06\x05\x04\x03\x02\x01";
    twx_ctx cx;
    twx_buf packed;
    const twx_facts facts = {.bits = 0x201,
                             .status = -1,
                             .url_length = 3,
                             .url_key = UINT64_C(0x0102030405060708),
                             .host = TWX_SLICE_LIT("h")};
    (void)state;
    twx_ctx_init(&cx);
    twx_buf_init(&packed, 1 << 12);
    assert_int_equal(twx_facts_pack(&cx, &facts, TWX_SLICE_LIT("https://h/x"), &packed), TWX_OK);
    assert_int_equal(packed.n, 12 + 7 * 8 + 4 + 1 + 11);
    assert_memory_equal(packed.p, WANTED, sizeof WANTED - 1);
    assert_memory_equal(packed.p + 68, "\1\0\0\0hhttps://h/x", 16);
    packed.p[68] = 13;
    twx_facts back;
    assert_int_equal(twx_facts_unpack(&cx, twx_buf_slice(&packed), &back), TWX_E_CORRUPT);
    twx_buf_done(&packed);
}

static void scores_order_like_the_numbers(void **state) {
    static const double RISING[] = {-INFINITY, -1e300, -1.5, -1,  -1e-300, 0,
                                    1e-300,    0.5,    1,    1.5, 1e300,   INFINITY};
    (void)state;
    for (size_t i = 1; i < TWX_COUNTOF(RISING); i++)
        assert_true(twx_score_order(RISING[i - 1]) < twx_score_order(RISING[i]));
    assert_true(twx_score_order(-0.0) == twx_score_order(0.0));
}

static void noindex_is_a_word_in_any_case(void **state) {
    static const struct {
        const char *text;
        bool noindex;
    } CASES[] = {
        {"noindex", true},
        {"NoIndex, noarchive", true},
        {"noarchive;noindex", true},
        {"none", true},
        {"NONE", true},
        {"googlebot: noindex", true},
        {" \tnofollow noindex ", true},
        {"", false},
        {"index,follow", false},
        {"noindexer", false},
        {"xnoindex", false},
        {"noindex-never", false},
        {"no index", false},
        {"max-image-preview: none", false},
        {"max-image-preview:none", false},
        {"max-image-preview: none, none", true},
        {"nonesuch", false},
        {"8", true},
        {"512", true},
        {" 520 ", true},
        {"4", false},
        {"0", false},
        {"80", false}, /* 64 + 16 */
        {"8 noindex", true},
        {"12345678901", false}, /* no bit field any more, and no word */
        {"-8", false},
    };
    (void)state;
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++)
        if (twx_robots_noindex(twx_slice_of(CASES[i].text)) != CASES[i].noindex)
            fail_msg("'%s'", CASES[i].text);
    assert_false(twx_robots_noindex((twx_slice){NULL, 0}));
}

static void yacys_bits_3_and_9_are_noindex(void **state) {
    (void)state;
    for (int bit = 0; bit < 20; bit++)
        assert_int_equal(twx_robots_bits_noindex(INT64_C(1) << bit), bit == 3 || bit == 9);
    assert_true(twx_robots_bits_noindex(-1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_survive_packing),
        cmocka_unit_test(the_layout_is_little_endian),
        cmocka_unit_test(scores_order_like_the_numbers),
        cmocka_unit_test(noindex_is_a_word_in_any_case),
        cmocka_unit_test(yacys_bits_3_and_9_are_noindex),
    };
    return cmocka_run_group_tests_name("facts", tests, NULL, NULL);
}
