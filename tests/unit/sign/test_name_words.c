/* Payloads of names: packed and unpacked, and bytes that are no payload. */
#include "name_fixture.h"

enum { SEEDS = 3000, LONGEST = 140 };

static void fill(test_rng *rng, uint32_t *words, size_t max, uint32_t bits, uint8_t *ret_n) {
    *ret_n = (uint8_t)test_rng_below(rng, max + 1);
    for (size_t i = 0; i < *ret_n; i++) words[i] = (uint32_t)test_rng_next(rng) & bits;
}

static twx_name_words any_words(test_rng *rng) {
    twx_name_words w = {0};
    fill(rng, w.title, TWX_NAME_TITLE_MAX, 0xFFFFFF, &w.n[TWX_NAME_TITLE]);
    fill(rng, w.heading, TWX_NAME_HEADING_MAX, 0xFFFFFF, &w.n[TWX_NAME_HEADING]);
    fill(rng, w.url, TWX_NAME_URL_MAX, 0xFFFFFF, &w.n[TWX_NAME_URL]);
    fill(rng, w.repeated, TWX_NAME_REPEATED_MAX, 0xFFFFF, &w.n[TWX_NAME_REPEATED]);
    for (size_t i = 0; i < w.n[TWX_NAME_REPEATED]; i++)
        w.weight[i] = (uint8_t)test_rng_below(rng, 16);
    fill(rng, w.number, TWX_NAME_NUMBERS_MAX, 0xFFFF, &w.n[TWX_NAME_NUMBER]);
    fill(rng, w.code, TWX_NAME_CODES_MAX, 0xFFFF, &w.n[TWX_NAME_CODE]);
    const size_t room = TWX_NAME_SHORTS_MAX - (size_t)w.n[TWX_NAME_NUMBER] - w.n[TWX_NAME_CODE];
    fill(rng, w.lead, room < TWX_NAME_LEAD_MAX ? room : TWX_NAME_LEAD_MAX, 0xFFFF,
         &w.n[TWX_NAME_LEAD]);
    w.has_quantity = w.n[TWX_NAME_NUMBER] > 0 && test_rng_below(rng, 2);
    const size_t versions = w.n[TWX_NAME_TITLE] < TWX_NAME_VERSIONS_MAX ? w.n[TWX_NAME_TITLE]
                                                                        : TWX_NAME_VERSIONS_MAX;
    w.versions = (uint8_t)test_rng_below(rng, versions + 1);
    const size_t most = w.n[TWX_NAME_REPEATED] < TWX_NAME_PROPER_MAX ? w.n[TWX_NAME_REPEATED]
                                                                     : TWX_NAME_PROPER_MAX;
    w.proper = (uint8_t)test_rng_below(rng, most + 1);
    w.tail = (uint32_t)test_rng_next(rng) & 0xFFFFFF;
    w.shown = test_rng_below(rng, 2) ? (uint32_t)test_rng_next(rng) & 0xFFFFFF : 0;
    w.version = test_rng_next(rng) >> 16;
    return w;
}

static void assert_same(const twx_name_words *a, const twx_name_words *b) {
    for (int part = 0; part < TWX_NAME_PARTS; part++) {
        assert_int_equal(a->n[part], b->n[part]);
        for (size_t i = 0; i < a->n[part]; i++)
            assert_int_equal(twx_name_words_of(a, (twx_name_part)part)[i],
                             twx_name_words_of(b, (twx_name_part)part)[i]);
    }
    assert_int_equal(a->versions, b->versions);
    assert_int_equal(a->proper, b->proper);
    for (size_t i = 0; i < a->n[TWX_NAME_REPEATED]; i++)
        assert_int_equal(a->weight[i], b->weight[i]);
    assert_int_equal(a->has_quantity, b->has_quantity);
    assert_int_equal(a->tail, b->tail);
    assert_int_equal(a->shown, b->shown);
    assert_true(a->version == b->version);
}

/* An exact copy, so that a sanitizer sees a byte read too far. */
static void unpack_copy(const unsigned char *p, size_t n, bool repeated, twx_name_words *w) {
    char *copy = malloc(n ? n : 1);
    assert_non_null(copy);
    memcpy(copy, p, n);
    (repeated ? twx_repeated_unpack : twx_name_unpack)((twx_slice){copy, n}, w);
    free(copy);
}

