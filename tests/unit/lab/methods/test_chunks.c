/* Two texts are as alike as the bytes of their common chunks say, sampled or not, and whoever is
 * alike shares a candidate key. */
#include "near_texts.h"

enum { KEPT_MAX = 1024, ENTRY = 8, BIG_WORDS = 30000 };

#define D (&TWX_DETECTOR_CHUNKS)

static uint64_t entry_at(const near_signed *s, size_t i) {
    return twx_load_le64(s->payload + ENTRY * i);
}

typedef struct chunk {
    uint64_t hash, length;
} chunk;

static twx_slice payload_of(char *bytes, const chunk *chunks, size_t n) {
    for (size_t i = 0; i < n; i++)
        twx_store_le64(bytes + ENTRY * i, chunks[i].hash << 16 | chunks[i].length);
    return (twx_slice){bytes, n * ENTRY};
}

TEST_OF(similarity_weighs_common_chunks_by_their_bytes, fixture *f) {
    static const chunk A[] = {{1, 100}, {2, 50}, {5, 250}},
                       B[] = {{1, 100}, {3, 100}, {5, 250}, {9, 50}};
    char a[32], b[32];
    const twx_slice x = payload_of(a, A, 3), y = payload_of(b, B, 4);
    f->params.methods.of[TWX_DETECTOR_CHUNKS.id][0] = 777777;
    assert_int_equal(D->verify(&f->params, x, y), 777777); /* 2 * 350 / (400 + 500), rounded down */
    assert_int_equal(D->verify(&f->params, y, x), 777777);
    assert_int_equal(D->verify(&f->params, x, x), 1000000);
    f->params.methods.of[TWX_DETECTOR_CHUNKS.id][0] = 777778;
    assert_int_equal(D->verify(&f->params, x, y), -1);
    f->params.methods.of[TWX_DETECTOR_CHUNKS.id][0] = 0;
    assert_int_equal(D->verify(&f->params, payload_of(a, A, 1), payload_of(b, B + 1, 1)), 0);
    assert_int_equal(D->verify(&f->params, (twx_slice){NULL, 0}, (twx_slice){NULL, 0}), -1);
    assert_int_equal(D->verify(&f->params, (twx_slice){a, 7}, (twx_slice){NULL, 0}), -1);
}

/* A full payload has no information about hashes above its last one. */
TEST_OF(a_full_payload_is_compared_up_to_its_largest_hash, fixture *f) {
    static chunk many[KEPT_MAX + 1];
    static char a[ENTRY * KEPT_MAX], b[ENTRY * KEPT_MAX];
    for (size_t i = 0; i < TWX_COUNTOF(many); i++) {
        many[i] = (chunk){10 * i, 100};
    }
    const twx_slice full = payload_of(a, many, KEPT_MAX);
    /* the second is above all of the full one's */
    const chunk two[] = {{0, 100}, {10 * KEPT_MAX, 60000}};
    f->params.methods.of[TWX_DETECTOR_CHUNKS.id][0] = 1;
    assert_int_equal(D->verify(&f->params, full, payload_of(b, two, 2)), 2 * 1000000 / 1025);
    assert_int_equal(
        D->verify(&f->params, payload_of(a, many, KEPT_MAX - 1), payload_of(b, two, 2)),
        2 * UINT64_C(100000000) / (100 * 1024 + 60000));
    assert_int_equal(D->verify(&f->params, full, full), 1000000);
}

TEST_OF(payloads_hold_the_texts_chunks, fixture *f) {
    static near_text t;
    static near_signed s;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        test_rng rng = test_rng_seed(seed);
        uint64_t bytes = 0;
        near_text_random(&t, &rng, 1 + test_rng_below(&rng, 1000));
        const twx_slice text = near_text_bytes(&t);
        near_sign(f, D, text, &s);
        for (size_t i = 0; i < s.payload_n / ENTRY; i++) {
            if (i > 0) assert_true(entry_at(&s, i - 1) < entry_at(&s, i));
            bytes += entry_at(&s, i) & 0xFFFF;
        }
        assert_int_equal(bytes, text.n); /* random texts repeat nothing */
        assert_int_equal(s.n, s.payload_n / ENTRY < 16 ? s.payload_n / ENTRY : 16);
        for (size_t i = 0; i < s.n; i++) assert_int_equal(s.keys[i].key, entry_at(&s, i));
    }
}

TEST(copies_verify_and_share_a_key_and_strangers_do_neither) {
    (void)near_expect_copies(*state, D, 1000, NULL);
}

/* Texts whose chunks do not all fit: one has a tenth more, so the samples end at different hashes.
 */
TEST_OF(samples_of_long_texts_agree_with_their_whole, fixture *f) {
    static char bytes[9 * BIG_WORDS], longer[10 * BIG_WORDS];
    static near_signed x, y;
    test_rng rng = test_rng_seed(3);
    for (size_t i = 0; i < sizeof longer; i++)
        longer[i] = i % 9 == 8 ? ' ' : (char)('a' + test_rng_below(&rng, 26));
    memcpy(bytes, longer, sizeof bytes);
    f->params.methods.of[TWX_DETECTOR_CHUNKS.id][0] = 1;
    near_sign(f, D, (twx_slice){bytes, sizeof bytes}, &x);
    near_sign(f, D, (twx_slice){longer, sizeof longer}, &y);
    assert_int_equal(x.payload_n, ENTRY * KEPT_MAX);
    assert_int_equal(y.payload_n, ENTRY * KEPT_MAX);
    const int32_t similarity = D->verify(&f->params, near_payload(&x), near_payload(&y)),
                  whole = 2000000 * 9 / 19;
    assert_in_range(similarity, whole - 25000, whole + 25000);
}

TEST(texts_of_any_kind_are_signed) {
    near_expect_any_text(*state, D, ENTRY, 2 * ENTRY);
}

TEST(stored_bytes_are_those_of_this_version) {
    fixture_expect_hex(*state, D, "Hello, brave new world", "44422fc11b34e336706d663e0aef39d2");
}
