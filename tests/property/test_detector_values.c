/* What each detector makes of the same random documents: its entries in records, its candidate keys
 * and its similarities, as one hash. A stored signature must not change unless the detector's
 * version does, and a change of the version is a new row here (and a line of CHANGELOG.md). The
 * expected values were recorded from this program; signatures.md has vectors made by others. */
#include "random_documents.h"

#include "base/hash64.h"

enum { SEEDS = 3 };

/* clang-format off */
static const struct {
    const char *name;
    unsigned version;
    uint64_t hash;
} EXPECTED[] = {
    {"scheme", 2, 0x8e56794ebc3a97c8},
    {"www", 2, 0xa53ae1b7ebc81285},
    {"exact", 1, 0xf92a8908e256c5fa},
    {"profile", 1, 0x1eeb656273cc4dc4},
    {"title", 1, 0xb49501fac0b15e3d},
    {"description", 1, 0xe445347ee317f7db},
    {"tf", 1, 0xd8b253800004a0c4},
    {"tfidf", 1, 0xa761e9d9d98fbfba},
    {"tfridf", 1, 0x3a5ce3e6cc7ec70a},
    {"long_sentence", 1, 0x825f32b9b72403a8},
    {"heavy_sentence", 1, 0x0059fe373715e523},
    {"megashingles", 1, 0xf079a19274b85b9f},
    {"lexrand", 1, 0x77e8770fc9616d44},
    {"imatch", 1, 0x2e6bbaff232b9d71},
    {"log_shingles", 1, 0x30b5883fe44c6f6b},
    {"descriptive_words", 1, 0xd6bdcc0c9436a928},
    {"opt_freq", 1, 0x5f228194052f2c37},
    {"decomposition", 1, 0xcb4008d1452c922b},
    {"three_plus_five", 1, 0x4c750c2fa55f10c2},
    {"simhash", 1, 0x0c56d5b33e7772d5},
    {"simhash32", 1, 0xaf73a13a1a4bfe3e},
    {"minhash", 1, 0xa42386f717b2d468},
    {"shingles", 1, 0xdf0d11437f33f4dc},
    {"supershingles", 1, 0x3673e9a9dc828024},
    {"word_lists", 1, 0x4497f3e4fa4b6c3a},
    {"chunks", 1, 0xd9a95b45588f117d},
    {"bloom", 1, 0xc489a7b838fc7365},
    {"content_links", 1, 0x1819407189d75318},
    {"alignment", 3, 0x688cc47d4faf5061},
    {"repeated", 3, 0xed93b0e05a417d7b},
    {"name", 3, 0xcc9ff2542ba0c02c},
};
/* clang-format on */

static uint64_t mix(uint64_t h, uint64_t value) {
    return twx_hash64((twx_slice){(const char *)&value, sizeof value}, h);
}

static uint64_t add_entry(uint64_t h, const twx_detector *d, const twx_params *params,
                          const twx_record_entry *e) {
    static twx_key keys[TWX_CANDIDATE_KEYS_MAX];
    h = twx_hash64(e->whole, h);
    if (!d->candidates || e->n_keys == 0) return h;
    const twx_signed from = {twx_record_key(e, 0), e->payload};
    const size_t n = d->candidates(params, &from, keys);
    assert_true(n <= TWX_CANDIDATE_KEYS_MAX);
    for (size_t i = 0; i < n; i++) h = mix(mix(h, keys[i].key), keys[i].check);
    return mix(h, n);
}

static uint64_t add_documents(uint64_t h, const twx_detector *d, const twx_params *params,
                              const twx_buf *records) {
    twx_ctx cx;
    twx_record_entry e[DOCUMENTS];
    bool has[DOCUMENTS];
    twx_ctx_init(&cx);
    for (size_t i = 0; i < DOCUMENTS; i++) {
        has[i] = twx_record_find(&cx, twx_buf_slice(&records[i]), d->id, &e[i]) == TWX_OK;
        h = has[i] ? add_entry(h, d, params, &e[i]) : mix(h, 0);
    }
    for (size_t i = 0; d->verify && i < DOCUMENTS; i++)
        for (size_t j = i; j < DOCUMENTS; j++)
            if (has[i] && has[j])
                h = mix(h, (uint64_t)(int64_t)d->verify(params, e[i].payload, e[j].payload));
    return h;
}

static void a_detector_makes_the_same_of_the_same_documents(void **state) {
    static document docs[DOCUMENTS];
    static twx_buf records[DOCUMENTS];
    static uint64_t hash[256];
    const twx_params params = params_of_laws();
    const twx_detector *d;
    size_t wrong = 0, known = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        twx_collection collection;
        make_records(seed, docs, &collection, records);
        for (size_t k = 0; (d = twx_detector_at(k)); k++)
            hash[d->id] = add_documents(hash[d->id], d, &params, records);
        twx_collection_done(&collection);
        done_all(records);
    }
    for (size_t k = 0; (d = twx_detector_at(k)); k++) {
        size_t i = 0;
        while (i < sizeof EXPECTED / sizeof *EXPECTED && strcmp(EXPECTED[i].name, d->name) != 0)
            i++;
        known++;
        if (i < sizeof EXPECTED / sizeof *EXPECTED && EXPECTED[i].version == d->version &&
            EXPECTED[i].hash == hash[d->id])
            continue;
        print_message("    {\"%s\", %u, 0x%016" PRIx64 "},\n", d->name, (unsigned)d->version,
                      hash[d->id]);
        wrong++;
    }
    assert_int_equal(known, sizeof EXPECTED / sizeof *EXPECTED);
    if (wrong > 0) fail_msg("%zu detectors have changed; their rows are above", wrong);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_detector_makes_the_same_of_the_same_documents),
    };
    return cmocka_run_group_tests_name("detector values", tests, NULL, NULL);
}