TEST(r1_what_is_packed_is_unpacked) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        test_rng rng = test_rng_seed(seed);
        const twx_name_words w = any_words(&rng);
        twx_name_words back = any_words(&rng); /* what was there before is overwritten */
        unsigned char name[TWX_NAME_BYTES], repeated[TWX_REPEATED_BYTES];
        const size_t n = twx_name_pack(&w, name), m = twx_repeated_pack(&w, repeated);
        assert_true(n <= sizeof name && m <= sizeof repeated);
        unpack_copy(name, n, false, &back);
        unpack_copy(repeated, m, true, &back);
        assert_same(&w, &back);
    }
}

TEST(r1_a_full_name_fits_its_bytes) {
    const twx_name_words w = {.n = {TWX_NAME_TITLE_MAX, TWX_NAME_HEADING_MAX, TWX_NAME_URL_MAX,
                                    TWX_NAME_REPEATED_MAX, TWX_NAME_LEAD_MAX, TWX_NAME_NUMBERS_MAX,
                                    TWX_NAME_CODES_MAX},
                              .shown = 1};
    unsigned char name[TWX_NAME_BYTES], repeated[TWX_REPEATED_BYTES];
    twx_name_words back = {0};
    assert_int_equal(twx_name_pack(&w, name), sizeof name);
    assert_int_equal(twx_repeated_pack(&w, repeated), sizeof repeated);
    unpack_copy(repeated, sizeof repeated, true, &back); /* lines are left out first */
    assert_int_equal(back.n[TWX_NAME_LEAD],
                     TWX_NAME_SHORTS_MAX - TWX_NAME_NUMBERS_MAX - TWX_NAME_CODES_MAX);
}

TEST(r2_a_cut_or_longer_payload_has_no_words) {
    for (uint64_t seed = 1; seed <= 100; seed++) {
        test_rng rng = test_rng_seed(seed);
        const twx_name_words w = any_words(&rng);
        unsigned char p[LONGEST] = {0};
        const size_t n = twx_name_pack(&w, p);
        for (size_t cut = 0; cut <= n + 1; cut++) {
            twx_name_words back = any_words(&rng);
            if (cut == n) continue;
            unpack_copy(p, cut, false, &back);
            assert_int_equal(back.n[TWX_NAME_TITLE] + back.n[TWX_NAME_HEADING] +
                                 back.n[TWX_NAME_URL] + back.versions + back.tail + back.shown,
                             0);
            assert_true(back.version == 0);
        }
        const size_t m = twx_repeated_pack(&w, p);
        for (size_t cut = 0; cut <= m + 1; cut++) {
            twx_name_words back = any_words(&rng);
            if (cut == m) continue;
            unpack_copy(p, cut, true, &back);
            assert_int_equal(back.n[TWX_NAME_REPEATED] + back.n[TWX_NAME_LEAD] +
                                 back.n[TWX_NAME_NUMBER] + back.n[TWX_NAME_CODE] + back.proper,
                             0);
        }
    }
}

TEST(r2_any_bytes_unpack_within_bounds) {
    static const size_t MAX[TWX_NAME_PARTS] = {
        TWX_NAME_TITLE_MAX, TWX_NAME_HEADING_MAX, TWX_NAME_URL_MAX,  TWX_NAME_REPEATED_MAX,
        TWX_NAME_LEAD_MAX,  TWX_NAME_NUMBERS_MAX, TWX_NAME_CODES_MAX};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        test_rng rng = test_rng_seed(seed);
        unsigned char p[LONGEST];
        const size_t n = test_rng_below(&rng, sizeof p + 1);
        for (size_t i = 0; i < n; i++) p[i] = (unsigned char)test_rng_next(&rng);
        twx_name_words w = any_words(&rng);
        unpack_copy(p, n, false, &w);
        unpack_copy(p, n, true, &w);
        for (int part = 0; part < TWX_NAME_PARTS; part++) assert_true(w.n[part] <= MAX[part]);
        assert_true(w.versions <= w.n[TWX_NAME_TITLE] && w.proper <= w.n[TWX_NAME_REPEATED]);
    }
}

