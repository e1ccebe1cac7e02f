/* Keys and verification of simhash and simhash32 find exactly the pairs that brute force finds, for
 * every distance: over random fingerprints with planted neighbours, and over those of real
 * texts. */
#include "support.h"

#include <zlib.h>

#include "sign/sign.h"

enum {
    RANDOM = 1500,
    REAL = 20000,
    PIECE = 1500,
    LINE_MAX_BYTES = 1 << 22,
    GROUPER_BYTES = 64 << 20
};

/* a << 32 | b, a < b, as they are found. */
typedef struct pairs {
    twx_ctx cx;
    const twx_detector *d;
    twx_params params;
    const uint64_t *fingerprints;
    TWX_VEC(uint64_t) found;
} pairs;

typedef void add_fn(pairs *p, twx_grouper *g, size_t n);

static twx_slice payload_of(uint64_t fingerprint, unsigned char bytes[8]) {
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(fingerprint >> (8 * i));
    return (twx_slice){(const char *)bytes, 8};
}

static twx_rc verify_run(void *arg, uint32_t *members, size_t n) {
    pairs *p = arg;
    unsigned char a[8], b[8];
    for (size_t j = 1; j < n; j++)
        for (size_t i = 0; i < j; i++) {
            const uint64_t x = p->fingerprints[members[i]], y = p->fingerprints[members[j]];
            if (p->d->verify(&p->params, payload_of(x, a), payload_of(y, b)) < 0) continue;
            if (!TWX_VEC_PUSH(&p->cx, &p->found, (uint64_t)members[i] << 32 | members[j]))
                return TWX_E_NOMEM;
        }
    return TWX_OK;
}

TWX_ORDER_0(by_number, uint64_t)

static void add_by_masks(pairs *p, twx_grouper *g, size_t n) {
    uint64_t masks[TWX_CANDIDATE_KEYS_MAX];
    const size_t count = p->d->masks(&p->params, masks);
    assert_in_range(count, 1, TWX_CANDIDATE_KEYS_MAX);
    twx_grouper_use_masks(g, masks, count, 2);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(twx_grouper_add_number(g, p->fingerprints[i], (uint32_t)i), TWX_OK);
}

static void add_by_keys(pairs *p, twx_grouper *g, size_t n) {
    twx_key keys[TWX_CANDIDATE_KEYS_MAX];
    for (size_t i = 0; i < n; i++) {
        const twx_signed from = {.first = {.key = p->fingerprints[i]}};
        const size_t count = p->d->candidates(&p->params, &from, keys);
        assert_in_range(count, 1, TWX_CANDIDATE_KEYS_MAX);
        for (size_t k = 0; k < count; k++)
            assert_int_equal(twx_grouper_add(g, keys[k].key, keys[k].check, (uint32_t)i), TWX_OK);
    }
}

/* Sorted, without repeats. */
static void find_pairs(pairs *p, size_t n, add_fn *add) {
    twx_grouper *g = NULL;
    size_t kept = 0;
    p->found.n = 0;
    assert_int_equal(twx_grouper_open(&p->cx, GROUPER_BYTES, NULL, &g), TWX_OK);
    add(p, g, n);
    assert_int_equal(twx_grouper_each(&p->cx, g, verify_run, p), TWX_OK);
    twx_grouper_close(g);
    if (p->found.n) qsort(p->found.at, p->found.n, sizeof *p->found.at, by_number);
    for (size_t i = 0; i < p->found.n; i++)
        if (kept == 0 || p->found.at[i] != p->found.at[kept - 1])
            p->found.at[kept++] = p->found.at[i];
    p->found.n = kept;
}

/* Returns the number of pairs; name describes the input in case they differ. */
static size_t compare_with_brute_force(const char *detector, uint32_t k,
                                       const uint64_t *fingerprints, size_t n, const char *name) {
    pairs p = {.d = twx_detector_find(detector),
               .params = twx_params_default(),
               .fingerprints = fingerprints};
    size_t next = 0, by_masks;
    twx_ctx_init(&p.cx);
    p.params.methods.of[TWX_DETECTOR_SIMHASH.id][0] = k;
    find_pairs(&p, n, add_by_masks);
    by_masks = p.found.n;
    uint64_t *kept = p.found.at;
    p.found.at = NULL;
    p.found.cap = 0;
    find_pairs(&p, n, add_by_keys);
    assert_int_equal(p.found.n, by_masks);
    if (by_masks) assert_memory_equal(p.found.at, kept, by_masks * sizeof *kept);
    twx_free(kept);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            if ((uint32_t)__builtin_popcountll(fingerprints[i] ^ fingerprints[j]) > k) continue;
            const uint64_t wanted = (uint64_t)i << 32 | j,
                           found = next < p.found.n ? p.found.at[next] : UINT64_MAX;
            if (found > wanted)
                fail_msg("%s, k %u, %s: pair %zu, %zu was missed", detector, k, name, i, j);
            if (found < wanted)
                fail_msg("%s, k %u, %s: a pair was added before %zu, %zu", detector, k, name, i, j);
            next++;
        }
    if (next != p.found.n) fail_msg("%s, k %u, %s: a pair was added", detector, k, name);
    TWX_VEC_DONE(&p.found);
    return next;
}

/* A third are random, others differ from an earlier one in up to two bits beyond the distance. */
static void random_fingerprints(uint64_t seed, uint32_t k, unsigned bits, uint64_t *fingerprints) {
    test_rng rng = test_rng_seed(seed);
    for (size_t i = 0; i < RANDOM; i++) {
        fingerprints[i] = bits == 64 ? test_rng_next(&rng) : test_rng_next(&rng) >> 32;
        if (i == 0 || i % 3 == 0) continue;
        fingerprints[i] = fingerprints[test_rng_below(&rng, i)];
        for (size_t flips = test_rng_below(&rng, k + 3); flips > 0; flips--)
            fingerprints[i] ^= UINT64_C(1) << test_rng_below(&rng, bits);
    }
}

static void check_random(const char *detector, unsigned bits) {
    static uint64_t fingerprints[RANDOM];
    for (uint32_t k = 0; k <= TWX_SIMHASH_DISTANCE_MAX; k++) {
        char name[32];
        snprintf(name, sizeof name, "seed %u", k + 1);
        random_fingerprints(k + 1, k, bits, fingerprints);
        assert_true(compare_with_brute_force(detector, k, fingerprints, RANDOM, name) > RANDOM / 8);
    }
}

TEST(r3_no_pair_within_the_distance_is_missed_and_none_added) {
    check_random("simhash", 64);
}

TEST(r3_nor_with_32_bits) {
    check_random("simhash32", 32);
}

/* Appends the fingerprints of the pieces of the lines of a file to ret_fingerprints[0..n); returns
 * their number. */
static size_t sign_pieces(const char *path, twx_ctx *cx, twx_workspace *w, size_t n,
                          uint64_t *ret_fingerprints) {
    static char line[LINE_MAX_BYTES];
    const twx_params params = twx_params_default();
    const twx_detector *d = twx_detector_find("simhash");
    gzFile in = gzopen(path, "rb");
    assert_non_null(in);
    while (n < REAL && gzgets(in, line, sizeof line)) {
        const twx_slice text = twx_slice_of(line);
        for (size_t at = 0; at < text.n && n < REAL; at += PIECE) {
            twx_signature s = {0};
            const twx_document doc = {.text = twx_slice_sub(text, at, at + PIECE)};
            assert_int_equal(d->sign(cx, w, &params, &doc, &s), TWX_OK);
            if (s.keys.n) ret_fingerprints[n++] = s.keys.at[0].key;
            TWX_VEC_DONE(&s.keys);
            twx_workspace_reset(w);
        }
    }
    gzclose(in);
    return n;
}

TEST(r3_nor_among_20000_real_texts) {
    static uint64_t fingerprints[REAL];
    static const char *const FILES[] = {"labelled/bills_dev.csv.gz", "labelled/licences_dev.tsv.gz",
                                        "labelled/terms_dev.tsv.gz"};
    const twx_params params = twx_params_default();
    twx_ctx cx = {0};
    twx_workspace *w = NULL;
    size_t n = 0;
    assert_int_equal(twx_workspace_open(&cx, &params, &w), TWX_OK);
    for (size_t i = 0; i < TWX_COUNTOF(FILES); i++) {
        const char *path = test_corpus(FILES[i]);
        if (path) n = sign_pieces(path, &cx, w, n, fingerprints);
    }
    twx_workspace_close(w);
    if (n < REAL) skip();
    const size_t found = compare_with_brute_force("simhash", 3, fingerprints, n, "real texts");
    print_message("%zu pairs within 3 bits among %zu real texts\n", found, n);
    assert_true(found > 1000);
}