TEST(r2_counts_that_contradict_each_other_have_no_words) {
    twx_name_words w = {0};
    unsigned char p[11 + 3] = {1 << 4 | 2}; /* one word, two versions */
    twx_name_unpack((twx_slice){(const char *)p, sizeof p}, &w);
    assert_int_equal(w.n[TWX_NAME_TITLE], 0);
    p[0] = 1 << 4 | 1;
    twx_name_unpack((twx_slice){(const char *)p, sizeof p}, &w);
    assert_int_equal(w.n[TWX_NAME_TITLE], 1);
    p[1] = 0;
    p[0] = 1 << 4 | 2;
    twx_repeated_unpack((twx_slice){(const char *)p, 3 + 3}, &w);
    assert_int_equal(w.n[TWX_NAME_REPEATED], 0);
}

TEST(parts_are_compared_by_the_bits_that_both_keep) {
    assert_true(twx_name_word_meets(TWX_NAME_NUMBER, 0x3456, TWX_NAME_TITLE, 0x993456));
    assert_true(twx_name_word_meets(TWX_NAME_TITLE, 0x123456, TWX_NAME_REPEATED, 0x23456));
    assert_false(twx_name_word_meets(TWX_NAME_TITLE, 0x123456, TWX_NAME_REPEATED, 0x3456));
    assert_false(twx_name_word_meets(TWX_NAME_TITLE, 0x123456, TWX_NAME_HEADING, 0x223456));
    assert_false(twx_name_word_meets(TWX_NAME_LEAD, 0x3456, TWX_NAME_LEAD, 0x3457));
}

TEST(lines_meet_lines_alone) {
    assert_true(twx_name_word_meets(TWX_NAME_LEAD, 0x3456, TWX_NAME_LEAD, 0x3456));
    assert_false(twx_name_word_meets(TWX_NAME_LEAD, 0x3456, TWX_NAME_TITLE, 0x3456));
    assert_false(twx_name_word_meets(TWX_NAME_NUMBER, 0x3456, TWX_NAME_LEAD, 0x3456));
}

TEST(weights_rise_with_the_count_and_codes_are_heavier) {
    for (uint32_t count = 2; count < 500; count++)
        assert_true(twx_name_weight(false, count) <= twx_name_weight(false, count + 1));
    assert_true(twx_name_weight(false, UINT32_MAX) < twx_name_weight(true, 1));
    assert_true(twx_name_weight(true, UINT32_MAX) <= 15);
}

/* A full list has no information about words after its last one. */
TEST(a_full_list_may_lack_lighter_words_alone) {
    twx_name_words w = {.proper = TWX_NAME_PROPER_MAX};
    const uint8_t three = twx_name_weight(false, 3);
    w.n[TWX_NAME_REPEATED] = TWX_NAME_PROPER_MAX;
    for (size_t i = 0; i < TWX_NAME_PROPER_MAX; i++) {
        w.repeated[i] = (uint32_t)(100 + i);
        w.weight[i] = three;
    }
    assert_true(twx_name_may_repeat(&w, true, 5, twx_name_weight(false, 2)));
    assert_false(twx_name_may_repeat(&w, true, 500, twx_name_weight(false, 4)));
    assert_true(twx_name_may_repeat(&w, true, 500, three)); /* ties go by hash */
    assert_false(twx_name_may_repeat(&w, true, 5, three));
    assert_false(
        twx_name_may_repeat(&w, false, 500, twx_name_weight(false, 2))); /* room for others */
    assert_false(twx_name_may_repeat(&w, true, 500, twx_name_weight(true, 2))); /* and for codes */
    w.proper--;
    w.n[TWX_NAME_REPEATED]--;
    assert_false(twx_name_may_repeat(&w, true, 500, twx_name_weight(false, 2)));
}

TEST(a_full_list_of_codes_may_lack_those_after_its_last) {
    twx_name_words w = {.code = {10, 20, 30}};
    w.n[TWX_NAME_CODE] = TWX_NAME_CODES_MAX;
    assert_true(twx_name_may_have_code(&w, 31));
    assert_false(twx_name_may_have_code(&w, 15));
    w.n[TWX_NAME_CODE]--;
    assert_false(twx_name_may_have_code(&w, 31));
}
